//! Files that were exchanged: pages, logs and whole databases of others, backups put back.

use plydex::changes;
use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{GAMES, archive, assert_trouble, assert_whole, closed, sqlite, text};
use {
    crate::support::{Ran, run},
    plydex::{
        base::observe::{CancellationToken, NullObserver},
        import::{self, ImportOptions},
        store::Store,
    },
};

const PAGE: usize = 4096;

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    names
}

fn beside(db: &Path, ending: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn assert_done(ran: &Ran) {
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

/// Asserts what a file holds.
fn assert_same(path: &Path, bytes: &[u8]) {
    let found = fs::read(path).expect("a file");
    let differs = (0..found.len().max(bytes.len())).find(|at| found.get(*at) != bytes.get(*at));
    assert_eq!(differs, None, "{} differs from there on", path.display());
}

/// What a search, a tree and a list of players print.
fn answers(db: &Path) -> Vec<Ran> {
    [
        &["search", "e4", "--limit", "0", "--format", "csv"][..],
        &["tree", "--format", "csv"],
        &["export"],
        &["players", "--format", "csv"],
    ]
    .into_iter()
    .map(|args| run(db, args))
    .collect()
}

#[test]
fn a_page_of_another_database_is_not_read() {
    let (folder, db) = closed();
    let other = folder.path().join("other.db");
    let pgn = folder.path().join("other.pgn");
    // As many games, and mostly the same pages.
    fs::write(&pgn, archive(1).replace("1-0", "0-1")).expect("a file");
    assert_done(&run(&other, &["import", text(&pgn)]));
    let (whole, foreign) = (
        fs::read(&db).expect("a file"),
        fs::read(&other).expect("a file"),
    );
    let before: Vec<String> = answers(&db).into_iter().map(|ran| ran.out).collect();
    let swapped = folder.path().join("swapped.db");
    for page in 0..whole.len().min(foreign.len()) / PAGE {
        let at = page * PAGE..(page + 1) * PAGE;
        let mut bytes = whole.clone();
        bytes[at.clone()].copy_from_slice(&foreign[at.clone()]);
        // Its own number does not make another page its own.
        if page == 0 {
            bytes[72..80].copy_from_slice(&whole[72..80]);
        }
        fs::write(&swapped, &bytes).expect("a file");
        for (ran, right) in answers(&swapped).into_iter().zip(&before) {
            assert!(
                ran.status == Some(2) || ran.out == *right,
                "page {}: {ran:?}",
                page + 1
            );
        }
        if bytes != whole {
            let checked = run(&swapped, &["check"]);
            assert_ne!(checked.status, Some(0), "page {}: {checked:?}", page + 1);
        }
    }
}

#[test]
fn equal_games_and_numbers_make_equal_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, archive(1)).expect("a file");
    let made = |name: &str, number| {
        let path = folder.path().join(name);
        let _ = fs::remove_file(&path);
        let store =
            Store::create_numbered(&path, number, &CancellationToken::default()).expect("new");
        let paths = [pgn.clone()];
        import::import(&store, &paths, ImportOptions::default(), &NullObserver).expect("an import");
        drop(store);
        let second: String = sqlite(&path)
            .query_row(
                "SELECT started_at || finished_at || at FROM import, change",
                [],
                |row| row.get(0),
            )
            .expect("times");
        (second, fs::read(&path).expect("a file"))
    };
    // Times are in the file, in seconds.
    let pair = (0..20)
        .map(|_| (made("one.db", 7), made("two.db", 7)))
        .find(|(one, two)| one.0 == two.0);
    let ((time, one), (_, two)) = pair.expect("two imports within a second");
    assert!(one == two, "equal numbers");
    let (_, other) = made("three.db", 8);
    assert!(one != other, "{time}");
    assert_eq!(one.len(), other.len());
}

#[test]
fn a_restored_backup_is_the_database() {
    let (folder, db) = closed();
    let backup = folder.path().join("weekly.db");
    assert_done(&run(&db, &["backup", text(&backup)]));
    let pgn = folder.path().join("more.pgn");
    fs::write(&pgn, "[GameId \"49\"]\n\n1. a4 a5 *\n").expect("a file");
    assert_done(&run(&db, &["import", text(&pgn)]));
    let before = fs::read(&db).expect("a file");
    let ran = run(&db, &["restore", text(&backup)]);
    assert_done(&ran);
    assert!(ran.err.contains("48 games restored to"), "{ran:?}");
    assert!(
        ran.err.contains("games.db.replaced-1; delete it"),
        "{ran:?}"
    );
    assert_whole(&db, GAMES);
    let replaced = beside(&db, ".replaced-1");
    assert_same(&replaced, &before);
    assert_whole(&replaced, GAMES + 1);
    // Again, from a compressed one, and what was there before stays.
    let packed = folder.path().join("weekly.db.zst");
    assert_done(&run(&replaced, &["backup", text(&packed)]));
    let ran = run(&db, &["restore", text(&packed)]);
    assert!(ran.err.contains("49 games restored to"), "{ran:?}");
    assert_whole(&db, GAMES + 1);
    assert_whole(&beside(&db, ".replaced-2"), GAMES);
    assert_eq!(
        names(folder.path()),
        [
            "games.db",
            "games.db.replaced-1",
            "games.db.replaced-2",
            "games.pgn",
            "more.pgn",
            "weekly.db",
            "weekly.db.zst",
        ]
    );
    // Where there is none, it becomes one.
    let new = folder.path().join("new.db");
    let ran = run(&new, &["restore", text(&backup)]);
    assert_done(&ran);
    assert!(!ran.err.contains("delete it"), "{ran:?}");
    assert_whole(&new, GAMES);
}

#[test]
fn what_cannot_be_restored_changes_nothing() {
    let (folder, db) = closed();
    let backup = folder.path().join("weekly.db");
    assert_done(&run(&db, &["backup", text(&backup)]));
    let before = fs::read(&db).expect("a file");
    let mut bytes = fs::read(&backup).expect("a file");
    let last = bytes.len() - 3000;
    bytes[last] ^= 1;
    let damaged = folder.path().join("damaged.db");
    fs::write(&damaged, bytes).expect("a file");
    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear Anna,\n").expect("a file");
    let missing = folder.path().join("missing.db");
    for (from, why) in [
        (&damaged, "damaged: page"),
        (&letter, "not a plydex database"),
        (&missing, "cannot be read"),
        (&db, "is an input of this command"),
        (&folder.path().to_path_buf(), ""),
    ] {
        assert_trouble(&run(&db, &["restore", text(from)]), &[why]);
        assert_same(&db, &before);
    }
    // A letter is not replaced either.
    assert_trouble(
        &run(&letter, &["restore", text(&backup)]),
        &["not a plydex database"],
    );
    assert_eq!(fs::read(&letter).expect("a file"), b"Dear Anna,\n");
    assert_eq!(
        names(folder.path()),
        [
            "damaged.db",
            "games.db",
            "games.pgn",
            "letter.txt",
            "weekly.db"
        ]
    );
}

#[test]
fn a_damaged_database_is_replaced_and_kept() {
    let (folder, db) = closed();
    let backup = folder.path().join("weekly.db");
    assert_done(&run(&db, &["backup", text(&backup)]));
    // A killed writer has left a log, and pages are damaged since.
    let store = Store::open(&db, &CancellationToken::default()).expect("opened");
    let other = sqlite(&db);
    other
        .execute_batch("BEGIN; UPDATE identity SET generation = generation + 1; COMMIT")
        .expect("a change");
    let log = fs::read(beside(&db, "-wal")).expect("a log");
    let mut bytes = fs::read(&db).expect("a file");
    drop((other, store));
    for at in (200..bytes.len()).step_by(PAGE) {
        bytes[at] ^= 0x55;
    }
    fs::write(&db, &bytes).expect("a file");
    fs::write(beside(&db, "-wal"), &log).expect("a log");
    assert_done(&run(&db, &["restore", text(&backup)]));
    assert_whole(&db, GAMES);
    // SQLite has written the log into it, or it stands beside it.
    let replaced = fs::read(beside(&db, ".replaced-1")).expect("a file");
    assert_eq!(replaced.len(), bytes.len());
    assert!(replaced[..PAGE] == bytes[..PAGE]);
    assert!(!beside(&db, "-wal").exists());
    assert_trouble(&run(&beside(&db, ".replaced-1"), &["info"]), &["damaged"]);
}

#[test]
fn a_log_that_does_not_belong_is_named() {
    let (folder, db) = closed();
    let backup = folder.path().join("weekly.db");
    fs::copy(&db, &backup).expect("a copy");
    // An import that is killed.
    let store = Store::open(&db, &CancellationToken::default()).expect("opened");
    let other = sqlite(&db);
    other
        .execute_batch(
            "BEGIN; UPDATE identity SET generation = generation + 1; \
             UPDATE player SET name = 'Nobody'; COMMIT",
        )
        .expect("a change");
    let log = fs::read(beside(&db, "-wal")).expect("a log");
    drop((other, store));
    fs::copy(&backup, &db).expect("restored");
    fs::write(beside(&db, "-wal"), &log).expect("a log");
    let ran = run(&db, &["info"]);
    assert_done(&ran);
    assert!(ran.err.contains("games.db-wal.aside-1"), "{ran:?}");
    assert!(ran.err.contains("was moved aside"), "{ran:?}");
    assert_same(&beside(&db, "-wal.aside-1"), &log);
    assert_same(&db, &fs::read(&backup).expect("a file"));
    assert_whole(&db, GAMES);
    let store = Store::open(&db, &CancellationToken::default()).expect("opened");
    assert_eq!(
        changes::check(&store, &NullObserver)
            .expect("a check")
            .problems,
        Vec::<String>::new()
    );
}

#[test]
fn a_database_is_named_by_its_path() {
    let (folder, db) = closed();
    let before = fs::read(&db).expect("a file");
    let pgn = folder.path().join("games.pgn");
    let names_before = names(folder.path());
    let uri = format!("file:{}", text(&db));
    for name in [
        ":memory:",
        "file:x?mode=memory",
        &uri,
        &format!("{uri}?mode=ro"),
        "https://example.org/games.db",
        "s3://games/games.db",
    ] {
        for args in [
            &["import", text(&pgn)][..],
            &["import", text(&pgn), "--report", text(&db), "--force"],
            &["search", "e4"],
            &["info"],
            &["check"],
            &["restore", text(&db)],
        ] {
            let mut command = crate::support::plydex(Path::new(name), args);
            let ran = Ran::from(
                command
                    .current_dir(folder.path())
                    .output()
                    .expect("it runs"),
            );
            assert_eq!(ran.status, Some(2), "{name} {args:?}: {ran:?}");
            assert!(ran.err.contains("hint: "), "{name} {args:?}: {ran:?}");
            assert_same(&db, &before);
            assert_eq!(names(folder.path()), names_before, "{name} {args:?}");
        }
    }
    // With its folder before it, a name is a name.
    for name in ["./:memory:", "./file:games.db"] {
        let mut command = crate::support::plydex(Path::new(name), &["import", text(&pgn)]);
        let ran = Ran::from(
            command
                .current_dir(folder.path())
                .output()
                .expect("it runs"),
        );
        assert_done(&ran);
        assert_whole(&folder.path().join(name), GAMES);
    }
}
