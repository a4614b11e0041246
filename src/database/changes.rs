//! What changes a database.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    Database, DedupeOptions, DedupeReport, DeleteReport, DuplicateAction, EditReport, Error,
    EvalOverride, ImportOptions, ImportReport, MergeReport, NameDecision, NameTable,
    OptimizeOptions, OptimizeReport, ReindexReport, RereadReport, RereadTarget, Resolution, Result,
    Sources, TagEdit, UndoReport,
};
use crate::{
    base::{record::GameId, temporary::TemporaryFolder},
    changes::{self, reindex, reread},
    identity,
    import::{self, PreparedImport},
    query::Query,
    search::planner,
    store::{self, NewFile, Store},
};

impl Sources {
    /// The files that an import of some paths reads: those that are named, and those of folders
    /// that look like games. `-` is standard input.
    ///
    /// # Errors
    ///
    /// If a path does not exist, or a folder has no games.
    pub fn find<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().into()).collect();
        Self::find_again(&paths, &[])
    }

    /// The same, where some folders may have lost all their games.
    pub(crate) fn find_again(paths: &[PathBuf], may_be_empty: &[PathBuf]) -> Result<Self> {
        Ok(import::sources(paths, may_be_empty)?)
    }
}

impl Database {
    /// Imports files and folders, compressed or not, in any format that plydex reads. What is in the
    /// database already is not stored again, unless the options say so.
    ///
    /// # Errors
    ///
    /// If none of the files can be read or has a game, or the database cannot be written. A file
    /// that cannot be read beside others that can is named in the
    /// [report](ImportReport::sources_failed).
    pub fn import<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
        options: &ImportOptions,
    ) -> Result<ImportReport> {
        self.import_sources(Sources::find(paths)?, options, &[])
    }

    /// Imports a stream as if it was a file of that name.
    ///
    /// # Errors
    ///
    /// As [`import`](Self::import).
    pub fn import_reader(
        &self,
        name: impl AsRef<Path>,
        reader: impl Read + Send + 'static,
        options: &ImportOptions,
    ) -> Result<ImportReport> {
        let (name, stream) = (name.as_ref(), Box::new(reader));
        let ready = import::open_stream(name, stream, options, &self.stop)?;
        self.import_ready(ready, options, &[])
    }

    /// Imports what was [found](Sources::find), and looks which files below some folders are gone.
    ///
    /// # Errors
    ///
    /// As [`import`](Self::import).
    pub fn import_sources(
        &self,
        sources: Sources,
        options: &ImportOptions,
        folders: &[PathBuf],
    ) -> Result<ImportReport> {
        // First, for what cannot be read must not leave an empty database behind.
        let ready = import::open(sources, options, &self.stop)?;
        self.import_ready(ready, options, folders)
    }

    fn import_ready(
        &self,
        ready: PreparedImport,
        options: &ImportOptions,
        folders: &[PathBuf],
    ) -> Result<ImportReport> {
        let ended_early = |report: &ImportReport| report.interrupted || report.refused.is_some();
        self.write_to_file(ended_early, || {
            let store = Store::create_or_open(&self.path, &self.stop)?;
            let before = import::last_import(&store)?;
            let mut report = import::import_ready(&store, ready, *options, &self.watch())?;
            report.sources_missing = import::gone(&store, folders, before)?;
            Ok(report)
        })
    }

    /// Deletes the games that a query finds.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count), and if the database cannot be written; then nothing has changed,
    /// as for all changes below.
    pub fn delete(&self, query: &Query) -> Result<DeleteReport> {
        Ok(self.delete_as(query, &query.to_string())?.0)
    }

    /// The same with a description for the log; and what the query means.
    pub(crate) fn delete_as(
        &self,
        query: &Query,
        description: &str,
    ) -> Result<(DeleteReport, Resolution)> {
        let store = self.to_change()?;
        let found = planner::plan(&store, query)?;
        let report = changes::delete(&store, &found.plan, description, &self.watch())?;
        Ok((report, found))
    }

    /// Sets or removes tags of a game. Values of tags with a meaning are checked, unless they are
    /// forced: a date must be a date, a rating a number.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete), and if there is no such game or a value is none of its tag.
    pub fn edit(&self, game: GameId, edits: &[TagEdit], is_forced: bool) -> Result<EditReport> {
        let (store, drafts) = (self.to_change()?, drafts()?);
        let asked = (edits, is_forced);
        let report = changes::edit(&store, game, asked, drafts.path(), &self.watch())?;
        Ok(report)
    }

    /// Takes a change back; undoing an undo does the change again.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete), and if there is no such change, it does not stand, or later
    /// ones have built on it.
    pub fn undo(&self, change: i64) -> Result<UndoReport> {
        let (store, drafts) = (self.to_change()?, drafts()?);
        let report = changes::undo(&store, change, drafts.path(), &self.watch())?;
        Ok(report)
    }

    /// Finds games that are stored twice, and deletes nothing.
    ///
    /// # Errors
    ///
    /// As [`info`](Self::info).
    pub fn duplicates(&self, options: DedupeOptions) -> Result<DedupeReport> {
        let store = Store::open(&self.path, &self.stop)?;
        Ok(identity::same_games(&store, options, &self.watch())?)
    }

    /// Deletes all but one record of each game that is stored twice; the description is for the log.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete).
    pub fn dedupe(&self, options: DedupeOptions, description: &str) -> Result<DedupeReport> {
        let store = self.to_change()?;
        let report = changes::dedupe(&store, options, description, &self.watch())?;
        Ok(report)
    }

    /// Takes in the games of another database, which stays as it is.
    ///
    /// # Errors
    ///
    /// As [`import`](Self::import), and if the other one cannot be read or is this one.
    pub fn merge(&self, other: &Self, duplicates: DuplicateAction) -> Result<MergeReport> {
        let taken = Store::open(&other.path, &self.stop)?;
        if store::is_same_file(&self.path, &other.path) {
            return Err(Error::same_database(&other.path));
        }
        self.write_to_file(
            |_| false,
            || {
                let store = Store::create_or_open(&self.path, &self.stop)?;
                Ok(changes::merge(&store, &taken, duplicates, &self.watch())?)
            },
        )
    }

    /// Joins the segments of the index and, unless `in_place` is set, makes the file as small as it can
    /// be. If `purge` is set, deleted games are given up, and their deletions can no longer be undone.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete).
    pub fn optimize(&self, options: OptimizeOptions) -> Result<OptimizeReport> {
        let store = self.to_change()?;
        Ok(changes::optimize(&store, options, &self.watch())?)
    }

    /// Rebuilds what an older plydex has derived from games: index, columns, names of openings.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete).
    pub fn reindex(&self) -> Result<ReindexReport> {
        let store = Store::open_to_reindex(&self.path, &self.stop)?;
        let options = reindex::ReindexOptions::default();
        Ok(reindex::reindex(&store, options, &self.watch())?)
    }

    /// Reads a source or a game again, in another way.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete), and if the text is gone or was changed, or would lose later
    /// changes.
    pub fn reread(
        &self,
        target: &RereadTarget,
        options: &ImportOptions,
        evals: EvalOverride,
    ) -> Result<RereadReport> {
        let (store, drafts) = (self.to_change()?, drafts()?);
        let how = (*options, evals);
        let report = reread::reread(&store, target, how, drafts.path(), &self.watch())?;
        Ok(report)
    }

    /// Sets how the evaluations of a source are read, by its name and the number of its import if
    /// several have that name.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete), and if there is no such source.
    pub fn set_evaluations(
        &self,
        (name, import): (&Path, Option<u64>),
        evals: EvalOverride,
    ) -> Result<RereadReport> {
        let store = self.to_change()?;
        let changed = reread::set_evaluations(&store, (name, import), evals, &self.watch())?;
        Ok(RereadReport {
            evaluations: changed,
            ..RereadReport::default()
        })
    }

    /// Keeps that two spellings are the same player's, event's or site's, or that they are not.
    ///
    /// # Errors
    ///
    /// As [`delete`](Self::delete), and if no game has one of the names.
    pub fn decide_names(
        &self,
        table: NameTable,
        names: &[String; 2],
        is_same: bool,
    ) -> Result<NameDecision> {
        let store = self.to_change()?;
        let decided = changes::decide(&store, table, names, is_same, &self.watch())?;
        Ok(decided)
    }

    /// Opens the database to change it. It must be there.
    fn to_change(&self) -> Result<Store> {
        // To be read it has to be there; an empty file would become one.
        self.ask(|_| Ok::<_, Error>(()))?;
        Ok(Store::create_or_open(&self.path, &self.stop)?)
    }

    /// Writes to the file, which is made if there is none: of one that was made and got no game,
    /// because the work failed or ended early, nothing is left.
    fn write_to_file<T>(
        &self,
        ended_early: impl FnOnce(&T) -> bool,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let new = NewFile::make(&self.path);
        let done = work();
        if done.as_ref().map_or(true, ended_early)
            && let Some(new) = new
        {
            new.discard();
        }
        done
    }
}

/// A folder for what is read until a change is made.
fn drafts() -> Result<TemporaryFolder> {
    TemporaryFolder::for_drafts().map_err(Error::temporary)
}
