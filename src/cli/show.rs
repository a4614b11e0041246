//! `plydex show`.

use std::io::Write;

use super::Context;
use super::args::ShowFormat;
use super::backend;
use super::error::CliError;
use super::exit::Exit;
use super::plan::ShowPlan;
use super::render::show::Board;
use super::render::{json, show};
use super::search::data_writer;
use crate::pgn;

pub(crate) fn run(plan: &ShowPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(game) = backend::game(&context.db, plan.game, plan.writing)? else {
        context
            .notes
            .note(&format!("there is no game {}", plan.game));
        return Ok(Exit::NothingFound);
    };
    let at = match &plan.board {
        Some(board) => Some(backend::board_at(
            &context.db,
            plan.game,
            board.ply,
            plan.writing,
        )?),
        None => None,
    };
    match plan.format {
        ShowFormat::Text => {
            let board = at
                .as_ref()
                .zip(plan.board.as_ref())
                .map(|((ply, at), board)| {
                    let mut style = board.style;
                    style.ascii |= !context.screen.unicode;
                    style.color = context.screen.colour;
                    Board {
                        ply: *ply,
                        at,
                        style,
                    }
                });
            show::write(context.out, &context.screen, &game, board.as_ref())?;
            let provenance = backend::provenance(&context.db, plan.game)?;
            show::provenance(context.out, &context.screen, &provenance)?;
        }
        ShowFormat::Json => {
            let provenance = backend::provenance(&context.db, plan.game)?;
            let value = json::game(&game, at.as_ref(), &provenance);
            json::pretty(
                &mut *data_writer(context.out, context.screen.terminal),
                &value,
            )?;
        }
        ShowFormat::Pgn => {
            let mut text = String::new();
            pgn::write(&game, &mut text, pgn::Options::default());
            data_writer(context.out, context.screen.terminal).write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}
