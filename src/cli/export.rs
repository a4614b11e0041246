//! `plydex export`, and the PGN of `plydex search`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use super::Context;
use super::args::ExportFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::plan::ExportPlan;
use super::render::number;
use super::search::data_writer;
use crate::pgn;
use crate::query::Query;
use crate::record::Game;
use crate::search::Writing;

pub(crate) fn run(plan: &ExportPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(path) = &plan.output else {
        let games = to_screen(context, &plan.query, plan.writing, plan.format)?;
        if games == 0 {
            context.notes.note("no games found");
        }
        return Ok(Exit::found(games));
    };
    let trouble = |error: &io::Error| {
        CliError::new(format!("{}: cannot write the games", path.display())).because(error)
    };
    // Made before the search, so that a bad path costs no waiting.
    let mut out = BufWriter::new(File::create(path).map_err(|error| trouble(&error))?);
    let games = match each(context, plan, &mut out)? {
        (_, Some(error)) => return Err(trouble(&error)),
        (games, None) => games,
    };
    out.flush().map_err(|error| trouble(&error))?;
    let counted = number::counted(games, "game", "games");
    context
        .notes
        .note(&format!("{counted} written to {}", path.display()));
    Ok(Exit::found(games))
}

/// Writes the games of a query to standard output.
pub(crate) fn to_screen(
    context: &mut Context<'_>,
    query: &Query,
    writing: Writing,
    format: ExportFormat,
) -> Result<u64, CliError> {
    let mut buffer = String::new();
    let mut failed = None;
    let mut games = 0;
    let store = backend::open_long(&context.db, &context.stop)?;
    {
        let mut out = data_writer(context.out, context.screen.terminal);
        backend::for_each_game(&store, query, writing, &mut |game| {
            if !write(game, format, &mut buffer) {
                return ControlFlow::Continue(());
            }
            settle(out.write_all(buffer.as_bytes()), &mut games, &mut failed)
        })?;
    }
    failed.map_or(Ok(games), |error| Err(error.into()))
}

/// Writes the games of a query; also gives the error that ended the writing.
fn each(
    context: &Context<'_>,
    plan: &ExportPlan,
    out: &mut dyn Write,
) -> Result<(u64, Option<io::Error>), CliError> {
    let mut buffer = String::new();
    let mut failed = None;
    let mut games = 0;
    let store = backend::open_long(&context.db, &context.stop)?;
    backend::for_each_game(&store, &plan.query, plan.writing, &mut |game| {
        if !write(game, plan.format, &mut buffer) {
            return ControlFlow::Continue(());
        }
        settle(out.write_all(buffer.as_bytes()), &mut games, &mut failed)
    })?;
    Ok((games, failed))
}

/// Writes a game into an emptied buffer; whether there was anything to write.
pub(crate) fn write(game: &Game, format: ExportFormat, buffer: &mut String) -> bool {
    buffer.clear();
    let composed = match format {
        ExportFormat::Pgn => {
            pgn::write(game, buffer, pgn::Options::default());
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

fn settle(
    written: io::Result<()>,
    games: &mut u64,
    failed: &mut Option<io::Error>,
) -> ControlFlow<()> {
    match written {
        Ok(()) => {
            *games += 1;
            ControlFlow::Continue(())
        }
        Err(error) => {
            *failed = Some(error);
            ControlFlow::Break(())
        }
    }
}
