//! `plydex tree`.

use std::collections::HashSet;
use std::io::Write;

use serde::Serialize;

use super::CommandContext;
use super::args_tree::TreeFormat;
use super::error::CliError;
use super::exit::Exit;
use super::names;
use super::output::ProtectedFiles;
use super::plan_tree::TreePlan;
use super::progress::Progress;
use super::relax;
use super::render::{csv, json, number, tree, tree_game};
use super::resolve::{ResolvedQuery, resolve};
use super::view::{ViewArg, ViewArgs};
use crate::base::display_path;
use crate::base::observe::{NullObserver, Observer};
use crate::db::people::NameMatches;
use crate::db::search::{self, OtherVariantGames, Tree};
use crate::db::store::Store;
use crate::formats::polyglot;
use crate::pgn::writer;

/// A tree, what the names found that selected its games, and where else there are such.
#[derive(Serialize)]
struct TreeResult<'t> {
    #[serde(flatten)]
    tree: serde_json::Value,
    /// Whose scores they are: `player` or `white`; and the player.
    view: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'t str>,
    #[serde(skip_serializing_if = "<[NameMatches]>::is_empty")]
    names: &'t [NameMatches],
    #[serde(skip_serializing_if = "<[OtherVariantGames]>::is_empty")]
    other_variants: &'t [OtherVariantGames],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'t [String],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
}

pub(crate) fn run(plan: &TreePlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    // Before the search, so that a bad path costs no waiting.
    let place = plan.output.as_ref();
    let place = place.map(|target| target.place(&ProtectedFiles::database(&context.db)));
    let place = place.transpose()?;
    let progress = Progress::new(&context.notes, &context.stop, None);
    let found = context.ask(|store| find(plan, store, &progress));
    progress.clear();
    let (ready, found, viewed, is_cut) = found?;
    let player = viewed.as_deref();
    if let Some(place) = &place {
        if is_cut {
            return Err(CliError::interrupted());
        }
        let mut answer = Vec::new();
        let what = write_data(plan, (&ready, &found, player, false), &mut answer)?;
        if found.total.games == 0 {
            context.notes.note("no games found; nothing was written");
            relax::say(&ready.plan, context)?;
            return Ok(Exit::NothingFound);
        }
        let mut out = place.open(&context.stop)?;
        out.put(&answer)?;
        out.finish()?;
        let name = plan
            .output
            .as_ref()
            .map_or("-".into(), |to| display_path::path(&to.path));
        context.notes.note(&format!("{what} written to {name}"));
    } else if plan.format == TreeFormat::Table {
        tree::write(context.out, &context.screen, &found, player)?;
    } else {
        write_data(plan, (&ready, &found, player, is_cut), &mut *context.data())?;
    }
    if is_cut {
        context.out.flush()?;
        return super::search::interrupted(found.total.games, context);
    }
    names::explain(&ready.names, plan.query.scope.exact_names, context);
    for note in &ready.notes {
        context.notes.note(note);
    }
    if found.total.games == 0 {
        context.notes.note("no games found");
        relax::say(&ready.plan, context)?;
    }
    Ok(Exit::found(found.total.games))
}

/// Answers as JSON, with what was said of the query as a note.
pub(crate) fn json(
    plan: &TreePlan,
    said: Vec<String>,
    store: &Store,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    // The page has columns for White and Black, also where a player is given.
    let plan = &TreePlan {
        view: plan.view.or(Some(ViewArg::White)),
        ..plan.clone()
    };
    let (mut ready, found, viewed, is_cut) = find(plan, store, &NullObserver)?;
    ready.notes.splice(0..0, said);
    if is_cut {
        return Err(CliError::interrupted());
    }
    write_data(plan, (&ready, &found, viewed.as_deref(), is_cut), out)?;
    Ok(())
}

fn find(
    plan: &TreePlan,
    store: &Store,
    progress: &dyn Observer,
) -> Result<(ResolvedQuery, Tree, Option<String>, bool), CliError> {
    let ready = resolve(store, &plan.query)?;
    let position = ready.plan.position.as_ref().unwrap_or(&plan.position);
    // Books and games have the view of the side to move.
    let viewed = match plan.format {
        TreeFormat::Pgn | TreeFormat::Polyglot => None,
        _ => ViewArgs::viewed(plan.view, store, &ready.plan)?,
    };
    let (conditions, is_part) = search::conditions_of_games(store, &ready.plan)?;
    // The games that were found until the end was requested are still looked at.
    let _fetching = is_part.then(|| store.fetching());
    let asked = (position, &conditions, viewed.as_ref());
    let (mut found, is_cut) = search::deep_tree(store, asked, plan.depth, plan.language, progress)?;
    // The words may have been read as another game, whose opening is another one.
    if position.position == plan.position.position {
        found.opening.clone_from(&plan.opening);
    }
    let is_cut = is_cut || is_part;
    Ok((ready, found, viewed.map(|viewed| viewed.name), is_cut))
}

/// Writes a tree in a format for programs; what that is.
fn write_data(
    plan: &TreePlan,
    (ready, found, player, interrupted): (&ResolvedQuery, &Tree, Option<&str>, bool),
    out: &mut dyn Write,
) -> Result<String, CliError> {
    let positions = number::counted(found.count(), "position", "positions");
    match plan.format {
        TreeFormat::Csv => csv::tree(out, found, player.is_some())?,
        TreeFormat::Pgn => {
            let mut text = String::new();
            writer::write(&tree_game::of(found), &mut text);
            out.write_all(text.as_bytes())?;
        }
        TreeFormat::Polyglot => {
            let entries = found.book();
            let moves = number::counted(entries.len() as u64, "move", "moves");
            // A book has a position once, however often the tree comes to it.
            let keys: HashSet<u64> = entries.iter().map(|entry| entry.played.key).collect();
            let positions = number::counted(keys.len() as u64, "position", "positions");
            out.write_all(&polyglot::write(entries))?;
            return Ok(format!("a book of {positions} and {moves}"));
        }
        TreeFormat::Table | TreeFormat::Json => json::pretty(
            out,
            &TreeResult {
                names: &ready.names,
                other_variants: &ready.other_variants,
                notes: &ready.notes,
                tree: tree::as_json(found, player.is_some())?,
                view: if player.is_some() { "player" } else { "white" },
                player,
                interrupted,
            },
        )?,
    }
    Ok(format!("a tree of {positions}"))
}
