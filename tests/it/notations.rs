//! Any position that play reaches, written in every notation, reads back the same.

use plydex::games::{
    AnyPosition, Budget,
    chess::notation::fen::{self, Castling, EnPassant, FenStyle},
    notation::{epd, forsyth, letters::LANGUAGES},
    typed::Hint,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};

/// A position of chess as it is typed.
fn typed(text: &str) -> Chess {
    let read = plydex::games::typed::read_position(text, &Hint::default()).expect("a position");
    match read.at {
        AnyPosition::Chess(at) => at.to_position().expect("one that can be"),
        other => panic!("{text} is of {}", other.variant().name),
    }
}

/// A position of play from a start array of Chess960, each move chosen by a number;
/// array 518 is the usual one.
fn played(array: u16, choices: &[u16]) -> Chess {
    let mut position = typed(&format!("960:{array}"));
    for &choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        position.play_unchecked(legal[usize::from(choice) % legal.len()]);
    }
    position
}

proptest! {
    #[test]
    fn chess_in_every_notation(
        array in prop_oneof![Just(518_u16), 0_u16..960],
        choices in prop::collection::vec(any::<u16>(), 0..160),
    ) {
        let position = played(array, &choices);
        let setup = position.to_setup(EnPassantMode::Legal);
        let always = position.to_setup(EnPassantMode::Always);
        for castling in [Castling::XFen, Castling::Shredder] {
            for (en_passant, setup) in [
                (EnPassant::Legal, &setup),
                (EnPassant::XFen, &always),
                (EnPassant::Always, &always),
            ] {
                let text = fen::write_with(setup, FenStyle { castling, en_passant });
                let (read, _) = fen::read_position(&text).expect("a FEN");
                prop_assert_eq!(&read, &position, "{}", text);
                // What another reader makes of it is the same.
                let other: Fen = text.parse().expect("a FEN for others, too");
                let other: Chess = other.into_position(CastlingMode::Chess960).expect("a position");
                prop_assert_eq!(other.board(), position.board());
                prop_assert_eq!(other.castles().castling_rights(), position.castles().castling_rights());
            }
        }
        let line = epd::write(&position, true, &[]);
        prop_assert_eq!(&typed(&line), &position, "{}", line);
        prop_assert_eq!(&typed(&fen::write(&setup)), &position);
        for language in LANGUAGES {
            let diagram = forsyth::write(position.board(), language);
            let read = forsyth::read_in(&diagram, language).expect("its own language");
            prop_assert_eq!(read.board(), position.board());
        }
    }

    #[test]
    fn variants_in_their_fen(
        number in 0_usize..64,
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let starts: Vec<AnyPosition> =
            plydex::games::variant::ALL.iter().filter_map(AnyPosition::start).collect();
        let mut at = starts[number % starts.len()].clone();
        for &choice in &choices {
            let mut legal = at.moves(Budget::default()).expect("few");
            if legal.is_empty() {
                break;
            }
            at = legal.swap_remove(usize::from(choice) % legal.len()).behind;
        }
        let text = at.fen();
        let read = AnyPosition::read_fen(at.variant(), &text).expect("a FEN of the variant").at;
        prop_assert_eq!(read.fen(), text);
        prop_assert_eq!(read.moves(Budget::default()), at.moves(Budget::default()));
    }
}
