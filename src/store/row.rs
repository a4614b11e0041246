//! Values of rows, which may be anything: any program that can write to the file could have put
//! them there. What no import writes is damage, reported by table and column.

use rusqlite::{Error, Params, Row, Statement, types::Type};

use super::{Store, StoreError};
#[cfg(test)]
use crate::base::work;

/// More games, bytes or whatever else is counted than there ever will be.
pub(super) const NUMBER_MAX: i64 = 1 << 48;

/// A number of games, bytes and the like, or of one of them.
pub(super) fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(at)?;
    if (0..=NUMBER_MAX).contains(&number) {
        Ok(number as u64)
    } else {
        Err(Error::IntegralValueOutOfRange(at, number))
    }
}

/// A text, where it stands.
pub(super) fn text<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<&'r str> {
    let value = row.get_ref(at)?;
    let wrong = |_| Error::InvalidColumnType(at, String::new(), value.data_type());
    value.as_str().map_err(wrong)
}

/// The same of a column that may be null.
pub(super) fn text_or_null<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<Option<&'r str>> {
    let value = row.get_ref(at)?;
    let wrong = |_| Error::InvalidColumnType(at, String::new(), value.data_type());
    value.as_str_or_null().map_err(wrong)
}

/// The bytes of a text or of what could not be one.
pub(super) fn text_or_blob<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<&'r [u8]> {
    let value = row.get_ref(at)?;
    let wrong = |_| Error::InvalidColumnType(at, String::new(), value.data_type());
    value.as_bytes().map_err(wrong)
}

/// Bytes, where they stand.
pub(super) fn blob<'r>(row: &'r Row<'_>, at: usize) -> rusqlite::Result<&'r [u8]> {
    let value = row.get_ref(at)?;
    let wrong = |_| Error::InvalidColumnType(at, String::new(), value.data_type());
    value.as_blob().map_err(wrong)
}

/// What is wrong with a value, if that is what an error is about, and its column.
fn wrong_value(error: &Error) -> Option<(usize, String)> {
    let kind = |kind: Type| match kind {
        Type::Null => "nothing",
        Type::Integer => "a number",
        Type::Real => "a fraction",
        Type::Text => "a text",
        Type::Blob => "bytes",
    };
    Some(match error {
        Error::InvalidColumnType(at, _, found) => {
            (*at, format!("{} where none is allowed", kind(*found)))
        }
        Error::IntegralValueOutOfRange(at, number) => {
            (*at, format!("the impossible number {number}"))
        }
        Error::FromSqlConversionFailure(at, found, _) => {
            (*at, format!("{} that cannot be read", kind(*found)))
        }
        Error::Utf8Error(at, _) => (*at, "a text that is not UTF-8".to_owned()),
        _ => return None,
    })
}

/// The table that a statement reads first.
fn table_of(statement: &str) -> &str {
    let behind = statement.split(" FROM ").nth(1).unwrap_or(statement);
    behind.split_whitespace().next().unwrap_or_default()
}

/// Counts the steps that a statement took, in tests.
pub(super) fn count_work(statement: &Statement<'_>) {
    #[cfg(test)]
    {
        let steps = statement.reset_status(rusqlite::StatementStatus::VmStep);
        work::done(usize::try_from(steps).unwrap_or(0));
    }
    #[cfg(not(test))]
    let _ = statement;
}

impl Store {
    /// Says what is wrong with a value of a row, or with the statement.
    fn unreadable(&self, statement: &str, row: &Row<'_>, error: Error) -> StoreError {
        let Some((at, what)) = wrong_value(&error) else {
            return self.failed(error);
        };
        let column = row.as_ref().column_name(at).ok();
        let column = column
            .map(|name| format!("column {name} of "))
            .unwrap_or_default();
        self.damaged(format!("{column}table {} has {what}", table_of(statement)))
    }

    /// Calls `each` with every row that a statement gives.
    pub(super) fn each_row(
        &self,
        statement: &str,
        values: impl Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let failed = |source| self.failed(source);
        let mut prepared = self.connection.prepare_cached(statement).map_err(failed)?;
        let mut rows = prepared.query(values).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            each(row).map_err(|error| self.unreadable(statement, row, error))?;
        }
        drop(rows);
        count_work(&prepared);
        Ok(())
    }

    /// The first row that a statement gives.
    pub(super) fn one<T>(
        &self,
        statement: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let failed = |source| self.failed(source);
        let mut prepared = self.connection.prepare_cached(statement).map_err(failed)?;
        let mut rows = prepared.query(values).map_err(failed)?;
        let Some(row) = rows.next().map_err(failed)? else {
            return Ok(None);
        };
        let value = read(row).map_err(|error| self.unreadable(statement, row, error))?;
        drop(rows);
        count_work(&prepared);
        Ok(Some(value))
    }

    /// All rows that a statement gives.
    pub(super) fn all<T>(
        &self,
        statement: &str,
        values: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.each_row(statement, values, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }
}
