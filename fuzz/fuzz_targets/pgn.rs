//! PGN of any bytes: spans within the text and in order, work in proportion to it,
//! and main lines that replay as they were read.
#![no_main]

mod spans;

use libfuzzer_sys::fuzz_target;
use plydex::{
    notation,
    parse::{Family, Parser, RawGame},
    games::replay::{
        Start, Walk, chess, kin,
        read::{self, Opening, Reading},
    },
    variant::{Rules, Variant},
};
use shakmaty::Chess;
use spans::Spans;

/// The variant of a tag, if it is one of chess's kin.
fn kin_of(value: &[u8]) -> Option<&'static Variant> {
    Variant::from_tag(value).filter(|variant| variant.is_kin())
}

fuzz_target!(|bytes: &[u8]| {
    let decode: read::Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let opening = Opening::new(&Chess::default());
    let of_variant = |value: &[u8]| kin_of(value).map(|variant| match variant.rules {
        Rules::Othello => Family::Draughts,
        _ => Family::Chess,
    });
    let mut parser = Parser::new(bytes).reading(None, of_variant);
    let mut raw = RawGame::default();
    let mut reading = Reading::default();
    let mut spans = Spans::default();
    while parser.next_game(&mut raw) {
        spans.next(&raw, bytes);
        for item in &raw.items {
            let _ = raw.text(bytes, item);
        }
        reading.clear();
        let from = reading.plies.len();
        let variant = raw.tag(bytes, "Variant").and_then(kin_of);
        let fen = raw.tag(bytes, "FEN").map(decode);
        let start = variant.and_then(|variant| match fen {
            Some(fen) => notation::kin::read_fen(variant, &fen).ok().map(|read| read.at),
            None => notation::kin::start(variant),
        });
        let mut replay = match start {
            Some(at) => {
                let start = kin::Replay::new(at);
                kin::read(&raw, bytes, &start, decode, &mut reading);
                Start::Kin(Box::new(start))
            }
            None => {
                read::read(&raw, bytes, &opening, decode, &mut reading);
                Start::Chess(Box::new(chess::Replay::initial()))
            }
        };
        let mut plies = &reading.plies[from..];
        let mut count = 0;
        while let Some(code) = replay.peek(&mut plies) {
            replay.play(code);
            count += 1;
        }
        assert_eq!((count, plies.len()), (reading.ply_count, 0));
        assert!(reading.annotation.len() <= 64 + 16 * (raw.span.1 - raw.span.0) as usize * 2);
    }
});
