//! Games of sources that were stored already when they were read.

use rusqlite::params;

use super::{ChunkGames, Store, StoreError, row::number, statements as sql};
use crate::base::record::GameId;

/// Games that follow each other in a source, and are stored games that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateRun {
    /// 1-based number of the first in its source.
    pub number: u64,
    /// How many they are, at most a thousand.
    pub games: u64,
    /// The stored game that the first is.
    pub game: GameId,
}

/// Games of a run at most, so that those with a game are found.
pub(super) const RUN_MAX: u64 = 1000;

impl DuplicateRun {
    /// Adds a game, by its number in the source and that of the stored one, to runs in order.
    pub fn push(runs: &mut Vec<Self>, number: u64, game: GameId) {
        match runs.last_mut() {
            Some(run)
                if run.games < RUN_MAX
                    && run.number + run.games == number
                    && run.game + run.games == game =>
            {
                run.games += 1;
            }
            _ => runs.push(Self {
                number,
                games: 1,
                game,
            }),
        }
    }
}

impl Store {
    /// Notes games of a source that are stored already.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_repeated(&self, source: i64, run: DuplicateRun) -> Result<(), StoreError> {
        let [number, games, game] = [run.number, run.games, run.game].map(|n| n as i64);
        let values = params![source, number, games, game];
        self.run(sql::INSERT_REPEATED, values).map(drop)
    }

    /// All games that were stored already, with the numbers of their sources.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn repeats_by_source(&self) -> Result<Vec<(i64, DuplicateRun)>, StoreError> {
        self.all(sql::ALL_REPEATED, [], |row| {
            let run = DuplicateRun {
                number: number(row, 1)?,
                games: number(row, 2)?,
                game: number(row, 3)?,
            };
            Ok((row.get(0)?, run))
        })
    }

    /// The games of a source that were stored already, from a number up to another.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn repeats_between(
        &self,
        source: i64,
        first: u64,
        end: Option<u64>,
    ) -> Result<Vec<DuplicateRun>, StoreError> {
        let end = end.map_or(i64::MAX, |end| end as i64);
        self.all(
            sql::REPEATS_BETWEEN,
            params![source, first as i64, end],
            |row| {
                Ok(DuplicateRun {
                    number: number(row, 0)?,
                    games: number(row, 1)?,
                    game: number(row, 2)?,
                })
            },
        )
    }

    /// The numbers, in their source, of the games of a part of it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn numbers_in_part(&self, source: i64, part: &ChunkGames) -> Result<Vec<u64>, StoreError> {
        let first = [part.first_number, part.first_game].map(|number| number as i64);
        let values = params![source, first[0], first[1]];
        let runs = self.all(sql::REPEATED_FROM, values, |row| {
            Ok((number(row, 0)?, number(row, 1)?))
        })?;
        let mut numbers = Vec::new();
        let (mut next, mut runs) = (part.first_number, runs.into_iter().peekable());
        for _ in 0..part.games {
            while let Some((_, games)) = runs.next_if(|(number, _)| *number <= next) {
                next += games;
            }
            numbers.push(next);
            next += 1;
        }
        Ok(numbers)
    }
}
