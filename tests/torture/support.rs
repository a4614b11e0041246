//! What the kinds share: games in many small files, databases to ill-treat, the program
//! with a watch on it, and what a sound database is.

use std::{
    fmt::Write as _,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use plydex::{
    base::observe::{CancellationToken, NullObserver},
    changes,
    import::{self, ImportError, ImportOptions, ImportReport},
    pgn::writer as pgn,
    search::GameReader,
    store::{Store, StoreError, StoreErrorKind},
};
use tempfile::TempDir;

/// Nothing that is asked for an end, or that waits for a small import, takes longer; a
/// second is usual, a crowded machine needs more.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// A folder that vanishes, in memory where there is such a place.
pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder")
}

/// The classics of the sample data, game by game.
fn classics() -> &'static [String] {
    static GAMES: OnceLock<Vec<String>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/pgn/classics.pgn");
        let text = fs::read_to_string(path).expect("sample data");
        let mut games: Vec<String> = Vec::new();
        for line in text.lines() {
            if line.starts_with("[Event ") {
                games.push(String::new());
            }
            if let Some(game) = games.last_mut() {
                game.push_str(line);
                game.push('\n');
            }
        }
        games
    })
}

/// The text of so many games, numbered from the one after `before`.
pub(crate) fn games(before: usize, count: usize) -> String {
    let mut text = String::new();
    for number in before + 1..=before + count {
        let _ = writeln!(text, "[GameId \"{number}\"]");
        text.push_str(&classics()[number % classics().len()]);
        text.push('\n');
    }
    text
}

/// The content of some files of games, and what a database has that read them one after
/// another. It is made once.
pub(crate) struct Archive {
    texts: Vec<String>,
    /// Games, and the database, after each file.
    after: Vec<(usize, Vec<u8>)>,
    /// All games as they are exported.
    games: Vec<String>,
}

impl Archive {
    /// Files with so many games each.
    pub(crate) fn of(counts: &[usize]) -> Self {
        let base = Base::new();
        let (mut texts, mut after, mut total) = (Vec::new(), vec![(0, Vec::new())], 0);
        for count in counts {
            let path = base.path.with_file_name("games.pgn");
            texts.push(games(total, *count));
            fs::write(&path, &texts[texts.len() - 1]).expect("a file");
            import_with(&base.path, &[path], ImportOptions::default()).expect("an import");
            total += count;
            after.push((total, fs::read(&base.path).expect("a database")));
        }
        let games = all_games(&base.path).expect("games");
        assert_eq!(games.len(), total);
        Self {
            texts,
            after,
            games,
        }
    }
}

/// The files themselves, for one try.
pub(crate) struct Sources {
    archive: &'static Archive,
    folder: TempDir,
    pub(crate) paths: Vec<PathBuf>,
    /// All games as they are exported.
    pub(crate) games: &'static [String],
}

impl Sources {
    pub(crate) fn new(archive: &'static Archive) -> Self {
        let folder = scratch();
        let write = |(number, text)| {
            let path = folder.path().join(format!("{number:03}.pgn"));
            fs::write(&path, text).expect("a file");
            path
        };
        Self {
            archive,
            paths: archive.texts.iter().enumerate().map(write).collect(),
            games: &archive.games,
            folder,
        }
    }

    /// A database with the first files.
    pub(crate) fn base(&self, files: usize) -> Base {
        let base = Base::new();
        if files > 0 {
            fs::write(&base.path, &self.archive.after[files].1).expect("a database");
        }
        base
    }

    /// Games in the first files.
    pub(crate) fn total(&self, files: usize) -> usize {
        self.archive.after[files].0
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The files as arguments.
    pub(crate) fn args(&self) -> Vec<&str> {
        self.paths.iter().map(|path| text(path)).collect()
    }

    /// Asserts that a database is sound after whatever has happened to it, that the games
    /// in it are the first of these and at least so many, and that the same import goes
    /// on to the end and leaves one plain file.
    pub(crate) fn assert_goes_on(&self, db: &Path, least: usize) {
        self.assert_beginning(db, least);
        let options = ImportOptions {
            segment_plies_max: Some(600),
            commit_games_max: Some(1),
            ..ImportOptions::default()
        };
        let summary = import_with(db, &self.paths, options).expect("the import goes on");
        let all = self.games.len() as u64;
        assert_eq!(summary.seen, all);
        self.assert_beginning(db, self.games.len());
        assert_eq!(names_beside(db), Vec::<String>::new(), "left over");
    }

    /// Asserts that a database is sound and has the first of these games, at least so
    /// many; how many it has.
    pub(crate) fn assert_beginning(&self, db: &Path, least: usize) -> usize {
        if least == 0 && fs::metadata(db).map_or(0, |facts| facts.len()) == 0 {
            return 0;
        }
        let found = match sound(db) {
            Ok(games) => games,
            // Before the first commit of all an import may have left less than a database.
            Err(error) if matches!(error.kind, StoreErrorKind::Empty) && least == 0 => return 0,
            Err(error) => panic!("{error}"),
        };
        assert!(found.len() >= least, "{} of {least} games", found.len());
        assert!(found.len() <= self.games.len(), "{} games", found.len());
        let differs = found.iter().zip(self.games).position(|(a, b)| a != b);
        assert_eq!(differs, None, "a game is another one");
        found.len()
    }
}

/// Checks a database, and gives its games as they are exported.
pub(crate) fn sound(db: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(db, &CancellationToken::default())?;
    let report = changes::check(&store, &NullObserver)?;
    assert_eq!(report.problems, Vec::<String>::new());
    drop(store);
    all_games(db)
}

/// All games of a database as they are exported.
pub(crate) fn all_games(db: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(db, &CancellationToken::default())?;
    let mut games = GameReader::new(&store);
    (1..=store.last_game()?)
        .map(|id| {
            let game = games.game(id)?.expect("games are numbered without gaps");
            let mut text = String::new();
            pgn::write(&game, &mut text);
            Ok(text)
        })
        .collect()
}

/// Imports in this process.
pub(crate) fn import_with(
    db: &Path,
    paths: &[PathBuf],
    options: ImportOptions,
) -> Result<ImportReport, ImportError> {
    let store = Store::create_or_open(db, &CancellationToken::default())?;
    import::import(&store, paths, options, &NullObserver)
}

/// Files beside a database in its folder.
pub(crate) fn names_beside(db: &Path) -> Vec<String> {
    let folder = db.parent().expect("a folder");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path != db)
        .map(|path| path.file_name().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    names
}

/// A place for a database, in a folder of its own.
pub(crate) struct Base {
    _folder: TempDir,
    pub(crate) path: PathBuf,
}

impl Base {
    pub(crate) fn new() -> Self {
        let folder = scratch();
        let path = folder.path().join("games.db");
        Self {
            _folder: folder,
            path,
        }
    }
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// The program, with a database named by `--db` and nothing from the environment.
pub(crate) fn plydex(db: &Path, args: &[&str]) -> Command {
    crate::terminal::as_in_a_terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plydex"));
    command
        .env_remove("PLYDEX_DB")
        .env("LC_ALL", "C.UTF-8")
        .args(args)
        .arg("--db")
        .arg(db)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Waits for the end of a process; it is killed, and that is a failure, if it takes longer.
pub(crate) fn wait(child: &mut Child, patience: Duration, what: &str) -> ExitStatus {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a state") {
            return status;
        }
        if since.elapsed() > patience {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{what}: no end after {patience:?}");
        }
        sleep(Duration::from_millis(2));
    }
}

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command to its end, which must come in time and without a panic.
pub(crate) fn run(command: &mut Command, patience: Duration) -> Ran {
    let folder = scratch();
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let made = |path: &Path| File::create(path).expect("a file");
    let mut child = command
        .stdout(made(&out))
        .stderr(made(&err))
        .spawn()
        .expect("the program runs");
    let status = wait(&mut child, patience, &format!("{command:?}"));
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).expect("output")).into_owned();
    let ran = Ran {
        status: status.code(),
        out: read(&out),
        err: read(&err),
    };
    assert!(!ran.err.contains("panicked"), "{command:?}: {ran:?}");
    ran
}
