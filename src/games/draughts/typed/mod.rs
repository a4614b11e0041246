//! Positions of draughts as people write them out, and what is wrong with a move.

mod hint;
mod reason;

use super::{
    Draughts,
    notation::{
        fen::{self as draughts_fen, DraughtsFenError, FenNote, SquareNames},
        moves::{self as draughts_move, DraughtsMoveError, square::Numbering},
    },
    rows::{ALL, DraughtsVariant},
};
use crate::games::{
    Fit, Refusal, Written, chess::notation::fen::Fields, notation::clip, text, variant::Variant,
};

/// Reads a FEN, or the string of an engine.
pub(super) fn read(row: &'static Variant, text: &str) -> Result<Written<Draughts>, Refusal> {
    let Some(variant) = row.draughts() else {
        return Err(text::another_game(row));
    };
    let own = variant.numbering();
    let refused = |what: String, hint: String, reached| {
        let reached = if text.contains(':') { reached } else { 0 };
        Refusal::at(reached, format!("not a valid draughts FEN: {what}"), hint)
    };
    let read = draughts_fen::parse(text, own).map_err(|error| {
        let reached = match error {
            DraughtsFenError::Empty => 0,
            DraughtsFenError::Unreadable(_) => begins_with_side(text),
            DraughtsFenError::NoSuchSquare(_) | DraughtsFenError::Twice(_) => 2,
        };
        refused(error.to_string(), hint::of_fen(&error, variant), reached)
    })?;
    // Bare squares and words that say who moves are no FEN: `b4` is a move of chess.
    if !text.contains(':') && read.names != SquareNames::Order {
        let error = DraughtsFenError::Unreadable(clip(text));
        return Err(refused(error.to_string(), hint::of_fen(&error, variant), 0));
    }
    if read.turn_only {
        return Err(refused(
            "it names no squares".to_owned(),
            hint::ANY.to_owned(),
            2,
        ));
    }
    let corner = read.number_corner;
    let at = Draughts {
        variant,
        position: read.position,
        corner: (corner != own.number_corner()).then_some(corner),
    };
    let fields = Fields {
        turn: !read.notes.contains(&FenNote::NoSide),
        ..Fields::default()
    };
    let fit = if read.notes.contains(&FenNote::TextBefore) {
        Fit::Loose
    } else if is_own(variant, text, read.names) {
        Fit::Own
    } else {
        Fit::Foreign
    };
    Ok(Written {
        fit,
        notes: read.notes.iter().map(ToString::to_string).collect(),
        ..Written::new(at, fields)
    })
}

/// 1 if a text begins with who moves, as a FEN does.
fn begins_with_side(text: &str) -> u32 {
    let first = text.split(':').next().unwrap_or_default().trim();
    let sides = ["w", "b", "z", "white", "black", "?", ""];
    u32::from(sides.iter().any(|side| first.eq_ignore_ascii_case(side)))
}

/// Whether a text names squares as a variant does, and no smaller board has all of them.
fn is_own(own: &DraughtsVariant, text: &str, names: SquareNames) -> bool {
    let letters = names == SquareNames::Letters;
    if own.tag.letters != letters || names == SquareNames::Order {
        return own.tag.letters == letters;
    }
    let size = |row: &DraughtsVariant| row.rules.board.square_count();
    let smaller = ALL.iter().filter(|row| size(row) < size(own));
    let mut smaller = smaller.filter(|row| row.tag.letters == letters);
    !smaller.any(|row| draughts_fen::parse(text, row.numbering()).is_ok())
}

/// What is wrong with a word.
pub(super) fn refusal(at: &Draughts, numbering: Numbering, word: &str) -> Refusal {
    let shown = clip(word);
    let (what, is_move) = match draughts_move::parse(word, numbering) {
        Err(DraughtsMoveError::Unreadable(_)) => (format!("`{shown}` is not a move"), false),
        Err(error) => (format!("`{shown}` cannot be played: {error}"), true),
        Ok(_) => {
            let why = reason::reason(&at.position, at.variant, numbering, word);
            (format!("`{shown}` cannot be played: {why}"), true)
        }
    };
    let hint = if is_move { hint::MOVES } else { hint::ANY };
    Refusal::at(u32::from(is_move), what, hint)
}
