//! One ply in sixteen bits, without the rules of legality.

use crate::games::chess::basics::{Move, Role, Square};

use super::piece;

/// What is special about a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum PlyKind {
    /// A plain move or capture.
    Plain = 0,
    /// Promotion to a knight.
    PromoteKnight = 1,
    /// Promotion to a bishop.
    PromoteBishop = 2,
    /// Promotion to a rook.
    PromoteRook = 3,
    /// Promotion to a queen.
    PromoteQueen = 4,
    /// Castling; `to` is the square of the castling rook.
    Castle = 5,
    /// En passant capture; `to` is where the capturing pawn lands.
    EnPassant = 6,
    /// The turn passes; `from` and `to` are 0.
    Null = 7,
    /// A pawn's double step.
    DoubleStep = 8,
}

/// A ply: from (6 bits), to (6 bits), kind (4 bits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ply(u16);

impl Ply {
    /// The null move.
    pub const NULL: Self = Self::new(0, 0, PlyKind::Null);

    /// Puts a ply together; squares are 0 to 63.
    #[inline]
    pub const fn new(from: u8, to: u8, kind: PlyKind) -> Self {
        Self(from as u16 | (to as u16) << 6 | (kind as u16) << 12)
    }

    /// The ply of sixteen stored bits; `None` if the kind is none of ours.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits >> 12 <= PlyKind::DoubleStep as u16 {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// The ply of the bits of one.
    #[inline]
    pub(super) const fn of_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The sixteen bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// Where it goes (castling: the rook's square).
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// What is special about it.
    #[inline]
    pub const fn kind(self) -> PlyKind {
        match self.0 >> 12 {
            1 => PlyKind::PromoteKnight,
            2 => PlyKind::PromoteBishop,
            3 => PlyKind::PromoteRook,
            4 => PlyKind::PromoteQueen,
            5 => PlyKind::Castle,
            6 => PlyKind::EnPassant,
            7 => PlyKind::Null,
            8 => PlyKind::DoubleStep,
            _ => PlyKind::Plain,
        }
    }

    /// The role promoted to, 0 for none.
    #[inline]
    pub const fn promotion(self) -> u8 {
        match self.0 >> 12 {
            kind @ 1..=4 => kind as u8 + 1,
            _ => piece::NONE,
        }
    }

    /// The kind of a promotion to `role`, plain for none.
    pub const fn kind_of_promotion(role: u8) -> PlyKind {
        match role {
            piece::KNIGHT => PlyKind::PromoteKnight,
            piece::BISHOP => PlyKind::PromoteBishop,
            piece::ROOK => PlyKind::PromoteRook,
            piece::QUEEN => PlyKind::PromoteQueen,
            _ => PlyKind::Plain,
        }
    }

    /// The ply of a shakmaty move; `None` for drops.
    pub fn from_move(m: &Move) -> Option<Self> {
        let number = |square: Square| u8::from(square);
        Some(match *m {
            Move::Normal {
                role,
                from,
                to,
                promotion,
                ..
            } => {
                let (from, to) = (number(from), number(to));
                let kind = match promotion {
                    Some(promotion) => Self::kind_of_promotion(promotion as u8),
                    None if role == Role::Pawn && from.abs_diff(to) == 16 => PlyKind::DoubleStep,
                    None => PlyKind::Plain,
                };
                Self::new(from, to, kind)
            }
            Move::EnPassant { from, to } => Self::new(number(from), number(to), PlyKind::EnPassant),
            Move::Castle { king, rook } => Self::new(number(king), number(rook), PlyKind::Castle),
            Move::Put { .. } => return None,
        })
    }

    /// The shakmaty move; `pieces` is the board it is played on. `None` for the
    /// null move, or if no piece stands on the square it comes from.
    pub fn to_move(self, pieces: &[u8; 64]) -> Option<Move> {
        let role =
            |square: u8| Role::try_from(u32::from(piece::role(pieces[usize::from(square)]))).ok();
        let square = |number: u8| Square::new(u32::from(number));
        let (from, to) = (square(self.from()), square(self.to()));
        Some(match self.kind() {
            PlyKind::Null => return None,
            PlyKind::Castle => Move::Castle {
                king: from,
                rook: to,
            },
            PlyKind::EnPassant => Move::EnPassant { from, to },
            _ => Move::Normal {
                role: role(self.from())?,
                from,
                capture: role(self.to()),
                to,
                promotion: Role::try_from(u32::from(self.promotion())).ok(),
            },
        })
    }

    /// The square a castling king goes to, from the king's and the rook's square.
    #[inline]
    pub const fn castled_king(king: u8, rook: u8) -> u8 {
        (king & 56) | if rook > king { 6 } else { 2 }
    }

    /// The square a castling rook goes to.
    #[inline]
    pub const fn castled_rook(king: u8, rook: u8) -> u8 {
        (king & 56) | if rook > king { 5 } else { 3 }
    }
}

impl std::fmt::Debug for Ply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |square: u8| Square::new(u32::from(square));
        write!(
            f,
            "{}{}/{:?}",
            name(self.from()),
            name(self.to()),
            self.kind()
        )
    }
}
