//! Which game a record is of, told by the longest beginning that its rules allow.

use {
    crate::{
        spellings::imported,
        support::{Base, root, run},
    },
    plydex::{
        games::variant::Variant,
        import::{ImportOptions, ImportReport, VariantCount},
    },
};

/// A file of the field, imported.
fn field(name: &str) -> (Base, ImportReport) {
    let base = Base::new();
    let path = root().join("tests/data/field").join(name);
    let done = base.import(&[path], ImportOptions::default());
    base.assert_sound();
    (base, done)
}

/// Variant, how it is known, and plies of every record.
fn identities(base: &Base) -> Vec<(String, String, u32)> {
    let games = base.games().into_iter();
    games
        .map(|game| {
            let header = game.header;
            let by = header.variant_by.unwrap_or_default();
            (header.variant, by, header.plies)
        })
        .collect()
}

fn findings(done: &ImportReport) -> Vec<&'static str> {
    let found = done.diagnostics.iter();
    found.map(|(code, _)| code.as_str()).collect()
}

/// Each file with what its records are, how many plies of them are played, and what is found.
#[test]
fn files_of_the_field_are_identified() {
    type Row<'r> = (&'r str, &'r [(&'r str, &'r str, u32)], &'r [&'r str]);
    let rows: &[Row<'_>] = &[
        (
            "embassy_marshall_cardinal.pgn",
            &[("embassy", "", 46)],
            &["other-castling"],
        ),
        ("capablanca960.pgn", &[("caparandom", "", 2)], &[]),
        // No piece can go to c3.
        (
            "capahouse960.pgn",
            &[("capahouse", "", 2)],
            &["illegal-move"],
        ),
        (
            "unknown_variant_name.pgn",
            &[("chess", "inferred", 2)],
            &["variant-mismatch"],
        ),
        (
            "chess960_wrong_rights.pgn",
            &[("chess960", "", 9); 3],
            &["castling-dropped", "castling-played", "chess960-rights"],
        ),
        (
            "crazyhouse_without_variant.pgn",
            &[("crazyhouse", "inferred", 9)],
            &[],
        ),
        (
            "othello_one_bad_move.txt",
            &[("othello", "inferred, weakly", 22)],
            &["result-missing", "illegal-move"],
        ),
        (
            "xiangqi_one_bad_move.wxf",
            &[("xiangqi", "", 100)],
            &["illegal-move"],
        ),
        (
            "gametype_reserved.pdn",
            &[("unknown", "", 0); 3],
            &["bad-variant"],
        ),
    ];
    for (name, wanted, codes) in rows {
        let (base, done) = field(name);
        let owned =
            |&(variant, by, plies): &(&str, &str, u32)| (variant.to_owned(), by.to_owned(), plies);
        let wanted: Vec<_> = wanted.iter().map(owned).collect();
        assert_eq!(identities(&base), wanted, "{name}");
        assert_eq!(findings(&done), *codes, "{name}");
    }
}

#[test]
fn glyphs_that_no_list_has_are_exported_as_they_stand() {
    for name in ["nag_too_large.pgn", "nag_blocks_export.pgn"] {
        let (base, done) = field(name);
        let out = run(base.store.path(), &["export"]);
        assert_eq!(out.status, Some(0), "{name}");
        assert_eq!(findings(&done), ["nag-range"]);
        let again = imported("again.pgn", &out.out).1;
        assert_eq!(
            (again.stored, findings(&again)),
            (done.stored, vec!["nag-range"])
        );
        let text = std::fs::read_to_string(root().join("tests/data/field").join(name));
        let glyphs = |text: &str| {
            let words = text.split_whitespace();
            let glyphs = words.filter(|word| word.starts_with('$'));
            glyphs.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(glyphs(&out.out), glyphs(&text.expect("a text")), "{name}");
    }
}

/// Where a source has several kinds of draughts, each record names all that it can be of.
#[test]
fn ties_are_named_record_by_record() {
    let (base, done) = field("mixed_8x8_letters.pdn");
    let found = identities(&base);
    let count = |variant: &str, by: &str| {
        let same =
            |(own, own_by, _): &&(String, String, u32)| own == variant && own_by.starts_with(by);
        found.iter().filter(same).count() as u64
    };
    let ties = count("russian", "inferred; or brazilian");
    let sure = found.iter().filter(|(_, by, _)| by == "inferred").count() as u64;
    assert_eq!(count("brazilian", "inferred"), 3);
    assert_eq!((count("russian", "inferred"), sure), (37, 40 - ties));
    // 17 of the games that were played by Brazilian rules could be Russian.
    let games = base.games().into_iter();
    let brazilian = games.filter(|game| {
        let event = game.tags.iter().find(|(name, _)| name == "Event");
        event.is_some_and(|(_, value)| value.starts_with("brazilian"))
    });
    let tied = brazilian.filter(|game| game.header.variant == "russian");
    let tied: Vec<String> = tied.filter_map(|game| game.header.variant_by).collect();
    assert_eq!(tied.len(), 17);
    assert!(
        tied.iter()
            .all(|by| by.starts_with("inferred; or brazilian"))
    );
    let counted = done.variants.iter().find(|found| found.ambiguous > 0);
    let expected = VariantCount {
        variant: Variant::by_name("russian").expect("a variant").id,
        games: 37,
        inferred: 37,
        ambiguous: ties,
    };
    assert_eq!(counted, Some(&expected));
    // Among games of one kind a slip of the pen makes no record doubtful.
    let path = root().join("tests/data/field/mixed_8x8_letters.pdn");
    let text = std::fs::read_to_string(path).expect("a text");
    let records = text
        .split("[Event ")
        .filter(|record| record.contains("russian:"));
    let records: Vec<String> = records.map(|record| format!("[Event {record}")).collect();
    let (russian, _) = imported("a.pdn", &records.concat());
    assert_eq!(identities(&russian).len(), 20);
    let sure = |(variant, by, _): &(String, String, u32)| variant == "russian" && by == "inferred";
    assert!(
        identities(&russian).iter().all(sure),
        "{:?}",
        identities(&russian)
    );
}

/// Beginnings of games that no tag explains, each with a word that is not legal behind any of
/// its plies.
const UNTAGGED: &[(&str, &str, &str)] = &[
    (
        "xiangqi",
        "C2.5 h8+7 H2+3 r9.8 P7+1 c2.4 H8+7 h2+3 R9.8 p3+1 C8.9 e3+5 R8+4 a4+5",
        "K9+9",
    ),
    (
        "xiangqi",
        "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7 i0h0 g6g5 h0h6 c6c5 b2a2 b7a7",
        "a0a9",
    ),
    (
        "othello",
        "f5 d6 c3 d3 c4 f4 f6 f3 e3 b4 b5 e6 e7 f2 e2 g5",
        "a1",
    ),
    (
        "crazyhouse",
        "e4 d5 exd5 Qxd5 P@e4 Qd8 Nf3 P@g4 Ne5 Nf6 Nc3 Nc6 d4 e6",
        "P@a9",
    ),
    (
        "international",
        "32-28 19-23 28x19 14x23 37-32 10-14 41-37 5-10 46-41 14-19 35-30 10-14 30-25 20-24",
        "7-40",
    ),
];

/// A move that cannot be played ends what is played, and leaves the rest its identity.
#[test]
fn one_bad_move_leaves_the_game_what_it_is() {
    for &(variant, moves, bad) in UNTAGGED {
        let moves: Vec<&str> = moves.split(' ').collect();
        for at in 8..=moves.len() {
            let (legal, rest) = moves.split_at(at);
            let after = rest.len().min(at / 2);
            let text = [legal, &[bad], &rest[..after]].concat().join(" ");
            let (base, done) = imported("moves.txt", &format!("{text}\n"));
            let found = identities(&base);
            let told: Vec<(&str, u32)> = found
                .iter()
                .map(|(name, _, plies)| (name.as_str(), *plies))
                .collect();
            assert_eq!(told, [(variant, at as u32)], "{text}");
            assert!(found[0].1.starts_with("inferred"), "{text}");
            assert_eq!(done.incomplete, 1, "{text}");
        }
    }
}

/// What a file is called speaks for moves too few to speak for themselves, and never against
/// moves that are legal in chess.
#[test]
fn names_of_files_are_evidence() {
    let moves = "h2e2 h9g7 h0g2 i9h9\n";
    for name in ["a.wxf", "a.dhtmlxq", "xiangqi.txt", "club-xiangqi.pgn"] {
        let (base, _) = imported(name, moves);
        assert_eq!(identities(&base)[0].0, "xiangqi", "{name}");
        assert_eq!(identities(&base)[0].2, 4, "{name}");
    }
    let (base, _) = imported("a.txt", moves);
    assert_eq!(identities(&base)[0].2, 0);
    let (base, _) = imported("a.wxf", "1. e4 e5 2. Nf3 Nc6 *\n");
    assert_eq!(identities(&base)[0], ("chess".into(), String::new(), 4));
}

/// No other game has such moves, so that two of them suffice.
#[test]
fn moves_of_xiangqi_in_its_own_notation_need_no_tag() {
    for moves in [
        "1. C2.5 H8+7 2. H2+3 R9.8 1-0",
        "1. C2=5 H8+7 1-0",
        "1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0",
        "1. 炮二平五 馬8進7 2. 傌二進三 車9平8 红胜",
    ] {
        let (base, _) = imported("a.pgn", &format!("[Event \"x\"]\n\n{moves}\n"));
        let found = identities(&base).remove(0);
        assert_eq!(
            (&found.0[..], &found.1[..]),
            ("xiangqi", "inferred"),
            "{moves}"
        );
        let plies = if moves.contains(" 2. ") { 4 } else { 2 };
        assert_eq!(found.2, plies, "{moves}");
    }
}

/// A character of two bytes may have a bracket, a brace or a backslash as its second one.
#[test]
fn text_of_east_asia_is_read_as_it_was_written() {
    let game = "[Event \"臺灣公開賽\"]\r\n[White \"許功蓋\"]\r\n[Black \"吳貴臨\"]\r\n\
                [Result \"1-0\"]\r\n\r\n1. C2.5 {紅方功夫好, 許功蓋} H8+7 1-0\r\n\r\n";
    let (utf8, _) = imported("a.pgn", game);
    let record = |base: &Base| {
        let game = base.games().remove(0);
        (
            game.header.white,
            game.header.event,
            game.tags,
            game.header.plies,
        )
    };
    for encoding in [encoding_rs::BIG5, encoding_rs::GB18030] {
        let (bytes, _, lost) = encoding.encode(game);
        assert!(!lost);
        let base = Base::new();
        let path = base.folder().join("a.pgn");
        std::fs::write(&path, bytes).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        base.assert_sound();
        assert_eq!(record(&base), record(&utf8), "{}", encoding.name());
        assert_eq!(findings(&done), ["encoding-guess"]);
    }
}

/// Moves from the start position of a game that the log names, or that they tell.
#[test]
fn moves_of_engine_logs_are_played() {
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7";
    let line = format!("position startpos moves {moves}\n");
    let set = "setoption name UCI_Variant value";
    for (text, variant, plies) in [
        (line.clone(), "xiangqi", 8),
        (
            format!("{set} xiangqi\nposition startpos moves h2e2 h9g7\n"),
            "xiangqi",
            2,
        ),
        (
            format!("{set} crazyhouse\nposition startpos moves e2e4 d7d5 e4d5 d8d5 P@e4\n"),
            "crazyhouse",
            5,
        ),
        ("position startpos moves e2e4 e7e5\n".to_owned(), "chess", 2),
    ] {
        let (base, _) = imported("log.txt", &text);
        let found = identities(&base).remove(0);
        assert_eq!((&found.0[..], found.2), (variant, plies), "{text}");
    }
}

/// A position with moves, as engines are sent it, is a game of its board.
#[test]
fn positions_of_engine_logs_are_played() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7";
    let line = format!("position fen {start} moves {moves}\n");
    for text in [
        line.clone(),
        format!("{line}{line}").replace(" moves h2e2", " moves b2e2"),
    ] {
        let (base, done) = imported("log.txt", &text);
        assert_eq!(done.plies, 6 * done.seen, "{text}");
        assert_eq!(identities(&base)[0].0, "xiangqi");
    }
}

/// A `Variant` that nobody knows is chess where chess allows the moves, and else the game that
/// does.
#[test]
fn unknown_variants_are_told_by_their_moves() {
    let game = |variant: &str, moves: &str| {
        format!("[Event \"x\"]\n[Variant \"{variant}\"]\n[Result \"*\"]\n\n{moves} *\n\n")
    };
    let chess = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";
    let row = |variant: &str, by: &str, plies| (variant.to_owned(), by.to_owned(), plies);
    for (moves, wanted) in [
        (chess.to_owned(), row("chess", "inferred", 8)),
        (
            format!("{chess} 5. Qh8 d6"),
            row("chess", "inferred, weakly", 8),
        ),
        (UNTAGGED[1].1.to_owned(), row("xiangqi", "inferred", 12)),
        // Nothing plays these.
        (
            "1. P-7f P-3d 2. P-2f P-8d".to_owned(),
            row("unknown", "", 0),
        ),
    ] {
        let (base, done) = imported("a.pgn", &game("Regular", &moves));
        assert_eq!(identities(&base), std::slice::from_ref(&wanted), "{moves}");
        let code = if wanted.2 > 0 {
            "variant-mismatch"
        } else {
            "bad-variant"
        };
        assert!(findings(&done).contains(&code), "{moves}");
    }
    // A game whose rules are not known is none that looks alike.
    let (base, done) = imported("a.pgn", &game("Makruk", chess));
    assert_eq!(identities(&base), [row("unknown", "", 0)]);
    assert!(findings(&done).contains(&"bad-variant"));
}

/// Rights of Chess960 that the FEN lacks follow from the castling that is played, and only these.
#[test]
fn castling_that_is_played_gives_the_right() {
    let game = |fen: &str, moves: &str| {
        format!(
            "[Event \"x\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\
             [Result \"*\"]\n\n{moves} *\n\n"
        )
    };
    let array = "rkrnnbbq/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w";
    let played = "1. c4 c5 2. Rc3 Rc6 3. Ne3 Ne6 4. O-O-O Nd6 5. d4";
    let later = "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w - - 4 20";
    let start = |fen: &str, moves: &str| {
        let (base, done) = imported("a.pgn", &game(fen, moves));
        let game = base.games().remove(0);
        let is_added = findings(&done).contains(&"castling-played");
        (
            game.header.plies,
            game.header.start_fen.expect("a FEN"),
            is_added,
        )
    };
    // From an array in which nothing has moved, every right is there.
    for rights in ["-", "HEhe"] {
        let (plies, fen, is_added) = start(&format!("{array} {rights} - 0 1"), played);
        assert_eq!((plies, is_added), (9, true), "{rights}");
        assert_eq!(fen, format!("{array} KQkq - 0 1"), "{rights}");
    }
    let (plies, fen, is_added) = start(later, "20. O-O Kc8 21. Rfe1 Kd8");
    assert_eq!((plies, is_added), (4, true));
    assert!(fen.contains(" w K - "), "{fen}");
    let (plies, fen, is_added) = start(later, "20. O-O O-O-O");
    assert_eq!((plies, is_added), (2, true));
    assert!(fen.contains(" w Kq - "), "{fen}");
    // Castling that no right would make legal adds none.
    let (plies, fen, is_added) = start(later, "20. e4 e5 21. Ke2 d5 22. O-O");
    assert_eq!((plies, is_added), (4, false));
    assert!(fen.contains(" w - - "), "{fen}");
    assert!(!start(&format!("{array} KQkq - 0 1"), played).2);
}
