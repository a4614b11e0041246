//! Putting positions together, and judging whether they can be played.

use super::{
    facts::Facts,
    key,
    man::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN, ROOK},
    position::{Position, SQUARES_MAX, reserve_bit},
};
use crate::games::grid::OFF;

/// The parts of a position, as someone has put them down.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What stands where, as man codes.
    pub men: [u8; SQUARES_MAX],
    /// The side to move: 0 White, 1 Black.
    pub turn: u8,
    /// Squares of rooks with which is said that castling is possible, by side.
    pub rooks: [Vec<u8>; 2],
    /// Files (bit 0 is a) with men on the first rank that have never moved.
    pub gates: [u8; 2],
    /// Roles in reserve.
    pub reserve: [Vec<u8>; 2],
    /// The square passed over by the last double step.
    pub passed: Option<u8>,
    /// Plies since the last capture or pawn move, and the number of the move.
    pub counters: (u32, u32),
}

/// What of a [`Setup`] cannot be and was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dropped {
    /// A castling right without king or rook in place, or a third one.
    pub castling: bool,
    /// An en passant square that no double step can have left.
    pub passed: bool,
    /// An en passant square where no capture is legal.
    pub not_capturable: bool,
}

/// Why a position cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Each side must have exactly one king.
    #[error("White has {0} kings and Black {1}; each side must have exactly one")]
    Kings(u8, u8),
    /// Pawns on the first or last rank.
    #[error("a pawn stands on the first or last rank")]
    PawnOnEdge,
    /// The side that has just moved is in check.
    #[error("a king is in check, but the other side is to move")]
    OppositeCheck,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            men: [NONE; SQUARES_MAX],
            turn: 0,
            rooks: [const { Vec::new() }; 2],
            gates: [0; 2],
            reserve: [const { Vec::new() }; 2],
            passed: None,
            counters: (0, 1),
        }
    }
}

impl Position {
    /// The position that was set up, and what of it was left out.
    ///
    /// # Errors
    ///
    /// [`SetupError`] where the rules do not allow for such a position.
    pub fn set_up(facts: &'static Facts, setup: &Setup) -> Result<(Self, Dropped), SetupError> {
        let mut position = Self {
            facts,
            men: [NONE; SQUARES_MAX],
            turn: 0,
            kings: [OFF; 2],
            rooks: [[OFF; 2]; 2],
            gates: [0; 2],
            reserve: [0; 2],
            passed: OFF,
            key: 0,
            structure: 0,
            counters: (setup.counters.0, setup.counters.1.max(1)),
        };
        let grid = position.grid();
        let mut kings = [0; 2];
        for square in 0..grid.squares() {
            let man = setup.men[usize::from(square)];
            if man == NONE {
                continue;
            }
            position.put(square, man);
            kings[usize::from(man::side(man))] += u8::from(man::role(man) == KING);
            let edge = grid.rank(square) == 0 || grid.rank(square) == grid.ranks - 1;
            if man::role(man) == PAWN && edge {
                return Err(SetupError::PawnOnEdge);
            }
        }
        if kings != [1, 1] {
            return Err(SetupError::Kings(kings[0], kings[1]));
        }
        if setup.turn & 1 == 1 {
            position.turn = 1;
            position.key ^= key::BLACK_TO_MOVE;
        }
        if position.is_in_check(position.turn ^ 1) {
            return Err(SetupError::OppositeCheck);
        }
        let mut dropped = Dropped::default();
        for side in 0..2 {
            dropped.castling |= position.allow_castling(side, &setup.rooks[side]);
            position.fill_reserve(side, setup);
        }
        if let Some(passed) = setup.passed {
            (dropped.passed, dropped.not_capturable) = position.allow_passing(passed);
        }
        Ok((position, dropped))
    }

    /// The position with left and right exchanged, or top and bottom with the
    /// colours, or both. `None` in a mirror while somebody may castle or has
    /// something to bring in: kings stand and castle otherwise there.
    pub fn seen(&self, mirrored: bool, swapped: bool) -> Option<Self> {
        let is_free = self.rooks == [[OFF; 2]; 2] && self.gates == [0; 2];
        if mirrored && !is_free {
            return None;
        }
        let grid = self.grid();
        let place = |square: u8| grid.seen(square, mirrored, swapped);
        let side = usize::from(swapped);
        let mut setup = Setup {
            turn: self.turn ^ u8::from(swapped),
            gates: [self.gates[side], self.gates[side ^ 1]],
            passed: self.en_passant().map(place),
            counters: self.counters,
            ..Setup::default()
        };
        for square in 0..grid.squares() {
            let man = self.at(square);
            if man != NONE {
                let own = man::side(man) ^ u8::from(swapped);
                setup.men[usize::from(place(square))] = man::of(own, man::role(man));
            }
        }
        for own in 0..2 {
            let here = own ^ side;
            setup.rooks[own].extend(self.rooks[here].into_iter().filter(|&rook| rook != OFF));
            setup.rooks[own]
                .iter_mut()
                .for_each(|rook| *rook = place(*rook));
            let reserve = [ARCHBISHOP, CHANCELLOR].into_iter();
            setup.reserve[own]
                .extend(reserve.filter(|&role| self.has_in_reserve(here as u8, role)));
        }
        Self::set_up(self.facts, &setup).ok().map(|(seen, _)| seen)
    }

    /// Whether some of these rooks cannot castle.
    fn allow_castling(&mut self, side: usize, rooks: &[u8]) -> bool {
        let grid = self.grid();
        let king = self.kings[side];
        let mut is_dropped = false;
        for &rook in rooks {
            let fits = self.at(rook) == man::of(side as u8, ROOK)
                && grid.rank(rook) == self.first_rank(side as u8)
                && grid.rank(king) == grid.rank(rook);
            let wing = &mut self.rooks[side][usize::from(rook < king)];
            if fits && (*wing == OFF || *wing == rook) {
                *wing = rook;
            } else {
                is_dropped = true;
            }
        }
        is_dropped
    }

    fn fill_reserve(&mut self, side: usize, setup: &Setup) {
        if !self.facts.gates {
            return;
        }
        for role in [ARCHBISHOP, CHANCELLOR] {
            if setup.reserve[side].contains(&role) {
                self.reserve[side] |= reserve_bit(role);
                self.count_reserve(man::of(side as u8, role), true);
            }
        }
        let grid = self.grid();
        let king = self.kings[side];
        let rank = self.first_rank(side as u8);
        // Who may castle has moved neither king nor rook; and a king and a rook
        // at home that have not moved may castle.
        let mut gates = setup.gates[side];
        for rook in self.rooks[side] {
            if rook != OFF {
                gates |= 1 << grid.file(king) | 1 << grid.file(rook);
            }
        }
        for file in 0..grid.files {
            let man = self.at(grid.at(file, rank));
            if man == NONE || man::side(man) != side as u8 || man::role(man) == PAWN {
                gates &= !(1 << file);
            }
        }
        if self.reserve[side] == 0 {
            return;
        }
        self.gates[side] = gates;
        let home = 4;
        for (wing, file) in [grid.files - 1, 0].into_iter().enumerate() {
            let rook = grid.at(file, rank);
            if king == grid.at(home, rank)
                && gates >> home & 1 == 1
                && gates >> file & 1 == 1
                && self.at(rook) == man::of(side as u8, ROOK)
            {
                self.rooks[side][wing] = rook;
            }
        }
    }

    /// Whether the square is no en passant square, and whether it is one where
    /// nothing can be taken.
    fn allow_passing(&mut self, passed: u8) -> (bool, bool) {
        let grid = self.grid();
        let (ahead, third) = if self.turn == 0 {
            (0, grid.ranks - 3)
        } else {
            (4, 2)
        };
        let (origin, pawn) = (grid.step(passed, ahead), grid.step(passed, ahead ^ 4));
        if passed >= grid.squares()
            || grid.rank(passed) != third
            || self.at(passed) != NONE
            || self.at(origin) != NONE
            || self.at(pawn) != man::of(self.turn ^ 1, PAWN)
        {
            return (true, false);
        }
        self.passed = passed;
        let is_capturable = self.can_take_passed();
        if !is_capturable {
            self.passed = OFF;
        }
        (false, !is_capturable)
    }
}
