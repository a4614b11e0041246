//! EPD: a position in one line, with operations such as `bm Nf3;` behind it.
//!
//! The reader takes what test suites hold; the writer keeps to section 16.2 of the
//! PGN standard: four fields, operations in the order of their opcodes, moves in
//! SAN and in order, the counters as `hmvc` and `fmvn`.

mod lines;
mod opcode;
mod split;
#[cfg(test)]
mod tests;
mod write;

use shakmaty::{Chess, Move, Position as _};

pub use lines::{Line, records};
pub use opcode::{Kind, kind, looks_like_opcode};
pub use write::write;

use super::{
    fen::{self, FenError, Fields},
    lenient_move::{self, Ply, Resolved},
};
use crate::diagnostic::Code;
use split::{Raw, RawOperand};

/// A line of EPD as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Epd {
    /// The position, its counters from `hmvc` and `fmvn` or the fifth and sixth
    /// field.
    pub position: Chess,
    /// Which fields were there; counters are, if one of the operations has them.
    pub fields: Fields,
    /// Everything else, each opcode once, in the order of the line.
    pub operations: Vec<Operation>,
    /// What was repaired, each code once.
    pub warnings: Vec<Code>,
}

/// An opcode and what it says.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// Any number of values.
    pub operands: Vec<Operand>,
}

/// A value of an operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A legal move: in the position, or in the line so far (`pv`).
    Move(Move),
    /// A text in quotes.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with a point.
    Float(f64),
    /// Anything else, as written: a move that cannot be played, a bare word.
    Word(String),
}

/// Reads a line of EPD, or a FEN of six fields with operations behind it.
/// Whatever is wrong with an operation is a warning, and its text is kept.
///
/// ```
/// use plydex::notation::epd;
///
/// let line = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\"; bm e2e4 Kd2; fmvn 9";
/// let epd = epd::read(line).unwrap();
/// assert_eq!(epd.moves("bm").count(), 2);
/// assert_eq!(
///     epd::write(&epd),
///     "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; fmvn 9; hmvc 0; id \"one\";"
/// );
/// ```
///
/// # Errors
///
/// [`FenError`] where the position is none.
pub fn read(line: &str) -> Result<Epd, FenError> {
    let (position, reading) = fen::read_position(line)?;
    let mut warnings = reading.warnings;
    if reading.fields.ep {
        // Four fields are all that EPD has.
        warnings.retain(|&code| code != Code::MissingFields);
    }
    let mut epd = Epd {
        position,
        fields: reading.fields,
        operations: Vec::new(),
        warnings,
    };
    for raw in split::operations(reading.operations.as_deref().unwrap_or_default()) {
        epd.take(&raw);
    }
    Ok(epd)
}

/// The counters among operations, as `hmvc` and `fmvn` give them.
pub(super) fn counters(operations: &str) -> [Option<u32>; 2] {
    let mut found = [None; 2];
    for raw in split::operations(operations) {
        if let Some(at) = counter_of(raw.opcode)
            && let [operand] = &raw.operands[..]
        {
            found[at] = operand.text.parse().ok().or(found[at]);
        }
    }
    found
}

/// Which counter an opcode has.
fn counter_of(opcode: &str) -> Option<usize> {
    ["hmvc", "fmvn"].iter().position(|&name| name == opcode)
}

impl Epd {
    /// A position without operations.
    pub fn of(position: Chess) -> Self {
        Self {
            position,
            fields: Fields::ALL,
            operations: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The operation of an opcode.
    pub fn get(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|found| found.opcode == opcode)
    }

    /// The legal moves of an opcode: `bm`, `am`, `pm`, `sm`, `pv`.
    pub fn moves(&self, opcode: &str) -> impl Iterator<Item = Move> {
        let operands = self.get(opcode).map_or(&[][..], |found| &found.operands);
        operands.iter().filter_map(|operand| match operand {
            Operand::Move(m) => Some(*m),
            _ => None,
        })
    }

    /// The text of an opcode: its first operand, as `id` and the comments have it.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        match self.get(opcode)?.operands.first()? {
            Operand::Text(text) | Operand::Word(text) => Some(text),
            _ => None,
        }
    }

    /// The number of an opcode, as `ce`, `acd` and `dm` have it.
    pub fn integer(&self, opcode: &str) -> Option<i64> {
        match self.get(opcode)?.operands[..] {
            [Operand::Integer(number)] => Some(number),
            _ => None,
        }
    }

    fn take(&mut self, raw: &Raw<'_>) {
        if raw.odd {
            self.warn(Code::EpdSpelling);
        }
        let counter = counter_of(raw.opcode).is_some()
            && matches!(&raw.operands[..], [operand] if operand.text.parse::<u32>().is_ok());
        if counter {
            return;
        }
        let operands = self.operands(raw);
        match self
            .operations
            .iter_mut()
            .find(|known| known.opcode == raw.opcode)
        {
            Some(known) => {
                // The standard allows an opcode once; suites say `bm` twice.
                for operand in operands {
                    if !known.operands.contains(&operand) {
                        known.operands.push(operand);
                    }
                }
                self.warn(Code::EpdSpelling);
            }
            None => self.operations.push(Operation {
                opcode: raw.opcode.to_owned(),
                operands,
            }),
        }
    }

    fn operands(&mut self, raw: &Raw<'_>) -> Vec<Operand> {
        match kind(raw.opcode) {
            Kind::Moves => self.read_moves(&raw.operands, false),
            Kind::Line => self.read_moves(&raw.operands, true),
            Kind::Text => {
                let quoted = |operand: &RawOperand| operand.quoted;
                if raw.operands.iter().all(quoted) {
                    return raw.operands.iter().map(text).collect();
                }
                // `eco C20`, `id my test`.
                self.warn(Code::EpdOperand);
                let words: Vec<&str> = raw.operands.iter().map(|o| o.text.as_str()).collect();
                vec![Operand::Text(words.join(" "))]
            }
            Kind::Integer => {
                let operands: Vec<Operand> = raw.operands.iter().map(by_shape).collect();
                if !matches!(operands[..], [Operand::Integer(_)]) {
                    self.warn(Code::EpdOperand);
                }
                operands
            }
            Kind::Any => raw.operands.iter().map(by_shape).collect(),
        }
    }

    /// Moves of the position, or of a line from it.
    fn read_moves(&mut self, raw: &[RawOperand], line: bool) -> Vec<Operand> {
        let mut at = Some(self.position.clone());
        let mut found = Vec::with_capacity(raw.len());
        for operand in raw {
            // `1.Nf3`, `Nf3, Nc3` and `Nf3 or Nc3`.
            let word = operand.text.trim_end_matches(',');
            let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let word = match word.trim_start_matches(['.', '…']) {
                cut if cut.len() < word.len() => cut,
                _ => operand.text.trim_end_matches(','),
            };
            if word.is_empty() || matches!(word, "or" | "and" | "|") {
                self.warn(Code::EpdOperand);
                continue;
            }
            match at.as_ref().map(|at| lenient_move::resolve(at, word)) {
                Some(Ok(Resolved {
                    plies, findings, ..
                })) if line || matches!(plies[..], [Ply::Move(_)]) => {
                    if word.len() < operand.text.len() || !findings.is_empty() {
                        self.warn(Code::EpdOperand);
                    }
                    for ply in plies {
                        let Ply::Move(m) = ply else { continue };
                        found.push(Operand::Move(m));
                        if line && let Some(at) = &mut at {
                            at.play_unchecked(m);
                        }
                    }
                }
                _ => {
                    // Behind a move that cannot be played nothing of a line can.
                    if line {
                        at = None;
                    }
                    self.warn(Code::EpdMove);
                    found.push(if operand.quoted {
                        text(operand)
                    } else {
                        Operand::Word(operand.text.clone())
                    });
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

fn text(operand: &RawOperand) -> Operand {
    Operand::Text(operand.text.clone())
}

/// What an operand is by its looks.
fn by_shape(operand: &RawOperand) -> Operand {
    let word = operand.text.as_str();
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if operand.quoted {
        return text(operand);
    }
    if number && let Ok(integer) = word.parse() {
        return Operand::Integer(integer);
    }
    if number
        && word.contains('.')
        && !word.ends_with('.')
        && let Ok(float) = word.parse()
    {
        return Operand::Float(float);
    }
    Operand::Word(operand.text.clone())
}
