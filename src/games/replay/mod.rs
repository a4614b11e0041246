//! Games in motion: from stored plies to positions, and from raw games to plies.

use crate::key::Structure;

pub(crate) mod branch;
pub mod chess;
pub mod draughts;
pub mod kin;
pub mod read;
pub(crate) mod reading;
mod start;
pub mod tongue;

/// A replay as the index sees it, whatever the rules.
pub trait Walk: Clone {
    /// What changes at irreversible plies only.
    fn structure(&self) -> Structure;
    /// The key of pieces and side to move.
    fn board_key(&self) -> u64;
    /// What else makes the position, in twenty bits.
    fn state_bits(&self) -> u32;
    /// The side to move: 0 the first, 1 the second.
    fn turn(&self) -> usize;
    /// Takes the next ply off `bytes` as its code, without playing it; it must
    /// be played next. `None` at the end.
    fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16>;
    /// Plays the ply that was taken off.
    fn play(&mut self, code: u16);
    /// Whether the game may come back to a structure that it has left: where men are
    /// dropped or positions are set up in the middle of games.
    fn may_go_back(&self) -> bool;
}

/// A start position with the rules to go on from it.
#[derive(Debug, Clone)]
pub enum Start {
    /// Chess and Chess960.
    Chess(Box<chess::Replay>),
    /// A game that is kin to chess, or Othello.
    Kin(Box<kin::Replay>),
    /// Draughts of any kind.
    Draughts(Box<draughts::Replay>),
}
