//! The small languages of single options: results, ECO codes, lengths, orders.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::query::{GroupKey, SortKey, TreeSort, suggest};

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

/// The value of a word of a table.
pub fn word_of<T: Clone>(text: &str, table: &[(&str, T)]) -> Result<T, String> {
    let found = table.iter().find(|(word, _)| *word == text);
    found.map(|(_, value)| value.clone()).ok_or_else(|| {
        let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
        format!("`{text}` is not one of {}", words.join(", "))
    })
}

/// Reads a key of `--group-by`.
pub fn group_key(text: &str) -> Result<GroupKey, String> {
    GroupKey::read(text).map_err(|error| {
        let hint = error.hint.unwrap_or_default();
        format!("{}; {hint}", error.message)
    })
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
    fn orders() {
        assert_eq!(sort("date"), Ok(vec![(SortKey::Date, false)]));
        assert_eq!(sort("Elo:desc"), Ok(vec![(SortKey::Elo, true)]));
        assert_eq!(sort("id:asc"), Ok(vec![(SortKey::Id, false)]));
        assert!(sort("rating").is_err_and(|e| e.contains("plies")));
        assert!(sort("date:down").is_err_and(|e| e.contains("date:desc")));
    }
}
