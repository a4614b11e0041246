//! Man codes: one byte for what stands on a square.
//!
//! 0 is an empty square; bit 4 is the colour, the rest the role.

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
/// Role of an archbishop, the janus of Janus Chess, the hawk of Seirawan Chess.
pub const ARCHBISHOP: u8 = 7;
/// Role of a chancellor, the elephant of Seirawan Chess.
pub const CHANCELLOR: u8 = 8;

/// How many codes there are, unused ones included.
pub const CODES: usize = 32;

/// The code of a man of a side (0 White, 1 Black).
#[inline]
pub const fn of(side: u8, role: u8) -> u8 {
    (side & 1) << 4 | role
}

/// The role of a code.
#[inline]
pub const fn role(man: u8) -> u8 {
    man & 15
}

/// The side of a man: 0 White, 1 Black.
#[inline]
pub const fn side(man: u8) -> u8 {
    man >> 4 & 1
}

/// Whether a man goes along ranks and files.
#[inline]
pub const fn is_straight(role: u8) -> bool {
    matches!(role, ROOK | QUEEN | CHANCELLOR)
}

/// Whether a man goes along diagonals.
#[inline]
pub const fn is_diagonal(role: u8) -> bool {
    matches!(role, BISHOP | QUEEN | ARCHBISHOP)
}

/// Whether a man leaps as a knight.
#[inline]
pub const fn is_leaper(role: u8) -> bool {
    matches!(role, KNIGHT | ARCHBISHOP | CHANCELLOR)
}
