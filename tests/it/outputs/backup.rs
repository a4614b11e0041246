//! `plydex backup`: one state of the database, in one file.

use std::{io::Read as _, path::Path};

use super::names;
use crate::{
    faults::{GAMES, assert_trouble, assert_whole, closed, text},
    support::{plydex, run, sqlite},
};

/// The modes of reading and writing in the header of a database: 1 without a
/// write-ahead log, 2 with one.
fn modes(db: &Path) -> [u8; 2] {
    let bytes = std::fs::read(db).expect("a database");
    [bytes[18], bytes[19]]
}

#[test]
fn a_backup_is_the_database_in_one_file() {
    let (folder, db) = closed();
    let copy = folder.path().join("copy.db");
    let ran = run(&db, &["backup", text(&copy)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.err.contains("written to"), "{ran:?}");
    assert_eq!(names(folder.path()), ["copy.db", "games.db", "games.pgn"]);
    assert_whole(&copy, GAMES);
    assert_eq!(modes(&copy), [1, 1]);
    // And so it is while somebody writes, by way of a log.
    let other = sqlite(&db);
    other
        .pragma_update(None, "journal_mode", "WAL")
        .expect("a log");
    assert_eq!(modes(&db), [2, 2]);
    other
        .execute_batch("BEGIN IMMEDIATE; UPDATE segment SET key_version = key_version + 1")
        .expect("a change");
    let ran = run(&db, &["backup", "--force", text(&copy)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    drop(other);
    assert_eq!(modes(&copy), [1, 1]);
    assert_whole(&copy, GAMES);
}

#[test]
fn a_backup_can_be_compressed_or_sent_on() {
    let (folder, db) = closed();
    let unpacked = folder.path().join("unpacked.db");
    for name in ["copy.db.zst", "copy.db.gz"] {
        let copy = folder.path().join(name);
        assert_eq!(run(&db, &["backup", text(&copy)]).status, Some(0));
        let file = std::fs::File::open(&copy).expect("a file");
        let mut bytes = Vec::new();
        if name.ends_with("gz") {
            flate2::read::GzDecoder::new(file).read_to_end(&mut bytes)
        } else {
            zstd::Decoder::new(file)
                .expect("zstd")
                .read_to_end(&mut bytes)
        }
        .expect("compressed bytes");
        std::fs::write(&unpacked, bytes).expect("a file");
        assert_whole(&unpacked, GAMES);
    }
    let sent = plydex(&db, &["backup", "-"]).output();
    let sent = sent.expect("the program runs");
    assert_eq!(sent.status.code(), Some(0), "{sent:?}");
    std::fs::write(&unpacked, sent.stdout).expect("a file");
    assert_whole(&unpacked, GAMES);
}

/// `SQLite` would take the journal of another database for that of the copy.
#[test]
fn a_journal_under_the_name_of_the_copy_is_heeded() {
    let (folder, db) = closed();
    let copy = folder.path().join("copy.db");
    for journal in ["copy.db-journal", "copy.db-wal"] {
        let journal = folder.path().join(journal);
        std::fs::write(&journal, "what a crash has left").expect("a file");
        let ran = run(&db, &["backup", text(&copy)]);
        assert_trouble(&ran, &[text(&journal), "belongs to", "hint:"]);
        std::fs::remove_file(&journal).expect("a file");
    }
    assert!(!copy.exists());
}

#[test]
fn a_backup_of_no_database_makes_no_file() {
    let (folder, db) = closed();
    let copy = folder.path().join("copy.db");
    let missing = folder.path().join("none.db");
    let ran = run(&missing, &["backup", text(&copy)]);
    assert_trouble(&ran, &["none.db: no such database"]);
    let ran = run(&db.with_file_name("games.pgn"), &["backup", text(&copy)]);
    assert_trouble(&ran, &["not a plydex database"]);
    assert_eq!(names(folder.path()), ["games.db", "games.pgn"]);
}
