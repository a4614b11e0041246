//! `plydex tree`.

use serde::Serialize;

use super::Context;
use super::args::TreeFormat;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::plan::TreePlan;
use super::render::{csv, tree};
use crate::db::people::NamesTaken;
use crate::db::search::{self, Tree};

/// A tree, and what the names found that selected its games.
#[derive(Serialize)]
struct TreeWithNames<'t> {
    #[serde(flatten)]
    tree: &'t Tree,
    #[serde(skip_serializing_if = "<[NamesTaken]>::is_empty")]
    names: &'t [NamesTaken],
}

pub(crate) fn run(plan: &TreePlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let (taken, found) = context.ask(|store| {
        let (filter, taken) = names::spell_out(store, &plan.filter, plan.exact_names)?;
        let found = search::tree(store, &plan.position, &filter, plan.language)?;
        Ok((taken, found))
    })?;
    match plan.format {
        TreeFormat::Table => tree::write(context.out, &context.screen, &found)?,
        TreeFormat::Json => context.json(&TreeWithNames {
            names: &taken,
            tree: &found,
        })?,
        TreeFormat::Csv => csv::tree(&mut *context.data(), &found)?,
    }
    names::explain(&taken, plan.exact_names, context);
    if found.total.games == 0 {
        context.notes.note("no games found");
    }
    Ok(Exit::found(found.total.games))
}
