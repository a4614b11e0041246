//! Piece codes: one byte for what stands on a square.
//!
//! 0 is an empty square; White's pawn, knight, bishop, rook, queen, king are 1
//! to 6, Black's 9 to 14 (bit 3 is the colour).

use crate::games::chess::basics::Board;

/// Nothing there.
pub const NONE: u8 = 0;
/// Role of a pawn.
pub const PAWN: u8 = 1;
/// Role of a knight.
pub const KNIGHT: u8 = 2;
/// Role of a bishop.
pub const BISHOP: u8 = 3;
/// Role of a rook.
pub const ROOK: u8 = 4;
/// Role of a queen.
pub const QUEEN: u8 = 5;
/// Role of a king.
pub const KING: u8 = 6;

/// The code of a piece of `color` (0 White, 1 Black).
#[inline]
pub const fn of(color: usize, role: u8) -> u8 {
    (color as u8) << 3 | role
}

/// The role of a code.
#[inline]
pub const fn role(piece: u8) -> u8 {
    piece & 7
}

/// The colour of a piece: 0 White, 1 Black.
#[inline]
pub const fn color(piece: u8) -> usize {
    (piece >> 3) as usize & 1
}

/// The codes of an entire board, by square.
pub fn codes(board: &Board) -> [u8; 64] {
    let mut pieces = [NONE; 64];
    for (square, piece) in board {
        let color = usize::from(piece.color.is_black());
        pieces[usize::from(square)] = of(color, piece.role as u8);
    }
    pieces
}
