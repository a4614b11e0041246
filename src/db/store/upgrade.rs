//! Bringing the file of an older schema up to ours, in steps that can be broken off.

use std::path::Path;

use rusqlite::{OpenFlags, params};

use super::{
    MIGRATIONS, Store, StoreError, StoreErrorKind, page_sums,
    row::{self, number},
    sharing::Watch,
    statements as sql,
};
use crate::{
    base::{observe::Stop, record::GameId},
    db::index::pages::RecordBlockReader,
};

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
        let watch = Watch::new(stop, None, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// Looks which schema the file has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is foreign or too new.
    pub fn look_at_schema(&self) -> Result<(), StoreError> {
        match self.version()? {
            0 => Err(self.error(StoreErrorKind::Foreign)),
            version => {
                self.schema.set(version);
                Ok(())
            }
        }
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

    /// Takes away what a newer schema has not, now that its tables are filled. Segments that
    /// do not agree with them are to be built anew.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then all is as it was.
    pub fn finish_schema(&self, schema: u32, outdated: &[u32]) -> Result<(), StoreError> {
        self.at_once(|| {
            for step in &MIGRATIONS[self.schema.get() as usize..schema as usize] {
                if let Some((_, last)) = step.split_once(FILLED) {
                    self.execute(last)?;
                }
            }
            for segment in outdated {
                self.run(sql::OUTDATE_SEGMENT, [segment])?;
            }
            self.pragma("user_version", schema)
        })?;
        self.schema.set(schema);
        Ok(())
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
        self.execute("VACUUM")
    }
}
