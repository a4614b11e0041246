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

/// Who plays it, with the spellings of each player joined, and scores as the players see them.
#[test]
fn players_of_a_position_have_their_own_scores() {
    let (_folder, db) = samples();
    let report = json(&db, &["report", "e4"]);
    for (players, side, won) in [("white_players", "white", 1), ("black_players", "black", 2)] {
        let rows = sql(
            &db,
            &format!(
                "SELECT replace(p.name, ',', ';'), count(*), 1.0 * (2 * sum(g.result = {won}) + sum(g.result = 3)) \
                 / nullif(2 * sum(g.result > 0), 0) FROM {REACHING} m JOIN game g ON g.id = m.game \
                 JOIN player p ON p.id = g.{side} GROUP BY p.id",
            ),
        );
        let found = report[players].as_array().expect("players");
        assert_eq!(found.len(), 5, "{found:?}");
        let mut alone = 0;
        for player in found {
            let name = player["name"].as_str().expect("a name").replace(',', ";");
            let own = (rows.iter()).find(|row| row[0] == name).expect("a row");
            let games = number(&player["games"]);
            let written: u64 = own[1].parse().expect("a number");
            // Other spellings count as well.
            assert!(games >= written, "{player} {own:?}");
            if games == written {
                let expected: Option<f64> = own[2].parse().ok();
                let score = player["score"].as_f64();
                let difference = score.zip(expected).map(|(one, other)| (one - other).abs());
                assert_eq!(score.is_some(), expected.is_some(), "{player} {own:?}");
                assert!(difference.is_none_or(|by| by < 1e-9), "{player} {own:?}");
                alone += 1;
            }
        }
        assert!(alone > 2, "{found:?}");
    }
}

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
fn men_of_draughts_are_found_turned_with_colours_exchanged() {
    let game = |year: u32, moves: &str, result: &str| {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n[Date \"{year}.01.01\"]\n\
             [Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let games = [
        game(2001, "1. 31-26 20-24 2. 37-31 14-20 3. 41-37", "2-0"),
        // Square 51 - n of the other side is square n.
        game(2001, "1. 31-27 20-25 2. 37-31 14-20 3. 41-37", "0-2"),
        game(2002, "1. 31-27 20-24 2. 37-31 14-20 3. 41-37", "1-1"),
        game(2002, "1. 34-30", "1-1"),
    ];
    let (_folder, db) = crate::trees::base_of(&games.concat());
    let moves = "1. 31-26 20-24 2. 37-31 14-20";
    let report = json(&db, &["structure", moves, "--variant", "international"]);
    assert_eq!(
        (&report["searched"], &report["plies"]),
        (&4.into(), &1.into())
    );
    assert_eq!(report["results"]["games"], 2, "{report}");
    assert_eq!(report["results"]["won"], 2);
    let colors: Vec<u64> = (report["by_color"].as_array().expect("rows").iter())
        .map(|row| number(&row["games"]))
        .collect();
    assert_eq!(colors, [1, 1]);
    assert_eq!(report["from_ply"], 4);
    // Kings, and who has the move, make no difference: the same men a ply later.
    let later = json(&db, &["structure", "W:W26,31-36,38-50:B1-13,15-20,24"]);
    assert_eq!(later["results"]["games"], 2, "{later}");
    // A query on some of the men.
    let (_folder, db) = samples();
    let report = json(&db, &["structure", "M45", "--variant", "international"]);
    let found = counted(&db, "variant:international rotate { M45 } for 6");
    assert_eq!(number(&report["results"]["games"]), found);
    // Some have it turned.
    assert!(found > counted(&db, "variant:international { M45 } for 6"));
    let all = counted(&db, "variant:international");
    assert_eq!(number(&report["searched"]), all);
    assert!(report["results"]["expected"].is_null());
    assert_eq!(report["white_advantage"], Value::Null);
    for year in report["years"].as_array().expect("years") {
        assert!(year["share"].as_f64().expect("a share") <= 1.0, "{year}");
    }
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

/// A report as text, of which the page is checked as well.
fn text_and_page(db: &Path, args: &[&str]) -> String {
    let ran = run(db, args);
    // A FEN of draughts is as long as it is.
    let lines = ran.out.lines().filter(|line| !line.starts_with("W:"));
    let widest = lines.map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{args:?}: {widest:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let paged = run(
        db,
        &[args, &["--html", page.to_str().expect("a name")]].concat(),
    );
    assert_eq!(paged.status, Some(0), "{}", paged.err);
    let html = std::fs::read_to_string(&page).expect("a page");
    assert_eq!(
        html.matches("<section>").count(),
        html.matches("</section>").count()
    );
    assert!(
        html.contains("<svg") && !html.contains("<script") && !html.contains("https://"),
        "{args:?}"
    );
    ran.out
}

#[test]
fn reports_look_so() {
    let (_folder, db) = samples();
    let text = text_and_page(&db, &["report", "e4"]);
    insta::assert_snapshot!(text, @r#"
    B00  King's Pawn Game
    1.e4
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1

      ┌─────────────────┐
    1 │ ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖ │
    2 │ ♙ ♙ ♙ · ♙ ♙ ♙ ♙ │
    3 │ · · · · · · · · │
    4 │ · · · ♙ · · · · │
    5 │ · · · · · · · · │
    6 │ · · · · · · · · │
    7 │ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ │
    8 │ ♜ ♞ ♝ ♚ ♛ ♝ ♞ ♜ │
      └─────────────────┘
        h g f e d c b a

    31 games, 1750–2026
    Black scored 20.0% (10–35)
    As White: Fischer 6, Anderssen 2, Spassky 2, Tal 2, Adams 1
    As Black: Patient 4, Fischer 2, Bolbochan 1, Bronstein 1, Capablanca 1

    Next move  Games  Share  Score   95 %  Exp.  Diff.  2 years
    1...e5        19    61%  13.9%   5–31     –      –      67%  King's Pawn Game
    1...c5         7    23%  42.9%  16–74     –      –      17%  Sicilian Defense
    1...e6         2     6%      –      –     –      –       0%  French Defense
    1...c6         1     3%      –      –     –      –       0%  Caro-Kann Defense
    1...f6         1     3%      –      –     –      –      17%  Barnes Defense
    1...g6         1     3%      –      –     –      –       0%  Modern Defense

    Plans of White  28 plies, 26 games
    Set-up: d4! 81%
    No steps go together in enough games.
    Also: c3 31%

    Plans of Black  28 plies, 26 games
    Set-up: …e5 77%
    No steps go together in enough games.
    Also: …d6 46%

    Games  Share  Moves that lead here
       31   100%  1.e4

    Year  New move  Followed  Score  First game
    1750  1...e5          18  14.7%  Legall de Kermeur–Saint Brie 1750
    1852  2...Nc6         11  20.0%  Anderssen–Dufresne 1852
    1892  3.Bb5            6      –  Tarrasch–Marco 1892
    1914  3...a6           5      –  Lasker–Capablanca 1914
    1962  1...c5           6  33.3%  Bilek–Fischer 1962

    Model games  Game  White                  Black                  Result  Date
    White won      45  Joe "Blow" Brown       Patient, Paula         1-0     2026.11.20
                   44  Müller, Jörg           García, José           1-0     2026
                   95  Spassky, Boris         Fischer, Robert James  1-0     1972.08.06
                   94  Fischer, Robert James  Spassky, Boris         1-0     1972.08.03
    Black won      41  Hasty, Hugo            Patient, Paul          0-1     2026.11.20
                   97  Karpov, Anatoly        Kasparov, Garry        0-1     1985.10.15
                   83  Bilek, Istvan          Fischer, Robert James  0-1     1962.02
                   53  Paulsen, Louis         Morphy, Paul           0-1     1857.11.08

    Years  Games                             Of all  Score
    1750s      1  ▇▇▇                       100.00%      –
    1850s      4  ▇▇▇▇▇▇▇▇▇▇▇               100.00%      –
    1870s      1  ▇▇▇                       100.00%      –
    1890s      2  ▇▇▇▇▇▇                     50.00%      –
    1910s      3  ▇▇▇▇▇▇▇▇                   60.00%      –
    1920s      1  ▇▇▇                       100.00%      –
    1930s      1  ▇▇▇                       100.00%      –
    1960s      9  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇   81.82%  16.7%
    1970s      2  ▇▇▇▇▇▇                     66.67%      –
    1980s      1  ▇▇▇                       100.00%      –
    2020s      6  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇           35.29%      –
    "#);
    let text = text_and_page(&db, &["structure", "french"]);
    insta::assert_snapshot!(text, @r"
    French chain
    for 6 plies or more, in 80 games searched

               Games  Won  Drawn  Lost  Score  95 %  Exp.  Diff.  Opp.  Perf.
    All games      2    2      0     0      –     –     –      –     –      –
    As White       2    2      0     0      –     –     –      –     –      –
    As Black       0    0      0     0      –     –     –      –     –      –
    Half of the games have it by ply 37.

    From             Share  Games  Score  95 %  Exp.  Diff.
    English Opening    50%      1      –     –     –      –
    French Defense     50%      1      –     –     –      –

    Plans of the side that has it  28 plies, 2 games
    No steps go together in enough games.

    Plans of the other side  28 plies, 2 games
    No steps go together in enough games.

    Model games  Game  White                Black                     Result  Date
    Won            75  Alekhine, Alexander  Nimzowitsch, Aron         1-0     1930.01.23
                   56  Zukertort, Johannes  Blackburne, Joseph Henry  1-0     1883.05.05

    Years  Games                             Of all  Score
    1883       1  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇  100.00%      –
    1930       1  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇  100.00%      –
    ");
    let text = text_and_page(&db, &["report", "startpos", "--variant", "international"]);
    insta::assert_snapshot!(text, @r"
    Position
    W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20

       ┌─────────────────────┐
     1 │   ●   ●   ●   ●   ● │ 5
     6 │ ●   ●   ●   ●   ●   │ 10
    11 │   ●   ●   ●   ●   ● │ 15
    16 │ ●   ●   ●   ●   ●   │ 20
    21 │   ·   ·   ·   ·   · │ 25
    26 │ ·   ·   ·   ·   ·   │ 30
    31 │   ○   ○   ○   ○   ○ │ 35
    36 │ ○   ○   ○   ○   ○   │ 40
    41 │   ○   ○   ○   ○   ○ │ 45
    46 │ ○   ○   ○   ○   ○   │ 50
       └─────────────────────┘

    1 game, 2003
    As White: Ndjofang 1
    As Black: Heusdens 1

    Next move  Games  Share  Score  95 %  Exp.  Diff.  2 years
    1.32-28        1   100%      –     –     –      –     100%

    Plans of White  28 plies, 1 game
    No steps go together in enough games.

    Plans of Black  28 plies, 1 game
    No steps go together in enough games.

    Years  Games                             Of all  Score
    2003       1  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇  100.00%      –
    ");
}
