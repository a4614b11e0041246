//! What makes one variant differ from another, as plain facts.

use crate::games::grid::{self, Grid};

/// The boards there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Board {
    /// Eight files and ranks.
    Eight,
    /// Ten files, eight ranks.
    Ten,
}

impl Board {
    /// Its squares and steps.
    #[inline]
    pub fn grid(self) -> &'static Grid {
        match self {
            Self::Eight => &grid::EIGHT,
            Self::Ten => &grid::TEN,
        }
    }
}

/// The facts of one variant, as far as its moves go.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Facts {
    /// The squares.
    pub board: Board,
    /// The files (0 = a) where the king stands after castling with the rook on
    /// its h-side and on its a-side. The rook ends beside it, towards the middle.
    pub castled_king: [u8; 2],
    /// Whether kings and rooks castle from wherever an array has put them.
    pub free_array: bool,
    /// What a pawn may become, as roles.
    pub promotions: &'static [u8],
    /// Whether archbishop and chancellor come in from a reserve, each on the
    /// square that a man of the first rank leaves by its first move.
    pub gates: bool,
}
