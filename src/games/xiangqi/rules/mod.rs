//! Xiangqi: nine files, ten ranks, Red (side 0) moves first and up the board.
//!
//! Rules: World Xiangqi Federation, World Xiangqi Rules, part 1. What is judged
//! over several moves (perpetual check and chase) is not asked: it ends games,
//! but makes no move illegal.
//!
//! Squares are numbered as in [`crate::games::grid`], ranks from Red's side.

pub mod key;
pub mod man;
mod moves;
pub mod pack;
pub mod position;

#[cfg(test)]
mod tests;

pub use moves::perft;
pub use pack::Ply;
pub use position::{Position, Setup, SetupError};
