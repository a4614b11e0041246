//! A folder in which commands are run as a person would type them.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use rusqlite::{Connection, OpenFlags, types::ValueRef};
use tempfile::TempDir;

use crate::support::{Ran, plydex, root};

/// What a command gave.
pub(super) struct Printed {
    /// Exit status.
    pub(super) status: Option<i32>,
    /// Lines of standard output and standard error.
    pub(super) lines: Vec<String>,
}

/// A folder with the sample data, and a database of them unless it is to begin empty.
pub(super) struct Session {
    folder: TempDir,
}

/// The shell knows two more commands: a build from source is the program that was built, and
/// `sqlite3` hands its statement to [`Session::run`], for not every machine has it.
const PRELUDE: &str = r#"
cargo() { while [ "$#" -gt 0 ] && [ "$1" != -- ]; do shift; done; shift; plydex "$@"; }
sqlite3() { printf 'sqlite3\0%s\0%s' "$1" "$2"; }
"#;

/// A database of the sample data, made once.
fn sample() -> &'static Path {
    static SAMPLE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, db) = SAMPLE.get_or_init(|| {
        let session = Session::empty();
        let printed = session.run("plydex import sample-data");
        assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
        let db = session.path("sample.db");
        (session.folder, db)
    });
    db
}

impl Session {
    /// Without a database.
    pub(super) fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(
            root().join("sample-data"),
            folder.path().join("sample-data"),
        )
        .expect("a link");
        Self { folder }
    }

    /// With `sample.db`.
    pub(super) fn imported() -> Self {
        let session = Self::empty();
        std::fs::copy(sample(), session.path("sample.db")).expect("a database");
        session
    }

    /// A file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a line of shell.
    pub(super) fn run(&self, line: &str) -> Printed {
        let program = Path::new(env!("CARGO_BIN_EXE_plydex"));
        let mut path = program.parent().expect("a folder").as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("{PRELUDE}\nexec 2>&1\n{line}")])
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .env("PATH", path)
            .env("LC_ALL", "C.UTF-8")
            .env("PLYDEX_DB", "sample.db")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let text = String::from_utf8(output.stdout).expect("output is UTF-8");
        let lines = match *text.split('\0').collect::<Vec<_>>() {
            ["sqlite3", file, sql] => self.query(file, sql),
            _ => text.trim_end().lines().map(str::to_owned).collect(),
        };
        Printed {
            status: output.status.code(),
            lines,
        }
    }

    /// Asks a database, and gives rows as `sqlite3` prints them.
    pub(super) fn query(&self, file: &str, sql: &str) -> Vec<String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let database = Connection::open_with_flags(self.path(file), flags).expect("a database");
        let mut statement = database
            .prepare(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        let columns = statement.column_count();
        let mut rows = statement.query([]).expect("rows");
        let mut lines = Vec::new();
        while let Some(row) = rows.next().expect("a row") {
            let values = (0..columns).map(|column| match row.get_ref(column).expect("a value") {
                ValueRef::Null => String::new(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => format!("{number:?}"),
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned()
                }
            });
            lines.push(values.collect::<Vec<_>>().join("|"));
        }
        lines
    }

    /// The answer of a command that is to be JSON.
    pub(super) fn json(&self, args: &str) -> serde_json::Value {
        let mut args: Vec<&str> = args.split_whitespace().collect();
        if !args.contains(&"--format") {
            args.extend(["--format", "json"]);
        }
        let mut command = plydex(&self.path("sample.db"), &args);
        let ran: Ran = command
            .current_dir(self.folder.path())
            .output()
            .expect("the program runs")
            .into();
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}: {ran:?}"))
    }
}
