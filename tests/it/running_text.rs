//! Positions in running text: who moves by the words beside them, boards that are drawn,
//! links.

use std::fmt::Write as _;

use {
    crate::support::{Base, one_in},
    plydex::{
        draw::board::{BoardStyle, Glyphs, draw},
        games::{AnyPosition, Budget, variant::ALL},
        import::{ImportOptions, ImportReport},
    },
};

const BOARD: &str = "4k3/8/8/8/8/8/4P3/4K3";

/// The start positions of a text that is called so, and its summary.
fn fens(name: &str, text: &str) -> (Vec<String>, ImportReport) {
    let base = Base::new();
    let path = base.folder().join(name);
    std::fs::write(&path, text).expect("a file");
    let done = base.import(&[path], ImportOptions::default());
    assert_eq!(done.seen, done.stored + done.duplicate + done.rejected);
    let fen = |game: plydex::base::record::GameRecord| game.header.start_fen.unwrap_or_default();
    (base.games().into_iter().map(fen).collect(), done)
}

/// How often a finding was made.
fn found(done: &ImportReport, code: &str) -> u64 {
    let counts = done.diagnostics.iter();
    let counts = counts.filter(|(known, _)| known.as_str() == code);
    counts.map(|(_, count)| count).sum()
}

#[test]
fn repeated_operations_behind_a_position_are_reported() {
    for (operations, odd) in [
        ("bm e4; id \"a\";", 0),
        ("bm e4; bm e4;", 1),
        ("hmvc 3; hmvc 4; bm e4;", 1),
        ("id \"a\"; bm e4; id \"b\";", 1),
    ] {
        let text = format!("Two of them:\n\n1) {BOARD} w - - {operations}\n\nAnd so on.\n");
        let (fens, done) = fens("a.txt", &text);
        assert_eq!(fens.len(), 1, "{operations}");
        assert_eq!(found(&done, "epd-spelling"), odd, "{operations}");
    }
}

#[test]
fn words_say_who_moves_on_a_board_alone() {
    for (text, sides) in [
        (format!("White to move: {BOARD}"), "w"),
        (
            format!("1. {BOARD} Black to play here\n2. {BOARD} White to move\n"),
            "bw",
        ),
        (
            format!("In this position\n{BOARD}\nSchwarz ist am Zug. Er hält remis.\n"),
            "b",
        ),
        (format!("Aux noirs de jouer.\n\n{BOARD}\n"), "b"),
        (format!("See {BOARD}.\n\nХод чёрных.\n"), "b"),
        // It belongs to the one that says nothing else.
        (
            format!("{BOARD} w - - 0 1\n\nBlack to move.\n\n{BOARD}\n"),
            "wb",
        ),
        (
            format!("Juegan negras:\n\n{BOARD}\n\nWhite to move:\n\n{BOARD}\n"),
            "bw",
        ),
        // Nobody knows to which of the two.
        (format!("{BOARD}\n\nBlack to move.\n\n{BOARD}\n"), "ww"),
        (format!("{BOARD}, if it is Black to move, is lost.\n"), "w"),
        (format!("Black won from {BOARD} with ease.\n"), "w"),
        (
            format!("So {BOARD} w - - 0 1 is lost; with Black to move it is drawn.\n"),
            "w",
        ),
        (
            format!("[{{\"fen\": \"{BOARD}\", \"turn\": \"black\"}}]"),
            "b",
        ),
        (
            format!("[{{\"fen\": \"{BOARD}\", \"title\": \"Black to move\"}}]"),
            "b",
        ),
        (
            format!("[{{\"fen\": \"{BOARD}\", \"winner\": \"black\"}}]"),
            "w",
        ),
        (format!("- fen: {BOARD}\n  zug: Schwarz\n"), "b"),
        (format!("fen;Zug\n{BOARD};Schwarz\n{BOARD};Weiß\n"), "bw"),
        (
            format!("fen,text\n{BOARD},\"Black to move, and wins\"\n{BOARD},quiet\n"),
            "bw",
        ),
    ] {
        let (fens, done) = fens("a.txt", &text);
        let wanted: Vec<String> = sides
            .chars()
            .map(|side| format!("{BOARD} {side} - - 0 1"))
            .collect();
        assert_eq!(fens, wanted, "{text}");
        assert_eq!(found(&done, "side-unclear"), 0, "{text}");
        let assumed = done.stored - u64::from(text.contains(" w - -"));
        assert_eq!(found(&done, "missing-fields"), assumed, "{text}");
    }
}

#[test]
fn who_moves_is_assumed_where_words_contradict_each_other() {
    for text in [
        format!("White to move, say some; Black to move, say others: {BOARD}\n"),
        format!("Black to move: {BOARD} White to play\n"),
        format!("[{{\"fen\": \"{BOARD}\", \"turn\": \"black\", \"title\": \"White to move\"}}]"),
    ] {
        let (fens, done) = fens("a.txt", &text);
        assert_eq!(fens, [format!("{BOARD} w - - 0 1")], "{text}");
        assert_eq!(found(&done, "side-unclear"), 1, "{text}");
    }
}

/// A board of python-chess, a frame of Stockfish with the FEN below it, figures, a board of
/// GNU Chess, one of ten files.
const DRAWN: &str = "\
Here is a board of python-chess. Black to move.

r n b q k b n r
p p p p . p p p
. . . . . . . .
. . . . p . . .
. . . . P . . .
. . . . . . . .
P P P P . P P P
R N B Q K B N R

The engine says:

 +---+---+---+---+---+---+---+---+
 | r |   |   |   | k |   |   |   | 8
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 7
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 6
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 5
 +---+---+---+---+---+---+---+---+
 |   |   |   |   | P |   |   |   | 4
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 3
 +---+---+---+---+---+---+---+---+
 |   |   |   |   |   |   |   |   | 2
 +---+---+---+---+---+---+---+---+
 |   |   |   |   | K |   |   |   | 1
 +---+---+---+---+---+---+---+---+
   a   b   c   d   e   f   g   h

Fen: r3k3/8/8/8/4P3/8/8/4K3 b q - 0 9
Key: B46022469E3DD31B

Figures:
8 ♜ · · · ♚ · · ♜
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 ♙ ♙ · · · · · ·
1 ♖ · · · ♔ · · ♖
  a b c d e f g h
Schwarz am Zug.

white  KQkq
r n b q k b n r 
p p p p p p p p 
. . . . . . . . 
. . . . . . . . 
. . . . . . . . 
. . . . . N . . 
P P P P P P P P 
R N B Q K B . R 

The large one:
r n a b q k b c n r
p p p p p p p p p p
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
P P P P P P P P P P
R N A B Q K B C N R
";

#[test]
fn boards_in_text_are_positions() {
    let wanted = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1",
        "r3k3/8/8/8/4P3/8/8/4K3 b q - 0 9",
        "r3k2r/8/8/8/8/8/PP6/R3K2R b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1",
        "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w - - 0 1",
    ];
    // What stands behind the last of them is about it, too.
    let cut = DRAWN.find("Key:").expect("a key");
    assert_eq!(fens("a.txt", &DRAWN[..cut]).0, wanted[..2]);
    for text in [
        DRAWN.to_owned(),
        DRAWN.replace('\n', "\r\n"),
        DRAWN.replace('\n', " \t\n"),
        DRAWN.replace('\n', "\n\n"),
        format!("\u{feff}{DRAWN}"),
    ] {
        let (fens, done) = fens("a.txt", &text);
        assert_eq!((done.formats[0].1, done.rejected), ("text", 0), "{text}");
        assert_eq!(fens, wanted, "{text}");
    }
}

#[test]
fn boards_are_not_cut_between_chunks() {
    let empty = ". . . . . . . .\n\n".repeat(6);
    let mut text = String::new();
    for number in 0..12_000 {
        let before = ". ".repeat(number % 6);
        let behind = " .".repeat(6 - number % 6);
        let _ = write!(
            text,
            "Board {number}:\n\nk . . . . . . .\n{empty}{before}. K{behind}\n\n"
        );
    }
    assert!(text.len() > 3 << 19, "{}", text.len());
    let (fens, done) = fens("a.txt", &text);
    assert_eq!((fens.len(), done.rejected), (12_000, 0));
}

#[test]
fn links_have_positions() {
    let ranks = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let encoded = ranks.replace('/', "%2F");
    let text = format!(
        "We had https://lichess.org/analysis/standard/{ranks}_w_KQkq_-_2_3 there, and then\n\
         [this](https://www.chess.com/analysis?fen={encoded}%20b%20KQkq%20-%202%203&tab=x).\n\
         No position: https://lichess.org/study/abcdefgh/ijklmnop#5 and a/b/c/d/e.\n"
    );
    let (fens, _) = fens("a.md", &text);
    let wanted = ["w", "b"].map(|side| format!("{ranks} {side} KQkq - 2 3"));
    assert_eq!(fens, wanted);
}

/// Long tables keep the names of their columns to their end.
#[test]
fn tables_of_markdown_are_one_table_over_chunks_and_blank_lines() {
    let many = 30_000 / one_in(3);
    let words = "Some words that nobody wants to read here and now, in a line.\n".repeat(300);
    let row = |at: usize| {
        let fen = format!("{BOARD} w - - {} {}", at % 50, at / 50 + 1);
        format!("| {at} | `{fen}` | note {at}, which is long enough to fill the table |\n")
    };
    let rows: String = (0..many).map(row).collect();
    let table = format!("{words}\n| Nr | FEN | Remark |\n|---|---|---|\n{rows}\nThe end.\n");
    for text in [table.clone(), table.replace('\n', "\n\n")] {
        let base = Base::new();
        let path = base.folder().join("a.md");
        std::fs::write(&path, &text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        assert_eq!((done.stored, done.rejected), (many as u64, 0));
        for game in base.games() {
            let names: Vec<&str> = game.tags.iter().map(|(name, _)| &name[..]).collect();
            assert!(
                names.contains(&"EPD_nr") && names.contains(&"EPD_remark"),
                "{names:?}"
            );
        }
    }
}

/// Draws a position of every game that has squares in rows, as `show`, `board` and `search` draw
/// it, and reads it again.
#[test]
fn boards_are_found_as_they_are_drawn_here() {
    let mut read = 0;
    for row in &ALL {
        let Some(start) = AnyPosition::start(row) else {
            continue;
        };
        let mut at = start;
        for ply in 0..7 {
            let moves = at.moves(Budget::default()).expect("few moves");
            let Some(chosen) = moves.get(ply * 5 % moves.len().max(1)) else {
                break;
            };
            at = chosen.behind.clone();
        }
        let mut text = "So it stood:\n\n".to_owned();
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            for flipped in [false, true] {
                let style = BoardStyle {
                    glyphs,
                    flipped,
                    color: false,
                };
                let drawn = draw(&at.diagram(), style);
                let _ = write!(text, "Black to move\n{drawn}\nAnd then:\n\n");
            }
        }
        let base = Base::new();
        let path = base.folder().join("a.txt");
        std::fs::write(&path, &text).expect("a file");
        let options = ImportOptions {
            variant: Some(row.id),
            ..ImportOptions::default()
        };
        base.import(&[path], options);
        let games = base.games();
        for game in &games {
            let fen = game.header.start_fen.as_deref().unwrap_or_default();
            let found = AnyPosition::read_fen(row, fen).expect("a position").at;
            assert_eq!(
                found.placement(),
                at.placement(),
                "{} {text}{fen}",
                row.name
            );
            assert_eq!(found.turn(), 1, "{} {text}{fen}", row.name);
        }
        read += usize::from(games.len() == 4);
    }
    assert!(read >= 30, "{read}");
}

#[test]
fn boards_of_draughts_and_othello_are_found() {
    let empty = ". . . . . . . .\n";
    let english = format!(
        ". b . b . . . b\nb . b . . . b .\n{}. w . . . W . .\nw . . . . . . .\n",
        empty.repeat(4)
    );
    let wide = format!(
        "{}. . . . . w . . . .\nB . . . . . . . . .\n",
        ". . . . . . . . . .\n".repeat(8)
    );
    let othello = format!(
        "  a b c d e f g h\n1 {empty}2 {empty}3 {empty}4 . . . O X . . .\n5 . . . X X X . .\n6 {empty}7 {empty}8 {empty}"
    );
    let bars = |text: &str| {
        let line = |line: &str| format!("| {} |\n", line.replace(' ', " | ").replace('.', " "));
        text.lines().map(line).collect::<String>()
    };
    let mirrored: String = english
        .lines()
        .map(|line| line.chars().rev().collect::<String>() + "\n")
        .collect();
    for (text, variant, by, fen) in [
        (
            english.clone(),
            "russian",
            "inferred, weakly; or ",
            "W:Wa1,b2,Kf2:Ba7,c7,g7,b8,d8,h8",
        ),
        (
            bars(&english),
            "russian",
            "inferred, weakly; or ",
            "W:Wa1,b2,Kf2:Ba7,c7,g7,b8,d8,h8",
        ),
        (
            format!("White to move\n{english}"),
            "russian",
            "",
            "W:Wa1,b2,Kf2:Ba7,c7,g7,b8,d8,h8",
        ),
        (
            mirrored,
            "italian",
            "inferred, weakly; or spanish",
            "W:WK26,28,32:B1,3,4,5,7,8",
        ),
        (wide, "international", "inferred, weakly; or ", "W:W43:BK46"),
        (
            othello.clone(),
            "othello",
            "inferred",
            "8/8/8/3OX3/3XXX2/8/8/8 b",
        ),
        (
            othello + "\nWhite to play.\n",
            "othello",
            "inferred",
            "8/8/8/3OX3/3XXX2/8/8/8 w",
        ),
    ] {
        let base = Base::new();
        let text = format!("Here is a position.\n\n{text}\nIt was found in an old book.\n");
        let path = base.folder().join("a.txt");
        std::fs::write(&path, &text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        let header = base.games().remove(0).header;
        let told = (
            done.stored,
            &header.variant[..],
            header.start_fen.as_deref(),
        );
        assert_eq!(told, (1, variant, Some(fen)), "{text}");
        let known = header.variant_by.unwrap_or_default();
        assert!(known.starts_with(by), "{known}: {text}");
        // Who moves is never made up in silence.
        let is_open = !text.contains("White to");
        let said = found(&done, "draughts-fen") + found(&done, "missing-fields");
        assert_eq!(said, u64::from(is_open), "{text}");
        base.assert_sound();
    }
}

/// Who moves, however a list, a table, JSON or a page says it.
#[test]
fn sides_are_read_in_every_layout() {
    let rook = "4k3/8/8/8/8/8/8/R3K3";
    for (name, text, sides) in [
        ("a.json", format!("[{{\"fen\":\"{BOARD}\",\"whiteToMove\":false}}]"), "b"),
        ("a.json", format!("[{{\"pieces\":\"{BOARD}\",\"active\":\"b\"}}]"), "b"),
        ("a.csv", format!("fen;Zug\n{BOARD};S\n{rook};W\n"), "bw"),
        ("a.csv", format!("fen,color\n{BOARD},noir\n{rook},blanc\n"), "bw"),
        ("a.csv", format!("fen,trait\n{BOARD},N\n{rook},B\n"), "bw"),
        ("a.txt", format!("1. {BOARD}\u{a0}b\u{a0}-\u{a0}-\u{a0}0\u{a0}1\n2. {rook} w - - 0 1\n"), "bw"),
        ("a.txt", format!("In {BOARD}\nb - - 0 1 he is lost, and in {rook} b\n- - 0 1 too.\n"), "bb"),
        ("a.html", format!("<p>One: {BOARD}&nbsp;b&nbsp;-&nbsp;-<br/>\n"), "b"),
        ("a.txt", format!("1. {BOARD} - Black to move, draw\n2. {rook} - White to move\n"), "bw"),
        ("a.txt", format!("Black to play.\nFEN: {BOARD}\n\nBlack to play.\nFEN: {rook}\n"), "bb"),
        ("a.txt", format!("Black to move\n{BOARD}\n\nWhite to move\n{rook}\n\nBlack to move\n{rook}\n"), "bwb"),
        ("a.txt", format!("{BOARD}\nBlack to move.\n\n{rook}\nWhite to move.\n"), "bw"),
        ("a.html", format!("<h3>Black to move</h3>\n<p>{BOARD}</p>\n<h3>White to move</h3>\n<p>{rook}</p>\n"), "bw"),
        ("a.md", format!("### 1. Black to move\n\n```\n{BOARD}\n```\n\n### 2. White to move\n\n```\n{rook}\n```\n"), "bw"),
        ("a.txt", "1. rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C3C3/9/RNBAKABNR r - - 0 1\n2. rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1\n".to_owned(), "wb"),
    ] {
        let (fens, _) = fens(name, &text);
        let found: String = fens.iter().filter_map(|fen| fen.split(' ').nth(1)).collect();
        assert_eq!(found, sides, "{text}: {fens:?}");
    }
}

/// Moves beside a position are played, or said not to be.
#[test]
fn moves_beside_positions_are_never_passed_over() {
    let king = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (name, text, plies, incomplete) in [
        ("a.json", format!("[{{\"fen\":\"{king}\",\"solution\":\"1. e4 Ke7 2. e5\"}}]"), 3, 0),
        ("a.json", format!("[{{\"fen\":\"{king}\",\"moves\":\"Qh5 Qh6\"}}]"), 0, 1),
        ("a.csv", format!("fen,moves\n{king},e4 Ke7\n{king},e4 Ke3\n"), 3, 1),
        ("a.json", format!("[{{\"fen\":\"{king}\",\"analysis\":{{\"pv\":\"e4 Ke7\"}}}}]"), 2, 0),
        ("a.json", "[{\"id\":7,\"fen\":\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\",\"moves\":\"e4 e5\"}]".to_owned(), 2, 0),
        ("a.txt", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 c5 Nf3 d6\n".to_owned(), 3, 0),
        ("a.ini", format!("[a]\nfen={king}\nmoves=e4 Ke7\n\n[b]\nfen={king}\nmoves=e3 Ke7\n"), 4, 0),
        ("a.txt", format!("{king}\ne4 Ke7\n\n{}\ne3 Ke7\n", king.replace("4P3", "3P4")), 2, 1),
    ] {
        let base = Base::new();
        let path = base.folder().join(name);
        std::fs::write(&path, &text).expect("a file");
        let done = base.import(&[path], ImportOptions::default());
        assert_eq!((done.plies, done.incomplete, done.rejected), (plies, incomplete, 0), "{text}");
    }
}

/// Sentences that say who moves, all above the boards that are drawn in a text or all below.
#[test]
fn sides_stand_above_or_below_drawn_boards() {
    let board = |at: usize| {
        let mut ranks = [". . . . . . . ."; 8];
        ranks[0] = ". . . . k . . .";
        ranks[1 + at % 6] = "P . . . . . . .";
        ranks[7] = "R . . . K . . .";
        ranks.join("\n") + "\n\n"
    };
    let boards: Vec<String> = (0..40).map(board).collect();
    for (sides, count) in [("wb", 2), ("bwb", 3), ("wwb", 3), ("bw", 40)] {
        let sides: String = sides.chars().cycle().take(count).collect();
        for is_first in [false, true] {
            let mut text = String::new();
            for (board, side) in boards.iter().zip(sides.chars()) {
                let said = if side == 'w' {
                    "White to move.\n\n"
                } else {
                    "Black to move.\n\n"
                };
                let parts = if is_first {
                    [said, board]
                } else {
                    [board, said]
                };
                text += &parts.concat();
            }
            let (fens, _) = fens("a.txt", &text);
            let found: String = fens
                .iter()
                .filter_map(|fen| fen.split(' ').nth(1))
                .collect();
            assert_eq!(found, sides, "{text}: {fens:?}");
        }
    }
}

/// Text around a table of Markdown that has more lines than the table itself.
#[test]
fn tables_stand_in_any_amount_of_text() {
    let [lucena, philidor, king, pawn] = [
        "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
        "4k3/R7/8/3PK3/8/1r6/8/8 b - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    ];
    let table = format!(
        "# Notes\n\n| # | Name | FEN |\n|---|---|---|\n| 1 | Lucena | {lucena} |\n| 2 | Philidor | {philidor} |\n\n"
    );
    for (text, wanted) in [
        (
            format!("{table}A\n\nB\n\nC\n\nD\n\nE\n\nF\n"),
            &[lucena, philidor][..],
        ),
        (
            format!("{table}See `{king}` (wins?).\n\nA\n\nB\n\n```\n{pawn}\n```\n\nC\n\nD\n"),
            &[lucena, philidor, king, pawn],
        ),
    ] {
        let (fens, done) = fens("a.md", &text);
        assert_eq!(fens, wanted, "{text}");
        assert_eq!(done.rejected, 0, "{text}");
    }
}
