//! Positions of chess as people write them out, and what is wrong with a move.

use super::rules::Board;
use crate::games::{
    Fit, Refusal, Written,
    chess::notation::{lenient_move, position_text},
    notation::{letters::Language, move_error::MoveError},
};

/// Reads a FEN, a line of EPD, a diagram of any language, a problem, or the number of a
/// start of Chess960.
pub(super) fn read(text: &str) -> Result<Written<Board>, Refusal> {
    let mut read = position_text::read(text)?;
    // Letters and numbers without slashes may be anything.
    if read.aside.diagram.is_some() && !text.contains('/') {
        read.fit = Fit::Loose;
    }
    Ok(read.map(|at| Board::from_position(&at)))
}

/// What is wrong with a word.
pub(super) fn refusal(at: &Board, word: &str, language: Option<&'static Language>) -> Refusal {
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
    Refusal::at(u32::from(is_move), stop.message(word), hint)
}
