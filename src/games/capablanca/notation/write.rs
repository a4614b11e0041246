//! Writing moves.

use super::letter;
use crate::games::capablanca::{
    rows::Compound,
    rules::{
        Ply, Position, Way,
        man::{self, NONE, PAWN},
    },
};

pub(super) fn push_square(variant: &Compound, square: u8, out: &mut String) {
    let grid = variant.facts.board.grid();
    out.push(char::from(b'a' + grid.file(square)));
    out.push(char::from(b'1' + grid.rank(square)));
}

/// A legal move as SAN: `Nh3`, `Axf6+`, `e8=C`, `O-O-O`, `Nf3/H`, `O-O/Eh1`;
/// a null move is `--`.
pub fn write_san(variant: &Compound, position: &Position, ply: Ply) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let mut out = String::with_capacity(10);
    if ply.way.is_castling() {
        let text = if ply.to > ply.from { "O-O" } else { "O-O-O" };
        out.push_str(text);
    } else {
        push_man(variant, position, ply, &mut out);
    }
    if let Way::Promotion(role) = ply.way {
        out.push('=');
        out.push(letter(variant, role));
    }
    if let Some(role) = ply.way.gated() {
        out.push('/');
        out.push(letter(variant, role));
        if let Way::CastlingGating { at_rook, .. } = ply.way {
            push_square(variant, if at_rook { ply.to } else { ply.from }, &mut out);
        }
    }
    let mut next = *position;
    next.play(ply);
    if next.is_check() {
        let is_mate = next.legal().is_empty();
        out.push(if is_mate { '#' } else { '+' });
    }
    out
}

/// The man that moves, told apart from its like, and where it goes.
fn push_man(variant: &Compound, position: &Position, ply: Ply, out: &mut String) {
    let grid = variant.facts.board.grid();
    let man = position.at(ply.from);
    let takes = position.at(ply.to) != NONE || {
        // In passing.
        man::role(man) == PAWN && grid.file(ply.from) != grid.file(ply.to)
    };
    if man::role(man) == PAWN {
        if takes {
            out.push(char::from(b'a' + grid.file(ply.from)));
        }
    } else {
        out.push(letter(variant, man::role(man)));
        let rivals: Vec<u8> = position
            .legal()
            .into_iter()
            .filter(|other| {
                other.way == Way::Plain
                    && other.to == ply.to
                    && other.from != ply.from
                    && position.at(other.from) == man
            })
            .map(|other| other.from)
            .collect();
        let shares = |part: fn(u8, u8) -> u8| {
            rivals
                .iter()
                .any(|&other| part(other, grid.files) == part(ply.from, grid.files))
        };
        let shares_file = shares(|square, files| square % files);
        let shares_rank = shares(|square, files| square / files);
        if !rivals.is_empty() && (!shares_file || shares_rank) {
            out.push(char::from(b'a' + grid.file(ply.from)));
        }
        if shares_file {
            out.push(char::from(b'1' + grid.rank(ply.from)));
        }
    }
    if takes {
        out.push('x');
    }
    push_square(variant, ply.to, out);
}

/// A move as engines write it: `e2e4`, `e7e8c`, `g1f3h`; castling is the king's
/// two squares, or the king's and the rook's where arrays are free; what comes
/// in beside the rook has the rook's square first, `h1e1h`. A null move is `0000`.
pub fn write_uci(variant: &Compound, position: &Position, ply: Ply) -> String {
    if ply.is_null() {
        return "0000".to_owned();
    }
    let (mut from, mut to) = (ply.from, ply.to);
    let at_rook = matches!(ply.way, Way::CastlingGating { at_rook: true, .. });
    if at_rook {
        (from, to) = (to, from);
    } else if ply.way.is_castling() && !variant.facts.free_array {
        to = position.castled_king(from, to);
    }
    let mut out = String::with_capacity(5);
    push_square(variant, from, &mut out);
    push_square(variant, to, &mut out);
    if let Way::Promotion(role) | Way::Gating(role) | Way::CastlingGating { role, .. } = ply.way {
        out.push(letter(variant, role).to_ascii_lowercase());
    }
    out
}
