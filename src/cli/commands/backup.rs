//! `plydex backup`.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use tempfile::NamedTempFile;

use crate::base::display_path;
use crate::base::temporary::TemporaryFolder;
use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{Destination, Output, ProtectedFiles};
use crate::cli::render::number;
use crate::database::{Database, Error, ErrorKind, Snapshot};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex backup`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The copy is a consistent state of the database in one file, ready for --db.

Examples:
  plydex backup /media/disk/games.db
  plydex backup --force weekly.db
  plydex backup games.db.zst              compressed; decompress it before use"
)]
pub struct BackupArgs {
    /// The copy; .zst and .gz are compressed, - is standard output
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
}

/// Bytes that are copied at a time.
const COPY_BYTES: usize = 1 << 20;

pub(crate) fn run(
    target: &Destination,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    write(
        target,
        context,
        |database| Ok(database.snapshot()?),
        |snapshot, file, context| {
            let progress = context.progress();
            let copied = snapshot.back_up(file, &context.observed(&progress));
            progress.clear();
            copied.map(|()| true)
        },
    )
}

/// Writes another database from the one at hand, which `open` opens: `fill` fills an empty
/// file, and says whether it did so to the end.
pub(crate) fn write(
    target: &Destination,
    context: &mut CommandContext<'_>,
    open: impl FnOnce(&Database) -> Result<Snapshot<'static>, CliError>,
    fill: impl FnOnce(&Snapshot<'_>, &Path, &CommandContext<'_>) -> Result<bool, Error>,
) -> Result<Exit, CliError> {
    // What fails of the file that is filled is said of the one that it was to become.
    let fill = |snapshot: &Snapshot<'_>, path: &Path, context: &CommandContext<'_>| {
        fill(snapshot, path, context).map_err(|error| about_target(error, path, target))
    };
    let place = target.place(&ProtectedFiles::database(&context.db))?;
    if let Some(file) = place.file() {
        check_journals(file)?;
    }
    let snapshot = open(&context.database())?;
    let mut out = place.open(&context.stop)?;
    if out.is_terminal() {
        return Err(CliError::new("a database cannot be written to a terminal")
            .hint("name a file, or redirect standard output to one"));
    }
    let is_complete = match out.path() {
        Some(path) => fill(&snapshot, path, context)?,
        None => by_way_of_a_file(&mut out, context, |path| fill(&snapshot, path, context))?,
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

fn about_target(error: Error, filled: &Path, target: &Destination) -> CliError {
    if error.path() != Some(filled) {
        return error.into();
    }
    let hint = match error.kind() {
        ErrorKind::Full => "free some space, or name a file on another disk",
        ErrorKind::Io => "check the disk, quotas, and limits on the size of files (`ulimit -f`)",
        _ => return error.about(&target.path).into(),
    };
    CliError::from(error.about(&target.path)).hint(hint)
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
    let drafts = TemporaryFolder::for_drafts().map_err(failed)?;
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
        if context.stop.is_cancelled() {
            return Ok(false);
        }
        out.put(&bytes[..count])?;
    }
}

impl CommandArgs for BackupArgs {
    type Plan = Destination;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(Destination::new(self.file, self.force, "name another file"))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
