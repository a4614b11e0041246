//! What a line of EPD looks like: which variants it can be of, and where its fields end.

use crate::games::{
    AnyPosition,
    notation::{epd as opcode, fen::is_colon_counter},
    variant::{ALL, VariantDetection},
};

/// Whether a line begins as a FEN of PDN: `W:…:…`.
pub(crate) fn of_pdn(line: &[u8]) -> bool {
    let unquoted = line.strip_prefix(b"\"").unwrap_or(line);
    matches!(unquoted, [b'W' | b'B' | b'w' | b'b' | b'?', b':', ..])
        && pdn_end(&String::from_utf8_lossy(line)).is_some()
}

/// Where the FEN of PDN ends that a line begins with: before a semicolon, or before a word that
/// can be an opcode and no square. `None` if it begins with none.
///
/// Some programs write the side to move twice, some counters after the squares.
pub(crate) fn pdn_end(line: &str) -> Option<usize> {
    let unquoted = line.strip_prefix('"').unwrap_or(line);
    let sides = match unquoted.as_bytes() {
        [side @ (b'W' | b'B' | b'w' | b'b' | b'?'), b':', rest @ ..] => {
            2 + usize::from(rest.starts_with(&[*side, b':']))
        }
        _ => return None,
    };
    let semicolon = line.find(';').unwrap_or(line.len());
    let mut colons = 0;
    let mut end = semicolon;
    for (at, byte) in line[..semicolon].bytes().enumerate() {
        if byte == b':' {
            let is_counter = colons == sides && is_colon_counter(&line[at + 1..semicolon]);
            colons += usize::from(!is_counter);
        }
        if colons == sides && byte.is_ascii_whitespace() && ends_squares(line, at) {
            end = at;
            break;
        }
    }
    let is_fen = colons == sides || (sides == 3 && colons == 2);
    is_fen.then_some(end)
}

/// Whether operations follow the blank at a place of a line, and not further squares.
fn ends_squares(line: &str, at: usize) -> bool {
    let (before, behind) = (line[..at].trim_end(), line[at..].trim_start());
    let word = behind.split_whitespace().next().unwrap_or_default();
    // After the letter of a side or a king, a square is one; `c3` may also be a comment.
    let is_letter = (before.rsplit([',', ':', ' ']).next()).is_some_and(|last| last.len() == 1)
        && before.ends_with(|c: char| c.is_ascii_alphabetic());
    let bare = word.split(';').next().unwrap_or(word);
    let is_square = || matches!(bare.as_bytes(), [b'a'..=b'l', digits @ ..] if digits.iter().all(u8::is_ascii_digit));
    let goes_on = before.ends_with([',', ':', '-']) || is_letter && is_square();
    !goes_on && opcode::looks_like_opcode(word, &behind[word.len()..])
}

/// Whether a text is a FEN of PDN and nothing else.
pub(crate) fn is_pdn(text: &str) -> bool {
    let mut rows = ALL
        .iter()
        .filter(|row| row.tier() == Some(VariantDetection::Guessed));
    of_pdn(text.as_bytes()) && rows.any(|row| AnyPosition::read_written(row, text).is_ok())
}

/// More fields than a position of any game has.
const FIELDS_MAX: usize = 16;

/// The fields of a position of any game, and the operations after them: from the
/// first semicolon on, or from the first word after the fourth that can be an opcode.
pub(crate) fn split(line: &str) -> (String, &str) {
    let semicolon = line.find(';').unwrap_or(line.len());
    let mut fields = String::new();
    let mut at = 0;
    for number in 1..=FIELDS_MAX {
        let rest = &line[at..semicolon];
        let word_at = at + (rest.len() - rest.trim_start().len());
        let rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        let behind = &line[word_at + word.len()..];
        if word == "moves" || number >= 5 && opcode::looks_like_opcode(word, behind) {
            return (fields, &line[word_at..]);
        }
        if number > 1 {
            fields.push(' ');
        }
        fields.push_str(word);
        at = word_at + word.len();
    }
    (fields, line[at..].trim_start_matches([';', ' ']).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_operations_are_parted() {
        for (line, fields, operations) in [
            ("a/b/c w - -", "a/b/c w - -", ""),
            ("a/b/c  w - -  0 1; D1 20", "a/b/c w - - 0 1", "D1 20"),
            ("a/b/c w - -;D1 20", "a/b/c w - -", "D1 20"),
            (
                "a/b/c w - - bm e4; id \"x\";",
                "a/b/c w - -",
                "bm e4; id \"x\";",
            ),
            ("a/b/c w - - 3+3 1 3;", "a/b/c w - - 3+3 1 3", ""),
            ("a/b/c[G] b 2 4", "a/b/c[G] b 2 4", ""),
        ] {
            assert_eq!(split(line), (fields.to_owned(), operations), "{line}");
        }
    }

    #[test]
    fn what_is_no_position_has_no_shape() {
        for line in [
            "",
            "e4 e5",
            "1/2-1/2",
            "startpos",
            "[Event \"a/b/c/d\"]",
            "http://a",
        ] {
            assert!(
                crate::games::board_shape::BoardShape::of(line.as_bytes()).is_none(),
                "{line}"
            );
        }
        assert!(of_pdn(b"W:W31-50:B1-20"));
        assert!(!of_pdn(b"White: A Black: B"));
    }

    #[test]
    fn operations_follow_a_fen_of_draughts() {
        for (line, fen) in [
            ("W:W31-50:B1-20 id \"a: b\"; c0 \"c\";", "W:W31-50:B1-20"),
            ("W:W31-50:B1-20; id \"a: b\";", "W:W31-50:B1-20"),
            ("W:Wa1,c3:Bb6,Kd6 c3 \"d4\";", "W:Wa1,c3:Bb6,Kd6"),
            (
                "B:W a1, c3 : B b6, d6 rating 1500;",
                "B:W a1, c3 : B b6, d6",
            ),
            ("B:W a1, c3 : B K d6, b6", "B:W a1, c3 : B K d6, b6"),
            ("W:W:W3:B2 0 1", "W:W:W3:B2 0 1"),
            ("W:W31-50:\u{fffd}1-20", "W:W31-50:\u{fffd}1-20"),
            ("W:W3:B2:H0:F1 id \"a\";", "W:W3:B2:H0:F1"),
            ("W:W3:B2:H0:F1:+0+0; id \"a\";", "W:W3:B2:H0:F1:+0+0"),
            ("W:W3:B id \"none of Black\";", "W:W3:B"),
            ("W:W3:B c3; id \"one of Black\";", "W:W3:B c3"),
            ("W:W3:B20 and some words", "W:W3:B20 and some words"),
        ] {
            assert_eq!(pdn_end(line), Some(fen.len()), "{line}");
        }
        for line in ["W:W3:B2:C0 id \"a\";", "W:W3 id \"a\";", "e4"] {
            assert_eq!(pdn_end(line), None, "{line}");
        }
    }
}
