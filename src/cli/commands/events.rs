//! `plydex events`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::commands::names::{self, NamesArgs, NamesPlan};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::database::NameTable;

/// `plydex events`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one event's if they differ in case, accents, blanks and punctuation only.

Examples:
  plydex events                           those with the most games
  plydex events hastings --sort name
  plydex events --same 'Wch' 'World Championship'"
)]
pub struct EventsArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

impl CommandArgs for EventsArgs {
    const IS_PAGED: bool = true;
    type Plan = NamesPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        names::plan(NameTable::Event, self.names)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        names::run(plan, context)
    }
}
