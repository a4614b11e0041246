//! The words of Popeye's input in its three languages, and what it calls its pieces
//! (`output/plaintext/language_dependant.c` in Popeye's source).

use std::sync::LazyLock;

use crate::problems::{ProblemSide, begins_with};

/// English, German, French, and what that is.
type PopeyeWord = [&'static str; 4];

/// What statements begin with, whose pieces are, and what makes them special.
static WORDS: LazyLock<Vec<PopeyeWord>> = LazyLock::new(|| rows(include_str!("words.tsv")));

/// The names of every piece that Popeye knows, the six of orthodox chess first
/// (`PieNamString`, in its order).
static PIECES: LazyLock<Vec<PopeyeWord>> = LazyLock::new(|| rows(include_str!("pieces.tsv")));

/// How many of them are pieces of orthodox chess.
const ORTHODOX: usize = 6;

fn rows(table: &'static str) -> Vec<PopeyeWord> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    };
    table.lines().skip(1).map(row).collect()
}

/// A language of the input: its place in a row of words.
#[derive(Debug)]
pub(super) struct InputLanguage(usize);

pub(super) const INPUT_LANGUAGES: &[InputLanguage; 3] =
    &[InputLanguage(0), InputLanguage(1), InputLanguage(2)];

impl InputLanguage {
    /// The code of the letters that its orthodox pieces have.
    pub(super) const fn letters(&self) -> &'static str {
        ["en-problem", "de", "fr"][self.0]
    }

    /// How a keyword is spelled out.
    pub(super) fn spelling(&self, keyword: &str) -> &'static str {
        let row = WORDS.iter().find(|words| words[0] == keyword);
        row.map_or("", |words| words[self.0])
    }

    /// The keyword, in English, that a word is or, cut to at least that many letters,
    /// stands for alone.
    pub(super) fn keyword(&self, word: &str, least: usize) -> Option<&'static str> {
        self.only("statement", word, least)
    }

    /// The side that a word names, cut or not.
    pub(super) fn side(&self, word: &str) -> Option<ProblemSide> {
        ProblemSide::called(self.only("side", word, 2)?)
    }

    /// What a word makes of a piece, in English.
    pub(super) fn kind(&self, word: &str) -> Option<&'static str> {
        self.only("kind", word, 3)
    }

    /// The English of the one word of a class that a word is or, cut, can be.
    fn only(&self, class: &str, word: &str, least: usize) -> Option<&'static str> {
        if word.len() < least || !word.is_ascii() {
            return None;
        }
        let mut cut = Vec::new();
        for words in WORDS.iter().filter(|words| words[3] == class) {
            let own = words[self.0];
            if begins_with(own, word) {
                if own.len() == word.len() {
                    return Some(words[0]);
                }
                cut.push(words[0]);
            }
        }
        cut.pop().filter(|_| cut.is_empty())
    }

    /// What a piece of an English name is called; the same where it has no name.
    pub(super) fn piece<'n>(&self, name: &'n str) -> &'n str {
        let row = PIECES.iter().find(|row| row[0] == name);
        row.map_or(name, |row| row[self.0])
    }

    /// The English name of a piece that is called so; what nothing is called so stays
    /// as it is. Letters that are an orthodox piece in English and nothing in this
    /// language get a question mark, so as not to be taken for it.
    pub(super) fn english(&self, name: &str) -> String {
        let name = name.to_uppercase();
        if let Some(row) = PIECES.iter().find(|row| row[self.0] == name) {
            return row[0].to_owned();
        }
        if PIECES[..ORTHODOX].iter().any(|row| row[0] == name) {
            return format!("{name}?");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_piece() {
        for column in 0..3 {
            let mut names: Vec<&str> = PIECES.iter().map(|row| row[column]).collect();
            names.sort_unstable();
            let count = names.len();
            names.dedup();
            assert_eq!(names.len(), count, "{column}");
            assert!(names.iter().all(|name| matches!(name.len(), 1 | 2)));
        }
    }

    #[test]
    fn names_become_english() {
        for (name, column, wanted) in [
            ("s", 0, "S"),
            ("eh", 0, "EH"),
            ("zz", 0, "ZZ"),
            ("S", 1, "S"),
            ("h", 1, "L"),
            ("kl", 1, "C"),
            ("rd", 1, "EH"),
            ("q", 1, "Q?"),
            ("s", 2, "G"),
            ("g", 2, "GN"),
            ("re", 2, "EK"),
            ("k", 2, "K?"),
        ] {
            assert_eq!(
                INPUT_LANGUAGES[column].english(name),
                wanted,
                "{name} {column}"
            );
        }
    }
}
