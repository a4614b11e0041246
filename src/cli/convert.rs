//! `plydex convert` and `plydex board`: one position in another dress.

use serde::Serialize;

use super::CommandContext;
use super::args_output::{BoardStyleArgs, TextFormat};
use super::error::CliError;
use super::exit::Exit;
use super::output::ProtectedFiles;
use super::plan_convert::{BoardOfPlan, ConvertPlan, ConvertTarget};
use super::plan_rules::PositionInput;
use crate::draw::board;
use crate::draw::svg;
use crate::games::chess::notation::fen::EnPassant;
use crate::games::{FormExtras, PositionForm};

/// A position in another notation, for programs.
#[derive(Debug, Serialize)]
struct ConvertedPosition<'a> {
    variant: &'a str,
    to: &'a str,
    text: &'a str,
    fen: String,
    /// The language that a diagram was read in.
    language: Option<&'static str>,
    /// What the problem asks, if it was one.
    stipulation: Option<String>,
}

pub(crate) fn run(plan: &ConvertPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let text = match plan.to {
        ConvertTarget::Board => board::draw(
            &plan.given.at.diagram(),
            context.screen.board_style(BoardStyleArgs::default()),
        ),
        ConvertTarget::Svg => drawing(&plan.given, false),
        ConvertTarget::Text(form) => {
            let mut line = written(&plan.given, form);
            if plan.format == TextFormat::Text {
                line.push('\n');
            }
            line
        }
    };
    match plan.format {
        TextFormat::Text => write!(context.out, "{text}")?,
        TextFormat::Json => {
            let diagram = plan.given.diagram.as_ref();
            let asked = diagram.and_then(|diagram| diagram.stipulation.as_ref());
            let answer = ConvertedPosition {
                variant: plan.given.at.variant().name,
                to: &plan.name,
                text: &text,
                fen: fen_of(&plan.given),
                language: diagram.map(|diagram| diagram.language.code),
                stipulation: asked.map(ToString::to_string),
            };
            context.json(&answer)?;
        }
    }
    Ok(Exit::Done)
}

pub(crate) fn board(
    plan: &BoardOfPlan,
    context: &mut CommandContext<'_>,
) -> Result<Exit, CliError> {
    match &plan.svg {
        None => {
            let style = context.screen.board_style(plan.look);
            let drawn = board::draw(&plan.given.at.diagram(), style);
            write!(context.out, "{drawn}")?;
        }
        Some(target) if target.is_stdout() => {
            write!(context.out, "{}", drawing(&plan.given, plan.look.flip))?;
        }
        Some(target) => {
            let place = target.place(&ProtectedFiles::database(&context.db))?;
            let mut out = place.open(&context.stop)?;
            out.put(drawing(&plan.given, plan.look.flip).as_bytes())?;
            out.finish()?;
        }
    }
    Ok(Exit::Done)
}

/// The SVG; the side to move stands at the edge if it was given.
fn drawing(given: &PositionInput, flipped: bool) -> String {
    let is_known = given.besides.fields.turn;
    let style = svg::Style {
        flipped,
        turn: is_known.then_some(given.at.turn() as u8),
        has_squares: false,
    };
    svg::draw(&given.at.diagram(), style)
}

/// The FEN in its one spelling.
fn fen_of(given: &PositionInput) -> String {
    let besides = FormExtras {
        en_passant: EnPassant::default(),
        ..given.besides.clone()
    };
    given
        .at
        .write_as(PositionForm::Fen, &besides)
        .unwrap_or_else(|| given.at.fen())
}

/// The position in a notation that its game has, as the plan made sure.
fn written(given: &PositionInput, form: PositionForm) -> String {
    let written = given.at.write_as(form, &given.besides);
    written.unwrap_or_else(|| fen_of(given))
}
