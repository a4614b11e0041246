//! `plydex moves`: the legal moves of a position.

use super::CommandContext;
use super::args_output::{BoardStyleArgs, TextFormat};
use super::error::CliError;
use super::exit::Exit;
use super::perft::{BUDGET, incomplete};
use super::render::moves;
use crate::db::search::MoveNotation;
use crate::draw::board;
use crate::games::{AnyPosition, ListStyle};

pub(crate) fn run(
    at: &AnyPosition,
    MoveNotation { form, language }: MoveNotation,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let row = at.variant();
    let style = ListStyle {
        form,
        language,
        budget: BUDGET,
    };
    let answer = moves::MovesAnswer {
        variant: row.name,
        title: row.title,
        turn: at.side_to_move(),
        fen: at.fen_in(form),
        end: at.outcome().map(|outcome| outcome.to_string()),
        moves: at.list(style).map_err(incomplete)?,
        board: board::draw(
            &at.diagram_in(form),
            context.screen.board_style(BoardStyleArgs::default()),
        ),
    };
    match format {
        TextFormat::Text => moves::write(context.out, &context.screen, &answer)?,
        TextFormat::Json => context.json(&answer)?,
    }
    Ok(Exit::Done)
}
