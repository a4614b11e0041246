//! The notation of the World Xiangqi Federation: `C2=5`, `H8+7`, `C+-2`.
//!
//! Files count from each player's own right, from 1. Men that go along lines
//! tell how many steps they go ahead (`+`) or back (`-`), the others and all
//! moves to the side (`=`) the file they go to. Where two men of a kind stand on
//! one file, `+` (the front one) or `-` (the rear one) takes the place of the
//! file, before or behind the letter; where soldiers stand so on several files
//! or in threes, the number of the soldier from the front stands before its file
//! and in place of the letter: `17+1`.

use super::{letters, role};
use crate::games::{
    grid::NINE,
    xiangqi::rules::{
        Ply, Position,
        man::{self, ADVISOR, ELEPHANT, HORSE, SOLDIER},
    },
};

/// Which of its like moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// The one on a file.
    File(u8),
    Front,
    Rear,
    /// The one between two others.
    Middle,
    /// The soldier of this number, from the front, on a file.
    Soldier(u8, u8),
}

/// A move as it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    role: u8,
    who: Who,
    sign: char,
    digit: u8,
}

/// The file of a square as a side counts it.
const fn file_of(side: u8, square: u8) -> u8 {
    let file = NINE.file(square);
    if side == 0 { 9 - file } else { file + 1 }
}

/// Takes a text apart; `None` if it is none of these.
pub(super) fn parse(text: &str) -> Option<Said> {
    let chars: Vec<char> = text
        .chars()
        .map(|c| match c {
            '.' => '=',
            '–' | '—' | '−' => '-',
            c => c,
        })
        .collect();
    let &[first, second, sign, digit] = &chars[..] else {
        return None;
    };
    let number = |c: char| c.to_digit(10).filter(|&d| d > 0).map(|d| d as u8);
    let place = |c| match c {
        '+' => Some(Who::Front),
        '-' => Some(Who::Rear),
        '=' => Some(Who::Middle),
        _ => None,
    };
    let digit = number(digit)?;
    if !matches!(sign, '+' | '-' | '=') {
        return None;
    }
    let (role, who) = if let Some(index) = number(first) {
        (SOLDIER, Who::Soldier(index, number(second)?))
    } else if let Some(who) = place(first) {
        (role(second)?, who)
    } else if let Some(who) = place(second) {
        (role(first)?, who)
    } else {
        (role(first)?, Who::File(number(second)?))
    };
    Some(Said {
        role,
        who,
        sign,
        digit,
    })
}

/// The sign and the digit of a move.
fn way(position: &Position, ply: Ply) -> (char, u8) {
    let side = position.turn();
    let (from, to) = (NINE.rank(ply.from), NINE.rank(ply.to));
    let sign = match (to > from) == (side == 0) {
        _ if from == to => '=',
        true => '+',
        false => '-',
    };
    let role = man::role(position.at(ply.from));
    let digit = if sign == '=' || matches!(role, HORSE | ELEPHANT | ADVISOR) {
        file_of(side, ply.to)
    } else {
        from.abs_diff(to)
    };
    (sign, digit)
}

/// The men like that on a square which stand on its file, itself included,
/// counted from the front: its number from 0, and how many there are.
fn tandem(position: &Position, square: u8) -> (u8, u8) {
    let man = position.at(square);
    let mut like: Vec<u8> = (0..NINE.ranks)
        .map(|rank| NINE.at(NINE.file(square), rank))
        .filter(|&other| position.at(other) == man)
        .collect();
    if position.turn() == 0 {
        like.reverse();
    }
    let number = like.iter().position(|&other| other == square);
    (number.unwrap_or(0) as u8, like.len() as u8)
}

/// Whether a legal move is the one that was said.
pub(super) fn fits(position: &Position, ply: Ply, said: &Said) -> bool {
    if man::role(position.at(ply.from)) != said.role
        || way(position, ply) != (said.sign, said.digit)
    {
        return false;
    }
    let file = file_of(position.turn(), ply.from);
    let (number, count) = tandem(position, ply.from);
    match said.who {
        Who::File(said) => said == file,
        Who::Front => count > 1 && number == 0,
        Who::Rear => count > 1 && number + 1 == count,
        Who::Middle => count == 3 && number == 1,
        Who::Soldier(index, said) => said == file && number + 1 == index,
    }
}

/// A legal move as WXF has it; a null move is `--`.
///
/// ```
/// use plydex::games::xiangqi::notation::{Ranks, fen, resolve, write_wxf};
/// let start = fen::read(fen::START).unwrap().position;
/// let ply = resolve(&start, "h2e2", Ranks::FromZero).unwrap();
/// assert_eq!(write_wxf(&start, ply), "C2=5");
/// ```
pub fn write(position: &Position, ply: Ply) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let role = man::role(position.at(ply.from));
    let letter = letters(role).1;
    let (sign, digit) = way(position, ply);
    let file = file_of(position.turn(), ply.from);
    let (number, count) = tandem(position, ply.from);
    // Of advisors and elephants on one file only one can go ahead, and only the
    // other back.
    if count < 2 || matches!(role, ELEPHANT | ADVISOR) {
        return format!("{letter}{file}{sign}{digit}");
    }
    let other_file_has_some = (0..NINE.squares())
        .filter(|&square| NINE.file(square) != NINE.file(ply.from))
        .any(|square| {
            position.at(square) == position.at(ply.from) && tandem(position, square).1 > 1
        });
    if count == 2 && !other_file_has_some {
        let place = if number == 0 { '+' } else { '-' };
        return format!("{letter}{place}{sign}{digit}");
    }
    format!("{}{file}{sign}{digit}", number + 1)
}
