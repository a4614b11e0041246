//! What was typed: clap's view of the command line, and the arguments that commands share.

pub mod conditions;
pub mod output;
pub mod position;
pub mod query;
pub mod query_builder;
pub mod reading;
pub mod report_file;
pub mod value_parsers;
pub mod view;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, ValueEnum};

use super::commands::Command;

/// Imports chess and draughts games, and finds any position in them at once.
#[derive(Debug, Parser)]
#[command(
    name = "plydex",
    version,
    max_term_width = 100,
    hide_possible_values = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "The commands from import to serve share one database: --db PATH, else the
environment variable PLYDEX_DB, else plydex.db in the current folder. The others
need no database. `plydex COMMAND --help` explains a command with examples.

Examples, with the sample games of plydex:
  plydex import sample-data               read them into plydex.db
  plydex search e4 c5 Nf3 --result 1-0    White's wins after 1.e4 c5 2.Nf3
  plydex search 1.e4 c5 2.Nf3 d6 3.d4     the Open Sicilian with 2...d6
  plydex search --player fischer          games of one player
  plydex search 32-28 17-22               a position of international draughts
  plydex tree e4 c5                       the next moves, and how they scored
  plydex show 91 --ply 10                 game 91, with the board at ply 10
  plydex export --eco C60-C99 > ruy.pgn   the games with the Ruy Lopez
  plydex moves e4 c5                      the legal moves of a position

Data go to standard output, everything else to standard error.
Exit status: 0 found or done, 1 nothing found, 2 error."
)]
pub struct Args {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// The database file.
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        help = "Database file [env: PLYDEX_DB] [default: plydex.db]"
    )]
    pub db: Vec<PathBuf>,
    /// Use colours: auto, always or never
    ///
    /// With auto, colours are used on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print only data and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Show progress: auto, plain or never
    ///
    /// With auto, a bar is drawn on a terminal. With plain, a line is written every few seconds,
    /// for logs.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressArg,
    /// Do not show long answers in a pager
    ///
    /// On a terminal, long answers go through the program of `PLYDEX_PAGER` or `PAGER`, or less.
    #[arg(long, global = true)]
    pub no_pager: bool,
}

impl Global {
    /// The databases: what was typed, else `PLYDEX_DB`, else `plydex.db`; at least one.
    pub fn databases(&self) -> Vec<PathBuf> {
        if !self.db.is_empty() {
            return self.db.clone();
        }
        let named = std::env::var_os("PLYDEX_DB").filter(|path| !path.is_empty());
        vec![named.map_or_else(|| "plydex.db".into(), PathBuf::from)]
    }

    /// The first of them, which is the only one but for `serve`.
    pub fn database(&self) -> PathBuf {
        self.databases().swap_remove(0)
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Even in a pipe.
    Always,
    /// Not at all.
    Never,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ProgressArg {
    /// As a bar, on a terminal.
    #[default]
    Auto,
    /// As lines.
    Plain,
    /// Not at all.
    Never,
}
