//! Text of positions and moves of chess with archbishop and chancellor: FEN with
//! numbers of two digits, castling as X-FEN and Shredder-FEN have it, reserves;
//! moves as SAN and as engines write them.

pub mod fen;
mod resolve;
mod write;

#[cfg(test)]
mod tests;

pub use crate::games::notation::move_error::MoveError;
pub use resolve::resolve;
pub use write::{write_san, write_uci};

use crate::games::chess::basics::Role;

use super::{
    rows::Compound,
    rules::man::{self, BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};
use crate::games::{diagram::Man, notation::letters::Language};

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

/// Whether a capital letter is one of archbishop or chancellor in any of these games.
pub(super) const fn is_compound(letter: char) -> bool {
    matches!(letter, 'A' | 'J' | 'H' | 'C' | 'E' | 'M')
}

/// A move with the letters of a language in English ones: `Sc3`, `e8=D`. The compound men
/// keep theirs. `None` where nothing changes.
pub(super) fn to_english(variant: &Compound, word: &str, language: &Language) -> Option<String> {
    let chars: Vec<char> = word.chars().collect();
    let mut out = String::with_capacity(word.len());
    let mut at = 0;
    if let Some((role, length)) = language.piece_at_start(&chars) {
        out.push(role.upper_char());
        at = length;
    }
    while at < chars.len() {
        let promotes = out.ends_with('=') || out.ends_with(|c: char| c.is_ascii_digit());
        match language.piece_at_start(&chars[at..]) {
            Some((role, length)) if promotes && !is_own(variant, chars[at]) => {
                out.push(role.upper_char());
                at += length;
            }
            _ => {
                out.push(chars[at]);
                at += 1;
            }
        }
    }
    (out != word).then_some(out)
}

fn is_own(variant: &Compound, letter: char) -> bool {
    [variant.archbishop, variant.chancellor].contains(&letter)
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
