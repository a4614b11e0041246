//! Large segments, built of stored games in bounded memory: a stretch of games is read at a time,
//! and what is made of all of them is put aside on disk, by ranges of keys.

use std::{io, ops::Range, path::Path};

use super::{
    segment::{StoredGames, StoredParts, SummedFacts},
    spill::SpillBuckets,
};
use crate::{
    base::record::GameId,
    index::{
        Block, SEGMENT_GAMES_MAX, SegmentThresholds,
        build::{
            self, BuildContext, GAME_BITS, Segment, posting,
            structures::{
                self, StructureFrequency, StructureShard, cuts, sort_postings, unsorted_key_count,
            },
            visits::{self, KeyRanges, PopularShard},
        },
        posting::{PostingLayout, Section},
        top_games,
    },
    store::{IndexPart, SegmentRow, Store, StoreError, StoreErrorKind},
};

/// How many top bits of a key say on which pile something goes.
const PILE_BITS: u32 = 8;
const PILES: usize = 1 << PILE_BITS;

/// Games whose visits of frequent structures are in memory at a time.
const VISITING_GAMES: usize = 1 << 16;

/// What a segment is in addition to its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltSegment {
    /// The layouts of its sections, in the order of [`Section::ALL`].
    pub layouts: [PostingLayout; 3],
    /// Positions of all main lines, each game's start included.
    pub positions: u64,
}

/// Takes the blocks of a segment as they are made, those of a part by ascending keys.
pub type BlockSink<'t> = dyn FnMut(IndexPart, &Block) -> Result<(), StoreError> + 't;

/// Builds the segment of `games` games from `first` on again, without columns, from the stored moves
/// and annotations, with some thresholds, and gives its blocks away; `done` is given the number of
/// games as they are done.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, if the end was requested, or
/// whatever the taker of the blocks says.
pub fn build_segment(
    store: &Store,
    (first, games): (GameId, u64),
    thresholds: SegmentThresholds,
    threads: usize,
    take: &mut BlockSink<'_>,
    done: &mut dyn FnMut(u64),
) -> Result<BuiltSegment, StoreError> {
    if games > SEGMENT_GAMES_MAX as u64 || thresholds != SegmentThresholds::SMALL {
        let mut builder = ExternalSegmentBuilder::new(store, first, games, threads)?;
        builder.thresholds = thresholds;
        return builder.build(take, done);
    }
    let segment = super::segment::rebuilt(
        store,
        (first, games),
        threads,
        StoredParts::All,
        build::without_columns,
    )?;
    done(games);
    give(&segment, take)
}

/// Gives the blocks of a segment away.
fn give(segment: &Segment, take: &mut BlockSink<'_>) -> Result<BuiltSegment, StoreError> {
    let mut all = |part, blocks: &[Block]| blocks.iter().try_for_each(|block| take(part, block));
    for (section, (_, blocks)) in Section::ALL.into_iter().zip(&segment.sections) {
        all(IndexPart::Postings(section), blocks)?;
    }
    all(IndexPart::Popular, &segment.popular)?;
    all(IndexPart::TopGames, &segment.top_games)?;
    Ok(BuiltSegment {
        layouts: segment.layouts(),
        positions: segment.positions,
    })
}

/// Builds a segment of games and puts it in the place of those that have them now, within a
/// transaction. Columns stay as they are.
///
/// # Errors
///
/// As [`build_segment`]; the transaction is then to be given up.
pub fn replace_segments(
    store: &Store,
    old: &[SegmentRow],
    threads: usize,
    done: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let games: u64 = old.iter().map(|segment| segment.games).sum();
    replace_segments_with(store, old, SegmentThresholds::of(games), threads, done)
}

/// The same with some thresholds.
///
/// # Errors
///
/// As [`replace_segments`].
pub fn replace_segments_with(
    store: &Store,
    old: &[SegmentRow],
    thresholds: SegmentThresholds,
    threads: usize,
    done: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let Some(first) = old.first() else {
        return Ok(());
    };
    let games = old.iter().map(|segment| segment.games).sum();
    // The new blocks take the pages of the old ones, which are not needed to build them.
    for segment in old {
        store.note_missing_variants(segment)?;
        store.delete_segment(segment.id)?;
    }
    let id = store.free_segment()?;
    let mut take = |part, block: &Block| store.insert_block(id, part, block);
    let games = (first.first_game, games);
    let built = build_segment(store, games, thresholds, threads, &mut take, done)?;
    let layouts = (built.layouts, thresholds);
    store.insert_segment_row(id, games, built.positions, layouts)
}

/// A large segment that is being built.
pub(crate) struct ExternalSegmentBuilder<'s> {
    store: &'s Store,
    first: GameId,
    games: usize,
    threads: usize,
    folder: &'s Path,
    thresholds: SegmentThresholds,
    /// Games that are read at once.
    pub(crate) stretch: usize,
}

impl<'s> ExternalSegmentBuilder<'s> {
    pub(crate) fn new(
        store: &'s Store,
        first: GameId,
        games: u64,
        threads: usize,
    ) -> Result<Self, StoreError> {
        let games = usize::try_from(games)
            .ok()
            .filter(|games| *games <= 1 << GAME_BITS)
            .ok_or_else(|| {
                store.damaged(format!("the segment from game {first} on is too large"))
            })?;
        let folder = store.path().parent().unwrap_or_else(|| Path::new(""));
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        Ok(Self {
            store,
            first,
            games,
            threads,
            folder,
            thresholds: SegmentThresholds::SMALL,
            stretch: SEGMENT_GAMES_MAX,
        })
    }

    /// Calls `each` with `most` games after the others, and the number of the first.
    fn stretches(
        &self,
        most: usize,
        parts: StoredParts,
        mut each: impl FnMut(StoredGames, usize) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for from in (0..self.games).step_by(most) {
            let games = (self.games - from).min(most);
            let first = self.first + from as u64;
            each(
                StoredGames::read(self.store, first, games as u64, parts)?,
                from,
            )?;
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> StoreError {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreErrorKind::Full,
            _ => StoreErrorKind::Io,
        };
        StoreError::new(self.store.path(), kind)
    }

    /// What the threads make, unless the end was requested.
    fn crew<T>(&self, work: impl FnOnce(BuildContext<'_>) -> Option<T>) -> Result<T, StoreError> {
        let stop = self.store.stop();
        let crew = BuildContext {
            threads: self.threads,
            is_stopped: &|| stop.is_cancelled(),
        };
        work(crew).ok_or_else(|| self.store.interrupted())
    }

    /// Makes something of each of some parts, as many at a time as there are threads.
    fn of_parts<T: Send>(
        &self,
        parts: usize,
        work: impl Fn(usize) -> io::Result<T> + Sync,
        mut each: impl FnMut(T) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for from in (0..parts).step_by(self.threads.max(1)) {
            let count = self.threads.max(1).min(parts - from);
            let made = self.crew(|crew| crew.share(count, |part| work(from + part)))?;
            for made in made {
                each(made.map_err(|error| self.failed(&error))?)?;
            }
        }
        Ok(())
    }

    pub(crate) fn build(
        &self,
        take: &mut BlockSink<'_>,
        done: &mut dyn FnMut(u64),
    ) -> Result<BuiltSegment, StoreError> {
        let piles = || SpillBuckets::new(self.folder, PILES).map_err(|error| self.failed(&error));
        let mut postings = piles()?;
        let (mut count, mut positions) = (0, 0);
        let (mut facts, mut variations) = (SummedFacts::default(), Vec::new());
        self.stretches(self.stretch, StoredParts::All, |stretch, from| {
            stretch.with(|games| {
                let known = self.crew(|crew| structures::replayed(games, crew))?;
                count += known.key_count();
                positions += games.positions();
                for (game, number) in (0..games.lines.len()).zip(from as u64..) {
                    for &key in known.of(game) {
                        let pile = (key >> (32 - PILE_BITS)) as usize;
                        let posting = u64::from(key) << 32 | number;
                        let added = postings.add(pile, &[posting]);
                        added.map_err(|error| self.failed(&error))?;
                    }
                }
                let own = games.variations.iter();
                variations.extend(own.map(|&(key, game)| posting(key, game + from as u32)));
                games.facts.iter().for_each(|own| facts.push(own));
                done(games.lines.len() as u64 / 2);
                Ok(())
            })
        })?;
        let coarse = self.structures(&postings, count, take)?;
        drop(postings);
        let mut visited = piles()?;
        let mut visit_count = 0;
        let at_once = self.stretch.min(VISITING_GAMES);
        self.stretches(at_once, StoredParts::Lines, |stretch, from| {
            stretch.with(|games| {
                let ranges = KeyRanges {
                    bits: PILE_BITS,
                    wanted: 0..PILES,
                };
                let found = self.crew(|crew| {
                    visits::visits(games, from, None, &coarse, &ranges, crew, &|_| true)
                })?;
                for (pile, visits) in found.iter().flat_map(|found| found.iter().enumerate()) {
                    visit_count += visits.len();
                    for &(key, visit) in visits {
                        let added = visited.add(pile, &[key, visit]);
                        added.map_err(|error| self.failed(&error))?;
                    }
                }
                done(games.lines.len() as u64 - games.lines.len() as u64 / 2);
                Ok(())
            })
        })?;
        let mut rare = Vec::new();
        let (popular_cuts, popular_min) = (cuts(visit_count), self.thresholds.popular_min);
        let popular = |cut| {
            let mut part = PopularShard::new(popular_min);
            for pile in piles_of(cut, popular_cuts) {
                let numbers = visited.read(pile)?;
                let (pairs, _) = numbers.as_chunks();
                let visits = pairs.iter().map(|&[key, visit]| (key, visit));
                part.push(&|game| facts.get(game), visits.collect());
            }
            Ok(part.finish())
        };
        let mut top_games = Vec::new();
        self.of_parts(popular_cuts, popular, |part| {
            rare.extend(part.rare);
            top_games.extend(part.top_games);
            let blocks = part.popular;
            blocks
                .iter()
                .try_for_each(|block| take(IndexPart::Popular, block))
        })?;
        drop(visited);
        for block in top_games::whole(top_games) {
            take(IndexPart::TopGames, &block)?;
        }
        let mut layouts = [coarse.layout; 3];
        for (section, postings) in [(Section::Boards, rare), (Section::Variation, variations)] {
            let (layout, blocks) = structures::plain_section(postings, self.games);
            let part = IndexPart::Postings(section);
            blocks.iter().try_for_each(|block| take(part, block))?;
            layouts[section as usize] = layout;
        }
        Ok(BuiltSegment { layouts, positions })
    }

    /// Writes the section of structures.
    fn structures(
        &self,
        postings: &SpillBuckets,
        count: usize,
        take: &mut BlockSink<'_>,
    ) -> Result<StructureFrequency, StoreError> {
        let layout = PostingLayout::new(count, count, self.games);
        let sorted = |pile| {
            let mut numbers = postings.read(pile)?;
            sort_postings(&mut numbers, layout);
            Ok::<_, io::Error>(numbers)
        };
        let mut keys = 0;
        let count_of = |pile| Ok(unsorted_key_count(layout, &postings.read(pile)?));
        self.of_parts(PILES, count_of, |count| {
            keys += count;
            Ok(())
        })?;
        let layout = layout.with_keys(keys);
        let cuts = cuts(count);
        let mut coarse = StructureFrequency::of(layout);
        let thresholds = self.thresholds;
        let encoded = |cut| {
            let mut part = StructureShard::new(layout, (cut, cuts), thresholds);
            for pile in piles_of(cut, cuts) {
                part.push(&sorted(pile)?);
            }
            Ok(part.finish())
        };
        self.of_parts(cuts, encoded, |(blocks, marks)| {
            coarse.mark(marks);
            let part = IndexPart::Postings(Section::Structures);
            blocks.iter().try_for_each(|block| take(part, block))
        })?;
        Ok(coarse)
    }
}

/// The piles of one of `cuts` parts.
const fn piles_of(cut: usize, cuts: usize) -> Range<usize> {
    cut * PILES / cuts..(cut + 1) * PILES / cuts
}
