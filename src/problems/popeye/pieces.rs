//! The pieces of a `pieces` statement: `white Kc8 Qg7b3 royal Pb7 black Ke1`.

use super::words::InputLanguage;
use crate::{
    games::chess::basics::Square,
    problems::{ProblemDiagram, ProblemPiece, ProblemSide, begins_with},
};

/// What of a `pieces` statement is not on the diagram.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OffBoardPieces {
    /// How many pieces there are whose name and square are unknown.
    pub(super) invisible: Option<String>,
    /// Words that are no pieces.
    pub(super) unread: String,
}

/// Reads pieces onto a diagram.
pub(super) fn read(
    words: &[String],
    language: &InputLanguage,
    diagram: &mut ProblemDiagram,
) -> OffBoardPieces {
    let mut unread: Vec<&str> = Vec::new();
    let mut side = None;
    let mut kinds: Vec<String> = Vec::new();
    let mut words = words.iter().map(String::as_str).peekable();
    let mut expects_kind = false;
    let mut invisible = None;
    while let Some(word) = words.next() {
        // Pieces that end as a word of the language begins are tried first: `nea3`.
        let piece = piece(word);
        if piece.is_none() {
            if let Some(named) = language.side(word) {
                side = Some(named);
                kinds.clear();
                expects_kind = true;
                continue;
            }
            // New kinds come with every version of the program.
            let is_word = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            if expects_kind && is_word {
                let kind = language.kind(word).map(str::to_owned);
                kinds.push(kind.unwrap_or_else(|| word.to_ascii_lowercase()));
                continue;
            }
            // Pieces with nothing but their number known.
            if word.len() > 4
                && begins_with("totalinvisible", word)
                && let Some(number) = words.next_if(|next| next.bytes().all(|b| b.is_ascii_digit()))
            {
                invisible = Some(number);
                continue;
            }
        }
        let place =
            |name: &str, squares: &[Square], side: ProblemSide, diagram: &mut ProblemDiagram| {
                for &square in squares {
                    let piece = ProblemPiece {
                        side,
                        name: english(name, language),
                        kinds: kinds.clone(),
                    };
                    diagram.put(square, Some(piece));
                }
            };
        expects_kind = false;
        let glued = match piece {
            Some((name, squares)) => Some((name, squares)),
            // The squares may be a word of their own: `B a1b2`.
            None => words
                .peek()
                .filter(|_| is_name(word))
                .and_then(|next| squares(next))
                .map(|squares| {
                    words.next();
                    (word, squares)
                }),
        };
        match (glued, side) {
            (Some((name, squares)), Some(side)) => {
                place(name, &squares, side, diagram);
                // There is one royal piece of a side at most, so it holds for one.
                kinds.retain(|kind| kind != "royal");
            }
            _ => unread.push(word),
        }
    }
    OffBoardPieces {
        invisible: invisible.map(str::to_owned),
        unread: unread.join(" "),
    }
}

fn english(name: &str, language: &InputLanguage) -> String {
    let parts: Vec<String> = name.split('/').map(|part| language.english(part)).collect();
    parts.join("/")
}

fn is_name(word: &str) -> bool {
    let letters = |part: &str| {
        matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    word.is_ascii() && word.split('/').count() <= 2 && word.split('/').all(letters)
}

/// A name with its squares: one letter where the word is of odd length, else two.
fn piece(word: &str) -> Option<(&str, Vec<Square>)> {
    if !word.is_ascii() {
        return None;
    }
    let from = word.find('/').map_or(0, |at| at + 1);
    let rest = word.get(from..)?;
    let name = if rest.len() % 2 == 1 { 1 } else { 2 };
    let (name, places) = word.split_at_checked(from + name)?;
    let squares = squares(places)?;
    is_name(name).then_some((name, squares))
}

fn squares(text: &str) -> Option<Vec<Square>> {
    let lower = text.to_ascii_lowercase();
    let squares: Option<Vec<Square>> = lower
        .as_bytes()
        .chunks(2)
        .map(|square| Square::from_ascii(square).ok())
        .collect();
    squares.filter(|squares| !squares.is_empty())
}
