//! PDN of any bytes: spans within the text and in order, as many items as bytes at most,
//! and main lines that replay as they were read, by the rules that they tell.
#![no_main]

mod spans;

use libfuzzer_sys::fuzz_target;
use plydex::{pgn::parser::{Syntax, ItemKind, Parser, RawGame}, games::{self, GameCodec as _, GamePosition as _, GameText, draughts::{Draughts, replay::{DraughtsStart, infer::VariantInference}, rows::ALL}, raw_text::{TextDecoder, Reading}}};
use spans::Spans;

/// Plays a game from where it says that it begins.
fn play(raw: &RawGame, bytes: &[u8], reading: &mut Reading) {
    let decode: TextDecoder<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let mut poll = VariantInference::new();
    poll.add(raw, bytes, decode, None);
    let told = poll.result().of(raw, bytes).and_then(|told| told.variant.draughts());
    let variant = told.unwrap_or(&ALL[0]);
    let fen = raw.tag(bytes, "FEN").map(decode).unwrap_or_default();
    let opening = DraughtsStart::from_fen(Draughts::start(variant), &fen, None)
        .map_or_else(|_| DraughtsStart::new(Draughts::start(variant)), |(opening, _)| opening);
    reading.clear();
    let from = reading.plies.len();
    let text = GameText { raw, bytes, decode };
    let other = games::read(&opening.clone().into(), text, reading).other;
    let mut plies = &reading.plies[from..];
    let (mut at, mut played) = (other.as_ref().unwrap_or(&opening).at, 0);
    while let Some(step) = at.unpack(&mut (), &mut plies) {
        at.play(step);
        played += 1;
    }
    assert_eq!((played, plies.len()), (reading.ply_count, 0));
}

fuzz_target!(|bytes: &[u8]| {
    let mut parser = Parser::with_hint(bytes, Syntax::Pdn);
    let mut raw = RawGame::default();
    let mut reading = Reading::default();
    let mut spans = Spans::default();
    while parser.next_game(&mut raw) {
        spans.next(&raw, bytes);
        let mut depth = 0_i64;
        for item in &raw.items {
            let _ = raw.text(bytes, item);
            match item.kind {
                ItemKind::VariationStart => depth += 1,
                ItemKind::VariationEnd => depth -= 1,
                _ => {}
            }
            assert!(depth >= 0, "variations end that never began");
        }
        for tag in &raw.tags {
            let _ = (tag.name_bytes(bytes), tag.value_bytes(bytes));
        }
        if raw.syntax == Syntax::Pdn {
            play(&raw, bytes, &mut reading);
        }
    }
});
