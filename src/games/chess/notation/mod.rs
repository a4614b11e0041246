//! Positions and moves of chess as text.

pub mod fen;
pub mod lenient_move;
pub mod position_text;
pub mod quick_san;
pub mod san;
