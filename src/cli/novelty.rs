//! `plydex novelty`.

use serde::Serialize;

use super::CommandContext;
use super::args_output::TableFormat;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::plan_prepare::NoveltyPlan;
use super::progress::Progress;
use super::render::{hits, novelty};
use super::resolve::resolve;
use crate::base::observe::{Event, Observer};
use crate::db::people::NameMatches;
use crate::db::search::{self, Novelty, NoveltyFinder};
use crate::db::store::StoreErrorKind;

/// What is printed as JSON.
#[derive(Serialize)]
struct NoveltyList<'n> {
    offset: u64,
    novelties: &'n [Novelty],
    total: u64,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'n [NameMatches],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

pub(crate) fn run(plan: &NoveltyPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let progress = Progress::new(&context.notes, &context.stop, None);
    let found = context.ask(|store| {
        let ready = resolve(store, &plan.query)?;
        let page = search::search(store, &ready.plan, plan.writing)?;
        let _ = progress.on(Event::Phase {
            name: "looking for new positions",
            steps: Some(page.hits.len() as u64),
        });
        let mut novelties = NoveltyFinder::new(store, plan.writing)?;
        let (mut list, mut is_cut) = (Vec::new(), page.interrupted);
        for hit in &page.hits {
            match novelties.of(hit.header.id) {
                Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => {
                    is_cut = true;
                    break;
                }
                found => list.extend(found?),
            }
            let _ = progress.on(Event::Steps { steps: 1 });
        }
        Ok::<_, CliError>((ready, list, page.total, is_cut))
    });
    progress.clear();
    let (ready, list, total, is_cut) = found?;
    let offset = plan.query.page.offset;
    match plan.format {
        TableFormat::Table => novelty::write(context.out, &context.screen, &list)?,
        TableFormat::Json => context.json(&NoveltyList {
            offset,
            novelties: &list,
            total,
            names: &ready.names,
            interrupted: is_cut,
        })?,
        TableFormat::Csv => novelty::csv(&mut *context.data(), &list)?,
    }
    context.out.flush()?;
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    if is_cut {
        return super::search::interrupted(list.len() as u64, context);
    }
    let note = hits::page(&context.screen, total, offset, list.len() as u64);
    context.notes.note(&note);
    super::search::say(ready.notes, context);
    Ok(Exit::found(list.len() as u64))
}
