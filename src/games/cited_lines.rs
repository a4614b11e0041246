//! Games that stand one on a line, without numbers or results.

use super::{
    MovetextRules as _,
    chess::rules::ChessBoard,
    position_input::{self, ExpectedVariants},
    variant::{ALL, Variant, VariantDetection},
};

/// Lines that are looked at, and words of each.
const LINES_MAX: usize = 64;
const WORDS_MAX: usize = 600;

/// Whether each line of a text is a game from the standard start position of one kind of game,
/// while the lines after each other are not one game: then a game is not just wrapped.
///
/// ```
/// use plydex::games::cited_lines::are_games;
/// assert!(are_games(b"e4 e5 Nf3 Nc6\nd4 d5 c4 e6 Nc3\n"));
/// assert!(!are_games(b"e4 e5 Nf3 Nc6\nd4 exd4 Nxd4\n"));
/// assert!(are_games(b"32-28 19-23 28x19 14x23\n32-28 18-22 37-32\n"));
/// assert!(are_games(b"f5d6c3d3c4\nf5f6e6f4e3\n"));
/// ```
pub fn are_games(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    are_games_by(text, &is_of_chess) || {
        let mut others = ALL
            .iter()
            .filter(|row| row.tier() != Some(VariantDetection::Assumed));
        others.any(|row| are_games_by(text, &|text| is_of(row, text)))
    }
}

/// The same where `is_legal` says whether moves can be played from the start.
fn are_games_by(text: &str, is_legal: &dyn Fn(&str) -> bool) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    // A word alone can be several moves only where they stick together.
    let is_several = |line: &str| line.split_whitespace().nth(1).is_some() || line.len() > 8;
    let is_game = |line: &str| is_several(line) && is_legal(line);
    // The second line nearly always decides at its first words.
    lines().nth(1).is_some_and(is_game) && lines().take(LINES_MAX).all(is_game) && !is_legal(text)
}

fn is_of_chess(text: &str) -> bool {
    let mut at = ChessBoard::initial();
    text.split_whitespace().take(WORDS_MAX).all(|word| {
        let last = at
            .read_alone(word)
            .and_then(|(read, _)| Some(read.last()?.1.clone()));
        last.map(|last| at = last).is_some()
    })
}

/// Whether all words of a text are moves from the start of a kind of game.
fn is_of(row: &'static Variant, text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(WORDS_MAX).collect();
    let read =
        position_input::read_position(&words.join(" "), &ExpectedVariants { rows: vec![row] });
    // Several moves may stick together: `f5d6c3`.
    read.is_ok_and(|read| read.moves.len() >= words.len())
}
