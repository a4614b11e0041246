//! A ply, its number in sixteen bits, and main lines as bytes, hardly more than
//! one a ply.
//!
//! ```text
//! first byte below 240: man * 15 + code
//!   man     its number among its side's men, squares ascending (0..=15)
//!   code    general: 0..=3 a step up, right, down, left
//!           advisor, elephant: 0..=3 up and right, down and right, …
//!           horse: 0..=7 a leap
//!           soldier: 0 ahead, 1 right, 2 left
//!           chariot, cannon: 0..=9 to that rank; 10 one to the right, 11 one to
//!           the left, 12 two to the right, 13 two to the left
//!           any: 14, the target follows
//! 240 from to      any move of any man
//! 241              the turn passes
//! ```
//!
//! Leaps are numbered as in [`crate::games::grid`].

use super::{
    man::{self, ADVISOR, ELEPHANT, GENERAL, HORSE, NONE, SOLDIER},
    position::Position,
};
use crate::games::grid::{NINE, OFF};

/// A ply. From a square to the same one, the turn passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ply {
    /// Where from.
    pub from: u8,
    /// Where to.
    pub to: u8,
}

impl Ply {
    /// The turn passes.
    pub const NULL: Self = Self { from: 0, to: 0 };

    /// Whether only the turn passes.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.from == self.to
    }

    /// The number of the ply for the index: from * 90 + to.
    #[inline]
    pub fn code(self) -> u16 {
        u16::from(self.from) * 90 + u16::from(self.to)
    }

    /// The ply of a number; `None` for one that no ply has.
    pub fn of_code(code: u16) -> Option<Self> {
        let from = u8::try_from(code / 90).ok().filter(|&from| from < 90)?;
        let to = (code % 90) as u8;
        Some(Self { from, to })
    }
}

const CODES: u8 = 15;
const WHERE: u8 = 14;
const ANY_MAN: u8 = 240;
const NULL: u8 = 241;

/// Appends a ply played from `position`.
pub fn pack(ply: Ply, position: &Position, out: &mut Vec<u8>) {
    if ply.is_null() {
        out.push(NULL);
        return;
    }
    let before = position.men()[..usize::from(ply.from).min(90)]
        .iter()
        .filter(|&&man| man != NONE && man::side(man) == position.turn())
        .count();
    if before < usize::from(ANY_MAN / CODES) {
        let code = (0..WHERE).find(|&code| target(ply.from, code, position) == ply.to);
        out.push(before as u8 * CODES + code.unwrap_or(WHERE));
        if code.is_none() {
            out.push(ply.to);
        }
    } else {
        out.extend([ANY_MAN, ply.from, ply.to]);
    }
}

/// Takes a ply off `bytes`, as packed from `position`. `None` at the end, and
/// where the bytes cannot have been packed from it.
pub fn unpack(position: &Position, bytes: &mut &[u8]) -> Option<Ply> {
    let first = take(bytes)?;
    if first == NULL {
        return Some(Ply::NULL);
    }
    let is_own = |man: u8| man != NONE && man::side(man) == position.turn();
    let from = match first {
        ANY_MAN => take(bytes)?,
        NULL.. => return None,
        _ => {
            let mut men = (0_u8..)
                .zip(position.men())
                .filter(|&(_, &man)| is_own(man));
            men.nth(usize::from(first / CODES))?.0
        }
    };
    let to = if first < ANY_MAN && first % CODES != WHERE {
        target(from, first % CODES, position)
    } else {
        take(bytes)?
    };
    let fits = from != to && to < 90 && is_own(position.at(from)) && !is_own(position.at(to));
    fits.then_some(Ply { from, to })
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

/// Where a code leads to, [`OFF`] if nowhere.
fn target(from: u8, code: u8, position: &Position) -> u8 {
    let far = |direction, two| {
        let next = NINE.step(from, direction);
        if two {
            NINE.step(next, direction)
        } else {
            next
        }
    };
    match (man::role(position.at(from)), code) {
        (GENERAL, 0..4) => far(2 * code, false),
        (ADVISOR, 0..4) => far(2 * code + 1, false),
        (ELEPHANT, 0..4) => far(2 * code + 1, true),
        (HORSE, 0..8) => NINE.leaps(from)[usize::from(code)],
        (SOLDIER, 0) => far(4 * position.turn(), false),
        (SOLDIER, 1..3) => far(4 * code - 2, false),
        (GENERAL | ADVISOR | ELEPHANT | HORSE | SOLDIER, _) => OFF,
        (_, 0..10) => NINE.at(NINE.file(from), code),
        (_, 10..14) => far(if code & 1 == 0 { 2 } else { 6 }, code >= 12),
        _ => OFF,
    }
}
