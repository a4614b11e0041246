//! Positions and games in the layouts that people give them: what each file becomes, and that
//! what is not read of it is said.

use plydex::db::import::Options;

use crate::fooled::{assert_told, found, read_as, text_of};

#[test]
fn lines_of_position_tags_are_positions() {
    for (template, wanted) in [
        (
            "[FEN \"{A}\"]\n[FEN \"{B}\"]\n[FEN \"{C}\"]\n",
            &["A", "B", "C"][..],
        ),
        (
            "[FEN \"{A}\"]\n\n[FEN \"{B}\"]\n\n[FEN \"{C}\"]\n",
            &["A", "B", "C"],
        ),
        (
            "[FEN \"{A}\"]\n[SetUp \"1\"]\n[FEN \"{B}\"]\n[SetUp \"1\"]\n",
            &["A", "B"],
        ),
        (
            "[SetUp \"1\"]\n[FEN \"{A}\"]\n{x}\n[SetUp \"1\"]\n[FEN \"{B}\"]\n1. Ba4 *\n",
            &["A {x}", "B Ba4"],
        ),
        (
            "[Event \"1\"] [FEN \"{A}\"]\n[Event \"2\"] [FEN \"{C}\"]\n",
            &["Event=1 A", "Event=2 C"],
        ),
    ] {
        for name in ["a.txt", "a.pgn", "a.fen"] {
            let (records, done) = read_as(name, text_of(template).as_bytes(), Options::default());
            assert_eq!(records, wanted, "{name}: {template}");
            assert_eq!(found(&done, "dup-tag"), 0, "{name}: {template}");
        }
    }
    // Of one game that has it twice nothing is taken away.
    let twice = text_of("[Event \"x\"]\n[FEN \"{A}\"]\n[FEN \"{B}\"]\n\n1. Ba4 *\n");
    let (records, done) = read_as("a.pgn", twice.as_bytes(), Options::default());
    assert_eq!(records, ["Event=x A B Ba4"]);
    assert_eq!(found(&done, "dup-tag"), 1);
}
