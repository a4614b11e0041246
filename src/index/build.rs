//! Builds a segment: from the main lines of its games to all its blocks.
//!
//! The structures of every game, which the import knows already, are filed and
//! sorted; this shows which of them are frequent. A replay then looks at the
//! positions of frequent structures only, and finds the hot ones. Work is cut
//! by games and by ranges of keys, so that threads share it; what comes out
//! does not depend on their number.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    CROWDED_GAMES_MIN, HOT_GAMES_MIN, SEGMENT_GAMES_MAX, SUMMED_GAMES_MIN,
    facts::Facts,
    hot::{self, HotBlock, HotState, HotWriter, Tally},
    moves::MainLine,
    posting::{Block, Layout, PostingWriter, Section},
    sort,
};
use crate::replay::{Start, Walk};

/// What a segment is built from.
#[derive(Debug, Clone, Copy)]
pub struct Games<'a> {
    /// The main lines, in the order of the games.
    pub lines: &'a [MainLine<'a>],
    /// The facts of the same games.
    pub facts: &'a [Facts],
    /// The start positions by their numbers; games whose start is not here
    /// have no positions.
    pub starts: &'a HashMap<u32, Start>,
    /// The structures of the main lines, if whoever resolved the moves has them
    /// already; otherwise they are found by replay.
    pub structures: Option<&'a Structures>,
    /// Coarse keys inside variations, with the game (numbered from 0).
    pub variations: &'a [(u64, u32)],
}

/// The structures that main lines pass through, game after game.
#[derive(Debug, Clone, Default)]
pub struct Structures {
    /// The top 32 bits of their keys, of each game from its start on.
    keys: Vec<u32>,
    /// Where each game's end.
    ends: Vec<usize>,
}

impl Structures {
    /// Adds the next game: the top 32 bits of its structures' keys, in order.
    pub fn push(&mut self, keys: &[u32]) {
        self.keys.extend_from_slice(keys);
        self.ends.push(self.keys.len());
    }

    fn of(&self, game: usize) -> &[u32] {
        let from = if game == 0 { 0 } else { self.ends[game - 1] };
        &self.keys[from..self.ends[game]]
    }

    fn append(&mut self, other: &Self) {
        let shift = self.keys.len();
        self.keys.extend_from_slice(&other.keys);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }
}

/// A built segment.
#[derive(Debug, PartialEq, Eq)]
pub struct Segment {
    /// The sections' layouts and blocks, in the order of [`Section::ALL`].
    pub sections: [(Layout, Vec<Block>); 3],
    /// The blocks of hot positions.
    pub hot: Vec<HotBlock>,
    /// Positions of all main lines, each game's start included.
    pub positions: u64,
}

/// Bits of a posting that hold the game.
const GAME_BITS: u32 = 24;
/// With fewer postings than this a range of keys is not cut further.
const CUT_MIN: usize = 1 << 20;
const RANGE_BITS: u32 = 4;

/// A visit of a position of a frequent structure: the board key, and packed
/// from the top: game (20 bits), state (20), next move (16), side to move (1),
/// whether the structure is crowded (1).
type Visit = (u64, u64);

/// Runs `work` for 0..count on so many threads and gives the results in order.
fn shared<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return done;
            }
            done.push((i, work(i)));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(count))
            .map(|_| scope.spawn(worker))
            .collect();
        let mut all = worker();
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, result)| result).collect()
}

/// Cuts the games into pieces of some thousand for the threads.
fn pieces(games: usize) -> Vec<std::ops::Range<usize>> {
    const PIECE: usize = 8192;
    (0..games.div_ceil(PIECE))
        .map(|i| i * PIECE..((i + 1) * PIECE).min(games))
        .collect()
}

/// A list for each range of keys, with room for what a piece's games usually
/// bring (some 35 structures and 25 visits of frequent ones a game).
fn roomy_ranges<T>() -> Vec<Vec<T>> {
    (0..1 << RANGE_BITS)
        .map(|_| Vec::with_capacity(20_480))
        .collect()
}

/// Builds a segment of at most [`SEGMENT_GAMES_MAX`] games.
///
/// # Panics
///
/// If there are more games than that, or not as many facts as games.
pub fn segment(games: &Games<'_>, threads: usize) -> Segment {
    assert!(games.lines.len() <= SEGMENT_GAMES_MAX);
    assert_eq!(games.lines.len(), games.facts.len());
    let replayed;
    let structures = match games.structures {
        Some(structures) => structures,
        None => {
            replayed = replayed_structures(games, threads);
            &replayed
        }
    };
    let positions = games
        .lines
        .iter()
        .zip(games.facts)
        .filter(|(line, _)| games.starts.contains_key(&line.start))
        .map(|(_, facts)| u64::from(facts.plies) + 1)
        .sum();
    let postings = structures.keys.len();
    let ranges = sorted(structures, threads);
    let coarse = coarse(&ranges, postings, games.lines.len(), threads);
    drop(ranges);
    let (hot, rare) = hot_positions(games, structures, &coarse, threads);
    let fine = plain_section(rare, games.lines.len());
    let variation = games
        .variations
        .iter()
        .map(|&(key, game)| key >> GAME_BITS << GAME_BITS | u64::from(game))
        .collect();
    let variation = plain_section(variation, games.lines.len());
    Segment {
        sections: [(coarse.layout, coarse.blocks), fine, variation],
        hot,
        positions,
    }
}

/// The structures of every main line, by replay.
fn replayed_structures(games: &Games<'_>, threads: usize) -> Structures {
    let pieces = pieces(games.lines.len());
    let parts = shared(threads, pieces.len(), |piece| {
        let mut structures = Structures::default();
        let mut keys = Vec::new();
        for line in &games.lines[pieces[piece].clone()] {
            keys.clear();
            match games.starts.get(&line.start) {
                Some(Start::Chess(start)) => structures_of(&**start, line.plies, &mut keys),
                None => {}
            }
            structures.push(&keys);
        }
        structures
    });
    let mut structures = Structures::default();
    for part in &parts {
        structures.append(part);
    }
    structures
}

#[inline]
fn structures_of<W: Walk>(start: &W, mut plies: &[u8], keys: &mut Vec<u32>) {
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

/// The postings of every structure, in ranges by their top bits, sorted by
/// truncated key and game.
fn sorted(structures: &Structures, threads: usize) -> Vec<Vec<u64>> {
    let pieces = pieces(structures.ends.len());
    let parts = shared(threads, pieces.len(), |piece| {
        let mut ranges = roomy_ranges();
        for game in pieces[piece].clone() {
            for &key in structures.of(game) {
                ranges[(key >> (32 - RANGE_BITS)) as usize]
                    .push(u64::from(key) << 32 | game as u64);
            }
        }
        ranges
    });
    let key_bits = Layout::new(structures.keys.len(), structures.keys.len(), 1).key_bits;
    shared(threads, 1 << RANGE_BITS, |range| {
        let mut data = Vec::with_capacity(parts.iter().map(|ranges| ranges[range].len()).sum());
        for ranges in &parts {
            data.extend_from_slice(&ranges[range]);
        }
        sort::by_bits(
            &mut data,
            &mut Vec::new(),
            64 - key_bits,
            key_bits - RANGE_BITS,
        );
        data
    })
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

struct Coarse {
    layout: Layout,
    blocks: Vec<Block>,
    /// One bit a truncated key: met in enough games to hold hot positions.
    frequent: Vec<u64>,
    /// Likewise: crowded.
    crowded: Vec<u64>,
}

impl Coarse {
    /// The truncated key of a key's top 32 bits.
    #[inline]
    const fn truncate(&self, key: u32) -> u64 {
        (key >> (32 - self.layout.key_bits)) as u64
    }
}

fn is_set(bits: &[u64], i: u64) -> bool {
    bits[(i / 64) as usize] >> (i % 64) & 1 == 1
}

/// Encodes the sorted structures and marks the frequent and the crowded ones.
fn coarse(ranges: &[Vec<u64>], postings: usize, games: usize, threads: usize) -> Coarse {
    let layout = Layout::new(postings, postings, games);
    let keys: usize = shared(threads, ranges.len(), |range| {
        let mut keys = 0;
        let mut last = u64::MAX;
        for posting in &ranges[range] {
            let key = layout.truncate(*posting);
            keys += usize::from(key != last);
            last = key;
        }
        keys
    })
    .into_iter()
    .sum();
    let layout = Layout {
        key_rice: Layout::new(postings, keys, games).key_rice,
        ..layout
    };
    // Small sections are not cut, lest every import leave sixteen nearly empty pages.
    let whole;
    let cuts: Vec<&[Vec<u64>]> = if postings < CUT_MIN {
        whole = ranges;
        vec![whole]
    } else {
        ranges.chunks(1).collect()
    };
    let span_bits = (1u64 << layout.key_bits) / cuts.len() as u64;
    let parts = shared(threads, cuts.len(), |cut| {
        let first = span_bits * cut as u64;
        let mut writer = PostingWriter::new(layout);
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
    });
    let mut coarse = Coarse {
        layout,
        blocks: Vec::new(),
        frequent: Vec::new(),
        crowded: Vec::new(),
    };
    for (blocks, frequent, crowded) in parts {
        coarse.blocks.extend(blocks);
        coarse.frequent.extend(frequent);
        coarse.crowded.extend(crowded);
    }
    coarse
}

/// Second replay: the hot positions, and the postings of the rare positions in
/// crowded structures.
fn hot_positions(
    games: &Games<'_>,
    structures: &Structures,
    coarse: &Coarse,
    threads: usize,
) -> (Vec<HotBlock>, Vec<u64>) {
    let pieces = pieces(games.lines.len());
    let results = shared(threads, pieces.len(), |piece| {
        let mut ranges = roomy_ranges();
        let mut seen = Vec::new();
        for game in pieces[piece].clone() {
            // Only as far as the last frequent structure: mostly the opening.
            let keys = structures.of(game);
            let frequent = |key: &u32| is_set(&coarse.frequent, coarse.truncate(*key));
            let Some(last) = keys.iter().rposition(frequent) else {
                continue;
            };
            let line = games.lines[game];
            match games.starts.get(&line.start) {
                Some(Start::Chess(start)) => {
                    visits_of(
                        &**start,
                        line.plies,
                        &keys[..=last],
                        coarse,
                        &mut seen,
                        |key, visit| {
                            ranges[(key >> (64 - RANGE_BITS)) as usize]
                                .push((key, (game as u64) << 44 | visit));
                        },
                    );
                }
                None => {}
            }
        }
        ranges
    });
    let mut by_range: Vec<Vec<Vec<Visit>>> = vec![Vec::new(); 1 << RANGE_BITS];
    for ranges in results {
        for (range, part) in by_range.iter_mut().zip(ranges) {
            range.push(part);
        }
    }
    let visits: usize = by_range.iter().flatten().map(Vec::len).sum();
    let by_range: Vec<_> = by_range.into_iter().map(std::sync::Mutex::new).collect();
    let cuts: Vec<std::ops::Range<usize>> = if visits < CUT_MIN {
        vec![0..by_range.len()]
    } else {
        (0..by_range.len()).map(|i| i..i + 1).collect()
    };
    let parts = shared(threads, cuts.len(), |cut| {
        let mut writer = HotWriter::default();
        let mut rare = Vec::new();
        for range in &by_range[cuts[cut].clone()] {
            let parts = std::mem::take(
                &mut *range
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner),
            );
            let mut visits = parts.concat();
            drop(parts);
            visits.sort_unstable();
            for same in visits.chunk_by(|a, b| a.0 == b.0) {
                file_position(games.facts, same, &mut writer, &mut rare);
            }
        }
        (writer.finish(), rare)
    });
    let (mut blocks, mut rare) = (Vec::new(), Vec::new());
    for (part, postings) in parts {
        blocks.extend(part);
        rare.extend(postings);
    }
    (blocks, rare)
}

/// The first visit of each position of a game's frequent structures; `keys` are
/// its structures up to the last that is looked at.
#[inline]
fn visits_of<W: Walk>(
    start: &W,
    mut plies: &[u8],
    keys: &[u32],
    coarse: &Coarse,
    seen: &mut Vec<(u64, u32)>,
    mut emit: impl FnMut(u64, u64),
) {
    let mut walk = start.clone();
    let mut structure = walk.structure();
    let mut keys = keys.iter().map(|key| {
        let key = coarse.truncate(*key);
        (is_set(&coarse.frequent, key), is_set(&coarse.crowded, key))
    });
    let Some((mut frequent, mut crowded)) = keys.next() else {
        return;
    };
    seen.clear();
    loop {
        let here = frequent.then(|| (walk.board_key(), walk.state_bits(), walk.turn()));
        let next = walk.peek(&mut plies);
        if let Some((key, state, turn)) = here {
            // A position can only come back while the structure stands.
            if !seen.contains(&(key, state)) {
                seen.push((key, state));
                let next = next.unwrap_or(hot::ENDS);
                emit(
                    key,
                    u64::from(state) << 24
                        | u64::from(next) << 8
                        | (turn as u64) << 1
                        | u64::from(crowded),
                );
            }
        }
        let Some(next) = next else { return };
        walk.play(next);
        if walk.structure() != structure {
            structure = walk.structure();
            seen.clear();
            match keys.next() {
                Some(class) => (frequent, crowded) = class,
                None => return,
            }
        }
    }
}

const fn game_of(visit: u64) -> u32 {
    (visit >> 44) as u32
}

/// Files all visits of one board, sorted by game: as hot, as rare, or not at all.
fn file_position(facts: &[Facts], visits: &[Visit], writer: &mut HotWriter, rare: &mut Vec<u64>) {
    let key = visits[0].0;
    // A game visits a board twice only in different states, so neighbours tell.
    let games = visits.chunk_by(|a, b| game_of(a.1) == game_of(b.1)).count();
    if games < HOT_GAMES_MIN {
        if visits[0].1 & 1 == 1 {
            rare.extend(
                visits
                    .iter()
                    .map(|visit| key >> GAME_BITS << GAME_BITS | u64::from(game_of(visit.1))),
            );
        }
        return;
    }
    let turn = (visits[0].1 >> 1 & 1) as usize;
    let mut states: Vec<u32> = visits
        .iter()
        .map(|visit| (visit.1 >> 24 & 0xf_ffff) as u32)
        .collect();
    states.sort_unstable();
    states.dedup();
    let states: Vec<HotState> = states
        .into_iter()
        .map(|state| {
            let here = || {
                visits
                    .iter()
                    .filter(move |visit| (visit.1 >> 24 & 0xf_ffff) as u32 == state)
            };
            let next = |visit: &Visit| (visit.1 >> 8) as u16;
            let mut moves: Vec<(u16, Tally)> = Vec::new();
            let mut list = Vec::new();
            for visit in here() {
                let at = moves
                    .iter()
                    .position(|(code, _)| *code == next(visit))
                    .unwrap_or_else(|| {
                        moves.push((next(visit), Tally::default()));
                        moves.len() - 1
                    });
                moves[at].1.games += 1;
                list.push((game_of(visit.1), at as u16));
            }
            let mut order: Vec<usize> = (0..moves.len()).collect();
            order.sort_by_key(|&at| (std::cmp::Reverse(moves[at].1.games), moves[at].0));
            let mut rank = vec![0; moves.len()];
            for (new, &old) in order.iter().enumerate() {
                rank[old] = new as u16;
            }
            for (_, at) in &mut list {
                *at = rank[usize::from(*at)];
            }
            let sums = (list.len() >= SUMMED_GAMES_MIN).then(|| {
                let mut sums = vec![Tally::default(); moves.len()];
                for &(game, at) in &list {
                    sums[usize::from(at)].add(&facts[game as usize], turn);
                }
                sums
            });
            HotState {
                state,
                moves: order.iter().map(|&at| moves[at].0).collect(),
                sums,
                count: list.len() as u64,
                games: list,
            }
        })
        .collect();
    writer.push(key, &hot::write_entry(key, &states));
}

/// Sorts and encodes a section of few postings.
fn plain_section(mut postings: Vec<u64>, games: usize) -> (Layout, Vec<Block>) {
    postings.sort_unstable();
    postings.dedup();
    let layout = Layout::new(postings.len(), postings.len(), games);
    // By truncated key, games ascending within it.
    postings.sort_by_key(|posting| (layout.truncate(*posting), posting & ((1 << GAME_BITS) - 1)));
    let mut writer = PostingWriter::new(layout);
    for_each_key(layout, &postings, |key, games| {
        writer.push(key, games.iter().copied())
    });
    (layout, writer.finish())
}

/// The section's name in messages.
impl std::fmt::Display for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Coarse => "structures",
            Self::Fine => "rare positions",
            Self::Variation => "variations",
        })
    }
}
