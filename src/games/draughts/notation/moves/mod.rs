//! Moves of draughts as text: squares from and to, and of captures as much
//! between as the writer cared to give.
//!
//! Separators say nothing. Archives write captures with hyphens and quiet moves
//! with an x (one game in three of the best known English collection), so a move
//! is known by its squares alone. Read are `32-28`, `32x28`, `32:28`, `06-11`,
//! `1 - 5`, `3228`, `a3b4`, `A3-B4`, `11x18x25`, `a1:e5:h8`, `47x36 <42,29>`,
//! typographic dashes, and marks of strength after the move (`!`, `?!`, `(!)`, `*`).

mod resolve;
pub mod square;
mod token;

#[cfg(test)]
mod tests;

pub use resolve::{DraughtsMoveError, resolve};
pub use token::{DraughtsMoveText, parse};
