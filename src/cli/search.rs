//! `plydex search`.

use std::io::Write;

use super::Context;
use super::args::{ExportFormat, SearchFormat};
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::plan::SearchPlan;
use super::render::escape::Guard;
use super::render::{csv, hits, json};
use super::{backend, render};
use crate::search::Found;

pub(crate) fn run(plan: &SearchPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    if plan.count {
        let games = context.ask(|store| backend::count(store, &plan.query))?;
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
    let found = context.ask(|store| backend::search(store, &plan.query, plan.writing))?;
    if plan.format == SearchFormat::Table {
        if !found.hits.is_empty() {
            hits::write(context.out, &context.screen, &found)?;
        }
    } else {
        write_data(
            plan.format,
            &found,
            &mut *data_writer(context.out, context.screen.terminal),
        )?;
    }
    // The games stand before the note about them.
    context.out.flush()?;
    context.notes.note(&hits::page(&context.screen, &found));
    Ok(Exit::found(found.hits.len() as u64))
}

/// Writes the games in a format for programs.
fn write_data(format: SearchFormat, found: &Found, out: &mut dyn Write) -> Result<(), CliError> {
    match format {
        SearchFormat::Json => json::pretty(out, found)?,
        SearchFormat::Ndjson => {
            for hit in &found.hits {
                json::line(out, hit)?;
            }
        }
        SearchFormat::Csv => csv::hits(out, found)?,
        SearchFormat::Table | SearchFormat::Pgn => {}
    }
    Ok(())
}

/// Where formats for programs go: on a terminal they are made safe to look
/// at, elsewhere not a byte is changed.
pub(crate) fn data_writer<'w>(out: &'w mut dyn Write, terminal: bool) -> Box<dyn Write + 'w> {
    if terminal {
        Box::new(Guard::new(out))
    } else {
        Box::new(out)
    }
}
