//! `plydex diagnostics`.

use clap::{Args as ClapArgs, ValueEnum};

use crate::base::diagnostic::{Code, Severity};
use crate::cli::CommandContext;
use crate::cli::args::value_parsers;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::findings::{self, Findings};
use crate::database::FindingQuery;

/// `plydex diagnostics`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(
    after_long_help = "Findings are notes, warnings and errors about imported data. Warnings and errors are listed
with their place, and with the line if the source still exists and has not changed.
Notes are only counted. docs/diagnostics.md explains every code.

Examples:
  plydex diagnostics                      findings of the newest import
  plydex diagnostics --import all --severity error --limit 0
  plydex diagnostics --code illegal-move --source twic
  plydex diagnostics --format csv --limit 0 > findings.csv"
)]
pub struct DiagnosticsArgs {
    /// Number of an import, or all [default: the newest]
    #[arg(long, value_name = "N", value_parser = which_import)]
    pub import: Option<ImportSelection>,
    /// Codes such as illegal-move; several with commas
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = code)]
    pub code: Vec<Code>,
    /// error, warning or note; several with commas
    #[arg(long, value_name = "SEVERITY", value_delimiter = ',')]
    #[arg(value_parser = value_parsers::one_of(SEVERITIES))]
    pub severity: Vec<Severity>,
    /// Only sources with TEXT in their names
    #[arg(long, value_name = "TEXT")]
    pub source: Option<String>,
    /// At most N findings, 0 for all [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parsers::whole::<u64>(0, u64::MAX))]
    pub limit: Option<u64>,
    /// text, json or csv
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: FindingFormat,
}

/// Whose findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportSelection {
    /// Those of every import.
    All,
    /// Those of one.
    Number(u64),
}

/// Formats of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum FindingFormat {
    /// For reading.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// Comma-separated values with a heading line.
    Csv,
}

const SEVERITIES: &[(&str, Severity)] = &[
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("note", Severity::Note),
];

fn which_import(text: &str) -> Result<ImportSelection, String> {
    match text {
        "all" => Ok(ImportSelection::All),
        text => value_parsers::whole::<u64>(1, i64::MAX as u64)(text)
            .map(ImportSelection::Number)
            .map_err(|why| format!("{why}, or all")),
    }
}

fn code(text: &str) -> Result<Code, String> {
    Code::named(text).ok_or_else(|| {
        format!(
            "`{text}` is not a code; write one that an import has reported, such as illegal-move"
        )
    })
}

/// Findings where no `--limit` is given.
const FINDING_LIMIT_DEFAULT: u64 = 20;

/// `diagnostics`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagnosticsPlan {
    /// Whose findings; `None` is the newest import.
    pub import: Option<ImportSelection>,
    /// Which of them.
    pub query: FindingQuery,
    /// How they are given.
    pub format: FindingFormat,
}

fn plan(args: DiagnosticsArgs) -> DiagnosticsPlan {
    let limit = args.limit.unwrap_or(FINDING_LIMIT_DEFAULT);
    DiagnosticsPlan {
        import: args.import,
        query: FindingQuery {
            import: None,
            codes: args.code,
            severities: args.severity,
            source: args.source,
            limit: (limit > 0).then_some(limit),
        },
        format: args.format,
    }
}

/// Sources that cannot be read again and are named.
const LOST_NAMED: usize = 5;

pub(crate) fn run(
    plan: &DiagnosticsPlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let snapshot = context.snapshot()?;
    let import = match plan.import {
        Some(ImportSelection::All) => None,
        Some(ImportSelection::Number(import)) if snapshot.has_import(import)? => Some(import),
        Some(ImportSelection::Number(import)) => {
            return Err(CliError::new(format!("there was no import {import}"))
                .hint("`plydex sql 'SELECT * FROM import'` lists the imports"));
        }
        None => snapshot.last_import()?,
    };
    let asked = FindingQuery {
        import,
        ..plan.query.clone()
    };
    let screen = context.screen;
    let out = match plan.format {
        FindingFormat::Text => Box::new(&mut *context.out),
        FindingFormat::Json | FindingFormat::Csv => context.data(),
    };
    let mut drawn = Findings::begin(out, screen, plan.format, import)?;
    let mut shown = 0;
    let totals = snapshot.each_finding(&asked, &mut |finding| -> Result<(), CliError> {
        shown += 1;
        drawn.push(&finding)
    })?;
    drawn.end(&asked, &totals)?;
    let lost = totals.lost.iter().take(LOST_NAMED);
    for lost in lost {
        let why = format!("{}: {}; lines are not shown", lost.source, lost.reason);
        context.notes.warning(&why);
    }
    if let Some(more @ 1..) = totals.lost.len().checked_sub(LOST_NAMED) {
        let why = format!("nor are those of {more} more sources");
        context.notes.warning(&why);
    }
    context.notes.note(&findings::page(totals.total, shown));
    Ok(Exit::found(totals.total + totals.counts.len() as u64))
}

impl CommandArgs for DiagnosticsArgs {
    const IS_PAGED: bool = true;
    type Plan = DiagnosticsPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(plan(self))
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
