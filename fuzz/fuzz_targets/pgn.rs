//! PGN of any bytes: spans within the text and in order, work in proportion to it,
//! and main lines that replay as they were read.
#![no_main]

mod spans;

use libfuzzer_sys::fuzz_target;
use plydex::{games::{AnyCursor, AnyPosition, GameText, raw_text::{TextDecoder, Reading}, language::ExpectedNotation, chess::rules::ChessBoard, variant::{Rules, VariantDetection, Variant}}, pgn::parser::{Syntax, Parser, RawGame}};
use spans::Spans;

/// The variant of a tag, if it has rules of its own and is told by its name alone.
fn kin_of(value: &[u8]) -> Option<&'static Variant> {
    Variant::from_tag(value).filter(|variant| variant.tier() == Some(VariantDetection::Named))
}

fuzz_target!(|bytes: &[u8]| {
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let of_variant = |value: &[u8]| kin_of(value).map(|variant| match variant.rules {
        Rules::Othello => Syntax::Pdn,
        _ => Syntax::Pgn,
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
            Some(fen) => AnyPosition::read_fen(variant, &fen).ok().map(|read| read.at),
            None => AnyPosition::start(variant),
        });
        let start = start.unwrap_or_else(|| ChessBoard::initial().into());
        let mut replay = AnyCursor::new(&start);
        let text = GameText { raw: &raw, bytes, decode };
        start.into_start(ExpectedNotation::default()).read(text, &mut reading);
        let mut plies = &reading.plies[from..];
        let mut count = 0;
        while let Some(code) = replay.peek(&mut plies) {
            replay.play(code);
            count += 1;
        }
        assert_eq!((count, plies.len()), (reading.ply_count, 0));
        assert!(reading.tree.bytes() <= 64 + 16 * (raw.span.1 - raw.span.0) as usize * 2);
    }
});
