//! An import is made to stand again: what came since must not be the same games.

use std::collections::HashMap;

use super::ChangeRow;
use crate::{
    base::{
        record::GameId,
        runs::{MarkedRun, MarkedRuns},
    },
    db::{
        identity::{GameFinder, KnownGames, NameJudge, SameGames},
        index::sums::Fingerprint,
        repair::salvage::Salvage,
        store::{Store, StoreError},
    },
};

/// A game that comes back, and the same game as it was stored since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredSince {
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

/// Finds a game that an import brings back although it is there already, or was deleted, as a game
/// that came since that import was undone: it would have been skipped.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub(super) fn stored_since(
    store: &Store,
    changes: &[ChangeRow],
    redone: i64,
    returned: &MarkedRuns,
) -> Result<Option<StoredSince>, StoreError> {
    let last = last_set(changes);
    let undone = last.get(&redone).copied().unwrap_or(redone);
    let mut newer = Vec::new();
    for change in changes.iter().filter(|change| change.id != redone) {
        let set = last.get(&change.id).copied().unwrap_or(change.id);
        if let Some(import) = change.import.filter(|_| set > undone) {
            let games = store.games_of_import(import)?.0;
            newer.extend(games.iter().map(|run| MarkedRun {
                mark: change.id,
                ..*run
            }));
        }
    }
    let newer = MarkedRuns::of(newer).without(returned);
    if newer.is_empty() || returned.is_empty() {
        return Ok(None);
    }
    let removed = store.removed()?.without(&store.deleted()?);
    let newer = newer.without(&removed);
    let (mut known, mut prints) = (KnownGames::default(), HashMap::new());
    store.for_each_print(|game, print: Fingerprint| {
        if newer.contains(game) {
            known.add(game, print);
        } else if returned.contains(game) {
            prints.insert(game, print);
        }
    })?;
    let same = SameGames::among(store, known, NameJudge::of(store)?).as_they_came()?;
    let mut finder = GameFinder::among(store, same, store.last_game()?);
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
            return Ok(Some(StoredSince { by, game, other }));
        }
    }
    Ok(None)
}
