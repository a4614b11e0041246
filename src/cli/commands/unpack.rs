//! `plydex unpack`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::commands::{CommandArgs, backup};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::database::SqlTable;

/// `plydex unpack`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The file has the tables games, comments, nags, variations, clocks and evals, with the
columns that `plydex sql` gives them. SQLite clients, DuckDB and pandas read it.

Examples:
  plydex unpack --output tables.db
  plydex unpack --moves --force --output tables.db
  plydex unpack --output tables.db.zst    compressed; decompress it before use"
)]
pub struct UnpackArgs {
    /// The new SQLite file; .zst and .gz are compressed, - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Also write the table moves, which is far larger than the others
    #[arg(long)]
    pub moves: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
}

/// `unpack`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackPlan {
    /// The file.
    pub target: Destination,
    /// Whether the moves are among the tables.
    pub moves: bool,
}

pub(crate) fn run(plan: &UnpackPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    backup::write(
        &plan.target,
        context,
        |database| Ok(database.snapshot()?),
        |snapshot, file, context| {
            let tables = SqlTable::ALL;
            let tables: Vec<SqlTable> = (tables.into_iter())
                .filter(|table| plan.moves || *table != SqlTable::Moves)
                // The table of games has them.
                .filter(|table| *table != SqlTable::Results)
                .collect();
            let progress = context.progress();
            let done = snapshot.unpack(file, &tables, &context.observed(&progress));
            progress.clear();
            done.map(|()| true)
        },
    )
}

impl CommandArgs for UnpackArgs {
    type Plan = UnpackPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(UnpackPlan {
            target: Destination::new(self.output, self.force, "name another file with --output"),
            moves: self.moves,
        })
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
