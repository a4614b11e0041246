//! What was typed about findings.

use clap::{Args as ClapArgs, ValueEnum};

use super::value_parsers;
use crate::base::diagnostic::{Code, Severity};

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
