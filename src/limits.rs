//! The bounds that keep hostile input from costing more than honest input.

/// Plies of one game's main line that are replayed and indexed; the rest is
/// kept as text (rule M16).
pub const PLIES_MAX: usize = 1_000_000;

/// Variations within variations that are played for the index; those nested
/// deeper are kept as text alone. A board is held for each that is open.
pub const VARIATION_DEPTH_MAX: usize = 1_000;

/// Bytes of a tag name (rule T6).
pub const TAG_NAME_BYTES_MAX: usize = 255;

/// Bytes of a tag value that are stored; a longer value is cut and said so (rule T6).
pub const TAG_VALUE_BYTES_MAX: usize = 64 * 1024;

/// Diagnostics kept for one game; further ones are only counted.
pub const DIAGNOSTICS_PER_GAME_MAX: usize = 20;

/// Bytes after which the chunk cutter looks for the next game boundary. Part
/// of the file format: the chain of chunk hashes that recognises a known file
/// depends on it (see [`crate::source::chunk`]).
pub const CHUNK_BYTES: usize = 1 << 20;

/// Bytes up to which a chunk may grow while no game boundary outside a comment
/// is found; then the last candidate is taken.
pub const CHUNK_BYTES_MAX: usize = 256 << 20;
