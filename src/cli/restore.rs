//! `plydex restore`.

use std::path::Path;

use super::CommandContext;
use super::error::CliError;
use super::exit::Exit;
use super::output::{self, Destination, Output, ProtectedFiles, TemporaryFolder};
use super::progress::Progress;
use super::render::number;
use crate::base::display_path;
use crate::db::store::{ReplacementLock, Store, StoreError};

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
    let drafts = TemporaryFolder::for_drafts()?;
    let unpacked = output::unpack(backup, drafts.path(), &context.stop)?;
    let file = unpacked.as_deref().unwrap_or(backup);
    // What is wrong with an unpacked backup is said of the backup.
    let about = |error: StoreError| CliError::from(StoreError::new(backup, error.kind));
    let store = Store::open_unchanged(file, &context.stop).map_err(about)?;
    let removed = store.removed().map_err(about)?.count();
    let games = store.last_game().map_err(about)?.saturating_sub(removed);
    let progress = Progress::new(&context.notes, &context.stop, None);
    let restored = ReplacementLock::begin(path, &progress).map_err(CliError::from);
    let restored = restored.and_then(|replacement| {
        let out = place.open(&context.stop)?;
        let copied = copy(&store, &out, &progress)?;
        Ok(copied.then_some((replacement, out)))
    });
    progress.clear();
    let Some((replacement, out)) = restored? else {
        return Err(CliError::interrupted());
    };
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

/// Fills the new file; whether to the end.
fn copy(store: &Store, out: &Output, progress: &Progress) -> Result<bool, CliError> {
    let Some(file) = out.path() else {
        return Err(CliError::new(format!(
            "{}: a database cannot be compressed",
            display_path::path(out.name())
        ))
        .hint("name a file that does not end in .zst or .gz"));
    };
    Ok(store.back_up(file, progress)?.is_continue())
}
