//! Games that look like something else, or are mixed with it: which moves are played in which
//! of them, and that the rest is kept as it stood.

use {
    crate::support::{Base, run},
    plydex::import::ImportOptions,
};

fn export(base: &Base) -> String {
    run(base.store.path(), &["export"]).out
}

/// The movetexts of what a file that is called so gives, as exported, lines joined.
fn movetexts_of(name: &str, text: &[u8]) -> Vec<String> {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    base.import(&[path], ImportOptions::default());
    let exported = export(&base);
    let paragraphs = exported.replace("\r\n", "\n");
    let movetexts = paragraphs.split("\n\n").map(str::trim);
    let movetexts = movetexts.filter(|text| !text.is_empty() && !text.starts_with('['));
    movetexts.map(|text| text.replace('\n', " ")).collect()
}

fn assert_movetexts(name: &str, text: &str, wanted: &[&str]) {
    let found = movetexts_of(name, text.as_bytes());
    assert_eq!(found, wanted, "{text}");
    // What is exported is read as the same games.
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    base.import(&[path], ImportOptions::default());
    let exported = export(&base);
    let again = Base::new();
    let is_pdn = name.ends_with("pdn");
    let path = again.folder().join(if is_pdn { "b.pdn" } else { "b.pgn" });
    std::fs::write(&path, &exported).expect("a file");
    again.import(&[path], ImportOptions::default());
    assert_eq!(export(&again), exported, "{text}");
}

const TAGS: &str = "[Event \"x\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n";

fn assert_movetext(moves: &str, wanted: &str) {
    assert_movetexts("a.pgn", &format!("{TAGS}{moves}\n"), &[wanted]);
}

#[test]
fn games_without_tags_are_parted_where_their_numbers_begin_again() {
    for between in ["\n\n", "\n", "\r\n\r\n", "\n> \n> "] {
        let text = ["1. e4 e5 2. Nf3 Nc6", "1. d4 d5", "1. c4 c5 2. g3\n"].join(between);
        let wanted = ["1. e4 e5 2. Nf3 Nc6 *", "1. d4 d5 *", "1. c4 c5 2. g3 *"];
        assert_movetexts("a.pgn", &text, &wanted);
    }
    let headed = "1. e4 e5 2. Nf3\n\nFischer - Spassky\n1. d4 d5 2. c4\n";
    let wanted = ["1. e4 e5 2. Nf3 *", "{Fischer - Spassky} 1. d4 d5 2. c4 *"];
    assert_movetexts("a.pgn", headed, &wanted);
    let draughts = "1. 32-28 19-23 2. 28x19 14x23\n\n1. 34-30 20-25 2. 40-34\n\n1. 33-28 18-22\n";
    let wanted = [
        "1. 32-28 19-23 2. 28x19 14x23 *",
        "1. 34-30 20-25 2. 40-34 *",
        "1. 33-28 18-22 *",
    ];
    assert_movetexts("a.pdn", draughts, &wanted);
}

/// Wrapped games, and those with a number typed wrong, stay whole.
#[test]
fn a_game_is_not_parted_by_its_lines() {
    let whole = "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 *";
    for text in [
        "1. e4 e5\n\n2. Nf3 Nc6\n\n3. d4 exd4 4. Nxd4\n",
        "1. e4\n1. e5\n2. Nf3\n2. Nc6\n3. d4\n3. exd4 4. Nxd4\n",
        "1. e4\n\n1... e5\n\n2. Nf3 Nc6\n1. d4 exd4 4. Nxd4\n",
        "e4 e5 Nf3 Nc6\nd4 exd4\nNxd4\n",
    ] {
        assert_movetexts("a.pgn", text, &[whole]);
    }
}

#[test]
fn lines_without_numbers_are_games_if_the_rules_say_so() {
    let text = "e4 e5 Nf3 Nc6 Bb5 a6\nd4 d5 c4 e6 Nc3 Nf6\nc4 e5 Nc3 Nf6 g3 d5\n";
    let wanted = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 *",
        "1. c4 e5 2. Nc3 Nf6 3. g3 d5 *",
    ];
    assert_movetexts("a.pgn", text, &wanted);
    // Transcripts of Othello, in which moves stick together, and what engines of chess write.
    for (text, wanted) in [
        (
            "f5d6c3d3c4f4f6g5e3f3g6e2h5\nf5f6e6f4e3c5c4\n",
            &[
                "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 g5 5. e3 f3 6. g6 e2 7. h5 *",
                "1. f5 f6 2. e6 f4 3. e3 c5 4. c4 *",
            ][..],
        ),
        (
            "F5D6C3D3C4F4F6G5E3F3G6E2H5\n",
            &["1. f5 d6 2. c3 d3 3. c4 f4 4. f6 g5 5. e3 f3 6. g6 e2 7. h5 *"],
        ),
        (
            "e2e4e7e5g1f3b8c6f1b5\ne2e4c7c5g1f3d7d6\n",
            &["1. e4 e5 2. Nf3 Nc6 3. Bb5 *", "1. e4 c5 2. Nf3 d6 *"],
        ),
    ] {
        assert_movetexts("a.txt", text, wanted);
    }
}

#[test]
fn text_above_a_game_without_tags_is_kept() {
    let text =
        "Kasparov-Topalov 1999\n1. e4 d6 2. d4 1-0\n\nFischer-Spassky 1972\n\n1. c4 e6 1-0\n";
    let wanted = [
        "{Kasparov-Topalov 1999} 1. e4 d6 2. d4 1-0",
        "{Fischer-Spassky 1972} 1. c4 e6 1-0",
    ];
    assert_movetexts("a.pgn", text, &wanted);
}

#[test]
fn a_signature_is_no_null_move() {
    let mail = "Hi Al,\n\n> 1. e4 c5 2. Nf3 d6\n\nI play 3. d4 now. Your move!\n\nBob\n-- \n\
                Bob Smith, Tel. 1-800-555\n";
    let wanted = ["{Hi Al,} 1. e4 c5 2. Nf3 d6 I play 3. d4 now. Your move! Bob *"];
    assert_movetexts("a.txt", mail, &wanted);
    assert_movetext("1. e4 e5 2. --\n2... Nf6 1-0", "1. e4 e5 2. -- Nf6 1-0");
}

#[test]
fn tags_and_entities_of_web_pages_are_read_over() {
    let page = "[Event \"A\"]<br>\n[White \"W\"]<br/>\n[Result \"1-0\"]<br>\n<br>\n\
                1. e4 e5 2.&nbsp;Nf3 &#8211; Nc6 <b>3. Bb5</b>&nbsp;a6 1-0<br>\n";
    let wanted = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0"];
    assert_movetexts("a.html", page, &wanted);
    // A semicolon that belongs to none still begins a comment.
    assert_movetext(
        "1. e4 ; & e5;\ne5 1-0",
        "1. e4 ; & e5;\n1... e5 1-0".replace('\n', " ").as_str(),
    );
}

#[test]
fn dashes_of_sentences_are_no_null_moves() {
    for (moves, wanted) in [
        (
            "1. e4 e5 2. Nf3 1-0\nbye --- see you",
            "1. e4 e5 2. Nf3 bye --- see you 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 and now -- surprisingly -- White resigned. 1-0",
            "1. e4 e5 2. Nf3 Nc6 and now -- surprisingly -- White resigned. 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 1-0\nAl (1500) vs. Beta (1600) --- Fri Mar\nRated",
            "1. e4 e5 2. Nf3 Nc6 Al {1500} vs. Beta {1600} --- Fri Mar Rated 1-0",
        ),
        (
            "1. e4 e5 (1... -- 2. d4) (1... Z0 2. c4) 2. -- Nf6 1-0",
            "1. e4 e5 (1... -- 2. d4) (1... -- 2. c4) 2. -- Nf6 1-0",
        ),
    ] {
        assert_movetext(moves, wanted);
    }
}

#[test]
fn moves_in_numbers_are_played_and_other_numbers_kept() {
    assert_movetext(
        "1. 5254 5755 2. 7163 2836 3. 6125 1716 4. 5171 1-0",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0",
    );
    let text = "1. 5254 5755 2. 7163 2836 1-0\n\n1. 4244 4745 2. 3234 1-0\n";
    let wanted = ["1. e4 e5 2. Nf3 Nc6 1-0", "1. d4 d5 2. c4 1-0"];
    assert_movetexts("a.txt", text, &wanted);
    assert_movetext("1. e4 e5 1884 2. Nf3 1-0", "1. e4 e5 1884 2. Nf3 1-0");
    assert_movetext("1. e4 e5 in 1984 2. Nf3 1-0", "1. e4 e5 in 1984 2. Nf3 1-0");
    let draughts = "1. 32-28 19-23 2. 28x19 14x23 1884 3. 37-32 *\n";
    assert_movetexts(
        "a.pdn",
        draughts,
        &["1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *"],
    );
}

#[test]
fn text_in_parentheses_is_kept_as_it_stood() {
    assert_movetext(
        "1. e4 (0:05) e5 (12:05) 2. Nf3 (3) Nc6 1-0",
        "1. e4 {0:05} 1... e5 {12:05} 2. Nf3 {3} 2... Nc6 1-0",
    );
    assert_movetext(
        "1. e4 e5 (he has 2 pawns, 30 minutes, and at 12:30 ate 1.5 apples) 2. Nf3 1-0",
        "1. e4 e5 (he has 2 pawns, 30 minutes, and at 12:30 ate 1.5 apples) 2. Nf3 1-0",
    );
    assert_movetext(
        "1. e4 e5 (with 2 pawns, c5!) 2. Nf3 1-0",
        "1. e4 e5 (with 2 pawns, 1... c5 $1) 2. Nf3 1-0",
    );
    // By its letter the comment would reach to the end of the line, and nothing close the variation.
    assert_movetext(
        "1. e4 e5 (also c5; see game 3) 2. Nf3 Nc6 1-0",
        "1. e4 e5 (also 1... c5 ; see game 3 ) 2. Nf3 Nc6 1-0",
    );
    assert_movetext(
        "1. e4 e5 (c5 ; sharp :)\n2. Nf3) 2. Nc3 1-0",
        "1. e4 e5 (1... c5 ; sharp :) 2. Nf3) 2. Nc3 1-0",
    );
}

#[test]
fn brackets_within_a_game_are_no_tags() {
    for (moves, wanted) in [
        (
            "1. e4 e5\n[Diagram]\n2. Nf3 1-0",
            "1. e4 e5 {[Diagram]} 2. Nf3 1-0",
        ),
        (
            "1. e4 e5\n\n[White adjourned here]\n\n2. Nf3 1-0",
            "1. e4 e5 {[White adjourned here]} 2. Nf3 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 [3. Bc4 Bc5] 3. Bb5 a6 1-0",
            "1. e4 e5 2. Nf3 Nc6 (3. Bc4 Bc5) 3. Bb5 a6 1-0",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6\n[3. Bc4 Bc5]\n3. Bb5 a6 1-0",
            "1. e4 e5 2. Nf3 Nc6 (3. Bc4 Bc5) 3. Bb5 a6 1-0",
        ),
        (
            "1. e4 [%clk 0:10:00] e5 [%clk 0:09:00] 1-0",
            "1. e4 {[%clk 0:10:00]} 1... e5 {[%clk 0:09:00]} 1-0",
        ),
        // What is missing and was supplied is part of the game.
        (
            "1. e4 e5 [2. Nf3 Nc6] 3. Bb5 1-0",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0",
        ),
    ] {
        assert_movetext(moves, wanted);
    }
    let two = format!("{TAGS}1. e4 e5\n\n[White Ann]\n[Black Bo]\n\n1. d4 d5 1-0\n");
    assert_movetexts("a.pgn", &two, &["1. e4 e5 1-0", "1. d4 d5 1-0"]);
}

#[test]
fn moves_in_sentences_are_not_played() {
    assert_movetext(
        "1. e4 e5 2. Nf3 Nc6\n\nPosition after 2...Nc6\n\n3. Bb5 a6 1-0",
        "1. e4 e5 2. Nf3 Nc6 Position after 2...Nc6 3. Bb5 a6 1-0",
    );
    assert_movetext(
        "1. e4 e5 2. Nf3 Nc6 See also Bc4 or d4 instead\n3. Bb5 a6 1-0",
        "1. e4 e5 2. Nf3 Nc6 See also Bc4 or d4 instead 3. Bb5 a6 1-0",
    );
    assert_movetext(
        "1. e4 e5 2. Nf3 Nc6 and now Bb5 a6 4. Ba4 1-0",
        "1. e4 e5 2. Nf3 Nc6 and now 3. Bb5 a6 4. Ba4 1-0",
    );
}

/// Only behind moves can another game begin.
#[test]
fn text_before_the_first_move_belongs_to_its_game() {
    for text in ["A heading\n", "Some words of a preface.\n\n"] {
        let words = text.trim_end();
        let moves = "1. e4 e5 2. Nf3 1-0";
        assert_movetext(&format!("{text}{moves}"), &format!("{words} {moves}"));
    }
    // A variation that is never closed goes over the end of the line.
    let open = "e4 e5 Nf3 (b5 a6\nd4 d5 c4\n";
    assert_movetexts("a.pgn", open, &["1. e4 e5 2. Nf3 (b5 a6 d4 d5 c4) *"]);
}

#[test]
fn moves_that_a_line_end_parts_are_whole() {
    assert_movetext(
        "1. e4 d6 2. d4 Nf6 3. Nc3 e5 4. Be3 exd4 5. Qx-\nd4 Nc6 6. Qd2 Be7 7. 0-0-\n0 0-\n0 1-0",
        "1. e4 d6 2. d4 Nf6 3. Nc3 e5 4. Be3 exd4 5. Qxd4 Nc6 6. Qd2 Be7 7. O-O-O O-O 1-0",
    );
}

#[test]
fn the_number_of_the_first_move_tells_who_moves() {
    let chess = "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3\"]\n\n1... Kd7 2. Kd2 *\n";
    assert_movetexts("a.pgn", chess, &["1... Kd7 2. Kd2 *"]);
    let white = chess
        .replace("1... Kd7 2.", "1. Kd2 Kd7 2.")
        .replace("2. Kd2", "2. Kd3");
    assert_movetexts("a.pgn", &white, &["1. Kd2 Kd7 2. Kd3 *"]);
    let draughts = "[Event \"x\"]\n[GameType \"20\"]\n[FEN \"W31,K5:B12,K45\"]\n[Result \"*\"]\n\n\
                    1... 12-18 *\n";
    assert_movetexts("a.pdn", draughts, &["1... 12-18 *"]);
    assert_movetexts(
        "a.pgn",
        "[Event \"z\"]\n[FEN \"?\"]\n\n1. d4 *\n",
        &["1. d4 *"],
    );
}

#[test]
fn short_moves_and_percentages_of_draughts() {
    let tags = |number| format!("[Event \"x\"]\n[GameType \"{number}\"]\n[Result \"2-0\"]\n\n");
    let russian = tags(25) + "1. cd4 dc5 2. bc3 fg5 3. cb4 gf4 4. e:g5 h:f4 2-0\n";
    let wanted = "1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-f4 4. e3:g5 h6:f4 2-0";
    assert_movetexts("a.pdn", &russian, &[wanted]);
    let percent =
        tags(20) + "1. 32-28 19-23 2. 28x19 14x23 (50% of the games) 3. 37-32 10-14 2-0\n";
    let wanted = "1. 32-28 19-23 2. 28x19 14x23 {50% of the games} 3. 37-32 10-14 2-0";
    assert_movetexts("a.pdn", &percent, &[wanted]);
    let clock = tags(20) + "1. 32-28 19-23 2. 28x19 [%clk 1:20] 14x23 2-0\n";
    let wanted = "1. 32-28 19-23 2. 28x19 {[%clk 1:20]} 2... 14x23 2-0";
    assert_movetexts("a.pdn", &clock, &[wanted]);
    // Letters of windows-1251.
    let text = b"[Event \"ru\"]\n[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n[Black \"\xCF\xE5\xF2\xF0\xEE\xE2\"]\n[Result \"2-0\"]\n\n\
                 1. \xF63-\xE44 \xE46-\xF65 2. \xE12-\xF63 \xF46-\xE35 2-0\n";
    let found = movetexts_of("a.pdn", text);
    assert_eq!(found, ["1. c3-d4 d6-c5 2. b2-c3 f6-g5 2-0"]);
}

/// Tables with names in other languages, moves of JSON pair by pair, lists and documents of YAML.
#[test]
fn games_of_tables_and_lists_are_whole() {
    let table = "Weiß;Schwarz;Ergebnis;Züge\nMüller;Schmidt;1-0;1. e4 e5 2. Sf3 Sc6\n\
        Meyer;Huber;½-½;1. d4 d5 2. c4 e6 3. Sc3\n";
    let wanted = [
        "1. e4 e5 2. Nf3 Nc6 1-0",
        "1. d4 d5 2. c4 e6 3. Nc3 1/2-1/2",
    ];
    assert_movetexts("a.csv", table, &wanted);
    let pairs = "[{\"white\":\"A\",\"black\":\"B\",\"moves\":[{\"n\":1,\"white\":\"e4\",\"black\":\"e5\"},\
        {\"n\":2,\"white\":\"Nf3\",\"black\":\"Nc6\"}]},{\"white\":\"C\",\"black\":\"D\",\"moves\":[{\"n\":1,\"white\":\"d4\",\
        \"black\":\"d5\"}]}]";
    assert_movetexts("a.json", pairs, &["1. e4 e5 2. Nf3 Nc6 *", "1. d4 d5 *"]);
    let cut = "{\"white\":\"A\",\"black\":\"B\",\"moves\":\"e4 e5 Nf3 Nc6\"}\n\
        {\"white\":\"C\",\"black\":\"D\",\"moves\":\"d4 d5 c4 e";
    assert_movetexts(
        "a.jsonl",
        cut,
        &["1. e4 e5 2. Nf3 Nc6 *", "1. d4 d5 2. c4 e *"],
    );
    // A text may have several games.
    let several = "{\"site\":\"x\",\"pgn\":\"[Event \\\"a\\\"]\\n\\n1. e4 e5 2. Nf3 1-0\\n\\n\
        [Event \\\"b\\\"]\\n\\n1. d4 d5 2. c4 0-1\\n\"}";
    assert_movetexts(
        "a.json",
        several,
        &["1. e4 e5 2. Nf3 1-0", "1. d4 d5 2. c4 0-1"],
    );
    let wanted = ["1. e4 e5 2. Nf3 Nc6 1-0", "1. d4 d5 2. c4 e6 *"];
    for yaml in [
        "- white: A\n  black: B\n  result: 1-0\n  moves: 1. e4 e5 2. Nf3 Nc6\n- white: C\n  black: D\n  \
         moves:\n    - d4\n    - d5\n    - c4\n    - e6\n",
        "games:\n  - white: A\n    result: 1-0\n    moves: |\n      1. e4 e5\n      2. Nf3 Nc6\n  - white: C\n    \
         moves: >-\n      1. d4 d5\n      2. c4 e6\n",
        "---\nwhite: A\nresult: 1-0\nmoves: e4 e5 Nf3 Nc6\n---\nwhite: C\nmoves: d4 d5 c4 e6\n...\n",
        "game1:\n  white: A\n  result: 1-0\n  moves: e4 e5 Nf3 Nc6\ngame2:\n  white: C\n  moves: d4 d5 c4 e6\n",
    ] {
        assert_movetexts("a.yaml", yaml, &wanted);
    }
}

/// Lists of openings: the name stands before the moves, in the same line.
#[test]
fn names_of_openings_part_games_and_are_kept() {
    for (name, text, wanted) in [
        (
            "a.txt",
            "1. e4 e5 2. Nf3\n1. d4 d5 2. c4\n1. c4\n",
            &["1. e4 e5 2. Nf3 *", "1. d4 d5 2. c4 *", "1. c4 *"][..],
        ),
        (
            "a.txt",
            "Ruy Lopez: 1.e4 e5 2.Nf3 Nc6 3.Bb5\nPolish: 1.b4\nQueen's Gambit: 1.d4 d5 2.c4\n",
            &[
                "{Ruy Lopez:} 1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
                "{Polish:} 1. b4 *",
                "{Queen's Gambit:} 1. d4 d5 2. c4 *",
            ],
        ),
        (
            "a.txt",
            "C60 Ruy Lopez 1. e4 e5 2. Nf3 Nc6 3. Bb5\nA00 Polish 1. b4\nB20 Sicilian 1. e4 c5\n",
            &[
                "{C60 Ruy Lopez} 1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
                "{A00 Polish} 1. b4 *",
                "{B20 Sicilian} 1. e4 c5 *",
            ],
        ),
        (
            "a.txt",
            "C60 Ruy Lopez\n1. e4 e5 2. Nf3 Nc6 3. Bb5\n\nC50 Italian Game\n1. e4 e5 2. Nf3 Nc6 3. Bc4\n",
            &[
                "{C60 Ruy Lopez} 1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
                "{C50 Italian Game} 1. e4 e5 2. Nf3 Nc6 3. Bc4 *",
            ],
        ),
    ] {
        assert_movetexts(name, text, wanted);
    }
    // Within a game such a line is a remark.
    let remark = "1. e4 e5 2. Nf3 Nc6 3. Bb5\nBetter was 1. d4 d5 2. c4\n3... a6 *";
    let whole = movetexts_of("a.pgn", format!("{TAGS}{remark}\n").as_bytes());
    assert_eq!(whole.len(), 1, "{whole:?}");
}

#[test]
fn a_preface_that_begins_as_popeye_does_leaves_the_games_below_it() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
    for above in [
        "Debut Ruy Lopez\n",
        "Begin here. My games 2020.\n\n",
        "Anf.\n",
    ] {
        let text = format!("{above}{moves}\n");
        let wanted = format!("{{{}}} {moves}", above.trim());
        assert_movetexts("a.txt", &text, &[&wanted]);
    }
    for (name, text) in [
        ("a.sql", "BEGIN TRANSACTION;\nCREATE TABLE x(a);\nCOMMIT;\n"),
        (
            "a.inp",
            "*HEADING\n beam model\n*NODE\n1, 0., 0.\n*END STEP\n",
        ),
    ] {
        assert_movetexts(name, text, &[]);
    }
}

#[test]
fn the_end_of_a_file_of_dos_is_no_word() {
    for end in ["\x1a", "\r\n\x1a\r\n", "\x1a\x1a\x1a"] {
        let text = format!("[Event \"A\"]\r\n\r\n1. e4 e5 1-0\r\n{end}");
        assert_movetexts("a.pgn", &text, &["1. e4 e5 1-0"]);
        let base = Base::new();
        let path = base.folder().join("a.pgn");
        std::fs::write(&path, text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        assert_eq!(done.diagnostics.len(), 0, "{end:?}");
    }
}

#[test]
fn blanks_of_web_pages_end_the_name_of_a_tag() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let tags = |blank: &[u8]| {
        let lines = [("Event", "A"), ("FEN", fen)].map(|(name, value)| {
            [
                b"[",
                name.as_bytes(),
                blank,
                b"\"",
                value.as_bytes(),
                b"\"]\n",
            ]
            .concat()
        });
        [&lines.concat()[..], b"\n1. e4 Kd7 *\n"].concat()
    };
    // As UTF-8 and as encodings of one byte have it; within a name it may be a letter's half.
    for blank in ["\u{a0}".as_bytes(), " \u{a0}".as_bytes(), b"\xa0"] {
        let base = Base::new();
        let path = base.folder().join("a.pgn");
        std::fs::write(&path, tags(blank)).expect("a file");
        base.import(&[path], ImportOptions::default());
        let games = base.games();
        assert_eq!(games.len(), 1, "{blank:?}");
        assert_eq!(games[0].header.event, "A", "{blank:?}");
        assert_eq!(games[0].header.start_fen.as_deref(), Some(fen), "{blank:?}");
    }
}
