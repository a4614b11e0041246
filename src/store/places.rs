//! Where games were read: in which sources, and as which of their games.

use std::collections::HashSet;

use rusqlite::{Row, params};

use super::{
    SourcePlace, Store, StoreError,
    duplicate_runs::RUN_MAX,
    row::{self, number},
    statements as sql,
};
use crate::base::{display_path, record::GameId};

/// As many runs with games just before a game are looked at to find those that reach it; of more,
/// those alone that are longer than one game. Else each of a thousand games after one that a source
/// had a million times would look at the million.
const NEAR_MAX: u64 = 1 << 14;

/// A place, and the import that has read the source.
type ImportedPlace = (SourcePlace, i64);

/// A place as it is read: with the import, and the source by its number.
type FoundPlace = (SourcePlace, i64, i64);

/// A run of games that a change removed or a source had again: the stored game that the first one
/// is, or that stands for it, how many they are, and what identifies the row.
type LongRun = (GameId, u64, [i64; 2]);

/// Says where games were read, best in their order. It knows one state of a database: a writer
/// takes a new one.
pub struct PlaceReader<'s> {
    store: &'s Store,
    /// Imports that were undone, and sources that were read again, once they are known.
    gone: Option<(HashSet<i64>, HashSet<i64>)>,
    /// The current part, by its source and its first game, and the games that it had again.
    part: Option<((i64, i64), PartNumbers)>,
    /// Runs of several games by the stored game that the first of them is: of changes that removed
    /// them, and of sources that had them again.
    long: [Option<Vec<LongRun>>; 2],
}

/// Which numbers the games of a part have in its source; it had some of them again.
struct PartNumbers {
    /// Of each run of games that it had again: the number which its first game would have if the
    /// part had none of these, and how many games they are up to its end.
    runs: Vec<(u64, u64)>,
}

impl PartNumbers {
    /// From the numbers of the first games, and how many they are, in order.
    fn of(runs: Vec<(u64, u64)>) -> Self {
        let mut before = 0;
        let runs = runs.into_iter().map(|(number, games)| {
            let first = number.saturating_sub(before);
            before += games;
            (first, before)
        });
        Self {
            runs: runs.collect(),
        }
    }

    /// The number in the source of a game that has this one among those of the part that are
    /// stored with it.
    fn number(&self, stored: u64) -> u64 {
        let passed = self.runs.partition_point(|&(first, _)| first <= stored);
        let again = passed.checked_sub(1).map_or(0, |last| self.runs[last].1);
        stored + again
    }
}

impl Store {
    /// Says where games were read.
    pub const fn place_reader(&self) -> PlaceReader<'_> {
        PlaceReader {
            store: self,
            gone: None,
            part: None,
            long: [None, None],
        }
    }

    /// Where a game was read: in the source that brought it first, and in all that had it again or
    /// brought a record that it stands for. Sources of imports that were undone count only where
    /// there are no others.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn places(&self, game: GameId) -> Result<Vec<SourcePlace>, StoreError> {
        let mut places: Vec<SourcePlace> = Vec::new();
        // A game that was read again by itself was read twice in one place.
        for (place, _) in self.place_reader().by_import(game)? {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        Ok(places)
    }

    /// The first of them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn place(&self, game: GameId) -> Result<Option<SourcePlace>, StoreError> {
        let mut places = self.place_reader();
        // Mostly it is in the source that brought it.
        match places.own(game)? {
            Some(found) if !places.is_gone(&found)? => Ok(Some(found.0)),
            _ => Ok(places
                .by_import(game)?
                .into_iter()
                .next()
                .map(|(place, _)| place)),
        }
    }
}

impl PlaceReader<'_> {
    /// The [places](Store::places) of a game, each with the import that has read the source.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn by_import(&mut self, game: GameId) -> Result<Vec<ImportedPlace>, StoreError> {
        let mut games = vec![game];
        let mut known = HashSet::from([game]);
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(&game) = games.get(at) {
            places.extend(self.own(game)?);
            places.extend(self.again(game)?);
            let removed = self.removed_for(game)?.into_iter();
            games.extend(removed.filter(|&removed| known.insert(removed)));
            at += 1;
        }
        // Most games have one.
        if places.len() > 1 {
            let mut is_gone = Vec::new();
            for place in &places {
                is_gone.push(self.is_gone(place)?);
            }
            if is_gone.contains(&false) {
                let mut is_gone = is_gone.into_iter();
                places.retain(|_| is_gone.next() == Some(false));
            }
        }
        let places = places.into_iter();
        Ok(places.map(|(place, import, _)| (place, import)).collect())
    }

    /// Whether the import of a place was undone, or its source read again.
    fn is_gone(&mut self, (_, import, source): &FoundPlace) -> Result<bool, StoreError> {
        if self.gone.is_none() {
            let replaced = self.store.replaced_sources()?.into_keys().collect();
            self.gone = Some((self.store.undone_imports()?, replaced));
        }
        let is_gone = |(imports, sources): &(HashSet<i64>, HashSet<i64>)| {
            imports.contains(import) || sources.contains(source)
        };
        Ok(self.gone.as_ref().is_some_and(is_gone))
    }

    /// In the source that brought it.
    fn own(&mut self, game: GameId) -> Result<Option<FoundPlace>, StoreError> {
        let store = self.store;
        let first = store.one(sql::PLACE_OF_GAME, [game as i64], |row| {
            let part: (i64, i64) = (row.get(4)?, row.get(5)?);
            Ok((found(row)?, part))
        })?;
        let Some(((mut place, import, source), (first_number, first_game))) = first else {
            return Ok(None);
        };
        // Games before it in the part of the source that are not stored there count, too.
        let part = (source, first_game);
        if self.part.as_ref().is_none_or(|(known, _)| *known != part) {
            let values = params![source, first_number, first_game];
            let runs = store.all(sql::REPEATED_FROM, values, |row| {
                Ok((number(row, 0)?, number(row, 1)?))
            })?;
            self.part = Some((part, PartNumbers::of(runs)));
        }
        if let Some((_, numbers)) = &self.part {
            place.number = numbers.number(place.number);
        }
        Ok(Some((place, import, source)))
    }

    /// In sources that had it again.
    fn again(&mut self, game: GameId) -> Result<Vec<FoundPlace>, StoreError> {
        let store = self.store;
        if !self.is_crowded(sql::NEAR_REPEATS, game)? {
            return store.all(
                sql::REPEATED_OF_GAME,
                params![game as i64, RUN_MAX as i64],
                found,
            );
        }
        let mut places = store.all(sql::REPEATED_OF_GAME, params![game as i64, 1], found)?;
        for [source, number] in self.long_runs(1, game)? {
            let values = params![game as i64, source, number];
            places.extend(store.all(sql::REPEATED_AT, values, found)?);
        }
        Ok(places)
    }

    /// The removed games for which a game stands.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn removed_for(&mut self, game: GameId) -> Result<Vec<GameId>, StoreError> {
        let store = self.store;
        let read = |row: &Row<'_>| number(row, 0);
        if !self.is_crowded(sql::NEAR_REMOVALS, game)? {
            return store.all(sql::REMOVED_FOR, params![game as i64, RUN_MAX as i64], read);
        }
        let mut games = store.all(sql::REMOVED_FOR, params![game as i64, 1], read)?;
        for [change, first] in self.long_runs(0, game)? {
            let values = params![game as i64, change, first];
            games.extend(store.all(sql::REMOVED_AT, values, read)?);
        }
        games.sort_unstable();
        Ok(games)
    }

    /// Whether there are many runs whose first games are just before a game.
    fn is_crowded(&self, near: &str, game: GameId) -> Result<bool, StoreError> {
        let values = params![game as i64, RUN_MAX as i64, NEAR_MAX as i64];
        let near = self.store.one(near, values, |row| number(row, 0))?;
        Ok(near == Some(NEAR_MAX))
    }

    /// The rows of runs that begin before a game and reach it.
    fn long_runs(&mut self, table: usize, game: GameId) -> Result<Vec<[i64; 2]>, StoreError> {
        if self.long[table].is_none() {
            let statement = [sql::LONG_REMOVALS, sql::LONG_REPEATS][table];
            let runs = self.store.all(statement, [], |row| {
                Ok((number(row, 0)?, number(row, 1)?, [row.get(2)?, row.get(3)?]))
            })?;
            self.long[table] = Some(runs);
        }
        let runs = self.long[table].as_deref().unwrap_or_default();
        let from = runs.partition_point(|&(first, ..)| first + RUN_MAX <= game);
        let near = runs[from..].iter().take_while(|&&(first, ..)| first < game);
        let reaching = near.filter(|&&(first, games, _)| game < first + games);
        Ok(reaching.map(|&(.., row)| row).collect())
    }
}

/// A place, its import and its source from the first columns of a row.
fn found(row: &Row<'_>) -> rusqlite::Result<FoundPlace> {
    Ok((place(row)?, row.get(2)?, row.get(3)?))
}

/// A place from the name of a source and a number in it.
fn place(row: &Row<'_>) -> rusqlite::Result<SourcePlace> {
    let name = row::text_or_blob(row, 0)?;
    // Of the bytes: what stands for one that is no text has a backslash.
    let mut parts = name.rsplit(|byte| matches!(byte, b'/' | b'\\'));
    Ok(SourcePlace {
        source: display_path::bytes(name).into_owned(),
        file: display_path::bytes(parts.next().unwrap_or_default()).into_owned(),
        number: number(row, 1)?,
    })
}
