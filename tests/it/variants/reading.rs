//! Records as people write them, wrong ones among them, and written again.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{line, moves, record, variants, words};
use {
    crate::support::{Base, root},
    plydex::{
        base::record::{GameRecord, MovetextItem},
        games::{
            AnyCursor, AnyPosition, Budget, notation::letters::ENGLISH, symmetry::Symmetry,
            variant::Variant,
        },
        import::ImportOptions,
        pgn::writer as pgn,
        query::PositionQuery,
        search::{self, GameConditions},
    },
};

fn exported(games: &[GameRecord]) -> String {
    let mut text = String::new();
    for game in games {
        pgn::write(game, &mut text);
    }
    text
}

/// What of a game must stay the same.
fn essence(mut game: GameRecord) -> GameRecord {
    game.header.id = 0;
    game
}

fn assert_comes_back(text: &str) {
    let first = Base::of(text.as_bytes());
    first.assert_sound();
    let games = first.games();
    let again = exported(&games);
    let second = Base::of(again.as_bytes());
    second.assert_sound();
    let (one, two): (Vec<GameRecord>, Vec<GameRecord>) = (
        games.into_iter().map(essence).collect(),
        second.games().into_iter().map(essence).collect(),
    );
    assert_eq!(one, two, "{text}\n{again}");
    assert_eq!(exported(&second.games()), again);
}

#[test]
fn the_samples_are_whole_and_come_back() {
    for (file, games, plies) in [("ten-files.pgn", 10, 653), ("xiangqi-othello.pdn", 6, 409)] {
        let path = root().join("sample-data/variants").join(file);
        let base = Base::new();
        let summary = base.import(&[path], ImportOptions::default());
        assert_eq!((summary.stored, summary.incomplete), (games, 0), "{file}");
        base.assert_sound();
        let games = base.games();
        let played: u32 = games.iter().map(|game| game.header.plies).sum();
        assert_eq!(played, plies, "{file}");
        // What no tag said is said now.
        let again = Base::of(exported(&games).as_bytes());
        assert_comes_back(&exported(&again.games()));
        for (one, two) in games.iter().zip(&again.games()) {
            assert_eq!(
                (moves(one), &one.header.result),
                (moves(two), &two.header.result)
            );
        }
    }
}

/// The first game of a text: its variant, moves and result.
fn first(text: &str) -> (String, String, String) {
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let game = &base.games()[0];
    let words = moves(game).join(" ");
    (
        game.header.variant.clone(),
        words,
        game.header.result.clone(),
    )
}

#[test]
fn xiangqi_is_read_in_its_notations() {
    let expected = "Che3 Hg8 Hg3 Pg6 Rh1";
    for text in [
        "[GameType \"1\"]\n\n1. h3e3 h10g8 2. h1g3 g7g6 3. i1h1 *",
        "[GameType \"1\"]\n\n1. h2e2 h9g7 2. h0g2 g6g5 3. i0h0 *",
        "[Variant \"Chinese Chess\"]\n\n1. H2-E2 H9-G7 2. H0-G2 G6-G5 3. I0-H0 *",
        "[Variant \"XiangQi\"]\n\n1. C2=5 H8+7 2. H2+3 P7+1 3. R1=2 *",
        "[GameType \"1\"]\n\n1. C2.5 H8+7 2. H2+3 P7+1 3. R1.2 *",
        "[GameType \"1,W,9,10,A0\"]\n\n1. Che3 Hg8 2. Ng3 Pg6 3. Rh1 *",
        "[GameType \"1\"]\n[FEN \"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r\"]\n\n1. C2=5 H8+7 2. H2+3 P7+1 3. R1=2 *",
    ] {
        let (variant, words, _) = first(text);
        assert_eq!(
            (variant.as_str(), words.as_str()),
            ("xiangqi", expected),
            "{text}"
        );
    }
    let red = "[Red \"Hu\"]\n[Black \"Yang\"]\n[GameType \"1\"]\n[Result \"1-0\"]\n\n1. C2=5 1-0";
    let base = Base::of(red.as_bytes());
    let header = &base.games()[0].header;
    assert_eq!(
        (header.white.as_str(), header.result.as_str()),
        ("Hu", "1-0")
    );
}

#[test]
fn chess_may_say_its_game_type() {
    for text in [
        "[GameType \"0\"]\n\n1. e4 e5 2. Nf3 *\n",
        "[GameType \"0,W,8,8,S0\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5 2. Nf3 *\n",
    ] {
        assert_eq!(
            first(text),
            ("chess".into(), "e4 e5 Nf3".into(), "*".into())
        );
        assert_comes_back(text);
    }
}

#[test]
fn othello_is_read_with_and_without_passes() {
    // Black has nothing to move after White's third move.
    let fen = "[FEN \"8/8/8/8/8/8/XOOO4/XXXXXXO1 w\"]\n";
    for (tags, text, expected) in [
        ("", "1. f5 d6 2. c3 d3 *", "f5 d6 c3 d3"),
        ("", "f5d6c3d3 *", "f5 d6 c3 d3"),
        ("", "F5D6C3D3", "f5 d6 c3 d3"),
        ("", "1. f5 2. d6 3. c3 4. d3 *", "f5 d6 c3 d3"),
        // Programs that count rows from the bottom write discs as drops.
        ("", "1. P@f4 P@d3 2. P@c6 P@d6 *", "f5 d6 c3 d3"),
        ("", "1. @f4 @d3 2. @c6 @d6 *", "f5 d6 c3 d3"),
        (fen, "1... PA 2. e7 *", "-- e7"),
        (fen, "1... pass 2. e7 *", "-- e7"),
        (fen, "1... -- 2. e7 *", "-- e7"),
        (fen, "1. e7 *", "-- e7"),
    ] {
        let text = format!("[GameType \"50\"]\n{tags}\n{text}\n");
        let (variant, words, _) = first(&text);
        if tags.is_empty() || words == expected {
            assert_eq!(
                (variant.as_str(), words.as_str()),
                ("othello", expected),
                "{text}"
            );
        } else {
            panic!("{text}: {words}");
        }
    }
}

#[test]
fn discs_tell_who_has_won_at_othello() {
    // White is 1-0 for the program, whoever begins.
    for (tag, marker, result) in [
        ("44-20", "", "0-1"),
        ("20-44", "", "1-0"),
        ("32-32", "*", "1/2-1/2"),
        ("*", "38-26", "0-1"),
        ("1-0", "1-0", "0-1"),
        ("?", "20 - 44", "1-0"),
        ("64-0", "64-0", "0-1"),
    ] {
        let text = format!("[GameType \"50\"]\n[Result \"{tag}\"]\n\n1. f5 d6 {marker}\n");
        assert_eq!(first(&text).2, result, "{text}");
        assert_comes_back(&text);
    }
    // The last position proves that the numbers are White's first.
    let text =
        "[GameType \"50\"]\n[FEN \"8/8/8/8/8/8/8/XO6 b\"]\n[Result \"0-64\"]\n\n1. c8 0-64\n";
    assert_eq!(first(text).2, "0-1");
}

#[test]
fn men_come_in_at_seirawan() {
    let text = "[Variant \"Seirawan\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 d5 2. exd5 Qxd5/E 3. Nc3 Qf5 4. d4 Nf6 1-0\n";
    let (variant, words, _) = first(text);
    assert_eq!(
        (variant.as_str(), words.as_str()),
        ("seirawan", "e4 d5 exd5 Qxd5/E Nc3 Qf5 d4 Nf6")
    );
    assert_comes_back(text);
}

#[test]
fn a_random_array_needs_its_fen() {
    let none = "[Variant \"CRC\"]\n\n1. e4 *\n";
    assert_eq!(
        first(none),
        ("caparandom".into(), String::new(), "*".into())
    );
    assert_comes_back(none);
    let fen = "bqnrakrcnb/pppppppppp/10/10/10/10/PPPPPPPPPP/BQNRAKRCNB w GDgd - 0 1";
    let text = format!("[Variant \"CRC\"]\n[FEN \"{fen}\"]\n\n1. e4 e5 *\n");
    assert_eq!(
        first(&text),
        ("caparandom".into(), "e4 e5".into(), "*".into())
    );
    assert_comes_back(&text);
}

#[test]
fn a_variant_that_was_forced_is_written() {
    let base = Base::new();
    for name in ["gothic", "xiangqi", "othello", "crazyhouse"] {
        let start = AnyPosition::start(Variant::by_name(name).expect(name)).expect(name);
        let words = words(&line(&start, &[1, 2, 3, 4, 5, 6]));
        let text = format!("[Event \"{name}\"]\n\n{words} *\n");
        let variant = Some(start.variant().id);
        base.import_text(
            text.as_bytes(),
            ImportOptions {
                variant,
                ..ImportOptions::default()
            },
        );
        let game = base.games().pop().expect("a game");
        assert_eq!(
            (game.header.variant.as_str(), moves(&game).join(" ")),
            (name, words.clone())
        );
        let (variant, again, _) = first(&exported(&[game]));
        assert_eq!((variant.as_str(), again), (name, words));
    }
}

#[test]
fn any_variant_that_was_forced_is_written() {
    for name in ["chess960", "fivecheck", "bughouse", "atomic", "antichess"] {
        let variant = Variant::by_name(name).expect(name);
        let base = Base::new();
        base.import_text(
            b"1. e4 e5 2. Nf3 *\n",
            ImportOptions {
                variant: Some(variant.id),
                ..ImportOptions::default()
            },
        );
        let games = base.games();
        let again = Base::of(exported(&games).as_bytes()).games();
        assert_eq!(games[0].header.variant, name);
        assert_eq!(again[0].header.variant, name);
        assert_eq!(moves(&games[0]), moves(&again[0]));
    }
}

#[test]
fn chess_variants_are_read_as_leniently_as_chess() {
    for (text, wanted) in [
        (
            "[Variant \"Crazyhouse\"]\n\n1. e2-e4 d7d5 2. ed Dxd5 3. \u{2658}f3 Dxd2+ 4. Lxd2 P@d4 *",
            "e4 d5 exd5 Qxd5 Nf3 Qxd2+ Bxd2 @d4",
        ),
        (
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. \u{2659}@e6 *",
            "e4 d5 exd5 Qxd5 Nc3 Qd8 @e6",
        ),
        (
            "[Variant \"Atomic\"]\n\n1. Ng1-f3! e5 2. Nf3:e5?? *",
            "Nf3 e5 Nxe5",
        ),
        ("[Variant \"Atomic\"]\n\n1.e4e5 2.Nf3Nc6 *", "e4 e5 Nf3 Nc6"),
        ("[Variant \"Horde\"]\n\n1. f6 gf *", "f6 gxf6"),
    ] {
        assert_eq!(first(text).1, wanted, "{text}");
    }
}

#[test]
fn the_turn_does_not_pass_in_check() {
    let base = Base::of(b"[Variant \"Atomic\"]\n\n1. e4 f5 2. Qh5+ -- 3. Nf3 *\n");
    base.assert_sound();
    assert_eq!(moves(&base.games()[0]).join(" "), "e4 f5 Qh5+");
    let found = base
        .store
        .diagnostics(base.games()[0].header.id)
        .expect("readable");
    assert!(
        found.iter().any(|(code, _, detail)| {
            code == "illegal-move" && detail.contains("`--`") && detail.contains("in check")
        }),
        "{found:?}"
    );
    let (_, words, _) = first("[Variant \"Atomic\"]\n\n1. e4 -- 2. d4 *\n");
    assert_eq!(words, "e4 -- d4");
}

#[test]
fn variations_and_comments_come_back() {
    for text in [
        "[GameType \"1\"]\n\n1. C2=5 {centre} (1. H2+3 P7+1 (1... H8+7 2. C8=9)) 1... H8+7 $1 2. H2+3 1-0\n",
        "[GameType \"50\"]\n\n1. f5 d6 (1... f4 {x} 2. e3) 2. c3 $2 d3 {y} 1-0\n",
        "[Variant \"Gothic\"]\n\n1. Nh3 (1. e4 e5 2. Nh3 (2. d4)) 1... Nh6 ; line\n 2. O-O 1/2-1/2\n",
        "[Variant \"Janus\"]\n\n1. e4 Zz9 e5 *\n",
        "[GameType \"1\"]\n\n1. C2=5 C2=5 C2=5 C9+9 later *\n",
        "[GameType \"50\"]\n\n1. f5 f5 later *\n",
    ] {
        assert_comes_back(text);
    }
}

/// Words that look like moves, and what breaks them.
fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "e4",
        "h3e3",
        "h2e2",
        "C2=5",
        "C2.5",
        "H8+7",
        "+C=9",
        "17+1",
        "f5",
        "d6",
        "f5d6c3",
        "pass",
        "PA",
        "--",
        "O-O",
        "O-O/Eh1",
        "Nf3/H",
        "Ci3",
        "i8=C",
        "P@e4",
        "(",
        ")",
        "{x}",
        "{",
        "}",
        "$1",
        "!?",
        ";y\n",
        "1.",
        "12...",
        "38-26",
        "1-0",
        "*",
        "44 - 20",
        "é",
        "炮二平五",
        "[x]",
        "A10e9",
        "0-0",
        "a1a1",
        "Rxb10+",
        "/FEN \"x\"/",
        "\n",
    ]);
    prop::collection::vec(word, 0..25).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whole_games_come_back(
        specs in prop::collection::vec((0_usize..64, prop::collection::vec(any::<u8>(), 0..120)), 1..8),
    ) {
        let all: Vec<_> = variants().collect();
        let text: String = specs
            .iter()
            .map(|(variant, choices)| {
                let start = &all[variant % all.len()];
                record(start.variant(), None, "1-0", &words(&line(start, choices)))
            })
            .collect();
        let base = Base::of(text.as_bytes());
        let plies: Vec<u32> = base.games().iter().map(|game| game.header.plies).collect();
        let expected: Vec<u32> = specs
            .iter()
            .map(|(variant, choices)| line(&all[variant % all.len()], choices).len() as u32)
            .collect();
        prop_assert_eq!(plies, expected);
        assert_comes_back(&text);
    }

    #[test]
    fn hostile_text_is_kept(texts in prop::collection::vec((0_usize..64, soup()), 1..6)) {
        let all: Vec<_> = variants().collect();
        let text: String = texts
            .iter()
            .map(|(variant, words)| record(all[variant % all.len()].variant(), None, "*", words))
            .collect();
        let base = Base::of(text.as_bytes());
        base.assert_sound();
        let second = Base::of(exported(&base.games()).as_bytes());
        second.assert_sound();
        let lines = |base: &Base| -> Vec<Vec<String>> {
            let games = base.games();
            games.iter().map(|game| moves(game).into_iter().map(str::to_owned).collect()).collect()
        };
        prop_assert_eq!(lines(&base), lines(&second));
    }

    #[test]
    fn damaged_plies_do_no_harm(variant in 0_usize..64, bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let all: Vec<_> = variants().collect();
        let mut cursor = AnyCursor::new(&all[variant % all.len()]);
        let mut bytes = bytes.as_slice();
        while let Some(code) = cursor.peek(&mut bytes) {
            cursor.play(code);
            let _ = (cursor.position().map(|at| at.fen()), cursor.other_side_key());
        }
    }
}

/// A result that did not end a game stood before `1.` in what was written, where the
/// next game begins.
#[test]
fn a_result_before_the_first_move_stays_in_its_game() {
    for text in [
        "[Variant \"Crazyhouse\"]\n\n0-0 -- f5d6c3 *\n",
        "[Event \"?\"]\n\n1-0 é e4 e5 *\n",
        "[GameType \"20\"]\n\n2-0 32-28 19-23 *\n",
    ] {
        assert_eq!(Base::of(text.as_bytes()).games().len(), 1);
        assert_comes_back(text);
    }
}

/// Five checks by White, one by Black: the fifth ends the game, though the king can
/// take the bishop that gives it.
const FIVE: &str =
    "e4 e5 Qh5 Nc6 Qxf7+ Kxf7 Bc4+ Ke8 Bf7+ Ke7 Be8 Nd4 d3 d6 Bg5+ Ke6 f4 Nxc2+ Kd1 a6 Bd7#";

#[test]
fn the_fifth_check_ends_a_game_and_no_other() {
    let text = format!("[Variant \"Five-check\"]\n\n{FIVE} Kxd7 1-0\n");
    let base = Base::of(text.as_bytes());
    base.assert_sound();
    let game = base.games().remove(0);
    assert_eq!(game.header.variant, "fivecheck");
    assert_eq!(moves(&game).join(" "), FIVE);
    let found = base.store.diagnostics(game.header.id).expect("readable");
    let told = |(code, _, detail): &(String, u64, String)| {
        code == "illegal-move" && detail.contains("`Kxd7`") && detail.contains("the game is over")
    };
    assert!(found.iter().any(told), "{found:?}");
    let mut reader = search::GameReader::new(&base.store);
    let at = reader.board_at(game.header.id, None).expect("readable");
    let at = at.expect("a board").position;
    let fen = "r1bq1bnr/1ppB2pp/p2pk3/4p1B1/4PP2/3P4/PPn3PP/RN1K2NR b - - 0+4 1 11";
    assert_eq!(at.fen(), fen);
    assert_eq!(at.moves(Budget::default()), Ok(Vec::new()));
    assert_comes_back(&format!("[Variant \"5-check\"]\n\n{FIVE} 1-0\n"));
    // In the others the same moves end earlier, or not at all.
    for (variant, plies) in [("Three-check", 9), ("Chess", 22)] {
        let text = format!(
            "[Variant \"{variant}\"]\n\n{} Kxd7 1-0\n",
            FIVE.replace('#', "+")
        );
        let game = Base::of(text.as_bytes()).games().remove(0);
        assert_eq!(moves(&game).len(), plies, "{variant}");
    }
}

/// Seen from four sides the first moves of Othello are one.
#[test]
fn a_tree_adds_up_moves_that_are_the_same_seen_in_another_way() {
    let mut text = String::new();
    for line in ["f5 d6", "f5 f6", "d3 c5", "c4 e3", "e6 f4"] {
        let _ = write!(text, "[GameType \"50\"]\n\n{line} *\n\n");
    }
    let base = Base::of(text.as_bytes());
    let othello = Variant::by_name("othello").expect("a variant");
    let start = AnyPosition::start(othello).expect("a start");
    let moves = |start: &AnyPosition, symmetries: &[Symmetry]| {
        let query = PositionQuery {
            symmetries: symmetries.to_vec(),
            ..PositionQuery::of(start.clone())
        };
        let found =
            search::tree(&base.store, &query, &GameConditions::default(), ENGLISH).expect("a tree");
        let moves = found.moves.iter();
        let moves: Vec<(String, u64)> = moves
            .map(|one| (one.san.clone(), one.score.games))
            .collect();
        assert_eq!(
            found.total.games,
            moves.iter().map(|(_, games)| games).sum::<u64>()
        );
        moves
    };
    let named = |moves: &[(&str, u64)]| -> Vec<(String, u64)> {
        let own = moves
            .iter()
            .map(|(name, games)| ((*name).to_owned(), *games));
        own.collect()
    };
    let all = [Symmetry::Rotate, Symmetry::Mirror, Symmetry::Flip];
    assert_eq!(moves(&start, &[]).len(), 4);
    assert_eq!(moves(&start, &all), named(&[("f5", 5)]));
    // Half a turn alone takes f5 to c4 and d3 to e6.
    let turned = moves(&start, &[Symmetry::Rotate]);
    assert_eq!(turned, named(&[("f5", 3), ("d3", 2)]));
    // After f5 the board is no longer the same from elsewhere: answers stay apart, and
    // those of all first moves are told as to f5.
    let legal = start.moves(Budget::default()).expect("few");
    let f5 = legal.into_iter().find(|next| next.names[0] == "f5");
    let after = f5.expect("legal").behind;
    let answers = moves(&after, &all);
    assert_eq!(answers.iter().map(|(_, games)| games).sum::<u64>(), 5);
    assert_eq!(
        moves(&after, &[])
            .iter()
            .map(|(_, games)| games)
            .sum::<u64>(),
        2
    );
}

/// What is nested deeper than anybody writes stays text, and the index agrees with
/// the stored games about it.
#[test]
fn variations_nested_too_deep_are_kept_as_text() {
    for (tag, words) in [("", "(d4 "), ("[Variant \"Atomic\"]\n", "(d4 ")] {
        let nested = words.repeat(1_500);
        let text = format!("{tag}\n1. e4 {nested}{} c5 2. Nf3 *\n", ")".repeat(1_500));
        let base = Base::of(text.as_bytes());
        base.assert_sound();
        let game = &base.games()[0];
        assert_eq!(moves(game), ["e4", "c5", "Nf3"]);
        let kept = game.items.iter().find_map(|item| match item {
            MovetextItem::Variation(text) => Some(text.matches('(').count()),
            _ => None,
        });
        assert_eq!(kept, Some(1_499));
    }
}
