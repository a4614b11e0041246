//! How sources are read, and read again: formats, variants, languages, evaluations.

use super::args_output::TextFormat;
use super::args_reread::{EvalSideArg, EvalUnitArg, ReadingArgs, RereadArgs};
use super::backend::{ImportOptions, SourceFormat};
use super::error::CliError;
use super::plan_query::language;
use crate::base::record::GameId;
use crate::db::import;
use crate::db::reread::{EvalOverride, RereadTarget};
use crate::pgn::parser::eval_view::{EvalReading, EvalSide, EvalUnit};
use crate::query::read;

/// `reread`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RereadPlan {
    /// What is read again.
    pub target: RereadTarget,
    /// What is said of its evaluations.
    pub evals: EvalOverride,
    /// Whether games are read again, and not only evaluations.
    pub reads_again: bool,
    /// How.
    pub options: ImportOptions,
    /// Of the summary.
    pub format: TextFormat,
}

/// What is read again, and how.
pub(super) fn reread(args: RereadArgs) -> Result<RereadPlan, CliError> {
    let game = args.target.to_str().and_then(|text| {
        let number = text.strip_prefix('#').unwrap_or(text);
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        number.parse::<GameId>().ok().filter(|_| is_number)
    });
    if game.is_some() && args.import.is_some() {
        return Err(
            CliError::new("--import has no effect on a game, which has a number")
                .hint("leave out --import, or name a source"),
        );
    }
    let given = evals(&args.reading);
    if game.is_some() && given != EvalOverride::default() {
        return Err(
            CliError::new("--eval-unit and --eval-side are about all games of a source")
                .hint("name the source; `plydex show` says where a game was read"),
        );
    }
    let reading_args = &args.reading;
    let reads_again = given == EvalOverride::default()
        || reading_args.read_as.is_some()
        || reading_args.variant.is_some()
        || reading_args.language.is_some();
    Ok(RereadPlan {
        evals: given,
        reads_again,
        target: match game {
            Some(game) => RereadTarget::Game(game),
            None => RereadTarget::Source {
                name: args.target,
                import: args.import,
            },
        },
        options: reading(&args.reading)?,
        format: args.answer.format,
    })
}

/// How sources are read.
pub(super) fn reading(args: &ReadingArgs) -> Result<ImportOptions, CliError> {
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
fn evals(args: &ReadingArgs) -> EvalOverride {
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
    import::format_named(name).map_err(|error| {
        CliError::from_error(&error).hint("name one of these with --as, or leave it out")
    })
}
