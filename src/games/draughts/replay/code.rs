//! Plies as sixteen bits, for the index: what was played next in a position.
//!
//! `(from * n + to) * 12 + way`, with squares numbered from 0 in the order of
//! reading and `n` of them on the board. `way` is 0 where at most one piece is
//! taken, so that such codes say all there is; otherwise 1 and a hash of what is
//! taken, below 11, which distinguishes captures that have from and to in common (ten times in
//! eleven; a tree distinguishes the others by replay).
//!
//! The hash is a sum in which a square and the one it becomes after half a turn
//! of the board cancel each other. So a code can be turned by itself, without
//! the position.

use super::pack::DraughtsPly;
use crate::{
    base::mix,
    games::draughts::rules::{DraughtsBoard, DraughtsMove, board::cells_of},
};

/// The turn passes.
pub const NULL: u16 = 72 * 72 * WAYS;
/// A position is set up.
pub const SETUP: u16 = NULL + 1;
/// The first code of placements; boards of up to [`PLACED_SQUARES_MAX`] squares
/// add `from * n + to`.
pub const PLACEMENT: u16 = NULL + 2;
/// On boards of more squares all placements have one code.
pub const PLACED_SQUARES_MAX: u8 = 50;

const WAYS: u16 = 12;
const HASHES: u16 = WAYS - 1;

/// The code of a move.
#[inline]
pub fn of_move(board: DraughtsBoard, played: &DraughtsMove) -> u16 {
    let way = if played.captured & played.captured.wrapping_sub(1) == 0 {
        0
    } else {
        1 + cells_of(played.captured).fold(0, |sum, cell| sum + share(board, cell)) % HASHES
    };
    pair(board, played.from, played.to) * WAYS + way
}

/// The code of a ply.
#[inline]
pub fn of_step(board: DraughtsBoard, step: &DraughtsPly) -> u16 {
    match step {
        DraughtsPly::Move(played) => of_move(board, played),
        DraughtsPly::Null => NULL,
        DraughtsPly::Setup(_) => SETUP,
        DraughtsPly::Placement { from, to } if board.square_count() <= PLACED_SQUARES_MAX => {
            PLACEMENT + pair(board, *from, *to)
        }
        DraughtsPly::Placement { .. } => PLACEMENT,
    }
}

#[inline]
fn pair(board: DraughtsBoard, from: u8, to: u8) -> u16 {
    u16::from(board.index(from)) * u16::from(board.square_count()) + u16::from(board.index(to))
}

/// What a captured piece adds to the hash: the opposite for the square that is
/// opposite, and on full boards the same for its mirror image.
fn share(board: DraughtsBoard, cell: u8) -> u16 {
    let index = board.index(cell);
    let last = board.square_count() - 1;
    let turned = last - index;
    let lower = index.min(turned);
    let lower = if board.is_full() {
        lower.min(lower ^ (board.width() - 1))
    } else {
        lower
    };
    let value = (mix(u64::from(lower) + 1) >> 32) as u16 % HASHES;
    if index < turned {
        value
    } else {
        HASHES - value
    }
}

/// The two cells of a code, where it says them; `None` for any other.
pub fn ends(board: DraughtsBoard, code: u16) -> Option<(u8, u8)> {
    let count = u16::from(board.square_count());
    let pair = match code {
        PLACEMENT.. if board.square_count() <= PLACED_SQUARES_MAX => code - PLACEMENT,
        NULL.. => return None,
        _ => code / WAYS,
    };
    let from = board.cell_at(u8::try_from(pair / count).ok()?)?;
    Some((from, board.cell_at((pair % count) as u8)?))
}

/// The code as it is on the board turned by half a circle with colours exchanged.
pub fn rotated(board: DraughtsBoard, code: u16) -> u16 {
    let count = u16::from(board.square_count());
    // Both numbers of the pair count from the other end.
    let turned = |pair: u16| (count * count - 1).wrapping_sub(pair);
    match code {
        PLACEMENT.. if board.square_count() <= PLACED_SQUARES_MAX => {
            PLACEMENT.wrapping_add(turned(code - PLACEMENT))
        }
        NULL.. => code,
        _ => {
            let way = match code % WAYS {
                0 => 0,
                way => 1 + (WAYS - way) % HASHES,
            };
            turned(code / WAYS).wrapping_mul(WAYS).wrapping_add(way)
        }
    }
}

/// The code as it is on the board mirrored left to right, which only full
/// boards are played on.
pub fn mirrored(board: DraughtsBoard, code: u16) -> Option<u16> {
    if !board.is_full() || code >= NULL {
        return board.is_full().then_some(code);
    }
    let count = u16::from(board.square_count());
    let pair = code / WAYS;
    // Squares of a row of eight differ in the lowest three bits.
    let flipped = ((pair / count) ^ 7) * count + ((pair % count) ^ 7);
    Some(flipped * WAYS + code % WAYS)
}
