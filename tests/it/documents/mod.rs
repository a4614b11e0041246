//! The documents are tested as the code is: README.md and docs/*.md show only commands that
//! run, outputs that are printed, and tables that agree with the code.
//!
//! `just documents` (`PLYDEX_DOCUMENTS=write cargo test --test it documents`) writes the
//! outputs and the tables that come from the code into the documents anew.
//!
//! The crate trycmd was looked at and does less than is needed here: it runs one program a
//! line without a shell, so neither redirections nor variables, in blocks of one kind; it
//! knows neither SQL nor searches that must find something; and it leaves out lines by `...`
//! and `[..]`, which a reader would take for output.
//!
//! Comments above a block, which no reader sees, tell what is special about it:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- not run: why -->` | cannot be run here; `NOT_RUN` lists all of these |
//! | `<!-- output -->` | what the last command of the block above prints |
//! | `<!-- finds nothing: why -->` | its searches find nothing, on purpose |
//! | `<!-- made by tests: name -->` | above a table that the code writes |
//!
//! In outputs a line `…` stands for any number of lines. A shell and links are needed, so all
//! of this is for Unix.

#![cfg(unix)]

mod commands;
mod compare;
mod examples;
mod facts;
mod fields;
mod links;
mod markdown;
mod schema;
mod session;
mod values;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::support::root;

/// One test at a time reads and writes documents.
static DOCUMENTS: Mutex<()> = Mutex::new(());

/// Whether documents are written anew.
fn writing() -> bool {
    std::env::var("PLYDEX_DOCUMENTS").is_ok_and(|value| value == "write")
}

/// What to do about a document that lags behind.
const MEND: &str = "`just documents` writes what the program prints and the tables of the code";

/// A document, by its path in the repository.
struct Document {
    name: String,
    lines: Vec<String>,
    written: Vec<String>,
    wrong: Vec<String>,
    _alone: MutexGuard<'static, ()>,
}

impl Document {
    /// Opens one, alone.
    fn open(name: &str) -> Self {
        let alone = DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::fs::read_to_string(root().join(name)).expect("a document");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Self {
            name: name.to_owned(),
            written: lines.clone(),
            lines,
            wrong: Vec::new(),
            _alone: alone,
        }
    }

    /// Notes what is wrong at a line, counted from 0.
    fn wrong(&mut self, line: usize, what: impl AsRef<str>) {
        let place = format!("{}:{}: {}", self.name, line + 1, what.as_ref());
        self.wrong.push(place);
    }

    /// Puts other lines into the place of some, all that is above being unchanged yet.
    fn replace(&mut self, lines: std::ops::Range<usize>, by: Vec<String>) {
        self.lines.splice(lines, by);
    }

    /// The table that the code makes: below `<!-- made by tests: name -->`, its columns, its
    /// rows.
    fn made(&mut self, name: &str, columns: &[&str], rows: &[Vec<String>]) {
        let comment = format!("made by tests: {name}");
        let tables = markdown::tables(&self.lines);
        let table = tables.iter().find(|table| {
            markdown::comments_above(&self.lines, table.lines.start).contains(&comment)
        });
        let Some(table) = table else {
            self.wrong(0, format!("no table below `<!-- {comment} -->`"));
            return;
        };
        let row = |cells: &[String]| format!("| {} |", cells.join(" | ").trim());
        let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
        let mut lines = vec![row(&columns), "|---".repeat(columns.len()) + "|"];
        lines.extend(rows.iter().map(|cells| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            row(&cells)
        }));
        let place = table.lines.clone();
        if self.lines[place.clone()] == lines {
            return;
        }
        if writing() {
            self.replace(place, lines);
            return;
        }
        for (at, line) in lines.iter().enumerate() {
            if self.lines[place.clone()].get(at) != Some(line) {
                let what = format!("the code has `{line}`; {MEND}");
                self.wrong(place.start + at, what);
                return;
            }
        }
        self.wrong(
            place.start + lines.len(),
            format!("no such row in the code; {MEND}"),
        );
    }

    /// Writes what was replaced, and fails if anything is wrong.
    fn close(self) {
        if writing() && self.lines != self.written {
            let text = self.lines.join("\n") + "\n";
            std::fs::write(root().join(&self.name), text).expect("a document");
        }
        assert!(self.wrong.is_empty(), "\n{}\n", self.wrong.join("\n"));
    }
}

/// All documents with examples.
fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("docs"))
        .expect("docs")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .filter_map(|path| Some(format!("docs/{}", path.file_name()?.to_str()?)))
        .collect();
    names.sort();
    names.insert(0, "README.md".to_owned());
    names
}
