//! Results: the tag and the marker that ends the movetext, in all their spellings.

use crate::base::record::Outcome;

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
/// use plydex::{base::record::Outcome, pgn::tags::result};
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

/// The results of PDN: none of them can be taken for a move, since no
/// board has a square 0 and no piece moves to where it stands.
pub const PDN_RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// Reads a result of PDN, of whatever system: the marker or the value of the
/// tag. The greater number wins, equal ones are a draw; `None` if it is no result.
///
/// [`Outcome::First`] says that the first number is the greater. Which side that
/// number belongs to is for the caller to know: it is White, but Black in files
/// of English draughts. `0-0` and `*` are unknown.
///
/// ```
/// use plydex::{base::record::Outcome, pgn::tags::result::parse_pdn};
/// assert_eq!(parse_pdn(b"2-0"), Some(Outcome::First));
/// assert_eq!(parse_pdn("1½ - ½".as_bytes()), Some(Outcome::First));
/// assert_eq!(parse_pdn(b"38-26"), Some(Outcome::First));
/// assert_eq!(parse_pdn(b"1- - 1+"), Some(Outcome::Second));
/// ```
pub fn parse_pdn(text: &[u8]) -> Option<Outcome> {
    let compact = Compact::of(text)?;
    match compact.as_bytes() {
        b"" | b"*" | b"?" | b"-" | b"-/-" => return Some(Outcome::Unknown),
        b"1/2" => return Some(Outcome::Draw),
        b"+/-" | b"+:-" => return Some(Outcome::First),
        b"-/+" | b"-:+" => return Some(Outcome::Second),
        _ => {}
    }
    let (first, rest) = points(compact.as_bytes())?;
    let [b'-' | b':', rest @ ..] = rest else {
        return None;
    };
    let (second, []) = points(rest)? else {
        return None;
    };
    Some(match first.cmp(&second) {
        _ if first == 0 && second == 0 => Outcome::Unknown,
        std::cmp::Ordering::Greater => Outcome::First,
        std::cmp::Ordering::Less => Outcome::Second,
        std::cmp::Ordering::Equal => Outcome::Draw,
    })
}

/// The points a compact text begins with, in thousandths, and what follows.
/// A plus or minus behind them (a draw with an advantage) counts a little.
fn points(text: &[u8]) -> Option<(u32, &[u8])> {
    let count = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = |digits: &[u8]| {
        digits
            .iter()
            .fold(0_u32, |value, digit| value * 10 + u32::from(digit - b'0'))
    };
    let digits = count(text);
    if digits > 4 {
        return None;
    }
    let (whole, rest) = text.split_at(digits);
    match rest {
        // `1/2`, and `11/2` for one and a half: nobody scores eleven halves.
        [b'/', b'2', rest @ ..] if whole.last() == Some(&b'1') => {
            Some((value(&whole[..digits - 1]) * 1000 + 500, rest))
        }
        [b'.' | b',', rest @ ..] if matches!(count(rest), 1..=3) => {
            let (part, rest) = rest.split_at(count(rest));
            let scale = [100, 10, 1][part.len() - 1];
            Some((value(whole) * 1000 + value(part) * scale, rest))
        }
        _ if digits == 0 => None,
        [b'+', rest @ ..] => Some((value(whole) * 1000 + 1, rest)),
        [b'=', rest @ ..] => Some((value(whole) * 1000, rest)),
        // `1--1+`: a minus of its own stands before the dash.
        [b'-'] => Some(((value(whole) * 1000).saturating_sub(1), &[])),
        [b'-', b'-' | b':', ..] => Some(((value(whole) * 1000).saturating_sub(1), &rest[1..])),
        _ => Some((value(whole) * 1000, rest)),
    }
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
    use crate::pgn::tags::rows;

    #[test]
    fn vectors() {
        for [input, canonical] in rows(include_str!("../../../tests/vectors/results.tsv")) {
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
    fn results_of_pdn() {
        use Outcome::{Draw, First, Second, Unknown};
        for (text, outcome) in [
            ("1-0", First),
            ("0-1", Second),
            ("1/2-1/2", Draw),
            ("2-0", First),
            ("0-2", Second),
            ("1-1", Draw),
            ("0-0", Unknown),
            ("*", Unknown),
            ("-", Unknown),
            ("", Unknown),
            ("1 / 2-1 / 2", Draw),
            ("½-½", Draw),
            ("½", Draw),
            ("4-6", Second),
            ("1-9", Second),
            ("38-26", First),
            ("1.01-0.99", First),
            ("0.99 - 1.01", Second),
            ("1+ - 1-", First),
            ("1- - 1+", Second),
            ("1+-1-", First),
            ("1--1+", Second),
            ("1= - 1=", Draw),
            ("1 1/2 - 1/2", First),
            ("1/2 - 1 1/2", Second),
            ("1½-½", First),
            (" 0-1", Second),
            ("2:0", First),
            ("2–0", First),
            ("0.5-0.5", Draw),
            (".5-.5", Draw),
            ("+/-", First),
            ("5-5", Draw),
            ("0-12", Second),
        ] {
            assert_eq!(parse_pdn(text.as_bytes()), Some(outcome), "{text}");
        }
        for text in [
            "draw", "1", "32-28-19", "1-", "-1", "e4", "12345-1", "1/2-", "x-y",
        ] {
            assert_eq!(parse_pdn(text.as_bytes()), None, "{text}");
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
