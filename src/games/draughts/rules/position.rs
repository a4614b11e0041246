//! What stands where, and whose turn it is.

use super::{
    DraughtsBoard, DraughtsGoal, DraughtsRules,
    board::cells_of,
    grid::CellSet,
    moves::{self, DraughtsMove},
};

/// White's number; White plays up the board.
pub const WHITE: u8 = 0;
/// Black's number.
pub const BLACK: u8 = 1;

/// One piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DraughtsPiece {
    /// Whose it is: 0 White, 1 Black.
    pub side: u8,
    /// Whether it is a king.
    pub king: bool,
}

/// A position. Any placement is one: no number of pieces is required, and men
/// may stand on their last row, as they do in problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DraughtsPosition {
    men: [u128; 2],
    kings: [u128; 2],
    turn: u8,
}

impl DraughtsPosition {
    /// An empty board with this side to move (0 White, 1 Black).
    pub const fn empty(turn: u8) -> Self {
        Self {
            men: [0; 2],
            kings: [0; 2],
            turn: turn & 1,
        }
    }

    /// The start of a game under these rules.
    pub fn start(rules: &DraughtsRules) -> Self {
        let board = rules.board;
        let mut position = Self::empty(rules.first);
        for row in rules.gap..rules.gap + rules.rows {
            position.men[BLACK as usize] |= board.row_cells(row);
            position.men[WHITE as usize] |= board.row_cells(board.height() - 1 - row);
        }
        position
    }

    /// Who moves: 0 White, 1 Black.
    #[inline]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Gives the move to a side.
    pub const fn set_turn(&mut self, turn: u8) {
        self.turn = turn & 1;
    }

    /// The cells of a side's men.
    #[inline]
    pub const fn men(&self, side: u8) -> u128 {
        self.men[(side & 1) as usize]
    }

    /// The cells of a side's kings.
    #[inline]
    pub const fn kings(&self, side: u8) -> u128 {
        self.kings[(side & 1) as usize]
    }

    /// The cells of all of a side's pieces.
    #[inline]
    pub const fn pieces(&self, side: u8) -> u128 {
        self.men(side) | self.kings(side)
    }

    /// The cells of all pieces.
    #[inline]
    pub const fn occupied(&self) -> u128 {
        self.pieces(WHITE) | self.pieces(BLACK)
    }

    /// The piece on a cell.
    pub fn at(&self, cell: u8) -> Option<DraughtsPiece> {
        let bit = 1_u128.checked_shl(u32::from(cell))?;
        (0..2).find_map(|side| {
            let king = self.kings(side) & bit != 0;
            (king || self.men(side) & bit != 0).then_some(DraughtsPiece { side, king })
        })
    }

    /// Puts a piece on a cell, in place of what stands there.
    ///
    /// # Panics
    ///
    /// If there can be no such cell (128 and more).
    pub fn put(&mut self, cell: u8, piece: DraughtsPiece) {
        assert!(cell < 128, "no such cell");
        self.lift(cell);
        let sets = if piece.king {
            &mut self.kings
        } else {
            &mut self.men
        };
        sets[usize::from(piece.side & 1)] |= 1 << cell;
    }

    /// Takes away what is on a cell.
    pub fn lift(&mut self, cell: u8) {
        let rest = !1_u128.checked_shl(u32::from(cell)).unwrap_or(0);
        for set in self.men.iter_mut().chain(&mut self.kings) {
            *set &= rest;
        }
    }

    /// All pieces with their cells, in the order of the cells.
    pub fn iter(&self) -> impl Iterator<Item = (u8, DraughtsPiece)> {
        cells_of(self.occupied()).filter_map(|cell| Some((cell, self.at(cell)?)))
    }

    /// The same position with colours and view exchanged: the board turned by
    /// half a circle, White's pieces Black's and the other side to move.
    pub fn rotated(&self, board: DraughtsBoard) -> Self {
        let turned = |[white, black]: [u128; 2]| [board.rotated(black), board.rotated(white)];
        Self {
            men: turned(self.men),
            kings: turned(self.kings),
            turn: self.turn ^ 1,
        }
    }

    /// The position mirrored left to right, colours and turn as they are. Only
    /// full boards have such a mirror; `None` on the others.
    pub fn mirrored(&self, board: DraughtsBoard) -> Option<Self> {
        let mut mirrored = Self::empty(self.turn);
        for (cell, piece) in self.iter() {
            mirrored.put(board.mirrored(cell)?, piece);
        }
        board.is_full().then_some(mirrored)
    }

    /// Plays a move of this position.
    #[inline]
    pub fn play(&mut self, played: &DraughtsMove) {
        let state = self.narrow::<u128>();
        *self = state
            .play(played.from, played.to, played.promotes, played.captured)
            .widen();
    }

    /// Who has won, if the position ends the game by its goal; draws are not
    /// for the rules of movement to say.
    pub fn winner(&self, rules: &DraughtsRules) -> Option<u8> {
        let mover = self.turn;
        if rules.goal == DraughtsGoal::FirstKing {
            // The side that has just moved has made its king first.
            if let Some(side) = [mover ^ 1, mover].into_iter().find(|&s| self.kings(s) != 0) {
                return Some(side);
            }
        }
        if moves::can_move(self, rules) {
            None
        } else if rules.goal == DraughtsGoal::Lose {
            Some(mover)
        } else {
            Some(mover ^ 1)
        }
    }

    /// Men on the row where they should have become kings.
    pub const fn uncrowned(&self, board: DraughtsBoard) -> u128 {
        self.men[0] & board.row_cells(0) | self.men[1] & board.row_cells(board.height() - 1)
    }

    #[inline]
    pub(crate) fn narrow<S: CellSet>(&self) -> DraughtsState<S> {
        let own = usize::from(self.turn & 1);
        DraughtsState {
            men: S::narrow(self.men[own]),
            kings: S::narrow(self.kings[own]),
            foe_men: S::narrow(self.men[own ^ 1]),
            foe_kings: S::narrow(self.kings[own ^ 1]),
            turn: self.turn,
        }
    }
}

/// A position in the engine's own width, as the side to move has it: fields, not
/// arrays by colour, so that it lives in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DraughtsState<S> {
    pub(crate) men: S,
    pub(crate) kings: S,
    pub(crate) foe_men: S,
    pub(crate) foe_kings: S,
    pub(crate) turn: u8,
}

impl<S: CellSet> DraughtsState<S> {
    /// The same at the border of the module.
    #[inline]
    pub(crate) fn widen(self) -> DraughtsPosition {
        let sides = |own: S, foe: S| {
            let mut sets = [own.wide(), foe.wide()];
            if self.turn & 1 == 1 {
                sets.reverse();
            }
            sets
        };
        DraughtsPosition {
            men: sides(self.men, self.foe_men),
            kings: sides(self.kings, self.foe_kings),
            turn: self.turn & 1,
        }
    }

    /// The cells of all of the side's pieces that moves.
    #[inline]
    pub(crate) fn own(self) -> S {
        self.men | self.kings
    }

    /// Those of the other side.
    #[inline]
    pub(crate) fn foe(self) -> S {
        self.foe_men | self.foe_kings
    }

    /// The position after a move.
    #[inline]
    pub(crate) fn play(self, from: u8, to: u8, promotes: bool, captured: S) -> Self {
        // A capture may come back to where it began.
        let rest = !S::bit(from);
        let king = promotes | self.kings.has(from);
        let (mut men, mut kings) = (self.men & rest, self.kings & rest);
        if king {
            kings |= S::bit(to);
        } else {
            men |= S::bit(to);
        }
        Self {
            men: self.foe_men & !captured,
            kings: self.foe_kings & !captured,
            foe_men: men,
            foe_kings: kings,
            turn: self.turn ^ 1,
        }
    }
}
