//! Bringing the file of an older schema up to ours, in steps that can be broken off.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{OpenFlags, params};

use super::{
    CHANGES_SCHEMA, MIGRATIONS, NameTable, Store, StoreError, StoreErrorKind, page_sums,
    read::GAPS_MAX,
    row::{self, number},
    sharing::Watch,
    statements as sql,
};
use crate::{
    base::{observe::Stop, record::GameId},
    db::index::{
        facts,
        moves::{self, MoveBlockWriter},
        pages::RecordBlockReader,
    },
};

/// Bytes of a file from which on the new one is not made in memory before it takes its place, but in
/// the system's folder of temporary files.
const VACUUM_IN_MEMORY_MAX: u64 = 256 << 20;

/// What stands in a migration before the statements that take the old tables away.
const FILLED: &str = "-- Once they are filled:";

impl Store {
    /// Opens a database of whatever schema we know, to [reindex](crate::db::reindex) it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is missing, foreign, too new, busy, or cannot be written.
    pub fn open_to_reindex(path: &Path, stop: &Stop) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::new(path, StoreErrorKind::Missing));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Self::connect(path, flags, stop)?;
        if store.is_read_only() {
            return Err(StoreError::new(path, StoreErrorKind::ReadOnly));
        }
        store.look_at_schema()?;
        store.pragma("cache_size", -65_536)?;
        store.pragma("foreign_keys", 0)?;
        // A file that is written anew takes long.
        let watch = Watch::new(&store.ending, None, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// Looks which schema the file has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is empty, foreign or too new.
    pub fn look_at_schema(&self) -> Result<(), StoreError> {
        match self.version()? {
            0 => Err(self.error(StoreErrorKind::Empty)),
            version => {
                self.schema.set(version);
                self.fit_statements()
            }
        }
    }

    /// Statements are of our schema: what an older one has not is lent to it.
    pub(super) fn fit_statements(&self) -> Result<(), StoreError> {
        if self.has_openings() {
            return self.take_what_was_lent();
        }
        self.execute(if self.has_changes() {
            sql::LEND_OPENINGS
        } else {
            sql::LEND_GAME_ROWS
        })?;
        self.execute(sql::LEND_OPENING_NAMES)
    }

    fn take_what_was_lent(&self) -> Result<(), StoreError> {
        self.execute(sql::TAKE_GAME_ROWS)?;
        self.execute(sql::TAKE_OPENING_NAMES)
    }

    /// The schema of the file as it stands.
    pub const fn schema(&self) -> &std::cell::Cell<u32> {
        &self.schema
    }

    /// What `read` makes of a game's annotations in the first schema, which are JSON, if it
    /// has any.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn annotation<T>(
        &self,
        game: GameId,
        read: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, StoreError> {
        self.one(sql::ANNOTATION_BY_GAME, [game as i64], |row| {
            Ok(read(row::text(row, 0)?))
        })
    }

    /// So many of the games with annotations in the first schema, from behind a game on.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn annotated_after(&self, game: GameId, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.all(sql::ANNOTATED_AFTER, params![game as i64, most], |row| {
            number(row, 0)
        })
    }

    /// Makes the tables of our schema that the file has not yet; its own stay.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn add_tables(&self) -> Result<(), StoreError> {
        for step in &MIGRATIONS[self.schema.get() as usize..] {
            let (add, _) = step.split_once(FILLED).unwrap_or((step, ""));
            self.execute(add)?;
        }
        Ok(())
    }

    /// The last game that has a tree; 0 if none has.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn last_tree(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::TREES_OF, [i64::MAX], |row| {
            let first = number(row, 0)?;
            Ok((first, RecordBlockReader::of(first, row::blob(row, 1)?)))
        })?;
        match last {
            None => Ok(0),
            Some((_, Some(block))) => Ok(block.games().map_or(0, |(_, last)| last)),
            Some((first, None)) => Err(self.damaged(format!("table tree_block: row {first}"))),
        }
    }

    /// So many of the games whose tags have a stipulation, from behind a game on.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn stipulated_after(&self, game: GameId, most: u32) -> Result<Vec<GameId>, StoreError> {
        self.all(sql::STIPULATED_AFTER, params![game as i64, most], |row| {
            number(row, 0)
        })
    }

    /// The last game that is filed as a problem; 0 if none is.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn last_problem(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::LAST_PROBLEM, [], |row| number(row, 0))?;
        Ok(last.unwrap_or_default())
    }

    /// Says what stands on the board of a start position.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn update_diagram(&self, id: u32, diagram: &str) -> Result<(), StoreError> {
        self.run(sql::UPDATE_DIAGRAM, params![id, diagram])
            .map(drop)
    }

    /// Takes players, tags and whatever else their records say from the games that are
    /// problems, each with the start position that it has from now on, if another.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn separate_problems(
        &self,
        starts: &BTreeMap<GameId, Option<u32>>,
    ) -> Result<(), StoreError> {
        if starts.is_empty() {
            return Ok(());
        }
        let id = |row: &rusqlite::Row<'_>| row.get::<_, u32>(0);
        let layout = if let Some(known) = self.one(sql::EMPTY_LAYOUT, [], id)? {
            known
        } else {
            let new = self.one(sql::LAST_LAYOUT, [], id)?.unwrap_or(0) + 1;
            self.insert_name(NameTable::Layout, new, "[]")?;
            new
        };
        self.run(sql::SEPARATE_PROBLEMS, [layout])?;
        for (game, start) in starts {
            if let Some(start) = start {
                self.run(sql::UPDATE_START_OF_GAME, params![*game as i64, start])?;
            }
        }
        self.rewrite_facts(starts)?;
        self.rewrite_lines(starts)?;
        // Composers were players, what problems say was tags.
        self.delete_idle_names()
    }

    /// Takes away names and texts that no game has.
    pub(super) fn delete_idle_names(&self) -> Result<(), StoreError> {
        // Layouts go first: they have names.
        for (table, idle) in [
            ("player", sql::IDLE_PLAYERS),
            ("event", sql::IDLE_EVENTS),
            ("site", sql::IDLE_SITES),
            ("tag_layout", sql::IDLE_LAYOUTS),
            ("tag_name", sql::IDLE_TAG_NAMES),
            ("text", sql::IDLE_TEXTS),
            ("author", sql::IDLE_AUTHORS),
            ("opening", sql::IDLE_OPENINGS),
        ] {
            self.delete_idle(table, idle)?;
        }
        self.layouts.borrow_mut().clear();
        Ok(())
    }

    /// Takes away rows that nothing refers to: numbers may be left out, but not too many.
    pub(super) fn delete_idle(&self, table: &str, idle: &str) -> Result<(), StoreError> {
        self.run(&sql::delete_last_idle(table, idle), [])?;
        let gaps = self.one(&sql::gaps_of(table), [], |row| number(row, 0))?;
        let gaps = u32::try_from(gaps.unwrap_or(0)).unwrap_or(GAPS_MAX);
        let left = GAPS_MAX.saturating_sub(gaps);
        self.run(&sql::delete_idle(table, idle), [left]).map(drop)
    }

    /// Writes the blocks of facts anew in which some games are, as the rows of these have them.
    fn rewrite_facts(&self, games: &BTreeMap<GameId, Option<u32>>) -> Result<(), StoreError> {
        let mut next = 1;
        while let Some((first, mut block)) = self.facts_from(next)? {
            next = first + block.len().max(1) as u64;
            if games.range(first..next).next().is_none() {
                continue;
            }
            self.for_each_row(first, next - 1, |game, row| {
                if let Some(facts) = block.get_mut((game - first) as usize) {
                    *facts = *row;
                }
            })?;
            let values = params![first as i64, facts::write(&block)];
            self.run(sql::INSERT_FACTS, values)?;
        }
        Ok(())
    }

    /// Writes the blocks of moves anew in which games with other starts are.
    fn rewrite_lines(&self, starts: &BTreeMap<GameId, Option<u32>>) -> Result<(), StoreError> {
        let mut next = 0;
        let changed = |(game, start): (&GameId, &Option<u32>)| start.map(|start| (*game, start));
        while let Some((game, _)) = starts.range(next..).find_map(changed) {
            let read = self.one(sql::MOVES_OF, [game as i64], |row| {
                Ok((number(row, 0)?, row::blob(row, 1)?.to_vec()))
            })?;
            let damaged = || self.damaged(format!("moves of game {game}"));
            let (mut first, block) = read.ok_or_else(damaged)?;
            let lines = moves::games(&block).ok_or_else(damaged)?;
            next = first + lines.len() as u64;
            if next <= game {
                return Err(damaged());
            }
            self.run(sql::DELETE_MOVES, [first as i64])?;
            let mut writer = MoveBlockWriter::new(self.block_bytes());
            for (game, mut line) in (first..).zip(lines) {
                if let Some(Some(start)) = starts.get(&game) {
                    line.start = *start;
                }
                if let Some(block) = writer.push(line) {
                    self.run(sql::INSERT_MOVES, params![first as i64, block])?;
                    first = game;
                }
            }
            if let Some(block) = writer.finish() {
                self.run(sql::INSERT_MOVES, params![first as i64, block])?;
            }
        }
        Ok(())
    }

    /// Takes away what our schema has not, now that the new tables are filled, with what is
    /// to be done in the same step. Segments that do not agree with them are to be built anew.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then all is as it was.
    pub fn finish_schema(
        &self,
        schema: u32,
        outdated: &[u32],
        last_steps: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let before = self.schema.get();
        self.at_once(|| {
            if schema >= CHANGES_SCHEMA {
                self.take_what_was_lent()?;
            }
            for step in &MIGRATIONS[before as usize..schema as usize] {
                if let Some((_, last)) = step.split_once(FILLED) {
                    self.execute(last)?;
                }
            }
            self.schema.set(schema);
            last_steps()?;
            for segment in outdated {
                self.run(sql::OUTDATE_SEGMENT, [segment])?;
            }
            self.pragma("user_version", schema)
        })
        .inspect_err(|_| self.schema.set(before))
    }

    /// Gives all pages checksums, which takes the size of the file once more on the disk
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then it is as it was.
    pub fn add_page_sums(&self) -> Result<(), StoreError> {
        if page_sums::are_in(&self.connection) {
            return Ok(());
        }
        // Only with a log: a journal would bring pages back that have no room for sums, under
        // a first page that says they have. One that nobody shares works on every file system.
        if !self.has_log() {
            self.pragma("locking_mode", "EXCLUSIVE")?;
            self.take_log_if_possible();
        }
        if !self.has_log() {
            return Err(self.error(StoreErrorKind::Busy));
        }
        page_sums::make_room(&self.connection);
        self.vacuum()
    }

    /// The part of the file that nothing is in, from 0 to 1.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn free_part(&self) -> Result<f64, StoreError> {
        let free = self.number("freelist_count")?;
        Ok(free as f64 / self.number("page_count")?.max(1) as f64)
    }

    /// Writes the file anew without what nothing is in; takes its size once more on the disk
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then it is as it was.
    pub fn vacuum(&self) -> Result<(), StoreError> {
        if self.bytes() < VACUUM_IN_MEMORY_MAX {
            return self.execute("VACUUM");
        }
        self.pragma("temp_store", "FILE")?;
        let done = self.execute("VACUUM");
        self.pragma("temp_store", "MEMORY")?;
        done
    }
}
