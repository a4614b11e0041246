//! Sources that were read before, read again to show where something stands in them.
//!
//! What is remembered of a source is where its pieces begin and the hashes of their text. So a
//! place is shown only where the text around it is that of before, byte for byte, and it does not
//! matter what else of the file has changed.

mod verified_reader;

use std::{
    borrow::Cow,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
};

use memchr::{memchr_iter, memchr2, memrchr2};

use super::{
    archive::ArchiveMembers,
    chunk::chain_of,
    discover::SourcePath,
    encoding::{self, Charset, Transcoder},
    error::{SourceError, SourceErrorKind as Kind},
    file::{OpenedSource, SourceReader, open, open_member},
};
use crate::base::{limits::CHUNK_BYTES_MAX, observe::CancellationToken};

pub use verified_reader::VerifiedReader;

/// Bytes that are read at a time.
const READ_BYTES: usize = 128 << 10;

/// A piece of a stream that was read before: a [`Chunk`](super::chunk::Chunk) without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChunkDigest {
    /// 0-based offset of its first byte in the decompressed, transcoded stream.
    pub offset_bytes: u64,
    /// Bytes, without NULs, that its chain covers from its parent on.
    pub bytes: u64,
    /// How many of them stand before it.
    pub split_bytes: u64,
    /// The chain of the chunk before.
    pub parent: u128,
    /// The hash of the stream up to its end.
    pub chain: u128,
}

impl ChunkDigest {
    /// Where the bytes begin that its chain covers.
    const fn start(&self) -> u64 {
        self.offset_bytes.saturating_sub(self.split_bytes)
    }
}

/// A place in a text, as people count, and the text around it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextExcerpt {
    /// 1-based line in the decompressed, transcoded stream.
    pub line: u64,
    /// 1-based character in it.
    pub column: u64,
    /// The line, or as much of it as [`AROUND_BYTES`] before and after the place.
    pub text: String,
    /// The word at the place, in bytes of [`text`](Self::text).
    pub word: Range<usize>,
}

/// Bytes of a long line that are shown before a place, and after it.
pub const AROUND_BYTES: usize = 200;

impl TextExcerpt {
    /// The place of the byte at `at` of a text that begins at the beginning of a line, after
    /// `lines_before` others; `fallback` is the encoding of what is not UTF-8.
    pub fn in_text(text: &[u8], at: usize, lines_before: u64, fallback: Charset) -> Self {
        let at = at.min(text.len());
        let from = memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1);
        let end = memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |end| at + end);
        let decoded = |range: Range<usize>| {
            let bytes: Cow<'_, [u8]> = if text[range.clone()].contains(&0) {
                text[range].iter().copied().filter(|&b| b != 0).collect()
            } else {
                (&text[range]).into()
            };
            encoding::decode(&bytes, fallback).0.into_owned()
        };
        let (shown_from, shown_end) = (
            whole_from(text, from.max(at.saturating_sub(AROUND_BYTES)), at),
            whole_from(text, end.min(at + AROUND_BYTES), end),
        );
        let before = decoded(shown_from..at);
        let behind = decoded(at..shown_end);
        let unshown = decoded(from..shown_from).chars().count();
        let word = behind.find(char::is_whitespace).unwrap_or(behind.len());
        Self {
            line: lines_before + line_ends_before(text, at) + 1,
            column: (unshown + before.chars().count()) as u64 + 1,
            word: before.len()..before.len() + word,
            text: before + &behind,
        }
    }
}

/// The first place from `at` on, up to `end`, that is not inside a character of UTF-8.
fn whole_from(text: &[u8], at: usize, end: usize) -> usize {
    let is_inside = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at..end).take(4).find(|at| !is_inside(at)).unwrap_or(at)
}

/// Line ends in a text: LF, CRLF and CR.
pub fn line_ends(bytes: &[u8]) -> u64 {
    LineEnds::default().and(bytes).lines()
}

/// Line ends before a place of a text, which may stand within the end of a line.
pub fn line_ends_before(text: &[u8], at: usize) -> u64 {
    let is_within = text[..at].ends_with(b"\r") && text.get(at) == Some(&b'\n');
    line_ends(&text[..at - usize::from(is_within)])
}

/// How often a CR stands before an LF.
fn pairs(bytes: &[u8]) -> usize {
    // No more than a byte can count: so the compiler compares many at a time.
    let counted = |(crs, behind): (&[u8], &[u8])| {
        let ends = crs.iter().zip(behind);
        let pairs = ends.fold(0, |pairs: u8, (&cr, &lf)| {
            pairs + u8::from(cr == b'\r' && lf == b'\n')
        });
        usize::from(pairs)
    };
    let behind = bytes.get(1..).unwrap_or_default();
    bytes.chunks(128).zip(behind.chunks(128)).map(counted).sum()
}

/// Line ends of a text that comes in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LineEnds {
    ends: u64,
    /// Whether the last of them is a CR whose other half may be an LF.
    is_half: bool,
}

impl LineEnds {
    pub(super) fn and(self, bytes: &[u8]) -> Self {
        let Some(&last) = bytes.last() else {
            return self;
        };
        let feeds = memchr_iter(b'\n', bytes).count();
        let returns = memchr_iter(b'\r', bytes).count() - pairs(bytes);
        let is_known = self.is_half && bytes[0] == b'\n';
        Self {
            ends: self.ends + (feeds + returns) as u64 - u64::from(is_known),
            is_half: last == b'\r',
        }
    }

    pub(super) const fn lines(self) -> u64 {
        self.ends
    }
}

/// A stream that was read before, read again from its beginning to its end, once.
pub struct SourceVerifier<R> {
    reader: Transcoder<R>,
    /// Bytes that were passed by, and the line ends among them.
    passed: u64,
    line_ends: LineEnds,
    /// What follows: the text of the current piece as far as it was read.
    text: Vec<u8>,
    /// The piece that was requested last; if it is as before, its length and its encoding.
    compared: Option<(ChunkDigest, Option<(usize, Charset)>)>,
}

impl<R: Read> SourceVerifier<R> {
    /// Reads a stream again.
    pub fn new(reader: R) -> Self {
        Self {
            reader: Transcoder::new(reader),
            passed: 0,
            line_ends: LineEnds::default(),
            text: Vec::new(),
            compared: None,
        }
    }

    /// The place of a byte in a piece, which begins nowhere before the one that was requested
    /// last; all that are known of the stream are `pieces`. `None` if the stream is another
    /// there, or the piece is too large to be kept.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read on.
    pub fn place(
        &mut self,
        piece: &ChunkDigest,
        pieces: &[ChunkDigest],
        offset_bytes: u64,
    ) -> io::Result<Option<TextExcerpt>> {
        let found = match self.compared {
            Some((compared, found)) if compared == *piece => found,
            _ => {
                let found = self.find(piece, pieces)?;
                self.compared = Some((*piece, found));
                found
            }
        };
        Ok(found.map(|(len, fallback)| {
            let at = offset_bytes.saturating_sub(piece.start()) as usize;
            TextExcerpt::in_text(&self.text[..len], at, self.line_ends.lines(), fallback)
        }))
    }

    /// Goes on to a piece and reads it; its length and its encoding if it is as before.
    fn find(
        &mut self,
        piece: &ChunkDigest,
        pieces: &[ChunkDigest],
    ) -> io::Result<Option<(usize, Charset)>> {
        let start = piece.start();
        if start < self.passed || piece.bytes > CHUNK_BYTES_MAX as u64 {
            return Ok(None);
        }
        self.pass_to(start)?;
        let Some(len) = self.read_text(piece.bytes as usize)? else {
            return Ok(None);
        };
        let text = &self.text[..len];
        let chain = if text.contains(&0) {
            let text: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
            chain_of(piece.parent, &text)
        } else {
            chain_of(piece.parent, text)
        };
        // Where two streams part after the same games, those of the second are named after
        // what follows them.
        let after = |next: &ChunkDigest| chain_of(chain, &next.chain.to_be_bytes()) == piece.chain;
        let mut others = pieces.iter().filter(|next| next.start() == start);
        let is_as_before = chain == piece.chain || others.any(after);
        Ok(is_as_before.then(|| (len, encoding::guess(text))))
    }

    /// Goes on to where a piece begins.
    fn pass_to(&mut self, start: u64) -> io::Result<()> {
        let mut buffer = Vec::new();
        while self.passed < start {
            if self.text.is_empty() {
                buffer.resize(READ_BYTES, 0);
                let read = self.read(&mut buffer)?;
                if read == 0 {
                    return Ok(());
                }
                std::mem::swap(&mut self.text, &mut buffer);
                self.text.truncate(read);
            }
            let left = usize::try_from(start - self.passed).unwrap_or(usize::MAX);
            let count = left.min(self.text.len());
            self.line_ends = self.line_ends.and(&self.text[..count]);
            self.text.drain(..count);
            self.passed += count as u64;
        }
        Ok(())
    }

    /// Reads until `text` has `bytes` bytes not counting NULs; how many that are in all. `None` if
    /// there are not that many, or too many NULs among them.
    fn read_text(&mut self, bytes: usize) -> io::Result<Option<usize>> {
        let (mut looked, mut found) = (0, 0);
        loop {
            while found < bytes && looked < self.text.len() {
                let part = &self.text[looked..self.text.len().min(looked + bytes - found)];
                found += part.len() - memchr_iter(0, part).count();
                looked += part.len();
            }
            if found == bytes {
                return Ok(Some(looked));
            }
            if looked > 2 * CHUNK_BYTES_MAX {
                return Ok(None);
            }
            let from = self.text.len();
            self.text.resize(from + READ_BYTES, 0);
            let mut text = std::mem::take(&mut self.text);
            let read = self.read(&mut text[from..]);
            text.truncate(from + *read.as_ref().unwrap_or(&0));
            self.text = text;
            if read? == 0 {
                return Ok(None);
            }
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// Finds sources again by the names that they had. Members of one archive are found fastest in
/// the order in which they stand in it.
#[derive(Debug, Default)]
pub struct SourceLocator {
    stop: CancellationToken,
    /// An archive, and those within it, as far as their members were taken.
    archives: Vec<ArchiveMembers>,
    /// The file of the outermost.
    file: PathBuf,
}

impl SourceLocator {
    /// Opens files until `stop` is requested.
    pub fn new(stop: &CancellationToken) -> Self {
        Self {
            stop: stop.clone(),
            ..Self::default()
        }
    }

    /// Opens a file, or a member of an archive by the path of the archive and its name there.
    ///
    /// # Errors
    ///
    /// If it is not there any more, or cannot be read.
    pub fn open(&mut self, path: &Path) -> Result<SourceReader, SourceError> {
        if !self.archives.is_empty()
            && path.starts_with(&self.file)
            && let Some(found) = self.member(path)?
        {
            return Ok(found);
        }
        self.archives.clear();
        let missing = || SourceError::new(path, Kind::Missing);
        let is_file = |path: &&Path| path.is_file();
        let file = path.ancestors().find(is_file).ok_or_else(missing)?;
        match open(&SourcePath::File(file.to_path_buf()), &self.stop)? {
            OpenedSource::Stream(reader) if file == path => Ok(reader),
            OpenedSource::Archive(members) if file != path => {
                file.clone_into(&mut self.file);
                self.archives.push(members);
                self.member(path)?.ok_or_else(missing)
            }
            _ => Err(missing()),
        }
    }

    /// Goes on in the current archives to a member.
    fn member(&mut self, path: &Path) -> Result<Option<SourceReader>, SourceError> {
        while let Some(members) = self.archives.last_mut() {
            let Some(member) = members.next() else {
                self.archives.pop();
                continue;
            };
            let Ok(member) = member else {
                continue;
            };
            if !path.starts_with(&member.path) {
                continue;
            }
            let is_it = path == member.path;
            match open_member(member)? {
                OpenedSource::Stream(reader) if is_it => return Ok(Some(reader)),
                OpenedSource::Archive(inner) if !is_it => self.archives.push(inner),
                _ => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &[u8], at: usize) -> (u64, u64, String, String) {
        let place = TextExcerpt::in_text(text, at, 0, Charset::WINDOWS_1252);
        let word = place.text[place.word].to_owned();
        (place.line, place.column, place.text, word)
    }

    #[test]
    fn places_are_counted_as_people_count() {
        let text = "[A \"b\"]\r\n\r\n1. e4 Qé9 e5\n".as_bytes();
        let at = text.iter().position(|&byte| byte == b'Q').expect("there");
        assert_eq!(place(text, at), (3, 7, "1. e4 Qé9 e5".into(), "Qé9".into()));
        assert_eq!(place(b"a\rb c", 4), (2, 3, "b c".into(), "c".into()));
        assert_eq!(place(b"x\xe9 y", 3), (1, 4, "xé y".into(), "y".into()));
        assert_eq!(place(b"", 9), (1, 1, String::new(), String::new()));
        assert_eq!(place(b"ab", 9).1, 3);
    }

    #[test]
    fn lines_end_with_cr_lf_or_both() {
        let mut random = fastrand::Rng::with_seed(7);
        for length in (0..700).step_by(3) {
            let bytes: Vec<u8> = (0..length)
                .map(|_| *random.choice(b"\r\n\n\rab").expect("some"))
                .collect();
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            let ends = text.matches(['\r', '\n']).count() as u64;
            assert_eq!(line_ends(&bytes), ends, "{text:?}");
            let (one, other) = bytes.split_at(random.usize(..=length));
            assert_eq!(LineEnds::default().and(one).and(other).lines(), ends);
        }
    }

    #[test]
    fn of_a_long_line_a_part_is_shown() {
        let text = "é".repeat(1000) + "Zz " + &"é".repeat(1000);
        let (line, column, shown, word) = place(text.as_bytes(), 2000);
        assert_eq!((line, column, word.as_str()), (1, 1001, "Zz"));
        assert!(shown.chars().count() < 250 && !shown.contains('\u{fffd}'));
    }

    #[test]
    fn only_the_text_of_before_is_shown() {
        let text = b"[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n1. d\x004 *\n";
        let plain: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
        let parent = chain_of(0, &plain[..18]);
        let first = ChunkDigest {
            bytes: 18,
            chain: parent,
            ..ChunkDigest::default()
        };
        let second = ChunkDigest {
            offset_bytes: 18,
            bytes: plain.len() as u64 - 18,
            split_bytes: 0,
            parent,
            chain: chain_of(parent, &plain[18..]),
        };
        let split = ChunkDigest {
            bytes: plain.len() as u64,
            split_bytes: 18,
            parent: 0,
            chain: chain_of(0, &plain),
            ..second
        };
        let pieces = [first, second];
        let lines = |text: &[u8], asked: &[(&ChunkDigest, u64)]| -> Vec<Option<(u64, String)>> {
            let mut again = SourceVerifier::new(text);
            let mut line = |(piece, at): &(&ChunkDigest, u64)| {
                let place = again.place(piece, &pieces, *at).expect("reads");
                place.map(|place| (place.line, place.text))
            };
            asked.iter().map(&mut line).collect()
        };
        let last = Some((7, "1. d4 *".to_owned()));
        let all = [(&first, 9), (&first, 0), (&second, 30)];
        assert_eq!(
            lines(text, &all),
            [
                Some((3, "1. e4 *".into())),
                Some((1, "[A \"1\"]".into())),
                last.clone()
            ]
        );
        assert_eq!(lines(text, &[(&first, 9), (&split, 30)])[1], last);
        // The first game was changed, the second is where it was.
        let mut changed = text.to_vec();
        changed[12] = b'd';
        assert_eq!(lines(&changed, &all)[0], None);
        assert_eq!(lines(&changed, &all)[2], last);
        assert_eq!(lines(&text[..30], &all)[2], None);
    }
}
