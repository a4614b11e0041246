//! Passes over what is larger than any game may be, without keeping it.

use std::io::Read;

use twox_hash::xxhash3_128::Hasher;

use super::boundary::{RECORD_LOOKAHEAD_BYTES, TAG_LOOKAHEAD_BYTES};
use super::{Chunk, ChunkReader, NulRuns, link_of};
use crate::input::verify::LineEnds;

/// Bytes that stay in sight before the place that is looked at, for the line before it.
const LOOK_BACK_BYTES: usize = 64 << 10;

/// Bytes after such a place without which it cannot be judged.
const LOOKAHEAD_BYTES: usize = if RECORD_LOOKAHEAD_BYTES > TAG_LOOKAHEAD_BYTES {
    RECORD_LOOKAHEAD_BYTES
} else {
    TAG_LOOKAHEAD_BYTES
};

/// A part of a stream that was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkippedRange {
    /// Its bytes, without NULs.
    pub bytes: u64,
    ends: LineEnds,
}

impl SkippedRange {
    /// Its line ends.
    pub const fn line_ends(&self) -> u64 {
        self.ends.lines()
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.ends = self.ends.and(bytes);
    }
}

impl<R: Read> ChunkReader<R> {
    /// Passes over what begins here up to where the next game may begin. Looks through
    /// windows of fixed places in the stream, so that the end depends on the text alone.
    pub(super) fn skip(&mut self) -> Chunk {
        let window = self.chunk_bytes_max;
        let step = window - LOOK_BACK_BYTES.min(window / 2);
        let mut hasher = Hasher::new();
        let (mut skipped, mut nul_bytes) = (SkippedRange::default(), 0);
        let mut from = 1;
        let (end, found) = loop {
            while !self.ended && self.filled <= window + LOOKAHEAD_BYTES {
                self.fill();
            }
            let is_rest = self.filled <= window + LOOKAHEAD_BYTES;
            let to = if is_rest { self.filled } else { window };
            let buffer = &self.buffer[..self.filled];
            match self.records.next_likely(buffer, from, to) {
                Some(at) => break (at, true),
                None if is_rest => break (to, false),
                None => {}
            }
            hasher.write(&buffer[..step]);
            skipped.add(&buffer[..step]);
            let nuls = self.nuls.split_off(step);
            nul_bytes += std::mem::replace(&mut self.nuls, nuls).total();
            self.buffer.copy_within(step..self.filled, 0);
            self.filled -= step;
            from = to - step;
            if self.end_without_games(skipped.bytes + nul_bytes) {
                self.filled = 0;
                break (0, false);
            }
        };
        hasher.write(&self.buffer[..end]);
        skipped.add(&self.buffer[..end]);
        let rest = if found {
            self.nuls.split_off(end)
        } else {
            NulRuns::default()
        };
        nul_bytes += std::mem::replace(&mut self.nuls, rest).total();
        self.buffer.copy_within(end..self.filled, 0);
        self.filled -= end;
        let chain = link_of(self.parent, hasher.finish_128());
        let nuls = NulRuns::behind_all(nul_bytes);
        let last = !found && self.failure.is_none();
        self.chunk(Vec::new(), Some(skipped), chain, nuls, last)
    }
}
