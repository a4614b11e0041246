//! Questions as people type them: what they find.

mod conditions;
mod lines;
mod words;

use plydex::base::record::GameId;
use serde_json::Value;

use crate::support::{Base, run};

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
    assert!(err.contains("there is no saved query @sac"), "{err}");
    let mut file = db.as_os_str().to_owned();
    file.push(".queries");
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
    for command in [&["search", "--format", "pgn"][..], &["export"]] {
        let ran = run(db, &[command, &["startpos", "--where", "@mate"]].concat());
        assert_eq!(ran.out.matches("[White ").count(), 1, "{ran:?}");
    }
    // A name stands for all of its query, whatever stands beside it.
    std::fs::write(
        &file,
        "any = Pd4 or mate\nloop = @loop or q\nline = e4\nfen = fen:8/8/8/8/8/8/8/8\nfree = Fischer 1972\n",
    )
    .expect("a file");
    assert_eq!(
        found(&base, &["@any and mate"]),
        found(&base, &["(Pd4 or mate) and mate"])
    );
    assert_eq!(found(&base, &["@line"]), found(&base, &["e4"]));
    assert_eq!(
        found(&base, &["@line and mate"]),
        found(&base, &["moves:e4 and mate"])
    );
    assert_eq!(found(&base, &["@free"]), found(&base, &["Fischer", "1972"]));
    let tree = |line: &str| run(db, &["tree", line]).out;
    assert_eq!(tree("@line"), tree("e4"));
    for (words, message) in [
        (
            "q and @loop",
            "@loop stands for itself in the end\n  q and @loop\n        ^^^^^",
        ),
        ("q and @lin", "did you mean @line?"),
        ("{ q @any }", "@any is not a condition on one ply"),
    ] {
        let err = refused(&base, &[words]);
        assert!(err.contains(message), "{words}: {err}");
    }
    // Programs of Windows write a mark before a text.
    let marked = |text: &str| format!("\u{feff}{text}");
    std::fs::write(&file, marked("mate = mate\n")).expect("a file");
    std::fs::write(&lines, marked("@mate\n")).expect("a file");
    let ran = each(&lines);
    assert!(ran.out.contains("@mate,1"), "{ran:?}");
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

/// What asks for no piece holds beside the board as well.
#[test]
fn what_is_to_be_absent_may_be_beside_the_board() {
    let base = Base::of(include_bytes!("../../data/field/shift_edge.pgn"));
    for (words, games) in [
        ("shiftx { Pb6 pa-c7=0 }", &[1, 2][..]),
        ("shiftx { Pb6 pa-c7=..2 }", &[1, 2]),
        ("shiftx { Pb6 not { pa7 or pc7 } }", &[1, 2]),
        ("shiftx { Pb6 pa7 }", &[]),
        ("shiftx { Pb6 attacks:k:a7=0 }", &[1, 2]),
        ("shiftx { Ph6 attacks:k:h7/g7=0 }", &[1]),
        ("shiftx { Pb6 only:P:a-c6 }", &[1, 2]),
        ("shiftx { Pb6 _a6,c6 }", &[1, 2]),
        ("shiftx { Pb6 _a-c6=2 }", &[1, 2]),
        ("shiftx { Pb6 _a-c6=1 }", &[]),
        ("shifty { Pa3 xa7=0 xa8=0 }", &[1]),
    ] {
        assert_eq!(found(&base, &[words]), games, "{words}");
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
