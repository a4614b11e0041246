//! What a repertoire has, and what is said of what it has not.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{support::run, trees::base_of};

/// A game: White, Black, their ratings, the year, the moves, the result.
type PlayedGame = (
    &'static str,
    &'static str,
    [u32; 2],
    u32,
    &'static str,
    &'static str,
);

/// Games of a player who has White and, in one game, Black.
const PLAYED: &[PlayedGame] = &[
    // The opponent leaves the file at move 1, three times.
    (
        "Elm, Eva",
        "Ash",
        [2000, 2100],
        2001,
        "1. e4 d5 2. exd5",
        "0-1",
    ),
    (
        "Elm, Eva",
        "Birch",
        [2000, 1900],
        2002,
        "1. e4 d5 2. e5",
        "1/2-1/2",
    ),
    ("Elm, Eva", "Cedar", [2000, 1900], 2003, "1. e4 d5", "0-1"),
    // And by another move, twice: she wins.
    (
        "Elm, Eva",
        "Ash",
        [2000, 2000],
        2004,
        "1. e4 g6 2. d4",
        "1-0",
    ),
    ("Elm, Eva", "Birch", [2000, 2000], 2005, "1. e4 g6", "1-0"),
    // Once is no hole.
    ("Elm, Eva", "Cedar", [2000, 2000], 2006, "1. e4 a5", "0-1"),
    // She leaves it.
    (
        "Elm, Eva",
        "Cedar",
        [2000, 2000],
        2007,
        "1. e4 e5 2. Bc4 Nc6",
        "1-0",
    ),
    // The file has the position by other moves, and ends there.
    (
        "Elm, Eva",
        "Doe",
        [2000, 2000],
        2008,
        "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 4. Ba4",
        "1-0",
    ),
    // The game ends in the file.
    (
        "Elm, Eva",
        "Doe",
        [2000, 2000],
        2009,
        "1. e4 e5 2. Nf3",
        "1/2-1/2",
    ),
    // Nothing of White's.
    ("Doe", "Elm, Eva", [2000, 2000], 2010, "1. e4 d5", "1-0"),
    // Another start.
    ("Elm, Eva", "Fir", [2000, 2000], 2011, "", "1-0"),
];

fn played() -> String {
    let mut text = String::new();
    for (white, black, [welo, belo], year, moves, result) in PLAYED {
        let start = if moves.is_empty() {
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n"
        } else {
            ""
        };
        let moves = if moves.is_empty() { "1. e4" } else { moves };
        let _ = write!(
            text,
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{welo}\"]\n[BlackElo \"{belo}\"]\n\
             [Date \"{year}.01.01\"]\n[Result \"{result}\"]\n{start}\n{moves} {result}\n\n"
        );
    }
    text
}

/// Where games of `PLAYED` leave a file for White, and the text of the command.
fn departures(args: &[&str]) -> (Value, String) {
    let (folder, db) = base_of(&played());
    let file = folder.path().join("file.pgn");
    std::fs::write(&file, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *").expect("a file");
    let file = file.to_str().expect("a name");
    let args = [&["repertoire", file, "--by-game"], args].concat();
    let ran = run(&db, &[&args[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let text = run(&db, &args);
    (serde_json::from_str(&ran.out).expect("JSON"), text.out)
}

#[test]
fn games_leave_the_file_after_the_last_position_that_it_has() {
    let (report, text) = departures(&["--player", "Elm, Eva"]);
    assert_eq!(report["view"], "white");
    assert_eq!(
        (&report["other_side"], &report["elsewhere"]),
        (&1.into(), &1.into())
    );
    let count = |key: &str| {
        let rows = report["results"].as_array().expect("rows").iter();
        let mut own = rows.filter(|row| row["key"] == key);
        own.next()
            .map_or(0, |row| row["games"].as_u64().expect("games"))
    };
    assert_eq!(
        ["all", "own", "opponent", "file-end", "game-end"].map(count),
        [9, 1, 6, 1, 1]
    );
    let games = report["games"].as_array().expect("games");
    let left: Vec<[&str; 4]> = (games.iter())
        .map(|game| {
            let text = |name: &str| game[name].as_str().unwrap_or_default();
            [
                text("left_by"),
                text("played"),
                text("san"),
                &text("date")[..4],
            ]
        })
        .collect();
    assert_eq!(
        left[..4],
        [
            ["game-end", "1. e4 e5 2. Nf3", "", "2009"],
            ["file-end", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "a6", "2008"],
            ["own", "1. e4 e5 2. Bc4", "Bc4", "2007"],
            ["opponent", "1. e4 a5", "a5", "2006"],
        ]
    );
    assert_eq!(games[1]["ply"], 5);
    assert_eq!(games[2]["in_file"], serde_json::json!(["Nf3"]));
    // The worst hole first: expected points by the advantage that the report has.
    let advantage = report["white_advantage"].as_f64().expect("an advantage");
    let expected = |own: u32, other: u32| {
        let difference = f64::from(own) - f64::from(other) + advantage;
        1.0 / (1.0 + 10_f64.powf(-difference / 400.0))
    };
    let holes = report["holes"].as_array().expect("holes");
    let lines: Vec<&str> = holes
        .iter()
        .map(|hole| hole["line"].as_str().expect("a line"))
        .collect();
    assert_eq!(lines, ["1. e4 d5", "1. e4 g6"]);
    let lost = |at: usize| holes[at]["lost_points"].as_f64().expect("points");
    let first = expected(2000, 2100) + 2.0 * expected(2000, 1900) - 0.5;
    let second = 2.0 * expected(2000, 2000) - 2.0;
    assert!(
        (lost(0) - first).abs() < 1e-9 && (lost(1) - second).abs() < 1e-9,
        "{holes:?}"
    );
    assert_eq!(holes[0]["in_file"], serde_json::json!(["e5", "c5"]));
    assert_eq!(report["own_moves"][0]["line"], "1. e4 e5 2. Bc4");
    assert_eq!(report["leaves"][0]["line"], "1. e4");
    assert_eq!(report["leaves"][0]["opponent"], 6);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert!(
        text.contains("Holes: moves of Black that the file lacks"),
        "{text}"
    );
}

#[test]
fn all_games_count_where_no_player_is_named_and_lists_are_cut() {
    let (report, _) = departures(&["--limit", "2"]);
    assert_eq!(report["results"][0]["games"], 10);
    assert_eq!(report["games"].as_array().expect("games").len(), 2);
    assert_eq!(report["holes"][0]["games"], 4);
    let (folder, db) = base_of(&played());
    let file = folder.path().join("even.pgn");
    std::fs::write(&file, "1. e4 e5 *").expect("a file");
    let file = file.to_str().expect("a name");
    let ran = run(&db, &["repertoire", file, "--by-game"]);
    assert_eq!(ran.status, Some(2), "{}", ran.out);
    assert!(
        ran.err.contains("--side white or --side black"),
        "{}",
        ran.err
    );
    let page = folder.path().join("page.html");
    let page_name = page.to_str().expect("a name");
    for args in [&["--by-game", "--side", "white"][..], &["--side", "white"]] {
        let all = [&["repertoire", file, "--html", page_name, "--force"], args].concat();
        let ran = run(&db, &all);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let html = std::fs::read_to_string(&page).expect("a page");
        assert!(
            html.contains("even.pgn") && !html.contains("<script"),
            "{html}"
        );
    }
}

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
