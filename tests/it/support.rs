//! What the tests share: databases in folders that vanish, the program, paths.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use plydex::{
    base::{
        observe::NullObserver,
        record::{GameId, GameRecord},
    },
    changes,
    import::{self, DuplicateAction, ImportOptions, ImportReport},
    search::{self, AccessPlan, GameReader, MoveNotation},
    store::{Store, StoreError, file_layer},
};
use tempfile::TempDir;

/// An import that stores each game, again or not.
pub(crate) fn every_game() -> ImportOptions {
    ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    }
}

/// Long tests try one of so many cases. With `PLYDEX_TESTS=full`, as in `just full`, it is each.
pub(crate) fn one_in(many: usize) -> usize {
    match std::env::var("PLYDEX_TESTS") {
        Ok(which) if which == "full" => 1,
        _ => many,
    }
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A database as plydex opens it, but for what may be done with it: pages that are written
/// have their checksums.
pub(crate) fn sqlite(path: impl AsRef<Path>) -> rusqlite::Connection {
    let flags = rusqlite::OpenFlags::default();
    rusqlite::Connection::open_with_flags_and_vfs(path, flags, file_layer()).expect("a database")
}

/// A file of test vectors as text.
pub(crate) fn vector(name: &str) -> String {
    std::fs::read_to_string(root().join("tests/vectors").join(name)).expect("test vectors")
}

/// The numbers of a query's games, in its order, its page alone.
pub(crate) fn game_ids(store: &Store, query: &AccessPlan) -> Result<Vec<GameId>, StoreError> {
    let found = search::search(store, query, MoveNotation::default())?;
    Ok(found.hits.iter().map(|hit| hit.header.id).collect())
}

/// Large real archives of chess beside the repository; they are not part of it,
/// so tests that use them name what they pass over.
pub(crate) fn corpora(test: &str) -> Option<PathBuf> {
    beside("corpora/chess", test)
}

/// The same of draughts, in folders by variant.
pub(crate) fn draughts_corpora(test: &str) -> Option<PathBuf> {
    beside("corpora/draughts", test)
}

/// A folder or file that is shared by those who work on this program.
pub(crate) fn beside(name: &str, test: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(name);
    let found = path.exists().then_some(path);
    if found.is_none() {
        skip(test, &format!("../shared/{name} is not here"));
    }
    found
}

/// The files of positions and problems beside the repository, unpacked.
pub(crate) fn positions(test: &str) -> Option<TempDir> {
    let archive = beside("corpora/positions/positions.tar.zst", test)?;
    let folder = tempfile::tempdir().expect("a folder");
    let mut tar = Command::new("tar");
    tar.arg("--zstd").arg("-xf").arg(&archive);
    let untarred = tar.arg("-C").arg(folder.path()).status();
    if !untarred.is_ok_and(|status| status.success()) {
        skip(test, "tar cannot unpack zstd");
        return None;
    }
    Some(folder)
}

/// The files of a folder and those below it that end so, in order.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|other| other == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Says that a test did not test, past the harness, which would keep it to itself.
pub(crate) fn skip(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// A folder that vanishes, in memory where there is such a place: many small
/// databases would wait for the disk.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder")
}

/// A database in a folder of its own.
pub(crate) struct Base {
    folder: TempDir,
    /// The open database.
    pub(crate) store: Store,
}

impl Base {
    /// An empty database.
    pub(crate) fn new() -> Self {
        let folder = scratch();
        let store = Store::create_or_open(
            &folder.path().join("test.db"),
            &plydex::base::observe::CancellationToken::default(),
        )
        .expect("a database");
        Self { folder, store }
    }

    /// A database of the games of a text.
    pub(crate) fn of(pgn: &[u8]) -> Self {
        let base = Self::new();
        base.import_text(pgn, ImportOptions::default());
        base
    }

    /// The folder, for further files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Imports files.
    pub(crate) fn import(&self, paths: &[PathBuf], options: ImportOptions) -> ImportReport {
        import::import(&self.store, paths, options, &NullObserver).expect("an import")
    }

    /// Imports a text by way of a file.
    pub(crate) fn import_text(&self, pgn: &[u8], options: ImportOptions) -> ImportReport {
        let path = self.folder().join("games.pgn");
        std::fs::write(&path, pgn).expect("a file");
        self.import(&[path], options)
    }

    /// All games, whole.
    pub(crate) fn games(&self) -> Vec<GameRecord> {
        let mut games = GameReader::new(&self.store);
        let last = self.store.last_game().expect("a number");
        let removed = self.store.removed().expect("a list");
        (1..=last)
            .filter(|id| !removed.contains(*id))
            .map(|id| {
                let game = games.game(id).expect("a readable game");
                game.expect("games are numbered without gaps")
            })
            .collect()
    }

    /// Asserts that file and index are sound.
    pub(crate) fn assert_sound(&self) {
        let report = changes::check(&self.store, &NullObserver).expect("a check");
        assert_eq!(report.problems, Vec::<String>::new());
    }
}

/// The program, with a database named by `--db` and nothing from the environment.
pub(crate) fn plydex(db: &Path, args: &[&str]) -> Command {
    crate::signals::as_in_a_terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plydex"));
    for name in ["PLYDEX_DB", "COLUMNS", "NO_COLOR", "LC_ALL", "LANG"] {
        command.env_remove(name);
    }
    command
        .env("LC_ALL", "C.UTF-8")
        .args(args)
        .arg("--db")
        .arg(db)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit status.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("output is UTF-8"),
        }
    }
}

/// Runs the program to its end.
pub(crate) fn run(db: &Path, args: &[&str]) -> Ran {
    plydex(db, args).output().expect("the program runs").into()
}
