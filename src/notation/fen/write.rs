//! Writing positions: one spelling each, so that texts can be compared.

use std::fmt::Write as _;

use shakmaty::{Bitboard, Color, Setup, Square};

use super::fields::ep_capturable;

/// Writes the strict form: six fields, X-FEN castling (`KQkq` for the
/// outermost rook of a side, else the letter of its file), and the en passant
/// square only where a capture there is legal.
pub fn write(setup: &Setup) -> String {
    let mut out = key4(setup);
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    out
}

/// Like [`write()`], but castling rights are always the letters of the rooks'
/// files (`HAha`), as Shredder and most Chess960 engines write them.
pub fn write_shredder(setup: &Setup) -> String {
    let mut out = first_fields(setup, &castling_shredder(setup));
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    out
}

/// The first four fields of [`write()`]: what makes two positions the same.
pub fn key4(setup: &Setup) -> String {
    first_fields(setup, &castling_xfen(setup))
}

fn first_fields(setup: &Setup, castling: &str) -> String {
    let mut out = String::with_capacity(96);
    let turn = if setup.turn == Color::White { 'w' } else { 'b' };
    let _ = write!(out, "{} {turn} {castling} ", setup.board);
    match setup
        .ep_square
        .filter(|&square| ep_capturable(&setup.board, setup.turn, square))
    {
        Some(square) => {
            let _ = write!(out, "{square}");
        }
        None => out.push('-'),
    }
    out
}

/// The rook squares of one side's rights, king side first.
fn rights_of(setup: &Setup, color: Color) -> impl DoubleEndedIterator<Item = Square> {
    let rooks = setup.castling_rights & setup.board.by_color(color) & color.backrank();
    rooks.into_iter().rev()
}

pub(super) fn castling_shredder(setup: &Setup) -> String {
    letters(setup, |_, rook, _| rook.file().char())
}

pub(super) fn castling_xfen(setup: &Setup) -> String {
    letters(setup, |setup, rook, color| {
        let Some(king) = setup.board.king_of(color) else {
            return rook.file().char();
        };
        let rooks = setup.board.rooks() & setup.board.by_color(color) & color.backrank();
        // The letter K or Q is kept for the outermost rook of its side: an
        // inner one can only be named by its file.
        if king < rook {
            if rooks.last() == Some(rook) {
                'k'
            } else {
                rook.file().char()
            }
        } else if rooks.first() == Some(rook) {
            'q'
        } else {
            rook.file().char()
        }
    })
}

fn letters(setup: &Setup, letter: impl Fn(&Setup, Square, Color) -> char) -> String {
    if setup.castling_rights == Bitboard::EMPTY {
        return "-".to_owned();
    }
    let mut out = String::with_capacity(4);
    for color in Color::ALL {
        for rook in rights_of(setup, color) {
            let c = letter(setup, rook, color);
            out.push(if color == Color::White {
                c.to_ascii_uppercase()
            } else {
                c
            });
        }
    }
    out
}
