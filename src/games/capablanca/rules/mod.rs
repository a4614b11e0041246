//! Chess with the two compound men, the archbishop (bishop and knight) and the
//! chancellor (rook and knight): Capablanca Chess and its family on ten files and
//! eight ranks, and Seirawan Chess, where they enter an ordinary board from a
//! reserve. One engine, driven by a row of [`Facts`].
//!
//! Squares are numbered as in [`crate::games::grid`]. Positions are always
//! legal ones: castling rights have their rooks, and an en passant square is
//! there only while a capture is legal, so that equal positions compare equal.

pub mod facts;
pub mod key;
pub mod man;
mod moves;
pub mod pack;
mod perft;
pub mod ply;
pub mod position;
mod setup;

#[cfg(test)]
mod tests;

pub use facts::{Board, Facts};
pub use perft::perft;
pub use ply::{Ply, Way};
pub use position::{Outcome, Position};
pub use setup::{Dropped, Setup, SetupError};
