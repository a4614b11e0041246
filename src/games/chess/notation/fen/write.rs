//! Writing positions: one spelling each, so that texts can be compared.

use std::fmt::Write as _;

use crate::games::chess::basics::{Bitboard, Color, Setup, Square};
use shakmaty::attacks;

use super::fields::ep_capturable;

/// How castling rights are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Castling {
    /// X-FEN: `KQkq` for the outermost rook of a side, else the letter of its file.
    /// In standard chess that is what every FEN has.
    #[default]
    XFen,
    /// Shredder-FEN: always the letters of the rooks' files (`HAha`).
    Shredder,
}

/// When the en passant square is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnPassant {
    /// Where a capture there is legal: what makes positions the same.
    #[default]
    Legal,
    /// Where a pawn stands beside, be it pinned: X-FEN.
    XFen,
    /// After every double step: section 16.1.3.4 of the PGN standard.
    Always,
}

/// A way to write a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FenStyle {
    /// The third field.
    pub castling: Castling,
    /// The fourth field.
    pub en_passant: EnPassant,
}

/// Writes the strict form: six fields, X-FEN castling (`KQkq` for the
/// outermost rook of a side, else the letter of its file), and the en passant
/// square only where a capture there is legal.
pub fn write(setup: &Setup) -> String {
    write_with(setup, FenStyle::default())
}

/// Writes six fields in a style. For the older customs of the en passant field the
/// setup must have the square of any double step: that of a position with
/// [`shakmaty::EnPassantMode::Always`], or [`super::ChessFenReading::double_step`].
pub fn write_with(setup: &Setup, style: FenStyle) -> String {
    let mut out = first_fields(setup, style);
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    out
}

/// The first four fields of [`write()`]: what makes two positions the same.
pub fn key4(setup: &Setup) -> String {
    first_fields(setup, FenStyle::default())
}

pub(super) fn first_fields(setup: &Setup, style: FenStyle) -> String {
    let castling = match style.castling {
        Castling::XFen => castling_xfen(setup),
        Castling::Shredder => castling_shredder(setup),
    };
    let beside = |square| {
        let takers = attacks::pawn_attacks(!setup.turn, square);
        (takers & setup.board.pawns() & setup.board.by_color(setup.turn)).any()
    };
    let en_passant = setup.ep_square.filter(|&square| match style.en_passant {
        EnPassant::Legal => ep_capturable(&setup.board, setup.turn, square),
        EnPassant::XFen => beside(square),
        EnPassant::Always => true,
    });
    let mut out = String::with_capacity(96);
    let turn = if setup.turn == Color::White { 'w' } else { 'b' };
    let _ = write!(out, "{} {turn} {castling} ", setup.board);
    match en_passant {
        Some(square) => {
            let _ = write!(out, "{square}");
        }
        None => out.push('-'),
    }
    out
}

pub(super) fn castling_shredder(setup: &Setup) -> String {
    letters(setup, |rook, _| rook.file().char())
}

pub(super) fn castling_xfen(setup: &Setup) -> String {
    letters(setup, |rook, color| {
        let rooks = setup.board.rooks() & setup.board.by_color(color) & color.backrank();
        // The letter K or Q is kept for the outermost rook of its side: an
        // inner one can only be named by its file.
        let outermost = setup.board.king_of(color).map(|king| {
            if king < rook {
                (rooks.last(), 'k')
            } else {
                (rooks.first(), 'q')
            }
        });
        match outermost {
            Some((outermost, letter)) if outermost == Some(rook) => letter,
            _ => rook.file().char(),
        }
    })
}

fn letters(setup: &Setup, letter: impl Fn(Square, Color) -> char) -> String {
    if setup.castling_rights == Bitboard::EMPTY {
        return "-".to_owned();
    }
    let mut out = String::with_capacity(4);
    for color in Color::ALL {
        // King side first.
        let rooks = setup.castling_rights & setup.board.by_color(color) & color.backrank();
        for rook in rooks.into_iter().rev() {
            let letter = letter(rook, color);
            out.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
        }
    }
    out
}
