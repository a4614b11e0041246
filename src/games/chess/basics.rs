//! The words of chess that the whole house speaks, as the library `shakmaty` has them:
//! sides, pieces, squares, boards, positions and moves. Only what needs more of the library
//! than its words (its notation, its variants, its errors) names it otherwise.

pub use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, CastlingSide, Chess, Color,
    EnPassantMode, File, FromSetup, Move, MoveList, Piece, Position, Rank, Role, Setup, Square,
    attacks, zobrist::Zobrist64,
};
