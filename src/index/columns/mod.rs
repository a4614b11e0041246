//! Columns: for each kind of trace, which games of a segment have it, so that most games need
//! not be replayed to answer a query.
//!
//! The games of each variant of a segment are numbered from 0 in their order; games whose
//! start cannot be played are left out. The columns of a segment are three streams of bytes,
//! each cut into pages:
//!
//! ```text
//! heads    varint  variants; then of each
//!   varint  variant's id, how many games of the segment it has
//!   set     of these in the segment, as [`set::write`] has it, after its varint of bytes
//!   varint  kinds of pieces; of each
//!     u8      code
//!     varint  the number of squares up to the last on which it stood
//!     of each square, of the set of games in which it stood there:
//!       varint  bytes; then if there are any, how many games
//!   varint  things that happened, ascending by key; of each
//!     varint  key, bytes of its set, how many games
//!   varint  different numbers of pieces, bytes of its part of `counts`, bytes of all their sets
//! counts   of each variant
//!   of each kind of piece, in the order of the head: a column of numbers, one of each of the
//!   different numbers of pieces, which are in ascending order
//!   of each of these, varint: bytes of the set of games in which they were on the board
//! sets     of each variant, the sets in the order in which their bytes are given
//! ```
//!
//! A column of numbers is bits: width (8), then runs of equal numbers, each the number (in
//! that width) and gamma of how many.

mod answer;
mod build;
mod read;
pub mod set;

pub use answer::ColumnAnswer;
pub use build::build;
pub use read::{ColumnSource, VariantColumns, heads};

/// A stream of the columns of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stream {
    /// Which columns there are.
    Heads = 0,
    /// How many of each piece were on the board.
    Counts = 1,
    /// Sets of games.
    Sets = 2,
}

impl Stream {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Heads, Self::Counts, Self::Sets];
}

/// Bits of the number of a page.
const PAGE_BITS: u32 = 24;

/// The key under which a page of a stream of the columns of the first games of a segment is filed.
pub const fn page_key(stream: Stream, page: usize) -> u64 {
    (stream as u64) << 40 | page as u64
}

/// How much further the same of the nth stretch of its games (from 0) is.
pub const fn stretch_key(nth: u64) -> u64 {
    nth << PAGE_BITS
}
