//! Ratings: `WhiteElo`, `BlackElo` and their like.

/// The greatest number that is taken for a rating.
const ELO_MAX: u16 = 5000;

/// Reads a rating: a whole number from 1 to 5000. A mark of a
/// provisional rating (`1500?`, `2400P`) and a fraction are dropped; `0`, `-`,
/// `?` and words are no rating.
///
/// ```
/// use plydex::pgn::tags::elo;
/// assert_eq!(elo::parse(b"2785"), Some(2785));
/// assert_eq!(elo::parse(b"-"), None);
/// ```
pub fn parse(value: &[u8]) -> Option<u16> {
    let value = value.trim_ascii();
    let digits = value
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (number, tail) = value.split_at(digits);
    let provisional = matches!(tail, b"" | b"?" | b"P" | b"p");
    let fraction = tail.first() == Some(&b'.') && tail[1..].iter().all(u8::is_ascii_digit);
    // Leading zeros are rare but harmless; twenty digits are not a rating.
    if digits == 0 || digits > 9 || !(provisional || fraction) {
        return None;
    }
    let number = number
        .iter()
        .fold(0_u32, |sum, &byte| sum * 10 + u32::from(byte - b'0'));
    u16::try_from(number)
        .ok()
        .filter(|elo| (1..=ELO_MAX).contains(elo))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tags::rows;

    #[test]
    fn vectors() {
        for [input, value] in rows(include_str!("../../../tests/vectors/elo.tsv")) {
            let expected = value
                .split([' ', ','])
                .next()
                .and_then(|word| word.parse().ok());
            assert_eq!(parse(input.as_bytes()), expected, "{input}");
        }
    }

    #[test]
    fn bounds() {
        for (input, expected) in [
            ("1", Some(1)),
            ("5000", Some(5000)),
            ("5001", None),
            ("00002500", Some(2500)),
        ] {
            assert_eq!(parse(input.as_bytes()), expected, "{input}");
        }
        assert_eq!(parse(b"99999999999999999999999"), None);
        assert_eq!(parse(b"2500 (rapid)"), None);
    }
}
