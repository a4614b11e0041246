//! Operations as they are read: opcodes brought together, moves searched for in the position.

use std::{borrow::Cow, collections::HashMap};

use super::{
    Operand, OperandKind, Operation, kind,
    opcode::{is_known, is_opcode_word},
    split::{self, RawOperation},
};
use crate::{base::diagnostic::Code, games::AnyPosition};

/// Operations of a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Operations {
    /// Each opcode once, in the order of the line, without the counters.
    pub list: Vec<Operation>,
    /// What `hmvc` and `fmvn` say.
    pub counters: [Option<u32>; 2],
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
}

/// Reads operations. Moves are searched for in a position, if it is of a game whose moves this
/// program writes as EPD does; otherwise they stay text, without a warning.
pub fn operations(text: &str, at: Option<&AnyPosition>) -> Operations {
    let mut found = Operations::default();
    let mut so_far = SoFar {
        line: at.cloned(),
        at: at.cloned(),
        places: HashMap::new(),
    };
    each(text, |opcode, operands, odd| {
        found.take(opcode, operands, odd, &mut so_far);
    });
    found
}

/// What is known while operations are read.
struct SoFar {
    /// The position that moves are searched for in; `None` where none are.
    at: Option<AnyPosition>,
    /// The position after the line so far, since a second `pv` goes on with it; `None` after a move
    /// that cannot be played.
    line: Option<AnyPosition>,
    /// Where opcodes stand in the list of operations.
    places: HashMap<String, usize>,
}

/// Operands of one operation that are searched for a duplicate.
const OPERANDS_MAX: usize = 256;

/// Calls for each operation with its name, its operands, and whether it is written in
/// an odd way. Where the semicolon after moves is left out, they are two.
fn each(text: &str, mut take: impl FnMut(&str, &[Operand], bool)) {
    for raw in split::operations(text) {
        let (first, second) = raw.operands.split_at(second(&raw));
        let is_odd = raw.odd || !second.is_empty();
        take(raw.opcode, first, is_odd);
        if let [opcode, operands @ ..] = second {
            take(opcode.text(), operands, true);
        }
    }
}

/// Where among the operands of moves one begins an operation, the semicolon before it
/// being left out (`bm Rc8+ dm 26`); else after them.
fn second(raw: &RawOperation<'_>) -> usize {
    let begins = |operand: &Operand| matches!(operand, Operand::Word(word) if is_opcode_word(word));
    let mut places = 1..raw.operands.len();
    let found = (kind(&meant(raw.opcode)) == OperandKind::Moves)
        .then(|| places.find(|&at| begins(&raw.operands[at])));
    found.flatten().unwrap_or(raw.operands.len())
}

/// The counters among operations, as `hmvc` and `fmvn` give them.
pub(crate) fn counters(operations: &str) -> [Option<u32>; 2] {
    let mut found = [None; 2];
    each(operations, |opcode, operands, _| {
        if let Some((at, number)) = counter(&meant(opcode), operands) {
            found[at] = Some(number);
        }
    });
    found
}

/// The opcode that a name is meant to be: `PV:` and `BM` are `pv` and `bm`.
fn meant(written: &str) -> Cow<'_, str> {
    let folded = written.trim_end_matches(':').to_ascii_lowercase();
    if !is_known(written) && is_known(&folded) {
        folded.into()
    } else {
        written.into()
    }
}

/// Which counter an operation is, and what it says.
fn counter(opcode: &str, operands: &[Operand]) -> Option<(usize, u32)> {
    let at = ["hmvc", "fmvn"].iter().position(|&name| name == opcode)?;
    match operands {
        [operand] => Some((at, operand.text().parse().ok()?)),
        _ => None,
    }
}

impl Operations {
    fn take(&mut self, written: &str, operands: &[Operand], odd: bool, so_far: &mut SoFar) {
        if odd {
            self.warn(Code::EpdSpelling);
        }
        let opcode = meant(written);
        if opcode != written {
            self.warn(Code::EpdSpelling);
        }
        if let Some((at, number)) = counter(&opcode, operands) {
            if self.counters[at].replace(number).is_some() {
                self.warn(Code::EpdSpelling);
            }
            return;
        }
        let operands = self.operands(&opcode, operands, so_far);
        if let Some(&place) = so_far.places.get(opcode.as_ref()) {
            // The standard allows an opcode once; suites say `bm` twice.
            let is_line = kind(&opcode) == OperandKind::Line;
            let known = &mut self.list[place].operands;
            for operand in operands {
                if is_line || !known.iter().take(OPERANDS_MAX).any(|one| *one == operand) {
                    known.push(operand);
                }
            }
            self.warn(Code::EpdSpelling);
        } else {
            let opcode = opcode.into_owned();
            so_far.places.insert(opcode.clone(), self.list.len());
            self.list.push(Operation { opcode, operands });
        }
    }

    fn operands(&mut self, opcode: &str, raw: &[Operand], so_far: &mut SoFar) -> Vec<Operand> {
        match (kind(opcode), &so_far.at) {
            (OperandKind::Moves, Some(_)) => self.read_moves(raw, &mut so_far.at.clone(), false),
            (OperandKind::Line, Some(_)) => self.read_moves(raw, &mut so_far.line, true),
            (kind, _) => self.values(kind, raw),
        }
    }

    fn values(&mut self, kind: OperandKind, raw: &[Operand]) -> Vec<Operand> {
        let is_text = |operand: &Operand| matches!(operand, Operand::Text(_));
        if kind == OperandKind::Text && !raw.iter().all(is_text) {
            // `eco C20`, `id my test`.
            self.warn(Code::EpdOperand);
            let words: Vec<&str> = raw.iter().map(Operand::text).collect();
            return vec![Operand::Text(words.join(" "))];
        }
        let operands: Vec<Operand> = raw.iter().map(usual).collect();
        let is_integer =
            matches!(&operands[..], [Operand::Word(word)] if word.parse::<i64>().is_ok());
        if kind == OperandKind::Integer && !is_integer {
            self.warn(Code::EpdOperand);
        }
        operands
    }

    /// Moves of the position, or of a line from it, which goes on to where the line ends.
    fn read_moves(
        &mut self,
        raw: &[Operand],
        at: &mut Option<AnyPosition>,
        line: bool,
    ) -> Vec<Operand> {
        let mut found = Vec::with_capacity(raw.len());
        for operand in raw {
            // `1.Nf3`, `Nf3, Nc3` and `Nf3 or Nc3`.
            let word = operand.text().trim_end_matches(',');
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let word = match word.trim_start_matches(['.', '…']) {
                cut if cut.len() < word.len() => cut,
                _ => operand.text().trim_end_matches(','),
            };
            if word.is_empty() || matches!(word, "or" | "and" | "|") {
                self.warn(Code::EpdOperand);
                continue;
            }
            // `Qd1 +`: the sign stands apart from its move.
            let is_sign = word.chars().all(|c| "+#!?".contains(c));
            if is_sign && matches!(found.last(), Some(Operand::Move(_))) {
                self.warn(Code::EpdOperand);
                continue;
            }
            // No position has that many moves.
            let is_looked_at = line || found.len() < OPERANDS_MAX;
            let here = at.as_ref().filter(|_| is_looked_at);
            match here.and_then(|at| at.read_alone(word)) {
                Some((moves, is_usual)) if line || moves.len() == 1 => {
                    if word.len() < operand.text().len() || !is_usual {
                        self.warn(Code::EpdOperand);
                    }
                    for (san, behind) in moves {
                        found.push(Operand::Move(san));
                        if line {
                            *at = Some(behind);
                        }
                    }
                }
                // Mate in that many moves, in suites of mates.
                _ if !line && is_mate(word) => {
                    self.warn(Code::EpdOperand);
                    found.push(Operand::Word(operand.text().to_owned()));
                }
                _ => {
                    // After a move that cannot be played no move of a line can be.
                    if line {
                        *at = None;
                    }
                    self.warn(Code::EpdMove);
                    found.push(operand.clone());
                }
            }
        }
        found
    }

    fn warn(&mut self, code: Code) {
        if !self.warnings.contains(&code) {
            self.warnings.push(code);
        }
    }
}

/// `#15`, `#-3`.
fn is_mate(word: &str) -> bool {
    let number = word.strip_prefix('#').unwrap_or_default();
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// An operand with a number in its usual spelling.
fn usual(operand: &Operand) -> Operand {
    let number = match operand {
        Operand::Word(word) => {
            let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
            let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
                && digits
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || byte == b'.');
            let integer = || Some(word.parse::<i64>().ok()?.to_string());
            // A decimal point distinguishes it from a whole number.
            let float = || Some(format!("{:?}", word.parse::<f64>().ok()?));
            let is_float = word.contains('.') && !word.ends_with('.');
            is_number
                .then(|| integer().or_else(|| is_float.then(float).flatten()))
                .flatten()
        }
        _ => None,
    };
    number.map_or_else(|| operand.clone(), Operand::Word)
}
