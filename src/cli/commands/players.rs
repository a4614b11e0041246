//! `plydex players`.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::commands::names::{self, NamesArgs, NamesPlan};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::database::NameTable;

/// `plydex players`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Spellings are one player's if they differ in case, accents, punctuation, the order of
names or initials only, and nothing in the games contradicts: years, ratings, FIDE IDs, or
a game between the two. A name that fits several players is joined to none of them. docs/people.md explains the rules.

Examples:
  plydex players                          those with the most games
  plydex players carlsen --spellings      all spellings, and what was not joined
  plydex players --sort rating:desc --limit 100 --format csv
  plydex players --same 'Polgar, Zsuzsa' 'Polgar, Susan'"
)]
pub struct PlayersArgs {
    /// The names.
    #[command(flatten)]
    pub names: NamesArgs,
}

impl CommandArgs for PlayersArgs {
    const IS_PAGED: bool = true;
    type Plan = NamesPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        names::plan(NameTable::Player, self.names)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        names::run(plan, context)
    }
}
