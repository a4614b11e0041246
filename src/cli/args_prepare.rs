//! What was typed to prepare for games: novelties, and a repertoire held against the database.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::args::ListArgs;
use super::args_output::{LanguageArgs, TableFormat};
use super::args_query::FilterArgs;
use super::value_parsers;

/// `plydex novelty`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "A position is new if no earlier game has it, by whatever moves. A game is earlier if the
last day that its date can mean lies before the first day that the other date can mean. Against a
game without a date all other games count as earlier.

Examples:
  plydex novelty 17
  plydex novelty --player carlsen --since 2024 --sort date:desc
  plydex novelty e4 c5 Nf3 d6 --limit 0 --format csv"
)]
pub struct NoveltyArgs {
    /// The games: the number of one, or what selects them.
    #[command(flatten)]
    pub list: ListArgs,
    /// table, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableFormat,
}

/// `plydex repertoire`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Every position of FILE, variations included, is looked up in the database. The games in
FILE are not stored.

How often you will get a position is worked out so: you play the moves of FILE, each as often as
the others, and your opponents play each move as often as the games of the database do.

Examples:
  plydex repertoire white.pgn
  plydex repertoire black.pgn --side black --min-elo 2200 --since 2015
  plydex repertoire white.pgn --format json"
)]
pub struct RepertoireArgs {
    /// The repertoire: a file with games and variations (PGN, PDN …)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Whose repertoire it is [default: who has fewer moves to choose from]
    #[arg(long, value_name = "SIDE")]
    pub side: Option<SideArg>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// At most N lines of each table, 0 for all [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX), help_heading = "Output")]
    pub limit: Option<u64>,
    /// Only moves that were played in N games or more [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX), help_heading = "Output")]
    pub min_games: Option<u64>,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// table, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TableFormat,
}

/// A side of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SideArg {
    /// The side that the game calls White.
    White,
    /// The side that the game calls Black.
    Black,
}
