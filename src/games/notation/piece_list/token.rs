//! The words of a text that may be a list of pieces.

use std::ops::Range;

use super::words::{PieceTerm, meanings};
use crate::games::{
    chess::basics::Square,
    notation::letters::{fold, lower},
};

/// A word or a sign of a text.
#[derive(Debug, Clone)]
pub(super) struct PieceToken<'t> {
    /// Where it stands.
    pub(super) place: Range<usize>,
    /// What it is.
    pub(super) kind: PieceTokenKind<'t>,
}

/// What a word or a sign can be.
#[derive(Debug, Clone)]
pub(super) enum PieceTokenKind<'t> {
    /// A side or a piece, by language.
    Word(Vec<(usize, PieceTerm)>),
    /// A square; whether only a comma stands between it and what is before it.
    Square(Square, bool),
    /// Letters of a piece right before its square.
    Lettered(&'t str, Square),
    /// Letters or numbers at the edge of a board.
    Edge,
    /// The number of a move or an item: nothing that stands after it belongs to the list.
    Number,
    /// The end of a line.
    Line,
    /// The end of a sentence.
    Sentence,
    /// A comma, a semicolon or a colon.
    Comma,
    /// Any other word.
    Other(&'t str),
}

/// Longer words mean nothing here, in bytes.
const WORD_BYTES_MAX: usize = 48;

/// The words and signs of a text.
pub(super) fn tokens(text: &str) -> Vec<PieceToken<'_>> {
    let mut found: Vec<PieceToken<'_>> = Vec::new();
    let mut from = None;
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        let sign = match c {
            '\n' | '\r' => Some(PieceTokenKind::Line),
            ',' | ';' | ':' | '|' | '(' | ')' | '[' | ']' => Some(PieceTokenKind::Comma),
            c if c.is_whitespace() || matches!(c, '–' | '—' | '*' | '•') => None,
            _ => {
                from = from.or(Some(at));
                continue;
            }
        };
        if let Some(from) = from.take() {
            word(text, from..at, &mut found);
        }
        if let Some(kind) = sign
            && at < text.len()
        {
            let place = at..at + c.len_utf8();
            found.push(PieceToken { place, kind });
        }
    }
    found
}

fn word<'t>(text: &'t str, place: Range<usize>, found: &mut Vec<PieceToken<'t>>) {
    let whole = &text[place.clone()];
    let bare = whole.trim_end_matches(['.', '!', '?', '\'', '’']);
    let end = place.start + bare.len();
    let is_glued = found.last().is_some_and(|last| {
        matches!(last.kind, PieceTokenKind::Comma)
            && last.place.end == place.start
            && text[..last.place.start].ends_with(|c: char| c.is_ascii_digit())
    });
    let kind = kind(bare, bare.len() < whole.len(), is_glued);
    let is_ended = !matches!(kind, PieceTokenKind::Number) && bare.len() < whole.len();
    found.push(PieceToken {
        place: place.start..end,
        kind,
    });
    if is_ended {
        found.push(PieceToken {
            place: end..place.end,
            kind: PieceTokenKind::Sentence,
        });
    }
}

fn kind(word: &str, has_stop: bool, is_glued: bool) -> PieceTokenKind<'_> {
    if word.is_empty() || word.len() > WORD_BYTES_MAX {
        return PieceTokenKind::Other(word);
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits == word.len() {
        return if has_stop {
            PieceTokenKind::Number
        } else {
            PieceTokenKind::Edge
        };
    }
    // `1.Qg4` and `1...Kh7`.
    if digits > 0 && word[digits..].starts_with('.') {
        return PieceTokenKind::Number;
    }
    if word.ends_with(|c: char| matches!(c, '1'..='8')) {
        let mut chars = word.char_indices().rev();
        let rank = chars.next().and_then(|(_, c)| c.to_digit(9));
        let file = chars.next().and_then(|(at, c)| Some((at, file(c)?)));
        if let (Some(rank), Some((at, file))) = (rank, file) {
            let square = Square::new((rank - 1) * 8 + file);
            let letters = &word[..at];
            return match letters.chars().count() {
                0 => PieceTokenKind::Square(square, is_glued),
                1 | 2 if letters.chars().all(char::is_alphabetic) => {
                    PieceTokenKind::Lettered(letters, square)
                }
                _ => PieceTokenKind::Other(word),
            };
        }
    }
    if word.chars().count() == 8 && (0..).zip(word.chars()).all(|(at, c)| file(c) == Some(at)) {
        return PieceTokenKind::Edge;
    }
    let meanings = meanings(word);
    if meanings.is_empty() {
        PieceTokenKind::Other(word)
    } else {
        PieceTokenKind::Word(meanings)
    }
}

/// The file of a letter: Latin, Greek, or a Cyrillic one that looks like it.
fn file(c: char) -> Option<u32> {
    let mut text = [0; 4];
    let folded = fold(c.encode_utf8(&mut text)).chars().next()?;
    let at = |files: &str| files.chars().position(|file| file == lower(folded));
    let found = at("abcdefgh").or_else(|| at("αβγδεζηθ"));
    found.or_else(|| at("а\0с\0е")).map(|at| at as u32)
}
