//! Any bytes as a stream of any notation: the PGN that is written has as many games as the
//! transcript has records, each from its own place in the source, and is no longer than the
//! source is worth.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plydex::{pgn::parser::{Parser, RawGame, detect_syntax}, formats::{FORMATS, ChunkText, Format, StreamHints, OtherRecords, recognise}, games::variant::{ALL, Variant}};

/// Bytes of PGN for each byte of the source at most, and for each source.
const WRITTEN_MAX: (usize, usize) = (64, 512);

fuzz_target!(|input: (u8, &[u8])| {
    let (number, bytes) = input;
    let path = Path::new("-");
    let _ = recognise(bytes, path);
    // Past the registry, nobody says a variant.
    let forced = ALL.get(usize::from(number));
    for format in FORMATS {
        let hints = format.hints(forced, path, bytes);
        // What somebody says is of one notation has nothing else.
        let alone = StreamHints { others: OtherRecords::Nothing, ..hints.clone() };
        for hints in [alone, hints] {
            try_as(format, &hints, bytes, forced);
        }
    }
});

fn try_as(format: &'static Format, hints: &StreamHints, bytes: &[u8], forced: Option<&'static Variant>) {
    let source = ChunkText {
        bytes,
        fallback: plydex::input::encoding::Charset::WINDOWS_1252,
    };
    let Some(transcript) = format.transcript(&source, hints) else {
        return;
    };
    let text = transcript.text().as_bytes();
    let longest = WRITTEN_MAX.0 * bytes.len() + WRITTEN_MAX.1;
    assert!(text.len() <= longest, "{}: {} bytes", format.name, text.len());
    for finding in transcript.findings() {
        assert!(finding.diagnostic.offset_bytes as usize <= bytes.len());
        assert!(finding.record.is_none_or(|record| record < transcript.records()));
    }
    let of_variant = |value: &[u8]| Variant::from_tag(value)?.decided_syntax();
    let mut parser = Parser::with_hint(text, detect_syntax(text))
        .reading(forced.and_then(Variant::decided_syntax), of_variant);
    let mut raw = RawGame::default();
    // Games between positions stand in the transcript as they were, several to a record.
    let is_alone = hints.others == OtherRecords::Nothing;
    let (mut games, mut place, mut before) = (0, 0, 0);
    while parser.next_game(&mut raw) {
        let from = raw.span.0 as usize;
        let record = transcript.record_at(from);
        let is_right = if is_alone { record == games } else { record >= before };
        assert!(is_right, "{}: {}", format.name, transcript.text());
        let at = transcript.source_offset(from);
        assert!(place <= at && at <= bytes.len(), "{}: {at} after {place}", format.name);
        (place, before) = (at, record);
        games += 1;
    }
    if is_alone {
        assert_eq!(games, transcript.records(), "{}: {}", format.name, transcript.text());
    }
}
