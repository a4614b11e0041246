//! `plydex export`, and the PGN of `plydex search`.

use std::io::Write;

use super::Context;
use super::args::ExportFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::output::Kept;
use super::plan::ExportPlan;
use super::render::number;
use crate::base::observe::Stop;
use crate::base::record::Game;
use crate::base::shown;
use crate::db::query::Query;
use crate::db::search::{self, Writing};
use crate::db::store::Store;
use crate::pgn::writer as pgn;

pub(crate) fn run(plan: &ExportPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(target) = &plan.output else {
        let games = to_screen(context, &plan.query, plan.writing, plan.format)?;
        if games == 0 {
            context.notes.note("no games found");
        }
        return Ok(Exit::found(games));
    };
    // Before the search, so that a bad path costs no waiting.
    let place = target.place(&Kept::database(&context.db))?;
    let store = Store::open(&context.db, &context.stop)?;
    let mut out = place.open(&context.stop)?;
    let asked = (&plan.query, plan.writing, plan.format);
    let games = each(&store, asked, &context.stop, &mut |text| out.put(text))?;
    let name = shown::path(&target.path);
    if games == 0 {
        let note = format!("no games found; nothing was written to {name}");
        context.notes.note(&note);
        return Ok(Exit::NothingFound);
    }
    out.finish()?;
    let counted = number::counted(games, "game", "games");
    context.notes.note(&format!("{counted} written to {name}"));
    Ok(Exit::Done)
}

/// Writes the games of a query to standard output.
pub(crate) fn to_screen(
    context: &mut Context<'_>,
    query: &Query,
    writing: Writing,
    format: ExportFormat,
) -> Result<u64, CliError> {
    let store = Store::open(&context.db, &context.stop)?;
    let stop = context.stop.clone();
    let mut out = context.data();
    let asked = (query, writing, format);
    each(&store, asked, &stop, &mut |text| Ok(out.write_all(text)?))
}

/// Writes the games of a query one by one; how many they are.
fn each(
    store: &Store,
    (query, writing, format): (&Query, Writing, ExportFormat),
    stop: &Stop,
    put: &mut dyn FnMut(&[u8]) -> Result<(), CliError>,
) -> Result<u64, CliError> {
    let mut buffer = String::new();
    let mut games = 0;
    search::each_game(store, query, writing, &mut |game| {
        if stop.is_asked() {
            return Err(CliError::interrupted());
        }
        if write(game, format, &mut buffer) {
            put(buffer.as_bytes())?;
            games += 1;
        }
        Ok(())
    })?;
    Ok(games)
}

/// Writes a game into an emptied buffer; whether there was anything to write.
pub(crate) fn write(game: &Game, format: ExportFormat, buffer: &mut String) -> bool {
    buffer.clear();
    let composed = match format {
        ExportFormat::Pgn => {
            pgn::write(game, buffer);
            return true;
        }
        ExportFormat::Epd => backend::epd_line(game).map(|line| line + "\n"),
        ExportFormat::Problem => backend::problem(game).map(|problem| problem.write_line() + "\n"),
        ExportFormat::Olive => backend::problem(game).map(|problem| problem.write_yaml()),
    };
    match composed {
        Some(text) => {
            buffer.push_str(&text);
            true
        }
        None => false,
    }
}
