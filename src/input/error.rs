//! What keeps a source from being read.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::limits::EXPANSION_MAX;
use crate::base::shown;

/// A source that cannot be found, opened or read to its end.
///
/// [`hint`](Self::hint) says what a user can do about each.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Nothing of that name exists: check the spelling.
    #[error("{}: no such file or folder", shown::path(path))]
    Missing {
        /// The path as it was named.
        path: PathBuf,
    },
    /// A folder (with all below it) holds no game file: name the file itself.
    #[error(
        "{}: the folder contains no file with games (named {wanted}, or with such content)",
        shown::path(path)
    )]
    NoGameFile {
        /// The folder as it was named.
        path: PathBuf,
        /// The name endings that were looked for.
        wanted: String,
    },
    /// A folder stands where a file was wanted: let [`find`](super::find()) expand it.
    #[error("{}: is a folder, not a file", shown::path(path))]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A folder cannot be listed: check its permissions.
    #[error("{}: cannot list the folder", shown::path(path))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file exists but cannot be opened: check its permissions.
    #[error("{}: cannot open the file", shown::path(path))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The system could not read on: check the disk or the connection.
    #[error(
        "{}: cannot read any further after {offset_bytes} bytes",
        shown::path(path)
    )]
    Read {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Compressed data ends in the middle: fetch the file again.
    #[error(
        "{}: compressed file ends too early; {offset_bytes} decompressed bytes could be read",
        shown::path(path)
    )]
    Truncated {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// Compressed data is damaged or not compressed at all.
    #[error(
        "{}: damaged {format} data; {offset_bytes} decompressed bytes could be read",
        shown::path(path)
    )]
    Corrupt {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Name of the format it was taken for.
        format: &'static str,
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
        /// What the decompressor said.
        #[source]
        source: io::Error,
    },
    /// Compressed data that can only be read with more memory than is given to it:
    /// decompress it first.
    #[error(
        "{}: was compressed with a window of more than 256 MiB; {offset_bytes} decompressed bytes could be read",
        shown::path(path)
    )]
    Window {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// Compressed data that expands as no text of games does: look what it is.
    #[error(
        "{}: decompresses to more than {EXPANSION_MAX} times its size; {offset_bytes} decompressed bytes were read",
        shown::path(path)
    )]
    Bomb {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// A format that is recognised but not read: decompress it first.
    #[error("{}: {format} files are not supported", shown::path(path))]
    Unsupported {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Name of the format.
        format: &'static str,
    },
    /// A format that is no text of games at all: name what the games are in.
    #[error("{}: not a file of games (detected: {format})", shown::path(path))]
    NotGames {
        /// The file, `-` for standard input.
        path: PathBuf,
        /// Name of the format.
        format: &'static str,
    },
}

impl SourceError {
    /// The path the trouble is with; `-` stands for standard input.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::NoGameFile { path, .. }
            | Self::IsFolder { path }
            | Self::Folder { path, .. }
            | Self::Open { path, .. }
            | Self::Read { path, .. }
            | Self::Truncated { path, .. }
            | Self::Corrupt { path, .. }
            | Self::Window { path, .. }
            | Self::Bomb { path, .. }
            | Self::Unsupported { path, .. }
            | Self::NotGames { path, .. } => path,
        }
    }

    /// What a user can do about it, one line without a final stop.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => {
                "check the spelling and the current folder; `-` stands for standard input"
            }
            Self::NoGameFile { .. } => "name the file itself: a file that is named is always read",
            Self::IsFolder { .. } => "name a file in it",
            Self::Folder { .. } | Self::Open { .. } => "check its permissions",
            Self::Read { .. } => "check the disk or the connection, then run the command again",
            Self::Truncated { .. } => {
                "the download or copy was cut short; fetch the file again and repeat the command"
            }
            Self::Corrupt { .. } => {
                "fetch the file again; if it is not compressed, correct the ending of its name"
            }
            Self::Window { .. } => {
                "decompress it first (`zstd -d --long=31`), or pipe the decompressed text to `plydex import -`"
            }
            Self::Bomb { .. } => {
                "look at its content; if it does contain games, decompress it first and import the result"
            }
            Self::Unsupported { .. } => {
                "decompress it first, or pipe the decompressed text to `plydex import -`"
            }
            Self::NotGames { .. } => {
                "name the PGN files that its games came from; `plydex --db PATH export` writes the games of a plydex database as PGN"
            }
        }
    }

    /// Wraps the error so that it can pass through [`io::Read`].
    pub(super) fn into_io(self) -> io::Error {
        let kind = match &self {
            Self::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            Self::Read { source, .. } => source.kind(),
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self)
    }

    /// Unwraps what [`into_io`](Self::into_io) wrapped; an error of a foreign
    /// reader, which knows no path, becomes one of `<stream>`.
    pub(super) fn from_io(error: io::Error, offset_bytes: u64) -> Self {
        error
            .downcast::<Self>()
            .unwrap_or_else(|source| Self::Read {
                path: PathBuf::from("<stream>"),
                offset_bytes,
                source,
            })
    }
}
