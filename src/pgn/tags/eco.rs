//! Codes of the Encyclopaedia of Chess Openings as numbers: `A00` is 0, `E99` is 499.

/// Reads the value of an `ECO` tag: a letter A to E and two digits. What
/// follows them (Scid's `B90h2`) is dropped unless it is a third digit.
///
/// ```
/// use plydex::pgn::tags::eco;
/// assert_eq!(eco::parse(b"B90"), Some(190));
/// assert_eq!(eco::text(190).as_deref(), Some("B90"));
/// ```
pub fn parse(value: &[u8]) -> Option<u16> {
    let value = value.trim_ascii();
    match value {
        [_, _, _, next, ..] if next.is_ascii_digit() => None,
        [letter, tens, ones, ..] => code(*letter, *tens, *ones),
        _ => None,
    }
}

/// The text of a code; `None` beyond 499.
pub fn text(code: u16) -> Option<String> {
    let letter = char::from(b'A' + u8::try_from(code / 100).ok().filter(|&letter| letter < 5)?);
    Some(format!("{letter}{:02}", code % 100))
}

fn code(letter: u8, tens: u8, ones: u8) -> Option<u16> {
    let letter = letter.to_ascii_uppercase();
    ((b'A'..=b'E').contains(&letter) && tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| {
        u16::from(letter - b'A') * 100 + u16::from(tens - b'0') * 10 + u16::from(ones - b'0')
    })
}

/// The first and the last code that begin with a text: a letter (`B`), a letter and a
/// digit (`B9`), or a complete code.
pub fn beginning_with(text: &str) -> Option<(u16, u16)> {
    Some(match *text.trim().as_bytes() {
        [letter] => (code(letter, b'0', b'0')?, code(letter, b'9', b'9')?),
        [letter, tens] => (code(letter, tens, b'0')?, code(letter, tens, b'9')?),
        [letter, tens, ones] => {
            let code = code(letter, tens, ones)?;
            (code, code)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_there_and_back() {
        for code in 0..500 {
            assert_eq!(parse(text(code).unwrap_or_default().as_bytes()), Some(code));
        }
        assert_eq!(text(500), None);
    }

    #[test]
    fn odd_values() {
        for (value, expected) in [
            ("c65", Some(265)),
            (" C65 ", Some(265)),
            ("B90h2", Some(190)),
            ("B90/14", Some(190)),
            ("F00", None),
            ("B9", None),
            ("B901", None),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(parse(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn beginnings_of_codes() {
        for (value, expected) in [
            ("B90", Some((190, 190))),
            ("B9", Some((190, 199))),
            ("b", Some((100, 199))),
            (" e9 ", Some((490, 499))),
            ("", None),
            ("F", None),
            ("B200", None),
            ("é", None),
        ] {
            assert_eq!(beginning_with(value), expected, "{value}");
        }
    }
}
