//! What was typed: clap's view of the command line, strings and flags.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::args_output::{AnswerArgs, LanguageArgs, NotationArgs};
pub use super::args_query::{FilterArgs, IdentityArg, PageArgs, PositionArgs};
use super::args_rules::{BoardArgs, ConvertArgs, MovesArgs, PerftArgs, VariantsArgs};

/// Finds any position of any game in your archives, at once.
#[derive(Debug, Parser)]
#[command(
    name = "plydex",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  plydex import games.pgn.zst             read an archive into ./plydex.db
  plydex search e4 c5 Nf3 --result 1-0    games White won with the open Sicilian
  plydex tree e4 c5                       what was played next, and how it scored
  plydex show 42 --ply 20                 game 42 and its position after ten moves

Exit status: 0 found or done, 1 nothing found, 2 trouble."
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
    /// The database file
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        env = "PLYDEX_DB",
        hide_env_values = true,
        default_value = "plydex.db"
    )]
    pub db: PathBuf,
    /// When to use colours: auto, always or never; `NO_COLOR` is obeyed
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub color: Color,
    /// Tell nothing but data and errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read games into the database
    Import(ImportArgs),
    /// Find games by position, players, dates, results …
    Search(SearchArgs),
    /// Show the next moves from a position and how they scored
    Tree(TreeArgs),
    /// Show one game, with a board if you like
    Show(ShowArgs),
    /// Write the games of a search as PGN or PDN
    Export(ExportArgs),
    /// Show what is in the database
    Info(ReadArgs),
    /// Check the database and compare its index with a replay of every game
    Check(ReadArgs),
    /// Copy the database, even while others read and write it
    Backup(BackupArgs),
    /// Count the lines of legal moves to a depth, as engines do
    Perft(PerftArgs),
    /// List the legal moves of a position and draw it
    Moves(MovesArgs),
    /// Draw a position, on the screen or as SVG
    Board(BoardArgs),
    /// Write a position in another notation
    Convert(ConvertArgs),
    /// List the variants of chess and draughts, or tell the rules of one
    Variants(VariantsArgs),
}

/// `plydex import`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A file that was imported before, byte for byte, is passed over. Ctrl-C stops in
good order: what was read stays, and the same command goes on from there.

Examples:
  plydex import twic1400.pgn lumbra.pgn.zst
  plydex import ~/games                   every .pgn, .pdn, .epd … in the folder
  plydex import suite.epd openings.epd    positions, found beside the games
  plydex import --variant pool club.pdn   all of it American pool
  plydex import --language nl schaak.pgn  all of it in Dutch
  curl -s https://example.org/x.pgn | plydex import -")]
pub struct ImportArgs {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Threads to use [default: one per core]; never changes the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Read all files in this format, whatever they look like: pgn, pdn, epd, fen, json,
    /// problems, popeye or olive
    #[arg(long = "as", value_name = "FORMAT")]
    pub read_as: Option<String>,
    /// Read all games as of this variant, whatever their tags say
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Read all moves of chess in this language: de, fr, ru … [default: told by
    /// their letters, file by file]
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// Write every finding about the data to FILE, one JSON object a line; - for
    /// standard output
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Replace the FILE of --report if it is there already
    #[arg(long, requires = "report")]
    pub force: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex search`.
#[derive(Debug, Default, ClapArgs)]
#[command(after_help = "\
A game counts once, at the first time the position is on the board. Without
POSITION the tags alone are searched. A FEN field that is left out is not asked for.

Examples:
  plydex search e4 c5 Nf3 d6
  plydex search 1.e4 c5 --player carlsen --player nakamura --sort date:desc
  plydex search '8/8/8/4k3/8/8/4P3/4K3 w' --identity board --count
  plydex search 32-28 19-23 28x19 14x23 --variant international
  plydex search 'W:W31-50:B1-20' --rotate
  plydex search --eco B90-B99 --min-elo 2600 --from 2015 --format csv --limit 0")]
pub struct SearchArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Order and paging.
    #[command(flatten)]
    pub page: PageArgs,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Print the number of games alone
    #[arg(long, help_heading = "Output")]
    pub count: bool,
    /// How to give the games: table, json, ndjson, csv or pgn (draughts: PDN)
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "table",
        help_heading = "Output"
    )]
    pub format: SearchFormat,
}

/// Formats of `search`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SearchFormat {
    /// Aligned columns, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// One JSON object per game and line.
    Ndjson,
    /// Comma-separated values with a heading line.
    Csv,
    /// The whole games.
    Pgn,
}

/// `plydex tree`.
#[derive(Debug, Default, ClapArgs)]
#[command(after_help = "\
Each game counts once, by the move played at its first visit. Score, rating and
performance are those of the side that moves.

Examples:
  plydex tree                             the first moves
  plydex tree e4 c5 Nf3 --min-elo 2500 --from 2010
  plydex tree 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w' --white carlsen")]
pub struct TreeArgs {
    /// The position; the start position if there is none.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// How to give the moves: table, json or csv
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "table",
        help_heading = "Output"
    )]
    pub format: TreeFormat,
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
}

/// `plydex show`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A board is drawn where --ply, --ascii or --flip asks for one; without --ply it
is the final position.

Examples:
  plydex show 42
  plydex show 42 --ply 20 --flip
  plydex show 42 --language figurine
  plydex show 42 --format pgn")]
pub struct ShowArgs {
    /// Number of the game, as search gives it
    #[arg(value_name = "GAME", value_parser = clap::value_parser!(u64).range(1..))]
    pub game: u64,
    /// Draw the board after N half-moves; 0 is the start position
    #[arg(long, value_name = "N", help_heading = "Board")]
    pub ply: Option<u32>,
    /// Draw the board with letters
    #[arg(long, help_heading = "Board")]
    pub ascii: bool,
    /// Draw the board from Black's side
    #[arg(long, help_heading = "Board")]
    pub flip: bool,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// How to give the game: text, json, pgn or epd; a problem also as problem (a line)
    /// or olive (YAML)
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "text",
        help_heading = "Output"
    )]
    pub format: ShowFormat,
}

/// Formats of `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ShowFormat {
    /// Tags and wrapped movetext, for reading.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// As `export` writes it.
    Pgn,
    /// A problem as a line.
    Problem,
    /// A problem as the YAML of olive.
    Olive,
    /// Its start position as a line of EPD.
    Epd,
}

/// `plydex export`.
#[derive(Debug, Default, ClapArgs)]
#[command(after_help = "\
Takes every option that selects games in search. Importing what was exported
gives the same games.

Examples:
  plydex export > all.pgn
  plydex export e4 e5 Nf3 Nc6 Bb5 --result 1-0 --output ruy.pgn
  plydex export --white kasparov --sort date --limit 100
  plydex export --event WAC --format epd > wac.epd
  plydex export --language de > partien.pgn")]
pub struct ExportArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Order and paging.
    #[command(flatten)]
    pub page: PageArgs,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// What to write: pgn (draughts: PDN); epd: each game's start position and, of a
    /// line that came from EPD, its operations; of chess problems alone: problem (a
    /// line each) or olive (YAML)
    #[arg(
        long,
        value_name = "FORMAT",
        hide_possible_values = true,
        default_value = "pgn",
        help_heading = "Output"
    )]
    pub format: ExportFormat,
    /// Write to FILE instead of standard output, compressed if it ends in .zst or .gz
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it is there already
    #[arg(long, requires = "output", help_heading = "Output")]
    pub force: bool,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ExportFormat {
    /// Whole games.
    #[default]
    Pgn,
    /// Problems, one a line.
    Problem,
    /// Problems as the YAML of olive and YACPDB.
    Olive,
    /// Start positions, one a line.
    Epd,
}

/// `plydex backup`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The copy is one state of the database, in one file, ready to be used with --db.

Examples:
  plydex backup /media/disk/games.db
  plydex backup --force weekly.db
  plydex backup games.db.zst              compressed: unpack it before it is used")]
pub struct BackupArgs {
    /// The copy, compressed if it ends in .zst or .gz; - for standard output
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace FILE if it is there already
    #[arg(long)]
    pub force: bool,
}

/// `plydex info` and `plydex check`.
#[derive(Debug, ClapArgs)]
pub struct ReadArgs {
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}
