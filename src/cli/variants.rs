//! `plydex variants`: what the registry has.

use super::Context;
use super::args_output::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan_draughts::VariantsPlan;
use super::render::{json, variants};
use crate::games::variant::{self, Variant};
use crate::notation::board::{self, BoardStyle, Glyphs};
use crate::notation::diagram::Diagram;
use crate::position::Position;
use crate::{games::draughts::notation::board as draughts_board, notation::position};

pub(crate) fn run(plan: &VariantsPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    match (plan.variant, plan.format) {
        (None, TextFormat::Text) => variants::list(context.out, &context.screen)?,
        (None, TextFormat::Json) => {
            let all: Vec<_> = variant::ALL.iter().map(variants::facts).collect();
            json::pretty(context.out, &all)?;
        }
        (Some(variant), TextFormat::Text) => {
            let glyphs = if context.screen.unicode {
                Glyphs::Unicode
            } else {
                Glyphs::Ascii
            };
            let drawn = start(variant, glyphs, context.screen.colour);
            variants::one(context.out, &context.screen, variant, drawn.as_deref())?;
        }
        (Some(variant), TextFormat::Json) => {
            json::pretty(context.out, &variants::facts(variant))?;
        }
    }
    Ok(Exit::Done)
}

/// The start position drawn, where it is known.
fn start(variant: &'static Variant, glyphs: Glyphs, color: bool) -> Option<String> {
    match position::start(variant)? {
        Position::Draughts(at) => {
            let style = draughts_board::Style {
                glyphs,
                color,
                ..draughts_board::Style::default()
            };
            Some(draughts_board::draw(&at.position, at.numbering(), style))
        }
        other => {
            let style = BoardStyle {
                glyphs,
                color,
                ..BoardStyle::default()
            };
            Some(board::draw(&Diagram::of(&other)?, style))
        }
    }
}
