//! `plydex undo`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;

/// `plydex undo`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Removes the effect of one change and keeps later ones. Games of an
undone import are removed, except those that another import has as well; deleted games
are restored under their numbers. Nothing is lost: an undo is itself a change, and you
can undo it.

Examples:
  plydex log                              the changes and their numbers
  plydex undo 12"
)]
pub struct UndoArgs {
    /// Number of the change, from the first column of log
    #[arg(value_name = "CHANGE", value_parser = value_parsers::whole::<i64>(1, i64::MAX as u64))]
    pub change: i64,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

pub(crate) fn run(
    change: i64,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = context.progress();
    let undone = context.observed(&progress).undo(change);
    progress.clear();
    let report = undone?;
    match format {
        TextFormat::Text => render::undo(context.out, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for UndoArgs {
    type Plan = (i64, TextFormat);

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok((self.change, self.answer.format))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan.0, plan.1, context)
    }
}
