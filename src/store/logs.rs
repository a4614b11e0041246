//! Logs beside a database that belong to another state of it, or to another database.
//!
//! `SQLite` takes any file `NAME-wal` or `NAME-journal` for a log of the file `NAME`, and writes
//! what it holds into it. If a backup was copied over a database whose writer had been killed, that
//! destroys the backup. So a program that opens a database first looks whether the log is its own;
//! one that is not is moved aside. docs/reliability.md derives the rules:
//!
//! * A write-ahead log belongs to a file that says that it has one, has the same number, and has
//!   a generation between the one before the log's first transaction and that of its last.
//! * A rollback journal belongs to a file that has the same number and either the generation that
//!   the journal restores or the next one. One that only changes how the file is written belongs to
//!   a file whose first page is otherwise the same. The journal of a database that is just being
//!   made belongs to a file in which no transaction was begun.
//! * A log without a committed transaction, and a journal that restores nothing, do no harm.
//! * A write-ahead log that holds nothing but what the file has is removed: a program has folded it
//!   into the file and could not remove it.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use rusqlite::OpenFlags;

use super::{
    PAGE_BYTES, Store, StoreError, StoreErrorKind,
    checksum_vfs::{self, FileStart, LockedFile, is_as_written},
    identity::DatabaseIdentity,
    schema::{APPLICATION_ID, FIRST_SCHEMA},
};
use crate::base::observe::CancellationToken;
use wal::{FIRST_PAGE_PARTS, LogSpan, is_folded};

const PAGE: usize = PAGE_BYTES as usize;

/// Logs that `SQLite` has beside a database.
pub(super) const LOGS: [&str; 2] = ["-journal", "-wal"];

/// Four bytes of a file format of `SQLite`, big endian.
fn long(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}

/// Fills a buffer; whether the file has as much.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        done => done.map(|()| true),
    }
}

/// What a rollback journal restores (section 3 of `SQLite`'s file format).
#[derive(Debug, PartialEq, Eq)]
struct Journal {
    /// Pages that the file had before; 0 if it was just being made.
    pages: u32,
    /// The first and the second page, if it has them.
    first: Option<Vec<u8>>,
    second: Option<Vec<u8>>,
}

impl Journal {
    /// Reads a journal; `None` if it has no header that `SQLite` would accept.
    fn read(path: &Path) -> io::Result<Option<Self>> {
        const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
        const HEADER: usize = 28;
        const RECORD: usize = 4 + PAGE + 4;
        let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
        let mut header = [0; HEADER];
        if !fill(&mut file, &mut header)? || header[..8] != MAGIC {
            return Ok(None);
        }
        let [Some(seed), Some(pages), Some(sector), Some(page_bytes)] =
            [12, 16, 20, 24].map(|at| long(&header, at))
        else {
            return Ok(None);
        };
        if !sector.is_power_of_two() || !(32..=65_536).contains(&sector) {
            return Ok(None);
        }
        let mut journal = Self {
            pages,
            first: None,
            second: None,
        };
        if page_bytes != u32::from(PAGE_BYTES) {
            return Ok(Some(journal));
        }
        file.seek(SeekFrom::Start(u64::from(sector)))?;
        let mut record = [0; RECORD];
        while (journal.first.is_none() || journal.second.is_none()) && fill(&mut file, &mut record)?
        {
            let page = &record[4..4 + PAGE];
            // Every 200th byte, counted from the end.
            let bytes = (1..).map_while(|step| PAGE.checked_sub(200 * step));
            let sum = bytes
                .filter(|at| *at > 0)
                .fold(seed, |sum, at| sum.wrapping_add(u32::from(page[at])));
            if long(&record, 4 + PAGE) != Some(sum) {
                break;
            }
            match long(&record, 0) {
                Some(1) => journal.first = Some(page.to_vec()),
                Some(2) => journal.second = Some(page.to_vec()),
                _ => {}
            }
        }
        Ok(Some(journal))
    }
}

/// A database file as it stands, without its logs.
struct FileState<'f> {
    first: &'f [u8],
    pages: u64,
    number: u64,
    identity: Option<DatabaseIdentity>,
}

impl<'f> FileState<'f> {
    fn of(file: &'f FileStart) -> Self {
        let (first, second) = file.pages.split_at(PAGE.min(file.pages.len()));
        let number = checksum_vfs::number_in(first);
        // Of a page that was written in part nothing is known.
        let identity = DatabaseIdentity::in_page(second)
            .filter(|identity| is_as_written(second, 2, identity.number));
        Self {
            first,
            pages: file.bytes.div_ceil(PAGE as u64),
            // Either may be damaged.
            number: identity.map_or(number, |identity| identity.number),
            identity,
        }
    }

    fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Whether the first page says that there is a write-ahead log.
    fn has_log(&self) -> bool {
        self.first.get(18) == Some(&2)
    }

    /// Whether a write-ahead log belongs to it.
    fn owns_log(&self, log: &LogSpan) -> bool {
        if !log.has_commits {
            return true;
        }
        let Some((first, last)) = log.ends.filter(|_| self.has_log()) else {
            return false;
        };
        let generation = self.identity.map(|identity| identity.generation);
        // A second page that is damaged is in the log once more.
        first.number == self.number
            && generation.is_none_or(|own| {
                (first.generation.saturating_sub(1)..=last.generation).contains(&own)
            })
    }

    /// Whether a rollback journal belongs to it, or does it no harm.
    fn owns_journal(&self, journal: &Journal) -> bool {
        if self.is_empty() || journal.pages == 0 {
            let is_untouched = self.identity.is_none_or(|own| own.generation == 0);
            return journal.pages == 0 && is_untouched;
        }
        let before = journal
            .second
            .as_deref()
            .and_then(DatabaseIdentity::in_page);
        match (before, &journal.first) {
            (Some(before), _) => {
                before.number == self.number
                    && self.identity.is_none_or(|own| {
                        (before.generation..=before.generation + 1).contains(&own.generation)
                    })
            }
            (None, Some(first)) => self.differs_in_mode_alone(first),
            (None, None) => u64::from(journal.pages) >= self.pages,
        }
    }

    /// Whether a first page is its own but for the bytes that change with the kind of log.
    fn differs_in_mode_alone(&self, first: &[u8]) -> bool {
        first.len() == self.first.len()
            && first.len() == PAGE
            && checksum_vfs::number_in(first) == checksum_vfs::number_in(self.first)
            && FIRST_PAGE_PARTS
                .into_iter()
                .all(|part| first[part.clone()] == self.first[part])
    }
}

/// The name of a file beside a database.
pub(super) fn companion(database: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(database);
    name.push(ending);
    name.into()
}

/// The first name beside a file, with an ending and a number from 1, that no file has.
pub(super) fn free_companion(file: &Path, ending: &str) -> PathBuf {
    let mut nth = 1_u64;
    loop {
        let name = companion(file, &format!("{ending}-{nth}"));
        if name.symlink_metadata().is_err() {
            return name;
        }
        nth += 1;
    }
}

/// Gives a log another name, under which `SQLite` does not look for it.
fn move_aside(log: &Path) -> io::Result<PathBuf> {
    let aside = free_companion(log, ".aside");
    fs::rename(log, &aside)?;
    Ok(aside)
}

/// What is done about the logs beside a database.
fn judge(database: &Path, locked: &LockedFile<'_>) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let file = FileState::of(&locked.start);
    let is_ours = checksum_vfs::application_id(file.first) == Some(APPLICATION_ID)
        && checksum_vfs::schema(file.first).is_some_and(|schema| schema >= FIRST_SCHEMA);
    let [journal, log] = LOGS.map(|ending| companion(database, ending));
    // Other programs' databases, and those of older programs, are refused without a look at
    // what is beside them.
    if !is_ours && !file.is_empty() {
        return Ok(Vec::new());
    }
    let mut moved = Vec::new();
    let mut aside = |log: &Path| {
        let aside = move_aside(log).map_err(|error| (log.to_path_buf(), error))?;
        moved.push(aside);
        Ok(())
    };
    let about = |log: &Path| {
        let log = log.to_path_buf();
        move |error| (log, error)
    };
    let mut is_rolled_back = false;
    if journal.exists()
        && let Some(read) = Journal::read(&journal).map_err(about(&journal))?
    {
        is_rolled_back = file.owns_journal(&read);
        if !is_rolled_back {
            aside(&journal)?;
        }
    }
    if log.exists() {
        let span = LogSpan::read(&log).map_err(about(&log))?;
        // A file has one of the two kinds of logs.
        let is_own = file.owns_log(&span) && !(is_rolled_back && span.has_commits);
        if !is_own || (file.is_empty() && span.has_commits) {
            if is_folded(&log, locked, file.number).map_err(about(&log))? {
                fs::remove_file(&log).map_err(about(&log))?;
            } else {
                aside(&log)?;
            }
            // It is an index of the log, and no program has it open.
            let _ = fs::remove_file(companion(database, "-shm"));
        }
    }
    Ok(moved)
}

/// Moves logs aside that do not belong to a database, if it is there; their new names. What else
/// may be wrong with it is for a program that uses it to say.
pub fn set_logs_aside(database: &Path, stop: &CancellationToken) -> Vec<PathBuf> {
    let has_logs = LOGS
        .iter()
        .any(|ending| companion(database, ending).symlink_metadata().is_ok());
    let is_link = database.is_symlink();
    if !database.exists() || !(has_logs || is_link) {
        return Vec::new();
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Store::connect(database, flags, stop);
    opened.map_or(Vec::new(), |mut store| {
        std::mem::take(&mut store.logs_aside)
    })
}

impl Store {
    /// Moves logs aside that do not belong to the database, before anything is read of it.
    ///
    /// While another connection has the database open the logs are that one's, which has
    /// looked itself.
    pub(super) fn set_logs_aside(&mut self) -> Result<(), StoreError> {
        let Ok(database) = self.path.canonicalize() else {
            return Ok(());
        };
        if !LOGS
            .iter()
            .any(|ending| companion(&database, ending).exists())
        {
            return Ok(());
        }
        let judged = checksum_vfs::alone(&self.connection, |locked| judge(&database, locked));
        match judged {
            Ok(Ok(moved)) => {
                self.logs_aside = moved;
                Ok(())
            }
            Ok(Err((log, error))) => Err(self.error(StoreErrorKind::ForeignLog { log, error })),
            // Another connection has it open; or nothing can be locked, nor written, there.
            Err(_) => Ok(()),
        }
    }

    /// Logs that were found beside the database when it was opened and did not belong to it, under
    /// the names that they have now.
    pub fn logs_aside(&self) -> &[PathBuf] {
        &self.logs_aside
    }
}

#[cfg(test)]
mod tests;
mod wal;
