//! Numbers under which positions are filed.
//!
//! The constants are a promise: databases hold keys made of them. They depend
//! on the board, the piece and the square; variants of one board share them, so
//! equal pieces and side to move have one key in all of them.

use super::piece::{self, CODES};
use crate::base::mix;

/// The squares of the largest board, and two places more.
const PLACES: usize = 102;
/// The first place that means a rank, not a square: soldiers have no board so large that
/// it has such a square.
const RANKS: usize = 90;

/// The numbers of one board.
#[derive(Debug)]
pub struct BoardKeys {
    /// By piece code, then by square or what stands for one.
    pieces: [[u64; PLACES]; CODES],
    /// What stands for "in the reserve" in place of a square; the next one is "on
    /// whatever square".
    reserve: u8,
    /// Mixed in when Black is to move.
    pub black_to_move: u64,
}

impl BoardKeys {
    /// Those that a seed begins, for the board of a number; the side of a piece is counted
    /// at a bit.
    #[allow(clippy::large_stack_arrays)] // only constants are made of it
    pub(super) const fn new(
        seed: u64,
        board: u64,
        side_bit: u32,
        reserve: u8,
        black_to_move: u64,
    ) -> Self {
        let mut pieces = [[0; PLACES]; CODES];
        let mut code = 1;
        while code < CODES {
            let side = piece::side(code as u8) as u64;
            let said = side << side_bit | piece::role(code as u8) as u64;
            let mut place = 0;
            while place < PLACES {
                let number = board << 16 | said << 8 | place as u64;
                pieces[code][place] =
                    mix(seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                place += 1;
            }
            code += 1;
        }
        Self {
            pieces,
            reserve,
            black_to_move: mix(black_to_move),
        }
    }

    /// What a piece on a square adds to the key.
    #[inline]
    pub fn on(&self, piece: u8, square: u8) -> u64 {
        self.pieces[usize::from(piece) % CODES][usize::from(square) % PLACES]
    }

    /// What stands for a piece where only its rank counts.
    #[inline]
    pub(super) fn on_rank(&self, piece: u8, rank: u8) -> u64 {
        self.on(piece, RANKS as u8 + rank)
    }

    /// What stands for a piece on whatever square.
    #[inline]
    pub(super) fn anywhere(&self, piece: u8) -> u64 {
        self.on(piece, self.reserve + 1)
    }

    /// What a piece in the reserve adds to the key, when that many were there before.
    #[inline]
    pub(super) fn reserved(&self, piece: u8, before: u8) -> u64 {
        let number = self.on(piece, self.reserve);
        if before == 0 {
            number
        } else {
            mix(number.wrapping_add(u64::from(before)))
        }
    }
}
