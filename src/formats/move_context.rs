//! Moves that a text says of a position, in the words around them. The rules are numbered as in
//! `docs/reading-epd.md`.

use super::{
    games,
    json_like::{self, ObjectField},
};
use crate::games::running_text::side_to_move::{self, StatedSide};

/// Bytes of a label in front of moves.
const LABEL_BYTES_MAX: usize = 30;

/// Words that say that moves follow, also without a colon.
const LABELS: [&str; 4] = ["solution", "best move", "best line", "moves"];

/// What a text says of the moves that are played from a position, if it is nothing else, but
/// for a word before them: `Solution: 1... Kd4`.
pub(super) fn moves_beside(position: &str, text: &str) -> Option<Vec<ObjectField>> {
    let value = |key: &str, text: &str| ObjectField {
        key: Some(key.to_owned()),
        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
        is_bare: false,
    };
    let text = without_rules(text);
    // Signs that point at moves, and brackets around them, are no words.
    let bare = unmarked(text);
    if bare.len() < text.len()
        && let Some(line) = json_like::played_line(position, bare)
    {
        return Some(vec![value("pv", &line)]);
    }
    let label = |(label, _): &(&str, &str)| {
        let is_word = |c: char| c.is_alphabetic() || c.is_whitespace();
        label.len() <= LABEL_BYTES_MAX && label.chars().all(is_word)
    };
    let named = || {
        let is_blank_behind = |word: &&&str| text[word.len()..].starts_with(char::is_whitespace);
        let is_said = |word: &&&str| {
            let begin = text.get(..word.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word))
        };
        let word = LABELS.iter().filter(is_said).find(is_blank_behind)?;
        let (label, moves) = text.split_at(word.len());
        json_like::played_line(position, moves).map(|_| (label, moves))
    };
    let parted = text.split_once(':').filter(label).or_else(named);
    let (label, moves) = parted.unwrap_or(("", text));
    let count = games::moves_in(moves);
    let said = match json_like::played_line(position, moves) {
        Some(line) => value("pv", &line),
        None if count > usize::from(label.is_empty()) => value("moves", moves),
        None => return None,
    };
    let label = value("c1", label);
    let said = [said, label].into_iter();
    Some(said.filter(|value| !value.text.is_empty()).collect())
}

/// A text without the lines below it that are nothing but signs, as those that end a section.
fn without_rules(text: &str) -> &str {
    let mut text = text.trim_end();
    while let Some((above, line)) = text.rsplit_once(['\n', '\r'])
        && line.trim().len() > 2
        && !line.contains(char::is_alphanumeric)
    {
        text = above.trim_end();
    }
    text
}

/// A text without the dashes and arrows before it and the brackets around it.
fn unmarked(text: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || "-–—→=>".contains(c);
    let bare = text.trim().trim_start_matches(is_mark);
    let inner = |[open, close]: [char; 2]| bare.strip_prefix(open)?.strip_suffix(close);
    let inner = inner(['(', ')']).or_else(|| inner(['[', ']']));
    inner.unwrap_or(bare)
}

/// Whether a text is such moves, also where it is open who moves.
pub(super) fn are_moves(position: &str, text: &str) -> bool {
    let sides = ["w", "b"].map(StatedSide::One);
    sides.into_iter().any(|side| {
        let mut position = position.to_owned();
        side_to_move::complete(&mut position, side);
        moves_beside(&position, text).is_some()
    })
}

/// Who moves by the number of the first move after a board (`1... Kd7`), if that side can play
/// it; both where only the other one can.
pub(super) fn side_of_moves(position: &str, behind: &str) -> StatedSide {
    let mut words = behind.split_whitespace();
    let is_number = |word: &&str| {
        let dots = word.trim_start_matches(|c: char| c.is_ascii_digit());
        dots.len() < word.len() && (dots.starts_with("..") || dots.starts_with('…'))
    };
    let Some(number) = words.by_ref().take(2).find(is_number) else {
        return StatedSide::Unstated;
    };
    let glued = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '…'));
    let first = Some(glued).filter(|word| !word.is_empty()).or(words.next());
    let can_play = |side: &str| {
        let position = format!("{position} {side} - - 0 1");
        json_like::played_line(&position, first.unwrap_or_default()).is_some()
    };
    match ["b", "w"].iter().find(|side| can_play(side)) {
        Some(&"b") => StatedSide::One("b"),
        Some(_) => StatedSide::Both,
        None => StatedSide::Unstated,
    }
}
