//! Diagrams as problemists write them: Forsyth's notation with the piece letters
//! of any language.
//!
//! Nothing in such a string says which language it is in, so it is read in all of
//! them, and what no diagram can be is left out: a side without one king, pawns on
//! the last ranks, kings side by side. Mostly one board is left; if not, all are given, the
//! likeliest first. How often that happens is measured in `docs/forsyth.md`.

mod detect;
mod error;
mod placement;
#[cfg(test)]
pub(crate) mod tests;

use crate::games::chess::basics::{Board, Color, Position as _, Setup};

pub use error::ForsythError;
pub use placement::write;
use placement::{SQUARES_MAX, SQUARES_MIN};

use super::letters::{LANGUAGES, Language, fold, fold_look_alikes};
use crate::base::diagnostic::Code;
use crate::games::chess::notation::{fen, lenient_move};

/// A diagram as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forsyth {
    /// Every board that it can be, the likeliest first; never empty.
    pub candidates: Vec<Candidate>,
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
}

/// One board that a text can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What stands where.
    pub board: Board,
    /// The languages that make the text say so, the likeliest first. Of languages
    /// with the same letters only the likeliest is named.
    pub languages: Vec<&'static Language>,
}

/// Reads a diagram in whatever language it is. Slashes may be missing; brackets,
/// quotes and a full stop around it do not count, nor do accents. Letters of
/// another alphabet that look alike are put right where that is certain.
///
/// ```
/// use plydex::games::notation::forsyth;
///
/// let greek = forsyth::read("Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2").unwrap();
/// let german = forsyth::read("T7/4k3/4S3/K2L4/8/8/8/5T2").unwrap();
/// assert_eq!(greek.board(), german.board());
/// assert_eq!(forsyth::write(greek.board(), german.language()), "T7/4k3/4S3/K2L4/8/8/8/5T2");
/// ```
///
/// # Errors
///
/// [`ForsythError`], of the language whose reading came furthest.
pub fn read(text: &str) -> Result<Forsyth, ForsythError> {
    read_with(text, None)
}

/// Like [`read`], with the language that the text around it is in, if that is
/// known: its reading comes first.
///
/// # Errors
///
/// As [`read`].
pub fn read_with(text: &str, hint: Option<&Language>) -> Result<Forsyth, ForsythError> {
    let mut warnings = Vec::new();
    let text = prepare(text, &mut warnings)?;
    let mut candidates = detect::candidates(&text)?;
    if let Some(hint) = hint {
        prefer(&mut candidates, |candidate| {
            let same = |other: &&Language| other.letters == hint.letters;
            usize::from(candidate.languages.iter().any(same))
        });
    }
    Ok(Forsyth::new(candidates, warnings))
}

/// Reads a diagram of one language. Boards that play cannot bring about, such as
/// those with nine pawns, are let through with a warning.
///
/// # Errors
///
/// [`ForsythError`].
pub fn read_in(text: &str, language: &'static Language) -> Result<Forsyth, ForsythError> {
    let mut warnings = Vec::new();
    let text = prepare(text, &mut warnings)?;
    let board = placement::read(&text, language)?;
    detect::check(&board)?;
    let mut read = Forsyth::of(board, language);
    read.warnings.splice(..0, warnings);
    Ok(read)
}

/// Whether a word has the shape of a diagram: eight ranks between slashes, of
/// letters and digits.
pub fn looks_like_placement(word: &str) -> bool {
    let word = trim(word);
    let plain = |c: char| c.is_alphanumeric() || c == '/' || ('\u{300}'..='\u{36F}').contains(&c);
    word.matches('/').count() == 7
        && word.chars().all(plain)
        && word
            .chars()
            .any(|c| c.is_ascii_digit() || c.is_alphabetic())
}

/// Whether a word without slashes can have the squares of a board; `false` where that shows before
/// it is read in every language.
pub fn can_fill_board(word: &str) -> bool {
    let word = trim(word);
    // What is folded may have other letters than these.
    if !word.is_ascii() {
        return true;
    }
    let (mut empty, mut letters) = (0_usize, 0);
    for part in word
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit())
    {
        match part {
            [byte] if byte.is_ascii_alphabetic() => letters += 1,
            [byte, ..] if !byte.is_ascii_digit() => return false,
            // No board has more than two digits of empty squares in a row.
            [_, _, _, ..] => return false,
            digits => {
                empty += digits
                    .iter()
                    .fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'));
            }
        }
    }
    empty <= SQUARES_MAX && empty + letters >= SQUARES_MIN
}

impl Forsyth {
    /// A board with nothing but its language.
    #[must_use]
    pub fn of(board: Board, language: &'static Language) -> Self {
        let candidate = Candidate {
            board,
            languages: vec![language],
        };
        Self::new(vec![candidate], Vec::new())
    }

    fn new(candidates: Vec<Candidate>, mut warnings: Vec<Code>) -> Self {
        if candidates.len() > 1 {
            warnings.push(Code::AmbiguousDiagram);
        }
        if let Some(first) = candidates.first() {
            warnings.extend(detect::oddities(&first.board));
        }
        Self {
            candidates,
            warnings,
        }
    }

    /// The likeliest board.
    pub fn board(&self) -> &Board {
        &self.candidates[0].board
    }

    /// The likeliest language of the likeliest board.
    pub fn language(&self) -> &'static Language {
        self.candidates[0].languages[0]
    }

    /// Whether the text can mean another board.
    pub fn is_ambiguous(&self) -> bool {
        self.candidates.len() > 1
    }

    /// Puts those readings first that let either side play the first moves of a solution, keys and
    /// tries alike.
    pub fn weigh_by_moves(&mut self, words: &[&str]) {
        prefer(&mut self.candidates, |candidate| {
            let language = candidate.languages[0];
            words
                .iter()
                .filter(|word| playable(&candidate.board, word, language))
                .count()
        });
    }
}

/// Whether one side can begin with a move, its letters read in this language.
fn playable(board: &Board, word: &str, language: &Language) -> bool {
    Color::ALL.into_iter().any(|turn| {
        let setup = Setup {
            board: board.clone(),
            turn,
            ..Setup::empty()
        };
        fen::set_up(&setup, &mut Vec::new()).is_ok_and(|position| {
            !position.legal_moves().is_empty()
                && lenient_move::resolve_strictly_in(&position, word, language).is_ok()
        })
    })
}

/// Sorts candidates by a weight, the heaviest first, else as they stand.
fn prefer(candidates: &mut [Candidate], weight: impl Fn(&Candidate) -> usize) {
    candidates.sort_by_cached_key(|candidate| std::cmp::Reverse(weight(candidate)));
}

/// Takes off what stands around a diagram and brings letters into one spelling.
fn prepare(text: &str, warnings: &mut Vec<Code>) -> Result<String, ForsythError> {
    let text = fold(trim(text)).into_owned();
    if text.is_empty() {
        return Err(ForsythError::Empty);
    }
    match fold_look_alikes(&text) {
        Some(folded) => {
            warnings.push(Code::Homoglyph);
            Ok(folded)
        }
        None => Ok(text),
    }
}

/// Takes off brackets, quotes, full stops, commas and blanks around a diagram.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "()[]\"'“”„«».,;:\u{FEFF}".contains(c))
}

/// The languages that are tried, each set of letters once.
pub fn distinct_languages() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().enumerate().filter_map(|(at, language)| {
        LANGUAGES[..at]
            .iter()
            .all(|other| other.letters != language.letters)
            .then_some(language)
    })
}
