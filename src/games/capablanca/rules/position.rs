//! What stands where, whose turn it is, and playing a ply.

use super::{
    facts::{Board, Facts},
    key,
    man::{self, KING, NONE, PAWN},
    ply::{Ply, Way},
};
use crate::games::{
    grid::{Grid, OFF},
    key::Structure,
};

/// Squares of the largest of these boards.
pub const SQUARES_MAX: usize = 80;

/// How a game has ended by the rules of movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side has won: 0 White, 1 Black.
    Won(u8),
    /// Nobody has.
    Draw,
}

/// A position. Counters are carried along, but do not make another position.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    pub(super) facts: &'static Facts,
    pub(super) men: [u8; SQUARES_MAX],
    pub(super) turn: u8,
    /// The square of each side's king, [`OFF`] if it has none.
    pub(super) kings: [u8; 2],
    /// Squares of the rooks that may castle: by side, then h-side, a-side.
    pub(super) rooks: [[u8; 2]; 2],
    /// Files on whose first rank a man stands that has never moved, as bits;
    /// empty where nothing is left to come in.
    pub(super) gates: [u8; 2],
    /// What is left to come in: bit 0 an archbishop, bit 1 a chancellor.
    pub(super) reserve: [u8; 2],
    /// The square passed over by a pawn that can legally be taken for it.
    pub(super) passed: u8,
    pub(super) key: u64,
    pub(super) structure: u64,
    /// Plies since the last capture or pawn move, and the number of the move.
    pub(super) counters: (u32, u32),
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.facts == other.facts
            && self.men == other.men
            && self.turn == other.turn
            && self.rooks == other.rooks
            && self.gates == other.gates
            && self.reserve == other.reserve
            && self.passed == other.passed
    }
}

impl Eq for Position {}

impl Position {
    /// The facts of its variant.
    #[inline]
    pub const fn facts(&self) -> &'static Facts {
        self.facts
    }

    /// Its board.
    #[inline]
    pub const fn board(&self) -> Board {
        self.facts.board
    }

    #[inline]
    pub(super) fn grid(&self) -> &'static Grid {
        self.facts.board.grid()
    }

    /// What stands where, as man codes; only the squares of the board count.
    #[inline]
    pub const fn men(&self) -> &[u8; SQUARES_MAX] {
        &self.men
    }

    /// The man on a square, [`man::NONE`] if there is none.
    #[inline]
    pub fn at(&self, square: u8) -> u8 {
        self.men.get(usize::from(square)).map_or(NONE, |&man| man)
    }

    /// The side to move: 0 White, 1 Black.
    #[inline]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// The square of a side's king; `None` if it has none.
    pub fn king(&self, side: u8) -> Option<u8> {
        Some(self.kings[usize::from(side & 1)]).filter(|&king| king != OFF)
    }

    /// The square of the rook that may castle, on the king's h-side (0) or a-side (1).
    pub fn castling_rook(&self, side: u8, wing: usize) -> Option<u8> {
        Some(self.rooks[usize::from(side & 1)][wing & 1]).filter(|&rook| rook != OFF)
    }

    /// Files (bit 0 is a) on whose first rank something may still come in.
    pub const fn gates(&self, side: u8) -> u8 {
        self.gates[(side & 1) as usize]
    }

    /// Whether a role is still in a side's reserve.
    pub const fn has_in_reserve(&self, side: u8, role: u8) -> bool {
        self.reserve[(side & 1) as usize] & reserve_bit(role) != 0
    }

    /// The square passed over by a pawn that can legally be taken for it.
    pub fn en_passant(&self) -> Option<u8> {
        Some(self.passed).filter(|&square| square != OFF)
    }

    /// Plies since the last capture or pawn move, and the number of the move
    /// from 1.
    pub const fn counters(&self) -> (u32, u32) {
        self.counters
    }

    /// The key of men, reserve and side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What changes at irreversible plies only: pawns by their squares, the
    /// number of each other man, on the board and in reserve.
    #[inline]
    pub const fn structure(&self) -> Structure {
        Structure::from_number(self.structure)
    }

    /// What else makes the position, in twenty bits.
    ///
    /// Without gates: four bits each of file + 1 (0 for none), for the rooks of
    /// White's h-side and a-side castling, Black's likewise, and the file on
    /// which en passant is legal. With gates: a bit for each file of White's
    /// and of Black's first rank where a man has never moved (as far as that
    /// matters for castling or coming in), then the en passant file.
    pub fn state_bits(&self) -> u32 {
        let grid = self.grid();
        let mut bits = 0;
        for side in 0..2 {
            for wing in 0..2 {
                let rook = self.rooks[side][wing];
                if rook != OFF {
                    bits |= if self.facts.gates {
                        let king = grid.file(self.kings[side]);
                        (1 << king | 1 << grid.file(rook)) << (8 * side)
                    } else {
                        (u32::from(grid.file(rook)) + 1) << (8 * side + 4 * wing)
                    };
                }
            }
            bits |= u32::from(self.gates[side]) << (8 * side);
        }
        if self.passed != OFF {
            bits |= (u32::from(grid.file(self.passed)) + 1) << 16;
        }
        bits
    }

    /// Gives the move to the other side, with nothing to take in passing.
    pub(super) fn pass(&mut self) {
        self.passed = OFF;
        self.turn ^= 1;
        self.key ^= key::BLACK_TO_MOVE;
    }

    #[inline]
    pub(super) fn lift(&mut self, square: u8) -> u8 {
        let Some(place) = self.men.get_mut(usize::from(square)) else {
            return NONE;
        };
        let man = std::mem::take(place);
        self.key ^= key::man(self.facts.board, man, square);
        self.structure = self
            .structure
            .wrapping_sub(key::part(self.facts.board, man, square));
        man
    }

    #[inline]
    pub(super) fn put(&mut self, square: u8, man: u8) {
        let Some(place) = self.men.get_mut(usize::from(square)) else {
            return;
        };
        *place = man;
        self.key ^= key::man(self.facts.board, man, square);
        self.structure = self
            .structure
            .wrapping_add(key::part(self.facts.board, man, square));
        if man::role(man) == KING {
            self.kings[usize::from(man::side(man))] = square;
        }
    }

    /// Where the king and the rook stand after castling with this rook.
    pub(super) fn castled(&self, king: u8, rook: u8) -> (u8, u8) {
        let grid = self.grid();
        let wing = usize::from(rook < king);
        let file = self.facts.castled_king[wing];
        let beside = if wing == 0 { file - 1 } else { file + 1 };
        let rank = grid.rank(king);
        (grid.at(file, rank), grid.at(beside, rank))
    }

    /// Where the king stands after castling from a square with a rook on another.
    pub fn castled_king(&self, king: u8, rook: u8) -> u8 {
        self.castled(king, rook).0
    }

    /// Plays a ply of this position. Legality is not asked for; any ply leaves
    /// a board that can be played on, if not one of this game.
    pub fn play(&mut self, ply: Ply) {
        let side = usize::from(self.turn);
        let (from, to) = (ply.from, ply.to);
        self.counters.0 = self.counters.0.saturating_add(1);
        self.counters.1 = self.counters.1.saturating_add(u32::from(self.turn));
        self.pass();
        if ply.is_null() {
            return;
        }
        self.lose_rights(from);
        self.lose_rights(to);
        let mover = self.lift(from);
        if ply.way.is_castling() {
            let rook = self.lift(to);
            let (king_to, rook_to) = self.castled(from, to);
            self.put(king_to, mover);
            self.put(rook_to, rook);
        } else {
            self.play_man(side, mover, ply);
        }
        if let Some(role) = ply.way.gated() {
            let at_rook = matches!(ply.way, Way::CastlingGating { at_rook: true, .. });
            self.bring_in(side, role, if at_rook { to } else { from });
        }
    }

    fn play_man(&mut self, side: usize, mover: u8, ply: Ply) {
        let (from, to) = (ply.from, ply.to);
        let grid = self.grid();
        let is_pawn = man::role(mover) == PAWN;
        let mut taken = self.lift(to);
        if is_pawn && taken == NONE && grid.file(from) != grid.file(to) {
            taken = self.lift(grid.at(grid.file(to), grid.rank(from)));
        }
        if is_pawn || taken != NONE {
            self.counters.0 = 0;
        }
        if man::role(taken) == KING {
            self.kings[usize::from(man::side(taken))] = OFF;
        }
        match ply.way {
            Way::Promotion(role) => self.put(to, man::of(side as u8, role)),
            _ => self.put(to, mover),
        }
        if is_pawn && grid.rank(from).abs_diff(grid.rank(to)) == 2 {
            self.passed = grid.at(grid.file(to), u8::midpoint(grid.rank(from), grid.rank(to)));
            if !self.can_take_passed() {
                self.passed = OFF;
            }
        }
    }

    /// A square is left or taken: castling with it and coming in on it are over.
    #[inline]
    fn lose_rights(&mut self, square: u8) {
        for side in 0..2 {
            if self.kings[side] == square {
                self.rooks[side] = [OFF; 2];
            }
            for rook in &mut self.rooks[side] {
                if *rook == square {
                    *rook = OFF;
                }
            }
            let grid = self.grid();
            if self.gates[side] != 0 && grid.rank(square) == self.first_rank(side as u8) {
                self.gates[side] &= !(1 << (grid.file(square) & 7));
            }
        }
    }

    /// The rank, from 0, where a side's pieces stand at the start.
    pub(super) fn first_rank(&self, side: u8) -> u8 {
        if side == 0 { 0 } else { self.grid().ranks - 1 }
    }

    fn bring_in(&mut self, side: usize, role: u8, square: u8) {
        let man = man::of(side as u8, role);
        if self.reserve[side] & reserve_bit(role) != 0 && self.at(square) == NONE {
            self.reserve[side] &= !reserve_bit(role);
            self.count_reserve(man, false);
            self.put(square, man);
        }
        if self.reserve[side] == 0 {
            self.gates[side] = 0;
        }
    }

    /// Has a man in reserve count in the keys, or no more.
    pub(super) fn count_reserve(&mut self, man: u8, add: bool) {
        let number = key::reserved(self.facts.board, man);
        self.key ^= number;
        self.structure = if add {
            self.structure.wrapping_add(number)
        } else {
            self.structure.wrapping_sub(number)
        };
    }
}

/// The bit of a role in a reserve, 0 for one that never is there.
pub(super) const fn reserve_bit(role: u8) -> u8 {
    match role {
        man::ARCHBISHOP => 1,
        man::CHANCELLOR => 2,
        _ => 0,
    }
}
