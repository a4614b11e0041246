//! Games that stand one on a line, without numbers or results.

use super::{
    AnyPosition,
    chess::rules::Board,
    variant::{ALL, Tier},
};
use crate::games::Game as _;

/// Lines that are looked at, and words of each.
const LINES_MAX: usize = 64;
const WORDS_MAX: usize = 600;

/// Whether each line of a text is a game from the usual start of one kind of game, while the lines
/// after each other are none: then a game is not just wrapped.
///
/// ```
/// use plydex::games::lines::are_games;
/// assert!(are_games(b"e4 e5 Nf3 Nc6\nd4 d5 c4 e6 Nc3\n"));
/// assert!(!are_games(b"e4 e5 Nf3 Nc6\nd4 exd4 Nxd4\n"));
/// assert!(are_games(b"32-28 19-23 28x19 14x23\n32-28 18-22 37-32\n"));
/// ```
pub fn are_games(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    if text.lines().nth(1).is_none() {
        return false;
    }
    let is_legal = |text: &str| {
        played(&Board::initial(), text, |at, word| {
            next(at.read_alone(word))
        })
    };
    are_games_by(text, &is_legal) || {
        let others = ALL.iter().filter(|row| row.tier() != Some(Tier::Assumed));
        let mut starts = others.filter_map(AnyPosition::start);
        starts.any(|start| {
            let is_legal = |text: &str| played(&start, text, |at, word| next(at.read_alone(word)));
            are_games_by(text, &is_legal)
        })
    }
}

/// The same where `is_legal` says whether moves can be played from the start.
fn are_games_by(text: &str, is_legal: &dyn Fn(&str) -> bool) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_game = |line: &str| line.split_whitespace().nth(1).is_some() && is_legal(line);
    // The second line tells nearly always at its first words.
    lines().nth(1).is_some_and(is_game) && lines().take(LINES_MAX).all(is_game) && !is_legal(text)
}

/// The position behind a word.
fn next<P: Clone>(read: Option<(Vec<(String, P)>, bool)>) -> Option<P> {
    Some(read?.0.last()?.1.clone())
}

/// Whether all words of a text can be played.
fn played<P: Clone>(start: &P, text: &str, next: impl Fn(&P, &str) -> Option<P>) -> bool {
    let mut at = start.clone();
    text.split_whitespace().take(WORDS_MAX).all(|word| {
        let behind = next(&at, word);
        behind.map(|behind| at = behind).is_some()
    })
}
