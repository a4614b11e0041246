//! An import or a deletion is made to stand again: what came since must not be the same games.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::ChangeRow;
use crate::{
    base::{
        range_map::{RangeEntry, RangeMap},
        record::GameId,
    },
    blocks::fingerprint::Fingerprint,
    identity::{DuplicateFinder, DuplicateIndex, FingerprintIndex, NameMatcher},
    replay::salvage::Salvage,
    store::{ChangeKind, Store, StoreError},
};

/// A game that comes back, and the same game as it was stored since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReimportedGame {
    /// The change that has stored it since.
    pub by: i64,
    /// The game that comes back.
    pub game: GameId,
    /// The game that is there.
    pub other: GameId,
}

/// The last change that made each change stand or not, where it was not that change itself.
fn last_set(changes: &[ChangeRow]) -> HashMap<i64, i64> {
    let mut last = HashMap::new();
    for undo in changes {
        let mut undone = undo.undoes;
        while let Some(change) = undone {
            last.insert(change, undo.id);
            let its = changes.iter().find(|its| its.id == change);
            undone = its.and_then(|its| its.undoes);
        }
    }
    last
}

/// Finds a game that an import brings back although it already exists, or was deleted, as a game
/// that came since that import was undone: it would have been skipped.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub(super) fn stored_since(
    store: &Store,
    changes: &[ChangeRow],
    redone: i64,
    returned: &RangeMap,
) -> Result<Option<ReimportedGame>, StoreError> {
    let last = last_set(changes);
    let undone = last.get(&redone).copied().unwrap_or(redone);
    let mut newer = Vec::new();
    for change in changes.iter().filter(|change| change.id != redone) {
        let set = last.get(&change.id).copied().unwrap_or(change.id);
        if let Some(import) = change.import.filter(|_| set > undone) {
            let games = store.games_of_import(import)?.0;
            newer.extend(games.iter().map(|run| RangeEntry {
                mark: change.id,
                ..*run
            }));
        }
    }
    let newer = RangeMap::of(newer).without(returned);
    if newer.is_empty() || returned.is_empty() {
        return Ok(None);
    }
    let removed = store.removed()?.without(&store.deleted()?);
    let newer = newer.without(&removed);
    let (mut known, mut prints) = (FingerprintIndex::default(), HashMap::new());
    store.for_each_print(|game, print: Fingerprint| {
        if newer.contains(game) {
            known.add(game, print);
        } else if returned.contains(game) {
            prints.insert(game, print);
        }
    })?;
    let same = DuplicateIndex::among(store, known, NameMatcher::of(store)?).as_they_came()?;
    let mut finder = DuplicateFinder::among(store, same, store.last_game()?);
    let mut salvage = Salvage::new(store);
    for game in returned.iter().flat_map(|run| run.first..run.end) {
        store.go_on()?;
        let Some(&print) = prints
            .get(&game)
            .filter(|&&print| !finder.has_none_like(print))
        else {
            continue;
        };
        if let Some(other) = finder.find(&salvage.game(game)?, print, &|_| None)? {
            let by = newer.mark_of(other).unwrap_or_default();
            return Ok(Some(ReimportedGame { by, game, other }));
        }
    }
    Ok(None)
}

/// A game that is there for one that was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SubstituteGame {
    /// The deletion.
    pub deletion: i64,
    /// The import that has put another game in its place.
    pub import: i64,
    /// The game that is deleted.
    pub game: GameId,
    /// The one in its place.
    pub other: GameId,
}

/// Finds a game that is there although it was deleted: an import put it in the place of the
/// record that a deletion removes, while that did not stand, and one of `redone` makes both stand.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub(super) fn deleted_and_there(
    store: &Store,
    changes: &[ChangeRow],
    redone: &HashSet<i64>,
) -> Result<Option<SubstituteGame>, StoreError> {
    let standing = |is_of: fn(ChangeKind) -> bool| {
        let mut changes = changes.iter();
        std::iter::from_fn(move || changes.find(|its| its.is_done && is_of(its.kind)))
    };
    let is_import = |kind| matches!(kind, ChangeKind::Import | ChangeKind::Merge);
    let mut replaced: BTreeMap<GameId, Vec<(GameId, i64)>> = BTreeMap::new();
    for import in standing(is_import) {
        for run in store.removals(import.id)? {
            for (nth, kept) in (0..run.games).zip(run.kept.into_iter().flat_map(|kept| kept..)) {
                let by = replaced.entry(run.first + nth).or_default();
                by.push((kept, import.id));
            }
        }
    }
    if replaced.is_empty() {
        return Ok(None);
    }
    let removed = store.removed()?;
    for deletion in standing(|kind| kind == ChangeKind::Delete) {
        for run in store.removals(deletion.id)? {
            for (&game, _) in replaced.range(run.first..run.first + run.games) {
                // What has replaced it may have been replaced in its turn.
                let mut waiting = vec![(game, redone.contains(&deletion.id))];
                while let Some((here, is_new)) = waiting.pop() {
                    for &(other, import) in replaced.get(&here).into_iter().flatten() {
                        let is_new = is_new || redone.contains(&import);
                        if is_new && !removed.contains(other) {
                            let deletion = deletion.id;
                            return Ok(Some(SubstituteGame {
                                deletion,
                                import,
                                game,
                                other,
                            }));
                        }
                        waiting.push((other, is_new));
                    }
                }
            }
        }
    }
    Ok(None)
}
