//! Reports on positions and structures: their figures against SQL and searches of the same database.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{root, run};

/// A database of the samples.
fn samples() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let data = root().join("sample-data");
    let imported = run(&db, &["import", data.to_str().expect("a name")]);
    assert!(imported.status.is_some(), "{}", imported.err);
    (folder, db)
}

fn json(db: &Path, args: &[&str]) -> Value {
    let ran = run(db, &[args, &["--format", "json"]].concat());
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The rows of an SQL statement.
fn sql(db: &Path, statement: &str) -> Vec<Vec<String>> {
    let ran = run(db, &["sql", "--format", "csv", statement]);
    assert_eq!(ran.status, Some(0), "{statement}: {}", ran.err);
    let rows = ran.out.lines().skip(1);
    rows.map(|row| {
        row.split(',')
            .map(|cell| cell.trim_matches('"').to_owned())
            .collect()
    })
    .collect()
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("a number: {value}"))
}

fn counted(db: &Path, query: &str) -> u64 {
    let ran = run(db, &["search", "--count", query]);
    ran.out
        .trim()
        .parse()
        .unwrap_or_else(|_| panic!("{query}: {}", ran.err))
}

/// Games that reach a position on their main line.
const REACHING: &str = "(SELECT game, min(ply) AS ply, next_move FROM positions('e4') WHERE NOT in_variation \
                        GROUP BY game)";

#[test]
fn figures_of_a_position_are_those_of_sql() {
    let (_folder, db) = samples();
    let report = json(&db, &["report", "e4"]);
    let results = &report["results"];
    let rows = sql(
        &db,
        &format!(
            "SELECT count(*), sum(g.result = 2), sum(g.result = 3), sum(g.result = 1) \
             FROM {REACHING} p JOIN game g ON g.id = p.game"
        ),
    );
    let expected: Vec<u64> = rows[0]
        .iter()
        .map(|cell| cell.parse().expect("a number"))
        .collect();
    let own = ["games", "won", "drawn", "lost"].map(|name| number(&results[name]));
    // Black is to move.
    assert_eq!(own.as_slice(), expected);
    assert_eq!(report["view"], "black");

    let rows = sql(
        &db,
        &format!(
            "SELECT next_move, count(*) FROM {REACHING} WHERE next_move <> '' GROUP BY next_move"
        ),
    );
    let next = report["next"].as_array().expect("moves");
    assert_eq!(next.len(), rows.len());
    for played in next {
        let row = rows
            .iter()
            .find(|row| row[0] == played["san"].as_str().expect("a move"));
        assert_eq!(
            number(&played["games"]).to_string(),
            row.expect("a move of both")[1]
        );
    }

    let rows = sql(
        &db,
        &format!(
            "SELECT g.date / 10000, count(*) FROM {REACHING} p JOIN game g ON g.id = p.game \
             WHERE g.date >= 10000 GROUP BY 1 ORDER BY 1"
        ),
    );
    let years = report["years"].as_array().expect("years");
    let own: Vec<Vec<String>> = (years.iter())
        .map(|year| vec![year["year"].to_string(), year["games"].to_string()])
        .collect();
    assert_eq!(own, rows);
    let dated: u64 = years.iter().map(|year| number(&year["games"])).sum();
    assert_eq!(
        dated + number(&report["undated"]),
        number(&results["games"])
    );

    // The orders of moves and the trend add up.
    let orders = report["orders"].as_array().expect("orders");
    assert_eq!(number(&orders[0]["games"]), number(&results["games"]));
    for played in next {
        let trend = &played["trend"];
        assert!(number(&trend["recent"]) + number(&trend["before"]) <= number(&played["games"]));
    }
}

/// Games of three openings, quiet enough to be followed to their ends.
fn openings() -> (TempDir, PathBuf) {
    let lines = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d6 9. h3 Na5 10. Bc2 c5",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. a4 a5 8. Re1 Be6 9. Nbd2 h6 10. h3 Re8",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6 8. Bd3 Re8 9. O-O h6 10. Bh4 a6",
    ];
    let mut text = String::new();
    for game in 0..90 {
        let result = ["1-0", "0-1", "1/2-1/2"][game / 3 % 3];
        let line = lines[game % 3];
        let _ = write!(
            text,
            "[White \"White {game}\"]\n[Black \"Black {game}\"]\n[Result \"{result}\"]\n\n{line} {result}\n\n"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (file, db) = (
        folder.path().join("games.pgn"),
        folder.path().join("games.db"),
    );
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a name");
    let imported = run(&db, &["import", "--duplicates", "keep", file]);
    assert_eq!(imported.status, Some(0), "{}", imported.err);
    (folder, db)
}

#[test]
fn steps_are_moves_that_sql_finds() {
    let (_folder, db) = openings();
    let report = json(&db, &["report", "e4", "e5", "Nf3", "Nc6", "--setup", "100"]);
    let plans = &report["plans"];
    assert_eq!(number(&plans["games"]), 60);
    let mut compared = 0;
    for (side, parity, home) in [("white", 1, "1"), ("black", 0, "8")] {
        for step in plans[side]["steps"].as_array().expect("steps") {
            let text = step["text"].as_str().expect("a text").trim_end_matches('!');
            let condition = match (step["kind"].as_str().expect("a kind"), text) {
                ("castling", "O-O") => format!("uci = 'e{home}g{home}'"),
                ("push", _) => format!(
                    "uci IN ('{file}2{text}', '{file}3{text}', '{file}6{text}', '{file}7{text}')",
                    file = &text[..1],
                ),
                _ => continue,
            };
            let found = sql(
                &db,
                &format!(
                    "SELECT count(DISTINCT m.game), \
                     avg(CASE g.result WHEN 1 THEN 1.0 WHEN 3 THEN 0.5 ELSE 0 END) \
                     FROM moves m JOIN game g ON g.id = m.game \
                     JOIN positions('e4 e5 Nf3 Nc6') p ON p.game = m.game AND NOT p.in_variation \
                     WHERE (m.path IS NULL OR m.path = '') AND m.ply > p.ply AND m.ply <= p.ply + 28 \
                     AND m.ply % 2 = {parity} AND {condition}"
                ),
            );
            assert_eq!(step["games"].to_string(), found[0][0], "{side} {text}");
            let white: f64 = found[0][1].parse().expect("a score");
            let own = if side == "white" { white } else { 1.0 - white };
            let score = step["score"].as_f64().expect("a score");
            assert!(
                (score - own).abs() < 1e-9,
                "{side} {text}: {score}, by SQL {own}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared}: {plans}");
    // What one opening has and the other does not goes together.
    let plan = &plans["white"]["plans"][0];
    assert_eq!(number(&plan["games"]), 30, "{plan}");
    assert_eq!(plan["models"].as_array().map(Vec::len), Some(2));
    let years = &report["undated"];
    assert_eq!(number(years), 60);
}

#[test]
fn structures_are_those_of_searches() {
    let (_folder, db) = samples();
    for (structure, query) in [
        ("french", "either { Pd4,e5 pd5,e6 } for 6"),
        ("doubled-c", "either { Pc=2.. } for 6"),
        ("kings-indian", "either { Pd5,e4 pd6,e5 } for 6"),
        ("iqp", "either { (Pd4 or Pd5) Pc/e=0 pd=0 } for 6"),
        ("RvR", "{ ending:RvR } for 4"),
        ("KRPvKR", "{ material:KRPvKR } for 4"),
        ("Pd4,e5 pd5,e6", "either { Pd4,e5 pd5,e6 } for 6"),
    ] {
        let report = json(&db, &["structure", structure]);
        let games = number(&report["results"]["games"]);
        assert_eq!(games, counted(&db, query), "{structure}");
        let by_color = report["by_color"].as_array().expect("rows");
        let sum: u64 = by_color.iter().map(|row| number(&row["games"])).sum();
        assert_eq!(sum, games, "{structure}");
    }
    // All pawns on their squares, with the colours exchanged, and left and right once castling is over.
    let exact = json(&db, &["structure", "e4", "e5"]);
    let query = "{ Pa-h=8 pa-h=8 Pe4 pe5 Pa2,b2,c2,d2,f2,g2,h2 pa7,b7,c7,d7,f7,g7,h7 } for 6";
    assert_eq!(number(&exact["results"]["games"]), counted(&db, query));
    assert_eq!(exact["squares"][0].as_array().map(Vec::len), Some(8));
    let files = json(&db, &["structure", "e4", "e5", "--width", "files"]);
    assert!(number(&files["results"]["games"]) >= number(&exact["results"]["games"]));
}

#[test]
fn draughts_have_reports_without_what_is_of_chess() {
    let (_folder, db) = samples();
    let report = json(&db, &["report", "startpos", "--variant", "international"]);
    assert!(number(&report["results"]["games"]) > 0);
    assert_eq!(report["white_advantage"], Value::Null);
    assert_eq!(report["structures"], Value::Array(Vec::new()));
    let kinds = ["piece", "exchange", "crowning"];
    for side in ["white", "black"] {
        for step in report["plans"][side]["steps"].as_array().expect("steps") {
            assert!(
                kinds.contains(&step["kind"].as_str().expect("a kind")),
                "{step}"
            );
        }
    }
    let othello = json(&db, &["report", "--variant", "othello", "startpos"]);
    assert_eq!(othello["plans"], Value::Null);
    assert_eq!(
        othello["plans_why"],
        "plans are found in chess and draughts alone"
    );
}

#[test]
fn wrong_input_says_what_is_wrong() {
    let (_folder, db) = samples();
    for (args, said) in [
        (&["structure", "iqq"][..], "iqp"),
        (&["structure", "Pe4 then pe5"], "not about one position"),
        (
            &["structure", "iqp", "--width", "files"],
            "--width is for the pawns of a position",
        ),
        (&["structure"], "required"),
        (&["report", "e4", "--rotate"], "one position"),
        (&["report", "e4", "--window", "4"], "8"),
        (&["report", "--ending", "RvR"], "plydex structure RvR"),
    ] {
        let ran = run(&db, args);
        assert_eq!(ran.status, Some(2), "{args:?}: {}", ran.out);
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    let none = run(&db, &["report", "a4", "a5", "h4", "h5", "a1a2"]);
    assert_ne!(none.status, Some(0));
}

#[test]
fn reports_look_so() {
    let (folder, db) = samples();
    for (name, args) in [
        ("report", &["report", "e4"][..]),
        ("structure", &["structure", "french"]),
        (
            "draughts",
            &["report", "startpos", "--variant", "international"],
        ),
    ] {
        let ran = run(&db, args);
        // A FEN of draughts is as long as it is.
        let lines = ran.out.lines().filter(|line| !line.starts_with("W:"));
        let widest = lines.map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{name}: {widest:?}");
        insta::assert_snapshot!(name, ran.out);
        let page = folder.path().join(format!("{name}.html"));
        let page_name = page.to_str().expect("a name");
        let ran = run(&db, &[args, &["--html", page_name]].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        let html = std::fs::read_to_string(&page).expect("a page");
        assert_eq!(
            html.matches("<section>").count(),
            html.matches("</section>").count()
        );
        assert!(
            html.contains("<svg") && !html.contains("<script") && !html.contains("https://"),
            "{name}"
        );
    }
}
