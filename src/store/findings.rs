//! What imports have found wanting, and where.

use std::{collections::HashMap, ops::ControlFlow};

use super::{
    Store, StoreError, rereads,
    row::{self, number},
    statements as sql,
};
use crate::{base::record::GameId, input::verify::ChunkDigest};

/// A row of `diagnostic`, with its source.
#[derive(Debug, Clone, Copy)]
pub struct FindingRow<'r> {
    /// Row of `source`.
    pub source: i64,
    /// Its name, byte for byte.
    pub name: &'r [u8],
    /// The import that read it.
    pub import: u64,
    /// The game, unless nothing was stored.
    pub game: Option<GameId>,
    /// The stable code.
    pub code: &'r str,
    /// 0-based offset in the decompressed stream.
    pub offset_bytes: u64,
    /// What exactly; may be empty.
    pub detail: &'r str,
}

impl Store {
    /// The number of the newest import, one that was not undone if there is such a one; none if
    /// there was none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn last_import(&self) -> Result<Option<u64>, StoreError> {
        let undone = self.undone_imports()?;
        let all: Vec<i64> = self.all(sql::IMPORTS, [], |row| row.get(0))?;
        let stands = |import: &&i64| !undone.contains(*import);
        let last = all.iter().rfind(stands).or(all.last());
        Ok(last.and_then(|&last| u64::try_from(last).ok()))
    }

    /// Whether there was an import of that number.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn has_import(&self, import: u64) -> Result<bool, StoreError> {
        let found = self.one(sql::ANY_IMPORT, [import as i64], |row| number(row, 0))?;
        Ok(found.is_some())
    }

    /// Calls `each` with the warnings and errors of an import, or of all, in the order in which
    /// they were found, until it breaks.
    ///
    /// # Errors
    ///
    /// [`StoreError`], and what `each` breaks with.
    pub fn for_each_finding<E: From<StoreError>>(
        &self,
        import: Option<u64>,
        mut each: impl FnMut(&FindingRow<'_>) -> ControlFlow<E>,
    ) -> Result<(), E> {
        let mut broken = None;
        let (undone, replaced) = (self.undone_imports()?, self.replaced_sources()?);
        let walked = self.each_row(sql::ALL_DIAGNOSTICS, [import.map(|n| n as i64)], |row| {
            let is_gone = undone.contains(&row.get(2)?) || replaced.contains_key(&row.get(0)?);
            if import.is_none() && is_gone {
                return Ok(());
            }
            let game: Option<i64> = row.get(3)?;
            let found = FindingRow {
                source: row.get(0)?,
                name: row::text_or_blob(row, 1)?,
                import: number(row, 2)?,
                game: game.map(|_| number(row, 3)).transpose()?,
                code: row::text(row, 4)?,
                offset_bytes: number(row, 5)?,
                detail: row::text_or_null(row, 6)?.unwrap_or_default(),
            };
            match each(&found) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(why) => {
                    broken = Some(why);
                    // The rows end here; why is known.
                    Err(rusqlite::Error::InvalidQuery)
                }
            }
        });
        broken.map_or_else(|| walked.map_err(E::from), Err)
    }

    /// How often an import, or all that were not undone, found what, by code; of all, without what
    /// was read again since. Of an import that was killed nothing was counted.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn finding_counts(&self, import: Option<u64>) -> Result<Vec<(String, u64)>, StoreError> {
        let undone = self.undone_imports()?;
        let values = [import.map(|import| import as i64)];
        let mut replaced: HashMap<(i64, String), u64> = HashMap::new();
        if import.is_none() && self.has_table(rereads::TABLE)? {
            let found = self.all(sql::REPLACED_FINDINGS, [], |row| {
                Ok(((row.get(0)?, row.get(1)?), number(row, 2)?))
            })?;
            replaced.extend(found);
        }
        let mut counts: Vec<(String, u64)> = Vec::new();
        self.each_row(sql::ALL_DIAGNOSTIC_COUNTS, values, |row| {
            if import.is_none() && undone.contains(&row.get(0)?) {
                return Ok(());
            }
            let (code, count) = (row::text(row, 1)?, number(row, 2)?);
            let before = replaced.get(&(row.get(0)?, code.to_owned())).copied();
            let count = count.saturating_sub(before.unwrap_or(0));
            match counts.last_mut() {
                Some((known, sum)) if known == code => *sum += count,
                _ if count == 0 => {}
                _ => counts.push((code.to_owned(), count)),
            }
            Ok(())
        })?;
        Ok(counts)
    }

    /// The parts in which a source was read, in their order.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn parts_of(&self, source: i64) -> Result<Vec<ChunkDigest>, StoreError> {
        self.all(sql::PIECES_OF_SOURCE, [source], |row| {
            Ok(ChunkDigest {
                offset_bytes: number(row, 0)?,
                bytes: number(row, 1)?,
                split_bytes: number(row, 2)?,
                parent: u128::from_be_bytes(row.get(3)?),
                chain: u128::from_be_bytes(row.get(4)?),
            })
        })
    }
}
