//! `plydex variants`: what the registry has.

use super::Context;
use super::args::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan_draughts::VariantsPlan;
use super::render::{json, variants};
use crate::notation::board::{self, BoardStyle, Glyphs};
use crate::notation::draughts_move::square::Numbering;
use crate::notation::{draughts_board, position_text};
use crate::position::Position;
use crate::rules::draughts;
use crate::variant::{self, Rules, Variant};

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

/// The start position drawn, where its rules are known.
fn start(variant: &'static Variant, glyphs: Glyphs, color: bool) -> Option<String> {
    match variant.rules {
        Rules::Draughts(variant) => {
            let numbering = Numbering::of(&variant.tag, variant.rules.board);
            let style = draughts_board::Style {
                glyphs,
                color,
                ..draughts_board::Style::default()
            };
            let start = draughts::Position::start(&variant.rules);
            Some(draughts_board::draw(&start, numbering, style))
        }
        Rules::Compound(_) | Rules::Xiangqi | Rules::Othello | Rules::None => None,
        Rules::Kin(_) => {
            let Some(Position::Kin(at)) = Position::start(variant) else {
                return None;
            };
            let style = BoardStyle {
                glyphs,
                color,
                ..BoardStyle::default()
            };
            Some(board::draw(shakmaty::Position::board(&at.position), style))
        }
        Rules::Chess | Rules::ChessSoFar => {
            let read = position_text::read(variant.start_fen?).ok()?;
            let style = BoardStyle {
                glyphs,
                color,
                ..BoardStyle::default()
            };
            Some(board::draw(
                shakmaty::Position::board(&read.position),
                style,
            ))
        }
    }
}
