//! Changes to a database that can be taken back: each is a unit in its log.
//!
//! Nothing that a change takes away is lost by it: games keep their numbers and blocks, and are
//! only not there any more; edits keep the tags of before. What is left of a change that was
//! undone is enough to do it again.

pub mod check;
mod dedupe;
mod edit;
mod intake;
#[cfg(test)]
mod linear_tests;
mod merge;
mod names;
mod optimize;
mod readable;
mod redo;
pub mod reindex;
pub mod repair;
pub mod reread;

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    path::Path,
};

use serde::Serialize;

use crate::{
    base::{observe::Observer, range_map::RangeMap, record::GameId},
    search::{self, AccessPlan},
    store::{ChangeKind, ChangeRow, RemovedRange, Store, StoreError},
};

pub use check::{CheckReport, check};
pub use dedupe::dedupe;
pub use edit::{EditError, EditReport, TagEdit, edit};
pub use merge::{MergeReport, merge};
pub use names::{NameDecision, NameDecisionError, decide};
pub use optimize::{OptimizeOptions, OptimizeReport, optimize};

/// A change as the log shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeEntry {
    /// Its number.
    pub change: i64,
    /// When, in UTC, as `yyyy-mm-ddThh:mm:ssZ`.
    pub at: String,
    /// What it was.
    pub kind: ChangeKind,
    /// As it was requested; of an import the names of its sources.
    pub description: String,
    /// Games that it has brought, removed or edited.
    pub games: u64,
    /// Games that an import has found stored already.
    pub repeated: u64,
    /// The change that it took back.
    pub undoes: Option<i64>,
    /// The last change that took it back, if it does not stand.
    pub undone_by: Option<i64>,
    /// Whether it can be undone.
    pub can_be_undone: bool,
}

/// Names of sources that the log shows of an import.
const SOURCES_NAMED: usize = 3;

/// All changes, in order.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read, or is damaged.
pub fn log(store: &Store) -> Result<Vec<ChangeEntry>, StoreError> {
    let changes = store.changes()?;
    let built_on = DependentChange::of(store, &changes)?;
    let entries = changes.iter().map(|change| {
        let (mut games, mut repeated, mut what) = (0, 0, change.what.clone());
        if let Some(import) = change.import {
            let (own, again) = store.games_of_import(import)?;
            (games, repeated) = (own.count(), again);
            let sources = store.sources_of_import(import)?;
            if what.is_empty() {
                what = named(&sources);
            }
        }
        // What a reread has removed, it has brought in another form.
        if change.kind != ChangeKind::Reread {
            games += (store.removals(change.id)?.iter())
                .map(|run| run.games)
                .sum::<u64>();
        }
        if change.kind == ChangeKind::Edit {
            games += store.edits(change.id)?.len() as u64;
        }
        let undone_by = (changes.iter().rev())
            .find(|undo| undo.undoes == Some(change.id) && undo.is_done)
            .map(|undo| undo.id);
        Ok(ChangeEntry {
            change: change.id,
            at: change.at.clone(),
            kind: change.kind,
            description: what,
            games,
            repeated,
            undoes: change.undoes,
            undone_by: undone_by.filter(|_| !change.is_done),
            can_be_undone: change.is_done && !change.is_final && !built_on.is_of(change),
        })
    });
    entries.collect()
}

/// What later changes have built on.
struct DependentChange {
    /// Imports whose texts others have gone on reading.
    read_on: HashSet<i64>,
    /// Edits of games that were edited again.
    edited_again: HashSet<i64>,
}

impl DependentChange {
    fn of(store: &Store, changes: &[ChangeRow]) -> Result<Self, StoreError> {
        // The text of a source that was read again is that of the source before.
        let own = changes
            .iter()
            .filter(|change| change.kind != ChangeKind::Reread);
        let imports: Vec<i64> = own.filter_map(|change| change.import).collect();
        let mut its = Self {
            read_on: store.read_on(&imports)?,
            edited_again: HashSet::new(),
        };
        let mut edited: HashMap<GameId, i64> = HashMap::new();
        let is_edit = |change: &&ChangeRow| change.is_done && change.kind == ChangeKind::Edit;
        for change in changes.iter().filter(is_edit) {
            for row in store.edits(change.id)? {
                its.edited_again.extend(edited.insert(row.game, change.id));
            }
        }
        Ok(its)
    }

    fn is_of(&self, change: &ChangeRow) -> bool {
        let is_read_on = |import| self.read_on.contains(&import);
        change.import.is_some_and(is_read_on) || self.edited_again.contains(&change.id)
    }
}

fn named(sources: &[String]) -> String {
    let (shown, more) = sources.split_at(sources.len().min(SOURCES_NAMED));
    let mut text = shown.join(", ");
    if !more.is_empty() {
        let _ = write!(text, " and {} more", more.len());
    }
    text
}

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    /// The change that it is itself.
    pub change: i64,
    /// The change that it took back.
    pub undone: i64,
    /// What that was.
    pub kind: ChangeKind,
    /// Games that are there again.
    pub restored: u64,
    /// Games that are not there any more.
    pub removed: u64,
    /// Games of the import that stay, for another source has them, too.
    pub kept: u64,
    /// Games whose tags are as they were before.
    pub edited: u64,
}

/// Why a change cannot be undone. The database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// No change has that number.
    #[error("there is no change {0}")]
    NoChange(i64),
    /// It does not stand.
    #[error("change {change} was undone already, by change {by}")]
    Undone {
        /// Which.
        change: i64,
        /// The one that undid it.
        by: i64,
    },
    /// What it took away is not there any more.
    #[error(
        "change {0} cannot be undone: `plydex optimize --purge` has given up what was removed until then"
    )]
    Final(i64),
    /// A game of the import was read again by itself.
    #[error("change {change} cannot be undone: change {by} has read game {game} again")]
    GameReread {
        /// Which.
        change: i64,
        /// The one in the way.
        by: i64,
        /// The game.
        game: GameId,
    },
    /// A source of another import goes on where one of this ended.
    #[error("change {change} cannot be undone: change {by} has read {source_name} on from there")]
    ReadOn {
        /// Which.
        change: i64,
        /// The one in the way.
        by: i64,
        /// Its source.
        source_name: String,
    },
    /// The text was read since the import was undone, or since the reread.
    #[error("change {change} cannot be {what}: change {by} has read {source_name} since")]
    ReadSince {
        /// Which.
        change: i64,
        /// `undone` or `done again`.
        what: &'static str,
        /// The one in the way.
        by: i64,
        /// Its source.
        source_name: String,
    },
    /// A game of the import is stored as another one since it was undone.
    #[error(
        "change {change} cannot be {what}: change {by} has stored game {game} since, as game {other}"
    )]
    ReimportedGame {
        /// Which.
        change: i64,
        /// `undone` or `done again`.
        what: &'static str,
        /// The one in the way.
        by: i64,
        /// The game.
        game: GameId,
        /// The same game as it is stored now.
        other: GameId,
    },
    /// A game was deleted since the import that has it was undone.
    #[error("change {change} cannot be done again: change {by} has deleted game {game} since")]
    DeletedSince {
        /// Which.
        change: i64,
        /// The one in the way.
        by: i64,
        /// The game.
        game: GameId,
    },
    /// The tags of a game are others by now.
    #[error("change {change} cannot be undone: game {game} was edited since")]
    Edited {
        /// Which.
        change: i64,
        /// The game.
        game: GameId,
    },
    /// What it made of tags could not be taken back.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl UndoError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoChange(_) => "`plydex log` lists the changes with their numbers",
            Self::Undone { .. } => "undo the change that undid it to have it back",
            Self::Final(_) => {
                "only a backup from before has these games; `plydex delete --from-file NAME` deletes those of an import"
            }
            Self::ReadOn { .. }
            | Self::GameReread { .. }
            | Self::ReadSince { .. }
            | Self::ReimportedGame { .. }
            | Self::DeletedSince { .. } => "undo that change first",
            Self::Edited { .. } => "`plydex log` shows the later edit: undo that first",
            Self::Edit(error) => error.hint(),
            Self::Store(error) => error.hint(),
        }
    }
}

/// Takes a change back, all of it or nothing. `drafts` is an empty folder for what is read until
/// then.
///
/// # Errors
///
/// [`UndoError`]; then nothing has changed.
pub fn undo(
    store: &Store,
    change: i64,
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<UndoReport, UndoError> {
    let _alone = store.write_alone(observer)?;
    let changes = store.changes()?;
    let undone = find(&changes, change).ok_or(UndoError::NoChange(change))?;
    if !undone.is_done {
        return Err(undone_by(&changes, change));
    }
    let mut report = UndoReport {
        change: 0,
        undone: change,
        kind: undone.kind,
        restored: 0,
        removed: 0,
        kept: 0,
        edited: 0,
    };
    let before = store.removed()?;
    whole::<UndoError>(store, || {
        let mut setting = ChangeApplier {
            store,
            changes: &changes,
            drafts,
            observer,
            edited: 0,
            redone: None,
        };
        let own = setting.set(undone, false)?;
        report.edited = setting.edited;
        let redone = setting.redone;
        report.change = store.insert_change(ChangeKind::Undo, "", None, Some(change))?;
        store.settle()?;
        let after = store.removed()?;
        let returned = before.without(&after);
        if let Some((redone, what)) = redone
            && let Some(since) = redo::stored_since(store, &changes, redone, &returned)?
        {
            return Err(UndoError::ReimportedGame {
                change: redone,
                what,
                by: since.by,
                game: since.game,
                other: since.other,
            });
        }
        refuse_deleted(store, &changes)?;
        report.restored = returned.count();
        report.removed = after.without(&before).count();
        if let Some(own) = own {
            report.kept = own.without(&after).count();
        }
        Ok(())
    })?;
    Ok(report)
}

/// Refuses what has made a deletion or an import stand again, whose game is there in another
/// record although it is deleted.
fn refuse_deleted(store: &Store, before: &[ChangeRow]) -> Result<(), UndoError> {
    let after = store.changes()?;
    let stood = |id: i64| find(before, id).is_none_or(|change| change.is_done);
    let redone = after
        .iter()
        .filter(|change| change.is_done && !stood(change.id));
    let redone = redone.map(|change| change.id).collect();
    let Some(found) = redo::deleted_and_there(store, &after, &redone)? else {
        return Ok(());
    };
    let game = found.game;
    Err(if redone.contains(&found.deletion) {
        UndoError::ReimportedGame {
            change: found.deletion,
            what: DONE_AGAIN,
            by: found.import,
            game,
            other: found.other,
        }
    } else {
        UndoError::DeletedSince {
            change: found.import,
            by: found.deletion,
            game,
        }
    })
}

/// That a change does not stand, and which one has undone it.
fn undone_by(changes: &[ChangeRow], change: i64) -> UndoError {
    let mut undos = changes.iter().rev();
    let by = undos.find(|undo| undo.undoes == Some(change) && undo.is_done);
    UndoError::Undone {
        change,
        by: by.map_or(0, |by| by.id),
    }
}

fn find(changes: &[ChangeRow], id: i64) -> Option<&ChangeRow> {
    changes.iter().find(|change| change.id == id)
}

/// Does what belongs together in one transaction.
fn whole<E: From<StoreError>>(
    store: &Store,
    work: impl FnOnce() -> Result<(), E>,
) -> Result<(), E> {
    let mut failed = None;
    let done = store.at_once(|| {
        work().map_err(|error| {
            failed = Some(error);
            store.interrupted()
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(done?),
    }
}

/// Makes changes stand, or not.
struct ChangeApplier<'a> {
    store: &'a Store,
    changes: &'a [ChangeRow],
    drafts: &'a Path,
    observer: &'a dyn Observer,
    /// Games whose tags were changed.
    edited: u64,
    /// The import that stands again, or the reread after or before which a source stands again; and
    /// whether that is undone or done again.
    redone: Option<(i64, &'static str)>,
}

const DONE_AGAIN: &str = "done again";

/// What is done with a change that is made to stand, or not.
const fn what_is_done(is_done: bool) -> &'static str {
    if is_done { DONE_AGAIN } else { "undone" }
}

impl ChangeApplier<'_> {
    /// Makes one stand, or not; the games of the import that is undone by that.
    fn set(&mut self, change: &ChangeRow, is_done: bool) -> Result<Option<RangeMap>, UndoError> {
        let store = self.store;
        if change.is_final {
            return Err(UndoError::Final(change.id));
        }
        let mut own = None;
        match change.kind {
            ChangeKind::Reread => {
                own = self.set_reread(change, is_done)?;
                self.redone = Some((change.id, what_is_done(is_done)));
            }
            ChangeKind::Import | ChangeKind::Merge => {
                if let Some(import) = change.import {
                    own = self.set_import(change.id, import, is_done)?;
                    self.redone = is_done.then_some((change.id, DONE_AGAIN));
                }
            }
            ChangeKind::Edit => {
                for row in store.edits(change.id)? {
                    self.edited += 1;
                    let (from, to) = if is_done {
                        (&row.before, &row.after)
                    } else {
                        (&row.after, &row.before)
                    };
                    if edit::tags_of(store, row.game)?.as_ref() != Some(from) {
                        return Err(UndoError::Edited {
                            change: change.id,
                            game: row.game,
                        });
                    }
                    let to = (&to.tags, Some(to.outcome));
                    edit::rewrite(store, row.game, to, self.drafts, self.observer)?;
                    store.forget_texts_repeating(row.game, change.id)?;
                }
            }
            ChangeKind::Undo => {
                let undone = change.undoes.and_then(|id| find(self.changes, id));
                if let Some(undone) = undone {
                    // Another change may have undone it meanwhile.
                    if undone.is_done != is_done {
                        return Err(undone_by(self.changes, undone.id));
                    }
                    own = self.set(undone, !is_done)?;
                }
            }
            ChangeKind::Delete | ChangeKind::Dedupe | ChangeKind::Names | ChangeKind::Purge => {}
        }
        store.set_done(change.id, is_done)?;
        Ok(own)
    }

    fn set_import(
        &self,
        change: i64,
        import: i64,
        is_done: bool,
    ) -> Result<Option<RangeMap>, UndoError> {
        let store = self.store;
        if is_done {
            if let Some(other) = store.read_since(import)? {
                return Err(UndoError::ReadSince {
                    change,
                    what: DONE_AGAIN,
                    by: other.change,
                    source_name: other.source,
                });
            }
            store.set_texts_known(import, true)?;
            return Ok(None);
        }
        if let Some(other) = store.goes_on_from(import)? {
            return Err(UndoError::ReadOn {
                change,
                by: other.change,
                source_name: other.source,
            });
        }
        if let Some((by, game)) = store.game_reread_of(import)? {
            return Err(UndoError::GameReread { change, by, game });
        }
        store.set_texts_known(import, false)?;
        Ok(Some(store.games_of_import(import)?.0))
    }

    /// The texts of sources that were read again are those of the sources before, or of their
    /// successors.
    fn set_reread(&self, change: &ChangeRow, is_done: bool) -> Result<Option<RangeMap>, UndoError> {
        let store = self.store;
        let Some(import) = change.import else {
            return Ok(None);
        };
        let conflict = if is_done {
            store.set_replaced_texts_known(change.id, false)?;
            store.read_since(import)?
        } else {
            store.set_texts_known(import, false)?;
            store.replaced_read_since(change.id)?
        };
        if let Some(other) = conflict {
            return Err(UndoError::ReadSince {
                change: change.id,
                what: what_is_done(is_done),
                by: other.change,
                source_name: other.source,
            });
        }
        if is_done {
            store.set_texts_known(import, true)?;
            return Ok(None);
        }
        if let Some((by, game)) = store.game_reread_of(import)? {
            return Err(UndoError::GameReread {
                change: change.id,
                by,
                game,
            });
        }
        store.set_replaced_texts_known(change.id, true)?;
        Ok(Some(store.games_of_import(import)?.0))
    }
}

/// What a deletion did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeleteReport {
    /// Its change; none if there was nothing to delete.
    pub change: Option<i64>,
    /// Games that are not there any more.
    pub removed: u64,
}

/// Deletes the games that a plan finds, all of them whatever page it gives; `what` is how
/// they were requested.
///
/// # Errors
///
/// [`StoreError`]; then nothing has changed.
pub fn delete(
    store: &Store,
    plan: &AccessPlan,
    what: &str,
    observer: &dyn Observer,
) -> Result<DeleteReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let games = search::all_games(store, plan)?;
    let mut report = DeleteReport {
        change: None,
        removed: games.len() as u64,
    };
    if !games.is_empty() {
        let runs = RemovedRange::of(games.into_iter().map(|game| (game, None)));
        report.change = Some(remove(store, ChangeKind::Delete, what, &runs)?);
    }
    Ok(report)
}

/// Removes games by a change of its own; its number.
fn remove(
    store: &Store,
    kind: ChangeKind,
    what: &str,
    runs: &[RemovedRange],
) -> Result<i64, StoreError> {
    let mut change = 0;
    store.at_once(|| {
        change = store.insert_change(kind, what, None, None)?;
        store.insert_removals(change, runs)?;
        store.settle()
    })?;
    Ok(change)
}
