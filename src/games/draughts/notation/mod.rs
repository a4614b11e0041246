//! Text of draughts: FEN of PDN, moves, diagrams.

pub mod diagram;
pub(super) mod drawing;
pub mod fen;
pub mod moves;
