//! `plydex log`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::query::limit;
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;

/// `plydex log`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Every import, deletion, edit, merge and undo is a change with a number. The newest
is last.

Examples:
  plydex log
  plydex log --limit 0                    all changes
  plydex undo 12                          take change 12 back"
)]
pub struct LogArgs {
    /// Only the last N changes, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// Changes where no `--limit` is given.
const LOG_LIMIT_DEFAULT: u64 = 20;

/// `log`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPlan {
    /// How many changes at most; `None` is all.
    pub limit: Option<u64>,
    /// How they are given.
    pub format: TextFormat,
}

pub(crate) fn plan(args: LogArgs) -> LogPlan {
    LogPlan {
        limit: limit(args.limit, LOG_LIMIT_DEFAULT),
        format: args.answer.format,
    }
}

pub(crate) fn run(plan: &LogPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let all = context.ask(|snapshot| Ok(snapshot.changes()?))?;
    let from = plan.limit.map_or(0, |limit| {
        all.len()
            .saturating_sub(usize::try_from(limit).unwrap_or(usize::MAX))
    });
    match plan.format {
        TextFormat::Text => render::log(context.out, &context.screen, &all[from..])?,
        TextFormat::Json => context.json(&&all[from..])?,
    }
    if from > 0 && plan.format == TextFormat::Text {
        let note = format!("{from} earlier changes; --limit 0 shows all");
        context.notes.note(&note);
    }
    Ok(Exit::found(all.len() as u64))
}

impl CommandArgs for LogArgs {
    const IS_PAGED: bool = true;
    type Plan = LogPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(plan(self))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
