//! What was typed: clap's view of the command line, strings and flags.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::args_changes::{
    DedupeArgs, DeleteArgs, EditArgs, LogArgs, MergeArgs, OptimizeArgs, UndoArgs,
};
use super::args_diagnostics::DiagnosticsArgs;
use super::args_names::{EventsArgs, PlayersArgs, SitesArgs};
use super::args_output::{AnswerArgs, BoardStyleArgs, LanguageArgs, NotationArgs};
use super::args_prepare::{NoveltyArgs, RepertoireArgs};
pub use super::args_query::{FilterArgs, PageArgs, PositionArgs};
use super::args_reread::{ReadingArgs, RereadArgs};
use super::args_rules::{BoardArgs, ConvertArgs, EcoArgs, MovesArgs, PerftArgs, VariantsArgs};
use super::args_sql::{SqlArgs, UnpackArgs};
use super::args_tree::TreeArgs;
use super::backend::DuplicateAction;
use super::serve::args_serve::ServeArgs;
use super::value_parsers;
use super::view::ViewArgs;
use crate::games::variation_tree::PlyRef;
use crate::query::GroupKey;

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

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read games into the database
    Import(ImportArgs),
    /// Find games by position, player, date, result …
    Search(SearchArgs),
    /// Show the moves played from a position, and how they scored
    Tree(TreeArgs),
    /// Find novelties: the first new move of each game
    Novelty(NoveltyArgs),
    /// Compare a repertoire with the database to find gaps
    Repertoire(RepertoireArgs),
    /// Show one game, with a board on request
    Show(ShowArgs),
    /// Write the games of a search as PGN or PDN
    Export(ExportArgs),
    /// List the players, with their spellings
    ///
    /// List the players with their numbers of games, years and ratings; the spellings of a name
    /// are joined
    Players(PlayersArgs),
    /// List the events
    Events(EventsArgs),
    /// List the sites
    Sites(SitesArgs),
    /// List the findings of imports: warnings and errors in the data
    Diagnostics(DiagnosticsArgs),
    /// Show what is in the database
    Info(AnswerArgs),
    /// Check the database and its index
    ///
    /// Check every page, table and game of the database against its checksums, and the index
    /// against a replay; with --repair, copy what is intact to a new file
    Check(CheckArgs),
    /// Import a source or game again with other settings
    ///
    /// Correct what an import guessed wrong: import a source or a game again as a format,
    /// variant or language that you name, and replace its games
    Reread(RereadArgs),
    /// Change tags of a game
    Edit(EditArgs),
    /// Delete games; `undo` restores them
    Delete(DeleteArgs),
    /// Find duplicate games and keep the best of each
    Dedupe(DedupeArgs),
    /// Merge another database into this one
    Merge(MergeArgs),
    /// Compact the file and speed up the index
    Optimize(OptimizeArgs),
    /// List the changes made to the database
    Log(LogArgs),
    /// Undo a change: an import, deletion, edit …
    Undo(UndoArgs),
    /// Rebuild an index written by an older plydex
    Reindex(ReindexArgs),
    /// Back up the database, even while it is in use
    Backup(BackupArgs),
    /// Replace the database with a backup, keeping the old file
    Restore(RestoreArgs),
    /// Run an SQL query over games, comments, moves …
    ///
    /// Run one SQL statement that reads, over tables of games, names, tags, comments,
    /// variations, moves, clocks, evaluations and positions
    Sql(SqlArgs),
    /// Write comments, variations … as plain tables of an SQLite file
    ///
    /// Write games, comments, glyphs, variations, clocks and evaluations as plain tables
    /// of a new SQLite file, for other programs
    Unpack(UnpackArgs),
    /// Serve a web page and a Lichess-compatible explorer API
    ///
    /// Serve over HTTP on this computer: a page for the browser, lichess' opening explorer API for
    /// other programs, and the results of the commands as JSON
    Serve(ServeArgs),
    /// Draw a position, on the screen or as SVG
    Board(BoardArgs),
    /// List the legal moves of a position and draw it
    Moves(MovesArgs),
    /// Show what an opening is called, or list openings by code or name
    Eco(EcoArgs),
    /// Count the lines of legal moves to a depth, as engines do
    Perft(PerftArgs),
    /// Write a position in another notation
    Convert(ConvertArgs),
    /// List the variants of chess and draughts, or explain the rules of one
    Variants(VariantsArgs),
}

/// What becomes of games that are stored already.
pub(super) const DUPLICATES: &[(&str, DuplicateAction)] = &[
    ("skip", DuplicateAction::Skip),
    ("best", DuplicateAction::Best),
    ("keep", DuplicateAction::Keep),
];

/// `plydex import`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A file whose content was imported before is skipped, whatever its name. Ctrl-C
stops the import in good order: the games read so far stay in the database, and
the same command continues from there.

Examples:
  plydex import sample-data               every .pgn, .pdn, .epd … in the folder
  plydex import twic1400.zip lumbra.pgn.zst
  curl -s https://example.org/x.pgn | plydex import -
  plydex import suite.epd openings.epd    positions, found beside the games
  plydex import --variant pool club.pdn   every game is American pool
  plydex import --language nl schaak.pgn  every game is in Dutch"
)]
pub struct ImportArgs {
    /// Files, folders, or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How sources are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// What to do with duplicates: skip, best or keep [default: skip]
    ///
    /// A game is the same whatever its spelling, comments and order of tags, if its moves are
    /// equal and its tags do not contradict: players, date, result, round, time, game ID. With
    /// skip, the stored game stays as it is, and the source is recorded as another source of it.
    /// With best, a game that continues a stored one (same date and event) also counts as the
    /// same. The record with more plies stays, then the one with more annotations, then the one
    /// with more tags. An edited record is never replaced. With keep, both are stored.
    #[arg(long, value_name = "HOW", value_parser = value_parsers::one_of(DUPLICATES))]
    pub duplicates: Option<DuplicateAction>,
    /// Restore deleted games
    ///
    /// A deleted game is not stored again when you import it again. With this
    /// option it is restored under its number, and so are those of files that were imported
    /// before. Other games of the same deletion stay deleted. `plydex undo` undoes the
    /// restoration.
    #[arg(long)]
    pub restore_deleted: bool,
    /// List the files that are missing from these folders
    ///
    /// New files are imported, as always; files that were imported before and are
    /// missing now are listed. Their games stay until you delete them.
    #[arg(long)]
    pub list_missing: bool,
    /// Stop at the first warning or error in the data
    ///
    /// The game, the rest of the file and all further files are not stored; the
    /// games before it are. Notes do not stop the import. The exit status is 2.
    #[arg(long)]
    pub strict: bool,
    /// Write all findings to FILE, as JSON lines
    ///
    /// Each note, warning and error is one JSON object on its own line. With -
    /// as FILE they go to standard output.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Replace the FILE of --report if it exists
    #[arg(long, requires = "report")]
    pub force: bool,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex search`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Each game is listed once, where the position is first on the board. Without
POSITION only the tags are searched. A FEN field that is left out may have any
value.

Examples:
  plydex search e4 c5 Nf3 d6
  plydex search 1.e4 c5 --player fischer --player spassky --sort date:desc
  plydex search '8/8/8/4k3/8/8/4P3/4K3 w' --identity board --count
  plydex search 32-28 19-23 28x19 14x23 --variant international
  plydex search 'W:W31-50:B1-20' --rotate
  plydex search --eco B90-B99 --since 1960 --format csv --limit 0
  plydex search --tag Annotator=plydex"
)]
pub struct SearchArgs {
    /// The games.
    #[command(flatten)]
    pub list: ListArgs,
    /// Print only the number of games
    #[arg(long)]
    pub count: bool,
    /// Explain how the query runs, and print only the number of games
    ///
    /// For each part of the query, the columns that were read and how many games they
    /// leave; then how many games were scanned.
    #[arg(long)]
    pub explain: bool,
    /// Draw the position found in each game
    ///
    /// Without a POSITION that is the end of each game.
    #[arg(long, conflicts_with_all = ["count", "explain", "group_by", "each"])]
    pub board: bool,
    /// Count the games by result, year, eco, player, move …, or two of these
    ///
    /// The keys are result, year, month, eco, opening, player, white, black, event, site, variant,
    /// rating (the mean of both, in hundreds), time, plies and tag.NAME; opponent and colour, of the
    /// player you search for; and move, material and ending, of the match. Separate two keys by a comma.
    /// --limit applies to the groups.
    #[arg(long, value_name = "KEY", value_parser = value_parsers::group_key, value_delimiter = ',')]
    #[arg(conflicts_with_all = ["count", "explain", "sort", "offset"])]
    pub group_by: Vec<GroupKey>,
    /// Whose scores are counted.
    #[command(flatten)]
    pub view: ViewArgs,
    /// Count the games for each line of a file
    ///
    /// The file - is standard input. A line is a POSITION as you type it after `plydex search`: a query, moves, a FEN, or
    /// a line of EPD. Empty lines and those that begin with # are skipped. The filters apply
    /// to all lines.
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["position", "group_by", "count", "explain", "sort", "offset", "limit"])]
    pub each: Option<PathBuf>,
    /// table, json, ndjson, csv, pgn, fen or epd
    ///
    /// ndjson is one JSON object per line. pgn writes games of draughts as PDN. fen and epd
    /// write the position found in each game, epd with the game it is from.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: SearchFormat,
}

/// Which games are given, and how their moves are written.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ListArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only games that also match this query
    #[arg(long = "where", value_name = "QUERY", help_heading = "Position")]
    pub question: Option<String>,
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
    /// The complete games.
    #[value(alias = "pdn")]
    Pgn,
    /// The FEN of each position found.
    Fen,
    /// The same as EPD, with the game it is from.
    Epd,
}

/// `plydex show`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The board is drawn if --ply, --ascii or --black-below is given; without --ply it
shows the final position.

Examples:
  plydex show 91
  plydex show 91 --ply 10 --black-below
  plydex show 91 --language figurine
  plydex show 91 --format pgn"
)]
pub struct ShowArgs {
    /// Number of the game, from the first column of search
    #[arg(value_name = "GAME", value_parser = value_parsers::whole::<u64>(1, u64::MAX))]
    pub game: u64,
    /// Draw the board after N plies; 0 is the start position
    ///
    /// In a variation, write the path first: 23.1/26 is ply 26 in the first variation
    /// of ply 23, 23.1/25.2/30 ply 30 in the second variation of its ply 25. Searches
    /// with --in-variations show such places.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Board",
        allow_negative_numbers = true
    )]
    pub ply: Option<PlyRef>,
    /// How the board looks.
    #[command(flatten, next_help_heading = "Board")]
    pub look: BoardStyleArgs,
    /// on or off: clocks and evaluations after the moves
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "on",
        help_heading = "Output"
    )]
    pub clocks: ClocksArg,
    /// How draughts moves are written.
    #[command(flatten)]
    pub notation: NotationArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// text, json, pgn, epd, problem or olive
    ///
    /// pgn writes games of draughts as PDN; epd is the start position. Only for chess
    /// problems: problem (one line) and olive (YAML).
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ShowFormat,
}

/// Whether clocks and evaluations are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ClocksArg {
    /// After the moves.
    #[default]
    On,
    /// Not at all.
    Off,
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
    #[value(alias = "pdn")]
    Pgn,
    /// A problem as a line.
    #[value(alias = "problems")]
    Problem,
    /// A problem as Popeye's input.
    Popeye,
    /// A problem as the YAML of olive.
    Olive,
    /// Its start position as a line of EPD.
    Epd,
}

/// `plydex export`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Takes every option that selects games in search. Importing the exported file
gives the same games.

Examples:
  plydex export > all.pgn
  plydex export e4 e5 Nf3 Nc6 Bb5 --result 1-0 --output ruy.pgn
  plydex export --white fischer --sort date --limit 100
  plydex export --tag FEN --format epd > positions.epd
  plydex export --language de > partien.pgn"
)]
pub struct ExportArgs {
    /// The games.
    #[command(flatten)]
    pub list: ListArgs,
    /// pgn, epd, problem, popeye or olive
    ///
    /// pgn writes games of draughts as PDN; epd is the start positions, with the
    /// operations of lines that came from EPD. Only for chess problems: problem (one
    /// line each), popeye (its input) and olive (YAML); what came in the same format is
    /// written as it came.
    #[arg(long, value_name = "FORMAT", default_value = "pgn")]
    pub format: ExportFormat,
    /// Write to FILE; .zst and .gz are compressed
    ///
    /// Without this option the games go to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ExportFormat {
    /// Complete games.
    #[default]
    #[value(alias = "pdn")]
    Pgn,
    /// Problems, one a line.
    #[value(alias = "problems")]
    Problem,
    /// Problems as Popeye's input.
    Popeye,
    /// Problems as the YAML of olive and YACPDB.
    Olive,
    /// Start positions, one a line.
    Epd,
}

/// `plydex reindex`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The position index, the names of openings, the lines in comments and the index of
players derive from the games. If an older plydex built them in another way, reindex
builds them again. The games do not change. You can stop it with Ctrl-C; the same command
continues from there. Other programs can read the database meanwhile.

Examples:
  plydex reindex                          rebuild what is outdated in plydex.db
  plydex --db games.db reindex            the same for another database"
)]
pub struct ReindexArgs {
    /// How it is reported.
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// `plydex check`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "A repair never changes the database itself. What derives from the games (the index,
packed facts, checksums) is built again. Intact games are copied under their numbers. Of
damaged games, whatever can be read is kept. Damaged and lost games are listed.

Examples:
  plydex check
  plydex --db club.db check --repair club-repaired.db"
)]
pub struct CheckArgs {
    /// How the answer is given
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Write what can be read of a damaged database to NEW.db
    ///
    /// NEW.db must not exist yet.
    #[arg(long, value_name = "NEW.db")]
    pub repair: Option<PathBuf>,
}

/// `plydex backup`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The copy is a consistent state of the database in one file, ready for --db.

Examples:
  plydex backup /media/disk/games.db
  plydex backup --force weekly.db
  plydex backup games.db.zst              compressed; decompress it before use"
)]
pub struct BackupArgs {
    /// The copy; .zst and .gz are compressed, - is standard output
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
}

/// `plydex restore`.
#[derive(Debug, Clone, ClapArgs)]
#[command(
    after_long_help = "The backup is checked while it is copied. The database that is replaced stays beside the
new one under the name that is printed, with a log that a killed import may have left.

Examples:
  plydex restore weekly.db
  plydex --db games.db restore games.db.zst"
)]
pub struct RestoreArgs {
    /// A backup that `plydex backup` made, compressed or not
    #[arg(value_name = "BACKUP")]
    pub backup: PathBuf,
}
