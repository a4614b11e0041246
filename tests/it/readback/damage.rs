//! Records whose bytes are wrong, on pages that are sound: what is left of a database is
//! exported, and no command carries them on without a word.

use plydex::changes;
use std::path::{Path, PathBuf};

use rusqlite::params;
use tempfile::TempDir;

use {
    crate::{
        faults::annotations::{records, replace},
        support::{Ran, run, sqlite},
    },
    plydex::{
        base::observe::{CancellationToken, NullObserver},
        blocks::fingerprint,
        replay::FullGameReader,
        search::GameReader,
        store::Store,
    },
};

/// The second and the third are one game, of which the second record has more.
const PGN: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {a} e5 (1... c5 2. Nf3 {b}) 2. Nf3 $1 *\n\n\
    [White \"Cid\"]\n[Black \"Dan\"]\n[Date \"1999.01.02\"]\n[Round \"3\"]\n\n\
    1. d4 {the better} d5 (1... Nf6 {move}) 2. c4 $5 e6 3. Nc3 1-0\n\n\
    [White \"Cid\"]\n[Black \"Dan\"]\n[Date \"1999.01.02\"]\n[Round \"3\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 1-0\n\n";

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A database of these games.
fn base() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, db) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
    std::fs::write(&pgn, PGN).expect("a file");
    let ran = run(&db, &["import", "--duplicates", "keep", text(&pgn)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
}

/// Gives the games of a database the checksums of what they are now.
fn verify_checksum(db: &Path) {
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    let mut games = FullGameReader::new(&store);
    let prints: Vec<_> = (1..=3)
        .map(|game| games.sum(game).expect("a whole game"))
        .collect();
    drop(store);
    let other = sqlite(db);
    let block = fingerprint::write(&prints);
    let changed = other.execute("UPDATE print_block SET data = ?1", params![block]);
    assert_eq!(changed, Ok(1));
}

/// A database whose second game has a tree that is none, with and without its checksum.
fn damaged(is_vouched: bool) -> (TempDir, PathBuf) {
    let (folder, db) = base();
    let mut trees = records(&db, "tree_block");
    assert_eq!(trees[1].0, 2);
    // A comment becomes the begin of a variation.
    trees[1].1[1] |= 2;
    replace(&db, "tree_block", &trees);
    if is_vouched {
        verify_checksum(&db);
    }
    (folder, db)
}

#[track_caller]
fn assert_told(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for word in words {
        let is_there = ran.err.contains(word) || ran.out.contains(word);
        assert!(is_there, "`{word}` is missing: {ran:?}");
    }
}

#[test]
fn an_export_leaves_out_what_cannot_be_read_and_says_so() {
    for is_vouched in [true, false] {
        let (folder, db) = damaged(is_vouched);
        assert_told(&run(&db, &["check"]), &["game 2: "]);
        assert_told(&run(&db, &["show", "2"]), &["game 2", "plydex check"]);
        let said = [
            "game 2 is left out",
            "a.db: 1 game is missing from the export",
            "plydex check",
        ];
        for args in [
            &["export"][..],
            &["search", "--format", "pgn", "--limit", "0"],
        ] {
            let ran = run(&db, args);
            assert_told(&ran, &said);
            assert_eq!(ran.out.matches("[White ").count(), 2, "{ran:?}");
            assert!(
                ran.out.contains("{a} 1... e5") && !ran.out.contains("better"),
                "{ran:?}"
            );
        }
        let file = folder.path().join("out.pgn");
        let ran = run(&db, &["export", "--output", text(&file)]);
        assert_told(&ran, &said);
        assert!(ran.err.contains("2 games written to"), "{ran:?}");
        let written = std::fs::read_to_string(&file).expect("a file");
        assert_eq!(written, run(&db, &["export"]).out);
        let quiet = run(&db, &["export", "--quiet"]);
        assert_told(&quiet, &["1 game is missing"]);
        for format in ["epd", "problem", "popeye", "olive"] {
            assert_told(&run(&db, &["export", "--format", format]), &said);
        }
        // What was asked for is whole.
        let whole = run(&db, &["export", "--white", "Ann"]);
        assert_eq!(whole.status, Some(0), "{whole:?}");
        // Of games none of which can be read no file is made.
        let none = folder.path().join("none.pgn");
        let args = ["export", "--games", "2", "--output", text(&none)];
        assert_told(&run(&db, &args), &["1 game is missing"]);
        assert!(!none.exists());
    }
}

#[test]
fn nothing_carries_on_what_cannot_be_read() {
    let (folder, db) = damaged(true);
    let into = folder.path().join("into.db");
    let pgn = folder.path().join("b.pgn");
    std::fs::write(&pgn, "[White \"Eve\"]\n\n1. c4 {c} *\n\n").expect("a file");
    assert_eq!(run(&into, &["import", text(&pgn)]).status, Some(0));
    let before = run(&into, &["export"]).out;
    assert_told(
        &run(&into, &["merge", text(&db)]),
        &["game 2: ", "plydex check"],
    );
    assert_eq!(run(&into, &["export"]).out, before);
    assert_eq!(run(&into, &["check"]).status, Some(0));

    // The record that would stay cannot be read, the one that would go can.
    assert_told(&run(&db, &["dedupe", "--yes"]), &["game 2", "plydex check"]);
    let count = run(&db, &["search", "--count"]);
    assert_eq!(count.out.trim(), "3", "{count:?}");

    let asked = "SELECT count(*) FROM comments";
    assert_told(&run(&db, &["sql", asked]), &["game 2", "plydex check"]);
    let tables = folder.path().join("tables.db");
    assert_told(
        &run(&db, &["unpack", "--output", text(&tables)]),
        &["game 2", "plydex check"],
    );
    assert!(!tables.exists());
}

/// Glyphs of databases that were written before they had a bound.
#[test]
fn large_glyphs_of_before_are_shown_and_exported() {
    let (_folder, db) = base();
    let mut trees = records(&db, "tree_block");
    let tree = &mut trees[1].1;
    let nags = 1 + usize::from(tree[0]);
    assert_eq!(tree[nags..nags + 2], [1, 5]);
    // 70,000 as a varint.
    tree.splice(nags..nags + 2, [3, 0xf0, 0xa2, 0x04]);
    replace(&db, "tree_block", &trees);
    verify_checksum(&db);
    let checked = run(&db, &["check"]);
    assert_eq!(checked.status, Some(0), "{checked:?}");
    for args in [&["export"][..], &["show", "2", "--format", "pgn"]] {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.out.contains("2. c4 $70000 e6"), "{ran:?}");
    }
}

/// What a check passes can be shown, however its bytes came to be.
#[test]
fn what_a_check_passes_can_be_shown() {
    let (_folder, db) = base();
    let mut passed = 0;
    for table in ["tree_block", "text_block"] {
        let whole = records(&db, table);
        let bytes = whole[1].1.len();
        for at in (0..bytes).step_by(bytes.div_ceil(12)) {
            for flip in [1, 2, 8, 0x80] {
                let mut changed = whole.clone();
                changed[1].1[at] ^= flip;
                replace(&db, table, &changed);
                verify_checksum(&db);
                let store = Store::open(&db, &CancellationToken::default()).expect("a database");
                let report = changes::check(&store, &NullObserver).expect("a check");
                let shown = GameReader::new(&store).game(2);
                if report.problems.is_empty() {
                    passed += 1;
                    assert!(shown.is_ok(), "{table}, byte {at}, {flip}: {shown:?}");
                }
            }
        }
        replace(&db, table, &whole);
    }
    assert!(passed > 5, "{passed}");
}
