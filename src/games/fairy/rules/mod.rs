//! Positions and legal moves of games on boards of squares, driven by a row of [`FairyRules`]:
//! chess with the two compound pieces, the archbishop (bishop and knight) and the
//! chancellor (rook and knight), on boards of several sizes, with pieces that come in from
//! a reserve; and xiangqi, where Red (side 0) moves first and up the board.
//!
//! Rules of xiangqi: World Xiangqi Federation, World Xiangqi Rules, part 1. What is judged over
//! several moves (perpetual check and chase) is not considered: it ends games, but makes no move
//! illegal.
//!
//! Squares are numbered as in [`crate::games::grid`], ranks from White's or Red's side.
//! Castling rights of a position have their rooks, and an en passant square is set only while a
//! capture is legal, so that equal positions compare equal.

pub(super) mod facts;
pub(super) mod key;
mod moves;
pub mod pack;
pub mod piece;
mod ply;
mod position;
mod setup;

#[cfg(test)]
mod tests;

pub use facts::{FairyRules, Reserve};
pub use ply::{FairyPly, FairyPlyKind};
pub use position::FairyPosition;
pub use setup::{SetupError, SetupRepairs};
