//! A game of a table.

use super::{
    event::EventGame,
    schedule::{Pairing, RoundNumber},
};

/// A game of a table. Players have numbers from 0.
#[derive(Debug, Clone)]
pub(super) struct TableGame<'e> {
    pub game: &'e EventGame,
    pub players: [usize; 2],
    /// Points of White and Black; `None` without a result.
    pub points: Option<[f64; 2]>,
    pub is_played: bool,
    pub teams: Option<[String; 2]>,
}

impl TableGame<'_> {
    pub(super) fn round(&self) -> Option<u32> {
        self.game.round.as_ref().map(RoundNumber::first)
    }

    pub(super) fn pairing(&self) -> Pairing {
        Pairing {
            players: self.players,
            round: self.round(),
            day: self.game.day(),
        }
    }
}
