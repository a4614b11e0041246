//! Questions about variations, and many questions at a time.

use std::io::Write as _;

use serde_json::Value;

use {
    crate::support::{Base, Ran, plydex, root, run},
    plydex::import::ImportOptions,
};

const GAME: &[u8] = b"[White \"A\"]
[Black \"B\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 (2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#) 2... Nc6 (2... f6 3. Nxe5 fxe5 (3... Qe7 4. Nf3))
3. Bb5 1-0

[White \"C\"]
[Black \"D\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1
";

fn json(base: &Base, args: &[&str]) -> Value {
    let ran = run(base.store.path(), args);
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

/// Game, variation and ply of each hit.
fn places(base: &Base, asked: &[&str]) -> Vec<String> {
    let args = [&["search", "--format", "json", "--limit", "0"], asked].concat();
    let found = json(base, &args);
    let place = |hit: &Value| {
        let line = hit["variation"].as_str().unwrap_or("-");
        assert_eq!(hit["in_variation"] == true, line != "-");
        format!("{} {line} {}", hit["id"], hit["ply"])
    };
    found["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(place)
        .collect()
}

#[test]
fn variations_are_asked_on_request() {
    let base = Base::of(GAME);
    assert_eq!(places(&base, &["mate"]), ["2 - 4"]);
    assert_eq!(
        places(&base, &["mate", "in:variations"]),
        ["1 3.1 7", "2 - 4"]
    );
    assert_eq!(
        places(&base, &["mate", "--in-variations"]),
        ["1 3.1 7", "2 - 4"]
    );
    assert_eq!(places(&base, &["move:Nxe5", "in:variations"]), ["1 4.1 4"]);
    assert_eq!(places(&base, &["qe7", "in:variations"]), ["1 4.1/6.1 6"]);
    // The main line first, and what comes before a variation is a part of it.
    assert_eq!(places(&base, &["move:Bb5", "in:variations"]), ["1 - 4"]);
    assert_eq!(
        places(&base, &["move:e4 then qe7 and in:variations"]),
        ["1 4.1/6.1 0"]
    );
    assert_eq!(
        places(&base, &["move:Bb5 and qe7 and in:variations"]),
        [""; 0]
    );
    assert_eq!(places(&base, &["won:c", "mate", "in:variations"]), [""; 0]);
    assert_eq!(
        places(&base, &["in:variations", "white:a", "mate"]),
        ["1 3.1 7"]
    );
    for (asked, says) in [
        ("mate or in:variations", "applies to the complete query"),
        ("mate in:comments", "not understood"),
    ] {
        let ran = run(base.store.path(), &["search", asked]);
        assert_eq!(ran.status, Some(2), "{asked}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}

/// A question that names what stands on every square of a FEN.
fn every_square(fen: &str) -> String {
    let mut words = Vec::new();
    let board = fen.split(' ').next().expect("a board");
    for (rank, row) in (1..=8).rev().zip(board.split('/')) {
        let mut file = b'a';
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10) {
                file += empty as u8;
            } else {
                words.push(format!("{c}{}{rank}", char::from(file)));
                file += 1;
            }
        }
    }
    format!(
        "pattern {{ {} pieces:{} in:variations }}",
        words.join(" "),
        words.len()
    )
}

/// A variation of which no move can be played is a line all the same: the moves before it.
#[test]
fn variations_without_moves_are_beginnings_of_the_game() {
    let games = [
        "1. e4 e5 (1... Qx9) 2. Nf3 Nc6",
        "1. f3 e5 2. g4 (2. d4 d5) 2... Qh4#",
        "1. e4 {solid} e5 $1",
        "1. e4 c5",
    ];
    let text = games.map(|moves| format!("[Result \"*\"]\n\n{moves} *\n\n"));
    let base = Base::of(text.concat().as_bytes());
    for (asked, found) in [
        ("Pe4 and not pe5", &["1 2.1 1", "4 - 1"][..]),
        ("Pe4 pe7 end", &["1 2.1 1", "4 - 2"]),
        ("move:e4 and not move:c7c5", &["1 - 0", "3 - 0"]),
        ("Pd4 and not mate", &["2 3.1 3"]),
    ] {
        let asked = [asked, "in:variations"];
        assert_eq!(places(&base, &asked), found, "{asked:?}");
    }
    let plan = json(
        &base,
        &[
            "search",
            "--explain",
            "--format",
            "json",
            "Pe4 and not pe5 in:variations",
        ],
    );
    // A game is certain, comments are no variations, and one that has variations may have anything there.
    assert_eq!(plan["certain"], 1, "{plan}");
    assert_eq!(plan["replayed"], 2, "{plan}");
    assert_eq!(plan["steps"][2]["path"], "variations", "{plan}");
    assert_eq!(plan["steps"][2]["possible"], 1, "{plan}");
}

#[test]
fn variations_are_found_as_exact_positions_are() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], ImportOptions::default());
    let mut inside = 0;
    for question in [
        "ke6",
        "Qh5",
        "Ng5",
        "captured:Q",
        "mate",
        "qh4",
        "ba6",
        "Kd2",
        "Nf7",
        "nb4",
        "Qf7",
        "bb4",
    ] {
        let scope = format!("{question} and in:variations");
        let found = places(&base, &[scope.as_str()]);
        let args = ["search", &scope, "--limit", "0", "--format", "fen"];
        let fens = run(base.store.path(), &args).out;
        assert_eq!(fens.lines().count(), found.len());
        for (fen, place) in fens.lines().zip(found) {
            if place.contains(" - ") {
                continue;
            }
            let asked = places(&base, &[every_square(fen).as_str()]);
            assert!(asked.contains(&place), "{fen}");
            let exact = [
                fen,
                "--identity",
                "placement",
                "--in-variations",
                "--variant",
            ];
            let exact = places(&base, &[&exact[..], &["chess,chess960"]].concat());
            assert_eq!(asked, exact, "{fen}");
            inside += 1;
        }
    }
    assert!(inside > 1, "{inside}");
}

#[test]
fn mates_by_knights_are_smothered_where_nothing_is_free() {
    let fens = [
        ("6rk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "1. Nf7#", true),
        // The rook stands elsewhere, and a bishop covers the square.
        ("r6k/6pp/8/3B2N1/8/8/8/K7 w - - 0 1", "1. Nf7+", false),
        ("7k/6pp/8/6N1/2B5/8/8/K5R1 w - - 0 1", "1. Nf7+ Kg8", false),
        ("6rk/6pp/8/8/8/8/8/K6R w - - 0 1", "1. Rxh7+ Kxh7", false),
    ];
    for (fen, moves, is_smothered) in fens {
        let base = Base::of(format!("[FEN \"{fen}\"]\n\n{moves} *\n").as_bytes());
        let found = places(&base, &["smothered"]);
        assert_eq!(!found.is_empty(), is_smothered, "{fen}");
    }
}

fn each(base: &Base, args: &[&str], typed: &str) -> Ran {
    let mut command = plydex(base.store.path(), &[&["search", "--each"], args].concat());
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("plydex");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(typed.as_bytes()).expect("it is read");
    drop(stdin);
    child.wait_with_output().expect("an end").into()
}

#[test]
fn each_line_of_a_file_is_asked() {
    let base = Base::of(GAME);
    let lines = "# openings\n\ne4 e5\nf3\nmate\n\
                 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";\n";
    let file = base.folder().join("questions.txt");
    std::fs::write(&file, lines).expect("a file");
    let file = file.to_str().expect("a path");
    let found = json(&base, &["search", "--each", file, "--format", "json"]);
    let groups = found["groups"].as_array().expect("groups");
    let rows: Vec<String> = groups
        .iter()
        .map(|row| {
            format!(
                "{}: {} {} {}",
                row["name"], row["games"], row["won"], row["lost"]
            )
        })
        .collect();
    assert_eq!(
        rows[..3],
        [r#""e4 e5": 1 1 0"#, r#""f3": 1 0 1"#, r#""mate": 1 0 1"#]
    );
    assert!(rows[3].ends_with("2 1 1"), "{rows:?}");
    // The same from standard input, and filters hold for all.
    let table = each(&base, &["-", "--white", "C"], "e4\nf3\n");
    assert_eq!(table.status, Some(0), "{table:?}");
    assert!(
        table.out.contains("f3") && table.err.contains("2 queries"),
        "{table:?}"
    );
    for (typed, says) in [
        ("e4\ne5 zzz\n", "standard input, line 2"),
        ("# nothing\n", "no line to ask"),
        ("move:Qz9\n", "standard input, line 1"),
    ] {
        let ran = each(&base, &["-"], typed);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains(says), "{}", ran.err);
    }
    let ran = run(base.store.path(), &["search", "--each", "nowhere.txt"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("nowhere.txt"), "{}", ran.err);
}

/// Positions of a question stand in the same line as all else of it.
#[test]
fn positions_of_questions_are_looked_for_in_variations() {
    let base = Base::of(
        b"1. d4 (1. e4 e5) d5 *\n\n1. e4 e5 2. Nf3 *\n\n\
          1. d4 (1. e4 e5) (1. f3 e5 2. g4 Qh4#) d5 *\n\n\
          1. d4 (1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#) d5 *\n",
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    for (asked, games) in [
        (&["moves:\"e4 e5\" and in:variations"][..], "1 2 3 4"),
        (&["moves:\"e4 e5\"", "--in-variations"], "1 2 3 4"),
        (&[&format!("in:variations fen:\"{fen}\"")], "1 2 3 4"),
        (&["moves:\"e4 e5\""], "2"),
        (&["moves:\"e4 e5\" and mate and in:variations"], "4"),
        (
            &["in:variations ( moves:\"e4 e5\" or moves:\"f3 e5\" ) and mate"],
            "3 4",
        ),
        (&["e4 e5", "--in-variations", "--where", "mate"], "3 4"),
        (&["mirror ( moves:\"e4 e5\" ) and in:variations"], "1 2 3 4"),
    ] {
        let mut args = vec!["search", "--format", "csv", "--limit", "0"];
        args.extend(asked);
        let ran = run(base.store.path(), &args);
        let found: Vec<&str> = ran
            .out
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next())
            .collect();
        assert_eq!(found.join(" "), games, "{asked:?} {ran:?}");
    }
}
