//! The one spelling of a line of EPD.

use std::fmt::Write as _;

use crate::games::chess::basics::{EnPassantMode, Position as _};

use super::{
    Epd, Kind, Operand, Operation, kind,
    opcode::{is_name, is_opcode_word},
};
use crate::games::chess::notation::fen;

/// Writes a line as section 16.2 of the PGN standard has it, without its end.
/// Quotes within a text, of which the standard knows nothing, have a backslash.
pub fn write(epd: &Epd) -> String {
    let setup = epd.position.to_setup(EnPassantMode::Legal);
    let mut operations: Vec<(String, String)> = epd
        .operations
        .iter()
        .map(|operation| {
            let operands = operands(operation);
            (operation.opcode.clone(), operands.join(" "))
        })
        .collect();
    if epd.fields.counters {
        operations.push(("hmvc".to_owned(), setup.halfmoves.to_string()));
        operations.push(("fmvn".to_owned(), setup.fullmoves.to_string()));
    }
    line(&fen::key4(&setup), operations)
}

/// A line of a position and operations, which are put in order.
pub(super) fn line(position: &str, mut operations: Vec<(String, String)>) -> String {
    operations.sort();
    let mut out = position.to_owned();
    // With a name that is none no operations begin, unless a semicolon says so.
    if operations
        .first()
        .is_some_and(|(opcode, _)| !is_name(opcode))
    {
        out.push_str(" ;");
    }
    for (opcode, operands) in operations {
        let blank = if operands.is_empty() { "" } else { " " };
        let _ = write!(out, " {opcode}{blank}{operands};");
    }
    out
}

/// The operands of an operation, in order where they are not a line.
pub(super) fn operands(operation: &Operation) -> Vec<String> {
    let moves = kind(&operation.opcode) == Kind::Moves;
    let write = |operand: &Operand| match operand {
        Operand::Move(san) => san.clone(),
        Operand::Text(text) => quoted(text),
        Operand::Integer(number) => number.to_string(),
        // A point tells it from a whole number.
        Operand::Float(number) => format!("{number:?}"),
        // Bare, it would begin the next operation.
        Operand::Word(word) if moves && is_opcode_word(word) => quoted(word),
        Operand::Word(word) => word.clone(),
    };
    let mut written: Vec<String> = operation.operands.iter().map(write).collect();
    if moves {
        written.sort_unstable();
    }
    written
}

/// A text in quotes, as the operand of an operation.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // A line has one line.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
