//! `plydex search`.

use super::Context;
use super::args::{ExportFormat, SearchFormat};
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::names;
use super::plan::SearchPlan;
use super::render;
use super::render::hits;
use super::render::listing::{Listing, SAMPLE_GAMES};
use crate::base::record::GameId;
use crate::db::query::{PositionQuery, Query};
use crate::db::search;
use crate::db::store::Store;

pub(crate) fn run(plan: &SearchPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    if plan.count {
        let (ready, games) = context.ask(|store| {
            let ready = names::ready(store, &plan.query, plan.exact_names)?;
            let games = search::count(store, &ready.query)?;
            Ok((ready, games))
        })?;
        writeln!(context.out, "{games}")?;
        context.out.flush()?;
        names::explain(&ready.taken, plan.exact_names, context);
        say(ready.note, context);
        return Ok(Exit::found(games));
    }
    if plan.format == SearchFormat::Pgn {
        let asked = (&plan.query, plan.exact_names);
        let games = export::to_screen(context, asked, plan.writing, ExportFormat::Pgn)?;
        context
            .notes
            .note(&render::number::counted(games, "game", "games"));
        return Ok(Exit::found(games));
    }
    let (ready, total, games) = if plan
        .query
        .limit
        .is_some_and(|limit| limit <= SAMPLE_GAMES as u64)
    {
        let (ready, found) = context.ask(|store| {
            let ready = names::ready(store, &plan.query, plan.exact_names)?;
            let found = search::search(store, &ready.query, plan.writing)?;
            Ok((ready, found))
        })?;
        let mut listing = listing(plan, context, 0, &ready);
        for hit in found.hits {
            listing.push(hit)?;
        }
        let games = listing.end(found.total)?;
        (ready, found.total, games)
    } else {
        let store = Store::open(&context.db, &context.stop)?;
        let ready = names::ready(&store, &plan.query, plan.exact_names)?;
        let mut listing = listing(plan, context, store.last_game()?, &ready);
        let mut take = |hit| listing.push(hit);
        let total = search::each_hit(&store, &ready.query, plan.writing, &mut take)?;
        let games = listing.end(total)?;
        (ready, total, games)
    };
    names::explain(&ready.taken, plan.exact_names, context);
    // The games stand before the note about them, for they are written.
    let note = hits::page(&context.screen, total, plan.query.offset, games);
    context.notes.note(&note);
    say(ready.note, context);
    if total == 0 {
        let nearly = context.ask(|store| nearly_found(store, plan))?;
        say(nearly, context);
    }
    Ok(Exit::found(games))
}

/// What finds games where an exact position finds none: the same pieces with other rights, or
/// with the other side to move.
fn nearly_found(store: &Store, plan: &SearchPlan) -> Result<Option<String>, CliError> {
    let Some(position) = &plan.query.position else {
        return Ok(None);
    };
    let names::Ready { query, .. } = names::ready(store, &plan.query, plan.exact_names)?;
    let board = PositionQuery {
        ask_castling: false,
        ask_en_passant: false,
        ..position.clone()
    };
    let placement = PositionQuery {
        ask_turn: false,
        ..board.clone()
    };
    let has_rights = position.ask_castling || position.ask_en_passant;
    for (is_asked, looser, differs, option) in [
        (
            has_rights,
            board,
            "other castling rights or en passant",
            "board",
        ),
        (
            position.ask_turn,
            placement,
            "the other side to move",
            "placement",
        ),
    ] {
        if is_asked {
            let query = Query {
                position: Some(looser),
                ..query.clone()
            };
            let games = search::count(store, &query)?;
            if games > 0 {
                let games = render::number::counted(games, "game", "games");
                return Ok(Some(format!(
                    "{games} with these pieces and {differs}: add --identity {option}"
                )));
            }
        }
    }
    Ok(None)
}

fn say(note: Option<String>, context: &mut Context<'_>) {
    if let Some(note) = note {
        context.notes.note(&note);
    }
}

/// A list on standard output of games up to a number.
fn listing<'o>(
    plan: &SearchPlan,
    context: &'o mut Context<'_>,
    last_game: GameId,
    ready: &names::Ready,
) -> Listing<'o> {
    let screen = context.screen;
    let out = if plan.format == SearchFormat::Table {
        Box::new(&mut *context.out)
    } else {
        context.data()
    };
    let listing = Listing::new(out, screen, plan.format, plan.query.offset, last_game);
    listing
        .with_list("names", &ready.taken)
        .with_list("elsewhere", &ready.elsewhere)
}
