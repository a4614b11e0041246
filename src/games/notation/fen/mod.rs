//! What the FENs of all games on grids of squares have in common: the words of the text,
//! the placement, pockets, the side to move, counters, and what can be wrong with them.

mod error;
mod placement;

pub(crate) use error::{EN_PASSANT, FULLMOVE, HALFMOVE, TURN};
pub use error::{FenError, FenField};
pub(crate) use placement::{
    CHESS, PlacementFacts, read_placement, read_pocket, split_pocket, write_placement,
};

use super::clip;
use crate::base::diagnostic::Code;

/// Strips what surrounds a FEN: byte order mark, blanks, one pair of quotes.
pub(crate) fn unwrap_text<'t>(text: &'t str, warnings: &mut Vec<Code>) -> &'t str {
    let text = text.trim_start_matches('\u{FEFF}').trim_matches(is_blank);
    for (open, close) in [('"', '"'), ('\'', '\''), ('“', '”'), ('„', '“'), ('«', '»')] {
        let inner = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        if let Some(inner) = inner {
            warnings.push(Code::Quotes);
            return inner.trim_matches(is_blank);
        }
    }
    text
}

/// Whether a counter begins after a colon of a FEN of draughts: half-moves `H4`, the move
/// `F12`, moves of kings `+0+0`.
pub(crate) fn is_colon_counter(field: &str) -> bool {
    match field.trim_start().as_bytes() {
        [b'H' | b'F' | b'h' | b'f' | b'+', digit, ..] => digit.is_ascii_digit(),
        _ => false,
    }
}

/// The counters after the squares of a FEN of draughts, from their first colon on.
pub(crate) fn colon_counters(fen: &str) -> &str {
    let mut colons = fen.match_indices(':');
    let first = colons.find(|(at, _)| is_colon_counter(&fen[at + 1..]));
    first.map_or("", |(at, _)| fen[at..].trim_end())
}

pub(crate) fn is_blank(c: char) -> bool {
    match c {
        '\u{09}'..='\u{0D}' | ' ' => true,
        _ if c.is_ascii() => false,
        _ => matches!(
            c,
            '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}'
        ),
    }
}

/// The fields of a FEN, without copying the text.
pub(crate) struct Tokens<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    underscore: bool,
    /// Whether there were more blanks than needed.
    pub(crate) surplus: bool,
}

impl<'t> Tokens<'t> {
    pub(crate) fn new(text: &'t str, warnings: &mut Vec<Code>) -> Self {
        // Underscores stand for spaces only where the first field has them:
        // EPD opcodes such as `draw_accept` have underscores of their own.
        let head = text.find(is_blank).unwrap_or(text.len());
        let underscore = text[..head].contains('_');
        if underscore {
            warnings.push(Code::Underscore);
        }
        Self {
            text,
            at: 0,
            underscore,
            surplus: false,
        }
    }

    fn blank(&self, c: char) -> bool {
        is_blank(c) || (self.underscore && c == '_')
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.text[self.at..].trim_matches(is_blank)
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.at..];
        let start = rest.find(|c| !self.blank(c)).unwrap_or(rest.len());
        self.surplus |= rest[..start].chars().nth(1).is_some();
        let rest = &rest[start..];
        if rest.is_empty() {
            self.at = self.text.len();
            return None;
        }
        // A semicolon ends a field: operations follow (`… 0 1;D1 20`).
        let ends = |c| self.blank(c) || (c == ';' && !rest.starts_with(';'));
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += start + length;
        Some(&rest[..length])
    }
}

/// All words of a FEN, without quotes and surplus blanks.
pub(crate) fn words<'t>(text: &'t str, warnings: &mut Vec<Code>) -> Vec<&'t str> {
    let text = unwrap_text(text, warnings);
    let mut tokens = Tokens::new(text, warnings);
    let words = tokens.by_ref().collect();
    if tokens.surplus {
        warnings.push(Code::Spaces);
    }
    words
}

/// Whether a field says "nothing".
pub(crate) fn is_dash(text: &str) -> bool {
    matches!(text, "-" | "–" | "—" | "‐" | "‑" | "−")
}

/// What White and Black are called where a FEN says who moves, with their numbers.
pub(crate) const WHITE_AND_BLACK: &[(&str, u8)] = &[("w", 0), ("b", 1), ("white", 0), ("black", 1)];

/// Reads the side to move by its names in a game, which may be in capitals.
pub(crate) fn turn(
    text: &str,
    sides: &[(&str, u8)],
    field: &'static FenField,
    warnings: &mut Vec<Code>,
) -> Result<u8, FenError> {
    let said = sides
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name));
    let &(name, side) = said.ok_or_else(|| FenError::field(field, text))?;
    if name.len() > 1 {
        warnings.push(Code::TurnWord);
    }
    Ok(side)
}

/// Reads the halfmove clock.
pub(crate) fn halfmoves(text: &str, warnings: &mut Vec<Code>) -> Result<u32, FenError> {
    counter(text, 0, &HALFMOVE, warnings)
}

/// Reads the number of the move, which is 1 at least.
pub(crate) fn fullmoves(text: &str, warnings: &mut Vec<Code>) -> Result<u32, FenError> {
    let number = counter(text, 1, &FULLMOVE, warnings)?;
    if number == 0 {
        warnings.push(Code::FullmoveZero);
    }
    Ok(number.max(1))
}

fn counter(
    text: &str,
    default: u32,
    field: &'static FenField,
    warnings: &mut Vec<Code>,
) -> Result<u32, FenError> {
    if is_dash(text) {
        warnings.push(Code::ClockDash);
        return Ok(default);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FenError::field(field, text));
    }
    if digits.len() < text.len() {
        warnings.push(Code::ClockRange);
        return Ok(0);
    }
    // Beyond ten digits nothing is meant any more; it must only not wrap.
    Ok(digits.parse().unwrap_or(u32::MAX))
}

/// Reads both counters as the last words of a FEN.
pub(crate) fn counters(words: &[&str], warnings: &mut Vec<Code>) -> Result<(u32, u32), FenError> {
    let clock = words
        .first()
        .map_or(Ok(0), |word| halfmoves(word, warnings))?;
    let number = words
        .get(1)
        .map_or(Ok(1), |word| fullmoves(word, warnings))?;
    match words.get(2..) {
        Some([_, ..]) => {
            let text = clip(&words[2..].join(" "));
            Err(FenError::ExtraFields { text })
        }
        _ => Ok((clock, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_quotes_are_taken_off() {
        for (text, expected) in [
            ("a b", vec![]),
            (" a  b", vec![Code::Spaces]),
            ("\"a b\"", vec![Code::Quotes]),
            ("„a b“", vec![Code::Quotes]),
            ("a_b", vec![Code::Underscore]),
        ] {
            let mut warnings = Vec::new();
            assert_eq!(words(text, &mut warnings), ["a", "b"], "{text}");
            assert_eq!(warnings, expected, "{text}");
        }
    }
}
