//! Databases of older schemas: they are read as they stand, and `plydex reindex` brings
//! them up to date. `tests/frozen/README.md` says how the file was made.

use std::{
    fmt::Display,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use plydex::{
    base::observe::{Event, Observer, Silent, Stop},
    db::{
        reindex::{self, ReindexOptions, ReindexReport},
        search,
        store::{SCHEMA_VERSION, Store},
    },
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{
    faults::{assert_trouble, text},
    support::{plydex, root, run, sqlite},
};

/// Games of the frozen database.
const GAMES: u64 = 60;

pub(crate) fn folder() -> PathBuf {
    root().join("tests/frozen")
}

/// A copy of the frozen database of a schema.
pub(crate) fn frozen_of(schema: impl Display) -> (TempDir, PathBuf) {
    let packed = folder().join(format!("schema-{schema}.db.zst"));
    let packed = std::fs::read(packed).expect("a frozen database");
    let bytes = zstd::decode_all(&packed[..]).expect("zstd");
    let copy = tempfile::tempdir().expect("a folder");
    let db = copy.path().join("games.db");
    std::fs::write(&db, bytes).expect("a copy");
    (copy, db)
}

/// A copy of the oldest one.
fn frozen() -> (TempDir, PathBuf) {
    frozen_of(1)
}

/// A database of the same games as this program makes it.
fn fresh() -> (TempDir, PathBuf) {
    let folder_of_db = tempfile::tempdir().expect("a folder");
    let db = folder_of_db.path().join("games.db");
    let mut import = plydex(&db, &["import", "games"]);
    let ran = import.current_dir(folder()).output().expect("a run");
    assert!(ran.status.success(), "{ran:?}");
    (folder_of_db, db)
}

fn schema(db: &Path) -> u32 {
    let bytes = std::fs::read(db).expect("a database");
    // `user_version` in the header.
    u32::from_be_bytes(bytes[60..64].try_into().expect("four bytes"))
}

/// Questions about problems, which older schemas cannot answer, and how many are found.
const PROBLEMS: &[(&[&str], &str)] = &[
    (&["--author", "sample"], "3"),
    (&["--stipulation", "#2"], "2"),
    (&["--condition", "circe"], "1"),
    (&["k7/3P4/8/3=N4/8/2K5/8/G7"], "1"),
    (&["8/8/8/8/8/5K2/R7/7k"], "2"),
    (&["--player", "sample"], "0"),
];

/// What a database of these games, or of some of them, answers to all but the last.
pub(crate) fn found(db: &Path) -> Vec<String> {
    let questions = &QUESTIONS[..QUESTIONS.len() - 1];
    questions
        .iter()
        .map(|args| format!("{:?}", run(db, args)))
        .collect()
}

/// Questions about positions, moves and texts of all games there.
const QUESTIONS: &[&[&str]] = &[
    &["export"],
    &["export", "--language", "fr", "--notation", "full"],
    &["search", "--limit", "0", "--format", "json"],
    &["search", "e4 c5 Nf3 d6", "--in-variations", "--limit", "0"],
    &[
        "search",
        "e4 c5 c3 d5",
        "--in-variations",
        "--format",
        "json",
    ],
    &["search", "e4 c5 c3 d5"],
    &[
        "search",
        "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 Re1",
        "--in-variations",
    ],
    &["search", "d4 d5 c4 e5 dxe5 d4 e3 Bb4", "--in-variations"],
    &[
        "search",
        "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
        "--in-variations",
    ],
    &["search", "32-28 18-23 38-32", "--in-variations"],
    &["search", "W:WK46:B37,11", "--in-variations"],
    &[
        "search",
        "11-15 22-17 15-18",
        "--variant",
        "english",
        "--in-variations",
    ],
    &["search", "--player", "annotator", "--count"],
    &["search", "e4", "--sort", "eco"],
    &["search", "--sort", "date,eco:desc", "--variant", "chess"],
    &["search", "e4", "--group-by", "opening"],
    &["search", "e4", "--group-by", "eco", "--format", "json"],
    &["tree", "e4"],
    &["tree", "32-28"],
    &["check"],
];

/// The games of a PGN without the problems, of which older schemas have no more than tags
/// and moves.
fn games_of(pgn: &str) -> String {
    let parts: Vec<&str> = pgn.split("\n[Event ").collect();
    let games = parts.iter().filter(|game| !game.contains("[Stipulation "));
    games.copied().collect::<Vec<_>>().join("\n[Event ")
}

/// What is shown of a game; of a problem, what every schema knows.
fn of_every_schema(json: &str) -> String {
    let shown: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let Some(problem) = shown.get("composition") else {
        return json.to_owned();
    };
    let fields = [
        "authors",
        "source",
        "date",
        "stipulation",
        "diagram",
        "twins",
        "conditions",
    ];
    let known = fields.map(|field| problem.get(field).cloned());
    format!("{} {known:?} {}", shown["header"], shown["provenance"])
}

/// What a database answers.
fn answers(db: &Path) -> Vec<String> {
    let mut answers = Vec::new();
    let mut ask = |args: &[&str]| {
        let ran = run(db, args);
        assert!(!ran.err.contains("panicked"), "{args:?}: {ran:?}");
        let out = match args {
            ["export", ..] => games_of(&ran.out),
            ["show", ..] => of_every_schema(&ran.out),
            _ => ran.out,
        };
        let ran = format!("{args:?} {:?}\n{out}{}", ran.status, ran.err);
        answers.push(ran.replace(text(db), "DB"));
    };
    for args in QUESTIONS {
        ask(args);
    }
    for game in 1..=GAMES {
        ask(&["show", &game.to_string(), "--format", "json"]);
    }
    let info: serde_json::Value =
        serde_json::from_str(&run(db, &["info", "--format", "json"]).out).expect("JSON");
    let mut info = info.as_object().expect("an object").clone();
    // A matter of the schema.
    // Composers were players before the third.
    for field in ["bytes", "parts", "schema_version", "path", "players"] {
        assert!(info.remove(field).is_some(), "{field}");
    }
    answers.push(serde_json::Value::from(info).to_string());
    answers
}

/// What a fresh import answers: asked once.
fn expected() -> &'static [String] {
    static EXPECTED: OnceLock<Vec<String>> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let (_folder, db) = fresh();
        assert_eq!(schema(&db), SCHEMA_VERSION);
        answers(&db)
    })
}

#[track_caller]
fn assert_answers(db: &Path) {
    // What a check says of a reindex that was broken off is no answer about games.
    let is_told = |line: &&str| !line.contains("without columns");
    for (answer, expected) in answers(db).iter().zip(expected()) {
        let lines: Vec<_> = answer.lines().filter(is_told).collect();
        assert_eq!(lines, expected.lines().collect::<Vec<_>>());
    }
}

fn reindex_of(db: &Path, options: ReindexOptions, observer: &dyn Observer) -> ReindexReport {
    let store = Store::open_to_reindex(db, &observer.stop()).expect("a database");
    reindex::reindex(&store, options, observer).expect("a reindex")
}

#[test]
fn an_older_database_answers_as_it_stands() {
    (1..SCHEMA_VERSION).for_each(assert_answers_as_it_stands);
}

fn assert_answers_as_it_stands(version: u32) {
    let (folder, db) = frozen_of(version);
    let before = std::fs::read(&db).expect("a file");
    assert_eq!(schema(&db), version);
    let found = |number: usize| expected()[number].contains(" Some(0)");
    assert!(
        (0..QUESTIONS.len()).all(|at| found(at) != (at == 5)),
        "each finds something"
    );
    assert_answers(&db);
    let info = run(&db, &["info", "--format", "json"]);
    assert!(
        info.out
            .contains(&format!("\"schema_version\": {version},")),
        "{info:?}"
    );
    let pgn = folder.path().join("more.pgn");
    std::fs::write(&pgn, "1. e4 e5 *\n").expect("a file");
    assert_trouble(
        &run(&db, &["import", text(&pgn)]),
        &[
            "games.db",
            "older plydex",
            &format!("schema {version}"),
            "`plydex reindex`",
        ],
    );
    assert_is_left(&before, &db);
    let backup = folder.path().join("copy.db");
    assert_eq!(run(&db, &["backup", text(&backup)]).status, Some(0));
    assert_eq!(schema(&backup), version);
}

#[test]
fn reindex_brings_an_older_database_up() {
    (1..SCHEMA_VERSION).for_each(assert_brought_up);
}

fn assert_brought_up(version: u32) {
    let (folder, db) = frozen_of(version);
    let ran = run(&db, &["reindex"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let before = format!("schema {version} brought up to schema {SCHEMA_VERSION}");
    assert!(ran.out.starts_with(&before), "{ran:?}");
    let packed = ran.out.contains("; comments and variations of ");
    assert_eq!(packed, version == 1, "{ran:?}");
    let separated = ran.out.contains("; 6 chess problems separated from games;");
    assert_eq!(separated, version < 3, "{ran:?}");
    assert!(
        !ran.out.contains("segment") && !ran.out.contains("as text"),
        "{ran:?}"
    );
    assert_eq!(schema(&db), SCHEMA_VERSION);
    assert_answers(&db);
    let composers = ["SELECT count(*) FROM player p JOIN author a ON a.name = p.name"];
    assert!(run(&db, &["sql", composers[0]]).out.contains("0\n"));
    for (asked, games) in PROBLEMS {
        let ran = run(&db, &[&["search", "--count"], *asked].concat());
        assert_eq!(ran.out.trim(), *games, "{asked:?}: {ran:?}");
    }
    // One plain file, with no more pages than a new one of smaller pages.
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
    let (_folder, made) = fresh();
    let size = |db: &Path| std::fs::metadata(db).expect("a file").len();
    let [pages, pages_of_new] = [size(&db) / 8192, size(&made) / 4096];
    assert!(pages <= pages_of_new + 2, "{pages} > {pages_of_new}");

    let before = std::fs::read(&db).expect("a file");
    let again = run(&db, &["reindex"]);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert_eq!(
        again.out,
        format!("the database is up to date already (schema {SCHEMA_VERSION})\n")
    );
    assert_is_left(&before, &db);
    // It can be imported into, and knows what it has.
    let mut import = plydex(&db, &["import", "games"]);
    let ran = import.current_dir(self::folder()).output().expect("a run");
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("skipped          60"),
        "{ran:?}"
    );
    let pgn = folder.path().join("more.pgn");
    std::fs::write(&pgn, "1. e4 {new} e5 (1... c5) *\n").expect("a file");
    assert_eq!(run(&db, &["import", text(&pgn)]).status, Some(0));
    assert!(run(&db, &["show", "61"]).out.contains("(1... c5)"));
    assert_eq!(run(&db, &["check"]).status, Some(0));
}

/// Older databases are repaired as they stand.
#[test]
fn older_databases_are_repaired() {
    for version in 1..SCHEMA_VERSION {
        let (folder, db) = frozen_of(version);
        let new = folder.path().join("new.db");
        let ran = run(&db, &["check", "--repair", text(&new)]);
        assert_eq!(ran.status, Some(0), "{version}: {ran:?}");
        assert_eq!(run(&new, &["check"]).status, Some(0), "{version}");
        let exported = |db: &Path| run(db, &["export"]).out;
        assert_eq!(exported(&new), exported(&db), "{version}");
    }
}

/// Chess problems of the first two schemas, which are games there, do not become games again.
#[test]
fn problems_of_older_schemas_are_brought_up_before_they_are_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = folder.path().join("into.db");
    for version in [1, 2] {
        let (_folder, db) = frozen_of(version);
        let ran = run(&into, &["merge", text(&db)]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains("run `plydex reindex`"), "{ran:?}");
        assert_eq!(run(&db, &["reindex"]).status, Some(0));
        assert_eq!(run(&into, &["merge", text(&db)]).status, Some(0));
        let games = run(&into, &["search", "--count"]).out;
        assert_eq!(games, format!("{GAMES}\n"), "schema {version}");
    }
    assert_eq!(run(&into, &["check"]).status, Some(0));
}

/// Asserts that nothing was written but the counter of changes, which a log moves on, and the
/// checksum of its page.
fn assert_is_left(before: &[u8], db: &Path) {
    let after = std::fs::read(db).expect("a file");
    assert_eq!(after.len(), before.len());
    let page = usize::from(u16::from_be_bytes([before[16], before[17]]));
    assert!(
        after[100..page - 8] == before[100..page - 8],
        "the first page"
    );
    assert!(after[page..] == before[page..], "another page");
}

/// Asks to stop after so many events.
struct StopAfter(AtomicU64);

impl Observer for StopAfter {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        assert!(matches!(event, Event::Phase { .. } | Event::Steps { .. }));
        let left = self.0.load(Ordering::SeqCst);
        self.0.store(left.saturating_sub(1), Ordering::SeqCst);
        match left {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Wherever it is stopped, the database is as it was, and the next run goes on.
#[test]
fn a_reindex_that_is_stopped_goes_on_from_there() {
    let options = ReindexOptions {
        games_per_commit: 3,
    };
    let (_whole, other) = frozen();
    let at_once = reindex_of(&other, options, &Silent).annotated_games;
    let expected = games_of(&run(&other, &["export"]).out);
    let mut stops = 0;
    loop {
        let (_folder, db) = frozen();
        let report = reindex_of(&db, options, &StopAfter(AtomicU64::new(stops)));
        if !report.interrupted {
            break;
        }
        assert_eq!(run(&db, &["check"]).status, Some(0));
        if stops % 3 == 0 {
            assert_answers(&db);
        }
        let more = reindex_of(&db, options, &Silent);
        assert!(
            !more.interrupted && more.schema == SCHEMA_VERSION,
            "{more:?}"
        );
        // None is packed twice.
        let all = report.annotated_games + more.annotated_games;
        assert_eq!(all, at_once);
        assert_eq!(games_of(&run(&db, &["export"]).out), expected);
        assert_eq!(run(&db, &["check"]).status, Some(0));
        stops += 1;
    }
    assert!(stops > 5, "stopped {stops} times");
}

#[test]
fn a_reindex_that_is_killed_goes_on_from_there() {
    for trial in 0..12 {
        let (_folder, db) = frozen();
        let mut child = plydex(&db, &["reindex"]).spawn().expect("a run");
        std::thread::sleep(Duration::from_millis(3 * trial));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        assert_eq!(run(&db, &["check"]).status, Some(0), "trial {trial}");
        let ran = run(&db, &["reindex"]);
        assert_eq!(ran.status, Some(0), "trial {trial}: {ran:?}");
        assert_eq!(
            games_of(&run(&db, &["export"]).out),
            run_export_of_fresh(),
            "trial {trial}"
        );
        assert_eq!(run(&db, &["check"]).status, Some(0), "trial {trial}");
    }
}

fn run_export_of_fresh() -> String {
    let answer = &expected()[0];
    let (head, out) = answer.split_once('\n').expect("an answer");
    assert_eq!(head, "[\"export\"] Some(0)");
    out.to_owned()
}

/// A game whose variations do not come back as they were keeps them as text, and its
/// index no longer names them.
#[test]
fn variations_that_cannot_be_packed_are_kept_as_text() {
    // More than a game may have.
    let glyphs = "[2,\"$\",1],".repeat(1 << 18);
    let variation = "[1,\"(\",\"1. d4 d5 2. c4\"]";
    let pattern: &[&str] = &["search", "d4 d5 c4", "--in-variations", "--count"];
    for stops in [u64::MAX, 1, 2] {
        let (_folder, db) = frozen();
        let other = Connection::open(&db).expect("a database");
        let items = format!("[{variation},{glyphs}[2,\"{{\",\"last\"]]");
        other
            .execute("UPDATE annotation SET items = ?1 WHERE game = 4", [items])
            .expect("an update");
        drop(other);
        let options = ReindexOptions {
            games_per_commit: 3,
        };
        if stops < u64::MAX {
            let stopped = reindex_of(&db, options, &StopAfter(AtomicU64::new(stops)));
            assert!(stopped.interrupted, "{stopped:?}");
        }
        let report = reindex_of(&db, options, &Silent);
        assert_eq!(report.segments, 1, "{report:?}");
        let store = Store::open(&db, &Stop::default()).expect("a database");
        let checked = search::check(&store, &Silent).expect("a check");
        assert_eq!(checked.problems, Vec::<String>::new());
        drop(store);
        let shown = run(&db, &["show", "4", "--format", "pgn"]).out;
        assert!(shown.contains("(1. d4 d5 2. c4)") && shown.contains("{last}"));
        assert_eq!(
            shown.matches("$1").count() + shown.matches('!').count(),
            1 << 18
        );
        // The other games are found as before.
        let (_folder, made) = fresh();
        assert_eq!(run(&db, pattern).out, run(&made, pattern).out);
    }
}

/// Comments that nobody could have written stop it, and nothing is lost.
#[test]
fn damaged_annotations_are_an_error() {
    for items in ["{", "[[1,\"{\",7]]", "[[1,\"x\",\"y\"]]", "[[1,\"$\",-4]]"] {
        let (_folder, db) = frozen();
        let other = Connection::open(&db).expect("a database");
        other
            .execute("UPDATE annotation SET items = ?1 WHERE game = 2", [items])
            .expect("an update");
        drop(other);
        assert_trouble(
            &run(&db, &["reindex"]),
            &["damaged", "annotations of game 2", "hint:"],
        );
        assert_eq!(schema(&db), 1);
        assert_eq!(run(&db, &["show", "1"]).status, Some(0));
    }
}

#[test]
fn reindex_replaces_keys_of_another_version() {
    let (_folder, db) = fresh();
    let other = sqlite(&db);
    let starts = |other: &Connection| -> Vec<(i64, Option<i64>, Option<i64>)> {
        let mut rows = other
            .prepare("SELECT id, board_key, state FROM start_position ORDER BY id")
            .expect("a statement");
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    };
    let before = starts(&other);
    other
        .execute_batch(
            "UPDATE segment SET key_version = 77; \
             UPDATE start_position SET board_key = board_key + 1, state = 3 \
             WHERE board_key IS NOT NULL",
        )
        .expect("an update");
    assert_ne!(starts(&other), before);
    drop(other);
    assert_trouble(
        &run(&db, &["search", "e4"]),
        &["version 77", "plydex reindex"],
    );
    let ran = run(&db, &["reindex", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["segments"], 1);
    assert_eq!(report["annotated_games"], 0);
    assert_eq!(starts(&Connection::open(&db).expect("a database")), before);
    assert_answers(&db);
    assert!(run(&db, &["reindex"]).out.contains("up to date already"));
}

/// Lines that engines name were texts in databases of today's schema once.
#[test]
fn lines_that_were_kept_as_texts_are_packed() {
    let (_folder, db) = frozen_of("3-lines");
    let (_folder_of_fresh, fresh) = frozen_of("3-lines");
    std::fs::remove_file(&fresh).expect("a file");
    let lines = folder().join("lines.pgn");
    assert_eq!(run(&fresh, &["import", text(&lines)]).status, Some(0));
    let exports = || [&db, &fresh].map(|db| run(db, &["export"]).out);
    let [before, expected] = exports();
    assert!(before == expected && before.contains("pv=Nf3 Nc6 Bb5 a6,"));
    let report = reindex_of(&db, ReindexOptions::default(), &Silent);
    assert_eq!(report.lined_games, 16);
    let [now, expected] = exports();
    assert_eq!(now, expected);
    let texts = |db: &Path| -> Vec<u8> {
        let asked = "SELECT data FROM text_block";
        let db = Connection::open(db).expect("a database");
        db.query_row(asked, [], |row| row.get(0))
            .expect("one block")
    };
    assert_eq!(texts(&db), texts(&fresh));
    assert_eq!(run(&db, &["check"]).status, Some(0));
    assert!(run(&db, &["reindex"]).out.contains("up to date already"));
}

/// What cannot be brought up is named, and stays as it is.
#[test]
fn reindex_says_what_it_cannot_do() {
    let (folder, db) = frozen();
    let missing = folder.path().join("none.db");
    assert_trouble(
        &run(&missing, &["reindex"]),
        &["none.db: no such database", "hint:"],
    );
    assert!(!missing.exists());
    assert_trouble(&run(folder.path(), &["reindex"]), &["is a folder", "hint:"]);
    let letter = folder.path().join("letter.txt");
    std::fs::write(&letter, "Dear Anna,\n").expect("a file");
    assert_trouble(
        &run(&letter, &["reindex"]),
        &["letter.txt: not a plydex database"],
    );
    assert_eq!(std::fs::read(&letter).expect("a file"), b"Dear Anna,\n");
    let newer = folder.path().join("newer.db");
    let (_folder_of_fresh, fresh) = fresh();
    std::fs::copy(fresh, &newer).expect("a copy");
    let other = sqlite(&newer);
    other
        .pragma_update(None, "user_version", 4711)
        .expect("a version");
    drop(other);
    assert_trouble(&run(&newer, &["reindex"]), &["newer plydex", "4711"]);
    // A file that may not grow: an error, and the database as it was.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8; exec \"$0\" reindex --db \"$1\"",
        ])
        .args([env!("CARGO_BIN_EXE_plydex"), text(&db)])
        .output()
        .expect("the program runs");
    assert_trouble(&output.into(), &["games.db"]);
    assert_eq!(schema(&db), 1);
    assert_answers(&db);
}

/// Three dashes were no move when the database was made: what follows them is filed now.
#[test]
fn variations_that_are_read_better_are_filed_again() {
    let (_folder, db) = frozen();
    let other = Connection::open(&db).expect("a database");
    let items = "[[1,\"(\",\"1. --- Nc6 2. h4\"]]";
    other
        .execute(
            "INSERT OR REPLACE INTO annotation (game, items) VALUES (2, ?1)",
            [items],
        )
        .expect("an update");
    drop(other);
    let report = reindex_of(&db, ReindexOptions::default(), &Silent);
    assert_eq!(report.segments, 1, "{report:?}");
    let store = Store::open(&db, &Stop::default()).expect("a database");
    let checked = search::check(&store, &Silent).expect("a check");
    assert_eq!(checked.problems, Vec::<String>::new());
    drop(store);
    let fen = "r1bqkbnr/pppppppp/2n5/8/7P/8/PPPPPPP1/RNBQKBNR b";
    let found = run(
        &db,
        &[
            "search",
            fen,
            "--in-variations",
            "--identity",
            "board",
            "--count",
        ],
    );
    assert_eq!(found.out.trim(), "1");
}
