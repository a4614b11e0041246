//! Writing moves: SAN with its check sign, and UCI.

use crate::games::chess::basics::{CastlingMode, Chess, Move, Position as _};
use shakmaty::{san::SanPlus, uci::UciMove};

/// Writes a legal move in SAN, with `+` for check and `#` for mate.
pub fn write(position: &Chess, m: &Move) -> String {
    SanPlus::from_move(position.clone(), *m).to_string()
}

/// Writes a move in UCI: castling is a king's move in standard chess (`e1g1`),
/// king takes rook in Chess960 (`e1h1`).
pub fn uci(mode: CastlingMode, m: &Move) -> String {
    UciMove::from_move(*m, mode).to_string()
}

/// [`uci`] with the castling mode of the position. A position whose castling
/// rights standard chess also knows counts as standard.
pub fn uci_in(position: &Chess, m: &Move) -> String {
    uci(position.castles().mode(), m)
}
