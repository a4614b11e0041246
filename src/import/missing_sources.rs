//! Sources that are not where they were read.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::{
    base::{
        display_path,
        range_map::{RangeEntry, RangeMap},
    },
    import::findings::path_of,
    store::{DuplicateRun, SourceRow, Store, StoreError},
};

/// A source that was read once and is not there any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingSource {
    /// Its name.
    pub source: String,
    /// How many games of it are stored.
    pub games: u64,
    /// The source that has all of them as well and is there: it was renamed, if nothing else.
    pub now: Option<String>,
}

/// The number of the last import of a database; 0 before the first.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn last_import(store: &Store) -> Result<i64, StoreError> {
    let rows = store.source_rows()?;
    Ok(rows.iter().map(|row| row.import).max().unwrap_or(0))
}

/// Those folders from which something was read once.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn known_folders(store: &Store, folders: &[PathBuf]) -> Result<Vec<PathBuf>, StoreError> {
    let rows = store.source_rows()?;
    let is_known = |folder: &&PathBuf| {
        let mut rows = rows.iter();
        rows.any(|row| path_of(&row.name).starts_with(folder))
    };
    Ok(folders.iter().filter(is_known).cloned().collect())
}

/// The sources below folders that were read once and are not there any more. Of one whose games
/// another source has that was read up to an import, this has been said before.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn gone(
    store: &Store,
    folders: &[PathBuf],
    up_to: i64,
) -> Result<Vec<MissingSource>, StoreError> {
    let removed = store.removed()?;
    let rows = store.source_rows()?;
    let is_gone = |row: &&SourceRow| {
        let path = path_of(&row.name);
        let folder = folders.iter().find(|folder| path.starts_with(folder));
        folder.is_some_and(|folder| !is_there(&path, folder))
    };
    let gone: Vec<&SourceRow> = rows.iter().filter(is_gone).collect();
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let mut again: HashMap<i64, Vec<DuplicateRun>> = HashMap::new();
    for (source, run) in store.repeats_by_source()? {
        again.entry(source).or_default().push(run);
    }
    let there = |games: &RangeMap| -> u64 {
        let kept =
            |run: &RangeEntry| run.end - run.first - removed.count_between(run.first, run.end);
        games.iter().map(kept).sum()
    };
    // The games of each source: those that it brought, and those that it had again.
    let mut games: HashMap<i64, (u64, RangeMap)> = HashMap::new();
    for row in &rows {
        let parts = store.part_rows(row.id)?;
        let parts = parts
            .iter()
            .map(|row| (row.first_game, row.first_game + row.games));
        let runs = again.get(&row.id).into_iter().flatten();
        let all = parts.chain(runs.map(|run| (run.game, run.game + run.games)));
        let all = all.map(|(first, end)| RangeEntry {
            first,
            end,
            mark: 0,
        });
        let all = RangeMap::of(all);
        games.insert(row.id, (there(&all), all));
    }
    let has_all = |row: &SourceRow, source: &SourceRow| {
        let ((count, own), (its_count, its)) = (&games[&source.id], &games[&row.id]);
        let has = |game| its.contains(game) || removed.contains(game);
        let has_first = own.iter().next().is_none_or(|run| has(run.first));
        let may_have = row.name != source.name && count <= its_count && has_first;
        may_have && there(&own.without(its)) == 0
    };
    let mut found = Vec::new();
    for &source in &gone {
        let count = games[&source.id].0;
        // One that was renamed, and is gone under its last name, is named by that.
        let mut later = gone.iter().filter(|later| later.id > source.id);
        if count == 0 || later.any(|later| has_all(later, source) && has_all(source, later)) {
            continue;
        }
        let now = rows
            .iter()
            .find(|row| has_all(row, source) && is_there(&path_of(&row.name), Path::new("")));
        if now.is_none_or(|row| row.import > up_to) {
            found.push(MissingSource {
                source: display_path::bytes(&source.name).into_owned(),
                games: count,
                now: now.map(|row| display_path::bytes(&row.name).into_owned()),
            });
        }
    }
    Ok(found)
}

/// Whether a source below a folder is there: a member of an archive is, as long as that is.
fn is_there(path: &Path, folder: &Path) -> bool {
    let mut on_the_way = path.ancestors().take_while(|path| *path != folder);
    path.exists() || on_the_way.any(Path::is_file)
}
