//! Piece codes: one byte for what stands on a square.
//!
//! 0 is an empty square; bit 4 is the colour, the rest the role. Roles are places in the
//! tables of a row: those of xiangqi stand in the places of their like in chess.

/// Nothing there.
pub const NONE: u8 = 0;
/// Role of a pawn; in xiangqi of a soldier.
pub const PAWN: u8 = 1;
/// Role of a knight; in xiangqi of a horse.
pub const KNIGHT: u8 = 2;
/// Role of a bishop; in xiangqi of an elephant.
pub const BISHOP: u8 = 3;
/// Role of a rook; in xiangqi of a chariot.
pub const ROOK: u8 = 4;
/// Role of a queen.
pub const QUEEN: u8 = 5;
/// Role of a king; in xiangqi of a general.
pub const KING: u8 = 6;
/// Role of an archbishop, the janus of Janus Chess, the hawk of Seirawan Chess.
pub const ARCHBISHOP: u8 = 7;
/// Role of a chancellor, the elephant of Seirawan Chess.
pub const CHANCELLOR: u8 = 8;

/// Role of a cannon of xiangqi, where chess has its queen.
pub const CANNON: u8 = 5;
/// Role of an advisor of xiangqi.
pub const ADVISOR: u8 = 7;

/// How many roles there are, with 0, which is none.
pub const ROLES: usize = 9;
/// How many codes there are, unused ones included.
pub const CODES: usize = 32;

/// The code of a piece of a side (0 White or Red, 1 Black).
#[inline]
pub const fn of(side: u8, role: u8) -> u8 {
    (side & 1) << 4 | role
}

/// The role of a code.
#[inline]
pub const fn role(piece: u8) -> u8 {
    piece & 15
}

/// The side of a piece: 0 White or Red, 1 Black.
#[inline]
pub const fn side(piece: u8) -> u8 {
    piece >> 4 & 1
}
