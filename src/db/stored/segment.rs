//! Segments built anew from what is stored: to merge small ones, and to compare
//! an index with its games.

use std::collections::HashMap;

use super::{AnnotationReader, start_position};
use crate::{
    base::record::GameId,
    db::{
        index::{
            Block,
            build::{self, Crew, Segment, SegmentGames},
            columns,
            facts::PackedFacts,
            hot,
            moves::MainLine,
            tail::Signature,
        },
        store::{IndexPart, SegmentRow, Store, StoreError},
    },
    games::{
        AnyCursor, AnyPosition,
        tree::{self, GameTree},
    },
};

/// The usual start of chess, under its number 0.
pub fn usual_starts() -> HashMap<u32, AnyCursor> {
    HashMap::from([(0, AnyCursor::initial())])
}

/// Builds the segment of `games` games from `first` on anew, from the stored
/// moves and annotations.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged, or if the end was
/// asked for.
pub fn rebuilt_segment(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Segment, StoreError> {
    rebuilt(store, first, games, threads, build::segment)
}

/// Builds the columns of `games` games from `first` on anew.
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
    rebuilt(store, first, games, threads, columns::build)
}

/// Makes the signatures of `games` games from `first` on anew.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn rebuilt_signatures(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Vec<Signature>, StoreError> {
    rebuilt(store, first, games, threads, build::signatures)
}

/// The hot positions of a segment, those of one of its games summed up again: its date, its result
/// or its ratings have changed.
///
/// # Errors
///
/// As [`rebuilt_segment`].
pub fn hot_summed_again(
    store: &Store,
    segment: &SegmentRow,
    game: GameId,
) -> Result<Vec<Block>, StoreError> {
    let mut turns = HashMap::new();
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
    let mut reader = store.facts();
    let end = segment.first_game + segment.games;
    let facts: Vec<PackedFacts> = (segment.first_game..end)
        .map(|game| reader.get(game))
        .collect::<Result<_, _>>()?;
    let blocks = store.blocks(segment, IndexPart::Hot)?;
    hot::summed_again(&blocks, &turns, &facts, store.block_bytes())
        .ok_or_else(|| store.damaged(format!("hot positions of segment {}", segment.id)))
}

/// What `build` makes of stored games.
fn rebuilt<T>(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
    build: impl FnOnce(&SegmentGames<'_>, Crew<'_>) -> Option<T>,
) -> Result<T, StoreError> {
    let mut plies = Vec::new();
    let mut places = Vec::new();
    let mut facts = Vec::new();
    let mut starts = usual_starts();
    let mut positions = HashMap::from([(0, AnyPosition::initial())]);
    let mut variations = Vec::new();
    let (mut lines, mut fact_reader) = (store.lines(), store.facts());
    for game in first..first + games {
        store.go_on()?;
        let line = lines.get(game)?;
        let from = plies.len();
        plies.extend_from_slice(line.plies);
        places.push((line.start, from..plies.len()));
        facts.push(fact_reader.get(game)?);
        if let std::collections::hash_map::Entry::Vacant(entry) = starts.entry(line.start)
            && let Some(position) = start_position(store, line.start)?
        {
            entry.insert(AnyCursor::new(&position));
            positions.insert(line.start, position);
        }
    }
    let mut annotations = AnnotationReader::new(store);
    for (number, (start, place)) in places.iter().enumerate() {
        let game = first + number as u64;
        store.go_on()?;
        let (Some(position), Some(cursor)) = (positions.get(start), starts.get(start)) else {
            continue;
        };
        let main_line = &plies[place.clone()];
        let Some(tree) = annotations.tree(game, position, main_line)? else {
            continue;
        };
        let mut keys: Vec<u64> = Vec::new();
        let each = |key| {
            if keys.last() != Some(&key) {
                keys.push(key);
            }
        };
        let walked =
            GameTree::of(&tree).map(|tree| tree::structures(cursor, main_line, tree, each));
        let Some(Ok(())) = walked else {
            return Err(store.damaged(format!("variations of game {game}")));
        };
        keys.sort_unstable();
        keys.dedup();
        variations.extend(keys.into_iter().map(|key| (key, number as u32)));
    }
    let lines: Vec<MainLine<'_>> = places
        .iter()
        .map(|(start, place)| MainLine {
            start: *start,
            plies: &plies[place.clone()],
        })
        .collect();
    let games = SegmentGames {
        lines: &lines,
        facts: &facts,
        starts: &starts,
        structures: None,
        variations: &variations,
        block_bytes: store.block_bytes(),
    };
    let stop = store.stop();
    let crew = Crew {
        threads,
        is_stopped: &|| stop.is_asked(),
    };
    build(&games, crew).ok_or_else(|| store.interrupted())
}
