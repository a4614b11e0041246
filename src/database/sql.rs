//! Statements of the user over the tables of a database.

use super::{Database, Error, Result, SqlValue, error::VisitError};
use crate::{search::GameTables, store::SqlConnection};

/// The rows of an SQL statement: see [`Database::sql`].
#[derive(Debug)]
pub struct SqlRows {
    /// The names of the columns; of equal ones, all but the first have a number after them.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<SqlValue>>,
}

impl Database {
    /// Runs one SQL statement that only reads, over the tables and views of `docs/file-format.md`
    /// and the virtual tables `moves`, `comments` and others.
    ///
    /// # Errors
    ///
    /// If the statement has an error, would change something, or needs more memory than allowed.
    pub fn sql(&self, statement: &str) -> Result<SqlRows> {
        let mut found = SqlRows {
            columns: Vec::new(),
            rows: Vec::new(),
        };
        self.each_row(
            statement,
            &mut found,
            |found, columns| found.columns = columns,
            |found, row| {
                found.rows.push(row.to_vec());
                Ok::<_, Error>(())
            },
        )?;
        Ok(found)
    }

    /// The same, row by row: `begin` gets the names of the columns, `each` every row, until it
    /// fails. Returns how many rows there were.
    pub(crate) fn each_row<T, E: From<Error>>(
        &self,
        statement: &str,
        taker: &mut T,
        begin: impl FnOnce(&mut T, Vec<String>),
        mut each: impl FnMut(&mut T, &[SqlValue]) -> Result<(), E>,
    ) -> Result<u64, E> {
        let failed = |error| E::from(Error::from(error));
        let sql = SqlConnection::open_with_limits(&self.path, &self.stop);
        let sql = sql.map_err(|error| E::from(error.into()))?;
        let prepared = sql.prepare(statement).map_err(failed)?;
        let tables = GameTables::new(sql.store()).map_err(|error| E::from(error.into()))?;
        begin(taker, prepared.columns());
        let mut take = |row: &[SqlValue]| each(taker, row).map_err(VisitError::Visitor);
        let count = prepared.each_row(&tables, &mut take);
        count.map_err(VisitError::into_own)
    }
}
