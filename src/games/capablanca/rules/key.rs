//! Numbers by which positions are filed.
//!
//! The constants are a promise: databases hold keys made of them. They depend
//! on the board, the man and the square; variants of one board share them, so
//! equal men and side to move have one key in all of them.

use super::{
    facts::Board,
    man::{self, CODES},
};
use crate::base::mix;

/// Mixed in when Black is to move.
pub const BLACK_TO_MOVE: u64 = mix(0xbf71_5880_9cf4_f3c7);

/// Where the constants begin (the bits of the square root of 3).
const SEED: u64 = 0xbb67_ae85_84ca_a73b;

/// What stands for "in the reserve" in place of a square.
const RESERVE: usize = 80;
/// What stands for "on whatever square".
const ANYWHERE: usize = 81;
const PLACES: usize = 82;

/// By board, then man code, then square.
static MEN: [[[u64; PLACES]; CODES]; 2] = {
    let mut table = [[[0; PLACES]; CODES]; 2];
    let mut board = 0;
    while board < 2 {
        let mut code = 1;
        while code < CODES {
            let mut place = 0;
            while place < PLACES {
                let number = (board as u64) << 16 | (code as u64) << 8 | place as u64;
                table[board][code][place] =
                    mix(SEED.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                place += 1;
            }
            code += 1;
        }
        board += 1;
    }
    table
};

#[inline]
fn constant(board: Board, man: u8, place: usize) -> u64 {
    let places = &MEN[board as usize][usize::from(man) % CODES];
    places[place % PLACES]
}

/// What a man on a square adds to the key.
#[inline]
pub fn man(board: Board, man: u8, square: u8) -> u64 {
    constant(board, man, usize::from(square))
}

/// What a man in the reserve adds to the key.
#[inline]
pub fn reserved(board: Board, man: u8) -> u64 {
    constant(board, man, RESERVE)
}

/// What a man adds to the structure: pawns count by their squares, the others
/// by their number.
#[inline]
pub fn part(board: Board, code: u8, square: u8) -> u64 {
    if man::role(code) == man::PAWN {
        constant(board, code, usize::from(square))
    } else {
        constant(board, code, ANYWHERE)
    }
}
