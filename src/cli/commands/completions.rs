//! `plydex completions`.

use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::Shell;

use crate::cli::CommandContext;
use crate::cli::args::Args;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;

/// `plydex completions`.
#[derive(Debug, Clone, Copy, ClapArgs)]
#[command(
    after_long_help = "Prints a script that lets your shell complete commands, options and their values.

Examples:
  plydex completions bash > ~/.local/share/bash-completion/completions/plydex
  plydex completions zsh > ~/.zfunc/_plydex     with ~/.zfunc in fpath
  plydex completions fish > ~/.config/fish/completions/plydex.fish
  plydex completions powershell >> $PROFILE"
)]
pub struct CompletionsArgs {
    /// Shell: bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

impl CommandArgs for CompletionsArgs {
    type Plan = Shell;

    fn plan(self, _: &mut Vec<String>) -> Result<Shell, CliError> {
        Ok(self.shell)
    }

    fn run(shell: &Shell, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Args::command(), "plydex", &mut script);
        context.out.write_all(&script)?;
        Ok(Exit::Done)
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_knows_every_command() {
        let command = Args::command();
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "plydex", &mut script);
            let script = String::from_utf8(script).expect("a script is text");
            for known in command
                .get_subcommands()
                .filter(|known| !known.is_hide_set())
            {
                let name = known.get_name();
                assert!(script.contains(name), "{shell} does not know {name}");
            }
            assert!(script.contains("in-variations"), "{shell}");
        }
    }
}
