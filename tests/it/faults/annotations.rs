//! Trees and texts whose blocks are sound, and whose content is not: `check` says so, and
//! names the game.

use plydex::changes;
use std::path::{Path, PathBuf};

use rusqlite::params;
use tempfile::TempDir;

use super::text;
use {
    crate::support::{run, sqlite},
    plydex::{
        base::{
            observe::{CancellationToken, NullObserver},
            record::GameId,
        },
        blocks::pages::{BlockFill, RecordBlock, RecordBlockReader, RecordBlockWriter},
        store::Store,
    },
};

const PGN: &str = "1. e4 {a} e5 (1... c5 2. Nf3 {b}) 2. Nf3 $1 *\n\n1. d4 {c} d5 *\n\n1. c4 *\n";

pub(crate) type Records = Vec<(GameId, Vec<u8>)>;

/// The blocks of some records.
fn blocks(records: &Records) -> Vec<RecordBlock> {
    let mut writer = RecordBlockWriter::new(BlockFill::Records);
    let mut blocks = Vec::new();
    let mut each = |block| -> Result<(), ()> {
        blocks.push(block);
        Ok(())
    };
    for (game, record) in records {
        let parts = [record, &[][..], &[]];
        writer.push(*game, parts, &mut each).expect("no error");
    }
    writer.finish(&mut each).expect("no error");
    blocks
}

/// A database of the games above.
fn base() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, db) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
    std::fs::write(&pgn, PGN).expect("a file");
    assert_eq!(run(&db, &["import", text(&pgn)]).status, Some(0));
    (folder, db)
}

/// The records of a table that has one block.
pub(crate) fn records(db: &Path, table: &str) -> Records {
    let other = sqlite(db);
    let sql = format!("SELECT first_game, data FROM {table}");
    let (first, data): (i64, Vec<u8>) = other
        .query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("a block");
    let block = RecordBlockReader::of(first as u64, &data).expect("a block");
    let record = |(game, record): (GameId, &[u8])| (game, record.to_vec());
    block.records().map(record).collect()
}

/// What a check says once a table has these records.
fn problems_with(db: &Path, table: &str, records: &Records) -> Vec<String> {
    replace(db, table, records);
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    changes::check(&store, &NullObserver)
        .expect("a check")
        .problems
}

/// Gives a table other records.
pub(crate) fn replace(db: &Path, table: &str, records: &Records) {
    let other = sqlite(db);
    let sql = format!("DELETE FROM {table}");
    other.execute(&sql, []).expect("a deletion");
    for block in blocks(records) {
        let sql = format!("INSERT INTO {table} VALUES (?1, ?2)");
        let values = params![block.first_game as i64, block.bytes];
        other.execute(&sql, values).expect("a row");
    }
}

/// What a check says of the games above once the records of a table are others.
fn problems(table: &str, change: impl FnOnce(&mut Records)) -> Vec<String> {
    let (_folder, db) = base();
    let mut records = records(&db, table);
    change(&mut records);
    problems_with(&db, table, &records)
}

/// Where the three parts of a small tree begin: places, glyphs, plies, each with its length
/// before it.
fn parts(tree: &[u8]) -> [usize; 3] {
    let nags = 1 + usize::from(tree[0]);
    [0, nags, nags + 1 + usize::from(tree[nags])]
}

#[track_caller]
fn assert_said(problems: &[String], words: &str) {
    let is_said = problems.iter().any(|problem| problem.contains(words));
    assert!(is_said, "`{words}` is missing: {problems:?}");
}

#[test]
fn sound_annotations_are_no_problem() {
    for table in ["tree_block", "text_block"] {
        assert_eq!(problems(table, |_| ()), Vec::<String>::new());
    }
}

#[test]
fn check_finds_texts_that_do_not_fit_their_tree() {
    let gone = problems("text_block", |records| {
        records.remove(1);
    });
    assert_said(&gone, "game 2: its texts are not those of its comments");
    let spare = problems("text_block", |records| {
        let texts = records[1].1.clone();
        records.push((3, texts));
    });
    assert_eq!(spare, ["game 3: its comments and words have no places"]);
    let longer = problems("text_block", |records| records[0].1.push(0));
    assert_said(&longer, "game 1: its texts are not those");
    let foreign = problems("text_block", |records| records.push((9, vec![0, 0, 0])));
    assert_eq!(foreign, ["comments of game 9, but the last game is 3"]);
}

#[test]
fn check_finds_trees_that_do_not_fit_their_games() {
    let spare_glyph = problems("tree_block", |records| {
        let [_, nags, _] = parts(&records[0].1);
        records[0].1[nags] += 1;
        records[0].1.insert(nags + 1, 3);
    });
    assert_said(&spare_glyph, "game 1: its variations do not end");
    // The mark of a comment on the main line becomes that of a variation.
    let open = problems("tree_block", |records| records[1].1[1] |= 2);
    assert_said(&open, "game 2");
    // A variation takes the place of a ply, and none begins there.
    let marked = problems("tree_block", |records| records[1].1[1] |= 8);
    assert_eq!(
        marked,
        ["game 2: the places of its comments and variations are not written as usual"]
    );
    let cut = problems("tree_block", |records| {
        records[0].1.pop();
    });
    assert_said(&cut, "game 1");
    let exchanged = problems("tree_block", |records| {
        let (one, two) = records.split_at_mut(1);
        std::mem::swap(&mut one[0].1, &mut two[0].1);
    });
    assert_said(&exchanged, "game 1");
    assert_said(&exchanged, "game 2");
}

/// Of all plies that could stand in a variation few are legal.
#[test]
fn check_finds_illegal_moves_of_variations() {
    let (_folder, db) = base();
    let whole = records(&db, "tree_block");
    let mut illegal = 0;
    for at in 1..=2 {
        for flip in (1..=255_u8).step_by(3) {
            let mut records = whole.clone();
            let [.., plies] = parts(&records[0].1);
            assert_eq!(records[0].1[plies], 2, "a byte for each ply");
            records[0].1[plies + at] ^= flip;
            let found = problems_with(&db, "tree_block", &records);
            let said = "game 1: a move of one of its variations is illegal";
            illegal += u32::from(found.iter().any(|problem| problem == said));
        }
    }
    assert!(illegal > 20, "{illegal} of 170");
}

#[test]
fn check_finds_blocks_that_overlap() {
    let (_folder, db) = base();
    let other = sqlite(&db);
    let block = &blocks(&vec![(2, vec![0, 0, 0])])[0];
    let values = params![block.first_game as i64, block.bytes];
    other
        .execute("INSERT INTO tree_block VALUES (?1, ?2)", values)
        .expect("a row");
    drop(other);
    let ran = run(&db, &["check"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let words = "variations and places of comments of game 2 are in two blocks";
    assert!(ran.out.contains(words), "{ran:?}");
}
