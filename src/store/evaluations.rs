//! How the evaluations of sources are read: what their games show, and what was given by hand.

use rusqlite::{Row, params};

use super::{Store, StoreError, statements as sql};
use crate::{
    base::record::GameId,
    pgn::parser::eval_view::{EvalReading, EvalSide, EvalUnit, SourceEvals},
};

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
        let mut stretches: Vec<(GameId, GameId, SourceEvals)> = Vec::new();
        if !self.has_eval_readings()? {
            return Ok(EvalReadings::default());
        }
        let rows = self.all(sql::EVAL_READINGS, [], |row| {
            let (first, games): (i64, i64) = (row.get(0)?, row.get(1)?);
            Ok((first, games, row.get::<_, bool>(2)?, reading(row, 3)?))
        })?;
        for (first, games, is_by_hand, reading) in rows {
            let (first, end) = (first.cast_unsigned(), (first + games).cast_unsigned());
            if stretches.last().is_none_or(|last| last.0 != first) {
                stretches.push((first, end, SourceEvals::default()));
            }
            if let Some((.., evals)) = stretches.last_mut() {
                *if is_by_hand {
                    &mut evals.by_hand
                } else {
                    &mut evals.by_evidence
                } = reading;
            }
        }
        Ok(EvalReadings { stretches })
    }

    /// What is known of the evaluations of a source.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn source_evals(&self, source: i64) -> Result<SourceEvals, StoreError> {
        let mut evals = SourceEvals::default();
        if self.has_eval_readings()? {
            let rows = self.all(sql::EVALS_OF_SOURCE, [source], |row| {
                Ok((row.get::<_, bool>(0)?, reading(row, 1)?))
            })?;
            for (is_by_hand, reading) in rows {
                if is_by_hand {
                    evals.by_hand = reading;
                } else {
                    evals.by_evidence = reading;
                }
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

    /// Whether there is the table: a file of an older schema that cannot be written has it not.
    fn has_eval_readings(&self) -> Result<bool, StoreError> {
        let any = self.one(sql::HAS_EVALS_TABLE, [], |row| row.get::<_, i64>(0))?;
        Ok(any.is_some())
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
