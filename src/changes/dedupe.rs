//! Games that are stored more than once are removed but for one record of each.

use super::{readable::are_readable, remove};
use crate::{
    base::{observe::Observer, record::GameId},
    identity::{DedupeOptions, DedupeReport, same_games},
    store::{ChangeKind, RemovedRange, Store, StoreError},
};

/// Removes all but one record of each game that is stored more than once.
///
/// # Errors
///
/// [`StoreError`]; then nothing has changed.
pub fn dedupe(
    store: &Store,
    options: DedupeOptions,
    what: &str,
    observer: &dyn Observer,
) -> Result<DedupeReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let mut report = same_games(store, options, observer)?;
    if report.removed > 0 {
        let kept = report.groups.iter().map(|group| group.kept);
        are_readable(store, kept, observer)?;
        let mut removed: Vec<(GameId, Option<GameId>)> = (report.groups.iter())
            .flat_map(|group| group.others.iter().map(|&game| (game, Some(group.kept))))
            .collect();
        removed.sort_unstable();
        let runs = RemovedRange::of(removed);
        report.change = Some(remove(store, ChangeKind::Dedupe, what, &runs)?);
    }
    Ok(report)
}
