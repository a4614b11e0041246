//! Why a move cannot be played.

use crate::games::{
    Budget,
    draughts::{
        notation::{
            moves as draughts_move,
            moves::{Form, square::Numbering},
        },
        rows::DraughtsVariant,
        rules::{BLACK, Move, Position, moves, must_capture},
    },
};

/// Why a move cannot be played, as a player would put it.
pub(super) fn reason(
    position: &Position,
    variant: &DraughtsVariant,
    numbering: Numbering,
    word: &str,
) -> String {
    let rules = &variant.rules;
    let (side, other) = if position.turn() == BLACK {
        ("Black", "White")
    } else {
        ("White", "Black")
    };
    let Ok(text) = draughts_move::parse(word, numbering) else {
        return "there is no legal move along these squares".to_owned();
    };
    let (from, name) = (text.cells()[0], |cell: u8| {
        let mut name = String::new();
        numbering.write(cell, &mut name);
        name
    });
    let square = name(from);
    match position.at(from) {
        None => return format!("{square} is empty"),
        Some(piece) if piece.side != position.turn() => {
            return format!("the piece on {square} is {other}'s, and it is {side}'s move");
        }
        Some(_) => {}
    }
    let Ok(legal) = moves(position, rules, Budget::default()) else {
        return "there is no legal move along these squares".to_owned();
    };
    if must_capture(position, rules) {
        let list = list(position, variant, numbering, legal.iter());
        return format!("{side} must capture: {list}");
    }
    let own: Vec<&Move> = legal.iter().filter(|m| m.from == from).collect();
    if own.is_empty() {
        return format!("the piece on {square} cannot move");
    }
    format!(
        "the piece on {square} can only play {}",
        list(position, variant, numbering, own.into_iter())
    )
}

/// Some moves of the position.
fn list<'m>(
    position: &Position,
    variant: &DraughtsVariant,
    numbering: Numbering,
    legal: impl Iterator<Item = &'m Move>,
) -> String {
    const SHOWN: usize = 4;
    let rules = &variant.rules;
    let mut names: Vec<String> = Vec::new();
    for m in legal {
        if names.len() == SHOWN {
            names.push("…".to_owned());
            break;
        }
        let separator = variant.capture_separator;
        let budget = Budget::default();
        let form = Form::Short;
        let written = draughts_move::write(position, rules, numbering, m, form, separator, budget);
        if let Ok(name) = written
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names.join(", ")
}
