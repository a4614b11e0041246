//! Questions as people type them: what they find, how they are told from positions, what is
//! said of those that cannot be understood.

use plydex::{
    base::record::GameId,
    db::{
        query::{Filter, Query},
        search,
    },
};
use serde_json::Value;

use crate::support::{Base, corpora, run, vector};

/// Four games of chess, one of international draughts, one of Russian.
const GAMES: &str = r#"
[White "Greco"]
[Black "NN"]
[Result "1-0"]

1. e4 e6 2. d4 Nf6 3. Bd3 Nc6 4. Nf3 Be7 5. h4 O-O 6. e5 Nd5 7. Bxh7+ Kxh7 8. Ng5+ Kg8 9. Qh5 1-0

[White "Legall"]
[Black "Brie"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2100"]

1. e4 e5 2. Bc4 d6 3. Nf3 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[White "Reti"]
[Black "Tartakower"]
[Result "0-1"]
[Date "1910.??.??"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 0-1

[White "Nobody"]
[Black "Legall"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/P6k/8/8/8/8/7K/8 w - - 0 1"]

1. a8=N Kg6 1/2-1/2

[White "Sijbrands"]
[Black "Wiersma"]
[GameType "20"]
[Result "1-1"]

1. 32-28 19-23 2. 28x19 14x23 1-1

[White "Ivanov"]
[Black "Petrov"]
[GameType "25"]
[Result "1-0"]

1. c3-b4 b6-a5 2. b4-c5 d6xb4 3. a3xc5 1-0
"#;

fn base() -> Base {
    Base::of(GAMES.as_bytes())
}

fn found(base: &Base, words: &[&str]) -> Vec<GameId> {
    let mut args = vec!["search", "--format", "json", "--limit", "0"];
    args.extend(words);
    let ran = run(base.store.path(), &args);
    let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let hits = answer["hits"].as_array().expect("hits").iter();
    hits.map(|hit| hit["id"].as_u64().expect("a number"))
        .collect()
}

fn refused(base: &Base, words: &[&str]) -> String {
    let mut args = vec!["search"];
    args.extend(words);
    let ran = run(base.store.path(), &args);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    ran.err
}

#[test]
fn what_attacks_what_is_found() {
    let base = base();
    for (words, games) in [
        // Legall's bishop and knight, Greco's discovered checks.
        ("attacks:B:k mate", &[][..]),
        ("attacks:N:k,k mate", &[2]),
        ("attacks:b:Q and attacks:N:f7", &[2]),
        ("attacks:q:K", &[3]),
        ("pins:b:N:Q", &[2]),
        ("only:A:1-2 ply:0", &[1, 2, 3]),
        ("not { only:A:1-2/8 ply:0 }", &[4]),
        ("only:m:1-20 only:M:31-50 ply:0 variant:international", &[5]),
    ] {
        assert_eq!(found(&base, &[words]), games, "{words}");
    }
    for (words, message) in [
        (
            "attacks:M:m variant:international",
            "what attacks what is not known in International draughts",
        ),
        ("attacks:N", "`attacks:N` is not understood"),
        ("attacks:N:", "`attacks:N:` is not understood"),
        ("pins:B:n", "`pins:B:n` is not understood"),
        ("only:P", "`only:P` is not understood"),
    ] {
        let err = refused(&base, &[words]);
        assert!(err.contains(message), "{words}: {err}");
    }
}

#[test]
fn questions_have_names_in_a_file_beside_the_database() {
    let base = base();
    let db = base.store.path();
    let err = refused(&base, &["@sac", "kg8"]);
    assert!(err.contains("no question is named @sac"), "{err}");
    let mut file = db.as_os_str().to_owned();
    file.push(".questions");
    std::fs::write(
        &file,
        "sac = move:Bxh7\nboth = @sac or @mate\nmate = mate\n",
    )
    .expect("a file");
    assert_eq!(found(&base, &["@sac", "kg8"]), [1]);
    assert_eq!(found(&base, &["@both"]), [1, 2]);
    assert_eq!(found(&base, &["@sac next move:Kxh7"]), [1]);
    let lines = db.with_file_name("lines");
    std::fs::write(&lines, "@both\n@mate\n").expect("a file");
    let each = |file: &std::path::Path| {
        run(
            db,
            &[
                "search",
                "--format",
                "csv",
                "--each",
                file.to_str().expect("a name"),
            ],
        )
    };
    let ran = each(&lines);
    assert!(
        ran.out.contains("@both,2") && ran.out.contains("@mate,1"),
        "{ran:?}"
    );
    std::fs::write(&lines, b"mate\nmate\xff\n").expect("a file");
    let ran = each(&lines);
    assert!(
        ran.err.contains("line 2: no UTF-8 text from byte 9 on"),
        "{ran:?}"
    );
    let ran = run(db, &["tree", "--where", "@mate", "--format", "json"]);
    assert!(ran.out.contains("\"games\": 1,"), "{ran:?}");
}

#[test]
fn letters_are_those_of_the_language_that_is_named() {
    let base = base();
    let words = ["--language", "de", "move:Lxh7", "kg8", "and", "Dh5"];
    assert_eq!(found(&base, &words), [1]);
    let ran = run(
        base.store.path(),
        &["search", "--count", "--language", "de", "Se5 and eco:C40"],
    );
    assert!(ran.err.contains("read as: Ne5 and eco:C40"), "{ran:?}");
    // Moves are read in any language as they are.
    let ran = run(
        base.store.path(),
        &["search", "--count", "--language", "de", "e4 e5 Lc4"],
    );
    assert_eq!(ran.out.trim(), "1", "{ran:?}");
}

#[test]
fn games_are_found_by_what_stands_and_what_was_played() {
    let base = base();
    for (words, games) in [
        (&["move:Bxh7", "kg8"][..], &[1][..]),
        (&["move:Bxh7 next move:Kxh7 next move:Ng5"], &[1]),
        (&["move:Bxh7+", "within", "4", "move:Qh5"], &[1]),
        (&["move:Bxh7 within 3 move:Qh5"], &[]),
        (&["mate"], &[2]),
        (&["mate", "last:N"], &[2]),
        (&["mate last:P"], &[]),
        (&["promotes:N"], &[4]),
        (&["move:a8=N"], &[4]),
        (&["move:a8=Q"], &[]),
        (&["material:KNvK"], &[4]),
        (&["castles:O-O-O"], &[3]),
        (&["castles:any", "or", "promotes:N"], &[1, 3, 4]),
        (&["not castles:any"], &[2, 4]),
        (&["player:legall"], &[2, 4]),
        (&["player:legall and not mate"], &[4]),
        (&["won:legall"], &[2]),
        (&["lost:tartakower or lost:reti"], &[3]),
        (&["welo:2400.. diff:300.."], &[2]),
        (&["date:1905..1915", "ply:1"], &[3]),
        (&["result:1-0", "Nd5"], &[2]),
        (&["either", "Nd4", "result:1-0"], &[1]),
        (&["moves:e4 c6", "and", "capture"], &[3]),
        (
            &[
                "fen:rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR",
                "w",
                "KQkq",
                "-",
                "0",
                "2",
            ],
            &[1],
        ),
        (&["pattern { Nf3 }"], &[1, 2]),
        (&["pattern", "{", "Nf3", "}"], &[1, 2]),
        (&["B:light=0 B:dark=1 q", "pieces:..32"], &[1]),
        (&["imbalance:BvP"], &[1]),
        (&["ply:0 pieces:3"], &[4]),
    ] {
        assert_eq!(found(&base, words), games, "{words:?}");
    }
}

#[test]
fn all_plies_are_told_and_the_first_is_shown() {
    let base = base();
    let ran = run(base.store.path(), &["search", "check", "--format", "json"]);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let plies: Vec<(&Value, &Value, &Value)> = answer["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| (&hit["id"], &hit["ply"], &hit["plies_found"]))
        .collect();
    let told = serde_json::to_string(&plies).expect("JSON");
    assert_eq!(told, "[[1,13,[13,15]],[2,11,[11,13]],[3,12,[12]]]");
}

#[test]
fn shifted_pieces_stand_where_all_of_them_fit() {
    let base = base();
    let name = |file: i8, rank: i8| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
    // Letters with the squares on which they stand, and those that are empty.
    for pieces in [
        &[('N', 5, 2), ('P', 4, 3)][..],
        &[('B', 3, 2), ('P', 3, 3), ('_', 3, 1)],
        &[('p', 3, 4), ('p', 4, 5), ('_', 7, 4)],
    ] {
        let words = |by: (i8, i8)| {
            let mut words = Vec::new();
            for &(letter, file, rank) in pieces {
                let (file, rank) = (file + by.0, rank + by.1);
                let is_on = (0..8).contains(&file) && (0..8).contains(&rank);
                let is_last = matches!(letter, 'P' | 'p') && matches!(rank, 0 | 7);
                match letter {
                    '_' if !is_on => {}
                    _ if !is_on || is_last && by.1 != 0 => return None,
                    _ => words.push(format!("{letter}{}", name(file, rank))),
                }
            }
            Some(words.join(" "))
        };
        let ways = (-7..8).flat_map(|x| (-7..8).map(move |y| (x, y)));
        let all: Vec<String> = ways.filter_map(words).collect();
        let written = words((0, 0)).expect("on the board");
        let shifted = found(&base, &[&format!("shift {{ {written} }}")]);
        assert!(!shifted.is_empty(), "{written}");
        assert_eq!(shifted, found(&base, &[&all.join(" or ")]), "{written}");
    }
}

#[test]
fn other_games_are_asked_where_they_are_meant() {
    let base = base();
    assert_eq!(found(&base, &["variant:international", "M28"]), [5]);
    // Chess has no such men, and two of the other games have.
    let err = refused(&base, &["jumps:1..", "men:11v12"]);
    assert!(err.contains("variant:"), "{err}");
    assert_eq!(found(&base, &["variant:russian", "Mc5", "captured:M"]), [6]);
    assert_eq!(
        found(&base, &["variant:russian,international", "jumps:1"]),
        [5, 6]
    );
    let ran = run(base.store.path(), &["search", "mate"]);
    assert!(
        ran.err.contains("only games of chess were searched"),
        "{ran:?}"
    );
    assert!(ran.err.contains("international"), "{ran:?}");
    let draughts = Base::of(
        GAMES
            .split_once("[White \"Sijbrands\"]")
            .map_or("", |(_, rest)| rest)
            .split_once("[White \"Ivanov\"]")
            .map_or("", |(first, _)| first)
            .as_bytes(),
    );
    // The one game that a database has needs no name.
    assert_eq!(found(&draughts, &["pattern { M28 }"]), [1]);
}

/// In atomic chess what takes leaves the board, drops come from nowhere, and discs have no letter.
#[test]
fn moves_are_found_by_the_rules_of_their_games() {
    let base = Base::new();
    let games = "[Variant \"Atomic\"]\n[FEN \"4k3/8/8/8/8/8/3p4/2B4K b - - 0 1\"]\n\n1... dxc1=Q *\n\n\
                 [Variant \"Atomic\"]\n[White \"B\"]\n\n1. Nf3 e5 2. Nxe5 *\n\n\
                 [Variant \"Atomic\"]\n[White \"C\"]\n\n1. Nf3 e5 2. Nh4 e4 3. d4 exd3 *\n\n\
                 [Variant \"Crazyhouse\"]\n[White \"D\"]\n\n1. Nf3 Nf6 2. e4 e5 *\n\n\
                 [Variant \"Crazyhouse\"]\n[White \"E\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 *\n\n\
                 [Variant \"Othello\"]\n[White \"F\"]\n\n1. f5 d6 *\n";
    base.import_text(games.as_bytes(), crate::support::every_game());
    for (question, games) in [
        ("variant:atomic move:dxc1=Q", &[1][..]),
        ("variant:atomic promotes:Q", &[1]),
        ("variant:atomic promotes:N", &[]),
        ("variant:atomic to:c1", &[1]),
        ("variant:atomic uci:f3e5", &[2]),
        ("variant:atomic move:Nxe5", &[2]),
        ("variant:atomic last:Nxe5", &[2]),
        ("variant:atomic move:exd3", &[3]),
        ("variant:atomic ep", &[3]),
        ("variant:atomic captured:P moved:N", &[2]),
        ("variant:crazyhouse move:Nf3", &[4]),
        ("variant:crazyhouse move:N@f3", &[]),
        ("variant:crazyhouse move:P@e6", &[5]),
        ("variant:crazyhouse move:@e6", &[5]),
        ("variant:crazyhouse uci:P@e6", &[5]),
        ("variant:crazyhouse move:e6", &[]),
        ("variant:othello move:f5", &[6]),
    ] {
        assert_eq!(found(&base, &[question]), games, "{question}");
    }
}

#[test]
fn facts_of_a_move_side_by_side_are_of_one_move() {
    let base = Base::new();
    let game = |name: &str, moves: &str| format!("[White \"{name}\"]\n\n{moves} *\n\n");
    let games = game(
        "A",
        "1. e4 {[%eval 0.3] [%clk 0:00:05]} e5 {[%eval 5.3] [%clk 0:10:00]}",
    ) + &game(
        "B",
        "1. d4 {[%eval 0.3] [%clk 0:10:00]} d5 {[%eval 5.3] [%clk 0:00:05]}",
    );
    base.import_text(games.as_bytes(), crate::support::every_game());
    assert_eq!(found(&base, &["clock:..10 loss:3.."]), [2]);
    assert_eq!(found(&base, &["loss:3.. clock:..10 eval:5.."]), [2]);
    assert_eq!(found(&base, &["clock:..10 and loss:3.."]), [1, 2]);
}

/// Facts of a move hold at the ply of the words beside them, whatever facts about the game stand
/// between.
#[test]
fn facts_of_a_move_hold_at_the_ply_of_what_stands_beside_them() {
    let base = Base::new();
    let games = "[White \"a\"]\n\n1. e4 {[%clk 0:01:00]} d5 {[%clk 0:01:00]} 2. exd5 {[%clk 0:00:50]}
        Qxd5 {[%clk 0:00:50]} 3. Nc3 {[%clk 0:00:05]} (3. Nf3 Bg4 4. h3) Qa5 {[%clk 0:00:05]} *\n\n";
    base.import_text(games.as_bytes(), crate::support::every_game());
    for (question, plies) in [
        ("clock:..10 capture", &[][..]),
        ("capture clock:..10", &[]),
        ("{ clock:..10 capture }", &[]),
        ("{ capture and clock:..10 }", &[]),
        ("capture white:a clock:..10", &[]),
        ("clock:..10 white:a capture", &[]),
        ("clock:..10 { capture or check }", &[]),
        ("qd5 white:a black:b Nb1 clock:50", &[]),
        ("clock:..10 and capture", &[2, 3]),
        ("clock:..50 capture", &[2, 3]),
        ("clock:..50 white:a capture stm:black", &[3]),
        ("white:a { capture or moved:N } clock:..10", &[4]),
        ("clock:..10 quiet", &[4, 5]),
        ("{ clock:..10 quiet }", &[4, 5]),
        ("{ not clock:..50 quiet }", &[0, 1]),
        ("clock:50 capture next clock:5", &[3]),
        ("capture next clock:50", &[2]),
        ("clock:..50 for 4", &[2]),
        ("clock:5 for 2 and white:a", &[4]),
        ("moved:N then clock:5 loss:1..", &[]),
        ("moved:P within 4 clock:5", &[0, 1, 2]),
        ("either clock:5 Nc3", &[5]),
        ("clock:50 moves:\"e4 d5 exd5\" next moved:N", &[3]),
        ("clock:5 moves:\"e4 d5 exd5\" next moved:N", &[]),
        ("in:variations clock:50 capture then move:h3", &[2, 3]),
        ("in:variations clock:5 moved:N then move:h3", &[]),
    ] {
        let ran = run(base.store.path(), &["search", "--format", "json", question]);
        let answer: serde_json::Value = serde_json::from_str(&ran.out).expect(question);
        let hits = answer["hits"].as_array().expect(question);
        let told = hits.iter().filter_map(|hit| hit["plies_found"].as_array());
        let told: Vec<u64> = (told.flatten().map(|ply| ply.as_u64().expect("a ply"))).collect();
        assert_eq!(told, plies, "{question}: {}", ran.err);
        assert_eq!(hits.is_empty(), plies.is_empty(), "{question}");
    }
    // Facts alone: moves of the game, wherever they are.
    for (question, plies) in [
        ("clock:50 white:a", "[2,3]"),
        ("white:a and clock:..50", "[2,3,4,5]"),
        ("clock:..50 eval:1..", ""),
        ("white:a", "-"),
    ] {
        let ran = run(
            base.store.path(),
            &["search", "--format", "ndjson", question],
        );
        let hit: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        let told = hit
            .get("plies_found")
            .map_or("-".to_owned(), Value::to_string);
        let told = if hit.is_null() { String::new() } else { told };
        assert_eq!(told, plies, "{question}");
    }
    // From there nothing is played.
    for question in [
        "clock:..10 mate",
        "{ (mate or end) clock:..10 }",
        "end capture",
    ] {
        let ran = run(base.store.path(), &["search", question]);
        assert!(
            ran.err.contains("write `next` between them"),
            "{question}: {ran:?}"
        );
    }
    assert_eq!(found(&base, &["not clock:..10 capture"]), [1]);
    assert_eq!(
        found(&base, &["not clock:50 capture"]),
        Vec::<GameId>::new()
    );
}

/// A king's step and castling to the same square are asked for apart.
#[test]
fn a_step_of_the_king_is_no_castling() {
    let base = Base::new();
    let games = "[White \"castles\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n\n\
        [White \"steps\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. Kf1 Kf8 5. Kg1 Kg8 *\n\n\
        [White \"far\"]\n[FEN \"r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1\"]\n\n1. Kc1 *\n\n\
        [White \"near\"]\n[FEN \"r3k3/8/8/8/8/8/8/R2K4 w q - 0 1\"]\n\n1. Kc1 O-O-O+ *\n\n";
    base.import_text(games.as_bytes(), crate::support::every_game());
    for (question, games) in [
        ("move:Kg1", &[2][..]),
        ("last:Kg1", &[2]),
        ("move:Kg8", &[2]),
        ("last:Kg8", &[2]),
        ("move:Kc1", &[4]),
        ("move:Kc8", &[]),
        ("move:O-O", &[1]),
        ("last:O-O by:white", &[1]),
        // A king's move to the square of castling is read as castling where it is nothing else.
        ("move:O-O-O by:white", &[3]),
        ("castles:O-O-O by:black", &[4]),
        ("uci:e1g1", &[1]),
        ("uci:e1h1", &[1]),
        ("to:g1 moved:K", &[1, 2]),
    ] {
        assert_eq!(found(&base, &[question]), games, "{question}");
    }
}

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
        ("date:1970-1975", "write date:1970..1975 "),
        ("date:2019..2010", "such as date:2010..2019"),
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
    let error = refused(&base, &["--where", "e4 c5 Nf3"]);
    assert!(error.contains("moves:\"e4 c5 Nf3\""), "{error}");
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
        (&["carlsen"][..], "player:carlsen"),
        (&["Pd4 and"], "a condition is missing"),
        (&["Pz4 and q"], "`Pz4` is not understood"),
        (&["Pk4 and q"], "no such squares"),
        (&["Ed4 and q"], "no piece `E`"),
        (&["colour:white"], "`colour:` is not known"),
        (&["elo:high mate"], "is not a range"),
        (&["mirror castles:O-O"], "no mirror image"),
        (&["variant:chess men:3v2"], "has no meaning in Chess"),
        (&["mate", "--identity", "board"], "--identity"),
        (&["mate", "--flip"], "`either ( ... )`"),
        (&["player:x (mate"], "not closed"),
        (&["("], "a condition is missing"),
        (
            &["Pd4 within x q"],
            "a number is wanted here, such as `within 6`",
        ),
        (&["moves:e4 c5 and q"], "is quoted"),
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
        ("shift { ".repeat(30) + "Pe4", "`shift` cannot stand here"),
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
    assert!(ran.err.contains("moves:\"Nf3\" asks for"), "{ran:?}");
    // A result is no part of a position, and that is said.
    let ran = run(base.store.path(), &["search", "e4 e5 1-0", "--count"]);
    assert!(ran.err.contains("`1-0` behind the moves"), "{ran:?}");
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
        let err = refused(&base, &[words]);
        assert!(err.contains(written), "{words}: {err}");
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
            "Reti, Richard 1910",
            "'player:\"reti, richard\" and date:1910'",
        ),
    ] {
        let err = refused(&base, &[words]);
        assert!(err.contains(facts), "{words}: {err}");
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
        let ran = run(base.store.path(), &["search", &format!("{board} {fields}")]);
        assert!(ran.err.contains(told), "{fields}: {ran:?}");
        assert_eq!(
            ran.err.contains("--identity"),
            !told.is_empty(),
            "{fields}: {ran:?}"
        );
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
        assert_eq!(plan["looked_through"], 0, "{words:?}: {plan}");
        assert_eq!(plan["found"], games, "{words:?}: {plan}");
        assert_eq!(plan["found_at_once"], games, "{words:?}: {plan}");
    }
    let greek = plan(&["move:Bxh7", "kg8", "and", "not", "player:legall"]);
    assert_eq!(greek["games"], 6, "{greek}");
    assert_eq!(greek["looked_through"], 1, "{greek}");
    assert_eq!(greek["found"], 1, "{greek}");
    assert_eq!(greek["parts"][0]["text"], "move:Bxh7 kg8", "{greek}");
    assert_eq!(greek["parts"][0]["possible"], 1, "{greek}");
    let ran = run(base.store.path(), &["search", "--explain", "e4 c6"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.err.contains("looked up in the index"), "{ran:?}");
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
    base.store.stop().ask();
    let query = Query {
        filter: Filter {
            white: Some("greco".into()),
            ..Filter::default()
        },
        ..Query::default()
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

#[test]
fn sides_of_material_are_either_or_as_they_are_named() {
    let base = Base::of(
        b"[FEN \"4k3/8/8/8/8/8/4p3/R3K3 w - - 0 1\"]\n\n*\n\n\
          [FEN \"4k2r/4P3/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*\n",
    );
    for (asked, games) in [
        ("imbalance:RvP", 2),
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
    assert!(ran.err.contains("one position to be similar to"), "{ran:?}");
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
