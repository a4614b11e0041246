//! Any position that play reaches, written in every notation, reads back the same; what moves and
//! positions have beside the usual signs is read or kept.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};

use {
    crate::{
        lookalikes::{found, read_as, text_of},
        support::{Base, run},
    },
    plydex::{
        games::{
            AnyPosition, Budget,
            chess::notation::fen::{self, Castling, EnPassant, FenStyle},
            notation::{epd, forsyth, letters::LANGUAGES},
            position_input::ExpectedVariants,
        },
        import::{ImportOptions, ImportReport},
    },
};

/// A position of chess as it is typed.
fn typed(text: &str) -> Chess {
    let read = plydex::games::position_input::read_position(text, &ExpectedVariants::default())
        .expect("a position");
    match read.at {
        AnyPosition::Chess(at) => at.to_position().expect("one that can be"),
        other => panic!("{text} is of {}", other.variant().name),
    }
}

/// A position of play from a start array of Chess960, each move chosen by a number;
/// array 518 is the usual one.
fn played(array: u16, choices: &[u16]) -> Chess {
    let mut position = typed(&format!("960:{array}"));
    for &choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[usize::from(choice) % legal.len()]);
    }
    position
}

proptest! {
    #[test]
    fn chess_in_every_notation(
        array in prop_oneof![Just(518_u16), 0_u16..960],
        choices in prop::collection::vec(any::<u16>(), 0..160),
    ) {
        let position = played(array, &choices);
        let setup = position.to_setup(EnPassantMode::Legal);
        let always = position.to_setup(EnPassantMode::Always);
        for castling in [Castling::XFen, Castling::Shredder] {
            for (en_passant, setup) in [
                (EnPassant::Legal, &setup),
                (EnPassant::XFen, &always),
                (EnPassant::Always, &always),
            ] {
                let text = fen::write_with(setup, FenStyle { castling, en_passant });
                let (read, _) = fen::read_position(&text).expect("a FEN");
                prop_assert_eq!(&read, &position, "{}", text);
                // What another reader makes of it is the same.
                let other: Fen = text.parse().expect("a FEN for others, too");
                let other: Chess = other.into_position(CastlingMode::Chess960).expect("a position");
                prop_assert_eq!(other.board(), position.board());
                prop_assert_eq!(other.castles().castling_rights(), position.castles().castling_rights());
            }
        }
        let line = epd::write(&position, true, &[]);
        prop_assert_eq!(&typed(&line), &position, "{}", line);
        prop_assert_eq!(&typed(&fen::write(&setup)), &position);
        for language in LANGUAGES {
            let diagram = forsyth::write(position.board(), language);
            let read = forsyth::read_in(&diagram, language).expect("its own language");
            prop_assert_eq!(read.board(), position.board());
        }
    }

    #[test]
    fn variants_in_their_fen(
        number in 0_usize..64,
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let starts: Vec<AnyPosition> =
            plydex::games::variant::ALL.iter().filter_map(AnyPosition::start).collect();
        let mut at = starts[number % starts.len()].clone();
        for &choice in &choices {
            let mut legal = at.moves(Budget::default()).expect("few");
            if legal.is_empty() {
                break;
            }
            at = legal.swap_remove(usize::from(choice) % legal.len()).behind;
        }
        let text = at.fen();
        let read = AnyPosition::read_fen(at.variant(), &text).expect("a FEN of the variant").at;
        prop_assert_eq!(read.fen(), text);
        prop_assert_eq!(read.moves(Budget::default()), at.moves(Budget::default()));
    }
}

#[test]
fn moves_of_xiangqi_are_told_by_how_they_are_written() {
    for text in [
        "1. C2=5 H8+7 2. H2+3 R9=8 3. R1=2 H2+3 *\n",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3\n",
        "炮二平五 马8进7\n马二进三 车9平8\n车一平二 马2进3\n",
        "[Event \"x\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 *\n",
    ] {
        let (records, _) = read_as("a.txt", text.as_bytes(), ImportOptions::default());
        let moves = "Che3 Hg8 Hg3 Rh10 Rh1 Hc8";
        assert!(
            records.len() == 1 && records[0].ends_with(moves),
            "{text}: {records:?}"
        );
    }
}

#[test]
fn backslashes_between_the_ranks_are_slashes() {
    let slashed = text_of("{A}\n{B}\n{C}\n");
    let (wanted, _) = read_as("a.fen", slashed.as_bytes(), ImportOptions::default());
    let text = slashed.replace('/', "\\");
    let (records, done) = read_as("a.fen", text.as_bytes(), ImportOptions::default());
    assert_eq!(records, wanted);
    assert_eq!(found(&done, "backslashes"), 3);
    let game = "[FEN \"4k3\\8\\8\\8\\8\\8\\4P3\\4K3 w - - 0 1\"]\n\n1. e4 *\n";
    let (records, _) = read_as("a.pgn", game.as_bytes(), ImportOptions::default());
    assert!(records[0].ends_with(" e4"), "{records:?}");
    // A path of files is none.
    let path = "C:\\k\\K\\8\\8\\8\\8\\8\\8\n";
    assert_eq!(
        read_as("a.txt", path.as_bytes(), ImportOptions::default())
            .0
            .len(),
        0
    );
}

/// The games of a file as an export writes them.
fn written(name: &str, text: &str) -> (String, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    let mut out = String::new();
    for game in base.games() {
        plydex::pgn::writer::write(&game, &mut out);
    }
    (out, done)
}

#[test]
fn scores_behind_the_moves_are_kept() {
    for (tags, wanted) in [
        ("[White \"A\"]\n", "[White \"A\"]\n[Result \"30-34\"]\n"),
        ("[Result \"30 - 34\"]\n", "[Result \"30 - 34\"]\n"),
        // Two results that say different things are both there.
        (
            "[Result \"0-1\"]\n",
            "[Result \"0-1\"]\n[Result \"30-34\"]\n",
        ),
    ] {
        let head = "[GameType \"50\"]\n";
        let text = format!("{head}{tags}\n1. d3 c3 2. c4 30-34\n");
        let (out, done) = written("a.pdn", &text);
        assert_eq!(out, format!("{head}{wanted}\n1. d3 c3 2. c4 0-1\n\n"));
        assert_eq!(found(&done, "result-missing"), 0, "{text}");
        assert_eq!(written("a.pdn", &out).0, out);
    }
    let text = "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 12-8\n";
    assert!(written("a.pdn", text).0.contains("[Result \"12-8\"]"));
}

#[test]
fn results_of_pdn_stay_as_they_were_written() {
    for (kind, moves, result, marker) in [
        ("25", "1. c3-d4", "2-0", "2-0"),
        ("21", "1. 11-15", "2-0", "2-0"),
        ("22", "1. 21-17", "0-2", "0-2"),
        ("26", "1. c3-d4", "1-1", "1-1"),
        ("20", "1. 32-28", "1-0", "1-0"),
        ("20", "1. 32-28", "0-1", "0-1"),
        ("27", "1. 40-35", "1/2-1/2", "1/2-1/2"),
        ("20", "1. 32-28", "0-0", "0-0"),
        ("20", "1. 32-28 19-23 2. 28x19 14x23", "12-8", "2-0"),
        ("50", "1. f5 d6 2. c3 d3", "33-31", "1-0"),
    ] {
        let text = format!("[GameType \"{kind}\"]\n\n{moves} {result}\n");
        let tagged =
            format!("[GameType \"{kind}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
        let out = tagged.replace(&format!(" {result}\n"), &format!(" {marker}\n"));
        for text in [&text, &tagged] {
            let base = Base::of(text.as_bytes());
            base.assert_sound();
            let game = base.games().remove(0);
            assert_eq!(game.header.result_written, result, "{text}");
            assert_eq!(written("a.pdn", text).0, out, "{text}");
        }
    }
    // What is usual needs no tag.
    for usual in [
        "[GameType \"25\"]\n\n1. c3-d4 1-0\n\n",
        "[GameType \"20\"]\n\n1. 32-28 2-0\n\n",
    ] {
        assert_eq!(written("a.pdn", usual).0, usual);
    }
}

#[test]
fn marks_of_pdn_stay_where_the_tag_says_no_winner() {
    for (kind, moves, result, out) in [
        ("20", "1. 32-28", "1-0", "1-0"),
        ("20", "1. 32-28", "½ - ½", "1/2-1/2"),
        ("25", "1. c3-d4", "2-0", "2-0"),
    ] {
        for told in ["*", "?", ""] {
            let head = format!("[GameType \"{kind}\"]\n[Result \"{told}\"]\n");
            let text = format!("{head}\n{moves} {result}\n");
            let expected = format!("{head}[Result \"{out}\"]\n\n{moves} {out}\n\n");
            let (exported, _) = written("a.pdn", &text);
            assert_eq!(exported, expected, "{text}");
            assert_eq!(written("b.pdn", &exported).0, expected);
        }
    }
    // One that says another winner stays the only one.
    let other = "[GameType \"20\"]\n[Result \"0-2\"]\n\n1. 32-28 1-0\n";
    assert_eq!(written("a.pdn", other).0, other.replace("1-0\n", "2-0\n\n"));
    // The tag counts where it says the same in another way.
    let told = "[GameType \"20\"]\n[Result \"2-0\"]\n\n1. 32-28 1-0\n";
    assert_eq!(written("a.pdn", told).0, told.replace("1-0\n", "2-0\n\n"));
}

/// A mark that was kept is a Result tag like any other.
#[test]
fn a_mark_that_is_kept_can_be_edited() {
    let base = Base::of(b"[GameType \"20\"]\n\n1. 32-28 1-0\n");
    let db = base.store.path().to_path_buf();
    assert_eq!(
        run(&db, &["search", "--winner", "white", "--count"])
            .out
            .trim(),
        "1"
    );
    run(&db, &["edit", "1", "--tag", "Result=0-1"]);
    assert_eq!(
        run(&db, &["search", "--winner", "black", "--count"])
            .out
            .trim(),
        "1"
    );
    let out = run(&db, &["export"]).out;
    assert_eq!(
        out,
        "[GameType \"20\"]\n[Result \"0-1\"]\n\n1. 32-28 0-1\n\n"
    );
}

#[test]
fn numbers_before_words_that_are_no_move_are_kept() {
    for movetext in [
        "1. e4 e5 2. Nf3 2... Qz9",
        "1. Zx2=5 Zx8+7 2. Zx2+3 Zx9=8",
        "1. e4 e5 2. N/A 2. Nf3",
    ] {
        let game = format!("[Event \"x\"]\n\n{movetext} *\n\n");
        assert_eq!(written("a.pgn", &game).0, game);
    }
}
