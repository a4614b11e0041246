//! `plydex man`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_mangen::Man;

use crate::base::display_path;
use crate::cli::CommandContext;
use crate::cli::args::Args;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{Destination, ProtectedFiles};
use crate::cli::render::number;
use crate::query::suggest;

/// `plydex man`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "Without COMMAND, prints the page of plydex itself. The pages are in the format of man(1).

Examples:
  plydex man search | man -l -                  read the page of search
  plydex man --output ~/.local/share/man/man1   write all pages"
)]
pub struct ManArgs {
    /// Command whose page is printed
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write the pages of all commands to this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Replace pages that already exist
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Which pages are written where.
#[derive(Debug, Clone)]
pub enum ManPlan {
    /// One is printed.
    Print(Box<Command>),
    /// All go to a folder.
    Write(PathBuf, bool),
}

impl CommandArgs for ManArgs {
    type Plan = ManPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<ManPlan, CliError> {
        if let Some(folder) = self.output {
            return Ok(ManPlan::Write(folder, self.force));
        }
        let mut all = pages();
        let Some(name) = self.command else {
            return Ok(ManPlan::Print(Box::new(all.swap_remove(0))));
        };
        let wanted = format!("plydex-{name}");
        if let Some(at) = all.iter().position(|page| page.get_name() == wanted) {
            return Ok(ManPlan::Print(Box::new(all.swap_remove(at))));
        }
        let root = Args::command();
        let names = root.get_subcommands().map(Command::get_name);
        let error = CliError::new(format!("`{name}` is not a command"));
        Err(match suggest::nearest(&name, names) {
            Some(meant) => error.hint(format!("did you mean {meant}?")),
            None => error.hint("`plydex --help` lists the commands"),
        })
    }

    fn run(plan: &ManPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        let (folder, force) = match plan {
            ManPlan::Print(page) => {
                context.out.write_all(&render(page)?)?;
                return Ok(Exit::Done);
            }
            ManPlan::Write(folder, force) => (folder, *force),
        };
        let protected = ProtectedFiles::database(&context.db);
        let all = pages();
        let files = all.iter().map(|page| {
            let path = folder.join(format!("{}.1", page.get_name()));
            Destination::new(path, force, "name another folder")
        });
        let files: Vec<Destination> = files.collect();
        // Before the first is written, so that all are or none is.
        let places = files.iter().map(|file| file.place(&protected));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        for (page, place) in all.iter().zip(places) {
            let mut out = place.open(&context.stop)?;
            out.put(&render(page)?)?;
            out.finish()?;
        }
        let written = number::counted(files.len() as u64, "page", "pages");
        let folder = display_path::path(folder);
        context
            .notes
            .note(&format!("{written} written to {folder}"));
        Ok(Exit::Done)
    }
}

/// The program and its commands, each as a page of its own.
fn pages() -> Vec<Command> {
    let mut root = Args::command();
    root.build();
    let commands = root
        .get_subcommands()
        .filter(|own| own.get_name() != "help");
    let own = commands.map(|own| {
        let name = format!("plydex-{}", own.get_name());
        let usage = format!("plydex {}", own.get_name());
        own.clone().name(name).bin_name(usage)
    });
    let own: Vec<Command> = own.collect();
    std::iter::once(root).chain(own).collect()
}

fn render(page: &Command) -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() -> Result<(), CliError> {
        let all = pages();
        let commands = Args::command().get_subcommands().count();
        assert_eq!(all.len(), commands + 1);
        for page in &all {
            let text = String::from_utf8(render(page)?).expect("a page is text");
            let name = page.get_name().replace('-', "\\-");
            assert!(text.contains(".TH"), "{text}");
            assert!(text.contains(&name), "{name}: {text}");
        }
        Ok(())
    }
}
