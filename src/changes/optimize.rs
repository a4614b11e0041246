//! The file as small, and the index in as few parts, as they can be.

use std::ops::RangeInclusive;

use serde::Serialize;

use super::whole;
use crate::{
    base::{
        observe::{Event, Observer},
        range_map::RangeMap,
        record::GameId,
    },
    changes::repair::copy::GameCopier,
    import::{index_tail, join_segments, merge_segments},
    replay::{
        self,
        salvage::{Salvage, SalvagedGame},
    },
    store::{ChangeKind, GameRow, RemovedRange, Store, StoreError},
};

/// What is to be done.
#[derive(Debug, Clone, Copy, Default)]
pub struct OptimizeOptions {
    /// Removed games are given up: their numbers stay, with nothing under them.
    pub purge: bool,
    /// The file is not written again without its free pages.
    pub in_place: bool,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct OptimizeReport {
    /// Bytes of the file before.
    pub bytes_before: u64,
    /// Bytes of the file now.
    pub bytes: u64,
    /// Segments of the index before.
    pub segments_before: u64,
    /// Segments of the index now.
    pub segments: u64,
    /// Removed games that were given up.
    pub purged: u64,
    /// Changes that cannot be undone any more.
    pub ended: u64,
}

/// Games whose places are made again at once.
const GAMES_AT_ONCE: usize = 2_000;
/// This many games that stay between two that go are written again with them: blocks of neighbours
/// are the same, and take longer.
const STAYING_MAX: u64 = 32;

/// Games that are given up, and those between them that are written again.
fn stretches(left: &RangeMap) -> Vec<RangeInclusive<GameId>> {
    let mut all: Vec<RangeInclusive<GameId>> = Vec::new();
    for run in left.iter() {
        for first in (run.first..run.end).step_by(GAMES_AT_ONCE) {
            let last = run.end.min(first + GAMES_AT_ONCE as GameId) - 1;
            match all.last_mut() {
                Some(before)
                    if first - before.end() <= STAYING_MAX + 1
                        && last - before.start() < GAMES_AT_ONCE as GameId =>
                {
                    *before = *before.start()..=last;
                }
                _ => all.push(first..=last),
            }
        }
    }
    all
}

/// Makes few segments of many and writes the file again without its free pages.
///
/// # Errors
///
/// [`StoreError`]; what was done before stays, and the database is complete.
pub fn optimize(
    store: &Store,
    options: OptimizeOptions,
    observer: &dyn Observer,
) -> Result<OptimizeReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut report = OptimizeReport {
        bytes_before: store.bytes(),
        segments_before: store.segments()?.len() as u64,
        ..OptimizeReport::default()
    };
    index_tail(store, threads, observer)?;
    if options.purge {
        give_up(store, threads, observer, &mut report)?;
    }
    merge_segments(store, threads, observer)?;
    join_segments(store, threads, observer)?;
    if !options.in_place {
        let phase = Event::Phase {
            name: "compacting the file",
            steps: None,
        };
        if observer.on(phase).is_break() {
            return Err(store.interrupted());
        }
        store.vacuum()?;
    }
    report.bytes = store.bytes();
    report.segments = store.segments()?.len() as u64;
    Ok(report)
}

/// Puts nothing in the place of games that were removed.
fn give_up(
    store: &Store,
    threads: usize,
    observer: &dyn Observer,
    report: &mut OptimizeReport,
) -> Result<(), StoreError> {
    let removed = store.removed()?;
    let emptied = store.purged()?;
    let left = removed.without(&emptied);
    if left.is_empty() {
        return Ok(());
    }
    let phase = Event::Phase {
        name: "giving up removed games",
        steps: Some(left.count()),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let empty = SalvagedGame {
        row: GameRow {
            layout: "[]".into(),
            ..Default::default()
        },
        ..SalvagedGame::default()
    };
    whole::<StoreError>(store, || {
        let mut copied = GameCopier::new(store)?;
        for stretch in stretches(&left) {
            let (first, end) = (*stretch.start(), *stretch.end() + 1);
            // Read before there is room.
            let mut salvage = Salvage::new(store);
            let mut games = Vec::new();
            for game in stretch {
                store.go_on()?;
                games.push(if left.contains(game) {
                    None
                } else {
                    Some(salvage.game(game)?)
                });
            }
            let rims = store.make_room(first, end)?;
            for (game, salvaged) in (first..).zip(&games) {
                copied.game(game, salvaged.as_ref().unwrap_or(&empty))?;
            }
            copied.write_blocks()?;
            store.insert_edge_blocks(&rims)?;
            let steps = games.iter().filter(|game| game.is_none()).count() as u64;
            if observer.on(Event::Steps { steps }).is_break() {
                return Err(store.interrupted());
            }
        }
        report.ended = store.end_changes()?;
        let change = store.insert_change(ChangeKind::Purge, "", None, None)?;
        let runs = left.iter().map(|run| RemovedRange {
            first: run.first,
            games: run.end - run.first,
            kept: None,
        });
        store.insert_removals(change, &runs.collect::<Vec<_>>())?;
        store.end_changes()?;
        for segment in store.segments()? {
            let end = segment.first_game + segment.games;
            if left.count_between(segment.first_game, end) > 0 {
                replay::replace_segments(store, &[segment], threads, &mut |_| ())?;
                for range in store.column_ranges(&segment)? {
                    let (from, games) = (range.first_game, range.games);
                    if left.count_between(from, from + games) > 0 {
                        let columns = replay::rebuilt_columns(store, from, games, threads)?;
                        store.replace_columns(&range, &columns)?;
                    }
                }
            }
        }
        store.settle()?;
        store.forget_idle()
    })?;
    report.purged = left.count();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{GAMES_AT_ONCE, RangeMap, STAYING_MAX, stretches};
    use crate::base::range_map::RangeEntry;

    #[test]
    fn games_that_stay_are_written_again_between_close_ones_alone() {
        let most = GAMES_AT_ONCE as u64;
        let run = |first, end| RangeEntry {
            first,
            end,
            mark: 0,
        };
        let next = 12 + STAYING_MAX;
        let runs = [
            run(10, 12),
            run(next, next + 1),
            run(next + 2 + STAYING_MAX, 300),
            run(1000, 1000 + 2 * most),
        ];
        assert_eq!(
            stretches(&RangeMap::of(runs)),
            [
                10..=next,
                next + 2 + STAYING_MAX..=299,
                1000..=999 + most,
                1000 + most..=999 + 2 * most,
            ]
        );
    }
}
