//! What can go wrong with a database file, and what to do about it.

use std::path::PathBuf;

use crate::base::shown;

/// A database could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such file. Import something first, or name another file.
    #[error("{}: no such database", shown::path(path))]
    Missing {
        /// The database.
        path: PathBuf,
    },
    /// A folder has the name. Name a file in it.
    #[error("{}: is a folder, not a database", shown::path(path))]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder that the new database would be in is not there. Make it first.
    #[error("{}: the folder does not exist", shown::path(path))]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The file is something else. Name another file.
    #[error("{}: not a plydex database", shown::path(path))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A newer program wrote it. Use that program, or import anew.
    #[error(
        "{}: written by a newer plydex (schema {found}; this program supports up to {known})",
        shown::path(path)
    )]
    TooNew {
        /// The database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// Its position keys are of another version. Export its games, which needs no keys,
    /// and import them into a new file.
    #[error(
        "{}: indexed with keys of version {found}, this program uses {known}",
        shown::path(path)
    )]
    OtherKeys {
        /// The database.
        path: PathBuf,
        /// Its keys.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// It may not be written. Check the rights of file and folder.
    #[error("{}: the database is read-only", shown::path(path))]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// Another program is writing. Wait for it.
    #[error("{}: another program is using the database", shown::path(path))]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// The end was asked for, by Ctrl-C perhaps.
    #[error("{}: interrupted", shown::path(path))]
    Interrupted {
        /// The database.
        path: PathBuf,
    },
    /// A program that does not wait for its turn wrote something during an import. What
    /// was committed before is there; run again.
    #[error(
        "{}: another program has changed the database during the import",
        shown::path(path)
    )]
    Changed {
        /// The database.
        path: PathBuf,
    },
    /// No room left. What was committed before is there; free some room and run again.
    #[error("{}: the disk is full", shown::path(path))]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// It cannot be opened. Check that it is a file, and the rights of file and folder.
    #[error("{}: the database cannot be opened", shown::path(path))]
    Unopenable {
        /// The database.
        path: PathBuf,
    },
    /// The system could not read or write. Check the disk, quotas and limits.
    #[error(
        "{}: the file cannot be read or written any further",
        shown::path(path)
    )]
    Io {
        /// The database.
        path: PathBuf,
    },
    /// The content is not what it must be. Run `plydex check`; import anew.
    #[error("{}: damaged: {what}", shown::path(path))]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What was found where.
        what: String,
    },
    /// SQLite says no, for another reason.
    #[error("{}: {source}", shown::path(path))]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// The reason.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Sorts an error of `SQLite` into ours.
    pub(super) fn sqlite(path: &std::path::Path, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_path_buf();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign { path },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::Full { path },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Self::Unopenable { path },
            Some(ErrorCode::SystemIoFailure) => Self::Io { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged {
                path,
                what: "its pages are inconsistent".to_owned(),
            },
            Some(ErrorCode::ConstraintViolation) => Self::Damaged {
                path,
                what: "a new row exists already".to_owned(),
            },
            // A table or a column.
            Some(ErrorCode::Unknown) if source.to_string().starts_with("no such") => {
                Self::Damaged {
                    path,
                    what: format!("its schema differs ({source})"),
                }
            }
            _ => Self::Sqlite { path, source },
        }
    }

    /// What to do about it, for a person.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => {
                "run `plydex import FILE` first, or name the database with --db PATH or PLYDEX_DB"
            }
            Self::Folder { .. } => "name a file with --db PATH, such as plydex.db in that folder",
            Self::NoFolder { .. } => "create the folder first, or name another file with --db PATH",
            Self::Foreign { .. } => "name a database made by plydex, or a new file, with --db PATH",
            Self::TooNew { .. } => {
                "use the plydex that wrote it, or import the games into a new file"
            }
            Self::OtherKeys { .. } => {
                "write its games with `plydex export --output FILE` and import FILE into a new database; export, show, info and searches without a position still work"
            }
            Self::Unopenable { .. } => {
                "check that it is a file, and that you have permission to read and write it and its folder"
            }
            Self::Io { .. } => {
                "check the disk, quotas, and limits on the size of files (`ulimit -f`); what was \
                 committed before is kept"
            }
            Self::ReadOnly { .. } => "check the permissions of the file and its folder",
            Self::Busy { .. } => "wait until the other program is done, then try again",
            Self::Interrupted { .. } => "run the command again to continue",
            Self::Changed { .. } => {
                "what was committed before is kept; run the command again to continue from there"
            }
            Self::Full { .. } => {
                "free some space and run the command again; what was committed before is kept"
            }
            Self::Damaged { .. } => {
                "run `plydex check`; then restore a backup, or import the games into a new database"
            }
            Self::Sqlite { .. } => "check that the file and its folder can be read and written",
        }
    }
}
