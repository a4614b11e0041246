//! Packed data of games in blocks: facts in columns, names, packed main lines, records of a game,
//! fingerprints. Pure functions of bytes; never sees SQL or files.

pub mod bits;
pub(crate) mod fact_predicate;
pub mod facts;
pub mod fingerprint;
pub mod moves;
pub mod name_block;
pub mod pages;

/// Bytes of the blocks of a database, with which its pages of 4,096 bytes are full.
///
/// Such pages take all but 483 bytes of a block of 8,651 two at a time, for what is longer than a
/// page goes to pages of its own; those 483 bytes of eight blocks, which is the least that
/// `SQLite` leaves of a record with the others, share a page. So blocks that are not quite full
/// cost little.
pub const BLOCK_BYTES: usize = 8651;
