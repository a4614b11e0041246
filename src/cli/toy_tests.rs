//! A game that is added as ARCHITECTURE.md has it can be imported, found, listed, shown,
//! exported and counted: nothing outside its folder, the list and the registry knows it.

use super::stopped_tests;
use crate::base::observe::CancellationToken;

/// What a command prints that is not stopped.
fn said(db: &str, args: &[&str]) -> String {
    let (text, is_stopped) = stopped_tests::said(db, args, &CancellationToken::default());
    assert!(!is_stopped);
    text
}

#[test]
fn a_game_of_one_folder_is_known_to_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = "[Event \"one\"]\n[Variant \"Tic-tac-toe\"]\n[Result \"1-0\"]\n\n\
                 1. b2 a1 2. c1 a3 (2... c3 3. a3 $1) 3. a2 {threatens} c2 4. b3 b1 1/2-1/2\n\n\
                 [Event \"two\"]\n[Variant \"Tic-tac-toe\"]\n[Result \"1-0\"]\n\n\
                 1. a1 b2 2. c3 c1 3. a3 b3 4. a2 1-0\n";
    std::fs::write(path("games.pgn"), games).expect("written");
    let db = path("games.db");
    said(&db, &["import", &path("games.pgn")]);

    let variant = ["--variant", "tictactoe"];
    let ask = |args: &[&str]| said(&db, &[args, &variant].concat());
    let found = ask(&["search", "b2", "a1", "c1", "--format", "json"]);
    assert!(
        found.contains("\"event\": \"one\"") && !found.contains("\"two\""),
        "{found}"
    );
    assert!(found.contains("\"a3\""), "{found}");
    let inside = ask(&["search", "b2 a1 c1 c3", "--in-variations", "--count"]);
    assert_eq!(inside.trim(), "1");
    let tree = ask(&["tree"]);
    assert!(
        tree.contains("b2") && tree.contains("a1") && !tree.contains("c3"),
        "{tree}"
    );
    let shown = said(&db, &["show", "2", "--ply", "7", "--ascii"]);
    assert!(shown.contains("1. a1 b2 2. c3 c1"), "{shown}");
    assert!(shown.contains("X O X"), "{shown}");

    let exported = said(&db, &["export"]);
    assert!(exported.contains("[Variant \"Tic-tac-toe\"]"), "{exported}");
    assert!(exported.contains("2... c3 3. a3"), "{exported}");
    std::fs::write(path("again.pgn"), &exported).expect("written");
    let again = path("again.db");
    said(&again, &["import", &path("again.pgn")]);
    assert_eq!(said(&again, &["export"]), exported);
    said(&again, &["check"]);

    let moves = ask(&["moves", "b2", "a1", "--format", "json"]);
    assert_eq!(moves.matches("\"c3\"").count(), 2, "{moves}");
    for (depth, lines) in [("1", "9"), ("3", "504"), ("5", "15120"), ("6", "54720")] {
        assert_eq!(ask(&["perft", "--depth", depth]).trim(), lines);
    }
    let told = said(&db, &["variants", "tictactoe"]);
    assert!(told.contains("Tic-tac-toe"), "{told}");
}

/// A file of `commands` and a line of its list make a command: it is parsed, planned and run, and
/// has a manual page.
#[test]
fn a_command_of_one_file_is_known() {
    assert_eq!(said("none.db", &["toy", "e4"]), "e4\n");
    assert_eq!(said("none.db", &["toy", "e4", "--twice"]), "e4e4\n");
    assert!(said("none.db", &["man", "toy"]).contains("twice"));
}
