//! Any bytes as a stream in an encoding and as a mail: the text is the same
//! however the bytes come, and not out of proportion to them.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use plydex::input::encoding::{MailText, Transcoder};

/// Gives so many bytes at a time.
struct Piecemeal<'b>(&'b [u8], usize);

impl Read for Piecemeal<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len().min(self.1);
        self.0.read(&mut buffer[..room])
    }
}

/// A text, read at once or by pieces.
fn text(mut reader: impl Read, pieces: usize) -> Vec<u8> {
    let (mut text, mut piece) = (Vec::new(), vec![0; pieces]);
    loop {
        match reader.read(&mut piece) {
            Ok(0) => return text,
            Ok(read) => text.extend_from_slice(&piece[..read]),
            Err(error) => panic!("bytes in memory: {error}"),
        }
    }
}

fuzz_target!(|input: (u8, &[u8])| {
    let (pieces, bytes) = (1 + usize::from(input.0), input.1);
    let at_once = [
        text(Transcoder::new(bytes), 1 << 16),
        text(MailText::new(bytes), 1 << 16),
    ];
    let by_pieces = [
        text(Transcoder::new(Piecemeal(bytes, pieces)), pieces),
        text(MailText::new(Piecemeal(bytes, pieces)), pieces),
    ];
    for (kind, (at_once, by_pieces)) in at_once.iter().zip(&by_pieces).enumerate() {
        assert_eq!(at_once, by_pieces, "{kind}");
        // A byte of an encoding is three bytes of UTF-8 at most.
        assert!(at_once.len() <= 4 * bytes.len() + 64, "{kind}: {} bytes", at_once.len());
    }
});
