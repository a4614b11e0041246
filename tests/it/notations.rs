//! Any position that play reaches, written in every notation, reads back the same.

use plydex::{
    games::variant::Variant,
    notation::{
        epd,
        fen::{self, Castling, EnPassant, Style},
        forsyth, kin,
        letters::LANGUAGES,
        position_text,
    },
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen};

/// A position of play from a start array of Chess960, each move chosen by a number;
/// array 518 is the usual one.
fn played(array: u16, choices: &[u16]) -> Chess {
    let read = position_text::read(&format!("960:{array}")).expect("an array");
    let mut position = read.position;
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
                let text = fen::write_with(setup, Style { castling, en_passant });
                let (read, _) = fen::read_position(&text).expect("a FEN");
                prop_assert_eq!(&read, &position, "{}", text);
                // What another reader makes of it is the same.
                let other: Fen = text.parse().expect("a FEN for others, too");
                let other: Chess = other.into_position(CastlingMode::Chess960).expect("a position");
                prop_assert_eq!(other.board(), position.board());
                prop_assert_eq!(other.castles().castling_rights(), position.castles().castling_rights());
            }
        }
        let line = epd::write(&epd::Epd::of(position.clone()));
        prop_assert_eq!(&epd::read(&line).expect("EPD").position, &position, "{}", line);
        let typed = position_text::read(&fen::write(&setup)).expect("a position");
        prop_assert_eq!(&typed.position, &position);
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
        let kin_of: Vec<&'static Variant> = plydex::games::variant::ALL
            .iter()
            .filter(|variant| variant.is_kin())
            .collect();
        let variant = kin_of[number % kin_of.len()];
        let Some(mut at) = kin::start(variant) else {
            return Ok(());
        };
        for &choice in &choices {
            let legal = at.position.legal();
            if legal.is_empty() {
                break;
            }
            at.position.play(legal[usize::from(choice) % legal.len()]);
        }
        let text = kin::write_fen(&at.position);
        let read = kin::read_fen(variant, &text).expect("a FEN of the variant");
        prop_assert_eq!(kin::write_fen(&read.at.position), text);
        prop_assert_eq!(read.at.position.legal(), at.position.legal());
    }
}
