//! Sources that were read again, and those that have their games since.

use std::collections::HashMap;

use rusqlite::params;

use super::{Store, StoreError, UndoConflict, changes::in_the_way, row::number, statements as sql};

/// A table that files of schemas before 15 have not.
pub(super) const TABLE: &str = "reread_source";

impl Store {
    /// Notes that a reread has replaced a source by another one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_reread(
        &self,
        change: i64,
        source: i64,
        successor: i64,
    ) -> Result<(), StoreError> {
        let values = params![change, source, successor];
        self.run(sql::INSERT_REREAD, values).map(drop)
    }

    /// The sources that rereads which stand have replaced, with their successors.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn replaced_sources(&self) -> Result<HashMap<i64, i64>, StoreError> {
        // A file of an older schema that cannot be written has no such table.
        if !self.has_table(TABLE)? {
            return Ok(HashMap::new());
        }
        let replaced = self.all(sql::REPLACED_SOURCES, [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        Ok(replaced.into_iter().collect())
    }

    /// The sources that a reread has replaced, with their successors.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn replaced_by(&self, change: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        self.all(sql::REPLACED_BY, [change], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }

    /// Forgets the texts of the sources that a reread has replaced, or remembers those whose
    /// imports stand.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn set_replaced_texts_known(&self, change: i64, are_known: bool) -> Result<(), StoreError> {
        let statement = if are_known {
            sql::REMEMBER_REPLACED_TEXTS
        } else {
            sql::FORGET_REPLACED_TEXTS
        };
        self.run(statement, [change]).map(drop)
    }

    /// What is in the way of remembering them: a source that has been read from the same text
    /// since.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn replaced_read_since(&self, change: i64) -> Result<Option<UndoConflict>, StoreError> {
        self.one(sql::REPLACED_READ_SINCE, [change], in_the_way)
    }

    /// A game of an import that was read again by itself, and the change that did it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn game_reread_of(&self, import: i64) -> Result<Option<(i64, u64)>, StoreError> {
        self.one(sql::GAME_REREAD_OF, [import], |row| {
            Ok((row.get(0)?, number(row, 1)?))
        })
    }

    /// Whether there is a table.
    pub(super) fn has_table(&self, table: &str) -> Result<bool, StoreError> {
        let any = self.one(sql::HAS_TABLE, [table], |row| row.get::<_, i64>(0))?;
        Ok(any.is_some())
    }
}
