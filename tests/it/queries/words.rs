//! How the words of a question are read, and what is said of those that cannot be understood.

use plydex::games::{AnyPosition, variant::Variant};
use plydex::query::pattern::{self, BoardSpec};

use super::{base, found, refused};
use crate::support::{Base, run};

/// How a value is written that has blanks, what a name was meant as, which sign stands behind it.
#[test]
fn slips_in_facts_are_told_how_they_are_written() {
    let base = base();
    for (question, hint) in [
        ("opening:Sicilian Najdorf", "'opening:\"Sicilian Najdorf\"'"),
        ("opening:Queen's Gambit", r#""opening:\"Queen's Gambit\"""#),
        (
            "player:Magnus Carlsen and Q=0",
            "'player:\"Magnus Carlsen\"'",
        ),
        ("moves:e4 c5 and Q", "'moves:\"e4 c5\"'"),
        ("date:2019..2010", "did you mean 2010..2019?"),
        ("elo:40-", "did you mean 40..?"),
        ("time:fast", "write one of ultrabullet, bullet"),
        ("matrial:KRvK", "did you mean material:KRvK?"),
        ("plaier:Karpov", "did you mean player:Karpov?"),
        ("B:lite", "B:light"),
        ("elo>2600", "elo:2600.."),
        ("player=karpov", "player:karpov"),
        ("!Pd4", "not Pd4"),
        ("move:Sxe5", "--language de"),
        ("variant:international check", "has no check"),
        ("variant:international castles:O-O", "has no castling"),
        ("pattern { Nf3", "'pattern { Pd4 Nf3 }'"),
        ("result:drawn", "result:drawn\n  ^^^^^^^^^^^^"),
    ] {
        let error = refused(&base, &[question]);
        assert!(error.contains(hint), "{question}: {error}");
        assert!(
            !error.contains("--since") && !error.contains("--result"),
            "{error}"
        );
    }
    let read = run(base.store.path(), &["search", "--where", "e4 c5 Nf3"]);
    assert!(
        read.err.contains("read as: moves:\"e4 c5 Nf3\""),
        "{read:?}"
    );
}

#[test]
fn what_is_not_understood_is_shown_with_its_place() {
    let base = base();
    let err = refused(&base, &["Pd4", "and", "carlsen"]);
    assert!(
        err.contains("\n  Pd4 and carlsen\n          ^^^^^^^\n"),
        "{err}"
    );
    assert!(err.contains("player:carlsen"), "{err}");
    for (words, told) in [
        (&["Pd4 and"][..], "a condition is missing"),
        (&["Pz4 and q"], "`Pz4` is not understood"),
        (&["Pk4 and q"], "no such squares"),
        (&["Ed4 and q"], "no piece `E`"),
        (&["colour:white"], "`colour:` is not a condition"),
        (&["elo:high mate"], "is not a range"),
        (&["mirror castles:O-O"], "no mirror image"),
        (&["variant:chess men:3v2"], "has no meaning in Chess"),
        (&["mate", "--identity", "board"], "--identity"),
        (&["player:x (mate"], "not closed"),
        (&["("], "a condition is missing"),
        (
            &["Pd4 within x q"],
            "a number is wanted here, such as `within 6`",
        ),
        (&["moves:e4 c5 and q"], "quote values"),
    ] {
        let err = refused(&base, words);
        assert!(err.contains(told), "{words:?}: {err}");
    }
}

#[test]
fn questions_without_end_are_bounded() {
    let base = base();
    let squares = || ('a'..='h').flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}")));
    let far = format!("{}Pe9{}", "mate ".repeat(200), " mate".repeat(200));
    for (question, told) in [
        (
            format!("{}Pe4{}", "(".repeat(5_000), ")".repeat(5_000)),
            "at most 1000 words",
        ),
        ("not ".repeat(1_001) + "Pe4", "at most 1000 words"),
        (vec!["Pe4"; 600].join(" or "), "at most 1000 words"),
        (
            "Pe4 within 99999999999 Pd4".into(),
            "a number from 1 to 10000",
        ),
        (
            "men:1..99999999999999999999".into(),
            "numbers of White and of Black",
        ),
        (
            format!("attacks:Q:{}", vec!["k"; 28].join(",")),
            "names 28 targets",
        ),
        (
            "shift { ".repeat(30) + "Pe4" + &" }".repeat(30),
            "in more than",
        ),
        ("shift { ".repeat(30) + "Pe4", "not closed"),
        (far, "has no such squares"),
    ] {
        let err = refused(&base, &["--count", &question]);
        assert!(err.contains(told), "{err}");
        // The place is shown, not all of the question.
        assert!(err.len() < 1_000, "{err}");
    }
    // Without a word that only questions have it could be a move.
    for question in ["Pe4-10", "Pe9", "Pe4-10 q"] {
        let err = refused(&base, &["--variant", "minixiangqi", question]);
        let told = "the board of Minixiangqi has no such squares";
        assert!(err.contains(told), "{question}: {err}");
    }
    let pairs: Vec<String> = squares().map(|square| format!("Q{square}")).collect();
    for question in [
        format!("either mirror rotate shift {{ {} }}", pairs.join(" or ")),
        vec!["N"; 300].join(" next "),
        format!("attacks:A:{}", vec!["k"; 27].join(",")),
        "P=999999".into(),
    ] {
        let args = ["search", "--count", &question];
        let ran = run(base.store.path(), &args);
        assert!(ran.status < Some(2), "{ran:?}");
    }
}

/// What is wrong with a word that others define is shown at the word.
#[test]
fn a_word_that_others_define_is_marked_itself() {
    let expr = pattern::parser::parse("mate ending:rook").expect("a query");
    let start = AnyPosition::start(Variant::named("othello").expect("a variant"));
    let board = BoardSpec::of(&start.expect("a start"));
    let error = pattern::compile(&expr, &board).expect_err("no pieces of chess");
    assert!(error.span == (0..4) || error.span == (5..16), "{error:?}");
    let expr = pattern::parser::parse("ending:rook").expect("a query");
    let error = pattern::compile(&expr, &board).expect_err("no pieces of chess");
    assert_eq!(error.span, 0..11);
}

/// Brackets of a query are not passed over as variations of moves.
#[test]
fn brackets_of_a_query_are_not_variations() {
    let base = Base::new();
    base.import_text(
        b"1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n",
        crate::support::every_game(),
    );
    for (text, hint) in [
        ("(Q=0 or q=0) Pd4", "between conditions"),
        ("(mate or stalemate) Pe4", "between conditions"),
        ("{ (Nd5 or Ne5) } Pe4", "within the braces"),
        (
            "Pd4 then (Ne5 or Nd5)",
            "braces group conditions of one ply",
        ),
        ("Pd4 then not Ne5", "does not begin a later step"),
    ] {
        let ran = run(base.store.path(), &["search", text]);
        assert_eq!(ran.status, Some(2), "{text}: {ran:?}");
        assert!(ran.err.contains(hint), "{text}: {}", ran.err);
    }
    for (text, games) in [
        ("(Q=0 or Pe4) and q", &[1][..]),
        ("1. e4 (1. d4 d5) e5", &[1]),
        ("{ Pd4 (pd5 or pe5) }", &[2]),
    ] {
        assert_eq!(found(&base, &[text]), games, "{text}");
    }
}

#[test]
fn moves_stay_moves_and_the_other_reading_is_named() {
    let base = base();
    let ran = run(base.store.path(), &["search", "e4", "--count"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("3\n", ""));
    let ran = run(base.store.path(), &["search", "Nf3", "--count"]);
    assert!(ran.err.contains("pattern { Nf3 }"), "{ran:?}");
    let ran = run(base.store.path(), &["search", "Bd3", "Nf3", "--count"]);
    assert_eq!(ran.out, "1\n", "{ran:?}");
    assert!(ran.err.contains("read as pieces on squares"), "{ran:?}");
    let ran = run(
        base.store.path(),
        &["search", "Nf3 and result:1-0", "--count"],
    );
    assert!(ran.err.contains("moves:\"Nf3\" finds"), "{ran:?}");
    // A result is no part of a position, and that is said.
    let ran = run(base.store.path(), &["search", "e4 e5 1-0", "--count"]);
    assert!(ran.err.contains("`1-0` after the moves"), "{ran:?}");
}

#[test]
fn a_position_is_a_moment_as_others_are() {
    let base = base();
    let fen = "fen:rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (asked, games) in [
        ("moves:\"e4 e5\" then mate", &[2][..]),
        ("moves:\"e4 e6\" then mate", &[]),
        ("{ moves:\"e4 e5\" move:Bc4 } within 20 mate", &[2]),
        ("{ moves:\"e4 e5\" move:Nf3 }", &[]),
        ("moves:\"e4\" next moves:\"e4 e6\" then xh7", &[1]),
        ("Bh7 then moves:\"e4 e6\"", &[]),
        ("not { moves:e4 } and variant:chess", &[4]),
        (&format!("{fen} then move:Bxh7"), &[1]),
        // The same board with the other side to move is another one.
        (
            &format!("{} then move:Bxh7", fen.replace(" w ", " b ")),
            &[],
        ),
    ] {
        assert_eq!(found(&base, &[asked]), games, "{asked}");
    }
    let err = refused(&base, &["mirror moves:\"e4 e5\" then mate"]);
    assert!(err.contains("an exact position"), "{err}");
    let err = refused(&base, &["moves:\"e4 x5\" then mate"]);
    assert!(err.contains("`x5` is not a move"), "{err}");
}

#[test]
fn nothing_behind_moves_is_passed_over() {
    let base = base();
    for (words, written) in [
        ("e4 e5 mate", "'moves:\"e4 e5\" and mate'"),
        ("mate e4 e5", "'mate and moves:\"e4 e5\"'"),
        (
            "e4 and not player:reti",
            "'moves:\"e4\" and not player:reti'",
        ),
        ("not e4 e5", "'not moves:\"e4 e5\"'"),
        ("e4 zz", "`zz` is not a move"),
        ("e4 N", "`N` is not a move"),
        ("e4 ep", "not a move"),
        ("e4 }", "`}` is not a move"),
        ("e4 {mate} e5", "`{mate}` is not a move"),
        ("e4 e5 1972", "'moves:\"e4 e5\" and date:1972'"),
        ("1972 e4", "'moves:\"e4\" and date:1972'"),
        ("e4 e5 2600", "'moves:\"e4 e5\" and elo:2600..'"),
        ("e4 c5 1970..", "date:1970.."),
        ("Pd4 1972", "date:1972"),
        ("e4 12", "not a move number"),
    ] {
        // It is read with its name, or refused where something else is wrong.
        let ran = run(base.store.path(), &["search", words]);
        let written = written.trim_matches('\'');
        assert!(ran.err.contains(written), "{words}: {ran:?}");
        let is_said = ran.status == Some(2) || ran.err.contains("read as: ");
        assert!(is_said, "{words}: {ran:?}");
    }
    for words in ["f3 e5 g4 Qh4 mate", "1. e4 N e5 zz", "e4 {best by test} e5"] {
        let ran = run(base.store.path(), &["moves", words]);
        assert_eq!(ran.status, Some(0), "{words}: {ran:?}");
    }
    for (words, facts) in [
        ("2010", "'date:2010'"),
        ("C42 draw", "'eco:C42 and result:1/2-1/2'"),
        ("Legall 1-0", "'player:legall and result:1-0'"),
        (
            "fischer spassky 1972",
            "'player:fischer and player:spassky and date:1972'",
        ),
        (
            "Reti, Richard 1910",
            "'player:\"reti, richard\" and date:1910'",
        ),
    ] {
        let ran = run(base.store.path(), &["search", words]);
        let facts = format!("read as: {}", facts.trim_matches('\''));
        let is_said = ran.err.to_lowercase().contains(&facts.to_lowercase());
        assert!(is_said && ran.status < Some(2), "{words}: {ran:?}");
    }
    for words in [
        "1. e4 e6 2. d4 Nf6 3",
        "31 e4 e6 32 d4 Nf6 33",
        "1.e4 e6; 2.d4 Nf6",
    ] {
        assert_eq!(found(&base, &[words]), [1], "{words}");
    }
    let deleted = run(base.store.path(), &["delete", "--yes", "e4 c6 1972"]);
    assert_eq!(deleted.status, Some(2), "{deleted:?}");
    let ran = run(base.store.path(), &["tree", "e4 1972"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let ran = run(base.store.path(), &["tree", "Nf3 q"]);
    assert!(ran.err.contains("--where 'Nf3 q'"), "{ran:?}");
}

#[test]
fn a_position_that_is_nearly_there_is_said_to_be() {
    let base = base();
    let board = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (fields, told) in [
        (
            "w Kkq - 0 2",
            "1 game with these pieces and other castling rights or en passant: add --identity board",
        ),
        (
            "b KQkq - 0 2",
            "1 game with these pieces and the other side to move: add --identity placement",
        ),
        ("w KQkq - 0 2", ""),
    ] {
        let fen = format!("{board} {fields}");
        for args in [
            &["search"][..],
            &["search", "--count"],
            &["search", "--board"],
            &["search", "--format", "json"],
            &["search", "--format", "pgn"],
            &["search", "--group-by", "result"],
            &["export"],
            &["tree"],
        ] {
            let ran = run(base.store.path(), &[args, &[&fen]].concat());
            assert!(ran.err.contains(told), "{args:?} {fields}: {ran:?}");
            assert_eq!(
                ran.err.contains("--identity"),
                !told.is_empty(),
                "{args:?} {fields}: {ran:?}"
            );
        }
    }
}

/// In a question and in each line of a file it is said as well, and what is said helps.
#[test]
fn a_position_in_a_question_that_is_nearly_there_is_said_to_be() {
    let base = base();
    let board = "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (fields, told) in [
        (
            "w Kkq - 0 2",
            format!(
                "1 game with these pieces and other castling rights or en passant: write fen:\"{board} w\""
            ),
        ),
        (
            "b KQkq - 0 2",
            format!("1 game with these pieces and the other side to move: write fen:{board}"),
        ),
    ] {
        let asked = format!("white:greco and fen:\"{board} {fields}\"");
        for args in [
            &["search"][..],
            &["search", "--count"],
            &["search", "--format", "json"],
            &["search", "--group-by", "result"],
        ] {
            let ran = run(base.store.path(), &[args, &[&asked]].concat());
            assert!(ran.err.contains(&told), "{args:?} {fields}: {ran:?}");
        }
        let (_, fen) = told.split_once("write ").expect("what to write");
        let asked = format!("white:greco and {fen}");
        assert_eq!(found(&base, &[&asked]), [1], "{asked}");
    }
    // What would not be found for the rest of the question is not said.
    let other = format!("white:reti and fen:\"{board} b KQkq - 0 2\"");
    let ran = run(base.store.path(), &["search", &other]);
    assert!(!ran.err.contains("write fen:"), "{ran:?}");

    let lines = base.folder().join("lines.txt");
    let text = format!("e4\n{board} w Kkq - 0 2\nfen:\"{board} b KQkq - 0 2\"\n");
    std::fs::write(&lines, text).expect("a file");
    let lines = lines.to_str().expect("a path");
    let ran = run(base.store.path(), &["search", "--each", lines]);
    assert!(!ran.err.contains("line 1: 1 game"), "{ran:?}");
    for told in [
        "line 2: 1 game with these pieces and other castling rights or en passant: add --identity board",
        &format!("line 3: 1 game with these pieces and the other side to move: write fen:{board}"),
    ] {
        assert!(ran.err.contains(told), "{told} {ran:?}");
    }
}

/// The word that is wrong is named, not a move beside it.
#[test]
fn the_word_that_is_wrong_is_the_one_that_is_marked() {
    let base = base();
    for (words, wrong, hint) in [
        (&["Nf3 and move:Zh7"][..], "move:Zh7", "--language de"),
        (&["e4 and move:Zh7"], "move:Zh7", "--language de"),
        (
            &["--where", "Nf3 and move:Zh7"],
            "move:Zh7",
            "--language de",
        ),
        (&["Nf3 and Pe5 or move:Bxh9"], "move:Bxh9", "ranks 1 to 8"),
        (&["e4 and Zq"], "Zq", "player:Zq"),
        (&["e4 and plaier:Greco"], "plaier:Greco", "player:Greco"),
        (&["e4 and elo:high"], "elo:high", "2600"),
        (&["Nf3 and"], "", "a condition"),
        (
            &["Pd9 q", "--variant", "xiangqi"],
            "q",
            "its pieces are A, C",
        ),
        (&["Pd9 q"], "Pd9", "its files are a to h, its ranks 1 to 8"),
        (
            &["Pk4 and q"],
            "Pk4",
            "its files are a to h, its ranks 1 to 8",
        ),
        (
            &["M51 and M1", "--variant", "international"],
            "M51",
            "its squares are 1 to 50",
        ),
        (&["{ }"], "{ }", "write one there"),
        (&["pattern { }"], "{ }", "write one there"),
        (&["Pd4 and {}"], "{}", "write one there"),
        (&["--where", "( )"], "( )", "write one there"),
    ] {
        let err = refused(&base, words);
        let mut lines = err
            .lines()
            .skip_while(|line| !line.trim_start().starts_with('^'));
        let mark = lines.next().unwrap_or_else(|| panic!("no mark: {err}"));
        let before = err.lines().take_while(|line| *line != mark).last();
        let shown = before.expect("the question");
        let at = mark.find('^').expect("a mark");
        let marked = shown.get(at..mark.len()).unwrap_or_default();
        assert_eq!(marked, wrong, "{words:?}: {err}");
        assert!(err.contains(hint), "{words:?}: {err}");
    }
    // Where nothing else is wrong, it is run, and what it is read as is said.
    let ran = run(base.store.path(), &["search", "e4 and move:Bxh7"]);
    assert!(
        ran.err.contains("read as: moves:\"e4\" and move:Bxh7"),
        "{ran:?}"
    );
    assert_eq!(found(&base, &["moves:\"e4\" and move:Bxh7"]), [1]);
}

/// Men on squares that chess does not have are those of a game that the database has.
#[test]
fn men_of_larger_boards_are_asked_of_the_games_that_are_there() {
    let base = Base::of(b"[GameType \"1\"]\n\n1. Ke2 Ke9 *\n");
    let ran = run(base.store.path(), &["search", "Pe7 p", "--count"]);
    assert_eq!(ran.out, "0\n", "{ran:?}");
    let err = refused(&base, &["Pe9 q"]);
    assert!(err.contains("Xiangqi has no piece `q`"), "{err}");
    assert!(err.contains("\n  Pe9 q\n      ^\n"), "{err}");
}

/// A tree says what is wrong with a question that it is given for a position.
#[test]
fn a_question_in_the_place_of_a_position_is_told_from_one() {
    let base = base();
    for (words, told) in [
        (
            &["material:KRvKR"][..],
            "is a query, not a position\nhint: a tree needs a position; conditions \
             come after it: startpos --where 'material:KRvKR'",
        ),
        (
            &["material:KRvKR", "--variant", "othello"],
            "Othello has no piece `K`\n  material:KRvKR\n  ^^^^^^^^^^^^^^\nhint: its pieces are ",
        ),
        (
            &["Nf3 and move:Zh7"],
            "\n  Nf3 and move:Zh7\n          ^^^^^^^^\n",
        ),
        (&["{ }"], "\n  { }\n  ^^^\n"),
    ] {
        let ran = run(base.store.path(), &[&["tree"], words].concat());
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains(told), "{words:?}: {ran:?}");
    }
    let ran = run(
        base.store.path(),
        &["tree", "startpos", "--where", "material:KPvK"],
    );
    assert_ne!(ran.status, Some(2), "{ran:?}");
}

/// A tag that is misspelt finds nothing, and that is said.
#[test]
fn tags_that_no_game_has_are_said() {
    let base = Base::of(b"[Annotator \"Bb\"]\n[White \"Aa\"]\n\n1. e4 *\n");
    for (asked, told) in [
        (
            "has:Anotator",
            "no game has a tag `Anotator`; did you mean Annotator?",
        ),
        ("tag.Zzyzx:y", "no game has a tag `Zzyzx`\n"),
        ("not has:Anotator", "did you mean Annotator?"),
        ("tag.annotator:b", ""),
        ("e4 --where has:Anotator", "did you mean Annotator?"),
        ("has:White", ""),
        ("games:1..2", ""),
    ] {
        let words = asked.split(' ');
        let args: Vec<&str> = ["search", "--count"].into_iter().chain(words).collect();
        let ran = run(base.store.path(), &args);
        assert!(ran.err.contains(told), "{asked} {ran:?}");
        assert!(
            !told.is_empty() || ran.err.is_empty() && ran.out == "1\n",
            "{asked} {ran:?}"
        );
    }
}
