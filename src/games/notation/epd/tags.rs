//! Operations as tags of a record, and back. See `docs/reading-epd.md`.

use std::collections::BTreeMap;

use crate::games::notation::fen::colon_counters;

use super::{
    Operand, OperandKind, Operation, kind,
    opcode::is_name,
    split,
    write::{line, operands, quoted},
};

/// Before the opcode in the name of its tag; alone the name of the tag of those
/// that are no opcodes.
const PREFIX: &str = "EPD";

/// The tags of operations, with `id` as the name of the event. Moves are
/// written as in the position in which they were read.
pub fn to_tags(operations: &[Operation]) -> Vec<(String, String)> {
    let mut tags = Vec::with_capacity(operations.len());
    let mut others = Vec::new();
    for operation in operations {
        let opcode = &operation.opcode;
        if opcode == "id"
            && let [Operand::Text(text)] = &operation.operands[..]
            && !matches!(text.as_str(), "" | "?")
        {
            tags.insert(0, ("Event".to_owned(), text.clone()));
            continue;
        }
        let value = match &operation.operands[..] {
            [Operand::Text(text)]
                if kind(opcode) == OperandKind::Text && !text.starts_with('"') =>
            {
                text.clone()
            }
            _ => operands(operation),
        };
        if is_name(opcode) {
            tags.push((format!("{PREFIX}_{opcode}"), value));
        } else {
            others.push((opcode.clone(), value));
        }
    }
    if !others.is_empty() {
        let value = line("", others);
        let value = value.trim_start_matches([';', ' ']);
        tags.push((PREFIX.to_owned(), value.to_owned()));
    }
    tags
}

/// The legal moves of `pv` one after the other in SAN; `None` if there are none.
pub fn line_of(operations: &[Operation]) -> Option<String> {
    let operation = operations
        .iter()
        .find(|found| kind(&found.opcode) == OperandKind::Line)?;
    let move_of = |operand: &'_ Operand| match operand {
        Operand::Move(san) => Some(san.clone()),
        _ => None,
    };
    let moves: Vec<String> = operation.operands.iter().map_while(move_of).collect();
    (!moves.is_empty()).then(|| moves.join(" "))
}

/// A line of EPD: the position of a FEN (of any game) and the operations among
/// tags. The counters of the FEN become operations where they are not those of a
/// beginning. `Event` is the `id` of a record that says so by having no players.
pub fn from_tags(fen: &str, tags: &[(String, String)]) -> String {
    let (mut position, counters) = split_counters(fen);
    if let Some((_, written)) = tags.iter().rfind(|(known, _)| known == "FEN") {
        position.push_str(colon_counters(written));
    }
    let mut operations: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |opcode: &str, value: String| {
        // Of several tags of one name the last one counts.
        operations.insert(opcode.to_owned(), value);
    };
    let says = |name: &str| {
        let found = tags.iter().rfind(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !matches!(*value, "" | "?"))
    };
    if let (Some(event), None, None) = (says("Event"), says("White"), says("Black")) {
        add("id", quoted(event));
    }
    for (name, value) in tags {
        let Some(opcode) = name.strip_prefix(PREFIX) else {
            continue;
        };
        if opcode.is_empty() {
            for raw in split::operations(value) {
                let operands: Vec<String> = raw.operands.iter().map(ToString::to_string).collect();
                add(raw.opcode, operands.join(" "));
            }
        } else if let Some(opcode) = opcode.strip_prefix('_').filter(|opcode| is_name(opcode)) {
            let is_plain = kind(opcode) == OperandKind::Text && !value.starts_with('"');
            let plain = || quoted(value);
            add(
                opcode,
                is_plain.then(plain).unwrap_or_else(|| value.clone()),
            );
        }
    }
    for (opcode, number) in ["hmvc", "fmvn"].into_iter().zip(counters) {
        if let Some(number) = number {
            add(opcode, number.to_string());
        }
    }
    line(&position, operations.into_iter().collect())
}

/// The fields of a FEN without its counters, and these where they are not 0 and 1.
pub(super) fn split_counters(fen: &str) -> (String, [Option<u32>; 2]) {
    let mut words: Vec<&str> = fen.split_ascii_whitespace().collect();
    let numbers = match words[..] {
        [_, _, _, _, .., halfmoves, fullmoves] => {
            halfmoves.parse().ok().zip(fullmoves.parse().ok())
        }
        _ => None,
    };
    let Some((halfmoves, fullmoves)) = numbers else {
        return (words.join(" "), [None; 2]);
    };
    words.truncate(words.len() - 2);
    let counters = [
        Some(halfmoves).filter(|&number| number != 0),
        Some(fullmoves).filter(|&number| number != 1),
    ];
    (words.join(" "), counters)
}
