//! Numbers by which positions are filed. The constants are a promise:
//! databases hold keys made of them.

use super::man::{self, CODES, SOLDIER};
use crate::base::mix;

/// Mixed in when Black is to move.
pub const BLACK_TO_MOVE: u64 = mix(0x93c4_67e3_7db0_c7a4);

/// Where the constants begin (the bits of the square root of 5).
const SEED: u64 = 0x3c6e_f372_fe94_f82b;

/// The first place that means a rank, not a square.
const RANKS: usize = 90;
/// What stands for "on whatever square".
const ANYWHERE: usize = 100;
const PLACES: usize = 101;

static MEN: [[u64; PLACES]; CODES] = {
    let mut table = [[0; PLACES]; CODES];
    let mut code = 1;
    while code < CODES {
        let mut place = 0;
        while place < PLACES {
            let number = (code as u64) << 8 | place as u64;
            table[code][place] = mix(SEED.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            place += 1;
        }
        code += 1;
    }
    table
};

/// What a man on a square adds to the key.
#[inline]
pub fn man(man: u8, square: u8) -> u64 {
    MEN[usize::from(man) % CODES][usize::from(square) % PLACES]
}

/// Whether a square lies beyond the river for a side.
#[inline]
pub const fn is_across(side: u8, square: u8) -> bool {
    (square >= 45) == (side == 0)
}

/// What a man adds to the structure: soldiers before the river count by their
/// squares, for they only go ahead; beyond it by their ranks, for they may go
/// to the side and back; other men by their number.
#[inline]
pub fn part(code: u8, square: u8) -> u64 {
    let place = if man::role(code) != SOLDIER {
        ANYWHERE
    } else if is_across(man::side(code), square) {
        RANKS + usize::from(square / 9)
    } else {
        usize::from(square)
    };
    MEN[usize::from(code) % CODES][place % PLACES]
}
