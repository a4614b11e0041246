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
    after_long_help = "A position is new if no earlier game reached it, by any order of moves. A game is earlier
if the last day of its date is before the first day of the other date (1972 is from 1 January
to 31 December). If a game has no date, all
other games count as earlier.

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
    after_long_help = "plydex looks up every position of FILE, variations included, in the database. The games in
FILE are not stored.

How often you will reach a position is computed as follows: you play the moves of FILE, each
equally often, and your opponents play each move as often as the games of the database do.

Examples:
  plydex repertoire white.pgn
  plydex repertoire black.pgn --side black --min-elo 2200 --since 2015
  plydex repertoire white.pgn --format json"
)]
pub struct RepertoireArgs {
    /// The repertoire: a file with games and variations (PGN, PDN …)
    #[arg(id = "repertoire", value_name = "FILE")]
    pub file: PathBuf,
    /// Side of the repertoire [default: the one with fewer choices]
    #[arg(long, value_name = "SIDE")]
    pub side: Option<SideArg>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// At most N lines of each table, 0 for all [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX), help_heading = "Output")]
    pub limit: Option<u64>,
    /// Only moves played in N games or more [default: 1]
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
