//! Main lines as bytes, little more than one a ply, unpacked without looking for
//! legal moves.
//!
//! ```text
//! first byte below 240: piece * codes + code; 12 codes for pieces of chess, 15 for those
//! of xiangqi
//!   piece   its number among its side's pieces, squares ascending (0..=19, 0..=15)
//!   code    pawn: 0 one step, 1 two steps, 2 takes to the a-side, 3 to the h-side
//!           knight, archbishop, chancellor, horse: 0..=7 a leap
//!           king: 0..=7 a step, 8 castles with the rook on its h-side, 9 a-side
//!           queen: 0..=7 one step; rook, bishop: 2 * (one of its four
//!           directions) + 0 for one step, 1 for two
//!           general: 0..=3 a step up, right, down, left
//!           advisor, elephant: 0..=3 up and right, down and right, …
//!           soldier: 0 ahead, 1 right, 2 left
//!           chariot, cannon: 0..=9 to that rank; 10 one to the right, 11 one to
//!           the left, 12 two to the right, 13 two to the left
//!           any: the last one, "where" follows
//! 240 from         any move of any piece; "where" follows
//! 241              the turn passes
//! 242 role to      a drop
//!
//! where: to, or to | 0x80 and the number of the way
//! ```
//!
//! Directions and leaps are numbered as in [`crate::games::grid`].

use super::{
    facts::{Pawns, Reserve},
    piece::{self, ADVISOR, BISHOP, KING, KNIGHT, NONE, PAWN, QUEEN, ROLES, ROOK},
    ply::{FairyPly, FairyPlyKind},
    position::FairyPosition,
};
use crate::games::grid::OFF;

const CASTLES: u8 = 8;
const ANY_PIECE: u8 = 240;
const NULL: u8 = 241;
const DROP: u8 = 242;
const WITH_WAY: u8 = 0x80;

/// How many codes a piece has. The last one says that more follows.
const fn codes(position: &FairyPosition) -> u8 {
    match position.facts.pawns {
        Pawns::Promoting { .. } => 12,
        Pawns::Soldiers { .. } => 15,
    }
}

/// Appends a ply played from `position`.
pub fn pack(ply: FairyPly, position: &FairyPosition, out: &mut Vec<u8>) {
    if ply.is_null() {
        out.push(NULL);
        return;
    }
    if let FairyPlyKind::Drop(role) = ply.way {
        out.extend([DROP, role, ply.to]);
        return;
    }
    let codes = codes(position);
    let before = (0..ply.from)
        .filter(|&square| position.is_own(square))
        .count();
    if before < usize::from(ANY_PIECE / codes) {
        let code = (0..codes - 1).find(|&code| ply_of(ply.from, code, position) == Some(ply));
        out.push(before as u8 * codes + code.unwrap_or(codes - 1));
        if code.is_some() {
            return;
        }
    } else {
        out.extend([ANY_PIECE, ply.from]);
    }
    match ply.way {
        FairyPlyKind::Plain => out.push(ply.to),
        way => out.extend([ply.to | WITH_WAY, way.number()]),
    }
}

/// Takes a ply off `bytes`, as packed from `position`. `None` at the end, and
/// where the bytes cannot have been packed from it.
pub fn unpack(position: &FairyPosition, bytes: &mut &[u8]) -> Option<FairyPly> {
    let codes = codes(position);
    let first = take(bytes)?;
    let from = match first {
        NULL => return Some(FairyPly::NULL),
        DROP => {
            let (role, to) = (take(bytes)?, take(bytes)?);
            let is_held = usize::from(role) < ROLES && position.in_reserve(position.turn, role) > 0;
            let is_free = to < position.grid().squares() && position.at(to) == NONE;
            let way = FairyPlyKind::Drop(role);
            let may_drop = position.facts.reserve == Reserve::Hand && is_held && is_free;
            return may_drop.then_some(FairyPly { from: to, to, way });
        }
        ANY_PIECE => take(bytes)?,
        _ if first > DROP => return None,
        _ => {
            let mut own = (0..position.grid().squares()).filter(|&square| position.is_own(square));
            own.nth(usize::from(first / codes))?
        }
    };
    let ply = if first < ANY_PIECE && first % codes != codes - 1 {
        ply_of(from, first % codes, position)?
    } else {
        let to = take(bytes)?;
        let way = if to & WITH_WAY == 0 {
            FairyPlyKind::Plain
        } else {
            FairyPlyKind::of_number(take(bytes)?)?
        };
        let to = to & !WITH_WAY;
        FairyPly { from, to, way }
    };
    fits(ply, position).then_some(ply)
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

fn ply_of(from: u8, code: u8, position: &FairyPosition) -> Option<FairyPly> {
    let role = piece::role(position.at(from));
    let to = match position.facts.pawns {
        Pawns::Soldiers { .. } => eastern_target(from, code, role, position),
        Pawns::Promoting { .. } if role == KING && (CASTLES..CASTLES + 2).contains(&code) => {
            let to = position.castling_rook(position.turn, usize::from(code - CASTLES))?;
            let way = FairyPlyKind::Castling;
            return Some(FairyPly { from, to, way });
        }
        Pawns::Promoting { .. } if code >= CASTLES => OFF,
        Pawns::Promoting { .. } => chess_target(from, code, role, position),
    };
    (to != OFF).then_some(FairyPly::plain(from, to))
}

/// The square one or two steps away.
fn far(position: &FairyPosition, from: u8, direction: u8, two: bool) -> u8 {
    let grid = position.grid();
    let next = grid.step(from, direction);
    if two {
        grid.step(next, direction)
    } else {
        next
    }
}

/// Where a code of chess leads to, [`OFF`] if nowhere.
fn chess_target(from: u8, code: u8, role: u8, position: &FairyPosition) -> u8 {
    let far = |direction, two| far(position, from, direction, two);
    match role {
        PAWN => {
            let [ahead, a_side, h_side] = [[0, 7, 1], [4, 5, 3]][usize::from(position.turn)];
            match code {
                0 | 1 => far(ahead, code == 1),
                2 => far(a_side, false),
                3 => far(h_side, false),
                _ => OFF,
            }
        }
        KING | QUEEN => far(code, false),
        ROOK | BISHOP => far(u8::from(role == BISHOP) + code / 2 * 2, code & 1 == 1),
        _ => position.grid().leaps(from)[usize::from(code)],
    }
}

/// Where a code of xiangqi leads to, [`OFF`] if nowhere.
fn eastern_target(from: u8, code: u8, role: u8, position: &FairyPosition) -> u8 {
    let grid = position.grid();
    let far = |direction, two| far(position, from, direction, two);
    match (role, code) {
        (KING, 0..4) => far(2 * code, false),
        (ADVISOR, 0..4) => far(2 * code + 1, false),
        (BISHOP, 0..4) => far(2 * code + 1, true),
        (KNIGHT, 0..8) => grid.leaps(from)[usize::from(code)],
        (PAWN, 0) => far(4 * position.turn, false),
        (PAWN, 1..3) => far(4 * code - 2, false),
        (KING | ADVISOR | BISHOP | KNIGHT | PAWN, _) => OFF,
        (_, 0..10) => grid.at(grid.file(from), code),
        (_, 10..14) => far(if code & 1 == 0 { 2 } else { 6 }, code >= 12),
        _ => OFF,
    }
}

/// Whether a ply leaves the pieces of the mover where they are and names what stands there.
fn fits(ply: FairyPly, position: &FairyPosition) -> bool {
    let squares = position.grid().squares();
    if ply.is_null() || ply.from >= squares || ply.to >= squares || !position.is_own(ply.from) {
        return false;
    }
    let role = piece::role(position.at(ply.from));
    let fits_way = match ply.way {
        FairyPlyKind::Promotion(_) => {
            role == PAWN && matches!(position.facts.pawns, Pawns::Promoting { .. })
        }
        way if way.is_castling() => {
            let wing = usize::from(ply.to < ply.from);
            role == KING && position.castling_rook(position.turn, wing) == Some(ply.to)
        }
        _ => true,
    };
    let fits_reserve = |role| {
        position.facts.reserve == Reserve::Gates && position.in_reserve(position.turn, role) > 0
    };
    fits_way
        && ply.way.gated().is_none_or(fits_reserve)
        && (ply.way.is_castling() || !position.is_own(ply.to))
}
