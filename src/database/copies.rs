//! Whole databases: checked, copied, repaired and replaced.

use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use super::{CheckReport, Database, Error, ErrorKind, RepairReport, Result, Snapshot, SqlTable};
use crate::{
    changes::{self, repair},
    search::GameTables,
    store::{self, ReplacementLock, Store, StoreError, StoreErrorKind},
};

impl Database {
    /// Checks the file, the games and the index against each other. What is wrong is in the report,
    /// even if the file cannot be opened.
    ///
    /// # Errors
    ///
    /// If there is no such file, it is not a database, or cannot be read.
    pub fn check(&self) -> Result<CheckReport> {
        let checked = self
            .snapshot()
            .and_then(|snapshot| Ok(changes::check(snapshot.store(), &self.watch())?));
        match checked {
            Err(damage) if damage.kind() == ErrorKind::Damaged => Ok(CheckReport {
                problems: vec![damage.to_string()],
                ..CheckReport::default()
            }),
            checked => checked,
        }
    }

    /// Writes a copy of the database to a new file, as it is at the beginning, whatever is written
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] if the file exists; others if the database cannot be read or the file
    /// cannot be written. Then the file is not there.
    pub fn back_up(&self, to: impl AsRef<Path>) -> Result<()> {
        let to = NewCopy::make(to.as_ref())?;
        self.snapshot()?.back_up(to.path, self)?;
        to.keep();
        Ok(())
    }

    /// Copies what is intact of a damaged database to a new file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] if the file exists; others if nothing of the database can be read, or
    /// the file cannot be written. Then the file is not there.
    pub fn repair(&self, to: impl AsRef<Path>) -> Result<RepairReport> {
        let to = NewCopy::make(to.as_ref())?;
        let report = self.open_to_repair()?.repair(to.path, self)?;
        to.keep();
        Ok(report)
    }

    /// Opens the file whatever is damaged of it.
    pub(crate) fn open_to_repair(&self) -> Result<Snapshot<'static>> {
        Ok(Snapshot::own(Store::open_to_repair(
            &self.path, &self.stop,
        )?))
    }

    /// Opens the file and leaves it as it is, to the byte. No program may write it meanwhile.
    pub(crate) fn open_unchanged(&self) -> Result<Snapshot<'static>> {
        Ok(Snapshot::own(Store::open_unchanged(
            &self.path, &self.stop,
        )?))
    }

    /// Waits for programs that write the database, and keeps others out, so that another file can
    /// take its place.
    pub(crate) fn replace(&self) -> Result<Replacement> {
        Ok(Replacement(ReplacementLock::begin(
            &self.path,
            &self.watch(),
        )?))
    }

    /// Moves logs aside that belong to another state of the file; the names that they have now.
    pub(crate) fn set_logs_aside(&self) -> Vec<PathBuf> {
        store::set_logs_aside(&self.path, &self.stop)
    }
}

/// An empty file that did not exist before. It is removed unless it is kept.
struct NewCopy<'p> {
    path: &'p Path,
    is_kept: bool,
}

impl<'p> NewCopy<'p> {
    fn make(path: &'p Path) -> Result<Self> {
        let made = OpenOptions::new().write(true).create_new(true).open(path);
        match made {
            Ok(_) => Ok(Self {
                path,
                is_kept: false,
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Error::exists(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or(path);
                Err(StoreError::new(folder, StoreErrorKind::NoFolder).into())
            }
            // What is written says why it cannot be.
            Err(_) => Ok(Self {
                path,
                is_kept: true,
            }),
        }
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for NewCopy<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_file(self.path);
        }
    }
}

impl Snapshot<'_> {
    /// Writes a copy into an empty file, as calls of a database are observed.
    pub(crate) fn back_up(&self, to: &Path, database: &Database) -> Result<()> {
        let copied = self.store().back_up(to, &database.watch())?;
        if copied.is_break() {
            return Err(self.store().interrupted().into());
        }
        Ok(())
    }

    /// Copies what is intact into an empty file.
    pub(crate) fn repair(&self, to: &Path, database: &Database) -> Result<RepairReport> {
        let strict = Store::open(&database.path, &database.stop).ok();
        let new = Store::create_draft(to, &database.stop)?;
        let report = repair::repair(self.store(), strict.as_ref(), &new, &database.watch())?;
        Ok(report)
    }

    /// Writes tables into an empty file, which is a plain database of `SQLite`.
    pub(crate) fn unpack(&self, to: &Path, tables: &[SqlTable], database: &Database) -> Result<()> {
        let source = GameTables::new(self.store())?;
        let done = (self.store()).unpack(to, &source, tables, &database.watch())?;
        if done.is_break() {
            return Err(self.store().interrupted().into());
        }
        Ok(())
    }
}

/// The right to put another file in the place of a database, which no program writes meanwhile.
#[derive(Debug)]
pub struct Replacement(ReplacementLock);

impl Replacement {
    /// Gives the old file a second name, under which it stays; `None` if there was none.
    ///
    /// # Errors
    ///
    /// Those of the file system; then everything is as it was.
    pub fn keep_old(&self) -> io::Result<Option<PathBuf>> {
        self.0.keep_old()
    }

    /// Ends it, after the new file has its name.
    pub fn finish(self) {
        self.0.finish();
    }
}
