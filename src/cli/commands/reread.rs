//! `plydex reread`.

use clap::Args as ClapArgs;

use crate::base::record::GameId;
use crate::cli::CommandContext;
use crate::cli::args::output::{AnswerArgs, TextFormat};
use crate::cli::args::reading::{ReadingArgs, evals, reading};
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::reread;
use crate::database::{EvalOverride, ImportOptions, RereadTarget};

/// `plydex reread`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "plydex reads the source again from where it was imported, in one step; if anything fails,
the database does not change. Games that read as before stay as they are. The others get new
numbers, and the games that they were are removed; `plydex undo` brings them back. A source
that has changed since the import is not read. A game whose source is missing or has changed
is read from the text in the database.

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
pub(crate) fn plan(args: RereadArgs) -> Result<RereadPlan, CliError> {
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

pub(crate) fn run(plan: &RereadPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = context.progress();
    let database = context.observed(&progress);
    let read = match &plan.target {
        RereadTarget::Source { name, import } if !plan.reads_again => {
            database.set_evaluations((name, *import), plan.evals)
        }
        target => database.reread(target, &plan.options, plan.evals),
    };
    progress.clear();
    let report = read?;
    for source in &report.sources {
        if let Some(why) = &source.stored_text {
            let note = format!("{why}; the game was read from its stored text");
            context.notes.warning(&note);
        }
    }
    match plan.format {
        TextFormat::Text => reread::write(context.out, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}

impl CommandArgs for RereadArgs {
    type Plan = RereadPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
