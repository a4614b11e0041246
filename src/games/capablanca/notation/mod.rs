//! Text of positions and moves of chess with archbishop and chancellor: FEN with
//! numbers of two digits, castling as X-FEN and Shredder-FEN have it, reserves;
//! moves as SAN and as engines write them.

pub mod fen;
mod resolve;
mod write;

#[cfg(test)]
mod tests;

pub use crate::notation::move_error::MoveError;
pub use resolve::resolve;
pub use write::{write_san, write_uci};

use shakmaty::Role;

use super::{
    rows::Compound,
    rules::man::{self, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};
use crate::notation::diagram::Man;

/// The capital letter of a role.
fn letter(variant: &Compound, role: u8) -> char {
    match role {
        PAWN => 'P',
        KNIGHT => 'N',
        BISHOP => 'B',
        ROOK => 'R',
        QUEEN => 'Q',
        KING => 'K',
        man::ARCHBISHOP => variant.archbishop,
        _ => variant.chancellor,
    }
}

/// A man as it is drawn.
pub(super) fn drawn(variant: &Compound, man: u8) -> Man {
    let side = man::side(man);
    match man::role(man) {
        PAWN => Man::piece(Role::Pawn, side),
        KNIGHT => Man::piece(Role::Knight, side),
        BISHOP => Man::piece(Role::Bishop, side),
        ROOK => Man::piece(Role::Rook, side),
        QUEEN => Man::piece(Role::Queen, side),
        KING => Man::piece(Role::King, side),
        man::ARCHBISHOP => Man::with_knight(Role::Bishop, variant.archbishop, side),
        _ => Man::with_knight(Role::Rook, variant.chancellor, side),
    }
}

/// The role of a letter of either case. Archbishop and chancellor answer to the
/// letters of all these games where those are free.
fn role(variant: &Compound, letter: char) -> Option<u8> {
    let letter = letter.to_ascii_uppercase();
    Some(match letter {
        'P' => PAWN,
        'N' => KNIGHT,
        'B' => BISHOP,
        'R' => ROOK,
        'Q' => QUEEN,
        'K' => KING,
        'A' | 'J' | 'H' => man::ARCHBISHOP,
        'C' | 'E' | 'M' => man::CHANCELLOR,
        _ => return None,
    })
    .filter(|_| !variant.facts.gates || !matches!(letter, 'J' | 'M'))
}
