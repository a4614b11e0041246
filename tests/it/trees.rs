//! Trees of moves: how far they go, and which moves are in them.

use std::{fmt::Write as _, path::PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::run;

/// A database of some text, in a folder that goes with it.
pub(super) fn base_of(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, text).expect("a file");
    let db = folder.path().join("games.db");
    let imported = run(&db, &["import", file.to_str().expect("a name")]);
    assert_eq!(imported.status, Some(0), "{}", imported.err);
    (folder, db)
}

/// The moves of a tree's only line.
fn only_line(mut tree: &Value) -> Vec<&str> {
    let mut line = Vec::new();
    while let Some(moves) = tree["moves"].as_array().filter(|moves| !moves.is_empty()) {
        assert_eq!(moves.len(), 1, "{tree}");
        assert_eq!(moves[0]["games"], 1, "{tree}");
        line.push(moves[0]["san"].as_str().expect("a move"));
        tree = &moves[0]["after"];
    }
    line
}

#[test]
fn trees_go_on_behind_null_moves() {
    for (text, variant, start, line, written) in [
        (
            "1. e4 -- 2. d4 d5 3. Nc3 *\n",
            "chess",
            "startpos",
            &["e4", "--", "d4", "d5", "Nc3"][..],
            "1. e4 {1 game} 1... -- {1 game} 2. d4",
        ),
        (
            "[GameType \"20\"]\n\n1. 32-28 -- 2. 31-26 19-23 *\n",
            "international",
            "32-28",
            &["...", "31-26", "19-23"],
            "2. 31-26",
        ),
        (
            "[Variant \"Atomic\"]\n\n1. e4 e5 2. -- Nf6 *\n",
            "atomic",
            "e4 e5",
            &["--", "Nf6"],
            "2. -- {1 game} 2... Nf6",
        ),
    ] {
        let (_folder, db) = base_of(text);
        let args = [
            "tree",
            start,
            "--variant",
            variant,
            "--depth",
            "5",
            "--min-games",
            "1",
        ];
        let tree = run(&db, &[&args[..], &["--format", "json"]].concat());
        let tree: Value = serde_json::from_str(&tree.out).expect("JSON");
        assert_eq!(only_line(&tree), line);
        let pgn = run(&db, &[&args[..], &["--format", "pgn"]].concat()).out;
        assert!(pgn.contains(written), "{pgn}");
    }
}

/// What was typed as moves may pass the turn, too, and it is said.
#[test]
fn null_moves_are_typed_as_in_games() {
    let (_folder, db) = base_of("1. e4 -- 2. d4 d5 3. Nc3 *\n");
    for moves in ["e4 -- d4", "1.e4 Z0 2.d4", "e2e4 0000 d2d4", "e4 null d4"] {
        let found = run(&db, &["search", moves, "--format", "json"]);
        let answer: Value = serde_json::from_str(&found.out).expect("JSON");
        assert_eq!(answer["hits"][0]["ply"], 3, "{moves}: {}", found.err);
        assert_eq!(answer["hits"][0]["next_move"], "d5");
        assert!(found.err.contains("null move"), "{}", found.err);
    }
    // Positions behind it may have names.
    let named = run(&db, &["eco", "e4 -- d3 e5 d4"]);
    assert!(named.out.contains("Center Game"), "{}", named.out);
}

/// Without a number of games, moves of fewer than one in a hundred games of the first position are
/// left out.
#[test]
fn rare_moves_are_left_out_of_deep_trees() {
    let mut text = String::new();
    for (games, first) in [(98, "e4"), (1, "d4"), (2, "c4")] {
        for game in 0..games {
            let _ = write!(text, "[White \"{first} {game}\"]\n\n1. {first} *\n\n");
        }
    }
    let (_folder, db) = base_of(&text);
    let moves = |args: &[&str]| -> Vec<String> {
        let ran = run(&db, &[&["tree", "--format", "json"], args].concat());
        let tree: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(tree["total"]["games"], 101);
        let moves = tree["moves"].as_array().expect("moves").iter();
        moves
            .map(|line| line["san"].as_str().expect("a move").to_owned())
            .collect()
    };
    assert_eq!(moves(&[]), ["e4", "c4", "d4"]);
    // One of 101 games is less than that.
    assert_eq!(moves(&["--depth", "2"]), ["e4", "c4"]);
    assert_eq!(
        moves(&["--depth", "2", "--min-games", "1"]),
        ["e4", "c4", "d4"]
    );
}

/// A number before a position is not passed over.
#[test]
fn a_game_and_a_position_are_not_one_question() {
    let (_folder, db) = base_of("1. e4 e5 *\n\n[White \"x\"]\n\n1. d4 d5 *\n");
    for words in [&["17", "e4"][..], &["#1", "e4"], &["17 e4"]] {
        let ran = run(&db, &[&["novelty"], words].concat());
        assert_eq!(ran.status, Some(2), "{words:?}: {}", ran.out);
        assert!(ran.err.contains("names a game"), "{words:?}: {}", ran.err);
        assert!(ran.err.contains("--games"), "{}", ran.err);
    }
    for words in [&["1"][..], &["#1"], &["1", "e4", "e5"], &["1.", "e4"]] {
        let ran = run(&db, &[&["novelty"], words].concat());
        assert_eq!(ran.status, Some(0), "{words:?}: {}", ran.err);
    }
}
