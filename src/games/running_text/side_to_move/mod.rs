//! Who moves, where words beside a board say it: `White to move`, `Schwarz am Zug`, `ход
//! белых`. What is a condition, or names both sides, says nothing.

mod words;

use std::{collections::HashMap, sync::LazyLock};

use words::{BESIDE_WHITE, KEYS, KEYS_OF_WHITE_B, LANGUAGES, LETTERS, SideVocabulary};

/// Who a text says is to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum StatedSide {
    /// Nothing of it.
    #[default]
    Unstated,
    /// One side: `w` or `b`, as a FEN has it.
    One(&'static str),
    /// Both of them.
    Both,
}

/// Shorter words, which only a cell has.
const SHORT: [(&str, &str); 4] = [("w", "w"), ("wtm", "w"), ("b", "b"), ("btm", "b")];

/// What stands before a sentence that is a condition, denied, or about the other side, too.
const UNSURE: &[&str] = &[
    "if", "whether", "when", "were", "not", "or", "and", "suppose", "wenn", "falls", "ob", "nicht",
    "oder", "und", "si", "ou", "et", "o", "y", "se", "non", "als", "indien", "niet", "of", "если",
    "или", "и", "не", "jeśli", "lub", "nie", "i",
];

/// Words before what is said that are looked at for these.
const WORDS_BEFORE: usize = 3;

/// Whether a position is a board alone, so that nothing in it says who moves.
pub(crate) fn is_unsaid(position: &str) -> bool {
    let position = position.trim();
    position.starts_with(OPEN)
        || position.contains('/')
            && !position.contains(|c: char| c.is_whitespace() || matches!(c, ':' | ';'))
}

/// How a FEN of draughts begins that leaves open who moves.
const OPEN: &str = "?:";

/// Who moves by a cell that says nothing else: a letter, a colour, or one of the phrases.
pub(crate) fn cell(text: &str) -> Option<&'static str> {
    let words = words(text);
    let is_side = |&&(word, _): &&(&str, &str)| words.len() == 1 && words[0] == word;
    if let Some(&(_, side)) = SHORT.iter().find(is_side) {
        return Some(side);
    }
    LANGUAGES.iter().find_map(|language| match &words[..] {
        [word] => language.side(word),
        words => {
            let (side, len) = language.phrase_at(words)?;
            (len == words.len()).then_some(side)
        }
    })
}

/// The phrases that can begin with each word, with their languages and in the order of these. What
/// begins with a side is found by each word for one.
static PHRASES: LazyLock<HashMap<&str, Vec<(&SideVocabulary, &str)>>> = LazyLock::new(|| {
    let mut phrases: HashMap<&str, Vec<_>> = HashMap::new();
    for language in LANGUAGES {
        for &phrase in language.phrases {
            let mut add = |first| phrases.entry(first).or_default().push((language, phrase));
            match phrase.split(' ').next() {
                Some("*") => (language.sides()).for_each(|(word, _)| add(word)),
                Some(first) => add(first),
                None => {}
            }
        }
    }
    phrases
});

/// Who moves by what a text says anywhere.
pub(crate) fn said(text: &str) -> StatedSide {
    let words = words(text);
    let mut found = StatedSide::Unstated;
    for (at, word) in words.iter().enumerate() {
        let phrases = PHRASES.get(&word[..]).map_or(&[][..], |phrases| phrases);
        let read = |&(language, phrase): &(&SideVocabulary, &str)| {
            Some(language.read_phrase(phrase, &words[at..])?.0)
        };
        if let Some(side) = phrases.iter().find_map(read)
            && !is_unsure(&words[..at])
        {
            found = found.and(StatedSide::One(side));
        }
    }
    found
}

/// Who moves by a value that is called so: a colour, a letter or a sentence, and whether it is
/// true that White moves. A letter that can mean either says both.
pub(crate) fn value(key: &str, text: &str) -> StatedSide {
    let key: String = key.chars().filter(|c| c.is_alphanumeric()).collect();
    let key = key.to_lowercase();
    let of_white_b = KEYS_OF_WHITE_B.contains(&&key[..]);
    let is_key = of_white_b || KEYS.contains(&&key[..]);
    let letter = text.trim().to_lowercase();
    if let Some(is_true) = truth(&letter) {
        // As python-chess has it, White is true.
        let said = of_phrase(&key).or_else(|| (&key[..] == "turn").then_some("w"));
        let number = letter.parse::<u8>().is_ok() && key == "turn";
        return match said.filter(|_| !number) {
            Some(side) if is_true => StatedSide::One(side),
            Some(side) => StatedSide::One(if side == "w" { "b" } else { "w" }),
            None => StatedSide::Unstated,
        };
    }
    if is_key {
        let own = LETTERS.iter().find(|(own, _)| *own == letter);
        match own {
            _ if letter == "b" && of_white_b => return StatedSide::Both,
            Some((_, side)) => return StatedSide::One(side),
            None => {}
        }
        if let Some(side) = cell(text) {
            return StatedSide::One(side);
        }
    }
    said(text)
}

/// Whether a cell is a letter of one of the languages whose `b` is White.
pub(crate) fn is_beside_white(cell: &str) -> bool {
    BESIDE_WHITE.contains(&&cell.trim().to_lowercase()[..])
}

/// Whether a value is one of truth, and which.
fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// The side that is to move according to a name: `whiteToMove`, `is_black_turn`.
fn of_phrase(key: &str) -> Option<&'static str> {
    let key = key.strip_prefix("is").unwrap_or(key);
    let short = SHORT.iter().filter(|(word, _)| word.len() > 1);
    let short = short.filter(|(word, _)| *word == key);
    let turns = [("whiteturn", "w"), ("blackturn", "b")];
    let turn = turns.iter().filter(|(word, _)| *word == key);
    if let Some((_, side)) = short.chain(turn).next() {
        return Some(side);
    }
    LANGUAGES.iter().find_map(|language| {
        let says = |word: &str| {
            let mut phrases = language.phrases.iter();
            phrases.any(|phrase| phrase.replace('*', word).replace([' ', ':'], "") == key)
        };
        let mut sides = language.sides();
        sides.find(|(word, _)| says(word)).map(|(_, side)| side)
    })
}

/// Completes a board by the side that is said.
pub(crate) fn complete(position: &mut String, said: StatedSide) {
    let (true, StatedSide::One(side)) = (is_unsaid(position), said) else {
        return;
    };
    if position.starts_with(OPEN) {
        position.replace_range(..1, &side.to_ascii_uppercase());
    } else {
        position.truncate(position.trim_end().len());
        position.push(' ');
        position.push_str(side);
    }
}

impl StatedSide {
    /// What two texts say together.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unstated, said) | (said, Self::Unstated) => said,
            (one, other) if one == other => one,
            _ => Self::Both,
        }
    }
}

impl SideVocabulary {
    /// Its words for the sides, each with its letter in a FEN.
    fn sides(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let whites = self.white.iter().map(|word| (*word, "w"));
        whites.chain(self.black.iter().map(|word| (*word, "b")))
    }

    fn side(&self, word: &str) -> Option<&'static str> {
        let is_it = |&(own, _): &(&str, &str)| own == word;
        self.sides().find(is_it).map(|(_, side)| side)
    }

    /// The side of the phrase with which words begin, and how many of them it has.
    fn phrase_at(&self, words: &[String]) -> Option<(&'static str, usize)> {
        let mut phrases = self.phrases.iter();
        phrases.find_map(|phrase| self.read_phrase(phrase, words))
    }

    /// The same of one phrase.
    fn read_phrase(&self, phrase: &str, words: &[String]) -> Option<(&'static str, usize)> {
        let mut side = None;
        let mut len = 0;
        for (part, word) in phrase.split(' ').zip(words) {
            match part {
                "*" => side = Some(self.side(word)?),
                part if part == word => {}
                _ => return None,
            }
            len += 1;
        }
        side.filter(|_| len == phrase.split(' ').count())
            .map(|side| (side, len))
    }
}

/// A hyphen that is written only where a line ends.
const SOFT_HYPHEN: char = '\u{ad}';

/// Whether a text begins with the hyphen of a word that goes on in the next line.
fn is_broken(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['-', '‐']) else {
        return false;
    };
    let next = rest.trim_start_matches([' ', '\t']);
    let behind = next
        .strip_prefix("\r\n")
        .or(next.strip_prefix(['\n', '\r']));
    behind.is_some_and(|line| {
        line.trim_start_matches([' ', '\t'])
            .starts_with(char::is_lowercase)
    })
}

/// The words of a text in lower case; `.` for the end of a sentence and `:` for itself.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut is_open, mut is_broken_off) = (false, false);
    for (at, c) in text.char_indices() {
        if is_open && (c == SOFT_HYPHEN || is_broken(&text[at..])) {
            // The word goes on, perhaps in the next line.
            is_broken_off = true;
            continue;
        }
        if is_broken_off && c.is_whitespace() {
            continue;
        }
        is_broken_off = false;
        if c.is_alphanumeric() {
            if !is_open {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        } else if matches!(c, '.' | '!' | '?' | ';') {
            words.push(".".to_owned());
        } else if matches!(c, ':' | '=') {
            words.push(":".to_owned());
        }
        is_open = c.is_alphanumeric();
    }
    while words.last().is_some_and(|word| word == ".") {
        words.pop();
    }
    words
}

/// Whether the words before a phrase make it a condition, or add it to something else.
fn is_unsure(before: &[String]) -> bool {
    let of_sentence = before.iter().rev().take_while(|word| *word != ".");
    let mut near = of_sentence.take(WORDS_BEFORE);
    near.any(|word| UNSURE.contains(&&word[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index finds what all phrases of all languages do, one after the other.
    #[test]
    fn phrases_are_found_by_their_first_words() {
        let sides = || LANGUAGES.iter().flat_map(SideVocabulary::sides);
        let phrases = || LANGUAGES.iter().flat_map(|language| language.phrases);
        for text in
            sides().flat_map(|(side, _)| phrases().map(move |phrase| phrase.replace('*', side)))
        {
            let words = words(&text);
            let by_language = (0..words.len()).filter_map(|at| {
                let read = |language: &SideVocabulary| language.phrase_at(&words[at..]);
                let side = LANGUAGES.iter().find_map(read)?.0;
                (!is_unsure(&words[..at])).then_some(StatedSide::One(side))
            });
            let wanted = by_language.fold(StatedSide::Unstated, StatedSide::and);
            assert_eq!(said(&text), wanted, "{text}");
        }
    }

    #[test]
    fn sentences_say_who_moves() {
        for (text, wanted) in [
            ("White to move.", StatedSide::One("w")),
            ("3. Black to play and win", StatedSide::One("b")),
            ("Diagram 7 (black-to-move)", StatedSide::One("b")),
            ("Side to move: White", StatedSide::One("w")),
            ("It is Black's turn", StatedSide::One("b")),
            ("Weiß am Zug", StatedSide::One("w")),
            ("Hier SCHWARZ ZIEHT und gewinnt", StatedSide::One("b")),
            ("C'est aux Blancs de jouer", StatedSide::One("w")),
            ("Trait aux noirs", StatedSide::One("b")),
            ("Juegan blancas y ganan", StatedSide::One("w")),
            ("Juegan las negras", StatedSide::One("b")),
            ("Muove il Nero", StatedSide::One("b")),
            ("Jogam as pretas", StatedSide::One("b")),
            ("Zwart aan zet", StatedSide::One("b")),
            ("Ход белых", StatedSide::One("w")),
            ("чёрные начинают", StatedSide::One("b")),
            ("Bílý na tahu", StatedSide::One("w")),
            ("White to move wins; Black to move draws", StatedSide::Both),
            ("If it is Black to move, he is lost", StatedSide::Unstated),
            ("Wenn Weiß am Zug ist", StatedSide::Unstated),
            ("White or Black to move, all the same", StatedSide::Unstated),
            ("White to win, black kings", StatedSide::Unstated),
            ("Black wins", StatedSide::Unstated),
            ("White", StatedSide::Unstated),
            ("", StatedSide::Unstated),
        ] {
            assert_eq!(said(text), wanted, "{text}");
        }
    }

    #[test]
    fn cells_say_who_moves_by_a_word() {
        for (text, wanted) in [
            ("w", Some("w")),
            ("BTM", Some("b")),
            ("Schwarz", Some("b")),
            ("blancas", Some("w")),
            ("White to move.", Some("w")),
            ("White to move and win", None),
            ("noir", Some("b")),
            ("blanc", Some("w")),
            ("Whites", None),
            ("1-0", None),
            ("", None),
        ] {
            assert_eq!(cell(text), wanted, "{text}");
        }
    }

    #[test]
    fn values_say_who_moves_by_their_names() {
        for (key, text, wanted) in [
            ("whiteToMove", "false", StatedSide::One("b")),
            ("white_to_move", "true", StatedSide::One("w")),
            ("isBlackTurn", "1", StatedSide::One("b")),
            ("wtm", "0", StatedSide::One("b")),
            ("Weiß am Zug", "no", StatedSide::One("b")),
            ("turn", "True", StatedSide::One("w")),
            ("turn", "1", StatedSide::Unstated),
            ("white", "true", StatedSide::Unstated),
            ("active", "b", StatedSide::One("b")),
            ("Zug", "S", StatedSide::One("b")),
            ("Zug", "W", StatedSide::One("w")),
            ("trait", "N", StatedSide::One("b")),
            ("trait", "B", StatedSide::Both),
            ("ход", "ч", StatedSide::One("b")),
            ("Zug", "Sf3", StatedSide::Unstated),
            ("rating", "b", StatedSide::Unstated),
            ("winner", "black", StatedSide::Unstated),
        ] {
            assert_eq!(value(key, text), wanted, "{key} {text}");
        }
    }
}
