//! Archives: the streams of their members, one after the other.
//!
//! A thread of its own walks an archive and sends what it unpacks, a piece at a time, so that
//! a member is a stream like any other and nothing is written to disk but a copy of an archive
//! that stands where one cannot go back (in another archive, or on standard input).

mod tar;
mod zip;
mod zip_streamed;

#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "sevenz")]
mod sevenz;

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::{
    error::{SourceError, SourceErrorKind as Kind},
    file::{Meter, Metered},
    format::RawStream,
};
use crate::base::limits::{ARCHIVE_BOMBS_MAX, EXPANSION_FREE_BYTES, EXPANSION_MAX};

#[cfg(feature = "parquet")]
pub(super) use parquet::walk as walk_parquet;
#[cfg(feature = "sevenz")]
pub(super) use sevenz::walk as walk_7z;
pub(super) use tar::walk as walk_tar;
pub(super) use zip::walk as walk_zip;

/// Bytes of a piece.
const PIECE_BYTES: usize = 256 << 10;
/// Pieces that wait to be read.
const PIECES_MAX: usize = 4;
/// Bytes of an archive that are fetched at a time.
const FETCH_BYTES: usize = 128 << 10;

/// An archive in which one can go back and forth.
pub(super) type Seekable = BufReader<Metered<File>>;

/// How the members of an archive are found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Walker {
    /// By a table of contents.
    ByTable(fn(Seekable, &mut Outlet) -> io::Result<()>),
    /// One behind the other.
    InTurn(fn(RawStream, &mut Outlet) -> io::Result<()>),
}

/// A member of an archive that can be read.
pub struct Member {
    /// The path of the archive, and behind it the member's name.
    pub path: PathBuf,
    pub(super) stream: RawStream,
    pub(super) meter: Arc<Meter>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// The members of an archive, in its order. The next is waited for until the one before was
/// read or dropped.
#[derive(Debug)]
pub struct Members {
    path: PathBuf,
    size_on_disk: Option<u64>,
    meter: Arc<Meter>,
    ahead: Option<Result<Member, SourceError>>,
    found: Receiver<Result<Member, SourceError>>,
}

impl Iterator for Members {
    type Item = Result<Member, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.ahead.take().or_else(|| self.found.recv().ok())
    }
}

impl Members {
    /// Why nothing of the archive can be read, if that is so. To be asked before the first
    /// member is taken.
    pub fn failure_at_once(&mut self) -> Option<SourceError> {
        let is_of_archive = |error: &SourceError| error.path == self.path;
        match self.found.recv().ok()? {
            Err(error) if is_of_archive(&error) => Some(error),
            first => {
                self.ahead = Some(first);
                None
            }
        }
    }

    /// Size of the outermost file on disk, if it is a file.
    pub const fn size_on_disk(&self) -> Option<u64> {
        self.size_on_disk
    }

    /// Bytes taken from the disk so far, for progress.
    pub fn compressed_bytes_read(&self) -> u64 {
        self.meter.bytes()
    }

    /// Walks an archive: `file` if it stands in one, else what `stream` gives.
    pub(super) fn new(
        path: &Path,
        format: &'static str,
        walker: Walker,
        (stream, file): (RawStream, Option<File>),
        (meter, size_on_disk): (Arc<Meter>, Option<u64>),
    ) -> Self {
        let (send, found) = bounded(0);
        let mut outlet = Outlet {
            path: path.to_path_buf(),
            format,
            meter: Arc::clone(&meter),
            send,
            before: meter.bytes(),
            expanded: 0,
            bombs: 0,
            is_damaged: false,
        };
        thread::spawn(move || {
            let walked = match walker {
                Walker::InTurn(walk) => walk(stream, &mut outlet),
                Walker::ByTable(walk) => {
                    seekable(stream, file, &outlet.meter).and_then(|file| walk(file, &mut outlet))
                }
            };
            if let Err(error) = walked {
                let error = outlet.error(&outlet.path, outlet.expanded, error);
                let _ = outlet.send.send(Err(error));
            }
        });
        Self {
            path: path.to_path_buf(),
            size_on_disk,
            meter,
            ahead: None,
            found,
        }
    }
}

/// The archive as a file: its own, or a copy without a name.
fn seekable(mut stream: RawStream, file: Option<File>, meter: &Arc<Meter>) -> io::Result<Seekable> {
    let file = if let Some(file) = file {
        // What was looked at is read, and counted, again.
        meter.reset();
        Metered::new(file, Arc::clone(meter))
    } else {
        let mut copy = tempfile::tempfile()?;
        io::copy(&mut stream, &mut copy)?;
        copy.seek(SeekFrom::Start(0))?;
        // Its bytes were counted where they came from.
        Metered::new(copy, Arc::default())
    };
    Ok(BufReader::with_capacity(FETCH_BYTES, file))
}

/// Where a walker puts the members that it finds.
pub(super) struct Outlet {
    path: PathBuf,
    format: &'static str,
    meter: Arc<Meter>,
    send: Sender<Result<Member, SourceError>>,
    /// Bytes that had been taken from the disk before.
    before: u64,
    /// Bytes that members had, those that were too many taken off.
    expanded: u64,
    bombs: usize,
    /// Whether the last member could not be read to its end.
    is_damaged: bool,
}

/// Whether a walk is to go on.
pub(super) type Flow = ControlFlow<()>;

impl Outlet {
    /// Hands a member out by its name in the archive. Folders and what systems add of
    /// themselves are left out.
    pub(super) fn member(&mut self, name: &str, content: &mut dyn Read) -> Flow {
        if is_no_file(name) {
            return Flow::Continue(());
        }
        let path = match self.path_of(name) {
            Ok(path) => path,
            Err(error) => return self.tell(error),
        };
        let (pieces, stream) = bounded(PIECES_MAX);
        let member = Member {
            path: path.clone(),
            stream: Box::new(MemberPieces::new(stream)),
            meter: Arc::clone(&self.meter),
        };
        if self.send.send(Ok(member)).is_err() {
            return Flow::Break(());
        }
        self.pour(&path, content, &pieces)
    }

    /// Says why a member cannot be read.
    pub(super) fn trouble(&mut self, name: &str, kind: Kind) -> Flow {
        if is_no_file(name) {
            return Flow::Continue(());
        }
        match self.path_of(name) {
            Ok(path) => self.tell(SourceError::new(&path, kind)),
            Err(error) => self.tell(error),
        }
    }

    fn tell(&self, error: SourceError) -> Flow {
        match self.send.send(Err(error)) {
            Ok(()) => Flow::Continue(()),
            Err(_) => Flow::Break(()),
        }
    }

    /// Sends the bytes of a member until nobody wants more of them.
    fn pour(
        &mut self,
        path: &Path,
        content: &mut dyn Read,
        pieces: &Sender<io::Result<Vec<u8>>>,
    ) -> Flow {
        let mut offset_bytes = 0;
        self.is_damaged = false;
        loop {
            let mut piece = Vec::with_capacity(PIECE_BYTES);
            let read = content.take(PIECE_BYTES as u64).read_to_end(&mut piece);
            offset_bytes += piece.len() as u64;
            self.expanded += piece.len() as u64;
            let is_end = piece.is_empty();
            // Whoever looked at the beginning may want no more.
            if !is_end && pieces.send(Ok(piece)).is_err() {
                return Flow::Continue(());
            }
            if let Err(error) = read {
                self.is_damaged = true;
                let error = self.error(path, offset_bytes, error);
                let _ = pieces.send(Err(error.into_io()));
                return Flow::Continue(());
            }
            if is_end {
                return Flow::Continue(());
            }
            if self.is_bomb() {
                self.expanded -= offset_bytes;
                self.bombs += 1;
                let error = SourceError::new(path, Kind::Bomb { offset_bytes });
                let _ = pieces.send(Err(error.into_io()));
                return if self.bombs > ARCHIVE_BOMBS_MAX {
                    Flow::Break(())
                } else {
                    Flow::Continue(())
                };
            }
        }
    }

    /// Whether the member that was handed out last is damaged.
    #[cfg(feature = "sevenz")]
    pub(super) const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Says why nothing of the archive can be read.
    #[cfg(any(feature = "sevenz", feature = "parquet"))]
    pub(super) fn cannot(&self, kind: Kind) -> io::Error {
        SourceError::new(&self.path, kind).into_io()
    }

    fn is_bomb(&self) -> bool {
        let taken = self.meter.bytes().saturating_sub(self.before);
        self.expanded > EXPANSION_FREE_BYTES.max(taken.saturating_mul(EXPANSION_MAX))
    }

    /// The path of a member; none that leads out of the archive.
    fn path_of(&self, name: &str) -> Result<PathBuf, SourceError> {
        let name = name.replace('\\', "/");
        let path = self.path.join(name.trim_start_matches('/'));
        let leads_out = name.starts_with('/')
            || name
                .split('/')
                .any(|part| part == ".." || part.ends_with(':'))
            || name.contains('\0');
        if leads_out {
            Err(SourceError::new(&path, Kind::LeadsOut))
        } else {
            Ok(path)
        }
    }

    fn error(&self, path: &Path, offset_bytes: u64, error: io::Error) -> SourceError {
        let format = self.format;
        SourceError::of_packed(path, format, offset_bytes, self.meter.has_failed(), error)
    }
}

/// Whether a name is that of a folder, or of what systems add.
fn is_no_file(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    last.is_empty() || last.starts_with('.') || name.starts_with("__MACOSX/")
}

/// The bytes of a member as they come.
struct MemberPieces {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
}

impl MemberPieces {
    fn new(pieces: Receiver<io::Result<Vec<u8>>>) -> Self {
        Self {
            pieces,
            piece: io::Cursor::default(),
        }
    }
}

impl Read for MemberPieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.piece.read(buffer)? {
                0 if !buffer.is_empty() => match self.pieces.recv() {
                    Ok(piece) => self.piece = io::Cursor::new(piece?),
                    Err(_) => return Ok(0),
                },
                count => return Ok(count),
            }
        }
    }
}
