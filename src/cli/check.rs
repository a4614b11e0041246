//! `plydex check`.

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::backup;
use super::error::CliError;
use super::exit::Exit;
use super::output::Destination;
use super::progress::Progress;
use super::render::info;
use crate::base::display_path;
use crate::db::repair::{RepairReport, repair as copy_what_is_whole};
use crate::db::store::{Store, StoreError, StoreErrorKind};

pub(crate) fn run(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let checked = backend::check(&context.db, &context.stop, &progress);
    progress.clear();
    let report = checked?;
    match format {
        TextFormat::Text => info::check(context.out, &context.screen, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    if report.interrupted {
        context
            .notes
            .warning("interrupted: the rest was not checked");
    }
    if !report.problems.is_empty() {
        context.notes.note(
            "restore a backup, import the games into a new database, or run \
             `plydex check --repair NEW.db` to copy what is intact",
        );
    }
    let sound = report.problems.is_empty() && !report.interrupted;
    Ok(if sound { Exit::Done } else { Exit::Trouble })
}

/// `plydex check --repair`.
pub(crate) fn repair(
    target: &Destination,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    if target.path.symlink_metadata().is_ok() || target.path.as_os_str() == "-" {
        let name = display_path::path(&target.path);
        let why = "a repaired database can only be a new file";
        return Err(CliError::new(format!("{name}: {why}")).hint(target.other));
    }
    let mut report = RepairReport::default();
    backup::write(
        target,
        context,
        |path, stop| Store::open_to_repair(path, stop).map_err(unreadable),
        |store, file, context| {
            let progress = Progress::new(&context.notes, &context.stop, None);
            let strict = Store::open(&context.db, &context.stop).ok();
            let copied = Store::create_draft(file, &context.stop)
                .and_then(|new| copy_what_is_whole(store, strict.as_ref(), &new, &progress));
            progress.clear();
            report = copied?;
            Ok(!report.interrupted)
        },
    )?;
    match format {
        TextFormat::Text => info::repair(context.out, &context.screen, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(if report.is_intact() {
        Exit::Done
    } else {
        Exit::Trouble
    })
}

/// Why nothing can be copied of a database.
fn unreadable(error: StoreError) -> CliError {
    match error.kind {
        StoreErrorKind::Foreign | StoreErrorKind::Damaged { .. } => CliError::from(error).hint(
            "the pages that say what the file holds cannot be read, so nothing can be copied: \
             restore a backup, or import the games into a new database",
        ),
        _ => error.into(),
    }
}
