//! `plydex reindex`.

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::progress::Progress;
use super::render::info;

pub(crate) fn run(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let done = backend::reindex(&context.db, &context.stop, &progress);
    progress.clear();
    let report = done?;
    match format {
        TextFormat::Text => info::reindex(context.out, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    if !report.interrupted {
        return Ok(Exit::Done);
    }
    context
        .notes
        .warning("interrupted: run the command again to continue");
    Ok(Exit::Trouble)
}
