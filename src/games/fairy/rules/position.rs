//! What stands where, whose turn it is, and playing a ply.

use super::{
    facts::{FairyRules, Pawns, Reserve},
    piece::{self, KING, NONE, PAWN, ROLES},
    ply::{FairyPly, FairyPlyKind},
};
use crate::games::{
    grid::{Grid, OFF, SQUARES_MAX},
    key::Structure,
};

/// A position. Counters are carried along, but do not make another position.
#[derive(Debug, Clone, Copy)]
pub struct FairyPosition {
    /// The facts of its variant.
    pub facts: &'static FairyRules,
    /// What stands where, as piece codes; only the squares of the board count.
    pub pieces: [u8; SQUARES_MAX],
    /// The side to move: 0 White or Red, 1 Black.
    pub turn: u8,
    /// The square of each side's king, [`OFF`] if it has none.
    pub(super) kings: [u8; 2],
    /// Squares of the rooks that may castle: by side, then h-side, a-side.
    pub(super) rooks: [[u8; 2]; 2],
    /// Files on whose first rank a piece stands that has never moved, as bits;
    /// empty where nothing is left to come in.
    pub(in crate::modules::games::fairy) gates: [u8; 2],
    /// What is left to come in or to be dropped: by side, how many of each role.
    pub(super) reserve: [[u8; ROLES]; 2],
    /// The squares of promoted pieces, where these are taken as pawns.
    pub(in crate::modules::games::fairy) promoted: u128,
    /// The square passed over by a pawn that can legally be taken for it.
    pub(super) passed: u8,
    pub(super) key: u64,
    pub(super) structure: u64,
    /// Plies since the last capture, drop or pawn move (in xiangqi since the last capture),
    /// and the number of the move, from 1.
    pub counters: (u32, u32),
}

impl PartialEq for FairyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.pieces == other.pieces
            && self.turn == other.turn
            && self.rooks == other.rooks
            && self.gates == other.gates
            && self.reserve == other.reserve
            && self.promoted == other.promoted
            && self.passed == other.passed
    }
}

impl Eq for FairyPosition {}

impl FairyPosition {
    /// The squares of its board.
    #[inline]
    pub const fn grid(&self) -> &'static Grid {
        self.facts.board.grid
    }

    /// The piece on a square, [`piece::NONE`] if there is none.
    #[inline]
    pub fn at(&self, square: u8) -> u8 {
        self.pieces
            .get(usize::from(square))
            .map_or(NONE, |&piece| piece)
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

    /// How many of a role are in a side's reserve.
    pub fn in_reserve(&self, side: u8, role: u8) -> u8 {
        self.reserve[usize::from(side & 1)][usize::from(role) % ROLES]
    }

    /// Whether a promoted piece stands on a square, where that makes a difference.
    pub const fn is_promoted(&self, square: u8) -> bool {
        self.promoted & bit(square) != 0
    }

    /// The square passed over by a pawn that can legally be taken for it.
    pub fn en_passant(&self) -> Option<u8> {
        Some(self.passed).filter(|&square| square != OFF)
    }

    /// The key of pieces, reserve and side to move.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What changes at irreversible plies only: pawns as far as they cannot go back, the
    /// number of each other piece, on the board and in reserve.
    #[inline]
    pub const fn structure(&self) -> Structure {
        Structure::from_number(self.structure)
    }

    /// What else makes the position, in twenty bits.
    ///
    /// Without gates: four bits each of file + 1 (0 for none), for the rooks of
    /// White's h-side and a-side castling, Black's likewise, and the file on
    /// which en passant is legal. With gates: a bit for each file of White's
    /// and of Black's first rank where a piece has never moved (as far as that
    /// matters for castling or coming in), then the en passant file.
    pub fn state_bits(&self) -> u32 {
        let grid = self.grid();
        let mut bits = 0;
        for side in 0..2 {
            for wing in 0..2 {
                let rook = self.rooks[side][wing];
                if rook != OFF {
                    bits |= if self.facts.reserve == Reserve::Gates {
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

    #[inline]
    pub(super) fn lift(&mut self, square: u8) -> u8 {
        let Some(place) = self.pieces.get_mut(usize::from(square)) else {
            return NONE;
        };
        let piece = std::mem::take(place);
        if piece != NONE {
            self.key ^= self.facts.board.keys.on(piece, square);
            self.structure = self.structure.wrapping_sub(self.facts.part(piece, square));
        }
        piece
    }

    #[inline]
    pub(in crate::modules::games::fairy) fn put(&mut self, square: u8, piece: u8) {
        let Some(place) = self.pieces.get_mut(usize::from(square)) else {
            return;
        };
        *place = piece;
        if piece != NONE {
            self.key ^= self.facts.board.keys.on(piece, square);
            self.structure = self.structure.wrapping_add(self.facts.part(piece, square));
        }
        if piece::role(piece) == KING {
            self.kings[usize::from(piece::side(piece))] = square;
        }
    }

    /// Where the king and the rook stand after castling with this rook.
    pub(super) fn castled(&self, king: u8, rook: u8) -> (u8, u8) {
        let grid = self.grid();
        let wing = usize::from(rook < king);
        // Who has a rook to castle with has a place to go to.
        let file = self
            .facts
            .castled_king
            .map_or(grid.file(king), |files| files[wing]);
        let beside = if wing == 0 {
            file.saturating_sub(1)
        } else {
            file + 1
        };
        let rank = grid.rank(king);
        (grid.at(file, rank), grid.at(beside, rank))
    }

    /// Where the king stands after castling from a square with a rook on another.
    pub fn castled_king(&self, king: u8, rook: u8) -> u8 {
        self.castled(king, rook).0
    }

    /// Plays a ply of this position. Legality is not checked; any ply leaves
    /// a board that can be played on, if not one of this game.
    pub fn play(&mut self, ply: FairyPly) {
        let side = usize::from(self.turn);
        let (from, to) = (ply.from, ply.to);
        self.counters.0 = self.counters.0.saturating_add(1);
        self.counters.1 = self.counters.1.saturating_add(u32::from(self.turn));
        self.passed = OFF;
        self.turn ^= 1;
        self.key ^= self.facts.board.keys.black_to_move;
        if ply.is_null() {
            return;
        }
        if let FairyPlyKind::Drop(role) = ply.way {
            self.counters.0 = 0;
            self.bring_in(side, role, to);
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
            self.play_piece(side, mover, ply);
        }
        if let Some(role) = ply.way.gated() {
            let at_rook = matches!(ply.way, FairyPlyKind::CastlingGating { at_rook: true, .. });
            self.bring_in(side, role, if at_rook { to } else { from });
            if self.reserve[side] == [0; ROLES] {
                self.gates[side] = 0;
            }
        }
    }

    fn play_piece(&mut self, side: usize, mover: u8, ply: FairyPly) {
        let (from, to) = (ply.from, ply.to);
        let grid = self.grid();
        let is_pawn =
            piece::role(mover) == PAWN && matches!(self.facts.pawns, Pawns::Promoting { .. });
        let mut taken = self.lift(to);
        if is_pawn && taken == NONE && grid.file(from) != grid.file(to) {
            taken = self.lift(grid.at(grid.file(to), grid.rank(from)));
        }
        if is_pawn || taken != NONE {
            self.counters.0 = 0;
        }
        if piece::role(taken) == KING {
            self.kings[usize::from(piece::side(taken))] = OFF;
        } else if taken != NONE && self.facts.reserve == Reserve::Hand {
            let role = if self.is_promoted(to) {
                PAWN
            } else {
                piece::role(taken)
            };
            self.count_reserve(side, role, true);
        }
        let (mut is_promoted, mut piece) = (self.is_promoted(from), mover);
        if let FairyPlyKind::Promotion(role) = ply.way {
            piece = piece::of(side as u8, role);
            is_promoted = true;
        }
        if self.facts.reserve == Reserve::Hand {
            self.promoted &= !(bit(from) | bit(to));
            if is_promoted {
                self.promoted |= bit(to);
            }
        }
        self.put(to, piece);
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
            if self.gates[side] != 0 && self.facts.rank_of(side as u8, square) == 0 {
                self.gates[side] &= !(1 << (self.grid().file(square) & 7));
            }
        }
    }

    /// The rank, from 0, where a side's pieces stand at the start.
    pub(super) fn first_rank(&self, side: u8) -> u8 {
        if side == 0 { 0 } else { self.grid().ranks - 1 }
    }

    fn bring_in(&mut self, side: usize, role: u8, square: u8) {
        if self.in_reserve(side as u8, role) > 0 && self.at(square) == NONE {
            self.count_reserve(side, role, false);
            self.put(square, piece::of(side as u8, role));
        }
    }

    /// Has a piece in reserve count in the keys, or no more.
    pub(super) fn count_reserve(&mut self, side: usize, role: u8, add: bool) {
        let piece = piece::of(side as u8, role);
        let Some(count) = self.reserve[side].get_mut(usize::from(role)) else {
            return;
        };
        let before = if add { *count } else { count.saturating_sub(1) };
        if before == u8::MAX {
            return;
        }
        *count = before + u8::from(add);
        let keys = &self.facts.board.keys;
        self.key ^= keys.reserved(piece, before);
        let part = keys.reserved(piece, 0);
        self.structure = if add {
            self.structure.wrapping_add(part)
        } else {
            self.structure.wrapping_sub(part)
        };
    }
}

/// The bit of a square in a set.
#[inline]
pub(super) const fn bit(square: u8) -> u128 {
    1 << (square & 127)
}
