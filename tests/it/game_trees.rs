//! A game as a tree says the same as its movetext, and has the position of every place in it.

use std::fmt::Write as _;

use plydex::{Database, MoveNotation};
use serde_json::Value;

use crate::support::{Base, every_game, root, run};

/// Variations that are lines of a tree.
const DEPTH_MAX: usize = 32;

fn json(db: &std::path::Path, game: u64, format: &str) -> Value {
    let ran = run(db, &["show", &game.to_string(), "--format", format]);
    // The parser of serde_json accepts 128 levels.
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("game {game}: {error}: {ran:?}"))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// The places of a line and of its variations, as `show --ply` names them, with their FENs.
fn places(moves: &[Value], line: &str, found: &mut Vec<(String, String)>) {
    for node in moves.iter().filter(|node| node["ply"].is_number()) {
        let ply = node["ply"].as_u64().expect("a ply");
        let place = format!("{line}{ply}");
        let fen = node["fen"].as_str().expect("a FEN");
        found.push((place, fen.to_owned()));
        // What is kept as text has no number.
        let is_line = |line: &&Value| line[0]["ply"].is_number() || line[0].get("rest").is_none();
        for (nth, variation) in list(node, "variations").iter().filter(is_line).enumerate() {
            let variation = variation.as_array().expect("moves");
            places(variation, &format!("{line}{ply}.{}/", nth + 1), found);
        }
    }
}

/// The moves and glyphs of the main line, and the values of its comments: from the movetext.
fn of_items(game: &Value) -> Vec<String> {
    let mut told = Vec::new();
    for item in list(game, "items") {
        if let Some(text) = item["move"].as_str() {
            told.push(text.to_owned());
        } else if let Some(nag) = item["nag"].as_u64() {
            told.push(format!("${nag}"));
        } else if let (Some(values), false) = (item.get("values"), told.is_empty()) {
            if let Some(seconds) = values["clk_seconds"].as_f64() {
                told.push(format!("clock {seconds}"));
            }
            if let Some(pawns) = values["eval_pawns"].as_f64() {
                told.push(format!("eval {}", (pawns * 100.0).round()));
            }
        }
    }
    told
}

/// The same from the tree.
fn of_tree(tree: &Value) -> Vec<String> {
    let mut told = Vec::new();
    for node in list(tree, "moves") {
        told.push(node["san"].as_str().expect("a move").to_owned());
        told.extend(list(node, "nags").iter().map(|nag| format!("${nag}")));
        if let Some(seconds) = node["clock"].as_f64() {
            told.push(format!("clock {seconds}"));
        }
        if let Some(hundredths) = node["eval"]["cp"].as_f64() {
            told.push(format!("eval {hundredths}"));
        }
    }
    told
}

/// Compares the trees of all games with their movetext, and each position with that of its place.
fn compare(base: &Base) -> (usize, usize) {
    let db = base.folder().join("test.db");
    let database = Database::open(&db).expect("a database");
    let snapshot = database.snapshot().expect("a snapshot");
    let mut reader = snapshot.reader(MoveNotation::default());
    let (mut positions, mut inside) = (0, 0);
    for game in 1..=snapshot.last_game().expect("a number") {
        let (items, tree) = (json(&db, game, "json"), json(&db, game, "tree"));
        for name in ["header", "tags", "first_move", "result", "provenance"] {
            assert_eq!(items[name], tree[name], "game {game}: {name}");
        }
        assert_eq!(of_tree(&tree), of_items(&items), "game {game}");
        let rest = list(&items, "items")
            .iter()
            .find_map(|item| item.get("rest"));
        assert_eq!(tree.get("rest"), rest, "game {game}");
        let mut found = Vec::new();
        if let Some(fen) = tree["start"]["fen"].as_str() {
            found.push(("0".to_owned(), fen.to_owned()));
        }
        places(list(&tree, "moves"), "", &mut found);
        for (place, fen) in found {
            let at = place.parse().expect("a place");
            let board = reader.board_at(game, Some(&at)).expect("a board");
            let board = board.unwrap_or_else(|| panic!("game {game} has no place {place}"));
            assert_eq!(board.fen, fen, "game {game} at {place}");
            positions += 1;
            inside += usize::from(place.contains('/'));
        }
    }
    (positions, inside)
}

#[test]
fn trees_have_the_movetext_and_its_positions() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], every_game());
    let (positions, inside) = compare(&base);
    assert!(positions > 5_900 && inside > 20, "{positions}, {inside}");
}

#[test]
fn comments_are_words_and_values() {
    let pgn = "{Before. [%csl Ra1]} 1. e4 $1 $14 {[%clk 0:01:30.5] good [%cal Gd2d4,Re4e5]} (1. d4 d5 {mine}) \
               ({first} 1. c4 {[%eval -0.3,22]} e5 (1... c5 2. g3)) e5 {[%eval #-3]} 2. Nf3 zzz {+0.31/12 2.3s} *";
    let base = Base::of(pgn.as_bytes());
    let tree = json(&base.folder().join("test.db"), 1, "tree");
    assert_eq!(tree["start"]["comments"], serde_json::json!(["Before."]));
    let shape = |from: &str, color: &str| serde_json::json!({ "from": from, "color": color });
    assert_eq!(
        tree["start"]["shapes"],
        serde_json::json!([shape("a1", "R")])
    );
    let first = &tree["moves"][0];
    assert_eq!(first["nags"], serde_json::json!([1, 14]));
    assert_eq!(first["comments"], serde_json::json!(["good"]));
    assert_eq!(first["clock"], 90.5);
    let arrows = serde_json::json!([
        { "from": "d2", "to": "d4", "color": "G" },
        { "from": "e4", "to": "e5", "color": "R" },
    ]);
    assert_eq!(first["shapes"], arrows);
    let variations = list(first, "variations");
    assert_eq!(variations[0][1]["comments"], serde_json::json!(["mine"]));
    let english = &variations[1][0];
    assert_eq!(english["before"], serde_json::json!(["first"]));
    assert_eq!(
        english["eval"],
        serde_json::json!({ "cp": -30, "depth": 22 })
    );
    assert_eq!(english["opening"]["name"], "English Opening");
    assert_eq!(variations[1][1]["variations"][0][1]["uci"], "g2g3");
    assert_eq!(tree["moves"][1]["eval"], serde_json::json!({ "mate": -3 }));
    let last = &tree["moves"][2];
    assert_eq!(last["comments"], serde_json::json!(["zzz"]));
    assert_eq!(last["spent"], 2.3);
}

/// Variations that are nested deeper than a reader of JSON goes are text.
#[test]
fn deep_variations_are_text() {
    let mut pgn = "1. e4".to_owned();
    for depth in 0..60 {
        write!(pgn, " (1. {}3", ["a", "b", "c", "d"][depth % 4]).expect("memory");
    }
    pgn.push_str(&")".repeat(60));
    pgn.push_str(" e5 *");
    let base = Base::of(pgn.as_bytes());
    let tree = json(&base.folder().join("test.db"), 1, "tree");
    let (mut node, mut depth) = (&tree["moves"][0], 0);
    while node["variations"][0][0]["ply"].is_number() {
        node = &node["variations"][0][0];
        depth += 1;
    }
    assert_eq!(depth, DEPTH_MAX);
    let rest = node["variations"][0][0]["rest"].as_str().expect("a text");
    assert!(rest.starts_with("1. a3 (1. b3 (1. c3"), "{rest}");
    assert_eq!(rest.matches('(').count(), 60 - DEPTH_MAX - 1, "{rest}");
    assert_eq!(tree["moves"][1]["san"], "e5");
    let (positions, inside) = compare(&base);
    assert_eq!((positions, inside), (3 + DEPTH_MAX, DEPTH_MAX));
}
