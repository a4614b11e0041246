//! Cuts a stream into chunks of complete games, and recognises chunks again.
//!
//! A chunk ends at the first boundary between games ([`is_game_boundary`]), or
//! between what else the stream holds ([`Records`]), at or after
//! `chunk_bytes` from its start. If every boundary up to `chunk_bytes_max`
//! seems to stand inside a comment, the last one is taken; if there is none at
//! all, the last place where a game may begin, though less surely (a tag pair after
//! a line that is none, a move 1 after a result). If there is none of these either,
//! what begins the chunk is larger than a game may be: it is passed over, up to the
//! next place where a game may begin, and a chunk without its bytes stands for it. The
//! end of the stream ends the last chunk.
//!
//! Where chunks end depends on the bytes alone, so each chunk can be named by
//! the chain of hashes up to its end: a reader that meets a known chain has read the
//! very same stream up to there. A file that has grown since begins with the
//! same chunks, but for the last, whose bytes begin a chunk that is now longer.

mod boundary;
mod nul_bytes;
mod skip;

use std::{
    io::{self, Read},
    ops::RangeInclusive,
    path::PathBuf,
};

use memchr::memchr;
use twox_hash::XxHash3_128;

use super::encoding::{Charset, EncodingGuess, Transcoder};
use super::error::{SourceError, SourceErrorKind};
use crate::base::limits::GAMELESS_BYTES_MAX;
use boundary::{
    MARK, TAG_LOOKAHEAD_BYTES, begins_tag_pair, ends_in_comment, follows_movetext, next_line,
};
use nul_bytes::NulRuns;

pub use skip::SkippedRange;

pub use boundary::{RECORD_LOOKAHEAD_BYTES, RecordBoundary, Records, is_game_boundary};

/// Bytes requested at a time: large enough to make calls cheap, small enough
/// to stay in the cache while they are looked through. Most files of a folder are smaller, and
/// need no buffer of that size.
const READ_BYTES: RangeInclusive<usize> = 16 << 10..=128 << 10;

/// The bytes that identify a stream (see [`ChunkReader::beginning`]).
const BEGINNING_BYTES: usize = 64 << 10;

/// The same where these do not suffice (see [`ChunkReader::long_beginning`]).
const LONG_BEGINNING_BYTES: usize = 1 << 20;

/// The hash that stands for the stream up to the end of `bytes`, where
/// `parent` stands for what comes before them (0 at the beginning).
///
/// Part of the file format of the index.
pub fn chain_of(parent: u128, bytes: &[u8]) -> u128 {
    link_of(parent, XxHash3_128::oneshot(bytes))
}

/// The [chains](chain_of) of the beginnings of a text, shorter ones first, for which each byte is
/// hashed once.
pub struct PrefixChains<'b> {
    parent: u128,
    bytes: &'b [u8],
    hasher: XxHash3_128,
    /// The last one: where it ended, and the chain.
    last: (usize, u128),
}

impl<'b> PrefixChains<'b> {
    /// Those of a text after `parent`.
    pub fn new(parent: u128, bytes: &'b [u8]) -> Self {
        Self {
            parent,
            bytes,
            hasher: XxHash3_128::new(),
            last: (0, chain_of(parent, &[])),
        }
    }

    /// That of the first `end` bytes, which are no fewer than the time before.
    pub fn up_to(&mut self, end: usize) -> u128 {
        let hashed = self.last.0;
        if end > hashed {
            self.hasher.write(&self.bytes[hashed..end]);
            self.last = (end, link_of(self.parent, self.hasher.finish_128()));
        }
        self.last.1
    }
}

/// The same of the hash of the bytes.
pub(super) fn link_of(parent: u128, hash: u128) -> u128 {
    let mut link = [0; 32];
    link[..16].copy_from_slice(&parent.to_le_bytes());
    link[16..].copy_from_slice(&hash.to_le_bytes());
    XxHash3_128::oneshot(&link)
}

/// A piece of a stream that begins and ends between games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// 0-based number of the chunk in its stream.
    pub sequence: u64,
    /// 0-based offset of its first byte in the decompressed, transcoded stream.
    pub offset_bytes: u64,
    /// The text, without its NUL bytes; empty if it was passed over.
    pub bytes: Vec<u8>,
    /// What was passed over instead, larger than any game may be.
    pub skipped: Option<SkippedRange>,
    /// The hash of the stream up to the end of this chunk (see [`chain_of`]).
    pub chain: u128,
    /// The chain of the chunk before; for the first what the reader was given, 0
    /// for games.
    pub parent: u128,
    /// Bytes between the end of the parent and the beginning of this chunk:
    /// 0 unless it is the rest of a [`split`](Self::split).
    pub split_bytes: u64,
    /// What stands there, without its NUL bytes.
    before: Vec<u8>,
    /// Whether the stream ends with this chunk. A chunk before an error is
    /// never the last.
    pub last: bool,
    /// Whether it is known to end between two games, where the text does not show it.
    pub is_cut: bool,
    /// What the stream is a sequence of.
    pub records: Records,
    /// The encoding of what is not valid UTF-8.
    pub fallback: Charset,
    /// The encoding that the stream was transcoded from, if that was guessed and this is its first
    /// chunk.
    pub transcoded_from: Option<&'static str>,
    /// How many NUL bytes were deleted.
    pub nul_bytes: u64,
    nuls: NulRuns,
}

impl Chunk {
    /// The offset in the decompressed, transcoded stream of the byte at `pos`
    /// of [`bytes`](Self::bytes), counting the NUL bytes that were deleted.
    pub fn source_offset(&self, pos: usize) -> u64 {
        self.offset_bytes + pos as u64 + self.nuls.up_to(pos)
    }

    /// How many bytes (without NULs) the chain covers from its parent on:
    /// those of this chunk, and of what was split off before it.
    ///
    /// A caller that stores a last chunk as (parent, chain, this number) can later
    /// look for it at the beginning of a chunk with that parent.
    pub fn chained_bytes(&self) -> u64 {
        let skipped = self.skipped.map_or(0, |skipped| skipped.bytes);
        self.split_bytes + self.bytes.len() as u64 + skipped
    }

    /// Cuts the chunk in two: its first `len` bytes and the rest.
    ///
    /// The prefix has the chain of a stream that ends there. The rest keeps
    /// chain and parent of the original, since both still name the same place of
    /// the stream. Both keep the sequence number; `last` goes to the rest.
    ///
    /// # Panics
    ///
    /// If `len` is greater than the length of the chunk.
    pub fn split(mut self, len: usize) -> (Self, Self) {
        assert!(len <= self.bytes.len());
        let nuls = self.nuls.split_off(len);
        let nul_bytes = nuls.total();
        let whole = [&self.before[..], &self.bytes[..len]].concat();
        let chain = chain_of(self.parent, &whole);
        let prefix_nul_bytes = self.nul_bytes - nul_bytes;
        let rest = Self {
            offset_bytes: self.offset_bytes + len as u64 + prefix_nul_bytes,
            bytes: self.bytes.split_off(len),
            split_bytes: self.split_bytes + len as u64,
            before: whole,
            transcoded_from: None,
            nul_bytes,
            nuls,
            ..self
        };
        self.chain = chain;
        self.last = false;
        self.nul_bytes = prefix_nul_bytes;
        (self, rest)
    }
}

/// Reads a stream chunk by chunk.
pub struct ChunkReader<R> {
    reader: Transcoder<R>,
    records: Records,
    chunk_bytes: usize,
    chunk_bytes_max: usize,
    /// The current chunk and what was read beyond it; only the first `filled`
    /// bytes count, the others are room.
    buffer: Vec<u8>,
    filled: usize,
    nuls: NulRuns,
    search: EndSearch,
    sequence: u64,
    offset_bytes: u64,
    parent: u128,
    guess: EncodingGuess,
    ended: bool,
    failure: Option<SourceError>,
    /// Bytes without a game after which nothing more is read.
    gameless_bytes_max: u64,
    /// What errors of its own are about.
    path: PathBuf,
}

/// How far the search for the end of the current chunk has come, so that
/// nothing is looked at twice while the chunk grows.
#[derive(Debug, Default)]
struct EndSearch {
    /// Where to look for the next `[`.
    from: usize,
    /// Up to where braces were looked at, and whether one is open there.
    braces_to: usize,
    open: bool,
    /// The last boundary that stood inside a comment.
    candidate: Option<usize>,
}

/// What ends the current chunk.
enum Cut {
    /// It has this many bytes.
    At(usize),
    /// It begins with something larger than any game may be.
    TooLarge,
}

impl<R: Read> ChunkReader<R> {
    /// Wraps a stream; chunks have about `chunk_bytes` and never more than
    /// `chunk_bytes_max` bytes (see [`limits`](crate::base::limits)).
    pub fn new(reader: R, chunk_bytes: usize, chunk_bytes_max: usize) -> Self {
        let chunk_bytes = chunk_bytes.max(1);
        Self {
            reader: Transcoder::new(reader),
            records: Records::Games,
            chunk_bytes,
            // Positions of deleted NULs are kept in 32 bits.
            chunk_bytes_max: chunk_bytes_max.max(chunk_bytes).min(u32::MAX as usize / 2),
            buffer: Vec::new(),
            filled: 0,
            nuls: NulRuns::default(),
            search: EndSearch {
                from: chunk_bytes,
                ..EndSearch::default()
            },
            sequence: 0,
            offset_bytes: 0,
            parent: 0,
            guess: EncodingGuess::new(),
            ended: false,
            failure: None,
            gameless_bytes_max: GAMELESS_BYTES_MAX,
            path: PathBuf::from("<stream>"),
        }
    }

    /// The stream beneath, for its progress.
    pub const fn get_ref(&self) -> &R {
        self.reader.get_ref()
    }

    /// The text at the beginning of the stream, as far as it was read: the stream
    /// itself, or 64 KiB of it and more. To be called before the first chunk is taken.
    pub fn beginning(&mut self) -> &[u8] {
        self.beginning_of(BEGINNING_BYTES)
    }

    /// The same where 64 KiB do not show what the stream is: a preface may be longer.
    pub fn long_beginning(&mut self) -> &[u8] {
        self.beginning_of(LONG_BEGINNING_BYTES)
    }

    /// All of the stream, if it is no longer than a [long beginning](Self::long_beginning) and was
    /// read to its end. To be called as [`beginning`](Self::beginning).
    pub fn whole(&mut self) -> Option<&[u8]> {
        self.beginning_of(LONG_BEGINNING_BYTES + 1);
        let is_whole = self.ended && self.failure.is_none() && self.filled <= LONG_BEGINNING_BYTES;
        is_whole.then(|| &self.buffer[..self.filled])
    }

    fn beginning_of(&mut self, bytes: usize) -> &[u8] {
        while self.filled < bytes && !self.ended {
            self.fill();
        }
        &self.buffer[..self.filled.min(bytes)]
    }

    /// Why nothing of the stream can be read, if that is so. To be called as
    /// [`beginning`](Self::beginning); what is reported is not reported again.
    pub fn failure_at_once(&mut self) -> Option<SourceError> {
        let is_empty = self.beginning().is_empty();
        self.failure.take_if(|_| is_empty)
    }

    /// Says what is read, for errors.
    #[must_use]
    pub fn of_path(mut self, path: PathBuf) -> Self {
        self.path = path;
        self
    }

    /// Says what the stream is a sequence of, before the first chunk is taken. The
    /// chains of its chunks begin with `parent`.
    #[must_use]
    pub fn of_records(mut self, records: Records, parent: u128) -> Self {
        self.records = records;
        self.parent = parent;
        self
    }

    /// Reads the next chunk; `None` at the end. An empty stream has none.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read on. What was read before comes as chunks
    /// first; afterwards the stream is at its end.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, SourceError> {
        loop {
            match self.find_cut() {
                Some(Cut::At(len)) => return Ok(Some(self.take(len, false))),
                Some(Cut::TooLarge) => return Ok(Some(self.skip())),
                None => {}
            }
            if self.ended {
                if self.filled > 0 || self.nuls.total() > 0 {
                    return Ok(Some(self.take(self.filled, self.failure.is_none())));
                }
                return self.failure.take().map_or(Ok(None), Err);
            }
            self.fill();
        }
    }

    /// Reads once, deleting NULs (rule L2) from what comes.
    fn fill(&mut self) {
        let room = self.filled + self.filled.clamp(*READ_BYTES.start(), *READ_BYTES.end());
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        match self.reader.read(&mut self.buffer[self.filled..room]) {
            Ok(0) => self.ended = true,
            Ok(count) => {
                let end = self.filled + count;
                self.filled = match memchr(0, &self.buffer[self.filled..end]) {
                    None => end,
                    Some(at) => self.nuls.delete(&mut self.buffer[..end], self.filled + at),
                };
                // Of these alone no chunk would ever be full.
                self.end_without_games(self.nuls.total());
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let read = self.offset_bytes + self.filled as u64 + self.nuls.total();
                self.failure = Some(SourceError::from_io(error, read));
                self.ended = true;
            }
        }
    }

    /// Ends the stream where `bytes` without a game are too many; whether they are.
    fn end_without_games(&mut self, bytes: u64) -> bool {
        let are_too_many = bytes > self.gameless_bytes_max;
        if are_too_many {
            let kind = SourceErrorKind::Gameless { bytes };
            self.failure = Some(SourceError::new(&self.path, kind));
            self.ended = true;
        }
        are_too_many
    }

    /// Finds the end of the current chunk, if enough was read to know it.
    fn find_cut(&mut self) -> Option<Cut> {
        if let Records::Lines(lines) = self.records {
            return self.find_line(lines);
        }
        let max = self.chunk_bytes_max;
        // A boundary may stand at `max` itself, its `[` after a mark.
        let limit = self.filled.min(max + MARK.len() + 1);
        let search = &mut self.search;
        let buffer = &self.buffer[..self.filled];
        while search.from < limit {
            let Some(at) = memchr(b'[', &buffer[search.from..limit]) else {
                search.from = limit;
                break;
            };
            let at = search.from + at;
            if at + TAG_LOOKAHEAD_BYTES > buffer.len() && !self.ended {
                search.from = at;
                return None;
            }
            search.from = at + 1;
            let start = if buffer[..at].ends_with(MARK) {
                at - MARK.len()
            } else {
                at
            };
            if !(self.chunk_bytes..=max).contains(&start)
                || !begins_tag_pair(&buffer[at..])
                || !follows_movetext(&buffer[..start])
            {
                continue;
            }
            search.open = ends_in_comment(&buffer[search.braces_to..start], search.open);
            search.braces_to = start;
            if !search.open {
                return Some(Cut::At(start));
            }
            search.candidate = Some(start);
        }
        let all_seen = self.ended || buffer.len() >= max + MARK.len() + 1 + TAG_LOOKAHEAD_BYTES;
        if buffer.len() > max && all_seen {
            let candidate = search.candidate.map(Cut::At);
            return candidate.or_else(|| Some(self.likely_cut()));
        }
        None
    }

    /// Where to cut a chunk without any boundary.
    fn likely_cut(&self) -> Cut {
        let buffer = &self.buffer[..self.filled];
        let at = self.records.last_likely(buffer, self.chunk_bytes_max);
        at.map_or(Cut::TooLarge, Cut::At)
    }

    /// As [`Self::find_cut`], of records that begin with a line.
    fn find_line(&mut self, lines: RecordBoundary) -> Option<Cut> {
        let max = self.chunk_bytes_max;
        let buffer = &self.buffer[..self.filled];
        let limit = buffer.len().min(max + 1);
        while let Some(at) = next_line(buffer, self.search.from, limit) {
            if at + RECORD_LOOKAHEAD_BYTES > buffer.len() && !self.ended {
                self.search.from = at;
                return None;
            }
            if lines.begins_at(buffer, at) {
                return Some(Cut::At(at));
            }
            self.search.from = at + 1;
        }
        self.search.from = self.search.from.max(limit);
        let all_seen = self.ended || buffer.len() > max + RECORD_LOOKAHEAD_BYTES;
        (buffer.len() > max && all_seen).then(|| self.likely_cut())
    }

    /// Takes the first `len` bytes away as a chunk.
    fn take(&mut self, len: usize, last: bool) -> Chunk {
        let rest = self.filled - len;
        let next = self.buffer[len..self.filled].to_vec();
        let mut bytes = std::mem::replace(&mut self.buffer, next);
        bytes.truncate(len);
        self.filled = rest;
        // NULs directly before the cut belong to the next chunk, if there is one.
        let next_nuls = if rest > 0 || !self.ended {
            self.nuls.split_off(len)
        } else {
            NulRuns::default()
        };
        let nuls = std::mem::replace(&mut self.nuls, next_nuls);

        self.guess.look_at(&bytes);
        let chain = chain_of(self.parent, &bytes);
        self.chunk(bytes, None, chain, nuls, last)
    }

    /// The chunk that comes next in the stream.
    fn chunk(
        &mut self,
        bytes: Vec<u8>,
        skipped: Option<SkippedRange>,
        chain: u128,
        nuls: NulRuns,
        last: bool,
    ) -> Chunk {
        let chunk = Chunk {
            sequence: self.sequence,
            offset_bytes: self.offset_bytes,
            chain,
            parent: self.parent,
            split_bytes: 0,
            before: Vec::new(),
            last,
            is_cut: false,
            records: self.records,
            fallback: self.guess.encoding(),
            transcoded_from: self.reader.guessed().filter(|_| self.sequence == 0),
            nul_bytes: nuls.total(),
            nuls,
            bytes,
            skipped,
        };
        self.sequence += 1;
        self.offset_bytes += chunk.chained_bytes() + chunk.nul_bytes;
        self.parent = chunk.chain;
        self.search = EndSearch {
            from: self.chunk_bytes,
            ..EndSearch::default()
        };
        chunk
    }
}

#[cfg(test)]
mod tests;
