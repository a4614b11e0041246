//! Opens one source and reads its decompressed bytes.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::archive::{ArchiveMember, ArchiveMembers};
use super::budget::{CountingReader, SourceBudget, Unpacker};
use super::discover::{SourcePath, open_error};
use super::error::{SourceError, SourceErrorKind as Kind};

use super::foreign;
use super::format::{self, FileFormat, FormatHandling, MAGIC_BYTES_MAX, RawStream};

use crate::base::cancellable_io::{self, CancellableIo};
use crate::base::observe::CancellationToken;

/// Compressions within each other that are undone.
const LAYERS_MAX: usize = 4;

/// A source that was opened.
#[derive(Debug)]
pub enum OpenedSource {
    /// One stream.
    Stream(SourceReader),
    /// Several: the members of an archive.
    Archive(ArchiveMembers),
}

impl OpenedSource {
    /// The stream, unless it is an archive.
    pub fn into_stream(self) -> Option<SourceReader> {
        match self {
            Self::Stream(reader) => Some(reader),
            Self::Archive(_) => None,
        }
    }
}

/// Reads the decompressed bytes of one stream.
///
/// An [`io::Error`] from [`Read::read`] always carries a [`SourceError`]; after
/// one, the stream is at its end.
pub struct SourceReader {
    path: PathBuf,
    format: &'static FileFormat,
    budget: SourceBudget,
    /// What was read to determine what it is, and why it could not be read further.
    ahead: Cursor<Vec<u8>>,
    failure: Option<io::Error>,
    stream: RawStream,
    offset_bytes: u64,
    /// Whether more was unpacked than may be, which is said after it.
    exceeds: bool,
    ended: bool,
}

/// Opens a source by the table of formats: by its first bytes, else by its name.
/// A caller that waits for it there or later stops when `stop` is requested.
///
/// # Errors
///
/// If it is missing, a folder, not readable, or of a format that is recognised
/// but cannot be read.
pub fn open(source: &SourcePath, stop: &CancellationToken) -> Result<OpenedSource, SourceError> {
    let SourcePath::File(path) = source else {
        let path = Path::new("-");
        let stdin = cancellable_io::stdin(stop).map_err(|error| open_error(path, error))?;
        return open_stream(path, stdin, None);
    };
    let file = CancellableIo::open(path, stop).map_err(|error| open_error(path, error))?;
    let metadata = file.metadata().map_err(|error| open_error(path, error))?;
    if metadata.is_dir() {
        return Err(SourceError::new(path, Kind::IsFolder));
    }
    // The length of a pipe or a device says nothing.
    let size = metadata.is_file().then_some(metadata.len());
    let opening = UnidentifiedStream {
        path,
        budget: SourceBudget::new(size),
        is_file: size.is_some(),
    };
    opening.metered(Box::new(file))
}

/// Opens a stream as if it were a file at `path`, with `size_on_disk` as its
/// size before decompression, if known.
///
/// # Errors
///
/// As [`open()`], as far as they can occur.
pub fn open_stream(
    path: &Path,
    stream: RawStream,
    size_on_disk: Option<u64>,
) -> Result<OpenedSource, SourceError> {
    let opening = UnidentifiedStream {
        path,
        budget: SourceBudget::new(size_on_disk),
        is_file: false,
    };
    opening.metered(stream)
}

/// Opens a member of an archive, which may be compressed or an archive itself.
///
/// # Errors
///
/// As [`open()`], as far as they can occur.
pub fn open_member(member: ArchiveMember) -> Result<OpenedSource, SourceError> {
    let opening = UnidentifiedStream {
        path: &member.path,
        budget: member.budget,
        is_file: false,
    };
    opening.opened(member.stream, 0)
}

/// A stream that is not identified yet.
struct UnidentifiedStream<'p> {
    path: &'p Path,
    budget: SourceBudget,
    /// Whether the path names a file that can be read here and there.
    is_file: bool,
}

impl UnidentifiedStream<'_> {
    fn metered(self, stream: RawStream) -> Result<OpenedSource, SourceError> {
        let metered = CountingReader::new(stream, Arc::clone(self.budget.meter()));
        self.opened(Box::new(metered), 0)
    }

    /// Opens a stream that is `layer` layers of compression deep.
    fn opened(self, mut stream: RawStream, layer: usize) -> Result<OpenedSource, SourceError> {
        let path = self.path;
        let mut start = Vec::with_capacity(MAGIC_BYTES_MAX);
        let looked = (&mut stream)
            .take(MAGIC_BYTES_MAX as u64)
            .read_to_end(&mut start);
        let failure = match looked {
            Ok(_) => None,
            Err(error) if layer == 0 && start.is_empty() => {
                return Err(SourceError::of_packed(path, "", 0, true, error));
            }
            // It is said where the bytes before it end.
            Err(error) => Some(error),
        };
        if let Some(foreign) = foreign::recognise(&start, path) {
            let (format, advice) = (foreign.name, foreign.advice);
            return Err(SourceError::new(path, Kind::NotGames { format, advice }));
        }
        // After a compression the name has said what it can.
        let format = match layer {
            0 => format::recognise(&start, path),
            _ => format::recognise_content(&start),
        };
        let (stream, ahead): (RawStream, Vec<u8>) = match format.handling {
            FormatHandling::Plain => (stream, start),
            _ => (Box::new(Cursor::new(start).chain(stream)), Vec::new()),
        };
        let read_error = |source| SourceError::reading(path, 0, source);
        let stream = match format.handling {
            FormatHandling::Unsupported => {
                return Err(SourceError::new(
                    path,
                    Kind::Unsupported {
                        format: format.name,
                    },
                ));
            }
            FormatHandling::Archive(walker) => {
                // It would be copied before anything of it is seen.
                if self.budget.within().is_exhausted() {
                    return Err(SourceError::new(path, Kind::Exhausted));
                }
                let is_itself = self.is_file && layer == 0;
                let file = is_itself.then(|| File::open(path)).transpose();
                let file = file.map_err(|error| open_error(path, error))?;
                return Ok(OpenedSource::Archive(ArchiveMembers::new(
                    path,
                    format.name,
                    walker,
                    (stream, file),
                    &self.budget,
                )));
            }
            FormatHandling::Plain => stream,
            FormatHandling::Compressed(opener) => opener(stream).map_err(read_error)?,
        };
        let reader = SourceReader {
            path: path.to_path_buf(),
            format,
            budget: self.budget.clone(),
            ahead: Cursor::new(ahead),
            failure,
            stream,
            offset_bytes: 0,
            exceeds: false,
            ended: false,
        };
        match format.handling {
            // The headers of a mail stay, but its text is made only once.
            FormatHandling::Compressed(_) if layer < LAYERS_MAX && format.name != format::MAIL => {
                self.opened(Box::new(reader), layer + 1)
            }
            _ => Ok(OpenedSource::Stream(reader)),
        }
    }
}

impl SourceReader {
    /// Reads what is known to be text, as the source at `path`.
    pub fn of_text(path: &Path, stream: RawStream) -> Self {
        let budget = SourceBudget::new(None);
        let meter = Arc::clone(budget.meter());
        Self {
            path: path.to_path_buf(),
            format: format::recognise_content(&[]),
            budget,
            ahead: Cursor::default(),
            failure: None,
            stream: Box::new(CountingReader::new(stream, meter)),
            offset_bytes: 0,
            exceeds: false,
            ended: false,
        }
    }

    /// The path of the source.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes taken from the disk (or from standard input) so far, before
    /// decompression; for progress.
    pub fn compressed_bytes_read(&self) -> u64 {
        self.budget.meter().bytes()
    }

    /// Size of the file on disk, before decompression; `None` for standard
    /// input and whatever else is no regular file.
    pub fn size_on_disk(&self) -> Option<u64> {
        self.budget.size_on_disk()
    }

    fn error(&self, source: io::Error) -> SourceError {
        let is_plain = matches!(self.format.handling, FormatHandling::Plain);
        let is_of_disk = self.budget.meter().has_failed() || is_plain;
        let (format, offset_bytes) = (self.format.name, self.offset_bytes);
        SourceError::of_packed(&self.path, format, offset_bytes, is_of_disk, source)
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended || buffer.is_empty() {
            return Ok(0);
        }
        if self.exceeds {
            self.ended = true;
            let kind = self.budget.reject(Unpacker::Stream, self.offset_bytes);
            return Err(SourceError::new(&self.path, kind).into_io());
        }
        let read = match self.ahead.read(buffer)? {
            0 => match self.failure.take() {
                Some(error) => Err(error),
                None => self.stream.read(buffer),
            },
            count => Ok(count),
        };
        match read {
            Ok(count) => {
                self.offset_bytes += count as u64;
                // What is not packed is counted where it comes from.
                self.exceeds = !matches!(self.format.handling, FormatHandling::Plain)
                    && !self.budget.unpack(Unpacker::Stream, count as u64);
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.ended = true;
                Err(self.error(error).into_io())
            }
        }
    }
}

impl std::fmt::Debug for SourceReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceReader")
            .field("path", &self.path)
            .field("format", &self.format.name)
            .field("offset_bytes", &self.offset_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::{EXPANSION_FREE_BYTES, EXPANSION_MAX};

    fn kind_of(error: Option<&SourceError>) -> Option<&Kind> {
        error.map(|error| &error.kind)
    }

    fn stream(name: &str, raw: RawStream) -> SourceReader {
        let opened = open_stream(Path::new(name), raw, None).expect("open");
        opened.into_stream().expect("a stream")
    }

    fn text(bytes: usize) -> Vec<u8> {
        // Random enough that the compressed form has many blocks.
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            b"abcdefgh12345678"[(state >> 60) as usize]
        };
        (0..bytes).map(|_| next()).collect()
    }

    fn compress(bytes: &[u8]) -> Vec<u8> {
        zstd::encode_all(bytes, 3).expect("compress")
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        io::Write::write_all(&mut encoder, bytes).expect("compress");
        encoder.finish().expect("compress")
    }

    fn read(name: &str, bytes: Vec<u8>) -> (Vec<u8>, Option<SourceError>, u64) {
        let mut reader = stream(name, Box::new(Cursor::new(bytes)));
        let mut out = Vec::new();
        let error = reader
            .read_to_end(&mut out)
            .err()
            .map(|error| SourceError::from_io(error, 0));
        let compressed = reader.compressed_bytes_read();
        assert_eq!(reader.read(&mut [0; 9]).expect("the end"), 0);
        (out, error, compressed)
    }

    #[test]
    fn frames_follow_each_other() {
        let mut bytes = compress(b"first ");
        bytes.extend_from_slice(b"\x5a\x2a\x4d\x18\x02\0\0\0xx");
        bytes.extend(compress(b""));
        bytes.extend(compress(b"second"));
        let size = bytes.len() as u64;
        let (out, error, compressed) = read("-", bytes);
        assert_eq!(out, b"first second");
        assert!(error.is_none(), "{error:?}");
        assert_eq!(compressed, size);
    }

    #[test]
    fn long_windows_are_accepted() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("encoder");
        encoder.window_log(28).expect("window");
        encoder.long_distance_matching(true).expect("long");
        io::Write::write_all(&mut encoder, b"abc").expect("write");
        let (out, error, _) = read("a.pgn", encoder.finish().expect("finish"));
        assert_eq!(out, b"abc");
        assert!(error.is_none(), "{error:?}");
    }

    #[test]
    fn members_of_gzip_follow_each_other() {
        let mut bytes = gzip(b"first ");
        bytes.extend(gzip(b""));
        bytes.extend(gzip(b"second"));
        let size = bytes.len() as u64;
        let (out, error, compressed) = read("-", bytes);
        assert_eq!(out, b"first second");
        assert!(error.is_none(), "{error:?}");
        assert_eq!(compressed, size);
    }

    #[test]
    fn gzip_that_is_cut_or_damaged_is_told_after_the_bytes() {
        let whole = text(600_000);
        let bytes = gzip(&whole);
        for cut in [3, 12, bytes.len() / 2, bytes.len() - 1] {
            let (out, error, _) = read("a.pgn.gz", bytes[..cut].to_vec());
            assert!(whole.starts_with(&out), "{cut}");
            assert!(
                matches!(kind_of(error.as_ref()), Some(Kind::Truncated { .. })),
                "{cut}: {error:?}"
            );
        }
        let mut wrong = bytes.clone();
        let checksum = wrong.len() - 8;
        wrong[checksum] ^= 1;
        for bytes in [wrong, [&bytes[..], b"no member of gzip"].concat()] {
            let (out, error, _) = read("a.pgn.gz", bytes);
            assert_eq!(out.len(), whole.len());
            assert!(
                matches!(
                    kind_of(error.as_ref()),
                    Some(Kind::Corrupt { format: "gzip", .. })
                ),
                "{error:?}"
            );
        }
    }

    #[test]
    fn what_takes_too_much_memory_is_named() {
        // A frame with a window of a gigabyte, and a block of three bytes.
        let frame = b"\x28\xb5\x2f\xfd\x00\xa0\x19\0\0abc";
        let (out, error, _) = read("a.pgn.zst", frame.to_vec());
        assert!(out.is_empty());
        assert!(
            matches!(kind_of(error.as_ref()), Some(Kind::Window { .. })),
            "{error:?}"
        );
    }

    #[test]
    fn bombs_are_named_after_what_was_read() {
        let expanded = |bytes: u64| {
            let text = io::repeat(b'x').take(bytes);
            let packed = zstd::encode_all(text, 1).expect("compress");
            assert!(bytes / packed.len() as u64 > EXPANSION_MAX);
            let mut reader = stream("a.zst", Box::new(Cursor::new(packed)));
            let mut buffer = vec![0; 1 << 20];
            let mut read = 0;
            loop {
                match reader.read(&mut buffer) {
                    Ok(0) => return (read, None),
                    Ok(count) => read += count as u64,
                    Err(error) => return (read, Some(SourceError::from_io(error, 0))),
                }
            }
        };
        let (read, error) = expanded(EXPANSION_FREE_BYTES);
        assert!(read == EXPANSION_FREE_BYTES && error.is_none(), "{error:?}");
        let (read, error) = expanded(EXPANSION_FREE_BYTES + (8 << 20));
        assert!(read > EXPANSION_FREE_BYTES);
        let error = error.expect("an error");
        assert!(matches!(error.kind, Kind::Bomb { .. }), "{error:?}");
        assert!(error.to_string().contains(&read.to_string()), "{error}");
    }

    #[test]
    fn truncation_is_told_after_the_bytes() {
        let whole = text(600_000);
        let bytes = compress(&whole);
        for cut in [1, 3, 5, 12, bytes.len() / 2, bytes.len() - 1] {
            let (out, error, _) = read("dir/a.pgn.zst", bytes[..cut].to_vec());
            assert!(whole.starts_with(&out));
            let error = error.expect("an error");
            assert!(matches!(error.kind, Kind::Truncated { .. }), "{error:?}");
            let message = error.to_string();
            assert!(message.contains("a.pgn.zst"), "{message}");
            assert!(message.contains(&out.len().to_string()), "{message}");
            assert!(error.hint().contains("fetch"));
        }
        let half = read("a", bytes[..bytes.len() / 2].to_vec()).0;
        assert!(half.len() > 100_000, "{}", half.len());
    }

    #[test]
    fn garbage_is_told_apart() {
        let (out, error, _) = read("a.pgn.zst", b"[Event \"plain text\"]".to_vec());
        assert!(out.is_empty());
        assert!(
            matches!(
                kind_of(error.as_ref()),
                Some(Kind::Corrupt {
                    offset_bytes: 0,
                    ..
                })
            ),
            "{error:?}"
        );
        let mut bytes = compress(&text(1000));
        bytes.extend_from_slice(b"garbage behind the frame");
        let (out, error, _) = read("a.pgn", bytes);
        assert_eq!(out, text(1000));
        assert!(matches!(
            kind_of(error.as_ref()),
            Some(Kind::Corrupt {
                offset_bytes: 1000,
                ..
            })
        ));
        let database = Box::new(&b"SQLite format 3\0...................."[..]);
        let error = open_stream(Path::new("my.pgn"), database, None).expect_err("a database");
        assert_eq!(
            error.to_string(),
            "my.pgn: not a file of games (detected: SQLite database)"
        );
    }

    #[test]
    fn a_failing_disk_is_not_a_damaged_file() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::UnexpectedEof.into())
            }
        }
        let bytes = compress(&text(100_000));
        let half = Cursor::new(bytes[..bytes.len() / 2].to_vec());
        let mut reader = stream("a.zst", Box::new(half.chain(Failing)));
        let error = reader.read_to_end(&mut Vec::new()).expect_err("failing");
        assert!(matches!(
            SourceError::from_io(error, 0).kind,
            Kind::Read { .. }
        ));
    }

    #[test]
    fn folders_missing_and_empty_files() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let error = open(
            &SourcePath::File(dir.path().into()),
            &CancellationToken::default(),
        )
        .expect_err("folder");
        assert!(matches!(error.kind, Kind::IsFolder));
        let path = dir.path().join("a.pgn");
        let error = open(
            &SourcePath::File(path.clone()),
            &CancellationToken::default(),
        )
        .expect_err("missing");
        assert!(matches!(error.kind, Kind::Missing));
        std::fs::write(&path, "").expect("write");
        let opened = open(&SourcePath::File(path), &CancellationToken::default()).expect("open");
        let mut reader = opened.into_stream().expect("a stream");
        assert_eq!(reader.size_on_disk(), Some(0));
        assert_eq!(reader.read_to_end(&mut Vec::new()).expect("read"), 0);
    }
}
