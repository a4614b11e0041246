//! What can go wrong with a database file, and what to do about it.

use std::path::PathBuf;

use rusqlite::ErrorCode;

use super::{Store, checksum_vfs};
use crate::base::{PathError, display_path};

/// A database could not be opened, read or written.
pub type StoreError = PathError<StoreErrorKind>;

/// Why a database could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// There is no such file. Import something first, or name another file.
    #[error("no such database")]
    Missing,
    /// A folder has the name. Name a file in it.
    #[error("is a folder, not a database")]
    Folder,
    /// The name means something else to `SQLite`, or is no name of a file. Name a file.
    #[error("{why}")]
    NotAFile {
        /// What the name is.
        why: &'static str,
        /// What to write instead.
        hint: &'static str,
    },
    /// A log beside it belongs to another database or another state of it, and cannot be moved
    /// aside. Move it yourself.
    #[error(
        "a log that belongs to another state of the database stands beside it, and cannot be moved aside: {}: {error}",
        display_path::path(log)
    )]
    ForeignLog {
        /// The log.
        log: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Its name means another file by now, or none. Run again.
    #[error("the file was replaced or removed meanwhile")]
    Replaced,
    /// The folder that the new database would be in is not there. Make it first.
    #[error("the folder does not exist")]
    NoFolder,
    /// The system has no room for its name, or for those of the files that `SQLite` has beside it
    /// (`NAME-journal`). Choose a shorter one.
    #[error("its name is too long")]
    LongName,
    /// The file has nothing in it yet, not even a schema. Import something.
    #[error("empty: nothing was ever stored in it")]
    Empty,
    /// The file is something else. Name another file.
    #[error("not a plydex database")]
    Foreign,
    /// A newer program wrote it. Use that program, or import again.
    #[error("written by a newer plydex (schema {found}; this program supports up to {known})")]
    TooNew {
        /// Its schema.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// A program before the first release wrote it. Import the games again into a new database.
    #[error(
        "written by an older plydex (schema {found}, which is no longer read; this program uses {known})"
    )]
    TooOld {
        /// Its schema.
        found: u32,
        /// The one we write.
        known: u32,
    },
    /// Its position keys are of another version: all but positions can be queried, and it can
    /// be written once it was indexed again.
    #[error("indexed with keys of version {found}, this program uses {known}")]
    OtherKeys {
        /// Its keys.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// It may not be written. Check the rights of file and folder.
    #[error("the database is read-only")]
    ReadOnly,
    /// Another program is writing. Wait for it.
    #[error("another program is using the database")]
    Busy,
    /// The end was requested, by Ctrl-C perhaps.
    #[error("interrupted")]
    Interrupted,
    /// A program that does not wait for its turn wrote something meanwhile. What
    /// was committed before is there; run again.
    #[error("another program has changed the database meanwhile")]
    Changed,
    /// No room left. What was committed before is there; free some space and run again.
    #[error("the disk is full")]
    Full,
    /// It cannot be opened. Check that it is a file, and the rights of file and folder.
    #[error("the database cannot be opened")]
    Unopenable,
    /// The system could not read or write. Check the disk, quotas and limits.
    #[error("the file cannot be read or written any further")]
    Io,
    /// The content is not what it must be. Run `plydex check`; import again.
    #[error("damaged: {what}")]
    Damaged {
        /// What was found where.
        what: String,
    },
    /// SQLite says no, for another reason.
    #[error("{source}")]
    Sqlite {
        /// The reason.
        source: rusqlite::Error,
    },
}

/// The page that was read and is not as it was written, if that is what an error is about.
fn bad_page(source: &rusqlite::Error) -> Option<u32> {
    let page = checksum_vfs::take_bad_page();
    let code = source.sqlite_error()?.extended_code;
    page.filter(|_| code == rusqlite::ffi::SQLITE_IOERR_DATA)
}

impl StoreError {
    /// Sorts an error of `SQLite` into ours.
    pub(super) fn sqlite(path: &std::path::Path, source: rusqlite::Error) -> Self {
        use StoreErrorKind as Kind;
        let kind = match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Kind::Foreign,
            Some(ErrorCode::ReadOnly) => Kind::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Kind::Busy,
            Some(ErrorCode::DiskFull) => Kind::Full,
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Kind::Unopenable,
            Some(ErrorCode::SystemIoFailure) => match bad_page(&source) {
                Some(page) => Kind::Damaged {
                    what: format!("page {page} is not as plydex wrote it"),
                },
                None => Kind::Io,
            },
            Some(ErrorCode::DatabaseCorrupt) => Kind::Damaged {
                what: "its pages are inconsistent".to_owned(),
            },
            Some(ErrorCode::ConstraintViolation) => Kind::Damaged {
                what: "a new row exists already".to_owned(),
            },
            // A table or a column.
            Some(ErrorCode::Unknown) if source.to_string().starts_with("no such") => {
                Kind::Damaged {
                    what: format!("its schema differs ({source})"),
                }
            }
            _ => Kind::Sqlite { source },
        };
        Self::new(path, kind)
    }

    /// What to do about it, for a person.
    pub const fn hint(&self) -> &'static str {
        use StoreErrorKind as Kind;
        match self.kind {
            Kind::Missing => {
                "run `plydex import FILE` first, or name the database with --db PATH or PLYDEX_DB"
            }
            Kind::Folder => "name a file with --db PATH, such as plydex.db in that folder",
            Kind::NotAFile { hint, .. } => hint,
            Kind::ForeignLog { .. } => {
                "move that log to another folder, or check the permissions of the folder; plydex reads \
                 nothing before, for it would write the log into the database"
            }
            Kind::Replaced => "run the command again to use the file that is there now",
            Kind::NoFolder => "create the folder first, or name another file with --db PATH",
            Kind::LongName => {
                "choose a shorter one with --db PATH: while plydex writes it, a file beside it has its \
                 name with `-journal` appended"
            }
            Kind::Empty => {
                "run `plydex import` again: an import that was interrupted before anything was \
                 stored leaves such a file"
            }
            Kind::Foreign => {
                "name a database made by plydex, or a new file, with --db PATH; `plydex import` reads files of games"
            }
            Kind::TooNew { .. } => {
                "use the plydex that wrote it, or import the games into a new file"
            }
            Kind::TooOld { .. } => {
                "import the files again into a new database with `plydex import --db NEW.db`"
            }
            Kind::OtherKeys { .. } => {
                "run `plydex reindex` to index it again; export, show, info and searches without \
                 a position work without"
            }
            Kind::Unopenable => {
                "check that it is a file, and that you have permission to read and write it and its folder"
            }
            Kind::Io => {
                "check the disk, quotas, and limits on the size of files (`ulimit -f`); what was \
                 committed before is kept"
            }
            Kind::ReadOnly => "check the permissions of the file and its folder",
            Kind::Busy => "wait until the other program is done, then try again",
            Kind::Interrupted => "run the command again to continue",
            Kind::Changed => {
                "what was committed before is kept; run the command again to continue from there"
            }
            Kind::Full => {
                "free some space and run the command again; what was committed before is kept"
            }
            Kind::Damaged { .. } => {
                "run `plydex check`; then restore a backup, import the games into a new database, or \
                 copy what is intact with `plydex check --repair NEW.db`"
            }
            Kind::Sqlite { .. } => "check that the file and its folder can be read and written",
        }
    }
}

impl Store {
    pub(super) fn error(&self, kind: StoreErrorKind) -> StoreError {
        StoreError::new(&self.path, kind)
    }

    /// Says that what was requested of the database was given up.
    pub fn interrupted(&self) -> StoreError {
        self.error(StoreErrorKind::Interrupted)
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> StoreError {
        match source.sqlite_error_code() {
            // A lock that was not waited for any longer is no lock to complain of.
            Some(ErrorCode::DatabaseBusy | ErrorCode::OperationInterrupted)
                if self.stop().is_cancelled() =>
            {
                self.interrupted()
            }
            _ => StoreError::sqlite(&self.path, source),
        }
    }

    /// Says that stored bytes are not what they must be.
    pub fn damaged(&self, what: impl Into<String>) -> StoreError {
        self.error(StoreErrorKind::Damaged { what: what.into() })
    }
}
