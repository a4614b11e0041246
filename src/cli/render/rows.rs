//! Rows of an answer in SQL, written while they are found.

use std::fmt::Write as _;
use std::io::Write;
use std::time::{Duration, Instant};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::table::{Cell, Column, Table};
use super::{csv, json};
use crate::cli::commands::sql::RowFormat;
use crate::cli::error::CliError;
use crate::cli::terminal::{DIM, TerminalInfo};
use crate::database::SqlValue;

/// Rows that determine the columns of a table …
const SAMPLE_ROWS: usize = 1000;
/// … and the bytes in them after which no more rows are waited for.
const SAMPLE_BYTES: usize = 1 << 20;
/// Columns of words give way down to this width.
const WORDS_MIN: usize = 12;
/// Who reads along waits no longer than this for what has been found.
const PATIENCE: Duration = Duration::from_millis(100);

/// Writes rows one by one.
pub struct RowWriter<'o> {
    out: Box<dyn Write + 'o>,
    screen: TerminalInfo,
    format: RowFormat,
    names: Vec<String>,
    count: u64,
    flushed: Instant,
    /// The current line of CSV, and a value in it.
    line: csv::LineWriter,
    cell: String,
    /// The first rows of a table, until its columns are made.
    sample: Vec<Vec<SqlValue>>,
    /// Bytes of the texts and blobs in them.
    sample_bytes: usize,
    table: Option<Table>,
}

impl<'o> RowWriter<'o> {
    /// Without rows yet.
    pub fn new(out: Box<dyn Write + 'o>, screen: TerminalInfo, format: RowFormat) -> Self {
        Self {
            out,
            screen,
            format,
            names: Vec::new(),
            count: 0,
            flushed: Instant::now(),
            line: csv::LineWriter::default(),
            cell: String::new(),
            sample: Vec::new(),
            sample_bytes: 0,
            table: None,
        }
    }

    /// Takes the names of the columns, before the first row.
    pub fn name_columns(&mut self, names: Vec<String>) {
        self.names = names;
    }

    /// Takes the next row.
    pub fn push(&mut self, values: &[SqlValue]) -> Result<(), CliError> {
        if self.count == 0 {
            self.begin()?;
        }
        let out = &mut *self.out;
        match (self.format, &self.table) {
            (RowFormat::Json, _) => {
                let comma = if self.count == 0 { "" } else { "," };
                write!(out, "{comma}\n  ")?;
                serde_json::to_writer(out, &RowObject(&self.names, values))?;
            }
            (RowFormat::Ndjson, _) => json::line(out, &RowObject(&self.names, values))?,
            (RowFormat::Csv, _) => {
                for value in values {
                    match value {
                        SqlValue::Text(text) => self.line.field(&csv::safe(text))?,
                        value => {
                            self.cell.clear();
                            write_text(value, &mut self.cell);
                            self.line.field(&self.cell)?;
                        }
                    }
                }
                self.line.end(out)?;
            }
            (RowFormat::Table, Some(table)) => table.go_on(out, &self.screen, cells(values))?,
            (RowFormat::Table, None) => {
                self.sample.push(values.to_vec());
                self.sample_bytes += values.iter().map(bytes).sum::<usize>();
                if self.sample.len() >= SAMPLE_ROWS || self.sample_bytes >= SAMPLE_BYTES {
                    self.draw()?;
                }
            }
        }
        self.count += 1;
        if self.flushed.elapsed() >= PATIENCE {
            self.out.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<(), CliError> {
        match self.format {
            RowFormat::Json => write!(self.out, "[")?,
            RowFormat::Csv => {
                let names: Vec<_> = self.names.iter().map(|name| csv::safe(name)).collect();
                csv::line(&mut *self.out, &names)?;
            }
            RowFormat::Ndjson | RowFormat::Table => {}
        }
        Ok(())
    }

    /// Makes the columns of the table, and draws the rows so far.
    fn draw(&mut self) -> Result<(), CliError> {
        let sample = std::mem::take(&mut self.sample);
        let last = self.names.len() - 1;
        let columns = (0..self.names.len()).map(|at| {
            let mut values = sample.iter().map(|row| &row[at]);
            let is_number =
                |value: &SqlValue| !matches!(value, SqlValue::Text(_) | SqlValue::Bytes(_));
            // Without a title: names that are not known before stand in the first row.
            if values.all(is_number) {
                Column::right("")
            } else if at == last {
                Column::left("").wraps()
            } else {
                Column::left("").shrinks_to(WORDS_MIN)
            }
        });
        let columns: Vec<Column> = columns.collect();
        let mut table = Table::new(columns);
        let titles = self.names.iter();
        let titles = titles.map(|name| Cell::styled(self.screen.safe(name), DIM));
        table.row(titles.collect());
        for row in sample {
            table.row(cells(&row));
        }
        table.write(&mut *self.out, &self.screen)?;
        self.table = Some(table);
        Ok(())
    }

    /// Ends the answer.
    pub fn end(mut self) -> Result<(), CliError> {
        if self.count == 0 {
            self.begin()?;
        }
        match self.format {
            RowFormat::Table if !self.sample.is_empty() => self.draw()?,
            RowFormat::Json if self.count == 0 => writeln!(self.out, "]")?,
            RowFormat::Json => writeln!(self.out, "\n]")?,
            _ => {}
        }
        Ok(self.out.flush()?)
    }
}

/// A row as an object, its fields in the order of the columns: their names, and their values.
struct RowObject<'r>(&'r [String], &'r [SqlValue]);

impl Serialize for RowObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(names, values) = self;
        let mut object = serializer.serialize_map(Some(names.len()))?;
        for (name, value) in names.iter().zip(*values) {
            match value {
                SqlValue::Null => object.serialize_entry(name, &())?,
                SqlValue::Integer(number) => object.serialize_entry(name, number)?,
                SqlValue::Real(number) => object.serialize_entry(name, number)?,
                SqlValue::Text(text) => object.serialize_entry(name, text)?,
                SqlValue::Bytes(bytes) => object.serialize_entry(name, &hex(bytes))?,
            }
        }
        object.end()
    }
}

/// Bytes of a text or blob.
const fn bytes(value: &SqlValue) -> usize {
    match value {
        SqlValue::Text(text) => text.len(),
        SqlValue::Bytes(bytes) => bytes.len(),
        SqlValue::Null | SqlValue::Integer(_) | SqlValue::Real(_) => 0,
    }
}

/// Appends a value as text; nothing is empty.
fn write_text(value: &SqlValue, out: &mut String) {
    // A string takes everything.
    let _ = match value {
        SqlValue::Null => Ok(()),
        SqlValue::Integer(number) => write!(out, "{number}"),
        SqlValue::Real(number) => write!(out, "{number:?}"),
        SqlValue::Text(text) => out.write_str(text),
        SqlValue::Bytes(bytes) => out.write_str(&hex(bytes)),
    };
}

fn cells(values: &[SqlValue]) -> Vec<Cell> {
    let cells = values.iter().map(|value| {
        let mut text = String::new();
        write_text(value, &mut text);
        super::escape::line(&text).into_owned().into()
    });
    cells.collect()
}

/// Bytes by two digits each.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: RowFormat, rows: &[Vec<SqlValue>]) -> String {
        let mut out = Vec::new();
        let names = ["id", "name", "score"].map(str::to_owned).to_vec();
        let mut writer = RowWriter::new(Box::new(&mut out), TerminalInfo::plain(40), format);
        writer.name_columns(names);
        for row in rows {
            writer.push(row).expect("a vector takes everything");
        }
        writer.end().expect("a vector takes everything");
        String::from_utf8(out).expect("text")
    }

    fn rows() -> Vec<Vec<SqlValue>> {
        vec![
            vec![
                SqlValue::Integer(7),
                SqlValue::Text("=1, \"x\"\n".into()),
                SqlValue::Real(0.5),
            ],
            vec![
                SqlValue::Integer(1234),
                SqlValue::Null,
                SqlValue::Bytes(vec![0, 255]),
            ],
        ]
    }

    #[test]
    fn rows_are_written_in_every_format() {
        assert_eq!(
            written(RowFormat::Table, &rows()),
            "  id  name       score\n   7  =1, \"x\"\\n  0.5\n1234             00ff\n"
        );
        let [first, second] = [
            r#"{"id":7,"name":"=1, \"x\"\n","score":0.5}"#,
            r#"{"id":1234,"name":null,"score":"00ff"}"#,
        ];
        assert_eq!(
            written(RowFormat::Json, &rows()),
            format!("[\n  {first},\n  {second}\n]\n")
        );
        assert_eq!(
            written(RowFormat::Ndjson, &rows()),
            format!("{first}\n{second}\n")
        );
        assert_eq!(
            written(RowFormat::Csv, &rows()),
            "id,name,score\n7,\"'=1, \"\"x\"\"\n\",0.5\n1234,,00ff\n"
        );
    }

    /// What comes after the sample has the columns that the sample made.
    #[test]
    fn many_rows_are_written_as_they_come() {
        let all: Vec<_> = (0..3 * SAMPLE_ROWS as i64).map(SqlValue::Integer).collect();
        let rows: Vec<_> = all.iter().map(|value| vec![value.clone(); 3]).collect();
        let text = written(RowFormat::Table, &rows);
        assert_eq!(text.lines().count(), 3 * SAMPLE_ROWS + 1);
        assert_eq!(text.lines().last(), Some("2999  2999   2999"));
    }

    #[test]
    fn an_answer_without_rows_is_still_one() {
        assert_eq!(written(RowFormat::Table, &[]), "");
        assert_eq!(written(RowFormat::Json, &[]), "[]\n");
        assert_eq!(written(RowFormat::Ndjson, &[]), "");
        assert_eq!(written(RowFormat::Csv, &[]), "id,name,score\n");
    }
}
