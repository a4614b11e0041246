//! What was typed about how sources are read, and read again.

use clap::{Args as ClapArgs, ValueEnum};

use super::{args_output::AnswerArgs, value_parsers};

/// How sources are read, where they do not say it themselves.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct ReadingArgs {
    /// Threads to use [default: one per core]
    ///
    /// Their number never changes the result.
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u32>(1, 1024))]
    pub threads: Option<u32>,
    /// Format of all files [default: detected]
    ///
    /// One of pgn, pdn, epd, fen, json, table, csv, tsv, text, list, puzzles, problems,
    /// popeye, popeye-output or olive, whatever the files look like.
    #[arg(long = "as", value_name = "FORMAT")]
    pub read_as: Option<String>,
    /// Variant of all games, whatever their tags say
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Language of chess moves: de, fr … [default: detected]
    ///
    /// It applies to all files. Otherwise plydex detects the language of each file from
    /// the letters of its moves.
    #[arg(long, value_name = "LANG")]
    pub language: Option<String>,
    /// Unit of evaluations in comments: pawns, centipawns or auto
    ///
    /// auto is the default: the form decides (0.31, or 31 with a depth), or all games of a
    /// file together.
    #[arg(long, value_name = "UNIT")]
    pub eval_unit: Option<EvalUnitArg>,
    /// Point of view of evaluations: white, mover (the side that moved) or auto
    ///
    /// auto is the default: each game decides, or all games of a file together. `0.5` in a command,
    /// as lichess writes it, is White's.
    #[arg(long, value_name = "SIDE")]
    pub eval_side: Option<EvalSideArg>,
}

/// A unit of evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalUnitArg {
    /// Pawns.
    Pawns,
    /// Hundredths of a pawn.
    Centipawns,
    /// What the form or the games show.
    Auto,
}

/// Whose view evaluations have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EvalSideArg {
    /// White's.
    White,
    /// That of the side that moved.
    Mover,
    /// What the form or the games show.
    Auto,
}

/// `plydex reread`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "plydex reads the source again from where it was imported and replaces its games in one
step; if anything fails, the database does not change. If the number of games differs, the
games after them are renumbered. A source that has changed since the import is not read. A
game whose source is missing or has changed is read from the text in the database.

With --eval-unit and --eval-side alone, no game is read again: they set how the evaluations
in the comments of a source are interpreted. auto removes the setting.

Examples:
  plydex reread --variant russian club.pdn      all its games are Russian draughts
  plydex reread --language nl schaak.pgn        its moves are in Dutch
  plydex reread --as epd positions.txt          it is a list of positions
  plydex reread --eval-side mover bots.pgn      evaluations are those of the side that moved
  plydex reread '#17' --variant pool            only game 17
  plydex reread twic.zip/weekly/twic1400.pgn    as today's plydex reads it"
)]
pub struct RereadArgs {
    /// Name of an imported source, or number of a game
    ///
    /// `plydex sql 'SELECT * FROM source'` lists the sources. A game is named by its number,
    /// as in the first column of search: 17 or #17.
    #[arg(value_name = "SOURCE|GAME")]
    pub target: std::path::PathBuf,
    /// Only what the import with this number read
    ///
    /// Several imports may have read files of the same name. This option selects those of
    /// one import.
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u64>(1, i64::MAX as u64))]
    pub import: Option<u64>,
    /// How it is read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// How the answer is given.
    #[command(flatten)]
    pub answer: AnswerArgs,
}
