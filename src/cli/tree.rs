//! `plydex tree`.

use serde::Serialize;

use super::Context;
use super::args::TreeFormat;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::plan::TreePlan;
use super::render::{csv, tree};
use crate::base::record::GameId;
use crate::db::people::NamesTaken;
use crate::db::query::Query;
use crate::db::search::{self, GamesElsewhere, Tree};

/// A tree, what the names found that selected its games, and where else there are such.
#[derive(Serialize)]
struct TreeWithNames<'t> {
    #[serde(flatten)]
    tree: &'t Tree,
    #[serde(skip_serializing_if = "<[NamesTaken]>::is_empty")]
    names: &'t [NamesTaken],
    #[serde(skip_serializing_if = "<[GamesElsewhere]>::is_empty")]
    elsewhere: &'t [GamesElsewhere],
}

pub(crate) fn run(plan: &TreePlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let query = Query {
        position: Some(plan.position.clone()),
        filter: plan.filter.clone(),
        asked: plan.asked.clone(),
        ..Query::default()
    };
    let (ready, found) = context.ask(|store| {
        let ready = names::ready(store, &query, plan.exact_names)?;
        let mut filter = ready.query.filter.clone();
        if ready.query.asked.is_some() {
            let fulfilling = Query {
                position: None,
                ..ready.query.clone()
            };
            filter.games = runs(&search::all_games(store, &fulfilling)?);
        }
        let mut found = search::tree(store, &plan.position, &filter, plan.language)?;
        found.opening.clone_from(&plan.opening);
        found.arrange(&plan.order);
        Ok((ready, found))
    })?;
    match plan.format {
        TreeFormat::Table => tree::write(context.out, &context.screen, &found)?,
        TreeFormat::Json => context.json(&TreeWithNames {
            names: &ready.taken,
            elsewhere: &ready.elsewhere,
            tree: &found,
        })?,
        TreeFormat::Csv => csv::tree(&mut *context.data(), &found)?,
    }
    names::explain(&ready.taken, plan.exact_names, context);
    if let Some(note) = &ready.note {
        context.notes.note(note);
    }
    if found.total.games == 0 {
        context.notes.note("no games found");
    }
    Ok(Exit::found(found.total.games))
}

/// The first and the last of games that follow each other; if there are none, a number that no
/// game has.
fn runs(games: &[GameId]) -> Vec<(GameId, GameId)> {
    if games.is_empty() {
        return vec![(0, 0)];
    }
    let runs = games.chunk_by(|one, next| one + 1 == *next);
    runs.map(|run| (run[0], run[run.len() - 1])).collect()
}
