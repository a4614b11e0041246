//! `plydex moves`: the legal moves of a position.

use super::Context;
use super::args_output::{NotationArg, TextFormat};
use super::error::CliError;
use super::exit::Exit;
use super::perft_draughts::{BUDGET, incomplete};
use super::plan_draughts::{AnyPosition, MovesPlan};
use super::render::{json, moves};
use crate::games::BudgetExceeded;
use crate::games::draughts::notation::typed::Reading;
use crate::games::draughts::notation::{
    moves as draughts_move,
    moves::{Form, square::Numbering},
};
use crate::games::draughts::rules::{BLACK, Move, Position, board::cells_of, moves as legal_moves};
use crate::games::variant::Rules;
use crate::notation::board::{self, BoardStyle, Glyphs};
use crate::notation::diagram::Diagram;
use crate::notation::letters::Language;
use crate::position::{Kin, Over};
use crate::{
    games::draughts::notation::{board as draughts_board, fen as draughts_fen},
    notation::kin,
};

pub(crate) fn run(plan: &MovesPlan, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let glyphs = if context.screen.unicode {
        Glyphs::Unicode
    } else {
        Glyphs::Ascii
    };
    let answer = match &plan.position {
        AnyPosition::Kin(at) => of_kin(at, plan.language, glyphs, context.screen.colour),
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

fn of_kin(at: &Kin, language: &Language, glyphs: Glyphs, color: bool) -> moves::Answer {
    let position = &at.position;
    let style = BoardStyle {
        glyphs,
        color,
        ..BoardStyle::default()
    };
    let mut list: Vec<moves::Written> = position
        .legal()
        .into_iter()
        .map(|ply| moves::Written {
            text: kin::san_in(position, ply, language),
            uci: Some(kin::uci(position, ply)),
            ..moves::Written::default()
        })
        .collect();
    list.sort_by(|a, b| a.text.cmp(&b.text));
    let over = position.over().map(|over| match over {
        Over::Checkmate => "checkmate".to_owned(),
        Over::Stalemate if at.variant.rules == Rules::Xiangqi => {
            "stalemate, which loses".to_owned()
        }
        Over::Stalemate => "stalemate".to_owned(),
        Over::Goal => "the game is over by the rules of the variant".to_owned(),
        Over::Discs(black, white) => format!("the game is over, {black}-{white} (Black-White)"),
    });
    moves::Answer {
        variant: at.variant.name,
        title: at.variant.title,
        turn: match position.turn() {
            0 if at.variant.rules == Rules::Xiangqi => "red",
            0 => "white",
            _ => "black",
        },
        fen: kin::write_fen(position),
        over,
        moves: list,
        board: board::draw(&Diagram::of_kin(at), style),
    }
}

fn draughts(
    reading: &Reading,
    notation: NotationArg,
    glyphs: Glyphs,
    color: bool,
) -> Result<moves::Answer, BudgetExceeded> {
    let (position, variant) = (&reading.position, reading.variant);
    let rules = &variant.rules;
    let (form, numbering) = match notation {
        NotationArg::Short => (Form::Short, reading.numbering),
        NotationArg::Full => (Form::Full, reading.numbering),
        NotationArg::Algebraic => (Form::Short, reading.numbering.with_letters(true)),
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
