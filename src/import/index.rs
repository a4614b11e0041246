//! Builds segments from what is stored: to merge small ones, and to compare an
//! index with its games.

use std::{collections::HashMap, ops::ControlFlow};

use shakmaty::Chess;

use crate::{
    index::{
        SEGMENT_GAMES_MAX, SEGMENT_PLIES_MAX,
        build::{self, Games, Segment},
        moves::MainLine,
    },
    key::Structure,
    notation::fen,
    observe::{Event, Observer},
    record::GameId,
    replay::{self, Start, chess::Replay, read},
    store::{SegmentRow, Store, StoreError},
    variant::{Rules, Variant},
};

/// The usual start of chess, under its number 0.
pub(super) fn usual_starts() -> HashMap<u32, Start> {
    HashMap::from([(0, Start::Chess(Box::new(Replay::initial())))])
}

/// A position as a start to replay from.
pub(super) fn start_of(position: &Chess) -> Start {
    Start::Chess(Box::new(Replay::new(position)))
}

/// A stored start position, if it can be played.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read.
pub fn stored_start(store: &Store, id: u32) -> Result<Option<Chess>, StoreError> {
    if id == 0 {
        return Ok(Some(Chess::default()));
    }
    let Some(row) = store.start(id)? else {
        return Err(store.damaged(format!("start position {id} is missing")));
    };
    let played = Variant::by_id(row.variant).is_some_and(|variant| variant.rules != Rules::None);
    let Some(canonical) = row.canonical.filter(|_| played) else {
        return Ok(None);
    };
    match fen::read_position(&canonical) {
        Ok((position, _)) => Ok(Some(position)),
        Err(error) => Err(store.damaged(format!("start position {id}: {error}"))),
    }
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
    let mut variations = Vec::new();
    let (mut lines, mut fact_reader) = (store.lines(), store.facts());
    for game in first..first + games {
        let line = lines.get(game)?;
        let from = plies.len();
        plies.extend_from_slice(line.plies);
        places.push((line.start, from..plies.len()));
        facts.push(fact_reader.get(game)?);
        if let std::collections::hash_map::Entry::Vacant(entry) = starts.entry(line.start)
            && let Some(position) = stored_start(store, line.start)?
        {
            entry.insert(start_of(&position));
        }
    }
    store.for_each_annotation(first, first + games - 1, |game, items| {
        let (start, place) = &places[(game - first) as usize];
        if let Some(Start::Chess(replay)) = starts.get(start) {
            let mut keys: Vec<u64> = Vec::new();
            for found in variations_of(items, replay, &plies[place.clone()]) {
                let key = Structure::of(found.board.men()).key();
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

/// All positions inside the variations of a game, from its stored annotations
/// and main line.
pub fn variations_of(items: &str, start: &Replay, plies: &[u8]) -> Vec<replay::read::InVariation> {
    let Ok(items) = serde_json::from_str::<Vec<(u32, String, serde_json::Value)>>(items) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut replay = start.clone();
    let mut rest = plies;
    for (ply, kind, text) in &items {
        if kind != "(" || *ply == 0 {
            continue;
        }
        // A variation replaces the move before it.
        while replay.ply() + 1 < *ply && replay.step(&mut rest).is_some() {}
        if replay.ply() + 1 != *ply {
            // Several variations of one move: the replay stands there already.
            if replay.ply() + 1 > *ply {
                continue;
            }
            break;
        }
        if let (Some(before), Some(text)) = (replay.to_position(), text.as_str()) {
            found.extend(read::variation_positions(text, &before, replay.ply()));
        }
    }
    found
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
