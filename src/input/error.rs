//! What keeps a source from being read.

use std::io;
use std::path::Path;

use crate::base::PathError;
use crate::base::limits::{ARCHIVE_DEPTH_MAX, EXPANSION_MAX};

/// A source that cannot be found, opened or read to its end.
///
/// [`hint`](PathError::hint) says what a user can do about each.
pub type SourceError = PathError<SourceErrorKind>;

/// Why a source cannot be found, opened or read to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceErrorKind {
    /// Nothing of that name exists: check the spelling.
    #[error("no such file or folder")]
    Missing,
    /// A folder (with all below it) holds no game file: name the file itself.
    #[error("the folder contains no file with games (named {wanted}, or with such content)")]
    NoGameFile {
        /// The name endings that were searched for.
        wanted: String,
    },
    /// A folder stands where a file was wanted: let [`find`](super::find()) expand it.
    #[error("is a folder, not a file")]
    IsFolder,
    /// A folder cannot be listed: check its permissions.
    #[error("cannot list the folder")]
    Folder {
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file exists but cannot be opened: check its permissions.
    #[error("cannot open the file")]
    Open {
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The system could not read on: check the disk or the connection.
    #[error("cannot read any further after {offset_bytes} bytes")]
    Read {
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Compressed data ends in the middle: fetch the file again.
    #[error("compressed file ends too early; {offset_bytes} decompressed bytes could be read")]
    Truncated {
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// Compressed data is damaged or not compressed at all.
    #[error("damaged {format} data; {offset_bytes} decompressed bytes could be read")]
    Corrupt {
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
        "was compressed with a window of more than 256 MiB; {offset_bytes} decompressed bytes could be read"
    )]
    Window {
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// Compressed data that expands as no text of games does: look what it is.
    #[error(
        "decompresses to more than {EXPANSION_MAX} times its size; {offset_bytes} decompressed bytes were read"
    )]
    Bomb {
        /// Decompressed bytes that were read before.
        offset_bytes: u64,
    },
    /// The member of a source at which its [budget](crate::base::limits) was spent: unpack what
    /// is packed in it.
    #[error(
        "the archive is not read further: for its size, too much is packed in it, or packed within each other"
    )]
    Exhausted,
    /// An entry of an archive without content of its own, or a file that folders do not show: it is
    /// counted among those that were passed over.
    #[error("not a file that is read")]
    NoContent,
    /// A source that goes on and on without a game: name what the games are in.
    #[error("no game in {bytes} bytes; the rest is not read")]
    Gameless {
        /// Bytes since its last game.
        bytes: u64,
    },
    /// A member of an archive that only a password unpacks: unpack it first.
    #[error("encrypted")]
    Encrypted,
    /// A member of an archive that was packed in a way that few programs know: unpack it first.
    #[error("packed in a way that is not supported ({format}: {method})")]
    Method {
        /// Name of the format of the archive.
        format: &'static str,
        /// What is not known.
        method: String,
    },
    /// A member of an archive that is packed together with one that is damaged.
    #[error("cannot be extracted: an earlier member of the archive is damaged")]
    BehindDamage,
    /// A member of an archive that another one has the name of: unpack them one by one.
    #[error("the archive has several files of this name, and this one cannot be found in it")]
    Repeated,
    /// A member of an archive whose name is that of a file outside it.
    #[error("its name leads out of the archive")]
    LeadsOut,
    /// A table that has neither moves nor positions.
    #[error("a table without moves or positions; its columns are {names}")]
    Columns {
        /// What its columns are called.
        names: String,
    },
    /// Archives in archives in archives.
    #[error("archives are nested more than {ARCHIVE_DEPTH_MAX} deep")]
    Nested,
    /// A format that is recognised but not read: decompress it first.
    #[error("{format} files are not supported")]
    Unsupported {
        /// Name of the format.
        format: &'static str,
    },
    /// A content that is no text of games at all: name what the games are in.
    #[error("not a file of games (detected: {format})")]
    NotGames {
        /// Name of the content.
        format: &'static str,
        /// How to get at the games.
        advice: &'static str,
    },
    /// A text that was read to its end: it has nothing that could be stored.
    #[error(
        "not a file of games: it has no tag pair, move, position or problem that plydex can read"
    )]
    NoRecord,
}

use SourceErrorKind as Kind;

impl SourceError {
    /// What a user can do about it, one line without a final stop.
    pub const fn hint(&self) -> &'static str {
        match self.kind {
            Kind::Missing => {
                "check the spelling and the current folder; `-` stands for standard input"
            }
            Kind::NoGameFile { .. } => "name the file itself: a file that is named is always read",
            Kind::IsFolder => "name a file in it",
            Kind::Folder { .. } | Kind::Open { .. } => "check its permissions",
            Kind::Read { .. } => "check the disk or the connection, then run the command again",
            Kind::Truncated { .. } => {
                "the download or copy was cut short; fetch the file again and repeat the command"
            }
            Kind::Corrupt { .. } => {
                "fetch the file again; if it is not compressed, correct the ending of its name"
            }
            Kind::Window { .. } => {
                "decompress it first (`zstd -d --long=31`), or pipe the decompressed text to `plydex import -`"
            }
            Kind::Bomb { .. } => {
                "look at its content; if it does contain games, decompress it first and import the result"
            }
            Kind::Gameless { .. } => {
                "look whether it is a source of games; if it is, take out what stands before the games"
            }
            Kind::Exhausted => {
                "look at its content; if it does contain games, unpack it first and import what comes out"
            }
            Kind::NoContent => "name it itself: a file that is named is always read",
            Kind::Encrypted | Kind::Method { .. } => {
                "unpack it with the program that made it, or write it again with another compression, then import what comes out"
            }
            Kind::Repeated => {
                "unpack the archive, one file of this name after the other, then import what comes out"
            }
            Kind::BehindDamage => "fetch the archive again",
            Kind::LeadsOut => {
                "nothing was unpacked; look who made the archive, and unpack it in a folder of its own"
            }
            Kind::Columns { .. } => {
                "a column with games is called `movedata`, `movetext`, `moves` or `pgn`, one with positions `fen` or `epd`"
            }
            Kind::Nested => "unpack the outer archives first",
            Kind::Unsupported { .. } => {
                "decompress it first, or pipe the decompressed text to `plydex import -`"
            }
            Kind::NotGames { advice, .. } => advice,
            Kind::NoRecord => {
                "name a file with games or positions; `--as pgn` reads this one as PGN nevertheless"
            }
        }
    }

    /// Wraps the error so that it can pass through [`io::Read`].
    pub(super) fn into_io(self) -> io::Error {
        let kind = match &self.kind {
            Kind::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            Kind::Read { source, .. } => source.kind(),
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self)
    }

    /// Unwraps what [`into_io`](Self::into_io) wrapped; an error of a foreign
    /// reader, which knows no path, becomes one of `<stream>`.
    pub(super) fn from_io(error: io::Error, offset_bytes: u64) -> Self {
        let stream = Path::new("<stream>");
        let read = |source| Self::reading(stream, offset_bytes, source);
        error.downcast::<Self>().unwrap_or_else(read)
    }

    /// What keeps packed data from being unpacked; `is_of_disk` if the disk is to blame, which
    /// only its meter knows, as only the unpacker knows what it missed.
    pub(super) fn of_packed(
        path: &Path,
        format: &'static str,
        offset_bytes: u64,
        is_of_disk: bool,
        source: io::Error,
    ) -> Self {
        // Said already, of what is inside.
        let source = match source.downcast::<Self>() {
            Ok(error) => return error,
            Err(source) => source,
        };
        let kind = if is_of_disk {
            return Self::reading(path, offset_bytes, source);
        } else if source.kind() == io::ErrorKind::OutOfMemory
            || source.to_string().contains("too much memory")
        {
            Kind::Window { offset_bytes }
        } else if source.kind() == io::ErrorKind::UnexpectedEof {
            Kind::Truncated { offset_bytes }
        } else {
            Kind::Corrupt {
                format,
                offset_bytes,
                source,
            }
        };
        Self::new(path, kind)
    }

    /// The system could not read on.
    pub(super) fn reading(path: &Path, offset_bytes: u64, source: io::Error) -> Self {
        let kind = Kind::Read {
            offset_bytes,
            source,
        };
        Self::new(path, kind)
    }
}
