//! Results: the tag and the marker that ends the movetext, in all their spellings.

use std::cmp::Ordering;

use crate::base::record::Outcome;

/// Reads the value of a `Result` tag; `None` if it is none of the known
/// spellings (then it says nothing, and is kept as text).
pub fn parse_tag(value: &[u8]) -> Option<Outcome> {
    if let Some(result) = parse_marker(value).or_else(|| parse_xiangqi(value)) {
        return Some(result);
    }
    Some(match &compact(value)?[..] {
        b"" | b"?" => Outcome::Unknown,
        b"draw" | b"drawn" | b"remis" | b"=" => Outcome::Draw,
        b"whitewins" | b"whitewon" | b"white" => Outcome::First,
        b"blackwins" | b"blackwon" | b"black" => Outcome::Second,
        _ => return None,
    })
}

/// Reads a termination marker; `None` if the text is none.
///
/// `0-0` is read as a double forfeit: a reader of movetext must have found out before that it does
/// not castle. Draughts scores (`2-0`) are no markers.
///
/// ```
/// use plydex::{base::record::Outcome, pgn::tags::result};
/// let draw = result::parse_marker("½-½".as_bytes()).unwrap();
/// assert_eq!(draw, Outcome::Draw);
/// ```
pub fn parse_marker(text: &[u8]) -> Option<Outcome> {
    match text {
        b"1-0" => return Some(Outcome::First),
        b"0-1" => return Some(Outcome::Second),
        b"1/2-1/2" => return Some(Outcome::Draw),
        b"*" => return Some(Outcome::Unknown),
        _ => {}
    }
    Some(match &compact(text)?[..] {
        b"1-0" | b"1:0" | b"+/-" | b"+:-" | b"1-0ff" | b"1-0f" => Outcome::First,
        b"0-1" | b"0:1" | b"-/+" | b"-:+" | b"0-1ff" | b"0-1f" => Outcome::Second,
        b"1/2" | b"1/2-1/2" | b"1/2:1/2" | b"0.5-0.5" | b"0.5:0.5" | b".5-.5" | b".5:.5"
        | b"0,5-0,5" | b"=-=" | b"=:=" => Outcome::Draw,
        b"*" | b"-/-" | b"-:-" | b"0-0" | b"0:0" | b"0-0ff" => Outcome::Unknown,
        _ => return None,
    })
}

/// Reads what stands after a game of xiangqi in Chinese; `None` if it says no result. It is no
/// marker elsewhere.
///
/// ```
/// use plydex::{base::record::Outcome, pgn::tags::result};
/// assert_eq!(result::parse_xiangqi("紅勝".as_bytes()), Some(Outcome::First));
/// ```
pub fn parse_xiangqi(text: &[u8]) -> Option<Outcome> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.trim_matches(['。', '！', '.', '!', '（', '）']);
    // Simple and traditional characters; who begins is Red.
    let (mut sides, mut rest) = ([false; 2], text);
    for (characters, side) in [("紅红帥帅先", 0), ("黑將将後后", 1)] {
        let begins = |text: &str| text.starts_with(|c| characters.contains(c));
        if begins(rest) {
            sides[side] = true;
            while begins(rest) || rest.starts_with('方') {
                rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
            }
        }
    }
    Some(match (sides, rest) {
        ([true, false], "勝" | "胜") | ([false, true], "負" | "负") => Outcome::First,
        ([false, true], "勝" | "胜") | ([true, false], "負" | "负") => Outcome::Second,
        ([_, false], "和" | "和棋" | "和局" | "平局" | "平手") => Outcome::Draw,
        _ => return None,
    })
}

/// The results of PDN: none of them can be taken for a move, since no
/// board has a square 0 and no piece moves to where it stands.
pub const PDN_RESULTS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// The one of [`PDN_RESULTS`] that a text is in another spelling (`½-½`, `1 - 0`).
///
/// ```
/// use plydex::pgn::tags::result::pdn_mark;
/// assert_eq!(pdn_mark("½ – ½".as_bytes()), Some("1/2-1/2"));
/// assert_eq!(pdn_mark(b"12-8"), None);
/// ```
pub fn pdn_mark(text: &[u8]) -> Option<&'static str> {
    let mut marks = PDN_RESULTS.into_iter();
    marks.find(|mark| is_same(mark.as_bytes(), text))
}

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
    let text = &compact(text)?[..];
    match text {
        b"" | b"*" | b"?" | b"-" | b"-/-" => return Some(Outcome::Unknown),
        b"1/2" => return Some(Outcome::Draw),
        b"+/-" | b"+:-" => return Some(Outcome::First),
        b"-/+" | b"-:+" => return Some(Outcome::Second),
        _ => {}
    }
    let (first, rest) = points(text)?;
    let [b'-' | b':', rest @ ..] = rest else {
        return None;
    };
    let (second, []) = points(rest)? else {
        return None;
    };
    Some(match first.cmp(&second) {
        _ if first == 0 && second == 0 => Outcome::Unknown,
        Ordering::Greater => Outcome::First,
        Ordering::Less => Outcome::Second,
        Ordering::Equal => Outcome::Draw,
    })
}

/// Whether a result of PDN says more than who won: discs, or points of a match (`30-34`).
pub fn is_score(text: &[u8]) -> bool {
    let is_usual = |text: &[u8]| PDN_RESULTS.iter().any(|usual| usual.as_bytes() == text);
    compact(text).is_some_and(|text| text.iter().any(u8::is_ascii_digit) && !is_usual(&text))
        && parse_marker(text).is_none()
        && parse_pdn(text).is_some()
}

/// Whether two results are written alike but for blanks, dashes and halves.
pub fn is_same(one: &[u8], other: &[u8]) -> bool {
    compact(one).is_some_and(|one| compact(other) == Some(one))
}

/// The points a compact text begins with, in thousandths, and what follows.
/// A plus or minus after them (a draw with an advantage) counts a little.
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
    let points = value(whole) * 1000;
    Some(match rest {
        // `1/2`, and `11/2` for one and a half: no player scores eleven halves.
        [b'/', b'2', rest @ ..] if whole.last() == Some(&b'1') => {
            (value(&whole[..digits - 1]) * 1000 + 500, rest)
        }
        [b'.' | b',', rest @ ..] if matches!(count(rest), 1..=3) => {
            let (part, rest) = rest.split_at(count(rest));
            let scale = [100, 10, 1][part.len() - 1];
            (points + value(part) * scale, rest)
        }
        _ if digits == 0 => return None,
        [b'+', rest @ ..] => (points + 1, rest),
        [b'=', rest @ ..] => (points, rest),
        // `1--1+`: a minus of its own stands before the dash.
        [b'-'] | [b'-', b'-' | b':', ..] => (points.saturating_sub(1), &rest[1..]),
        _ => (points, rest),
    })
}

/// A text in lower case without blanks, with every dash as a hyphen and every half as `1/2`; `None`
/// if it is too long to be a result.
fn compact(text: &[u8]) -> Option<Vec<u8>> {
    const BYTES_MAX: usize = 16;
    let mut compact = Vec::with_capacity(BYTES_MAX);
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let (written, after): (&[u8], &[u8]) = match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0xA0, ..] => (b"", after),
            // NBSP, ½ in UTF-8, then the dashes U+2010 to U+2015 and U+2212.
            [0xC2, 0xA0, after @ ..] => (b"", after),
            [0xC2, 0xBD, after @ ..] => (b"1/2", after),
            [0xE2, 0x80, 0x90..=0x95, after @ ..] | [0xE2, 0x88, 0x92, after @ ..] => (b"-", after),
            // The same in windows-1252, for values that were not decoded.
            [0xBD, ..] => (b"1/2", after),
            [0x96 | 0x97, ..] => (b"-", after),
            _ => (&[byte.to_ascii_lowercase()], after),
        };
        if compact.len() + written.len() > BYTES_MAX {
            return None;
        }
        compact.extend_from_slice(written);
        rest = after;
    }
    Some(compact)
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
                assert_eq!(tag, Outcome::Unknown, "{input}");
                continue;
            }
            let expected = canonical.trim_start_matches("tag value only: ");
            let expected = expected.split(' ').next().unwrap_or_default();
            assert_eq!(tag.as_pgn(), expected, "{input}");
        }
    }

    #[test]
    fn results_of_xiangqi() {
        use Outcome::{Draw, First, Second};
        for (text, outcome) in [
            ("紅勝", First),
            ("红胜", First),
            ("紅方勝。", First),
            ("红先胜", First),
            ("先胜", First),
            ("黑負", First),
            ("黑勝", Second),
            ("黑方胜", Second),
            ("红负", Second),
            ("先負", Second),
            ("和", Draw),
            ("和棋", Draw),
            ("紅先和", Draw),
            ("平局", Draw),
        ] {
            assert_eq!(parse_xiangqi(text.as_bytes()), Some(outcome), "{text}");
            assert_eq!(parse_tag(text.as_bytes()), Some(outcome), "{text}");
            assert_eq!(parse_marker(text.as_bytes()), None, "{text}");
        }
        for text in [
            "",
            "紅",
            "勝",
            "紅黑勝",
            "和平",
            "炮二平五",
            "1-0",
            "黑平局",
        ] {
            assert_eq!(parse_xiangqi(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn scores_say_more_than_who_won() {
        for text in ["30-34", "12 - 8", "38:26", "1½-½", "1+-1-"] {
            assert!(is_score(text.as_bytes()), "{text}");
        }
        for text in [
            "", "*", "2-0", "2 – 0", "1/2-1/2", "½-½", "1:0", "½", "a-b", "+/-",
        ] {
            assert!(!is_score(text.as_bytes()), "{text}");
        }
        assert!(is_same(b"30 - 34", "30–34".as_bytes()));
        assert!(!is_same(b"30-34", b"34-30"));
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
        let draw = Some(Outcome::Draw);
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
