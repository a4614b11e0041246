//! Some of the games that deletions removed are brought back: each of these deletions is undone,
//! and what is left of it is deleted by a change of its own.

use crate::{
    base::range_map::{RangeEntry, RangeMap},
    store::{ChangeKind, RemovedRange, Store, StoreError},
};

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Restoration {
    /// Games that are there again.
    pub returned: u64,
    /// The changes that did it: undoing them deletes the games again.
    pub changes: Vec<i64>,
}

/// Brings back those of some games that were deleted, all of them or, on an error, none. What
/// `optimize --purge` has given up stays so.
///
/// # Errors
///
/// [`StoreError`]; then nothing has changed.
pub(super) fn restore(store: &Store, games: &RangeMap) -> Result<Restoration, StoreError> {
    let mut restored = Restoration::default();
    let before = store.removed()?;
    store.at_once(|| {
        let deletions = store.changes()?.into_iter().filter(|change| {
            change.kind == ChangeKind::Delete && change.is_done && !change.is_final
        });
        for deletion in deletions {
            let runs = store.removals(deletion.id)?.into_iter();
            let deleted = RangeMap::of(runs.map(|run| RangeEntry {
                first: run.first,
                end: run.first + run.games,
                mark: 0,
            }));
            let left = deleted.without(games);
            if left.count() == deleted.count() {
                continue;
            }
            store.set_done(deletion.id, false)?;
            let undo = store.insert_change(ChangeKind::Undo, "", None, Some(deletion.id))?;
            restored.changes.push(undo);
            if !left.is_empty() {
                let what = format!("what is left of change {}", deletion.id);
                let change = store.insert_change(ChangeKind::Delete, &what, None, None)?;
                let left = left.iter().flat_map(|run| run.first..run.end);
                let runs = RemovedRange::of(left.map(|game| (game, None)));
                store.insert_removals(change, &runs)?;
            }
        }
        store.settle()
    })?;
    restored.returned = before.without(&store.removed()?).count();
    Ok(restored)
}
