//! `plydex sites`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::commands::names::{self, NamesArgs, NamesPlan};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::database::NameTable;

/// `plydex sites`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one site's if they differ in case, accents, blanks and punctuation only.
Addresses of pages are never joined.

Examples:
  plydex sites                            those with the most games
  plydex sites london --spellings
  plydex sites --same 'Moscow' 'Moskva'"
)]
pub struct SitesArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

impl CommandArgs for SitesArgs {
    const IS_PAGED: bool = true;
    type Plan = NamesPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        names::plan(NameTable::Site, self.names)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        names::run(plan, context)
    }
}
