//! What was typed for the commands that ask for rules alone and open no database:
//! `variants` and `moves`, and the options of draughts.

use clap::{Args as ClapArgs, ValueEnum};

use super::args::TextFormat;

/// `plydex variants`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  plydex variants                         all of them
  plydex variants frisian                 the rules of one in short, and its start
  plydex variants 25                      by its GameType in PDN")]
pub struct VariantsArgs {
    /// A variant by any of its names, or by the number of its `GameType`
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
    /// How to give the facts: text or json
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "text"
    )]
    pub format: TextFormat,
}

/// `plydex moves`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --variant a text that can be draughts is (a FEN with colons, moves from
number to number), and the squares and moves tell which kind.

Examples:
  plydex moves e4 c5
  plydex moves 32-28 19-23
  plydex moves W:WK46:B37,K11,20 --notation full
  plydex moves startpos --variant turkish")]
pub struct MovesArgs {
    /// A FEN, `startpos`, or moves [default: startpos]
    #[arg(value_name = "POSITION")]
    pub position: Vec<String>,
    /// The game, by any name or `GameType` number
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// How moves of draughts are written: short (11x25), full (11x18x25, every
    /// landing square) or algebraic (letters for every variant) [default: short]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub notation: Option<Notation>,
    /// How to give the moves: text or json
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "text"
    )]
    pub format: TextFormat,
}

/// How moves of draughts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Notation {
    /// From and to, more only where that is ambiguous.
    #[default]
    Short,
    /// Every landing square.
    Full,
    /// Short, with letters.
    Algebraic,
}

/// What counts as one capture of draughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Count {
    /// Each set of captured pieces.
    Drop,
    /// Each path.
    Keep,
}
