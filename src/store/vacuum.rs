//! What nothing needs any more: rows that nothing refers to, and room in the file.

use super::{Store, StoreError, read::GAPS_MAX, row::number, statements as sql};

/// Bytes of a file from which on the new one is not made in memory before it takes its place, but
/// in the system's folder of temporary files.
const VACUUM_IN_MEMORY_MAX: u64 = 256 << 20;

impl Store {
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

    /// The share of free pages in the file, from 0 to 1.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn free_part(&self) -> Result<f64, StoreError> {
        let free = self.number("freelist_count")?;
        Ok(free as f64 / self.number("page_count")?.max(1) as f64)
    }

    /// Writes the file again without its free pages; takes its size once more on the disk
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
