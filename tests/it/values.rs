//! Moves found by what comments say of them: clocks, evaluations, losses.

use std::{fmt::Write as _, path::Path};

use {
    crate::support::{Base, run},
    plydex::import::ImportOptions,
};

/// Lichess, TCEC and cutechess, a game in which Black begins, one with nothing to say, and one
/// whose values stand in variations only.
const PGN: &str = r#"
[Event "lichess"]

1. e4 { [%eval 0.2] [%clk 0:01:00] } e5 { [%eval 0.3] [%clk 0:00:59] } 2. f3 { [%eval -0.4] [%clk
0:00:40] } Nc6 { [%eval -0.3] [%clk 0:00:12.5] } 3. Kf2 { [%eval -4.1] } { [%clk 0:00:39] } Bc5+
{ [%eval #-3] [%clk 0:00:05] } *

[Event "tcec"]

1. d4 {d=20, mt=5000, tl=1795000, wv=0.25,} d5 {d=22, mt=00:01:00, tl=00:28:00, wv=M7,} *

[Event "cutechess"]

1. c4 {+0.50/12 2.3s} c5 {+2.00/14 1s} *

[Event "black begins"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]

1... Kd7 {[%eval 5.0]} 2. Kd2 {[%eval 1.0]} *

[Event "nothing"]

1. b3 {well} e5 *

[Event "in a variation"]

1. g3 (1. g4 {[%eval -1.5] [%clk 0:00:03]}) e5 {[%eval 0.0]} *
"#;

#[track_caller]
fn assert_found(base: &Base, args: &[&str], expected: &[&str]) {
    let all = [&["search", "--format", "ndjson"], args].concat();
    let ran = run(base.store.path(), &all);
    assert_eq!(ran.status, Some(i32::from(expected.is_empty())), "{ran:?}");
    let found: Vec<String> = ran
        .out
        .lines()
        .map(|line| {
            let hit: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = |name: &str| hit[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("event"), hit["ply"], text("next_move"))
        })
        .collect();
    assert_eq!(found, expected, "{args:?}");
}

#[test]
fn moves_are_found_by_their_values() {
    let base = Base::new();
    base.import_text(PGN.as_bytes(), ImportOptions::default());
    let found = |args: &[&str], expected: &[&str]| assert_found(&base, args, expected);
    found(&["--clock", "..30"], &["lichess 3 Nc6"]);
    found(&["--clock", "..12.4"], &["lichess 5 Bc5+"]);
    found(&["--clock", "1000.."], &["tcec 0 d4"]);
    found(&["--clock", "1680"], &["tcec 1 d5"]);
    found(&["--eval", "..-4"], &["lichess 4 Kf2"]);
    // A mate is more than any pawns, and the nearer the more.
    found(&["--eval", "100.."], &["tcec 1 d5"]);
    found(&["--eval", "..-5"], &["lichess 5 Bc5+"]);
    // Black's own view in cutechess: two pawns for Black are minus two.
    found(&["--eval", "-2.5..-1.9"], &["cutechess 1 c5"]);
    found(
        &["--loss", "3.."],
        &["lichess 4 Kf2", "tcec 1 d5", "black begins 1 Kd2"],
    );
    found(&["--loss", "0.7"], &["lichess 2 f3"]);
    // Of one and the same move.
    found(&["--loss", "3..", "--clock", "..60"], &["lichess 4 Kf2"]);
    found(&["--loss", "3..", "--clock", "..20"], &[]);
    found(&["--loss", "3..", "--event", "tcec"], &["tcec 1 d5"]);
    // Words of a question mean what the options mean.
    found(
        &["loss:3.. and not event:tcec"],
        &["lichess 4 Kf2", "black begins 1 Kd2"],
    );
    found(&["eval:100.."], &["tcec 1 d5"]);
    // With a position the hit says where that is reached.
    found(&["e4", "--loss", "3.."], &["lichess 1 e5"]);
    found(&["d4", "--clock", "..30"], &[]);
    let count = run(base.store.path(), &["search", "--loss", "0.5..", "--count"]);
    assert_eq!(count.out.trim(), "3");
    let tree = run(base.store.path(), &["tree", "--loss", "3.."]);
    assert!(
        tree.out.contains("e4") && !tree.out.contains("c4"),
        "{tree:?}"
    );
    for (option, range) in [
        ("--clock", "x"),
        ("--loss", "3..1"),
        ("--eval", ""),
        ("--eval", "x.."),
    ] {
        let ran = run(base.store.path(), &["search", option, range]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains(option), "{ran:?}");
    }
}

#[test]
fn moves_are_found_by_the_time_spent_on_them() {
    let base = Base::new();
    base.import_text(PGN.as_bytes(), ImportOptions::default());
    let found = |args: &[&str], expected: &[&str]| assert_found(&base, args, expected);
    // By the clock before and after, or as the comment says.
    found(&["--spent", "20"], &["lichess 2 f3"]);
    found(&["--spent", "40.."], &["lichess 3 Nc6", "tcec 1 d5"]);
    found(
        &["--spent", "..8"],
        &["lichess 4 Kf2", "tcec 0 d4", "cutechess 0 c4"],
    );
    found(&["{ spent:..8 capture }"], &[]);
    found(
        &["spent:..8 quiet stm:black"],
        &["lichess 5 Bc5+", "cutechess 1 c5"],
    );
    // With the increment of the period; a clock to which time was added says nothing.
    let base = Base::new();
    let game = "[Event \"increments\"]\n[TimeControl \"2/600+10:300+5\"]\n\n\
        1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:50]} 2. f3 {[%clk 0:01:00]} f6 {[%clk 0:01:10]}\n\
        3. g3 {[%clk 0:00:59]} g6 {[%clk 0:01:12]} 4. h3 h6 {[%clk 0:01:10]} 5. a3 {[%clk 0:00:01]} *\n\n";
    base.import_text(game.as_bytes(), ImportOptions::default());
    let found = |args: &[&str], expected: &[&str]| assert_found(&base, args, expected);
    found(&["spent:10"], &["increments 2 f3"]);
    found(&["spent:6"], &["increments 4 g3"]);
    found(&["spent:3"], &["increments 5 g6"]);
    found(&["spent:7"], &["increments 7 h6"]);
    found(&["spent:0"], &[]);
    found(&["spent:50.."], &[]);
}

#[test]
fn moves_are_found_by_their_glyphs() {
    let base = Base::new();
    let games = "[Event \"signs\"]\n\n1. e4! e5 $6 {why} 2. Qh5?! (2. Nf3!! Nc6??) Nc6 $14 $1 *\n\n\
        [Event \"numbers\"]\n\n1. d4 {no} d5 $2 2. c4 $3 $146 c6 *\n\n";
    base.import_text(games.as_bytes(), ImportOptions::default());
    let found = |args: &[&str], expected: &[&str]| assert_found(&base, args, expected);
    found(&["--nag", "!"], &["signs 0 e4"]);
    found(&["--nag", "?!"], &["signs 1 e5"]);
    found(&["nag:?!"], &["signs 1 e5"]);
    found(&["nag:6 stm:white"], &["signs 2 Qh5"]);
    found(&["nag:1 nag:14"], &["signs 3 Nc6"]);
    found(&["nag:1,3"], &["signs 0 e4", "numbers 2 c4"]);
    found(&["nag:$146"], &["numbers 2 c4"]);
    found(&["nag:?,??"], &["numbers 1 d5"]);
    found(&["nag:4"], &[]);
    found(&["nag:2 next nag:3"], &["numbers 1 d5"]);
    for wrong in ["nag:0", "nag:256", "nag:x", "nag:!!!"] {
        let ran = run(base.store.path(), &["search", wrong]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains("is not a glyph"), "{ran:?}");
    }
}

#[test]
fn values_of_engines_are_in_json_and_sql() {
    let base = Base::new();
    base.import_text(PGN.as_bytes(), ImportOptions::default());
    let db = base.store.path();
    let shown = run(db, &["show", "2", "--format", "json"]);
    let game: serde_json::Value = serde_json::from_str(&shown.out).expect("JSON");
    let values: Vec<String> = game["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| Some(item.get("values")?.to_string()))
        .collect();
    assert_eq!(
        values,
        [
            r#"{"mt_seconds":5.0,"tl_seconds":1795.0,"eval_depth":20,"eval_pawns":0.25}"#,
            r#"{"mt_seconds":60.0,"tl_seconds":1680.0,"eval_depth":22,"eval_mate":7}"#,
        ]
    );
    let sql =
        "SELECT game, ply, pawns, mate, depth FROM evals WHERE game IN (2, 3, 4) ORDER BY 1, 2";
    let rows = run(db, &["sql", sql, "--format", "csv"]);
    assert_eq!(
        rows.out.replace('\r', ""),
        "game,ply,pawns,mate,depth\n2,1,0.25,,20\n2,2,,7,22\n3,1,0.5,,12\n3,2,-2.0,,14\n4,1,5.0,,\n4,2,1.0,,\n"
    );
    let sql = "SELECT seconds, kind FROM clocks WHERE game IN (2, 3) ORDER BY game, ply, kind";
    let rows = run(db, &["sql", sql, "--format", "csv"]);
    assert_eq!(
        rows.out.replace('\r', ""),
        "seconds,kind\n5.0,mt\n1795.0,tl\n60.0,mt\n1680.0,tl\n2.3,emt\n1.0,emt\n"
    );
}

/// Evaluations and times of a file of the field, in every form that programs write.
#[test]
fn evaluations_of_every_form_are_read() {
    let base = Base::of(include_bytes!("../data/field/eval_forms.pgn"));
    let rows = |statement: &str| {
        let ran = run(base.store.path(), &["sql", "--format", "csv", statement]);
        let lines = ran.out.lines().skip(1).map(str::to_owned);
        lines.collect::<Vec<String>>()
    };
    assert_eq!(
        rows("SELECT ply, pawns, mate, depth FROM evals"),
        [
            "1,0.31,,19",
            "2,3.41,,21",
            "3,0.16,,16",
            "4,-0.57,,17",
            "5,0.3,,12",
            "6,0.27,,28",
            "7,0.3,,21",
            "8,-0.79,,19",
            "9,-0.25,,13",
            "10,,5,",
            "11,0.31,,12",
            "12,,-2,5",
        ]
    );
    assert_eq!(
        rows("SELECT ply, seconds FROM clocks"),
        [
            "4,0.583", "5,28.0", "6,83.0", "7,2.424", "9,5.0", "11,2.3", "12,0.05"
        ]
    );
}

/// Programs that write the same form differ in whose view it is: neighbours tell.
#[test]
fn whose_view_an_evaluation_is_of_is_told_by_its_neighbours() {
    let game = |sign: [&str; 2]| {
        let plies = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
        let moves = plies
            .iter()
            .enumerate()
            .map(|(ply, san)| format!("{san} {{{}0.4{ply}/12 3}}", sign[ply % 2]));
        format!(
            "[Event \"x\"]\n\n{} *\n\n",
            moves.collect::<Vec<_>>().join(" ")
        )
    };
    for (signs, least, most) in [
        (["", ""], 0.4, 0.48),
        (["+", "+"], 0.4, 0.48),
        (["+", "-"], 0.4, 0.48),
        (["-", "-"], -0.48, -0.4),
    ] {
        let base = Base::of(game(signs).as_bytes());
        let statement =
            format!("SELECT count(*) FROM evals WHERE pawns BETWEEN {least} AND {most}");
        let ran = run(base.store.path(), &["sql", "--format", "csv", &statement]);
        assert_eq!(ran.out.lines().nth(1), Some("8"), "{signs:?}");
    }
}

/// Short games, with evaluations of a form whose view the form does not tell: together they
/// show that it is the side that moved. The last one shows the contrary by itself.
fn bots() -> String {
    let mut text = String::new();
    for nth in 0..20 {
        let game = nth % 10;
        let _ = write!(
            text,
            "[Event \"short {nth}\"]\n\n1. e4 {{[%eval 0.5{game},9]}} e5 {{[%eval -0.5{game},9]}} *\n\n"
        );
    }
    text + "[Event \"long\"]\n\n1. e4 {[%eval 0.5,9]} e5 {[%eval 0.5,9]} 2. Nf3 {[%eval 0.6,9]} Nc6 \
        {[%eval 0.5,9]} 3. Bb5 {[%eval 0.7,9]} a6 {[%eval 0.7,9]} *\n"
}

/// Pawns of all evaluations of a database, game by game.
fn pawns(db: &Path) -> Vec<String> {
    let games = "SELECT group_concat(pawns, ' ') FROM evals GROUP BY game ORDER BY game";
    let ran = run(db, &["sql", "--format", "csv", games]);
    let rows = ran.out.lines().skip(1).map(str::to_owned);
    rows.collect()
}

#[test]
fn a_source_decides_whose_view_the_evaluations_of_its_short_games_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, file) = (folder.path().join("g.db"), folder.path().join("bots.pgn"));
    std::fs::write(&file, bots()).expect("a file");
    let name = file.to_str().expect("UTF-8");
    let ran = run(&db, &["import", name]);
    assert!(
        ran.err.contains("Evaluations") || ran.out.contains("Evaluations"),
        "{ran:?}"
    );
    let said = ran.out + &ran.err;
    assert!(
        said.contains("in pawns, as the side that moved sees them"),
        "{said}"
    );
    let long = "0.5 0.5 0.6 0.5 0.7 0.7";
    let rows = |sign: &str| -> Vec<String> {
        let short = (0..20)
            .map(|game| game % 10)
            .map(|game| format!("0.5{game} {sign}0.5{game}"));
        let short = short.map(|row| row.replace("0.50", "0.5"));
        short.chain([long.to_owned()]).collect()
    };
    let (by_games, white) = (rows(""), rows("-"));
    assert_eq!(pawns(&db), by_games);
    // What is said by hand counts for all games, and what is read again keeps it.
    let ran = run(&db, &["reread", "--eval-side", "white", name]);
    assert!(
        ran.out.contains("evaluations are read as White sees them"),
        "{ran:?}"
    );
    assert_eq!(pawns(&db), white);
    assert_eq!(run(&db, &["reread", name]).status, Some(0));
    assert_eq!(pawns(&db), white);
    let shown = run(&db, &["show", "1", "--format", "json"]);
    assert!(shown.out.contains("\"eval_pawns\": -0.5"), "{}", shown.out);
    // The same is found, and in another database that takes the games in.
    let found = ["search", "--evaluation=-0.51..-0.51", "--count"];
    assert_eq!(run(&db, &found).out, "2\n");
    let other = folder.path().join("other.db");
    run(&other, &["merge", db.to_str().expect("UTF-8")]);
    assert_eq!(pawns(&other), white);
    let ran = run(
        &db,
        &[
            "reread",
            "--eval-side",
            "mover",
            "--eval-unit",
            "centipawns",
            name,
        ],
    );
    assert!(
        ran.out
            .contains("in centipawns, as the side that moved sees them"),
        "{ran:?}"
    );
    assert_eq!(pawns(&db)[0], "0.01 0.01");
    run(
        &db,
        &["reread", "--eval-side", "auto", "--eval-unit", "auto", name],
    );
    assert_eq!(pawns(&db), by_games);
    assert_eq!(run(&db, &["check"]).status, Some(0));
    // Read again, the games show what they show; an import can be told as well.
    let told = folder.path().join("told.db");
    run(&told, &["import", "--eval-side", "white", name]);
    assert_eq!(pawns(&told), white);
    let ran = run(&db, &["reread", "1", "--eval-side", "white"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.err.contains("about all games of a source"),
        "{}",
        ran.err
    );
}

#[test]
fn whole_numbers_are_pawns_where_a_program_drops_zeros() {
    let base = Base::of(
        b"[Event \"x\"]\n\n1. e4 {[%eval 0.5]} e5 {[%eval 1]} 2. Nf3 {[%eval 0.75]} Nc6 {[%eval -0.25]} \
        3. Bb5 {[%eval 0.1]} a6 {[%eval 0.2]} 4. Ba4 {[%eval 0.3]} *\n\n\
        [Event \"y\"]\n\n1. e4 {[%eval 2]} *\n",
    );
    // What all games show decides for one that has no decimals.
    assert_eq!(
        pawns(base.store.path()),
        ["0.5 1.0 0.75 -0.25 0.1 0.2 0.3", "2.0"]
    );
    let base = Base::of(b"1. e4 {[%eval 31,19]} e5 {[%eval 28,20]} *\n");
    assert_eq!(pawns(base.store.path()), ["0.31 0.28"]);
}
