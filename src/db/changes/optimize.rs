//! The file as small, and the index in as few parts, as they can be.

use serde::Serialize;

use super::whole;
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    db::{
        import::{index_tail, merge_segments},
        repair::{
            copy::GameCopier,
            salvage::{Salvage, Salvaged},
        },
        store::{ChangeKind, GameRow, RemovalRun, Store, StoreError},
        stored::rebuilt_segment,
    },
};

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

/// Games that are read at once, to be written again beside those that go.
const GAMES_AT_ONCE: usize = 2_000;

/// Makes few segments of many and writes the file anew without what nothing is in. With `purge`
/// games that were removed are given up first: their numbers stay, with nothing under them.
///
/// # Errors
///
/// [`StoreError`]; what was done before stays, and the database is whole.
pub fn optimize(
    store: &Store,
    purge: bool,
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
    if purge {
        give_up(store, threads, observer, &mut report)?;
    }
    merge_segments(store, threads, observer)?;
    let phase = Event::Phase {
        name: "compacting the file",
        steps: None,
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    store.vacuum()?;
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
    let empty = Salvaged {
        row: GameRow {
            layout: "[]".into(),
            ..Default::default()
        },
        ..Salvaged::default()
    };
    whole::<StoreError>(store, || {
        let last = store.last_game()?;
        for from in (1..=last).step_by(GAMES_AT_ONCE) {
            let to = (last + 1).min(from + GAMES_AT_ONCE as GameId);
            let gone: Vec<GameId> = (from..to).filter(|&game| left.contains(game)).collect();
            let [Some(&first), Some(&last)] = [gone.first(), gone.last()] else {
                continue;
            };
            // Read before there is room.
            let mut salvage = Salvage::new(store);
            let mut games = Vec::new();
            for game in first..=last {
                store.go_on()?;
                games.push(if left.contains(game) {
                    None
                } else {
                    Some(salvage.game(game)?)
                });
            }
            let rims = store.make_room(first, last + 1, last + 1 - first)?;
            let mut copied = GameCopier::new(store)?;
            for (game, salvaged) in (first..).zip(&games) {
                copied.game(game, salvaged.as_ref().unwrap_or(&empty))?;
            }
            copied.write_blocks()?;
            store.put_rims(&rims)?;
            let steps = gone.len() as u64;
            if observer.on(Event::Steps { steps }).is_break() {
                return Err(store.interrupted());
            }
        }
        report.ended = store.end_changes()?;
        let change = store.insert_change(ChangeKind::Purge, "", None, None)?;
        let runs = left.iter().map(|run| RemovalRun {
            first: run.first,
            games: run.end - run.first,
            kept: None,
        });
        store.insert_removals(change, &runs.collect::<Vec<_>>())?;
        store.end_changes()?;
        for segment in store.segments()? {
            let end = segment.first_game + segment.games;
            if left.count_between(segment.first_game, end) > 0 {
                let rebuilt = rebuilt_segment(store, segment.first_game, segment.games, threads)?;
                store.delete_segment(segment.id)?;
                store.insert_segment(segment.first_game, segment.games as usize, &rebuilt)?;
            }
        }
        store.settle()?;
        store.forget_idle()
    })?;
    report.purged = left.count();
    Ok(())
}
