//! The corner that a `GameType` says: taken where the squares are none, or no move is legal, as
//! they are usually named, and told of where that is as good.

use {
    crate::support::Base,
    plydex::{
        base::{diagnostic::Code, record::GameRecord},
        import::ImportOptions,
        pgn::writer,
    },
};

/// The one game of a text, and the findings of its import.
fn read(text: &str) -> (GameRecord, Vec<Code>) {
    let base = Base::new();
    let summary = base.import_text(text.as_bytes(), ImportOptions::default());
    base.assert_sound();
    let codes = summary.diagnostics.iter().map(|(code, _)| *code).collect();
    (base.games().remove(0), codes)
}

fn written(game: &GameRecord) -> String {
    let mut text = String::new();
    writer::write(game, &mut text);
    text
}

fn text_of(game_type: &str, fen: &str, moves: &str) -> String {
    let fen = match fen {
        "" => String::new(),
        fen => format!("[FEN \"{fen}\"]\n"),
    };
    format!("[GameType \"{game_type}\"]\n{fen}\n{moves} *\n\n")
}

#[test]
fn squares_are_named_as_the_tag_says_where_no_other_way_fits() {
    for (game_type, fen, moves, variant, start) in [
        // No letters of the FEN are squares where a1 usually is.
        (
            "20,W,10,10,A2,0",
            "W:Wb7,d7:Bc4,e4",
            "1. b7-c6 c4-d5",
            "international",
            "W:W31,32:B17,18",
        ),
        (
            "21,B,8,8,A1,0",
            "B:Wa6,c6:Bb3,d3",
            "1. b3-a4",
            "english",
            "B:W21,22:B9,10",
        ),
        (
            "22,W,8,8,A1,1",
            "W:Wa3,c3:Bb6,f6",
            "1. a3-b4",
            "italian",
            "W:W23,24:B10,12",
        ),
        (
            "20,W,10,10,A2,0",
            "W:Wb7,d7:Bc4,e4",
            "",
            "international",
            "W:W31,32:B17,18",
        ),
        // One move that is legal so alone, and in Spanish draughts.
        (
            "21,B,8,8,N2,0",
            "B:W5,6,9:B28,27,24",
            "1. 24-20",
            "english",
            "B:W5,6,9:B24,27,28",
        ),
        (
            "21,B,8,8,N3,0",
            "B:W14:B18,28",
            "1. 18x11",
            "english",
            "B:W14:B18,28",
        ),
    ] {
        let text = text_of(game_type, fen, moves);
        let (game, codes) = read(&text);
        assert_eq!(codes, [Code::SquareNumbers], "{text}");
        assert_eq!(game.header.variant, variant, "{text}");
        let plies = moves.split_whitespace().skip(1).count();
        assert_eq!(game.header.plies as usize, plies, "{text}");
        assert_eq!(game.header.start_fen.as_deref(), Some(start), "{text}");
        // What is written is the same game in squares that its tag says.
        let (again, codes) = read(&written(&game));
        assert_eq!(again.header.plies, game.header.plies, "{text}");
        assert_eq!(again.items, game.items, "{text}");
        assert!(!codes.contains(&Code::IllegalMove), "{text}: {codes:?}");
    }
}

#[test]
fn a_corner_that_need_not_be_meant_is_told_of() {
    let (game, codes) = read(&text_of("20,W,10,10,N3,0", "W:W31:B6", "1. 31-27 6-11"));
    assert_eq!(codes, [Code::PdnFen]);
    assert_eq!(game.header.start_fen.as_deref(), Some("W:W31:B6"));
    assert!(written(&game).contains("[GameType \"20,W,10,10,N2,0\"]"));
    // At the usual start the moves tell.
    let (game, codes) = read(&text_of("20,W,10,10,N1,0", "", "1. 32-28 19-23"));
    assert_eq!((game.header.plies, codes), (2, vec![]));
    // Nor is there anything to tell of the usual corner.
    let (_, codes) = read(&text_of("20,W,10,10,N2,0", "W:W31:B6", "1. 31-27 6-11"));
    assert_eq!(codes, []);
}

/// Only the tags of a game say what its squares mean if its moves are text.
#[test]
fn what_is_kept_as_text_keeps_its_tags() {
    for (game_type, fen, moves) in [
        ("20,W,10,10,A2,0", "W:Wz7,d7:Bc4,e4", "1. b7-c6 c4-d5"),
        ("20,W,10,10,N1,0", "", "1. 50-1 1-50"),
        ("20,W,0,0,N,0", "W:W31:B6", "1. 50-1"),
        ("25,W,8,8,N3,0", "W:W1,9:B22,30", "1. 7-8"),
    ] {
        let text = text_of(game_type, fen, moves);
        let (game, _) = read(&text);
        assert_eq!(game.header.plies, 0, "{text}");
        let out = written(&game);
        for line in text.lines() {
            assert!(out.contains(line), "{text}: {out}");
        }
        assert_eq!(out, written(&read(&out).0), "{text}");
    }
}

/// No tag says where `a1` is, and the FEN is none where it usually is: the moves tell it, or that
/// no man can stand where it would have become a king.
#[test]
fn letters_are_named_from_the_one_corner_that_fits() {
    for (game_type, fen, moves, start) in [
        ("22", "W:Wa1,c3:Bf8", "1. c3-d4", "W:W23,32:B2"),
        ("22", "W:Wa1,c3:Bf8", "", "W:W23,32:B2"),
        ("28", "W:Wa1,c3:Bf8", "1. c3-d4", "W:W1,10:B31"),
        ("25", "W:Wb1,c2:Be8", "1. c2-d3", "W:Wg1,f2:Bd8"),
        // From the top left, as nothing else has moves that are legal.
        ("20", "W:Wb7,d7:Bc4,e4", "1. b7-c6 c4-d5", "W:W31,32:B17,18"),
    ] {
        let text = text_of(game_type, fen, moves);
        let (game, codes) = read(&text);
        assert_eq!(codes, [Code::SquareNumbers], "{text}");
        let plies = moves.split_whitespace().skip(1).count();
        assert_eq!(game.header.plies as usize, plies, "{text}");
        assert_eq!(game.header.start_fen.as_deref(), Some(start), "{text}");
        let (again, codes) = read(&written(&game));
        assert_eq!((again.items, codes), (game.items, vec![]), "{text}");
    }
    // Several corners fit as well, or none does.
    for (game_type, fen, moves) in [
        ("20", "W:Wb7,d7:Bc4,e4", ""),
        ("22", "W:WKe5:BKd2", ""),
        ("22", "W:Wa1,b1:Bf8", "1. a1-b2"),
        ("22", "W:Wa1,z3:Bf8", ""),
    ] {
        let text = text_of(game_type, fen, moves);
        let (game, codes) = read(&text);
        assert_eq!(codes, [Code::BadFen], "{text}");
        assert_eq!(game.header.start_fen.as_deref(), Some(fen), "{text}");
    }
    // Another game from the same FEN has its own moves.
    let text = [
        text_of("20", "W:Wb7,d7:Bc4,e4", ""),
        text_of("20", "W:Wb7,d7:Bc4,e4", "1. b7-c6 c4-d5"),
        text_of("20", "W:Wb7,d7:Bc4,e4", "1. b7-c8"),
    ];
    let base = Base::of(text.concat().as_bytes());
    base.assert_sound();
    let plies: Vec<u32> = base.games().iter().map(|game| game.header.plies).collect();
    assert_eq!(plies, [0, 2, 1]);
}
