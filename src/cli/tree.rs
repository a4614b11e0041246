//! `plydex tree`.

use super::Context;
use super::args::TreeFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::TreePlan;
use super::render::{csv, tree};
use crate::db::search;

pub(crate) fn run(plan: &TreePlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let found = context.ask(|store| {
        let found = search::tree(store, &plan.position, &plan.filter, plan.language);
        Ok(found?)
    })?;
    match plan.format {
        TreeFormat::Table => tree::write(context.out, &context.screen, &found)?,
        TreeFormat::Json => context.json(&found)?,
        TreeFormat::Csv => csv::tree(&mut *context.data(), &found)?,
    }
    if found.total.games == 0 {
        context.notes.note("no games found");
    }
    Ok(Exit::found(found.total.games))
}
