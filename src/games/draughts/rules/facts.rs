//! What makes one kind of draughts differ from another, as plain facts.

use super::DraughtsBoard;

/// A set of directions: bit 0 is north (away from White), then clockwise by
/// eighths of a turn to bit 7, north-west. Those of men are White's; Black's
/// are turned by half a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Directions(pub u8);

impl Directions {
    /// The two diagonals ahead.
    pub const FORWARD: Self = Self(0b1000_0010);
    /// All four diagonals.
    pub const DIAGONAL: Self = Self(0b1010_1010);
    /// Along rows and columns, all four ways.
    pub const ORTHOGONAL: Self = Self(0b0101_0101);
    /// Straight ahead and to both sides.
    pub const FORWARD_SIDEWAYS: Self = Self(0b0100_0101);
    /// Straight ahead, diagonally ahead and to both sides.
    pub const FORWARD_HALF: Self = Self(0b1100_0111);
    /// All eight.
    pub const ALL: Self = Self(0xff);

    /// The bits, turned to the view of `side`.
    #[inline]
    pub(crate) const fn of_side(self, side: u8) -> u8 {
        self.0.rotate_left(4 * side as u32)
    }
}

/// How far a king goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// One square, as a man.
    Short,
    /// Any number of empty squares.
    Flying,
}

/// Where a flying king lands behind what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Landing {
    /// On any of the empty squares behind.
    Any,
    /// Directly behind.
    Behind,
    /// On any, but directly behind if the last piece taken is a king.
    BehindLastKing,
}

/// When captured pieces leave the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Removal {
    /// After the move: they block until then and may not be jumped again.
    After,
    /// Each as it is jumped.
    AtOnce,
}

/// What becomes of a man that reaches the last row while capturing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// It goes on as a man if it can, and is crowned only if its move ends there.
    Pass,
    /// Its move ends there, and it is crowned.
    Stop,
    /// It is crowned at once and goes on as a king.
    Continue,
}

/// Which of several captures must be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Any, carried to its end.
    Free,
    /// One that takes most pieces.
    Most,
    /// One that takes most pieces, then most kings.
    MostThenKings,
    /// Italian: most pieces; then with a king; then most kings; then the one
    /// that meets a king first.
    Italian,
    /// Frisian: the greatest value; of equal ones, with a king.
    Value {
        /// What a man counts.
        man: u16,
        /// What a king counts.
        king: u16,
    },
    /// With a king if any king can capture, else any.
    WithKing,
}

/// How a game is won, besides leaving the other side without a legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DraughtsGoal {
    /// Who cannot move loses.
    Usual,
    /// Who cannot move wins.
    Lose,
    /// Who first has a king wins; who cannot move loses.
    FirstKing,
}

/// The facts of one kind of draughts, as far as its moves go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DraughtsRules {
    /// The squares.
    pub board: DraughtsBoard,
    /// Rows of men of each side at the start.
    pub rows: u8,
    /// Empty rows behind them.
    pub gap: u8,
    /// Who moves first: 0 White, 1 Black.
    pub first: u8,
    /// Where men move.
    pub men_move: Directions,
    /// Where men capture.
    pub men_capture: Directions,
    /// Where kings move.
    pub kings_move: Directions,
    /// Where kings capture.
    pub kings_capture: Directions,
    /// How far kings go.
    pub reach: Reach,
    /// Where flying kings land.
    pub landing: Landing,
    /// Whether men may take kings.
    pub men_take_kings: bool,
    /// When captured pieces leave.
    pub removal: Removal,
    /// Whether a capture may go back on its line from one jump to the next. Of
    /// no effect unless captured pieces leave at once.
    pub may_reverse: bool,
    /// Men on the last row.
    pub promotion: Promotion,
    /// Choice between captures.
    pub priority: Priority,
    /// The end of the game.
    pub goal: DraughtsGoal,
}
