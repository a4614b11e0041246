//! Texts that look like something else: what each of them is taken for, and that nothing in it
//! is lost.

use std::fmt::Write as _;

use {
    crate::support::{Base, run},
    plydex::{
        base::record::{GameRecord, MovetextItem},
        import::{ImportOptions, ImportReport, format_named},
    },
};

/// Positions, which the answers have by their letters.
const FENS: [(&str, &str); 4] = [
    (
        "A",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    ),
    (
        "B",
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
    ),
    ("C", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
    ("D", "4k3/R7/8/3KP3/8/7r/8/8 b - - 0 1"),
];

pub(crate) const GAME: &str =
    "[Event \"Alpha\"]\n[White \"Ann\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n";

/// A text with `{A}` to `{D}` for the positions.
pub(crate) fn text_of(template: &str) -> String {
    let mut text = template.to_owned();
    for (letter, fen) in FENS {
        text = text.replace(&format!("{{{letter}}}"), fen);
    }
    text
}

/// A record as one line: its position, its other tags, its moves, words that are none.
fn told(game: &GameRecord) -> String {
    let mut out = String::new();
    for (name, value) in &game.tags {
        if matches!(&name[..], "SetUp" | "Result") || matches!(&value[..], "?" | "????.??.??") {
            continue;
        }
        let name = name.strip_prefix("EPD_").unwrap_or(name);
        let letter = FENS.iter().find(|(_, fen)| fen == value);
        let _ = match (name, letter) {
            ("FEN", Some((letter, _))) => write!(out, "{letter} "),
            _ => write!(out, "{name}={} ", value.trim_matches('"')),
        };
    }
    for item in &game.items {
        let _ = match item {
            MovetextItem::Move(word) => write!(out, "{word} "),
            MovetextItem::Word(word) | MovetextItem::Rest(word) => write!(out, "‹{word}› "),
            MovetextItem::Comment(text) => write!(out, "{{{text}}} "),
            _ => Ok(()),
        };
    }
    out.trim_end().to_owned()
}

/// What a file that is called so gives: the notation, and its records in the order of their
/// places.
pub(crate) fn read_as(
    name: &str,
    text: &[u8],
    options: ImportOptions,
) -> (Vec<String>, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], options);
    let all = done.stored + done.duplicate + done.rejected;
    assert_eq!(done.seen, all, "{name}");
    (base.games().iter().map(told).collect(), done)
}

pub(crate) fn assert_told(name: &str, template: &str, format: &str, wanted: &[&str]) {
    let text = text_of(template);
    let (records, done) = read_as(name, text.as_bytes(), ImportOptions::default());
    assert_eq!(records, wanted, "{name}: {template}");
    let formats: Vec<&str> = done.formats.iter().map(|(_, format)| *format).collect();
    assert_eq!(formats, [format], "{name}: {template}");
}

#[test]
fn values_of_json_stay_with_their_positions() {
    for (template, wanted) in [
        // Slashes as escapes.
        (
            r#"[{"id":1,"fen":"6k1\u002f5ppp\u002f8\u002f8\u002f8\u002f8\u002f5PPP\u002f3R2K1 w - - 0 1"},{"id":2,"fen":"{B}"}]"#,
            &["Event=1 C", "Event=2 B"][..],
        ),
        // The position has brackets of its own.
        (
            r#"{"all":[{"pos":{"fen":"{A}"},"sol":["Bb5","a6"],"by":{"name":"Jo","elo":7}}]}"#,
            &["sol=Bb5 a6 by_name=Jo by_elo=7 A"],
        ),
        (
            r#"{"id":5,"before":"{A}","after":"{B}","best":"Bb5"}"#,
            &[
                "Event=5 c0=before best=Bb5 A",
                "Event=5 c0=after best=Bb5 B",
            ],
        ),
        (
            r#"{"variant":"atomic","positions":["{A}",{"x":{"fen":"{B}"}}]}"#,
            &[
                "variant=atomic A Variant=Atomic",
                "Event=x variant=atomic B Variant=Atomic",
            ],
        ),
    ] {
        assert_told("a.json", template, "json", wanted);
    }
    // A line that is cut takes nothing of its neighbours.
    let lines = "{\"id\":\"a\",\"fen\":\"{A}\"}\n{\"id\":\"b\",\"fen\":\"{B}\",\"x\":[1,2\n\
                 {\"id\":\"c\",\"fen\":\"{C}\"}\n{\"id\":\"d\",\"fen\":\"{D}\"}\n";
    let wanted = ["Event=a A", "Event=b x=1 2 B", "Event=c C", "Event=d D"];
    assert_told("a.jsonl", lines, "json", &wanted);
}

/// Moves are known by what they are where nothing names them, those that cannot be played too.
#[test]
fn values_without_names_are_told_by_what_they_are() {
    let rows = "[7, \"{C}\", \"Rd8#\"]\n[8, \"{A}\", \"Qxh7\"]\n";
    let wanted = ["Event=7 pv=Rd8# C Rd8#", "Event=8 pv=Qxh7 A ‹Qxh7›"];
    assert_told("a.jsonl", rows, "json", &wanted);
    let list = format!("[{}]", rows.trim_end().replace('\n', ",\n"));
    assert_told("a.json", &list, "json", &wanted);
    let sql = "INSERT INTO puzzles VALUES\n(7, '{C}', 'Rd8#'),\n(8, '{A}', 'Qxh7');\n";
    assert_told("a.sql", sql, "json", &wanted);
    let table = "x7|{C}|Rd8#\nx8|{A}|Qxh7\n";
    let wanted = ["Event=x7 pv=Rd8# C Rd8#", "Event=x8 pv=Qxh7 A ‹Qxh7›"];
    assert_told("a.txt", table, "table", &wanted);
    // The name of a square is one, if nothing else can be the name.
    let squares = "[\"e4\", \"{A}\"]\n[\"h1\", \"{C}\"]\n";
    assert_told("a.jsonl", squares, "json", &["Event=e4 A", "Event=h1 C"]);
    let squares =
        "[\"B3\", \"{C}\", \"Rd8#\"]\n[\"d4\", \"{A}\", \"Qxf7#\"]\n[\"x7\", \"{A}\", \"d4\"]\n";
    let wanted = [
        "Event=B3 pv=Rd8# C Rd8#",
        "Event=d4 pv=Qxf7# A ‹Qxf7#›",
        "Event=x7 pv=d4 A d4",
    ];
    assert_told("a.jsonl", squares, "json", &wanted);
    // Whatever stands first.
    let rows = "[1.5, \"{C}\", \"Rd8#\"]\n[null, \"{C}\", \"Rd1#\"]\n";
    let wanted = ["Event=1.5 pv=Rd8# C Rd8#", "pv=Rd1# C ‹Rd1#›"];
    assert_told("a.jsonl", rows, "json", &wanted);
}

#[test]
fn keys_and_values_are_records() {
    for (template, wanted) in [
        (
            "name: Lucena\n\nfen: {A}\n\nmoves: Bb5 a6\n\nsource: Salvio\n\n---\n\n\
             name: Philidor\n\nfen: {B}\n\nresult: draw\n",
            &[
                "Event=Lucena pv=Bb5 a6 source=Salvio A Bb5 a6",
                "Event=Philidor result=draw B",
            ][..],
        ),
        (
            "fen: {A}\n\nmoves: Bb5\n\nfen: {B}\n\nmoves: Ba4\n",
            &["pv=Bb5 A Bb5", "pv=Ba4 B Ba4"],
        ),
        (
            "Chapter 1: Pins\n\nFEN: {A}\n\nFEN: {B}\n\nChapter 2: Forks\n\nFEN: {C}\n",
            &["chapter_1=Pins A", "B", "chapter_2=Forks C"],
        ),
        (
            "one:\n  fen: {A}\n  result: win\n\ntwo:\n  fen: {B}\n  eval:\n    cp: 3\n    depth: 9\n",
            &[
                "Event=one result=win A",
                "Event=two eval_cp=3 eval_depth=9 B",
            ],
        ),
        (
            "list:\n  one:\n    fen: {A}\n    tags:\n      - x\n      - y\n  two:\n    fen: {B}\n",
            &["Event=one tags=x y A", "Event=two B"],
        ),
        (
            "positions:\n  - id: a\n    # well known\n\n    fen: \"{A}\"\n\n    note: |\n      Long,\n      \
             so: long\n  - id: b\n    fen: {B}\n",
            &["Event=a c0=well known note=Long, so: long A", "Event=b B"],
        ),
        (
            "- {id: a, fen: \"{A}\"}\n- {id: b, fen: \"{B}\", moves: [Ba4, Nf6]}\n",
            &["Event=a A", "Event=b pv=Ba4 Nf6 B Ba4 Nf6"],
        ),
        (
            "[[position]]\nname = \"one\"\nfen = \"{A}\"\n\n[[position]]\nname = \"two\"\nfen = \"{B}\"\n",
            &["Event=one A", "Event=two B"],
        ),
        (
            "[one]\nfen = \"{A}\"\nwon = 1\n\n[two]\nwon = 2\nfen = \"{B}\"\n",
            &["Event=one won=1 A", "Event=two won=2 B"],
        ),
        // What engines write out of their binary files.
        (
            "fen {A}\nmove f1b5\nresult 1\ne\nfen {B}\nmove b5a4\nresult 0\ne\n",
            &["c0=move f1b5 result 1 e A", "c0=move b5a4 result 0 e B"],
        ),
        (
            "Philidor's position: {D}\n\nPosition: {C}\n",
            &["Event=Philidor's position D", "C"],
        ),
    ] {
        assert_told("a.txt", template, "text", wanted);
    }
}

#[test]
fn tables_are_told_from_sentences_and_programs() {
    let sentences = "In this book we look at {A}, which is the first, and a nice one.\n\n\
                     Later, {B} arises, and he retreats.\n";
    let wanted = [
        "c0=In this book we look at … , which is the first, and a nice one. A",
        "c0=Later, … arises, and he retreats. B",
    ];
    assert_told("a.csv", sentences, "text", &wanted);
    let program = "static const char* Suite[] = {\n  \"setoption name Hash value 16\",\n  \
                   \"{A}\",\n  \"{B}\", // sharp\n  \"{C}\",\n};\n";
    assert_told("a.cpp", program, "json", &["A", "B", "C"]);
    assert_told("a.md", "| fen |\n|---|\n| {C} |\n", "table", &["C"]);
    // Zeros in front belong to a name.
    let named = "no,fen,cp\n007,{A},7\n008,{B},-0.5\n";
    assert_told(
        "a.csv",
        named,
        "table",
        &["no=007 cp=7 A", "no=008 cp=-0.5 B"],
    );
    let two = "id,before,after\n1,{A},{B}\n2,{B},{C}\n";
    let after = FENS.map(|(_, fen)| fen);
    let wanted = [1, 2].map(|nth| {
        let letter = ["A", "B"][nth - 1];
        format!("Event={nth} after={} {letter}", after[nth])
    });
    assert_told(
        "a.pgn",
        two,
        "table",
        &wanted.each_ref().map(|line| &line[..]),
    );
}

#[test]
fn moves_behind_positions_of_uci_are_played() {
    let log = "position fen {A} moves f1b5 a7a6\ngo depth 9\nposition startpos moves e2e4\n\
               position fen {C}\n";
    let start = "FEN=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let second = format!("pv=e4 {start} e4");
    let wanted = ["pv=Bb5 a6 A Bb5 a6", &second, "C"];
    assert_told("a.log", log, "epd", &wanted);
    let pockets = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1 moves e2e4 e7e5\n";
    let (records, _) = read_as("a.txt", pockets.as_bytes(), ImportOptions::default());
    assert!(
        records[0].ends_with("Variant=Crazyhouse e4 e5"),
        "{records:?}"
    );
}

#[test]
fn links_say_the_variant() {
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2";
    for (link, variant) in [
        (
            format!("https://lichess.org/analysis/crazyhouse/{board}"),
            "crazyhouse",
        ),
        (format!("see lichess.org/editor/atomic/{board}."), "atomic"),
        (
            format!("https://lichess.org/editor/{board}?variant=antichess"),
            "antichess",
        ),
        (
            format!("https://lichess.org/analysis/standard/{board}"),
            "chess",
        ),
        (format!("https://lichess.org/analysis/{board}"), "chess"),
    ] {
        let base = Base::new();
        let path = base.folder().join("a.txt");
        std::fs::write(&path, &link).expect("a file");
        base.import(&[path], ImportOptions::default());
        let games = base.games();
        assert_eq!(games[0].header.variant, variant, "{link}");
    }
}

#[test]
fn games_behind_something_else_are_games() {
    let fens = FENS[0].1;
    let lines = (1..1_500).map(|nth| format!("{fens} {nth}\n"));
    let lines: String = lines.collect();
    let prose = format!(
        "A preface, in which {fens} is shown.\n\n{}",
        "So many words.\n".repeat(6_000)
    );
    for preface in [
        lines.replace(fens, &format!("; {fens}")),
        format!("{{\n{lines}}}\n\n"),
        prose + "\n",
    ] {
        assert!(preface.len() > 64 << 10);
        let text = format!("{preface}{GAME}\n{}", GAME.replace("Nf3", "f4"));
        let (records, done) = read_as("a.txt", text.as_bytes(), ImportOptions::default());
        assert_eq!(done.stored, 2, "{}", &preface[..40]);
        assert!(records[1].ends_with("e4 e5 f4"), "{}", records[1]);
    }
}

#[test]
fn what_is_said_overrules() {
    let text = text_of("- {id: a, fen: \"{A}\"}\n- {id: b, fen: \"{B}\"}\n");
    let (_, done) = read_as("a.yaml", text.as_bytes(), ImportOptions::default());
    let calls: Vec<_> = done.close_calls.iter().map(|call| call.could_be).collect();
    assert_eq!(calls, ["json"]);
    let said = ImportOptions {
        format: Some(format_named("json").expect("a format")),
        ..ImportOptions::default()
    };
    let (records, done) = read_as("a.yaml", text.as_bytes(), said);
    assert_eq!(records, ["A", "B"]);
    assert_eq!(done.formats[0].1, "json");
    assert!(done.close_calls.is_empty());
}

/// How often a finding was made.
pub(crate) fn found(done: &ImportReport, code: &str) -> u64 {
    let counts = done.diagnostics.iter();
    let counts = counts.filter(|(known, _)| known.as_str() == code);
    counts.map(|(_, count)| count).sum()
}

#[test]
fn text_outside_of_games_is_said_to_be_there() {
    let mail = format!("From: a@b.org\n\nHere it is:\n\n{GAME}\nBest wishes,\nAnn\n");
    let page = format!("{GAME}\nSo it stood in {} once.\n", FENS[0].1);
    for (text, games, wanted) in [
        (&mail[..], 1, 2),
        (&page, 1, 1),
        ("Nothing but a text, in which nobody plays.\n", 0, 1),
        ("{ A comment alone. }\n", 0, 1),
        (GAME, 1, 0),
        ("", 0, 0),
    ] {
        let (records, done) = read_as("a.pgn", text.as_bytes(), ImportOptions::default());
        let counts = (records.len(), found(&done, "prelude"));
        assert_eq!(counts, (games, wanted), "{text}");
    }
}

#[test]
fn quotes_of_web_pages_are_quotes() {
    let page = format!(
        "<pre>{}</pre>\n",
        GAME.replace('"', "&quot;").replace("Ann", "A &amp; B")
    );
    let (records, _) = read_as("a.html", page.as_bytes(), ImportOptions::default());
    assert_eq!(records, ["Event=Alpha White=A & B e4 e5 Nf3"]);
}

#[test]
fn moves_of_other_games_tell_the_game() {
    for (moves, variant, plies) in [
        ("1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 H2+3 *", "xiangqi", 6),
        (
            "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 *",
            "xiangqi",
            6,
        ),
        (
            "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 *",
            "xiangqi",
            6,
        ),
        (
            "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 f3 5. e6 e7 *",
            "othello",
            10,
        ),
        // Words that end a game.
        (
            "1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 車一平二 馬2進3 紅勝",
            "xiangqi",
            6,
        ),
        (
            "1. 炮二平五 馬8進7 2. 馬二進三 車9平8 3. 車一平二 馬2進3 黑超時",
            "xiangqi",
            6,
        ),
        (
            "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 f3 5. e6 e7 resigns",
            "othello",
            10,
        ),
        ("1. d3 c5 2. d6 e3 3. f4 c6 4. f2 *", "chess", 2),
        // Too few to tell, or a game of chess that is broken.
        ("1. f5 d6 *", "chess", 0),
        ("1. e5 e4 2. Nf3 Nc6 3. Bb5 a6 *", "chess", 0),
    ] {
        let base = Base::new();
        let text = format!("[Event \"x\"]\n\n{moves}\n");
        let done = base.import_text(text.as_bytes(), ImportOptions::default());
        assert_eq!(done.stored, 1, "{moves}");
        let header = &base.games()[0].header;
        let told = (&header.variant[..], header.plies);
        if variant == "chess" {
            // Nothing of it is lost.
            assert!(base.games()[0].items.len() as u32 > plies, "{moves}");
        }
        assert_eq!(told, (variant, plies), "{moves}");
        let by = header.variant_by.as_deref();
        assert_eq!(by, (variant != "chess").then_some("inferred"), "{moves}");
    }
}

#[test]
fn results_of_xiangqi_are_read_in_chinese() {
    let moves = "1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n3. 車一平二 馬2進3";
    for (text, result) in [
        (format!("{moves}\n紅勝\n"), "1-0"),
        (format!("{moves} 黑胜\n"), "0-1"),
        (format!("{moves} 和棋。\n"), "1/2-1/2"),
        (
            format!("[Variant \"Xiangqi\"]\n[Result \"先負\"]\n\n{moves} *\n"),
            "0-1",
        ),
    ] {
        let base = Base::new();
        base.import_text(text.as_bytes(), ImportOptions::default());
        let game = &base.games()[0];
        assert_eq!(game.header.result, result, "{text}");
        assert_eq!(
            (&game.header.variant[..], game.header.plies),
            ("xiangqi", 6),
            "{text}"
        );
        assert_eq!(game.items.len(), 6, "{text}");
    }
}

#[test]
fn kinds_of_draughts_are_told_game_by_game() {
    let text = "[Event \"I\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 2-0\n\n\
                [Event \"E\"]\n[ECO \"B20\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 1-0\n\n\
                [Event \"R\"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 1-0\n\n\
                [Event \"C\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n";
    for name in ["a.pdn", "a.pgn", "a.txt", "a.epd"] {
        let base = Base::new();
        let path = base.folder().join(name);
        std::fs::write(&path, text).expect("a file");
        base.import(&[path], ImportOptions::default());
        let games = base.games();
        let told = games.iter().map(|game| {
            let by = game.header.variant_by.as_deref().unwrap_or_default();
            (&game.header.variant[..], by)
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                ("international", "inferred; or frisian"),
                ("english", "inferred; or pool"),
                ("brazilian", "inferred; or czech, russian"),
                ("chess", ""),
            ],
            "{name}"
        );
    }
}

/// Files as strangers make them, each with what it must become.
#[test]
fn files_that_are_made_to_deceive_are_read_as_what_they_are() {
    let a = |text: &str| text_of(text).into_bytes();
    let escaped = GAME.replace('"', "\\\"").replace('\n', "\\n");
    let marked: Vec<u8> = format!("\u{feff}{}", GAME.replace('\n', "\r\n"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let game = "Event=Alpha White=Ann e4 e5 Nf3";
    let mut wrong = String::new();
    for (name, text, format, wanted) in [
        (
            "quoted.txt",
            a("The study {{C}} is old.\n\nAs {Capablanca} said, [{A}] is \"equal\".\n"),
            "text",
            &[
                "c0=The study { … } is old. C",
                "c0=As {Capablanca} said, [ … ] is \"equal\". A",
            ][..],
        ),
        (
            "semicolons.csv",
            a("White;Result;Moves\nAnn;1-0;1. e4 e5 2. Nf3 Nc6\nEd;0-1;\"1. c4 c5; 2. g3 g6\"\n"),
            "table",
            &["White=Ann e4 e5 Nf3 Nc6", "White=Ed c4 c5 g3 g6"],
        ),
        (
            "no_names.csv",
            a("Ann,Bob,1-0,e4 e5 Nf3 Nc6\nCy,Di,0-1,d4 d5 c4 c6\n"),
            "table",
            &[
                "column_1=Ann column_2=Bob e4 e5 Nf3 Nc6",
                "column_1=Cy column_2=Di d4 d5 c4 c6",
            ],
        ),
        (
            "numbered_rows.csv",
            a(",white,moves\n0,Ann,e4 e5 Nf3 Nc6\n1,Cy,d4 d5 c4 c6\n"),
            "table",
            &[
                "column_1=0 White=Ann e4 e5 Nf3 Nc6",
                "column_1=1 White=Cy d4 d5 c4 c6",
            ],
        ),
        (
            "inside.json",
            format!("{{\"pgn\":\"{escaped}\"}}").into_bytes(),
            "json",
            &[game],
        ),
        (
            "inside.txt",
            format!("[\"{escaped}\",\"1. d4 d5 2. c4 c6\"]").into_bytes(),
            "json",
            &[game, "d4 d5 c4 c6"],
        ),
        (
            "chess_tags.pdn",
            a("[WhiteElo \"2000\"]\n[ECO \"B20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 1-1\n"),
            "pdn",
            &["WhiteElo=2000 ECO=B20 32-28 19-23 28x19 14x23 37-32 10-14"],
        ),
        (
            "letters.pdn",
            a("[Black \"A\"]\n\n1. f6-g5 c3-d4 2. g5-f4 g3xe5 3. d6xf4 e3xg5 4. h6xf4 1-0\n"),
            "pdn",
            &["Black=A 11-16 22-18 16-19 24x15 10x19 23x16 12x19"],
        ),
        (
            "empty_first.tsv",
            a("no\tfen\tbm\n\t{A}\tBb5\n\t{C}\tRd8#\n"),
            "table",
            &["bm=Bb5 A", "bm=Rd8# C"],
        ),
        (
            "headed.epd",
            a("position;operations\n{A} bm Bb5; id \"a.1\";\n{C} bm Rd8+; id \"a.2\";\n"),
            "epd",
            &["Event=a.1 bm=Bb5 A", "Event=a.2 bm=Rd8# C"],
        ),
        (
            "from_0.txt",
            a("0. {A}\n1. {C}\n2. {D}\n"),
            "text",
            &["Event=0 A", "Event=1 C", "Event=2 D"],
        ),
        ("wide.pgn", marked, "pgn", &[game]),
        ("positions.pgn", a("{A}\n{C}\n"), "epd", &["A", "C"]),
        ("games.fen", a(GAME), "pgn", &[game]),
        (
            "table.md",
            a("# Tactics\n\n| Position | Best |\n|---|---|\n| `{A}` | Bb5 |\n| `{C}` | x |\n\nDone {really}.\n"),
            "table",
            &["best=Bb5 A", "best=x C"],
        ),
        (
            "sections.ini",
            a("[Event]\nfen = {A}\n\n[Site]\nfen = {C}\n"),
            "text",
            &["Event=Event A", "Event=Site C"],
        ),
        (
            "insert.sql",
            a("INSERT INTO p (id, fen) VALUES (1, '{A}');\nINSERT INTO p (id, fen) VALUES (2, '{C}');\n"),
            "json",
            &["Event=1 A", "Event=2 C"],
        ),
        (
            "page.html",
            a("<html><p>Two:</p><pre>{A}</pre><table><tr><td>{C}</td></tr></table></html>\n"),
            "text",
            &["Event=<html><p>Two:</p><pre> A", "C"],
        ),
        ("two.txt", a("{A} | {C}\n"), "text", &["A", "C"]),
        (
            "mixed.jsonl",
            a("{\"fen\":\"{A}\",\"cp\":20}\n{\"white\":\"Ann\",\"moves\":\"e4 e5 Nf3 Nc6\"}\n{\"note\":\"nothing\"}\n"),
            "json",
            &["cp=20 A", "White=Ann e4 e5 Nf3 Nc6"],
        ),
        (
            "reply.txt",
            format!("> {}", GAME.replace('\n', "\n> ")).into_bytes(),
            "pgn",
            &[game],
        ),
        (
            "marks.pgn",
            format!("\u{feff}{GAME}\n\u{feff}{GAME}").replace("Nf3", "f4").replacen("f4", "Nf3", 1).into_bytes(),
            "pgn",
            &[game, "Event=Alpha White=Ann e4 e5 f4"],
        ),
        ("returns.pgn", GAME.replace('\n', "\r").into_bytes(), "pgn", &[game]),
        ("nuls.pgn", format!("\0\0{GAME}\0").into_bytes(), "pgn", &[game]),
        (
            "mail.eml",
            b"From: a@b.org\nMIME-Version: 1.0\nContent-Transfer-Encoding: quoted-printable\n\n[White \"Andr=E9\"]\n\n1. e4 =\ne5 2. N=\nf3 Nc6 *\n".to_vec(),
            "pgn",
            &["White=André e4 e5 Nf3 Nc6"],
        ),
        (
            "quoted.pgn",
            b"[White \"Andr=E9\"]=0D=0A=0D=0A1. e4 e5 2. N=\nf3 Nc6 *=0D=0A".to_vec(),
            "pgn",
            &["White=André e4 e5 Nf3 Nc6"],
        ),
        (
            "links.pgn",
            GAME.replace("Alpha", "x?id=84123").replace("Ann", "y?id=90123").into_bytes(),
            "pgn",
            &["Event=x?id=84123 White=y?id=90123 e4 e5 Nf3"],
        ),
        (
            "broken.txt",
            a("It is White to mo-\nve in 6k1/5ppp/8/8/8/8/5PPP/3R2K1 and he\nwins.\n"),
            "text",
            &["c0=It is White to mo- ve in … and he wins. C"],
        ),
    ] {
        let shown = String::from_utf8_lossy(&text).into_owned();
        let (records, done) = read_as(name, &text, ImportOptions::default());
        if records != wanted {
            let _ = writeln!(wrong, "{name}: {records:?}\n{shown}");
        }
        let formats: Vec<&str> = done.formats.iter().map(|(_, format)| *format).collect();
        let is_said = formats == [format] || formats.is_empty() && format.starts_with('p');
        assert!(is_said, "{name}: {formats:?}");
    }
    assert_eq!(wrong, "");
    for nothing in [
        "1/2/2020/3/4/5/6/7 and src/a/b/c/d/e/f/g are no positions. 1-0, 0-1; 12-16, 22-18.\n",
        "x.o.x.o.\n.x.o.x.o\nxo.xo.xo\n........\noxoxoxox\n.o.x.o.x\nx..o..x.\no.x.o.x.\n",
    ] {
        let (records, _) = read_as("a.txt", nothing.as_bytes(), ImportOptions::default());
        assert_eq!(records, [] as [&str; 0], "{nothing}");
    }
}

/// Names of composers in the encodings of machines that are gone.
#[test]
fn names_of_problems_are_read_in_their_encodings() {
    const PROBLEM: &str = "8/8/8/4K3/8/4k3/p7/8 (1+2) #3\n1. Kd4 Kd2 2. Kd5\n";
    let with = |line: &[u8]| [line, b", 1. Preis 1920\n", PROBLEM.as_bytes()].concat();
    for (encoding, line) in [
        ("windows-1252", &b"J. M\xf6ller & A. Andr\xe9"[..]),
        ("CP850", b"J. M\x94ller & A. Andr\x82"),
        ("CP437", b"J. M\x94ller & A. Andr\x82"),
        ("Mac Roman", b"J. M\x9aller & A. Andr\x8e"),
    ] {
        let base = Base::new();
        let path = base.folder().join("a.txt");
        std::fs::write(&path, with(line)).expect("a file");
        base.import(&[path], ImportOptions::default());
        let written = run(base.store.path(), &["export"]).out;
        let white = "[White \"J. Möller:A. André\"]";
        assert!(written.contains(white), "{encoding}: {written}");
    }
}

/// Words between slashes are no boards, unless something is asked of them.
#[test]
fn paths_and_dates_are_no_diagrams() {
    for path in [
        "usr/8/bin/8/8/8/8/8",
        "bin/8/8/8/8/8/8/8",
        "kk/8/8/8/8/8/8/8",
        "book/8/8/8/8/8/8/8",
        "projects/8/8/8/8/8/8/8",
        "python3/8/8/8/8/8/8/8",
        "/8/bin/8/8/8/8/8",
        "v1/8/8/8/8/8/8/8",
        "Home/8/8/8/8/8/8/8",
        "8/8/8/8",
        "1/2/3/4/5/6/7/8",
        "https://example.org/8/8/8/8/8/8/8/8",
    ] {
        for text in [
            format!("{path}\n"),
            format!("Look at {path} in this.\n"),
            format!("- {path}\n- {path}\n"),
            format!("`{path}`\n"),
        ] {
            for name in ["a.txt", "a.md", "a"] {
                let (records, _) = read_as(name, text.as_bytes(), ImportOptions::default());
                assert_eq!(records, [""; 0], "{name}: {text}");
            }
        }
    }
    let dates = "Dates 8/8/8/8/8/8/8/8 and 1/2/3/4/5/6/7/8.\n";
    assert!(
        read_as("a.txt", dates.as_bytes(), ImportOptions::default())
            .0
            .is_empty()
    );
    // Miscounted and fairy diagrams are diagrams, and so is whatever is one by what is said of it.
    for diagram in [
        "K7/8/8/7/8/8/8/k7",
        "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "8/8/8/4R3/8/8/8/8",
        "k7/3P4/8/3=N4/8/2K5/8/G7",
        "k7/3G4/8/3G4/8/2K5/8/8",
        "usr/8/bin/8/8/8/8/8 (2+3)",
        "usr/8/bin/8/8/8/8/8 h#2",
        "8/8/8/8/8/8/8/8 (0+0) #2",
    ] {
        let text = format!("A. Author, A Source 1999, {diagram}\n");
        let (records, _) = read_as("a.problems", text.as_bytes(), ImportOptions::default());
        assert_eq!(records.len(), 1, "{text}");
    }
}
