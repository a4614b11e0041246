//! Chunks are the stream, whatever the reads; ends are where games begin.

use std::io::Cursor;
use std::path::Path;

use encoding_rs::{WINDOWS_1251, WINDOWS_1252};
use proptest::prelude::*;

use super::*;
use crate::input::{open_stream, verify::line_ends};

/// Gives reads of the sizes listed, in turn, with an interruption between.
struct Uneven<'a> {
    bytes: &'a [u8],
    sizes: &'a [usize],
    turn: usize,
}

impl Read for Uneven<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let size = self.sizes[self.turn % self.sizes.len()];
        let count = size.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

fn chunks(reader: impl Read, chunk_bytes: usize, max: usize) -> Vec<Chunk> {
    let mut reader = ChunkReader::new(reader, chunk_bytes, max);
    let mut chunks = Vec::new();
    while let Some(chunk) = reader.next_chunk().expect("readable") {
        chunks.push(chunk);
    }
    assert!(reader.next_chunk().expect("the end").is_none());
    chunks
}

fn whole(text: &[u8], chunk_bytes: usize, max: usize) -> Vec<Chunk> {
    chunks(Cursor::new(text), chunk_bytes, max)
}

/// Pieces that hostile and honest files are made of.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let newline = || prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let piece = prop_oneof![
        6 => newline().prop_map(|n| format!("[Event \"x\"]{n}[Site \"y\"]{n}{n}1. e4 e5 *{n}{n}")),
        1 => newline().prop_map(|n| format!("[Event \"x\"]{n}{n}[Site \"y\"]{n}{n}*{n}{n}")),
        2 => newline().prop_map(|n| format!("{{ note{n}{n}[Event \"no\"]{n}{n} }}{n}{n}")),
        1 => prop::sample::select(vec![
            "{", "}", "[", "[A \"", "\u{feff}", " ", "\n", "\r", "\n\n", "\0", "\0\0\0", ";",
            "(", "\"]", "é", "[%clk 1:00]",
        ]).prop_map(str::to_owned),
        1 => "[ -~]{0,200}",
    ];
    let start = Just("[Event \"first\"]\n\n1. d4 *\n\n".to_owned());
    (start, prop::collection::vec(piece, 0..60)).prop_map(|(start, pieces)| {
        let mut text = start.into_bytes();
        text.extend(pieces.concat().into_bytes());
        text
    })
}

/// The rule in its plainest form, over a stream without NULs.
fn ends_by_rule(text: &[u8], chunk_bytes: usize, max: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let at_line = |at: &usize| {
            let tag = rest[*at..].strip_prefix(MARK).unwrap_or(&rest[*at..]);
            begins_tag_pair(tag) && follows_movetext(&rest[..*at])
        };
        let range = chunk_bytes..rest.len().min(max + 1);
        let boundary = range.clone().find(|at| is_game_boundary(rest, *at));
        let end = boundary.unwrap_or_else(|| {
            if rest.len() <= max {
                return rest.len();
            }
            let likely = |at: &usize| Records::Games.next_likely(rest, *at, at + 1).is_some();
            let uncovered = |at: &usize| likely(at) && !ends_in_comment(&rest[..*at], false);
            let surest = range.clone().rev().find(at_line);
            let cut = surest.or_else(|| (1..=max).rev().find(uncovered));
            cut.unwrap_or_else(|| passed_over(rest, max))
        });
        start += end;
        ends.push(start);
    }
    ends
}

/// Where what is larger than a game ends, seen through windows of `max` bytes.
fn passed_over(rest: &[u8], max: usize) -> usize {
    let step = max - (max / 2).min(64 << 10);
    let ends = |at: &usize| {
        let before = at.saturating_sub(max - 1).div_ceil(step) * step;
        let window = &rest[before..];
        (Records::Games.next_likely(window, at - before, at - before + 1)).is_some()
    };
    (1..rest.len()).find(ends).unwrap_or(rest.len())
}

proptest! {
    #[test]
    fn chunks_are_the_stream(
        text in stream(),
        sizes in prop::collection::vec(1_usize..400, 1..5),
        chunk_bytes in 1_usize..300,
        more in 0_usize..3000,
    ) {
        let max = chunk_bytes + more;
        let found = whole(&text, chunk_bytes, max);
        let uneven = Uneven { bytes: &text, sizes: &sizes, turn: 0 };
        prop_assert_eq!(&chunks(uneven, chunk_bytes, max), &found);

        let without_nuls: Vec<u8> = text.iter().copied().filter(|b| *b != 0).collect();
        let ends: Vec<_> = found
            .iter()
            .scan(0, |end, c| { *end += c.chained_bytes() as usize; Some(*end) })
            .collect();
        prop_assert_eq!(ends, ends_by_rule(&without_nuls, chunk_bytes, max));

        let (mut chain, mut offset) = (0, 0);
        let mut rest = &without_nuls[..];
        for (number, chunk) in found.iter().enumerate() {
            prop_assert_eq!(chunk.sequence, number as u64);
            prop_assert_eq!(chunk.last, number + 1 == found.len());
            prop_assert_eq!(chunk.parent, chain);
            let text_here;
            (text_here, rest) = rest.split_at(chunk.chained_bytes() as usize);
            match chunk.skipped {
                None => prop_assert_eq!(&chunk.bytes, text_here),
                Some(skipped) => {
                    prop_assert_eq!(skipped.line_ends(), line_ends(text_here));
                }
            }
            chain = chain_of(chain, text_here);
            prop_assert_eq!(chunk.chain, chain);
            prop_assert_eq!(chunk.offset_bytes, offset);
            offset += chunk.chained_bytes() + chunk.nul_bytes;
            for (pos, byte) in chunk.bytes.iter().enumerate() {
                prop_assert_eq!(text[chunk.source_offset(pos) as usize], *byte);
            }
        }
        prop_assert_eq!(offset, text.len() as u64);
    }

    #[test]
    fn no_comment_is_cut(text in stream(), chunk_bytes in 1_usize..100) {
        let mut open = false;
        for chunk in whole(&text, chunk_bytes, 1 << 20) {
            prop_assert!(!open, "a chunk begins inside a comment");
            let start = chunk.bytes.strip_prefix(MARK).unwrap_or(&chunk.bytes);
            prop_assert!(chunk.sequence == 0 || start.starts_with(b"["));
            for byte in &chunk.bytes {
                // A comment is opaque but for the brace that closes it.
                open = if open { *byte != b'}' } else { *byte == b'{' };
            }
        }
    }

    #[test]
    fn packed_streams_read_as_plain_ones(text in stream(), frames in 1_usize..5, cut in 0.0..1.0) {
        let mut packed = Vec::new();
        for part in text.chunks(text.len().div_ceil(frames)) {
            packed.extend(zstd::encode_all(part, 1).expect("compress"));
        }
        let open = |bytes: &[u8]| {
            let stream = Box::new(Cursor::new(bytes.to_vec()));
            let opened = open_stream(Path::new("a.pgn.zst"), stream, None).expect("open");
            opened.into_stream().expect("a stream")
        };
        prop_assert_eq!(chunks(open(&packed), 50, 5000), whole(&text, 50, 5000));
        // Cut short it yields a part of the text, then an error, or, where a
        // frame ended, just the part.
        let len = 1 + ((packed.len() - 1) as f64 * cut) as usize;
        let mut reader = ChunkReader::new(open(&packed[..len]), 50, 5000);
        let mut read = Vec::new();
        let error = loop {
            match reader.next_chunk() {
                Ok(Some(chunk)) => read.extend(chunk.bytes),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let without_nuls: Vec<u8> = text.iter().copied().filter(|b| *b != 0).collect();
        prop_assert!(without_nuls.starts_with(&read));
        prop_assert!(error.as_ref().is_none_or(|error| matches!(error.kind, crate::input::SourceErrorKind::Truncated { .. })), "{error:?}");
        prop_assert!(error.is_some() || zstd::decode_all(&packed[..len]).is_ok());
    }

    #[test]
    fn splits_keep_places(text in stream(), at in 0.0..1.0) {
        let Some(chunk) = whole(&text, 1 << 20, 1 << 20).pop() else { return Ok(()) };
        let len = (chunk.bytes.len() as f64 * at) as usize;
        let (prefix, rest) = chunk.clone().split(len);
        prop_assert_eq!([&prefix.bytes[..], &rest.bytes[..]].concat(), &chunk.bytes[..]);
        prop_assert_eq!(prefix.chain, chain_of(0, &chunk.bytes[..len]));
        prop_assert_eq!((rest.chain, rest.parent, rest.last), (chunk.chain, 0, true));
        prop_assert_eq!(rest.chained_bytes(), chunk.bytes.len() as u64);
        prop_assert_eq!(prefix.nul_bytes + rest.nul_bytes, chunk.nul_bytes);
        for pos in 0..rest.bytes.len() {
            prop_assert_eq!(rest.source_offset(pos), chunk.source_offset(len + pos));
        }
        for pos in 0..prefix.bytes.len() {
            prop_assert_eq!(prefix.source_offset(pos), chunk.source_offset(pos));
        }
    }

    #[test]
    fn a_grown_file_begins_the_same(text in stream(), more in stream(), chunk_bytes in 1_usize..200) {
        let before = whole(&text, chunk_bytes, 1 << 20);
        let grown = [&text[..], &b"\n\n"[..], &more[..]].concat();
        let after = whole(&grown, chunk_bytes, 1 << 20);
        let Some((last, same)) = before.split_last() else { return Ok(()) };
        for (old, new) in same.iter().zip(&after) {
            prop_assert_eq!(old, new);
        }
        let longer = &after[same.len()];
        prop_assert_eq!(longer.parent, last.parent);
        prop_assert_eq!(chain_of(longer.parent, &longer.bytes[..last.bytes.len()]), last.chain);
    }
}

#[test]
fn empty_and_nul_only_streams() {
    assert!(whole(b"", 10, 10).is_empty());
    let found = whole(&[0; 500], 10, 10);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].nul_bytes, found[0].last, found[0].bytes.len()),
        (500, true, 0)
    );
}

#[test]
fn marks_before_games_stay() {
    let game = "\u{feff}[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n";
    let found = whole(game.repeat(3).as_bytes(), 5, 1000);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|chunk| chunk.bytes == game.as_bytes()));
}

#[test]
fn a_lost_brace_costs_no_game() {
    let game = "[Event \"a\"]\n\n1. e4 *\n\n";
    let text = format!("[Event \"a\"]\n\n1. e4 {{ *\n\n{}", game.repeat(100));
    let found = whole(text.as_bytes(), 50, 500);
    assert!(found[0].bytes.len() <= 500 && found[0].bytes.len() > 450);
    assert_eq!(found[1].bytes.len(), game.len() * 3);
    assert!(found.iter().all(|chunk| chunk.bytes.ends_with(b"*\n\n")));
}

/// Games without tags, and such without blank lines, have no boundary.
#[test]
fn what_has_no_boundary_is_cut_all_the_same() {
    for game in ["1. e4 e5 2. Nf3 1-0\n", "[Event \"a\"]\n1. e4 *\n"] {
        let found = whole(game.repeat(100).as_bytes(), 50, 500);
        assert!(found.len() > 3, "{}", found.len());
        assert!(
            found
                .iter()
                .all(|chunk| chunk.bytes.starts_with(game.as_bytes()))
        );
    }
}

/// What no game can be is passed over, and its neighbours are as they are without it.
#[test]
fn what_is_too_large_is_passed_over() {
    let game = "[Event \"a\"]\n\n1. e4 *\n\n";
    for giant in [
        "[Event \"?\"]\n".repeat(100_000),
        format!("[Event \"{}\"]\n\n*\n\n", "x".repeat(1_000_000)),
        format!("[Event \"g\"]\n\n1. e4 {{{}}} *\n\n", "é\0".repeat(500_000)),
        format!("[Event \"g\"]\n\n1. e4 {}\n\n", "{".repeat(1_000_000)),
        format!("[Event \"g\"]\n\n{}\n\n", "e4 ".repeat(300_000)),
        format!("[Event \"g\"]\r\n\r\n{}\r\n", "(e4\r\n".repeat(300_000)),
    ] {
        let text = [&game.repeat(10), &giant, "\n\n", &game.repeat(10)].concat();
        let found = whole(text.as_bytes(), 100, 100_000);
        let sizes = [7, 100, 3000];
        let bytes = text.as_bytes();
        let uneven = Uneven {
            bytes,
            sizes: &sizes,
            turn: 0,
        };
        assert_eq!(chunks(uneven, 100, 100_000), found);
        let skipped: Vec<_> = found
            .iter()
            .filter(|chunk| chunk.skipped.is_some())
            .collect();
        assert_eq!(skipped.len(), 1);
        let (before, after) = (10 * game.len(), bytes.len() - 10 * game.len());
        assert_eq!(skipped[0].offset_bytes, before as u64);
        let length = skipped[0].chained_bytes() + skipped[0].nul_bytes;
        assert_eq!(length, (after - before) as u64);
        let kept = found.iter().flat_map(|chunk| chunk.bytes.clone());
        assert_eq!(kept.collect::<Vec<_>>(), game.repeat(20).into_bytes());
    }
}

#[test]
fn growing_is_linear() {
    // Each line is a candidate in an open comment, or nearly one; rescanning
    // would take minutes.
    for line in [
        "x\n\n[A \"b\"]\n",
        "[\n",
        "\n",
        "\n\n[A \"b\"]\n",
        " ",
        "{",
        "\0x",
    ] {
        let text = format!("{{{}", line.repeat((8 << 20) / line.len()));
        let started = std::time::Instant::now();
        let found = whole(text.as_bytes(), 1 << 18, 6 << 20);
        assert!(!found.is_empty(), "{line:?}");
        assert!(started.elapsed().as_secs() < 20, "{line:?}");
    }
}

#[test]
fn the_fallback_is_decided_once() {
    let game = |name: &[u8]| [b"[White \"", name, b"\"]\n\n*\n\n"].concat();
    let russian = WINDOWS_1251.encode("Ботвинник, Михаил").0;
    let german = WINDOWS_1252.encode("Müller, Jörg").0;
    let text = [
        game("Müller".as_bytes()),
        game(&russian),
        game(&german),
        game(b"plain"),
    ]
    .concat();
    let found = whole(&text, 1, 1000);
    let names: Vec<_> = found.iter().map(|chunk| chunk.fallback.name()).collect();
    assert_eq!(
        names,
        [
            "windows-1252",
            "windows-1251",
            "windows-1251",
            "windows-1251"
        ]
    );
}

#[test]
fn wide_streams_are_cut_as_text() {
    let text = "\u{feff}[Event \"ä\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n\r\n*\r\n";
    let mut bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.push(7);
    let mut reader = ChunkReader::new(Cursor::new(bytes), 5, 1000);
    let first = reader.next_chunk().expect("readable").expect("first");
    assert_eq!(
        first.bytes,
        "[Event \"ä\"]\r\n\r\n1. e4 *\r\n\r\n".as_bytes()
    );
    let second = reader.next_chunk().expect("readable").expect("second");
    assert!(second.bytes.ends_with("*\r\n\u{fffd}".as_bytes()));
    assert!(second.last);
}

#[test]
fn what_comes_before_an_error_is_delivered() {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(9000);
    let mut packed = zstd::encode_all(text.as_bytes(), 1).expect("compress");
    packed.pop();
    let source = open_stream(
        Path::new("x/a.pgn.zst"),
        Box::new(Cursor::new(packed)),
        None,
    );
    let mut reader = ChunkReader::new(
        source.expect("open").into_stream().expect("a stream"),
        50_000,
        100_000,
    );
    let mut read = Vec::new();
    let error = loop {
        match reader.next_chunk() {
            Ok(chunk) => {
                let chunk = chunk.expect("an error comes first");
                assert!(!chunk.last);
                read.extend(chunk.bytes);
            }
            Err(error) => break error,
        }
    };
    assert!(text.as_bytes().starts_with(&read) && !read.is_empty());
    assert!(
        matches!(&error.kind, crate::input::SourceErrorKind::Truncated { offset_bytes } if *offset_bytes == read.len() as u64)
    );
    assert!(reader.next_chunk().expect("ended").is_none());
    assert!(reader.get_ref().compressed_bytes_read() > 0);
}

/// Records of one line each, cut however the stream is read.
#[test]
fn lines_are_cut_between_them() {
    let records = Records::Lines(RecordBoundary {
        name: "test",
        begins: |bytes, at| !matches!(bytes.get(at), None | Some(b'#' | b'\n' | b'\r')),
        may_begin: |_, _| false,
    });
    let text = "one\ntwo\r\n# comment\r\rthree, which is longer\nfour\r\n\r\nfive".repeat(9);
    let cut = |size: usize| {
        let reader = Uneven {
            bytes: text.as_bytes(),
            sizes: &[size],
            turn: 0,
        };
        let mut chunks = ChunkReader::new(reader, 20, 1000).of_records(records, 7);
        assert!(text.as_bytes().starts_with(chunks.beginning()));
        let mut found = Vec::new();
        while let Some(chunk) = chunks.next_chunk().expect("no error") {
            found.push(chunk);
        }
        found
    };
    let found = cut(1);
    assert_eq!(found, cut(3));
    assert_eq!(found, cut(10_000));
    assert!(found.len() > 9, "{}", found.len());
    assert_eq!(found[0].parent, 7);
    let whole: Vec<u8> = found.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
    assert_eq!(whole, text.as_bytes());
    for pair in found.windows(2) {
        assert!(pair[0].bytes.ends_with(b"\n") || pair[0].bytes.ends_with(b"\r"));
        assert!(
            pair[1].bytes[0].is_ascii_alphabetic(),
            "{:?}",
            pair[1].bytes
        );
        assert_eq!(pair[0].chain, pair[1].parent);
    }
    let last = records.last(text.as_bytes()).expect("several records");
    assert_eq!(&text[last..], "five");
    assert!(records.is_boundary(text.as_bytes(), 4));
    assert!(!records.is_boundary(text.as_bytes(), 0));
    assert!(!records.is_boundary(text.as_bytes(), 8));
}

/// A stream without an end stops where it has no game for too long; what stands before that stays.
#[test]
fn streams_without_games_end() {
    let game = b"[Event \"x\"]\n\n1. e4 *\n\n";
    for (what, filler) in [
        ("zeros", &b"\0"[..]),
        ("zeros and blanks", b"\0\0\0\0\0\0\0\0 "),
        ("lines", b"y\n"),
        ("a comment", b"{ x"),
        ("one line", b"x"),
    ] {
        for before in [&b""[..], game] {
            let endless = std::iter::repeat_n(filler, 1 << 20).flatten().copied();
            let endless: Vec<u8> = before.iter().copied().chain(endless).collect();
            let reader = endless.chain(io::repeat(b'\0'));
            let mut chunks = ChunkReader::new(reader, 20, 100_000).of_path("endless".into());
            chunks.gameless_bytes_max = 300_000;
            let (mut text, mut read) = (Vec::new(), 0);
            let error = loop {
                match chunks.next_chunk() {
                    Ok(Some(chunk)) => {
                        read += chunk.chained_bytes() + chunk.nul_bytes;
                        text.extend(chunk.bytes);
                    }
                    Ok(None) => panic!("{what}: an end"),
                    Err(error) => break error,
                }
            };
            assert!(text.starts_with(before), "{what}");
            assert!(
                read < 300_000 + 4 * *READ_BYTES.end() as u64,
                "{what}: {read}"
            );
            assert!(
                error.to_string().starts_with("endless: no game in "),
                "{error}"
            );
            assert!(chunks.next_chunk().expect("the end").is_none());
        }
    }
}

#[test]
fn games_after_a_while_are_read() {
    let game = "[Event \"x\"]\n\n1. e4 *\n\n";
    let text = format!("{}{game}", "y\n".repeat(2_400));
    let mut reader = ChunkReader::new(text.as_bytes(), 20, 1000);
    reader.gameless_bytes_max = 5_000;
    let mut read = Vec::new();
    while let Some(chunk) = reader.next_chunk().expect("readable") {
        read.extend(chunk.bytes);
    }
    assert!(read.ends_with(game.as_bytes()));
}
