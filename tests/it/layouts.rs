//! Positions and games in the layouts that people give them: what each file becomes, and that
//! what is not read of it is said.

use {
    crate::lookalikes::{GAME, assert_told, found, read_as, text_of},
    plydex::import::ImportOptions,
};

#[test]
fn lines_of_position_tags_are_positions() {
    for (template, wanted) in [
        (
            "[FEN \"{A}\"]\n[FEN \"{B}\"]\n[FEN \"{C}\"]\n",
            &["A", "B", "C"][..],
        ),
        (
            "[FEN \"{A}\"]\n\n[FEN \"{B}\"]\n\n[FEN \"{C}\"]\n",
            &["A", "B", "C"],
        ),
        (
            "[FEN \"{A}\"]\n[SetUp \"1\"]\n[FEN \"{B}\"]\n[SetUp \"1\"]\n",
            &["A", "B"],
        ),
        (
            "[SetUp \"1\"]\n[FEN \"{A}\"]\n{x}\n[SetUp \"1\"]\n[FEN \"{B}\"]\n1. Ba4 *\n",
            &["A {x}", "B Ba4"],
        ),
        (
            "[Event \"1\"] [FEN \"{A}\"]\n[Event \"2\"] [FEN \"{C}\"]\n",
            &["Event=1 A", "Event=2 C"],
        ),
    ] {
        for name in ["a.txt", "a.pgn", "a.fen"] {
            let (records, done) =
                read_as(name, text_of(template).as_bytes(), ImportOptions::default());
            assert_eq!(records, wanted, "{name}: {template}");
            assert_eq!(found(&done, "dup-tag"), 0, "{name}: {template}");
        }
    }
    // Of one game that has it twice nothing is taken away.
    let twice = text_of("[Event \"x\"]\n[FEN \"{A}\"]\n[FEN \"{B}\"]\n\n1. Ba4 *\n");
    let (records, done) = read_as("a.pgn", twice.as_bytes(), ImportOptions::default());
    assert_eq!(records, ["Event=x A B Ba4"]);
    assert_eq!(found(&done, "dup-tag"), 1);
}

#[test]
fn several_positions_in_one_place_are_all_found() {
    for (name, template, wanted) in [
        (
            "a.json",
            "[{\"id\":1,\"fens\":\"{A}, {B}\"}]",
            &["Event=1 A", "Event=1 B"][..],
        ),
        ("a.json", "[\"{A};{B}\",\"{C}|{D}\"]", &["A", "B", "C", "D"]),
        (
            "a.json",
            "[{\"id\":1,\"text\":\"In {A} he plays Bb5, then {B}.\"},{\"id\":2,\"fen\":\"{C}\",\"text\":\"As {D}.\"}]",
            &[
                "Event=1 text=In {A} he plays Bb5, then {B}. A",
                "Event=1 text=In {A} he plays Bb5, then {B}. B",
                "Event=2 text=As {D}. C",
            ],
        ),
        (
            "a.json",
            "[{\"id\":1,\"text\":\"{C}: mate\"}]",
            &["Event=1 text={C}: mate C"],
        ),
        (
            "a.csv",
            "id,fens\n1,\"{A}, {B}\"\n2,\"{C}; {D}\"\n",
            &["Event=1 A", "Event=1 B", "Event=2 C", "Event=2 D"],
        ),
        (
            "a.tsv",
            "id\tfens\n1\t{A} {B}\n2\t{C}\n",
            &["Event=1 A", "Event=1 B", "Event=2 C"],
        ),
        (
            "a.txt",
            "{A} {B} {C}\n{D} {A}\n",
            &["A", "B", "C", "D", "A"],
        ),
        (
            "a.yaml",
            "- id: 1\n  fens: {A}, {B}\n- id: 2\n  fens: \"{C}; {D}\"\n",
            &["Event=1 A", "Event=1 B", "Event=2 C", "Event=2 D"],
        ),
        (
            "a.txt",
            "First {A} then {B}; at last {D}.\n",
            &["c0=First … A", "c0=then … B", "c0=; at last … . D"],
        ),
    ] {
        let text = text_of(template);
        let (records, done) = read_as(name, text.as_bytes(), ImportOptions::default());
        let wanted: Vec<String> = wanted.iter().map(|line| text_of(line)).collect();
        let wanted: Vec<&str> = wanted.iter().map(|line| &line[..]).collect();
        assert_eq!(records, wanted, "{template}");
        assert_eq!((done.rejected, done.incomplete), (0, 0), "{template}");
    }
}

#[test]
fn notes_that_quote_a_position_are_notes() {
    let template =
        "- id: 1\n  fen: {A}\n  note: compare with {B}\n- id: 2\n  fen: {C}\n  note: quiet\n";
    let quoted = text_of("Event=1 note=compare with {B} A");
    assert_told(
        "a.yaml",
        template,
        "text",
        &[&quoted, "Event=2 note=quiet C"],
    );
}

#[test]
fn comments_behind_positions_are_kept_as_text() {
    for (name, template, wanted) in [
        (
            "a.txt",
            "{A} # one or two\n{B} // two\n{D}\n",
            &["c0=one or two A", "c0=two B", "D"][..],
        ),
        (
            "a.epd",
            "{A} # one or two\n{B} // two\n{D}\n",
            &["c0=one or two A", "c0=two B", "D"],
        ),
        (
            "a.epd",
            "{A} ; quite good\n{B} ; drawn\n{C} ;mate in one\n",
            &["c0=quite good A", "c0=drawn B", "c0=mate in one C"],
        ),
        (
            "a.epd",
            "{A} bm Bb5; # well known\n{C} c0 \"x\"; // nice\n",
            &["bm=Bb5 c0=well known A", "c0=x c1=nice C"],
        ),
        // Operations stay operations.
        (
            "a.epd",
            "{A} ;D1 30 ;D2 900\n{B} ; D1 30\n{C} ; hmvc 3;\n",
            &[
                "D1=30 D2=900 A",
                "D1=30 B",
                "FEN=6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 1",
            ],
        ),
    ] {
        let (records, _) = read_as(name, text_of(template).as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{name}: {template}");
    }
}

#[test]
fn solutions_below_positions_are_played_or_said() {
    for (template, wanted, plies, odd) in [
        (
            "{D}\nSolution: 1... Kd8 2. e6\n\n{C}\nSolution: 1. Rd8#\n",
            &[
                "pv=Kd8 e6 c1=Solution D Kd8 e6",
                "pv=Rd8# c1=Solution C Rd8#",
            ][..],
            3,
            0,
        ),
        (
            "{D}\n1... Kd8 2. e6\n\n{C}\n1. Rd8#\n",
            &["pv=Kd8 e6 D Kd8 e6", "pv=Rd8# C Rd8#"],
            3,
            0,
        ),
        (
            "{D}\n\nLösung: 1... Kd8\n\n{C}\n\nLösung: 1. Rd8#\n",
            &["pv=Kd8 c1=Lösung D Kd8", "pv=Rd8# c1=Lösung C Rd8#"],
            2,
            0,
        ),
        (
            "No. 1\n{D}\nSolution: 1... Qd4\n\nNo. 2\n{C}\nSolution: 1. Rd8#\n",
            &[
                "Event=No. 1 pv=Qd4 c1=Solution D ‹Qd4›",
                "Event=No. 2 pv=Rd8# c1=Solution C Rd8#",
            ],
            1,
            1,
        ),
        (
            "As in {C}, he wins.\nSolution: 1. Rd8#\n",
            &["c0=As in … , he wins. pv=Rd8# c1=Solution C Rd8#"],
            1,
            0,
        ),
    ] {
        let (records, done) = read_as(
            "a.txt",
            text_of(template).as_bytes(),
            ImportOptions::default(),
        );
        assert_eq!(records, wanted, "{template}");
        assert_eq!(
            (done.plies, found(&done, "illegal-move"), done.rejected),
            (plies, odd, 0),
            "{template}"
        );
    }
}

/// What a file has besides is neither read as a part of it nor lost.
#[test]
fn positions_and_games_in_one_file_are_both_found() {
    const GAME_TOLD: &str = "Event=Alpha White=Ann e4 e5 Nf3";
    let lines = "{A}\n{C}\n";
    let open = GAME.replace(" 1-0", "");
    for (name, template, wanted) in [
        ("a.txt", format!("{lines}\n{GAME}"), &["A", "C", GAME_TOLD][..]),
        ("a.pgn", format!("{GAME}\n{lines}"), &[GAME_TOLD, "A", "C"]),
        ("a.pgn", format!("{GAME}\n{lines}\n{GAME}"), &[GAME_TOLD, "A", "C", GAME_TOLD]),
        ("a.pgn", format!("{open}\n{lines}\n{GAME}"), &[GAME_TOLD, "A", "C", GAME_TOLD]),
        ("a.pgn", format!("{GAME}\n1) {{A}}\n2) {{C}} 1. Rd8#\n"), &[GAME_TOLD, "Event=1 A", "Event=2 pv=Rd8# C Rd8#"]),
        ("a.epd", format!("{}{GAME}", "{A} bm Bb5;\n".repeat(3)), &["bm=Bb5 A", "bm=Bb5 A", "bm=Bb5 A", GAME_TOLD]),
        ("a.csv", format!("fen,x\n{{A}},1\n{{C}},2\n\n{GAME}"), &["x=1 A", "x=2 C", GAME_TOLD]),
        ("a.txt", "- {A}\n- {B}\n\n1. e4 e5 2. Nf3 Nc6\n".to_owned(), &["A", "B", "e4 e5 Nf3 Nc6"]),
        (
            "a.txt",
            "The first is {A}, a nice one.\n\n1. e4 e5 2. Nf3 {good} Nc6 1-0\n\nAnd {C}.\n\n1. d4 d5 2. c4 e6 *\n".to_owned(),
            &["c0=The first is … , a nice one. A", "e4 e5 Nf3 {good} Nc6", "c0=And … . C", "d4 d5 c4 e6"],
        ),
        (
            "a.txt",
            "1) W:W31-50:B1-20\n2) W:W32,K5:B1\n\n1. 32-28 19-23 2. 28x19 14x23 *\n".to_owned(),
            &["Event=1 FEN=W:W31-50:B1-20", "Event=2 FEN=W:W32,K5:B1", "32-28 19-23 28x19 14x23"],
        ),
        // Moves below a position are its own if they can be.
        ("a.txt", "1) {A}\n\n1. Bb5 a6 2. Ba4\n\n2) {C}\n\n1. Rd8#\n".to_owned(), &["Event=1 pv=Bb5 a6 Ba4 A Bb5 a6 Ba4", "Event=2 pv=Rd8# C Rd8#"]),
        // A diagram within a game is a part of it.
        ("a.pgn", format!("{}\n\n{{A}}\n\n2... Nc6 *\n", open.trim_end()), &["Event=Alpha White=Ann e4 e5 Nf3 ‹r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R› ‹w› ‹KQkq› Nc6"]),
        // So is one between its tags and its moves, and a set-up of PDN.
        ("a.pgn", GAME.replacen("\n\n", "\n\n{A}\n\n", 1), &["Event=Alpha White=Ann ‹r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R› ‹w› ‹KQkq› e4 e5 Nf3"]),
        ("a.pgn", GAME.replacen("\n\n", "\n\n{A}\n", 1), &["Event=Alpha White=Ann ‹r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R› ‹w› ‹KQkq› e4 e5 Nf3"]),
        (
            "a.pdn",
            "[White \"Ann\"]\n[GameType \"30\"]\n\n/FEN \"W:We3,Kh1:Bh6,Ka8\"/ 1. h1:h8 a8-d8 2. h8:a8 *\n".to_owned(),
            &["White=Ann GameType=30 /FEN \"W:WKh1,e3:Bh6,Ka8\"/ h1xh8 a8-d8 h8xa8"],
        ),
    ] {
        let (records, done) = read_as(name, text_of(&template).as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{name}: {template}");
        assert_eq!(done.rejected, 0, "{name}: {template}");
    }
}

#[test]
fn broken_lines_of_json_are_said_and_take_nothing_of_others() {
    let cut = "{\"id\":2,\"fen\":\"{B}\n".replace("{B}", &text_of("{B}"));
    for (text, wanted, rejected, broken) in [
        (
            format!("{{\"id\":1,\"fen\":\"{{A}}\"}}\n{cut}{{\"id\":3,\"fen\":\"{{C}}\"}}\ngarbage here\n{{\"id\":4,\"fen\":\"{{D}}\"}}\n{{\"id\":5}}\n{{\"id\":6,\"fen\":\"6k1/5pp\n"),
            &["Event=1 A", "Event=2 B", "Event=3 C", "Event=4 D"][..],
            3,
            3,
        ),
        (
            "{\"id\":1,\"pgn\":\"1. e4 e5 2. Nf3 Nc6\"}\n{\"id\":2,\"pgn\":\"1. e4 e5 2. c3 d5\n{\"id\":3,\"pgn\":\"1. d4 d5 2. c4 c6\"}\nnull\n{\"id\":5,\"pgn\":\"1. c4 e5 2. Nc3 Nf6\"".to_owned(),
            &["GameId=1 e4 e5 Nf3 Nc6", "GameId=2 e4 e5 c3 d5", "GameId=3 d4 d5 c4 c6", "GameId=5 c4 e5 Nc3 Nf6"],
            0,
            2,
        ),
    ] {
        let (records, done) = read_as("a.jsonl", text_of(&text).as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{text}");
        assert_eq!((done.rejected, found(&done, "broken-json")), (rejected, broken), "{text}");
    }
}

#[test]
fn tables_of_markdown_have_games() {
    let games = "| White | Black | Result | Moves |\n|---|---|---|---|\n| Ann | Bob | 1-0 | 1. e4 e5 2. Nf3 Nc6 |\n| Cy | Di | 0-1 | 1. d4 d5 2. c4 e6 |\n";
    let told = [
        "White=Ann Black=Bob e4 e5 Nf3 Nc6",
        "White=Cy Black=Di d4 d5 c4 e6",
    ];
    assert_told("a.md", games, "table", &told);
    assert_told(
        "a.md",
        &format!("# Games\n\nHere they are.\n\n{games}\nThe end.\n"),
        "table",
        &told,
    );
    let both = format!(
        "# Games\n\nWords.\n\n{games}\nMore.\n\n| Position | Note |\n|---|---|\n| {{A}} | x |\n\nThe end.\n"
    );
    assert_told("a.md", &both, "text", &[told[0], told[1], "note=x A"]);
}

#[test]
fn names_of_columns_may_stand_below_a_preface() {
    for (name, template, wanted, lines) in [
        (
            "a.csv",
            "My collection\nMade in 2020, by me\nid,fen,note\n1,{A},x\n2,{B},y\n",
            &["Event=1 note=x A", "Event=2 note=y B"][..],
            2,
        ),
        (
            "a.csv",
            "Title; with semicolon\nOf 2020, indeed, yes\n\nid,fen,note\n1,{A},x\n2,{B},y\n",
            &["Event=1 note=x A", "Event=2 note=y B"],
            2,
        ),
        (
            "a.csv",
            "My collection\nid,white,black,moves\n1,Ann,Bob,e4 e5 Nf3 Nc6\n2,Cy,Di,d4 d5 c4 e6\n",
            &[
                "GameId=1 White=Ann Black=Bob e4 e5 Nf3 Nc6",
                "GameId=2 White=Cy Black=Di d4 d5 c4 e6",
            ],
            1,
        ),
        (
            "a.tsv",
            "My collection\n\nwhite\tblack\tmoves\nAnn\tBob\te4 e5 Nf3 Nc6\nCy\tDi\td4 d5 c4 e6\n",
            &[
                "White=Ann Black=Bob e4 e5 Nf3 Nc6",
                "White=Cy Black=Di d4 d5 c4 e6",
            ],
            1,
        ),
        (
            "a.csv",
            "One\nTwo, as it were\nThree\nwhite;black;moves\nAnn;Bob;e4 e5 Nf3 Nc6\nCy;Di;d4 d5 c4 e6\n",
            &[
                "White=Ann Black=Bob e4 e5 Nf3 Nc6",
                "White=Cy Black=Di d4 d5 c4 e6",
            ],
            3,
        ),
    ] {
        let (records, done) = read_as(name, text_of(template).as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{template}");
        assert_eq!(
            (done.rejected, found(&done, "prelude")),
            (0, lines),
            "{template}"
        );
    }
}

/// One line is one game, of whichever kind.
#[test]
fn lines_of_moves_of_draughts_and_xiangqi_are_games() {
    for (name, text, wanted) in [
        (
            "a.pdn",
            "11-15 23-19 8-11 22-17 4-8\n11-15 23-19 9-14 22-17 6-9\n",
            &["11-15 23-19 8-11 22-17 4-8", "11-15 23-19 9-14 22-17 6-9"][..],
        ),
        (
            "a.txt",
            "32-28 19-23 28x19 14x23 37-32\n32-28 18-22 37-32 12-18 41-37\n",
            &[
                "32-28 19-23 28x19 14x23 37-32",
                "32-28 18-22 37-32 12-18 41-37",
            ],
        ),
        // A game that is wrapped is one.
        (
            "a.pdn",
            "11-15 23-19 8-11\n22-17 4-8 17-13\n15-18\n",
            &["11-15 23-19 8-11 22-17 4-8 17-13 15-18"],
        ),
    ] {
        let (records, _) = read_as(name, text.as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{text}");
    }
    let lines = "h2e2 h9g7 h0g2 i9h9 i0h0\nh2e2 b9c7 h0g2 h9g7 g3g4\n";
    let (records, _) = read_as("a.txt", lines.as_bytes(), ImportOptions::default());
    assert_eq!(records.len(), 2, "{records:?}");
}

/// A number that says who moves is held against the rules.
#[test]
fn a_first_number_that_cannot_be_right_is_a_doubt() {
    let (mate, rook) = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1", "4k3/R7/8/3KP3/8/7r/8/8");
    for (name, text, side, doubts) in [
        (
            "a.pgn",
            format!("[FEN \"{mate}\"]\n\n1... Rd8# 1-0\n"),
            "w",
            1,
        ),
        ("a.pgn", format!("[FEN \"{rook}\"]\n\n1... Kd8 *\n"), "b", 0),
        ("a.txt", format!("{mate} 1... Rd8#\n"), "w", 1),
        (
            "a.txt",
            format!("1) {rook} 1... Kd8\n2) {rook} 1...Kd8 2. e6\n"),
            "bb",
            0,
        ),
    ] {
        let base = crate::support::Base::new();
        let path = base.folder().join(name);
        std::fs::write(&path, &text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        let fens = base
            .games()
            .into_iter()
            .map(|game| game.header.start_fen.unwrap_or_default());
        let sides: String = fens
            .map(|fen| if fen.contains(" b ") { 'b' } else { 'w' })
            .collect();
        assert_eq!(
            (&sides[..], found(&done, "side-unclear")),
            (side, doubts),
            "{text}"
        );
        assert_eq!(
            (done.incomplete, found(&done, "illegal-move")),
            (0, 0),
            "{text}"
        );
    }
}

#[test]
fn what_yaml_quotes_below_a_key_belongs_to_its_record() {
    let board = "    r . b q k b n r\n    p p p p . p p p\n    . . n . . . . .\n    . . . . p . . .\n    . . . . P . . .\n    . . . . . N . .\n    P P P P . P P P\n    R N B Q K B . R\n";
    for (template, wanted) in [
        (
            "- id: 1\n  pgn: |\n    [White \"Ann\"]\n    [Black \"Bob\"]\n\n    1. e4 e5 2. Nf3 Nc6 *\n- id: 2\n  pgn: |\n    [White \"Cy\"]\n\n    1. d4 d5 2. c4 e6 *\n".to_owned(),
            &["White=Ann Black=Bob GameId=1 e4 e5 Nf3 Nc6", "White=Cy GameId=2 d4 d5 c4 e6"][..],
        ),
        (
            "games:\n  - pgn: |\n      [White \"Ann\"]\n\n      1. e4 e5 2. Nf3 Nc6 *\n    id: 1\n    source: here\n  - pgn: |\n      1. d4 d5 2. c4 e6 *\n    id: 2\n".to_owned(),
            &["White=Ann GameId=1 source=here e4 e5 Nf3 Nc6", "GameId=2 d4 d5 c4 e6"],
        ),
    ] {
        assert_told("a.yaml", &template, "text", wanted);
    }
    for template in [
        format!("- id: 1\n  fen: {{C}}\n  note: |\n    It was\n{board}- id: 2\n  fen: {{D}}\n"),
        format!("- id: 1\n  note: |\n    It was\n{board}  fen: {{C}}\n- id: 2\n  fen: {{D}}\n"),
    ] {
        let (records, _) = read_as(
            "a.yaml",
            text_of(&template).as_bytes(),
            ImportOptions::default(),
        );
        assert_eq!(records.len(), 2, "{records:?}");
        assert!(
            records[0].contains("note=It was r . b q k b n r") && records[0].ends_with('C'),
            "{records:?}"
        );
        assert_eq!(records[1], "Event=2 D");
    }
}

#[test]
fn elements_and_attributes_of_markup_are_values() {
    for (name, template, wanted) in [
        (
            "a.xml",
            "<?xml version=\"1.0\"?>\n<games>\n<game><white>Ann &amp; Co</white><black>Bob</black><moves>e4 e5 Nf3 Nc6 Bb5</moves></game>\n<game><white>Cy</white><moves>1. d4 d5 2. c4 e6</moves></game>\n</games>\n",
            &[
                "White=Ann & Co Black=Bob e4 e5 Nf3 Nc6 Bb5",
                "White=Cy d4 d5 c4 e6",
            ][..],
        ),
        (
            "a.xml",
            "<?xml version=\"1.0\"?>\n<list>\n<position id=\"1\"><fen>{A}</fen><moves>Bb5 a6</moves></position>\n<!-- {D} -->\n<position id=\"2\">\n  <fen>{B}</fen>\n  <note>good</note>\n</position>\n</list>\n",
            &["Event=1 pv=Bb5 a6 A Bb5 a6", "Event=2 note=good B"],
        ),
        (
            "a.html",
            "<html><body>\n<p>Text<br>and more</p>\n<div class=\"pgn\" data-pgn=\"[White &quot;Ann&quot;]&#10;&#10;1. e4 e5 2. Nf3 Nc6 *\"></div>\n<div data-pgn='1. d4 d5 2. c4 e6 *'></div>\n<div data-fen=\"{B}\" data-title=\"Two\"></div>\n</body></html>\n",
            &["White=Ann e4 e5 Nf3 Nc6", "d4 d5 c4 e6", "Event=Two B"],
        ),
    ] {
        assert_told(name, template, "json", wanted);
    }
}

#[test]
fn moves_one_by_one_are_a_game() {
    let json = |moves: [&str; 3]| {
        let [first, second, third] = moves;
        format!(
            "[{{\"white\":\"A\",\"black\":\"B\",\"result\":\"1-0\",\"moves\":[{first},{second},{third}]}}]"
        )
    };
    let xml = |moves: &str| {
        format!(
            "<games><game white=\"A\" black=\"B\" result=\"1-0\"><moves>{moves}</moves></game></games>"
        )
    };
    for (name, text, clocks) in [
        (
            "a.json",
            json([
                "{\"san\":\"e4\",\"clock\":30},{\"san\":\"e5\"}",
                "{\"san\":\"Nf3\"},{\"san\":\"Nc6\"}",
                "{\"san\":\"Bb5\"},{\"san\":\"a6\"}",
            ]),
            "moves_clock=30 ",
        ),
        (
            "a.json",
            json([
                "{\"n\":1,\"white\":{\"san\":\"e4\"},\"black\":{\"san\":\"e5\"}}",
                "{\"n\":2,\"white\":{\"san\":\"Nf3\"},\"black\":{\"san\":\"Nc6\"}}",
                "{\"n\":3,\"white\":{\"san\":\"Bb5\"},\"black\":{\"san\":\"a6\"}}",
            ]),
            "",
        ),
        (
            "a.xml",
            xml(
                "<move>e4</move><move>e5</move><move>Nf3</move><move>Nc6</move><move>Bb5</move><move>a6</move>",
            ),
            "",
        ),
        (
            "a.xml",
            xml(
                "<move n=\"1\"><w>e4</w><b>e5</b></move><move n=\"2\"><w>Nf3</w><b>Nc6</b></move><move n=\"3\"><w>Bb5</w><b>a6</b></move>",
            ),
            "",
        ),
        (
            "a.xml",
            xml(
                "<move n=\"1\" san=\"e4\" clock=\"30\"/><move n=\"2\" san=\"e5\"/><move n=\"3\" san=\"Nf3\"/><move n=\"4\" san=\"Nc6\"/><move n=\"5\" san=\"Bb5\"/><move n=\"6\" san=\"a6\"/>",
            ),
            "moves_move_clock=30 ",
        ),
    ] {
        let (records, done) = read_as(name, text.as_bytes(), ImportOptions::default());
        let wanted = format!("White=A Black=B {clocks}e4 e5 Nf3 Nc6 Bb5 a6");
        assert_eq!(records, [wanted], "{text}");
        assert_eq!(done.rejected, 0, "{text}");
    }
}

#[test]
fn json_without_a_comma_or_a_quote_is_read_and_said() {
    for (template, wanted) in [
        (
            "[{\"fen\":\"{A}\",\"id\":1},\n{\"fen\":\"{B}\",\"id\":2\n{\"fen\":\"{C}\",\"id\":3}]",
            &["Event=1 A", "Event=2 B", "Event=3 C"][..],
        ),
        (
            "[{\"fen\":\"{A}\" \"id\":1},{\"fen\":\"{B}\",\"id\":2}]",
            &["Event=1 A", "Event=2 B"],
        ),
    ] {
        let text = text_of(template);
        let (records, done) = read_as("a.json", text.as_bytes(), ImportOptions::default());
        assert_eq!(records, wanted, "{template}");
        assert_eq!(found(&done, "broken-json"), 1, "{template}");
    }
    let sound =
        text_of("[{\"fen\":\"{A}\",\"of\":[1,{\"b\":2}],\"id\":1},{\"fen\":\"{B}\",\"id\":2}]");
    let (_, done) = read_as("a.json", sound.as_bytes(), ImportOptions::default());
    assert_eq!(found(&done, "broken-json"), 0);
}
