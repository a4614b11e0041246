//! Segments built again from what is stored: to merge small ones, and to compare
//! an index with its games.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    ops::Range,
};

use super::start_position;
use crate::{
    base::record::GameId,
    blocks::{
        BLOCK_BYTES,
        facts::{FactColumn, PackedFacts},
        moves::MainLine,
    },
    games::{
        AnyCursor,
        variation_tree::{self, VariationTree},
    },
    index::{
        Block,
        build::{self, BuildContext, Segment, SegmentGames},
        columns,
        merge::{self, BlockChange, BlockLocator},
        popular::{self, EntryWriter, PopularKeyRange},
        signatures::StructureSignature,
    },
    store::{IndexPart, RecordKind, SegmentRow, Store, StoreError},
};

/// The standard start position of chess, under its number 0.
pub fn usual_starts() -> HashMap<u32, AnyCursor> {
    HashMap::from([(0, AnyCursor::initial())])
}

/// Builds the segment of `games` games from `first` on again, from the stored
/// moves and annotations.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or if the end was
/// requested.
pub fn rebuilt_segment(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Segment, StoreError> {
    let games = (first, games);
    rebuilt(store, games, threads, StoredParts::All, build::segment)
}

/// Builds the columns of `games` games from `first` on again.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn rebuilt_columns(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Vec<Block>, StoreError> {
    let games = (first, games);
    rebuilt(store, games, threads, StoredParts::Lines, columns::build)
}

/// Makes the signatures of `games` games from `first` on again.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn rebuilt_signatures(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Vec<StructureSignature>, StoreError> {
    let games = (first, games);
    rebuilt(store, games, threads, StoredParts::All, build::signatures)
}

/// What becomes of the blocks of popular positions of a segment, and of those of their top games, where
/// the date, the result or the ratings of one of its games have changed.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn popular_summed_again(
    store: &Store,
    segment: &SegmentRow,
    game: GameId,
) -> Result<[Vec<BlockChange>; 2], StoreError> {
    let damaged = || store.damaged(format!("popular positions of segment {}", segment.id));
    let mut turns = BTreeMap::new();
    let mut lines = store.lines();
    let line = lines.get(game)?;
    if let Some(position) = start_position(store, line.start)? {
        let (mut at, mut plies) = (AnyCursor::new(&position), line.plies);
        turns.insert(at.board_key(), at.turn());
        while let Some(next) = at.peek(&mut plies) {
            at.play(next);
            turns.insert(at.board_key(), at.turn());
        }
    }
    let facts = SummedFacts::of(store, segment)?;
    let popular = |sought| store.block(segment, IndexPart::Popular, sought);
    let [mut positions, mut top_games] = [BTreeMap::new(), BTreeMap::new()];
    for (&key, &turn) in &turns {
        let Some(block) = popular(BlockLocator::UpTo(popular::row_key(key)))? else {
            continue;
        };
        let of_game = |game| facts.get(game);
        let again = merge::summed_again(&block, (key, turn), (of_game, segment.games));
        let [position, led] = again.ok_or_else(damaged)?;
        positions.extend(position.map(|entry| (key, entry)));
        top_games.extend(led.map(|entry| (key, entry)));
    }
    // A segment may have lost them.
    if store.block_count(segment, IndexPart::TopGames)? == 0 {
        top_games.clear();
    }
    let mut ends = Vec::new();
    for key in PopularKeyRange::ends() {
        ends.extend(popular(BlockLocator::UpTo(popular::row_key(key)))?);
    }
    let part = PopularKeyRange::of(&ends).ok_or_else(damaged)?;
    let popular = merge::repacked(
        &positions,
        part,
        || EntryWriter::popular(BLOCK_BYTES),
        popular,
    )?;
    let led = |sought| store.block(segment, IndexPart::TopGames, sought);
    let led = merge::repacked(
        &top_games,
        part,
        || EntryWriter::top_games(BLOCK_BYTES),
        led,
    )?;
    Ok([popular.ok_or_else(damaged)?, led.ok_or_else(damaged)?])
}

/// What sums and top games are made of, of the games of a segment: twelve bytes each.
#[derive(Default)]
pub(super) struct SummedFacts(Vec<(u32, [u16; 2], u8)>);

impl SummedFacts {
    fn of(store: &Store, segment: &SegmentRow) -> Result<Self, StoreError> {
        let games = segment.first_game..segment.first_game.saturating_add(segment.games);
        let mut all = Self::default();
        let columns = [
            FactColumn::Date,
            FactColumn::Outcome,
            FactColumn::WhiteElo,
            FactColumn::BlackElo,
        ];
        store.for_each_facts_of(games, &columns, |game, facts| {
            if game == segment.first_game + all.0.len() as u64 {
                all.push(facts);
            }
        })?;
        if all.0.len() as u64 != segment.games {
            let game = segment.first_game + all.0.len() as u64;
            return Err(store.damaged(format!("facts of game {game}")));
        }
        Ok(all)
    }

    /// Adds those of the next game.
    pub(super) fn push(&mut self, facts: &PackedFacts) {
        let elos = [facts.white_elo, facts.black_elo].map(|elo| elo as u16);
        self.0.push((facts.date, elos, facts.outcome as u8));
    }

    /// Those of a game, numbered from 0 within the segment.
    pub(super) fn get(&self, game: u32) -> PackedFacts {
        let (date, [white_elo, black_elo], outcome) = self.0[game as usize];
        PackedFacts {
            date,
            white_elo: white_elo.into(),
            black_elo: black_elo.into(),
            outcome: outcome.into(),
            ..PackedFacts::default()
        }
    }
}

/// The top games of a segment that has none, made of its popular positions.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn top_games_of(store: &Store, segment: &SegmentRow) -> Result<Vec<Block>, StoreError> {
    let facts = facts_of(store, segment)?;
    let blocks = store.blocks(segment, IndexPart::Popular)?;
    let mut lines = store.lines();
    let damaged = || store.damaged(format!("popular positions of segment {}", segment.id));
    let turn_of = |game: u32, key| {
        store.go_on()?;
        let line = lines.get(segment.first_game + u64::from(game))?;
        let start = start_position(store, line.start)?.ok_or_else(damaged)?;
        let (mut at, mut plies) = (AnyCursor::new(&start), line.plies);
        while at.board_key() != key {
            let next = at.peek(&mut plies).ok_or_else(damaged)?;
            at.play(next);
        }
        Ok(at.turn())
    };
    popular::top_games_of(&blocks, &facts, turn_of)?.ok_or_else(damaged)
}

/// The facts of all games of a segment.
fn facts_of(store: &Store, segment: &SegmentRow) -> Result<Vec<PackedFacts>, StoreError> {
    let mut reader = store.facts();
    let end = segment.first_game + segment.games;
    (segment.first_game..end)
        .map(|game| reader.get(game))
        .collect()
}

/// What `build` makes of stored games: the first, and how many.
pub(super) fn rebuilt<T>(
    store: &Store,
    (first, games): (GameId, u64),
    threads: usize,
    parts: StoredParts,
    build: impl FnOnce(&SegmentGames<'_>, BuildContext<'_>) -> Option<T>,
) -> Result<T, StoreError> {
    let stored = StoredGames::read(store, first, games, parts)?;
    let stop = store.stop();
    let crew = BuildContext {
        threads,
        is_stopped: &|| stop.is_cancelled(),
    };
    stored
        .with(|games| build(games, crew))
        .ok_or_else(|| store.interrupted())
}

/// What is read of stored games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredParts {
    /// Main lines and facts.
    Lines,
    /// The structures inside variations as well.
    All,
}

/// Stored games that a segment, or a part of one, is built of.
pub(super) struct StoredGames {
    plies: Vec<u8>,
    places: Vec<(u32, Range<usize>)>,
    facts: Vec<PackedFacts>,
    starts: HashMap<u32, AnyCursor>,
    variations: Vec<(u64, u32)>,
}

impl StoredGames {
    /// Reads `games` games from one on.
    pub(super) fn read(
        store: &Store,
        first: GameId,
        games: u64,
        parts: StoredParts,
    ) -> Result<Self, StoreError> {
        let mut read = Self {
            plies: Vec::new(),
            places: Vec::new(),
            facts: Vec::new(),
            starts: usual_starts(),
            variations: Vec::new(),
        };
        let (mut lines, mut facts) = (store.lines(), store.facts());
        for game in first..first + games {
            store.go_on()?;
            let line = lines.get(game)?;
            let from = read.plies.len();
            read.plies.extend_from_slice(line.plies);
            read.places.push((line.start, from..read.plies.len()));
            read.facts.push(facts.get(game)?);
            if let Entry::Vacant(entry) = read.starts.entry(line.start)
                && let Some(position) = start_position(store, line.start)?
            {
                entry.insert(AnyCursor::new(&position));
            }
        }
        if parts == StoredParts::All {
            read.read_variations(store, first)?;
        }
        Ok(read)
    }

    fn read_variations(&mut self, store: &Store, first: GameId) -> Result<(), StoreError> {
        let mut trees = store.records(RecordKind::Tree);
        for (number, (start, place)) in self.places.iter().enumerate() {
            let game = first + number as u64;
            store.go_on()?;
            let Some(cursor) = self.starts.get(start) else {
                continue;
            };
            let main_line = &self.plies[place.clone()];
            let Some(tree) = trees.get(game)? else {
                continue;
            };
            let mut keys: Vec<u64> = Vec::new();
            let each = |key| {
                if keys.last() != Some(&key) {
                    keys.push(key);
                }
            };
            let walked = VariationTree::of(tree)
                .map(|tree| variation_tree::structures(cursor, main_line, tree, each));
            let Some(Ok(())) = walked else {
                return Err(store.damaged(format!("variations of game {game}")));
            };
            keys.sort_unstable();
            keys.dedup();
            let own = keys.into_iter().map(|key| (key, number as u32));
            self.variations.extend(own);
        }
        Ok(())
    }

    /// What `work` makes of them.
    pub(super) fn with<T>(&self, work: impl FnOnce(&SegmentGames<'_>) -> T) -> T {
        let line = |(start, place): &(u32, Range<usize>)| MainLine {
            start: *start,
            plies: &self.plies[place.clone()],
        };
        let lines: Vec<MainLine<'_>> = self.places.iter().map(line).collect();
        work(&SegmentGames {
            lines: &lines,
            facts: &self.facts,
            starts: &self.starts,
            structures: None,
            variations: &self.variations,
        })
    }
}
