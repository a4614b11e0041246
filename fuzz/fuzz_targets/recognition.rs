//! Any bytes as the beginning of a stream: what notation it is in is found without a panic,
//! is the same each time and whatever follows once it is certain, and takes time in proportion to
//! the sample; no notation explains more than all of it.
#![no_main]

use std::{
    path::Path,
    time::{Duration, Instant},
};

use libfuzzer_sys::fuzz_target;
use plydex::formats::{FORMATS, Sample, looks_like, recognise};

/// Names with the endings of every notation, and without one.
const NAMES: [&str; 11] = [
    "-",
    "a.pgn",
    "a.epd",
    "a.csv",
    "a.json",
    "a.txt",
    "a.olv",
    "a.inp",
    "a.wxf",
    "a.ggf",
    "a.dhtmlxq",
];

/// Bytes of a sample.
const SAMPLE_BYTES: usize = 64 << 10;

/// What looking at a sample may take at most, many times what it does.
const TIME_MAX: Duration = Duration::from_secs(5);

fuzz_target!(|input: (u8, &[u8])| {
    let (number, bytes) = input;
    let path = Path::new(NAMES[usize::from(number) % NAMES.len()]);
    let sample = Sample::of(bytes);
    for format in FORMATS {
        let explained = (format.explains)(&sample);
        assert!(explained <= 100, "{}: {explained}", format.name);
        assert_eq!((format.explains)(&sample), explained, "{}", format.name);
    }
    let found = recognise(bytes, path);
    assert_eq!(recognise(bytes, path), found);
    assert_ne!(found.rival.map(|rival| rival.name), Some(found.format.name));
    let certain = looks_like(bytes);
    assert_eq!(looks_like(bytes), certain);
    if bytes.is_empty() || number % 16 != 0 {
        return;
    }
    // The same again and again, as large as a sample is: nothing grows faster than it.
    let many = bytes.repeat(SAMPLE_BYTES / bytes.len() + 4);
    let begun = Instant::now();
    let found = recognise(&many, path);
    assert!(begun.elapsed() < TIME_MAX, "{:?}", begun.elapsed());
    // What follows a beginning that is certain says nothing.
    let begins = recognise(&many[..SAMPLE_BYTES + 3], path);
    assert!(!begins.is_certain || begins == found);
});
