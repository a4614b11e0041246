//! What stands where, whose turn it is, and playing a ply.

use super::{
    key,
    man::{self, GENERAL, NONE},
    pack::Ply,
};
use crate::games::{
    grid::{NINE, OFF, SQUARES_MAX},
    key::Structure,
};

/// A position. Counters are carried along, but do not make another position.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    pub(super) men: [u8; SQUARES_MAX],
    pub(super) turn: u8,
    /// The square of each side's general, [`OFF`] if it has none.
    pub(super) generals: [u8; 2],
    key: u64,
    structure: u64,
    counters: (u32, u32),
}

/// The parts of a position, as someone has put them down.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What stands where, as man codes.
    pub men: [u8; SQUARES_MAX],
    /// The side to move: 0 Red, 1 Black.
    pub turn: u8,
    /// Plies since the last capture, and the number of the move.
    pub counters: (u32, u32),
}

/// Why a position cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Each side must have exactly one general.
    #[error("Red has {0} generals and Black {1}; each side must have exactly one")]
    Generals(u8, u8),
    /// A general outside of its palace.
    #[error("a general stands outside its palace")]
    Palace,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.turn == other.turn && self.men == other.men
    }
}

impl Eq for Position {}

impl Position {
    /// The position that was set up. The side that has just moved may be in
    /// check, as in studies of how pieces move: then taking the general is a move.
    ///
    /// # Errors
    ///
    /// [`SetupError`] where the rules do not allow for such a position.
    pub fn set_up(setup: &Setup) -> Result<Self, SetupError> {
        let mut position = Self {
            men: [NONE; SQUARES_MAX],
            turn: setup.turn & 1,
            generals: [OFF; 2],
            key: [0, key::BLACK_TO_MOVE][usize::from(setup.turn & 1)],
            structure: 0,
            counters: (setup.counters.0, setup.counters.1.max(1)),
        };
        let mut generals = [0; 2];
        for (square, &man) in (0..).zip(&setup.men) {
            if man != NONE {
                position.put(square, man);
                generals[usize::from(man::side(man))] += u8::from(man::role(man) == GENERAL);
            }
        }
        if generals != [1, 1] {
            return Err(SetupError::Generals(generals[0], generals[1]));
        }
        for side in 0..2 {
            if !is_palace(side, position.generals[usize::from(side)]) {
                return Err(SetupError::Palace);
            }
        }
        Ok(position)
    }

    /// The position with left and right exchanged, or top and bottom with the
    /// colours, or both.
    pub fn seen(&self, mirrored: bool, swapped: bool) -> Option<Self> {
        let mut setup = Setup {
            men: [NONE; SQUARES_MAX],
            turn: self.turn ^ u8::from(swapped),
            counters: self.counters,
        };
        for (square, &man) in (0..).zip(&self.men) {
            if man != NONE {
                let place = NINE.seen(square, mirrored, swapped);
                let side = man::side(man) ^ u8::from(swapped);
                setup.men[usize::from(place)] = man::of(side, man::role(man));
            }
        }
        Self::set_up(&setup).ok()
    }

    /// What stands where, as man codes.
    #[inline]
    pub const fn men(&self) -> &[u8; SQUARES_MAX] {
        &self.men
    }

    /// The man on a square, [`man::NONE`] if there is none.
    #[inline]
    pub fn at(&self, square: u8) -> u8 {
        self.men.get(usize::from(square)).map_or(NONE, |&man| man)
    }

    /// The side to move: 0 Red, 1 Black.
    #[inline]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Plies since the last capture, and the number of the move from 1.
    pub const fn counters(&self) -> (u32, u32) {
        self.counters
    }

    /// The key of men and side to move. Nothing else makes a position.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What changes at irreversible plies only: soldiers as far as they cannot
    /// go back, the number of each other man.
    #[inline]
    pub const fn structure(&self) -> Structure {
        Structure::from_number(self.structure)
    }

    fn lift(&mut self, square: u8) -> u8 {
        let Some(place) = self.men.get_mut(usize::from(square)) else {
            return NONE;
        };
        let man = std::mem::take(place);
        self.key ^= key::man(man, square);
        self.structure = self.structure.wrapping_sub(key::part(man, square));
        man
    }

    fn put(&mut self, square: u8, man: u8) {
        let Some(place) = self.men.get_mut(usize::from(square)) else {
            return;
        };
        *place = man;
        self.key ^= key::man(man, square);
        self.structure = self.structure.wrapping_add(key::part(man, square));
        if man::role(man) == GENERAL {
            self.generals[usize::from(man::side(man))] = square;
        }
    }

    /// Plays a ply of this position. Legality is not asked for.
    pub fn play(&mut self, ply: Ply) {
        self.counters.0 = self.counters.0.saturating_add(1);
        self.counters.1 = self.counters.1.saturating_add(u32::from(self.turn));
        self.turn ^= 1;
        self.key ^= key::BLACK_TO_MOVE;
        if ply.is_null() {
            return;
        }
        let mover = self.lift(ply.from);
        let taken = self.lift(ply.to);
        if taken != NONE {
            self.counters.0 = 0;
        }
        if man::role(taken) == GENERAL {
            self.generals[usize::from(man::side(taken))] = OFF;
        }
        self.put(ply.to, mover);
    }

    /// Who has won, if the side to move has no legal move: being stalemated
    /// loses as being mated does. 0 Red, 1 Black.
    pub fn winner(&self) -> Option<u8> {
        self.legal().is_empty().then_some(self.turn ^ 1)
    }
}

/// Whether a square belongs to the palace of a side.
pub(super) fn is_palace(side: u8, square: u8) -> bool {
    let rank = NINE.rank(square);
    let from_home = if side == 0 {
        rank
    } else {
        9_u8.wrapping_sub(rank)
    };
    (3..6).contains(&NINE.file(square)) && from_home < 3
}
