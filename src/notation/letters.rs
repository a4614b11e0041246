//! Piece letters of languages, as one table of facts.
//!
//! The first languages are those whose letters the PGN standard lists and
//! archives use most; among them no two disagree once English letters are set
//! aside, so a letter alone tells what is meant. The others are asked only
//! when these know no legal reading.

use shakmaty::Role;

/// The piece letters of one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code.
    pub code: &'static str,
    /// English name.
    pub name: &'static str,
    /// Letters in the order king, queen, rook, bishop, knight, pawn.
    pub letters: [&'static str; 6],
    /// Whether archives use it so much that it is asked before the others.
    pub common: bool,
}

const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

const fn common(code: &'static str, name: &'static str, letters: [&'static str; 6]) -> Language {
    Language {
        code,
        name,
        letters,
        common: true,
    }
}

const fn rare(code: &'static str, name: &'static str, letters: [&'static str; 6]) -> Language {
    Language {
        code,
        name,
        letters,
        common: false,
    }
}

/// English, the language of PGN.
pub const ENGLISH: &Language = &LANGUAGES[0];

/// Every language known. PGN standard, section 17, unless noted.
pub const LANGUAGES: &[Language] = &[
    common("en", "English", ["K", "Q", "R", "B", "N", "P"]),
    common("de", "German", ["K", "D", "T", "L", "S", "B"]),
    common("fr", "French", ["R", "D", "T", "F", "C", "P"]),
    common("es", "Spanish", ["R", "D", "T", "A", "C", "P"]),
    common("it", "Italian", ["R", "D", "T", "A", "C", "P"]),
    common("nl", "Dutch", ["K", "D", "T", "L", "P", "O"]),
    common("ru", "Russian", ["Кр", "Ф", "Л", "С", "К", "П"]),
    // As Greek books and problem magazines print them.
    common("el", "Greek", ["Ρ", "Β", "Π", "Α", "Ι", "Σ"]),
    rare("ca", "Catalan", ["R", "D", "T", "A", "C", "P"]),
    rare("pt", "Portuguese", ["R", "D", "T", "B", "C", "P"]),
    rare("ro", "Romanian", ["R", "D", "T", "N", "C", "P"]),
    rare("da", "Danish", ["K", "D", "T", "L", "S", "B"]),
    rare("no", "Norwegian", ["K", "D", "T", "L", "S", "B"]),
    rare("sv", "Swedish", ["K", "D", "T", "L", "S", "B"]),
    rare("fi", "Finnish", ["K", "D", "T", "L", "R", "P"]),
    rare("is", "Icelandic", ["K", "D", "H", "B", "R", "P"]),
    rare("et", "Estonian", ["K", "L", "V", "O", "R", "P"]),
    rare("hu", "Hungarian", ["K", "V", "B", "F", "H", "G"]),
    rare("pl", "Polish", ["K", "H", "W", "G", "S", "P"]),
    rare("cs", "Czech", ["K", "D", "V", "S", "J", "P"]),
    // Not in the standard; from common usage.
    rare("sk", "Slovak", ["K", "D", "V", "S", "J", "P"]),
    rare("sl", "Slovene", ["K", "D", "T", "L", "S", "P"]),
    rare("hr", "Croatian", ["K", "D", "T", "L", "S", "P"]),
    rare("lv", "Latvian", ["K", "D", "T", "L", "Z", "B"]),
    rare("lt", "Lithuanian", ["K", "V", "B", "R", "Ž", "P"]),
    rare("sq", "Albanian", ["M", "D", "T", "O", "K", "P"]),
    rare("tr", "Turkish", ["Ş", "V", "K", "F", "A", "P"]),
    rare("eo", "Esperanto", ["R", "D", "T", "K", "Ĉ", "P"]),
    rare("id", "Indonesian", ["R", "M", "B", "G", "K", "P"]),
    rare("vi", "Vietnamese", ["V", "H", "X", "T", "M", "C"]),
    rare("uk", "Ukrainian", ["Кр", "Ф", "Т", "С", "К", "П"]),
    rare("bg", "Bulgarian", ["Ц", "Д", "Т", "О", "К", "П"]),
    rare("sr", "Serbian", ["К", "Д", "Т", "Л", "С", "П"]),
];

impl Language {
    /// The language with this ISO 639-1 code.
    pub fn by_code(code: &str) -> Option<&'static Self> {
        LANGUAGES
            .iter()
            .find(|language| language.code.eq_ignore_ascii_case(code))
    }

    /// The piece a word begins with and the length of its letter in
    /// characters; the longest letter wins (`Кр` before `К`).
    pub fn piece_at_start(&self, word: &[char]) -> Option<(Role, usize)> {
        let mut best = None;
        for (role, letter) in ROLES.into_iter().zip(self.letters) {
            let length = letter.chars().count();
            if word.len() >= length
                && letter.chars().eq(word[..length].iter().copied())
                && best.is_none_or(|(_, longest)| length > longest)
            {
                best = Some((role, length));
            }
        }
        best
    }

    /// The language's letter that looks like this Latin one: typists who lack
    /// the alphabet use the look-alike. Only where the language is certain.
    pub fn look_alike(&self, c: char) -> Option<char> {
        let pairs: &[(char, char)] = match self.code {
            "el" => &[('P', 'Ρ'), ('B', 'Β'), ('A', 'Α'), ('I', 'Ι')],
            "ru" | "uk" | "bg" | "sr" => &[('K', 'К'), ('C', 'С'), ('T', 'Т'), ('O', 'О')],
            _ => &[],
        };
        pairs
            .iter()
            .find(|&&(latin, _)| latin == c)
            .map(|&(_, own)| own)
    }
}

/// The piece of a chess figurine; its colour says nothing about who moves.
pub const fn figurine(c: char) -> Option<Role> {
    Some(match c {
        '♔' | '♚' => Role::King,
        '♕' | '♛' => Role::Queen,
        '♖' | '♜' => Role::Rook,
        '♗' | '♝' => Role::Bishop,
        '♘' | '♞' => Role::Knight,
        '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
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
        for a in LANGUAGES.iter().filter(|language| language.common) {
            for b in LANGUAGES.iter().filter(|language| language.common) {
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
    fn the_longest_letter_wins() {
        let russian = Language::by_code("ru").expect("in the table");
        let word: Vec<char> = "Крf3".chars().collect();
        assert_eq!(russian.piece_at_start(&word), Some((Role::King, 2)));
        assert_eq!(russian.piece_at_start(&['К', 'f']), Some((Role::Knight, 1)));
    }
}
