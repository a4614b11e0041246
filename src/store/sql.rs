//! Statements that the user has written: each is one, and only reads.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rusqlite::{
    Error, ErrorCode as Code, Statement,
    hooks::{AuthAction, Authorization},
    limits::Limit,
    types::ValueRef,
};

use strsim::osa_distance;

use super::{
    Store, StoreError, statements as sql,
    tables::{SqlTable, TableSource},
    vtab,
};
use crate::{
    base::{
        limits::{SQL_MEMORY_BYTES_MAX, SQL_ROW_BYTES_MAX, SQL_VALUE_BYTES_MAX},
        observe::CancellationToken,
        record::GameFormat,
    },
    games::{self, variant},
};

/// Why a statement has no answer, or no more of it.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// The database could not be read.
    #[error(transparent)]
    Store(StoreError),
    /// The statement is at fault.
    #[error("{what}")]
    Statement {
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        hint: String,
    },
}

impl SqlError {
    /// A statement that is at fault.
    pub fn statement(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Statement {
            what: what.into(),
            hint: hint.into(),
        }
    }

    /// What to do about it, for a person.
    pub fn hint(&self) -> &str {
        match self {
            Self::Store(error) => error.hint(),
            Self::Statement { hint, .. } => hint,
        }
    }
}

/// A value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlValue {
    /// Nothing.
    Null,
    /// A number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<ValueRef<'_>> for SqlValue {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

impl SqlValue {
    /// Takes another value, in the place of the one that was there.
    fn take(&mut self, value: ValueRef<'_>) {
        if let (Self::Text(text), ValueRef::Text(new)) = (&mut *self, value)
            && let Ok(new) = std::str::from_utf8(new)
        {
            text.clear();
            text.push_str(new);
        } else {
            *self = value.into();
        }
    }
}

/// What statements of others may do, looked at while they run.
#[derive(Debug, Default)]
struct StatementAuthorizer {
    is_on: AtomicBool,
    /// What was refused.
    refused: Mutex<Option<String>>,
}

impl StatementAuthorizer {
    fn decide(&self, action: &AuthAction<'_>) -> Authorization {
        if !self.is_on.load(Ordering::Relaxed) {
            return Authorization::Allow;
        }
        let Some(what) = change_of(action) else {
            return Authorization::Allow;
        };
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
        Authorization::Deny
    }

    fn take_refused(&self) -> Option<SqlError> {
        let what = self
            .refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()?;
        Some(refusal(&what))
    }

    /// Looks at what is done in the meantime.
    fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_on.store(true, Ordering::Relaxed);
        let done = work();
        self.is_on.store(false, Ordering::Relaxed);
        done
    }
}

/// A statement that is not run because of what it would do.
fn refusal(what: &str) -> SqlError {
    SqlError::statement(
        format!("only statements that read are run, and this one would {what}"),
        "write a SELECT; `plydex unpack` writes tables into a file that you may change",
    )
}

/// Pragmas that only show something, with an argument or without.
const PRAGMAS_SHOWN: &[&str] = &[
    "application_id",
    "collation_list",
    "compile_options",
    "data_version",
    "database_list",
    "encoding",
    "foreign_key_check",
    "foreign_key_list",
    "freelist_count",
    "function_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "module_list",
    "page_count",
    "page_size",
    "pragma_list",
    "quick_check",
    "schema_version",
    "table_info",
    "table_list",
    "table_xinfo",
    "user_version",
];

/// Those among them that an argument would change.
const PRAGMAS_SET: &[&str] = &[
    "application_id",
    "data_version",
    "encoding",
    "page_count",
    "page_size",
    "schema_version",
    "user_version",
];

/// What an action would change, in words; `None` if it only reads.
fn change_of(action: &AuthAction<'_>) -> Option<String> {
    Some(match action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Function { .. }
        | AuthAction::Recursive => return None,
        AuthAction::Pragma {
            pragma_name,
            pragma_value,
        } => {
            let name = pragma_name.to_lowercase();
            let is_among = |list: &[&str]| list.contains(&&*name);
            if is_among(PRAGMAS_SHOWN) && !(pragma_value.is_some() && is_among(PRAGMAS_SET)) {
                return None;
            }
            format!("use PRAGMA {name}")
        }
        AuthAction::Insert { table_name } => format!("insert rows into {table_name}"),
        AuthAction::Update { table_name, .. } => format!("update rows of {table_name}"),
        AuthAction::Delete { table_name } => format!("delete rows of {table_name}"),
        AuthAction::Attach { filename } => format!("attach {filename}"),
        AuthAction::Detach { database_name } => format!("detach {database_name}"),
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            "begin or end a transaction".to_owned()
        }
        _ => "change the database or its schema".to_owned(),
    })
}

/// The variants whose results may be written in points.
pub(super) fn points_variants() -> Vec<&'static str> {
    let rows = variant::ALL.iter();
    rows.filter(|row| games::script(row) == GameFormat::Pdn)
        .map(|row| row.name)
        .collect()
}

/// Whether `SQLite` is to count the bytes that it has, as a limit of them needs.
static COUNTS_MEMORY: AtomicBool = AtomicBool::new(false);

pub(super) fn counts_memory() -> bool {
    COUNTS_MEMORY.load(Ordering::Relaxed)
}

/// A database for such statements.
#[derive(Debug)]
pub struct SqlConnection {
    store: Store,
    guard: Arc<StatementAuthorizer>,
}

impl SqlConnection {
    /// Opens an existing database, as [`Store::open`] does.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn open(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        let mut store = Store::open(path, stop)?;
        vtab::register(&store.connection).map_err(|source| store.failed(source))?;
        // What is seen of games has what only their rules determine.
        store.pragma("query_only", 0)?;
        store.execute(&sql::list_with_results(&points_variants()))?;
        store.pragma("query_only", 1)?;
        // A short statement can make values and lists of any size.
        let limit = SQL_VALUE_BYTES_MAX as i32;
        let limited = (store.connection).set_limit(Limit::SQLITE_LIMIT_LENGTH, limit);
        limited.map_err(|source| store.failed(source))?;
        let guard = Arc::<StatementAuthorizer>::default();
        let looking = Arc::clone(&guard);
        let decide = move |asked: rusqlite::hooks::AuthContext<'_>| looking.decide(&asked.action);
        let ready = store.connection.authorizer(Some(decide));
        ready.map_err(|source| store.failed(source))?;
        Ok(Self { store, guard })
    }

    /// The same for a program that does nothing else: `SQLite` has no more memory than
    /// [`SQL_MEMORY_BYTES_MAX`] in this process from now on, and a statement that needs more fails.
    /// If a database was opened before, there is no such limit.
    ///
    /// # Errors
    ///
    /// As [`Store::open`].
    pub fn open_with_limits(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        COUNTS_MEMORY.store(true, Ordering::Relaxed);
        let opened = Self::open(path, stop)?;
        let limit = SQL_MEMORY_BYTES_MAX as i64;
        opened.store.pragma("hard_heap_limit", limit)?;
        Ok(opened)
    }

    /// The database itself.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Understands a statement.
    ///
    /// # Errors
    ///
    /// [`SqlError`] if it is not one statement, or does more than read.
    pub fn prepare(&self, text: &str) -> Result<PreparedSql<'_>, SqlError> {
        let prepared = self.guard.over(|| self.store.connection.prepare(text));
        let statement = prepared.map_err(|error| self.error(text, error))?;
        if let Some(refused) = self.guard.take_refused() {
            return Err(refused);
        }
        if !statement.readonly() {
            // Such as VACUUM, for which the authorizer is not called.
            return Err(refusal("change the database"));
        }
        if statement.column_count() == 0 {
            return Err(SqlError::statement(
                "the statement is empty",
                "write one such as 'SELECT * FROM game_list LIMIT 5'",
            ));
        }
        if statement.parameter_count() > 0 {
            return Err(SqlError::statement(
                "the statement has parameters (`?`, `:name`, `@name` or `$name`) without values",
                "write the values into the statement, texts in single quotes",
            ));
        }
        Ok(PreparedSql {
            sql: self,
            text: text.to_owned(),
            statement,
        })
    }

    /// Why a statement failed.
    fn error(&self, text: &str, error: Error) -> SqlError {
        if let Some(refused) = self.guard.take_refused() {
            return refused;
        }
        // Of views it is said in other words.
        let told = error.to_string();
        if told.starts_with("cannot modify") || told.starts_with("use DROP VIEW") {
            return refusal("change a view or its rows");
        }
        match error.sqlite_error_code() {
            Some(Code::TooBig) if told.contains("string or blob too big") => {
                return Self::excess("a text or blob has more than", SQL_VALUE_BYTES_MAX);
            }
            Some(Code::OutOfMemory) => {
                let what = "the statement needs more memory than";
                return Self::excess(what, SQL_MEMORY_BYTES_MAX);
            }
            _ => {}
        }
        match error {
            Error::MultipleStatement => SqlError::statement(
                "there is more than one statement",
                "run `plydex sql` once for each of them",
            ),
            Error::SqlInputError {
                msg, sql, offset, ..
            } => {
                let place = usize::try_from(offset).ok().and_then(|at| sql.get(at..));
                let place = place
                    .and_then(|rest| rest.lines().next())
                    .unwrap_or_default();
                let place: String = place.chars().take(40).collect();
                let what = if place.is_empty() {
                    msg.clone()
                } else {
                    format!("{msg}, at `{place}`")
                };
                SqlError::statement(what, self.hint(text, &msg))
            }
            Error::SqliteFailure(_, Some(ref message)) if is_about_the_statement(&error) => {
                SqlError::statement(message.clone(), self.hint(text, message))
            }
            error => self.store.failed(error).into(),
        }
    }

    /// A statement that needs more than it is given.
    fn excess(what: &str, bytes_max: usize) -> SqlError {
        SqlError::statement(
            format!("{what} {} MiB", bytes_max >> 20),
            "ask for less at a time: fewer rows with WHERE or LIMIT, parts of values with \
             substr(), or their length()",
        )
    }

    /// What may help with a message of `SQLite`.
    fn hint(&self, text: &str, message: &str) -> String {
        let found = if message.starts_with("no such table") {
            self.tables().map(|tables| {
                let typed = message.rsplit(": ").next().unwrap_or_default();
                let near = |table: &&str| osa_distance(table, typed) <= 1;
                let meant = tables.split(", ").find(near);
                let meant = meant.map(|table| format!("did you mean {table}? "));
                format!("{}the tables are {tables}", meant.unwrap_or_default())
            })
        } else if message.starts_with("no such column") {
            self.columns(text)
        } else {
            None
        };
        found.unwrap_or_else(|| {
            "texts stand in single quotes, names of columns in double quotes or in none; \
             docs/commands.md describes the tables"
                .to_owned()
        })
    }

    /// The names of all tables.
    fn tables(&self) -> Option<String> {
        let stored = self
            .store
            .all(sql::TABLES, [], |row| row.get::<_, String>(0));
        let mut names = stored.ok()?;
        names.extend(SqlTable::ALL.map(|table| table.name().to_owned()));
        names.push("positions".to_owned());
        Some(names.join(", "))
    }

    /// The columns of the tables that a statement names.
    fn columns(&self, text: &str) -> Option<String> {
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let tables = self.tables()?;
        let of_each: Vec<String> = tables
            .split(", ")
            .filter(|table| words.iter().any(|word| word.eq_ignore_ascii_case(table)))
            .filter_map(|table| {
                let columns = self
                    .store
                    .all(sql::COLUMNS_OF, [table], |row| row.get::<_, String>(0));
                Some(format!(
                    "{table} has the columns {}",
                    columns.ok()?.join(", ")
                ))
            })
            .collect();
        (!of_each.is_empty()).then(|| of_each.join("; "))
    }
}

/// Whether an error of `SQLite` is one of the statement and not of the file.
fn is_about_the_statement(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(Code::Unknown | Code::TypeMismatch | Code::TooBig | Code::ParameterOutOfRange)
    )
}

/// A statement that was understood.
#[derive(Debug)]
pub struct PreparedSql<'s> {
    sql: &'s SqlConnection,
    text: String,
    statement: Statement<'s>,
}

impl PreparedSql<'_> {
    /// The names of its columns; one that occurs again has a number after it.
    pub fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.statement.column_names() {
            let mut unique = name.to_owned();
            let mut number = 1;
            while names.contains(&unique) {
                number += 1;
                unique = format!("{name}_{number}");
            }
            names.push(unique);
        }
        names
    }

    /// Calls `each` with every row, until that fails. The tables of what is in games have
    /// their rows from a source. Returns how many rows there were.
    ///
    /// # Errors
    ///
    /// That of the visitor, or [`SqlError`].
    pub fn each_row<E: From<SqlError>>(
        mut self,
        source: &dyn TableSource,
        each: &mut dyn FnMut(&[SqlValue]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let (sql, text) = (self.sql, std::mem::take(&mut self.text));
        let failed = |error| E::from(sql.error(&text, error));
        let ask = || -> Result<u64, E> {
            let columns = self.statement.column_count();
            let mut rows = self.statement.query([]).map_err(failed)?;
            let (mut values, mut count) = (vec![SqlValue::Null; columns], 0);
            while let Some(row) = rows.next().map_err(failed)? {
                let mut bytes = 0;
                for (column, taken) in values.iter_mut().enumerate() {
                    let value = row.get_ref(column).map_err(failed)?;
                    if let ValueRef::Text(long) | ValueRef::Blob(long) = value {
                        bytes += long.len();
                    }
                    if bytes > SQL_ROW_BYTES_MAX {
                        let what = format!("row {} of the answer has more than", count + 1);
                        return Err(SqlConnection::excess(&what, SQL_ROW_BYTES_MAX).into());
                    }
                    taken.take(value);
                }
                each(&values)?;
                count += 1;
            }
            Ok(count)
        };
        let (done, failure) = vtab::lend(source, || sql.guard.over(ask));
        match failure {
            Some(failure) => Err(failure.into()),
            None => done,
        }
    }
}
