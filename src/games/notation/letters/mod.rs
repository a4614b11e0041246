//! Piece letters of languages, as one table of facts: a new language is a row.
//!
//! The table is in the order in which a language is taken for a diagram that
//! several can have written: by how much archives of problems use it.
//! Among the common ones no two disagree once English letters are set aside, so
//! in movetext a letter alone shows what is meant. The others are tried only when these have no
//! legal reading.
//!
//! Sources: section 17 of the PGN standard, unless a row says otherwise.

mod detect;
mod fold;
mod respell;

pub use detect::{LetterCounts, better_language, furthest, is_foreign};
pub use fold::{Alphabet, fold, fold_look_alikes};
pub(super) use fold::{lower, upper};
pub use respell::EnglishWord;

use crate::games::chess::basics::Role;
use Usage::{Common, Problems, Rare};

/// The piece letters of one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code; with a suffix where a language has more than one custom.
    pub code: &'static str,
    /// English name.
    pub name: &'static str,
    /// Letters in the order king, queen, rook, bishop, knight, pawn.
    pub letters: [&'static str; 6],
    /// Letters of the files in movetext.
    pub files: &'static str,
    /// Where its letters are met.
    pub usage: Usage,
}

/// Where the letters of a language are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// Archives use it so often that it is tried before the others.
    Common,
    /// Tried when the common ones have no reading.
    Rare,
    /// In diagrams and solutions of problems; in movetext only where all of it speaks for it.
    Problems,
}

/// The pieces in the order of [`Language::letters`].
pub const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

const fn row(
    usage: Usage,
    code: &'static str,
    name: &'static str,
    letters: [&'static str; 6],
) -> Language {
    Language {
        code,
        name,
        letters,
        files: "abcdefgh",
        usage,
    }
}

impl Language {
    /// With its own letters for the files, too.
    const fn with_files(mut self, files: &'static str) -> Self {
        self.files = files;
        self
    }
}

/// English, the language of PGN.
pub const ENGLISH: &Language = &LANGUAGES[0];

/// English as Popeye and problem journals write it.
pub const PROBLEM_ENGLISH: &Language = &LANGUAGES[4];

impl Default for &'static Language {
    fn default() -> Self {
        ENGLISH
    }
}

/// Every language known, the likeliest first.
pub const LANGUAGES: &[Language] = &[
    row(Common, "en", "English", ["K", "Q", "R", "B", "N", "P"]),
    // As Greek books and problem magazines print them.
    row(Common, "el", "Greek", ["Ρ", "Β", "Π", "Α", "Ι", "Σ"]).with_files("αβγδεζηθ"),
    row(Common, "ru", "Russian", ["Кр", "Ф", "Л", "С", "К", "П"]),
    row(Common, "de", "German", ["K", "D", "T", "L", "S", "B"]),
    // Popeye and English problem journals: N is the nightrider.
    row(
        Problems,
        "en-problem",
        "English (problems)",
        ["K", "Q", "R", "B", "S", "P"],
    ),
    // German texts that spell the pawn as others do.
    row(
        Problems,
        "de-seed",
        "German (pawn P)",
        ["K", "D", "T", "L", "S", "P"],
    ),
    row(Common, "fr", "French", ["R", "D", "T", "F", "C", "P"]),
    row(Common, "es", "Spanish", ["R", "D", "T", "A", "C", "P"]),
    row(Rare, "pt", "Portuguese", ["R", "D", "T", "B", "C", "P"]),
    row(Rare, "ro", "Romanian", ["R", "D", "T", "N", "C", "P"]),
    row(Rare, "hu", "Hungarian", ["K", "V", "B", "F", "H", "G"]),
    row(Rare, "pl", "Polish", ["K", "H", "W", "G", "S", "P"]),
    row(Rare, "cs", "Czech", ["K", "D", "V", "S", "J", "P"]),
    row(Rare, "fi", "Finnish", ["K", "D", "T", "L", "R", "P"]),
    row(Common, "nl", "Dutch", ["K", "D", "T", "L", "P", "O"]),
    // Not in the standard; from common usage.
    row(Rare, "bg", "Bulgarian", ["Ц", "Д", "Т", "О", "К", "П"]),
    row(Rare, "uk", "Ukrainian", ["Кр", "Ф", "Т", "С", "К", "П"]),
    row(Common, "it", "Italian", ["R", "D", "T", "A", "C", "P"]),
    row(Rare, "ca", "Catalan", ["R", "D", "T", "A", "C", "P"]),
    row(Rare, "da", "Danish", ["K", "D", "T", "L", "S", "B"]),
    row(Rare, "no", "Norwegian", ["K", "D", "T", "L", "S", "B"]),
    row(Rare, "sv", "Swedish", ["K", "D", "T", "L", "S", "B"]),
    row(Rare, "is", "Icelandic", ["K", "D", "H", "B", "R", "P"]),
    row(Rare, "et", "Estonian", ["K", "L", "V", "O", "R", "P"]),
    // Not in the standard; from common usage.
    row(Rare, "sk", "Slovak", ["K", "D", "V", "S", "J", "P"]),
    row(Rare, "sl", "Slovene", ["K", "D", "T", "L", "S", "P"]),
    row(Rare, "hr", "Croatian", ["K", "D", "T", "L", "S", "P"]),
    row(Rare, "lv", "Latvian", ["K", "D", "T", "L", "Z", "B"]),
    row(Rare, "lt", "Lithuanian", ["K", "V", "B", "R", "Ž", "P"]),
    row(Rare, "sq", "Albanian", ["M", "D", "T", "O", "K", "P"]),
    row(Rare, "tr", "Turkish", ["Ş", "V", "K", "F", "A", "P"]),
    row(Rare, "eo", "Esperanto", ["R", "D", "T", "K", "Ĉ", "P"]),
    row(Rare, "id", "Indonesian", ["R", "M", "B", "G", "K", "P"]),
    row(Rare, "vi", "Vietnamese", ["V", "H", "X", "T", "M", "C"]),
    row(Rare, "sr", "Serbian", ["К", "Д", "Т", "Л", "С", "П"]),
];

/// The signs of pieces instead of letters: no language, but written and read like one.
/// They stand in outline for both sides, as in printed books.
pub static FIGURINES: Language = row(
    Problems,
    "figurine",
    "figurines",
    ["♔", "♕", "♖", "♗", "♘", "♙"],
);

impl Language {
    /// What moves can be written in: the language with this code or English name,
    /// or `figurine`.
    pub fn for_moves(code: &str) -> Option<&'static Self> {
        let mut all = LANGUAGES.iter().chain([&FIGURINES]);
        all.find(|language| language.is_called(code))
    }

    /// The language with this code, or this English name.
    pub fn by_code(code: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.is_called(code))
    }

    fn is_called(&self, code: &str) -> bool {
        self.code.eq_ignore_ascii_case(code) || self.name.eq_ignore_ascii_case(code)
    }

    /// The language's letter of a piece.
    pub fn letter(&self, role: Role) -> &'static str {
        // From the pawn up, roles are numbered from 1.
        self.letters[ROLES.len() - role as usize]
    }

    /// The alphabet of its letters.
    pub fn script(&self) -> Alphabet {
        let first = self.letters[0].chars().next();
        first.and_then(Alphabet::of).unwrap_or(Alphabet::Latin)
    }

    /// Whether its letters are tried for a single word of movetext without other evidence.
    pub fn in_movetext(&self) -> bool {
        self.usage != Usage::Problems
    }

    /// The piece a word begins with and the length of its letter in
    /// characters; the longest letter wins (`Кр` before `К`).
    pub fn piece_at_start(&self, word: &[char]) -> Option<(Role, usize)> {
        let at_start = |(role, letter): (Role, &str)| {
            let length = letter.chars().count();
            let head = word.get(..length)?.iter().copied();
            letter.chars().eq(head).then_some((role, length))
        };
        let found = ROLES.into_iter().zip(self.letters).filter_map(at_start);
        found.max_by_key(|&(_, length)| length)
    }

    /// The language's letter that looks like this Latin one: typists who lack
    /// the alphabet use the look-alike. Only where the language is certain.
    pub fn look_alike(&self, c: char) -> Option<char> {
        let own = self.script().look_alike(c)?;
        let known = self.letters.iter().any(|letter| letter.starts_with(own));
        known.then_some(own)
    }
}

/// The piece of a chess figurine; its colour says nothing about who moves.
pub const fn figurine(c: char) -> Option<Role> {
    match c {
        // White's in the order of the letters, then Black's.
        '♔'..='♟' => Some(ROLES[(c as usize - '♔' as usize) % ROLES.len()]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_english_is_first() {
        for (at, language) in LANGUAGES.iter().enumerate() {
            assert!(
                LANGUAGES[at + 1..]
                    .iter()
                    .all(|other| other.code != language.code)
            );
        }
        assert_eq!(ENGLISH.code, "en");
    }

    #[test]
    fn common_languages_agree_outside_english_letters() {
        let letters = |language: &'static Language| ROLES.into_iter().zip(language.letters);
        for a in LANGUAGES
            .iter()
            .filter(|language| language.usage == Usage::Common)
        {
            for b in LANGUAGES
                .iter()
                .filter(|language| language.usage == Usage::Common)
            {
                for (role_a, letter_a) in letters(a) {
                    for (role_b, letter_b) in letters(b) {
                        let english = ENGLISH.letters.contains(&letter_a);
                        assert!(
                            english || letter_a != letter_b || role_a == role_b,
                            "{letter_a}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_table_has_every_language_of_the_vectors() {
        let mut seen = 0;
        for line in include_str!("../../../../tests/vectors/piece_letters.tsv")
            .lines()
            .skip(1)
        {
            let cells: Vec<&str> = line.split('\t').collect();
            // Serbian in Latin letters is written as Croatian is.
            let code = if cells[0] == "sr-cyr" { "sr" } else { cells[0] };
            let language = Language::by_code(code).expect(code);
            assert_eq!(language.letters, cells[3..9], "{code}");
            assert_eq!(language.script().code(), cells[2], "{code}");
            seen += 1;
        }
        assert_eq!(seen, LANGUAGES.len());
    }

    #[test]
    fn the_longest_letter_wins() {
        let russian = Language::by_code("ru").expect("in the table");
        let word: Vec<char> = "Крf3".chars().collect();
        assert_eq!(russian.piece_at_start(&word), Some((Role::King, 2)));
        assert_eq!(russian.piece_at_start(&['К', 'f']), Some((Role::Knight, 1)));
    }
}
