use proptest::prelude::*;

use super::*;
use crate::games::draughts::{
    notation::moves::square::Numbering,
    rows::{ALL, DraughtsVariant},
    rules::{DraughtsPiece, DraughtsPosition},
};

fn numbering(name: &str) -> Numbering {
    let variant = DraughtsVariant::by_name(name).unwrap();
    variant.numbering()
}

fn canonical(name: &str, text: &str) -> String {
    let numbering = numbering(name);
    let read = parse(text, numbering).unwrap_or_else(|error| panic!("{text}: {error}"));
    write(&read.position, numbering)
}

fn notes(name: &str, text: &str) -> Vec<FenNote> {
    parse(text, numbering(name)).unwrap().notes
}

#[test]
fn start_positions_are_those_of_the_archives() {
    for (name, fen) in [
        ("international", "W:W31-50:B1-20"),
        ("english", "B:W21-32:B1-12"),
        ("italian", "W:W21-32:B1-12"),
        ("pool", "B:W21-32:B1-12"),
        ("spanish", "W:W1-12:B21-32"),
        ("portuguese", "W:W1-12:B21-32"),
        ("canadian", "W:W43-72:B1-30"),
        ("thai", "B:W1-8:B25-32"),
        ("frysk", "W:W46-50:B1-5"),
        (
            "russian",
            "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
        ),
    ] {
        let variant = DraughtsVariant::by_name(name).unwrap();
        let start = DraughtsPosition::start(&variant.rules);
        let read = parse(fen, numbering(name)).unwrap();
        assert_eq!(read.position, start, "{name}");
        assert!(read.notes.is_empty());
    }
}

#[test]
fn deviations_are_read() {
    let plain = "W:W28,31,32:BK5,K6";
    for text in [
        "W:W28,31,32:BK5,K6.",
        "W:W28,31-32:BK5-6",
        "W:W28,31-32:BK5-K6",
        "w:w28,31,32:bk5,k6",
        "W:BK5,K6:W28,31,32",
        "W : W 28 , 31 , 32 : B K5 , K6 .",
        "W:W28 31 32:BK5 K6",
        "W:W28,:W31,32:BK5:BK6",
        "W:W:W28,31,32:BK5,K6",
        "W_:W28,31,32:BK05,K06",
        "\"W:W28,31,32:BK5,K6\"",
        "Clipboard position W:W28,31,32:BK5,K6",
        "W:W28,31,32:BK5,K6:H0:F1",
        "W:W28,31,32:BK5,K6:H10:F23:+0+0",
        "W:W28,31,32,G7:BK5,K6,P44:+2[28]+1[5]",
        "?:W28,31,32:BK5,K6",
        "W28,31,32:BK5,K6",
        "/W:W28,31,32:BK5,K6/",
    ] {
        assert_eq!(canonical("international", text), plain, "{text}");
    }
    assert_eq!(canonical("international", "W:W50:B"), "W:W50:B");
    assert_eq!(canonical("international", "B:B1"), "B:W:B1");
    assert_eq!(
        canonical("russian", "W:WKa1,C3:B A7,kb8"),
        "W:WKa1,c3:Ba7,Kb8"
    );
}

#[test]
fn what_is_odd_is_told() {
    assert_eq!(notes("international", "W:W31:B1"), []);
    assert_eq!(notes("international", "?:W31:B1"), [FenNote::NoSide]);
    assert_eq!(notes("international", "x W:W31:B1"), [FenNote::TextBefore]);
    assert_eq!(notes("international", "W:W1:B2"), [FenNote::Uncrowned]);
    assert_eq!(
        notes("international", "W:W31,G22:B1"),
        [FenNote::CapturedLeftOut]
    );
    let read = parse("B:W31:B1:H3:F20:+1+0", numbering("frisian")).unwrap();
    assert_eq!(
        read.position,
        parse("B:W31:B1", numbering("frisian")).unwrap().position
    );
    assert!(parse("B:W31:B1:Hx", numbering("frisian")).is_err());
}

/// ussr1947.pdn and lidraughts count from the top left, pydraughts from a1.
#[test]
fn numbers_in_variants_with_letters() {
    let top = parse("W:W21-32:B1-12", numbering("russian")).unwrap();
    assert_eq!(top.notes, [FenNote::NumbersFromTopLeft]);
    let bottom = parse("W:W1-12:B21-32", numbering("russian")).unwrap();
    assert_eq!(bottom.notes, [FenNote::NumbersFromBottomLeft]);
    assert_eq!(top.position, bottom.position);
}

#[test]
fn null_moves_are_told_apart() {
    let read = parse("B::", numbering("international")).unwrap();
    assert!(read.turn_only);
    assert_eq!(read.position, DraughtsPosition::empty(1));
    let read = parse("B:W:B", numbering("international")).unwrap();
    assert!(!read.turn_only);
}

#[test]
fn nonsense_is_refused() {
    let numbering = numbering("international");
    for text in [
        "",
        "  ",
        "\"\"",
        ":",
        "::",
        "Q",
        "W:W51",
        "W:W0",
        "W:W999999999999",
        "W:W1,1",
        "W:W1:B1",
        "W:Wb",
        "W:W1-",
        "W:Wa8",
        "W:W31-60",
        "W:W3x",
        "W:Q1",
        "W:WK",
        "W:Hx",
        "W:Wa1-c1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "W:Wé",
        "é:W1",
        "W:W1é:B",
        "1-0",
        "W:W256",
    ] {
        assert!(parse(text, numbering).is_err(), "{text}");
    }
}

#[test]
fn hub_and_dxp() {
    let numbering_10 = numbering("international");
    let start = "W:W31-50:B1-20";
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    let dxp = hub.replace('b', "z");
    let expected = canonical("international", start);
    assert_eq!(canonical("international", &hub), expected);
    assert_eq!(canonical("international", &dxp), expected);
    let position = parse(start, numbering_10).unwrap().position;
    assert_eq!(write_hub(&position, numbering_10), hub);
    let black = dxp.replacen('W', "Z", 1);
    assert!(canonical("international", &black).starts_with("B:"));
    // The first square of the Italian board is a corner.
    let italian = format!("W{}{}", "W", "e".repeat(31));
    assert_eq!(canonical("italian", &italian), "W:WK1:B");
    assert!(parse(&hub[1..], numbering_10).is_err());
}

fn positions() -> impl Strategy<Value = (usize, DraughtsPosition)> {
    let piece = prop_oneof![
        4 => Just(None),
        1 => (0..2_u8, any::<bool>()).prop_map(|(side, king)| Some(DraughtsPiece { side, king })),
    ];
    (0..ALL.len(), 0..2_u8, proptest::collection::vec(piece, 72)).prop_map(
        |(variant, turn, pieces)| {
            let board = ALL[variant].rules.board;
            let mut position = DraughtsPosition::empty(turn);
            for (index, piece) in pieces.into_iter().enumerate() {
                if let (Some(cell), Some(piece)) = (board.cell_at(index as u8), piece) {
                    position.put(cell, piece);
                }
            }
            (variant, position)
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read((variant, position) in positions()) {
        let variant = &ALL[variant];
        let usual = variant.numbering();
        for letters in [false, true] {
            // Where letters are usual, numbers may be read from either side.
            if variant.tag.letters && !letters {
                continue;
            }
            let numbering = usual.with_letters(letters);
            let text = write(&position, numbering);
            prop_assert_eq!(parse(&text, numbering).unwrap().position, position, "{}", text);
        }
        let hub = write_hub(&position, usual);
        prop_assert_eq!(parse(&hub, usual).unwrap().position, position);
    }

    #[test]
    fn any_text_is_answered(text in "\\PC*", list in "[WBwbKGP?0-9a-l:,. +HF_-]*") {
        for variant in ALL {
            let numbering = variant.numbering();
            let _ = parse(&text, numbering);
            let _ = parse(&list, numbering);
        }
    }
}
