//! Othello: discs on sixty-four squares, Black (side 0) moves first.
//!
//! Rules: World Othello Federation, Rules of Othello. Squares are numbered from
//! 0 in the order of reading: a1 is top left, b1 follows, h8 is 63. The board is
//! a pair of bitboards in that order.

mod key;
mod position;

#[cfg(test)]
mod tests;

pub use position::{OthelloPosition, PASS, pack, unpack};
