//! A position of any game, told apart from all text and from every index.

mod kin;

pub use crate::games::chess_variant::played::Played;
pub use kin::{Kin, KinPly, KinPosition, Over};

use shakmaty::Chess;

use crate::games::draughts::Draughts;

/// A position with the rules to go on from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// Of chess or Chess960.
    Chess(Chess),
    /// Of a chess variant, of xiangqi or of Othello.
    Kin(Kin),
    /// Of one kind of draughts.
    Draughts(Draughts),
}
