//! FEN and its kin: what is read is written in one way, which reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::chess::notation::fen::{self, Castling, EnPassant, FenStyle};

/// Bytes of the longest FEN that is written: 64 men, rights, counters.
const WRITTEN_MAX: usize = 130;

fuzz_target!(|text: &str| {
    let Ok((position, reading)) = fen::read_position(text) else {
        return;
    };
    let written = fen::write(&reading.setup);
    assert!(written.len() <= WRITTEN_MAX, "{written}");
    let (again, second) = fen::read_position(&written).expect("what is written is read");
    assert_eq!(position, again, "{written}");
    assert_eq!(fen::write(&second.setup), written);
    for castling in [Castling::XFen, Castling::Shredder] {
        for en_passant in [EnPassant::Legal, EnPassant::XFen] {
            let style = FenStyle { castling, en_passant };
            let other = fen::write_with(&reading.setup, style);
            let (read, _) = fen::read_position(&other).expect("every style is read");
            assert_eq!(position, read, "{other}");
        }
    }
});
