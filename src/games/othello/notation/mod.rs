//! Text of positions and moves of Othello.
//!
//! There is no standard FEN. Ours has rows from the top, row 1 first, `X` for
//! Black and `O` for White, numbers for empty squares, then ` b` or ` w` for the
//! side to move; the rest of what is about is read into it.

pub(super) mod ascii_board;
pub mod fen;
mod moves;

#[cfg(test)]
mod tests;

pub use crate::games::notation::move_error::MoveError;
pub use moves::{resolve, resolve_all, write};
