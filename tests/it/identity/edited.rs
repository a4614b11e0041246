//! Games that were edited are still those that their sources have.

use super::{LONG, TAGS, done, game};
use crate::support::{Base, run};

/// A file beside the database with a text.
fn written(base: &Base, name: &str, text: &str) -> String {
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a name").to_owned()
}

/// A game that was edited is still the one that its source had.
#[test]
fn an_edited_game_is_known_by_its_old_tags_too() {
    let base = Base::new();
    let db = base.folder().join("own.db");
    let write = |name: &str, text: &str| written(&base, name, text);
    let (known, nobody) = (game(TAGS, LONG), game("Event=Training;Result=1-0", LONG));
    let as_edited = game(&TAGS.replace("Müller, Karsten", "Nobody Else"), LONG);
    done(
        &db,
        &[
            "import",
            &write("first.pgn", &[&known[..], &nobody].concat()),
        ],
    );
    let edited = [
        ["edit", "1", "--tag", "White=Somebody"],
        ["edit", "1", "--tag", "White=Else, Nobody"],
        ["edit", "2", "--tag", "Black=Somebody"],
    ];
    for edit in &edited {
        done(&db, edit);
    }
    let stored = |name: &str, text: &str| {
        let told = done(&db, &["import", &write(name, text), "--format", "json"]);
        let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        told["stored"].as_u64().expect("a number")
    };
    assert_eq!(
        stored("again.pgn", &format!("\n{known}{nobody}{as_edited}")),
        0
    );
    // Another database with the old tags brings nothing, either.
    let other = base.folder().join("other.db");
    done(
        &other,
        &["import", &write("other.pgn", &format!("\n\n{known}"))],
    );
    let merged = done(
        &db,
        &["merge", other.to_str().expect("a name"), "--format", "json"],
    );
    assert!(merged.contains("\"stored\": 0"), "{merged}");
    // Once the edits are undone the new tags say nothing any more, and the old ones do.
    for change in ["4", "3", "2"] {
        done(&db, &["undo", change]);
    }
    assert_eq!(stored("old.pgn", &format!("\n\n\n{known}{nobody}")), 0);
    assert_eq!(stored("new.pgn", &format!("\n{as_edited}")), 1);
}

/// What was corrected by hand is not given up for a record that has more.
#[test]
fn a_corrected_game_is_kept_where_the_best_record_is() {
    let base = Base::new();
    let db = base.folder().join("own.db");
    let write = |name: &str, text: &str| written(&base, name, text);
    let count = |args: &[&str]| {
        let all = [&["search", "--count"][..], args].concat();
        run(&db, &all).out.trim().to_owned()
    };
    done(&db, &["import", &write("first.pgn", &game(TAGS, LONG))]);
    done(&db, &["edit", "1", "--tag", "Annotator=Corrected"]);
    let richer = game(TAGS, &LONG.replace("1. e4", "1. e4 {best by test}"));
    let best = |name: &str, text: &str| {
        let args = ["import", "--duplicates", "best", &write(name, text)];
        done(&db, &args)
    };
    let told = best("richer.pgn", &richer);
    assert!(told.contains("is game 1"), "{told}");
    assert_eq!(count(&["--games", "1"]), "1");
    assert_eq!(count(&[]), "1");
    // Of a longer record the moves are kept, too.
    best("longer.pgn", &game(TAGS, &format!("{LONG} 13. Nf1")));
    assert_eq!(count(&["--games", "1"]), "1");
    assert_eq!(count(&[]), "2");
    // Nor does a dedupe remove it, nor a merge.
    let all = [
        "import",
        "--duplicates",
        "keep",
        &write("again.pgn", &format!("\n{richer}")),
    ];
    done(&db, &all);
    done(&db, &["dedupe", "--yes"]);
    assert_eq!(
        (count(&["--games", "1"]), count(&[])),
        ("1".into(), "2".into())
    );
    run(&db, &["dedupe", "--parts", "--yes"]);
    assert_eq!(count(&["--games", "1"]), "1");
    let other = base.folder().join("other.db");
    done(
        &other,
        &["import", &write("other.pgn", &format!("\n\n{richer}"))],
    );
    let other = other.to_str().expect("a name");
    done(&db, &["merge", "--duplicates", "best", other]);
    assert_eq!(count(&["--tag", "Annotator=Corrected"]), "1");
    assert_eq!(count(&["--games", "1"]), "1");
}
