//! `plydex dedupe`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::query::limit;
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::changes as render;
use crate::database::{DedupeOptions, DedupePolicy};

/// Which record of a game stays.
const POLICIES: &[(&str, DedupePolicy)] = &[
    ("best", DedupePolicy::Best),
    ("first", DedupePolicy::First),
    ("last", DedupePolicy::Last),
];

/// `plydex dedupe`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Two games are duplicates if their moves are equal and their tags do not contradict:
players, date, result, round, time, game ID. Games with an unknown player, and positions,
are duplicates only if everything stored about them is equal. Without --yes the groups are only listed. Removed games
keep their numbers, and `plydex undo` brings them back.

Examples:
  plydex dedupe                           list games that are stored twice
  plydex dedupe --parts                   also those that break off early
  plydex dedupe --yes                     keep the best record of each game"
)]
pub struct DedupeArgs {
    /// The record that stays: best, first or last [default: best]
    ///
    /// best is the longest, then the one with most annotations, then the one with most
    /// tags; first and last are in the order of import.
    #[arg(long, value_name = "WHICH", value_parser = value_parsers::one_of(POLICIES))]
    pub keep: Option<DedupePolicy>,
    /// Also games that are only the beginning of another
    ///
    /// They must agree in players, date and event and have at least 20 plies. The
    /// longest stays.
    #[arg(long)]
    pub parts: bool,
    /// Remove the others; without it they are only listed
    #[arg(long)]
    pub yes: bool,
    /// Maximum number of groups to list, 0 for all [default: 20]
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// Groups of games where no `--limit` is given.
const GROUP_LIMIT_DEFAULT: u64 = 20;

/// `dedupe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DedupePlan {
    /// What is searched for, and what stays.
    pub options: DedupeOptions,
    /// What was typed.
    pub what: String,
    /// Whether the others are removed.
    pub yes: bool,
    /// Groups that are listed; `None` is all.
    pub limit: Option<u64>,
    /// Of the answer.
    pub format: TextFormat,
}

pub(crate) fn plan(args: DedupeArgs) -> DedupePlan {
    DedupePlan {
        options: DedupeOptions {
            policy: args.keep.unwrap_or_default(),
            with_parts: args.parts,
        },
        what: value_parsers::typed_behind("dedupe", &["--yes"]),
        yes: args.yes,
        limit: limit(args.limit, GROUP_LIMIT_DEFAULT),
        format: args.answer.format,
    }
}

pub(crate) fn run(plan: &DedupePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let database = context.observed(&progress);
    let done = if plan.yes {
        database.dedupe(plan.options, &plan.what)
    } else {
        database.duplicates(plan.options)
    };
    progress.clear();
    let report = done?;
    match plan.format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => {
            let limit = plan.limit.unwrap_or(u64::MAX);
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let groups = &report.groups[..limit.min(report.groups.len())];
            let headers = context.ask(|snapshot| render::headers(snapshot, groups))?;
            render::groups(context.out, &context.screen, groups, &headers)?;
            render::deduped(context.out, &report, groups.len())?;
        }
    }
    Ok(Exit::found(report.removed))
}

impl CommandArgs for DedupeArgs {
    type Plan = DedupePlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(plan(self))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
