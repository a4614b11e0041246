//! Boards as the engine wants them: sets of 64 or 128 bits, steps as shifts,
//! rays as tables, all known when the program is compiled.

// Steps are shifts by constants only where they are inlined into the loop over
// the directions that was unrolled for them.
#![allow(clippy::inline_always)]

use std::{
    fmt::Debug,
    hash::Hash,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr},
};

use super::DraughtsBoard;

/// A set of cells.
pub(crate) trait CellSet:
    Copy
    + Debug
    + Eq
    + Ord
    + Hash
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;
    /// The set of one cell.
    fn bit(cell: u8) -> Self;
    /// The lowest member; the set is not empty.
    fn lowest(self) -> u8;
    /// The highest member; the set is not empty.
    fn highest(self) -> u8;
    /// Without the lowest member.
    fn without_lowest(self) -> Self;
    /// Number of members.
    fn count(self) -> u32;
    /// As the sets at the border of the module.
    fn wide(self) -> u128;
    /// From the sets at the border of the module.
    fn narrow(set: u128) -> Self;

    /// Whether there is no member.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The member before which there are `n`, up to 63.
    #[inline(always)]
    fn nth(self, n: u8) -> Option<u8> {
        let (low, high) = (self.wide() as u64, (self.wide() >> 64) as u64);
        let before = low.count_ones() as u8;
        if n < before {
            nth(low, n)
        } else {
            Some(64 + nth(high, n - before)?)
        }
    }

    /// Whether the cell is a member.
    #[inline(always)]
    fn has(self, cell: u8) -> bool {
        !(self & Self::bit(cell)).is_empty()
    }
}

/// The member of a set before which there are `n`, up to 63: the byte it is in by the sums of
/// members up to each byte, which are counted all at once, then by a table.
#[inline(always)]
fn nth(set: u64, n: u8) -> Option<u8> {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = ONES << 7;
    static IN_BYTE: [[u8; 8]; 256] = {
        let mut table = [[0; 8]; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut n, mut rest) = (0, byte as u8);
            while rest != 0 {
                table[byte][n] = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                n += 1;
            }
            byte += 1;
        }
        table
    };
    let pairs = set - (set >> 1 & (u64::MAX / 3));
    let fours = (pairs & (u64::MAX / 5)) + (pairs >> 2 & (u64::MAX / 5));
    let sums = ((fours + (fours >> 4)) & (ONES * 15)).wrapping_mul(ONES);
    if u64::from(n) >= sums >> 56 {
        return None;
    }
    // No sum is above 64, so that no byte borrows from the next.
    let passed = (((u64::from(n) * ONES) | TOPS) - sums) & TOPS;
    let place = (passed >> 7).wrapping_mul(ONES) >> 56 << 3;
    let before = (sums << 8 >> place) as u8;
    let byte = (set >> place) as u8;
    Some(place as u8 + IN_BYTE[usize::from(byte)][usize::from(n.wrapping_sub(before) & 7)])
}

macro_rules! bits {
    ($int:ty) => {
        impl CellSet for $int {
            const EMPTY: Self = 0;
            #[inline(always)]
            fn bit(cell: u8) -> Self {
                1 << (cell as u32 & (Self::BITS - 1))
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn highest(self) -> u8 {
                (Self::BITS - 1).wrapping_sub(self.leading_zeros()) as u8
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn narrow(set: u128) -> Self {
                set as Self
            }
        }
    };
}
bits!(u64);
bits!(u128);

/// A board that the engine is compiled for.
pub(crate) trait EngineGrid {
    /// Its sets.
    type Set: CellSet;
    /// Which board.
    const BOARD: DraughtsBoard;
    /// What a step adds to the number of a cell, by direction.
    const STEP: [i8; 8] = steps(Self::BOARD).0;
    /// Played cells.
    const CELLS: u128 = Self::BOARD.cells();
    /// Where White's and Black's men become kings.
    const LAST_ROW: [u128; 2] = [
        Self::BOARD.row_cells(0),
        Self::BOARD.row_cells(Self::BOARD.height() - 1),
    ];
    /// Cells from which a step in the direction stays on the board.
    const INSIDE: [u128; 8] = steps(Self::BOARD).1;

    /// The cells that lie in a direction from a cell.
    fn ray(direction: usize, cell: u8) -> Self::Set;

    /// The cells whose neighbour in the direction is in the set.
    #[inline(always)]
    fn before(direction: usize, set: Self::Set) -> Self::Set {
        let step = Self::STEP[direction];
        let moved = if step > 0 {
            set >> step.unsigned_abs() as u32
        } else {
            set << step.unsigned_abs() as u32
        };
        // Diagonal and vertical steps off a half board end on numbers that are no cells; the others
        // need to know where the board ends.
        if Self::BOARD.is_full() || direction % 4 == 2 {
            moved & Self::Set::narrow(Self::INSIDE[direction])
        } else {
            moved
        }
    }

    /// The cells that are the neighbours in the direction of a set's members.
    #[inline(always)]
    fn after(direction: usize, set: Self::Set) -> Self::Set {
        Self::before(direction ^ 4, set)
    }

    /// The member of a part of a ray that is nearest to its beginning.
    #[inline(always)]
    fn nearest(direction: usize, set: Self::Set) -> u8 {
        if Self::STEP[direction] > 0 {
            set.lowest()
        } else {
            set.highest()
        }
    }
}

/// By direction, what a step adds to the number of a cell, and the cells from which it stays
/// on the board.
const fn steps(board: DraughtsBoard) -> ([i8; 8], [u128; 8]) {
    let (mut steps, mut inside) = ([0; 8], [0; 8]);
    let mut direction = 0;
    while direction < 8 {
        let mut index = 0;
        while let Some(cell) = board.cell_at(index) {
            if let Some(next) = board.step(cell, direction) {
                let step = next as i8 - cell as i8;
                assert!(steps[direction] == 0 || steps[direction] == step);
                steps[direction] = step;
                inside[direction] |= 1 << cell;
            }
            index += 1;
        }
        direction += 1;
    }
    (steps, inside)
}

const fn ray(board: DraughtsBoard, direction: usize, mut cell: u8) -> u128 {
    let mut set = 0;
    while let Some(next) = board.step(cell, direction) {
        set |= 1 << next;
        cell = next;
    }
    set
}

macro_rules! grid {
    ($name:ident, $board:expr, $set:ty) => {
        #[doc = concat!("The engine's ", stringify!($board), ".")]
        pub(crate) struct $name;

        impl EngineGrid for $name {
            type Set = $set;
            const BOARD: DraughtsBoard = $board;

            #[inline(always)]
            fn ray(direction: usize, cell: u8) -> $set {
                const SIZE: usize = <$set>::BITS as usize;
                static RAYS: [[$set; SIZE]; 8] = {
                    let mut rays = [[0; SIZE]; 8];
                    let mut direction = 0;
                    while direction < 8 {
                        let mut index = 0;
                        while let Some(cell) = $board.cell_at(index) {
                            rays[direction][cell as usize] = ray($board, direction, cell) as $set;
                            index += 1;
                        }
                        direction += 1;
                    }
                    rays
                };
                RAYS[direction & 7][cell as usize & (SIZE - 1)]
            }
        }
    };
}
grid!(Grid8, DraughtsBoard::Half8, u64);
grid!(Grid10x8, DraughtsBoard::Half10x8, u64);
grid!(Grid10, DraughtsBoard::Half10, u64);
grid!(Grid12, DraughtsBoard::Half12, u128);
grid!(GridFull8, DraughtsBoard::Full8, u64);

/// Calls a function that is generic over [`EngineGrid`] for a [`DraughtsBoard`].
macro_rules! on_grid {
    ($board:expr, $function:ident ( $($argument:expr),* $(,)? )) => {
        match $board {
            $crate::games::draughts::rules::DraughtsBoard::Half8 => $function::<$crate::games::draughts::rules::grid::Grid8>($($argument),*),
            $crate::games::draughts::rules::DraughtsBoard::Half10x8 => $function::<$crate::games::draughts::rules::grid::Grid10x8>($($argument),*),
            $crate::games::draughts::rules::DraughtsBoard::Half10 => $function::<$crate::games::draughts::rules::grid::Grid10>($($argument),*),
            $crate::games::draughts::rules::DraughtsBoard::Half12 => $function::<$crate::games::draughts::rules::grid::Grid12>($($argument),*),
            $crate::games::draughts::rules::DraughtsBoard::Full8 => $function::<$crate::games::draughts::rules::grid::GridFull8>($($argument),*),
        }
    };
}
pub(crate) use on_grid;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_member_is_that_of_the_list() {
        let mut set: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834;
        for round in 0..2000_u32 {
            // Full sets, thin ones and those of one half.
            set = set.rotate_left(round % 61) ^ set.wrapping_mul(0x5851_f42d_4c95_7f2d) >> 7;
            let drawn = [
                set,
                !0,
                set & set >> 9 & set << 5,
                set >> 64,
                set << 64,
                1 << (round % 128),
            ];
            for set in drawn {
                let cells: Vec<u8> = (0..128).filter(|cell| set >> cell & 1 == 1).collect();
                let low: Vec<u8> = cells.iter().copied().filter(|cell| *cell < 64).collect();
                for n in 0..64 {
                    let at = usize::from(n);
                    assert_eq!(set.nth(n), cells.get(at).copied(), "{set:x} {n}");
                    assert_eq!((set as u64).nth(n), low.get(at).copied(), "{set:x} {n}");
                }
            }
        }
    }
}
