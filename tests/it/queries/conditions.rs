//! Questions of other programs and in other letters, the sides that they are about, the commands that
//! ask them, and how they are planned.

use serde_json::Value;

use super::{base, found, refused};
use {
    crate::support::{Base, corpora, root, run, vector},
    plydex::{
        import::ImportOptions,
        query::GameCondition,
        search::{self, AccessPlan, GameConditions},
    },
};

/// What is asked of the move that leaves a position can be asked of the one that led to it.
#[test]
fn all_words_about_moves_are_asked_of_the_last_one() {
    let base = base();
    for (question, games) in [
        ("last:captured:Q", &[2][..]),
        ("last:captured:Q mate", &[]),
        ("last:moved:NB mate", &[2]),
        ("last:moved:BQ mate", &[]),
        ("last:capture check", &[1, 2]),
        ("last:quiet Pe4 pe6 ply:2", &[1]),
        ("last:promotes:N", &[4]),
        ("last:castles:any stm:black", &[3]),
        ("last:castles:O-O", &[1]),
        ("last:from:d1", &[1, 3]),
        ("last:to:h7 stm:white", &[1]),
        ("last:uci:c3d5 mate", &[2]),
        ("last:move:Nd5 mate", &[2]),
        ("last:jumps:0 ply:0", &[]),
        ("variant:russian last:jumps:1.. stm:white", &[6]),
    ] {
        assert_eq!(found(&base, &[question]), games, "{question}");
    }
    let error = refused(&base, &["last:check"]);
    assert!(error.contains("captured:Q"), "{error}");
}

/// Facts that every game must have are asked column by column, others game by game: both find the
/// games that flags find.
#[test]
fn facts_alone_are_asked_as_flags_are() {
    let base = Base::new();
    base.import(&[root().join("sample-data")], ImportOptions::default());
    let run = |question: &str, flags: &[&str]| {
        let found = found(&base, &[question]);
        assert_eq!(
            found,
            self::found(&base, &[&format!("({question}) or ({question})")]),
            "{question}"
        );
        if !flags.is_empty() {
            assert_eq!(found, self::found(&base, flags), "{question}");
        }
        found.len()
    };
    let all = base.games().len();
    for (question, flags, has_some) in [
        ("player:morphy", &["--player", "morphy"][..], true),
        (
            "player:morphy result:1-0",
            &["--player", "morphy", "--result", "1-0"],
            true,
        ),
        ("white:morphy black:morphy", &[], false),
        ("player:morphy player:anderssen", &[], false),
        ("player:nobody", &["--player", "nobody"], false),
        ("not player:morphy", &[], true),
        ("year:..1900", &["--until", "1900"], true),
        ("plies:..40 not result:1-0", &[], true),
        ("variant:chess960", &["--variant", "chess960"], true),
        ("variant:chess960 variant:xiangqi", &[], false),
        ("variant:xiangqi plies:1..", &[], true),
        ("event:london or player:morphy", &[], true),
        ("opening:gambit year:..1900", &[], true),
        ("has:annotator", &[], false),
        ("comment:the player:morphy", &[], false),
    ] {
        let games = run(question, flags);
        assert!(games < all, "{question}: {games} of {all}");
        if has_some {
            assert!(games > 0, "{question}");
        }
    }
}

/// Queries of scoutfish ask of the position behind a move, and of the move that led to it.
#[test]
fn queries_of_scoutfish_ask_of_the_position_behind_a_move() {
    let base = base();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (query, games) in [
        (
            format!(r#"{{"white-move": "e4", "sub-fen": "{e4}"}}"#),
            &[1, 2, 3][..],
        ),
        (
            format!(r#"{{"sequence": [{{"sub-fen": "{start}"}}, {{"white-move": "e4"}}]}}"#),
            &[1, 2, 3],
        ),
        (
            format!(r#"{{"streak": [{{"sub-fen": "{e4}"}}, {{"black-move": "c6"}}]}}"#),
            &[3],
        ),
        (
            format!(
                r#"{{"sequence": [{{"sub-fen": "{e4}"}}, {{"streak": [{{"black-move": "e6"}}, {{"white-move": "d4"}}]}}]}}"#
            ),
            &[1],
        ),
        (r#"{"result-type": "mate", "moved": "N"}"#.into(), &[2]),
        // Who has taken is not to move any more.
        (r#"{"captured": "Q", "stm": "white"}"#.into(), &[2]),
        (r#"{"captured": "Q", "stm": "black"}"#.into(), &[]),
        (
            r#"{"streak": [{"moved": "B", "captured": "P"}, {"moved": "K", "captured": ""}]}"#
                .into(),
            &[2],
        ),
        (
            r#"{"white-move": "Nd5", "black-move": "c6"}"#.into(),
            &[2, 3],
        ),
        (r#"{"white-move": "Nd5+"}"#.into(), &[2]),
        (r#"{"white-move": "Bxh7"}"#.into(), &[1]),
        // A bishop for one pawn.
        (r#"{"imbalance": "vB"}"#.into(), &[]),
        (r#"{"imbalance": "PvB"}"#.into(), &[1]),
    ] {
        assert_eq!(found(&base, &[&query]), games, "{query}");
    }
    for (key, option) in [("limit", "--limit 2"), ("skip", "--offset 2")] {
        let query = format!(r#"{{"pass": "", "{key}": 2}}"#);
        let error = refused(&base, &[&query]);
        assert!(error.contains(option), "{error}");
    }
}

#[test]
fn exports_and_deletions_ask_the_same() {
    let base = base();
    let ran = run(base.store.path(), &["search", "mate", "--format", "pgn"]);
    assert!(
        ran.out.contains("Legall") && !ran.out.contains("Greco"),
        "{ran:?}"
    );
    let ran = run(
        base.store.path(),
        &["delete", "mate", "or", "promotes:N", "--yes"],
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(found(&base, &["ply:0"]), [1, 3]);
}

#[test]
#[ignore = "long: part of `just full`"]
fn counts_of_the_vectors_are_found() {
    let Some(corpora) = corpora("counts_of_the_vectors_are_found") else {
        return;
    };
    let base = Base::new();
    base.import(&[corpora.join("otb.pgn.zst")], crate::support::every_game());
    for line in vector("questions.tsv").lines() {
        let Some((games, question)) = line.split_once('\t') else {
            continue;
        };
        let ran = run(base.store.path(), &["search", "--count", question]);
        assert_eq!(ran.out.trim(), games, "{question}: {ran:?}");
    }
}

#[test]
fn a_plan_tells_what_columns_spare() {
    let base = base();
    let plan = |words: &[&str]| -> Value {
        let args = [&["search", "--explain", "--format", "json"], words].concat();
        let ran = run(base.store.path(), &args);
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"))
    };
    // Columns know of these themselves.
    for (words, games) in [
        (&["material:KNvK"][..], 1),
        (&["mate"], 1),
        (&["castles:O-O-O", "by:white"], 1),
        (&["promotes:N", "or", "mate"], 2),
        (&["not", "castles:any"], 2),
    ] {
        let plan = plan(words);
        assert_eq!(plan["replayed"], 0, "{words:?}: {plan}");
        assert_eq!(plan["found"], games, "{words:?}: {plan}");
        assert_eq!(plan["certain"], games, "{words:?}: {plan}");
    }
    let greek = plan(&["move:Bxh7", "kg8", "and", "not", "player:legall"]);
    assert_eq!(greek["games"], 6, "{greek}");
    assert_eq!(greek["replayed"], 1, "{greek}");
    assert_eq!(greek["found"], 1, "{greek}");
    let step = &greek["steps"][1];
    assert_eq!(step["condition"], "move:Bxh7 kg8", "{greek}");
    assert_eq!(
        (&step["path"], &step["possible"]),
        (&"columns".into(), &1.into()),
        "{greek}"
    );
}

/// Every search has a plan, and the steps say what answers each condition.
#[test]
fn a_plan_names_the_path_of_every_condition() {
    let base = base();
    for (words, steps) in [
        (&["e4", "c6"][..], &["position 1"][..]),
        (&["--white", "greco"], &["names 1"]),
        (&["player:greco"], &["names 1"]),
        (&["e4", "--white", "greco"], &["position 3", "names 1"]),
        (&["games:1..2 plies:1.."], &["numbers 2", "facts 6"]),
        (&["comment:x or mate"], &["annotations null", "columns 1"]),
        (&["has:Annotator"], &["tags null"]),
        (&["mate", "in:variations"], &["columns 1", "variations 0"]),
        (&["e4", "--where", "mate"], &["position 3", "replay null"]),
        (&[], &[]),
    ] {
        let args = [&["search", "--explain", "--format", "json"], words].concat();
        let ran = run(base.store.path(), &args);
        let plan: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let told = plan["steps"].as_array().expect("steps").iter();
        let told = told.map(|step| {
            format!(
                "{} {}",
                step["path"].as_str().unwrap_or_default(),
                step["possible"]
            )
        });
        assert_eq!(told.collect::<Vec<_>>(), steps, "{words:?}: {plan}");
        let ran = run(base.store.path(), &[&["search", "--count"], words].concat());
        assert_eq!(ran.out.trim(), plan["found"].to_string(), "{words:?}");
    }
}

#[test]
fn trees_are_of_games_that_fulfil_a_question() {
    let base = base();
    let tree = |words: &[&str]| -> Value {
        let args = [&["tree", "--format", "json"], words].concat();
        let ran = run(base.store.path(), &args);
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"))
    };
    assert_eq!(tree(&["e4"])["total"]["games"], 3);
    let castled = tree(&["e4", "--where", "castles:O-O-O"]);
    assert_eq!(castled["total"]["games"], 1, "{castled}");
    assert_eq!(castled["moves"][0]["san"], "c6", "{castled}");
    let both = tree(&["e4", "--where", "capture and player:greco", "--black", "nn"]);
    assert_eq!(both["total"]["games"], 1, "{both}");
    let none = run(
        base.store.path(),
        &["tree", "e4", "--where", "promotes:N and Q=0"],
    );
    assert_eq!(none.status, Some(1), "{none:?}");
    let ran = run(base.store.path(), &["tree", "--where", "Nd9"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let base = base();
    base.store.stop().cancel();
    let query = AccessPlan {
        conditions: GameConditions::of([GameCondition::white("greco")]),
        ..AccessPlan::default()
    };
    let tally = search::tally(&base.store, &query).expect("an answer");
    assert!(tally.interrupted && tally.games == 0, "{tally:?}");
    search::count(&base.store, &query).expect_err("no whole number");
}

/// Men of xiangqi have the letters that players write and those of its FENs.
#[test]
fn men_are_known_by_the_letters_of_their_fens() {
    let base = Base::of(b"[GameType \"1\"]\n\n1. h2e2 h9g7 2. h0g2 *\n");
    for (asked, games) in [
        ("variant:xiangqi Nb1", 1),
        ("variant:xiangqi Hb1", 1),
        ("variant:xiangqi moved:N", 1),
        ("variant:xiangqi Bc1 bc10", 1),
        ("variant:xiangqi N=3", 0),
        ("variant:xiangqi NH=2", 1),
        ("variant:xiangqi material:NNvK+", 1),
        ("variant:xiangqi imbalance:NvC", 0),
    ] {
        let ran = run(base.store.path(), &["search", "--count", asked]);
        assert_eq!(ran.out, format!("{games}\n"), "{asked} {ran:?}");
    }
    let refused = run(
        base.store.path(),
        &["search", "--count", "variant:xiangqi Q=1"],
    );
    assert!(
        refused.err.contains("Xiangqi has no piece `Q`"),
        "{refused:?}"
    );
}

/// A king that can be taken is one of the men that are counted.
#[test]
fn kings_that_can_be_taken_are_counted() {
    let base = Base::of(
        b"[Variant \"Antichess\"]\n[FEN \"8/8/8/8/8/8/1k6/R7 w - - 0 1\"]\n\n1. Rb1 Kxb1 *\n\n\
          [Variant \"Antichess\"]\n[FEN \"8/8/8/8/8/k7/6K1/R7 w - - 0 1\"]\n\n1. Kf2 *\n\n\
          [Variant \"Horde\"]\n[FEN \"3qk3/8/8/8/8/8/PPPP4/8 w - - 0 1\"]\n\n1. a4 *\n",
    );
    for (asked, games) in [
        ("variant:antichess material:w:RvK", 1),
        ("variant:antichess material:w:KRvK", 1),
        ("variant:antichess material:vK", 1),
        ("variant:antichess material:w:RvK+", 2),
        ("variant:horde material:w:PPPPvQ", 1),
        ("variant:horde material:w:PPPPvKQ", 1),
        ("variant:horde material:PPPPvQ", 1),
        ("variant:horde material:KPPPPvQ", 0),
    ] {
        let ran = run(base.store.path(), &["search", "--count", asked]);
        assert_eq!(ran.out, format!("{games}\n"), "{asked} {ran:?}");
    }
}

/// A piece that both sides name is counted on each side.
#[test]
fn an_imbalance_counts_what_both_sides_name() {
    let game = |white: &str, black: &str| {
        format!("[FEN \"{black}k4/8/8/8/8/8/8/{white}K4 w - - 0 1\"]\n\n*\n\n")
    };
    let games = [
        ("1BB", "1bn"),
        ("1B1", "1n1"),
        ("1BN", "1bn"),
        ("BBN", "bnn"),
    ];
    let base = Base::of(
        games
            .map(|(white, black)| game(white, black))
            .concat()
            .as_bytes(),
    );
    for (asked, games) in [
        ("imbalance:BBvBN", "1"),
        ("imbalance:BvN", "3"),
        ("imbalance:BBNvBNN", "1"),
        ("imbalance:w:BNvBB", "0"),
    ] {
        let ran = run(base.store.path(), &["search", "--count", asked]);
        assert_eq!(ran.out.trim(), games, "{asked} {ran:?}");
    }
}

#[test]
fn sides_of_material_are_either_or_as_they_are_named() {
    let base = Base::of(
        b"[FEN \"4k3/8/8/8/8/8/4p3/R3K3 w - - 0 1\"]\n\n*\n\n\
          [FEN \"4k2r/4P3/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*\n",
    );
    for (asked, games) in [
        ("imbalance:RvP", 2),
        ("imbalance:RRvR", 0),
        ("imbalance:w:RvP", 1),
        ("either { imbalance:w:RvP }", 2),
        (r#"{"imbalance": "RvP"}"#, 1),
        (r#"{"material": "KRKP"}"#, 1),
        ("pattern:\"*/*/*/*/*/*/*/R???K???\"", 1),
    ] {
        let ran = run(base.store.path(), &["search", "--count", asked]);
        assert_eq!(ran.out, format!("{games}\n"), "{asked} {ran:?}");
    }
    let asked = "pattern:\"*/*/*/*/*/*/*/T???K???\"";
    let ran = run(
        base.store.path(),
        &["search", "--count", "--language", "de", asked],
    );
    assert_eq!(ran.out, "1\n", "{ran:?}");
    // In Spanish a bishop is `A`, which is any man of White there all the same.
    for (asked, games) in [("*/*/*/*/*/*/*/A???R???", 1), ("*/*/*/*/*/*/*/A???T???", 0)] {
        let asked = format!("pattern:\"{asked}\"");
        let ran = run(
            base.store.path(),
            &["search", "--count", "--language", "es", &asked],
        );
        assert_eq!(ran.out, format!("{games}\n"), "{asked} {ran:?}");
    }
    let twice = "similar:startpos and similar:\"4k3/8/8/8/8/8/8/4K3 w\"";
    let ran = run(base.store.path(), &["search", twice]);
    assert!(ran.err.contains("a query has one `similar:`"), "{ran:?}");
}
