//! Text of positions and moves of games on grids of squares: FEN with numbers of two
//! digits, castling as X-FEN and Shredder-FEN have it, pockets; moves as SAN and as engines
//! write them; for xiangqi also coordinates with ranks from 0 (ICCS) and WXF moves.

pub mod fen;
mod resolve;
mod write;
mod wxf;

#[cfg(test)]
mod tests;

pub use crate::games::notation::move_error::MoveError;
pub use resolve::{Ranks, ranks_of, resolve, resolve_all};
pub(super) use resolve::{is_soldier, other_castling};
pub use write::{write_san, write_uci};
pub use wxf::{is_move as is_wxf, write as write_wxf};

use crate::games::chess::basics::Role;

use super::{
    rows::FairyVariant,
    rules::piece::{self, ARCHBISHOP, CHANCELLOR, NONE},
};
use crate::games::{diagram::DiagramPiece, notation::letters::Language};

/// A letter of a role, capital.
fn letter(letters: &str, role: u8) -> char {
    let byte = letters.as_bytes().get(usize::from(role).wrapping_sub(1));
    byte.map_or('?', |&byte| char::from(byte))
}

/// A letter in the case of a side.
const fn cased(letter: char, side: u8) -> char {
    if side == 0 {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

/// The role of a letter of either case. Archbishop and chancellor answer to the
/// letters of all these games where those are free.
fn role(variant: &FairyVariant, letter: char) -> Option<u8> {
    let letter = letter.to_ascii_uppercase();
    let is_letter = letter.is_ascii_alphabetic();
    let known = [variant.letters, variant.move_letters].into_iter();
    let mut roles = known.filter_map(|letters| Some(letters.find(letter)? as u8 + 1));
    let mut others = variant.also.iter().filter(|(other, _)| *other == letter);
    let found = roles.next().or_else(|| Some(others.next()?.1));
    found.filter(|_| is_letter)
}

/// Whether a word begins with the capital letter of a piece.
pub(super) fn is_piece(variant: &FairyVariant, word: &[char]) -> bool {
    let letter = word.first().filter(|letter| letter.is_ascii_uppercase());
    letter.is_some_and(|&letter| role(variant, letter).is_some())
}

/// Whether a letter is one of archbishop or chancellor in some game, but not in this one.
pub(super) fn is_of_another(variant: &FairyVariant, letter: char) -> bool {
    let letter = letter.to_ascii_uppercase();
    matches!(letter, 'A' | 'J' | 'H' | 'C' | 'E' | 'M')
        && !variant.letters.contains(letter)
        && !variant.is_eastern()
}

/// A move with the letters of a language in English ones: `Sc3`, `e8=D`. The compound
/// pieces keep theirs. `None` where nothing changes.
pub(super) fn to_english(
    variant: &FairyVariant,
    word: &str,
    language: &Language,
) -> Option<String> {
    let is_own = |c: char| {
        [ARCHBISHOP, CHANCELLOR]
            .iter()
            .any(|&role| letter(variant.letters, role) == c)
    };
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
            Some((role, length)) if promotes && !is_own(chars[at]) => {
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

/// The signs of the pieces of xiangqi for both sides, by role from soldiers on.
const EASTERN_SIGNS: [[char; 2]; 7] = [
    ['兵', '卒'],
    ['傌', '馬'],
    ['相', '象'],
    ['俥', '車'],
    ['炮', '砲'],
    ['帥', '將'],
    ['仕', '士'],
];

/// A piece as it is drawn; in xiangqi with the sign that it has for its side.
pub(super) fn drawn(variant: &FairyVariant, piece: u8) -> Option<DiagramPiece> {
    let (role, side) = (piece::role(piece), piece::side(piece));
    if role == NONE {
        return None;
    }
    if variant.is_eastern() {
        let signs = EASTERN_SIGNS[usize::from(role) - 1];
        let letter = letter(variant.move_letters, role);
        return Some(DiagramPiece::lettered(
            letter,
            signs[usize::from(side)],
            side,
        ));
    }
    let letter = letter(variant.letters, role);
    Some(match role {
        ARCHBISHOP => DiagramPiece::with_knight(Role::Bishop, letter, side),
        CHANCELLOR => DiagramPiece::with_knight(Role::Rook, letter, side),
        _ => DiagramPiece::piece(Role::ALL[usize::from(role) - 1], side),
    })
}
