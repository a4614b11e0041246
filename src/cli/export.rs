//! `plydex export`, and the PGN of `plydex search`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use super::Context;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::plan::ExportPlan;
use super::render::number;
use super::search::data_writer;
use crate::pgn;
use crate::query::Query;
use crate::search::Writing;

pub(crate) fn run(plan: &ExportPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(path) = &plan.output else {
        let games = to_screen(context, &plan.query, plan.writing)?;
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
    let games = match each(context, &plan.query, plan.writing, &mut out)? {
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
) -> Result<u64, CliError> {
    let mut buffer = String::new();
    let mut failed = None;
    let mut games = 0;
    {
        let mut out = data_writer(context.out, context.screen.terminal);
        backend::for_each_game(&context.db, query, writing, &mut |game| {
            buffer.clear();
            pgn::write(game, &mut buffer, pgn::Options::default());
            settle(out.write_all(buffer.as_bytes()), &mut games, &mut failed)
        })?;
    }
    failed.map_or(Ok(games), |error| Err(error.into()))
}

/// Writes the games of a query; also gives the error that ended the writing.
fn each(
    context: &Context<'_>,
    query: &Query,
    writing: Writing,
    out: &mut dyn Write,
) -> Result<(u64, Option<io::Error>), CliError> {
    let mut buffer = String::new();
    let mut failed = None;
    let mut games = 0;
    backend::for_each_game(&context.db, query, writing, &mut |game| {
        buffer.clear();
        pgn::write(game, &mut buffer, pgn::Options::default());
        settle(out.write_all(buffer.as_bytes()), &mut games, &mut failed)
    })?;
    Ok((games, failed))
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
