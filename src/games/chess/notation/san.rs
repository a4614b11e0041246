//! Writing moves: SAN with its check sign, and UCI.

use crate::games::chess::basics::{CastlingMode, Chess, File, Move, Position as _};
use shakmaty::{san::SanPlus, uci::UciMove};

/// Writes a legal move in SAN, with `+` for check and `#` for mate.
pub fn write(position: &Chess, m: &Move) -> String {
    SanPlus::from_move(position.clone(), *m).to_string()
}

/// Writes a move in UCI: castling is a king's move in standard chess (`e1g1`),
/// king takes rook in Chess960 (`e1h1`), which is where castling rights or the castling
/// itself are such as standard chess does not know.
pub fn uci(position: &Chess, m: Move) -> String {
    let mode = match m {
        Move::Castle { king, rook }
            if king.file() != File::E || !matches!(rook.file(), File::A | File::H) =>
        {
            CastlingMode::Chess960
        }
        _ => position.castles().mode(),
    };
    UciMove::from_move(m, mode).to_string()
}
