//! Moves of draughts as text.

use super::Draughts;
use super::{
    notation::{
        fen as draughts_fen, moves as draughts_move,
        moves::{Form, square::Numbering},
    },
    replay::{
        Step,
        code::{self, Coded},
    },
    rules::{Move, board::cells_of},
};
use crate::base::record::MoveForm;
use crate::games::Budget;

/// Two squares as a quiet move has them.
fn squares(numbering: Numbering, from: u8, to: u8) -> String {
    let mut out = String::with_capacity(5);
    numbering.write(from, &mut out);
    out.push('-');
    numbering.write(to, &mut out);
    out
}

/// How a game's squares are written in a form.
pub(super) const fn numbering_in(at: &Draughts, form: MoveForm) -> Numbering {
    let numbering = at.numbering();
    match form {
        MoveForm::Algebraic => numbering.with_letters(true),
        MoveForm::Short | MoveForm::Full => numbering,
    }
}

/// A move as text.
pub(super) fn text(at: &Draughts, played: &Move, form: MoveForm) -> String {
    let Draughts {
        variant, position, ..
    } = at;
    let numbering = numbering_in(at, form);
    let separator = variant.capture_separator;
    let whole = match form {
        MoveForm::Full => Form::Full,
        MoveForm::Short | MoveForm::Algebraic => Form::Short,
    };
    let budget = Budget::default();
    let write =
        |rules| draughts_move::write(position, rules, numbering, played, whole, separator, budget);
    write(&variant.rules).unwrap_or_else(|_| {
        // Too many captures to look at: the squares and what was taken tell it.
        let mut out = String::new();
        numbering.write(played.from, &mut out);
        out.push(separator);
        numbering.write(played.to, &mut out);
        out.push_str(" <");
        for (at, cell) in cells_of(played.captured).enumerate() {
            if at > 0 {
                out.push(',');
            }
            numbering.write(cell, &mut out);
        }
        out.push('>');
        out
    })
}

/// What happened at a ply, as text.
pub(super) fn step_text(before: &Draughts, step: &Step, form: MoveForm) -> String {
    let numbering = numbering_in(before, form);
    match step {
        Step::Move(played) => text(before, played, form),
        Step::Null => "--".to_owned(),
        Step::Setup(position) => format!("/FEN \"{}\"/", draughts_fen::write(position, numbering)),
        Step::Placement { from, to } => squares(numbering, *from, *to),
    }
}

/// The codes that several captures share, in any variant of the board: what they take
/// is all that tells them apart.
pub(super) fn shared_codes(at: &Draughts) -> Vec<u16> {
    let board = at.variant.rules.board;
    let mut captures: Vec<(u16, u128)> = Vec::new();
    for variant in super::rows::ALL {
        if variant.rules.board == board {
            let legal = super::rules::moves(&at.position, &variant.rules, Budget::default());
            // A code of at most one captured piece says all there is.
            let of_many = |m: &Move| m.captured.count_ones() > 1;
            let found = legal.unwrap_or_default().into_iter().filter(of_many);
            captures.extend(found.map(|m| (code::of_move(board, &m), m.captured)));
        }
    }
    captures.sort_unstable();
    captures.dedup();
    let shared = captures.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    shared.map(|pair| pair[0].0).collect()
}

/// The name of a ply by its code and what it takes (0: not told), short and in full.
pub(super) fn named(at: &Draughts, code: u16, taken: u128) -> [String; 2] {
    let board = at.variant.rules.board;
    // Games of other variants of the board may have moves that this one lacks.
    let others = super::rows::ALL
        .iter()
        .filter(|other| other.rules.board == board && other.name != at.variant.name);
    for variant in std::iter::once(at.variant).chain(others) {
        let legal = super::rules::moves(&at.position, &variant.rules, Budget::default());
        let found = legal
            .unwrap_or_default()
            .into_iter()
            .filter(|m| taken == 0 || m.captured == taken)
            .find(|m| code::of_move(board, m) == code);
        if let Some(played) = found {
            let here = Draughts { variant, ..*at };
            return [MoveForm::Short, MoveForm::Full].map(|form| text(&here, &played, form));
        }
    }
    let name = match code::read(board, code) {
        Some(Coded::Move { from, to, .. } | Coded::Placement(Some((from, to)))) => {
            squares(at.numbering(), from, to)
        }
        Some(Coded::Null) => "...".to_owned(),
        Some(Coded::Setup | Coded::Placement(None)) | None => "(set up)".to_owned(),
    };
    [name.clone(), name]
}
