//! `plydex search`.

use super::Context;
use super::args::{ExportFormat, SearchFormat};
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::plan::SearchPlan;
use super::render;
use super::render::hits;
use super::render::listing::{Listing, SAMPLE_GAMES};
use crate::base::record::GameId;
use crate::db::search;
use crate::db::store::Store;

pub(crate) fn run(plan: &SearchPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    if plan.count {
        let games = context.ask(|store| Ok(search::count(store, &plan.query)?))?;
        writeln!(context.out, "{games}")?;
        return Ok(Exit::found(games));
    }
    if plan.format == SearchFormat::Pgn {
        let games = export::to_screen(context, &plan.query, plan.writing, ExportFormat::Pgn)?;
        context
            .notes
            .note(&render::number::counted(games, "game", "games"));
        return Ok(Exit::found(games));
    }
    let (total, games) = if plan
        .query
        .limit
        .is_some_and(|limit| limit <= SAMPLE_GAMES as u64)
    {
        let found = context.ask(|store| Ok(search::search(store, &plan.query, plan.writing)?))?;
        let mut listing = listing(plan, context, 0);
        for hit in found.hits {
            listing.push(hit)?;
        }
        (found.total, listing.end(found.total)?)
    } else {
        let store = Store::open(&context.db, &context.stop)?;
        let mut listing = listing(plan, context, store.last_game()?);
        let mut take = |hit| listing.push(hit);
        let total = search::each_hit(&store, &plan.query, plan.writing, &mut take)?;
        (total, listing.end(total)?)
    };
    // The games stand before the note about them, for they are written.
    let note = hits::page(&context.screen, total, plan.query.offset, games);
    context.notes.note(&note);
    Ok(Exit::found(games))
}

/// A list on standard output of games up to a number.
fn listing<'o>(plan: &SearchPlan, context: &'o mut Context<'_>, last_game: GameId) -> Listing<'o> {
    let screen = context.screen;
    let out = if plan.format == SearchFormat::Table {
        Box::new(&mut *context.out)
    } else {
        context.data()
    };
    Listing::new(out, screen, plan.format, plan.query.offset, last_game)
}
