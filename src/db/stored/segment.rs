//! Segments built anew from what is stored: to merge small ones, and to compare
//! an index with its games.

use std::collections::HashMap;

use super::{start_position, variations_of};
use crate::{
    base::record::GameId,
    db::{
        index::{
            build::{self, Crew, Segment, SegmentGames},
            moves::MainLine,
        },
        store::{Store, StoreError},
    },
    games::{AnyCursor, AnyPosition},
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
    store.for_each_annotation(first, first + games - 1, |game, items| {
        let (start, place) = &places[(game - first) as usize];
        if let Some(start) = positions.get(start) {
            let mut keys: Vec<u64> = Vec::new();
            variations_of(items, start, &plies[place.clone()], |at| {
                let key = at.structure().key();
                if keys.last() != Some(&key) {
                    keys.push(key);
                }
                false
            });
            keys.sort_unstable();
            keys.dedup();
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
    let games = SegmentGames {
        lines: &lines,
        facts: &facts,
        starts: &starts,
        structures: None,
        variations: &variations,
    };
    let stop = store.stop();
    let crew = Crew {
        threads,
        is_stopped: &|| stop.is_asked(),
    };
    build::segment(&games, crew).ok_or_else(|| store.interrupted())
}
