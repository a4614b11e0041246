//! Positions out of JSON and source code, and which files of a folder are taken.

use std::{fmt::Write as _, path::Path};

use serde_json::{Value, json};

use {
    crate::support::{Base, one_in, positions, run},
    plydex::{
        base::record::GameRecord,
        import::{DuplicateAction, ImportOptions},
    },
};

/// A database of one file of this name.
fn base(name: &str, text: &str) -> Base {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    assert_eq!(done.rejected, 0);
    base.assert_sound();
    base
}

fn tag<'g>(game: &'g GameRecord, name: &str) -> &'g str {
    let found = game.tags.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, value)| value)
}

const PROBLEMS: &str = r#"{ "problems": [
  {"problemid":7,"type":"Mate in One","fen":"7k/Q7/6K1/8/8/8/8/8 w - - 0 1","moves":"a7-g7"},
  {"name":"two \"moves\"","fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","solution":["e2e4","e8e7"],
   "bm":"e4, Kd2","rating":1500},
  {"fen":"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1","moves":"e8-e5","variant":"atomic"}
]}"#;

#[test]
fn values_beside_a_position_become_operations_and_moves() {
    let base = base("problems.json", PROBLEMS);
    let games = base.games();
    let told: Vec<_> = games
        .iter()
        .map(|game| {
            let header = &game.header;
            (tag(game, "Event"), header.plies, &header.variant[..])
        })
        .collect();
    assert_eq!(
        told,
        [
            ("7", 1, "chess"),
            ("two \"moves\"", 2, "chess"),
            ("", 0, "atomic")
        ]
    );
    assert_eq!(tag(&games[0], "EPD_type"), "\"Mate in One\"");
    assert_eq!(tag(&games[0], "EPD_pv"), "Qg7#");
    assert_eq!(tag(&games[1], "EPD_bm"), "Kd2 e4");
    assert_eq!(tag(&games[1], "EPD_rating"), "1500");
    assert_eq!(tag(&games[2], "EPD_pv"), "e8-e5");
    // Found by a position of the solution, and given back as EPD.
    let db = base.folder().join("test.db");
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - -";
    let found = run(&db, &["search", mated, "--count"]);
    assert_eq!(found.out.trim(), "1");
    let epd = run(&db, &["export", "--format", "epd"]).out;
    insta::assert_snapshot!(epd, @r#"
    7k/Q7/6K1/8/8/8/8/8 w - - id "7"; pv Qg7#; type "Mate in One";
    4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; id "two \"moves\""; pv e4 Ke7; rating 1500;
    4k3/8/8/8/8/8/4P3/4K3 b - - pv e8-e5; variant "atomic";
    "#);
}

#[test]
fn maps_and_code_give_their_names() {
    let ballots = r#"{"all": {"1: 9-13 21-17": "B:W17,22-32:B1-8,10-13",
        "2: 9-13 22-17": "B:W17,21,23-32:B1-8,10-13"}, "lost": ["1: 9-13 21-17"]}"#;
    let code =
        "std::string tests[] = { // not \"W:W1:B2\"\n  \"W:W31-50:B1-20\",\n  \"W:WK1:BK50\" };";
    let calls = "Position(\"1-I\", FEN(\"B:W21-32:B1-12\"), \"1. ab4\", \"ab4\".some)";
    for (name, text, wanted) in [
        (
            "english.json",
            ballots,
            &[("1: 9-13 21-17", "english"), ("2: 9-13 22-17", "english")][..],
        ),
        (
            "tests.cpp",
            code,
            &[("", "international"), ("", "international")],
        ),
        ("tables.txt", calls, &[("1-I", "english")]),
    ] {
        let base = base(name, text);
        let games = base.games();
        let told: Vec<_> = games
            .iter()
            .map(|game| (tag(game, "Event"), &game.header.variant[..]))
            .collect();
        assert_eq!(told, wanted, "{name}");
    }
}

/// What lists of positions are called is kept with each of them.
#[test]
fn chapters_around_lists_are_kept() {
    let fen = |rank: u32| {
        format!(
            "\"fen\": \"4k3/8/8/8/8/8/{rank}P{}/4K3 w - - 0 1\"",
            7 - rank
        )
    };
    let text = format!(
        "{{\"title\": \"Endings\", \"chapters\": [\n\x20\
         {{\"name\": \"Pawns\", \"positions\": [{{{}, \"id\": 7}}, {{{}}}]}},\n\x20\
         {{\"positions\": [{{{}}}]}},\n\x20\
         {{\"chapter\": 3, \"positions\": [{{{}}}]}}]}}\n",
        fen(1),
        fen(2),
        fen(3),
        fen(4)
    );
    let base = base("book.json", &text);
    let games = base.games();
    let told: Vec<_> = (games.iter())
        .map(|game| (tag(game, "Event"), tag(game, "EPD_chapter")))
        .collect();
    assert_eq!(
        told,
        [
            ("7", "\"Endings: Pawns\""),
            ("", "\"Endings: Pawns\""),
            ("", "\"Endings\""),
            ("", "\"Endings: 3\""),
        ]
    );
}

/// Where a text is not UTF-8, it is said that its encoding was guessed, as of games.
#[test]
fn guessed_encodings_are_reported() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let other = "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1";
    let german = "Größe und Übersicht für Züge";
    let russian = "Белые начинают и дают мат";
    let to_1252: fn(&str) -> Vec<u8> = |text| text.chars().map(|c| c as u32 as u8).collect();
    let to_437: fn(&str) -> Vec<u8> = |text| {
        let byte = |c| match c {
            'ö' => 0x94,
            'ß' => 0xe1,
            'Ü' => 0x9a,
            'ü' => 0x81,
            c => c as u32 as u8,
        };
        text.chars().map(byte).collect()
    };
    let to_866: fn(&str) -> Vec<u8> = |text| {
        let byte = |c: char| match c as u32 {
            at @ 0x410..=0x43f => (at - 0x410 + 0x80) as u8,
            at @ 0x440..=0x44f => (at - 0x440 + 0xe0) as u8,
            at => at as u8,
        };
        text.chars().map(byte).collect()
    };
    for (words, encoded) in [(german, to_1252), (german, to_437), (russian, to_866)] {
        for (name, text) in [
            (
                "a.csv",
                format!("fen,title\n{other},first\n{fen},{words}\n"),
            ),
            (
                "a.json",
                format!(
                    "[{{\"fen\": \"{other}\"}},\n{{\"fen\": \"{fen}\", \"title\": \"{words}\"}}]"
                ),
            ),
            ("a.txt", format!("1. {other} first\n\n2. {fen} {words}\n")),
        ] {
            let guesses = |bytes: &[u8]| {
                let base = Base::new();
                let path = base.folder().join(name);
                std::fs::write(&path, bytes).expect("a file");
                let done = base.import(&[path], ImportOptions::default());
                assert_eq!(done.stored, 2, "{name}");
                let tags: Vec<String> = (base.games()[1].tags.iter())
                    .map(|(_, value)| value.clone())
                    .collect();
                let counts = done.diagnostics.iter();
                let guessed = counts.filter(|(code, _)| code.as_str() == "encoding-guess");
                (tags, guessed.map(|(_, count)| count).sum::<u64>())
            };
            let (tags, guessed) = guesses(text.as_bytes());
            assert_eq!(guessed, 0, "{name} {words}");
            let (read, guessed) = guesses(&encoded(&text));
            assert_eq!(guessed, 1, "{name} {words}");
            // Some words of Russian are too few to tell which of its encodings it is.
            assert!(read == tags || words == russian, "{name} {read:?}");
        }
    }
}

/// Tag pairs have FENs in quotes, too.
#[test]
fn games_with_fens_stay_games() {
    let game = "A mail\n\n[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";
    let base = base("mail.txt", game);
    let plies: Vec<u32> = base.games().iter().map(|game| game.header.plies).collect();
    assert_eq!(plies, [1]);
}

#[test]
fn json_lines_are_cut_between_lines() {
    let line = "{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\",\"id\":";
    let lines: Vec<String> = (0..30_000).map(|id| format!("{line}{id}}}\n")).collect();
    let text = lines.concat();
    let base = base("evals.jsonl", &text);
    let last = base.games().pop().expect("a game");
    assert_eq!((last.header.id, tag(&last, "Event")), (30_000, "29999"));
}

#[test]
fn folders_are_taken_by_name_and_by_beginning() {
    let base = Base::new();
    let folder = base.folder().join("in");
    std::fs::create_dir(&folder).expect("a folder");
    let epd = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"1\";\n";
    for (name, text) in [
        ("a.epd_first_lines_", epd),
        ("b.json", PROBLEMS),
        ("c.txt", "[Event \"c\"]\n\n1. e4 *\n"),
        ("d.epd~", epd),
        ("e.json", "{\"name\": \"no position\"}"),
        ("f.txt", "src/main/scala/draughts\n"),
        (".hidden", epd),
    ] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let done = base.import(&[folder], ImportOptions::default());
    assert_eq!((done.sources, done.stored), (3, 5));
    assert_eq!(done.files_skipped, 3);
    let names = |paths: &[String]| -> Vec<String> {
        let name = |path: &String| Path::new(path).file_name().map(ToOwned::to_owned);
        let names = paths.iter().filter_map(name);
        names.map(|name| name.to_string_lossy().into()).collect()
    };
    assert_eq!(
        names(&done.files_skipped_named),
        ["d.epd~", "e.json", "f.txt"]
    );
}

/// Every file of the collection, cut short where it is long.
#[test]
fn every_real_file_of_positions_is_imported() {
    let bytes_max = (48 << 10) / one_in(4);
    let Some(folder) = positions("every_real_file_of_positions") else {
        return;
    };
    let mut files = Vec::new();
    let mut folders = vec![folder.path().to_path_buf()];
    while let Some(path) = folders.pop() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let mut text = std::fs::read(&path).expect("a file");
            if text.len() > bytes_max {
                text.truncate(bytes_max);
                // Maps of ballots have one line.
                if let Some(end) = text.iter().rposition(|&byte| byte == b'\n') {
                    text.truncate(end.max(bytes_max / 2) + 1);
                }
                std::fs::write(&path, text).expect("a file");
            }
            files.push(path);
        }
    }
    files.sort();
    let name = |path: &Path| {
        let name = path.file_name().expect("a name");
        name.to_string_lossy().into_owned()
    };
    // What is no text of positions: their list, and a program that has none.
    let no_positions = ["MANIFEST.tsv", "rhalbersma__perft.txt"];
    let base = Base::new();
    let done = base.import(&files, ImportOptions::default());
    assert_eq!(done.sources as usize, files.len());
    assert_eq!(done.seen, done.stored + done.duplicate + done.rejected);
    assert_eq!(done.sources_failed, []);
    let empty: Vec<String> = done
        .sources_empty
        .iter()
        .map(|path| name(Path::new(path)))
        .collect();
    assert_eq!(empty, no_positions);
    base.assert_sound();
    // Taken from the folder are all but the programs that quote positions.
    let in_folder = Base::new();
    let done = in_folder.import(&[folder.path().to_path_buf()], ImportOptions::default());
    let passed_over: Vec<String> = done
        .files_skipped_named
        .iter()
        .map(|path| name(Path::new(path)))
        .collect();
    insta::assert_debug_snapshot!((files.len(), done.sources, passed_over), @r#"
    (
        404,
        398,
        [
            "MANIFEST.tsv",
            "Mind-Sports-Games__DrawTablesACF.scala",
            "Mind-Sports-Games__DrawTablesFMJD.scala",
            "Mind-Sports-Games__DrawTablesIDF.scala",
            "rhalbersma__fen.txt",
            "rhalbersma__perft.txt",
        ],
    )
    "#);
}

/// Two lines as lichess publishes them.
#[test]
fn puzzles_are_played_and_keep_what_stands_beside_them() {
    let rows = "\
        00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1 b1c1 h6c1,1798,76,95,8600,\
        crushing hangingPiece long middlegame,https://lichess.org/787zsVup/black#48,\n\
        000aY,r4rk1/pp3ppp/2n1b3/q1pp2B1/8/P1Q2NP1/1PP1PP2/2KR3R w - - 0 15,g5e7 a5c3 b2c3 c6e7,1400,75,-3,10,\
        advantage master short,https://lichess.org/iihZGl6t#29,Benoni_Defense\n";
    let header =
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n";
    for text in [rows.to_owned(), format!("{header}{rows}")] {
        let base = base("lichess_db_puzzle.csv", &text);
        let games = base.games();
        let told: Vec<_> = games
            .iter()
            .map(|game| {
                (
                    tag(game, "Event"),
                    game.header.plies,
                    tag(game, "EPD_popularity"),
                )
            })
            .collect();
        assert_eq!(told, [("00008", 6, "95"), ("000aY", 4, "-3")]);
        assert_eq!(
            tag(&games[0], "EPD_themes"),
            "\"crushing hangingPiece long middlegame\""
        );
        assert_eq!(tag(&games[1], "EPD_openings"), "\"Benoni_Defense\"");
    }
}

#[test]
fn tables_of_games_are_as_their_games() {
    let rows = [
        ("Ann, A", "Bob", "white", "1-0", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4"),
        ("Cy", "Di \"D\" E", "black", "0-1", "d4 d5 c4 e6 Nc3 Nf6"),
        ("Ed", "Flo", "draw", "1/2-1/2", "c4 c5 g3 g6 Bg2"),
        ("Gus", "Hal", "", "*", ""),
    ];
    let mut pgn = String::new();
    for (white, black, _, result, moves) in rows {
        let [white, black] = [white, black].map(|name| name.replace('"', "\\\""));
        let _ = write!(
            pgn,
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        );
    }
    let wanted = Base::of(pgn.as_bytes());
    for (delimiter, name) in [(",", "games.csv"), ("\t", "games.tsv"), (";", "games.txt")] {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut table = ["white_id", "black_id", "moves", "winner"].join(delimiter) + "\r\n";
        for (white, black, winner, _, moves) in rows {
            let cells = [
                quoted(white),
                quoted(black),
                moves.to_owned(),
                winner.to_owned(),
            ];
            table += &(cells.join(delimiter) + "\r\n");
        }
        let base = Base::new();
        let path = base.folder().join(name);
        std::fs::write(&path, &table).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        assert_eq!((done.stored, done.rejected), (4, 0), "{name}");
        for (game, wanted) in base.games().iter().zip(wanted.games()) {
            let told = |game: &GameRecord| {
                let header = &game.header;
                let names = (header.white.clone(), header.black.clone());
                (
                    names,
                    header.result.clone(),
                    header.plies,
                    game.items.clone(),
                )
            };
            assert_eq!(told(game), told(&wanted), "{name}");
        }
        base.assert_sound();
    }
}

/// A game of lichess as its API has it, and as its PGN has it.
fn of_lichess() -> (String, String) {
    let json = r#"{"id":"q7ZvsdUF","rated":true,"variant":"standard","speed":"blitz","perf":"blitz","createdAt":1514505150384,"status":"draw","players":{"white":{"user":{"name":"Lance5500","title":"LM","id":"lance5500"},"rating":2389,"ratingDiff":4},"black":{"aiLevel":8}},"opening":{"eco":"D31","name":"Semi-Slav","ply":7},"moves":"d4 d5 c4 c6 Nc3 e6","clocks":[18003,18003,17915,17900,17800,17700],"analysis":[{"eval":23},{"eval":-7},{"mate":3,"best":"e2e4","judgment":{"name":"Blunder","comment":"Blunder. e4 was best."}}],"clock":{"initial":180,"increment":2,"totalTime":260}}"#;
    let pgn = "[GameId \"q7ZvsdUF\"]\n[Variant \"standard\"]\n[UTCDate \"2017.12.28\"]\n[UTCTime \"23:52:30\"]\n\
        [White \"Lance5500\"]\n[WhiteTitle \"LM\"]\n[WhiteElo \"2389\"]\n[WhiteRatingDiff \"4\"]\n[Black \"lichess AI level 8\"]\n\
        [ECO \"D31\"]\n[Opening \"Semi-Slav\"]\n[TimeControl \"180+2\"]\n[Result \"1/2-1/2\"]\n\n\
        1. d4 {[%eval 0.23] [%clk 0:03:00.03]} d5 {[%eval -0.07] [%clk 0:03:00.03]} \
        2. c4 {[%eval #3] best: e2e4 judgment.name: Blunder judgment.comment: Blunder. e4 was best. [%clk 0:02:59.15]} \
        c6 {[%clk 0:02:59]} 3. Nc3 {[%clk 0:02:58]} e6 {[%clk 0:02:57]} 1/2-1/2\n";
    (json.to_owned(), pgn.to_owned())
}

#[test]
fn games_of_lichess_are_games_in_every_spacing() {
    let (json, pgn) = of_lichess();
    let wanted = Base::of(pgn.as_bytes()).games().remove(0);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("JSON");
    let pretty_list = serde_json::to_string_pretty(&json!([value, value])).expect("JSON");
    let spaced = json.replace("\":", "\" : ");
    for (text, games) in [
        (json.clone(), 1),
        (format!("{json}\n{json}\n"), 2),
        (format!("{json}\r\n\r\n{json}\r\n"), 2),
        (format!("[{json},{json}]"), 2),
        (format!("[\n{json}, \n{json}\n]\n"), 2),
        (format!("{{\"games\": [{json},\n{json}]}}"), 2),
        (pretty, 1),
        (pretty_list, 2),
        (spaced, 1),
    ] {
        let base = Base::new();
        let path = base.folder().join("games.ndjson");
        std::fs::write(&path, &text).expect("a file");
        let options = ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..ImportOptions::default()
        };
        let done = base.import(&[path], options);
        assert_eq!((done.stored, done.rejected), (games, 0), "{text}");
        for game in base.games() {
            assert_eq!(game.items, wanted.items, "{text}");
            let header = |game: &GameRecord| {
                let header = &game.header;
                let names = [&header.white, &header.black, &header.result, &header.date];
                (names.map(Clone::clone), header.white_elo, header.plies)
            };
            assert_eq!(header(&game), header(&wanted), "{text}");
            for (tag, value) in &wanted.tags {
                let own = game.tags.iter().find(|(own, _)| own == tag);
                assert_eq!(own.map(|(_, value)| value), Some(value), "{tag}: {text}");
            }
            for kept in [
                "rated",
                "speed",
                "perf",
                "status",
                "createdAt",
                "opening_ply",
            ] {
                assert!(
                    game.tags.iter().any(|(tag, _)| tag == kept),
                    "{kept}: {text}"
                );
            }
        }
        base.assert_sound();
    }
}

#[test]
fn games_in_json_are_told_from_positions() {
    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let pgn = r#"[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%clk 0:03:00]} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n"#;
    for (text, plies, start, white) in [
        (r#"{"white":"Ann","black":"Bob","result":"1-0","moves":["e4","e5","Nf3","Nc6"]}"#.to_owned(), &[4][..], "", "Ann"),
        (r#"[{"headers":{"White":"Ann"},"moves":[{"san":"e4","uci":"e2e4"},{"san":"e5","uci":"e7e5"},{"san":"d4","uci":"d2d4"},{"san":"d5","uci":"d7d5"}]}]"#.to_owned(), &[4], "", "Ann"),
        // As chess.com has it: the FEN is that of the end.
        (format!(r#"{{"games":[{{"url":"https://x.org/1","pgn":"{pgn}","fen":"{FEN}","white":{{"username":"A","rating":1500,"result":"win"}},"black":{{"username":"B","result":"resigned"}}}}]}}"#), &[3], "", "A"),
        (format!(r#"{{"players":{{"white":{{"user":{{"name":"Ann"}}}},"black":{{"user":{{"name":"Bob"}}}}}},"initialFen":"{FEN}","moves":"e4 Kd7 e5 Ke6"}}"#), &[4], FEN, "Ann"),
        (format!(r#"{{"white":"Ann","black":"Bob","fen":"{FEN}","moves":"e4 Kd7"}}"#), &[2], FEN, "Ann"),
        // Neither moves nor players make a position a game.
        (format!(r#"{{"id":"x","fen":"{FEN}","moves":"e4 Kd7 e5 Ke6","rating":1500}}"#), &[4], FEN, ""),
        (format!(r#"["{pgn}", "1. d4 d5 2. c4 c6"]"#), &[3, 4], "", "A"),
        (r#"{"a":"e4 e5 Nf3 Nc6","b":"d4 d5 c4 c6 Nc3"}"#.to_owned(), &[4, 5], "", ""),
        (r#"{"white":"Ann","black":"Bob","moves":""}
{"white":"Cy","black":"Di","moves":"e4"}
{"white":"Ed","black":"Flo","moves":"e4 e5 Nf3 Nc6"}"#.to_owned(), &[0, 1, 4], "", "Ann"),
        (r#"{"white":"Ann","black":"Bob","variant":"crazyhouse","moves":"e4 d5 exd5 Qxd5 P@e4"}"#.to_owned(), &[5], "", "Ann"),
    ] {
        let base = Base::new();
        let path = base.folder().join("a.json");
        std::fs::write(&path, &text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        let games = base.games();
        let found: Vec<u32> = games.iter().map(|game| game.header.plies).collect();
        assert_eq!(found, plies, "{text}");
        let first = &games[0].header;
        assert_eq!(first.start_fen.as_deref().unwrap_or_default(), start, "{text}");
        assert_eq!(first.white, white, "{text}");
        assert_eq!(done.rejected, 0, "{text}");
        assert_eq!(done.seen, done.stored + done.duplicate + done.rejected, "{text}");
        base.assert_sound();
    }
    // Colours are no players, and a number of moves is none of them.
    for text in [
        r#"{"white":"fff","black":"000","moves":40}"#,
        r#"{"moves":["left","right"],"white":"a"}"#,
        r#"["e4","e5","Nf3","Nc6"]"#,
        r#"{"lost":["001 09-13 21-17 05-09","002 09-13 21-17"],"won":["003 09-13 21-17 10-14","004 9-14 23-19"]}"#,
    ] {
        let base = Base::new();
        let done = base.import_text(text.as_bytes(), ImportOptions::default());
        assert_eq!(done.stored, 0, "{text}");
    }
}
