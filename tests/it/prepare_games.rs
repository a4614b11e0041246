//! What reports on players make of endings, structures, clocks and evaluations, against a naive
//! count of the same games.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use serde_json::Value;

use crate::{
    prepare::{imported, json, near, number, sql},
    support::run,
};

/// A game that is made up.
struct MadeGame {
    kind: &'static str,
    players: [&'static str; 2],
    elos: [u32; 2],
    result: &'static str,
    nth: u32,
}

/// Where the games begin: rooks with equal pawns, and with one more for White; bishops on squares of
/// different colours; an isolated pawn of White's.
const STARTS: [(&str, &str); 4] = [
    ("rooks", "8/5pkp/6p1/8/8/8/r4PPP/R5K1 w - - 0 1"),
    ("more", "8/5pkp/8/8/8/8/r4PPP/R5K1 w - - 0 1"),
    ("bishops", "8/5pkp/4b1p1/8/8/4B3/5PPP/6K1 w - - 0 1"),
    (
        "isolated",
        "r1bq1rk1/pp3ppp/2n1pn2/8/3P4/2N2N2/PP3PPP/R1BQ1RK1 w - - 0 1",
    ),
];

/// The evaluation after a ply, in hundredths of a pawn for White.
fn evaluation(nth: u32, ply: u32) -> i64 {
    match (nth % 4, ply) {
        // White errs at the fifth move, and Black makes it good.
        (0, 9) => -300,
        (2, 24) => 90,
        // White is winning until the thirtieth ply.
        (1, 20..30) => 500,
        _ => 0,
    }
}

/// Seconds that a side has left after a move: one may use its time up.
fn left(nth: u32, side: u32, number: u32) -> u32 {
    let is_slow = nth % 3 == side;
    300 - number * if is_slow { 11 } else { 2 }
}

fn games() -> Vec<MadeGame> {
    let mut games = Vec::new();
    for nth in 0..24 {
        for (kind, result) in [
            ("rooks", ["1/2-1/2", "1/2-1/2"]),
            ("more", ["1-0", "1/2-1/2"]),
            ("bishops", ["0-1", "1-0"]),
            ("isolated", ["1-0", "0-1"]),
        ] {
            let is_black = nth % 2 == 1;
            let players = ["Tempo, T", "Opponent, O"];
            let elos = [2000, 1950 + 10 * nth];
            games.push(MadeGame {
                kind,
                players: if is_black {
                    [players[1], players[0]]
                } else {
                    players
                },
                elos: if is_black { [elos[1], elos[0]] } else { elos },
                result: result[usize::from(is_black)],
                nth,
            });
        }
        for (kind, results) in [
            ("rooks", ["1-0", "1/2-1/2", "0-1"]),
            ("more", ["1-0", "1-0", "1/2-1/2"]),
            ("bishops", ["1/2-1/2", "1-0", "1/2-1/2"]),
        ] {
            games.push(MadeGame {
                kind,
                players: ["Usual, U", "Common, C"],
                elos: [2000 + nth, 2050],
                result: results[nth as usize % 3],
                nth,
            });
        }
    }
    games
}

/// The games of a player with endings, clocks and evaluations, and of others.
pub(crate) fn timed() -> String {
    let mut pgn = String::new();
    for game in games() {
        let start = STARTS.iter().find(|(kind, _)| *kind == game.kind);
        let (_, fen) = start.expect("a start");
        let _ = writeln!(
            pgn,
            "[White \"{}\"]\n[Black \"{}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n\
             [Date \"2011.01.{:02}\"]\n[SetUp \"1\"]\n\
             [FEN \"{fen}\"]\n[Result \"{}\"]",
            game.players[0],
            game.players[1],
            game.elos[0],
            game.elos[1],
            game.nth + 1,
            game.result
        );
        let has_values = game.kind == "rooks" && game.players[0] != "Usual, U";
        if has_values {
            pgn.push_str("[TimeControl \"300\"]\n");
        }
        pgn.push('\n');
        let moves = match game.kind {
            "isolated" => ["Kh1", "Kh8", "Kg1", "Kg8"],
            _ => ["Kf1", "Kf8", "Kg1", "Kg7"],
        };
        for ply in 1..=52_u32 {
            if ply % 2 == 1 {
                let _ = write!(pgn, "{}. ", ply.div_ceil(2));
            }
            pgn.push_str(moves[(ply as usize - 1) % 4]);
            if has_values {
                let seconds = left(game.nth, (ply + 1) % 2, ply.div_ceil(2));
                let value = evaluation(game.nth, ply) as f64 / 100.0;
                let _ = write!(
                    pgn,
                    " {{[%eval {value:.2}] [%clk 0:{:02}:{:02}]}}",
                    seconds / 60,
                    seconds % 60
                );
            }
            pgn.push(' ');
        }
        let _ = writeln!(pgn, "{}\n", game.result);
    }
    pgn
}

fn report() -> (tempfile::TempDir, std::path::PathBuf, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("timed.pgn");
    std::fs::write(&file, timed()).expect("a file");
    let (kept, db) = imported(file.to_str().expect("a name"));
    let report = json(&db, &["prepare", "Tempo, T"]);
    (kept, db, report)
}

fn points(result: &str) -> f64 {
    match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        _ => 0.5,
    }
}

/// The kind of endings, and White's pawns less Black's.
fn case_of(kind: &str) -> Option<(&'static str, i32)> {
    match kind {
        "rooks" => Some(("KRvKR", 0)),
        "more" => Some(("KRvKR", 1)),
        "bishops" => Some(("KBvKB opposite", 0)),
        _ => None,
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let of = mean(values);
    values.iter().map(|value| (value - of).powi(2)).sum::<f64>() / values.len() as f64
}

#[test]
fn endings_are_compared_with_those_of_others_with_the_same_pawns() {
    let (_folder, _db, report) = report();
    let advantage = number(&report["white_advantage"]);
    let expected_of = |elos: [u32; 2]| {
        let edge = f64::from(elos[0]) - f64::from(elos[1]) + advantage;
        1.0 / (1.0 + 10_f64.powf(-edge / 400.0))
    };
    // How such endings went for others, from both sides: scores, and what the ratings let expect.
    let mut usual: BTreeMap<(&str, i32), [Vec<f64>; 2]> = BTreeMap::new();
    let made = games();
    for game in made.iter().filter(|game| game.players[0] == "Usual, U") {
        let (family, pawns) = case_of(game.kind).expect("an ending");
        let (score, expected) = (points(game.result), expected_of(game.elos));
        for (pawns, score, expected) in [
            (pawns, score, expected),
            (-pawns, 1.0 - score, 1.0 - expected),
        ] {
            let [scores, of_ratings] = usual.entry((family, pawns)).or_default();
            scores.push(score);
            of_ratings.push(expected);
        }
    }
    let mut own: BTreeMap<&str, Vec<(i32, f64, f64)>> = BTreeMap::new();
    for game in made.iter().filter(|game| game.players[0] != "Usual, U") {
        let Some((family, pawns)) = case_of(game.kind) else {
            continue;
        };
        let is_white = game.players[0] == "Tempo, T";
        let (score, of_ratings) = (points(game.result), expected_of(game.elos));
        let (pawns, score, of_ratings) = if is_white {
            (pawns, score, of_ratings)
        } else {
            (-pawns, 1.0 - score, 1.0 - of_ratings)
        };
        let [scores, ratings] = &usual[&(family, pawns)];
        let expected = mean(scores) + 0.5 * (of_ratings - mean(ratings));
        for family in [family, "all"] {
            let expected = expected.clamp(0.0, 1.0);
            own.entry(family)
                .or_default()
                .push((pawns, score, expected));
        }
    }
    let endings = &report["endings"];
    assert_eq!(endings["games"], 72);
    assert_eq!(endings["usual_games"], 72);
    let all: Vec<f64> = own["all"]
        .iter()
        .map(|(_, score, exp)| score - exp)
        .collect();
    assert!(near(number(&endings["diff"]), mean(&all)), "{endings}");
    for family in ["KRvKR", "KBvKB opposite"] {
        let kinds = endings["kinds"].as_array().expect("kinds");
        let kind = kinds
            .iter()
            .find(|kind| kind["key"] == family)
            .expect(family);
        let games = &own[family];
        let of = |at: fn(&(i32, f64, f64)) -> f64| games.iter().map(at).collect::<Vec<f64>>();
        assert_eq!(number(&kind["games"]) as usize, games.len());
        assert!(
            near(number(&kind["score"]), mean(&of(|game| game.1))),
            "{kind}"
        );
        assert!(
            near(number(&kind["expected"]), mean(&of(|game| game.2))),
            "{kind}"
        );
        let residuals = of(|game| game.1 - game.2);
        assert!(near(number(&kind["diff"]), mean(&residuals)), "{kind}");
        // The spread of these games or the usual one, and the error of what is usual.
        let count = games.len() as f64;
        let spread = variance(&residuals) * count / (count - 1.0);
        let of_case = |pawns: i32| variance(&usual[&(family, pawns)][0]);
        let spread = spread.max(mean(
            &games.iter().map(|game| of_case(game.0)).collect::<Vec<_>>(),
        ));
        let mut squares = spread / count;
        for pawns in [-1, 0, 1] {
            let part = games.iter().filter(|game| game.0 == pawns).count() as f64 / count;
            if part > 0.0 {
                let known = usual[&(family, pawns)][0].len() as f64;
                squares += part * part * of_case(pawns) / known;
            }
        }
        assert!(
            near(number(&kind["diff_2se"]), 2.0 * squares.sqrt()),
            "{kind}"
        );
        // All endings with bishops were lost, which others draw.
        let marked = if family == "KRvKR" { "up" } else { "down" };
        assert_eq!(kind["marked"], marked, "{kind}");
    }
}

#[test]
fn structures_are_those_that_stand_on_the_board() {
    let (_folder, db, report) = report();
    let kinds = report["structures"]["kinds"].as_array().expect("kinds");
    let row = |whose: &str| {
        let mut kinds = kinds.iter();
        kinds
            .find(|kind| kind["key"] == "iqp" && kind["whose"] == whose)
            .expect("a row")
            .clone()
    };
    // White has the pawn; the games with bishops and rooks have none.
    for (whose, color) in [("player", "white"), ("opponent", "black")] {
        let statement = format!(
            "SELECT count(*), avg(CASE g.result WHEN 1 THEN '{color}' = 'white' WHEN 2 THEN '{color}' = 'black' END) \
             FROM game g JOIN player p ON p.id = g.{color} JOIN tag t ON t.game = g.id \
             WHERE p.name = 'Tempo, T' AND t.name = 'FEN' AND t.value LIKE 'r1bq%'"
        );
        let counted = &sql(&db, &statement)[0];
        let row = row(whose);
        assert_eq!(row["games"].to_string(), counted[0], "{row}");
        let score: f64 = counted[1].parse().expect("a number");
        assert!(near(number(&row["score"]), score), "{row} {counted:?}");
    }
    let text = run(&db, &["prepare", "Tempo, T"]);
    assert!(
        text.out.contains("bishops of opposite colours"),
        "{}",
        text.out
    );
}

/// The clocks of the player's games by SQL: whose first falls below thirty seconds.
fn clocks(db: &Path, condition: &str) -> f64 {
    let first = |side: &str| {
        format!(
            "coalesce((SELECT min(c.ply) FROM clocks c WHERE c.game = g.id AND c.kind = 'clk' \
             AND c.seconds < 30 AND c.ply % 2 = {side}), 999)"
        )
    };
    let at_20 = |side: &str| {
        format!(
            "(SELECT c.seconds FROM clocks c WHERE c.game = g.id AND c.ply <= 40 AND c.ply % 2 = {side} \
             ORDER BY c.ply DESC LIMIT 1)"
        )
    };
    let (own, other) = ("has_white", "(1 - has_white)");
    let statement = format!(
        "SELECT count(*) FROM (SELECT {} AS own, {} AS other, {} - {} AS ahead FROM \
         (SELECT g.id, p.name = 'Tempo, T' AS has_white FROM game g JOIN player p ON p.id = g.white \
          WHERE EXISTS (SELECT 1 FROM clocks c WHERE c.game = g.id)) g) WHERE {condition}",
        first(own),
        first(other),
        at_20(own),
        at_20(other)
    );
    sql(db, &statement)[0][0].parse().expect("a number")
}

#[test]
fn time_trouble_is_that_of_the_clocks() {
    let (_folder, db, report) = report();
    assert_eq!(report["clock"]["games"], 24);
    let classes = report["clock"]["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 1);
    assert_eq!(classes[0]["time"], "blitz");
    let rows = classes[0]["rows"].as_array().expect("rows");
    for (by, key, condition) in [
        ("trouble", "none", "own = other"),
        ("trouble", "player", "own < other"),
        ("trouble", "opponent", "own > other"),
        ("move-20", "less", "ahead < -30"),
        ("move-20", "level", "ahead BETWEEN -30 AND 30"),
        ("move-20", "more", "ahead > 30"),
    ] {
        let row = rows
            .iter()
            .find(|row| row["by"] == by && row["key"] == key)
            .expect(key);
        let counted = clocks(&db, condition);
        assert!(counted > 0.0, "{key}");
        assert!(near(number(&row["games"]), counted), "{row} {counted}");
    }
}

fn chance(pawns: f64) -> f64 {
    2.0 / (1.0 + (-0.368 * pawns).exp()) - 1.0
}

#[test]
fn errors_are_falls_of_the_winning_chance() {
    let (_folder, db, report) = report();
    let rows = sql(
        &db,
        "SELECT e.game, e.ply, e.pawns, p.name = 'Tempo, T' FROM evals e JOIN game g ON g.id = e.game \
         JOIN player p ON p.id = g.white ORDER BY e.game, e.ply",
    );
    let rows: Vec<[f64; 4]> = (rows.iter())
        .map(|row| [0, 1, 2, 3].map(|at| row[at].parse().unwrap_or(0.0)))
        .collect();
    // Moves, blunders, mistakes, inaccuracies of the player and of the opponents.
    let mut counts = [[0_u64; 4]; 2];
    for pair in rows.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        if !near(before[0], after[0]) {
            continue;
        }
        let white_moved = near(after[1] % 2.0, 1.0);
        let fall = chance(before[2]) - chance(after[2]);
        let fall = if white_moved { fall } else { -fall };
        let whose = usize::from(white_moved != (after[3] > 0.0));
        counts[whose][0] += 1;
        match fall {
            0.3.. => counts[whose][1] += 1,
            0.2.. => counts[whose][2] += 1,
            0.1.. => counts[whose][3] += 1,
            _ => {}
        }
    }
    assert!(counts.iter().all(|of| of[1] > 0) && counts[0][3] + counts[1][3] > 0);
    let errors = &report["errors"];
    assert_eq!(errors["games"], 24);
    let all = &errors["rows"].as_array().expect("rows")[0];
    for (whose, counts) in ["own_errors", "opponent_errors"].into_iter().zip(counts) {
        let found = ["moves", "blunders", "mistakes", "inaccuracies"]
            .map(|name| all[whose][name].as_u64().expect("a number"));
        assert_eq!(found, counts, "{whose}");
    }
    // White is winning in every fourth game, which the player has as Black: the opponents' wins.
    assert!(errors["won_positions"].is_null(), "{errors}");
    let other = json(&db, &["prepare", "Opponent, O"]);
    assert_eq!(other["errors"]["won_positions"]["games"], 6);
    // The parts make up the whole.
    let phases: u64 = (errors["rows"].as_array().expect("rows").iter())
        .filter(|row| row["by"] == "phase")
        .map(|row| row["own_errors"]["moves"].as_u64().expect("a number"))
        .sum();
    assert_eq!(phases, counts[0][0]);
}

#[test]
fn few_games_with_clocks_or_evaluations_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("few.pgn");
    let mut seen = 0;
    // The first five games of the player with clocks.
    let few: Vec<String> = (timed().split("[White \""))
        .filter(|game| game.contains("%clk"))
        .take_while(|_| {
            seen += 1;
            seen <= 5
        })
        .map(|game| format!("[White \"{game}"))
        .collect();
    std::fs::write(&file, few.concat()).expect("a file");
    let (_kept, db) = imported(file.to_str().expect("a name"));
    let text = run(&db, &["prepare", "Tempo, T"]);
    assert!(
        text.out.contains("5 games have clocks: too few to compare"),
        "{}",
        text.out
    );
    assert!(
        text.out
            .contains("5 games have evaluations: too few to compare"),
        "{}",
        text.out
    );
}
