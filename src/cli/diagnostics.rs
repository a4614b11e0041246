//! `plydex diagnostics`.

use super::CommandContext;
use super::args_diagnostics::{FindingFormat, ImportSelection};
use super::error::CliError;
use super::exit::Exit;
use super::plan::DiagnosticsPlan;
use super::render::findings::{self, Findings};
use crate::db::findings::{FindingQuery, each_finding};
use crate::db::store::Store;

/// Sources that cannot be read again and are named.
const LOST_NAMED: usize = 5;

pub(crate) fn run(
    plan: &DiagnosticsPlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let store = Store::open(&context.db, &context.stop)?;
    let import = match plan.import {
        Some(ImportSelection::All) => None,
        Some(ImportSelection::Number(import)) if store.has_import(import)? => Some(import),
        Some(ImportSelection::Number(import)) => {
            return Err(CliError::new(format!("there was no import {import}"))
                .hint("`plydex sql 'SELECT * FROM import'` lists the imports"));
        }
        None => store.last_import()?,
    };
    let asked = FindingQuery {
        import,
        ..plan.query.clone()
    };
    let (screen, stop) = (context.screen, context.stop.clone());
    let out = match plan.format {
        FindingFormat::Text => Box::new(&mut *context.out),
        FindingFormat::Json | FindingFormat::Csv => context.data(),
    };
    let mut drawn = Findings::begin(out, screen, plan.format, import)?;
    let mut shown = 0;
    let totals = each_finding(
        &store,
        &asked,
        &stop,
        &mut |finding| -> Result<(), CliError> {
            shown += 1;
            drawn.push(&finding)
        },
    )?;
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
