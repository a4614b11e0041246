//! `plydex repertoire`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args as ClapArgs;
use serde::Serialize;

use crate::base::display_path;
use crate::base::temporary::TemporaryFolder;
use crate::cli::CommandContext;
use crate::cli::args::output::{LanguageArgs, TableFormat};
use crate::cli::args::query::FilterArgs;
use crate::cli::args::query_builder::{conditions, output_language, question};
use crate::cli::args::report_file::ReportFileArgs;
use crate::cli::args::value_parsers;
use crate::cli::args::view::SideArg;
use crate::cli::commands::novelty::LINES_DEFAULT;
use crate::cli::commands::{CommandArgs, SavedTexts, names};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::{CheckedDestination, Destination};
use crate::cli::render::number::counted;
use crate::cli::render::{departures, repertoire};
use crate::cli::resolve::resolve;
use crate::database::{
    ComparedPosition, Database, DepartureOptions, DepartureReport, DuplicateAction, Error,
    ImportOptions, ImportReport, NameMatches, Repertoire, RepertoireGap, Sources, UnreadVariation,
    gaps,
};
use crate::games::notation::letters::Language;
use crate::query::Query;

/// `plydex repertoire`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "plydex looks up every position of FILE, variations included, in the database. The games in
FILE are not stored.

How often you will reach a position is computed as follows: you play the moves of FILE, each
equally often, and your opponents play each move as often as the games of the database do.

With --by-game, plydex follows each game to its last position in FILE and says who left FILE
there. A position counts by whatever moves a game reaches it. If you name a player with --player,
only the games count in which the player has the side of FILE.

Examples:
  plydex repertoire white.pgn
  plydex repertoire white.pgn --by-game --player 'Doe, John' --since 2024
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
    /// Show where each game left FILE
    ///
    /// The report says for each game who left FILE, at which move and what FILE says there; it
    /// sums up results by position, and lists moves of opponents that FILE lacks.
    #[arg(long)]
    pub by_game: bool,
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
    /// The page.
    #[command(flatten)]
    pub page: ReportFileArgs,
}

/// `repertoire`.
#[derive(Debug, Clone)]
pub struct RepertoirePlan {
    /// The file.
    pub file: PathBuf,
    /// Whose it is: 0 White, 1 Black; `None` if the file says.
    pub side: Option<usize>,
    /// The games that it is compared with.
    pub query: Query,
    /// Whether each game is followed, instead of looking up each position.
    pub by_game: bool,
    /// Lines of each table, as typed: 0 is all.
    pub limit: Option<u64>,
    /// Games of a move that is worth a word.
    pub min_games: u64,
    /// The language that moves are written in.
    pub language: &'static Language,
    /// Of the answer.
    pub format: TableFormat,
    /// Where the page goes.
    pub page: Option<Destination>,
}

impl RepertoirePlan {
    /// Lines of each table.
    fn lines(&self) -> usize {
        match self.limit.unwrap_or(LINES_DEFAULT) {
            0 => usize::MAX,
            lines => usize::try_from(lines).unwrap_or(usize::MAX),
        }
    }

    /// Games of a list, which programs get whole.
    fn games_max(&self) -> Option<usize> {
        let is_whole = self.limit.is_none() && self.format != TableFormat::Table;
        (!is_whole).then(|| self.lines())
    }
}

pub(crate) fn plan(
    args: RepertoireArgs,
    warnings: &mut Vec<String>,
) -> Result<RepertoirePlan, CliError> {
    let mut conditions = conditions(&args.filter, warnings)?;
    let mut query = match &args.question {
        Some(text) => question(text, (&mut conditions, &args.filter.saved, false), warnings)?,
        None => Query::default(),
    };
    query.require(conditions);
    query.scope.exact_names = args.filter.exact_names;
    Ok(RepertoirePlan {
        side: args.side.map(|side| match side {
            SideArg::White => 0,
            SideArg::Black => 1,
        }),
        query,
        by_game: args.by_game,
        limit: args.limit,
        min_games: args.min_games.unwrap_or(1),
        language: output_language(&args.language)?,
        file: args.file,
        format: args.format,
        page: args.page.destination(),
    })
}

/// Variations that are named, if they were not read to their ends.
const WARNINGS_MAX: usize = 20;

/// A repertoire as it stands beside the database.
#[derive(Serialize)]
pub struct RepertoireReport<'r> {
    /// The file as it was named.
    pub file: String,
    /// `white` or `black`; none if it cannot be determined.
    pub side: Option<&'static str>,
    /// Moves that White and Black have to choose from, on average.
    pub choices: [f64; 2],
    /// What there is to prepare, what comes up most often first.
    pub gaps: Vec<RepertoireGap>,
    /// All positions of the file, in the order of its text.
    pub positions: &'r [ComparedPosition],
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

/// Where games leave a repertoire, as JSON.
#[derive(Serialize)]
struct DepartureResult<'r> {
    file: &'r str,
    #[serde(flatten)]
    report: &'r DepartureReport,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

pub(crate) fn run(
    plan: &RepertoirePlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let place = context.place_page(plan.page.as_ref(), &[plan.file.as_path()])?;
    let (file, known) = read_file(&plan.file, context)?;
    let side = plan.side.or_else(|| known.side());
    if !plan.by_game {
        return compare(plan, (&file, &known, side), place.as_ref(), context);
    }
    let Some(side) = side else {
        let error = format!("{file} does not show whose repertoire it is");
        return Err(CliError::new(error).hint("add --side white or --side black"));
    };
    let options = DepartureOptions {
        side,
        games_max: plan.games_max(),
        language: plan.language,
    };
    let progress = context.progress();
    let report = context.ask(|snapshot| {
        let ready = resolve(snapshot, &plan.query)?;
        let report = snapshot.report_departures((&known, &ready.plan), &options, &progress)?;
        Ok::<_, CliError>((ready, report))
    });
    progress.clear();
    let (ready, report) = report?;
    let games = report.results.first().map_or(0, |all| all.figures.games);
    match plan.format {
        TableFormat::Table => {
            departures::write(context.out, &context.screen, (&file, &report), plan.lines())?;
        }
        TableFormat::Json => context.json(&DepartureResult {
            file: &file,
            report: &report,
            names: &ready.names,
        })?,
        TableFormat::Csv => departures::csv(&mut *context.data(), &report.games)?,
    }
    context.out.flush()?;
    ready.explain(plan.query.scope.exact_names, context);
    for (games, of) in [
        (report.elsewhere, "without a position of the file"),
        (report.other_side, "in which the player has the other side"),
    ] {
        if games > 0 {
            let games = counted(games, "game", "games");
            context.notes.note(&format!("not counted: {games} {of}"));
        }
    }
    if let Some(place) = place.filter(|_| games > 0) {
        context.write_page(&place, departures::page((&file, &report), plan.lines()))?;
    }
    Ok(Exit::found(games))
}

/// Reads the repertoire of a file, whose name as it is shown comes first, and warns of what was not
/// read to its end.
pub(super) fn read_file(
    path: &Path,
    context: &mut CommandContext<'_>,
) -> Result<(String, Repertoire), CliError> {
    let file = display_path::path(path).into_owned();
    let (summary, known) = read(path, context)?;
    if known.is_empty() {
        let error = format!("{file} has no game that can be played");
        return Err(CliError::new(error).hint("a repertoire is a file of games, such as PGN"));
    }
    warn(&file, &summary, &known, context);
    Ok((file, known))
}

fn read(
    path: &Path,
    context: &mut CommandContext<'_>,
) -> Result<(ImportReport, Repertoire), CliError> {
    let sources = Sources::find([path])?;
    let drafts = TemporaryFolder::for_drafts().map_err(Error::temporary)?;
    let progress = context.progress();
    let draft = Database::at(drafts.path().join("repertoire.db"));
    let draft = draft.with_observer(Arc::clone(&progress));
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    let read = draft.import_sources(sources, &options, &[]);
    let read = read.and_then(|summary| Ok((summary, draft.snapshot()?.repertoire()?)));
    progress.clear();
    Ok(read?)
}

/// Warns of what was not read to its end.
fn warn(file: &str, summary: &ImportReport, known: &Repertoire, context: &mut CommandContext<'_>) {
    for incomplete in &summary.incomplete_named {
        let text = format!(
            "game {} of {file} was read as far as it can be played: {}",
            incomplete.number, incomplete.detail
        );
        context.notes.warning(&text);
    }
    let unread = known.unread();
    for UnreadVariation {
        game,
        place,
        detail,
    } in unread.iter().take(WARNINGS_MAX)
    {
        let text = format!(
            "the variation at {place} of game {game} of {file} was read as far as it can be played: {detail}"
        );
        context.notes.warning(&text);
    }
    if let Some(others @ 1..) = unread.len().checked_sub(WARNINGS_MAX) {
        let others = counted(others as u64, "other variation", "other variations");
        let text = format!("{others} of {file}, read as far as can be played, not listed");
        context.notes.warning(&text);
    }
}

/// Looks up each position of the file.
fn compare(
    plan: &RepertoirePlan,
    (file, known, side): (&str, &Repertoire, Option<usize>),
    place: Option<&CheckedDestination>,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = context.progress();
    let compared = context.ask(|snapshot| {
        let ready = resolve(snapshot, &plan.query)?;
        let (conditions, is_cut) = snapshot.conditions(&ready.plan)?;
        if is_cut {
            return Err(CliError::interrupted());
        }
        let asked = (&conditions, side, plan.language);
        let compared = snapshot.compare(known, asked, &progress)?;
        Ok((ready, compared))
    });
    progress.clear();
    let (ready, compared) = compared?;
    let report = RepertoireReport {
        file: file.to_owned(),
        side: side.map(|side| ["white", "black"][side & 1]),
        choices: known.choices(),
        gaps: gaps(&compared, plan.min_games),
        positions: &compared,
        names: &ready.names,
    };
    match plan.format {
        TableFormat::Table => {
            repertoire::write(context.out, &context.screen, &report, plan.lines())?;
        }
        TableFormat::Json => context.json(&report)?,
        TableFormat::Csv => repertoire::csv(&mut *context.data(), &compared)?,
    }
    context.out.flush()?;
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    if side.is_none() {
        context.notes.note(
            "both sides have as many moves to choose from; --side white or --side black says \
             whose repertoire it is",
        );
    }
    let reached = compared.iter().filter(|at| at.total.games > 0).count() as u64;
    let positions = counted(compared.len() as u64, "position", "positions");
    let note = format!("{reached} of {positions} are in the database");
    context.notes.note(&note);
    if let Some(place) = place {
        context.write_page(place, repertoire::page(&report, plan.lines()))?;
    }
    Ok(Exit::found(reached))
}

impl CommandArgs for RepertoireArgs {
    const IS_PAGED: bool = true;
    type Plan = RepertoirePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some((self.question.iter().collect(), &mut self.filter.saved))
    }
}
