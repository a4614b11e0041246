//! What a ply did on the board.

use super::draughts::replay::Step;
use super::draughts::{notation::board::Marks, rows::DraughtsVariant, rules::Position};

/// What a ply did on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineMove {
    /// Of chess and its kin: the squares it left and reached as the board of the
    /// game numbers them; for castling those of king and rook.
    Squares(u8, u8),
    /// The turn was passed.
    Null,
    /// Of draughts.
    Draughts {
        /// The position before it.
        before: Position,
        /// What was done.
        step: Step,
    },
}

impl LineMove {
    /// What stands out of it on a board of draughts.
    pub fn marks(&self, variant: &DraughtsVariant) -> Marks {
        match self {
            Self::Draughts {
                before,
                step: Step::Move(played),
            } => Marks::of(before, &variant.rules, played),
            Self::Draughts {
                step: Step::Placement { from, to },
                ..
            } => Marks {
                ends: 1 << from | 1 << to,
                ..Marks::default()
            },
            _ => Marks::default(),
        }
    }
}
