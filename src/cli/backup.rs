//! `plydex backup`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tempfile::NamedTempFile;

use super::CommandContext;
use super::error::CliError;
use super::exit::Exit;
use super::output::{Destination, Output, ProtectedFiles, TemporaryFolder};
use super::progress::Progress;
use super::render::number;
use crate::base::{display_path, observe::CancellationToken};
use crate::db::store::{Store, StoreError, StoreErrorKind};

/// Bytes that are copied at a time.
const COPY_BYTES: usize = 1 << 20;

pub(crate) fn run(
    target: &Destination,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    write(target, context, open, |store, file, context| {
        let progress = Progress::new(&context.notes, &context.stop, None);
        let copied = store.back_up(file, &progress);
        progress.clear();
        Ok(copied?.is_continue())
    })
}

/// Opens the database that is copied.
pub(crate) fn open(path: &Path, stop: &CancellationToken) -> Result<Store, CliError> {
    Ok(Store::open(path, stop)?)
}

/// Writes another database from the one at hand, which `open` opens: `fill` fills an empty
/// file, and says whether it did so to the end.
pub(crate) fn write(
    target: &Destination,
    context: &mut CommandContext<'_>,
    open: impl FnOnce(&Path, &CancellationToken) -> Result<Store, CliError>,
    fill: impl FnOnce(&Store, &Path, &CommandContext<'_>) -> Result<bool, StoreError>,
) -> Result<Exit, CliError> {
    // What fails of the file that is filled is said of the one that it was to become.
    let fill = |store: &Store, path: &Path, context: &CommandContext<'_>| {
        fill(store, path, context).map_err(|error| about_target(error, path, target))
    };
    let place = target.place(&ProtectedFiles::database(&context.db))?;
    if let Some(file) = place.file() {
        check_journals(file)?;
    }
    let store = open(&context.db, &context.stop)?;
    let mut out = place.open(&context.stop)?;
    if out.is_terminal() {
        return Err(CliError::new("a database cannot be written to a terminal")
            .hint("name a file, or redirect standard output to one"));
    }
    let is_complete = match out.path() {
        Some(path) => fill(&store, path, context)?,
        None => by_way_of_a_file(&mut out, context, |path| fill(&store, path, context))?,
    };
    if !is_complete {
        return Err(CliError::interrupted());
    }
    out.finish()?;
    if let Some(file) = place.file() {
        let bytes = std::fs::metadata(file).map_or(0, |facts| facts.len());
        let (bytes, name) = (number::bytes(bytes), display_path::path(&target.path));
        context.notes.note(&format!("{bytes} written to {name}"));
    }
    Ok(Exit::Done)
}

fn about_target(error: StoreError, filled: &Path, target: &Destination) -> CliError {
    if error.path != filled {
        return error.into();
    }
    let hint = match error.kind {
        StoreErrorKind::Full => "free some space, or name a file on another disk",
        StoreErrorKind::Io => {
            "check the disk, quotas, and limits on the size of files (`ulimit -f`)"
        }
        _ => error.hint(),
    };
    CliError::from(StoreError::new(&target.path, error.kind)).hint(hint)
}

/// A journal that another database has left under the name of the copy would be
/// taken for the copy's own, and spoil it.
fn check_journals(file: &Path) -> Result<(), CliError> {
    for ending in ["-journal", "-wal"] {
        let mut journal = OsString::from(file);
        journal.push(ending);
        let journal = Path::new(&journal);
        if journal.symlink_metadata().is_ok() {
            return Err(CliError::new(format!(
                "{}: belongs to a database that was in this place before",
                display_path::path(journal)
            ))
            .hint(
                "wait until the program that uses it has finished, run `plydex --db FILE info` to tidy it up, or name another file",
            ));
        }
    }
    Ok(())
}

/// `SQLite` writes its file here and there, so what can only be written from beginning
/// to end is copied once more.
fn by_way_of_a_file(
    out: &mut Output,
    context: &CommandContext<'_>,
    fill: impl FnOnce(&Path) -> Result<bool, CliError>,
) -> Result<bool, CliError> {
    let failed = |error: io::Error| {
        CliError::new("no room for a temporary copy of the database")
            .because(&error)
            .hint("set TMPDIR to a folder with more room")
    };
    let drafts = TemporaryFolder::for_drafts()?;
    let temporary = NamedTempFile::new_in(drafts.path()).map_err(failed)?;
    if !fill(temporary.path())? {
        return Ok(false);
    }
    let mut copy = File::open(temporary.path()).map_err(failed)?;
    let mut bytes = vec![0; COPY_BYTES];
    loop {
        let count = copy.read(&mut bytes).map_err(failed)?;
        if count == 0 {
            return Ok(true);
        }
        if context.stop.is_asked() {
            return Ok(false);
        }
        out.put(&bytes[..count])?;
    }
}
