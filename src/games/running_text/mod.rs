//! Positions in running text: FENs between words and in links, and the side that the words around
//! one say is to move.

pub(crate) mod epd_fields;
pub(crate) mod fen_scanner;
pub(crate) mod links;
pub(crate) mod side_to_move;
