//! What the words of a text look like, before anything is read.

use crate::query::{pattern, saved, words::KEYWORDS};

/// Whether a text has words, names or brackets that only queries have.
pub(super) fn is_query_like(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let counts = |word: &String| {
        let behind = word.split_once('=').map(|(_, count)| count);
        word.contains("..")
            || behind.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()))
    };
    words.iter().any(|word| KEYWORDS.contains(&word.as_str()))
        || text.trim().starts_with(['(', '{', '!'])
        || has_named(text)
        || words.iter().any(counts)
        || text
            .split_whitespace()
            .any(|word| pattern::is_derived_word(word) || saved::name_of(word).is_some())
}

/// Whether a word of a text has a name that a query knows.
pub(super) fn has_named(text: &str) -> bool {
    names(text).next().is_some()
}

/// Whether a word of a text has a name that stands in no position: sides and what a board is called
/// may stand there.
pub(super) fn has_fact(text: &str) -> bool {
    const LABELS: [&str; 7] = [
        "black", "board", "fen", "moves", "position", "start", "white",
    ];
    names(text).any(|name| !LABELS.contains(&name))
}

/// The names of words in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().filter_map(name)
}

/// The name of a word.
fn name(word: &str) -> Option<&str> {
    let (name, _) = word.split_once(':')?;
    let is_name = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
    is_name.then_some(name)
}
