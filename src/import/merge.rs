//! Keeps the segments of the index few: small neighbours are merged.

use std::ops::{ControlFlow, Range};

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    index::{
        SEGMENT_GAMES_MAX, SEGMENT_PLIES_MAX, SEGMENT_VARIATIONS_MAX, build::GAME_BITS,
        posting::Section,
    },
    replay::{self, rebuilt_segment},
    store::{SegmentRow, Store, StoreError, StoreErrorKind},
};

/// Makes a segment of the games of an import that was broken off, so that they are looked up
/// like all others.
///
/// # Errors
///
/// [`StoreError`], also where the end was requested; then nothing has changed.
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
/// as the earlier, so that their number stays logarithmic. Once the end is requested,
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
                for range in store.column_ranges(segment)? {
                    store.delete_columns(&range)?;
                }
                store.delete_segment(segment.id)?;
            }
            store.insert_segment(first, games as usize, &segment)
        })?;
    }
}

/// Segments with fewer games than this cost a look-up little.
const SIZABLE_GAMES_MIN: u64 = 200_000;
/// How many larger ones an import leaves …
pub const SIZABLE_SEGMENTS_MAX: usize = 4;
/// … and how many there may be while it goes on.
pub(super) const SIZABLE_SEGMENTS_MAX_AT_WORK: usize = 8;

/// Joins segments where more than `most` are large, so that a look-up reads few however many games
/// there are. Where the end is requested, or the disk has no room for it, the index stays as it is,
/// and the next import comes back to it.
///
/// # Errors
///
/// [`StoreError`]; then the index is as it was.
pub fn limit_segments(
    store: &Store,
    most: usize,
    threads: usize,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    loop {
        let segments = store.segments()?;
        let Some(excess) = excess(&segments, most) else {
            return Ok(());
        };
        match join(store, &segments[excess], threads, observer) {
            Ok(()) => {}
            Err(error)
                if matches!(
                    error.kind,
                    StoreErrorKind::Interrupted | StoreErrorKind::Full
                ) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
}

/// The segments that are to become one, where more than `most` are large: the last ones, so many
/// that the one before them has at least as many games. So a game is joined again only with as many
/// games as were joined with it before, and is joined as often as the logarithm of their number says.
fn excess(segments: &[SegmentRow], most: usize) -> Option<Range<usize>> {
    let is_sizable = |segment: &&SegmentRow| segment.games >= SIZABLE_GAMES_MIN;
    if segments.iter().filter(is_sizable).count() <= most {
        return None;
    }
    (1..=segments.len()).rev().find_map(|end| {
        let (mut games, mut variations, mut sizable, mut found) = (0, 0, 0, None);
        for from in (0..end).rev() {
            let segment = &segments[from];
            games += segment.games;
            variations += variations_max(segment);
            if games > JOINED_GAMES_MAX || variations > JOINED_VARIATIONS_MAX {
                break;
            }
            sizable += usize::from(is_sizable(&segment));
            if sizable >= 2 {
                found = Some(from);
                if from > 0 && segments[from - 1].games >= games {
                    break;
                }
            }
        }
        found.map(|from| from..end)
    })
}

/// Makes one segment of neighbours.
fn join(
    store: &Store,
    segments: &[SegmentRow],
    threads: usize,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    let games = segments.iter().map(|segment| segment.games).sum();
    let phase = Event::Phase {
        name: "merging",
        steps: Some(games),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let mut done = |steps| {
        let _ = observer.on(Event::Steps { steps });
    };
    store.at_once(|| replay::replace_segments(store, segments, threads, &mut done))
}

/// Games that a large segment holds at most: those that a posting can name. Its building takes
/// up to a gibibyte of memory, and a kibibyte a game on disk.
const JOINED_GAMES_MAX: u64 = 1 << GAME_BITS;
/// Structures inside its variations.
const JOINED_VARIATIONS_MAX: u64 = 2 * SEGMENT_VARIATIONS_MAX as u64;

/// Makes as few segments as can be, as `optimize` wants them.
///
/// # Errors
///
/// [`StoreError`], also where the end was requested; what was joined before stays.
pub fn join_segments(
    store: &Store,
    threads: usize,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    loop {
        let segments = store.segments()?;
        let Some(joined) = joined(&segments) else {
            return Ok(());
        };
        join(store, &segments[joined], threads, observer)?;
    }
}

/// The next segments that are to become one: neighbours that fit into it, unless nearly all of
/// their games are in one of them already.
fn joined(segments: &[SegmentRow]) -> Option<Range<usize>> {
    (0..segments.len()).find_map(|from| {
        let (mut games, mut variations, mut most, mut end) = (0, 0, 0, from);
        for segment in &segments[from..] {
            games += segment.games;
            variations += variations_max(segment);
            if games > JOINED_GAMES_MAX || variations > JOINED_VARIATIONS_MAX {
                games -= segment.games;
                break;
            }
            most = most.max(segment.games);
            end += 1;
        }
        (end > from + 1 && (games - most) * 2 >= most).then_some(from..end)
    })
}

/// Structures inside variations that a segment has at most, as the width of their keys
/// shows: up to twice as many as there are.
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
            && variations <= JOINED_VARIATIONS_MAX
    };
    let mut from = segments.len().checked_sub(1)?;
    let mut tail = segments[from].games;
    while from > 0 && tail * 2 >= segments[from - 1].games && fits(from - 1) {
        from -= 1;
        tail += segments[from].games;
    }
    (from + 1 < segments.len()).then_some(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{SegmentThresholds, posting::PostingLayout};

    fn segments(games: &[u64]) -> Vec<SegmentRow> {
        let layouts = [PostingLayout {
            key_bits: 10,
            ..PostingLayout::default()
        }; 3];
        let segments = games.iter().map(|&games| SegmentRow {
            id: 0,
            first_game: 1,
            games,
            positions: 0,
            key_version: 1,
            layouts,
            thresholds: SegmentThresholds::SMALL,
        });
        segments.collect()
    }

    /// Imports of so many games each: the sizes that segments have after them, and how often a game
    /// was joined on average.
    fn imported(imports: impl Iterator<Item = u64>) -> (Vec<u64>, f64) {
        let full = (SEGMENT_GAMES_MAX - SEGMENT_GAMES_MAX / 16) as u64;
        let (mut sizes, mut all, mut joined) = (Vec::new(), 0, 0);
        let limit = |sizes: &mut Vec<u64>, joined: &mut u64, most| {
            while let Some(excess) = excess(&segments(sizes), most) {
                let sum = sizes[excess.clone()].iter().sum();
                *joined += sum;
                sizes.splice(excess, [sum]);
            }
        };
        for games in imports {
            all += games;
            for from in (0..games).step_by(full as usize) {
                sizes.push((games - from).min(full));
                limit(&mut sizes, &mut joined, SIZABLE_SEGMENTS_MAX_AT_WORK);
            }
            while let Some(from) = merge_from(&segments(&sizes)) {
                let sum = sizes.drain(from..).sum();
                sizes.push(sum);
            }
            limit(&mut sizes, &mut joined, SIZABLE_SEGMENTS_MAX);
            let sizable = sizes.iter().filter(|games| **games >= SIZABLE_GAMES_MIN);
            assert!(sizable.count() <= SIZABLE_SEGMENTS_MAX.max(all.div_ceil(8_000_000) as usize));
            assert!(sizes.len() <= 12, "{sizes:?}");
            assert_eq!(sizes.iter().sum::<u64>(), all);
        }
        (sizes, joined as f64 / all as f64)
    }

    #[test]
    fn segments_stay_few_and_games_are_not_joined_often() {
        let million = 1_000_000;
        let (sizes, often) = imported(std::iter::once(10 * million));
        assert!(sizes.len() <= 4 && often <= 1.0, "{sizes:?} {often}");
        let (_, often) = imported(std::iter::repeat_n(279_000, 36));
        assert!(often < 2.5, "{often}");
        let days = std::iter::repeat_n(5_000, 400);
        let (_, often) = imported(std::iter::once(10 * million).chain(days));
        assert!(often < 2.0, "{often}");
        let (_, often) = imported(std::iter::once(30 * million));
        assert!(often < 2.0, "{often}");
        let (_, often) = imported(std::iter::repeat_n(100_000, 300));
        assert!(often < 5.0, "{often}");
        let (sizes, often) = imported(std::iter::repeat_n(30, 1000));
        assert!(often == 0.0 && sizes.len() < 9, "{sizes:?}");
    }

    #[test]
    fn neighbours_are_joined_unless_one_has_nearly_all_games() {
        let joined_of = |games: &[u64]| joined(&segments(games));
        let million = 1_000_000;
        assert_eq!(joined_of(&[]), None);
        assert_eq!(joined_of(&[million]), None);
        assert_eq!(joined_of(&[million; 20]), Some(0..16));
        assert_eq!(joined_of(&[16 * million, 5000]), None);
        assert_eq!(joined_of(&[16 * million, million, million]), Some(1..3));
        assert_eq!(joined_of(&[2 * million, 900_000, 100_000]), Some(0..3));
        assert_eq!(joined_of(&[17 * million, 900, 100]), None);
        assert_eq!(joined_of(&[3 * million, 900_000, 100_000]), None);
    }
}
