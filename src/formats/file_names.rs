//! What the name of a file says of its records.

use std::path::Path;

use crate::{games::variant::Variant, input::format};

/// A game that a file's name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileNameGame {
    /// One of the registry.
    Variant(&'static Variant),
    /// One that is not, and whose positions must not be taken for another's.
    Foreign(&'static str),
}

/// Games of the board of chess, or nearly, whose rules are not known here: the
/// names that the files of opening books for Fairy-Stockfish have.
const FOREIGN: &str = "\
    aiwok alice almost amazon asean berolina breakthrough cambodian centaur chancellor \
    chennis clobber clobber10 codrus courier dobutsu extinction grid hoppelpoppel janggi \
    jesonmor judkins karouk kinglet knightmate kyotoshogi loop losalamos makpong makruk \
    mansindam minishogi newzealand pocketknight shako shatranj shogi threekings \
    troitzky twokings upsidedown";

/// The game whose name, in one of its spellings, is a word of the file's name
/// (`atomic.epd`, `3check-p4-f12.epd`); `None` if there is none, or several.
pub(super) fn named(path: &Path) -> Option<FileNameGame> {
    let name = path.file_name()?.to_string_lossy();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let mut found: Option<FileNameGame> = None;
    // `king-of-the-hill` has four words; of names within each other the longest
    // one is meant.
    let mut at = 0;
    while at < words.len() {
        let named = (1..=WORDS_MAX.min(words.len() - at))
            .rev()
            .find_map(|len| Some((len, spelled(&words[at..at + len].concat())?)));
        match named {
            Some((_, named)) if found.is_some_and(|known| known != named) => return None,
            Some((len, named)) => {
                found = Some(named);
                at += len;
            }
            None => at += 1,
        }
    }
    found
}

/// Games whose files have an ending of their own.
const ENDINGS: [(&str, &str); 3] = [
    ("wxf", "xiangqi"),
    ("dhtmlxq", "xiangqi"),
    ("ggf", "othello"),
];

/// The game that the ending of a file stands for.
pub(super) fn by_ending(path: &Path) -> Option<&'static Variant> {
    let mut known = ENDINGS.iter();
    let (_, name) = known.find(|(ending, _)| format::has_extension(path, &[ending]))?;
    Variant::by_name(name)
}

fn spelled(word: &str) -> Option<FileNameGame> {
    // Numbers name variants elsewhere, and two letters say too little.
    if word.len() < 3 || !word.bytes().any(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let variant = Variant::named(word).map(FileNameGame::Variant);
    variant.or_else(|| foreign(word).map(FileNameGame::Foreign))
}

fn foreign(word: &str) -> Option<&'static str> {
    let mut known = FOREIGN.split(' ');
    known.find(|name| word.eq_ignore_ascii_case(name))
}

/// Whether a name, or a word of it, is that of a game other than chess, even if that has no row in
/// the registry: `Makruk`, `Othello 10x10`.
pub fn names_other_game(name: &str) -> bool {
    let is_other = |word: &str| match spelled(word) {
        Some(FileNameGame::Variant(variant)) => variant.id != Variant::CHESS,
        Some(FileNameGame::Foreign(_)) => true,
        None => false,
    };
    let whole: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    is_other(&whole) || name.split(|c: char| !c.is_alphanumeric()).any(is_other)
}

/// Words of the longest name.
const WORDS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let name = |path: &str| match named(Path::new(path)) {
            Some(FileNameGame::Variant(variant)) => variant.name,
            Some(FileNameGame::Foreign(name)) => name,
            None => "",
        };
        for (path, wanted) in [
            ("atomic.epd", "atomic"),
            ("x/ianfab__3check-p4-f12.epd", "threecheck"),
            ("king-of-the-hill_start.epd.zst", "kingofthehill"),
            ("Racing Kings.epd", "racingkings"),
            ("ianfab__alice.epd", "alice"),
            ("knights.epd", ""),
            ("atomic/positions.epd", ""),
            ("atomic-or-horde.epd", ""),
            ("960.epd", ""),
            ("20.fen", ""),
            ("-", ""),
        ] {
            assert_eq!(name(path), wanted, "{path}");
        }
    }
}
