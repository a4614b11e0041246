//! Text of draughts: FEN of PDN, moves, diagrams.

pub mod diagram;
pub mod fen;
pub mod moves;
