//! Headers of other programs and lines above a game: the same game under each form of header has
//! the same players and moves; and the text formats of Othello and xiangqi.

use {
    crate::{
        lookalikes::{found, read_as},
        spellings::imported,
        support::{Base, root, run},
    },
    plydex::import::ImportOptions,
};

/// The value of a tag of a game.
fn tag<'g>(game: &'g plydex::base::record::GameRecord, name: &str) -> &'g str {
    let found = game.tags.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, value)| value)
}

/// The games of a text, with the findings of its import.
fn games(
    name: &str,
    text: &[u8],
) -> (
    Vec<plydex::base::record::GameRecord>,
    plydex::import::ImportReport,
) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    (base.games(), done)
}

fn field(name: &str) -> Vec<u8> {
    std::fs::read(root().join("tests/data/field").join(name)).expect("a file")
}

const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
const MOVES_ONLY: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";

/// A line that names a side, in any language and with any punctuation, names a player.
#[test]
fn the_sides_are_named_in_every_language() {
    for (white, black) in [
        ("White", "Black"),
        ("WHITE", "BLACK"),
        ("Weiß", "Schwarz"),
        ("Blancs", "Noirs"),
        ("Blancas", "Negras"),
        ("Blanques", "Negres"),
        ("Brancas", "Pretas"),
        ("Bianco", "Nero"),
        ("Wit", "Zwart"),
        ("Белые", "Чёрные"),
        ("Белые", "Черные"),
        ("Білі", "Чорні"),
        ("Бели", "Черни"),
        ("Бели", "Црни"),
        ("Białe", "Czarne"),
        ("Bílý", "Černý"),
        ("Biely", "Čierny"),
        ("Bijeli", "Crni"),
        ("Beli", "Črni"),
        ("Vit", "Svart"),
        ("Hvid", "Sort"),
        ("Hvit", "Svart"),
        ("Hvítur", "Svartur"),
        ("Valkea", "Musta"),
        ("Valge", "Must"),
        ("Világos", "Sötét"),
        ("Alb", "Negru"),
        ("Λευκά", "Μαύρα"),
        ("Beyaz", "Siyah"),
        ("Baltie", "Melnie"),
        ("Baltieji", "Juodieji"),
        ("Blanko", "Nigro"),
        ("Putih", "Hitam"),
        ("Trắng", "Đen"),
        ("白", "黑"),
        ("红方", "黑方"),
        ("紅方", "黑方"),
        ("先手", "後手"),
        ("백", "흑"),
        ("לבן", "שחור"),
        ("أبيض", "أسود"),
    ] {
        for header in [
            format!("{white}: Tal, M (2700)\n{black}: Botvinnik, M (2680)\n"),
            format!("{white}: Tal, M (2700)\n{black}: Botvinnik, M (2680)\n\n"),
            format!("{white} = Tal, M (2700)\r\n{black} = Botvinnik, M (2680)\r\n\r\n"),
            format!("{white}: Tal, M (2700); {black}: Botvinnik, M (2680)\n\n"),
            format!("{white}\tTal, M (2700)\n{black}\tBotvinnik, M (2680)\n\n"),
        ] {
            let (games, done) = games("a.txt", format!("{header}{MOVES}\n").as_bytes());
            assert_eq!(games.len(), 1, "{header}");
            let names = ["White", "WhiteElo", "Black", "BlackElo"].map(|name| tag(&games[0], name));
            assert_eq!(
                names,
                ["Tal, M", "2700", "Botvinnik, M", "2680"],
                "{header}"
            );
            assert_eq!(games[0].header.plies, 6, "{header}");
            assert_eq!(found(&done, "players-read"), 1, "{header}");
        }
    }
}

#[test]
fn a_line_above_a_game_names_its_players_place_and_day() {
    for (line, wanted) in [
        (
            "Carlsen, M (2850) – Anand, V (2780)",
            ["Carlsen, M", "Anand, V", "2850", "2780", "", ""],
        ),
        (
            "Tal vs Botvinnik, Moscow 1960, 1-0",
            ["Tal", "Botvinnik", "", "", "Moscow", "1960.??.??"],
        ),
        (
            "Tal gegen Botwinnik, Moskau 1960",
            ["Tal", "Botwinnik", "", "", "Moskau", "1960.??.??"],
        ),
        (
            "Таль – Ботвинник, Москва 1960",
            ["Таль", "Ботвинник", "", "", "Москва", "1960.??.??"],
        ),
        (
            "M. Tal - M. Botvinnik",
            ["M. Tal", "M. Botvinnik", "", "", "", ""],
        ),
    ] {
        let (games, _) = games("a.txt", format!("{line}\n\n{MOVES}\n").as_bytes());
        let names = ["White", "Black", "WhiteElo", "BlackElo", "Site", "Date"];
        assert_eq!(names.map(|name| tag(&games[0], name)), wanted, "{line}");
        // The line stays, as it stood.
        let (records, _) = read_as(
            "a.txt",
            format!("{line}\n\n{MOVES}\n").as_bytes(),
            ImportOptions::default(),
        );
        assert!(records[0].contains(line), "{records:?}");
    }
}

#[test]
fn text_that_names_no_player_is_kept_and_said() {
    for (above, is_heading) in [
        ("Sicilian Defence - Najdorf Variation\n\n", true),
        ("An example\n", true),
        (
            "A long text about chess that goes on and on, and says in its many words, longer than a line of a heading is, that it is one.\n\n",
            false,
        ),
    ] {
        let text = format!("{above}{MOVES}\n");
        let (games, done) = games("a.txt", text.as_bytes());
        assert_eq!((games.len(), tag(&games[0], "White")), (1, ""), "{above}");
        assert_eq!(
            found(&done, "players-unnamed"),
            u64::from(is_heading),
            "{above}"
        );
        assert_eq!(found(&done, "players-read"), 0, "{above}");
        let (records, _) = read_as("a.txt", text.as_bytes(), ImportOptions::default());
        assert!(records[0].contains(above.trim()), "{records:?}");
    }
}

#[test]
fn games_of_ggf_are_othello() {
    let text = field("othello.ggf");
    let page = format!(
        "<html><body><p>Two games</p>\n<pre>\n{}</pre></body></html>\n",
        String::from_utf8_lossy(&text)
    );
    for (name, text) in [("othello.ggf", &text[..]), ("a.html", page.as_bytes())] {
        let (games, done) = games(name, text);
        assert_eq!(done.formats[0].1, "ggf", "{name}");
        let facts = |game: &plydex::base::record::GameRecord| {
            let names = [
                "White", "Black", "WhiteElo", "BlackElo", "Date", "Time", "TimeZone",
            ];
            let tags = names.map(|name| tag(game, name)).join(" ");
            format!("{tags} {} {}", game.result_written(), game.header.plies)
        };
        assert_eq!(
            games.iter().map(facts).collect::<Vec<_>>(),
            [
                "player2 player1 1631.74 1457.12 2000.04.16 11:13:00 EST 0-1 6",
                "player4 player3 2199.72 2197.01 2003.12.15 13:24:03 MST 1/2-1/2 27",
            ],
            "{name}"
        );
        let (records, _) = read_as(name, text, ImportOptions::default());
        assert!(
            records[0].contains("[%eval 40.00] [%emt 0:00:00.01]"),
            "{records:?}"
        );
    }
}

/// What cannot be played as Othello on eight files stays as text, and is said.
#[test]
fn other_boards_of_ggf_are_kept() {
    let row = |discs: &str| format!("{:-<10}", format!("----{discs}"));
    let board = [
        vec![row("--"); 4],
        vec![row("O*"), row("*O")],
        vec![row("--"); 4],
    ]
    .concat();
    let of = |kind: &str, board: &str| {
        format!("(;GM[Othello]PB[A]PW[B]TY[{kind}]RE[+4]BO[{board} *]B[d3]W[c3];)\n")
    };
    let small = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
    let random = "8 -------- -------- --*O---- --*O*--- ---*O--- -------- -------- --------";
    let text = [
        of("10", &format!("10 {}", board.join(" "))),
        of("8a", small),
        of("8r18", random),
    ]
    .concat();
    let (games, done) = games("a.ggf", text.as_bytes());
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| tag(game, "White") == "B"));
    assert_eq!(games[0].header.plies + games[1].header.plies, 0);
    assert!(games[2].header.start_fen.is_some());
    assert!(found(&done, "bad-variant") >= 2, "{done:?}");
}

#[test]
fn games_of_dhtmlxq_are_xiangqi() {
    let text = String::from_utf8(field("dhtmlxq.txt")).expect("UTF-8");
    let page = format!("<div>\n{text}\n</div>\n<div>\n{text}</div>\n");
    for (name, text, count) in [("dhtmlxq.txt", &text, 1), ("a.html", &page, 2)] {
        let base = Base::new();
        let path = base.folder().join(name);
        std::fs::write(&path, text).expect("a file");
        let options = crate::support::every_game();
        let done = base.import(&[path], options);
        assert_eq!(
            (done.formats[0].1, done.stored),
            ("dhtmlxq", count),
            "{name}"
        );
        for game in base.games() {
            let names = ["Title", "White", "Black", "Result"].map(|name| tag(&game, name));
            assert_eq!(names[..3], ["示例对局", "甲", "乙"], "{name}");
            assert_eq!(game.result_written(), "1-0", "{name}");
            // The sixth one leads over an elephant: it stays as text, and is said.
            assert_eq!(game.header.plies, 5, "{name}");
        }
        assert_eq!(found(&done, "illegal-move"), count, "{name}");
    }
}

#[test]
fn variations_and_comments_of_dhtmlxq_stand_at_their_moves() {
    let text = "[DhtmlXQ]\n[DhtmlXQ_red]A[/DhtmlXQ_red]\n[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n\
        [DhtmlXQ_comment0]begin[/DhtmlXQ_comment0]\n[DhtmlXQ_comment2]horse||out[/DhtmlXQ_comment2]\n\
        [DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]\n[DhtmlXQ_comment1_2]other[/DhtmlXQ_comment1_2]\n\
        [DhtmlXQ_move_1_3_2]7967[/DhtmlXQ_move_1_3_2]\n[DhtmlXQ_move_7_1_9]7967[/DhtmlXQ_move_7_1_9]\n[/DhtmlXQ]\n";
    let base = Base::new();
    let path = base.folder().join("a.txt");
    std::fs::write(&path, text).expect("a file");
    let db = base.folder().join("b.db");
    run(&db, &["import", &path.display().to_string()]);
    let exported = run(&db, &["export"]).out;
    let words: Vec<&str> = exported.split_whitespace().collect();
    let line = "{begin} 1. Che3 Hg8 {horse out} (1... Hc8 {other} 2. Hc3 (2. Hg3)) 2. Hg3 \
        {line 9 from ply 1: 7967} *";
    assert!(words.join(" ").ends_with(line), "{exported}");
    let (games, done) = games("a.txt", text.as_bytes());
    assert_eq!(games[0].header.plies, 3);
    assert_eq!(found(&done, "illegal-move"), 0, "{done:?}");
    assert_eq!(found(&done, "unknown-word"), 1, "{done:?}");
}

#[test]
fn headers_of_wxf_are_tags() {
    let text = String::from_utf8(field("xiangqi_header.wxf")).expect("UTF-8");
    let two = format!("{text}\nSome words between\n\n{text}");
    for (text, count) in [(&text, 1), (&two, 2)] {
        let base = Base::new();
        let path = base.folder().join("a.wxf");
        std::fs::write(&path, text).expect("a file");
        let done = base.import(&[path], crate::support::every_game());
        assert_eq!((done.formats[0].1, done.stored), ("wxf", count));
        for game in base.games() {
            let names = [
                "White",
                "Black",
                "WhiteElo",
                "BlackElo",
                "Date",
                "Event",
                "TimeControl",
            ];
            assert_eq!(
                names.map(|name| tag(&game, name)),
                [
                    "red player",
                    "black player",
                    "1200",
                    "1240",
                    "2020.02.02",
                    "casual",
                    "10m+0s"
                ]
            );
            assert_eq!((game.result_written(), game.header.plies), ("0-1", 54));
        }
        // The words above the last game are in no chunk of it, and that is said.
        assert_eq!(found(&done, "prelude"), count - 1);
    }
}

/// A heading with a result belongs to the game below it, not to one above that has no end.
#[test]
fn a_result_in_a_heading_is_that_of_the_game_below() {
    let chess = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";
    let draughts = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14";
    let othello = "f5d6c3d3c4f4f6f3e3b4";
    let plain = |moves: &str| {
        format!(
            "Tal - Botvinnik 1-0\n{moves}\n\nFischer - Spassky 0-1\n{moves}\n\n\
             Carlsen - Anand 1/2-1/2\n{moves}\n"
        )
    };
    let labelled = |moves: &str| {
        let game = |white, black, result| {
            format!("White: {white}\nBlack: {black}\nScore: {result}\n{moves}\n\n")
        };
        game("Tal", "Botvinnik", "1-0")
            + &game("Fischer", "Spassky", "0-1")
            + &game("Carlsen", "Anand", "1/2-1/2")
    };
    let points = |moves: &str| {
        let text = plain(moves)
            .replace("1-0\n", "2-0\n")
            .replace("0-1\n", "0-2\n");
        text.replace("1/2-1/2\n", "1-1\n")
    };
    let russian = plain(chess).replace("Fischer - Spassky", "Фишер – Спасский");
    let (games_of_it, _) = games("a.txt", russian.as_bytes());
    assert_eq!(tag(&games_of_it[1], "White"), "Фишер");
    for text in [
        plain(chess),
        labelled(chess),
        points(draughts),
        labelled(othello),
    ] {
        let (games, _) = games("a.txt", text.as_bytes());
        let read: Vec<[&str; 2]> = games
            .iter()
            .map(|game| [tag(game, "White"), tag(game, "Black")])
            .collect();
        let wanted = [
            ["Tal", "Botvinnik"],
            ["Fischer", "Spassky"],
            ["Carlsen", "Anand"],
        ];
        assert_eq!(read, wanted, "{text}");
        let results: Vec<&str> = games.iter().map(|game| &game.header.result[..]).collect();
        let points = [("2-0", "1-0"), ("0-2", "0-1"), ("1-1", "1/2-1/2")];
        let as_chess = |result: &&str| {
            let found = points.into_iter().find(|(own, _)| own == result);
            found.map_or_else(|| (*result).to_owned(), |(_, chess)| chess.to_owned())
        };
        let results: Vec<String> = results.iter().map(as_chess).collect();
        // In Othello Black begins, whose points stand first.
        let wanted = if text == labelled(othello) {
            ["0-1", "1-0", "1/2-1/2"]
        } else {
            ["1-0", "0-1", "1/2-1/2"]
        };
        assert_eq!(results, wanted, "{text}");
    }
    // A sentence behind the moves, or above the next game and apart from it, ends its own game.
    for between in [
        " Black resigns 1-0\n\n",
        "\nBlack resigns 1-0\n\n",
        "\n\nBlack resigns 1-0\n\n",
        "\n1-0\n",
        "\n\n{White resigns} 1-0\n",
    ] {
        let text = format!("Tal - Botvinnik\n{chess}{between}{chess} 0-1\n");
        let (games, done) = games("a.txt", text.as_bytes());
        let results: Vec<&str> = games.iter().map(|game| &game.header.result[..]).collect();
        assert_eq!(results, ["1-0", "0-1"], "{text}");
        assert_eq!(found(&done, "result-mismatch"), 0, "{text}");
    }
}

/// Results as Russian and German books print them, marks behind words, and blanks of other widths.
#[test]
fn print_of_other_languages_is_read() {
    for (result, wanted) in [
        ("1 : 0", "1-0"),
        ("0 : 1", "0-1"),
        ("1/2 : 1/2", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"),
    ] {
        let text = format!("{MOVES_ONLY} {result}\n");
        let (games, done) = games("a.pgn", text.as_bytes());
        assert_eq!(games[0].header.result, wanted, "{result}");
        assert_eq!((found(&done, "unknown-word"), done.incomplete), (0, 0));
    }
    let exported = |text: &str| {
        let (base, done) = imported("a.pgn", text);
        (run(base.store.path(), &["export"]).out, done)
    };
    // The marks judge no move.
    for words in ["Trop tôt !", "Quelle erreur ?", "Quelle surprise\u{202f}!"] {
        let (out, done) = exported(&format!("1. e4 e5 {words} 2. Nf3 Nc6 1-0\n"));
        assert!(!out.contains('$') && done.plies == 4, "{out}");
    }
    let (out, _) = exported("1. e4 ! e5 ? 2. Nf3 Nc6 1-0\n");
    assert!(out.contains("e4 $1") && out.contains("$2"), "{out}");
    for end in ["matt.", "mat", "resigns.", "мат"] {
        let (_, done) = games("a.pgn", format!("{MOVES_ONLY} {end} 1-0\n").as_bytes());
        assert_eq!(done.incomplete, 0, "{end}");
    }
    let wide = "　　1.　兵七进一　　卒７进１　\n　　2.　马八进七　　马８进７　\n　　3.　马二进一　　象３进５　\n";
    let (_, done) = games("a.txt", wide.as_bytes());
    assert_eq!(done.plies, 6);
}
