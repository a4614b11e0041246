//! Sets of numbers, as bits.

use super::record::GameId;

/// A set of numbers that are not much greater than there are of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdSet(Vec<u64>);

impl IdSet {
    pub(crate) fn insert(&mut self, id: u32) {
        let at = id as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (id % 64);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it has the number of a game.
    pub(crate) fn contains_game(&self, game: GameId) -> bool {
        u32::try_from(game).is_ok_and(|id| self.contains(id))
    }

    pub(crate) fn contains(&self, id: u32) -> bool {
        self.0
            .get(id as usize / 64)
            .is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }
}
