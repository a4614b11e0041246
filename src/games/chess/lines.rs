//! Games of chess that stand one on a line, without numbers or results.

use super::rules::Board;
use crate::games::Game as _;

/// Lines that are looked at, and words of each.
const LINES_MAX: usize = 64;
const WORDS_MAX: usize = 600;

/// Whether each line of a text is a game from the usual start, while the lines after each
/// other are none: then a game is not just wrapped.
///
/// ```
/// use plydex::games::chess::lines::are_games;
/// assert!(are_games(b"e4 e5 Nf3 Nc6\nd4 d5 c4 e6 Nc3\n"));
/// assert!(!are_games(b"e4 e5 Nf3 Nc6\nd4 exd4 Nxd4\n"));
/// ```
pub fn are_games(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_game = |line: &str| line.split_whitespace().nth(1).is_some() && is_legal(line);
    // The second line tells nearly always at its first words.
    lines().nth(1).is_some_and(is_game) && lines().take(LINES_MAX).all(is_game) && !is_legal(text)
}

fn is_legal(text: &str) -> bool {
    let mut at = Board::initial();
    text.split_whitespace().take(WORDS_MAX).all(|word| {
        let last = at
            .read_alone(word)
            .and_then(|(read, _)| Some(read.last()?.1.clone()));
        last.map(|last| at = last).is_some()
    })
}
