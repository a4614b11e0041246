//! The small languages of single options: results, ECO codes, lengths, orders.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::suggest;
use crate::base::record::Outcome;
use crate::db::query::{SortKey, TreeSort};
use crate::games::opening_names;
use crate::pgn::tags::eco;

/// Reads a whole number within bounds, of options that take one.
pub fn whole<T: TryFrom<u64>>(
    min: u64,
    max: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|n| (min..=max).contains(n));
        number.and_then(|n| T::try_from(n).ok()).ok_or_else(|| {
            if max >= u32::MAX.into() {
                format!("write a number, {min} or more")
            } else {
                format!("write a number from {min} to {max}")
            }
        })
    }
}

/// Reads one of the words of a table, as the value beside it.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    table: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(table.iter().map(|(word, _)| *word));
    words.try_map(move |given| {
        let row = table.iter().find(|(word, _)| *word == given);
        row.map(|(_, value)| value.clone())
            .ok_or("not one of the words")
    })
}

/// Reads a result: `1-0` or `white`, `0-1` or `black`, `1/2-1/2` or `draw`, `*`.
pub fn outcome(text: &str) -> Result<Outcome, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1-0" | "2-0" | "white" => Ok(Outcome::First),
        "0-1" | "0-2" | "black" => Ok(Outcome::Second),
        "1/2-1/2" | "1/2" | "½-½" | "1-1" | "draw" => Ok(Outcome::Draw),
        "*" => Ok(Outcome::Unknown),
        _ => Err(format!(
            "`{text}` is not a result; write 1-0, 0-1, 1/2-1/2, white, black, draw or *"
        )),
    }
}

/// Reads how many pieces White and Black have: `3v2`.
pub fn pieces(text: &str) -> Result<(u8, u8), String> {
    let sides = text.trim().split_once(['v', 'V', ':', '-']);
    let count = |text: &str| text.trim().parse::<u8>().ok().filter(|&count| count < 100);
    sides
        .and_then(|(white, black)| Some((count(white)?, count(black)?)))
        .ok_or_else(|| {
            format!("`{text}` is not a count of pieces; write White's and Black's, such as 3v2")
        })
}

/// Reads an ECO code, the beginning of one, or a range of them, as inclusive
/// numbers from 0 (`A00`) to 499 (`E99`).
pub fn eco(text: &str) -> Result<(u16, u16), String> {
    let parts = text.split_once("..").or_else(|| text.split_once('-'));
    let (from, to) = parts.unwrap_or((text, text));
    match (eco::beginning_with(from), eco::beginning_with(to)) {
        (Some((low, _)), Some((_, high))) if low <= high => Ok((low, high)),
        (Some(_), Some(_)) => Err(format!(
            "`{text}` is in the wrong order; write the lower ECO code first"
        )),
        _ if opening_names::nearest(text).is_some() => Err(format!(
            "`{text}` is not an ECO code; --opening, or opening: in a query, takes names"
        )),
        _ => Err(format!(
            "`{text}` is not an ECO code; write C42, B20-B99, or a letter from A to E"
        )),
    }
}

/// Whether a text is an ECO code, the beginning of one or a range, and no move: in capitals, or
/// complete.
pub fn is_eco(text: &str) -> bool {
    let text = text.trim();
    let parts = text.split_once("..").or_else(|| text.split_once('-'));
    let is_code = |text: &str| {
        matches!(
            text.trim().as_bytes(),
            [b'A'..=b'E', b'0'..=b'9']
                | [b'A'..=b'E' | b'a'..=b'e', b'0'..=b'9', b'0'..=b'9']
        )
    };
    match parts {
        // `B2-B4` is a move in the words of old books.
        Some((from, to)) => is_code(from) && is_code(to) && (from.len() + to.len() > 4),
        None => is_code(text),
    }
}

/// Reads a range of lengths: `N`, `N-`, `-M` or `N-M`, inclusive.
pub fn plies(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str, empty: u32| match text.trim() {
        "" => Some(empty),
        text => text
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| text.parse().ok())
            .flatten(),
    };
    let parts = text.split_once('-');
    range(text, parts, number, (0, u32::MAX), "40, 40-, -40 or 40-80")
}

/// Reads a range of numbers of games likewise.
pub fn games(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str, empty: u64| match text.trim() {
        "" => Some(empty),
        text => text.parse().ok(),
    };
    let parts = text.split_once("..").or_else(|| text.split_once('-'));
    range(
        text,
        parts,
        number,
        (0, u64::MAX),
        "17, 20-25, 20..25, 100- or -16",
    )
}

/// A range from its parts, or from the one number that it is.
fn range<T: Copy + PartialOrd>(
    text: &str,
    parts: Option<(&str, &str)>,
    number: impl Fn(&str, T) -> Option<T>,
    (least, most): (T, T),
    examples: &str,
) -> Result<(T, T), String> {
    let range = match parts {
        Some((from, to)) if !(from.trim().is_empty() && to.trim().is_empty()) => {
            number(from, least).zip(number(to, most))
        }
        None if !text.trim().is_empty() => number(text, least).map(|number| (number, number)),
        _ => None,
    };
    match range {
        Some((from, to)) if from <= to => Ok((from, to)),
        Some(_) => Err(format!(
            "`{text}` is in the wrong order; write the smaller number first"
        )),
        None => Err(format!("`{text}` is not a range; write {examples}")),
    }
}

/// Reads a range of numbers, which may have decimals: `N`, `N-`, `-M`, `N-M` or, also for numbers
/// below zero, `N..`, `..M`, `N..M`, inclusive; each multiplied by the factor.
pub fn numbers(text: &str, factor: u32) -> Result<(i64, i64), String> {
    let number = |text: &str, empty: i64| match text.trim() {
        "" => Some(empty),
        text => {
            let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
            let number: f64 = text.chars().all(is_number).then(|| text.parse().ok())??;
            Some((number * f64::from(factor)).round() as i64)
        }
    };
    let parts = text.split_once("..").or_else(|| text.split_once('-'));
    let examples = "30, 30-, -30 or 10-30, and with numbers below zero -2.. or -0.5..0.5";
    range(text, parts, number, (i64::MIN, i64::MAX), examples)
}

/// The words of `--sort`.
const SORT_KEYS: [(&str, SortKey); 10] = [
    ("id", SortKey::Id),
    ("date", SortKey::Date),
    ("elo", SortKey::Elo),
    ("white", SortKey::White),
    ("black", SortKey::Black),
    ("event", SortKey::Event),
    ("author", SortKey::Author),
    ("eco", SortKey::Eco),
    ("plies", SortKey::Plies),
    ("result", SortKey::Result),
];

/// Reads an order: `KEY`, `KEY:asc` or `KEY:desc`. True is descending.
pub fn sort(text: &str) -> Result<Vec<(SortKey, bool)>, String> {
    let keys = text.split(',').map(|key| order_of(key.trim(), &SORT_KEYS));
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    if keys.len() > SORT_KEYS_MAX {
        return Err(format!("games are sorted by at most {SORT_KEYS_MAX} keys"));
    }
    Ok(keys)
}

/// Keys of an order at most.
const SORT_KEYS_MAX: usize = 3;

/// Reads the order of the moves of a tree: the key, and whether the smallest comes first.
pub fn tree_sort(text: &str) -> Result<(TreeSort, bool), String> {
    let (by, descending) = order_of(text, &TREE_SORT_KEYS)?;
    // The best is what people look for.
    let ascending = if text.contains(':') {
        !descending
    } else {
        by == TreeSort::Move
    };
    Ok((by, ascending))
}

const TREE_SORT_KEYS: [(&str, TreeSort); 6] = [
    ("games", TreeSort::Games),
    ("score", TreeSort::Score),
    ("rating", TreeSort::Rating),
    ("performance", TreeSort::Performance),
    ("year", TreeSort::Year),
    ("move", TreeSort::Move),
];

/// Reads an order by one of some keys.
pub fn order_of<K: Copy>(text: &str, keys: &[(&str, K)]) -> Result<(K, bool), String> {
    let (key, direction) = text.split_once(':').unwrap_or((text, "asc"));
    let descending = match direction {
        "asc" => false,
        "desc" => true,
        _ => {
            return Err(format!(
                "`{direction}` is not a direction; write {key}:desc or {key}"
            ));
        }
    };
    keys.iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(key))
        .map(|&(_, key)| (key, descending))
        .ok_or_else(|| {
            let words: Vec<&str> = keys.iter().map(|&(word, _)| word).collect();
            // Some commands call ratings by one name, others by the other.
            let twin = [
                ("rating", "elo"),
                ("elo", "rating"),
                ("year", "date"),
                ("date", "year"),
            ];
            let twin = twin
                .into_iter()
                .find(|(typed, _)| typed.eq_ignore_ascii_case(key));
            let twin = twin
                .map(|(_, meant)| meant)
                .filter(|meant| words.contains(meant));
            let meant = twin.or_else(|| suggest::nearest(key, words.iter().copied()));
            let words = words.join(", ");
            match meant {
                Some(meant) => {
                    format!("`{key}` is not a sort key; did you mean {meant}? The keys are {words}")
                }
                None => format!("`{key}` is not a sort key; write one of {words}"),
            }
        })
}

/// What was typed after the name of a command, except some flags and the database, in quotes where
/// it has blanks.
pub fn typed_behind(command: &str, flags: &[&str]) -> String {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words = words.skip_while(|word| word != command).skip(1);
    let mut typed: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        if word == "--db" {
            words.next();
        } else if !flags.contains(&word.as_str()) && !word.starts_with("--db=") {
            typed.push(if word.contains(char::is_whitespace) {
                format!("'{word}'")
            } else {
                word
            });
        }
    }
    typed.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        assert_eq!(outcome("1-0"), Ok(Outcome::First));
        assert_eq!(outcome("0-1"), Ok(Outcome::Second));
        for draw in ["1/2-1/2", "draw", "Draw", "1/2", "½-½"] {
            assert_eq!(outcome(draw), Ok(Outcome::Draw), "{draw}");
        }
        assert_eq!(outcome("*"), Ok(Outcome::Unknown));
        for bad in ["", "3-0", "whit"] {
            assert!(outcome(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn eco_codes_prefixes_and_ranges() {
        for (text, range) in [
            ("A00", (0, 0)),
            ("C42", (242, 242)),
            ("B20-B99", (120, 199)),
            ("B20..B99", (120, 199)),
            ("b", (100, 199)),
            ("B9", (190, 199)),
            ("A-B", (0, 199)),
            ("e99", (499, 499)),
        ] {
            assert_eq!(eco(text), Ok(range), "{text}");
        }
        for bad in ["", "F00", "B200", "B2x", "B99-B20", "20", "-", "B20-", "é"] {
            assert!(eco(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn plies_ranges() {
        for (text, range) in [
            ("40", (40, 40)),
            ("40-", (40, u32::MAX)),
            ("-40", (0, 40)),
            ("40-80", (40, 80)),
        ] {
            assert_eq!(plies(text), Ok(range), "{text}");
        }
        for bad in ["", "-", "x", "80-40", "1-2-3", "+4", "99999999999"] {
            assert!(plies(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_of_numbers() {
        for (text, range) in [
            ("30", (3000, 3000)),
            ("30-", (3000, i64::MAX)),
            ("-30", (i64::MIN, 3000)),
            ("1.5-3", (150, 300)),
            ("2..", (200, i64::MAX)),
            ("..-2", (i64::MIN, -200)),
            ("-0.3..+0.3", (-30, 30)),
        ] {
            assert_eq!(numbers(text, 100), Ok(range), "{text}");
        }
        for bad in ["", "-", "..", "x", "3-2", "1-2-3", "inf", "1..2..3"] {
            assert!(numbers(bad, 100).is_err(), "{bad}");
        }
    }

    #[test]
    fn orders() {
        assert_eq!(sort("date"), Ok(vec![(SortKey::Date, false)]));
        assert_eq!(sort("Elo:desc"), Ok(vec![(SortKey::Elo, true)]));
        assert_eq!(sort("id:asc"), Ok(vec![(SortKey::Id, false)]));
        assert!(sort("rating").is_err_and(|e| e.contains("plies")));
        assert!(sort("date:down").is_err_and(|e| e.contains("date:desc")));
    }
}
