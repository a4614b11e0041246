//! The games that are kin to chess, xiangqi and Othello, as users meet them: read
//! from files, found, written again.

mod naive;
mod reading;
mod vectors;

use std::fmt::Write as _;

use plydex::{
    games::variant::Variant,
    notation::kin,
    position::{Kin, KinPly},
    record::{Game, Item},
};

/// Every variant of which a game can begin without a FEN.
pub(super) fn variants() -> impl Iterator<Item = Kin> {
    plydex::games::variant::ALL.iter().filter_map(kin::start)
}

/// The moves of a game as text.
pub(super) fn moves(game: &Game) -> Vec<&str> {
    let words = game.items.iter().map(|item| match item {
        Item::Move(word) => Some(word.as_str()),
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

/// A game by choices among its legal moves, with the position before each.
pub(super) fn line(start: &Kin, choices: &[u8]) -> Vec<(Kin, KinPly)> {
    let mut at = start.clone();
    let mut line = Vec::new();
    for &choice in choices {
        let legal = at.position.legal();
        if legal.is_empty() {
            break;
        }
        let ply = legal[usize::from(choice) % legal.len()];
        line.push((at.clone(), ply));
        at.position.play(ply);
    }
    line
}

/// The moves of a line as its game writes them.
pub(super) fn words(line: &[(Kin, KinPly)]) -> String {
    let words: Vec<String> = line
        .iter()
        .map(|(at, ply)| kin::san(&at.position, *ply))
        .collect();
    words.join(" ")
}
