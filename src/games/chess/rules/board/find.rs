//! Which piece a written move means: the lines and steps from the target pick those that can
//! reach it, and only these are tested for the safety of their king.

use shakmaty::attacks;

use super::{ChessBoard, DIAGONALS, STRAIGHTS, bit, is_free, sq, squares};
use crate::games::chess::rules::{
    piece,
    ply::{Ply, PlyKind},
};

impl ChessBoard {
    /// Whether the king of the side to move is safe after a piece of its went
    /// `from` → `to` and the piece on `captured` is gone.
    #[inline]
    fn leaves_king_safe(&self, from: u8, to: u8, captured: u64) -> bool {
        let king = self.king(self.turn);
        let moves_king = from == king;
        // En passant takes a piece off another square than `to`: rare, so no shortcut.
        let passing = captured & !bit(to) != 0;
        if !moves_king && !self.check && !passing && !self.has_line_piece(king, from, self.turn ^ 1)
        {
            return true;
        }
        let occupied = (self.occupied() & !bit(from) & !captured) | bit(to);
        let target = if moves_king { to } else { king };
        self.attackers(target, self.turn ^ 1, occupied, captured | bit(to)) == 0
    }

    /// Finds the move of a piece of `role` (not a pawn) to `to` from one of the
    /// squares of `from`.
    /// `None` if not exactly one legal move fits.
    #[expect(
        clippy::inline_always,
        reason = "compiled for each role apart: a tenth of resolving"
    )]
    #[inline(always)]
    pub fn find_piece(&self, role: u8, to: u8, from: u64) -> Option<Ply> {
        if self.colors[self.turn] & bit(to) != 0 {
            return None;
        }
        let captured = bit(to) & self.colors[self.turn ^ 1];
        let mut found = None;
        for from in self.reaching(role, to, self.ours(role) & from) {
            if self.leaves_king_safe(from, to, captured) {
                if found.is_some() {
                    return None;
                }
                found = Some(Ply::new(from, to, PlyKind::Plain));
            }
        }
        found
    }

    /// The squares of the other pieces of `role` (not a pawn) that could legally
    /// go to `to` as well as the one on `from`.
    pub fn rivals(&self, role: u8, from: u8, to: u8) -> u64 {
        let others = self.ours(role) & !bit(from);
        if others == 0 {
            return 0;
        }
        let captured = bit(to) & self.colors[self.turn ^ 1];
        self.reaching(role, to, others)
            .filter(|&other| self.leaves_king_safe(other, to, captured))
            .fold(0, |set, other| set | bit(other))
    }

    /// Whether the king of the side to move has a legal move that is not castling.
    pub fn has_king_move(&self) -> bool {
        let king = self.king(self.turn);
        let steps = attacks::king_attacks(sq(king)).0 & !self.colors[self.turn];
        squares(steps).any(|to| {
            let captured = bit(to) & self.colors[self.turn ^ 1];
            self.leaves_king_safe(king, to, captured)
        })
    }

    /// The squares among some on which pieces of `role` (not pawns) stand that reach `to`.
    ///
    /// Of line pieces there are hardly ever more than two on the lines through a square: to look
    /// between them and it is cheaper than to look into tables of attacks, which are larger than
    /// caches.
    #[expect(clippy::inline_always, reason = "as its callers")]
    #[inline(always)]
    fn reaching(&self, role: u8, to: u8, among: u64) -> impl Iterator<Item = u8> {
        let at = usize::from(to & 63);
        let near = match role {
            piece::KNIGHT => attacks::knight_attacks(sq(to)).0,
            piece::BISHOP => DIAGONALS[at],
            piece::ROOK => STRAIGHTS[at],
            piece::QUEEN => DIAGONALS[at] | STRAIGHTS[at],
            piece::KING => attacks::king_attacks(sq(to)).0,
            _ => 0,
        };
        let occupied = self.occupied();
        let is_line_piece = matches!(role, piece::BISHOP | piece::ROOK | piece::QUEEN);
        squares(near & among).filter(move |&from| !is_line_piece || is_free(from, to, occupied))
    }

    /// Finds a pawn's move to `to`; a capture names the file (0 = a) it comes
    /// from. `promotion` is the role promoted to, 0 for none.
    /// `None` if there is none, or a promotion is missing or
    /// out of place.
    pub fn find_pawn(&self, to: u8, capture_file: Option<u8>, promotion: u8) -> Option<Ply> {
        let last_rank = if self.turn == 0 { 7 } else { 0 };
        if (to >> 3 == last_rank) != (promotion != piece::NONE) {
            return None;
        }
        let back: i8 = if self.turn == 0 { -8 } else { 8 };
        let behind = to.wrapping_add_signed(back);
        if behind > 63 {
            return None;
        }
        let pawns = self.ours(piece::PAWN);
        let mut kind = Ply::kind_of_promotion(promotion);
        let mut captured = 0;
        let from = match capture_file {
            Some(file) => {
                if file.abs_diff(to & 7) != 1 {
                    return None;
                }
                if self.colors[self.turn ^ 1] & bit(to) != 0 {
                    captured = bit(to);
                } else if self.en_passant == Some(to) {
                    kind = PlyKind::EnPassant;
                    captured = bit(behind);
                } else {
                    return None;
                }
                behind & 56 | file
            }
            None if self.occupied() & bit(to) != 0 => return None,
            None if pawns & bit(behind) != 0 => behind,
            None => {
                let fourth = if self.turn == 0 { 3 } else { 4 };
                if to >> 3 != fourth || self.occupied() & bit(behind) != 0 {
                    return None;
                }
                kind = PlyKind::DoubleStep;
                behind.wrapping_add_signed(back)
            }
        };
        if pawns & bit(from) == 0 || !self.leaves_king_safe(from, to, captured) {
            return None;
        }
        Some(Ply::new(from, to, kind))
    }

    /// Finds castling with the rook on the king's h-side or a-side.
    /// `None` if it is not legal (FIDE Laws 3.8; for Chess960
    /// the guidelines II.2).
    pub fn find_castling(&self, h_side: bool) -> Option<Ply> {
        let rook = self.castling.rooks()[self.turn][usize::from(!h_side)]?;
        let king = self.king(self.turn);
        let (king_to, rook_to) = (Ply::castled_king(king, rook), Ply::castled_rook(king, rook));
        let without = self.occupied() & !bit(king) & !bit(rook);
        let between = |a: u8, b: u8| attacks::between(sq(a), sq(b)).0 | bit(b);
        let path = between(king, king_to) | between(rook, rook_to);
        if self.check || path & without != 0 {
            return None;
        }
        let them = self.turn ^ 1;
        let walk = between(king, king_to) & !bit(king);
        let attacked = squares(walk)
            .any(|square| self.attackers(square, them, self.occupied() & !bit(king), 0) != 0);
        // The rook's leaving can open a line to where the king ends up.
        let after = without | bit(king_to) | bit(rook_to);
        if attacked || self.attackers(king_to, them, after, 0) != 0 {
            return None;
        }
        Some(Ply::new(king, rook, PlyKind::Castle))
    }
}
