//! `plydex reindex` makes again what an older program has made of the games in another way, and
//! goes on wherever it was stopped. Files of schemas before the first release are refused.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rusqlite::Connection;
use tempfile::TempDir;

use {
    crate::{
        faults::{assert_trouble, text},
        support::{one_in, plydex, root, run, sqlite},
    },
    plydex::{
        base::observe::{Event, NullObserver, Observer},
        changes::reindex::{self, ReindexOptions, ReindexReport},
        store::{SCHEMA_VERSION, Store},
    },
};

/// Games of the folder.
const GAMES: u64 = 60;

/// Some games of every kind.
pub(crate) fn games() -> PathBuf {
    root().join("tests/games")
}

/// A database of them.
fn fresh() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let ran = run(&db, &["import", text(&games())]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
}

/// The same as a program might have left it that has other keys and names of openings, and no
/// columns.
fn outdated() -> (TempDir, PathBuf) {
    let (folder, db) = fresh();
    let outdate = "UPDATE segment SET key_version = 77;
        UPDATE start_position SET board_key = board_key + 1, state = 3
         WHERE board_key IS NOT NULL;
        DELETE FROM column_block;
        UPDATE opening SET name = 'A00 Another ' || name;
        UPDATE opening_table SET hash = 7";
    sqlite(&db).execute_batch(outdate).expect("an update");
    (folder, db)
}

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

/// What a database answers.
fn answers(db: &Path) -> Vec<String> {
    let mut answers = Vec::new();
    let mut ask = |args: &[&str]| {
        let ran = run(db, args);
        assert!(!ran.err.contains("panicked"), "{args:?}: {ran:?}");
        let ran = format!("{args:?} {:?}\n{}{}", ran.status, ran.out, ran.err);
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
    // What is in it, not how large that is.
    for field in ["bytes", "parts", "path"] {
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
        let answers = answers(&db);
        let found = |number: usize| answers[number].contains(" Some(0)");
        assert!(
            (0..QUESTIONS.len()).all(|at| found(at) != (at == 5)),
            "each finds something"
        );
        answers
    })
}

#[track_caller]
fn assert_answers(db: &Path) {
    for (answer, expected) in answers(db).iter().zip(expected()) {
        assert_eq!(answer, expected);
    }
}

fn reindex_of(db: &Path, options: ReindexOptions, observer: &dyn Observer) -> ReindexReport {
    let store = Store::open_to_reindex(db, &observer.stop()).expect("a database");
    reindex::reindex(&store, options, observer).expect("a reindex")
}

/// Keys, openings and columns are made again, once, and nothing else changes.
#[test]
fn reindex_replaces_what_another_version_has_made() {
    let (folder, db) = fresh();
    let starts = |db: &Path| -> Vec<(i64, Option<i64>, Option<i64>)> {
        let other = Connection::open(db).expect("a database");
        let mut rows = other
            .prepare("SELECT id, board_key, state FROM start_position ORDER BY id")
            .expect("a statement");
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    };
    let before = starts(&db);
    drop(folder);
    let (folder, db) = outdated();
    assert_ne!(starts(&db), before);
    assert_trouble(
        &run(&db, &["search", "e4"]),
        &["version 77", "plydex reindex"],
    );
    let ran = run(&db, &["reindex", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["segments"], 1);
    assert!(
        report["opening_games"]
            .as_u64()
            .is_some_and(|games| games > 5)
    );
    assert_eq!(report["schema"], SCHEMA_VERSION);
    assert_eq!(starts(&db), before);
    assert_answers(&db);
    // One plain file.
    let names = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 1);

    let before = std::fs::read(&db).expect("a file");
    let again = run(&db, &["reindex"]);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert_eq!(
        again.out,
        format!("the database is up to date already (schema {SCHEMA_VERSION})\n")
    );
    assert_is_left(&before, &db);
    // It can be imported into, and knows what it has.
    let ran = run(&db, &["import", text(&games())]);
    assert!(ran.out.contains("skipped          60"), "{ran:?}");
    let pgn = folder.path().join("more.pgn");
    std::fs::write(&pgn, "1. e4 {new} e5 (1... c5) *\n").expect("a file");
    assert_eq!(run(&db, &["import", text(&pgn)]).status, Some(0));
    assert!(run(&db, &["show", "61"]).out.contains("(1... c5)"));
    assert_eq!(run(&db, &["check"]).status, Some(0));
}

/// Columns and top games that are not there are built by themselves.
#[test]
fn columns_that_are_missing_are_built() {
    let (_folder, db) = fresh();
    sqlite(&db)
        .execute_batch("DELETE FROM column_block")
        .expect("an update");
    assert!(run(&db, &["check"]).out.contains("without columns"));
    let report = reindex_of(&db, ReindexOptions::default(), &NullObserver);
    assert_eq!(
        (report.segments, report.column_games, report.top_game_games),
        (0, GAMES, GAMES)
    );
    assert_answers(&db);
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

/// Wherever it is stopped, the next run goes on.
#[test]
fn a_reindex_that_is_stopped_goes_on_from_there() {
    let options = ReindexOptions {
        games_per_commit: 3,
    };
    let mut stops = 0;
    loop {
        let (_folder, db) = outdated();
        let report = reindex_of(&db, options, &StopAfter(AtomicU64::new(stops)));
        if !report.interrupted {
            break;
        }
        assert_eq!(run(&db, &["show", "1"]).status, Some(0));
        let more = reindex_of(&db, options, &NullObserver);
        assert!(!more.interrupted, "{more:?}");
        // None is made twice.
        assert_eq!(report.segments + more.segments, 1);
        assert_answers(&db);
        stops += one_in(3) as u64;
    }
    assert!(stops > 5, "stopped {stops} times");
}

#[test]
fn a_reindex_that_is_killed_goes_on_from_there() {
    for trial in (0..8).step_by(one_in(2)) {
        let (_folder, db) = outdated();
        let mut child = plydex(&db, &["reindex"]).spawn().expect("a run");
        std::thread::sleep(Duration::from_millis(4 * trial));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        assert_eq!(run(&db, &["show", "1"]).status, Some(0));
        let ran = run(&db, &["reindex"]);
        assert_eq!(ran.status, Some(0), "trial {trial}: {ran:?}");
        assert_answers(&db);
    }
}

/// Commands that meet an existing database, `NEW` is a file beside it.
const COMMANDS: &[&[&str]] = &[
    &["search", "e4"],
    &["show", "1"],
    &["export"],
    &["tree"],
    &["info"],
    &["check"],
    &["check", "--repair", "NEW"],
    &["backup", "NEW"],
    &["sql", "SELECT * FROM game"],
    &["unpack", "--output", "NEW"],
    &["players", "a"],
    &["import", "GAMES"],
    &["reindex"],
    &["optimize"],
    &["log"],
    &["undo", "1"],
    &["dedupe"],
    &["edit", "1", "--tag", "ECO=A00"],
];

/// Asserts that a database is refused by every command, which says why, and stays as it is.
fn assert_refused(db: &Path, schema: u32) {
    let before = std::fs::read(db).expect("a file");
    let (new, games) = (db.with_extension("new"), games());
    let schema = format!("schema {schema},");
    let why = ["older plydex", &schema, "hint: import the files again"];
    for args in COMMANDS {
        let args: Vec<&str> = (args.iter())
            .map(|arg| match *arg {
                "NEW" => text(&new),
                "GAMES" => text(&games),
                arg => arg,
            })
            .collect();
        let ran = run(db, &args);
        let said = [&[text(db)][..], &why].concat();
        assert_trouble(&ran, &said);
        assert!(!new.exists(), "{args:?}");
    }
    let ran = run(&new, &["merge", text(db)]);
    assert_trouble(&ran, &why);
    assert!(std::fs::read(db).expect("a file") == before);
}

#[test]
fn files_of_schemas_before_the_first_release_are_refused() {
    let (_folder, db) = fresh();
    for schema in [1, 12] {
        sqlite(&db)
            .pragma_update(None, "user_version", schema)
            .expect("a version");
        assert_refused(&db, schema);
    }
    // The first ones had larger pages, without checksums.
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let other = Connection::open(&db).expect("a database");
    other
        .execute_batch(
            "PRAGMA page_size = 8192; CREATE TABLE game (id INTEGER PRIMARY KEY, white INTEGER);
             INSERT INTO game VALUES (1, 1); PRAGMA user_version = 2;
             PRAGMA application_id = 0x706c7964",
        )
        .expect("an old file");
    drop(other);
    assert_refused(&db, 2);
}

/// What cannot be brought up is named, and stays as it is.
#[test]
fn reindex_says_what_it_cannot_do() {
    let (folder, db) = outdated();
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
    sqlite(&newer)
        .pragma_update(None, "user_version", 4711)
        .expect("a version");
    assert_trouble(&run(&newer, &["reindex"]), &["newer plydex", "4711"]);
    // A file that may not grow: an error, and it goes on once it may.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8; exec \"$0\" reindex --db \"$1\"",
        ])
        .args([env!("CARGO_BIN_EXE_plydex"), text(&db)])
        .output()
        .expect("the program runs");
    assert_trouble(&output.into(), &["games.db"]);
    assert_eq!(run(&db, &["reindex"]).status, Some(0));
    assert_answers(&db);
}
