//! A ply, and its number in sixteen bits.

use super::{
    facts::FairyBoard,
    piece::{ARCHBISHOP, BISHOP, CHANCELLOR, KNIGHT, QUEEN, ROLES, ROOK},
};
use crate::games::grid::OFF;

/// What a ply does besides going from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FairyPlyKind {
    /// Nothing else: pawns' double steps and captures in passing are seen from
    /// the position. From a square to the same one, the turn passes.
    Plain,
    /// A pawn becomes this role.
    Promotion(u8),
    /// King and rook castle: from the king's square to the rook's.
    Castling,
    /// A piece of this role comes in on the square that is left.
    Gating(u8),
    /// King and rook castle, and a piece of this role comes in where the king or
    /// the rook stood.
    CastlingGating {
        /// The role that comes in.
        role: u8,
        /// Whether where the rook stood.
        at_rook: bool,
    },
    /// A piece of this role comes from the hand; both squares are where it lands.
    Drop(u8),
}

/// A ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FairyPly {
    /// Where from.
    pub from: u8,
    /// Where to; castling: the square of the rook.
    pub to: u8,
    /// What else.
    pub way: FairyPlyKind,
}

/// The ways by their number, but for drops; those up to castling are all that boards of
/// ten files have.
const WAYS: [FairyPlyKind; 14] = [
    FairyPlyKind::Plain,
    FairyPlyKind::Promotion(KNIGHT),
    FairyPlyKind::Promotion(BISHOP),
    FairyPlyKind::Promotion(ROOK),
    FairyPlyKind::Promotion(QUEEN),
    FairyPlyKind::Promotion(ARCHBISHOP),
    FairyPlyKind::Promotion(CHANCELLOR),
    FairyPlyKind::Castling,
    FairyPlyKind::Gating(ARCHBISHOP),
    FairyPlyKind::Gating(CHANCELLOR),
    FairyPlyKind::CastlingGating {
        role: ARCHBISHOP,
        at_rook: false,
    },
    FairyPlyKind::CastlingGating {
        role: CHANCELLOR,
        at_rook: false,
    },
    FairyPlyKind::CastlingGating {
        role: ARCHBISHOP,
        at_rook: true,
    },
    FairyPlyKind::CastlingGating {
        role: CHANCELLOR,
        at_rook: true,
    },
];

impl FairyPlyKind {
    /// Its number, below 14; a drop has none.
    pub fn number(self) -> u8 {
        WAYS.iter().position(|&way| way == self).unwrap_or(0) as u8
    }

    /// The way of a number.
    pub fn of_number(number: u8) -> Option<Self> {
        WAYS.get(usize::from(number)).copied()
    }

    /// Whether king and rook castle.
    #[inline]
    pub const fn is_castling(self) -> bool {
        matches!(self, Self::Castling | Self::CastlingGating { .. })
    }

    /// The role that comes in from the reserve.
    #[inline]
    pub const fn gated(self) -> Option<u8> {
        match self {
            Self::Gating(role) | Self::CastlingGating { role, .. } => Some(role),
            _ => None,
        }
    }
}

impl FairyPly {
    /// The turn passes.
    pub const NULL: Self = Self::plain(0, 0);

    /// A piece goes from one square to another.
    #[inline]
    pub const fn plain(from: u8, to: u8) -> Self {
        let way = FairyPlyKind::Plain;
        Self { from, to, way }
    }

    /// Whether only the turn passes.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.from == self.to && matches!(self.way, FairyPlyKind::Plain)
    }

    /// The number of the ply for the index, below 0xffff.
    ///
    /// `(from * n + to) * ways + way` with n squares and the ways of the
    /// board, if the way is one of these; above that promotions for which that leaves no number, by
    /// `from` and which of the three squares ahead they go to; then drops, by role and square.
    #[inline]
    pub fn code(self, board: &FairyBoard) -> u16 {
        let squares = u16::from(board.grid.squares());
        let (from, to) = (u16::from(self.from), u16::from(self.to));
        let rest = squares * squares * board.ways;
        let way = u16::from(self.way.number());
        match self.way {
            FairyPlyKind::Drop(role) => rest + DROPS * squares + u16::from(role) * squares + to,
            _ if way < board.ways => (from * squares + to) * board.ways + way,
            _ => {
                let aside =
                    (board.grid.file(self.to) + 1).saturating_sub(board.grid.file(self.from));
                rest + (way * squares + from) * 3 + u16::from(aside)
            }
        }
    }

    /// The ply of a number; `None` for one that no ply of the board has.
    pub fn of_code(board: &FairyBoard, code: u16) -> Option<Self> {
        let squares = u16::from(board.grid.squares());
        let pairs = squares * squares;
        if code < pairs * board.ways {
            let (pair, way) = (code / board.ways, code % board.ways);
            return Some(Self {
                from: (pair / squares) as u8,
                to: (pair % squares) as u8,
                way: FairyPlyKind::of_number(way as u8)?,
            });
        }
        let code = code - pairs * board.ways;
        if let Some(drop) = code.checked_sub(DROPS * squares) {
            let (role, to) = (drop / squares, (drop % squares) as u8);
            let way = FairyPlyKind::Drop(role as u8);
            return (1..ROLES as u16)
                .contains(&role)
                .then_some(Self { from: to, to, way });
        }
        let (place, aside) = (code / 3, (code % 3) as u8);
        let from = (place % squares) as u8;
        let way = (place / squares) as u8;
        // Pawns of the upper half that promote are White's.
        let ahead = if board.grid.rank(from) >= board.grid.ranks / 2 {
            0
        } else {
            4
        };
        let to = board.grid.step(from, ahead);
        let to = match aside {
            0 => board.grid.step(to, 6),
            1 => to,
            _ => board.grid.step(to, 2),
        };
        let way = FairyPlyKind::of_number(way).filter(|_| u16::from(way) >= board.ways)?;
        (to != OFF && matches!(way, FairyPlyKind::Promotion(_))).then_some(Self { from, to, way })
    }
}

/// The number of codes for each square that come before those of drops.
const DROPS: u16 = 3 * 7;

#[cfg(test)]
mod tests {
    use super::{super::tests::boards, *};

    #[test]
    fn codes_are_those_of_their_plies() {
        for (board, _) in boards() {
            let mut known = 0;
            for code in 0..=u16::MAX {
                if let Some(ply) = FairyPly::of_code(board, code) {
                    assert_eq!(ply.code(board), code, "{ply:?}");
                    known += 1;
                }
            }
            let squares = u32::from(board.grid.squares());
            assert!(known >= squares * squares * u32::from(board.ways) + 8 * squares);
            assert_eq!(FairyPly::of_code(board, 0xffff), None);
        }
    }
}
