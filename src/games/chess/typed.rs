//! Positions of chess as people write them out, and what is wrong with a move.

use super::rules::Board;
use crate::games::{
    Aside, Fit, Refusal, Written,
    chess::notation::{
        lenient_move::{self, MoveError},
        position_text::{self, PositionTextError, Told},
    },
    notation::letters::Language,
};

/// Reads a FEN, a line of EPD, a diagram of any language, a problem, or the number of a
/// start of Chess960.
pub(super) fn read(text: &str) -> Result<Written<Board>, Refusal> {
    let read = position_text::read(text).map_err(|error| {
        let reached = match &error {
            PositionTextError::Fen(error) => error.reached(),
            PositionTextError::Diagram(_) | PositionTextError::Chess960Number { .. } => {
                Refusal::BOARD
            }
        };
        Refusal::at(reached, error.to_string(), error.hint())
    })?;
    let told = &read.told;
    // Men and numbers without slashes may be anything.
    let is_loose = told.is_some() && !text.contains('/');
    Ok(Written {
        fit: if is_loose { Fit::Loose } else { Fit::Own },
        codes: read.warnings,
        notes: told.as_ref().and_then(Told::note).into_iter().collect(),
        language: told.as_ref().map(|told| told.language),
        aside: Aside {
            double_step: read.double_step.map(u8::from),
            operations: read.operations,
            told: read.told,
        },
        ..Written::new(Board::from_position(&read.position), read.fields)
    })
}

/// What is wrong with a word.
pub(super) fn refusal(at: &Board, word: &str, language: Option<&'static Language>) -> Refusal {
    let error = match at.to_position() {
        Some(at) => lenient_move::resolve_in(&at, word, language).err(),
        None => None,
    };
    let error = error.unwrap_or_else(|| MoveError::NotAMove {
        word: crate::games::notation::clip(word),
    });
    let is_move = !matches!(error, MoveError::NotAMove { .. });
    let (what, hint) = position_text::describe(&error);
    Refusal::at(u32::from(is_move), what, hint)
}
