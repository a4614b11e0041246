//! Databases that were begun and got nothing: a kill leaves an empty file, all else no file.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use super::{GAMES, archive, assert_trouble, assert_whole, closed, text};
use crate::support::{plydex, run};

/// What stands in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A folder with sample games, and the place of a database in it.
fn begun() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, pgn) = (folder.path().join("new.db"), folder.path().join("a.pgn"));
    fs::write(&pgn, archive(1)).expect("a file");
    (folder, db, pgn)
}

/// What a kill leaves that comes while the schema is made: pages, and the journal that takes
/// them away again.
fn leave_a_journal(db: &Path) {
    let source = db.with_file_name("source.db");
    let other = rusqlite::Connection::open(&source).expect("a database");
    other
        .execute_batch(
            "PRAGMA cache_size = 1; BEGIN; CREATE TABLE a (b BLOB);
             INSERT INTO a SELECT zeroblob(5000) FROM pragma_function_list",
        )
        .expect("a transaction");
    fs::copy(&source, db).expect("a file");
    let journal = |db: &Path| {
        let mut name = db.as_os_str().to_owned();
        name.push("-journal");
        PathBuf::from(name)
    };
    fs::copy(journal(&source), journal(db)).expect("a journal");
    assert_ne!(fs::metadata(db).expect("a file").len(), 0);
    drop(other);
    fs::remove_file(source).expect("a file");
}

/// Every command that needs a database that is there.
const OTHERS: &[&[&str]] = &[
    &["info"],
    &["check"],
    &["search"],
    &["search", "e4"],
    &["tree"],
    &["show", "1"],
    &["export"],
    &["players"],
    &["diagnostics"],
    &["log"],
    &["novelty", "--player", "fischer"],
    &["sql", "SELECT 1"],
    &["unpack", "--output", "-"],
    &["backup", "-"],
    &["reindex"],
    &["undo", "1"],
    &["delete", "--yes", "e4"],
    &["edit", "1", "--tag", "Round=1"],
    &["dedupe"],
    &["dedupe", "--yes"],
    &["optimize"],
    &["reread", "a.pgn"],
];

#[test]
fn an_empty_file_is_said_to_be_empty_and_stays_so() {
    let (_folder, db, _) = begun();
    for leave in [
        |db: &Path| fs::write(db, "").expect("a file"),
        leave_a_journal,
    ] {
        for args in OTHERS {
            leave(&db);
            let words = ["new.db: empty: nothing was ever stored", "plydex import"];
            assert_trouble(&run(&db, args), &words);
            assert_eq!(fs::read(&db).expect("a file"), b"", "{args:?}");
        }
    }
}

#[test]
fn an_import_takes_an_empty_file_for_a_new_database() {
    let (_other, taken) = closed();
    for leave in [
        |db: &Path| fs::write(db, "").expect("a file"),
        leave_a_journal,
    ] {
        let (folder, db, pgn) = begun();
        for args in [
            &["import", text(&pgn)][..],
            &["import", "--list-missing", text(folder.path())],
            &["merge", text(&taken)],
        ] {
            leave(&db);
            let ran = run(&db, args);
            assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
            assert_whole(&db, GAMES);
            fs::remove_file(&db).expect("a file");
        }
    }
}

#[test]
fn a_first_import_that_fails_leaves_no_file() {
    let (folder, db, pgn) = begun();
    let (bad, foreign) = (folder.path().join("bad.pgn"), folder.path().join("foreign"));
    fs::write(&bad, "1. Ke5 *\n").expect("a file");
    fs::write(&foreign, "no database").expect("a file");
    let before = names(folder.path());
    for args in [
        &["import", "--strict", text(&bad)][..],
        &["import", "missing.pgn"],
        &["merge", text(&foreign)],
    ] {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
    // No room, whether for the schema or for the games.
    for blocks in [0, 2, 40, 200, 400] {
        let mut limited = Command::new("sh");
        limited
            .arg("-c")
            .arg(format!(
                "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""
            ))
            .arg(env!("CARGO_BIN_EXE_plydex"))
            .args(["import", text(&pgn), "--db", text(&db)]);
        let ran = limited.output().expect("the program runs").into();
        assert_trouble(&ran, &["new.db"]);
        assert_eq!(names(folder.path()), before, "{blocks} blocks");
    }
    // What was there before stays, empty or not.
    for made in [0, 1] {
        fs::write(&db, "").expect("a file");
        if made > 0 {
            run(&db, &["import", "--strict", text(&bad)]);
        }
        let ran = run(&db, &["import", "--strict", text(&bad)]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(db.exists());
    }
}

#[test]
fn a_first_import_that_is_interrupted_leaves_no_file() {
    let (folder, db, _) = begun();
    let before = names(folder.path());
    let mut child = plydex(&db, &["import", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let input = child.stdin.as_mut().expect("a pipe");
    // Enough to be known as games, and none that is whole.
    std::io::Write::write_all(input, b"[Event \"a\"]\n[White \"b\"]\n\n1. e4 ").expect("it reads");
    sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.expect("kill").success());
    let since = Instant::now();
    while child.try_wait().expect("a state").is_none() {
        assert!(since.elapsed() < Duration::from_secs(20), "it waits");
        sleep(Duration::from_millis(5));
    }
    assert_eq!(names(folder.path()), before);
}
