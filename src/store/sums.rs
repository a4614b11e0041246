//! The fingerprints of games, in blocks.

use std::collections::BTreeMap;

use rusqlite::params;

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::fingerprint::{self, Fingerprint},
};

impl Store {
    /// Adds the fingerprints of games that follow each other, or replaces them: blocks begin every
    /// [`GAMES_PER_BLOCK`](fingerprint::GAMES_PER_BLOCK) games.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_sums(
        &self,
        first_game: GameId,
        prints: &[Fingerprint],
    ) -> Result<(), StoreError> {
        let firsts = (first_game..).step_by(fingerprint::GAMES_PER_BLOCK);
        for (first, block) in firsts.zip(prints.chunks(fingerprint::GAMES_PER_BLOCK)) {
            self.run(
                sql::INSERT_SUMS,
                params![first as i64, fingerprint::write(block)],
            )?;
        }
        Ok(())
    }

    /// Gives some games other fingerprints.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn update_sums(&self, new: &BTreeMap<GameId, Fingerprint>) -> Result<(), StoreError> {
        let mut next = 0;
        while let Some((&game, _)) = new.range(next..).next() {
            let block = self.one(sql::PRINTS_OF, [game as i64], |row| {
                let bytes = row::blob(row, 1)?;
                let prints = (0..).map_while(|place| fingerprint::at(bytes, place));
                Ok((number(row, 0)?, prints.collect::<Vec<Fingerprint>>()))
            })?;
            let (first, mut block) = block.unwrap_or_default();
            next = first + block.len() as u64;
            if next <= game {
                return Err(self.damaged(format!("fingerprint of game {game}")));
            }
            for (&game, &print) in new.range(first..next) {
                block[(game - first) as usize] = print;
            }
            self.insert_sums(first, &block)?;
        }
        Ok(())
    }

    /// The last game that has a fingerprint; 0 if none has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn last_sum(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::PRINTS_OF, [i64::MAX], |row| {
            let games = fingerprint::games(row::blob(row, 1)?);
            Ok((number(row, 0)?, games))
        })?;
        match last {
            None => Ok(0),
            Some((first, Some(games @ 1..))) => Ok(first + games as u64 - 1),
            Some((first, _)) => Err(self.damaged(format!("table print_block: row {first}"))),
        }
    }

    /// Calls `each` with all games in order and their fingerprints.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn for_each_print(
        &self,
        mut each: impl FnMut(GameId, Fingerprint),
    ) -> Result<(), StoreError> {
        self.in_passing(|| {
            self.each_row(sql::ALL_PRINTS, [], |row| {
                let (first, block) = (number(row, 0)?, row::blob(row, 1)?);
                for (game, print) in (first..).zip(fingerprint::all(block)) {
                    each(game, print);
                }
                Ok(())
            })
        })
    }

    /// A reader of fingerprints.
    pub const fn sums(&self) -> SumReader<'_> {
        SumReader {
            store: self,
            first: 0,
            block: Vec::new(),
        }
    }
}

/// Reads fingerprints of single games, keeping the last block in memory.
#[derive(Debug)]
pub struct SumReader<'s> {
    store: &'s Store,
    first: GameId,
    block: Vec<u8>,
}

impl SumReader<'_> {
    /// The fingerprint of a game.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that has none counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<Fingerprint, StoreError> {
        let place = |first: GameId| usize::try_from(game.wrapping_sub(first)).unwrap_or(usize::MAX);
        let read = |block: &[u8], first| fingerprint::at(block, place(first));
        if read(&self.block, self.first).is_none() {
            let block = &mut self.block;
            block.clear();
            let first = self.store.one(sql::PRINTS_OF, [game as i64], |row| {
                block.extend_from_slice(row::blob(row, 1)?);
                number(row, 0)
            })?;
            self.first = first.unwrap_or(0);
        }
        let missing = || self.store.damaged(format!("fingerprint of game {game}"));
        read(&self.block, self.first).ok_or_else(missing)
    }
}
