//! Commands that change the games of a database, or take that back.

use serde::Serialize;

use super::CommandContext;
use super::args_output::TextFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::output::TemporaryFolder;
use super::plan_changes::{DedupePlan, DeletePlan, EditPlan, LogPlan, MergePlan};
use super::progress::Progress;
use super::render::changes as render;
use super::render::hits::HitTable;
use super::resolve::{ResolvedQuery, resolve};
use crate::db::changes;
use crate::db::people::NameMatches;
use crate::db::search::{self, OtherVariantGames};

pub(crate) fn log(plan: &LogPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let all = context.ask(|store| Ok(changes::log(store)?))?;
    let from = plan.limit.map_or(0, |limit| {
        all.len()
            .saturating_sub(usize::try_from(limit).unwrap_or(usize::MAX))
    });
    match plan.format {
        TextFormat::Text => render::log(context.out, &context.screen, &all[from..])?,
        TextFormat::Json => context.json(&&all[from..])?,
    }
    if from > 0 && plan.format == TextFormat::Text {
        let note = format!("{from} earlier changes; --limit 0 shows all");
        context.notes.note(&note);
    }
    Ok(Exit::found(all.len() as u64))
}

pub(crate) fn undo(
    change: i64,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let drafts = TemporaryFolder::for_drafts()?;
    let progress = Progress::new(&context.notes, &context.stop, None);
    let undone = backend::undo(&context.db, change, drafts.path(), &progress);
    progress.clear();
    let report = undone?;
    match format {
        TextFormat::Text => render::undo(context.out, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}

/// What was deleted, or would be.
#[derive(Serialize)]
struct DeletionSummary<'r> {
    change: Option<i64>,
    removed: u64,
    found: u64,
    #[serde(skip_serializing_if = "<[OtherVariantGames]>::is_empty")]
    other_variants: &'r [OtherVariantGames],
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'r [NameMatches],
}

fn say(ready: &ResolvedQuery, is_exact: bool, context: &mut CommandContext<'_>) {
    names::explain(&ready.names, is_exact, context);
    for note in &ready.notes {
        context.notes.note(note);
    }
}

pub(crate) fn delete(
    plan: &DeletePlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    if !plan.yes {
        let (ready, found) = context.ask(|store| {
            let ready = resolve(store, &plan.query)?;
            let found = search::search(store, &ready.plan, plan.writing)?;
            Ok((ready, found))
        })?;
        if found.interrupted {
            return Err(CliError::interrupted());
        }
        match plan.format {
            TextFormat::Text => {
                if found.total > 0 {
                    HitTable::begin(context.out, &context.screen, &found.hits, None)?;
                }
                render::would_delete(context.out, found.total, found.hits.len() as u64)?;
            }
            TextFormat::Json => {
                context.json(&DeletionSummary {
                    change: None,
                    removed: 0,
                    found: found.total,
                    other_variants: &ready.other_variants,
                    names: &ready.names,
                })?;
            }
        }
        say(&ready, plan.query.scope.exact_names, context);
        return Ok(Exit::found(found.total));
    }
    let progress = Progress::new(&context.notes, &context.stop, None);
    let deleted = backend::delete(&context.db, &plan.query, &plan.what, &progress);
    progress.clear();
    let (report, ready) = deleted?;
    match plan.format {
        TextFormat::Text => render::deleted(context.out, &report)?,
        TextFormat::Json => context.json(&DeletionSummary {
            change: report.change,
            removed: report.removed,
            found: report.removed,
            other_variants: &ready.other_variants,
            names: &ready.names,
        })?,
    }
    say(&ready, plan.query.scope.exact_names, context);
    Ok(Exit::found(report.removed))
}

pub(crate) fn edit(plan: &EditPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let drafts = TemporaryFolder::for_drafts()?;
    let progress = Progress::new(&context.notes, &context.stop, None);
    let edited = backend::edit(
        &context.db,
        plan.game,
        (&plan.edits, plan.force),
        drafts.path(),
        &progress,
    );
    progress.clear();
    let report = edited?;
    match plan.format {
        TextFormat::Text => render::edited(context.out, &context.screen, &report)?,
        TextFormat::Json => context.json(&report)?,
    }
    Ok(Exit::Done)
}

pub(crate) fn dedupe(
    plan: &DedupePlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let what = plan.yes.then_some(&plan.what[..]);
    let done = backend::dedupe(&context.db, plan.options, what, &progress);
    progress.clear();
    let report = done?;
    match plan.format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => {
            let limit = plan.limit.unwrap_or(u64::MAX);
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let groups = &report.groups[..limit.min(report.groups.len())];
            let headers = context.ask(|store| render::headers(store, groups))?;
            render::groups(context.out, &context.screen, groups, &headers)?;
            render::deduped(context.out, &report, groups.len())?;
        }
    }
    Ok(Exit::found(report.removed))
}

pub(crate) fn merge(plan: &MergePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let done = backend::merge(&context.db, &plan.other, plan.duplicates, &progress);
    progress.clear();
    let report = done?;
    match plan.format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => render::merged(context.out, &report)?,
    }
    Ok(Exit::Done)
}

pub(crate) fn optimize(
    purge: bool,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let done = backend::optimize(&context.db, purge, &progress);
    progress.clear();
    let report = done?;
    match format {
        TextFormat::Json => context.json(&report)?,
        TextFormat::Text => render::optimized(context.out, &report)?,
    }
    Ok(Exit::Done)
}
