//! The terms of chess that the entire crate uses, as the library `shakmaty` has them:
//! sides, pieces, squares, boards, positions and moves. Only code that needs more of the library
//! than these (its notation, variants, errors) names it directly.

pub use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, CastlingSide, Chess, Color,
    EnPassantMode, File, FromSetup, Move, MoveList, Piece, Position, Rank, Role, Setup, Square,
    attacks, zobrist::Zobrist64,
};
