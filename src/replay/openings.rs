//! The openings of stored games, as their moves show them.

use std::collections::HashMap;

use super::start_position;
use crate::{
    base::record::GameId,
    games::{AnyPosition, NamedOpening},
    store::{LineReader, Store, StoreError},
};

/// Start positions that are kept in memory.
const STARTS_MAX: usize = 1024;

/// Determines the openings of games by replaying how they begin.
#[derive(Debug)]
pub struct OpeningReader<'s> {
    store: &'s Store,
    lines: LineReader<'s>,
    starts: HashMap<u32, Option<AnyPosition>>,
}

impl<'s> OpeningReader<'s> {
    /// Of the games of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            lines: store.lines(),
            starts: HashMap::new(),
        }
    }

    /// The last name that a game's main line has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn of(&mut self, game: GameId) -> Result<Option<&'static NamedOpening>, StoreError> {
        let line = self.lines.get(game)?;
        if !self.starts.contains_key(&line.start) {
            if self.starts.len() == STARTS_MAX {
                self.starts.clear();
            }
            let start = start_position(self.store, line.start)?;
            self.starts.insert(line.start, start);
        }
        let start = self.starts.get(&line.start).and_then(Option::as_ref);
        Ok(start.and_then(|at| at.last_named(line.plies)))
    }
}
