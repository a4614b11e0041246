//! What variants on the board of chess add to a FEN: pieces in hand and promoted pieces
//! (Crazyhouse), checks still to be given (three-check). A6 of the notation rules.
//!
//! The rest of the field is read by the reader of chess, so that every leniency it
//! has holds here as well.

use std::fmt::Write as _;

use crate::games::chess::basics::{Color, Role, Setup, Square};

use super::{FenStyle, write::first_fields};
use crate::games::notation::fen::{CHESS, write_placement};

/// What a variant adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extras {
    /// Nothing.
    None,
    /// Pieces in hand, `[QRp]`, and promoted pieces, `Q~`.
    Pockets,
    /// The number of checks that win: how many each side still has to give.
    Checks(u8),
}

impl Extras {
    /// The checks that are still to be given where nothing is said of them.
    pub(super) const fn checks(self) -> Option<[u8; 2]> {
        match self {
            Self::Checks(all) => Some([all; 2]),
            Self::None | Self::Pockets => None,
        }
    }

    /// The checks that are still to be given by a word that says so: `2+3`, or of
    /// lichess `+1+0`, those that were given already.
    pub(super) fn counted(self, word: &str) -> Option<[u8; 2]> {
        let Self::Checks(all) = self else { return None };
        let (given, word) = match word.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let (white, black) = word.split_once('+')?;
        let number = |text: &str| text.parse::<u8>().ok().filter(|&n| n <= all);
        let found = [number(white)?, number(black)?];
        Some(if given { found.map(|n| all - n) } else { found })
    }
}

/// Writes the one spelling of a FEN with additions: `[QRp]` glued to the pieces, White
/// before Black, queens first; checks still to be given before the counters.
pub fn write_variant(setup: &Setup, checks: Option<[u8; 2]>, style: FenStyle) -> String {
    let piece_at = |file: u8, rank: u8| {
        let square = Square::new(u32::from(rank) * 8 + u32::from(file));
        Some((square, setup.board.piece_at(square)?))
    };
    let mut out = write_placement(
        CHESS.files,
        CHESS.ranks,
        piece_at,
        |(square, piece), out| {
            out.push(piece.char());
            if setup.promoted.contains(square) {
                out.push('~');
            }
        },
    );
    if let Some(pockets) = &setup.pockets {
        out.push('[');
        for color in Color::ALL {
            // All but the king, the queen first.
            for &role in Role::ALL[..5].iter().rev() {
                let letter = role.of(color).char();
                let count = pockets[color][role];
                out.extend((0..count).map(|_| letter));
            }
        }
        out.push(']');
    }
    let key = first_fields(setup, style);
    let (_, rest) = key.split_once(' ').unwrap_or_default();
    let _ = write!(out, " {rest}");
    if let Some([white, black]) = checks {
        let _ = write!(out, " {white}+{black}");
    }
    let _ = write!(out, " {} {}", setup.halfmoves, setup.fullmoves);
    out
}
