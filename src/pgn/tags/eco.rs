//! Codes of the Encyclopaedia of Chess Openings as numbers: `A00` is 0, `E99` is 499.

/// Codes there are.
pub const ECO_COUNT: u16 = 500;

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

/// The text of a code; `None` beyond [`ECO_COUNT`].
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

/// A span of codes for filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EcoRange {
    /// First code, inclusive.
    pub first: u16,
    /// Last code, inclusive.
    pub last: u16,
}

impl EcoRange {
    /// Reads a code (`B90`), the beginning of one (`B`, `B9`) or two of these
    /// with a hyphen (`B20-B99`, `C-D`); `None` for anything else, also for a
    /// span that runs backwards.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let first = Self::of_prefix(from)?.first;
        let last = Self::of_prefix(to)?.last;
        (first <= last).then_some(Self { first, last })
    }

    fn of_prefix(prefix: &str) -> Option<Self> {
        let (first, last) = match *prefix.trim().as_bytes() {
            [letter] => (code(letter, b'0', b'0')?, code(letter, b'9', b'9')?),
            [letter, tens] => (code(letter, tens, b'0')?, code(letter, tens, b'9')?),
            [letter, tens, ones] => {
                let code = code(letter, tens, ones)?;
                (code, code)
            }
            _ => return None,
        };
        Some(Self { first, last })
    }

    /// Whether a code lies in the span.
    pub const fn contains(self, code: u16) -> bool {
        self.first <= code && code <= self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_there_and_back() {
        for code in 0..ECO_COUNT {
            assert_eq!(parse(text(code).unwrap_or_default().as_bytes()), Some(code));
        }
        assert_eq!(text(ECO_COUNT), None);
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
    fn ranges() {
        for (value, expected) in [
            ("B90", Some((190, 190))),
            ("B9", Some((190, 199))),
            ("b", Some((100, 199))),
            ("B20-B99", Some((120, 199))),
            ("B2 - C", Some((120, 299))),
            ("C-B", None),
            ("B20-", None),
            ("", None),
            ("B200", None),
            ("é", None),
        ] {
            let range = EcoRange::parse(value).map(|range| (range.first, range.last));
            assert_eq!(range, expected, "{value}");
        }
        assert!(
            EcoRange {
                first: 120,
                last: 199
            }
            .contains(199)
        );
        assert!(
            !EcoRange {
                first: 120,
                last: 199
            }
            .contains(200)
        );
    }
}
