//! The rooks that may still castle.

use crate::games::chess::basics::{Castles, CastlingSide, Color};

/// The castling rights of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CastlingRooks {
    /// The squares of the rooks: `[color][h-side, a-side]`.
    rooks: [[Option<u8>; 2]; 2],
    /// These and the squares of their kings, to see at once whether a ply touches them.
    touched: u64,
}

impl CastlingRooks {
    /// The rights with rooks; `king` has the square of a side's king.
    pub fn of(rooks: [[Option<u8>; 2]; 2], king: impl Fn(usize) -> u8) -> Self {
        let mut touched = 0;
        for (color, rooks) in rooks.iter().enumerate() {
            for rook in rooks.iter().flatten() {
                touched |= 1 << (rook & 63) | 1 << (king(color) & 63);
            }
        }
        Self { rooks, touched }
    }

    /// The squares of the rooks as shakmaty knows them.
    pub fn squares_of(castles: &Castles) -> [[Option<u8>; 2]; 2] {
        let rook = |color, side| castles.rook(color, side).map(u8::from);
        Color::ALL.map(|color| CastlingSide::ALL.map(|side| rook(color, side)))
    }

    /// The squares of the rooks: `[color][h-side, a-side]`.
    #[inline]
    pub const fn rooks(&self) -> [[Option<u8>; 2]; 2] {
        self.rooks
    }

    /// Whether a ply can change a right.
    #[inline]
    pub const fn is_touched(&self, from: u8, to: u8) -> bool {
        self.touched & (1 << (from & 63) | 1 << (to & 63)) != 0
    }

    /// What is left when a piece goes `from` → `to`; it has not gone yet.
    #[cold]
    pub fn lose(&mut self, from: u8, to: u8, king: impl Fn(usize) -> u8) {
        let mut rooks = self.rooks;
        for (color, rooks) in rooks.iter_mut().enumerate() {
            for rook in rooks {
                *rook = rook.filter(|&rook| rook != from && rook != to && king(color) != from);
            }
        }
        *self = Self::of(rooks, king);
    }
}
