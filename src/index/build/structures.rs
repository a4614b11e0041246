//! The structures of all games: found, sorted, encoded, the frequent ones marked.

use std::{
    collections::HashSet,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use foldhash::fast::FixedState;

use super::{
    BuildContext, CUT_MIN, GAME_BITS, RANGE_BITS, RANGES, SegmentGames, Structures, pieces,
};
use crate::{
    games::{Cursor, with_game},
    index::{
        Block, SegmentThresholds,
        posting::{PostingLayout, PostingWriter},
        sort,
    },
};

/// The structures of every main line, by replay; `None` if the build was stopped.
pub fn replayed(games: &SegmentGames<'_>, crew: BuildContext<'_>) -> Option<Structures> {
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
    layout: PostingLayout,
    crew: BuildContext<'_>,
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
        sort_postings(&mut data, layout);
        data
    })
}

/// Which structures are frequent or crowded.
#[derive(PartialEq, Eq)]
pub struct StructureFrequency {
    /// How their section is read.
    pub layout: PostingLayout,
    /// One bit a truncated key: met in enough games to hold popular positions.
    frequent: Vec<u64>,
    /// The truncated keys of those that are crowded, which are few.
    crowded: HashSet<u64, FixedState>,
}

impl StructureFrequency {
    /// Of a section with nothing written yet.
    pub fn of(layout: PostingLayout) -> Self {
        Self {
            layout,
            frequent: Vec::new(),
            crowded: HashSet::default(),
        }
    }

    /// Takes the marks of the next part of the section.
    pub fn mark(&mut self, marks: StructureMarks) {
        self.frequent.extend(marks.frequent);
        self.crowded.extend(marks.crowded);
    }

    /// The truncated key of a key's top 32 bits.
    #[inline]
    const fn truncate(&self, key: u32) -> u64 {
        (key >> (32 - self.layout.key_bits)) as u64
    }

    /// Whether a structure, by the top 32 bits of its key, is frequent.
    #[inline]
    pub(super) fn is_frequent(&self, key: u32) -> bool {
        is_set(&self.frequent, self.truncate(key))
    }

    /// Whether it is crowded.
    #[inline]
    pub(super) fn is_crowded(&self, key: u32) -> bool {
        self.crowded.contains(&self.truncate(key))
    }
}

/// Into how many parts, by ranges of keys, a section of `entries` postings or visits is cut. Small
/// ones are not, or every import would leave sixteen nearly empty pages.
pub const fn cuts(entries: usize) -> usize {
    if entries < CUT_MIN { 1 } else { RANGES }
}

/// The frequent and the crowded structures of a part of the section.
pub struct StructureMarks {
    /// A bit for each key.
    frequent: Vec<u64>,
    /// Keys.
    crowded: Vec<u64>,
}

/// A part of the section of structures, as it is written.
pub struct StructureShard {
    layout: PostingLayout,
    thresholds: SegmentThresholds,
    first: u64,
    writer: PostingWriter,
    marks: StructureMarks,
}

impl StructureShard {
    /// One of `cuts` parts, numbered from 0, with the thresholds of its segment.
    pub fn new(
        layout: PostingLayout,
        (nth, cuts): (usize, usize),
        thresholds: SegmentThresholds,
    ) -> Self {
        let keys = (1u64 << layout.key_bits) / cuts as u64;
        Self {
            layout,
            thresholds,
            first: keys * nth as u64,
            writer: PostingWriter::new(layout),
            marks: StructureMarks {
                frequent: vec![0; (keys / 64) as usize],
                crowded: Vec::new(),
            },
        }
    }

    /// Adds the next postings, sorted by truncated key and game.
    pub fn push(&mut self, postings: &[u64]) {
        for_each_key(self.layout, postings, |key, games| {
            let bit = key - self.first;
            let (word, bit) = ((bit / 64) as usize, 1 << (bit % 64));
            if games.len() >= self.thresholds.popular_min {
                self.marks.frequent[word] |= bit;
            }
            if games.len() > self.thresholds.replays_max {
                self.marks.crowded.push(key);
            }
            self.writer.push(key, games.iter().copied());
        });
    }

    /// Its blocks and its marks.
    pub fn finish(self) -> (Vec<Block>, StructureMarks) {
        (self.writer.finish(), self.marks)
    }
}

/// How many different truncated keys sorted postings have.
fn key_count(layout: PostingLayout, postings: &[u64]) -> usize {
    let same = |one: &u64, other: &u64| layout.truncate(*one) == layout.truncate(*other);
    postings.chunk_by(same).count()
}

/// How many different truncated keys the postings of one range of keys have, in any order.
pub fn unsorted_key_count(layout: PostingLayout, postings: &[u64]) -> usize {
    let Some(&any) = postings.first() else {
        return 0;
    };
    let differing = postings
        .iter()
        .fold(0, |bits, posting| bits | posting ^ any);
    // The bits in which their keys differ number them.
    let bits = (64 - differing.leading_zeros()).saturating_sub(64 - layout.key_bits);
    let mask = (1_u64 << bits) - 1;
    let mut met = vec![0_u64; (mask / 64 + 1) as usize];
    for posting in postings {
        let key = layout.truncate(*posting) & mask;
        met[(key / 64) as usize] |= 1 << (key % 64);
    }
    met.iter().map(|word| word.count_ones() as usize).sum()
}

/// Sorts postings of one range of keys, which are in the order of their games, by truncated key.
pub fn sort_postings(postings: &mut Vec<u64>, layout: PostingLayout) {
    let bits = layout.key_bits - RANGE_BITS;
    sort::by_bits(postings, &mut Vec::new(), 64 - layout.key_bits, bits);
}

/// Whether a bit is set.
fn is_set(bits: &[u64], i: u64) -> bool {
    bits[(i / 64) as usize] >> (i % 64) & 1 == 1
}

/// Encodes the structures and marks the frequent and the crowded ones. Of more than
/// `at_once` only some ranges are in memory at a time. `None` if the build was stopped.
pub(super) fn coarse(
    structures: &Structures,
    games: &SegmentGames<'_>,
    crew: BuildContext<'_>,
    at_once: usize,
) -> Option<(StructureFrequency, Vec<Block>)> {
    let postings = structures.keys.len();
    let layout = PostingLayout::new(postings, postings, games.lines.len());
    let at_once = if postings > at_once { 2 } else { RANGES };
    let turns: Vec<Range<usize>> = (0..RANGES)
        .step_by(at_once)
        .map(|from| from..from + at_once)
        .collect();
    let sorted = |turn: &Range<usize>| sorted(structures, turn, layout, crew);
    let mut kept = None;
    let mut keys = 0;
    for turn in &turns {
        let ranges = sorted(turn)?;
        let counts = crew.share(ranges.len(), |range| key_count(layout, &ranges[range]))?;
        keys += counts.into_iter().sum::<usize>();
        kept = (turns.len() == 1).then_some(ranges);
    }
    let layout = layout.with_keys(keys);
    let cuts = cuts(postings);
    let ranges_a_cut = RANGES / cuts;
    let mut coarse = StructureFrequency::of(layout);
    let mut blocks = Vec::new();
    for turn in &turns {
        let ranges = match kept.take() {
            Some(ranges) => ranges,
            None => sorted(turn)?,
        };
        let of_cuts: Vec<&[Vec<u64>]> = ranges.chunks(ranges_a_cut).collect();
        let parts = crew.share(of_cuts.len(), |cut| {
            let nth = turn.start / ranges_a_cut + cut;
            let mut part = StructureShard::new(layout, (nth, cuts), SegmentThresholds::SMALL);
            for range in of_cuts[cut] {
                part.push(range);
            }
            part.finish()
        })?;
        for (part, marks) in parts {
            blocks.extend(part);
            coarse.mark(marks);
        }
    }
    Some((coarse, blocks))
}

/// Calls `each` with every truncated key and its distinct games.
fn for_each_key(layout: PostingLayout, postings: &[u64], mut each: impl FnMut(u64, &[u32])) {
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

/// Sorts and encodes a section of few postings of `games` games: the top bits of a key, then
/// [`GAME_BITS`] of the game.
pub fn plain_section(mut postings: Vec<u64>, games: usize) -> (PostingLayout, Vec<Block>) {
    postings.sort_unstable();
    postings.dedup();
    let layout = PostingLayout::new(postings.len(), postings.len(), games);
    // By truncated key, games ascending within it.
    postings.sort_by_key(|posting| (layout.truncate(*posting), posting & ((1 << GAME_BITS) - 1)));
    let mut writer = PostingWriter::new(layout);
    for_each_key(layout, &postings, |key, games| {
        writer.push(key, games.iter().copied());
    });
    (layout, writer.finish())
}
