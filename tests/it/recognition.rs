//! What a source is taken for: games that quote a position stay games, JSON is JSON in
//! any spacing, and `--as` decides.

use std::fmt::Write as _;

use serde_json::{Value, json};

use {
    crate::support::{Base, run},
    plydex::{
        base::record::GameRecord,
        import::{ImportOptions, ImportReport, format_named},
    },
};

const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

/// A file of this name with this text, in a database of its own.
fn imported(name: &str, text: &str, read_as: Option<&str>) -> (Base, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let options = ImportOptions {
        format: read_as.map(|name| format_named(name).expect("a format")),
        ..ImportOptions::default()
    };
    let done = base.import(&[path], options);
    (base, done)
}

/// What the only source was read as.
fn read_as(done: &ImportReport) -> &'static str {
    let [(_, format)] = done.formats[..] else {
        panic!("{:?}", done.formats);
    };
    format
}

/// An archive of games with tags, four plies and a comment each.
fn games(number: usize) -> String {
    let mut text = String::new();
    for game in 0..number {
        let _ = write!(
            text,
            "[Event \"{game}\"]\n[White \"A\"]\n\n1. e4 e5 {{c}} 2. Nf3 Nc6 *\n\n"
        );
    }
    text
}

#[test]
fn games_that_quote_a_position_stay_games() {
    let archive = games(331);
    // What stands above the archive, and the games that it adds.
    for (above, more) in [
        (format!("{{ {FEN} }}\n\n"), 0),
        (format!("{{ see \"{FEN}\" }}\n\n"), 0),
        (format!("{{\n{FEN}\n}}\n\n"), 0),
        (format!("{{\"{FEN}\"}}\n\n"), 0),
        (format!("; {FEN}\n"), 0),
        (format!("% {FEN}\n"), 0),
        (format!("Our games, begun with {FEN}\n\n"), 0),
        (format!("{FEN}\n\n"), 0),
        // Lines of positions are records of their own.
        (format!("4K3/8/8/8/8/8/4P3/4k3\n{FEN}\n\n"), 1),
        (format!("[Comment \"{FEN}\"]\n\n1. e4 *\n\n"), 1),
        (format!("1. e4 e5 {{ see {FEN} }} 2. Nf3 *\n\n"), 1),
    ] {
        for name in ["a.pgn", "a.txt", "a.epd"] {
            let (base, done) = imported(name, &format!("{above}{archive}"), None);
            let told = (read_as(&done), done.rejected);
            assert_eq!(told, ("pgn", 0), "{name}: {above}");
            let whole =
                |game: &&GameRecord| game.header.plies >= 4 && game.header.problem.is_none();
            let whole = base.games().iter().filter(whole).count();
            assert_eq!(whole, 331, "{name}: {above}");
            // A preface may be a game without moves, or a position, and nothing else is.
            assert!(done.stored <= 332 + more, "{name}: {above}: {done:?}");
        }
    }
}

#[test]
fn games_without_tags_that_quote_a_position_stay_games() {
    for text in [
        format!("1. e4 e5 {{ see {FEN} }} 2. Nf3 *\n"),
        format!("1. e4 e5 ; {FEN}\n2. Nf3 *\n"),
        format!("{{ {FEN} }}\n1. e4 e5 2. Nf3 *\n"),
        format!("% {FEN}\n1. e4 e5 2. Nf3 *\n"),
    ] {
        let (base, done) = imported("a.pgn", &text, None);
        assert_eq!((read_as(&done), done.stored), ("pgn", 1), "{text}");
        assert_eq!(base.games()[0].header.plies, 3, "{text}");
    }
}

#[test]
fn a_problem_has_an_end_and_asks_something() {
    let long = format!(
        "A. Composer\n8/8/8/4K3/8/4k3/p7/8 #3\n{}",
        "1. Kd4 Kd2\n".repeat(7_000)
    );
    let (_base, done) = imported("a.txt", &long, None);
    assert_eq!(read_as(&done), "pgn");
    // Forced or named it is said to be none; it is not one record of 77 KB.
    for (name, forced) in [("a.txt", Some("problems")), ("a.problems", None)] {
        let (_base, done) = imported(name, &long, forced);
        let told = (read_as(&done), done.stored, done.rejected);
        assert_eq!(told, ("problems", 0, 1), "{name}");
    }
    // What stands behind a diagram is a FEN's, not a stipulation.
    let (_base, done) = imported("a.txt", &format!("A. Composer, {FEN}\n"), None);
    assert_eq!((read_as(&done), done.stored), ("text", 1));
    let line = "A. Composer, 8/8/8/4K3/8/4k3/p7/8 (1+2) #3 1. Kd4 Kd2\n";
    let (_base, done) = imported("a.txt", line, None);
    assert_eq!((read_as(&done), done.stored), ("problems", 1));
}

/// The start positions of all games, in order.
fn positions(base: &Base) -> Vec<String> {
    let fen = |game: GameRecord| game.header.start_fen.unwrap_or_default();
    base.games().into_iter().map(fen).collect()
}

#[test]
fn json_gives_the_same_positions_in_any_spacing() {
    let fens: Vec<String> = (0..60)
        .map(|number| {
            let side = ["w", "b"][number % 2];
            format!("4k3/8/8/8/8/8/4P3/4K3 {side} - - 0 {}", number + 1)
        })
        .collect();
    let list: Vec<Value> = fens
        .iter()
        .map(|fen| json!({ "fen": fen, "id": 7 }))
        .collect();
    let compact = json!(list).to_string();
    // As Python writes it.
    let dumped = compact
        .replace("\":", "\": ")
        .replace(",\"", ", \"")
        .replace("},{", "}, {");
    let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
    let dumped_lines: Vec<String> = lines
        .iter()
        .map(|line| line.replace("\":", "\": "))
        .collect();
    for text in [
        dumped.replace(':', " :"),
        dumped.replace('[', " [ ").replace('{', "{ "),
        json!({ "positions": list }).to_string(),
        json!({ "positions": list })
            .to_string()
            .replace("\":", "\": "),
        serde_json::to_string_pretty(&list).expect("JSON"),
        serde_json::to_string_pretty(&list)
            .expect("JSON")
            .replace('\n', "\r\n"),
        serde_json::to_string_pretty(&fens).expect("JSON"),
        json!(fens).to_string().replace("\",", "\", "),
        lines.join("\n"),
        dumped_lines.join("\n"),
        // As Python prints a list.
        dumped.replace('"', "'"),
        dumped,
        compact,
    ] {
        let excerpt = &text[..text.len().min(90)];
        let (base, done) = imported("a.json", &text, None);
        assert_eq!((read_as(&done), done.rejected), ("json", 0), "{excerpt}");
        assert_eq!(positions(&base), fens, "{excerpt}");
    }
}

#[test]
fn a_format_that_is_said_is_not_second_guessed() {
    let epd = "4k3/8/8/8/8/8/4P3/4K3 b - - id \"1\";\n";
    for (format, name) in [
        ("pgn", "pgn"),
        ("PDN", "pdn"),
        ("epd", "epd"),
        ("fen", "epd"),
        ("json", "json"),
        ("puzzles", "puzzles"),
        ("csv", "table"),
        ("text", "text"),
        ("problems", "problems"),
        ("popeye", "popeye"),
        ("popeye-output", "popeye-output"),
        ("olive", "olive"),
        ("ggf", "ggf"),
        ("dhtmlxq", "dhtmlxq"),
        ("wxf", "wxf"),
    ] {
        let (_base, done) = imported("a.epd", epd, Some(format));
        assert_eq!(read_as(&done), name);
    }
    let (base, done) = imported("a.pgn", &format!("[Event \"x\"]\n{epd}"), Some("epd"));
    assert_eq!((done.stored, done.rejected), (1, 1));
    assert_eq!(positions(&base), ["4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]);
}

#[test]
fn a_close_call_is_told_once() {
    let table = "fen;note\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;x\n4k3/8/8/8/8/8/4P3/4K3 b - - 0 1;y\n\
                     4k3/8/8/8/8/8/8/4KR2 w - - 0 1;x\n4k3/8/8/8/8/8/8/4KR2 b - - 0 1;y\n";
    let (_base, done) = imported("a.txt", table, None);
    assert_eq!((read_as(&done), &done.close_calls[..]), ("table", &[][..]));
    // Its name says something else.
    let (_base, done) = imported("a.epd", table, None);
    let calls = done.close_calls.iter();
    let calls: Vec<_> = calls.map(|call| (call.format, call.could_be)).collect();
    assert_eq!((done.stored, &calls[..]), (4, &[("table", "epd")][..]));
    let (_base, done) = imported("a.epd", table, Some("epd"));
    assert_eq!((read_as(&done), done.close_calls.len()), ("epd", 0));
}

#[test]
fn the_command_line_says_what_sources_were_read_as() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for (name, text) in [
        ("a.pgn", games(2)),
        ("b.pgn", games(3)),
        ("c.pdn", "[Event \"x\"]\n\n1. 32-28 *\n".to_owned()),
        ("d.json", json!([{ "fen": FEN }]).to_string()),
    ] {
        std::fs::write(path(name), text).expect("a file");
    }
    let plain = run(&db, &["import", &path("a.pgn")]);
    assert!(!plain.out.contains("Formats"), "{plain:?}");
    let ran = run(
        &db,
        &["import", &path("b.pgn"), &path("c.pdn"), &path("d.json")],
    );
    assert!(
        ran.out.contains("\nFormats  json 1, pdn 1, pgn 1\n"),
        "{ran:?}"
    );
    let ran = run(
        &db,
        &["import", "--as", "pgn", "--format", "json", &path("d.json")],
    );
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(summary["formats"], json!({ "pgn": 1 }));
    let told = json!([{ "source": path("d.json"), "format": "pgn" }]);
    assert_eq!(summary["read_as"], told);
    let ran = run(&db, &["import", "--as", "cbh", &path("a.pgn")]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for word in ["cbh", "pgn, pdn,", "epd, fen", "olive", "--as"] {
        assert!(ran.err.contains(word), "{word}: {ran:?}");
    }
}

#[test]
fn programs_are_told_by_half_of_their_lines() {
    let text = "import chess\nTESTS = [\n    (\"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\", 6),   # pawn\n    \
                ('1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1', 18),\n]\n\
                START = \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"\n\
                b = chess.Board(\"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\")\n";
    let (base, done) = imported("a.py", text, None);
    let wanted = [
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    ];
    assert_eq!(
        (read_as(&done), &positions(&base)[..]),
        ("json", &wanted.map(str::to_owned)[..])
    );
    // None of them is lost in the operations of another.
    let games = base.games();
    let tags = games.iter().flat_map(|game| &game.tags);
    assert_eq!(tags.filter(|(name, _)| name.starts_with("EPD_")).count(), 0);
}
