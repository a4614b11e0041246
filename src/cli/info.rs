//! `plydex info`.

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::render::info;

pub(crate) fn run(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let found = context.ask(backend::info)?;
    match format {
        TextFormat::Text => info::write(context.out, &context.screen, &found)?,
        TextFormat::Json => context.json(&found)?,
    }
    Ok(Exit::Done)
}
