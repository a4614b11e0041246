//! A position is asked of the games that are played by its rules; what others hold is said.

use serde_json::{Value, json};

use crate::support::{Base, run};

/// Games that all begin alike: of chess, Chess960, three variants and a kind of chess without rules
/// here; of two kinds of draughts.
fn base() -> Base {
    let games = [
        ("", "1. e4 Nf6 2. e5 *"),
        ("Chess960", "1. e4 Nf6 2. d3 *"),
        ("Atomic", "1. e4 Nf6 2. Nc3 *"),
        ("Atomic", "1. e4 Nf6 2. d4 *"),
        ("King of the Hill", "1. e4 Nf6 2. Ke2 *"),
        ("Crazyhouse", "1. e4 (1. d4 Nf6) d5 2. exd5 *"),
        ("Bughouse", "1. e4 Nf6 *"),
        ("", "1. d4 Nf6 *"),
        ("International draughts", "1. 32-28 19-23 2. 28x19 14x23 *"),
        ("Frisian", "1. 32-28 18-22 *"),
        ("Frisian", "1. 32-28 19-23 *"),
    ];
    let text = games.map(|(variant, moves)| {
        let tag = if variant.is_empty() {
            String::new()
        } else {
            format!("[Variant \"{variant}\"]\n")
        };
        format!("[White \"A\"]\n{tag}\n{moves}\n\n")
    });
    Base::of(text.concat().as_bytes())
}

#[test]
fn a_position_is_asked_of_its_own_world() {
    let base = base();
    for (words, games, told) in [
        (
            &["e4 Nf6"][..],
            2,
            "3 more in Atomic, King of the Hill: --any-variant",
        ),
        (&["e4"], 2, "4 more in Atomic, "),
        (&["e4 Nf6", "--any-variant"], 5, ""),
        (&["e4 Nf6", "--variant", "atomic"], 2, ""),
        (&["e4 Nf6", "--variant", "chess"], 1, ""),
        (&["e4 Nf6", "--variant", "chess960,atomic"], 3, ""),
        (&["e4 e5", "--any-variant"], 0, ""),
        (&["e4 Nf6", "--identity", "placement"], 2, "3 more in "),
        (&["e4 Nf6", "--flip"], 2, "3 more in "),
        (
            &["e4 Nf6", "--games", "2-3"],
            1,
            "1 more in Atomic: --any-variant",
        ),
        // Whichever is named first.
        (&["e4 Nf6", "--variant", "antichess,atomic"], 2, ""),
        (&["e4 Nf6", "--variant", "atomic,antichess"], 2, ""),
        // A question that stands beside it names variants as a filter does.
        (&["e4 Nf6", "--where", "variant:atomic"], 2, ""),
        (&["e4 Nf6", "--where", "variant:chess,atomic"], 3, ""),
        (&["move:Nf6"], 3, ""),
        (&["d4 Nf6"], 1, ""),
        (
            &["d4 Nf6", "--in-variations"],
            1,
            "1 more in Crazyhouse: --any-variant",
        ),
        (&["e4 d5"], 0, "1 more in Crazyhouse: --any-variant"),
        (&["32-28"], 1, "2 more in Frisian draughts: --any-variant"),
        (
            &["32-28 18-22"],
            0,
            "1 more in Frisian draughts: --any-variant",
        ),
        (&["32-28", "--any-variant"], 3, ""),
        (&["32-28", "--variant", "frisian"], 2, ""),
        // What asks nothing of boards is asked of all games.
        (&["player:A"], 11, ""),
        (&["not player:B and result:*"], 11, ""),
        (&["player:A ply:..2"], 3, ""),
        (&["32-28", "--where", "player:A"], 1, "2 more in Frisian"),
        // What they would fulfil of the question as well, is said.
        (&["32-28", "--where", "to:28"], 1, "2 more in Frisian"),
        (&["32-28", "--where", "to:22"], 0, "1 more in Frisian"),
        (&["32-28", "--where", "captured:M"], 1, ""),
        (&["32-28", "--where", "player:B"], 0, ""),
        (
            &["e4 Nf6", "--where", "move:Nc3"],
            0,
            "1 more in Atomic: --any-variant",
        ),
        (&["e4 Nf6", "--where", "move:e5"], 1, ""),
        (&["e4 Nf6", "--any-variant", "--where", "player:A"], 5, ""),
        // A position has its world in a question, too.
        (&["moves:\"e4 Nf6\" player:A"], 2, ""),
        (&["moves:\"32-28 19-23\" captured:M"], 1, ""),
        // Positions of several games are asked of all of these.
        (&["moves:\"e4 Nf6\" or moves:\"32-28 19-23\""], 3, ""),
        (&["moves:\"32-28 19-23\" or moves:\"e4 Nf6\""], 3, ""),
        (&["moves:\"e4 Nf6\" or not moves:\"32-28 19-23\""], 3, ""),
        (&["not (moves:\"e4 Nf6\" or moves:\"32-28 19-23\")"], 1, ""),
        (
            &["(moves:\"e4 Nf6\" or moves:\"32-28 19-23\") player:B"],
            0,
            "",
        ),
        (&["moves:\"e4 Nf6\" or player:A"], 11, ""),
    ] {
        let args = [&["search", "--count"], words].concat();
        let ran = run(base.store.path(), &args);
        assert_eq!(ran.out.trim(), games.to_string(), "{words:?}: {ran:?}");
        assert_eq!(
            ran.err.contains("more in"),
            !told.is_empty(),
            "{words:?}: {ran:?}"
        );
        assert!(ran.err.contains(told), "{words:?}: {ran:?}");
    }
}

/// Positions of several games are not asked of one of them as if that was all.
#[test]
fn what_no_game_can_have_is_refused() {
    let base = base();
    let draughts = "moves:\"32-28 19-23\"";
    for (words, told) in [
        (
            vec![format!("moves:\"e4 Nf6\" and {draughts}")],
            "International draughts, and another one is of Chess\n",
        ),
        (
            vec![format!("moves:\"e4 Nf6\" and not {draughts}")],
            "International draughts, and another one is of Chess\n",
        ),
        (
            vec![
                "e4 Nf6".to_owned(),
                "--where".to_owned(),
                draughts.to_owned(),
            ],
            "International draughts, and another one is of Chess\n",
        ),
        (
            vec![format!("move:Nf6 and ({draughts} or Pe4)")],
            "International draughts, and the rest of the query is about Chess\n",
        ),
        (
            vec![format!("Pe4 or not {draughts}")],
            "International draughts, and the rest of the query is about Chess\n",
        ),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = run(
            base.store.path(),
            &[&["search", "--count"], &words[..]].concat(),
        );
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains(told), "{words:?} {ran:?}");
        let marked = ran.err.lines().nth(2).expect("a mark");
        assert_eq!(marked.trim().len(), draughts.len(), "{ran:?}");
        assert!(ran.err.contains("hint: "), "{ran:?}");
    }
    // Where there are no such games nothing is left out.
    let chess = Base::of(b"1. e4 Nf6 2. e5 *\n");
    let asked = format!("Pe4 or {draughts}");
    let ran = run(chess.store.path(), &["search", "--count", &asked]);
    assert_eq!(ran.out, "1\n", "{ran:?}");
}

/// A question that ends with a board is not taken for the board.
#[test]
fn words_before_a_board_are_not_lost() {
    let base = base();
    let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for words in ["player:B", "result:1-0 and", "Pd4 then", "elo:2000.."] {
        let ran = run(
            base.store.path(),
            &["delete", &format!("{words} {board}"), "--yes"],
        );
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(
            ran.err.contains(&format!("'fen:\"{board}\" and ")),
            "{ran:?}"
        );
    }
    let asked = format!("fen:\"{board}\" and player:B");
    assert_eq!(
        run(base.store.path(), &["search", "--count", &asked]).out,
        "0\n"
    );
    let titled = run(
        base.store.path(),
        &["search", "--count", &format!("A study {board}")],
    );
    assert!(titled.err.contains("`A study` is skipped"), "{titled:?}");
}

/// A diagram of draughts does not say of which kind it is, so the kinds that are there are asked.
#[test]
fn a_base_without_the_world_of_a_position_is_asked_all_the_same() {
    let game = "[Variant \"Frisian\"]\n\n1. 32-28 19-23 *\n\n";
    let base = Base::of(game.as_bytes());
    let told = "no game of International draughts is stored: searched in Frisian draughts";
    let diagram = "B:W28,31,33-50:B1-20";
    for asked in ["32-28", diagram] {
        for command in [&["search", "--count"][..], &["tree", "--format", "csv"]] {
            let ran = run(base.store.path(), &[command, &[asked]].concat());
            let is_found = ran.out.trim() == "1" || ran.out.contains("19-23");
            assert!(is_found && ran.err.contains(told), "{command:?}: {ran:?}");
        }
    }
    // What was said is kept to.
    let args = ["search", "--count", "32-28", "--variant", "international"];
    let ran = run(base.store.path(), &args);
    assert_eq!(ran.out.trim(), "0", "{ran:?}");
    // It is no question either.
    let ran = run(base.store.path(), &["search", diagram]);
    assert!(!ran.err.contains("pattern {"), "{ran:?}");
}

#[test]
fn every_command_with_a_position_says_so() {
    let base = base();
    let told = "3 more in Atomic, King of the Hill: --any-variant";
    let elsewhere = json!([
        {"variant": "atomic", "games": 2},
        {"variant": "kingofthehill", "games": 1}
    ]);
    let ask = |args: &[&str]| {
        let ran = run(base.store.path(), args);
        assert_eq!(ran.err.matches(told).count(), 1, "{args:?}: {ran:?}");
        ran.out
    };
    let json = |args: &[&str]| -> Value {
        serde_json::from_str(&ask(&[args, &["--format", "json"]].concat())).expect("JSON")
    };
    let found = json(&["search", "e4 Nf6"]);
    assert_eq!(
        (&found["total"], &found["other_variants"]),
        (&json!(2), &elsewhere)
    );
    let tree = json(&["tree", "e4 Nf6"]);
    assert_eq!(
        (&tree["total"]["games"], &tree["other_variants"]),
        (&json!(2), &elsewhere)
    );
    let moves: Vec<&Value> = tree["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| &m["san"])
        .collect();
    assert_eq!(moves, ["d3", "e5"]);
    let exported = ask(&["export", "e4 Nf6"]);
    assert_eq!(exported.matches("[White ").count(), 2, "{exported}");
    let listed = json(&["delete", "e4 Nf6"]);
    assert_eq!(
        (&listed["found"], &listed["other_variants"]),
        (&json!(2), &elsewhere)
    );
    let deleted = json(&["delete", "e4 Nf6", "--yes"]);
    assert_eq!(
        (&deleted["removed"], &deleted["other_variants"]),
        (&json!(2), &elsewhere)
    );
    let left = run(base.store.path(), &["search", "--count"]);
    assert_eq!(left.out.trim(), "9", "{left:?}");
    // What is removed is found nowhere.
    let ran = run(base.store.path(), &["search", "e4 Nf6", "--count"]);
    assert!(ran.out.trim() == "0" && ran.err.contains(told), "{ran:?}");
    let all = run(
        base.store.path(),
        &["tree", "e4 Nf6", "--any-variant", "--format", "json"],
    );
    let all: Value = serde_json::from_str(&all.out).expect("JSON");
    assert_eq!(
        (&all["total"]["games"], all.get("other_variants")),
        (&json!(3), None)
    );
}

#[test]
fn any_variant_is_for_an_exact_position() {
    let base = base();
    for args in [
        &["search", "--any-variant"][..],
        &["search", "Pd4 and q", "--any-variant"],
        &["search", "e4", "--any-variant", "--variant", "chess"],
    ] {
        let ran = run(base.store.path(), args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.err.contains("--any-variant"), "{args:?}: {ran:?}");
    }
}

/// Words that are moves of a game that is not stored are read as a game that is, else as pieces on
/// squares, and what they can only be of another game is said.
#[test]
fn moves_of_a_game_that_is_not_stored_are_no_answer() {
    let chess = Base::of(b"1. e4 e5 2. Ke2 *\n\n1. d4 d5 *\n");
    let draughts = Base::of(b"[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n");
    let russian = Base::of(
        b"[GameType \"25\"]\n\n1. c3-d4 b6-a5 *\n\n[GameType \"25\"]\n\n1. e3-f4 b6-a5 *\n",
    );
    let xiangqi = Base::of(b"[GameType \"1\"]\n\n1. Hc3 Hg8 *\n");
    let othello = Base::of(b"[GameType \"50\"]\n\n1. d3 c3 *\n");
    let none = "and no game of it is stored";
    for (base, words, games, told) in [
        (
            &chess,
            &["pe5"][..],
            1,
            "`pe5` is read as pieces on squares, for no game of Xiangqi is",
        ),
        (&chess, &["Ke2"], 1, "`Ke2` is read as pieces on squares"),
        (
            &chess,
            &["Ke2", "--where", "pe5"],
            1,
            "`Ke2` is read as pieces",
        ),
        (
            &chess,
            &["f5 d6"],
            0,
            "a position of Othello, and no game of it is stored",
        ),
        (
            &chess,
            &["h2e2"],
            0,
            "a position of Xiangqi, and no game of it is stored",
        ),
        (
            &chess,
            &["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2"],
            1,
            "no game of Crazyhouse is stored: searched in Chess",
        ),
        (&draughts, &["M28 m19"], 1, "read as pieces on squares"),
        (&draughts, &["e4"], 0, none),
        (&russian, &["22-18"], 1, "no game of"),
        (&russian, &["22-18 12-16"], 0, "no game of"),
        (&russian, &["Mc3"], 2, "read as pieces on squares"),
        (
            &xiangqi,
            &["Hc3"],
            1,
            "no game of Chess is stored: searched in Xiangqi",
        ),
        (
            &othello,
            &["d3"],
            1,
            "no game of Chess is stored: searched in Othello",
        ),
        (&othello, &["e4 e5"], 0, none),
    ] {
        let ran = run(base.store.path(), &[&["search", "--count"], words].concat());
        assert_eq!(ran.out, format!("{games}\n"), "{words:?} {ran:?}");
        assert!(ran.err.contains(told), "{words:?} {ran:?}");
    }
    let tree = run(othello.store.path(), &["tree", "d3"]);
    assert!(tree.out.contains("c3"), "{tree:?}");
    assert!(!tree.out.contains("Mieses"), "{tree:?}");
    let novel = run(chess.store.path(), &["novelty", "pe5"]);
    assert!(novel.err.contains("read as pieces on squares"), "{novel:?}");
    // Where there are such games, moves stay moves.
    let both =
        Base::of(b"[GameType \"1\"]\n\n1. Ke2 Ke9 *\n\n1. e4 e5 2. Ke2 *\n\n1. e4 d5 2. Ke2 *\n");
    let ran = run(both.store.path(), &["search", "Ke2", "--count"]);
    assert_eq!(ran.out, "1\n", "{ran:?}");
    assert!(ran.err.contains("pattern { Ke2 }"), "{ran:?}");
}

/// What stands beside a condition is told by the variant that the question names.
#[test]
fn a_variant_in_a_question_is_its_board() {
    let base = Base::of(b"[GameType \"25\"]\n\n1. c3-d4 b6-c5 *\n");
    let ran = run(
        base.store.path(),
        &["search", "variant:russian Mc3", "--count"],
    );
    assert_eq!((&ran.out[..], &ran.err[..]), ("1\n", ""), "{ran:?}");
    for (words, told) in [
        (
            "variant:english Mc3",
            "the board of English draughts has no such squares",
        ),
        ("result:1-0 e4", "read as: result:1-0 and moves:\"e4\""),
    ] {
        let ran = run(base.store.path(), &["search", words, "--count"]);
        assert!(ran.err.contains(told), "{words} {ran:?}");
        assert!(!ran.err.contains("Othello"), "{words} {ran:?}");
    }
}

/// What stands behind `--where` is understood as it is without a position.
#[test]
fn questions_beside_a_position_are_read_alike() {
    let base =
        Base::of(b"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *\n\n1. e4 e5 2. Nf3 *\n");
    for (asked, games) in [
        ("pattern { Nf3 }", "2\n"),
        ("{\"black-move\": \"c5\"}", "1\n"),
        ("B90", "1\n"),
        ("eco:B90", "1\n"),
    ] {
        for args in [
            &["search", "--count", asked][..],
            &["search", "--count", "e4", "--where", asked],
        ] {
            let ran = run(base.store.path(), args);
            assert_eq!(ran.out, games, "{args:?} {ran:?}");
        }
    }
}
