//! The FEN of PDN, in the squares of any variant.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{games::draughts::{notation::fen as draughts_fen, rows::ALL, Draughts}};

fuzz_target!(|input: (u8, &str)| {
    let (number, text) = input;
    let variant = &ALL[usize::from(number) % ALL.len()];
    let numbering = Draughts::start(variant).numbering();
    let Ok(read) = draughts_fen::parse(text, numbering) else {
        return;
    };
    if read.turn_only {
        return;
    }
    let written = draughts_fen::write(&read.position, numbering);
    assert!(written.len() <= 8 + 5 * 100, "{written}");
    let again = draughts_fen::parse(&written, numbering).expect("what is written is read");
    assert_eq!(read.position, again.position, "{written}");
    assert_eq!(draughts_fen::write(&again.position, numbering), written);
});
