//! Archives: the streams of their members, one after the other.
//!
//! A thread of its own walks an archive and sends what it unpacks, a piece at a time, so that
//! a member is a stream like any other and nothing is written to disk but a copy of an archive
//! that stands where one cannot go back (in another archive, or on standard input).

mod sparse;
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
    budget::{CountingReader, SourceBudget, Unpacker},
    error::{SourceError, SourceErrorKind as Kind},
    format::RawStream,
};

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
pub(super) type SeekableArchive = BufReader<CountingReader<File>>;

/// How the members of an archive are found.
#[derive(Debug, Clone, Copy)]
pub(super) enum ArchiveWalker {
    /// By a table of contents.
    ByTable(fn(SeekableArchive, &mut MemberSink) -> io::Result<()>),
    /// One after the other.
    InTurn(fn(RawStream, &mut MemberSink) -> io::Result<()>),
}

/// A member of an archive that can be read.
pub struct ArchiveMember {
    /// The path of the archive, followed by the member's name.
    pub path: PathBuf,
    pub(super) stream: RawStream,
    pub(super) budget: SourceBudget,
}

impl std::fmt::Debug for ArchiveMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// An entry of an archive that is a member or says why it is none, and how many entries that
/// includes: those before it may say nothing.
type ArchiveEntry = (Result<ArchiveMember, SourceError>, u64);

/// The members of an archive, in its order. The next is waited for until the one before was
/// read or dropped.
#[derive(Debug)]
pub struct ArchiveMembers {
    path: PathBuf,
    budget: SourceBudget,
    ahead: Option<ArchiveEntry>,
    found: Receiver<ArchiveEntry>,
}

impl Iterator for ArchiveMembers {
    type Item = Result<ArchiveMember, SourceError>;

    /// The next member, while the budget of the source has one left. The one at which it is
    /// exhausted is named.
    fn next(&mut self) -> Option<Self::Item> {
        let (found, entries) = self.ahead.take().or_else(|| self.found.recv().ok())?;
        let found = match found {
            Ok(member) if self.budget.is_exhausted() => {
                drop(member);
                // All that the walker has left to say is why.
                return self.next_failure();
            }
            found if self.budget.count(entries) => found,
            Ok(ArchiveMember { path, .. }) | Err(SourceError { path, .. }) => {
                Err(SourceError::new(&path, Kind::Exhausted))
            }
        };
        if found.as_ref().is_err_and(is_exhausted) {
            self.budget.exhaust();
        }
        Some(found)
    }
}

const fn is_exhausted(error: &SourceError) -> bool {
    matches!(error.kind, Kind::Exhausted)
}

impl ArchiveMembers {
    /// Why nothing of the archive can be read, if that is so. To be called before the first
    /// member is taken.
    pub fn failure_at_once(&mut self) -> Option<SourceError> {
        let is_of_archive = |error: &SourceError| error.path == self.path;
        match self.found.recv().ok()? {
            (Err(error), _) if is_of_archive(&error) => Some(error),
            first => {
                self.ahead = Some(first);
                None
            }
        }
    }

    /// What the walker says of a budget that is exhausted, if it has said nothing else.
    fn next_failure(&self) -> Option<Result<ArchiveMember, SourceError>> {
        let mut told = self.found.iter().map(|(found, _)| found);
        told.find(|found| found.as_ref().is_err_and(is_exhausted))
    }

    /// Size of the outermost file on disk, if it is a file.
    pub fn size_on_disk(&self) -> Option<u64> {
        self.budget.size_on_disk()
    }

    /// Bytes taken from the disk so far, for progress.
    pub fn compressed_bytes_read(&self) -> u64 {
        self.budget.meter().bytes()
    }

    /// Walks an archive: `file` if it stands in one, else what `stream` gives.
    pub(super) fn new(
        path: &Path,
        format: &'static str,
        walker: ArchiveWalker,
        (stream, file): (RawStream, Option<File>),
        budget: &SourceBudget,
    ) -> Self {
        let budget = budget.within();
        let (send, found) = bounded(0);
        let mut outlet = MemberSink {
            path: path.to_path_buf(),
            format,
            budget: budget.clone(),
            send,
            offset_bytes: 0,
            entries: 0,
            is_damaged: false,
        };
        thread::spawn(move || {
            let walked = match walker {
                ArchiveWalker::InTurn(walk) => walk(stream, &mut outlet),
                ArchiveWalker::ByTable(walk) => {
                    seekable(stream, file, &outlet.budget).and_then(|file| walk(file, &mut outlet))
                }
            };
            if let Err(error) = walked {
                let error = outlet.error(&outlet.path, outlet.offset_bytes, error);
                let _ = outlet.send(Err(error));
            }
            // Those after the last that said something.
            outlet.budget.count(outlet.entries);
        });
        Self {
            path: path.to_path_buf(),
            budget,
            ahead: None,
            found,
        }
    }
}

/// The archive as a file: its own, or a copy without a name.
fn seekable(
    mut stream: RawStream,
    file: Option<File>,
    budget: &SourceBudget,
) -> io::Result<SeekableArchive> {
    let meter = budget.meter();
    let file = if let Some(file) = file {
        // What was looked at is read, and counted, again.
        meter.reset();
        CountingReader::new(file, Arc::clone(meter))
    } else {
        let mut copy = tempfile::tempfile()?;
        io::copy(&mut stream, &mut copy)?;
        copy.seek(SeekFrom::Start(0))?;
        // Its bytes were counted where they came from.
        CountingReader::new(copy, Arc::default())
    };
    Ok(BufReader::with_capacity(FETCH_BYTES, file))
}

/// Where a walker puts the members that it finds.
pub(super) struct MemberSink {
    path: PathBuf,
    format: &'static str,
    budget: SourceBudget,
    send: Sender<ArchiveEntry>,
    /// Bytes that members had, for messages.
    offset_bytes: u64,
    /// Entries since the last that was sent.
    entries: u64,
    /// Whether the last member could not be read to its end.
    is_damaged: bool,
}

/// Whether a walk is to go on.
pub(super) type WalkControl = ControlFlow<()>;

impl MemberSink {
    /// Hands a member out by its name in the archive. Folders and what systems add of
    /// themselves are left out.
    pub(super) fn member(&mut self, name: &str, content: &mut dyn Read) -> WalkControl {
        if self.budget.is_exhausted() {
            return WalkControl::Break(());
        }
        if is_no_file(name) {
            return self.pass(name);
        }
        let path = match self.path_of(name) {
            Ok(path) => path,
            Err(error) => return self.send(Err(error)),
        };
        if is_hidden(name) {
            return self.send(Err(SourceError::new(&path, Kind::NoContent)));
        }
        let (pieces, stream) = bounded(PIECES_MAX);
        let member = ArchiveMember {
            path: path.clone(),
            stream: Box::new(MemberPieces::new(stream)),
            budget: self.budget.clone(),
        };
        self.send(Ok(member))?;
        self.pour(&path, content, &pieces)
    }

    /// Says why a member cannot be read.
    pub(super) fn trouble(&mut self, name: &str, kind: Kind) -> WalkControl {
        if is_no_file(name) {
            return self.pass(name);
        }
        let path = self.path_of(name);
        self.send(Err(
            path.map_or_else(|error| error, |path| SourceError::new(&path, kind))
        ))
    }

    /// Ends the walk at a member that is more than the source may have.
    pub(super) fn exhaust(&mut self, name: &str) -> WalkControl {
        let _ = self.trouble(name, Kind::Exhausted);
        WalkControl::Break(())
    }

    /// Counts an entry about which nothing is said. Too many end the walk.
    fn pass(&mut self, name: &str) -> WalkControl {
        self.entries += 1;
        if self.entries <= self.budget.members_max() {
            return WalkControl::Continue(());
        }
        let path = self.path_of(name).unwrap_or_else(|error| error.path);
        let _ = self.send(Err(SourceError::new(&path, Kind::Exhausted)));
        WalkControl::Break(())
    }

    fn send(&mut self, found: Result<ArchiveMember, SourceError>) -> WalkControl {
        let entries = std::mem::take(&mut self.entries) + 1;
        match self.send.send((found, entries)) {
            Ok(()) => WalkControl::Continue(()),
            Err(_) => WalkControl::Break(()),
        }
    }

    /// Sends the bytes of a member until no more of them are wanted.
    fn pour(
        &mut self,
        path: &Path,
        content: &mut dyn Read,
        pieces: &Sender<io::Result<Vec<u8>>>,
    ) -> WalkControl {
        let mut offset_bytes = 0;
        self.is_damaged = false;
        loop {
            let mut piece = Vec::with_capacity(PIECE_BYTES);
            let read = content.take(PIECE_BYTES as u64).read_to_end(&mut piece);
            let count = piece.len() as u64;
            offset_bytes += count;
            self.offset_bytes += count;
            let is_within = self.budget.unpack(Unpacker::Archive, count);
            // A reader that looked at the beginning may want no more.
            if count > 0 && pieces.send(Ok(piece)).is_err() {
                return WalkControl::Continue(());
            }
            if let Err(error) = read {
                self.is_damaged = true;
                let error = self.error(path, offset_bytes, error);
                let _ = pieces.send(Err(error.into_io()));
                return WalkControl::Continue(());
            }
            if count == 0 {
                return WalkControl::Continue(());
            }
            if !is_within {
                self.offset_bytes -= offset_bytes;
                let kind = self.budget.reject(Unpacker::Archive, offset_bytes);
                let _ = pieces.send(Err(SourceError::new(path, kind).into_io()));
                return if self.budget.is_exhausted() {
                    WalkControl::Break(())
                } else {
                    WalkControl::Continue(())
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
        SourceError::of_packed(
            path,
            format,
            offset_bytes,
            self.budget.meter().has_failed(),
            error,
        )
    }
}

/// Whether a name is that of a folder, or of what systems add.
fn is_no_file(name: &str) -> bool {
    let last = last_name(name);
    last.is_empty()
        || last == ".DS_Store"
        || last.starts_with("._")
        || matches!(last, "." | "..")
        || name.starts_with("__MACOSX/")
}

/// Whether a name is that of a file which folders do not show.
fn is_hidden(name: &str) -> bool {
    last_name(name).starts_with('.')
}

fn last_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
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
