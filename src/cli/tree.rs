//! `plydex tree`.

use super::Context;
use super::args::TreeFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::plan::TreePlan;
use super::render::{csv, json, tree};
use super::search::data_writer;

pub(crate) fn run(plan: &TreePlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let found =
        context.ask(|store| backend::tree(store, &plan.position, &plan.filter, plan.language))?;
    match plan.format {
        TreeFormat::Table => tree::write(context.out, &context.screen, &found)?,
        TreeFormat::Json => {
            json::pretty(
                &mut *data_writer(context.out, context.screen.terminal),
                &found,
            )?;
        }
        TreeFormat::Csv => {
            csv::tree(
                &mut *data_writer(context.out, context.screen.terminal),
                &found,
            )?;
        }
    }
    if found.total.games == 0 {
        context.notes.note("no games found");
    }
    Ok(Exit::found(found.total.games))
}
