//! The value of a PDN `GameType` tag: `20,W,10,10,N2,0` (PDN 3.0).
//!
//! Only the type number is reliable. Files write `N1` or `N` and number their
//! squares as ever, so the rest is a hint at best.

/// Our own tag, which says in an export that the variant was guessed, and
/// which others fit: `inferred; or frisian`.
pub const DOUBT_TAG: &str = "VariantBy";

/// Its value where nothing determined the variant.
pub const UNKNOWN: &str = "unknown";

/// A `GameType` tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameType {
    /// The type number.
    pub number: u8,
    /// Who moves first: 0 White, 1 Black.
    pub first: Option<u8>,
    /// Squares in a row, and rows.
    pub size: Option<(u8, u8)>,
    /// Letters and digits (`A`) rather than numbers (`N`, `S`).
    pub letters: Option<bool>,
    /// Corner of square 1 or A1 as the side that moves first sees it, 0 to 3.
    pub corner: Option<u8>,
    /// Whether the bottom left corner is not played.
    pub inverted: Option<bool>,
}

/// Whether PDN has reserved a number for games that it does not define.
pub const fn is_reserved(number: u8) -> bool {
    matches!(number, 2..=19 | 32..=39 | 42..=49 | 51..)
}

/// Reads the tag; `None` without a type number. What is malformed after the number is taken as
/// missing.
///
/// ```
/// use plydex::pgn::tags::game_type;
/// let read = game_type::parse(b"23,B,8,8,A1,1").unwrap();
/// assert_eq!((read.number, read.first, read.letters, read.corner), (23, Some(1), Some(true), Some(1)));
/// assert_eq!(game_type::parse(b"20").unwrap().corner, None);
/// assert_eq!(game_type::parse(b"draughts"), None);
/// ```
pub fn parse(value: &[u8]) -> Option<GameType> {
    let text = std::str::from_utf8(value).ok()?;
    let mut parts = text.split([',', ';']).map(str::trim);
    let mut read = GameType {
        number: parts.next()?.parse().ok()?,
        ..GameType::default()
    };
    let mut part = || parts.next().unwrap_or_default();
    read.first = match part() {
        "W" | "w" => Some(0),
        "B" | "b" => Some(1),
        _ => None,
    };
    read.size = part().parse().ok().zip(part().parse().ok());
    let notation = part();
    read.letters = match notation.as_bytes().first() {
        Some(b'A' | b'a') => Some(true),
        Some(b'N' | b'n' | b'S' | b's') => Some(false),
        _ => None,
    };
    read.corner = notation.get(1..).and_then(|corner| corner.parse().ok());
    read.corner = read.corner.filter(|&corner| corner < 4);
    read.inverted = match part() {
        "0" => Some(false),
        // The grammar has one digit; a proposal for 3.1 has four values.
        "1" => Some(true),
        _ => None,
    };
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_far_as_they_go() {
        let whole = GameType {
            number: 20,
            first: Some(0),
            size: Some((10, 10)),
            letters: Some(false),
            corner: Some(2),
            inverted: Some(false),
        };
        assert_eq!(parse(b"20,W,10,10,N2,0"), Some(whole));
        assert_eq!(parse(b" 20, W, 10, 10, N2, 0 "), Some(whole));
        let lax = parse(b"20,W,0,0,N,0").unwrap();
        assert_eq!(
            (lax.number, lax.corner, lax.letters),
            (20, None, Some(false))
        );
        assert_eq!(parse(b"25,W,8,8,A0").unwrap().inverted, None);
        assert_eq!(parse(b"23,B,8,8,N7,0").unwrap().corner, None);
        for bad in [&b""[..], b"W", b"-1", b"300", b"\xff"] {
            assert_eq!(parse(bad), None);
        }
    }
}
