//! Positions of draughts in all the ways that people type them.

use super::*;
use crate::games::variant::VariantDetection;

fn of(text: &str) -> TypedPosition {
    read_position(text, &ExpectedVariants::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn of_kind(text: &str, name: &str) -> TypedPosition {
    read_position(text, &hint(name)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn start(name: &str) -> AnyPosition {
    Variant::by_name(name)
        .and_then(AnyPosition::start)
        .expect(name)
}

fn is_guessed(read: &TypedPosition) -> bool {
    read.warnings
        .iter()
        .any(|warning| matches!(warning, Warning::OrElse { .. }))
}

#[test]
fn boards_are_told_from_the_squares() {
    for (text, variant, warns) in [
        ("W:W31-50:B1-20", "international", false),
        ("W:W28:BK5,33", "international", false),
        ("W:W60:B5", "canadian", false),
        ("B:W21-32:B1-12", "english", false),
        ("B:W25:B3,K14", "english", true),
        ("W:W25:B3,K14", "english", true),
        ("W:W21-32:B1-12", "italian", false),
        ("W:W1-12:B21-32", "spanish", false),
        ("B:W1-8:B25-32", "thai", false),
        ("W:W46-50:B1-5", "frysk", false),
        ("W:Wa3,Kc1:Bh8", "russian", false),
        ("W:Wi3:Bh8", "spantsiretti", false),
        ("w:wI3:bH8", "spantsiretti", false),
        ("W:Wa2,b2:Bh8", "turkish", false),
        ("W:Wl2:Ba11", "canadian", false),
        ("W:W28,G33:B5,P14", "international", false),
    ] {
        let reading = of(text);
        assert_eq!(reading.row.name, variant, "{text}");
        assert_eq!(
            is_guessed(&reading),
            warns,
            "{text}: {:?}",
            reading.warnings
        );
    }
}

#[test]
fn engine_strings() {
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let reading = of(&hub);
    assert_eq!(reading.row.name, "international");
    assert_eq!(reading.at, start("international"));
    let dxp = hub.replace('b', "z");
    assert_eq!(of(&dxp).at, reading.at);
    let checkers = format!("B{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
    assert_eq!(of(&checkers).row.name, "english");
}

#[test]
fn moves_tell_the_variant() {
    for (text, variant) in [
        ("32-28 19-23", "international"),
        ("1. 32-28 19-23 2. 28x19 14x23", "international"),
        ("1.32-28 19 - 23 2.28 x 19", "international"),
        ("3228 1923", "international"),
        // A man captures straight ahead.
        ("32-28 19-23 28-19", "international"),
        ("11-15 23-19", "english"),
        (
            "1. 11-15 23-18 2. 8-11 26-23 3. 10-14 30-26 4. 6-10 24-19 5. 15-24 27-20*",
            "english",
        ),
        ("22-18 11-14", "italian"),
        ("c3-d4 f6-g5", "brazilian"),
        ("e3-f4 d6-c5 f4-g5", "brazilian"),
        ("a3-a4 a6-a5", "turkish"),
        ("i3-h4", "spantsiretti"),
        ("48-42", "canadian"),
        (
            "32-28 { a comment } 19-23 $1 2. 28x19! 14x23 1-1",
            "international",
        ),
    ] {
        let reading = of(text);
        assert_eq!(reading.row.name, variant, "{text}");
        assert!(reading.fields.turn && !reading.moves.is_empty(), "{text}");
    }
    let reading = of("32-28 19-23");
    assert!(reading.warnings.is_empty());
    // The first moves of an English game are those of a Spanish one as well.
    assert!(is_guessed(&of("11-15")));
}

#[test]
fn named_variants_are_taken_at_their_word() {
    let spanish = of_kind("11-15 23-19", "spanish");
    assert_eq!(spanish.row.name, "spanish");
    assert!(spanish.warnings.is_empty());
    assert_eq!(of_kind("startpos", "frisian").at, start("frisian"));
    assert_eq!(of_kind("startpos moves c3d4", "russian").at.turn(), 1);
    assert_eq!(of("startpos moves 32-28").row.name, "international");
    let after = of("W:W28,32,50:B19,14,9 moves 28-23 19x37");
    assert_eq!(after.at.fen(), "W:W50:B9,14,37");
    assert_eq!(after.moves.len(), 2);
    assert!(!of("?:W28:B40").fields.turn);
    assert!(!of("W28:B40").fields.turn);
    let before = of("Problem 3, White moves W:W28:B40");
    assert!(!before.warnings.is_empty());
    // Numbers in a variant of letters.
    let numbers = of_kind("W:W21-32:B1-12", "russian");
    assert_eq!(numbers.at, start("russian"));
    assert_eq!(numbers.warnings.len(), 1);
}

/// Two captures from 5 to 32; what follows distinguishes them, or does not.
#[test]
fn short_captures_are_kept_apart_until_it_is_told() {
    let tour = "W:W27,19,18,11,7,6,5:B28,26,25,20,17,10,9,4,3,2 moves \
                19-15 10x19 5-1 3x10 11-8 4x11 27-24 20x27 18-14 9x18 1-5 2x9 5x32";
    let reading = of_kind(tour, "english");
    assert_eq!(
        reading.warnings,
        [Warning::Repaired(Code::AmbiguousCapture)]
    );
    let long = tour.replace("5x32", "5x14x7x16x23x14x21x30x23x32");
    let reading = of_kind(&long, "english");
    assert!(reading.warnings.is_empty());
    assert_eq!(reading.at.fen(), "B:WK32:B28");
}

#[test]
fn errors_say_what_was_understood_and_where_it_broke() {
    let message = |text: &str, name: &str| {
        let error = read_position(text, &hint(name)).expect_err(text);
        format!("{error}\n{}", error.hint)
    };
    insta::assert_snapshot!(message("32-28 19-23 33-29", ""), @"
    move 2: `33-29` cannot be played: White must capture: 28x19 (after 1. 32-28 19-23)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("32-28 33-29", "international"), @"
    move 1...: `33-29` cannot be played: the piece on 33 is White's, and it is Black's move (after 1. 32-28)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("32-21", "international"), @"
    move 1: `32-21` cannot be played: the piece on 32 can only play 32-28, 32-27 (in the start position of International draughts)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("37-32", "international"), @"
    move 1: `37-32` cannot be played: the piece on 37 cannot move (in the start position of International draughts)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("28-23", "international"), @"
    move 1: `28-23` cannot be played: 28 is empty (in the start position of International draughts)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("32-28 hello", "international"), @"
    move 1...: `hello` is not a move (after 1. 32-28)
    give a draughts FEN (`W:W28,31,K40:B5,12`), moves (`32-28 19-23`, `c3-d4 f6-g5`) or `startpos` with --variant
    ");
    insta::assert_snapshot!(message("32-28 55-23", "international"), @"
    move 1...: `55-23` cannot be played: `55` is not a square that this board uses (after 1. 32-28)
    moves can be written as `32-28`, `28x19`, `a3b4` or with every square of a capture, `11x18x25`; name the variant with --variant if it is another one
    ");
    insta::assert_snapshot!(message("W:W55:B3", "international"), @"
    not a valid draughts FEN: `55` is not a square that this board uses
    International draughts is played on 10x10: squares 1 to 50, or a1 to j10
    ");
    insta::assert_snapshot!(message("W:W28:B28", ""), @"
    not a valid draughts FEN: square `28` is occupied twice
    name each square once; `K` before a square makes the piece a king
    ");
    insta::assert_snapshot!(message("B::", ""), @"
    not a valid draughts FEN: it names no squares
    give a draughts FEN (`W:W28,31,K40:B5,12`), moves (`32-28 19-23`, `c3-d4 f6-g5`) or `startpos` with --variant
    ");
    insta::assert_snapshot!(message("W:W28:Bx", ""), @"
    not a valid draughts FEN: `x` is not part of a draughts position
    a draughts FEN is the side to move, White's squares and Black's squares, separated by `:`: `W:W28,31-35,K40:B5,K14`
    ");
}

#[test]
fn chess_stays_chess() {
    for text in [
        "",
        "startpos",
        "startpos moves e2e4",
        "e2e4",
        "e2-e4 e7-e5",
        "1.e4 c5",
        "g1f3 g8f6",
        "e4 d5 e4:d5",
        "8/8/8/4k3/8/8/4P3/4K3 w",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "960:518",
        "0-0",
        "O-O",
        "1-0",
        "1.b4 b5",
        "b4",
        "e7e5",
        "hello",
        "Bb5",
        "b2-b4",
    ] {
        let read = read_position(text, &ExpectedVariants::default());
        let row = read.map_or_else(|error| error.row, |read| Some(read.row));
        let is_draughts = row.is_some_and(|row| row.tier() == Some(VariantDetection::Guessed));
        assert!(!is_draughts, "{text}");
    }
    let mut wrong = Vec::new();
    for text in [
        "W:W28:B",
        "B::",
        "W:",
        "W28:B40",
        "Clipboard W:W28:B40",
        "\"W:W28:B40\"",
        "w : w 28 , 31 : b k5 .",
        "1. c3-d4",
        "c3-b4 f6-g5",
        "11x18x25",
        "47x36 <42,29>",
        "startpos moves 32-28",
        "W:W28:B40:H0:F1",
    ] {
        let read = read_position(text, &ExpectedVariants::default());
        let row = read.map_or_else(|error| error.row, |read| Some(read.row));
        let row = row.unwrap_or_else(|| panic!("{text}: nothing was understood"));
        if row.tier() != Some(VariantDetection::Guessed) {
            wrong.push(format!("{text} as {}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

proptest::proptest! {
    #[test]
    fn any_text_is_answered(text in "\\PC*", squares in "[WwBbKk0-9a-l:;,. xX-]{0,60}") {
        for text in [&text, &squares] {
            let _ = read_position(text, &ExpectedVariants::default());
        }
    }
}
