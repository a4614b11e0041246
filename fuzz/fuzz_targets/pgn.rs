//! PGN of any bytes: spans within the text and in order, work in proportion to it,
//! and main lines that replay as they were read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::{
    parse::{Parser, RawGame},
    replay::{
        Walk,
        chess::Replay,
        read::{self, Opening, Reading},
    },
};
use shakmaty::Chess;

fuzz_target!(|bytes: &[u8]| {
    let decode: read::Decode<'_> = &|bytes| String::from_utf8_lossy(bytes);
    let opening = Opening::new(&Chess::default());
    let mut parser = Parser::new(bytes);
    let mut raw = RawGame::default();
    let mut reading = Reading::default();
    let (mut games, mut end) = (0, 0);
    while parser.next_game(&mut raw) {
        games += 1;
        assert!(games <= bytes.len() + 1);
        assert!(end <= raw.span.0 && raw.span.0 <= raw.span.1);
        assert!(raw.span.1 as usize <= bytes.len());
        assert!(raw.items.len() <= 2 * (raw.span.1 - raw.span.0) as usize + 2);
        end = raw.span.1;
        for item in &raw.items {
            let _ = raw.text(bytes, item);
        }
        reading.clear();
        let from = reading.plies.len();
        read::read(&raw, bytes, &opening, decode, &mut reading);
        let mut plies = &reading.plies[from..];
        let mut replay = Replay::initial();
        let mut count = 0;
        while let Some(code) = replay.peek(&mut plies) {
            replay.play(code);
            count += 1;
        }
        assert_eq!((count, plies.len()), (reading.ply_count, 0));
        assert!(reading.annotation.len() <= 64 + 16 * (raw.span.1 - raw.span.0) as usize * 2);
    }
});
