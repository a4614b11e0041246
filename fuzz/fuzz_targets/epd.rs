//! Lines of EPD: what is written reads back the same and is written the same; operations
//! are read in positions of every game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plydex::games::{
    AnyPosition, ParsedPosition, chess::notation::position_text, notation::epd, variant::ALL,
};
use shakmaty::Chess;

fuzz_target!(|text: &str| {
    for line in text.lines().take(8) {
        if let Some((_, operations)) = line.split_once(';') {
            for start in ALL.iter().filter_map(AnyPosition::start) {
                let tags = epd::to_tags(&epd::operations(operations, Some(&start)).list);
                let fen = start.fen();
                let written = epd::from_tags(&fen, &tags);
                assert!(written.len() <= 400 + 16 * line.len(), "{written}");
            }
        }
        let Ok(read) = position_text::read(line) else {
            continue;
        };
        let write = |line: &ParsedPosition<Chess>| {
            epd::write(&line.at, line.fields.counters, &line.aside.operations)
        };
        let written = write(&read);
        assert!(written.len() <= 400 + 8 * line.len(), "{written}");
        let again = position_text::read(&written).expect("what is written is read");
        assert_eq!(read.at, again.at, "{written}");
        assert_eq!(write(&again), written);
    }
});
