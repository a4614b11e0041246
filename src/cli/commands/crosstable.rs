//! `plydex crosstable`.

use std::io::Write;

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use crate::cli::CommandContext;
use crate::cli::args::query::FilterArgs;
use crate::cli::args::query_builder::{conditions, question};
use crate::cli::args::report_file::ReportFileArgs;
use crate::cli::args::value_parsers;
use crate::cli::commands::{CommandArgs, SavedTexts};
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::output::Destination;
use crate::cli::render::number::counted;
use crate::cli::render::{self, crosstable};
use crate::cli::resolve::{ResolvedQuery, resolve};
use crate::database::{
    Crosstable, CrosstableAnswer, CrosstableOptions, EventSummary, Snapshot, TieBreak,
};
use crate::query::{Query, SavedQueries};

/// `plydex crosstable`.
#[derive(Debug, Default, ClapArgs)]
#[command(
    after_long_help = "The games of an event are those with its name, at one place and without a break of more
than 45 days. Spellings of the name and of the players are joined. If several events have
the name, plydex lists them, with the options that select each.

Collections rarely have all games of an event. plydex counts those that are missing, and
gives a place only if no missing game can change it. A Swiss tournament in which players
have rounds without a game has no places, unless you say with --assume-bye what such a
round counts.

Tie-breaks have the names of the FIDE Handbook, C.07: DE, WIN, WON, BPG, BWG, PS, KS, SB,
BH, BH/C1, BH/C2, BH/M1, ARO, TPR and PTP. Without --tie-breaks a round robin has
DE,SB,WIN,KS, a Swiss tournament BH/C1,BH,DE,WIN,BPG.

Examples:
  plydex crosstable Linares --year 1992
  plydex crosstable 'Tata Steel' --year 2013 --round 9
  plydex crosstable Linares 1992 --format trf
  plydex crosstable 'Grand Swiss' --assume-bye 1/2 --html swiss.html"
)]
pub struct CrosstableArgs {
    /// The event: its name, or words of it; a year may follow
    #[arg(id = "event_name", value_name = "EVENT", required = true)]
    pub event: Vec<String>,
    /// Only games of this year
    #[arg(long, value_name = "YEAR", conflicts_with_all = ["since", "until"])]
    #[arg(value_parser = value_parsers::whole::<u16>(1, 9999))]
    pub year: Option<u16>,
    /// Earliest date: 2019, 2019-05 or 2019-05-31
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Latest date
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
    /// Only games at this site
    #[arg(long, value_name = "NAME")]
    pub site: Option<String>,
    /// Only games that match a query, as in `plydex search`
    #[arg(long = "where", value_name = "QUERY")]
    pub question: Option<String>,
    /// Do not join spellings of the event and of players
    #[arg(long)]
    pub exact_names: bool,
    /// The table after round N
    #[arg(long, value_name = "N", value_parser = value_parsers::whole::<u32>(1, 9999))]
    pub round: Option<u32>,
    /// Tie-breaks in their order: DE,SB,WIN …
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub tie_breaks: Option<Vec<TieBreak>>,
    /// Swiss: a round without a game counts 0, 1/2 or 1
    #[arg(long, value_name = "POINTS", value_parser = value_parsers::one_of(BYES))]
    pub assume_bye: Option<f64>,
    /// table, json, csv or trf
    ///
    /// trf is the tournament report of FIDE (TRF-16), which pairing programs read.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: CrosstableFormat,
    /// The page.
    #[command(flatten)]
    pub page: ReportFileArgs,
    /// What `@name` stands for in queries.
    #[arg(skip)]
    pub saved: SavedQueries,
}

/// What a round without a game may count.
pub(crate) const BYES: &[(&str, f64)] = &[
    ("0", 0.0),
    ("1/2", 0.5),
    ("½", 0.5),
    ("0.5", 0.5),
    ("1", 1.0),
];

/// Formats of `crosstable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum CrosstableFormat {
    /// A table for reading.
    #[default]
    Table,
    /// One JSON object.
    Json,
    /// Comma-separated values with a heading line.
    Csv,
    /// FIDE's tournament report.
    Trf,
}

/// `crosstable`.
#[derive(Debug, Clone)]
pub struct CrosstablePlan {
    /// The name of the event.
    pub event: String,
    /// The games.
    pub query: Query,
    /// The same, if the last word of the name is the year of the event.
    pub query_by_year: Option<Query>,
    /// How the table is made.
    pub options: CrosstableOptions,
    /// Of the answer.
    pub format: CrosstableFormat,
    /// Where the page goes.
    pub page: Option<Destination>,
}

pub(crate) fn plan(
    args: CrosstableArgs,
    warnings: &mut Vec<String>,
) -> Result<CrosstablePlan, CliError> {
    let event = args.event.join(" ");
    let query = |event: &str, year: Option<u16>, warnings: &mut Vec<String>| {
        let year = year.map(|year| year.to_string());
        let mut filter = FilterArgs {
            since: year.clone().or_else(|| args.since.clone()),
            until: year.or_else(|| args.until.clone()),
            exact_names: args.exact_names,
            saved: args.saved.clone(),
            ..FilterArgs::default()
        };
        filter.conditions.add("event", event);
        if let Some(site) = &args.site {
            filter.conditions.add("site", site);
        }
        let mut conditions = conditions(&filter, warnings)?;
        let mut query = match &args.question {
            Some(text) => question(text, (&mut conditions, &args.saved, false), warnings)?,
            None => Query::default(),
        };
        query.require(conditions);
        query.scope.exact_names = args.exact_names;
        Ok::<_, CliError>(query)
    };
    let is_dated = args.year.is_some() || args.since.is_some() || args.until.is_some();
    let by_year = match event.rsplit_once(' ') {
        Some((name, year)) if year.len() == 4 && !is_dated => {
            let year = year.parse().ok();
            year.map(|year| query(name, Some(year), warnings))
                .transpose()?
        }
        _ => None,
    };
    Ok(CrosstablePlan {
        query: query(&event, args.year, warnings)?,
        query_by_year: by_year,
        event,
        options: CrosstableOptions {
            until_round: args.round,
            tie_breaks: args.tie_breaks,
            bye: args.assume_bye,
            exact_names: args.exact_names,
        },
        format: args.format,
        page: args.page.destination(),
    })
}

/// Several events, as JSON.
#[derive(Serialize)]
struct EventList<'e> {
    command: &'static str,
    events: &'e [EventSummary],
    total: usize,
}

/// A table, as JSON.
#[derive(Serialize)]
struct TableReport<'t> {
    command: &'static str,
    #[serde(flatten)]
    table: &'t Crosstable,
}

/// The table as JSON, or the events that have the name.
pub(crate) fn json(
    plan: &CrosstablePlan,
    snapshot: &Snapshot<'_>,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let ready = query(snapshot, plan)?;
    let written = match &snapshot.crosstable(&ready.plan, &plan.options)? {
        CrosstableAnswer::One(table) => {
            check(plan, table)?;
            let report = TableReport {
                command: "crosstable",
                table,
            };
            render::json::line(out, &report)
        }
        CrosstableAnswer::Several { events, total } => {
            let list = EventList {
                command: "crosstable",
                events,
                total: *total,
            };
            render::json::line(out, &list)
        }
    };
    Ok(written?)
}

pub(crate) fn run(
    plan: &CrosstablePlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let place = context.place_page(plan.page.as_ref(), &[])?;
    let answer = context.ask(|snapshot| {
        let ready = query(snapshot, plan)?;
        let answer = snapshot.crosstable(&ready.plan, &plan.options)?;
        Ok::<_, CliError>((answer, ready))
    });
    let (answer, ready) = answer?;
    let table = match &answer {
        CrosstableAnswer::One(table) => table,
        CrosstableAnswer::Several { total: 0, .. } => {
            ready.explain(plan.options.exact_names, context);
            let of = if ready.names.iter().all(|names| names.spellings.is_empty()) {
                "`plydex events WORD` lists the names of events"
            } else {
                "none of its games meets the other conditions"
            };
            context
                .notes
                .note(&format!("no games of `{}`: {of}", plan.event));
            return Ok(Exit::NothingFound);
        }
        CrosstableAnswer::Several { events, total } => {
            several(events, *total, plan, context)?;
            return Ok(Exit::NothingFound);
        }
    };
    check(plan, table)?;
    match plan.format {
        CrosstableFormat::Table => crosstable::write(context.out, &context.screen, table)?,
        CrosstableFormat::Json => context.json(&TableReport {
            command: "crosstable",
            table,
        })?,
        CrosstableFormat::Csv => crosstable::csv(&mut *context.data(), table)?,
        CrosstableFormat::Trf => context.data().write_all(table.trf().as_bytes())?,
    }
    context.out.flush()?;
    if !matches!(plan.format, CrosstableFormat::Table) {
        for note in &table.notes {
            context.notes.note(note);
        }
    }
    if let Some(place) = &place {
        context.write_page(place, crosstable::page(table))?;
    }
    Ok(Exit::Done)
}

/// The query, or that with the year if the name with it finds nothing.
fn query(snapshot: &Snapshot<'_>, plan: &CrosstablePlan) -> Result<ResolvedQuery, CliError> {
    let ready = resolve(snapshot, &plan.query)?;
    let is_found =
        |ready: &ResolvedQuery| ready.names.iter().all(|names| !names.spellings.is_empty());
    if let Some(by_year) = plan.query_by_year.as_ref().filter(|_| !is_found(&ready)) {
        let ready = resolve(snapshot, by_year)?;
        if is_found(&ready) {
            return Ok(ready);
        }
    }
    Ok(ready)
}

/// What does not fit the event that was found.
fn check(plan: &CrosstablePlan, table: &Crosstable) -> Result<(), CliError> {
    if let (Some(round), None) = (plan.options.until_round, table.rounds) {
        return Err(
            CliError::new(format!("--round {round}: the games have no round numbers"))
                .hint("leave out --round"),
        );
    }
    let is_swiss = crosstable::kind(table.kind, table.games_each) == "Swiss";
    if plan.options.bye.is_some() && !is_swiss {
        return Err(CliError::new(format!(
            "--assume-bye is for Swiss tournaments, and this is a {}",
            crosstable::kind(table.kind, table.games_each)
        ))
        .hint("leave out --assume-bye"));
    }
    Ok(())
}

/// Lists the events that have a name, with what selects each.
fn several(
    events: &[EventSummary],
    total: usize,
    plan: &CrosstablePlan,
    context: &mut CommandContext<'_>,
) -> Result<(), CliError> {
    match plan.format {
        CrosstableFormat::Table => {
            crosstable::write_events(context.out, &context.screen, events)?;
        }
        CrosstableFormat::Json => context.json(&EventList {
            command: "crosstable",
            events,
            total,
        })?,
        // Programs that read players must not get events instead.
        CrosstableFormat::Csv | CrosstableFormat::Trf => {
            let first = crosstable::options(&events[0]);
            let name = &plan.event;
            let own = if first.starts_with("--") {
                format!("'{name}' {first}")
            } else {
                first
            };
            let error = CliError::new(format!("`{name}` is the name of {total} events"));
            return Err(error.hint(format!(
                "select one, such as `plydex crosstable {own}`; without --format they are listed"
            )));
        }
    }
    context.out.flush()?;
    let shown = if total > events.len() {
        format!(", of which these are the largest {}", events.len())
    } else {
        String::new()
    };
    context.notes.note(&format!(
        "`{}` is the name of {}{shown}; select one with the options in its line",
        plan.event,
        counted(total as u64, "event", "events"),
    ));
    Ok(())
}

impl CommandArgs for CrosstableArgs {
    const IS_PAGED: bool = true;
    type Plan = CrosstablePlan;

    fn plan(self, warnings: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        plan(self, warnings)
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }

    fn saved(&mut self) -> Option<SavedTexts<'_>> {
        Some((self.question.iter().collect(), &mut self.saved))
    }
}
