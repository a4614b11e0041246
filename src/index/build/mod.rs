//! Builds a segment: from the main lines of its games to all its blocks.
//!
//! The structures of every game, which the import knows already, are filed and
//! sorted; this shows which of them are frequent. A replay then looks at the
//! positions of frequent structures only, and finds the popular ones. Work is cut
//! by games and by ranges of keys, so that threads share it; what comes out
//! does not depend on their number.

pub mod structures;
pub mod visits;

use std::{
    collections::HashMap,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    Block, SEGMENT_GAMES_MAX, columns,
    posting::PostingLayout,
    signatures::{self, StructureSignature},
    top_games,
};
use crate::{
    blocks::{facts::PackedFacts, moves::MainLine},
    games::AnyCursor,
};

/// What a segment is built from.
#[derive(Debug, Clone, Copy)]
pub struct SegmentGames<'a> {
    /// The main lines, in the order of the games.
    pub lines: &'a [MainLine<'a>],
    /// The facts of the same games.
    pub facts: &'a [PackedFacts],
    /// The start positions by their numbers; games whose start is not here
    /// have no positions.
    pub starts: &'a HashMap<u32, AnyCursor>,
    /// The structures of the main lines, if the caller that resolved the moves has them
    /// already; otherwise they are found by replay.
    pub structures: Option<&'a Structures>,
    /// Structure keys inside variations, with the game (numbered from 0).
    pub variations: &'a [(u64, u32)],
}

impl SegmentGames<'_> {
    /// Positions of all main lines, each game's start included.
    pub fn positions(&self) -> u64 {
        let lines = self.lines.iter().zip(self.facts);
        lines
            .filter(|(line, _)| self.starts.contains_key(&line.start))
            .map(|(_, facts)| u64::from(facts.plies) + 1)
            .sum()
    }
}

/// A posting of a section of few: a key, cut, and a game.
pub const fn posting(key: u64, game: u32) -> u64 {
    key >> GAME_BITS << GAME_BITS | game as u64
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

    /// Those of a game, numbered from 0.
    pub fn of(&self, game: usize) -> &[u32] {
        self.of_games(&(game..game + 1))
    }

    /// All keys of games that follow each other.
    fn of_games(&self, games: &Range<usize>) -> &[u32] {
        let from = games.start.checked_sub(1).map_or(0, |last| self.ends[last]);
        let to = games.end.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.keys[from..to]
    }

    /// How many keys there are.
    pub const fn key_count(&self) -> usize {
        self.keys.len()
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
    /// The sections' layouts and blocks, ordered as [`Section::ALL`](super::posting::Section::ALL).
    pub sections: [(PostingLayout, Vec<Block>); 3],
    /// The blocks of popular positions.
    pub popular: Vec<Block>,
    /// The blocks of their top games.
    pub top_games: Vec<Block>,
    /// The pages of the columns.
    pub columns: Vec<Block>,
    /// Positions of all main lines, each game's start included.
    pub positions: u64,
}

impl Segment {
    /// The layouts of its sections.
    pub fn layouts(&self) -> [PostingLayout; 3] {
        self.sections.each_ref().map(|(layout, _)| *layout)
    }
}

/// Bits of a posting that hold the game.
pub const GAME_BITS: u32 = 24;
/// With fewer postings than this a range of keys is not cut further.
const CUT_MIN: usize = 1 << 20;
/// How many top bits of a key number the ranges that large parts of an index are cut into.
pub const RANGE_BITS: u32 = 4;
const RANGES: usize = 1 << RANGE_BITS;
/// Postings of structures that are in memory at a time (some 40 a game are usual).
const POSTINGS_AT_ONCE: usize = 24 << 20;
/// Visits of frequent structures that are in memory at a time (some 25 a game are usual).
const VISITS_AT_ONCE: usize = 24 << 20;

/// The threads that build a segment, and a way to stop them.
#[derive(Clone, Copy)]
pub struct BuildContext<'a> {
    /// How many threads there are.
    pub threads: usize,
    /// Whether the segment is not wanted any more.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl BuildContext<'static> {
    /// This many threads that are never stopped.
    pub const fn steady(threads: usize) -> Self {
        Self {
            threads,
            is_stopped: &|| false,
        }
    }
}

impl BuildContext<'_> {
    /// Runs `work` for 0..count and gives the results in order; `None` if it was stopped.
    ///
    /// # Panics
    ///
    /// If the work does.
    pub fn share<T: Send>(&self, count: usize, work: impl Fn(usize) -> T + Sync) -> Option<Vec<T>> {
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut done = Vec::new();
            while !(self.is_stopped)() {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= count {
                    break;
                }
                done.push((i, work(i)));
            }
            done
        };
        let mut all = std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.min(count))
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
        if all.len() < count {
            return None;
        }
        all.sort_by_key(|(i, _)| *i);
        Some(all.into_iter().map(|(_, result)| result).collect())
    }
}

/// Cuts the games into pieces of some thousand for the threads.
pub(super) fn pieces(games: usize) -> Vec<Range<usize>> {
    const PIECE: usize = 8192;
    (0..games.div_ceil(PIECE))
        .map(|i| i * PIECE..((i + 1) * PIECE).min(games))
        .collect()
}

/// A list for each of `ranges` ranges of `of` in all, with room for what a piece's games usually
/// bring (some 40 visits of frequent structures a game).
fn roomy_ranges<T>(ranges: usize, of: usize) -> Vec<Vec<T>> {
    (0..ranges)
        .map(|_| Vec::with_capacity(327_680 / of))
        .collect()
}

/// Builds a segment of at most [`SEGMENT_GAMES_MAX`] games; `None` if the build was stopped.
///
/// # Panics
///
/// If there are more games than that, or not as many facts as games.
pub fn segment(games: &SegmentGames<'_>, crew: BuildContext<'_>) -> Option<Segment> {
    let columns = columns::build(games, crew)?;
    let segment = without_columns(games, crew)?;
    Some(Segment { columns, ..segment })
}

/// The same without the columns.
///
/// # Panics
///
/// As [`segment`].
pub fn without_columns(games: &SegmentGames<'_>, crew: BuildContext<'_>) -> Option<Segment> {
    assert!(games.lines.len() <= SEGMENT_GAMES_MAX);
    assert_eq!(games.lines.len(), games.facts.len());
    let replayed;
    let known = if let Some(structures) = games.structures {
        structures
    } else {
        replayed = structures::replayed(games, crew)?;
        &replayed
    };
    let positions = games.positions();
    let (coarse, blocks) = structures::coarse(known, games, crew, POSTINGS_AT_ONCE)?;
    let visits = visits::popular_positions(games, known, &coarse, crew, VISITS_AT_ONCE)?;
    let plain = |postings| structures::plain_section(postings, games.lines.len());
    let variations = games.variations.iter();
    let variations = variations.map(|&(key, game)| posting(key, game));
    Some(Segment {
        sections: [
            (coarse.layout, blocks),
            plain(visits.rare),
            plain(variations.collect()),
        ],
        popular: visits.popular,
        top_games: top_games::whole(visits.top_games),
        columns: Vec::new(),
        positions,
    })
}

/// The signatures of games, which they have while no segment has them; `None` if the build was
/// stopped.
pub fn signatures(
    games: &SegmentGames<'_>,
    crew: BuildContext<'_>,
) -> Option<Vec<StructureSignature>> {
    let structures = structures::replayed(games, crew)?;
    let all = 0..games.lines.len();
    Some(signatures::signatures(&structures, games.variations, all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use crate::{
        blocks::BLOCK_BYTES,
        index::{
            merge::{self, BlockChange, BlockLocator},
            popular::{self, EntryWriter, PopularKeyRange},
        },
    };

    /// A build may be stopped anywhere, and then there is no segment.
    #[test]
    fn a_stopped_crew_builds_nothing() {
        let games = SegmentGames {
            lines: &[MainLine {
                start: 0,
                plies: &[],
            }; 9],
            facts: &[PackedFacts::default(); 9],
            starts: &HashMap::from([(0, AnyCursor::initial())]),
            structures: None,
            variations: &[],
        };
        let mut looks = 0;
        loop {
            let left = AtomicUsize::new(looks);
            let is_stopped = || {
                let more = |left: usize| left.checked_sub(1);
                let left = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
                left.is_err()
            };
            let crew = BuildContext {
                threads: 1,
                is_stopped: &is_stopped,
            };
            if let Some(built) = segment(&games, crew) {
                assert!(looks > 6, "{looks}");
                assert_eq!(Some(built), segment(&games, BuildContext::steady(1)));
                break;
            }
            looks += 1;
        }
    }

    /// Large segments are made in turns, and come out as if they were not.
    #[test]
    fn turns_make_no_difference() {
        const GAMES: usize = 40_000;
        // Enough that their blocks are cut where they are when made in turns.
        const VISITING: usize = 8 * GAMES;
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005);
            state = state.wrapping_add(1);
            (state >> 32) as u32
        };
        let mut structures = Structures::default();
        for _ in 0..GAMES {
            let keys: Vec<u32> = (0..30).map(|_| random()).collect();
            structures.push(&keys);
        }
        let line = MainLine {
            start: 0,
            plies: &[],
        };
        let games = SegmentGames {
            lines: &vec![line; GAMES],
            facts: &[],
            starts: &HashMap::new(),
            structures: None,
            variations: &[],
        };
        let coarse = |threads, at_once| {
            structures::coarse(&structures, &games, BuildContext::steady(threads), at_once).unwrap()
        };
        let whole = coarse(2, usize::MAX);
        let turns = coarse(3, 0);
        assert_eq!((whole.0.layout, &whole.1), (turns.0.layout, &turns.1));
        assert!(whole.0 == turns.0);

        // Any bytes are moves, up to the first that are not.
        let plies: Vec<Vec<u8>> = (0..50)
            .map(|_| (0..90).map(|_| random() as u8).collect())
            .collect();
        let line = |game: usize| MainLine {
            start: 0,
            plies: &plies[game % plies.len()],
        };
        let games = SegmentGames {
            lines: &(0..VISITING).map(line).collect::<Vec<_>>(),
            facts: &vec![PackedFacts::default(); VISITING],
            starts: &HashMap::from([(0, AnyCursor::initial())]),
            structures: None,
            variations: &[],
        };
        let crew = BuildContext::steady(2);
        // Each thread numbers what it meets for itself.
        let some = |number: usize| PackedFacts {
            variant: number as u32 % 3,
            ..PackedFacts::default()
        };
        let some = SegmentGames {
            lines: &games.lines[..GAMES],
            facts: &(0..GAMES).map(some).collect::<Vec<_>>(),
            ..games
        };
        let columns = |threads| columns::build(&some, BuildContext::steady(threads)).unwrap();
        assert!(columns(1) == columns(3));
        let structures = structures::replayed(&games, crew).unwrap();
        let (coarse, _) = structures::coarse(&structures, &games, crew, usize::MAX).unwrap();
        let popular = |at_once| {
            visits::popular_positions(&games, &structures, &coarse, crew, at_once).unwrap()
        };
        let whole = popular(usize::MAX);
        assert!(whole.popular.len() > 16, "{}", whole.popular.len());
        assert!(whole.top_games.len() > 1, "{}", whole.top_games.len());
        for at_once in [0, 300_000] {
            let turns = popular(at_once);
            assert!(turns == whole, "{at_once} at once");
        }
        let mut turns = HashMap::new();
        for plies in &plies {
            let (mut at, mut plies) = (AnyCursor::initial(), &plies[..]);
            turns.insert(at.board_key(), at.turn());
            while let Some(next) = at.peek(&mut plies) {
                at.play(next);
                turns.insert(at.board_key(), at.turn());
            }
        }
        // Nor does it if they are summed up again, whether the sums are the same or not.
        let mut facts = games.facts.to_vec();
        let first = [whole.popular.clone(), whole.top_games.clone()];
        let mut one_changed = first.clone();
        for changed in [0, 1, 200] {
            let rich: Vec<PackedFacts> = facts.clone();
            for facts in &mut facts[..changed] {
                (facts.white_elo, facts.outcome, facts.date) = (2711, 1, 20_240_506);
            }
            let games = SegmentGames {
                facts: &facts,
                ..games
            };
            let at_once =
                visits::popular_positions(&games, &structures, &coarse, crew, usize::MAX).unwrap();
            let mut again = [whole.popular.clone(), whole.top_games.clone()];
            summed_again(&mut again, &facts, &turns);
            let built = [at_once.popular, at_once.top_games];
            assert!(again == built, "{changed} games of others");
            // And back again: entries become shorter.
            summed_again(&mut again, &rich, &turns);
            let before = if changed == 200 { &one_changed } else { &first };
            assert!(again == *before, "{changed} games as they were");
            if changed == 1 {
                one_changed = built;
            }
        }
        let turn_of = |_, _| Ok::<_, ()>(0);
        let top_games = popular::top_games_of(&whole.popular, games.facts, turn_of);
        assert!(top_games.unwrap().unwrap() == whole.top_games);
    }

    /// Sums up all positions of blocks again that are summed up, one after the other.
    fn summed_again(
        blocks: &mut [Vec<Block>; 2],
        facts: &[PackedFacts],
        turns: &HashMap<u64, usize>,
    ) {
        let writers = [EntryWriter::popular, EntryWriter::top_games];
        let entries = blocks[0]
            .iter()
            .flat_map(|block| popular::entries(&block.bytes));
        let keys: Vec<u64> = entries.map(|entry| entry.unwrap().key).collect();
        let find = |blocks: &Vec<Block>, sought| {
            let found = match sought {
                BlockLocator::UpTo(key) => blocks.iter().rfind(|block| block.first_key <= key),
                BlockLocator::Behind(key) => blocks.iter().find(|block| block.first_key > key),
            };
            Ok::<_, ()>(found.cloned())
        };
        let mut entries = [BTreeMap::new(), BTreeMap::new()];
        for key in keys {
            let block = find(&blocks[0], BlockLocator::UpTo(popular::row_key(key))).unwrap();
            let of_game = (|game: u32| facts[game as usize], facts.len() as u64);
            let again = merge::summed_again(&block.unwrap(), (key, turns[&key]), of_game).unwrap();
            for (entries, entry) in entries.iter_mut().zip(again) {
                entries.extend(entry.map(|entry| (key, entry)));
            }
        }
        let part = PopularKeyRange::of(&blocks[0]).unwrap();
        for ((blocks, entries), writer) in blocks.iter_mut().zip(&entries).zip(writers) {
            let new = || writer(BLOCK_BYTES);
            let changes = merge::repacked(entries, part, new, |sought| find(blocks, sought));
            for change in changes.unwrap().unwrap() {
                let (BlockChange::Gone(key) | BlockChange::Put(Block { first_key: key, .. })) =
                    change;
                blocks.retain(|block| block.first_key != key);
                if let BlockChange::Put(block) = change {
                    blocks.push(block);
                }
            }
            blocks.sort_unstable_by_key(|block| block.first_key);
        }
    }
}
