//! `plydex import`.

use super::Context;
use super::args_output::TextFormat;
use super::backend::{self, ImportOptions};
use super::error::CliError;
use super::exit::Exit;
use super::plan::ImportPlan;
use super::progress::Progress;
use super::render::{json, summary};

pub(crate) fn run(plan: &ImportPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut progress = Progress::new(&context.notes, &context.stop, bytes_total(plan));
    if let Some(path) = &plan.report {
        progress = progress.with_report(path)?;
    }
    let options = ImportOptions {
        threads: plan.threads,
        variant: plan.variant,
        language: plan.language,
        ..ImportOptions::default()
    };
    let imported = backend::import(&context.db, &plan.paths, options, &progress);
    // The bar goes before anything else is said; the import's own error
    // matters more than the report's.
    let finished = progress.finish();
    let done = imported?;
    match plan.format {
        TextFormat::Json => json::import(context.out, &done, progress.elapsed().as_secs_f64())?,
        TextFormat::Text if context.notes.quiet() => {
            // Errors are told even so; the summary has them otherwise.
            for (source, why) in &done.sources_failed {
                let failure = summary::failure(source, why);
                context.notes.error(&CliError::new(failure));
            }
        }
        TextFormat::Text => summary::write(
            context.out,
            &context.screen,
            &done,
            progress.elapsed(),
            progress.bytes_read(),
        )?,
    }
    finished?;
    let complete = !done.interrupted && done.sources_failed.is_empty();
    Ok(if complete { Exit::Done } else { Exit::Trouble })
}

/// The size of all sources together, where every one is a plain file: only
/// then can one bar tell the time left of all.
fn bytes_total(plan: &ImportPlan) -> Option<u64> {
    plan.paths
        .iter()
        .map(|path| {
            let facts = std::fs::metadata(path).ok()?;
            facts.is_file().then_some(facts.len())
        })
        .sum()
}
