//! Arguments that say how sources are read: formats, variants, languages, evaluations.

use clap::{Args as ClapArgs, ValueEnum};

use crate::cli::args::query_builder::language;
use crate::cli::args::value_parsers;
use crate::cli::error::CliError;
use crate::database::{self, DuplicateAction, EvalOverride, Format as SourceFormat, ImportOptions};
use crate::pgn::parser::eval_view::{EvalReading, EvalSide, EvalUnit};
use crate::query::read;

pub use crate::cli::args::query::FilterArgs;
pub use crate::cli::args::query::PageArgs;
pub use crate::cli::args::query::PositionArgs;

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

/// What becomes of games that are stored already.
pub(crate) const DUPLICATES: &[(&str, DuplicateAction)] = &[
    ("skip", DuplicateAction::Skip),
    ("best", DuplicateAction::Best),
    ("keep", DuplicateAction::Keep),
];

/// How sources are read.
pub(crate) fn reading(args: &ReadingArgs) -> Result<ImportOptions, CliError> {
    Ok(ImportOptions {
        threads: args.threads.map(|threads| threads as usize),
        format: args.read_as.as_deref().map(source_format).transpose()?,
        variant: args.variant.as_deref().map(variant).transpose()?,
        language: args.language.as_deref().map(language).transpose()?,
        evals: evals(args).put_in(EvalReading::UNKNOWN),
        ..ImportOptions::default()
    })
}

/// What is said of how evaluations are read.
pub(crate) fn evals(args: &ReadingArgs) -> EvalOverride {
    EvalOverride {
        unit: args.eval_unit.map(|unit| match unit {
            EvalUnitArg::Pawns => Some(EvalUnit::Pawns),
            EvalUnitArg::Centipawns => Some(EvalUnit::Centipawns),
            EvalUnitArg::Auto => None,
        }),
        side: args.eval_side.map(|side| match side {
            EvalSideArg::White => Some(EvalSide::White),
            EvalSideArg::Mover => Some(EvalSide::Mover),
            EvalSideArg::Auto => None,
        }),
    }
}

/// The number of the variant that is called so.
fn variant(name: &str) -> Result<u8, CliError> {
    read::variant_id(name).map_err(|error| CliError::of_value(error).at("--variant"))
}

/// The format of sources that is called so.
fn source_format(name: &str) -> Result<&'static SourceFormat, CliError> {
    database::format_named(name).map_err(|error| {
        CliError::from_error(&error).hint("name one of these with --as, or leave it out")
    })
}
