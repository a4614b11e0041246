//! Plies of draughts as bytes, about one for each.
//!
//! ```text
//! first byte below 0xf8: piece * 8 + code
//!   piece   number of the moving piece among its side's, cells ascending (0..=30)
//!   code    0..=6  a man's single step or single jump, by direction as its side
//!                  sees it: the table below
//!           7      any other move of that piece; "where" follows
//! 0xf8 from         any move of any piece; "where" follows
//! 0xf9              the turn passes
//! 0xfa turn, 4 x (count, squares)
//!                   a position is set up: White's men, kings, Black's men, kings
//! 0xfb from to      a piece is placed elsewhere, and the turn passes
//!
//! where:  to | 0x80 if more follows
//!         more: 0x80 if a man is crowned | number of captured pieces; their squares
//! ```
//!
//! Squares are numbered from 0 in the order of reading. Codes 0 to 6 of half
//! boards: step ahead to the left, to the right, jump ahead to the left, to the
//! right, back to the left, to the right, straight ahead; of full boards: step
//! ahead, right, left, jump ahead, right, left. They depend on the board alone,
//! not on the rules, and say that a man is crowned if it ends on its last row.

use crate::games::draughts::rules::{
    DraughtsBoard, DraughtsMove, DraughtsPiece, DraughtsPosition, DraughtsState, EngineMove,
    board::cells_of, grid::CellSet,
};

/// One ply, whatever it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraughtsPly {
    /// A move of the game.
    Move(DraughtsMove),
    /// Only the turn passes: a move that was not written down.
    Null,
    /// A position is set up in the middle of the game.
    Setup(DraughtsPosition),
    /// A piece of either side is put on another square and the turn passes: the
    /// beginning of drawn openings.
    Placement {
        /// The cell it is taken from.
        from: u8,
        /// The cell it is put on.
        to: u8,
    },
}

impl DraughtsPly {
    /// Plays it.
    #[inline]
    pub fn play(&self, position: &mut DraughtsPosition) {
        match *self {
            Self::Move(ref played) => position.play(played),
            Self::Null => position.set_turn(position.turn() ^ 1),
            Self::Setup(other) => *position = other,
            Self::Placement { from, to } => {
                if let Some(piece) = position.at(from) {
                    position.lift(from);
                    position.put(to & 127, piece);
                }
                position.set_turn(position.turn() ^ 1);
            }
        }
    }

    /// Whether the structure can be another after it, played from `position`.
    #[inline]
    pub(crate) const fn may_change_structure(&self, position: &DraughtsPosition) -> bool {
        match self {
            // Black's men count by their number, kings too.
            Self::Move(played) => {
                played.captured != 0
                    || played.promotes
                    || position.men(0) >> (played.from & 127) & 1 == 1
            }
            Self::Null => false,
            Self::Setup(_) | Self::Placement { .. } => true,
        }
    }
}

const CODE_OTHER: u8 = 7;
const ANY_PIECE: u8 = 0xf8;
const NULL: u8 = 0xf9;
const SETUP: u8 = 0xfa;
const PLACEMENT: u8 = 0xfb;
const PIECE_MAX: u32 = 30;
const MORE: u8 = 0x80;
const CROWNED: u8 = 0x80;
/// No such cell.
const OFF: u8 = 0xff;

/// Directions of codes, White's view; whether a jump.
static CODES_HALF: [(u8, bool); 7] = [
    (7, false),
    (1, false),
    (7, true),
    (1, true),
    (5, true),
    (3, true),
    (0, true),
];
static CODES_FULL: [(u8, bool); 6] = [
    (0, false),
    (2, false),
    (6, false),
    (0, true),
    (2, true),
    (6, true),
];

/// The neighbour of each cell of each board in each direction.
static NEIGHBOURS: [[[u8; 8]; 128]; DraughtsBoard::ALL.len()] = {
    let mut table = [[[OFF; 8]; 128]; DraughtsBoard::ALL.len()];
    let mut number = 0;
    while number < DraughtsBoard::ALL.len() {
        let board = DraughtsBoard::ALL[number];
        let mut index = 0;
        while let Some(cell) = board.cell_at(index) {
            let mut direction = 0;
            while direction < 8 {
                if let Some(next) = board.step(cell, direction) {
                    table[board as usize][cell as usize][direction] = next;
                }
                direction += 1;
            }
            index += 1;
        }
        number += 1;
    }
    table
};

/// The last rows of White's and Black's men on each board.
static LAST_ROWS: [[u128; 2]; DraughtsBoard::ALL.len()] = {
    let mut rows = [[0; 2]; DraughtsBoard::ALL.len()];
    let mut number = 0;
    while number < DraughtsBoard::ALL.len() {
        let board = DraughtsBoard::ALL[number];
        rows[board as usize] = [board.row_cells(0), board.row_cells(board.height() - 1)];
        number += 1;
    }
    rows
};

#[inline]
fn neighbour(board: DraughtsBoard, cell: u8, direction: u8) -> u8 {
    NEIGHBOURS[board as usize][usize::from(cell & 127)][usize::from(direction & 7)]
}

#[inline]
fn codes(board: DraughtsBoard) -> &'static [(u8, bool)] {
    if board.is_full() {
        &CODES_FULL
    } else {
        &CODES_HALF
    }
}

#[inline]
fn is_crowned_on(board: DraughtsBoard, side: u8, cell: u8) -> bool {
    LAST_ROWS[board as usize][usize::from(side & 1)] >> (cell & 127) & 1 == 1
}

/// Appends a ply played from `position`.
pub fn pack(
    step: &DraughtsPly,
    position: &DraughtsPosition,
    board: DraughtsBoard,
    out: &mut Vec<u8>,
) {
    match step {
        DraughtsPly::Move(played) => pack_move(played, position, board, out),
        DraughtsPly::Null => out.push(NULL),
        DraughtsPly::Setup(other) => {
            out.extend([SETUP, other.turn()]);
            for side in 0..2 {
                for set in [other.men(side), other.kings(side)] {
                    push_squares(set, 0, board, out);
                }
            }
        }
        DraughtsPly::Placement { from, to } => {
            out.extend([PLACEMENT, board.index(*from), board.index(*to)]);
        }
    }
}

#[inline]
fn pack_move(
    played: &DraughtsMove,
    position: &DraughtsPosition,
    board: DraughtsBoard,
    out: &mut Vec<u8>,
) {
    let side = position.turn();
    let before = (1_u128 << (played.from & 127)) - 1;
    let piece = (position.pieces(side) & before).count_ones();
    if piece > PIECE_MAX {
        out.extend([ANY_PIECE, board.index(played.from)]);
    } else {
        let is_man = position.men(side) >> (played.from & 127) & 1 == 1;
        if is_man && let Some(code) = code_of(played, side, board) {
            out.push((piece as u8) << 3 | code);
            return;
        }
        out.push((piece as u8) << 3 | CODE_OTHER);
    }
    let to = board.index(played.to);
    if played.captured == 0 && !played.promotes {
        out.push(to);
    } else {
        out.push(to | MORE);
        let flags = if played.promotes { CROWNED } else { 0 };
        push_squares(played.captured, flags, board, out);
    }
}

/// The code of a man's single step or jump.
#[inline]
fn code_of(played: &DraughtsMove, side: u8, board: DraughtsBoard) -> Option<u8> {
    if played.promotes != is_crowned_on(board, side, played.to) {
        return None;
    }
    let code = codes(board).iter().position(|&(direction, jumps)| {
        let next = neighbour(board, played.from, direction ^ (side << 2));
        if jumps {
            next != OFF
                && played.captured == 1 << next
                && neighbour(board, next, direction ^ (side << 2)) == played.to
        } else {
            played.captured == 0 && next == played.to
        }
    })?;
    Some(code as u8)
}

fn push_squares(set: u128, flags: u8, board: DraughtsBoard, out: &mut Vec<u8>) {
    out.push(set.count_ones() as u8 | flags);
    out.extend(cells_of(set).map(|cell| board.index(cell)));
}

/// Takes a ply off `bytes`, as packed from `position`. `None` at the end, and
/// where the bytes cannot have been packed from it.
#[inline]
pub fn unpack(
    position: &DraughtsPosition,
    board: DraughtsBoard,
    bytes: &mut &[u8],
) -> Option<DraughtsPly> {
    let first = *bytes.first()?;
    if is_move(first) {
        let EngineMove {
            from,
            to,
            promotes,
            captured,
        } = unpack_move(&position.narrow(), board, bytes)?;
        return Some(DraughtsPly::Move(DraughtsMove {
            from,
            to,
            promotes,
            captured,
        }));
    }
    *bytes = &bytes[1..];
    match first {
        NULL => Some(DraughtsPly::Null),
        SETUP => unpack_setup(board, bytes),
        PLACEMENT => {
            let from = take_square(board, bytes)?;
            let to = take_square(board, bytes)?;
            let fits = position.occupied() >> from & 1 == 1 && position.occupied() >> to & 1 == 0;
            fits.then_some(DraughtsPly::Placement { from, to })
        }
        _ => None,
    }
}

/// Whether a ply that begins with this byte is a move of the game.
#[inline]
pub(super) const fn is_move(first: u8) -> bool {
    first <= ANY_PIECE
}

/// Takes a [move](is_move) off `bytes`, as [`unpack`] does.
// Boards are constants only where it is inlined into the loop over the plies of one.
#[allow(clippy::inline_always)]
#[inline(always)]
pub(super) fn unpack_move<S: CellSet>(
    at: &DraughtsState<S>,
    board: DraughtsBoard,
    bytes: &mut &[u8],
) -> Option<EngineMove<S>> {
    let first = take(bytes)?;
    if first == ANY_PIECE {
        let from = take_square(board, bytes)?;
        return at
            .own()
            .has(from)
            .then(|| unpack_where(at, board, from, bytes))?;
    }
    let from = at.own().nth(first >> 3)?;
    let code = first & 7;
    if code == CODE_OTHER {
        return unpack_where(at, board, from, bytes);
    }
    let side = at.turn & 1;
    let &(direction, jumps) = codes(board).get(usize::from(code))?;
    let direction = direction ^ (side << 2);
    let mut to = neighbour(board, from, direction);
    let mut captured = S::EMPTY;
    if jumps && to != OFF {
        captured = S::bit(to);
        to = neighbour(board, to, direction);
    }
    let fits = to != OFF
        && at.men.has(from)
        && !(at.own() | at.foe()).has(to)
        && (captured & !at.foe()).is_empty();
    fits.then(|| EngineMove {
        from,
        to,
        promotes: is_crowned_on(board, side, to),
        captured,
    })
}

#[inline]
fn unpack_where<S: CellSet>(
    at: &DraughtsState<S>,
    board: DraughtsBoard,
    from: u8,
    bytes: &mut &[u8],
) -> Option<EngineMove<S>> {
    let to = take(bytes)?;
    let has_more = to & MORE != 0;
    let to = board.cell_at(to & !MORE)?;
    let (mut promotes, mut captured) = (false, S::EMPTY);
    if has_more {
        let count = take(bytes)?;
        promotes = count & CROWNED != 0;
        for _ in 0..count & !CROWNED {
            captured |= S::bit(take_square(board, bytes)?);
        }
    }
    let blocked = (at.own() | at.foe()) & !S::bit(from) & !captured;
    let fits =
        !blocked.has(to) && (captured & !at.foe()).is_empty() && !(promotes && at.kings.has(from));
    fits.then_some(EngineMove {
        from,
        to,
        promotes,
        captured,
    })
}

fn unpack_setup(board: DraughtsBoard, bytes: &mut &[u8]) -> Option<DraughtsPly> {
    let mut position = DraughtsPosition::empty(take(bytes)?);
    for side in 0..2 {
        for king in [false, true] {
            let count = take(bytes)?;
            for cell in cells_of(take_squares(count, board, bytes)?) {
                position.put(cell, DraughtsPiece { side, king });
            }
        }
    }
    Some(DraughtsPly::Setup(position))
}

#[inline]
fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

fn take_square(board: DraughtsBoard, bytes: &mut &[u8]) -> Option<u8> {
    board.cell_at(take(bytes)?)
}

fn take_squares(count: u8, board: DraughtsBoard, bytes: &mut &[u8]) -> Option<u128> {
    let mut set = 0;
    for _ in 0..count {
        set |= 1 << take_square(board, bytes)?;
    }
    Some(set)
}
