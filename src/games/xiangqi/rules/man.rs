//! Man codes: one byte for what stands on a point, bit 3 its side.

/// Nothing there.
pub const NONE: u8 = 0;
/// Role of a soldier.
pub const SOLDIER: u8 = 1;
/// Role of a horse.
pub const HORSE: u8 = 2;
/// Role of an elephant.
pub const ELEPHANT: u8 = 3;
/// Role of a chariot.
pub const CHARIOT: u8 = 4;
/// Role of a cannon.
pub const CANNON: u8 = 5;
/// Role of a general.
pub const GENERAL: u8 = 6;
/// Role of an advisor.
pub const ADVISOR: u8 = 7;

/// How many codes there are, unused ones included.
pub const CODES: usize = 16;

/// The code of a man of a side (0 Red, 1 Black).
#[inline]
pub const fn of(side: u8, role: u8) -> u8 {
    (side & 1) << 3 | role
}

/// The role of a code.
#[inline]
pub const fn role(man: u8) -> u8 {
    man & 7
}

/// The side of a man: 0 Red, 1 Black.
#[inline]
pub const fn side(man: u8) -> u8 {
    man >> 3 & 1
}
