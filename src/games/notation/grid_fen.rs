//! What the FENs of games on other boards than that of chess have in common:
//! ranks of any width, words, counters, and what can be wrong with them.

use super::clip;
use crate::{base::diagnostic::Code, games::Refusal};

/// Why a FEN is no position of the game. [`GridFenError::word`] is the stable
/// short form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridFenError {
    /// There is no text at all.
    #[error("the FEN is empty; at least the piece placement is needed")]
    Empty,
    /// The placement has not as many ranks as the board.
    #[error("the FEN has {found} ranks; the board has {expected}, separated by `/`")]
    RankCount {
        /// Ranks found.
        found: usize,
        /// Ranks of the board.
        expected: u8,
    },
    /// A character that is neither a man of the game nor a number of empty squares.
    #[error("rank {rank} of the FEN has `{found}`, which is not a piece of this game")]
    BadChar {
        /// Board rank, from 1 at White's side.
        rank: u8,
        /// The offending character.
        found: char,
    },
    /// A rank does not fill the board.
    #[error("rank {rank} of the FEN, `{text}`, has {found} squares; it must have {expected}")]
    RankWidth {
        /// Board rank, from 1 at White's side.
        rank: u8,
        /// Squares found.
        found: usize,
        /// Files of the board.
        expected: u8,
        /// The rank as written.
        text: String,
    },
    /// A reserve where the game has none, or with men that are never in one.
    #[error("the FEN has a reserve, `{text}`, that the game does not have")]
    Pocket {
        /// The reserve as written.
        text: String,
    },
    /// A field that cannot be read.
    #[error("the {name} of the FEN, `{text}`, is not understood")]
    Field {
        /// Which one, in words.
        name: &'static str,
        /// Its stable word.
        word: &'static str,
        /// The field as written.
        text: String,
    },
    /// Something follows the last field.
    #[error("`{text}` follows the last field of the FEN")]
    ExtraFields {
        /// The rest as written.
        text: String,
    },
    /// The men cannot stand so.
    #[error("{text}")]
    Impossible {
        /// The stable word.
        word: &'static str,
        /// What is wrong, in words.
        text: String,
    },
}

impl GridFenError {
    /// The stable word for what went wrong, for tables and tests.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::RankCount { .. } => "rank-count",
            Self::BadChar { .. } => "bad-char",
            Self::RankWidth { .. } => "rank-width",
            Self::Pocket { .. } => "pocket-not-allowed",
            Self::Field { word, .. } | Self::Impossible { word, .. } => word,
            Self::ExtraFields { .. } => "extra-fields",
        }
    }

    /// How much of the text was read, as `FenError::reached` has it.
    pub(crate) fn reached(&self) -> u32 {
        match self {
            Self::Empty => 0,
            Self::RankCount { found, .. } => u32::from(*found > 2),
            Self::Pocket { .. } => 1,
            Self::BadChar { rank, .. } | Self::RankWidth { rank, .. } => {
                12_u32.saturating_sub(u32::from(*rank))
            }
            Self::Field { .. } | Self::ExtraFields { .. } | Self::Impossible { .. } => {
                Refusal::BOARD
            }
        }
    }

    pub(crate) fn field(name: &'static str, word: &'static str, text: &str) -> Self {
        let text = clip(text);
        Self::Field { name, word, text }
    }
}

/// The words of a FEN without quotes and surplus blanks.
pub(crate) fn words<'t>(text: &'t str, warnings: &mut Vec<Code>) -> Vec<&'t str> {
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}' || c == '_';
    let trimmed = text.trim_matches(blank);
    let bare = trimmed
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(trimmed);
    if bare.len() != trimmed.len() {
        warnings.push(Code::Quotes);
    }
    if bare.contains('_') {
        warnings.push(Code::Underscore);
    }
    let words: Vec<&str> = bare.split(blank).filter(|word| !word.is_empty()).collect();
    let letters: usize = words.iter().map(|word| word.len()).sum();
    if letters + words.len().saturating_sub(1) < bare.len() || trimmed.len() < text.len() {
        warnings.push(Code::Spaces);
    }
    words
}

/// Whether a field says "nothing".
pub(crate) fn is_dash(text: &str) -> bool {
    matches!(text, "-" | "–" | "—" | "‐" | "‑" | "−")
}

/// Reads a placement: `put` gets file and rank, both from 0, and the letter, and
/// says whether there is such a man.
pub(crate) fn placement(
    text: &str,
    files: u8,
    ranks: u8,
    warnings: &mut Vec<Code>,
    mut put: impl FnMut(u8, u8, char) -> bool,
) -> Result<(), GridFenError> {
    let mut text = text;
    if let Some(rest) = text.strip_suffix('/') {
        text = rest;
        warnings.push(Code::TrailingSlash);
    }
    let found = text.split('/').count();
    if found != usize::from(ranks) {
        return Err(GridFenError::RankCount {
            found,
            expected: ranks,
        });
    }
    let mut adjacent = false;
    for (rank, line) in (0..ranks).rev().zip(text.split('/')) {
        let width = usize::from(files);
        let mut file = 0;
        let mut after_number = false;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some(number) = number(rest, width, width.saturating_sub(file)) {
                adjacent |= after_number;
                after_number = true;
                file += number.0;
                rest = &rest[number.1..];
                continue;
            }
            after_number = false;
            rest = &rest[c.len_utf8()..];
            // What lies beyond the edge is no less checked for being a man.
            if !put(file.min(width - 1) as u8, rank, c) {
                let found = if c.is_control() { '\u{FFFD}' } else { c };
                let rank = rank + 1;
                return Err(GridFenError::BadChar { rank, found });
            }
            file += 1;
        }
        if file != width {
            return Err(GridFenError::RankWidth {
                rank: rank + 1,
                found: file,
                expected: files,
                text: clip(line),
            });
        }
    }
    if adjacent {
        warnings.push(Code::AdjacentDigits);
    }
    Ok(())
}

/// The number of empty squares with which a text begins, and its length: two
/// digits where so many squares are left, one otherwise; `None` for digits that
/// no rank of the board has.
fn number(text: &str, width: usize, left: usize) -> Option<(usize, usize)> {
    let digit = |at: usize| {
        let byte = *text.as_bytes().get(at)?;
        byte.is_ascii_digit().then(|| usize::from(byte - b'0'))
    };
    let first = digit(0).filter(|&digit| digit > 0 && digit <= width)?;
    match digit(1) {
        Some(second) if first * 10 + second <= left => Some((first * 10 + second, 2)),
        _ => Some((first, 1)),
    }
}

/// Writes a placement: `at` has the letter of file and rank, both from 0.
pub(crate) fn write_placement(
    files: u8,
    ranks: u8,
    mut at: impl FnMut(u8, u8) -> Option<char>,
) -> String {
    let mut out = String::with_capacity(96);
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            let letter = at(file, rank);
            if let Some(letter) = letter {
                if empty > 0 {
                    out.push_str(&empty.to_string());
                }
                empty = 0;
                out.push(letter);
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        if rank > 0 {
            out.push('/');
        }
    }
    out
}

/// Reads the side to move: 0 White (or Red), 1 Black.
pub(crate) fn turn(text: &str, warnings: &mut Vec<Code>) -> Result<u8, GridFenError> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "r" => Ok(0),
        "b" => Ok(1),
        word @ ("white" | "red" | "black") => {
            warnings.push(Code::TurnWord);
            Ok(u8::from(word == "black"))
        }
        _ => Err(GridFenError::field("side to move", "turn", text)),
    }
}

/// Reads the half-move clock and the number of the move.
pub(crate) fn counters(
    words: &[&str],
    warnings: &mut Vec<Code>,
) -> Result<(u32, u32), GridFenError> {
    let mut read = |at: usize, default: u32, name, word| {
        let Some(&text) = words.get(at) else {
            return Ok(default);
        };
        if is_dash(text) {
            warnings.push(Code::ClockDash);
            return Ok(default);
        }
        if let Some(digits) = text.strip_prefix('-')
            && digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            warnings.push(Code::ClockRange);
            return Ok(0);
        }
        text.parse()
            .map_err(|_| GridFenError::field(name, word, text))
    };
    let halfmoves = read(0, 0, "halfmove clock", "halfmove")?;
    let mut fullmoves = read(1, 1, "move number", "fullmove")?;
    if fullmoves == 0 {
        warnings.push(Code::FullmoveZero);
        fullmoves = 1;
    }
    if let Some(rest) = words.get(2..).filter(|rest| !rest.is_empty()) {
        let text = clip(&rest.join(" "));
        return Err(GridFenError::ExtraFields { text });
    }
    Ok((halfmoves, fullmoves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str) -> Result<Vec<(u8, char)>, GridFenError> {
        let mut found = Vec::new();
        let put = |file, _, c: char| {
            found.push((file, c));
            c.is_alphabetic()
        };
        placement(text, 10, 1, &mut Vec::new(), put)?;
        Ok(found)
    }

    #[test]
    fn numbers_are_as_long_as_the_board_allows() {
        for text in ["10", "55", "91", "19", "28", "82"] {
            assert_eq!(widths(text), Ok(vec![]), "{text}");
        }
        assert_eq!(widths("k9"), Ok(vec![(0, 'k')]));
        assert_eq!(widths("8k1"), Ok(vec![(8, 'k')]));
        assert_eq!(widths("k10").unwrap_err().word(), "bad-char");
        assert_eq!(widths("11").unwrap_err().word(), "rank-width");
        assert_eq!(widths("0k9").unwrap_err().word(), "bad-char");
        assert_eq!(widths("kkkkkkkkkkkk").unwrap_err().word(), "rank-width");
        assert_eq!(widths("5/5").unwrap_err().word(), "rank-count");
    }

    #[test]
    fn blanks_and_quotes_are_taken_off() {
        for (text, expected) in [
            ("a b", vec![]),
            (" a  b", vec![Code::Spaces]),
            ("\"a b\"", vec![Code::Quotes]),
            ("a_b", vec![Code::Underscore]),
        ] {
            let mut warnings = Vec::new();
            assert_eq!(words(text, &mut warnings), ["a", "b"], "{text}");
            assert_eq!(warnings, expected, "{text}");
        }
    }
}
