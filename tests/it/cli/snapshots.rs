//! What people see, to the letter. Sizes and paths are masked.

use super::{db, ok, sample_data};

/// Output as it can be compared: sizes and paths masked.
fn masked(args: &[&str]) -> String {
    let samples = sample_data();
    let text = ok(args)
        .replace(db().to_str().expect("UTF-8"), "[db]")
        .replace(samples.to_str().expect("UTF-8"), "[samples]");
    let lines = text.lines().map(|line| {
        let sized = args[0] == "info" && line.contains(" B a game");
        if sized {
            let name = line.split_whitespace().next().unwrap_or_default();
            format!("  {name} [size]")
        } else {
            line.trim_end().to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn search_gives_a_table() {
    insta::assert_snapshot!(masked(&["search", "e4", "c5", "Nf3", "d6"]), @r#"
    Game  White             Black             Result  Date        ECO  Event            Plies  At  Next
      41  Hasty, Hugo       Patient, Paul     0-1     2026.11.20  B54  Illegal move i…      8  3.  d4
      83  Bilek, Istvan     Fischer, Robert…  0-1     1962.02     B97  Interzonal          54  3.  d4
      84  Fischer, Robert…  Bolbochan, Julio  1-0     1962.03     B90  Interzonal          73  3.  d4
      85  Fischer, Robert…  Najdorf, Miguel   1-0     1962.09     B90  Olympiad            47  3.  d4
      95  Spassky, Boris    Fischer, Robert…  1-0     1972.08.06  B97  World Champion…     61  3.  d4
    "#);
    insta::assert_snapshot!(masked(&["search", "d4", "d5", "c4", "--result", "1-0", "--sort", "date:desc", "--limit", "4"]), @r#"
    Game  White            Black            Result  Date        ECO  Event            Plies    At  Next
      40  Verbose, Vera    Patient, Paul    1-0     2026.11.20  D20  Unclosed comme…      4  2...  dxc4
      76  Alekhine, Alex…  Lasker, Emanuel  1-0     1934.07     D67  Zurich              51  2...  e6
      59  Pillsbury, Har…  Tarrasch, Sieg…  1-0     1895.08.06  D63  Hastings           103  2...  e6
    "#);
}

#[test]
fn plans_tell_what_each_step_leaves() {
    let plan = |question: &str| masked(&["search", "--explain", question]);
    let plans: Vec<String> = [
        "mate",
        "move:Bxh7 and not player:fischer",
        "Pd4 Pc/e=0 and won:fischer",
        "promotes:Q or castles:O-O-O",
        "either mirror { Nf5 pg7 }",
        "Pe4 next pd5",
        "variant:international M28 m:1-20=5..",
    ]
    .map(|question| format!("{question}\n{}", plan(question)))
    .into();
    insta::assert_snapshot!(plans.join("\n\n"), @r"
    mate
    step       path     read  possible  certain
    all games                      138      138
    mate       columns  10 B        18       18
    found                           18       18

    move:Bxh7 and not player:fischer
    step            path     read  possible  certain
    all games                           138      138
    player:fischer  names                11       11
    move:Bxh7       columns   3 B         2        0
    together                              2        0
    replayed        replay                2        2
    found                                 2        2

    Pd4 Pc/e=0 and won:fischer
    step         path    possible  certain
    all games                 138      138
    won:fischer  names          9        9
    Pd4 Pc/e=0   replay         –        –
    together                    9        0
    replayed     replay         9        2
    found                       2        2

    promotes:Q or castles:O-O-O
    step           path     read  possible  certain
    all games                          138      138
    promotes:Q     columns   5 B         3        3
    castles:O-O-O  columns  11 B        10       10
    together                            12       12
    found                               12       12

    either mirror { Nf5 pg7 }
    step       path       read  possible  certain
    all games                        138      138
    Nf5 pg7    columns  2.9 kB        11        0
    replayed   replay                 11        7
    found                              7        7

    Pe4 next pd5
    step          path     read  possible  certain
    all games                         138      138
    Pe4 next pd5  columns  21 B        24        0
    replayed      replay               24       16
    found                              16       16

    variant:international M28 m:1-20=5..
    step                   path    possible  certain
    all games                           138      138
    variant:international  facts          5        5
    M28 m1-20=5..          replay         –        –
    together                              5        0
    replayed               replay         5        1
    found                                 1        1
    ");
}

#[test]
fn search_gives_json() {
    insta::assert_snapshot!(masked(&["search", "e4", "c5", "Nf3", "d6", "--limit", "1", "--format", "json"]), @r#"
    {
      "offset": 0,
      "hits": [
        {
          "id": 41,
          "white": "Hasty, Hugo",
          "black": "Patient, Paul",
          "white_elo": null,
          "black_elo": null,
          "event": "Illegal move in the middle",
          "site": "?",
          "date": "2026.11.20",
          "round": "3",
          "result": "0-1",
          "result_written": "0-1",
          "eco": "",
          "opening": {
            "eco": "B54",
            "name": "Sicilian Defense: Modern Variations, Main Line"
          },
          "variant": "chess",
          "plies": 8,
          "start_fen": null,
          "ply": 4,
          "next_move": "d4",
          "in_variation": false
        }
      ],
      "total": 5
    }
    "#);
}

#[test]
fn tree_gives_moves_and_scores() {
    insta::assert_snapshot!(masked(&["tree", "e4", "e5"]), @r#"
    C20  King's Pawn Game
    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2

    Move       Games   Share  White  Draw  Black                        Score (W)  Years
    Nf3           15   78.9%    79%   14%     7%  ████████████████▒▒▒░      85.7%  1750–2026
    f4             2   10.5%   100%    0%     0%  ████████████████████     100.0%  1851–1960
    Nc3            1    5.3%     0%  100%     0%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒      50.0%  1872
    Bc4            1    5.3%   100%    0%     0%  ████████████████████     100.0%  2026
    Total         19  100.0%    78%   17%     6%  ████████████████▒▒▒░      86.1%  1750–2026
    no result      1    5.3%
    Played once: Nc3 in game 55, Bc4 in game 45
    "#);
    insta::assert_snapshot!(masked(&["tree", "e4", "c5", "--format", "csv"]), @r#"
    san,uci,games,white_wins,draws,black_wins,no_result,score,average_rating,performance,first_year,last_year,opening_eco,opening_name,average_opponent_rating,game,line
    Nf3,g1f3,7,4,0,3,0,0.5714285714285714,,,1962,2026,B27,Sicilian Defense,,,
    (game ends),,0,0,0,0,0,,,,,,,,,,
    (total),,7,4,0,3,0,0.5714285714285714,,,1962,2026,,,,,
    "#);
}

#[test]
fn show_gives_a_game() {
    insta::assert_snapshot!(masked(&["show", "43"]), @r#"
    Game      43
    Event     Moves without blanks
    Site      ?
    Date      2026.11.31
    Round     5
    White     Terse, Theo
    Black     Patient, Paul
    Result    *
    Opens as  C70 Ruy Lopez: Morphy Defense

    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *

    Read from [samples]/pgn/broken.pgn, game 5
    "#);
    insta::assert_snapshot!(masked(&["show", "46", "--ply", "7"]), @r#"
    Game     46
    Event    Made-up games
    Site     ?
    Date     2026.11.20
    Round    ?
    White    Position 356, White
    Black    Position 356, Black
    Result   0-1
    Variant  Chess960
    SetUp    1
    FEN      nbbrkrqn/pppppppp/8/8/8/8/PPPPPPPP/NBBRKRQN w KQkq - 0 1

    1. Nb3 Ng6 2. Ng3 Nf4 3. Ne4 f5 4. Nec5 e5 5. d4 Qc4 6. Bxf4 exf4 7. O-O-O O-O
    8. Nd3 c6 9. h4 Bd6 10. e3 fxe3 11. fxe3 Nb6 12. Nd2 Qd5 13. c3 a5 14. b4 Nc4
    15. Nxc4 Qxc4 16. bxa5 Qxc3+ 17. Bc2 Qxa5 18. Bb3+ Kh8 19. Bc4 Qc3+ 20. Kb1 Qxc4
    21. Rfe1 Qb5+ 22. Nb2 h5 0-1

    After 4.Nec5 (ply 7)

      ┌─────────────────┐
    8 │ ♞ ♝ ♝ ♜ ♚ ♜ ♛ · │
    7 │ ♟ ♟ ♟ ♟ ♟ · ♟ ♟ │
    6 │ · · · · · · · · │
    5 │ · ·[♘]· · ♟ · · │
    4 │ · · · ·[·]♞ · · │
    3 │ · ♘ · · · · · · │
    2 │ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ │
    1 │ · ♗ ♗ ♖ ♔ ♖ ♕ · │
      └─────────────────┘
        a b c d e f g h

    nbbrkrq1/ppppp1pp/8/2N2p2/5n2/1N6/PPPPPPPP/1BBRKRQ1 b KQkq - 1 4

    Read from [samples]/pgn/chess960.pgn, game 1
    "#);
    insta::assert_snapshot!(masked(&["show", "98", "--ascii"]), @r#"
    Game         98
    Event        Study: Reti
    Site         ?
    Date         1921.??.??
    Round        ?
    White        White
    Black        Black
    Result       1/2-1/2
    Annotator    plydex
    Theme        Draw by geometry
    Stipulation  White to play and draw
    SetUp        1
    FEN          7K/8/k1P5/7p/8/8/8/8 w - - 0 1

    1. Kg7
        The king walks towards both pawns at once.
    1...h4 2. Kf6 Kb6
        (2... h3 3. Ke7 h2 4. c7 Kb7 5. Kd7 {and both sides promote})
    3. Ke5! h3
        (3... Kxc6 4. Kf4 {catches the pawn})
    4. Kd6 h2 5. c7 Kb7 6. Kd7 1/2-1/2

    After 6.Kd7 (ply 11)

      +-----------------+
    8 | . . . . . . . . |
    7 | . k P[K]. . . . |
    6 | . . .[.]. . . . |
    5 | . . . . . . . . |
    4 | . . . . . . . . |
    3 | . . . . . . . . |
    2 | . . . . . . . p |
    1 | . . . . . . . . |
      +-----------------+
        a b c d e f g h

    8/1kPK4/8/8/8/8/7p/8 b - - 2 6

    Read from [samples]/pgn/setup.pgn, game 1
    "#);
    insta::assert_snapshot!(masked(&["show", "41", "--format", "pgn"]), @r#"
    [Event "Illegal move in the middle"]
    [Site "?"]
    [Date "2026.11.20"]
    [Round "3"]
    [White "Hasty, Hugo"]
    [Black "Patient, Paul"]
    [Result "0-1"]

    1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Ke3 g6 6. f3 Bg7 0-1

    "#);
}

#[test]
fn info_tells_what_is_there() {
    insta::assert_snapshot!(masked(&["info"]), @"
    [db]
      games        138  1497 to 2026-11-21
      plies      5,983  43.4 a game
      positions  6,119  indexed in 1 segment
      players      112
      events        93
      sites         46
      sources       15
      schema        17

    Variants
      chess          75
      english         7
      chess960        5
      international   5
      russian         4
      frisian         4
      xiangqi         3
      othello         3
      unknown         2
      capablanca      2
      caparandom      2
      gothic          2
      seirawan        2
      italian         2
      spanish         2
      brazilian       2
      canadian        2
      turkish         2
      thai            2
      crazyhouse      1
      embassy         1
      janus           1
      pool            1
      portuguese      1
      czech           1
      spantsiretti    1
      breakthrough    1
      frysk           1
      antidraughts    1

    Size
      total [size]
    ");
}
