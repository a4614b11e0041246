//! Keeps the segments of the index few: small neighbours are merged.

use std::ops::{ControlFlow, Range};

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    db::{
        index::{SEGMENT_GAMES_MAX, SEGMENT_PLIES_MAX, SEGMENT_VARIATIONS_MAX, posting::Section},
        store::{SegmentRow, Store, StoreError, StoreErrorKind},
        stored::rebuilt_segment,
    },
};

/// Makes a segment of the games of an import that was broken off, so that they are looked up
/// like all others.
///
/// # Errors
///
/// [`StoreError`], also where the end was asked for; then nothing has changed.
pub fn index_tail(
    store: &Store,
    threads: usize,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    let Some(tail) = store.tail(&store.segments()?)? else {
        return Ok(());
    };
    let _ = observer.on(Event::Phase {
        name: "indexing",
        steps: None,
    });
    let SegmentRow {
        first_game, games, ..
    } = tail;
    let segment = rebuilt_segment(store, first_game, games, threads)?;
    store.at_once(|| {
        store.clear_tail()?;
        store.insert_segment(first_game, games as usize, &segment)
    })
}

/// Builds the segments of some games that have none.
///
/// # Errors
///
/// [`StoreError`]; the transaction is then to be given up.
pub fn build_segments(
    store: &Store,
    games: Range<GameId>,
    threads: usize,
) -> Result<(), StoreError> {
    let mut facts = store.facts();
    let (mut first, mut plies) = (games.start, 0);
    for game in games.clone() {
        store.go_on()?;
        plies += facts.get(game)?.plies as usize;
        let count = game + 1 - first;
        let is_full = count >= (SEGMENT_GAMES_MAX - SEGMENT_GAMES_MAX / 16) as u64
            || plies >= SEGMENT_PLIES_MAX / 2;
        if is_full || game + 1 == games.end {
            let segment = rebuilt_segment(store, first, count, threads)?;
            store.insert_segment(first, count as usize, &segment)?;
            (first, plies) = (game + 1, 0);
        }
    }
    Ok(())
}

/// Merges neighbouring segments while the later one is at least half as large
/// as the earlier, so that their number stays logarithmic. Once the end is asked for,
/// what is not merged stays as it is.
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
        let segment = match rebuilt_segment(store, first, games, threads) {
            // The next import comes back to it.
            Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => return Ok(()),
            other => other?,
        };
        store.at_once(|| {
            for segment in merged {
                store.delete_segment(segment.id)?;
            }
            store.insert_segment(first, games as usize, &segment)
        })?;
    }
}

/// Structures inside variations that a segment has at most, as the width of their keys
/// tells: up to twice as many as there are.
const fn variations_max(segment: &SegmentRow) -> u64 {
    1 << (segment.layouts[Section::Variation as usize].key_bits - 1)
}

/// The first of the last segments that are to become one, if any.
fn merge_from(segments: &[SegmentRow]) -> Option<usize> {
    let fits = |from: usize| {
        let games: u64 = segments[from..].iter().map(|segment| segment.games).sum();
        let positions: u64 = segments[from..]
            .iter()
            .map(|segment| segment.positions)
            .sum();
        let variations = segments[from..].iter().map(variations_max).sum::<u64>();
        games <= SEGMENT_GAMES_MAX as u64
            && positions <= SEGMENT_PLIES_MAX as u64
            && variations <= 2 * SEGMENT_VARIATIONS_MAX as u64
    };
    let mut from = segments.len().checked_sub(1)?;
    let mut tail = segments[from].games;
    while from > 0 && tail * 2 >= segments[from - 1].games && fits(from - 1) {
        from -= 1;
        tail += segments[from].games;
    }
    (from + 1 < segments.len()).then_some(from)
}
