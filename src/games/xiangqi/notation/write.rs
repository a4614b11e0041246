//! Writing moves by their squares.

use super::letters;
use crate::games::{
    grid::NINE,
    xiangqi::rules::{
        Ply, Position,
        man::{self, NONE},
    },
};

fn file(square: u8) -> char {
    char::from(b'a' + NINE.file(square))
}

fn rank(square: u8) -> u8 {
    NINE.rank(square) + 1
}

/// A move as engines write it, ranks from 1: `h3e3`, `h10g8`; a null move is `0000`.
pub fn write_uci(ply: Ply) -> String {
    if ply.is_null() {
        return "0000".to_owned();
    }
    let (from, to) = (ply.from, ply.to);
    format!("{}{}{}{}", file(from), rank(from), file(to), rank(to))
}

/// A move as ICCS has it, ranks from 0: `H2-E2`; a null move is `--`.
pub fn write_iccs(ply: Ply) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let square = |square| format!("{}{}", file(square).to_ascii_uppercase(), rank(square) - 1);
    format!("{}-{}", square(ply.from), square(ply.to))
}

/// A legal move in the manner of SAN: `Che3`, `Rxb10+`, `A10e9`, `Pg6`; a null
/// move is `--`.
pub fn write_san(position: &Position, ply: Ply) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let man = position.at(ply.from);
    let mut out = String::with_capacity(8);
    out.push(letters(man::role(man)).1);
    let rivals: Vec<u8> = position
        .legal()
        .into_iter()
        .filter(|other| other.to == ply.to && other.from != ply.from)
        .map(|other| other.from)
        .filter(|&from| position.at(from) == man)
        .collect();
    let shares_file = rivals.iter().any(|&other| file(other) == file(ply.from));
    let shares_rank = rivals.iter().any(|&other| rank(other) == rank(ply.from));
    if !rivals.is_empty() && (!shares_file || shares_rank) {
        out.push(file(ply.from));
    }
    if shares_file {
        out.push_str(&rank(ply.from).to_string());
    }
    if position.at(ply.to) != NONE {
        out.push('x');
    }
    out.push(file(ply.to));
    out.push_str(&rank(ply.to).to_string());
    let mut next = *position;
    next.play(ply);
    if next.is_check() {
        let is_mate = next.legal().is_empty();
        out.push(if is_mate { '#' } else { '+' });
    }
    out
}
