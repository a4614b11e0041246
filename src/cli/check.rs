//! `plydex check`.

use super::Context;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::progress::Progress;
use super::render::{info, json};
use super::search::data_writer;

pub(crate) fn run(format: TextFormat, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let checked = backend::check(&context.db, &context.stop, &progress);
    progress.clear();
    let report = checked?;
    match format {
        TextFormat::Text => info::check(context.out, &context.screen, &report)?,
        TextFormat::Json => {
            json::pretty(
                &mut *data_writer(context.out, context.screen.terminal),
                &report,
            )?;
        }
    }
    if report.interrupted {
        context
            .notes
            .warning("interrupted: the rest was not checked");
    }
    let sound = report.problems.is_empty() && !report.interrupted;
    Ok(if sound { Exit::Done } else { Exit::Trouble })
}
