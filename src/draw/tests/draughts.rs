use crate::{
    draw::board::{BoardStyle, Glyphs, draw},
    games::{
        Budget,
        diagram::Diagram,
        draughts::{
            notation::{
                diagram::{diagram, marks},
                fen as draughts_fen, moves as draughts_move,
                moves::square::Numbering,
            },
            rows::{ALL, DraughtsVariant},
            rules::DraughtsPosition,
        },
    },
};

fn of(name: &str) -> (&'static DraughtsVariant, Numbering) {
    let variant = DraughtsVariant::by_name(name).unwrap();
    (variant, variant.numbering())
}

fn start(name: &str, style: BoardStyle) -> String {
    let (variant, numbering) = of(name);
    draw(
        &diagram(&DraughtsPosition::start(&variant.rules), numbering),
        style,
    )
}

fn unicode() -> BoardStyle {
    BoardStyle {
        glyphs: Glyphs::Unicode,
        ..BoardStyle::default()
    }
}

/// The board after a move, with its marks.
fn after(name: &str, fen: &str, played: &str, style: BoardStyle) -> String {
    let (variant, numbering) = of(name);
    let mut position = draughts_fen::parse(fen, numbering).unwrap().position;
    let read = draughts_move::parse(played, numbering).unwrap();
    let (rules, budget) = (&variant.rules, Budget::default());
    let found = draughts_move::resolve(&position, rules, read.cells(), None, budget).unwrap();
    let marks = marks(&position, &variant.rules, &found[0]);
    position.play(&found[0]);
    let behind = Diagram {
        marks,
        ..diagram(&position, numbering)
    };
    draw(&behind, style)
}

#[test]
fn ten_by_ten() {
    insta::assert_snapshot!(start("international", unicode()), @"
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
}

#[test]
fn eight_by_eight_with_letters_and_from_blacks_side() {
    insta::assert_snapshot!(start("russian", unicode()), @"
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
    let flipped = BoardStyle {
        flipped: true,
        ..BoardStyle::default()
    };
    insta::assert_snapshot!(start("russian", flipped), @"
      +-----------------+
    1 |   w   w   w   w |
    2 | w   w   w   w   |
    3 |   w   w   w   w |
    4 | .   .   .   .   |
    5 |   .   .   .   . |
    6 | b   b   b   b   |
    7 |   b   b   b   b |
    8 | b   b   b   b   |
      +-----------------+
        h g f e d c b a
    ");
}

#[test]
fn inverted_boards_are_mirrored() {
    insta::assert_snapshot!(start("italian", BoardStyle::default()), @"
       +-----------------+
     1 | b   b   b   b   | 4
     5 |   b   b   b   b | 8
     9 | b   b   b   b   | 12
    13 |   .   .   .   . | 16
    17 | .   .   .   .   | 20
    21 |   w   w   w   w | 24
    25 | w   w   w   w   | 28
    29 |   w   w   w   w | 32
       +-----------------+
    ");
    insta::assert_snapshot!(start("spanish", unicode()), @"
       ┌─────────────────┐
    32 │ ●   ●   ●   ●   │ 29
    28 │   ●   ●   ●   ● │ 25
    24 │ ●   ●   ●   ●   │ 21
    20 │   ·   ·   ·   · │ 17
    16 │ ·   ·   ·   ·   │ 13
    12 │   ○   ○   ○   ○ │ 9
     8 │ ○   ○   ○   ○   │ 5
     4 │   ○   ○   ○   ○ │ 1
       └─────────────────┘
    ");
    insta::assert_snapshot!(start("jamaican", unicode()), @"
      ┌─────────────────┐
    1 │ ●   ●   ●   ●   │
    2 │   ●   ●   ●   ● │
    3 │ ●   ●   ●   ●   │
    4 │   ·   ·   ·   · │
    5 │ ·   ·   ·   ·   │
    6 │   ○   ○   ○   ○ │
    7 │ ○   ○   ○   ○   │
    8 │   ○   ○   ○   ○ │
      └─────────────────┘
        a b c d e f g h
    ");
}

#[test]
fn ten_wide() {
    insta::assert_snapshot!(start("spantsiretti", unicode()), @"
      ┌─────────────────────┐
    8 │   ●   ●   ●   ●   ● │
    7 │ ●   ●   ●   ●   ●   │
    6 │   ●   ●   ●   ●   ● │
    5 │ ·   ·   ·   ·   ·   │
    4 │   ·   ·   ·   ·   · │
    3 │ ○   ○   ○   ○   ○   │
    2 │   ○   ○   ○   ○   ○ │
    1 │ ○   ○   ○   ○   ○   │
      └─────────────────────┘
        a b c d e f g h i j
    ");
}

#[test]
fn twelve_by_twelve_from_blacks_side() {
    let style = BoardStyle {
        flipped: true,
        ..unicode()
    };
    insta::assert_snapshot!(start("canadian", style), @"
       ┌─────────────────────────┐
    72 │   ○   ○   ○   ○   ○   ○ │ 67
    66 │ ○   ○   ○   ○   ○   ○   │ 61
    60 │   ○   ○   ○   ○   ○   ○ │ 55
    54 │ ○   ○   ○   ○   ○   ○   │ 49
    48 │   ○   ○   ○   ○   ○   ○ │ 43
    42 │ ·   ·   ·   ·   ·   ·   │ 37
    36 │   ·   ·   ·   ·   ·   · │ 31
    30 │ ●   ●   ●   ●   ●   ●   │ 25
    24 │   ●   ●   ●   ●   ●   ● │ 19
    18 │ ●   ●   ●   ●   ●   ●   │ 13
    12 │   ●   ●   ●   ●   ●   ● │ 7
     6 │ ●   ●   ●   ●   ●   ●   │ 1
       └─────────────────────────┘
    ");
}

#[test]
fn all_squares() {
    insta::assert_snapshot!(start("turkish", unicode()), @"
      ┌─────────────────┐
    8 │ · · · · · · · · │
    7 │ ● ● ● ● ● ● ● ● │
    6 │ ● ● ● ● ● ● ● ● │
    5 │ · · · · · · · · │
    4 │ · · · · · · · · │
    3 │ ○ ○ ○ ○ ○ ○ ○ ○ │
    2 │ ○ ○ ○ ○ ○ ○ ○ ○ │
    1 │ · · · · · · · · │
      └─────────────────┘
        a b c d e f g h
    ");
}

#[test]
fn a_capture_leaves_its_path_and_ghosts() {
    let fen = "W:WK46,49:B37,K11,20";
    insta::assert_snapshot!(after("international", fen, "46x6", unicode()), @"
       ┌─────────────────────┐
     1 │   ·   ·   ·   ·   · │ 5
     6 │[♔]  ·   ·   ·   ·   │ 10
    11 │  (♚)  ·   ·   ·   · │ 15
    16 │ ·   •   ·   ·   ●   │ 20
    21 │   ·   •   ·   ·   · │ 25
    26 │ ·   ·   •   ·   ·   │ 30
    31 │   ·   •   ·   ·   · │ 35
    36 │ ·  (●)  ·   ·   ·   │ 40
    41 │   •   ·   ·   ·   · │ 45
    46 │[·]  ·   ·   ○   ·   │ 50
       └─────────────────────┘
    ");
    insta::assert_snapshot!(after("international", fen, "46x6", BoardStyle::default()), @"
       +---------------------+
     1 |   .   .   .   .   . | 5
     6 |[W]  .   .   .   .   | 10
    11 |  (B)  .   .   .   . | 15
    16 | .   *   .   .   b   | 20
    21 |   .   *   .   .   . | 25
    26 | .   .   *   .   .   | 30
    31 |   .   *   .   .   . | 35
    36 | .  (b)  .   .   .   | 40
    41 |   *   .   .   .   . | 45
    46 |[.]  .   .   w   .   | 50
       +---------------------+
    ");
}

#[test]
fn marks_of_neighbours_on_a_full_board() {
    let fen = "W:Wd4,Kh1:Be4,g4,a8";
    insta::assert_snapshot!(after("turkish", fen, "d4xh4", BoardStyle::default()), @"
      +-----------------+
    8 | b . . . . . . . |
    7 | . . . . . . . . |
    6 | . . . . . . . . |
    5 | . . . . . . . . |
    4 | . . .[.|b)*(b|w]|
    3 | . . . . . . . . |
    2 | . . . . . . . . |
    1 | . . . . . . . W |
      +-----------------+
        a b c d e f g h
    ");
}

#[test]
fn colours_are_reset_on_every_line_and_show_numbers() {
    let style = BoardStyle {
        color: true,
        ..unicode()
    };
    let drawn = after("international", "W:WK46:BK37,K1,16", "46x28", style);
    assert!(drawn.lines().all(|line| line.contains("\x1b[0m")));
    assert!(drawn.contains("\x1b[48;5;137;38;5;180m22 "));
    assert!(drawn.contains("\x1b[48;5;131;38;5;16m(♔)"), "{drawn}");
    assert!(drawn.contains(";38;5;231;1m ♚ \x1b[22m"));
    assert!(!start("russian", unicode()).contains('\x1b'));
}

/// Every line of every board has the width of the others, and no blank at its end.
#[test]
fn lines_are_aligned() {
    for variant in ALL {
        let numbering = variant.numbering();
        for letters in [false, true] {
            for flipped in [false, true] {
                let style = BoardStyle {
                    flipped,
                    ..unicode()
                };
                let position = DraughtsPosition::start(&variant.rules);
                let drawn = draw(&diagram(&position, numbering.with_letters(letters)), style);
                let bars: Vec<_> = drawn
                    .lines()
                    .skip(1)
                    .take(usize::from(variant.rules.board.height()))
                    .map(|line| {
                        let place =
                            |found: Option<usize>| found.map(|at| line[..at].chars().count());
                        (place(line.find('│')), place(line.rfind('│')))
                    })
                    .collect();
                assert!(bars.windows(2).all(|pair| pair[0] == pair[1]), "{drawn}");
                assert!(drawn.lines().all(|line| !line.ends_with(' ')), "{drawn}");
            }
        }
    }
}
