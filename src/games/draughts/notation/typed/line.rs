//! Moves, one after the other.

use super::DraughtsTextError;
use crate::games::Budget;
use crate::{
    games::draughts::{
        notation::{
            moves as draughts_move,
            moves::{Form, MoveError, is_separator, square::Numbering},
        },
        rows::DraughtsVariant,
        rules::{BLACK, Move, Position, moves, must_capture},
    },
    notation::{clip, position_text::strip_comments, so_far},
};

/// Positions that captures written short can lead to, at most; a line of a few
/// moves has two or three.
const WAYS_MAX: usize = 32;

/// A line of moves being read.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) variant: &'static DraughtsVariant,
    pub(super) numbering: Numbering,
    /// What the moves so far can have led to, the likeliest first: a capture
    /// written short may be one of several, and what follows tells which.
    ways: Vec<(Position, Vec<Move>)>,
    /// What was played, for messages: `1. 32-28 19-23`.
    score: Vec<String>,
    /// Who makes the moves that have no dots.
    first: u8,
    plies: usize,
    from_start: bool,
}

impl Line {
    pub(super) fn new(
        variant: &'static DraughtsVariant,
        numbering: Numbering,
        position: Position,
        from_start: bool,
    ) -> Self {
        Self {
            variant,
            numbering,
            first: position.turn(),
            ways: vec![(position, Vec::new())],
            score: Vec::new(),
            plies: 0,
            from_start,
        }
    }

    /// Plays all moves of a text.
    pub(super) fn read(&mut self, text: &str) -> Result<(), DraughtsTextError> {
        let words = words(text);
        for (place, word) in words.iter().enumerate() {
            let last = place + 1 == words.len();
            if let Err(error) = self.play(word) {
                // A result looks like a move; it ends the line and cannot be played.
                if last && is_result(word) {
                    break;
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether two lines lead to the same positions.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.ways[0].0 == other.ways[0].0
    }

    /// The moves, where they lead, and whether they can mean others as well.
    pub(super) fn finish(mut self) -> (Vec<Move>, Position, bool) {
        let ambiguous = self.ways.len() > 1;
        let (position, moves) = self.ways.swap_remove(0);
        (moves, position, ambiguous)
    }

    fn play(&mut self, word: &str) -> Result<(), DraughtsTextError> {
        let mut next: Vec<(Position, Vec<Move>)> = Vec::new();
        let mut first_error = None;
        for (position, moves) in &self.ways {
            let found = draughts_move::candidates(
                position,
                &self.variant.rules,
                self.numbering,
                word,
                Budget::default(),
            );
            match found {
                Ok(found) => {
                    for played in found {
                        let mut after = *position;
                        after.play(&played);
                        let known = next.iter().any(|(other, _)| *other == after);
                        if !known && next.len() < WAYS_MAX {
                            let mut moves = moves.clone();
                            moves.push(played);
                            next.push((after, moves));
                        }
                    }
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        if next.is_empty() {
            return Err(self.error(word, first_error.as_ref()));
        }
        let second = self.ways[0].0.turn() != self.first;
        self.score.push(if second {
            word.to_owned()
        } else {
            format!("{}. {word}", self.plies / 2 + 1)
        });
        self.ways = next;
        self.plies += 1;
        Ok(())
    }

    fn error(&self, word: &str, error: Option<&MoveError>) -> DraughtsTextError {
        let after = so_far(&self.score, || {
            if self.from_start {
                format!("in the start position of {}", self.variant.title)
            } else {
                "in the position given".to_owned()
            }
        });
        let second = self.ways[0].0.turn() != self.first;
        let dots = if second { "..." } else { "" };
        let shown = clip(word);
        let (what, is_move) = match error {
            None | Some(MoveError::Unreadable(_)) => (format!("`{shown}` is not a move"), false),
            Some(MoveError::Illegal) => {
                let reason = reason(&self.ways[0].0, self.variant, self.numbering, word);
                (format!("`{shown}` cannot be played: {reason}"), true)
            }
            Some(error) => (format!("`{shown}` cannot be played: {error}"), true),
        };
        DraughtsTextError::Move {
            number: format!("{}{dots}", self.plies / 2 + 1),
            after,
            what,
            plies: self.plies,
            is_move,
        }
    }
}

/// Why a move cannot be played, as a player would put it.
pub(in crate::games::draughts) fn reason(
    position: &Position,
    variant: &DraughtsVariant,
    numbering: Numbering,
    word: &str,
) -> String {
    let rules = &variant.rules;
    let (side, other) = if position.turn() == BLACK {
        ("Black", "White")
    } else {
        ("White", "Black")
    };
    let Ok(text) = draughts_move::parse(word, numbering) else {
        return "no legal move goes over these squares".to_owned();
    };
    let (from, name) = (text.cells()[0], |cell: u8| {
        let mut name = String::new();
        numbering.write(cell, &mut name);
        name
    });
    let square = name(from);
    match position.at(from) {
        None => return format!("{square} is empty, and {side} moves"),
        Some(piece) if piece.side != position.turn() => {
            return format!("{other} stands on {square}, and {side} moves");
        }
        Some(_) => {}
    }
    let Ok(legal) = moves(position, rules, Budget::default()) else {
        return "no legal move goes over these squares".to_owned();
    };
    if must_capture(position, rules) {
        let list = list(position, variant, numbering, legal.iter());
        return format!("{side} must capture: {list}");
    }
    let own: Vec<&Move> = legal.iter().filter(|m| m.from == from).collect();
    if own.is_empty() {
        return format!("the piece on {square} cannot move");
    }
    format!(
        "the piece on {square} has only {}",
        list(position, variant, numbering, own.into_iter())
    )
}

/// Some moves of the position.
fn list<'m>(
    position: &Position,
    variant: &DraughtsVariant,
    numbering: Numbering,
    legal: impl Iterator<Item = &'m Move>,
) -> String {
    const SHOWN: usize = 4;
    let rules = &variant.rules;
    let mut names: Vec<String> = Vec::new();
    for m in legal {
        if names.len() == SHOWN {
            names.push("…".to_owned());
            break;
        }
        let separator = variant.capture_separator;
        let budget = Budget::default();
        let form = Form::Short;
        let written = draughts_move::write(position, rules, numbering, m, form, separator, budget);
        if let Ok(name) = written
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The words of a line that can be moves: numbers of moves, comments and marks
/// are gone, and what blanks tore apart (`1 - 5`, `47x36 <42, 29>`) is whole.
pub(super) fn words(text: &str) -> Vec<String> {
    let text = joined(&strip_comments(text));
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        let word = strip_number(word);
        let is_mark = word
            .chars()
            .all(|c| matches!(c, '!' | '?' | '+' | '#' | ',' | '.' | '…' | '*' | '(' | ')'));
        let is_glyph = word
            .strip_prefix('$')
            .is_some_and(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
        if !is_mark && !is_glyph {
            words.push(word.trim_end_matches(',').to_owned());
        }
    }
    words
}

/// Takes out the blanks around what stands between two squares, and those in and
/// before a list of captured pieces.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_list = false;
    while let Some(c) = rest.next() {
        if !c.is_whitespace() {
            in_list = c == '<' || in_list && c != '>';
            out.push(c);
            continue;
        }
        while rest.next_if(|c| c.is_whitespace()).is_some() {}
        let next = rest.peek().copied().unwrap_or(' ');
        let after_square = out.ends_with(|c: char| c.is_ascii_digit());
        let after_mark = out.ends_with(is_separator)
            && out[..out.len() - out.chars().next_back().map_or(0, char::len_utf8)]
                .ends_with(|c: char| c.is_ascii_digit());
        let glued = in_list
            || next == '<'
            || after_square && is_separator(next)
            || after_mark && next.is_ascii_alphanumeric();
        if !glued {
            out.push(' ');
        }
    }
    out
}

/// Takes a move number off a word: `12.`, `12...7-11`, `12`.
fn strip_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = |c: char| matches!(c, '.' | '…' | '․');
    let digits = word.len() - rest.len();
    if digits > 0 && rest.starts_with(dots) {
        return rest.trim_start_matches(dots);
    }
    // Four digits alone are a move.
    if rest.is_empty() && digits < 4 {
        ""
    } else {
        word
    }
}

fn is_result(word: &str) -> bool {
    matches!(
        word,
        "1-0" | "0-1" | "1/2-1/2" | "½-½" | "2-0" | "0-2" | "1-1" | "0-0"
    )
}
