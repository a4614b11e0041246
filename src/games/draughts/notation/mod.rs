//! Text of draughts: FEN of PDN, moves, diagrams.

pub(super) mod ascii_board;
pub mod diagram;
pub mod fen;
pub mod moves;
