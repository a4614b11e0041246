//! Damaged databases: `check` finds it and says where, and nothing panics.

use plydex::changes;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;

use super::{archive, assert_trouble, closed, text};
use {
    crate::support::{one_in, run, sqlite},
    plydex::{
        base::observe::NullObserver,
        games::position_input::{self, ExpectedVariants},
        query::PositionQuery,
        search::{self, AccessPlan, GameReader, MoveNotation},
        store::Store,
    },
};

/// The tables of packed blocks, with their numbers.
pub(super) const BLOCKS: &[(&str, &str)] = &[
    ("posting_block", "id"),
    ("hot_block", "id"),
    ("move_block", "first_game"),
    ("fact_block", "first_game"),
    ("tree_block", "first_game"),
    ("text_block", "first_game"),
];

pub(super) fn block(db: &Connection, table: &str, number: &str) -> (i64, Vec<u8>) {
    let sql = format!("SELECT {number}, data FROM {table} ORDER BY {number} LIMIT 1");
    db.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("a block")
}

pub(super) fn put(db: &Connection, table: &str, number: &str, id: i64, data: &[u8]) {
    let sql = format!("UPDATE {table} SET data = ?2 WHERE {number} = ?1");
    db.execute(&sql, rusqlite::params![id, data])
        .expect("an update");
}

/// Asks almost everything of a database (the tree: see `regressions.rs`); errors are fine, panics are not.
fn ask_everything(db: &std::path::Path) {
    let Ok(store) = Store::open(db, &plydex::base::observe::CancellationToken::default()) else {
        return;
    };
    for line in ["startpos", "e4 c5", "d4 d5 c4", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"] {
        let position = position_input::read_position(line, &ExpectedVariants::default())
            .expect("a position")
            .at;
        for in_variations in [false, true] {
            let position = PositionQuery {
                in_variations,
                ..PositionQuery::of(position.clone())
            };
            let query = AccessPlan {
                position: Some(position),
                ..AccessPlan::default()
            };
            let _ = search::search(&store, &query, MoveNotation::default());
        }
    }
    let mut games = GameReader::new(&store);
    for id in 1..=5 {
        let _ = games.game(id);
        let _ = games.board_at(id, None);
    }
    let _ = changes::check(&store, &NullObserver);
}

#[test]
fn check_finds_damage_in_every_kind_of_block() {
    for (table, number) in BLOCKS {
        let (_folder, db) = closed();
        let connection = sqlite(&db);
        let (id, mut data) = block(&connection, table, number);
        let middle = data.len() / 2;
        data[middle] ^= 0x15;
        put(&connection, table, number, id, &data);
        drop(connection);
        let ran = run(&db, &["check"]);
        assert_eq!(ran.status, Some(2), "{table}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{table}: {ran:?}");
        let told = ran.out + &ran.err;
        assert!(
            told.contains("game") || told.contains("segment"),
            "{table}: {told}"
        );
    }
}

#[test]
fn check_finds_what_is_missing() {
    for sql in [
        "DELETE FROM posting_block WHERE id = (SELECT max(id) FROM posting_block)",
        "DELETE FROM hot_block",
        "DELETE FROM game_row WHERE id = 7",
        "UPDATE game_row SET result = (result + 1) % 4 WHERE id = 7",
        "UPDATE game_row SET plies = plies + 1 WHERE id = 7",
        "DELETE FROM segment",
    ] {
        let (_folder, db) = closed();
        let connection = sqlite(&db);
        connection
            .execute_batch(&format!("PRAGMA foreign_keys = 0; {sql}"))
            .expect("an update");
        drop(connection);
        let ran = run(&db, &["check"]);
        assert_eq!(ran.status, Some(2), "{sql}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{sql}: {ran:?}");
    }
}

/// Bits flip one after another in every kind of block; answers may be wrong or
/// errors, but the program goes on.
#[test]
fn damaged_blocks_never_panic() {
    let (_folder, db) = closed();
    let connection = sqlite(&db);
    connection
        .execute_batch("PRAGMA synchronous = OFF")
        .expect("a pragma");
    let mut panics = Vec::new();
    for (table, number) in BLOCKS {
        let (id, whole) = block(&connection, table, number);
        let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), whole[..whole.len() / 2].to_vec()];
        let step = (whole.len() / 25).max(1) * one_in(3);
        for at in (0..40)
            .step_by(one_in(2))
            .chain((40..whole.len()).step_by(step))
            .take_while(|&at| at < whole.len())
        {
            for flip in [0xff, 0x01] {
                let mut data = whole.clone();
                data[at] ^= flip;
                damaged.push(data);
            }
        }
        for (case, data) in damaged.iter().enumerate() {
            put(&connection, table, number, id, data);
            if catch_unwind(AssertUnwindSafe(|| ask_everything(&db))).is_err() {
                panics.push(format!("{table}, case {case}"));
            }
        }
        put(&connection, table, number, id, &whole);
    }
    assert!(
        panics.is_empty(),
        "{} panics:\n{}",
        panics.len(),
        panics.join("\n")
    );
    ask_everything(&db);
}

#[test]
fn a_cut_database_is_said_to_be_damaged() {
    let (folder, db) = closed();
    let whole = std::fs::read(&db).expect("a file");
    for part in [200, 5_000, whole.len() / 3, whole.len() - 4_096] {
        std::fs::write(&db, &whole[..part]).expect("a file");
        let ran = run(&db, &["check"]);
        assert_trouble(&ran, &[]);
        assert!(!ran.err.contains("run `plydex check`"), "{part}: {ran:?}");
        let told = format!("{}{}", ran.out, ran.err);
        assert!(
            told.contains("games.db") || told.contains("page"),
            "{part}: {told}"
        );
        let found = run(&db, &["search", "e4"]);
        assert!(!found.err.contains("panicked"), "{found:?}");
        let pgn = folder.path().join("more.pgn");
        std::fs::write(&pgn, archive(1)).expect("a file");
        let ran = run(&db, &["import", text(&pgn)]);
        assert!(!ran.err.contains("panicked"), "{ran:?}");
    }
}
