//! `plydex import`.

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::output::{Destination, ProtectedFiles};
use super::plan::ImportPlan;
use super::progress::Progress;
use super::render::{findings, json, summary};
use super::terminal::TerminalInfo;
use crate::db::import;
use crate::db::store::{Store, StoreErrorKind};

pub(crate) fn run(plan: &ImportPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    // A folder that had games may have lost them all, which is to be said.
    let known = if plan.list_missing && context.db.exists() {
        let asked = Store::ask(&context.db, &context.stop, |store| {
            import::known_folders(store, &plan.paths)
        });
        match asked {
            // Where an import was killed before anything was stored.
            Err(error) if matches!(error.kind, StoreErrorKind::Empty) => Vec::new(),
            known => known?,
        }
    } else {
        Vec::new()
    };
    let sources = backend::sources(&plan.paths, &known)?;
    let mut progress = Progress::new(&context.notes, &context.stop, bytes_total(plan));
    if let Some(target) = &plan.report {
        let kept = ProtectedFiles::database(&context.db);
        let inputs = sources.sources.iter();
        let kept = inputs.fold(kept, |kept, source| kept.and_input(source.path()));
        progress = progress.with_report(target.place(&kept)?.open(&context.stop)?);
    }
    let folders = if plan.list_missing {
        &plan.paths[..]
    } else {
        &[]
    };
    let imported = backend::import(&context.db, sources, plan.options, folders, &progress);
    // The bar goes before anything else is said; of an import that failed there is
    // no report.
    progress.clear();
    let done = imported?;
    let reported = progress.end_report();
    match plan.format {
        TextFormat::Json => json::import(context.out, &done, progress.elapsed().as_secs_f64())?,
        TextFormat::Text if context.notes.quiet() => {
            // Errors are shown even so; otherwise the summary has them.
            for (source, why) in &done.sources_failed {
                let failure = summary::failure(source, why);
                context.notes.error(&CliError::new(failure));
            }
        }
        TextFormat::Text => {
            let mut text = Vec::new();
            let (elapsed, bytes) = (progress.elapsed(), progress.bytes_read());
            // Where the findings are the data, the summary is but a note.
            let is_note = plan.report.as_ref().is_some_and(Destination::is_stdout);
            let screen = TerminalInfo {
                colour: context.screen.colour && !is_note,
                ..context.screen
            };
            summary::write(&mut text, &screen, &done, elapsed, bytes)?;
            if is_note {
                context
                    .notes
                    .note(String::from_utf8_lossy(&text).trim_end());
            } else {
                context.out.write_all(&text)?;
            }
        }
    }
    reported?;
    if let Some(refused) = &done.refused {
        context.notes.error(&findings::refusal(refused));
    }
    let complete = !done.interrupted && done.refused.is_none() && done.sources_failed.is_empty();
    Ok(if complete { Exit::Done } else { Exit::Trouble })
}

/// The size of all sources together, where every one is a plain file: only
/// then can one bar show the time left for all.
fn bytes_total(plan: &ImportPlan) -> Option<u64> {
    plan.paths
        .iter()
        .map(|path| {
            let facts = std::fs::metadata(path).ok()?;
            facts.is_file().then_some(facts.len())
        })
        .sum()
}
