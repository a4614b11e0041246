//! `plydex report`.

use std::io::Write;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use crate::base::observe::{NullObserver, Observer};
use crate::cli::CommandContext;
use crate::cli::args::output::LanguageArgs;
use crate::cli::args::query::{FilterArgs, PositionArgs, saved_texts};
use crate::cli::args::query_builder::{conditions, one_position, output_language};
use crate::cli::args::report_file::ReportFileArgs;
use crate::cli::args::value_parsers;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::relax;
use crate::cli::render::{self, report};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::database::{NameMatches, PlanLimits, PositionReport, ReportOptions, Snapshot};
use crate::query::{PositionQuery, Query};

/// Plies that games are followed.
pub(super) const WINDOW: u32 = 28;
pub(crate) const WINDOW_MAX: u64 = 120;

/// `plydex report`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "Plans are steps that the same games play: pieces that stop on a square, pushed pawns,
exchanges. They are found by following every piece of the position through the games, and
listed by how much more often they are played than in other games at the same ply.
Scores are those of the side to move, in plans those of the side whose plan it is. A score with
▲ or ▼ differs by more than chance from the games without the plan.

Examples:
  plydex report d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O
  plydex report e4 c5 Nf3 d6 d4 --since 2010 --min-elo 2500
  plydex report e4 e5 Nf3 Nc6 Bb5 --html spanish.html
  plydex report e4 e6 d4 d5 e5 --window 36 --format json"
)]
pub struct ReportArgs {
    /// The position.
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// The filters.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// How games are followed.
    #[command(flatten)]
    pub plans: PlanArgs,
    /// The language of the moves.
    #[command(flatten)]
    pub language: LanguageArgs,
    /// table or json
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: ReportFormat,
    /// The page.
    #[command(flatten)]
    pub page: ReportFileArgs,
}

/// How plans are found.
#[derive(Debug, Clone, Copy, Default, ClapArgs)]
#[command(next_help_heading = "Plans")]
pub struct PlanArgs {
    /// Plies that games are followed for plans [default: 28]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u32>(8, WINDOW_MAX))]
    pub window: Option<u32>,
    /// Percent of the games that play a step of the set-up, not of a plan [default: 70]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u8>(10, 100))]
    pub setup: Option<u8>,
}

impl PlanArgs {
    pub(super) fn window(self) -> u32 {
        self.window.unwrap_or(WINDOW)
    }

    pub(super) fn limits(self) -> PlanLimits {
        let limits = PlanLimits::default();
        PlanLimits {
            setup: self
                .setup
                .map_or(limits.setup, |percent| f64::from(percent) / 100.0),
            ..limits
        }
    }
}

/// Formats of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ReportFormat {
    /// Text, for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
}

/// `report`.
#[derive(Debug, Clone)]
pub struct ReportPlan {
    /// The position.
    pub position: PositionQuery,
    /// The games that reach it.
    pub query: Query,
    /// What the report has.
    pub options: ReportOptions,
    /// Of the answer.
    pub format: ReportFormat,
    /// Where the page goes.
    pub page: Option<Destination>,
}

pub(crate) fn plan(args: ReportArgs, warnings: &mut Vec<String>) -> Result<ReportPlan, CliError> {
    let wanted = args.position.clone();
    let conditions = conditions(&args.filter, warnings)?;
    let counts = [&wanted.ending, &wanted.value, &wanted.men, &wanted.kings];
    if counts.into_iter().any(Option::is_some) {
        return Err(CliError::new(
            "a report needs a position, and --ending, --value, --men and --kings do not name one",
        )
        .hint("give a POSITION; `plydex structure RvR` reports on an ending"));
    }
    let others = [
        wanted.rotate,
        wanted.mirror,
        wanted.flip,
        wanted.shift,
        wanted.turn,
    ];
    if others.contains(&true) || wanted.in_variations {
        return Err(
            CliError::new("a report is on one position of main lines").hint(
                "leave out --rotate, --mirror, --flip, --shift, --orientations and --in-variations",
            ),
        );
    }
    let asked = (&wanted, args.question.as_deref());
    let found = one_position(asked, &args.filter, conditions, warnings)?;
    let (position, query) = (found.position, found.query);
    Ok(ReportPlan {
        position,
        query,
        options: ReportOptions {
            window: args.plans.window(),
            limits: args.plans.limits(),
            language: output_language(&args.language)?,
        },
        format: args.format,
        page: args.page.destination(),
    })
}

/// What is printed as JSON.
#[derive(Serialize)]
struct ReportResult<'r> {
    command: &'static str,
    #[serde(flatten)]
    report: &'r PositionReport,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

fn find(
    plan: &ReportPlan,
    snapshot: &Snapshot<'_>,
    progress: &dyn Observer,
) -> Result<(ResolvedQuery, PositionReport), CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let position = ready.plan.position.as_ref().unwrap_or(&plan.position);
    let report = snapshot.report_position((&ready.plan, position), &plan.options, progress)?;
    Ok((ready, report))
}

/// The report as JSON.
pub(crate) fn json(
    plan: &ReportPlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let (ready, report) = find(plan, snapshot, &NullObserver)?;
    let result = ReportResult {
        command: "report",
        report: &report,
        names: &ready.names,
    };
    Ok(render::json::line(out, &result)?)
}

fn run(plan: &ReportPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let place = context.place_page(plan.page.as_ref(), &[])?;
    let progress = context.progress();
    let found = context.ask(|snapshot| find(plan, snapshot, &progress));
    progress.clear();
    let (ready, found) = found?;
    match plan.format {
        ReportFormat::Table => report::write(context.out, &context.screen, &found)?,
        ReportFormat::Json => context.json(&ReportResult {
            command: "report",
            report: &found,
            names: &ready.names,
        })?,
    }
    context.out.flush()?;
    ready.explain(plan.query.scope.exact_names, context);
    if found.results.games == 0 {
        context.notes.note("no games found");
        relax::say(&ready.plan, context)?;
    } else if let Some(place) = &place {
        context.write_page(place, report::page(&found))?;
    }
    Ok(Exit::found(found.results.games))
}

impl CommandArgs for ReportArgs {
    const IS_PAGED: bool = true;
    type Plan = ReportPlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        let question = self.question.as_ref();
        Some(saved_texts(&self.position, question, &mut self.filter))
    }
}
