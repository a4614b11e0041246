//! Position keys: stable numbers under which positions are filed. Never sees SQL.
//!
//! Constants are our own promise: when one changes, [`KEY_VERSION`] changes,
//! and databases ask to be indexed again.

pub mod polyglot;

use crate::base::mix;

/// Raised whenever any key of any position changes.
pub const KEY_VERSION: u32 = 1;

/// Numbers that stand for one piece of each code in a material sum (code as in
/// [`crate::games::chess::rules::piece`]; pawns are distinguished by their squares instead).
/// Taken from the bits of pi by the `SplitMix64` finaliser below.
static MATERIAL: [u64; 16] = {
    let mut table = [0; 16];
    let mut code = 0;
    while code < 16 {
        if code & 7 > 1 && code & 7 < 7 {
            table[code] = mix(0x2437_f6a8_885a_308d ^ ((code as u64) << 56)) | 1;
        }
        code += 1;
    }
    table
};

/// The key of pieces and side to move (0 White, 1 Black): Polyglot's, without
/// castling and en passant.
pub fn board_key(pieces: &[u8; 64], turn: usize) -> u64 {
    let mut key = if turn == 0 {
        polyglot::WHITE_TO_MOVE
    } else {
        0
    };
    for (square, &piece) in pieces.iter().enumerate() {
        key ^= polyglot::PIECES[usize::from(piece & 15)][square];
    }
    key
}

/// What changes at irreversible moves only: all pawns by their squares and the
/// count of each other piece. Sides to move are not distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Structure(u64);

impl Structure {
    /// The structure of a board.
    pub fn of(pieces: &[u8; 64]) -> Self {
        let mut structure = Self(0);
        for (square, &piece) in pieces.iter().enumerate() {
            structure.put(piece, square as u8);
        }
        structure
    }

    /// A structure that is a number already: other games have structures of
    /// their own.
    #[inline]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Adds a piece.
    #[inline]
    pub fn put(&mut self, piece: u8, square: u8) {
        self.0 = self.0.wrapping_add(Self::part(piece, square));
    }

    /// Takes a piece away.
    #[inline]
    pub fn lift(&mut self, piece: u8, square: u8) {
        self.0 = self.0.wrapping_sub(Self::part(piece, square));
    }

    #[inline]
    fn part(piece: u8, square: u8) -> u64 {
        if piece & 7 == 1 {
            polyglot::PIECES[usize::from(piece & 15)][usize::from(square & 63)]
        } else {
            MATERIAL[usize::from(piece & 15)]
        }
    }

    /// The key under which it is filed.
    #[inline]
    pub const fn key(self) -> u64 {
        mix(self.0)
    }
}
