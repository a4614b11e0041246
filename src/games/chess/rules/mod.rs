//! Chess and Chess960 on bitboards, made for replaying archives: resolving the
//! moves that people write, packing them, unpacking them. Whatever is not on
//! that path (FEN, move lists, legality of set-up positions) is shakmaty's, and
//! shakmaty is the oracle in the tests.
//!
//! Squares are numbers 0 = a1, 1 = b1, … 63 = h8 throughout.

pub mod board;
mod castling;
pub mod packed;
pub mod piece;
pub mod ply;

pub use board::ChessBoard;
pub use castling::CastlingRooks;
pub use packed::PieceNumbering;
pub use ply::{Ply, PlyKind};
