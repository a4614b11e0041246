//! `plydex merge`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;
use crate::database::{Database, DuplicateAction};

/// `plydex merge`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "Adds the games of the other database as if you imported its sources: with the names of
these sources, with everything stored about the games, and without duplicates. The merge
happens completely or not at all. The other database does not change.

Examples:
  plydex merge ~/club.db
  plydex merge --duplicates keep other.db"
)]
pub struct MergeArgs {
    /// The other database
    #[arg(value_name = "OTHER.db")]
    pub other: std::path::PathBuf,
    /// What to do with duplicates: skip, best or keep [default: skip]
    ///
    /// As for import.
    #[arg(long, value_name = "HOW", value_parser = value_parsers::one_of(crate::cli::args::reading::DUPLICATES))]
    pub duplicates: Option<DuplicateAction>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `merge`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergePlan {
    /// The other database.
    pub other: PathBuf,
    /// What becomes of games that are stored already.
    pub duplicates: DuplicateAction,
    /// Of the answer.
    pub format: TextFormat,
}

pub(crate) fn plan(args: MergeArgs) -> MergePlan {
    MergePlan {
        other: args.other,
        duplicates: args.duplicates.unwrap_or_default(),
        format: args.answer.format,
    }
}

pub(crate) fn run(plan: &MergePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let done = context
        .observed(&progress)
        .merge(&Database::at(&plan.other), plan.duplicates);
    progress.clear();
    let report = done?;
    match plan.format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => render::merged(context.out, &report)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for MergeArgs {
    type Plan = MergePlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(plan(self))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
