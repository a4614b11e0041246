//! Stipulations in signs: `#3`, `3#`, `h#2.5`, `ser-zd4 5`, `PG 7.0`.

use crate::games::chess::basics::{Color, Square};

use super::stipulation::{Aim, Goal, Play, Stipulation};

/// More moves than any problem has.
const MOVES_MAX: u16 = 1000;

/// After signs that say nothing about it, or would say something else: who begins.
pub(super) const BEGINS: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

/// Reads a stipulation in signs; `None` if it is none.
pub(super) fn read(text: &str) -> Option<Stipulation> {
    let text = text.trim();
    let mut marks = BEGINS.iter();
    let said = marks.find_map(|&(mark, side)| Some((text.strip_suffix(mark)?, side)));
    let Some((before, side)) = said else {
        return unmarked(text);
    };
    let mut found = unmarked(before.trim_end())?;
    found.begins = Some(side);
    Some(found)
}

fn unmarked(text: &str) -> Option<Stipulation> {
    match text {
        "+" => return Some(Stipulation::new(Play::Study, Goal::Win, None)),
        "=" => return Some(Stipulation::new(Play::Study, Goal::Draw, None)),
        _ => {}
    }
    let lower = text.to_lowercase();
    let (lower, exact) = match lower.strip_prefix("exact-") {
        Some(rest) => (rest, true),
        None => (lower.as_str(), false),
    };
    let mut found = proof_game(lower)
        .or_else(|| number_first(lower))
        .or_else(|| {
            Play::ALL
                .iter()
                .filter(|play| !matches!(play, Play::Study | Play::ProofGame))
                .find_map(|&play| goal_and_number(lower.strip_prefix(play.sign())?, play))
        })?;
    found.exact = exact;
    Some(found)
}

/// `PG 7.0`, `SPG 12.5`.
fn proof_game(text: &str) -> Option<Stipulation> {
    let rest = text
        .strip_prefix("spg")
        .or_else(|| text.strip_prefix("pg"))?;
    let (half_moves, rest) = number(rest.trim_start_matches([' ', 'i', 'n']))?;
    finish(Play::ProofGame, Goal::Position, half_moves, rest)
}

/// `3#`.
fn number_first(text: &str) -> Option<Stipulation> {
    let (half_moves, rest) = number(text)?;
    let (aim, rest) = aim(rest.trim_start())?;
    finish(Play::Direct, Goal::Aim(aim), half_moves, rest)
}

fn goal_and_number(text: &str, play: Play) -> Option<Stipulation> {
    let goals = [
        ("z", Goal::TargetSquare as fn(Square) -> Goal),
        ("k", Goal::KissSquare as fn(Square) -> Goal),
    ];
    for (sign, goal) in goals {
        let Some(rest) = text.strip_prefix(sign) else {
            continue;
        };
        // Popeye writes `z3d4`, journals `zd4 3`.
        let before =
            number(rest).and_then(|(half, rest)| square(rest).map(|(at, rest)| (half, at, rest)));
        let after = || {
            let (at, rest) = square(rest)?;
            let (half, rest) = number(rest.trim_start())?;
            Some((half, at, rest))
        };
        if let Some((half_moves, at, rest)) = before.or_else(after) {
            return finish(play, goal(at), half_moves, rest);
        }
    }
    let (aim, rest) = aim(text)?;
    let (half_moves, rest) = number(rest.trim_start())?;
    finish(play, Goal::Aim(aim), half_moves, rest)
}

fn aim(text: &str) -> Option<(Aim, &str)> {
    Aim::ALL
        .iter()
        .find_map(|&aim| Some((aim, text.strip_prefix(aim.sign())?)))
}

fn square(text: &str) -> Option<(Square, &str)> {
    let square = Square::from_ascii(text.as_bytes().get(..2)?).ok()?;
    Some((square, &text[2..]))
}

/// A number of moves, in half-moves and not none: `3`, `2.5`, `7.0`. One that begins
/// with `00` is castling, which is an aim.
fn number(text: &str) -> Option<(u16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 1 && text.starts_with('0') {
        return None;
    }
    let whole: u16 = text[..digits].parse().ok().filter(|&n| n <= MOVES_MAX)?;
    let rest = &text[digits..];
    for (end, half) in [(".5", 1), (",5", 1), ("½", 1), (".0", 0)] {
        if let Some(rest) = rest.strip_prefix(end)
            && !rest.starts_with(|c: char| c.is_ascii_digit())
        {
            let halves = whole * 2 + half;
            return (halves > 0).then_some((halves, rest));
        }
    }
    (whole > 0).then_some((whole * 2, rest))
}

/// What may stand after the number: `*`, then how many solutions.
fn finish(play: Play, goal: Goal, half_moves: u16, rest: &str) -> Option<Stipulation> {
    let mut found = Stipulation::new(play, goal, Some(half_moves));
    let rest = rest.trim_start_matches('!').trim();
    let rest = if rest == "." { "" } else { rest };
    let (rest, set_play) = match rest.strip_prefix('*') {
        Some(rest) => (rest.trim(), true),
        None => (rest, false),
    };
    found.set_play = set_play;
    if !rest.is_empty() {
        // `1.Nd4` is the solution itself.
        let is_solution = rest.match_indices('.').any(|(at, _)| {
            let behind = rest[at..].trim_start_matches(['.', '…']).trim_start();
            behind.starts_with(char::is_alphabetic)
        });
        if is_solution || !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        // The dots are part of how solutions are counted: `2.1...`.
        found.solutions = Some(rest.to_owned());
    }
    Some(found)
}
