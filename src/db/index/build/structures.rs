//! The structures of all games: found, sorted, encoded, the frequent ones marked.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{CUT_MIN, Crew, GAME_BITS, RANGE_BITS, SegmentGames, Structures, pieces};
use crate::db::index::{
    Block, CROWDED_GAMES_MIN, HOT_GAMES_MIN,
    posting::{Layout, PostingWriter},
    sort,
};
use crate::games::{Cursor, with_game};

/// The structures of every main line, by replay; `None` if the crew was stopped.
pub(super) fn replayed(games: &SegmentGames<'_>, crew: Crew<'_>) -> Option<Structures> {
    let pieces = pieces(games.lines.len());
    let parts = crew.share(pieces.len(), |piece| {
        let mut structures = Structures::default();
        let mut keys = Vec::new();
        for line in &games.lines[pieces[piece].clone()] {
            keys.clear();
            if let Some(start) = games.starts.get(&line.start) {
                with_game!(AnyCursor of start, start => {
                    structures_of(&**start, line.plies, &mut keys);
                });
            }
            structures.push(&keys);
        }
        structures
    })?;
    let mut structures = Structures::default();
    structures
        .keys
        .reserve_exact(parts.iter().map(|part| part.keys.len()).sum());
    for part in parts {
        structures.append(&part);
    }
    Some(structures)
}

#[inline]
fn structures_of<C: Cursor>(start: &C, mut plies: &[u8], keys: &mut Vec<u32>) {
    let mut walk = start.clone();
    let mut structure = walk.structure();
    keys.push((structure.key() >> 32) as u32);
    while let Some(ply) = walk.peek(&mut plies) {
        walk.play(ply);
        if walk.structure() != structure {
            structure = walk.structure();
            keys.push((structure.key() >> 32) as u32);
        }
    }
}

/// The postings of every structure of some ranges of keys, by truncated key and game.
fn sorted(
    structures: &Structures,
    wanted: &Range<usize>,
    key_bits: u32,
    crew: Crew<'_>,
) -> Option<Vec<Vec<u64>>> {
    let pieces = pieces(structures.ends.len());
    let place = |key: u32| ((key >> (32 - RANGE_BITS)) as usize).wrapping_sub(wanted.start);
    let counts = crew.share(pieces.len(), |piece| {
        let mut counts = vec![0; wanted.len()];
        for &key in structures.of_games(&pieces[piece]) {
            if let Some(count) = counts.get_mut(place(key)) {
                *count += 1;
            }
        }
        counts
    })?;
    let totals = (0..wanted.len()).map(|range| counts.iter().map(|of| of[range]).sum());
    let mut ranges: Vec<Vec<u64>> = totals.map(|total: usize| vec![0; total]).collect();
    // Each piece fills a part of its own of every range, in the order of the games.
    let mut parts: Vec<Vec<&mut [u64]>> = pieces.iter().map(|_| Vec::new()).collect();
    for (at, range) in ranges.iter_mut().enumerate() {
        let mut rest = &mut range[..];
        for (part, counts) in parts.iter_mut().zip(&counts) {
            let (mine, others) = rest.split_at_mut(counts[at]);
            part.push(mine);
            rest = others;
        }
    }
    let parts: Vec<_> = parts.into_iter().map(Mutex::new).collect();
    crew.share(pieces.len(), |piece| {
        let mut part = parts[piece].lock().unwrap_or_else(PoisonError::into_inner);
        let mut filled = vec![0; wanted.len()];
        for game in pieces[piece].clone() {
            for &key in structures.of(game) {
                let place = place(key);
                if let Some(at) = filled.get_mut(place) {
                    part[place][*at] = u64::from(key) << 32 | game as u64;
                    *at += 1;
                }
            }
        }
    })?;
    drop(parts);
    let ranges: Vec<_> = ranges.into_iter().map(Mutex::new).collect();
    crew.share(ranges.len(), |range| {
        let mut range = ranges[range].lock().unwrap_or_else(PoisonError::into_inner);
        let mut data = std::mem::take(&mut *range);
        let mut scratch = Vec::new();
        sort::by_bits(
            &mut data,
            &mut scratch,
            64 - key_bits,
            key_bits - RANGE_BITS,
        );
        data
    })
}

/// The section of structures, and which of them are frequent or crowded.
pub(super) struct Coarse {
    pub(super) layout: Layout,
    pub(super) blocks: Vec<Block>,
    /// One bit a truncated key: met in enough games to hold hot positions.
    pub(super) frequent: Vec<u64>,
    /// Likewise: crowded.
    pub(super) crowded: Vec<u64>,
}

impl Coarse {
    /// The truncated key of a key's top 32 bits.
    #[inline]
    pub(super) const fn truncate(&self, key: u32) -> u64 {
        (key >> (32 - self.layout.key_bits)) as u64
    }
}

/// Whether a bit is set.
pub(super) fn is_set(bits: &[u64], i: u64) -> bool {
    bits[(i / 64) as usize] >> (i % 64) & 1 == 1
}

/// Encodes the structures and marks the frequent and the crowded ones. Of more than
/// `at_once` only some ranges are in memory at a time. `None` if the crew was stopped.
pub(super) fn coarse(
    structures: &Structures,
    games: &SegmentGames<'_>,
    crew: Crew<'_>,
    at_once: usize,
) -> Option<Coarse> {
    const RANGES: usize = 1 << RANGE_BITS;
    let postings = structures.keys.len();
    let layout = Layout::new(postings, postings, games.lines.len());
    let at_once = if postings > at_once { 2 } else { RANGES };
    let turns: Vec<Range<usize>> = (0..RANGES)
        .step_by(at_once)
        .map(|from| from..from + at_once)
        .collect();
    let sorted = |turn: &Range<usize>| sorted(structures, turn, layout.key_bits, crew);
    let mut kept = None;
    let mut keys = 0;
    for turn in &turns {
        let ranges = sorted(turn)?;
        keys += crew
            .share(ranges.len(), |range| {
                let mut keys = 0;
                let mut last = u64::MAX;
                for posting in &ranges[range] {
                    let key = layout.truncate(*posting);
                    keys += usize::from(key != last);
                    last = key;
                }
                keys
            })?
            .into_iter()
            .sum::<usize>();
        kept = (turns.len() == 1).then_some(ranges);
    }
    let layout = Layout {
        key_rice: Layout::new(postings, keys, games.lines.len()).key_rice,
        ..layout
    };
    // Small sections are not cut, lest every import leave sixteen nearly empty pages.
    let ranges_a_cut = if postings < CUT_MIN { RANGES } else { 1 };
    let span_bits = (1u64 << layout.key_bits) / (RANGES / ranges_a_cut) as u64;
    let mut coarse = Coarse {
        layout,
        blocks: Vec::new(),
        frequent: Vec::new(),
        crowded: Vec::new(),
    };
    for turn in &turns {
        let ranges = match kept.take() {
            Some(ranges) => ranges,
            None => sorted(turn)?,
        };
        let cuts: Vec<&[Vec<u64>]> = ranges.chunks(ranges_a_cut).collect();
        let parts = crew.share(cuts.len(), |cut| {
            let first = span_bits * (turn.start / ranges_a_cut + cut) as u64;
            let mut writer = PostingWriter::new(layout, games.block_bytes);
            let mut frequent = vec![0u64; (span_bits / 64) as usize];
            let mut crowded = frequent.clone();
            for range in cuts[cut] {
                for_each_key(layout, range, |key, games| {
                    let bit = key - first;
                    if games.len() >= HOT_GAMES_MIN {
                        frequent[(bit / 64) as usize] |= 1 << (bit % 64);
                    }
                    if games.len() > CROWDED_GAMES_MIN {
                        crowded[(bit / 64) as usize] |= 1 << (bit % 64);
                    }
                    writer.push(key, games.iter().copied());
                });
            }
            (writer.finish(), frequent, crowded)
        })?;
        for (blocks, frequent, crowded) in parts {
            coarse.blocks.extend(blocks);
            coarse.frequent.extend(frequent);
            coarse.crowded.extend(crowded);
        }
    }
    Some(coarse)
}

/// Calls `each` with every truncated key and its distinct games.
fn for_each_key(layout: Layout, postings: &[u64], mut each: impl FnMut(u64, &[u32])) {
    let mut games = Vec::new();
    for same in postings.chunk_by(|a, b| layout.truncate(*a) == layout.truncate(*b)) {
        games.clear();
        games.extend(
            same.iter()
                .map(|posting| (posting & ((1 << GAME_BITS) - 1)) as u32),
        );
        games.dedup();
        each(layout.truncate(same[0]), &games);
    }
}

/// Sorts and encodes a section of few postings.
pub(super) fn plain_section(
    mut postings: Vec<u64>,
    games: &SegmentGames<'_>,
) -> (Layout, Vec<Block>) {
    postings.sort_unstable();
    postings.dedup();
    let layout = Layout::new(postings.len(), postings.len(), games.lines.len());
    // By truncated key, games ascending within it.
    postings.sort_by_key(|posting| (layout.truncate(*posting), posting & ((1 << GAME_BITS) - 1)));
    let mut writer = PostingWriter::new(layout, games.block_bytes);
    for_each_key(layout, &postings, |key, games| {
        writer.push(key, games.iter().copied());
    });
    (layout, writer.finish())
}
