//! The words of languages for the sides and the pieces: one row a language.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use deunicode::deunicode_char;

use crate::games::{
    chess::basics::{Color, Role},
    notation::letters::{Language, ROLES, fold},
};

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceTerm {
    /// One of the sides.
    Side(Color),
    /// One of the pieces.
    Piece(Role),
}

/// Letters that an ending adds to a stem at most.
const ENDING_CHARS_MAX: usize = 4;

/// What the words of the table mean, by language. A word with a hyphen after it is a stem.
struct PieceWords {
    languages: Vec<&'static Language>,
    whole: HashMap<String, Vec<(usize, PieceTerm)>>,
    stems: HashMap<String, Vec<(usize, PieceTerm)>>,
}

static WORDS: LazyLock<PieceWords> = LazyLock::new(|| {
    let mut words = PieceWords {
        languages: Vec::new(),
        whole: HashMap::new(),
        stems: HashMap::new(),
    };
    let sides = Color::ALL.map(PieceTerm::Side).into_iter();
    let meanings: Vec<PieceTerm> = sides.chain(ROLES.map(PieceTerm::Piece)).collect();
    for row in include_str!("words.tsv").lines().skip(1) {
        let mut cells = row.split('\t');
        let Some(language) = cells.next().and_then(Language::by_code) else {
            continue;
        };
        let at = words.languages.len();
        words.languages.push(language);
        for (cell, &meaning) in cells.zip(&meanings) {
            for word in cell.split(' ') {
                let (list, word) = match word.strip_suffix('-') {
                    Some(stem) => (&mut words.stems, stem),
                    None => (&mut words.whole, word),
                };
                list.entry(plain(word)).or_default().push((at, meaning));
            }
        }
    }
    words
});

/// The languages that have words for pieces, the likeliest first.
pub(super) fn languages() -> &'static [&'static Language] {
    &WORDS.languages
}

/// What a word means in each language that knows it, by the place of the language in
/// [`languages`]; the complete word counts before the longest stem.
pub(super) fn meanings(word: &str) -> Vec<(usize, PieceTerm)> {
    let word = plain(word);
    let mut found = WORDS.whole.get(&word).cloned().unwrap_or_default();
    let ends = word.char_indices().map(|(at, _)| at).skip(2);
    let ends: Vec<usize> = ends.chain([word.len()]).collect();
    for &end in ends.iter().rev().take(ENDING_CHARS_MAX + 1) {
        for &(language, meaning) in WORDS.stems.get(&word[..end]).into_iter().flatten() {
            if found.iter().all(|&(known, _)| known != language) {
                found.push((language, meaning));
            }
        }
    }
    found
}

/// A word in small letters without accents and other marks, as people type it who have no keys
/// for these.
fn plain(word: &str) -> String {
    let lower = word.to_lowercase();
    let folded: Cow<'_, str> = fold(&lower);
    let mut out = String::with_capacity(folded.len());
    for c in folded.chars() {
        match c {
            '\u{80}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => {
                out.push_str(&deunicode_char(c).unwrap_or_default().to_lowercase());
            }
            'ё' => out.push('е'),
            'ς' => out.push('σ'),
            c => out.push(c),
        }
    }
    out
}
