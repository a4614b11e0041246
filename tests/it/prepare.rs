//! Reports on players: their figures against SQL of the same database.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, plydex, root, run};

/// A database of the samples.
fn samples() -> (TempDir, PathBuf) {
    let data = root().join("sample-data");
    imported(data.to_str().expect("a name"))
}

pub(crate) fn imported(data: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let imported = run(&db, &["import", data]);
    assert!(imported.status.is_some(), "{}", imported.err);
    (folder, db)
}

/// Games of a club player with all that a report looks at: ratings, dates, time controls, two
/// spellings, a rating that cannot be right, a game without a result, one of Chess960, one from
/// another start.
fn club() -> (TempDir, PathBuf) {
    let mut pgn = String::new();
    let mut add = |tags: &[(&str, &str)], moves: &str, result: &str| {
        for (name, value) in tags {
            let _ = writeln!(pgn, "[{name} \"{value}\"]");
        }
        let _ = writeln!(pgn, "[Result \"{result}\"]\n\n{moves} {result}\n");
    };
    for nth in 0..80_u32 {
        let is_new = nth >= 60;
        let date = format!(
            "{}.0{}.11",
            if is_new { 2024 } else { 2010 + nth / 10 },
            nth % 9 + 1
        );
        let own = (1800 + nth).to_string();
        let other = (1700 + 7 * (nth % 40)).to_string();
        let opponent = format!("Opponent{}, X", nth % 7);
        let name = if nth % 5 == 0 {
            "Club,P"
        } else {
            "Club, Peter"
        };
        let control = ["180+0", "", "900+10", "60"][nth as usize % 4];
        let result = ["1-0", "1/2-1/2", "0-1", "1-0", "0-1"][nth as usize % 5];
        let has_white = nth % 2 == 0;
        // Lately 1.d4 instead of 1.e4, which also comes about by 1.Nf3 d5 2.d4.
        let moves = match (has_white, is_new, nth % 3) {
            (true, false, _) => "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            (true, true, 0) => "1. Nf3 d5 2. d4 Nf6 3. c4",
            (true, true, _) => "1. d4 d5 2. Nf3 Nf6 3. c4",
            (false, _, 0) => "1. e4 c5 2. Nf3 d6",
            (false, ..) => "1. d4 Nf6 2. c4 g6",
        };
        let (white, black) = if has_white {
            (name, &opponent[..])
        } else {
            (&opponent[..], name)
        };
        let (white_elo, black_elo) = if has_white {
            (&own, &other)
        } else {
            (&other, &own)
        };
        add(
            &[
                ("White", white),
                ("Black", black),
                ("Date", &date),
                ("WhiteElo", white_elo),
                ("BlackElo", black_elo),
                ("TimeControl", control),
                (
                    "Event",
                    if nth % 8 == 1 {
                        "Spring Rapid"
                    } else {
                        "League"
                    },
                ),
            ],
            moves,
            result,
        );
    }
    let own = [
        ("White", "Club, Peter"),
        ("Black", "Other, Y"),
        ("Date", "2015.02.02"),
    ];
    let with = |tags: &[(&'static str, &'static str)]| [&own[..], tags].concat();
    add(
        &with(&[("WhiteElo", "2900"), ("BlackElo", "1800")]),
        "1. a3 a6",
        "0-1",
    );
    add(&with(&[]), "1. e4 e5", "*");
    add(&with(&[("Variant", "Antichess")]), "1. e3 b6", "1-0");
    add(
        &with(&[("SetUp", "1"), ("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]),
        "1. e4 Ke7",
        "1-0",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("club.pgn");
    std::fs::write(&path, pgn).expect("a file");
    imported(path.to_str().expect("a name"))
}

pub(crate) fn json(db: &Path, args: &[&str]) -> Value {
    let ran = run(db, &[args, &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The rows of an SQL statement.
pub(crate) fn sql(db: &Path, statement: &str) -> Vec<Vec<String>> {
    let ran = run(db, &["sql", "--format", "csv", statement]);
    assert_eq!(ran.status, Some(0), "{statement}: {}", ran.err);
    let rows = ran.out.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

/// The only row of an SQL statement as numbers.
fn numbers(db: &Path, statement: &str) -> Vec<f64> {
    let rows = sql(db, statement);
    assert_eq!(rows.len(), 1, "{statement}");
    rows[0]
        .iter()
        .map(|cell| cell.parse().expect("a number"))
        .collect()
}

fn row<'r>(report: &'r Value, by: &str, key: &str) -> &'r Value {
    let rows = report["results"].as_array().expect("rows");
    let found = rows.iter().find(|row| row["by"] == by && row["key"] == key);
    found.unwrap_or_else(|| panic!("a row {by} {key} in {rows:?}"))
}

pub(crate) fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("a number: {value}"))
}

pub(crate) fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// Games of the club player in chess, as rows of an SQL table: side, points, ratings, date.
const CLUB: &str = "WITH own AS (SELECT id FROM player WHERE name IN ('Club, Peter', 'Club,P')), \
     games AS (SELECT g.id, g.date, g.event, g.white IN own AS has_white, \
       CASE g.result WHEN 3 THEN 0.5 WHEN 1 THEN g.white IN own WHEN 2 THEN g.black IN own END AS points, \
       CASE WHEN g.white IN own THEN g.white_elo ELSE g.black_elo END AS elo, \
       CASE WHEN g.white IN own THEN g.black_elo ELSE g.white_elo END AS other \
       FROM game g WHERE (g.white IN own OR g.black IN own) AND g.variant = 1)";

#[test]
fn results_are_those_of_sql() {
    let (_folder, db) = club();
    let report = json(&db, &["prepare", "Club, Peter"]);
    for (by, key, condition) in [
        ("all", "all", "1"),
        ("color", "white", "has_white"),
        ("color", "black", "NOT has_white"),
        ("year", "2012", "date / 10000 = 2012"),
        ("opponents", "1700..1799", "other BETWEEN 1700 AND 1799"),
    ] {
        let statement = format!(
            "{CLUB} SELECT count(*), sum(points = 1), sum(points = 0.5), sum(points = 0), \
             avg(points), avg(CASE WHEN points IS NOT NULL THEN other END) FROM games WHERE {condition}"
        );
        let expected = numbers(&db, &statement);
        let own = row(&report, by, key);
        for (name, expected) in ["games", "won", "drawn", "lost", "score", "opponents"]
            .iter()
            .zip(expected)
        {
            assert!(
                near(number(&own[name]), expected),
                "{by} {key} {name}: {own} {expected}"
            );
        }
    }
    let all = row(&report, "all", "all");
    assert_eq!(all["games"], 83);
    assert_eq!(report["left_out"]["no_result"], 1);
    assert_eq!(report["left_out"]["variants"], 1);
    assert_eq!(report["left_out"]["set_ups"], 1);
    assert_eq!(report["left_out"]["ratings"], 1);
    assert_eq!(
        report["player"]["spellings"]
            .as_array()
            .expect("spellings")
            .len(),
        2
    );
    assert_eq!(report["player"]["top_rating"], 1879);

    // The 24 months before 2024-09-11; and from a day on that is given.
    assert_eq!(report["since"], "2022-09-11");
    let recent = row(&report, "since", "2022-09-11");
    assert_eq!(recent["games"], 20);
    let report = json(&db, &["prepare", "Club, Peter", "--since", "2014"]);
    let expected = numbers(
        &db,
        &format!("{CLUB} SELECT count(*) FROM games WHERE date >= 20140000"),
    );
    assert!(near(
        number(&row(&report, "since", "2014")["games"]),
        expected[0]
    ));
}

#[test]
fn expected_scores_are_those_of_the_ratings_and_of_the_first_move() {
    let (_folder, db) = club();
    let report = json(&db, &["prepare", "Club, Peter"]);
    let advantage = number(&report["white_advantage"]);
    // The rating of 2900 is no rating, and nothing is expected of bullet.
    let statement = format!(
        "{CLUB} SELECT points, elo, other, has_white, id FROM games \
         WHERE points IS NOT NULL AND elo > 0 AND other > 0 AND elo < 2900"
    );
    let bullet: Vec<String> = sql(&db, "SELECT id FROM game WHERE id <= 80 AND id % 4 = 0")
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    assert_eq!(bullet.len(), 20);
    let mut residuals = Vec::new();
    let mut sum = 0.0;
    for game in sql(&db, &statement) {
        if bullet.contains(&game[4]) {
            continue;
        }
        let [points, elo, other, has_white] =
            [0, 1, 2, 3].map(|at| game[at].parse::<f64>().expect("a number"));
        let edge = if has_white > 0.0 {
            advantage
        } else {
            -advantage
        };
        let expected = 1.0 / (1.0 + 10_f64.powf(-((elo - other) + edge) / 400.0));
        sum += expected;
        residuals.push(points - expected);
    }
    let games = residuals.len() as f64;
    let mean = residuals.iter().sum::<f64>() / games;
    let squares: f64 = residuals.iter().map(|one| (one - mean).powi(2)).sum();
    let error = (squares / (games - 1.0)).sqrt().max(0.3) / games.sqrt();
    let all = row(&report, "all", "all");
    for (name, expected) in [
        ("rated", games),
        ("expected", sum / games),
        ("diff", mean),
        ("diff_2se", 2.0 * error),
    ] {
        assert!(
            near(number(&all[name]), expected),
            "{name}: {all} {expected}"
        );
    }
    assert!(row(&report, "time", "bullet")["expected"].is_null());
}

#[test]
fn time_classes_are_those_of_the_tag_else_of_the_event() {
    let (_folder, db) = club();
    let report = json(&db, &["prepare", "Club, Peter"]);
    // One game in four has no control; half of these are of a rapid event.
    for (class, games) in [
        ("bullet", 20),
        ("blitz", 20),
        ("rapid", 30),
        ("unknown", 13),
    ] {
        assert_eq!(row(&report, "time", class)["games"], games, "{class}");
    }
    let blitz = json(&db, &["prepare", "Club, Peter", "--time", "blitz"]);
    assert_eq!(row(&blitz, "all", "all")["games"], 20);
}

#[test]
fn lines_count_positions_whatever_the_order_of_moves() {
    let (_folder, db) = club();
    let report = json(&db, &["prepare", "Club, Peter", "--min-share", "1"]);
    let lines = report["lines"].as_array().expect("lines");
    let line = |moves: &str| {
        let found = lines.iter().find(|line| {
            let own: Vec<&str> = (line["moves"].as_array().expect("moves").iter())
                .filter_map(Value::as_str)
                .collect();
            own.join(" ") == moves
        });
        found.unwrap_or_else(|| panic!("{moves} in {lines:?}"))
    };
    // Each has the games that play the move in its position, out of those that go on from it.
    for (moves, position, played) in [
        ("e4", "", "e4"),
        ("d4", "", "d4"),
        ("d4 d5 Nf3 Nf6 c4", "d4 d5 Nf3 Nf6", "c4"),
        ("e4 e5 Nf3 Nc6 Bb5", "e4 e5 Nf3 Nc6", "Bb5"),
    ] {
        let position = if position.is_empty() {
            "startpos"
        } else {
            position
        };
        let statement = format!(
            "{CLUB} SELECT count(*), sum(p.next_move = '{played}') FROM games g \
             JOIN (SELECT DISTINCT game, next_move FROM positions('{position}') WHERE NOT in_variation \
             AND next_move <> '') p ON p.game = g.id WHERE g.has_white"
        );
        let expected = numbers(&db, &statement);
        let own = line(moves);
        assert!(
            near(number(&own["chances"]), expected[0]),
            "{moves}: {own} {expected:?}"
        );
        assert!(
            near(number(&own["games"]), expected[1]),
            "{moves}: {own} {expected:?}"
        );
        assert!(near(number(&own["share"]), expected[1] / expected[0]));
        assert_eq!(own["color"], "white");
    }
    assert_eq!(line("e4 c5")["color"], "black");
    assert_eq!(line("e4 c5")["chances"], line("e4 c5")["games"]);

    // 1.e4 was given up and 1.d4 taken up: Fisher's test says so.
    let changes = report["changes"].as_array().expect("changes");
    let change = |san: &str| {
        let found = changes
            .iter()
            .find(|change| change["moves"] == serde_json::json!([san]));
        &found.unwrap_or_else(|| panic!("{san} in {changes:?}"))["trend"]
    };
    let [before, recent] = [("< 20220911", "e4"), (">= 20220911", "d4")].map(|(date, san)| {
        numbers(
            &db,
            &format!(
                "{CLUB} SELECT count(*), sum(m.move = '{san}') FROM games g JOIN moves m ON m.game = g.id \
                 AND m.ply = 1 AND (m.path IS NULL OR m.path = '') WHERE g.has_white AND g.date > 0 AND g.date {date} \
                 AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.game = g.id AND t.name = 'FEN')"
            ),
        )
    });
    assert!(near(number(&change("e4")["before"]), before[1]));
    assert!(near(number(&change("e4")["before_chances"]), before[0]));
    assert!(near(number(&change("d4")["recent"]), recent[1]));
    assert!(near(number(&change("d4")["recent_chances"]), recent[0]));
    assert_eq!(change("e4")["sign"], "down");
    assert_eq!(change("d4")["sign"], "up");
}

#[test]
fn the_lines_that_you_will_meet_come_first() {
    let (_folder, db) = club();
    let colors = |side: &str| {
        let report = json(&db, &["prepare", "Club, Peter", "--you", side]);
        let lines = report["lines"].as_array().expect("lines").clone();
        [&lines[0], &lines[lines.len() - 1]].map(|line| line["color"].clone())
    };
    assert_eq!(colors("white"), ["black", "white"]);
    assert_eq!(colors("black"), ["white", "black"]);
}

#[test]
fn model_games_are_lost_and_meetings_are_all_games_of_two() {
    let (_folder, db) = club();
    let report = json(
        &db,
        &["prepare", "Club, Peter", "--against", "Opponent3, X"],
    );
    let statement = format!("{CLUB} SELECT id FROM games WHERE points = 0");
    let lost: Vec<String> = sql(&db, &statement)
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    let models = report["models"].as_array().expect("models");
    assert!(!models.is_empty());
    for model in models {
        assert!(lost.contains(&model["id"].to_string()), "{model}");
    }
    let statement = format!(
        "{CLUB} SELECT count(*), sum(points), sum(has_white) FROM games g JOIN game r ON r.id = g.id \
         JOIN player p ON p.id IN (r.white, r.black) WHERE p.name = 'Opponent3, X'"
    );
    let expected = numbers(&db, &statement);
    let met = report["against"]["results"].as_array().expect("rows");
    assert!(near(number(&met[0]["games"]), expected[0]));
    assert!(near(number(&met[0]["score"]), expected[1] / expected[0]));
    assert!(near(number(&met[1]["games"]), expected[2]));
}

#[test]
fn names_that_fit_several_players_or_nobody_are_refused() {
    let (_folder, db) = samples();
    let nobody = run(&db, &["prepare", "Fisher, Robert"]);
    assert_ne!(nobody.status, Some(0));
    assert!(
        nobody.err.contains("no player is called `Fisher, Robert`"),
        "{}",
        nobody.err
    );
    assert!(nobody.err.contains("Fischer"), "{}", nobody.err);
    let several = run(&db, &["prepare", "patient"]);
    assert_ne!(several.status, Some(0));
    assert!(
        several.err.contains("several players are called `patient`"),
        "{}",
        several.err
    );
    let empty = run(&db, &["prepare", ""]);
    assert_eq!(empty.status, Some(2));
    assert!(
        empty.err.contains("name of a player is empty"),
        "{}",
        empty.err
    );
    let bad = run(&db, &["prepare", "fischer", "--since", "soon"]);
    assert!(bad.err.contains("--since"), "{}", bad.err);
    let none = run(&db, &["prepare", "fischer", "--time", "bullet"]);
    assert_eq!(none.status, Some(1), "{}", none.err);
}

#[test]
fn few_games_are_listed_and_draughts_have_no_expected_scores() {
    let (_folder, db) = samples();
    let few = json(&db, &["prepare", "Tal, Mikhail"]);
    let all = row(&few, "all", "all");
    assert_eq!(all["games"], 3);
    assert!(all["score"].is_null());
    assert_eq!(few["few_games"].as_array().expect("games").len(), 3);
    let fischer = json(&db, &["prepare", "Fischer"]);
    assert_eq!(row(&fischer, "all", "all")["games"], 11);
    assert!(fischer["few_games"].as_array().expect("games").is_empty());
    let draughts = json(&db, &["prepare", "Anna Amber"]);
    assert!(draughts["white_advantage"].is_null());
    assert_ne!(draughts["variant"], "chess");
    assert!(row(&draughts, "all", "all")["expected"].is_null());
    let text = run(&db, &["prepare", "Anna Amber"]);
    assert!(
        text.out
            .contains("Expected scores are computed for chess alone."),
        "{}",
        text.out
    );
}

#[test]
fn the_report_reads_well_at_80_columns_and_its_page_is_one_file() {
    let (folder, db) = club();
    let page = folder.path().join("club.html");
    let name = page.to_str().expect("a name");
    let args = [
        "prepare",
        "Club, Peter",
        "--you",
        "white",
        "--against",
        "Opponent3, X",
        "--html",
        name,
    ];
    let ran: Ran = (plydex(&db, &args).env("COLUMNS", "80").output())
        .expect("the program runs")
        .into();

    assert_eq!(ran.status, Some(0), "{}", ran.err);
    for line in ran.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let heading = ran.out.lines().next().unwrap_or_default();
    assert!(
        heading.starts_with("Club, Peter (2 spellings)  2010"),
        "{heading}"
    );
    let [meet, other, lost] =
        ["As Black", "As White", "Lost as Black"].map(|title| ran.out.find(title));
    assert!(
        meet.is_some() && meet < other && other < lost,
        "{}",
        ran.out
    );
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.starts_with("<!DOCTYPE html>"));
    assert!(html.contains("Preparation: Club, Peter"));
    assert!(!html.contains("<script") && !html.contains("https://"));
}

/// A row of a statement by its columns, which are numbers or texts.
fn rows_of(db: &Path, statement: &str) -> Vec<Value> {
    let ran = run(db, &["sql", "--format", "json", statement]);
    assert_eq!(ran.status, Some(0), "{statement}: {}", ran.err);
    let rows: Value = serde_json::from_str(&ran.out).expect("JSON");
    rows.as_array().expect("rows").clone()
}

/// Compares the rows of a report with those of its statement.
fn compare(rows: &[&Value], found: &[Value], (keys, names): (&[[&str; 2]], &[[&str; 2]])) {
    assert!(!rows.is_empty());
    for row in rows {
        let is_same = |found: &&Value| keys.iter().all(|[own, column]| row[own] == found[column]);
        let found = found.iter().find(is_same);
        let found = found.unwrap_or_else(|| panic!("{row} in the rows of the statement"));
        for [own, column] in names {
            let (own, other) = (&row[own], &found[column]);
            // Of too few games nothing is shown.
            if !own.is_null() {
                assert!(
                    (number(own) - number(other)).abs() < 1e-9,
                    "{column}: {row} {found}"
                );
            }
        }
    }
}

#[test]
fn statements_give_the_figures_of_the_report() {
    let (_folder, db) = club();
    for filter in [&[][..], &["--time", "blitz"], &["--exact-names"]] {
        let args = [
            "prepare",
            "Club, Peter",
            "--explain",
            "--against",
            "Opponent3, X",
            "--min-share",
            "1",
        ];
        let report = json(&db, &[&args[..], filter].concat());
        let statement = |name: &str| report["sql"][name].as_str().unwrap_or_default().to_owned();
        let figures = [
            "games",
            "won",
            "drawn",
            "lost",
            "score",
            "rated",
            "expected",
            "diff",
            "opponents",
        ];
        let figures = figures.map(|name| [name, name]);
        let all = report["results"].as_array().expect("rows").iter();
        // No column has the time class.
        let all: Vec<&Value> = all.filter(|row| row["by"] != "time").collect();
        let found = rows_of(&db, &statement("results"));
        assert_eq!(found.len(), all.len());
        compare(
            &all,
            &found,
            (&[["by", "counted_by"], ["key", "label"]], &figures),
        );

        let openings: Vec<&Value> = report["openings"]
            .as_array()
            .expect("rows")
            .iter()
            .collect();
        let found = rows_of(&db, &statement("openings"));
        assert_eq!(found.len(), openings.len());
        compare(
            &openings,
            &found,
            (&[["color", "color"], ["name", "name"]], &figures),
        );

        let against = &report["against"]["results"][0];
        compare(
            &[against],
            &rows_of(&db, &statement("against")),
            (&[], &figures),
        );

        for table in ["lines", "changes"] {
            let lines = report[table].as_array().expect("lines");
            if lines.is_empty() {
                continue;
            }
            let lines: Vec<Value> = (lines.iter())
                .map(|line| {
                    let mut row = line["trend"].clone();
                    row["color"] = line["color"].clone();
                    let moves = line["moves"].as_array().expect("moves");
                    let mut text = String::new();
                    for (ply, san) in moves.iter().enumerate() {
                        if ply % 2 == 0 {
                            let _ = write!(text, " {}.", ply / 2 + 1);
                        } else {
                            text.push(' ');
                        }
                        text.push_str(san.as_str().expect("a move"));
                    }
                    row["line"] = text.trim_start().into();
                    if table == "lines" {
                        row["chances"] = line["chances"].clone();
                        row["games"] = line["games"].clone();
                    }
                    row
                })
                .collect();
            let found = rows_of(&db, &statement(table));
            assert_eq!(found.len(), lines.len(), "{found:?}");
            let names = [
                ["chances", "chances"],
                ["games", "games"],
                ["recent_chances", "recent_chances"],
                ["recent", "recent"],
                ["before_chances", "earlier_chances"],
                ["before", "earlier"],
            ];
            let lines: Vec<&Value> = lines.iter().collect();
            compare(
                &lines,
                &found,
                (&[["color", "color"], ["line", "line"]], &names),
            );
        }
    }
    let text = run(&db, &["prepare", "Club, Peter", "--explain"]);
    assert!(text.out.contains("SQL: results"), "{}", text.out);
    let none = json(&db, &["prepare", "Club, Peter"]);
    assert!(none["sql"].is_null());
}
