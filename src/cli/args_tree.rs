//! What was typed to see the moves of a position.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::args_output::LanguageArgs;
use super::args_query::{FilterArgs, PositionArgs};
use super::value_parsers;
use super::view::ViewArgs;

/// Moves behind each other at most.
pub(super) const DEPTH_MAX: u64 = 100;

/// `plydex tree`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Each game counts once, by the move played when it first reached the position.
Score, rating and performance are those of the side to move. With --depth, a position counts all
games that reach it, by any moves, and appears in the tree once: if another order of moves
reaches it, = points to where it is listed.

Examples:
  plydex tree                             the first moves
  plydex tree e4 c5 --since 1960 --white fischer
  plydex tree 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w'
  plydex tree 32-28 --rotate              draughts, colours exchanged as well
  plydex tree e4 c5 --where 'castles:O-O-O by:white and elo:2500..'
  plydex tree d4 --depth 4 --min-games 2
  plydex tree --format pgn --depth 12 --output openings.pgn
  plydex tree --format polyglot --min-games 2 --min-score 45 --output book.bin"
)]
pub struct TreeArgs {
    /// The position; by default the start position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Whose scores are counted.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Depth in plies [default: 1; pgn: 10, polyglot: 30]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u32>(1, DEPTH_MAX))]
    #[arg(help_heading = "Moves")]
    pub depth: Option<u32>,
    /// At most N moves of a position, 0 for all [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    #[arg(help_heading = "Moves")]
    pub limit: Option<u64>,
    /// Only moves played in N games or more
    ///
    /// Otherwise all moves of one position; with --depth those of one in a hundred games of the
    /// first position, and in a book those of three games.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    #[arg(help_heading = "Moves")]
    pub min_games: Option<u64>,
    /// Only moves with N percent of the points or more
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u8>(0, 100))]
    #[arg(help_heading = "Moves")]
    pub min_score: Option<u8>,
    /// Sort by games, score, rating, performance, year or move [default: games]
    ///
    /// Numbers are sorted in descending order and moves alphabetically; :asc
    /// and :desc set the order.
    #[arg(long, value_name = "KEY[:asc]", help_heading = "Moves")]
    pub sort: Option<String>,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// table, json, csv, pgn or polyglot
    ///
    /// pgn is one game, whose first line has the first move of each position and whose variations have the
    /// others; of draughts it is PDN. polyglot is an opening book for engines.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: TreeFormat,
    /// Write to FILE (.gz and .zst are compressed); not for tables
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Formats of `tree`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TreeFormat {
    /// Aligned columns with a bar, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// Comma-separated values with a heading line.
    Csv,
    /// One game with variations.
    Pgn,
    /// An opening book of Polyglot.
    Polyglot,
}
