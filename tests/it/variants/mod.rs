//! The games that are kin to chess, xiangqi and Othello, as users meet them: read
//! from files, found, written again.

mod naive;
mod reading;
mod told;
mod vectors;

use std::fmt::Write as _;

use plydex::{
    base::record::{GameRecord, MovetextItem},
    games::{
        AnyPosition, Budget,
        variant::{Variant, VariantDetection},
    },
};

/// Every variant of which a game can begin without a FEN.
pub(super) fn variants() -> impl Iterator<Item = AnyPosition> {
    let rows = plydex::games::variant::ALL.iter();
    rows.filter(|row| row.tier() == Some(VariantDetection::Named))
        .filter_map(AnyPosition::start)
}

/// The moves of a game as text.
pub(super) fn moves(game: &GameRecord) -> Vec<&str> {
    let words = game.items.iter().map(|item| match item {
        MovetextItem::Move(word) => Some(word.as_str()),
        _ => None,
    });
    words.flatten().collect()
}

/// A record of some moves with the tags that tell the game.
pub(super) fn record(variant: &Variant, fen: Option<&str>, result: &str, words: &str) -> String {
    let mut text = match variant.game_type {
        Some(number) => format!("[GameType \"{number}\"]\n"),
        None => format!("[Variant \"{}\"]\n", variant.title),
    };
    if let Some(fen) = fen {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]");
    }
    let _ = write!(text, "[Result \"{result}\"]\n\n{words} {result}\n\n");
    text
}

/// A game by choices among its legal moves: each with the position before it.
pub(super) fn line(start: &AnyPosition, choices: &[u8]) -> Vec<(AnyPosition, String)> {
    let mut at = start.clone();
    let mut line = Vec::new();
    for &choice in choices {
        let mut legal = at.moves(Budget::default()).expect("few");
        if legal.is_empty() {
            break;
        }
        let next = legal.swap_remove(usize::from(choice) % legal.len());
        let [name, _] = next.names;
        line.push((at, name));
        at = next.behind;
    }
    line
}

/// The moves of a line as its game writes them.
pub(super) fn words(line: &[(AnyPosition, String)]) -> String {
    let words: Vec<&str> = line.iter().map(|(_, word)| word.as_str()).collect();
    words.join(" ")
}
