//! Writing moves.

use super::{cased, letter};
use crate::games::fairy::{
    rows::FairyVariant,
    rules::{
        FairyPly, FairyPlyKind, FairyPosition,
        piece::{self, NONE, PAWN},
    },
};

pub(super) fn push_square(variant: &FairyVariant, square: u8, out: &mut String) {
    push_file(variant, square, out);
    push_rank(variant, square, out);
}

fn push_file(variant: &FairyVariant, square: u8, out: &mut String) {
    out.push(char::from(b'a' + variant.facts.board.grid.file(square)));
}

fn push_rank(variant: &FairyVariant, square: u8, out: &mut String) {
    out.push_str(&(variant.facts.board.grid.rank(square) + 1).to_string());
}

/// A legal move as SAN: `Nh3`, `Axf6+`, `e8=C`, `O-O-O`, `Nf3/H`, `O-O/Eh1`, `N@f3`; in
/// xiangqi `Che3`, `Rxb10+`, `A10e9`, `Pg6`. A null move is `--`.
pub fn write_san(variant: &FairyVariant, position: &FairyPosition, ply: FairyPly) -> String {
    if ply.is_null() {
        return "--".to_owned();
    }
    let mut out = String::with_capacity(10);
    if ply.way.is_castling() {
        let text = if ply.to > ply.from { "O-O" } else { "O-O-O" };
        out.push_str(text);
    } else if let FairyPlyKind::Drop(role) = ply.way {
        push_drop(variant, role, ply.to, &mut out);
    } else {
        push_piece(variant, position, ply, &mut out);
    }
    if let FairyPlyKind::Promotion(role) = ply.way {
        out.push('=');
        out.push(letter(variant.move_letters, role));
    }
    if let Some(role) = ply.way.gated() {
        out.push('/');
        out.push(letter(variant.move_letters, role));
        if let FairyPlyKind::CastlingGating { at_rook, .. } = ply.way {
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

fn push_drop(variant: &FairyVariant, role: u8, to: u8, out: &mut String) {
    out.push(letter(variant.move_letters, role));
    out.push('@');
    push_square(variant, to, out);
}

/// The piece that moves, distinguished from its like, and where it goes.
fn push_piece(variant: &FairyVariant, position: &FairyPosition, ply: FairyPly, out: &mut String) {
    let grid = variant.facts.board.grid;
    let piece = position.at(ply.from);
    let is_pawn = piece::role(piece) == PAWN && !variant.is_eastern();
    // In passing, nothing stands where a pawn takes.
    let takes = position.at(ply.to) != NONE || is_pawn && grid.file(ply.from) != grid.file(ply.to);
    if is_pawn {
        if takes {
            push_file(variant, ply.from, out);
        }
    } else {
        out.push(letter(variant.move_letters, piece::role(piece)));
        let rivals: Vec<u8> = position
            .legal()
            .into_iter()
            .filter(|other| {
                other.way == FairyPlyKind::Plain
                    && other.to == ply.to
                    && other.from != ply.from
                    && position.at(other.from) == piece
            })
            .map(|other| other.from)
            .collect();
        let shares_file = rivals
            .iter()
            .any(|&other| grid.file(other) == grid.file(ply.from));
        let shares_rank = rivals
            .iter()
            .any(|&other| grid.rank(other) == grid.rank(ply.from));
        if !rivals.is_empty() && (!shares_file || shares_rank) {
            push_file(variant, ply.from, out);
        }
        if shares_file {
            push_rank(variant, ply.from, out);
        }
    }
    if takes {
        out.push('x');
    }
    push_square(variant, ply.to, out);
}

/// A move as engines write it: `e2e4`, `e7e8c`, `g1f3h`, `h10g8`, `N@f3`; castling is the
/// king's two squares, or the king's and the rook's where arrays are free; what comes
/// in beside the rook has the rook's square first, `h1e1h`. A null move is `0000`.
pub fn write_uci(variant: &FairyVariant, position: &FairyPosition, ply: FairyPly) -> String {
    if ply.is_null() {
        return "0000".to_owned();
    }
    let mut out = String::with_capacity(6);
    if let FairyPlyKind::Drop(role) = ply.way {
        push_drop(variant, role, ply.to, &mut out);
        return out;
    }
    let (mut from, mut to) = (ply.from, ply.to);
    let at_rook = matches!(ply.way, FairyPlyKind::CastlingGating { at_rook: true, .. });
    if at_rook {
        (from, to) = (to, from);
    } else if ply.way.is_castling() && !variant.facts.free_array {
        to = position.castled_king(from, to);
    }
    push_square(variant, from, &mut out);
    push_square(variant, to, &mut out);
    if let FairyPlyKind::Promotion(role)
    | FairyPlyKind::Gating(role)
    | FairyPlyKind::CastlingGating { role, .. } = ply.way
    {
        out.push(cased(letter(variant.move_letters, role), 1));
    }
    out
}
