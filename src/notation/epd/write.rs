//! The one spelling of a line of EPD.

use std::fmt::Write as _;

use shakmaty::{Chess, EnPassantMode, Position as _};

use super::{Epd, Kind, Operand, kind, opcode::is_name};
use crate::notation::{fen, san};

/// Writes a line as section 16.2 of the PGN standard has it, without its end.
/// Quotes within a text, of which the standard knows nothing, have a backslash.
pub fn write(epd: &Epd) -> String {
    let setup = epd.position.to_setup(EnPassantMode::Legal);
    let mut operations: Vec<(String, String)> = epd
        .operations
        .iter()
        .map(|operation| {
            let line = kind(&operation.opcode) == Kind::Line;
            let mut operands = operands(&epd.position, &operation.operands, line);
            if !line {
                operands.sort_unstable();
            }
            (operation.opcode.clone(), operands.join(" "))
        })
        .collect();
    if epd.fields.counters {
        operations.push(("hmvc".to_owned(), setup.halfmoves.to_string()));
        operations.push(("fmvn".to_owned(), setup.fullmoves.to_string()));
    }
    operations.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out = fen::key4(&setup);
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

fn operands(position: &Chess, operands: &[Operand], line: bool) -> Vec<String> {
    let mut at = position.clone();
    let mut written = Vec::with_capacity(operands.len());
    for operand in operands {
        written.push(match operand {
            Operand::Move(m) => {
                let text = san::write(&at, m);
                if line {
                    at.play_unchecked(*m);
                }
                text
            }
            Operand::Text(text) => quoted(text),
            Operand::Integer(number) => number.to_string(),
            // A point tells it from a whole number.
            Operand::Float(number) => format!("{number:?}"),
            Operand::Word(word) => word.clone(),
        });
    }
    written
}

fn quoted(text: &str) -> String {
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
