//! What a repertoire has, and what is said of what it has not.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{support::run, trees::base_of};

/// Games of these lines, so many of each.
fn games(lines: &[(usize, &str)]) -> String {
    let mut text = String::new();
    for &(games, line) in lines {
        for game in 0..games {
            let _ = write!(text, "[White \"{game}\"]\n\n{line} *\n\n");
        }
    }
    text
}

/// What is said of a repertoire for White, and of what it warns.
fn report(games: &str, repertoire: &str) -> (Value, String) {
    let (folder, db) = base_of(games);
    let file = folder.path().join("file.pgn");
    std::fs::write(&file, repertoire).expect("a file");
    let file = file.to_str().expect("a name");
    let ran = run(
        &db,
        &["repertoire", file, "--side", "white", "--format", "json"],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let said = ran.err.replace(file, "file.pgn");
    (serde_json::from_str(&ran.out).expect("JSON"), said)
}

#[test]
fn moves_that_lead_into_the_file_are_not_missing() {
    let games = games(&[
        (6, "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        (3, "1. e4 Nc6 2. Nf3 e5 3. Bb5"),
        (1, "1. e4 Nc6 2. Nf3 d5"),
        (2, "1. e4 Nc6 2. Nf3 a6"),
    ]);
    let file = "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n[Event \"x\"]\n\n1. e4 Nc6 2. Nf3 d5 3. exd5 *\n";
    let (report, _) = report(&games, file);
    let gaps = report["gaps"].as_array().expect("gaps");
    let missing: Vec<&str> = (gaps.iter())
        .filter(|gap| gap["kind"] == "missing")
        .map(|gap| gap["line"].as_str().expect("a line"))
        .collect();
    assert_eq!(missing, ["1. e4 Nc6 2. Nf3 a6"]);
    let positions = report["positions"].as_array().expect("positions");
    let frequency = |line: &str| {
        let at = positions.iter().find(|at| at["line"] == line);
        at.expect(line)["frequency"].as_f64().expect("a number")
    };
    // By 1... e5 in 6 of 12 games, and by 1... Nc6 in 3 of 6 of the others.
    let both = frequency("1. e4 e5 2. Nf3 Nc6");
    assert!((both - 0.75).abs() < 1e-9, "{both}");
    let at = positions.iter().find(|at| at["line"] == "1. e4 Nc6 2. Nf3");
    let moves = at.expect("a position")["moves"].as_array().expect("moves");
    let line = moves.iter().find(|line| line["san"] == "e5");
    let line = line.expect("a move");
    assert_eq!(line["in_file"], false);
    assert_eq!(line["transposes_to"], "1. e4 e5 2. Nf3 Nc6");
    let others = moves.iter().filter(|line| line["san"] != "e5");
    assert!(
        others.clone().count() == 2
            && others
                .into_iter()
                .all(|line| line["transposes_to"].is_null())
    );
}

#[test]
fn positions_of_other_rules_are_others() {
    let game = |tag: &str, year: u32, line: &str| {
        format!("[Event \"x\"]\n[Date \"{year}.01.01\"]\n{tag}\n\n{line} *\n\n")
    };
    let hill = "[Variant \"King of the Hill\"]\n";
    let games = [
        game("", 1990, "1. e4 c5 2. Nf3 d6"),
        game(hill, 1995, "1. e4 c5 2. Nf3 Nc6"),
        game("", 1997, "1. e4 c5 2. Nf3 Nc6"),
    ]
    .concat();
    let mut files = [game(hill, 2000, "1. d4"), game("", 2000, "1. e4 c5 2. Nf3")];
    for _ in 0..2 {
        let (report, _) = report(&games, &files.concat());
        let positions = report["positions"].as_array().expect("positions").iter();
        let starts = positions.filter(|at| at["line"] == "");
        let mut games: Vec<_> = starts.map(|at| at["total"]["games"].as_u64()).collect();
        games.sort_unstable();
        assert_eq!(games, [Some(1), Some(2)], "{report}");
        files.reverse();
    }
    // Nor are they known from those.
    let (_folder, db) = base_of(&games);
    let ran = run(&db, &["novelty", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let new = found["novelties"].as_array().expect("novelties").iter();
    let new: Vec<_> = new.map(|novelty| novelty["new_ply"].as_u64()).collect();
    assert_eq!(new, [Some(0), Some(0), Some(4)], "{found}");
}

#[test]
fn variations_that_cannot_be_played_to_their_ends_are_named() {
    let games = games(&[(1, "1. e4 e5 2. Nf3"), (1, "1. e4 c5 2. Nf3")]);
    for (file, warnings) in [
        (
            "1. e4 e5 (1... Ke5 2. d4) (1... c5 2. Nf3 Qh3 (2... Qh4) 3. d4) 2. Nf3 *",
            &[
                "the variation at 2.1/1 of game 1 of file.pgn was read as far as it can be played: `Ke5`",
                "the variation at 2.2/3 of game 1 of file.pgn was read as far as it can be played: `Qh3`",
            ][..],
        ),
        // Inside another, and in another language.
        (
            "1. e4 e5 2. Sf3 Sc6 (2... d6 3. d4 (3. Lc4 Dh1 4. d3) 3... exd4) *",
            &[
                "the variation at 4.1/5.1/5 of game 1 of file.pgn was read as far as it can be played: `Dh1`",
            ],
        ),
        // Words and results beside the moves are nothing that could be played.
        (
            "1. e4 e5 (1... c5 2. Nf3 novelty {x} $1 *) (1... c6 2. d4 +-) (1... e6 interesting 2. d4 1-0) 2. Nf3 *",
            &[],
        ),
        (
            "1. e4 e5 2. Qh6 *",
            &["game 1 of file.pgn was read as far as it can be played: `Qh6`"],
        ),
    ] {
        let (_, said) = report(&games, file);
        let found: Vec<&str> = (said.lines())
            .filter_map(|line| line.strip_prefix("warning: "))
            .collect();
        assert_eq!(found.len(), warnings.len(), "{file}: {said}");
        for (found, warning) in found.iter().zip(warnings) {
            assert!(found.starts_with(warning), "{found}");
        }
    }
}

/// Where there are many, the first are named and the others counted.
#[test]
fn many_such_variations_are_counted() {
    let file = "1. e4 e5 (1... Ke5) 2. Nf3 *\n\n".repeat(23);
    let (_, said) = report("1. e4 e5 *\n", &file);
    assert_eq!(said.matches("the variation at 2.1/1").count(), 20);
    assert!(said.contains("3 other variations"), "{said}");
}
