//! `plydex restore`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;

use crate::base::display_path;
use crate::base::temporary::TemporaryFolder;
use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{self, Destination, Output, ProtectedFiles};
use crate::cli::render::number;
use crate::database::{Database, Error, Snapshot};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex restore`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "The backup is checked while it is copied. The database that is replaced stays beside the
new one under the name that is printed, with a log that a killed import may have left.

Examples:
  plydex restore weekly.db
  plydex --db games.db restore games.db.zst"
)]
pub struct RestoreArgs {
    /// A backup that `plydex backup` made, compressed or not
    #[arg(value_name = "BACKUP")]
    pub backup: PathBuf,
}

pub(crate) fn run(backup: &Path, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let target = Destination::new(context.db.clone(), true, "name another file with --db");
    let place = target.place(&ProtectedFiles::none().and_input(backup))?;
    let Some(path) = place.file() else {
        return Err(CliError::new(format!(
            "{}: is not a file",
            display_path::path(&context.db)
        ))
        .hint("name the database with --db PATH"));
    };
    let drafts = TemporaryFolder::for_drafts().map_err(Error::temporary)?;
    let unpacked = output::unpack(backup, drafts.path(), &context.stop)?;
    let file = unpacked.as_deref().unwrap_or(backup);
    // What is wrong with an unpacked backup is said of the backup.
    let about = |error: Error| CliError::from(error.about(backup));
    let copied = Database::at(file).with_cancellation(&context.stop);
    let snapshot = copied.open_unchanged().map_err(about)?;
    let games = snapshot.games().map_err(about)?;
    let progress = context.progress();
    let restored = Database::at(path).with_observer(Arc::clone(&progress));
    let restored = restored.replace().map_err(CliError::from);
    let restored = restored.and_then(|replacement| {
        let out = place.open(&context.stop)?;
        copy(&snapshot, &out, &context.observed(&progress))?;
        Ok((replacement, out))
    });
    progress.clear();
    let (replacement, out) = restored?;
    let kept = replacement.keep_old().map_err(|error| {
        CliError::new(format!(
            "{}: cannot be kept beside",
            display_path::path(path)
        ))
        .because(&error)
        .hint("check the free space and the permissions of its folder; nothing was changed")
    })?;
    out.finish()?;
    replacement.finish();
    context.notes.note(&format!(
        "{} restored to {} from {}",
        number::counted(games, "game", "games"),
        display_path::path(&context.db),
        display_path::path(backup)
    ));
    if let Some(kept) = kept {
        context.notes.note(&format!(
            "the database that was there is now {}; delete it when you no longer need it",
            display_path::path(&kept)
        ));
    }
    Ok(Exit::Done)
}

/// Fills the new file.
fn copy(snapshot: &Snapshot<'_>, out: &Output, database: &Database) -> Result<(), CliError> {
    let Some(file) = out.path() else {
        return Err(CliError::new(format!(
            "{}: a database cannot be compressed",
            display_path::path(out.name())
        ))
        .hint("name a file that does not end in .zst or .gz"));
    };
    Ok(snapshot.back_up(file, database)?)
}

impl CommandArgs for RestoreArgs {
    type Plan = PathBuf;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(self.backup)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
