//! `plydex info`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::info;

/// `plydex info`.
#[derive(Debug, Clone, ClapArgs)]
pub struct InfoArgs {
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

pub(crate) fn run(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let found = context.database().info()?;
    match format {
        TextFormat::Text => info::write(context.out, &context.screen, &found)?,
        TextFormat::Json => context.json(&found)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for InfoArgs {
    type Plan = TextFormat;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(self.answer.format)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(*plan, context)
    }
}
