//! The one spelling of a line of EPD.

use std::fmt::Write as _;

use crate::games::chess::{
    basics::{Chess, EnPassantMode, Position as _},
    notation::fen,
};

use super::{
    Operand, OperandKind, Operation, kind,
    opcode::{is_name, is_opcode_word},
    tags::split_counters,
};

/// Writes a line as section 16.2 of the PGN standard has it, without its end, with its
/// counters or without. Quotes within a text, which the standard does not mention, have a
/// backslash.
///
/// ```
/// use plydex::games::{chess::notation::fen, notation::epd};
///
/// let (position, _) = fen::read_position("4k3/8/8/8/8/8/4P3/4K3 w - -").unwrap();
/// let found = epd::operations("id \"one\"; bm e2e4 Kd2;", Some(&position.clone().into()));
/// assert_eq!(
///     epd::write(&position, true, &found.list),
///     "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; fmvn 1; hmvc 0; id \"one\";"
/// );
/// ```
pub fn write(position: &Chess, counters: bool, operations: &[Operation]) -> String {
    let setup = position.to_setup(EnPassantMode::Legal);
    let written = |operation: &Operation| (operation.opcode.clone(), operands(operation));
    let mut operations: Vec<(String, String)> = operations.iter().map(written).collect();
    if counters {
        operations.push(("hmvc".to_owned(), setup.halfmoves.to_string()));
        operations.push(("fmvn".to_owned(), setup.fullmoves.to_string()));
    }
    line(&fen::key4(&setup), operations)
}

/// Writes the position of a FEN of any game as such a line: its counters, where they are not
/// those of a beginning, become operations, or are left out.
pub fn write_fen(fen: &str, counters: bool, operations: &[Operation]) -> String {
    let (position, said) = split_counters(fen);
    let written = |operation: &Operation| (operation.opcode.clone(), operands(operation));
    let mut operations: Vec<(String, String)> = operations.iter().map(written).collect();
    let said = ["hmvc", "fmvn"].into_iter().zip(said).filter(|_| counters);
    operations.extend(
        said.filter_map(|(opcode, number)| {
            let is_new = operations.iter().all(|(known, _)| known != opcode);
            number
                .filter(|_| is_new)
                .map(|number| (opcode.to_owned(), number.to_string()))
        })
        .collect::<Vec<_>>(),
    );
    line(&position, operations)
}

/// A line of a position and operations, which are put in order.
pub(super) fn line(position: &str, mut operations: Vec<(String, String)>) -> String {
    operations.sort();
    let mut out = position.to_owned();
    // Operations never begin with an invalid name, unless a semicolon comes first, nor right after
    // a board and a side to move, as Othello has them.
    let is_short = (1..4).contains(&position.split_whitespace().count()) && !position.contains(':');
    if operations
        .first()
        .is_some_and(|(opcode, _)| is_short || !is_name(opcode))
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
pub(super) fn operands(operation: &Operation) -> String {
    let is_moves = kind(&operation.opcode) == OperandKind::Moves;
    let mut written: Vec<String> = operation
        .operands
        .iter()
        .map(|operand| match operand {
            // Bare, it would begin the next operation.
            Operand::Word(word) if is_moves && is_opcode_word(word) => quoted(word),
            operand => operand.to_string(),
        })
        .collect();
    if is_moves {
        written.sort_unstable();
    }
    written.join(" ")
}

impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Move(word) | Self::Word(word) => f.write_str(word),
        }
    }
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
