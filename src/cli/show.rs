//! `plydex show`.

use std::io::Write;

use super::Context;
use super::args::{ExportFormat, ShowFormat};
use super::backend::{self, Provenance};
use super::error::CliError;
use super::exit::Exit;
use super::export;
use super::plan::ShowPlan;
use super::render::{json, problem, show};
use crate::base::record::Game;
use crate::db::search::{BoardAt, Games};
use crate::db::store::Store;
use crate::formats::composition::Composition;
use crate::games::tree::GamePlace;

/// Everything that is shown of a game, read from one state of the database.
struct Shown {
    game: Game,
    problem: Option<Composition>,
    at: Option<BoardAt>,
    provenance: Provenance,
}

fn read(store: &Store, plan: &ShowPlan) -> Result<Option<Shown>, CliError> {
    let mut games = Games::new(store).with_writing(plan.writing);
    let Some(game) = games.game(plan.game)? else {
        return Ok(None);
    };
    let is_text = plan.format == ShowFormat::Text;
    // A problem is its diagram; with --ply it is shown as the game it is stored as.
    let has_ply = (plan.board.as_ref()).is_some_and(|board| board.ply.is_some());
    let problem = if is_text && !has_ply {
        backend::problem(&game)
    } else {
        None
    };
    let at = match &plan.board {
        _ if problem.is_some() => None,
        Some(board) => Some(backend::board_at(
            &mut games,
            plan.game,
            board.ply.as_ref(),
        )?),
        // A position is there to be seen. What cannot be played is shown without.
        None if is_text && game.header.is_record() => {
            backend::board_at(&mut games, plan.game, Some(&GamePlace::default())).ok()
        }
        None => None,
    };
    let provenance = backend::provenance(store, plan.game)?;
    Ok(Some(Shown {
        game,
        problem,
        at,
        provenance,
    }))
}

pub(crate) fn run(plan: &ShowPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Some(shown) = context.ask(|store| read(store, plan))? else {
        context
            .notes
            .note(&format!("there is no game {}", plan.game));
        return Ok(Exit::NothingFound);
    };
    let Shown {
        game,
        problem,
        at,
        provenance,
    } = shown;
    let look = (plan.board.as_ref()).map_or_else(Default::default, |board| board.look);
    let style = context.screen.board_style(look);
    if let Some(composed) = problem {
        problem::write(context.out, &context.screen, plan.game, &composed, style)?;
        show::provenance(context.out, &context.screen, &provenance)?;
        return Ok(Exit::Done);
    }
    match plan.format {
        ShowFormat::Text => {
            show::write(context.out, &context.screen, &game, at.as_ref(), style)?;
            show::provenance(context.out, &context.screen, &provenance)?;
        }
        ShowFormat::Json => {
            let value = json::game(&game, at.as_ref(), &provenance);
            context.json(&value)?;
        }
        ShowFormat::Epd => {
            let Some(line) = backend::epd_line(&game) else {
                let note = format!("the start position of game {} is not known", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            };
            writeln!(context.data(), "{line}")?;
        }
        ShowFormat::Pgn | ShowFormat::Problem | ShowFormat::Olive => {
            let format = match plan.format {
                ShowFormat::Problem => ExportFormat::Problem,
                ShowFormat::Olive => ExportFormat::Olive,
                _ => ExportFormat::Pgn,
            };
            let mut text = String::new();
            if !export::write(&game, format, &mut text) {
                let note = format!("game {} is not a chess problem", plan.game);
                context.notes.note(&note);
                return Ok(Exit::NothingFound);
            }
            context.data().write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}
