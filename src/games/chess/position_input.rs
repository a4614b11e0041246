//! What is wrong with a move of chess, in words for the user.

use super::rules::ChessBoard;
use crate::games::{
    ReadFailure,
    chess::notation::lenient_move,
    notation::{letters::Language, move_error::MoveError},
};

/// What is wrong with a word.
pub(super) fn refusal(
    at: &ChessBoard,
    word: &str,
    language: Option<&'static Language>,
) -> ReadFailure {
    let at = at.to_position();
    let stop = at.and_then(|at| lenient_move::resolve_in(&at, word, language).err());
    let stop = stop.unwrap_or_else(|| MoveError::Unreadable.into());
    let hint = match stop.error {
        MoveError::Ambiguous => {
            "name the file or rank that the piece comes from, as in Nbd2 or R1e2"
        }
        MoveError::Illegal => "`plydex moves` lists the legal moves of a position",
        MoveError::Unreadable => {
            "moves can be written in SAN (Nf3), long (Ng1-f3) or UCI (g1f3) notation"
        }
    };
    let is_move = stop.error != MoveError::Unreadable;
    ReadFailure::at(u32::from(is_move), stop.message(word), hint)
}
