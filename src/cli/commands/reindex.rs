//! `plydex reindex`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::info;

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex reindex`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The position index, the names of openings, the lines in comments and the index of
players derive from the games. If an older plydex built them in another way, reindex
builds them again. The games do not change. You can stop it with Ctrl-C; the same command
continues from there. Other programs can read the database meanwhile.

Examples:
  plydex reindex                          rebuild what is outdated in plydex.db
  plydex --db games.db reindex            the same for another database"
)]
pub struct ReindexArgs {
    /// How it is reported.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

pub(crate) fn run(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let done = context.observed(&progress).reindex();
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

impl CommandArgs for ReindexArgs {
    type Plan = TextFormat;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(self.answer.format)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(*plan, context)
    }
}
