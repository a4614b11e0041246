//! Discs, moves and their bytes.

use super::key;
use crate::games::key::Structure;

/// The number of a pass, beside those of the squares (0 to 63). As a code of the
/// index it is 64 too.
pub const PASS: u8 = 64;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// A position. Any placement is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OthelloPosition {
    discs: [u64; 2],
    turn: u8,
}

/// All squares one step in a direction (0 right, then clockwise by eighths).
#[inline]
const fn shifted(set: u64, direction: u8) -> u64 {
    match direction {
        0 => (set & NOT_H) << 1,
        1 => (set & NOT_H) << 9,
        2 => set << 8,
        3 => (set & NOT_A) << 7,
        4 => (set & NOT_A) >> 1,
        5 => (set & NOT_A) >> 9,
        6 => set >> 8,
        _ => (set & NOT_H) >> 7,
    }
}

impl OthelloPosition {
    /// The start: White on d4 and e5, Black on e4 and d5, Black to move.
    pub const START: Self = Self::new(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 0);

    /// A position of these discs, Black's (bit 0 is a1, bit 1 b1) and White's,
    /// with this side to move (0 Black, 1 White). Where both are said to be,
    /// Black is.
    pub const fn new(black: u64, white: u64, turn: u8) -> Self {
        Self {
            discs: [black, white & !black],
            turn: turn & 1,
        }
    }

    /// A side's discs, bit 0 being a1.
    #[inline]
    pub const fn discs(&self, side: u8) -> u64 {
        self.discs[(side & 1) as usize]
    }

    /// The side to move: 0 Black, 1 White.
    #[inline]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Whose disc is on a square: 0 Black, 1 White.
    pub const fn at(&self, square: u8) -> Option<u8> {
        if square > 63 {
            None
        } else if self.discs[0] >> square & 1 == 1 {
            Some(0)
        } else if self.discs[1] >> square & 1 == 1 {
            Some(1)
        } else {
            None
        }
    }

    /// The squares on which the side to move may put a disc.
    pub const fn moves(&self) -> u64 {
        let own = self.discs[self.turn as usize];
        let foe = self.discs[self.turn as usize ^ 1];
        let empty = !(own | foe);
        let mut found = 0;
        let mut direction = 0;
        while direction < 8 {
            // At most six discs lie between two others.
            let mut run = shifted(own, direction) & foe;
            let mut length = 1;
            while length < 6 {
                run |= shifted(run, direction) & foe;
                length += 1;
            }
            found |= shifted(run, direction) & empty;
            direction += 1;
        }
        found
    }

    /// The discs that a disc on a square would turn over.
    pub(super) const fn flips(&self, square: u8) -> u64 {
        let own = self.discs[self.turn as usize];
        let foe = self.discs[self.turn as usize ^ 1];
        let mut turned = 0;
        let mut direction = 0;
        while direction < 8 {
            let mut line = 0;
            let mut next = shifted(1 << (square & 63), direction);
            while next & foe != 0 {
                line |= next;
                next = shifted(next, direction);
            }
            if next & own != 0 {
                turned |= line;
            }
            direction += 1;
        }
        turned
    }

    /// Whether the side to move has no square while the other has one.
    pub const fn must_pass(&self) -> bool {
        self.moves() == 0 && self.passed().moves() != 0
    }

    /// The same discs with the other side to move.
    pub const fn passed(&self) -> Self {
        Self {
            discs: self.discs,
            turn: self.turn ^ 1,
        }
    }

    /// Whether a square (0 to 63) or a [`PASS`] is a legal move.
    pub const fn is_legal(&self, ply: u8) -> bool {
        if ply == PASS {
            self.must_pass()
        } else {
            ply < 64 && self.moves() >> ply & 1 == 1
        }
    }

    /// All legal moves: squares ascending, or the pass alone.
    pub fn legal(&self) -> impl Iterator<Item = u8> {
        let moves = self.moves();
        let pass = self.must_pass().then_some(PASS);
        (0..64)
            .filter(move |square| moves >> square & 1 == 1)
            .chain(pass)
    }

    /// Plays a square or a pass. Legality is not checked, but what is taken
    /// stays empty: a disc on another disc changes nothing but the turn.
    pub const fn play(&mut self, ply: u8) {
        if ply < 64 && (self.discs[0] | self.discs[1]) >> ply & 1 == 0 {
            let turned = self.flips(ply);
            self.discs[self.turn as usize] |= turned | 1 << ply;
            self.discs[self.turn as usize ^ 1] &= !turned;
        }
        self.turn ^= 1;
    }

    /// How many discs Black and White have, if neither side can move.
    pub fn outcome(&self) -> Option<[u32; 2]> {
        if self.moves() != 0 || self.passed().moves() != 0 {
            return None;
        }
        Some(self.discs.map(u64::count_ones))
    }

    /// The key of discs and side to move.
    pub fn key(&self) -> u64 {
        let mut key = [0, key::WHITE_TO_MOVE][usize::from(self.turn)];
        for side in 0..2 {
            key ^= keys_of(side, self.discs[side]);
        }
        key
    }

    /// The key after a ply, from that of the position before it.
    pub fn key_after(&self, key: u64, ply: u8) -> u64 {
        let key = key ^ key::WHITE_TO_MOVE;
        if ply >= 64 || (self.discs[0] | self.discs[1]) >> ply & 1 == 1 {
            return key;
        }
        let side = usize::from(self.turn);
        let turned = self.flips(ply);
        key ^ keys_of(side, turned | 1 << ply) ^ keys_of(side ^ 1, turned)
    }

    /// A coarse key that every move but a pass changes for good: discs on the
    /// edge by their squares, and how many there are elsewhere.
    pub const fn structure(&self) -> Structure {
        Structure::from_number(key::structure(self.discs[0] | self.discs[1]))
    }
}

fn keys_of(side: usize, mut set: u64) -> u64 {
    let mut key = 0;
    while set != 0 {
        key ^= key::DISCS[side & 1][set.trailing_zeros() as usize & 63];
        set &= set.wrapping_sub(1);
    }
    key
}

/// Appends a ply: one byte, its number.
pub fn pack(ply: u8, out: &mut Vec<u8>) {
    out.push(ply);
}

/// Takes a ply off `bytes`, as packed from `position`. `None` at the end, and
/// where the square is taken or is none.
pub fn unpack(position: &OthelloPosition, bytes: &mut &[u8]) -> Option<u8> {
    let (&ply, rest) = bytes.split_first()?;
    *bytes = rest;
    (ply <= PASS && position.at(ply).is_none()).then_some(ply)
}
