//! How the evaluations of sources are read: what their games show, and what was given by hand.

use std::collections::HashMap;

use rusqlite::{Row, params};

use super::{Store, StoreError, row::number, statements as sql};
use crate::{
    base::record::GameId,
    pgn::parser::eval_view::{EvalReading, EvalSide, EvalUnit, SourceEvals},
};

/// A table that files of schema 13 have not.
pub(super) const TABLE: &str = "evaluation_reading";

/// How the evaluations of games are read, by the games' numbers.
#[derive(Debug, Clone, Default)]
pub struct EvalReadings {
    /// The first game of each stretch, the first after it, and the data of its source; in order.
    stretches: Vec<(GameId, GameId, SourceEvals)>,
}

impl EvalReadings {
    /// What is known of the source of a game.
    pub fn of_game(&self, game: GameId) -> SourceEvals {
        let behind = self.stretches.partition_point(|&(first, ..)| first <= game);
        let stretch = behind.checked_sub(1).map(|at| self.stretches[at]);
        let stretch = stretch.filter(|&(_, end, _)| game < end);
        stretch.map_or_else(SourceEvals::default, |(.., evals)| evals)
    }
}

impl Store {
    /// How the evaluations of all games are read of whose sources anything is known.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn eval_readings(&self) -> Result<EvalReadings, StoreError> {
        if !self.has_table(TABLE)? {
            return Ok(EvalReadings::default());
        }
        let mut known: HashMap<i64, SourceEvals> = HashMap::new();
        for (is_by_hand, reading, source) in self.all(sql::ALL_EVALS, [], |row| {
            Ok((row.get::<_, bool>(0)?, reading(row, 1)?, row.get(4)?))
        })? {
            known.entry(source).or_default().put(is_by_hand, reading);
        }
        if known.is_empty() {
            return Ok(EvalReadings::default());
        }
        let replaced = self.replaced_sources()?;
        let mut stretches = Vec::new();
        self.each_row(sql::PARTS_BY_GAME, [], |row| {
            let (first, games) = (number(row, 0)?, number(row, 1)?);
            let mut source: i64 = row.get(2)?;
            // What was read again is as its newest source has it.
            while let Some(&successor) = replaced.get(&source).filter(|its| **its > source) {
                source = successor;
            }
            if let Some(&evals) = known.get(&source) {
                stretches.push((first, first + games, evals));
            }
            Ok(())
        })?;
        Ok(EvalReadings { stretches })
    }

    /// What is known of the evaluations of a source.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn source_evals(&self, source: i64) -> Result<SourceEvals, StoreError> {
        let mut evals = SourceEvals::default();
        if self.has_table(TABLE)? {
            let rows = self.all(sql::EVALS_OF_SOURCE, [source], |row| {
                Ok((row.get::<_, bool>(0)?, reading(row, 1)?))
            })?;
            for (is_by_hand, reading) in rows {
                evals.put(is_by_hand, reading);
            }
        }
        Ok(evals)
    }

    /// Keeps what is known of the evaluations of a source in the place of what was known.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn put_source_evals(&self, source: i64, evals: SourceEvals) -> Result<(), StoreError> {
        self.run(sql::DELETE_EVALS, [source])?;
        for (is_by_hand, of) in [(false, evals.by_evidence), (true, evals.by_hand)] {
            if !of.is_empty() {
                let side = |side: Option<EvalSide>| side.map(EvalSide::name);
                let unit = of.unit.map(EvalUnit::name);
                let values = params![source, is_by_hand, unit, side(of.command), side(of.short)];
                self.run(sql::INSERT_EVALS, values)?;
            }
        }
        Ok(())
    }
}

/// Three columns of a row from one on; words that are unknown are none.
fn reading(row: &Row<'_>, first: usize) -> rusqlite::Result<EvalReading> {
    let side = |at| -> rusqlite::Result<Option<EvalSide>> {
        let word: Option<String> = row.get(at)?;
        Ok(word.and_then(|word| EvalSide::named(&word)))
    };
    let unit: Option<String> = row.get(first)?;
    Ok(EvalReading {
        unit: unit.and_then(|word| EvalUnit::named(&word)),
        command: side(first + 1)?,
        short: side(first + 2)?,
    })
}
