//! The reports below `/v1/`: names, novelties, players, positions, structures and events.

use std::path::Path;

use super::handler_error::{HandlerError, HandlerResult};
use super::params::Params;
use super::response::{AnswerWriter, JSON, Response};
use super::v1::{self, Route, RouteMatch};
use crate::cli::args::query::ListArgs;
use crate::cli::commands::crosstable::{self, CrosstableArgs};
use crate::cli::commands::names::{self, NamesArgs};
use crate::cli::commands::novelty::{self, NoveltyArgs};
use crate::cli::commands::prepare::{self, PrepareArgs};
use crate::cli::commands::report::{self, PlanArgs, ReportArgs};
use crate::cli::commands::structure::{self, StructureArgs};
use crate::cli::error::CliError;
use crate::cli::saved_queries;
use crate::database::{NameTable, Snapshot};
use crate::query::SavedQueries;

/// Names of a list, and novelties, at most.
const LINES_MAX: u64 = 1_000;

const TEXT: (&str, &str) = ("text", "Words that the names contain");
const NAMES: &[&str] = &["limit", "sort", "spellings"];
const FILTERS: &[&str] = &["exact-names", "since", "until", "min-elo", "max-elo", "tag"];
const PLANS: &[&str] = &["window", "setup"];

/// The routes of reports.
pub(super) const ROUTES: &[Route] = &[
    Route {
        path: "players",
        summary: "Names of players, as `plydex players --format json` lists them",
        kind: "application/json",
        places: &[TEXT],
        needs: &[],
        has_conditions: false,
        settings: &[NAMES],
        command: "players",
        is_static: false,
        answer: |snapshot, asked| list(snapshot, asked, NameTable::Player),
    },
    Route {
        path: "events",
        summary: "Names of events, as `plydex events --format json` lists them",
        kind: "application/json",
        places: &[TEXT],
        needs: &[],
        has_conditions: false,
        settings: &[NAMES],
        command: "events",
        is_static: false,
        answer: |snapshot, asked| list(snapshot, asked, NameTable::Event),
    },
    Route {
        path: "novelty",
        summary: "Where games left what was known, as `plydex novelty --format json` lists them",
        kind: "application/json",
        places: &[v1::POSITION],
        needs: &[],
        has_conditions: true,
        settings: &[v1::COMPARISON, v1::SELECTION, v1::PAGE, v1::MOVES],
        command: "novelty",
        is_static: false,
        answer: novelties,
    },
    Route {
        path: "prepare",
        summary: "A player as an opponent, as `plydex prepare --format json` reports",
        kind: "application/json",
        places: &[("name", "The player: a name, or a FIDE ID")],
        needs: &["name"],
        has_conditions: false,
        settings: &[&[
            "you",
            "against",
            "since",
            "min-share",
            "time",
            "variant",
            "where",
            "exact-names",
            "language",
        ]],
        command: "prepare",
        is_static: false,
        answer: player,
    },
    Route {
        path: "report",
        summary: "A position, as `plydex report --format json` reports",
        kind: "application/json",
        places: &[v1::POSITION],
        needs: &[],
        has_conditions: true,
        settings: &[
            &["identity", "any-variant", "where", "language"],
            FILTERS,
            PLANS,
        ],
        command: "report",
        is_static: false,
        answer: position,
    },
    Route {
        path: "structure",
        summary: "A pawn structure or an ending, as `plydex structure --format json` reports",
        kind: "application/json",
        places: &[(
            "structure",
            "A position, a structure with a name, an ending or a query",
        )],
        needs: &["structure"],
        has_conditions: true,
        settings: &[&["width"], FILTERS, PLANS],
        command: "structure",
        is_static: false,
        answer: structure,
    },
    Route {
        path: "crosstable",
        summary: "The table of an event, as `plydex crosstable --format json` gives it",
        kind: "application/json",
        places: &[("event", "Its name, or words of it; a year may follow")],
        needs: &["event"],
        has_conditions: false,
        settings: &[&[
            "year",
            "since",
            "until",
            "site",
            "where",
            "exact-names",
            "round",
            "tie-breaks",
            "assume-bye",
        ]],
        command: "crosstable",
        is_static: false,
        answer: table,
    },
];

/// The text that a route is about.
fn named<'r>(asked: &RouteMatch<'r>, name: &str, example: &str) -> Result<&'r str, HandlerError> {
    let text = asked.request.param(name).map(str::trim);
    text.filter(|text| !text.is_empty()).ok_or_else(|| {
        let error = CliError::new(format!("the parameter {name} is missing"));
        HandlerError::Wrong(error.hint(format!("write {name}={example}")))
    })
}

/// What `@name` stands for in texts.
fn saved<'t>(
    texts: impl IntoIterator<Item = &'t String>,
    snapshot: &Snapshot<'_>,
) -> Result<SavedQueries, HandlerError> {
    // Where files are is not for others.
    let name = snapshot.path().file_name().unwrap_or_default();
    saved_queries::of_texts(texts, snapshot.path(), Path::new(name)).map_err(HandlerError::Failed)
}

fn bounded(limit: Option<u64>) -> Option<u64> {
    limit.map(|limit| match limit {
        0 => LINES_MAX,
        _ => limit.min(LINES_MAX),
    })
}

fn answered(write: impl FnOnce(&mut AnswerWriter) -> Result<(), CliError>) -> HandlerResult {
    Response::written(JSON, write, v1::refused)
}

fn list(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>, table: NameTable) -> HandlerResult {
    let params = asked.read()?;
    let text = asked.request.param(TEXT.0).unwrap_or_default();
    let args = NamesArgs {
        text: text.split_whitespace().map(str::to_owned).collect(),
        spellings: params.report.spellings,
        limit: bounded(params.list.page.limit),
        sort: params.list.page.sort,
        ..NamesArgs::default()
    };
    let plan = names::plan(table, args).map_err(HandlerError::Wrong)?;
    answered(|out| names::json(&plan, snapshot, out))
}

fn novelties(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let mut list = v1::saved(asked.read()?.list, snapshot)?;
    list.page.limit = bounded(list.page.limit);
    let args = NoveltyArgs {
        list,
        ..NoveltyArgs::default()
    };
    let plan = novelty::plan(&args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    answered(|out| novelty::json(&plan, snapshot, out))
}

fn player(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let Params {
        list,
        report,
        variant,
        ..
    } = asked.read()?;
    let args = PrepareArgs {
        name: vec![named(asked, "name", "Carlsen, Magnus")?.to_owned()],
        you: report.you,
        against: report.against,
        since: list.filter.since,
        min_share: report.min_share,
        time: report.time,
        variant,
        saved: saved(&list.question, snapshot)?,
        question: list.question,
        exact_names: list.filter.exact_names,
        language: list.language,
        ..PrepareArgs::default()
    };
    let plan = prepare::plan(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    answered(|out| prepare::json(&plan, snapshot, out))
}

/// How games are followed.
const fn plans(params: &Params) -> PlanArgs {
    PlanArgs {
        window: params.report.window,
        setup: params.report.setup,
    }
}

fn position(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let params = asked.read()?;
    let plans = plans(&params);
    let list = v1::saved(params.list, snapshot)?;
    let args = ReportArgs {
        position: list.position,
        question: list.question,
        filter: list.filter,
        plans,
        language: list.language,
        ..ReportArgs::default()
    };
    let plan = report::plan(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    answered(|out| report::json(&plan, snapshot, out))
}

fn structure(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let params = asked.read()?;
    let text = named(asked, "structure", "iqp")?.to_owned();
    let plans = plans(&params);
    let ListArgs { mut filter, .. } = params.list;
    filter.saved = saved([&text], snapshot)?;
    let args = StructureArgs {
        structure: vec![text],
        width: params.report.width,
        filter,
        plans,
        ..StructureArgs::default()
    };
    let plan = structure::plan(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    answered(|out| structure::json(&plan, snapshot, out))
}

fn table(snapshot: &Snapshot<'_>, asked: &RouteMatch<'_>) -> HandlerResult {
    let Params { list, report, .. } = asked.read()?;
    let args = CrosstableArgs {
        event: vec![named(asked, "event", "Linares 1992")?.to_owned()],
        year: report.year,
        since: list.filter.since,
        until: list.filter.until,
        site: report.site,
        saved: saved(&list.question, snapshot)?,
        question: list.question,
        exact_names: list.filter.exact_names,
        round: report.round,
        tie_breaks: Some(report.tie_breaks).filter(|list| !list.is_empty()),
        assume_bye: report.assume_bye,
        ..CrosstableArgs::default()
    };
    if args.year.is_some() && (args.since.is_some() || args.until.is_some()) {
        let error = CliError::new("year cannot be combined with since and until");
        return Err(HandlerError::Wrong(error));
    }
    let plan = crosstable::plan(args, &mut Vec::new()).map_err(HandlerError::Wrong)?;
    answered(|out| crosstable::json(&plan, snapshot, out))
}
