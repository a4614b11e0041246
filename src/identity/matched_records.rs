//! Which stored records those of a source are that do not say who played, or have no moves: one
//! that lists such a record twice means two, so that each stored one is taken once.

use std::{
    collections::{HashMap, HashSet},
    vec,
};

use super::FingerprintIndex;
use crate::{base::record::GameId, blocks::fingerprint::Fingerprint};

/// The stored records that those of one source are.
#[derive(Debug, Default)]
pub struct MatchedRecords {
    /// The last game that was there before the source.
    last_before: GameId,
    games: HashSet<GameId>,
    /// Where, among the games with a fingerprint, those begin that were not looked at: however
    /// often a record comes again, each of them is looked at once.
    unseen: HashMap<Fingerprint, GameId>,
}

/// A search for the stored record that a record is.
#[derive(Debug)]
pub struct RecordLookup {
    print: Fingerprint,
    /// Games that are not equal in all; `None` as long as there may be equal ones.
    alike: Option<vec::IntoIter<GameId>>,
}

impl MatchedRecords {
    /// None so far, among games up to one.
    pub fn up_to(last_before: GameId) -> Self {
        Self {
            last_before,
            ..Self::default()
        }
    }

    /// Begins a search for a record with this fingerprint.
    pub const fn look_for(print: Fingerprint) -> RecordLookup {
        RecordLookup { print, alike: None }
    }

    /// The next stored record that it can be: those that are equal in all come first. Of the others
    /// the last, if they are many.
    pub fn next(
        &mut self,
        look: &mut RecordLookup,
        known: &mut FingerprintIndex,
    ) -> Option<GameId> {
        let print = look.print;
        while look.alike.is_none() {
            let from = self.unseen.get(&print).copied().unwrap_or(0);
            let equal = known.next_equal(print, from);
            match equal.filter(|&game| game <= self.last_before) {
                Some(game) => {
                    self.unseen.insert(print, game + 1);
                    if !self.games.contains(&game) {
                        return Some(game);
                    }
                }
                None => look.alike = Some(known.alike(print).into_iter()),
            }
        }
        let is_free = |game: &GameId| *game <= self.last_before && !self.games.contains(game);
        look.alike.as_mut()?.find(is_free)
    }

    /// A record of the source is this one: none of those that come after is it.
    pub fn take(&mut self, game: GameId) {
        self.games.insert(game);
    }
}
