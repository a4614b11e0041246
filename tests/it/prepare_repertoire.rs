//! What is likely to come up of a repertoire against a player.

use std::{fmt::Write as _, path::PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    prepare::{imported, json, near, number, sql},
    support::run,
};

/// Games of the player as Black, so many of each; the third comes to the first by another order.
const PLAYED: [(usize, &str); 7] = [
    (6, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"),
    (2, "1. e4 e5 2. Nf3 d6 3. d4"),
    (2, "1. e4 Nc6 2. Nf3 e5 3. Bb5 Nf6"),
    (8, "1. e4 c5 2. Nf3 d6"),
    (2, "1. e4 c6 2. d4 d5"),
    (5, "1. d4 d5 2. c4 e6"),
    // The game ends where the player would have the move.
    (1, "1. e4 c5 2. Nf3"),
];

const FILE: &str = "[White \"Lines\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... Nc6 2. Nf3) \
                    2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *\n\n[White \"More\"]\n\n1. d4 Nf6 2. c4 *\n";

fn base() -> (TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pgn = String::new();
    for (games, line) in PLAYED {
        for nth in 0..games {
            let _ = write!(
                pgn,
                "[White \"Rival {nth}\"]\n[Black \"Player, P\"]\n[Date \"20{nth:02}.01.01\"]\n[Result \"1-0\"]\n\n{line} 1-0\n\n"
            );
        }
    }
    // With White, and from elsewhere: neither counts.
    pgn.push_str("[White \"Player, P\"]\n[Black \"Rival\"]\n\n1. e4 e5 2. f4 1-0\n\n");
    let games = folder.path().join("games.pgn");
    std::fs::write(&games, pgn).expect("a file");
    let file = folder.path().join("lines.pgn");
    std::fs::write(&file, FILE).expect("a file");
    let (kept, db) = imported(games.to_str().expect("a name"));
    let copy = kept.path().join("lines.pgn");
    std::fs::copy(file, &copy).expect("a file");
    let name = copy.to_str().expect("a name").to_owned();
    (kept, db, name)
}

/// The lines of a list: moves, kind, probability, games, chances.
fn lines(list: &Value) -> Vec<(String, String, f64, u64, u64)> {
    let list = list.as_array().expect("a list").iter();
    list.map(|line| {
        let moves = line["moves"].as_array().expect("moves").iter();
        let moves: Vec<&str> = moves.filter_map(Value::as_str).collect();
        (
            moves.join(" "),
            line["kind"].as_str().expect("a kind").to_owned(),
            number(&line["probability"]),
            line["games"].as_u64().expect("a number"),
            line["chances"].as_u64().expect("a number"),
        )
    })
    .collect()
}

#[test]
fn probabilities_are_products_of_the_players_shares() {
    let (_folder, db, file) = base();
    let report = json(
        &db,
        &[
            "prepare",
            "Player, P",
            "--you",
            "white",
            "--repertoire",
            &file,
        ],
    );
    let forecast = &report["repertoire"];
    assert_eq!(forecast["side"], "white");
    assert_eq!(forecast["games"], 26);
    // White plays 1.e4 and 1.d4 equally often. After 1.e4 8 of 21 games have 1...e5, 9 1...c5, two
    // 1...Nc6 and two 1...c6; after 1.d4 all five 1...d5. 1...Nc6 2.Nf3 e5 leads to the position after
    // 1...e5 2.Nf3 Nc6, which 6 of 8 games have after 1...e5.
    let [e5, c5, nc6, c6] = [8.0, 9.0, 2.0, 2.0].map(|games| 0.5 * games / 21.0);
    let ruy = e5 * 6.0 / 8.0 + nc6;
    let holes = [
        ("d4 d5", "missing", 0.5, 5, 5),
        ("e4 c6", "missing", c6, 2, 21),
        ("e4 e5 Nf3 d6", "missing", e5 * 2.0 / 8.0, 2, 8),
        ("e4 e5 Nf3 Nc6 Bb5 Nf6", "missing", ruy * 2.0 / 8.0, 2, 8),
    ];
    let found = lines(&forecast["holes"]);
    assert_eq!(found.len(), holes.len(), "{found:?}");
    for (moves, kind, probability, games, chances) in holes {
        let line = found.iter().find(|line| line.0 == moves).expect(moves);
        assert!(near(line.2, probability), "{line:?} {probability}");
        assert_eq!(
            (&line.1[..], line.3, line.4),
            (kind, games, chances),
            "{moves}"
        );
    }
    // Most probable first: what to study first.
    assert_eq!(found[0].0, "d4 d5");
    let ends = [
        ("e4 c5 Nf3", "end", c5 / 2.0, 9),
        ("e4 c5 c3", "end", c5 / 2.0, 0),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "end", ruy * 6.0 / 8.0, 0),
        ("d4 Nf6 c4", "end", 0.0, 0),
        // Always left by a move that leads back.
        ("e4 Nc6 Nf3", "end", 0.0, 2),
    ];
    let found = lines(&forecast["ends"]);
    assert_eq!(found.len(), ends.len(), "{found:?}");
    for (moves, kind, probability, games) in ends {
        let line = found.iter().find(|line| line.0 == moves).expect(moves);
        assert!(near(line.2, probability), "{line:?} {probability}");
        assert_eq!((&line.1[..], line.3), (kind, games), "{moves}");
    }
    let sums = ["left", "ended", "unknown"].map(|name| number(&forecast[name]));
    assert!(near(sums.iter().sum::<f64>(), 1.0), "{sums:?}");

    // So does the statement of the report.
    let args = [
        "prepare",
        "Player, P",
        "--you",
        "white",
        "--repertoire",
        &file,
        "--explain",
    ];
    let explained = json(&db, &args);
    let statement = explained["sql"]["holes"].as_str().expect("a statement");
    let mut rows: Vec<[String; 4]> = (sql(&db, statement).into_iter())
        .map(|row| [0, 1, 2, 3].map(|at| row[at].clone()))
        .collect();
    rows.sort();
    let mut expected = holes.map(|(moves, _, _, games, chances)| {
        let line = rows
            .iter()
            .find(|row| row[1].ends_with(moves.split(' ').next_back().unwrap_or_default()));
        let line = line.map_or_else(String::new, |row| row[1].clone());
        [
            "black".to_owned(),
            line,
            chances.to_string(),
            games.to_string(),
        ]
    });
    expected.sort();
    assert_eq!(rows, expected);

    // The games of a hole are those of SQL, by any order of moves.
    let counted = sql(
        &db,
        "SELECT sum(p.next_move = 'Nf6'), count(*) FROM game g JOIN player b ON b.id = g.black \
         JOIN (SELECT DISTINCT game, next_move FROM positions('e4 e5 Nf3 Nc6 Bb5') WHERE next_move <> '') p \
         ON p.game = g.id WHERE b.name = 'Player, P'",
    );
    assert_eq!(counted[0], ["2", "8"]);

    let text = run(
        &db,
        &[
            "prepare",
            "Player, P",
            "--you",
            "white",
            "--repertoire",
            &file,
        ],
    );
    for part in [
        "Your repertoire",
        "Study first",
        "1.d4 d5",
        "not in the file",
        "Ends of your lines",
    ] {
        assert!(text.out.contains(part), "{part} in {}", text.out);
    }
}

#[test]
fn lines_where_the_player_has_not_been_are_said_to_be_unknown() {
    let (folder, db, _) = base();
    let path = folder.path().join("rare.pgn");
    std::fs::write(&path, "1. e4 c5 2. Nc3 (2. Nf3 d6 3. d4) Nc6 *\n").expect("a file");
    let file = path.to_str().expect("a name");
    let report = json(
        &db,
        &[
            "prepare",
            "Player, P",
            "--you",
            "white",
            "--repertoire",
            file,
        ],
    );
    let forecast = &report["repertoire"];
    let found = lines(&forecast["ends"]);
    let unknown: Vec<_> = found.iter().filter(|line| line.1 == "unknown").collect();
    assert_eq!(unknown.len(), 1, "{found:?}");
    assert_eq!(unknown[0].0, "e4 c5 Nc3");
    assert!(
        near(number(&forecast["unknown"]), 9.0 / 21.0 / 2.0),
        "{forecast}"
    );
    let sums = ["left", "ended", "unknown"].map(|name| number(&forecast[name]));
    assert!(near(sums.iter().sum::<f64>(), 1.0), "{sums:?}");
}

#[test]
fn a_repertoire_needs_a_side_and_the_start_position() {
    let (folder, db, _) = base();
    let refused = |name: &str, text: &str, args: &[&str]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let file = path.to_str().expect("a name").to_owned();
        run(
            &db,
            &[&["prepare", "Player, P", "--repertoire", &file], args].concat(),
        )
    };
    let both = refused("even.pgn", "1. e4 e5 *\n", &[]);
    assert_ne!(both.status, Some(0));
    assert!(
        both.err.contains("both sides have as many moves"),
        "{}",
        both.err
    );
    assert!(both.err.contains("--you white"), "{}", both.err);
    let none = refused("empty.pgn", "\n", &["--you", "white"]);
    assert_ne!(none.status, Some(0), "{}", none.err);
    let set_up = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke7 *\n";
    let elsewhere = refused("elsewhere.pgn", set_up, &["--you", "white"]);
    assert_eq!(elsewhere.status, Some(0), "{}", elsewhere.err);
    assert!(
        elsewhere
            .err
            .contains("has no line from the standard start position"),
        "{}",
        elsewhere.err
    );
    // The side with fewer choices is the reader's.
    let black = "1. e4 (1. d4 d5) (1. c4 e5) 1... e5 *\n";
    let path = folder.path().join("black.pgn");
    std::fs::write(&path, black).expect("a file");
    let file = path.to_str().expect("a name");
    let report = json(&db, &["prepare", "Player, P", "--repertoire", file]);
    assert_eq!(report["repertoire"]["side"], "black");
    assert_eq!(report["first_color"], "white");
}
