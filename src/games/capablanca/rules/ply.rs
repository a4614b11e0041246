//! A ply, and its number in sixteen bits.

use super::{
    facts::Board,
    man::{ARCHBISHOP, BISHOP, CHANCELLOR, KNIGHT, QUEEN, ROOK},
};

/// What a ply does besides going from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// Nothing else: pawns' double steps and captures in passing are seen from
    /// the position. From a square to the same one, the turn passes.
    Plain,
    /// A pawn becomes this role.
    Promotion(u8),
    /// King and rook castle: from the king's square to the rook's.
    Castling,
    /// A man of this role comes in on the square that is left.
    Gating(u8),
    /// King and rook castle, and a man of this role comes in where the king or
    /// the rook stood.
    CastlingGating {
        /// The role that comes in.
        role: u8,
        /// Whether where the rook stood.
        at_rook: bool,
    },
}

/// A ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ply {
    /// Where from.
    pub from: u8,
    /// Where to; castling: the square of the rook.
    pub to: u8,
    /// What else.
    pub way: Way,
}

/// The ways by their number; those up to castling are all that boards of ten
/// files have.
const WAYS: [Way; 14] = [
    Way::Plain,
    Way::Promotion(KNIGHT),
    Way::Promotion(BISHOP),
    Way::Promotion(ROOK),
    Way::Promotion(QUEEN),
    Way::Promotion(ARCHBISHOP),
    Way::Promotion(CHANCELLOR),
    Way::Castling,
    Way::Gating(ARCHBISHOP),
    Way::Gating(CHANCELLOR),
    Way::CastlingGating {
        role: ARCHBISHOP,
        at_rook: false,
    },
    Way::CastlingGating {
        role: CHANCELLOR,
        at_rook: false,
    },
    Way::CastlingGating {
        role: ARCHBISHOP,
        at_rook: true,
    },
    Way::CastlingGating {
        role: CHANCELLOR,
        at_rook: true,
    },
];

impl Way {
    /// Its number, below 14.
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

impl Ply {
    /// The turn passes.
    pub const NULL: Self = Self::plain(0, 0);

    /// A man goes from one square to another.
    #[inline]
    pub const fn plain(from: u8, to: u8) -> Self {
        let way = Way::Plain;
        Self { from, to, way }
    }

    /// Whether only the turn passes.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.from == self.to
    }

    /// The number of the ply for the index, below 0xffff: `(from * n + to) *
    /// ways + way` with n squares, and 8 ways on ten files, 14 on eight.
    #[inline]
    pub fn code(self, board: Board) -> u16 {
        let (squares, ways) = sizes(board);
        (u16::from(self.from) * squares + u16::from(self.to)) * ways + u16::from(self.way.number())
    }

    /// The ply of a number; `None` for one that no ply of the board has.
    pub fn of_code(board: Board, code: u16) -> Option<Self> {
        let (squares, ways) = sizes(board);
        let pair = code / ways;
        let from = u8::try_from(pair / squares).ok()?;
        (u16::from(from) < squares).then_some(Self {
            from,
            to: (pair % squares) as u8,
            way: Way::of_number((code % ways) as u8)?,
        })
    }
}

const fn sizes(board: Board) -> (u16, u16) {
    match board {
        Board::Eight => (64, 14),
        Board::Ten => (80, 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_their_plies() {
        for board in [Board::Eight, Board::Ten] {
            let mut known = 0;
            for code in 0..=u16::MAX {
                if let Some(ply) = Ply::of_code(board, code) {
                    assert_eq!(ply.code(board), code);
                    known += 1;
                }
            }
            let (squares, ways) = sizes(board);
            assert_eq!(known, u32::from(squares * squares) * u32::from(ways));
            assert_eq!(Ply::of_code(board, 0xffff), None);
        }
    }
}
