//! Damaged databases that hold draughts: nothing panics, and `check` says so.

use plydex::changes;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{
    damage::{BLOCKS, block, put},
    text,
};
use {
    crate::support::{one_in, root, run, sqlite},
    plydex::{
        base::observe::NullObserver,
        games::{
            AnyPosition,
            draughts::{Draughts, rows::ALL},
            notation::letters::ENGLISH,
            symmetry::Symmetry,
        },
        query::PositionQuery,
        search::{self, AccessPlan, GameConditions, GameReader, MoveNotation, PatternQuery},
        store::Store,
    },
};

/// All sample games of draughts, some of them more than once so that positions
/// are listed, in a database that is closed.
fn closed() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    for copy in 0..9 {
        let files: &[&str] = match copy {
            0 => &["kinds.pdn", "problems.pdn", "classics.pdn", "mangled.pdn"],
            _ => &["kinds.pdn"],
        };
        for file in files {
            let games = std::fs::read_to_string(root().join("sample-data/pdn").join(file));
            let games = games.expect("sample data");
            let path = folder.path().join(format!("{copy}-{file}"));
            let event = format!("[Event \"{copy} ");
            std::fs::write(&path, games.replace("[Event \"", &event)).expect("a file");
        }
    }
    let ran = run(
        &db,
        &["import", "--duplicates", "keep", text(folder.path())],
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
}

/// Asks everything that answers with plies; errors are fine, panics are not.
fn ask_everything(db: &std::path::Path) {
    let Ok(store) = Store::open(db, &plydex::base::observe::CancellationToken::default()) else {
        return;
    };
    for name in ["international", "russian", "turkish", "italian"] {
        let variant = ALL.iter().find(|row| row.name == name).expect("a variant");
        let start = Draughts::start(variant);
        let mut later = start;
        let first = plydex::games::draughts::rules::moves(
            &later.position,
            &variant.rules,
            plydex::games::Budget::default(),
        );
        later.position.play(&first.expect("few moves")[0]);
        for at in [start, later] {
            let position = PositionQuery {
                in_variations: true,
                symmetries: vec![Symmetry::Rotate],
                ..PositionQuery::of(AnyPosition::from(at))
            };
            let _ = search::tree(&store, &position, &GameConditions::default(), ENGLISH);
            let query = AccessPlan {
                position: Some(position),
                ..AccessPlan::default()
            };
            let _ = search::search(&store, &query, MoveNotation::default());
        }
    }
    let expr = "rotate (men:3v3)".parse().expect("a query");
    let mut asked = PatternQuery::of("men:3v3", expr);
    if let Ok(Ok(_)) = search::prepare(&store, (&GameConditions::default(), None), &mut asked) {
        let query = AccessPlan {
            pattern: Some(asked),
            ..AccessPlan::default()
        };
        let _ = search::search(&store, &query, MoveNotation::default());
    }
    let mut games = GameReader::new(&store);
    for id in [1, 5, 9, 20, 38] {
        if let Ok(Some(game)) = games.game(id) {
            plydex::pgn::writer::write(&game, &mut String::new());
        }
        let _ = games.board_at(id, None);
    }
    let _ = changes::check(&store, &NullObserver);
}

#[test]
fn damaged_blocks_of_draughts_never_panic() {
    let (_folder, db) = closed();
    let connection = sqlite(&db);
    connection
        .execute_batch("PRAGMA synchronous = OFF")
        .expect("a pragma");
    ask_everything(&db);
    let mut panics = Vec::new();
    let mut unnoticed = 0;
    let mut cases = 0;
    for (table, number) in BLOCKS {
        let (id, whole) = block(&connection, table, number);
        // Above all the moves: they are what is replayed.
        let count = if *table == "move_block" { 30 } else { 4 };
        let step = (whole.len() / count).max(1) * one_in(2);
        let mut damaged: Vec<Vec<u8>> = vec![whole[..whole.len() / 2].to_vec()];
        for at in (0..whole.len()).step_by(step) {
            for byte in [!whole[at], 0xfa] {
                let mut data = whole.clone();
                data[at] = byte;
                damaged.push(data);
            }
        }
        for (case, data) in damaged.iter().enumerate() {
            put(&connection, table, number, id, data);
            if catch_unwind(AssertUnwindSafe(|| ask_everything(&db))).is_err() {
                panics.push(format!("{table}, case {case}"));
            }
            let store = Store::open(&db, &plydex::base::observe::CancellationToken::default())
                .expect("a database");
            cases += 1;
            unnoticed += usize::from(
                *data != whole
                    && changes::check(&store, &NullObserver)
                        .is_ok_and(|report| report.problems.is_empty()),
            );
        }
        put(&connection, table, number, id, &whole);
    }
    assert!(panics.is_empty(), "{}", panics.join("\n"));
    assert_eq!(unnoticed, 0, "of {cases}");
}
