//! The names of players as they are read: from blocks, and after these row by row.

use std::ops::Range;

use rusqlite::params;

use super::{NameTable, Store, StoreError, row, statements as sql};
use crate::blocks::name_block::{
    NAME_KEY_VERSION, NAMES_PER_BLOCK, NameBlockEntries, NameBlockKey,
};

/// Makes keys of names.
type NameKeyFn<'k> = &'k dyn Fn(&str) -> Vec<NameBlockKey>;

impl Store {
    /// Calls `each` with every row of a table of names.
    pub(super) fn each_name(
        &self,
        table: NameTable,
        mut each: impl FnMut(u32, &str) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        if table != NameTable::Player {
            return self.each_row(&Self::all_names(table), [], |row| {
                each(row.get(0)?, row::text(row, 1)?)
            });
        }
        let mut names = NameBlockEntries::default();
        let next = self.each_name_block(|first, block| {
            names.clear();
            let (rows, _) = names.take(first, block)?;
            for nth in 0..names.len() {
                each(names.id(nth), names.name(nth)).ok()?;
            }
            Some(rows)
        })?;
        self.each_row(sql::PLAYERS_FROM, [next], |row| {
            each(row.get(0)?, row::text(row, 1)?)
        })
    }

    /// All names of players with their keys, which `keys_of` makes of those that are in no block.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn filed_names(&self, keys_of: NameKeyFn<'_>) -> Result<NameBlockEntries, StoreError> {
        let mut names = NameBlockEntries::default();
        let next = self.each_name_block(|first, block| {
            let known = names.len();
            let (rows, has_keys) = names.take(first, block)?;
            if !has_keys {
                names.make_keys(known, keys_of);
            }
            Some(rows)
        })?;
        self.push_names_from(next, &mut names, keys_of)?;
        Ok(names)
    }

    /// The last row of the table of players; 0 if it has none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn last_player(&self) -> Result<u32, StoreError> {
        Ok(self.number_of(sql::LAST_PLAYER, [])?.unwrap_or(0))
    }

    /// Files names that are in no block, as soon as they fill one; returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written, or the database is damaged.
    pub fn file_names(&self, keys_of: NameKeyFn<'_>) -> Result<u64, StoreError> {
        let version = [NAME_KEY_VERSION];
        let outdated = self.number_of(sql::OUTDATED_NAME_BLOCK, [&version[..]])?;
        if let Some(first) = outdated {
            self.run(sql::DELETE_NAME_BLOCKS_FROM, [first])?;
        }
        let filed = self.number_of(sql::LAST_NAME_BLOCK, [])?;
        let mut next = filed.map_or(1, |first| first.saturating_add(NAMES_PER_BLOCK));
        let last = self.last_player()?;
        if last < next.saturating_add(NAMES_PER_BLOCK - 1) {
            return Ok(0);
        }
        let first = next;
        let mut names = NameBlockEntries::default();
        self.push_names_from(next, &mut names, keys_of)?;
        while last >= next.saturating_add(NAMES_PER_BLOCK - 1) {
            self.run(sql::INSERT_NAME_BLOCK, params![next, names.block(next)])?;
            next += NAMES_PER_BLOCK;
        }
        Ok(u64::from(next - first))
    }

    /// The number that a statement gives, if it gives one.
    fn number_of(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
    ) -> Result<Option<u32>, StoreError> {
        let number = self.one(statement, values, |row| row.get::<_, Option<u32>>(0))?;
        Ok(number.flatten())
    }

    /// Blocks of names that are not as the rows of players are.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn odd_name_blocks(&self, keys_of: NameKeyFn<'_>) -> Result<Vec<String>, StoreError> {
        let mut rows = NameBlockEntries::default();
        self.push_names_from(0, &mut rows, keys_of)?;
        let mut problems = Vec::new();
        self.each_name_block(|first, block| {
            let mut own = NameBlockEntries::default();
            let (filed, has_keys) = own.take(first, block)?;
            if !has_keys {
                own.make_keys(0, keys_of);
            }
            let are = |names: &NameBlockEntries, nth: usize| filed.contains(&names.id(nth));
            let stored = (0..rows.len()).filter(|&nth| are(&rows, nth));
            let stored = stored.map(|nth| (rows.id(nth), rows.name(nth), rows.keys(nth)));
            let own = (0..own.len()).map(|nth| (own.id(nth), own.name(nth), own.keys(nth)));
            if !own.eq(stored) {
                problems.push(format!(
                    "table name_block: row {first} is not as the names of players are"
                ));
            }
            Some(filed)
        })?;
        Ok(problems)
    }

    /// Calls `each` with the blocks, which follow each other, and the row that each begins with; it
    /// says which rows it has, unless it is damaged. The row that follows them.
    fn each_name_block(
        &self,
        mut each: impl FnMut(u32, &[u8]) -> Option<Range<u32>>,
    ) -> Result<u32, StoreError> {
        let mut next = 1;
        self.each_row(sql::ALL_NAME_BLOCKS, [], |row| {
            let first = row.get(0)?;
            let rows = each(first, row::blob(row, 1)?).filter(|rows| rows.start == next);
            next = rows.ok_or(rusqlite::Error::InvalidQuery)?.end;
            Ok(())
        })?;
        Ok(next)
    }

    /// Adds names from a row on, as they stand in the table.
    fn push_names_from(
        &self,
        first: u32,
        names: &mut NameBlockEntries,
        keys_of: NameKeyFn<'_>,
    ) -> Result<(), StoreError> {
        let known = names.len();
        self.each_row(sql::PLAYERS_FROM, [first], |row| {
            names.push(row.get(0)?, row::text(row, 1)?, []);
            Ok(())
        })?;
        names.make_keys(known, keys_of);
        Ok(())
    }
}
