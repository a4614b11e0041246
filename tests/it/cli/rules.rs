//! The commands that ask for rules alone and open no database.

use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, root, run};

fn ran(args: &[&str]) -> Ran {
    run(Path::new("never-opened.db"), args)
}

fn ok(args: &[&str]) -> String {
    let ran = ran(args);
    assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    ran.out
}

#[test]
fn variants_are_listed() {
    insta::assert_snapshot!(ok(&["variants"]), @"
    Chess and others
      Name           Title                    GameType  Board  Moves      Start
      chess          Chess                           0  8x8    known      standard
      chess960       Chess960                           8x8    known      one of 960
      crazyhouse     Crazyhouse                         8x8    known      standard
      bughouse       Bughouse                           8x8    text only  standard
      threecheck     Three-check                        8x8    known      standard
      fivecheck      Five-check                         8x8    known      standard
      kingofthehill  King of the Hill                   8x8    known      standard
      atomic         Atomic                             8x8    known      standard
      antichess      Antichess                          8x8    known      standard
      suicide        Suicide                            8x8    known      standard
      losers         Losers                             8x8    text only  standard
      horde          Horde                              8x8    known      rnbqkbnr/pppppppp/8/1PP2PP1/…
      racingkings    Racing Kings                       8x8    known      8/8/8/8/8/8/krbnNBRK/qrbnNBRQ
      capablanca     Capablanca Chess                   10x8   known      rnabqkbcnr/pppppppppp/10/10/…
      caparandom     Capablanca Random Chess            10x8   known      varies from game to game
      gothic         Gothic Chess                       10x8   known      rnbqckabnr/pppppppppp/10/10/…
      embassy        Embassy Chess                      10x8   known      rnbqkcabnr/pppppppppp/10/10/…
      janus          Janus Chess                        10x8   known      rjnbkqbnjr/pppppppppp/10/10/…
      capahouse      Capahouse                          10x8   known      rnabqkbcnr/pppppppppp/10/10/…
      grand          Grand Chess                        10x10  known      r8r/1nbqkcabn1/pppppppppp/10…
      seirawan       Seirawan Chess                     8x8    known      standard
      xiangqi        Xiangqi                         1  9x10   known      rnbakabnr/9/1c5c1/p1p1p1p1p/…
      othello        Othello                        50  8x8    known      8/8/8/3OX3/3XO3/8/8/8
      minixiangqi    Minixiangqi                        7x7    known      rcnkncr/p1ppp1p/7/7/7/P1PPP1…
      gardner        Gardner's Minichess                5x5    known      rnbqk/ppppp/5/PPPPP/RNBQK
      losalamos      Los Alamos Chess                   6x6    known      rnqknr/pppppp/6/6/PPPPPP/RNQ…

    Draughts
      Name           Title                     GameType  Board  Squares   Start
      international  International draughts          20  10x10  1 to 50   20 men a side, White first
      english        English draughts                21  8x8    1 to 32   12 men a side, Black first
      italian        Italian draughts                22  8x8    1 to 32   12 men a side, White first
      pool           American pool checkers          23  8x8    1 to 32   12 men a side, Black first
      poolunified    Pool checkers (unified)         23  8x8    a1 to h8  12 men a side, White first
      jamaican       Jamaican draughts               23  8x8    a1 to h8  12 men a side, Black first
      spanish        Spanish draughts                24  8x8    1 to 32   12 men a side, White first
      russian        Russian draughts                25  8x8    a1 to h8  12 men a side, White first
      brazilian      Brazilian draughts              26  8x8    a1 to h8  12 men a side, White first
      canadian       Canadian draughts               27  12x12  1 to 72   30 men a side, White first
      portuguese     Portuguese draughts             28  8x8    1 to 32   12 men a side, White first
      czech          Czech draughts                  29  8x8    a1 to h8  12 men a side, White first
      turkish        Turkish draughts                30  8x8    a1 to h8  16 men a side, White first
      thai           Thai draughts                   31  8x8    1 to 32   8 men a side, Black first
      frisian        Frisian draughts                40  10x10  1 to 50   20 men a side, White first
      spantsiretti   Spantsiretti draughts           41  10x8   a1 to j8  15 men a side, White first
      breakthrough   Breakthrough                    96  10x10  1 to 50   20 men a side, White first
      frysk          Frysk!                          97  10x10  1 to 50   5 men a side, White first
      antidraughts   Antidraughts                    98  10x10  1 to 50   20 men a side, White first
      killer         Killer draughts                     10x10  1 to 50   20 men a side, White first
      armenian       Armenian draughts (Tama)            8x8    a1 to h8  16 men a side, White first

    `plydex variants NAME` explains the rules of one
    ");
}

#[test]
fn the_rules_of_one_variant() {
    insta::assert_snapshot!(ok(&["variants", "Fries", "dammen"]), @"
    Frisian draughts

      Name      frisian
      Also      Frysk dammen, Fries dammen, Frisian checkers
      GameType  40,W,10,10,N2,0
      Board     10x10, 50 squares used, numbered 1 to 50 from the top left, seen by White
      Start     20 men a side on 4 rows; White moves first
      Men       move diagonally forward, capture in all eight directions
      Kings     move diagonally, forward and backward, capture in all eight directions, any distance
      Captures  compulsory; the greatest value must be taken (a man 100, a king 199), with a king if
                values are equal
      Crowned   a man that ends its move on the last row; passing over it does not count
      Removal   captured pieces are removed after the move and may not be jumped twice
      Goal      a player who cannot move loses
      Results   1-0 (White has won), 1/2-1/2, 0-1
      Notation  22-18, captures 22x15
      FEN       W:W31-50:B1-20
      Source    friesdammen.nl; dctl rules/frisian, lidraughts

       ┌─────────────────────┐
     1 │   ●   ●   ●   ●   ● │ 5
     6 │ ●   ●   ●   ●   ●   │ 10
    11 │   ●   ●   ●   ●   ● │ 15
    16 │ ●   ●   ●   ●   ●   │ 20
    21 │   ·   ·   ·   ·   · │ 25
    26 │ ·   ·   ·   ·   ·   │ 30
    31 │   ○   ○   ○   ○   ○ │ 35
    36 │ ○   ○   ○   ○   ○   │ 40
    41 │   ○   ○   ○   ○   ○ │ 45
    46 │ ○   ○   ○   ○   ○   │ 50
       └─────────────────────┘
    ");
    insta::assert_snapshot!(ok(&["variants", "25"]), @"
    Russian draughts

      Name      russian
      Also      Shashki, Russia, Russkie shashki, Russian checkers
      GameType  25,W,8,8,A0,0
      Board     8x8, 32 squares used, a1 to h8
      Start     12 men a side on 3 rows; White moves first
      Men       move diagonally forward, capture diagonally, forward and backward
      Kings     move and capture diagonally, forward and backward, any distance
      Captures  compulsory; any capture may be chosen, but must be completed
      Crowned   a man that reaches the last row; it continues to capture as a king
      Removal   captured pieces are removed after the move and may not be jumped twice
      Goal      a player who cannot move loses
      Results   1-0 (White has won), 1/2-1/2, 0-1
      Notation  c3-d4, captures c3:e5
      FEN       W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8
      Source    Code of draughts of Russia (2004), 1.4 and 1.5

      ┌─────────────────┐
    8 │   ●   ●   ●   ● │
    7 │ ●   ●   ●   ●   │
    6 │   ●   ●   ●   ● │
    5 │ ·   ·   ·   ·   │
    4 │   ·   ·   ·   · │
    3 │ ○   ○   ○   ○   │
    2 │   ○   ○   ○   ○ │
    1 │ ○   ○   ○   ○   │
      └─────────────────┘
        a b c d e f g h
    ");
    insta::assert_snapshot!(ok(&["variants", "bughouse"]), @"
    Bughouse

      Name    bughouse
      Also    Bug, Bughouse chess, wild/24
      Board   8x8
      Moves   not supported: games are stored as tags and text
      Start   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1
      Source  FICS, help bughouse
    ");
}

#[test]
fn moves_of_chess() {
    insta::assert_snapshot!(ok(&["moves", "f3", "e5"]), @"
    Chess, White to move

      ┌─────────────────┐
    8 │ ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ │
    7 │ ♟ ♟ ♟ ♟ · ♟ ♟ ♟ │
    6 │ · · · · · · · · │
    5 │ · · · · ♟ · · · │
    4 │ · · · · · · · · │
    3 │ · · · · · ♙ · · │
    2 │ ♙ ♙ ♙ ♙ ♙ · ♙ ♙ │
    1 │ ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖ │
      └─────────────────┘
        a b c d e f g h

    rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2

    19 moves
      Kf2  Na3  Nc3  Nh3  a3   a4   b3   b4   c3   c4
      d3   d4   e3   e4   f4   g3   g4   h3   h4
    ");
    insta::assert_snapshot!(ok(&["moves", "f3", "e5", "g4", "Qh4"]), @"
    Chess, White to move

      ┌─────────────────┐
    8 │ ♜ ♞ ♝ · ♚ ♝ ♞ ♜ │
    7 │ ♟ ♟ ♟ ♟ · ♟ ♟ ♟ │
    6 │ · · · · · · · · │
    5 │ · · · · ♟ · · · │
    4 │ · · · · · · ♙ ♛ │
    3 │ · · · · · ♙ · · │
    2 │ ♙ ♙ ♙ ♙ ♙ · · ♙ │
    1 │ ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖ │
      └─────────────────┘
        a b c d e f g h

    rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3

    checkmate
    White has no legal move
    ");
}

#[test]
fn moves_of_draughts() {
    insta::assert_snapshot!(ok(&["moves", "32-28", "19-23"]), @"
    International draughts, White to move

       ┌─────────────────────┐
     1 │   ●   ●   ●   ●   ● │ 5
     6 │ ●   ●   ●   ●   ●   │ 10
    11 │   ●   ●   ●   ●   ● │ 15
    16 │ ●   ●   ●   ·   ●   │ 20
    21 │   ·   ·   ●   ·   · │ 25
    26 │ ·   ·   ○   ·   ·   │ 30
    31 │   ○   ·   ○   ○   ○ │ 35
    36 │ ○   ○   ○   ○   ○   │ 40
    41 │   ○   ○   ○   ○   ○ │ 45
    46 │ ○   ○   ○   ○   ○   │ 50
       └─────────────────────┘

    W:W28,31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,20,23

    1 capture
      28x19  takes 23
    ");
    insta::assert_snapshot!(ok(&["moves", "W:WK46,K20,7:B37,K11,19,2", "--notation", "full"]), @"
    International draughts, White to move

       ┌─────────────────────┐
     1 │   ·   ●   ·   ·   · │ 5
     6 │ ·   ○   ·   ·   ·   │ 10
    11 │   ♚   ·   ·   ·   · │ 15
    16 │ ·   ·   ·   ●   ♔   │ 20
    21 │   ·   ·   ·   ·   · │ 25
    26 │ ·   ·   ·   ·   ·   │ 30
    31 │   ·   ·   ·   ·   · │ 35
    36 │ ·   ●   ·   ·   ·   │ 40
    41 │   ·   ·   ·   ·   · │ 45
    46 │ ♔   ·   ·   ·   ·   │ 50
       └─────────────────────┘

    W:W7,K20,K46:B2,K11,19,37

    4 captures
      46x32x5   takes 19, 37
      46x28x6   takes K11, 37
      46x32x10  takes 19, 37
      46x32x14  takes 19, 37
    ");
    insta::assert_snapshot!(ok(&["moves", "c3-d4", "d6-c5", "--variant", "russian"]), @"
    Russian draughts, White to move

      ┌─────────────────┐
    8 │   ●   ●   ●   ● │
    7 │ ●   ●   ●   ●   │
    6 │   ●   ·   ●   ● │
    5 │ ·   ●   ·   ·   │
    4 │   ·   ○   ·   · │
    3 │ ○   ·   ○   ○   │
    2 │   ○   ○   ○   ○ │
    1 │ ○   ○   ○   ○   │
      └─────────────────┘
        a b c d e f g h

    W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3,d4:Bc5,b6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8

    7 moves
      a3-b4  b2-c3  d2-c3  d4-e5  e3-f4  g3-f4  g3-h4
    ");
    insta::assert_snapshot!(ok(&["moves", "B:W12,K3:B4", "--notation", "algebraic", "--variant", "english"]), @"
    English draughts, Black to move

      ┌─────────────────┐
    8 │   ·   ·   ♔   ● │
    7 │ ·   ·   ·   ·   │
    6 │   ·   ·   ·   ○ │
    5 │ ·   ·   ·   ·   │
    4 │   ·   ·   ·   · │
    3 │ ·   ·   ·   ·   │
    2 │   ·   ·   ·   · │
    1 │ ·   ·   ·   ·   │
      └─────────────────┘
        a b c d e f g h

    B:Wh6,Kf8:Bh8

    1 move
      h8-g7
    ");
    insta::assert_snapshot!(ok(&["moves", "B:W9,10:B", "--variant", "english"]), @"
    English draughts, Black to move

       ┌─────────────────┐
     1 │   ·   ·   ·   · │ 4
     5 │ ·   ·   ·   ·   │ 8
     9 │   ○   ○   ·   · │ 12
    13 │ ·   ·   ·   ·   │ 16
    17 │   ·   ·   ·   · │ 20
    21 │ ·   ·   ·   ·   │ 24
    25 │   ·   ·   ·   · │ 28
    29 │ ·   ·   ·   ·   │ 32
       └─────────────────┘

    B:W9,10:B

    White has won
    Black has no legal move
    ");
}

#[test]
fn perft_of_draughts() {
    assert_eq!(
        ok(&["perft", "--variant", "international", "--depth", "5"]),
        "27117\n"
    );
    assert_eq!(
        ok(&["perft", "--variant", "Shashki", "--depth", "6"]),
        "37986\n"
    );
    let keep = [
        "perft",
        "--variant",
        "40",
        "--depth",
        "4",
        "--equal-captures",
        "keep",
    ];
    assert_eq!(ok(&keep), "3880\n");
    assert_eq!(ok(&keep[..5]), "3874\n");
    // Chess is as it was.
    assert_eq!(ok(&["perft", "--depth", "3"]), "8902\n");
    insta::assert_snapshot!(ok(&["perft", "32-28", "19-23", "--depth", "2", "--divide"]), @"
    28x19: 2

    Nodes searched: 2
    ");
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let told = |args: &[&str]| {
        let ran = ran(args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        ran.err
    };
    insta::assert_snapshot!(told(&["variants", "hexagonal"]), @"
    error: `hexagonal` is not a known variant
    hint: `plydex variants` lists all variants
    ");
    insta::assert_snapshot!(told(&["moves", "32-28", "33-29"]), @"
    error: move 1...: `33-29` cannot be played: the piece on 33 is White's, and it is Black's move (after 1. 32-28)
    hint: moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(told(&["moves", "--variant", "bughouse"]), @r"
    error: the moves of Bughouse are not supported
    hint: leave out the POSITION: games of this variant are stored as text and found by their tags
    ");
    insta::assert_snapshot!(told(&["moves", "e4", "--notation", "full"]), @"
    error: --notation applies only to draughts
    hint: leave out --notation, or name the variant with --variant
    ");
    insta::assert_snapshot!(told(&["moves", "e4", "e5", "Ke3", "--variant", "atomic"]), @"
    error: move 2: `Ke3` cannot be played: the white king on e1 cannot go to e3 (after 1.e4 e5)
    hint: moves are written as `e4`, `Nf3`, drops as `N@f3`
    ");
    insta::assert_snapshot!(told(&["moves", "e4", "hello", "--variant", "capablanca"]), @"
    error: move 1...: `hello` is not a move (after 1.e4)
    hint: moves are written as `e4`, `Ci3` or `h1i3`
    ");
    insta::assert_snapshot!(told(&["moves", "h2e2", "h9g7", "i0h9", "--variant", "xiangqi"]), @"
    error: move 2: `i0h9` is not legal (after 1.Che3 Hg8)
    hint: moves are written as `h3e3` (or `h2e2`), `C2=5` or `Che3`
    ");
    insta::assert_snapshot!(told(&["moves", "f5d6e5", "--variant", "othello"]), @"
    error: move 3: `e5` is not legal (after f5 d6)
    hint: moves are written as `f5`, a pass as `--`
    ");
    insta::assert_snapshot!(told(&["perft", "--depth", "2", "--equal-captures", "keep"]), @"
    error: --equal-captures applies only to draughts, where captures can differ in their path
    hint: leave out --equal-captures, or name the variant with --variant
    ");
    insta::assert_snapshot!(told(&["moves", "W:W55:B3", "--variant", "international"]), @"
    error: not a valid draughts FEN: `55` is not a square that this board uses
    hint: International draughts is played on 10x10: squares 1 to 50, or a1 to j10
    ");
}

/// Captures beyond counting end in an error, never in a part of them.
#[test]
fn incomplete_answers_are_not_given() {
    let fen = "W:WK5:BK2,K4,K7,K8,K9,K10,K11,K13,K15,K16,K18,K19,K20,K21,K22,K24,K27,K29,K30,K31,\
               K32,K33,K35,K36,K38,K40,K41,K42,K43,K44,K47,K49";
    for args in [
        &["moves", fen, "--variant", "frisian"][..],
        &["perft", fen, "--variant", "frisian", "--depth", "1"],
    ] {
        let ran = ran(args);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(ran.err, @"
            error: the moves of this position cannot all be listed
              because: the captures of this position branch too often to be listed
            hint: remove some of the pieces; no real game has that many captures
            ");
        }
    }
}

#[test]
fn json_has_the_documented_fields() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).expect("docs");
    let json = |args: &[&str]| -> Value { serde_json::from_str(&ok(args)).expect("JSON") };
    let variants = json(&["variants", "--format", "json"]);
    let frisian = json(&["variants", "frisian", "--format", "json"]);
    assert!(
        variants
            .as_array()
            .is_some_and(|all| all.contains(&frisian))
    );
    let draughts = json(&["moves", "32-28", "19-23", "--format", "json"]);
    let chess = json(&["moves", "e4", "--format", "json"]);
    let perft = [
        "perft",
        "--variant",
        "thai",
        "--depth",
        "1",
        "--divide",
        "--format",
        "json",
    ];
    for object in [
        &variants[0],
        &frisian,
        &frisian["rules"],
        &draughts,
        &draughts["moves"][0],
        &chess,
        &chess["moves"][0],
        &json(&perft),
    ] {
        for name in object.as_object().expect("an object").keys() {
            let told = documented.contains(&format!("`{name}`"))
                || documented.contains(&format!("\"{name}\""));
            assert!(told, "docs/json.md does not tell of {name}");
        }
    }
    assert_eq!(draughts["moves"][0]["takes"][0], "23");
}

#[test]
fn one_position_in_every_notation() {
    let problem = "T7/4k3/4S3/K2L4/8/8/8/5T2";
    for (args, expected) in [
        (&[problem][..], "R7/4k3/4N3/K2B4/8/8/8/5R2 w - - 0 1"),
        (
            &[problem, "--to", "forsyth:el"],
            "Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2",
        ),
        (
            &["Π7/4ρ3/4Ι3/Ρ2Α4/8/8/8/5Π2", "--to", "forsyth:german"],
            problem,
        ),
        (
            &["960:0", "--to", "shredder"],
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        ),
        (
            &["e4", "--ep", "fen"],
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        ),
        (
            &["8/8/8/K2pP2r/8/8/8/7k w - d6", "--to", "xfen"],
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
        ),
        (
            &[
                "4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\"; bm e2e4",
                "--to",
                "epd",
            ],
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"x\";",
        ),
        (
            &["W:W50:BK1", "--to", "hub"],
            "WBeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeew",
        ),
    ] {
        let args: Vec<&str> = ["-q", "convert"].iter().chain(args).copied().collect();
        assert_eq!(ok(&args).trim_end(), expected, "{args:?}");
    }
    let json: Value =
        serde_json::from_str(&ok(&["convert", problem, "h#2", "--format", "json"])).expect("JSON");
    assert_eq!(json["language"], "de");
    assert_eq!(json["stipulation"], "h#2");
    assert_eq!(json["fen"], "R7/4k3/4N3/K2B4/8/8/8/5R2 b - - 0 1");
}

#[test]
fn diagrams_of_several_languages_are_named() {
    let ran = ran(&["convert", "T7/4k3/4P3/K2L4/8/8/8/5T2"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.contains("it can also be Dutch"), "{ran:?}");
}

#[test]
fn boards_are_drawn() {
    insta::assert_snapshot!(ok(&["board", "T7/4k3/4S3/K2L4/8/8/8/5T2", "--ascii", "--black-below"]), @"
      +-----------------+
    1 | . . R . . . . . |
    2 | . . . . . . . . |
    3 | . . . . . . . . |
    4 | . . . . . . . . |
    5 | . . . . B . . K |
    6 | . . . N . . . . |
    7 | . . . k . . . . |
    8 | . . . . . . . R |
      +-----------------+
        h g f e d c b a
    ");
    let svg = ok(&["board", "--variant", "frisian", "--svg", "-"]);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn boards_of_other_games() {
    insta::assert_snapshot!(ok(&["board", "C2=5", "H8+7", "--variant", "xiangqi"]), @"
       ┌────────────────────────────┐
    10 │ 車 馬 象 士 將 士 象 ·  車 │
     9 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │
     8 │ ·  砲 ·  ·  ·  ·  馬 砲 ·  │
     7 │ 卒 ·  卒 ·  卒 ·  卒 ·  卒 │
     6 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │
       │~~~~~~~~~~~~~~~~~~~~~~~~~~~~│
     5 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │
     4 │ 兵 ·  兵 ·  兵 ·  兵 ·  兵 │
     3 │ ·  炮 ·  ·  炮 ·  ·  ·  ·  │
     2 │ ·  ·  ·  ·  ·  ·  ·  ·  ·  │
     1 │ 俥 傌 相 仕 帥 仕 相 傌 俥 │
       └────────────────────────────┘
         a  b  c  d  e  f  g  h  i
    ");
    insta::assert_snapshot!(ok(&["board", "8/8/8/3OX3/3XO3/8/8/8 b", "--ascii"]), @"
      +-----------------+
    1 | . . . . . . . . |
    2 | . . . . . . . . |
    3 | . . . . . . . . |
    4 | . . . O X . . . |
    5 | . . . X O . . . |
    6 | . . . . . . . . |
    7 | . . . . . . . . |
    8 | . . . . . . . . |
      +-----------------+
        a b c d e f g h
    ");
    insta::assert_snapshot!(ok(&["board", "Nh3", "--variant", "gothic"]), @"
      ┌─────────────────────┐
    8 │ ♜ ♞ ♝ ♛ c ♚ a ♝ ♞ ♜ │
    7 │ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ │
    6 │ · · · · · · · · · · │
    5 │ · · · · · · · · · · │
    4 │ · · · · · · · · · · │
    3 │ · · · · · · · ♘ · · │
    2 │ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ │
    1 │ ♖ ♘ ♗ ♕ C ♔ A ♗ · ♖ │
      └─────────────────────┘
        a b c d e f g h i j
    ");
    insta::assert_snapshot!(ok(&["variants", "seirawan"]), @"
    Seirawan Chess

      Name    seirawan
      Also    S-Chess
      Board   8x8
      Moves   supported: games are replayed and their positions found
      Start   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1
      Source  Y. Seirawan and B. Harper, S-Chess (2007)

      ┌─────────────────┐
    8 │ ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ │
    7 │ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ │
    6 │ · · · · · · · · │
    5 │ · · · · · · · · │
    4 │ · · · · · · · · │
    3 │ · · · · · · · · │
    2 │ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ │
    1 │ ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖ │
      └─────────────────┘
        a b c d e f g h
    ");
}

#[test]
fn moves_of_other_games() {
    insta::assert_snapshot!(ok(&["moves", "f5d6", "--variant", "othello"]), @"
    Othello, Black to move

      ┌─────────────────┐
    1 │ · · · · · · · · │
    2 │ · · · · · · · · │
    3 │ · · · · · · · · │
    4 │ · · · ○ ● · · · │
    5 │ · · · ○ ● ● · · │
    6 │ · · · ○ · · · · │
    7 │ · · · · · · · · │
    8 │ · · · · · · · · │
      └─────────────────┘
        a b c d e f g h

    8/8/8/3OX3/3OXX2/3O4/8/8 b

    5 moves
      c3  c4  c5  c6  c7
    ");
    let stalemate = "3k5/2P6/9/9/9/9/9/9/9/4K4 b";
    let told = ok(&["moves", stalemate]);
    assert!(
        told.contains("Black to move")
            && told.ends_with("stalemate; the side to move loses\nBlack has no legal move\n"),
        "{told}"
    );
    for (args, nodes) in [
        (["--variant", "janus", "--depth", "3"], "24747\n"),
        (["--variant", "xiangqi", "--depth", "3"], "79666\n"),
        (["--variant", "50", "--depth", "5"], "1396\n"),
    ] {
        let mut line = vec!["perft"];
        line.extend(args);
        assert_eq!(ok(&line), nodes);
    }
}

#[test]
fn positions_of_other_games_are_converted() {
    let array = "bqnrakrcnb/pppppppppp/10/10/10/10/PPPPPPPPPP/BQNRAKRCNB w GDgd - 0 1";
    for (args, text) in [
        (
            vec![array, "--variant", "caparandom"],
            array.replace("GDgd", "KQkq"),
        ),
        (
            vec![array, "--variant", "crc", "--to", "shredder"],
            array.to_owned(),
        ),
        (
            vec!["B:Wd4,e5:Be4,d5", "--variant", "othello"],
            "8/8/8/3OX3/3XO3/8/8/8 b".to_owned(),
        ),
        (
            vec!["rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"],
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1".to_owned(),
        ),
        (
            vec!["startpos", "--variant", "atomic", "--to", "shredder"],
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1".to_owned(),
        ),
        (
            vec!["e4 d5 e5 f5", "--variant", "crazyhouse", "--to", "xfen"],
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR[] w KQkq f6 0 3".to_owned(),
        ),
        (
            vec!["startpos", "--variant", "threecheck", "--to", "epd"],
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3".to_owned(),
        ),
        (
            vec![
                "W:W31-33:B1-3 bm 31-27; id \"x\";",
                "--variant",
                "international",
                "--to",
                "epd",
            ],
            "W:W31,32,33:B1,2,3 bm 31-27; id \"x\";".to_owned(),
        ),
        (
            vec![
                "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - bm Ad3; fmvn 5; id \"cap\";",
            ],
            "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 5".to_owned(),
        ),
    ] {
        let mut line = vec!["convert"];
        line.extend(&args);
        assert_eq!(ok(&line).trim_end(), text, "{args:?}");
    }
    for args in [
        [
            "convert",
            "startpos",
            "--variant",
            "xiangqi",
            "--to",
            "shredder",
        ],
        [
            "convert",
            "startpos",
            "--variant",
            "caparandom",
            "--to",
            "fen",
        ],
        ["moves", "Ci3", "--variant", "gothic", "--format", "text"],
    ] {
        let ran = ran(&args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.err.contains("hint: "), "{}", ran.err);
    }
}

#[test]
fn move_lists_of_chess_variants_are_read_as_those_of_chess() {
    let plain = ok(&["moves", "--variant", "atomic", "e4 e5 Nf3"]);
    for line in [
        "1 e4 e5 2 Nf3",
        "1. e4 {x} e5 2. Nf3!",
        "1.e4 e5 2.Sf3",
        "e4 e5 \u{2658}f3",
        "e2-e4 e7e5 Ng1-f3",
        "startpos moves e2e4 e7e5 g1f3",
        "e4e5Nf3",
    ] {
        assert_eq!(ok(&["moves", "--variant", "atomic", line]), plain, "{line}");
    }
    let said = ran(&["moves", "--variant", "crazyhouse", "e4 e5 N@f3"]);
    assert_eq!(said.status, Some(2));
    assert!(said.err.contains("White has no knight in hand"), "{said:?}");
}

#[test]
fn fens_of_variants_are_converted() {
    for row in include_str!("../../vectors/variant_fen.tsv")
        .lines()
        .skip(1)
    {
        let cells: Vec<&str> = row.split('\t').collect();
        let args = ["convert", cells[1], "--variant", cells[0]];
        match cells[2] {
            error if error.starts_with("err:") => assert_eq!(ran(&args).status, Some(2), "{row}"),
            "same" => assert_eq!(ok(&args).trim_end(), cells[1], "{row}"),
            canonical => assert_eq!(ok(&args).trim_end(), canonical, "{row}"),
        }
    }
}

#[test]
fn a_drawing_tells_the_side_to_move_where_it_was_said() {
    let pieces = "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR";
    for variant in ["chess", "atomic", "crazyhouse", "threecheck", "fivecheck"] {
        let drawn = |text: &str| ok(&["board", "--variant", variant, text, "--svg", "-"]);
        let chess = ok(&["board", pieces, "--svg", "-"]);
        assert_eq!(drawn(pieces), chess, "{variant}");
        assert_ne!(drawn(&format!("{pieces} w - -")), chess, "{variant}");
    }
}
