//! Main lines as bytes, little more than one a ply, unpacked without looking for
//! legal moves.
//!
//! ```text
//! first byte below 240: man * 12 + code
//!   man     its number among its side's men, squares ascending (0..=19)
//!   code    pawn: 0 one step, 1 two steps, 2 takes to the a-side, 3 to the h-side
//!           knight, archbishop, chancellor: 0..=7 a leap
//!           king: 0..=7 a step, 8 castles with the rook on its h-side, 9 a-side
//!           queen: 0..=7 one step; rook, bishop: 2 * (one of its four
//!           directions) + 0 for one step, 1 for two
//!           any: 11, "where" follows
//! 240 from         any move of any man; "where" follows
//! 241              the turn passes
//!
//! where: to, or to | 0x80 and the number of the way
//! ```
//!
//! Directions and leaps are numbered as in [`crate::games::grid`].

use super::{
    man::{self, BISHOP, KING, NONE, PAWN, QUEEN, ROOK},
    ply::{Ply, Way},
    position::Position,
};
use crate::games::grid::OFF;

const CODES: u8 = 12;
const WHERE: u8 = 11;
const CASTLES: u8 = 8;
const ANY_MAN: u8 = 240;
const NULL: u8 = 241;
const WITH_WAY: u8 = 0x80;

/// Appends a ply played from `position`.
pub fn pack(ply: Ply, position: &Position, out: &mut Vec<u8>) {
    if ply.is_null() {
        out.push(NULL);
        return;
    }
    let before = position.men()[..usize::from(ply.from).min(position.men().len())]
        .iter()
        .filter(|&&man| man != NONE && man::side(man) == position.turn())
        .count();
    if before < usize::from(ANY_MAN / CODES) {
        let code = code_of(ply, position);
        out.push(before as u8 * CODES + code.unwrap_or(WHERE));
        if code.is_some() {
            return;
        }
    } else {
        out.extend([ANY_MAN, ply.from]);
    }
    match ply.way {
        Way::Plain => out.push(ply.to),
        way => out.extend([ply.to | WITH_WAY, way.number()]),
    }
}

/// Takes a ply off `bytes`, as packed from `position`. `None` at the end, and
/// where the bytes cannot have been packed from it.
pub fn unpack(position: &Position, bytes: &mut &[u8]) -> Option<Ply> {
    let first = take(bytes)?;
    if first == NULL {
        return Some(Ply::NULL);
    }
    let from = match first {
        ANY_MAN => take(bytes)?,
        NULL.. => return None,
        _ => {
            let mut men = (0_u8..).zip(position.men()).filter(|&(_, &man)| {
                // The men of the mover.
                man != NONE && man::side(man) == position.turn()
            });
            men.nth(usize::from(first / CODES))?.0
        }
    };
    let ply = if first < ANY_MAN && first % CODES != WHERE {
        ply_of(from, first % CODES, position)?
    } else {
        let to = take(bytes)?;
        let way = if to & WITH_WAY == 0 {
            Way::Plain
        } else {
            Way::of_number(take(bytes)?)?
        };
        let to = to & !WITH_WAY;
        Ply { from, to, way }
    };
    fits(ply, position).then_some(ply)
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

/// Directions of a pawn's codes 0, 2 and 3.
const fn pawn_ways(side: u8) -> [u8; 3] {
    if side == 0 { [0, 7, 1] } else { [4, 5, 3] }
}

/// The first direction of a rook or a bishop; the others are every second.
const fn first_way(role: u8) -> u8 {
    if role == BISHOP { 1 } else { 0 }
}

fn code_of(ply: Ply, position: &Position) -> Option<u8> {
    let role = man::role(position.at(ply.from));
    let code = match ply.way {
        Way::Castling => CASTLES + u8::from(ply.to < ply.from),
        Way::Plain => {
            (0..CASTLES).find(|&code| target(ply.from, code, role, position) == ply.to)?
        }
        _ => return None,
    };
    (ply_of(ply.from, code, position) == Some(ply)).then_some(code)
}

fn ply_of(from: u8, code: u8, position: &Position) -> Option<Ply> {
    let role = man::role(position.at(from));
    if role == KING && (CASTLES..CASTLES + 2).contains(&code) {
        let to = position.castling_rook(position.turn(), usize::from(code - CASTLES))?;
        let way = Way::Castling;
        return Some(Ply { from, to, way });
    }
    Some(Ply::plain(from, target(from, code, role, position))).filter(|ply| ply.to != OFF)
}

/// Where a code leads to, [`OFF`] if nowhere.
fn target(from: u8, code: u8, role: u8, position: &Position) -> u8 {
    let grid = position.grid();
    let far = |direction, two| {
        let next = grid.step(from, direction);
        if two {
            grid.step(next, direction)
        } else {
            next
        }
    };
    if code >= CASTLES {
        return OFF;
    }
    match role {
        PAWN => {
            let [ahead, a_side, h_side] = pawn_ways(position.turn());
            match code {
                0 => far(ahead, false),
                1 => far(ahead, true),
                2 => far(a_side, false),
                3 => far(h_side, false),
                _ => OFF,
            }
        }
        KING | QUEEN => far(code, false),
        ROOK | BISHOP => far(first_way(role) + code / 2 * 2, code & 1 == 1),
        _ => grid.leaps(from)[usize::from(code)],
    }
}

/// Whether a ply leaves the men of the mover where they are and names what is there.
fn fits(ply: Ply, position: &Position) -> bool {
    let is_own = |square: u8| {
        let man = position.at(square);
        man != NONE && man::side(man) == position.turn()
    };
    let squares = position.grid().squares();
    if ply.is_null() || ply.from >= squares || ply.to >= squares || !is_own(ply.from) {
        return false;
    }
    let role = man::role(position.at(ply.from));
    let fits_way = match ply.way {
        Way::Promotion(_) => role == PAWN,
        way if way.is_castling() => {
            let wing = usize::from(ply.to < ply.from);
            role == KING && position.castling_rook(position.turn(), wing) == Some(ply.to)
        }
        _ => true,
    };
    let fits_reserve =
        |role| position.facts().gates && position.has_in_reserve(position.turn(), role);
    fits_way
        && ply.way.gated().is_none_or(fits_reserve)
        && (ply.way.is_castling() || !is_own(ply.to))
}
