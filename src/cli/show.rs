//! `plydex show`.

use std::io::Write;

use super::Context;
use super::args::{ExportFormat, ShowFormat};
use super::backend::{self, BoardStyle};
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::plan::{BoardPlan, ShowPlan};
use super::render::show::Board;
use super::render::{json, problem, show};
use super::search::data_writer;

pub(crate) fn run(plan: &ShowPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(game) = backend::game(&context.db, plan.game, plan.writing)? else {
        context
            .notes
            .note(&format!("there is no game {}", plan.game));
        return Ok(Exit::NothingFound);
    };
    // A problem is its diagram; with --ply it is shown as the game it is stored as.
    let as_problem = match (plan.format, &plan.board) {
        (ShowFormat::Text, None) => backend::problem(&game),
        (ShowFormat::Text, Some(board)) if board.ply.is_none() => backend::problem(&game),
        _ => None,
    };
    if let Some(composed) = as_problem {
        let mut style = plan
            .board
            .as_ref()
            .map(|board| board.style)
            .unwrap_or_default();
        style.ascii |= !context.screen.unicode;
        style.color = context.screen.colour;
        problem::write(context.out, &context.screen, plan.game, &composed, style)?;
        let provenance = backend::provenance(&context.db, plan.game)?;
        show::provenance(context.out, &context.screen, &provenance)?;
        return Ok(Exit::Done);
    }
    // A position is there to be seen.
    let unasked = || {
        let is_text = plan.format == ShowFormat::Text;
        (is_text && game.header.is_record()).then(|| BoardPlan {
            ply: Some(0),
            style: BoardStyle::default(),
        })
    };
    let drawn =
        |board: &BoardPlan| backend::board_at(&context.db, plan.game, board.ply, plan.writing);
    let (board, at) = if let Some(board) = &plan.board {
        (Some(*board), Some(drawn(board)?))
    } else {
        let board = unasked();
        // What cannot be played is shown without.
        (board, board.and_then(|board| drawn(&board).ok()))
    };
    match plan.format {
        ShowFormat::Text => {
            let board = at.as_ref().zip(board.as_ref()).map(|((ply, at), board)| {
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
        ShowFormat::Epd => {
            let Some(line) = backend::epd_line(&game) else {
                let note = format!("the start position of game {} is not known", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            };
            writeln!(data_writer(context.out, context.screen.terminal), "{line}")?;
        }
        ShowFormat::Pgn | ShowFormat::Problem | ShowFormat::Olive => {
            let format = match plan.format {
                ShowFormat::Problem => ExportFormat::Problem,
                ShowFormat::Olive => ExportFormat::Olive,
                _ => ExportFormat::Pgn,
            };
            let mut text = String::new();
            if !export::write(&game, format, &mut text) {
                let note = format!("game {} is no chess problem", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            }
            data_writer(context.out, context.screen.terminal).write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}
