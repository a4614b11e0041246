//! `plydex convert` and `plydex board`: one position in another dress.

use serde::Serialize;
use shakmaty::{EnPassantMode, Position as _, Setup};

use super::Context;
use super::args_output::TextFormat;
use super::error::CliError;
use super::exit::Exit;
use super::output::Kept;
use super::plan_convert::{BoardOfPlan, ConvertPlan, Target};
use super::plan_draughts::Given;
use super::render::json;
use crate::notation::board::{self, BoardStyle, Glyphs};
use crate::notation::diagram::Diagram;
use crate::notation::epd::{self, Epd};
use crate::notation::fen::{self, Castling, EnPassant};
use crate::notation::position_text::PositionText;
use crate::position::KinPosition;
use crate::{
    games::{
        capablanca::notation as compound,
        draughts::notation::{board as draughts_board, fen as draughts_fen},
    },
    notation::{forsyth, kin, svg},
};

/// A position in another notation, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    variant: &'a str,
    to: &'a str,
    text: &'a str,
    fen: String,
    /// The language that a diagram was read in.
    language: Option<&'static str>,
    /// What the problem asks, if it was one.
    stipulation: Option<String>,
}

pub(crate) fn run(plan: &ConvertPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let text = match plan.to {
        Target::Board => drawn(&plan.given, false, context),
        Target::Svg => drawing(&plan.given, false),
        _ => {
            let mut line = written(plan);
            if plan.format == TextFormat::Text {
                line.push('\n');
            }
            line
        }
    };
    match plan.format {
        TextFormat::Text => write!(context.out, "{text}")?,
        TextFormat::Json => {
            let told = match &plan.given {
                Given::Chess(read) => read.told.as_ref(),
                Given::Kin(_) | Given::Draughts(_) => None,
            };
            let problem = told.and_then(|told| told.problem.as_ref());
            let answer = Answer {
                variant: match &plan.given {
                    Given::Chess(_) => "chess",
                    Given::Kin(read) => read.at.variant.name,
                    Given::Draughts(reading) => reading.variant.name,
                },
                to: &plan.name,
                text: &text,
                fen: fen_of(&plan.given),
                language: told.map(|told| told.language.code),
                stipulation: problem
                    .and_then(|problem| problem.stipulation.as_ref())
                    .map(ToString::to_string),
            };
            json::pretty(context.out, &answer)?;
        }
    }
    Ok(Exit::Done)
}

pub(crate) fn board(plan: &BoardOfPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    match &plan.svg {
        None if plan.ascii => {
            let text = board_text(&plan.given, plan.flip, Glyphs::Ascii, context.screen.colour);
            write!(context.out, "{text}")?;
        }
        None => {
            let text = drawn(&plan.given, plan.flip, context);
            write!(context.out, "{text}")?;
        }
        Some(target) if target.is_stdout() => {
            write!(context.out, "{}", drawing(&plan.given, plan.flip))?;
        }
        Some(target) => {
            let place = target.place(&Kept::database(&context.db))?;
            let mut out = place.open(&context.stop)?;
            out.put(drawing(&plan.given, plan.flip).as_bytes())?;
            out.finish()?;
        }
    }
    Ok(Exit::Done)
}

/// The board with the signs that the screen can show.
fn drawn(given: &Given, flip: bool, context: &Context<'_>) -> String {
    let glyphs = if context.screen.unicode {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    };
    board_text(given, flip, glyphs, context.screen.colour)
}

fn board_text(given: &Given, flipped: bool, glyphs: Glyphs, color: bool) -> String {
    let on_diagram = |diagram: &Diagram| {
        let style = BoardStyle {
            glyphs,
            flipped,
            color,
            ..BoardStyle::default()
        };
        board::draw(diagram, style)
    };
    match given {
        Given::Chess(read) => on_diagram(&Diagram::of_chess(read.position.board())),
        Given::Kin(read) => on_diagram(&Diagram::of_kin(&read.at)),
        Given::Draughts(reading) => draughts_board::draw(
            &reading.position,
            reading.numbering,
            draughts_board::Style {
                glyphs,
                flipped,
                color,
                ..draughts_board::Style::default()
            },
        ),
    }
}

/// The SVG; the side to move stands at the edge where somebody said who it is.
fn drawing(given: &Given, flipped: bool) -> String {
    let style = |known: bool, black: bool| svg::Style {
        flipped,
        turn: known.then_some(u8::from(black)),
        ..svg::Style::default()
    };
    match given {
        Given::Chess(read) => {
            let style = style(read.fields.turn, read.position.turn().is_black());
            svg::draw(&Diagram::of_chess(read.position.board()), style)
        }
        Given::Kin(read) => {
            let style = style(read.fields.turn, read.at.position.turn() == 1);
            svg::draw(&Diagram::of_kin(&read.at), style)
        }
        Given::Draughts(reading) => {
            let style = style(reading.turn_given, reading.position.turn() == 1);
            svg::draughts(&reading.position, reading.numbering, style)
        }
    }
}

fn setup(read: &PositionText) -> Setup {
    Setup {
        ep_square: read.double_step,
        ..read.position.to_setup(EnPassantMode::Legal)
    }
}

fn fen_of(given: &Given) -> String {
    match given {
        Given::Chess(read) => fen::write(&setup(read)),
        Given::Kin(read) => kin::write_fen(&read.at.position),
        Given::Draughts(reading) => draughts_fen::write(&reading.position, reading.numbering),
    }
}

fn written(plan: &ConvertPlan) -> String {
    let fen = |read: &PositionText, castling, en_passant| {
        let style = fen::Style {
            castling,
            en_passant,
        };
        fen::write_with(&setup(read), style)
    };
    let read = match &plan.given {
        Given::Draughts(reading) if plan.to == Target::Hub => {
            return draughts_fen::write_hub(&reading.position, reading.numbering);
        }
        Given::Kin(read) if plan.to == Target::Shredder => {
            return match &read.at.position {
                KinPosition::Compound(row, position) => {
                    compound::fen::write_shredder(row, position)
                }
                other => kin::write_fen(other),
            };
        }
        Given::Kin(_) | Given::Draughts(_) => return fen_of(&plan.given),
        Given::Chess(read) => read,
    };
    match plan.to {
        Target::Shredder => fen(read, Castling::Shredder, plan.en_passant),
        Target::Fen | Target::XFen => fen(read, Castling::XFen, plan.en_passant),
        Target::Epd => epd::write(&Epd {
            position: read.position.clone(),
            // Counters that nobody gave and that say nothing are left out.
            fields: fen::Fields {
                counters: read.fields.counters
                    && (read.position.halfmoves(), read.position.fullmoves().get()) != (0, 1),
                ..read.fields
            },
            operations: read.operations.clone(),
            warnings: Vec::new(),
        }),
        Target::Forsyth(language) => forsyth::write(read.position.board(), language),
        // Told apart before; a FEN is never wrong.
        Target::Hub | Target::Board | Target::Svg => {
            fen(read, Castling::XFen, EnPassant::default())
        }
    }
}
