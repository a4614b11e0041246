//! Builds segments from what is stored: to merge small ones, and to compare an
//! index with its games.

use std::{collections::HashMap, ops::ControlFlow};

use crate::{
    index::{
        SEGMENT_GAMES_MAX, SEGMENT_PLIES_MAX,
        build::{self, Games, Segment},
        moves::MainLine,
    },
    observe::{Event, Observer},
    position::Position,
    record::GameId,
    replay::{Start, Walk, chess::Replay},
    store::{SegmentRow, Store, StoreError},
    stored,
};

/// The usual start of chess, under its number 0.
pub(super) fn usual_starts() -> HashMap<u32, Start> {
    HashMap::from([(0, Start::Chess(Box::new(Replay::initial())))])
}

/// Builds the segment of `games` games from `first` on anew, from the stored
/// moves and annotations.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn rebuilt_segment(
    store: &Store,
    first: GameId,
    games: u64,
    threads: usize,
) -> Result<Segment, StoreError> {
    let mut plies = Vec::new();
    let mut places = Vec::new();
    let mut facts = Vec::new();
    let mut starts = usual_starts();
    let mut positions = HashMap::from([(0, Position::Chess(shakmaty::Chess::default()))]);
    let mut variations = Vec::new();
    let (mut lines, mut fact_reader) = (store.lines(), store.facts());
    for game in first..first + games {
        let line = lines.get(game)?;
        let from = plies.len();
        plies.extend_from_slice(line.plies);
        places.push((line.start, from..plies.len()));
        facts.push(fact_reader.get(game)?);
        if let std::collections::hash_map::Entry::Vacant(entry) = starts.entry(line.start)
            && let Some(position) = stored::start_position(store, line.start)?
        {
            entry.insert(Start::new(&position));
            positions.insert(line.start, position);
        }
    }
    store.for_each_annotation(first, first + games - 1, |game, items| {
        let (start, place) = &places[(game - first) as usize];
        if let Some(start) = positions.get(start) {
            let mut keys: Vec<u64> = Vec::new();
            for found in stored::variations_of(items, start, &plies[place.clone()]) {
                let key = found.at.structure().key();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            variations.extend(keys.into_iter().map(|key| (key, (game - first) as u32)));
        }
    })?;
    let lines: Vec<MainLine<'_>> = places
        .iter()
        .map(|(start, place)| MainLine {
            start: *start,
            plies: &plies[place.clone()],
        })
        .collect();
    let games = Games {
        lines: &lines,
        facts: &facts,
        starts: &starts,
        structures: None,
        variations: &variations,
    };
    Ok(build::segment(&games, threads))
}

/// Merges neighbouring segments while the later one is at least half as large
/// as the earlier, so that their number stays logarithmic.
///
/// # Errors
///
/// [`StoreError`]; then the index is as it was.
pub fn merge_segments(
    store: &Store,
    threads: usize,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    loop {
        let segments = store.segments()?;
        let Some(from) = merge_from(&segments) else {
            return Ok(());
        };
        if let ControlFlow::Break(()) = observer.on(Event::Phase {
            name: "merging",
            steps: None,
        }) {
            return Ok(());
        }
        let merged = &segments[from..];
        let first = merged[0].first_game;
        let games: u64 = merged.iter().map(|segment| segment.games).sum();
        let segment = rebuilt_segment(store, first, games, threads)?;
        store.begin()?;
        let done = merged
            .iter()
            .try_for_each(|segment| store.delete_segment(segment.id))
            .and_then(|()| store.insert_segment(first, games as usize, &segment));
        match done {
            Ok(()) => store.commit()?,
            Err(error) => {
                store.roll_back();
                return Err(error);
            }
        }
    }
}

/// The first of the last segments that are to become one, if any.
fn merge_from(segments: &[SegmentRow]) -> Option<usize> {
    let fits = |from: usize| {
        let games: u64 = segments[from..].iter().map(|segment| segment.games).sum();
        let positions: u64 = segments[from..]
            .iter()
            .map(|segment| segment.positions)
            .sum();
        games <= SEGMENT_GAMES_MAX as u64 && positions <= SEGMENT_PLIES_MAX as u64
    };
    let mut from = segments.len().checked_sub(1)?;
    let mut tail = segments[from].games;
    while from > 0 && tail * 2 >= segments[from - 1].games && fits(from - 1) {
        from -= 1;
        tail += segments[from].games;
    }
    (from + 1 < segments.len()).then_some(from)
}
