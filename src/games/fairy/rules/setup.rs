//! Putting positions together, and judging whether they can be played.

use super::{
    facts::{Facts, Pawns, Reserve, Zone},
    piece::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN, ROLES, ROOK},
    position::{FairyPosition, bit},
};
use crate::games::grid::{OFF, SQUARES_MAX};

/// The parts of a position, as someone has put them down.
#[derive(Debug, Clone)]
pub struct FairySetup {
    /// What stands where, as piece codes.
    pub pieces: [u8; SQUARES_MAX],
    /// The squares of promoted pieces, as bits.
    pub promoted: u128,
    /// The side to move: 0 White or Red, 1 Black.
    pub turn: u8,
    /// Squares of rooks with which is said that castling is possible, by side.
    pub rooks: [Vec<u8>; 2],
    /// Files (bit 0 is a) with pieces on the first rank that have never moved.
    pub gates: [u8; 2],
    /// How many of each role are in reserve, by side.
    pub reserve: [[u8; ROLES]; 2],
    /// The square passed over by the last double step.
    pub passed: Option<u8>,
    /// Plies since the last capture or pawn move, and the number of the move.
    pub counters: (u32, u32),
}

/// What of a [`FairySetup`] cannot be and was left out, or is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools)] // four independent facts
pub struct Dropped {
    /// A castling right without king or rook in place, or a third one.
    pub castling: bool,
    /// An en passant square that no double step can have left.
    pub passed: bool,
    /// An en passant square where no capture is legal.
    pub not_capturable: bool,
    /// The king of the side that has just moved is left in check.
    pub king_hangs: bool,
}

/// Why a position cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupError {
    /// So many kings of White and of Black: each side must have exactly one.
    Kings([u8; 2]),
    /// A king outside of its palace.
    Palace,
    /// Pawns on the first or last rank.
    PawnOnEdge,
    /// The side that has just moved is in check.
    OppositeCheck,
}

impl Default for FairySetup {
    fn default() -> Self {
        Self {
            pieces: [NONE; SQUARES_MAX],
            promoted: 0,
            turn: 0,
            rooks: [const { Vec::new() }; 2],
            gates: [0; 2],
            reserve: [[0; ROLES]; 2],
            passed: None,
            counters: (0, 1),
        }
    }
}

impl FairyPosition {
    /// The position that was set up, and what of it was left out.
    ///
    /// # Errors
    ///
    /// [`SetupError`] where the rules do not allow for such a position.
    pub fn set_up(
        facts: &'static Facts,
        setup: &FairySetup,
    ) -> Result<(Self, Dropped), SetupError> {
        let mut position = Self {
            facts,
            pieces: [NONE; SQUARES_MAX],
            turn: 0,
            kings: [OFF; 2],
            rooks: [[OFF; 2]; 2],
            gates: [0; 2],
            reserve: [[0; ROLES]; 2],
            promoted: 0,
            passed: OFF,
            key: 0,
            structure: 0,
            counters: (setup.counters.0, setup.counters.1.max(1)),
        };
        let grid = position.grid();
        let has_edges = matches!(facts.pawns, Pawns::Promoting { .. });
        let mut kings = [0_u8; 2];
        for square in 0..grid.squares() {
            let piece = setup.pieces[usize::from(square)];
            if piece == NONE {
                continue;
            }
            position.put(square, piece);
            kings[usize::from(piece::side(piece))] += u8::from(piece::role(piece) == KING);
            if has_edges && piece::role(piece) == PAWN && grid.is_edge_rank(square) {
                return Err(SetupError::PawnOnEdge);
            }
            let may_be_promoted = !matches!(piece::role(piece), PAWN | KING);
            if facts.reserve == Reserve::Hand && may_be_promoted {
                position.promoted |= setup.promoted & bit(square);
            }
        }
        if kings != [1, 1] {
            return Err(SetupError::Kings(kings));
        }
        let zone: Zone = facts.movement(KING).zone;
        if (0..2).any(|side| !facts.is_in(zone, side, position.kings[usize::from(side)])) {
            return Err(SetupError::Palace);
        }
        if setup.turn & 1 == 1 {
            position.turn = 1;
            position.key ^= facts.board.keys.black_to_move;
        }
        let mut dropped = Dropped {
            king_hangs: position.is_in_check(position.turn ^ 1),
            ..Dropped::default()
        };
        if dropped.king_hangs && !facts.lets_kings_hang {
            return Err(SetupError::OppositeCheck);
        }
        for side in 0..2 {
            dropped.castling |= position.allow_castling(side, &setup.rooks[side]);
            position.fill_reserve(side, &setup.reserve[side]);
            position.open_gates(side, setup.gates[side]);
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
        let mut setup = FairySetup {
            turn: self.turn ^ u8::from(swapped),
            gates: [self.gates[side], self.gates[side ^ 1]],
            reserve: [self.reserve[side], self.reserve[side ^ 1]],
            passed: self.en_passant().map(place),
            counters: self.counters,
            ..FairySetup::default()
        };
        for square in 0..grid.squares() {
            let piece = self.at(square);
            if piece != NONE {
                let own = piece::side(piece) ^ u8::from(swapped);
                setup.pieces[usize::from(place(square))] = piece::of(own, piece::role(piece));
            }
            if self.is_promoted(square) {
                setup.promoted |= bit(place(square));
            }
        }
        for own in 0..2 {
            let rooks = self.rooks[own ^ side].into_iter();
            setup.rooks[own].extend(rooks.filter(|&rook| rook != OFF).map(place));
        }
        Self::set_up(self.facts, &setup).ok().map(|(seen, _)| seen)
    }

    /// Whether some of these rooks cannot castle.
    fn allow_castling(&mut self, side: usize, rooks: &[u8]) -> bool {
        let grid = self.grid();
        let king = self.kings[side];
        let mut is_dropped = false;
        for &rook in rooks {
            let fits = self.facts.castled_king.is_some()
                && self.at(rook) == piece::of(side as u8, ROOK)
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

    fn fill_reserve(&mut self, side: usize, reserve: &[u8; ROLES]) {
        for role in PAWN..ROLES as u8 {
            let said = reserve[usize::from(role)];
            let count = match self.facts.reserve {
                Reserve::Hand if role != KING => said,
                Reserve::Gates if matches!(role, ARCHBISHOP | CHANCELLOR) => said.min(1),
                _ => 0,
            };
            (0..count).for_each(|_| self.count_reserve(side, role, true));
        }
    }

    /// Opens the files on which something may come in.
    fn open_gates(&mut self, side: usize, gates: u8) {
        if self.facts.reserve != Reserve::Gates || self.reserve[side] == [0; ROLES] {
            return;
        }
        let grid = self.grid();
        let king = self.kings[side];
        let rank = self.first_rank(side as u8);
        // Who may castle has moved neither king nor rook; and a king and a rook
        // at home that have not moved may castle.
        let mut gates = gates;
        for rook in self.rooks[side] {
            if rook != OFF {
                gates |= 1 << grid.file(king) | 1 << grid.file(rook);
            }
        }
        for file in 0..grid.files {
            let piece = self.at(grid.at(file, rank));
            let is_own = piece != NONE && piece::side(piece) == side as u8;
            if !is_own || piece::role(piece) == PAWN {
                gates &= !(1 << file);
            }
        }
        self.gates[side] = gates;
        let home = 4;
        for (wing, file) in [grid.files - 1, 0].into_iter().enumerate() {
            let rook = grid.at(file, rank);
            if king == grid.at(home, rank)
                && gates >> home & 1 == 1
                && gates >> file & 1 == 1
                && self.at(rook) == piece::of(side as u8, ROOK)
            {
                self.rooks[side][wing] = rook;
            }
        }
    }

    /// Whether the square is no en passant square, and whether it is one where
    /// nothing can be taken.
    fn allow_passing(&mut self, passed: u8) -> (bool, bool) {
        let grid = self.grid();
        let ahead = if self.turn == 0 { 0 } else { 4 };
        let (origin, pawn) = (grid.step(passed, ahead), grid.step(passed, ahead ^ 4));
        let Pawns::Promoting { second, .. } = self.facts.pawns else {
            return (true, false);
        };
        if passed >= grid.squares()
            || self.facts.rank_of(self.turn ^ 1, passed) != second + 1
            || self.at(passed) != NONE
            || self.at(origin) != NONE
            || self.at(pawn) != piece::of(self.turn ^ 1, PAWN)
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
