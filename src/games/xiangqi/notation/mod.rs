//! Text of positions and moves of xiangqi: FEN, coordinates with ranks from 0
//! (ICCS) or from 1 (UCI), WXF moves, and moves like SAN.

pub mod fen;
mod resolve;
mod write;
mod wxf;

#[cfg(test)]
mod tests;

pub use crate::games::notation::move_error::MoveError;
pub use resolve::{Ranks, is_coordinates, ranks_of, resolve};
pub use write::{write_iccs, write_san, write_uci};
pub use wxf::write as write_wxf;

use super::rules::man::{self, ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, SOLDIER};
use crate::games::diagram::Man;

/// The role of a letter of either case: horses are N or H, elephants B or E.
fn role(letter: char) -> Option<u8> {
    Some(match letter.to_ascii_uppercase() {
        'K' => GENERAL,
        'A' => ADVISOR,
        'B' | 'E' => ELEPHANT,
        'N' | 'H' => HORSE,
        'R' => CHARIOT,
        'C' => CANNON,
        'P' => SOLDIER,
        _ => return None,
    })
}

/// A man as it is drawn, with the sign that it has for its side.
pub(super) const fn drawn(man: u8) -> Man {
    let (role, side) = (man::role(man), man::side(man));
    let signs = match role {
        SOLDIER => ['兵', '卒'],
        HORSE => ['傌', '馬'],
        ELEPHANT => ['相', '象'],
        CHARIOT => ['俥', '車'],
        CANNON => ['炮', '砲'],
        ADVISOR => ['仕', '士'],
        _ => ['帥', '將'],
    };
    Man::lettered(letters(role).1, signs[(side & 1) as usize], side)
}

/// The letters of FENs (N, B) and those of moves (H, E), capital.
const fn letters(role: u8) -> (char, char) {
    match role {
        SOLDIER => ('P', 'P'),
        HORSE => ('N', 'H'),
        ELEPHANT => ('B', 'E'),
        CHARIOT => ('R', 'R'),
        CANNON => ('C', 'C'),
        ADVISOR => ('A', 'A'),
        _ => ('K', 'K'),
    }
}
