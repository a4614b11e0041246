//! `plydex check`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::base::display_path;
use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::commands::{CommandArgs, backup};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::render::info;
use crate::database::{Error, ErrorKind, RepairReport};

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

/// `plydex check`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A repair never changes the database itself. What derives from the games (the index,
packed facts, checksums) is built again. Intact games are copied under their numbers. Of
damaged games, whatever can be read is kept. Damaged and lost games are listed.

Examples:
  plydex check
  plydex --db club.db check --repair club-repaired.db"
)]
pub struct CheckArgs {
    /// How the answer is given
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Write what can be read of a damaged database to NEW.db
    ///
    /// NEW.db must not exist yet.
    #[arg(long, value_name = "NEW.db")]
    pub repair: Option<PathBuf>,
}

/// What is to be done.
#[derive(Debug, Clone)]
pub enum CheckPlan {
    /// The database is checked.
    Check(TextFormat),
    /// What is intact is copied.
    Repair(Destination, TextFormat),
}

fn plan(args: CheckArgs) -> CheckPlan {
    match args.repair {
        None => CheckPlan::Check(args.answer.format),
        Some(file) => {
            let target = Destination::new(file, false, "name a new file with --repair");
            CheckPlan::Repair(target, args.answer.format)
        }
    }
}

fn run(plan: &CheckPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    match plan {
        CheckPlan::Check(format) => check(*format, context),
        CheckPlan::Repair(target, format) => repair(target, *format, context),
    }
}

fn check(format: TextFormat, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let checked = context.observed(&progress).check();
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
    if !report.problems.is_empty() {
        context.notes.note(
            "restore a backup, import the games into a new database, or run \
             `plydex check --repair NEW.db` to copy what is intact",
        );
    }
    let sound = report.problems.is_empty() && !report.interrupted;
    Ok(if sound { Exit::Done } else { Exit::Trouble })
}

/// `plydex check --repair`.
pub(crate) fn repair(
    target: &Destination,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    if target.path.symlink_metadata().is_ok() || target.path.as_os_str() == "-" {
        let name = display_path::path(&target.path);
        let why = "a repaired database can only be a new file";
        return Err(CliError::new(format!("{name}: {why}")).hint(target.other));
    }
    let mut report = RepairReport::default();
    backup::write(
        target,
        context,
        |database| database.open_to_repair().map_err(unreadable),
        |snapshot, file, context| {
            let progress = context.progress();
            let copied = snapshot.repair(file, &context.observed(&progress));
            progress.clear();
            report = copied?;
            Ok(!report.interrupted)
        },
    )?;
    match format {
        TextFormat::Text => info::repair(context.out, &context.screen, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(if report.is_intact() {
        Exit::Done
    } else {
        Exit::Trouble
    })
}

/// Why nothing can be copied of a database.
fn unreadable(error: Error) -> CliError {
    match error.kind() {
        ErrorKind::NotADatabase | ErrorKind::Damaged => CliError::from(error).hint(
            "the pages that say what the file holds cannot be read, so nothing can be copied: \
             restore a backup, or import the games into a new database",
        ),
        _ => error.into(),
    }
}

impl CommandArgs for CheckArgs {
    type Plan = CheckPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(plan(self))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
