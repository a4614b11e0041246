//! The rules of the games: positions and legal moves. Never sees text.

pub mod chess;
pub mod compound;
pub mod draughts;
pub mod grid;
pub mod othello;
pub mod xiangqi;
