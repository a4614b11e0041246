//! What goes wrong with a database, and what to do about it.

use std::{
    error, fmt, io,
    path::{Path, PathBuf},
};

use crate::{
    base::{PathError, display_path},
    changes::{EditError, NameDecisionError, UndoError, reread::RereadError},
    import::ImportError,
    input::SourceError,
    query::pattern::QueryError,
    search::planner::PlanError,
    store::{SqlError, StoreError, StoreErrorKind},
};

/// What a call of the library returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done. Its text names the file or the place and says what is wrong;
/// [`hint`](Self::hint) says what to do.
pub struct Error(Box<Cause>);

/// What an [`Error`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no such file or folder.
    NotFound,
    /// The file is not a database of plydex.
    NotADatabase,
    /// The file is a database in which nothing was ever stored.
    Empty,
    /// Another version of plydex has written the database, and this one cannot read it.
    Version,
    /// The index of the database has keys of another version: positions are found again after
    /// [`reindex`](super::Database::reindex).
    OutdatedIndex,
    /// The database may not be written.
    ReadOnly,
    /// Another program uses or has changed the database.
    Busy,
    /// The end was requested.
    Interrupted,
    /// The disk is full.
    Full,
    /// The system cannot read or write the file.
    Io,
    /// The database is damaged.
    Damaged,
    /// The query cannot be read, or fits no game of the database.
    Query,
    /// None of the sources can be read or has a game.
    Source,
    /// The change is not possible.
    Refused,
    /// The SQL statement cannot be run.
    Statement,
    /// Anything else.
    Other,
}

/// The errors of the modules.
#[derive(Debug)]
enum Cause {
    Store(StoreError),
    Import(ImportError),
    Query(QueryError),
    Edit(EditError),
    Undo(UndoError),
    Names(NameDecisionError),
    Reread(RereadError),
    Sql(SqlError),
    /// Another database was to be merged, and it is the same.
    SameDatabase(PathBuf),
    /// A new file was to be written, and there is one.
    Exists(PathBuf),
    /// No temporary file can be written.
    Temporary(io::Error),
}

impl Cause {
    fn as_error(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(match self {
            Self::Store(error) => error,
            Self::Import(error) => error,
            Self::Query(error) => error,
            Self::Edit(error) => error,
            Self::Undo(error) => error,
            Self::Names(error) => error,
            Self::Reread(error) => error,
            Self::Sql(error) => error,
            Self::SameDatabase(_) | Self::Exists(_) | Self::Temporary(_) => return None,
        })
    }
}

impl Error {
    /// What it is about.
    pub fn kind(&self) -> ErrorKind {
        match &*self.0 {
            Cause::Store(error) => kind_of(&error.kind),
            Cause::Import(ImportError::Interrupted) | Cause::Reread(RereadError::Interrupted) => {
                ErrorKind::Interrupted
            }
            Cause::Import(_) => ErrorKind::Source,
            Cause::Query(_) => ErrorKind::Query,
            Cause::Edit(_)
            | Cause::Undo(_)
            | Cause::Names(_)
            | Cause::Reread(_)
            | Cause::SameDatabase(_)
            | Cause::Exists(_) => ErrorKind::Refused,
            Cause::Sql(_) => ErrorKind::Statement,
            Cause::Temporary(_) => ErrorKind::Io,
        }
    }

    /// What to do about it, for a person who uses the command line; empty if there is no advice.
    pub fn hint(&self) -> &str {
        match &*self.0 {
            Cause::Store(error) => error.hint(),
            Cause::Import(error) => error.hint(),
            Cause::Query(error) => error.hint.as_deref().unwrap_or_default(),
            Cause::Edit(error) => error.hint(),
            Cause::Undo(error) => error.hint(),
            Cause::Names(error) => error.hint(),
            Cause::Reread(error) => error.hint(),
            Cause::Sql(error) => error.hint(),
            Cause::SameDatabase(_) => "name another database, or another one with --db",
            Cause::Exists(_) => "name a new file; nothing that exists is replaced",
            Cause::Temporary(_) => "set TMPDIR to a folder with more room",
        }
    }

    /// What is wrong with the query, with the place in its text, if that is what it is about.
    pub fn query(&self) -> Option<&QueryError> {
        match &*self.0 {
            Cause::Query(error) => Some(error),
            _ => None,
        }
    }

    /// Whether only the end was requested.
    pub fn is_interrupted(&self) -> bool {
        self.kind() == ErrorKind::Interrupted
    }

    /// Whether the state of the database is the reason, and not what was requested of it.
    pub(crate) fn is_of_database(&self) -> bool {
        matches!(&*self.0, Cause::Store(_))
    }

    /// What is damaged, if a part of the database is.
    pub(crate) fn damage(&self) -> Option<&str> {
        match &*self.0 {
            Cause::Store(PathError {
                kind: StoreErrorKind::Damaged { what },
                ..
            }) => Some(what),
            _ => None,
        }
    }

    /// Why each of several sources cannot be read.
    pub(crate) fn failures(&self) -> &[SourceError] {
        match &*self.0 {
            Cause::Import(ImportError::Unreadable(failures)) => failures,
            _ => &[],
        }
    }

    /// The file that it is about, if that is a database.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &*self.0 {
            Cause::Store(error) => Some(&error.path),
            _ => None,
        }
    }

    /// The same about another file: the one that the user knows.
    pub(crate) fn about(mut self, path: &Path) -> Self {
        if let Cause::Store(error) = &mut *self.0 {
            path.clone_into(&mut error.path);
        }
        self
    }

    /// Another database was to be merged, and it is the same.
    pub(super) fn same_database(path: &Path) -> Self {
        Self(Box::new(Cause::SameDatabase(path.to_path_buf())))
    }

    /// A new file was to be written, and there is one.
    pub(super) fn exists(path: &Path) -> Self {
        Self(Box::new(Cause::Exists(path.to_path_buf())))
    }

    /// No temporary file can be written.
    pub(crate) fn temporary(error: io::Error) -> Self {
        Self(Box::new(Cause::Temporary(error)))
    }
}

const fn kind_of(kind: &StoreErrorKind) -> ErrorKind {
    use StoreErrorKind as Is;
    match kind {
        Is::Missing | Is::NoFolder => ErrorKind::NotFound,
        Is::Folder | Is::NotAFile { .. } | Is::Foreign => ErrorKind::NotADatabase,
        Is::Empty => ErrorKind::Empty,
        Is::TooNew { .. } | Is::TooOld { .. } => ErrorKind::Version,
        Is::OtherKeys { .. } => ErrorKind::OutdatedIndex,
        Is::ReadOnly => ErrorKind::ReadOnly,
        Is::Busy | Is::Changed | Is::Replaced => ErrorKind::Busy,
        Is::Interrupted => ErrorKind::Interrupted,
        Is::Full => ErrorKind::Full,
        Is::Io | Is::Unopenable | Is::LongName | Is::ForeignLog { .. } => ErrorKind::Io,
        Is::Damaged { .. } => ErrorKind::Damaged,
        Is::Sqlite { .. } => ErrorKind::Other,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Cause::SameDatabase(path) => {
                write!(f, "{} is the database itself", display_path::path(path))
            }
            Cause::Exists(path) => write!(f, "{}: already exists", display_path::path(path)),
            Cause::Temporary(_) => f.write_str("cannot write a temporary file"),
            cause => cause
                .as_error()
                .map_or(Ok(()), |error| fmt::Display::fmt(error, f)),
        }
    }
}

/// Its text and its hint: what a `main` that returns it prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.hint() {
            "" => Ok(()),
            hint => write!(f, " ({hint})"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &*self.0 {
            Cause::Temporary(error) => Some(error),
            cause => cause.as_error()?.source(),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self(Box::new(Cause::Store(error)))
    }
}

impl From<ImportError> for Error {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Store(error) => error.into(),
            error => Self(Box::new(Cause::Import(error))),
        }
    }
}

impl From<SourceError> for Error {
    fn from(error: SourceError) -> Self {
        ImportError::from(error).into()
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Self {
        Self(Box::new(Cause::Query(error)))
    }
}

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Store(error) => error.into(),
            PlanError::Query(error) => error.into(),
        }
    }
}

impl From<EditError> for Error {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Store(error) => error.into(),
            error => Self(Box::new(Cause::Edit(error))),
        }
    }
}

impl From<UndoError> for Error {
    fn from(error: UndoError) -> Self {
        match error {
            UndoError::Store(error) => error.into(),
            UndoError::Edit(error) => error.into(),
            error => Self(Box::new(Cause::Undo(error))),
        }
    }
}

impl From<NameDecisionError> for Error {
    fn from(error: NameDecisionError) -> Self {
        match error {
            NameDecisionError::Store(error) => error.into(),
            error => Self(Box::new(Cause::Names(error))),
        }
    }
}

impl From<RereadError> for Error {
    fn from(error: RereadError) -> Self {
        match error {
            RereadError::Store(error) => error.into(),
            error => Self(Box::new(Cause::Reread(error))),
        }
    }
}

impl From<SqlError> for Error {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Store(error) => error.into(),
            error @ SqlError::Statement { .. } => Self(Box::new(Cause::Sql(error))),
        }
    }
}

/// Why a visitor's run ended: the database, or the visitor.
pub(super) enum VisitError<E> {
    Database(StoreError),
    Visitor(E),
}

impl<E> From<StoreError> for VisitError<E> {
    fn from(error: StoreError) -> Self {
        Self::Database(error)
    }
}

impl<E> From<SqlError> for VisitError<E>
where
    E: From<Error>,
{
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Store(error) => Self::Database(error),
            error @ SqlError::Statement { .. } => Self::Visitor(Error::from(error).into()),
        }
    }
}

impl<E: From<Error>> VisitError<E> {
    /// The error as the visitor has it.
    pub(super) fn into_own(self) -> E {
        match self {
            Self::Database(error) => Error::from(error).into(),
            Self::Visitor(error) => error,
        }
    }
}
