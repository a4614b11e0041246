//! `plydex optimize`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;
use crate::database::OptimizeOptions;

/// `plydex optimize`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Joins the parts of the position index and rewrites the file without unused space. While
it runs, it needs as much free disk space as the file has. You need it neither after an import nor
for quick answers: imports join the parts of the index themselves, into four or so.

With --in-place the file is not rewritten: it keeps its size, and imports use the space that is
free in it. That is quicker.

Games that were deleted or removed as duplicates are kept until you pass --purge. Their
numbers stay unused, so that no game is renumbered. After that you cannot undo earlier
changes.

Examples:
  plydex optimize
  plydex optimize --in-place
  plydex optimize --purge"
)]
pub struct OptimizeArgs {
    /// Permanently delete removed games
    #[arg(long)]
    pub purge: bool,
    /// Join the parts of the index only, and do not rewrite the file
    #[arg(long)]
    pub in_place: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

pub(crate) fn run(
    options: OptimizeOptions,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = context.progress();
    let done = context.observed(&progress).optimize(options);
    progress.clear();
    let report = done?;
    match format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => render::optimized(context.out, &report)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for OptimizeArgs {
    type Plan = (OptimizeOptions, TextFormat);

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        let options = OptimizeOptions {
            purge: self.purge,
            in_place: self.in_place,
        };
        Ok((options, self.answer.format))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan.0, plan.1, context)
    }
}
