//! `plydex moves`: the legal moves of a position.

use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, EnPassantMode, Position as _};

use super::Context;
use super::args::TextFormat;
use super::args_rules::Notation;
use super::error::CliError;
use super::exit::Exit;
use super::perft_draughts::{BUDGET, incomplete};
use super::plan_draughts::{AnyPosition, MovesPlan};
use super::render::{json, moves};
use crate::notation::board::{self, BoardStyle, Glyphs};
use crate::notation::draughts_move::{self, Form, square::Numbering};
use crate::notation::draughts_text::Reading;
use crate::notation::letters::Language;
use crate::notation::{draughts_board, draughts_fen, fen, kin};
use crate::position::shakmaty_variant;
use crate::rules::draughts::{
    BLACK, BudgetExceeded, Move, Position, board::cells_of, moves as legal_moves,
};
use crate::variant::{self, Rules, Variant};

pub(crate) fn run(plan: &MovesPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let glyphs = if context.screen.unicode {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    };
    let answer = match &plan.position {
        AnyPosition::Chess(position) => {
            chess(position, plan.language, glyphs, context.screen.colour)
        }
        AnyPosition::Draughts(reading) => {
            draughts(reading, plan.notation, glyphs, context.screen.colour).map_err(incomplete)?
        }
    };
    match plan.format {
        TextFormat::Text => moves::write(context.out, &context.screen, &answer)?,
        TextFormat::Json => json::pretty(context.out, &answer)?,
    }
    Ok(Exit::Done)
}

fn chess(
    position: &VariantPosition,
    language: &Language,
    glyphs: Glyphs,
    color: bool,
) -> moves::Answer {
    let style = BoardStyle {
        glyphs,
        color,
        ..BoardStyle::default()
    };
    let setup = position.to_setup(EnPassantMode::Legal);
    let mode = CastlingMode::detect(&setup);
    let mut list: Vec<moves::Written> = position
        .legal_moves()
        .iter()
        .map(|m| moves::Written {
            text: language.of_english(&kin::san(position, *m)),
            uci: Some(UciMove::from_move(*m, mode).to_string()),
            ..moves::Written::default()
        })
        .collect();
    list.sort_by(|a, b| a.text.cmp(&b.text));
    let over = if position.is_checkmate() {
        Some("checkmate")
    } else if position.is_stalemate() {
        Some("stalemate")
    } else if position.is_variant_end() {
        Some("the game is over by the rules of the variant")
    } else {
        None
    };
    let variant = variant_of(position);
    moves::Answer {
        variant: variant.name,
        title: variant.title,
        turn: if position.turn() == shakmaty::Color::White {
            "white"
        } else {
            "black"
        },
        fen: match position {
            VariantPosition::Chess(_) => fen::write(&setup),
            other => kin::write_fen(other),
        },
        over: over.map(str::to_owned),
        moves: list,
        board: board::draw(position.board(), style),
    }
}

/// The registry's row of a position.
fn variant_of(position: &VariantPosition) -> &'static Variant {
    let played = position.variant();
    let of_kin =
        |row: &&Variant| matches!(row.rules, Rules::Kin(kin) if shakmaty_variant(kin) == played);
    variant::ALL.iter().find(of_kin).unwrap_or(&variant::ALL[0])
}

fn draughts(
    reading: &Reading,
    notation: Notation,
    glyphs: Glyphs,
    color: bool,
) -> Result<moves::Answer, BudgetExceeded> {
    let (position, variant) = (&reading.position, reading.variant);
    let rules = &variant.rules;
    let (form, numbering) = match notation {
        Notation::Short => (Form::Short, reading.numbering),
        Notation::Full => (Form::Full, reading.numbering),
        Notation::Algebraic => (Form::Short, reading.numbering.with_letters(true)),
    };
    let style = draughts_board::Style {
        glyphs,
        color,
        ..draughts_board::Style::default()
    };
    let mut legal = legal_moves(position, rules, BUDGET)?;
    legal.sort_by_key(|m| (place(numbering, m.from), place(numbering, m.to), m.captured));
    let mut list = Vec::with_capacity(legal.len());
    for m in &legal {
        list.push(moves::Written {
            text: draughts_move::write(
                position,
                rules,
                numbering,
                m,
                form,
                variant.capture_separator,
                BUDGET,
            )?,
            uci: None,
            takes: Some(taken(position, numbering, m)),
            promotes: Some(m.promotes),
        });
    }
    let winner = position.winner(rules).map(|side| {
        let winner = if side == BLACK { "Black" } else { "White" };
        format!("{winner} has won")
    });
    Ok(moves::Answer {
        variant: variant.name,
        title: variant.title,
        turn: if position.turn() == BLACK {
            "black"
        } else {
            "white"
        },
        fen: draughts_fen::write(position, numbering),
        over: winner,
        moves: list,
        board: draughts_board::draw(position, numbering, style),
    })
}

/// Where a square comes in a list: by file and rank, or by number.
const fn place(numbering: Numbering, cell: u8) -> (u8, u8) {
    if numbering.letters() {
        numbering.file_and_rank(cell)
    } else {
        (numbering.number(cell), 0)
    }
}

/// The names of what a move takes, kings with a `K`.
fn taken(position: &Position, numbering: Numbering, m: &Move) -> Vec<String> {
    let mut cells: Vec<u8> = cells_of(m.captured).collect();
    cells.sort_by_key(|&cell| place(numbering, cell));
    cells
        .into_iter()
        .map(|cell| {
            let king = position.at(cell).is_some_and(|piece| piece.king);
            let mut name = String::from(if king { "K" } else { "" });
            numbering.write(cell, &mut name);
            name
        })
        .collect()
}
