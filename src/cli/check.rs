//! `plydex check`.

use super::Context;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::progress::Progress;
use super::render::info;

pub(crate) fn run(format: TextFormat, context: &mut Context<'_>) -> Result<Exit, CliError> {
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
    let sound = report.problems.is_empty() && !report.interrupted;
    Ok(if sound { Exit::Done } else { Exit::Trouble })
}
