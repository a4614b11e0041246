//! The checksums of games, in blocks.

use std::collections::BTreeMap;

use rusqlite::params;

use super::{
    SUMMED_SCHEMA, Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{base::record::GameId, db::index::sums};

impl Store {
    /// Adds the checksums of games that follow each other, or replaces them: blocks begin every
    /// [`GAMES_PER_BLOCK`](sums::GAMES_PER_BLOCK) games.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_sums(&self, first_game: GameId, sums: &[u32]) -> Result<(), StoreError> {
        let firsts = (first_game..).step_by(sums::GAMES_PER_BLOCK);
        for (first, block) in firsts.zip(sums.chunks(sums::GAMES_PER_BLOCK)) {
            self.run(sql::INSERT_SUMS, params![first as i64, sums::write(block)])?;
        }
        Ok(())
    }

    /// Gives some games other checksums.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn update_sums(&self, new: &BTreeMap<GameId, u32>) -> Result<(), StoreError> {
        let mut next = 0;
        while let Some((&game, _)) = new.range(next..).next() {
            let block = self.one(sql::SUMS_OF, [game as i64], |row| {
                let bytes = row::blob(row, 1)?;
                let sums = (0..).map_while(|place| sums::at(bytes, place));
                Ok((number(row, 0)?, sums.collect::<Vec<u32>>()))
            })?;
            let (first, mut block) = block.unwrap_or_default();
            next = first + block.len() as u64;
            if next <= game {
                return Err(self.damaged(format!("checksum of game {game}")));
            }
            for (&game, &sum) in new.range(first..next) {
                block[(game - first) as usize] = sum;
            }
            self.insert_sums(first, &block)?;
        }
        Ok(())
    }

    /// The last game that has a checksum; 0 if none has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn last_sum(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::SUMS_OF, [i64::MAX], |row| {
            let games = sums::games(row::blob(row, 1)?);
            Ok((number(row, 0)?, games))
        })?;
        match last {
            None => Ok(0),
            Some((first, Some(games @ 1..))) => Ok(first + games as u64 - 1),
            Some((first, _)) => Err(self.damaged(format!("table sum_block: row {first}"))),
        }
    }

    /// A reader of checksums.
    pub const fn sums(&self) -> SumReader<'_> {
        SumReader {
            store: self,
            first: 0,
            block: Vec::new(),
        }
    }
}

/// Reads checksums of single games, keeping the last block at hand.
#[derive(Debug)]
pub struct SumReader<'s> {
    store: &'s Store,
    first: GameId,
    block: Vec<u8>,
}

impl SumReader<'_> {
    /// The checksum of a game; none in a database of an older schema.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that has none counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<Option<u32>, StoreError> {
        if self.store.schema.get() < SUMMED_SCHEMA {
            return Ok(None);
        }
        let place = |first: GameId| usize::try_from(game.wrapping_sub(first)).unwrap_or(usize::MAX);
        if sums::at(&self.block, place(self.first)).is_none() {
            let block = &mut self.block;
            block.clear();
            let first = self.store.one(sql::SUMS_OF, [game as i64], |row| {
                block.extend_from_slice(row::blob(row, 1)?);
                number(row, 0)
            })?;
            self.first = first.unwrap_or(0);
        }
        let sum = sums::at(&self.block, place(self.first));
        let missing = || self.store.damaged(format!("checksum of game {game}"));
        sum.map(Some).ok_or_else(missing)
    }
}
