//! When things go wrong: what was stored stays, and the error says what to do.

pub(crate) mod annotations;
mod begun;
mod damage;
mod draughts;
mod exchanged;
mod flips;
mod hostile;
mod interrupted;
mod sources;
mod tail;

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use {
    crate::support::{Base, Ran, root, run, sqlite},
    plydex::{import::ImportOptions, store::Store},
};

/// The classics of the sample data, that many times over, each game with a
/// number of its own.
pub(crate) fn archive(copies: usize) -> String {
    let path = root().join("sample-data/pgn/classics.pgn");
    let text = std::fs::read_to_string(path).expect("sample data");
    let mut out = String::with_capacity(text.len() * copies + copies * 1_000);
    let mut number = 0;
    for _ in 0..copies {
        for line in text.lines() {
            if line.starts_with("[Event ") {
                number += 1;
                let _ = writeln!(out, "[GameId \"{number}\"]");
            }
            out.push_str(line);
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// Games in one copy of the archive.
pub(crate) const GAMES: u64 = 48;

/// A database of sample games in a folder, closed.
pub(crate) fn closed() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    let ran = run(&db, &["import", text(&pgn)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Runs the program as somebody whom the rights of this file bind, which nobody can
/// write: rights do not bind the superuser, so then somebody else must try.
pub(super) fn run_bound(db: &Path, args: &[&str]) -> Option<Ran> {
    let is_superuser = std::fs::OpenOptions::new().append(true).open(db).is_ok();
    let mut command = if is_superuser {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        command.arg(env!("CARGO_BIN_EXE_plydex"));
        command
    } else {
        Command::new(env!("CARGO_BIN_EXE_plydex"))
    };
    let output = command.args(args).args(["--db", text(db)]).output().ok()?;
    let started = output.status.code() != Some(127) && output.status.code() != Some(126);
    started.then(|| output.into())
}

/// Asserts exit status 2, no panic, and an error that has all the words.
pub(super) fn assert_trouble(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(!ran.err.contains("panicked"), "{ran:?}");
    for word in words {
        assert!(ran.err.contains(word), "`{word}` is missing: {ran:?}");
    }
}

/// Asserts that the database is sound and holds each numbered game once, in order.
pub(crate) fn assert_whole(db: &Path, games: u64) {
    let ran = run(db, &["check"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = run(db, &["export"]);
    let numbers: Vec<u64> = ran
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("[GameId \"")?.strip_suffix("\"]"))
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>());
}

#[test]
fn a_missing_database_is_named_and_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("none.db");
    for args in [
        &["search", "e4"][..],
        &["search", "--count"],
        &["tree"],
        &["show", "1"],
        &["export"],
        &["info"],
        &["check"],
    ] {
        assert_trouble(&run(&db, args), &["none.db: no such database", "hint:"]);
        assert!(!db.exists(), "{args:?}");
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("letter.txt");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    for content in ["Dear Anna,\n", &"no database, but long ".repeat(500)] {
        std::fs::write(&path, content).expect("a file");
        for args in [
            &["search", "e4"][..],
            &["info"],
            &["check"],
            &["import", text(&pgn)],
        ] {
            assert_trouble(&run(&path, args), &["letter.txt", "not a plydex database"]);
            let kept = std::fs::read_to_string(&path).expect("a file");
            assert_eq!(kept, content, "{args:?}");
        }
    }
}

#[test]
fn an_empty_file_is_no_database_yet_but_can_become_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("empty.db");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    std::fs::write(&db, "").expect("a file");
    assert_trouble(&run(&db, &["search", "e4"]), &["empty.db"]);
    assert_eq!(run(&db, &["import", text(&pgn)]).status, Some(0));
    assert_whole(&db, GAMES);
}

#[test]
fn a_database_of_another_program_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("other.db");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    for setup in [
        "CREATE TABLE game (id)",
        "CREATE TABLE game (id); PRAGMA application_id = 77; PRAGMA user_version = 1",
        "CREATE TABLE game (id); PRAGMA user_version = 1",
    ] {
        let _ = std::fs::remove_file(&path);
        let other = sqlite(&path);
        other.execute_batch(setup).expect("a schema");
        drop(other);
        let before = std::fs::read(&path).expect("a file");
        for args in [&["search", "e4"][..], &["check"], &["import", text(&pgn)]] {
            assert_trouble(&run(&path, args), &["other.db: not a plydex database"]);
            assert_eq!(std::fs::read(&path).expect("a file"), before, "{args:?}");
        }
    }
}

#[test]
fn a_newer_schema_is_refused_and_kept() {
    let (folder, db) = closed();
    let other = sqlite(&db);
    other
        .pragma_update(None, "user_version", 4711)
        .expect("a version");
    drop(other);
    let bytes = std::fs::read(&db).expect("a database");
    let pgn = folder.path().join("games.pgn");
    for args in [&["search", "e4"][..], &["check"], &["import", text(&pgn)]] {
        assert_trouble(&run(&db, args), &["games.db", "newer plydex", "4711"]);
        assert_eq!(std::fs::read(&db).expect("a file"), bytes, "{args:?}");
    }
}

#[test]
fn keys_of_another_version_shut_the_index_alone() {
    let (folder, db) = closed();
    let other = sqlite(&db);
    other
        .execute_batch("UPDATE segment SET key_version = key_version + 1")
        .expect("an update");
    drop(other);
    let before = std::fs::read(&db).expect("a file");
    // What needs the index says what can be done instead, and that it can.
    let pgn = folder.path().join("more.pgn");
    std::fs::write(&pgn, "1. e4 e5 *\n").expect("a file");
    for args in [&["search", "e4"][..], &["tree"], &["import", text(&pgn)]] {
        assert_trouble(&run(&db, args), &["games.db", "version", "plydex reindex"]);
    }
    assert_eq!(std::fs::read(&db).expect("a file"), before);
    let checked = run(&db, &["check"]);
    assert_eq!(checked.status, Some(2), "{checked:?}");
    assert!(checked.out.contains("plydex reindex"), "{checked:?}");
    for args in [
        &["info"][..],
        &["show", "3"],
        &["search", "--event", "a", "--count"],
        &["search", "--tag", "GameId==7", "--sort", "date"],
    ] {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    }
    let written = folder.path().join("all.pgn");
    let ran = run(&db, &["export", "--output", text(&written)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let new = folder.path().join("new.db");
    assert_eq!(run(&new, &["import", text(&written)]).status, Some(0));
    assert_whole(&new, GAMES);
}

/// Two programs at once: the second waits or says so, and nothing is lost.
#[test]
fn a_database_in_use_is_said_to_be_so() {
    let (folder, db) = closed();
    let other = sqlite(&db);
    other.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
    let pgn = folder.path().join("more.pgn");
    std::fs::write(&pgn, "1. e4 e5 *\n").expect("a file");
    assert_trouble(
        &run(&db, &["import", text(&pgn)]),
        &["games.db", "another program"],
    );
    other.execute_batch("ROLLBACK").expect("no lock");
    assert_whole(&db, GAMES);
}

/// The schema is made in one go: opening twice changes nothing.
#[test]
fn opening_again_changes_nothing() {
    let base = Base::of(archive(1).as_bytes());
    let path = base.store.path().to_path_buf();
    let before = std::fs::read(&path).expect("a file");
    let again = Store::create_or_open(&path, &plydex::base::observe::CancellationToken::default())
        .expect("a database");
    assert_eq!(again.last_game().expect("a number"), GAMES);
    drop(again);
    assert_eq!(std::fs::read(&path).expect("a file"), before);
    let nothing = base.import(&[base.folder().join("games.pgn")], ImportOptions::default());
    assert_eq!((nothing.stored, nothing.duplicate), (0, GAMES));
}
