//! Opens files, undoes compression and encodings, cuts chunks. Knows nothing
//! of games except where one can begin.
//!
//! Data flows through the modules in this order: [`find`] expands what a user
//! named into [`SourcePath`]s, [`open()`] makes a [`SourceReader`] of
//! decompressed bytes by the table in [`format`](mod@format), or the
//! [members](archive::ArchiveMembers) of an archive, each opened alike, and [`chunk::ChunkReader`]
//! brings them to UTF-8 where [`encoding`] can determine it and hands them out in
//! chunks of complete games.
//!
//! Invariant: chunks are a pure function of the stream's content, never of
//! thread counts or read sizes; the hashes that recognise a file again and the
//! numbering of games rest on it.

pub mod archive;
mod budget;
pub mod chunk;
mod discover;
pub mod encoding;
mod error;
mod file;
mod foreign;
pub mod format;
pub mod verify;

pub use discover::{DiscoveredSources, FileFilter, SourcePath, find};
pub use error::{SourceError, SourceErrorKind};
pub use file::{OpenedSource, SourceReader, open, open_member, open_stream};
pub use foreign::controls;
