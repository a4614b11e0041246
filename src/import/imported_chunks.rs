//! The chunks that were read before, so that no game is stored twice because
//! its file was named twice, has grown, or was cut off the first time.
//!
//! The end of a stream is filed in two parts: all games but the last, and the
//! last, which may have been cut. A stream that begins with all the bytes of an
//! earlier one is known up to where that ended, or, if it ended within a game, up
//! to this game. Streams that merely share their first games are not the same.

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use crate::{
    input::chunk::{Chunk, PrefixChains, chain_of},
    store::ChunkRow,
};

/// Beginnings of streams that were read before.
pub(super) struct ImportedChunks {
    /// Chunks by the hash of the stream before them, and by how they begin, where that is known: most
    /// of the files of a folder begin differently.
    by_parent: HashMap<(u128, Option<u128>), Vec<ChunkRow>>,
    chains: HashSet<u128>,
}

impl ImportedChunks {
    pub(super) fn new(rows: &[ChunkRow]) -> Self {
        let mut known = Self {
            by_parent: HashMap::new(),
            chains: HashSet::new(),
        };
        for row in rows {
            known.add(*row, None);
        }
        known
    }

    fn add(&mut self, chunk: ChunkRow, head: Option<u128>) {
        self.chains.insert(chunk.chain);
        let head = head.filter(|_| chunk.bytes >= HEAD_BYTES as u64);
        let others = self.by_parent.entry((chunk.parent, head)).or_default();
        others.push(chunk);
    }

    /// Whether all of a chunk was read before.
    pub(super) fn has(&self, chunk: &Chunk) -> bool {
        self.chains.contains(&chunk.chain)
    }

    /// Cuts a chunk into what is known of its beginning (by its hash), and the
    /// parts that are new; `at_end`: the stream ends, or breaks off, with it.
    pub(super) fn cut(&mut self, chunk: Chunk, at_end: bool) -> (Option<u128>, Vec<Chunk>) {
        if self.has(&chunk) {
            return (Some(chunk.chain), Vec::new());
        }
        let prefix = self.longest_prefix(&chunk);
        let known_to = prefix.map_or(0, |(end, _)| end);
        let last_game = if at_end {
            chunk.records.last(&chunk.bytes).filter(|&at| at > known_to)
        } else {
            None
        };
        let (parent, head) = (chunk.parent, head_of(&chunk));
        // Before anything is split off: hashes are of everything from the parent on.
        let last_chain = last_game.map(|at| chain_of(parent, &chunk.bytes[..at]));
        let mut parts = Vec::new();
        let mut rest = if known_to > 0 {
            chunk.split(known_to).1
        } else {
            chunk
        };
        if let (Some(at), Some(chain)) = (last_game, last_chain) {
            let (mut games, last) = rest.split(at - known_to);
            // Another stream may have the same games before another last one: each has its row.
            games.chain = if self.chains.contains(&chain) {
                chain_of(chain, &last.chain.to_be_bytes())
            } else {
                chain
            };
            parts.push(games);
            rest = last;
        }
        rest.last = at_end;
        parts.push(rest);
        for part in &parts {
            // The same file twice in one run is known the second time, too.
            let row = ChunkRow {
                chain: part.chain,
                parent,
                bytes: part.chained_bytes(),
                split_bytes: part.split_bytes,
                last: part.last,
                ..ChunkRow::default()
            };
            self.add(row, head);
        }
        (prefix.map(|(_, chain)| chain), parts)
    }

    /// The longest known beginning of a chunk: where it ends, and its hash.
    fn longest_prefix(&self, chunk: &Chunk) -> Option<(usize, u128)> {
        let heads = iter::once(None).chain(head_of(chunk).map(Some));
        let keys = heads.map(|head| (chunk.parent, head));
        let ends = || {
            let found = keys.clone().filter_map(|key| self.by_parent.get(&key));
            found.flatten()
        };
        let length = |bytes: u64| {
            usize::try_from(bytes)
                .ok()
                .filter(|&end| end < chunk.bytes.len())
        };
        // Streams that ended within this chunk, all of whose bytes it begins with.
        let mut whole: Vec<(usize, &ChunkRow)> = ends()
            .filter(|end| end.last)
            .filter_map(|end| Some((length(end.bytes)?, end)))
            .collect();
        whole.sort_unstable_by_key(|&(bytes, _)| bytes);
        let mut chains = PrefixChains::new(chunk.parent, &chunk.bytes);
        whole.retain(|&(bytes, end)| chains.up_to(bytes) == end.chain);
        let (bytes, end) = whole.pop()?;
        let rest = &chunk.bytes[bytes..];
        let blank = rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if end.is_cut
            || blank == rest.len()
            || chunk.records.is_boundary(&chunk.bytes, bytes + blank)
        {
            return Some((bytes, end.chain));
        }
        // It ended within a game: what stands before this game is known.
        let before = ends().find(|before| before.bytes == end.split_bytes)?;
        Some((length(before.bytes)?, before.chain))
    }
}

/// Bytes that show that two streams are not the same.
const HEAD_BYTES: usize = 256;

/// How a chunk begins; `None` of a shorter one.
fn head_of(chunk: &Chunk) -> Option<u128> {
    Some(chain_of(0, chunk.bytes.get(..HEAD_BYTES)?))
}

/// Games of a chunk that were stored, and those too large for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ChunkStats {
    pub(super) games: u64,
    pub(super) rejected: u64,
}

impl ChunkStats {
    pub(super) const fn with(self, games: u64, rejected: u64) -> Self {
        Self {
            games: self.games + games,
            rejected: self.rejected + rejected,
        }
    }
}

/// The games up to the end of each chunk, those of the parts before it that
/// begin at the same place included. Parts come in the order in which they were read: one goes on
/// from a part of its own source, or of the last one before that.
pub(super) fn games_up_to(rows: &[ChunkRow]) -> HashMap<u128, ChunkStats> {
    let mut totals = HashMap::new();
    // Parts that begin at the same place, by where they end.
    let mut by_end: HashMap<(u128, u64), ChunkStats> = HashMap::new();
    for row in rows {
        let before = by_end
            .get(&(row.parent, row.split_bytes))
            .copied()
            .unwrap_or_default();
        let counted = before.with(row.games, row.rejected);
        by_end.insert((row.parent, row.bytes), counted);
        totals.insert(row.chain, counted);
    }
    totals
}
