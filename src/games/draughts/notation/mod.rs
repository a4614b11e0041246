//! Text of draughts: FEN of PDN, moves, diagrams, and whatever people type.

pub mod diagram;
pub mod fen;
pub mod moves;
pub mod typed;
