//! Which language the moves of an entire text are in.
//!
//! Most games hold a word or two that several languages can have written; an entire file seldom
//! does. Letters are counted over all words first, without a board; where languages remain that
//! explain them equally well, the moves are played and the language that takes them furthest wins.

use std::collections::BTreeMap;

use crate::games::chess::basics::Chess;

use super::{ENGLISH, FIGURINES, LANGUAGES, Language, figurine, fold::upper, fold_look_alikes};
use crate::games::chess::notation::lenient_move::{self, Playable};
use crate::games::notation::move_error::MoveError;

/// Words of a piece and a square that are needed to say anything.
const WORDS_MIN: usize = 2;

/// How many of a hundred words a language must explain to be taken.
const PERCENT_MIN: usize = 90;

/// The letters for pieces that were seen in a text, and how often.
#[derive(Debug, Clone, Default)]
pub struct LetterCounts {
    letters: BTreeMap<String, usize>,
    words: usize,
}

impl LetterCounts {
    /// The letters of some words.
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let mut tally = Self::default();
        for word in words {
            tally.add(word);
        }
        tally
    }

    /// Counts a word, if it begins with a letter for a piece.
    pub fn add(&mut self, word: &str) {
        if let Some(letters) = piece_letters(word) {
            self.words += 1;
            match self.letters.get_mut(letters) {
                Some(times) => *times += 1,
                None => {
                    self.letters.insert(letters.to_owned(), 1);
                }
            }
        }
    }

    /// How many words were counted.
    pub const fn words(&self) -> usize {
        self.words
    }

    /// How many of the words a language explains.
    pub fn explained_by(&self, language: &Language) -> usize {
        self.explained(&self.folded(), language)
    }

    /// The languages that explain the most words, the likeliest first; those with
    /// the same letters are one. None if no language explains nearly all.
    pub fn best(&self) -> Vec<&'static Language> {
        let folded = self.folded();
        let all = || LANGUAGES.iter().chain([&FIGURINES]);
        let counts: Vec<usize> = all()
            .map(|language| self.explained(&folded, language))
            .collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        if self.words < WORDS_MIN || most * 100 < self.words * PERCENT_MIN {
            return Vec::new();
        }
        let mut languages: Vec<&'static Language> = Vec::new();
        for (language, count) in all().zip(counts) {
            if count == most && languages.iter().all(|other| !language.moves_as(other)) {
                languages.push(language);
            }
        }
        languages
    }

    fn explained(&self, folded: &BTreeMap<String, usize>, language: &Language) -> usize {
        let read_in = |letters: &BTreeMap<String, usize>| -> usize {
            let read = letters.iter().filter(|(word, _)| language.has(word));
            read.map(|(_, times)| times).sum()
        };
        read_in(&self.letters).max(read_in(folded))
    }

    /// The letters with look-alikes put right, where one shows the alphabet.
    fn folded(&self) -> BTreeMap<String, usize> {
        let all: Vec<&str> = self.letters.keys().map(String::as_str).collect();
        let mut folded = BTreeMap::new();
        if let Some(text) = fold_look_alikes(&all.join(" ")) {
            for (letters, times) in text.split(' ').zip(self.letters.values()) {
                *folded.entry(letters.to_owned()).or_default() += times;
            }
        }
        folded
    }
}

/// The first of the languages that take the games furthest, counted together.
pub fn furthest<P: Playable>(
    languages: &[&'static Language],
    games: &[(P, Vec<&str>)],
) -> Option<&'static Language> {
    if let [language] = languages {
        return Some(language);
    }
    let mut winner: Option<(&'static Language, usize)> = None;
    for language in languages {
        let far = games
            .iter()
            .map(|(position, words)| reach(position, words, language))
            .sum();
        if winner.is_none_or(|(_, most)| far > most) {
            winner = Some((language, far));
        }
    }
    winner.map(|(language, _)| language)
}

/// The language of a game that does not seem to be in the one that was expected:
/// it explains more of the words, and they go as far in it at least.
pub fn better_language(
    position: &Chess,
    words: &[&str],
    expected: &'static Language,
) -> Option<&'static Language> {
    let tally = LetterCounts::of(words.iter().copied());
    let languages = tally.best();
    let most = tally.explained_by(languages.first()?);
    if most <= tally.explained_by(expected) {
        return None;
    }
    let found = furthest(&languages, &[(position.clone(), words.to_vec())])?;
    let (far, expected) = (
        reach(position, words, found),
        reach(position, words, expected),
    );
    (far >= expected).then_some(found)
}

/// Whether a word begins with a letter for a piece that this language does not have.
pub fn is_foreign(word: &str, language: &Language) -> bool {
    let foreign = |letters| !language.has(letters) && !FIGURINES.has(letters);
    piece_letters(word).is_some_and(foreign)
}

/// The letters before the squares of a word that reads as a piece's move: one or
/// two, then a file or rank, a sign of capture or another square. Of a pawn's move
/// its file, if that is no Latin letter: it shows as much.
fn piece_letters(word: &str) -> Option<&str> {
    let word = without_number(word);
    let first = word.chars().next()?;
    if matches!(first, 'α'..='θ') {
        let behind = word[first.len_utf8()..].chars().next()?;
        let told = matches!(behind, '1'..='8' | 'x' | ':' | '×' | 'χ');
        return told.then(|| &word[..first.len_utf8()]);
    }
    // `exd5` and `bxc3` are pawns, whatever language they are in.
    if first.is_ascii() && !first.is_ascii_uppercase() {
        return None;
    }
    let sign = figurine(first).map(|role| FIGURINES.letter(role));
    if sign.is_none() && (!first.is_alphabetic() || upper(first) != first) {
        return None;
    }
    let is_square = |c: char| {
        matches!(
            c,
            'a'..='h' | 'α'..='θ' | 'а' | 'с' | 'е' | 'x' | ':' | '×' | 'х' | 'χ' | '-' | '@' | '1'..='8'
        )
    };
    let mut squares = word.char_indices().take(12).skip(1);
    let (end, _) = squares.by_ref().find(|&(_, c)| is_square(c))?;
    let has_rank = word[end..].chars().take(8).any(|c| matches!(c, '1'..='8'));
    let letters = sign.unwrap_or(&word[..end]);
    (has_rank && letters.chars().count() <= 2).then_some(letters)
}

/// A word without the number of the move before it.
fn without_number(word: &str) -> &str {
    word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '…')
}

/// How many plies of the words can be played with the letters of one language alone.
fn reach<P: Playable>(position: &P, words: &[&str], language: &Language) -> usize {
    let (mut position, mut played) = (position.clone(), 0);
    for word in words {
        let word = without_number(word);
        if word.is_empty() {
            continue;
        }
        match lenient_move::resolve_strictly_in(&position, word, language) {
            Ok(Some(m)) => {
                position.play_unchecked(m);
                played += 1;
            }
            // A word that is no move in any language says nothing about one.
            Err(stop) if stop.error == MoveError::Unreadable && piece_letters(word).is_none() => {}
            Ok(None) | Err(_) => break,
        }
    }
    played
}

impl Language {
    /// Whether letters are those of one of its pieces, or a file of its own.
    fn has(&self, letters: &str) -> bool {
        // Hardly any text has the letter of the pawn in movetext.
        self.letters[..5].contains(&letters)
            || (!letters.is_ascii() && self.files.contains(letters))
    }

    /// Whether movetext in the two looks the same.
    pub fn moves_as(&self, other: &Self) -> bool {
        self.letters[..5] == other.letters[..5] && self.files == other.files
    }

    /// Whether this is English, as far as movetext goes.
    pub fn is_english(&self) -> bool {
        self.moves_as(ENGLISH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&'static str> {
        let best = LetterCounts::of(text.split_whitespace()).best();
        best.first().map(|language| language.code)
    }

    #[test]
    fn a_text_tells_its_language() {
        for (text, code) in [
            ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6", Some("en")),
            ("1.e4 e5 2.Sf3 Sc6 3.Lb5 a6 4.La4 Sf6", Some("de")),
            ("1.e4 e5 2.Cf3 Cc6 3.Fb5 a6 4.Fa4 Cf6", Some("fr")),
            ("1.e4 e5 2.Cf3 Cc6 3.Ab5 a6 4.Aa4 Cf6", Some("es")),
            ("1.e4 e5 2.Кf3 Кc6 3.Сb5 a6 4.Сa4 Кf6 5.Крe2", Some("ru")),
            ("1.Ιδ4 Ρδ7 2.Ιβ5 Ρε7 3.Πζ7#", Some("el")),
            ("1.ε4 ε5 2.ζ4 εχζ4", Some("el")),
            ("1.e4 e5 2.Pf3 Pc6 3.Lb5 a6 4.La4 Pf6", Some("nl")),
            ("1.e4 e5 2.Hf3 Hc6 3.Fb5 a6 4.Fa4 Hf6", Some("hu")),
            ("1.e4 e5 2.Jf3 Jc6 3.Sb5 a6 4.Sa4 Jf6", Some("cs")),
            ("1.e4 e5 2.Sxf3 Sc6 3.Gb5 a6 4.Ga4 Sf6", Some("pl")),
            ("1.e4 e5 2.♘f3 ♞c6 3.♗b5", Some("figurine")),
            ("1.e4 Sf6 2.Sc3 S@d4", Some("de")),
            ("1.e4 e5 exd5 bxc3", None),
            ("Xyz1 Qqq9", None),
        ] {
            assert_eq!(found(text), code, "{text}");
        }
    }

    #[test]
    fn letters_of_another_keyboard_do_not_hide_the_language() {
        // Latin K and C in a Russian text, as typists who have no Cyrillic ones.
        let text = "1.e4 e5 2.Kf3 Kc6 3.Cb5 Фe7 4.C:c6 dc 5.Лe1 Kpd8";
        assert_eq!(found(text), Some("ru"));
    }

    #[test]
    fn play_decides_where_letters_do_not() {
        // R and K are pieces in English and in Finnish; the knight is R there.
        let words: Vec<&str> = "1. e4 e5 2. Rf3 Rc6 3. Rc3 Rf6"
            .split_whitespace()
            .collect();
        let best = LetterCounts::of(words.iter().copied()).best();
        let found = furthest(&best, &[(Chess::default(), words)]);
        assert_eq!(found.map(|found| found.code), Some("fi"));
    }

    #[test]
    fn another_language_must_explain_more_and_lead_as_far() {
        let better = |text: &str, expected: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let expected = Language::by_code(expected).expect(expected);
            better_language(&Chess::default(), &words, expected).map(|found| found.code)
        };
        assert_eq!(better("e4 e5 Sf3 Sc6 Lb5", "en"), Some("de"));
        assert_eq!(better("e4 e5 Nf3 Nc6 Bb5", "de"), Some("en"));
        assert_eq!(better("e4 e5 Pf3 Pc6 Lb5", "en"), Some("nl"));
        // English pawns with their letter, not Dutch knights.
        assert_eq!(better("Pe4 Pe5 Pd4 Pd5", "en"), None);
        // An illegal move is no reason to look elsewhere.
        assert_eq!(better("e4 e5 Nb5 Nc6", "en"), None);
    }
}
