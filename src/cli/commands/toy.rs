//! A command for tests: this file and its line in the list are all that it needs.

use clap::Args as ClapArgs;

use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;

/// `plydex toy`.
#[derive(Debug, Clone, ClapArgs)]
pub struct ToyArgs {
    /// A name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Twice
    #[arg(long)]
    pub twice: bool,
}

impl CommandArgs for ToyArgs {
    type Plan = String;

    fn plan(self, warnings: &mut Vec<String>) -> Result<String, CliError> {
        if self.name.is_empty() {
            return Err(CliError::new("the name is empty").hint("write one"));
        }
        if self.twice {
            warnings.push("it is written twice".to_owned());
        }
        Ok(self.name.repeat(1 + usize::from(self.twice)))
    }

    fn run(plan: &String, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        writeln!(context.out, "{plan}")?;
        Ok(Exit::Done)
    }
}
