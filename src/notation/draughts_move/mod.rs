//! Moves of draughts as text.
pub mod square;
