//! Moves in and out.

use super::MoveError;
use crate::games::othello::rules::{OthelloPosition, PASS};
use crate::games::text::ResolvedWord;

/// The number of a square written with a letter and a digit: a1 is top left.
pub(super) fn square(text: &str) -> Option<u8> {
    let &[file, row] = text.as_bytes() else {
        return None;
    };
    let file = file.to_ascii_lowercase().wrapping_sub(b'a');
    let row = row.wrapping_sub(b'1');
    (file < 8 && row < 8).then(|| row * 8 + file)
}

/// The legal move of a text: a square of either case, or a pass (`--`, `pass`,
/// `pa`, `ps`, `PA`, …, and a square twice, as engines have it). Engines that
/// count rows from the bottom write `P@f4` for f5.
///
/// Many records leave passes out: where the text is a square and
/// [`OthelloPosition::must_pass`], the caller may pass first.
///
/// ```
/// use plydex::games::othello::{notation, rules::OthelloPosition};
/// let mut position = OthelloPosition::START;
/// for text in ["f5", "D6", "c3"] {
///     position.play(notation::resolve(&position, text).unwrap());
/// }
/// assert_eq!(notation::fen::write(&position), "8/8/2X5/3XX3/3OXX2/3O4/8/8 w");
/// ```
///
/// # Errors
///
/// [`MoveError::Unreadable`] and [`MoveError::Illegal`].
pub fn resolve(position: &OthelloPosition, text: &str) -> Result<u8, MoveError> {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let ply = read(text).ok_or(MoveError::Unreadable)?;
    if position.is_legal(ply) {
        Ok(ply)
    } else {
        Err(MoveError::Illegal)
    }
}

/// Whether a word says that the turn passes.
fn is_pass(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "-" | "--" | "---" | "pass" | "pa" | "ps" | "pas" | "p" | "z0" | "null" | "0000" | "@@@@"
    )
}

/// The squares of a word of several that stick together (`f5d6c3`, `f5-d6`), each
/// with where it begins; of any other word itself.
fn parts(word: &str) -> Vec<(usize, &str)> {
    let squares = || {
        let mut found = Vec::new();
        let mut at = 0;
        while at < word.len() {
            match word.get(at..at + 2) {
                Some(two) if square(two).is_some() => {
                    found.push((at, two));
                    at += 2;
                }
                _ if matches!(word.as_bytes()[at], b'-' | b',' | b'.') => at += 1,
                _ => return None,
            }
        }
        Some(found)
    };
    let is_pass = word.len() == 4 && word.get(..2) == word.get(2..);
    match squares().filter(|found| found.len() > 1 && !is_pass) {
        Some(found) => found,
        None => vec![(0, word)],
    }
}

fn read(text: &str) -> Option<u8> {
    if let Some(text) = text
        .strip_prefix("P@")
        .or_else(|| text.strip_prefix("p@"))
        .or_else(|| text.strip_prefix('@'))
    {
        // Rows from the bottom.
        return square(text).map(|square| square ^ 56);
    }
    let lower = text.to_ascii_lowercase();
    if is_pass(text) {
        return Some(PASS);
    }
    // `Pb1` is how pyffish spells a pass in SAN.
    if let Some(rest) = text.strip_prefix('P')
        && square(rest).is_some()
    {
        return Some(PASS);
    }
    match lower.len() {
        4 if lower.get(..2) == lower.get(2..) => square(lower.get(..2)?).map(|_| PASS),
        _ => square(text),
    }
}

/// A move: its square, or `--` for a pass.
pub fn write(ply: u8) -> String {
    if ply >= PASS {
        return "--".to_owned();
    }
    let (file, row) = (char::from(b'a' + ply % 8), ply / 8 + 1);
    format!("{file}{row}")
}

/// The legal moves that a word means: those of squares that stick together, with the passes that
/// were not written.
pub fn resolve_all(start: &OthelloPosition, word: &str) -> ResolvedWord<u8> {
    let mut now = *start;
    let mut moves = Vec::new();
    for (at, part) in parts(word) {
        let mut found = resolve(&now, part);
        if found == Err(MoveError::Illegal) && now.must_pass() {
            // Many records leave passes out.
            let passed = now.passed();
            if let Ok(m) = resolve(&passed, part) {
                moves.push(PASS);
                now = passed;
                found = Ok(m);
            }
        }
        match found {
            Ok(m) => {
                moves.push(m);
                now.play(m);
            }
            // Some write the passes that end a game.
            Err(MoveError::Illegal) if is_pass(part) && now.outcome().is_some() => {}
            Err(error) => return ResolvedWord::stop(moves, at, error),
        }
    }
    ResolvedWord::of(moves)
}
