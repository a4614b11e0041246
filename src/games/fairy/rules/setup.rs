//! Putting positions together, and judging whether they can be played.

use super::{
    facts::{FairyRules, Pawns, PieceRegion, Reserve},
    piece::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN, ROLES, ROOK},
    position::{FairyPosition, bit},
};
use crate::games::grid::{OFF, SQUARES_MAX};

/// What of a position that was put together cannot be and was left out, or is odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools)] // four independent facts
pub struct SetupRepairs {
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
    /// The numbers of kings of White and of Black: each side must have exactly one.
    Kings([u8; 2]),
    /// A king outside of its palace.
    Palace,
    /// Pawns on the first or last rank.
    PawnOnEdge,
    /// The side that has just moved is in check.
    OppositeCheck,
}

impl FairyPosition {
    /// An empty board, to put a position together on: its pieces, the side to move, gates,
    /// what is in reserve and counters. Then it is [set up](Self::set_up).
    pub const fn empty(facts: &'static FairyRules) -> Self {
        Self {
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
            counters: (0, 1),
        }
    }

    /// Adds a piece to a reserve, if one is left that it can have; whether it can have any.
    pub fn add_to_reserve(&mut self, side: u8, role: u8) -> bool {
        let most = match self.facts.reserve {
            Reserve::Hand if role != KING => u8::MAX,
            Reserve::Gates if matches!(role, ARCHBISHOP | CHANCELLOR) => 1,
            _ => return false,
        };
        if self.in_reserve(side, role) < most {
            self.count_reserve(usize::from(side & 1), role, true);
        }
        true
    }

    /// The position that was put together, with the squares of rooks with which is said that
    /// castling is possible, by side, and the square passed over by the last double step;
    /// and what of it was left out.
    ///
    /// # Errors
    ///
    /// [`SetupError`] where the rules do not allow for such a position.
    pub fn set_up(
        mut self,
        rooks: &[Vec<u8>; 2],
        passed: Option<u8>,
    ) -> Result<(Self, SetupRepairs), SetupError> {
        let (grid, facts) = (self.grid(), self.facts);
        let has_edges = matches!(facts.pawns, Pawns::Promoting { .. });
        let mut kings = [0_u8; 2];
        for square in 0..grid.squares() {
            let piece = self.at(square);
            let role = piece::role(piece);
            kings[usize::from(piece::side(piece))] += u8::from(role == KING);
            if has_edges && role == PAWN && grid.is_edge_rank(square) {
                return Err(SetupError::PawnOnEdge);
            }
            if facts.reserve != Reserve::Hand || matches!(role, NONE | PAWN | KING) {
                self.promoted &= !bit(square);
            }
        }
        if kings != [1, 1] {
            return Err(SetupError::Kings(kings));
        }
        let zone: PieceRegion = facts.movement(KING).zone;
        if (0..2).any(|side| !facts.is_in(zone, side, self.kings[usize::from(side)])) {
            return Err(SetupError::Palace);
        }
        if self.turn == 1 {
            self.key ^= facts.board.keys.black_to_move;
        }
        let mut dropped = SetupRepairs {
            king_hangs: self.is_in_check(self.turn ^ 1),
            ..SetupRepairs::default()
        };
        if dropped.king_hangs && !facts.lets_kings_hang {
            return Err(SetupError::OppositeCheck);
        }
        for (side, rooks) in rooks.iter().enumerate() {
            dropped.castling |= self.allow_castling(side, rooks);
            self.open_gates(side);
        }
        if let Some(passed) = passed {
            (dropped.passed, dropped.not_capturable) = self.allow_passing(passed);
        }
        Ok((self, dropped))
    }

    /// The position with left and right exchanged, or top and bottom with the
    /// colours, or both. `None` in a mirror while a side may castle or has a piece to bring in:
    /// kings stand and castle otherwise there.
    pub fn seen(&self, mirrored: bool, swapped: bool) -> Option<Self> {
        let is_free = self.rooks == [[OFF; 2]; 2] && self.gates == [0; 2];
        if mirrored && !is_free {
            return None;
        }
        let grid = self.grid();
        let place = |square: u8| grid.seen(square, mirrored, swapped);
        let side = usize::from(swapped);
        let mut seen = Self {
            turn: self.turn ^ u8::from(swapped),
            gates: [self.gates[side], self.gates[side ^ 1]],
            counters: self.counters,
            ..Self::empty(self.facts)
        };
        for square in 0..grid.squares() {
            let piece = self.at(square);
            if piece != NONE {
                let own = piece::side(piece) ^ u8::from(swapped);
                seen.put(place(square), piece::of(own, piece::role(piece)));
            }
            if self.is_promoted(square) {
                seen.promoted |= bit(place(square));
            }
        }
        let mut castling = [const { Vec::new() }; 2];
        for (own, castling) in castling.iter_mut().enumerate() {
            let rooks = self.rooks[own ^ side].into_iter();
            castling.extend(rooks.filter(|&rook| rook != OFF).map(place));
            for (role, count) in (0..).zip(self.reserve[own ^ side]) {
                (0..count).for_each(|_| seen.count_reserve(own, role, true));
            }
        }
        let seen = seen.set_up(&castling, self.en_passant().map(place));
        seen.ok().map(|(seen, _)| seen)
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

    /// Opens the files on which something may come in, as they are said and by castling.
    fn open_gates(&mut self, side: usize) {
        let mut gates = std::mem::take(&mut self.gates[side]);
        if self.facts.reserve != Reserve::Gates || self.reserve[side] == [0; ROLES] {
            return;
        }
        let grid = self.grid();
        let king = self.kings[side];
        let rank = self.first_rank(side as u8);
        // Who may castle has moved neither king nor rook; and a king and a rook
        // at home that have not moved may castle.
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
            || second.map(|rank| rank + 1) != Some(self.facts.rank_of(self.turn ^ 1, passed))
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
