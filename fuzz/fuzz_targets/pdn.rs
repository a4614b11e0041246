//! PDN of any bytes: spans within the text and in order, as many items as bytes at most.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::parse::{Family, Kind, Parser, RawGame};

fuzz_target!(|bytes: &[u8]| {
    let mut parser = Parser::with_hint(bytes, Family::Draughts);
    let mut raw = RawGame::default();
    let (mut games, mut end) = (0, 0);
    while parser.next_game(&mut raw) {
        games += 1;
        assert!(games <= bytes.len() + 1);
        assert!(end <= raw.span.0 && raw.span.0 <= raw.span.1);
        assert!(raw.span.1 as usize <= bytes.len());
        assert!(raw.items.len() <= 2 * (raw.span.1 - raw.span.0) as usize + 2);
        end = raw.span.1;
        let mut depth = 0_i64;
        for item in &raw.items {
            let _ = raw.text(bytes, item);
            match item.kind {
                Kind::VariationStart => depth += 1,
                Kind::VariationEnd => depth -= 1,
                _ => {}
            }
            assert!(depth >= 0, "variations end that never began");
        }
        for tag in &raw.tags {
            let _ = (tag.name_bytes(bytes), tag.value_bytes(bytes));
        }
    }
});
