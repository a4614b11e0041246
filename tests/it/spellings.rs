//! The same positions in every notation that people write them in give the same records:
//! sides, rights, counters and moves.

use std::fmt::Write as _;

use serde_json::{Value, json};

use {
    crate::support::{Base, one_in},
    plydex::import::{ImportOptions, ImportReport},
};

/// A record: FEN and the moves from there, in SAN.
type Written = (String, &'static str);

/// Positions of every kind, all of them different.
fn records(count: usize) -> Vec<Written> {
    let kinds = [
        (
            "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq -",
            "O-O O-O-O",
        ),
        (
            "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R b Kq -",
            "",
        ),
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6",
            "exf6 Nxf6 Nf3",
        ),
        ("8/2k5/8/8/3K4/8/4P3/8 b - -", "Kd6 e4"),
        ("8/2k5/8/8/3K4/8/4P3/8 w - -", ""),
        ("4k3/P7/8/8/8/8/7p/4K3 w - -", "a8=Q+ Kd7"),
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", "Ra8#"),
        ("k7/8/1Q6/8/8/8/8/1K6 b - -", ""),
    ];
    (0..count)
        .map(|number| {
            let (fields, moves) = kinds[number % kinds.len()];
            let ep = fields.ends_with("f6");
            let clock = if ep { 0 } else { number % 50 };
            (format!("{fields} {clock} {}", number + 2), moves)
        })
        .collect()
}

/// Imports a text, called so.
pub(crate) fn imported(name: &str, text: &str) -> (Base, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    (base, done)
}

/// FEN and moves of every record, in order.
fn told(base: &Base) -> Vec<(String, String)> {
    let line = |game: plydex::base::record::GameRecord| {
        let fen = game.header.start_fen.clone().unwrap_or_default();
        let tags = game.tags.iter();
        let line = tags.clone().find(|(name, _)| name == "EPD_pv");
        let played = if game.header.plies == 0 {
            ""
        } else {
            line.map_or("?", |(_, line)| line)
        };
        (fen, played.to_owned())
    };
    base.games().into_iter().map(line).collect()
}

fn each(records: &[Written], line: impl Fn(usize, &str, &str) -> String) -> String {
    let numbered = records.iter().enumerate();
    numbered
        .map(|(at, (fen, moves))| line(at + 1, fen, moves))
        .collect()
}

/// What is written of a record, whether its moves are among it, and in what format the whole
/// is to be read.
fn spellings(records: &[Written]) -> Vec<(&'static str, &'static str, bool, String)> {
    let object = |(at, (fen, moves)): (usize, &Written)| {
        let mut value = json!({ "id": at + 1, "fen": fen });
        if !moves.is_empty() {
            value["moves"] = json!(moves);
        }
        value
    };
    let objects: Vec<Value> = records.iter().enumerate().map(object).collect();
    let compact = json!(objects).to_string();
    let table = |sign: &str| {
        let rows = each(records, |at, fen, moves| {
            format!("{at}{sign}{fen}{sign}{moves}\n")
        });
        format!("id{sign}fen{sign}moves\n{rows}")
    };
    let rows = each(records, |at, fen, moves| {
        format!("| {at} | `{fen}` | {moves} |\n")
    });
    let markdown = format!("| Nr | FEN | Moves |\n|---:|-----|-------|\n{rows}");
    let pv = |moves: &str| match moves {
        "" => String::new(),
        moves => format!(" pv {moves};"),
    };
    let yaml = |quote: &str| {
        each(records, |at, fen, moves| {
            let moves = match moves {
                "" => String::new(),
                moves => format!("  moves: {moves}\n"),
            };
            format!("- fen: {quote}{fen}{quote}\n  id: {at}\n{moves}")
        })
    };
    vec![
        (
            "pgn",
            "a.pgn",
            true,
            each(records, |at, fen, moves| {
                format!("[Event \"{at}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
            }),
        ),
        // Chess is a game of PDN as well.
        (
            "pdn",
            "a.pdn",
            true,
            each(records, |at, fen, moves| {
                format!(
                    "[Event \"{at}\"]\n[GameType \"0\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n"
                )
            }),
        ),
        (
            "epd",
            "a.epd",
            true,
            each(records, |at, fen, moves| {
                format!("{fen}{} id \"{at}\";\n", pv(moves))
            }),
        ),
        (
            "epd",
            "a.txt",
            false,
            each(records, |_, fen, _| format!("{fen}\n")),
        ),
        (
            "text",
            "a.txt",
            true,
            each(records, |at, fen, moves| {
                format!("{at}. {fen}{}\n", pv(moves))
            }),
        ),
        (
            "text",
            "a.md",
            false,
            each(records, |at, fen, _| format!("{at}) {fen}\n")),
        ),
        (
            "text",
            "a",
            true,
            each(records, |at, fen, moves| {
                format!("- {fen} {moves}\n{}", ["", "\n"][at % 2])
            }),
        ),
        (
            "text",
            "a.txt",
            false,
            each(records, |_, fen, _| format!("FEN: {fen}\n")),
        ),
        (
            "text",
            "a.txt",
            false,
            each(records, |at, fen, _| format!("Position {at}: {fen}\n")),
        ),
        (
            "text",
            "a.txt",
            false,
            each(records, |_, fen, _| format!("\"{fen}\"\n")),
        ),
        (
            "text",
            "a.txt",
            false,
            each(records, |_, fen, _| format!("{fen} [0.5]\n")),
        ),
        (
            "table",
            "a.txt",
            false,
            each(records, |at, fen, _| format!("{fen},0.{at}\n")),
        ),
        ("json", "a.json", true, compact.clone()),
        (
            "json",
            "a",
            true,
            compact.replace("\":", "\": ").replace("},{", "}, {"),
        ),
        (
            "json",
            "a.json",
            true,
            serde_json::to_string_pretty(&objects).expect("JSON"),
        ),
        (
            "json",
            "a.jsonl",
            true,
            objects.iter().fold(String::new(), |mut text, object| {
                let _ = writeln!(text, "{object}");
                text
            }),
        ),
        ("table", "a.csv", true, table(",")),
        ("table", "a", true, table("\t")),
        ("table", "a.txt", true, table(";")),
        ("table", "a.csv", true, table("|")),
        (
            "table",
            "a.csv",
            true,
            each(records, |at, fen, moves| {
                format!("\"{at}\",\"{fen}\",\"{moves}\"\n")
            }),
        ),
        (
            "table",
            "a.csv",
            false,
            format!("fen\n{}", each(records, |_, fen, _| format!("{fen}\n"))),
        ),
        (
            "table",
            "a.csv",
            true,
            format!(
                "note,fen,moves\n{}",
                each(records, |at, fen, moves| {
                    format!("\"One of\nthe lines, \"\"{at}\"\"\",\"{fen}\",{moves}\n")
                })
            ),
        ),
        ("table", "a.md", true, markdown.clone()),
        (
            "table",
            "a.md",
            true,
            format!(
                "# Positions\n\nThese are from my notebook, where they stood for years. Nobody has\n\
             ever looked at them.\n\n{markdown}\nThat was all.\n"
            ),
        ),
        ("text", "a.yaml", true, yaml("\"")),
        ("text", "a.yml", true, yaml("")),
        (
            "text",
            "a.yml",
            true,
            format!("list:\n  {}", yaml("\"").trim_end().replace('\n', "\n  ")) + "\n",
        ),
        (
            "text",
            "a.txt",
            true,
            each(records, |at, fen, moves| {
                format!("{}) {fen}\nSolution: {moves}\n\n", at + 1)
            }),
        ),
        (
            "text",
            "a.txt",
            true,
            each(records, |_, fen, moves| {
                format!("Then we looked at {fen}, as others had done.\nThe line was: {moves}\n\n")
            }),
        ),
        (
            "text",
            "a.txt",
            false,
            each(records, |at, fen, _| {
                format!(
                    "In the year {} we looked at {fen}, which is 1/2-1/2 by all means; see\n\
                 the file a/b/c/d of 3/4/2001. Others differ.\n\n",
                    at + 1700
                )
            }),
        ),
    ]
}

#[test]
fn every_spelling_gives_the_same_records() {
    // The last of these records has moves, after many records.
    spelled_alike(60);
}

#[test]
#[ignore = "long: part of `just full`"]
fn every_spelling_gives_the_same_thousand_records() {
    spelled_alike(1000);
}

/// A list of YAML that a sample cuts within a position: half of a FEN is no problem.
#[test]
fn a_cut_sample_ends_with_its_last_whole_line() {
    let records = records(1000);
    let line = |(at, (fen, _)): (usize, &Written)| format!("  - fen: \"{fen}\"\n    id: {at}\n");
    let lines: String = records.iter().enumerate().map(line).collect();
    // Wherever in a line the sample ends.
    for blanks in (0..40).step_by(one_in(7)) {
        let text = format!("list:{}\n{lines}", " ".repeat(blanks));
        let found = plydex::formats::recognise(text.as_bytes(), std::path::Path::new("a.yml"));
        assert_eq!(found.format.name, "text", "{blanks}");
    }
}

fn spelled_alike(count: usize) {
    let records = records(count);
    let all = count as u64;
    let (fens, lines): (Vec<_>, Vec<_>) = records.iter().cloned().unzip();
    let mut played: Option<Vec<String>> = None;
    let step = one_in(3);
    for (nth, (format, name, has_moves, text)) in spellings(&records).into_iter().enumerate() {
        let crlf = text.replace('\n', "\r\n");
        let blanks = text.replace('\n', "  \n");
        let tabs = text.replace('\n', "\t\n");
        let marked = format!("\u{feff}{text}");
        let apart = text.replace('\n', "\n\n");
        let far = text.replace('\n', "\r\n \t\r\n\r\n");
        let open = text.trim_end().to_owned();
        // Other blanks for each spelling.
        let written = [text.clone(), crlf, blanks, tabs, marked, apart, far, open];
        for text in written.into_iter().skip(nth % step).step_by(step) {
            let excerpt = &text[..text.floor_char_boundary(120)];
            let (base, done) = imported(name, &text);
            let read_as = done.formats[0].1;
            let counts = (done.seen, done.stored, done.rejected);
            assert_eq!((read_as, counts), (format, (all, all, 0)), "{excerpt}");
            assert_eq!(done.close_calls, [], "{excerpt}");
            let (found, moves): (Vec<_>, Vec<_>) = told(&base).into_iter().unzip();
            assert_eq!(found, fens, "{excerpt}");
            if matches!(format, "pgn" | "pdn") {
                let plies = |game: plydex::base::record::GameRecord| game.header.plies as usize;
                let plies: Vec<usize> = base.games().into_iter().map(plies).collect();
                let wanted: Vec<usize> =
                    lines.iter().map(|l| l.split_whitespace().count()).collect();
                assert_eq!(plies, wanted);
            } else if has_moves {
                assert_eq!(
                    &moves,
                    played.get_or_insert_with(|| moves.clone()),
                    "{excerpt}"
                );
                let wanted: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
                assert_eq!(moves, wanted, "{excerpt}");
            }
        }
    }
}

#[test]
fn positions_of_draughts_are_those_of_pdn_in_every_spelling() {
    let fens: Vec<String> = (1..=40)
        .map(|at| {
            format!(
                "{}:W{},K{}:B{},K{}",
                ["W", "B"][at % 2],
                46 - at % 5,
                41 - at,
                at % 5 + 6,
                5 - at % 5
            )
        })
        // Two pieces on a square are none.
        .filter(|fen| !fen.contains(",K5:") && !fen.contains(",K6:"))
        .collect();
    let pdn = fens.iter().fold(String::new(), |mut pdn, fen| {
        let _ = write!(pdn, "[GameType \"20\"]\n[FEN \"{fen}\"]\n\n*\n\n");
        pdn
    });
    let (base, _) = imported("a.pdn", &pdn);
    let wanted: Vec<String> = told(&base).into_iter().map(|(fen, _)| fen).collect();
    assert_eq!(wanted.len(), fens.len());
    let lines = |line: &dyn Fn(usize, &String) -> String| -> String {
        fens.iter()
            .enumerate()
            .map(|(at, fen)| line(at + 1, fen))
            .collect()
    };
    for (format, text) in [
        ("epd", lines(&|_, fen| format!("{fen}\n"))),
        ("text", lines(&|at, fen| format!("{at}. {fen}\n"))),
        ("text", lines(&|at, fen| format!("Nr. {at}: {fen}\n"))),
        (
            "text",
            lines(&|_, fen| format!("We had {fen}, which is won, says W: Black.\n\n")),
        ),
        ("json", json!(fens).to_string()),
        (
            "table",
            format!("id;fen\n{}", lines(&|at, fen| format!("{at};{fen}\n"))),
        ),
        (
            "table",
            format!("id,fen\n{}", lines(&|at, fen| format!("{at},\"{fen}\"\n"))),
        ),
        (
            "text",
            lines(&|at, fen| format!("- fen: \"{fen}\"\n  id: {at}\n")),
        ),
    ] {
        let (base, done) = imported("international.txt", &text);
        let counts = (done.formats[0].1, done.stored, done.rejected);
        assert_eq!(counts, (format, fens.len() as u64, 0), "{text}");
        let found: Vec<String> = told(&base).into_iter().map(|(fen, _)| fen).collect();
        assert_eq!(found, wanted, "{text}");
    }
}

/// Moves beside a position of draughts are played where they can be.
#[test]
fn moves_of_draughts_beside_a_position_are_played() {
    let start = "W:W31-50:B1-20";
    let moves = "32-28 19-23 28x19 14x23";
    for text in [
        format!("fen,moves\n\"{start}\",{moves}\n\"{start}\",33-28 18-23\n"),
        format!("id;fen;moves\n1;{start};1. 32-28 19-23 2. 28x19 14x23\n2;{start};33-28 18-23\n"),
        format!(
            "[{{\"fen\":\"{start}\",\"moves\":[\"32-28\",\"19-23\",\"28x19\",\"14x23\"]}},\n{{\"fen\":\"{start}\",\"moves\":\"33-28 18-23\"}}]"
        ),
        format!("{start};id \"1\";pv {moves};\n{start};id \"2\";pv 33-28 18-23;\n"),
        format!("- fen: {start}\n  moves: {moves}\n- fen: {start}\n  moves: 33-28 18-23\n"),
    ] {
        let (base, done) = imported("a.txt", &text);
        assert_eq!((done.stored, done.rejected), (2, 0), "{text}");
        let games = base.games();
        let told: Vec<_> = games
            .iter()
            .map(|game| (&game.header.variant[..], game.header.plies))
            .collect();
        assert_eq!(told, [("international", 4), ("international", 2)], "{text}");
    }
    // What cannot be played stays as it is written.
    let text = format!("fen,moves\n\"{start}\",32-27 1-50\n\"{start}\",quiet\n");
    let (base, _) = imported("a.csv", &text);
    assert!(base.games().iter().all(|game| game.header.plies == 0));
    let tags = base.games()[0].tags.clone();
    assert!(
        tags.contains(&("EPD_pv".to_owned(), "32-27 1-50".to_owned())),
        "{tags:?}"
    );
}

/// The counters of lidraughts stand behind the squares, and stay there.
#[test]
fn counters_of_draughts_are_kept_as_they_stand() {
    let fens = [
        "W:W31,32,K3:B1,2:H4:F12",
        "B:W31,32,K3:B1,2:H0:F1:+0+1",
        "W:W31,K32:B11,12:F7",
    ];
    let lines = |line: &dyn Fn(&str) -> String| fens.map(line).concat();
    for text in [
        lines(&|fen| format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n\n*\n\n")),
        lines(&|fen| format!("{fen}\n")),
        lines(&|fen| format!("{fen} id \"x\";\n")),
        lines(&|fen| format!("1. {fen}\n")),
        lines(&|fen| format!("See {fen}, which is drawn, all say, or nearly all.\n\n")),
        format!("id;fen\n{}", lines(&|fen| format!("1;{fen}\n"))),
        format!(
            "[{}]",
            fens.map(|fen| format!("{{\"fen\": \"{fen}\"}}")).join(",")
        ),
    ] {
        let (base, done) = imported("international.txt", &text);
        assert_eq!((done.stored, done.rejected), (3, 0), "{text}");
        let games = base.games();
        let written: Vec<&str> = games
            .iter()
            .map(|game| {
                let fen = game.tags.iter().find(|(name, _)| name == "FEN");
                fen.map_or("", |(_, fen)| fen)
            })
            .collect();
        assert_eq!(written, fens, "{text}");
        assert!(
            games.iter().all(|game| game.header.start_fen.is_some()),
            "{text}"
        );
    }
    let (base, _) = imported("international.epd", "W:W31,32:B1,2 hmvc 4; fmvn 12;\n");
    assert!(
        base.games()[0]
            .tags
            .contains(&("FEN".to_owned(), "W:W31,32:B1,2:H4:F12".to_owned()))
    );
}

#[test]
fn nothing_is_invented() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (text, stored, rejected) in [
        ("fen,eval\n".to_owned(), 0, 0),
        ("fen\n".to_owned(), 0, 0),
        (
            "date,result\n2020/01/02,1/2-1/2\n3/4/5/6,0-1\n".to_owned(),
            0,
            0,
        ),
        (
            "On 3/4/2020 we drew 1/2-1/2 at 12:30:15; see a/b/c/d/e/f/g/h.\n".to_owned(),
            0,
            0,
        ),
        (
            "king/kong/kiss/kill and src/main/rust/k1/x\nW: Black: b\n".to_owned(),
            0,
            0,
        ),
        (
            format!("fen,note\n{fen},\"Nice, and 1/2-1/2 on 3/4/2020, see a/b/c/d\"\n"),
            1,
            0,
        ),
        (
            format!("fen,note\n{fen},\"Nice\"\nno position,\"x\"\n"),
            1,
            1,
        ),
        (
            format!("| FEN | side |\n|---|---|\n| {fen} | black |\n"),
            1,
            0,
        ),
    ] {
        for name in ["a.txt", "a.csv", "a.md"] {
            let (base, done) = imported(name, &text);
            assert_eq!(
                (done.stored, done.rejected),
                (stored, rejected),
                "{name}: {text}"
            );
            for game in base.games() {
                assert_eq!(game.header.start_fen.as_deref(), Some(fen), "{text}");
                assert_eq!(game.header.plies, 0);
            }
        }
    }
}

#[test]
fn who_moves_is_taken_from_where_it_stands_and_from_nowhere_else() {
    let board = "4k3/8/8/8/8/8/4P3/4K3";
    for (text, side) in [
        (
            format!("| FEN | to move |\n|---|---|\n| {board} | black |\n"),
            "b",
        ),
        (format!("board,stm\n{board},b\n"), "b"),
        (format!("board,winner\n{board},black\n"), "w"),
        (format!("We look at {board} today.\n"), "w"),
    ] {
        let (base, done) = imported("a.txt", &text);
        let games = base.games();
        let start = games[0].header.start_fen.clone().unwrap_or_default();
        assert_eq!(start, format!("{board} {side} - - 0 1"), "{text}");
        let missing = done
            .diagnostics
            .iter()
            .filter(|(code, _)| code.as_str() == "missing-fields");
        let missing: u64 = missing.map(|(_, count)| count).sum();
        assert_eq!(missing, 1, "{text}");
    }
}
