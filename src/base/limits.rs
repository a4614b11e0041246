//! The bounds that keep hostile input from costing more than honest input.

/// Plies of one game's main line that are replayed and indexed; the rest is
/// kept as text (rule M16).
pub const PLIES_MAX: usize = 1_000_000;

/// The highest number of an annotation glyph; what has a higher one is kept as text. The
/// standard ends with 139, programs have some hundreds.
pub const NAG_MAX: u32 = 65_535;

/// Variations within variations that are played for the index; those nested
/// deeper are kept as text alone. A board is held for each that is open.
pub const VARIATION_DEPTH_MAX: usize = 1_000;

/// Bytes of a tag name (rule T6).
pub const TAG_NAME_BYTES_MAX: usize = 255;

/// Bytes of a tag value that are stored; a longer value is cut and said so (rule T6).
pub const TAG_VALUE_BYTES_MAX: usize = 64 * 1024;

/// Diagnostics kept for one game; further ones are only counted.
pub const DIAGNOSTICS_PER_GAME_MAX: usize = 20;

/// Bytes of one game, or of one record of another notation. What is larger is left
/// out completely, named and counted: no person wrote it, and every reader of it
/// would need its memory. Opening trees of some MB are far below.
pub const GAME_BYTES_MAX: usize = 16 << 20;

/// Tag pairs of one game; a game of more is left out.
pub const TAGS_PER_GAME_MAX: usize = 10_000;

/// Bytes of all tag values of one game; a game of more is left out.
pub const TAGS_BYTES_MAX: usize = 4 << 20;

/// Comments, annotation glyphs, variations and stray words of one game's main line;
/// a game of more is left out.
pub const ANNOTATIONS_PER_GAME_MAX: usize = 1 << 18;

/// Words and annotations of one game, those inside its variations included; a game
/// of more is left out.
pub const ITEMS_PER_GAME_MAX: usize = 4 << 20;

/// Bytes of one game's annotations as they are stored; a game of more is left out.
/// Text that is all control signs or another encoding grows on its way.
pub const ANNOTATION_BYTES_MAX: usize = 2 * GAME_BYTES_MAX;

/// Bytes that the games of one chunk take when they are read; what follows them
/// in it is left out as one record. Games that people played come nowhere near, nor
/// do 16 MiB of positions on one line.
pub const BATCH_BYTES_MAX: usize = 256 << 20;

/// How many times its size a compressed source may expand, with all that is packed in it. Games
/// do so some ten-fold.
pub const EXPANSION_MAX: u64 = 1000;

/// Decompressed bytes of a source up to which that is not looked at.
pub const EXPANSION_FREE_BYTES: u64 = 64 << 20;

/// Bytes of a source without any game, after which it is not read further: a device or a pipe may
/// have no end. Where one game is too large, the next one comes earlier.
pub const GAMELESS_BYTES_MAX: u64 = 256 << 20;

/// A byte of what is no text at all counts for this many of those, for it takes longer to read.
pub const NOISE_WEIGHT: u64 = 16;

/// Archives within archives that are opened.
pub const ARCHIVE_DEPTH_MAX: usize = 6;

/// Members of a source that may expand as no text of games does; after that nothing more is
/// unpacked of it. Archives within archives may have half of these, as of all that follows.
pub const ARCHIVE_BOMBS_MAX: u64 = 16;

/// Entries of archives that any source may have.
pub const MEMBERS_FREE: u64 = 10_000;

/// Bytes of a source for each entry beyond that. The entry and the name of a small game take more,
/// however well they are packed.
pub const MEMBER_BYTES_MIN: u64 = 32;

/// Chunks that are read, or wait to be, at a time, whatever the number of threads.
pub const CHUNKS_UNDER_WAY_MAX: usize = 66;

/// Bytes of games that were read and wait to be written, and of those that are being
/// read; the first in order waits for nothing.
pub const BATCHES_BYTES_MAX: usize = 128 << 20;

/// Bytes of each of the dictionaries of players, events, sites, other tag values and
/// tag layouts, and of start positions, that an import remembers: some 900,000 names.
/// What is met beyond that for the first time gets a row each time it is met.
pub const DICTIONARY_BYTES_MAX: usize = 48 << 20;

/// Bytes after which the chunk cutter looks for the next game boundary. Part
/// of the file format: the chain of chunk hashes that recognises a known file
/// depends on it (see [`crate::input::chunk`]).
pub const CHUNK_BYTES: usize = 1 << 20;

/// Bytes up to which a chunk may grow while no game boundary outside a comment
/// is found: a game of the largest size that begins where the search for boundaries
/// has not started yet, and the blank lines after it. Part of the file format, too.
pub const CHUNK_BYTES_MAX: usize = CHUNK_BYTES + GAME_BYTES_MAX + (64 << 10);

/// Bytes of what a block of records may be inflated to: more than a game's annotations have.
pub const RECORD_BYTES_MAX: usize = 4 * GAME_BYTES_MAX;

/// Bytes of a text or blob within a statement that a user has written in SQL; what is stored of a
/// game has fewer.
pub const SQL_VALUE_BYTES_MAX: usize = 64 << 20;

/// Bytes of a row of its answer, which is written several times over on its way to the screen.
pub const SQL_ROW_BYTES_MAX: usize = 16 << 20;

/// Bytes that SQLite takes for such a statement. What is sorted goes to a file before.
pub const SQL_MEMORY_BYTES_MAX: usize = 128 << 20;
