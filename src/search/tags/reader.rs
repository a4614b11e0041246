//! Searches for a tag in games, in the rows of many at a time.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{RowTag, TagColumn, TagCondition};
use crate::{
    base::record::GameId,
    blocks::facts::FactColumn as Is,
    problems::StoredProblem,
    store::{RecordKind, RecordReader, Store, StoreError, TagColumns, TagRows},
};

/// Rows that are read at a time where many are requested.
const ROWS_MAX: u64 = 4096;

/// Numbers that are small.
const SMALL_MAX: usize = 4096;

impl TagCondition {
    /// Tests games of a database, best in order.
    pub(in crate::modules::search) fn reader<'a>(&'a self, store: &'a Store) -> TagReader<'a> {
        TagReader {
            tag: self,
            store,
            problems: store.records(RecordKind::Problem),
            first: 0,
            rows: Vec::new(),
            small: [None; SMALL_MAX],
            known: HashMap::default(),
            usual: RowTag::Fails,
        }
    }
}

/// Searches for a tag in games, reading the rows of neighbours together.
#[derive(Debug)]
pub(in crate::modules::search) struct TagReader<'s> {
    tag: &'s TagCondition,
    store: &'s Store,
    problems: RecordReader<'s>,
    /// The game of the first row in memory.
    first: GameId,
    rows: Vec<RowTag>,
    /// Which numbers of the column fit, the small ones.
    small: [Option<bool>; SMALL_MAX],
    /// Which others fit.
    known: HashMap<u32, bool, FixedState>,
    /// What most games say whose layouts decide, as far as was seen: their rows are not looked at.
    usual: RowTag,
}

impl TagReader<'_> {
    /// Whether a game of some facts has the tag.
    pub(in crate::modules::search) fn has(
        &mut self,
        game: GameId,
        fact: impl FnOnce(Is) -> u32,
    ) -> Result<bool, StoreError> {
        let row = match self.tag.all {
            Some(row) => row,
            None => self.row(game)?,
        };
        Ok(match row {
            RowTag::Fits => true,
            RowTag::Fails => false,
            RowTag::AsFacts => match &self.tag.column {
                Some(TagColumn::Ids(column, fitting)) => fitting.contains(fact(*column)),
                Some(TagColumn::Number(column, text)) => self.fits(fact(*column), *text),
                Some(TagColumn::Round) | None => false,
            },
        })
    }

    /// Whether the text of a number fits.
    fn fits(&mut self, number: u32, text: fn(u32) -> Option<String>) -> bool {
        let asked = &self.tag.asked;
        let fits = || text(number).is_some_and(|text| asked.fits(&text));
        // Ratings and the like are so small that a table of them is.
        match self.small.get_mut(number as usize) {
            Some(known) => *known.get_or_insert_with(fits),
            None => *self.known.entry(number).or_insert_with(fits),
        }
    }

    fn row(&mut self, game: GameId) -> Result<RowTag, StoreError> {
        let place = usize::try_from(game.wrapping_sub(self.first)).ok();
        match place.and_then(|place| self.rows.get(place)) {
            Some(row) => Ok(*row),
            None => self.read_row(game),
        }
    }

    /// Reads the row of a game that is not in memory, with those after it.
    #[cold]
    fn read_row(&mut self, game: GameId) -> Result<RowTag, StoreError> {
        let end = self.first + self.rows.len() as u64;
        // Twice as many as before where they follow each other.
        let is_near = game >= end && game - end <= self.rows.len() as u64;
        let rows = if is_near {
            2 * self.rows.len() as u64
        } else {
            1
        };
        let rows = rows.clamp(1, ROWS_MAX);
        self.first = game;
        let (tag, usual) = (self.tag, self.usual);
        let read = TagRows {
            columns: tag.wanted(),
            passed_over: tag
                .rounds
                .as_ref()
                .map_or(tag.decided[usual as usize], |rounds| rounds.0),
            unless_round: tag.rounds.as_ref().map_or(&[], |rounds| &rounds.1[..]),
        };
        self.rows.clear();
        self.rows.resize(rows as usize, usual);
        let (rows, mut passed_over, mut decided) = (&mut self.rows, rows, [0_u64; 3]);
        let mut untagged = Vec::new();
        let last = game.saturating_add(rows.len() as u64 - 1);
        let take = |found: GameId, layout, extra: Option<&str>, round: Option<&str>| {
            if tag.untagged == Some(layout) {
                untagged.push(found);
            }
            let row = tag.look(layout, extra, round);
            passed_over -= 1;
            decided[row as usize] += u64::from(extra.is_none() && round.is_none());
            if let Some(place) = rows.get_mut((found - game) as usize) {
                *place = row;
            }
        };
        let of = |layout| {
            tag.layout(layout)
                .map_or(TagColumns::Layout, |asked| asked.columns)
        };
        self.store.for_each_tags((game, last), read, of, take)?;
        // What more rows say than were passed over is what is usual from here on.
        let all = [RowTag::Fits, RowTag::Fails, RowTag::AsFacts];
        if tag.rounds.is_none()
            && let Some(most) = all.into_iter().max_by_key(|row| decided[*row as usize])
            && decided[most as usize] > passed_over
        {
            self.usual = most;
        }
        for found in untagged {
            let filed = self.problems.get(found)?.and_then(StoredProblem::read);
            if let Some(row) = rows.get_mut((found - game) as usize)
                && filed.is_some_and(|filed| tag.is_in(&filed.problem))
            {
                *row = RowTag::Fits;
            }
        }
        Ok(self.rows[(game - self.first) as usize])
    }
}
