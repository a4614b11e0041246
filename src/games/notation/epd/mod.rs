//! EPD: a position in one line, with operations such as `bm Nf3;` after it.
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

pub use opcode::{OperandKind, kind, looks_like_opcode};
pub(crate) use operations::counters;
pub use operations::{Operations, operations};
pub use tags::{from_tags, line_of, to_tags};
pub use write::{quoted, write, write_fen};

/// An opcode and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub opcode: String,
    /// Any number of values.
    pub operands: Vec<Operand>,
}

/// A value of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A legal move in SAN: in the position, or in the line so far (`pv`).
    Move(String),
    /// A text in quotes.
    Text(String),
    /// A number, or anything else as written: a move that cannot be played, a bare word.
    Word(String),
}

impl Operand {
    /// What it says, without quotes.
    pub fn text(&self) -> &str {
        match self {
            Self::Move(text) | Self::Text(text) | Self::Word(text) => text,
        }
    }
}
