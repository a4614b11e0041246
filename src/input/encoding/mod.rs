//! Brings text to UTF-8 (rule L1): entire streams where the encoding is certain,
//! single games by a guess where it is not.
//!
//! UTF-16, UTF-32 and the encodings of East Asia must be undone before anything can be
//! cut, so they are transcoded as a stream by [`Transcoder`]. Everything else stays as it is:
//! one file often mixes UTF-8 and an 8-bit encoding, so [`decode`] looks at the
//! pieces of each game, with the [`EncodingGuess`] of the file to fall back on.

mod charset;
mod east_asia;
mod guess;
mod mail;
mod words;

use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};

use crate::base::limits::GAMELESS_BYTES_MAX;

pub use charset::Charset;
pub use guess::{EncodingGuess, decode, guess};
pub use mail::MailText;
use mail::QuotedPrintable;

/// The first bytes, which show the encoding of a stream.
const SAMPLE_BYTES: usize = 4096;

/// Bytes that are read at a time to be transcoded.
const RAW_BYTES: usize = 64 << 10;

/// How the bytes of a stream are encoded, as far as its beginning shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamEncoding {
    /// ASCII, UTF-8 or some 8-bit encoding: the bytes stay as they are, a
    /// UTF-8 byte order mark included.
    Bytes,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
    /// UTF-32, little endian.
    Utf32Le,
    /// UTF-32, big endian.
    Utf32Be,
    /// ASCII that stands for bytes in some encoding: `=E9`.
    QuotedPrintable,
    /// Characters of two bytes and more: GB18030, Big5, `Shift_JIS`, EUC-JP, EUC-KR.
    EastAsian(&'static Encoding),
}

impl StreamEncoding {
    /// Determines the encoding by the first bytes of a stream, and how many of them
    /// are a byte order mark to be dropped.
    pub fn of(sample: &[u8]) -> (Self, usize) {
        // The mark of UTF-32 begins as that of UTF-16 does.
        match sample {
            [0xff, 0xfe, 0, 0, ..] => (Self::Utf32Le, 4),
            [0, 0, 0xfe, 0xff, ..] => (Self::Utf32Be, 4),
            [0xff, 0xfe, ..] => (Self::Utf16Le, 2),
            [0xfe, 0xff, ..] => (Self::Utf16Be, 2),
            [0xef, 0xbb, 0xbf, ..] => (Self::Bytes, 0),
            _ if QuotedPrintable::is_in(sample) => (Self::QuotedPrintable, 0),
            _ => match Self::by_nul_density(sample) {
                Self::Bytes => (
                    east_asia::of_text(sample).map_or(Self::Bytes, Self::EastAsian),
                    0,
                ),
                wide => (wide, 0),
            },
        }
    }

    /// What it is called, if that was guessed.
    pub fn guessed_name(self) -> Option<&'static str> {
        match self {
            Self::EastAsian(encoding) => Some(encoding.name()),
            _ => None,
        }
    }

    /// UTF-16 without a mark shows by the NUL halves of its ASCII letters: at
    /// least 30 % on one side, next to none on the other. NULs on both sides
    /// are padding (or UTF-32 without a mark) and are deleted later on.
    fn by_nul_density(sample: &[u8]) -> Self {
        let pairs = sample.len() / 2;
        if pairs < 2 {
            return Self::Bytes;
        }
        let nuls = |side: usize| {
            sample
                .iter()
                .skip(side)
                .step_by(2)
                .filter(|b| **b == 0)
                .count()
        };
        let many = |count: usize| count * 10 >= pairs * 3;
        let few = |count: usize| count * 20 <= pairs;
        match (nuls(0), nuls(1)) {
            (even, odd) if few(even) && many(odd) => Self::Utf16Le,
            (even, odd) if many(even) && few(odd) => Self::Utf16Be,
            _ => Self::Bytes,
        }
    }
}

/// Text that was made of what was read, and waits.
#[derive(Debug, Default)]
struct PendingText {
    text: Vec<u8>,
    /// What of it was handed over.
    read: usize,
    /// The bytes of it when bytes were taken last, and how many were since any was made.
    taken_at: usize,
    silent: u64,
}

impl PendingText {
    /// Whether all was handed over; then there is room for more.
    fn is_read(&mut self) -> bool {
        if self.read < self.text.len() {
            return false;
        }
        self.text.clear();
        self.read = 0;
        true
    }

    /// Notes that `bytes` more are taken; an error if no text was made of very many.
    fn take(&mut self, bytes: usize) -> io::Result<()> {
        if self.text.len() > self.taken_at {
            self.silent = 0;
        }
        self.taken_at = self.text.len();
        self.silent += bytes as u64;
        if self.silent > GAMELESS_BYTES_MAX {
            let why = format!("no text in {} bytes", self.silent);
            return Err(io::Error::other(why));
        }
        Ok(())
    }

    /// Hands over as much as there is room for; how much that is.
    fn hand_over(&mut self, buffer: &mut [u8]) -> usize {
        let waiting = &self.text[self.read..];
        let bytes = waiting.len().min(buffer.len());
        buffer[..bytes].copy_from_slice(&waiting[..bytes]);
        self.read += bytes;
        bytes
    }
}

/// Reads a stream as UTF-8 where its encoding is certain, else as it is.
pub struct Transcoder<R> {
    reader: R,
    encoding: Option<StreamEncoding>,
    /// What waits to be read: the sample of a stream that stays as it is, or
    /// transcoded text.
    ready: PendingText,
    /// What was read to be transcoded, and the unit of UTF-32 that it ended in.
    raw: Vec<u8>,
    partial: Vec<u8>,
    /// What undoes UTF-16 and the encodings of East Asia.
    decoder: Decoder,
    quoted: QuotedPrintable,
    ended: bool,
    /// An error within the sample, to be reported after what came before it.
    failure: Option<io::Error>,
}

impl<R: Read> Transcoder<R> {
    /// Wraps a stream, reading nothing yet.
    pub fn new(reader: R) -> Self {
        Self {
            reader,
            encoding: None,
            ready: PendingText::default(),
            raw: Vec::new(),
            partial: Vec::new(),
            decoder: UTF_16LE.new_decoder_without_bom_handling(),
            quoted: QuotedPrintable::default(),
            ended: false,
            failure: None,
        }
    }

    /// The stream beneath.
    pub const fn get_ref(&self) -> &R {
        &self.reader
    }

    /// The encoding of the stream, if it was guessed.
    pub fn guessed(&self) -> Option<&'static str> {
        self.encoding.and_then(StreamEncoding::guessed_name)
    }

    fn start(&mut self) {
        // Always filled, so that the sizes of reads never change the decision.
        self.ready.text.reserve(SAMPLE_BYTES);
        let mut sample = self.reader.by_ref().take(SAMPLE_BYTES as u64);
        self.failure = sample.read_to_end(&mut self.ready.text).err();
        let (encoding, mark_bytes) = StreamEncoding::of(&self.ready.text);
        self.encoding = Some(encoding);
        let decoded = match encoding {
            StreamEncoding::Utf16Be => UTF_16BE,
            StreamEncoding::EastAsian(encoding) => encoding,
            _ => UTF_16LE,
        };
        self.decoder = decoded.new_decoder_without_bom_handling();
        if encoding != StreamEncoding::Bytes {
            let sample = std::mem::take(&mut self.ready.text);
            self.transcode(&sample[mark_bytes..], false);
        }
    }

    /// Transcodes bytes onto the end of what is ready; what is no character of the encoding becomes
    /// U+FFFD, an odd rest at the end included.
    fn transcode(&mut self, bytes: &[u8], last: bool) {
        self.ended = last;
        let number: fn([u8; 4]) -> u32 = match self.encoding {
            Some(StreamEncoding::Utf32Le) => u32::from_le_bytes,
            Some(StreamEncoding::Utf32Be) => u32::from_be_bytes,
            Some(StreamEncoding::QuotedPrintable) => {
                self.quoted.push(bytes, last, &mut self.ready.text);
                return;
            }
            _ => {
                // Three bytes for each unit, and some for what is carried over.
                let room = self.decoder.max_utf8_buffer_length(bytes.len());
                let mut text = String::with_capacity(room.unwrap_or(bytes.len() * 4));
                let _ = self.decoder.decode_to_string(bytes, &mut text, last);
                self.ready.text.extend_from_slice(text.as_bytes());
                return;
            }
        };
        self.partial.extend_from_slice(bytes);
        let (units, rest) = self.partial.as_chunks::<4>();
        let chars = units.iter().map(|unit| char::from_u32(number(*unit)));
        let odd = (last && !rest.is_empty()).then_some(None);
        for c in chars.chain(odd) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready
                .text
                .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        let taken = self.partial.len() - rest.len();
        self.partial.drain(..taken);
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.encoding.is_none() {
            self.start();
        }
        loop {
            if !self.ready.is_read() {
                return Ok(self.ready.hand_over(buffer));
            }
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            if self.encoding == Some(StreamEncoding::Bytes) {
                return self.reader.read(buffer);
            }
            if self.ended || buffer.is_empty() {
                return Ok(0);
            }
            let mut raw = std::mem::take(&mut self.raw);
            raw.resize(RAW_BYTES, 0);
            let result = self.reader.read(&mut raw);
            if let Ok(count) = result {
                self.transcode(&raw[..count], count == 0);
            }
            self.raw = raw;
            self.ready.take(result?)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives at most this many bytes per read, now and then an interruption.
    struct Dribble<'a>(&'a [u8], usize, bool);

    impl Read for Dribble<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = self.1.min(buffer.len()).min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(bytes: &[u8], step: usize) -> (String, StreamEncoding) {
        let mut reader = Transcoder::new(Dribble(bytes, step, false));
        let mut out = Vec::new();
        reader.read_to_end(&mut out).expect("read");
        (
            String::from_utf8(out).expect("UTF-8"),
            reader.encoding.expect("told"),
        )
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|u| {
                if big {
                    u.to_be_bytes()
                } else {
                    u.to_le_bytes()
                }
            })
            .collect()
    }

    fn utf32(text: &str, big: bool) -> Vec<u8> {
        let bytes = |c| {
            if big {
                u32::to_be_bytes(c as u32)
            } else {
                u32::to_le_bytes(c as u32)
            }
        };
        text.chars().flat_map(bytes).collect()
    }

    proptest! {
        #[test]
        fn marked_streams_come_through(text in "\\PC{0,3000}", big: bool, step in 1_usize..5000) {
            let marked = format!("\u{feff}{text}");
            let le16 = if big { StreamEncoding::Utf16Be } else { StreamEncoding::Utf16Le };
            let le32 = if big { StreamEncoding::Utf32Be } else { StreamEncoding::Utf32Le };
            prop_assert_eq!(read(&utf16(&marked, big), step), (text.clone(), le16));
            prop_assert_eq!(read(&utf32(&marked, big), step), (text, le32));
        }

        #[test]
        fn any_bytes_stay_unless_wide(bytes: Vec<u8>, step in 1_usize..50) {
            let mut reader = Transcoder::new(Dribble(&bytes, step, false));
            let mut out = Vec::new();
            reader.read_to_end(&mut out).expect("read");
            if reader.encoding == Some(StreamEncoding::Bytes) {
                prop_assert_eq!(out, bytes);
            }
        }
    }

    /// What makes no text of what it takes ends with an error, after the text before.
    #[test]
    fn streams_without_text_end() {
        let mail = "Content-Type: text/plain\nContent-Transfer-Encoding: ";
        let endless = Again::of(&format!("{mail}base64\n\n"), "==\n");
        let mut text = Vec::new();
        let read = MailText::new(endless).read_to_end(&mut text);
        let error = read.expect_err("it has no end");
        assert!(error.to_string().starts_with("no text in "), "{error}");
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains("text"), "{text}");
    }

    /// A text, and another one again and again.
    struct Again {
        text: Vec<u8>,
        /// Where the second text begins.
        from: usize,
        at: usize,
    }

    impl Again {
        fn of(before: &str, again: &str) -> Self {
            Self {
                text: format!("{before}{}", again.repeat(10_000)).into(),
                from: before.len(),
                at: 0,
            }
        }
    }

    impl Read for Again {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let bytes = (&self.text[self.at..]).read(buffer)?;
            self.at += bytes;
            if self.at == self.text.len() {
                self.at = self.from;
            }
            Ok(bytes)
        }
    }

    #[test]
    fn unmarked_utf16_and_odd_ends() {
        let text = "[White \"Ботвинник, Михаил\"]\n\n1. e4 e5 *\n".repeat(300);
        for (big, wanted) in [
            (false, StreamEncoding::Utf16Le),
            (true, StreamEncoding::Utf16Be),
        ] {
            let mut bytes = utf16(&text, big);
            assert_eq!(read(&bytes, 999), (text.clone(), wanted));
            bytes.push(b'x');
            let (out, _) = read(&bytes, 7);
            assert_eq!(out, format!("{text}\u{fffd}"));
        }
        let mut bytes = utf32("\u{feff}ab", false);
        bytes.push(1);
        assert_eq!(read(&bytes, 3).0, "ab\u{fffd}");
    }

    #[test]
    fn marks_of_utf8_and_single_nuls_stay() {
        let text = "\u{feff}[Event \"a\"]\n\n*\n\n\u{feff}[Event \"b\"]\n\n*\n";
        assert_eq!(
            read(text.as_bytes(), 5),
            (text.to_owned(), StreamEncoding::Bytes)
        );
        assert_eq!(read(&[0; 99], 5).1, StreamEncoding::Bytes);
        let case = include_bytes!("../../../tests/vectors/pgn_cases/nul_tag.pgn");
        assert_eq!(read(case, 5).1, StreamEncoding::Bytes);
        let case = include_bytes!("../../../tests/vectors/pgn_cases/utf16le.pgn");
        let (text, encoding) = read(case, 5);
        assert_eq!(encoding, StreamEncoding::Utf16Le);
        assert!(text.starts_with("[Event \""), "{text}");
    }
}
