//! `plydex variants`: what the registry has.

use super::CommandContext;
use super::args_output::{BoardStyleArgs, TextFormat};
use super::error::CliError;
use super::exit::Exit;
use super::render::variants;
use crate::draw::board;
use crate::games::AnyPosition;
use crate::games::variant::{ALL, Variant};

pub(crate) fn run(
    variant: Option<&'static Variant>,
    format: TextFormat,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    let (out, screen) = (&mut *context.out, &context.screen);
    match (variant, format) {
        (None, TextFormat::Text) => variants::list(out, screen)?,
        (None, TextFormat::Json) => {
            let rows = ALL.iter();
            let all: Vec<_> = rows.map(|row| AnyPosition::facts(row).json).collect();
            context.json(&all)?;
        }
        (Some(row), TextFormat::Text) => {
            let start = AnyPosition::start(row);
            let drawn = start.map(|at| {
                board::draw(&at.diagram(), screen.board_style(BoardStyleArgs::default()))
            });
            variants::one(out, screen, row, drawn.as_deref())?;
        }
        (Some(row), TextFormat::Json) => context.json(&AnyPosition::facts(row).json)?,
    }
    Ok(Exit::Done)
}
