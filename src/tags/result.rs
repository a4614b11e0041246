//! Results: the tag and the marker that ends the movetext, in all their spellings.

use crate::record::Outcome;

/// Whether a result was given without play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Forfeit {
    /// Decided over the board, or nothing is told.
    #[default]
    None,
    /// One side lost by forfeit.
    One,
    /// Both sides lost: an outcome that PGN can only call `*`.
    Both,
}

/// A result as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultValue {
    /// Who won.
    pub outcome: Outcome,
    /// Whether by forfeit.
    pub forfeit: Forfeit,
}

impl ResultValue {
    const fn played(outcome: Outcome) -> Self {
        Self {
            outcome,
            forfeit: Forfeit::None,
        }
    }

    const fn forfeited(outcome: Outcome) -> Self {
        Self {
            outcome,
            forfeit: Forfeit::One,
        }
    }

    /// Both sides lost.
    const DOUBLE: Self = Self {
        outcome: Outcome::Unknown,
        forfeit: Forfeit::Both,
    };
}

/// Reads the value of a `Result` tag; `None` if it is none of the known
/// spellings (then it says nothing, and is kept as text).
pub fn parse_tag(value: &[u8]) -> Option<ResultValue> {
    if let Some(result) = parse_marker(value) {
        return Some(result);
    }
    let text = Compact::of(value)?;
    Some(ResultValue::played(match text.as_bytes() {
        b"" | b"?" => Outcome::Unknown,
        b"draw" | b"drawn" | b"remis" | b"=" => Outcome::Draw,
        b"whitewins" | b"whitewon" | b"white" => Outcome::First,
        b"blackwins" | b"blackwon" | b"black" => Outcome::Second,
        _ => return None,
    }))
}

/// Reads a termination marker; `None` if the text is none.
///
/// `0-0` is read as a double forfeit: whoever reads movetext must have found
/// out before that it does not castle. Draughts scores (`2-0`) are no markers.
///
/// ```
/// use plydex::{record::Outcome, tags::result};
/// let draw = result::parse_marker("½-½".as_bytes()).unwrap();
/// assert_eq!(draw.outcome, Outcome::Draw);
/// ```
pub fn parse_marker(text: &[u8]) -> Option<ResultValue> {
    match text {
        b"1-0" => return Some(ResultValue::played(Outcome::First)),
        b"0-1" => return Some(ResultValue::played(Outcome::Second)),
        b"1/2-1/2" => return Some(ResultValue::played(Outcome::Draw)),
        b"*" => return Some(ResultValue::played(Outcome::Unknown)),
        _ => {}
    }
    let text = Compact::of(text)?;
    Some(match text.as_bytes() {
        b"1-0" | b"1:0" => ResultValue::played(Outcome::First),
        b"0-1" | b"0:1" => ResultValue::played(Outcome::Second),
        b"*" => ResultValue::played(Outcome::Unknown),
        b"1/2" | b"1/2-1/2" | b"1/2:1/2" | b"0.5-0.5" | b"0.5:0.5" | b".5-.5" | b".5:.5"
        | b"0,5-0,5" | b"=-=" | b"=:=" => ResultValue::played(Outcome::Draw),
        b"+/-" | b"+:-" | b"1-0ff" | b"1-0f" => ResultValue::forfeited(Outcome::First),
        b"-/+" | b"-:+" | b"0-1ff" | b"0-1f" => ResultValue::forfeited(Outcome::Second),
        b"-/-" | b"-:-" | b"0-0" | b"0:0" | b"0-0ff" => ResultValue::DOUBLE,
        _ => return None,
    })
}

/// A text in lower case without blanks, in which every dash is a hyphen and
/// every half is `1/2`. Results are short, so it needs no heap.
struct Compact {
    bytes: [u8; Self::BYTES_MAX],
    len: usize,
}

impl Compact {
    const BYTES_MAX: usize = 16;

    /// `None` if the text is too long to be a result.
    fn of(text: &[u8]) -> Option<Self> {
        let mut compact = Self {
            bytes: [0; Self::BYTES_MAX],
            len: 0,
        };
        let mut rest = text;
        while let [byte, after @ ..] = rest {
            let (written, after): (&[u8], &[u8]) = match rest {
                [b' ' | b'\t' | b'\r' | b'\n' | 0xA0, ..] => (b"", after),
                // NBSP, ½ in UTF-8, then the dashes U+2010 to U+2015 and U+2212.
                [0xC2, 0xA0, after @ ..] => (b"", after),
                [0xC2, 0xBD, after @ ..] => (b"1/2", after),
                [0xE2, 0x80, 0x90..=0x95, after @ ..] | [0xE2, 0x88, 0x92, after @ ..] => {
                    (b"-", after)
                }
                // The same in windows-1252, for values that nobody decoded.
                [0xBD, ..] => (b"1/2", after),
                [0x96 | 0x97, ..] => (b"-", after),
                _ => (&[byte.to_ascii_lowercase()], after),
            };
            compact
                .bytes
                .get_mut(compact.len..)?
                .get_mut(..written.len())?
                .copy_from_slice(written);
            compact.len += written.len();
            rest = after;
        }
        Some(compact)
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::rows;

    #[test]
    fn vectors() {
        for [input, canonical] in rows(include_str!("../../tests/vectors/results.tsv")) {
            let marker = parse_marker(input.as_bytes());
            let tag = parse_tag(input.as_bytes());
            if canonical.starts_with("draughts only") {
                assert_eq!((tag, marker), (None, None), "{input}");
                continue;
            }
            let tag = tag.unwrap_or_else(|| panic!("{input} is not read"));
            if canonical.contains("tag value only") {
                assert_eq!(marker, None, "{input}");
            } else {
                assert_eq!(marker, Some(tag), "{input}");
            }
            if canonical.starts_with("0-0") || canonical.contains("double forfeit") {
                assert_eq!(tag, ResultValue::DOUBLE, "{input}");
                continue;
            }
            let expected = canonical.trim_start_matches("tag value only: ");
            let expected = expected.split(' ').next().unwrap_or_default();
            assert_eq!(tag.outcome.as_pgn(), expected, "{input}");
            let forfeit = if canonical.contains("forfeit") {
                Forfeit::One
            } else {
                Forfeit::None
            };
            assert_eq!(tag.forfeit, forfeit, "{input}");
        }
    }

    #[test]
    fn single_bytes_and_long_texts() {
        let draw = Some(ResultValue::played(Outcome::Draw));
        assert_eq!(parse_marker(b"\xBD-\xBD"), draw);
        assert_eq!(parse_marker(b"\xBD\x96\xBD"), draw);
        assert_eq!(parse_tag(&[b'1'; 1000]), None);
        assert_eq!(
            parse_tag(b"                                  1-0"),
            parse_tag(b"1-0")
        );
        for text in ["e4", "1", "0-0-0", "1-0-0", "12", "O-O", "1/2-0", "-", "+-"] {
            assert_eq!(parse_marker(text.as_bytes()), None, "{text}");
        }
    }
}
