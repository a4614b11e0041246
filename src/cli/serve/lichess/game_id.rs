//! Numbers of games as lichess writes them: eight characters of base 62, the lowest first.

use crate::base::record::GameId;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Characters of an id.
const LENGTH: usize = 8;

/// Paths of lichess that are as long as ids, and are none.
const NO_IDS: [&str; 2] = ["analysis", "training"];

/// A number as an id.
pub(crate) fn written(game: GameId) -> String {
    let mut left = game;
    let digits = (0..LENGTH).map(|_| {
        let digit = DIGITS[(left % 62) as usize];
        left /= 62;
        char::from(digit)
    });
    digits.collect()
}

/// The number of an id; `None` if it is none.
pub(crate) fn read(id: &str) -> Option<GameId> {
    if id.len() != LENGTH {
        return None;
    }
    id.bytes().rev().try_fold(0, |number, byte| {
        let digit = DIGITS.iter().position(|&digit| digit == byte)?;
        Some(number * 62 + digit as GameId)
    })
}

/// The id that a game has at lichess, by its tag pairs.
pub(crate) fn at_lichess<'t>(
    tags: impl IntoIterator<Item = (&'t str, &'t str)>,
) -> Option<&'t str> {
    tags.into_iter().find_map(|(name, value)| match name {
        "Site" => {
            let rest = value
                .strip_prefix("https://")
                .or_else(|| value.strip_prefix("http://"));
            let path = rest.unwrap_or(value).strip_prefix("lichess.org/")?;
            let word = path.split(['/', '#', '?']).next()?;
            // With four more characters it is the address of one of the players.
            let is_long = matches!(word.len(), 8 | 12) && !NO_IDS.contains(&word);
            word.get(..LENGTH)
                .filter(|id| is_long && read(id).is_some())
        }
        "GameId" => Some(value).filter(|id| read(id).is_some()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        assert_eq!(written(0), "00000000");
        assert_eq!(written(1), "10000000");
        assert_eq!(written(62), "01000000");
        for game in [0, 1, 61, 62, 3_843, 10_000_000, 62_u64.pow(8) - 1] {
            assert_eq!(read(&written(game)), Some(game));
        }
        for wrong in ["", "1", "123456789", "1234567-", "1234567é"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn games_of_lichess_keep_their_ids() {
        let of = |name, value| at_lichess([("Event", "?"), (name, value)]);
        let site = |value| of("Site", value);
        assert_eq!(site("https://lichess.org/AbCdEf12"), Some("AbCdEf12"));
        assert_eq!(
            site("https://lichess.org/AbCdEf12/black#3"),
            Some("AbCdEf12")
        );
        assert_eq!(site("https://lichess.org/AbCdEf12wxyz"), Some("AbCdEf12"));
        for other in [
            "https://lichess.org/",
            "https://lichess.org/study/AbCdEf12",
            "https://lichess.org/analysis",
            "https://example.org/AbCdEf12",
            "London",
        ] {
            assert_eq!(site(other), None, "{other}");
        }
        assert_eq!(of("GameId", "AbCdEf12"), Some("AbCdEf12"));
    }
}
