//! EPD: a position in one line, with operations such as `bm Nf3;` behind it.
//!
//! The reader takes what test suites hold; the writer keeps to section 16.2 of the
//! PGN standard: four fields, operations in the order of their opcodes, moves in
//! SAN and in order, the counters as `hmvc` and `fmvn`.

mod opcode;
mod operations;
mod split;
mod tags;
#[cfg(test)]
mod tests;
mod write;

use crate::games::chess::basics::Chess;

pub use opcode::{Kind, kind, looks_like_opcode};
pub(crate) use operations::counters;
pub use operations::{Operations, Reader, operations};
pub use tags::{from_tags, line_of, to_tags};
pub use write::{quoted, write};

use crate::base::diagnostic::Code;
use crate::games::chess::notation::fen::{self, FenError, Fields};

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
    /// A legal move in SAN: in the position, or in the line so far (`pv`).
    Move(String),
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
/// use plydex::games::notation::epd;
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
    let text = reading.operations.as_deref().unwrap_or_default();
    let found = operations(text, Some(&position));
    for code in found.warnings {
        if !warnings.contains(&code) {
            warnings.push(code);
        }
    }
    Ok(Epd {
        position,
        fields: reading.fields,
        operations: found.list,
        warnings,
    })
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
    pub fn moves(&self, opcode: &str) -> impl Iterator<Item = &str> {
        let operands = self.get(opcode).map_or(&[][..], |found| &found.operands);
        operands.iter().filter_map(|operand| match operand {
            Operand::Move(san) => Some(san.as_str()),
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
}
