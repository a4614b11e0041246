//! Legal moves of draughts in lists: with what they take, in the order of the board.

use super::{
    Draughts,
    notation::{
        moves as draughts_move,
        moves::{Form, square::Numbering},
    },
    replay::Step,
    rules::{Move, board::cells_of, moves},
    write::{numbering_in, step_text},
};
use crate::{
    base::record::MoveForm,
    games::{BudgetExceeded, ListStyle, ListedMove},
};

/// What a list tells of a move.
pub(super) fn listed(
    at: &Draughts,
    step: &Step,
    style: ListStyle,
) -> Result<ListedMove, BudgetExceeded> {
    let Step::Move(m) = step else {
        return Ok(ListedMove {
            text: step_text(at, step, style.form),
            ..ListedMove::default()
        });
    };
    let numbering = numbering_in(at, style.form);
    let form = match style.form {
        MoveForm::Full => Form::Full,
        MoveForm::Short | MoveForm::Algebraic => Form::Short,
    };
    let (rules, separator) = (&at.variant.rules, at.variant.capture_separator);
    Ok(ListedMove {
        text: draughts_move::write(
            &at.position,
            rules,
            numbering,
            m,
            form,
            separator,
            style.budget,
        )?,
        uci: None,
        takes: Some(taken(at, numbering, m)),
        promotes: Some(m.promotes),
    })
}

/// The legal moves by where they begin and end.
pub(super) fn list(at: &Draughts, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
    let numbering = numbering_in(at, style.form);
    let mut legal = moves(&at.position, &at.variant.rules, style.budget)?;
    legal.sort_by_key(|m| (place(numbering, m.from), place(numbering, m.to), m.captured));
    let listed = legal.into_iter().map(|m| listed(at, &Step::Move(m), style));
    listed.collect()
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
fn taken(at: &Draughts, numbering: Numbering, m: &Move) -> Vec<String> {
    let mut cells: Vec<u8> = cells_of(m.captured).collect();
    cells.sort_by_key(|&cell| place(numbering, cell));
    cells
        .into_iter()
        .map(|cell| {
            let king = at.position.at(cell).is_some_and(|piece| piece.king);
            let mut name = String::from(if king { "K" } else { "" });
            numbering.write(cell, &mut name);
            name
        })
        .collect()
}
