//! Sources before their turn: opened ahead where that shows whether there is anything to import.

use std::path::PathBuf;

use super::{
    batch,
    source_profile::{ReadingOverrides, SourceProfile},
};
use crate::{
    base::{
        limits::{CHUNK_BYTES, CHUNK_BYTES_MAX},
        observe::CancellationToken,
    },
    formats::{self, RecognizedFormat},
    input::{
        self, OpenedSource, SourceError, SourceErrorKind, SourcePath, SourceReader,
        archive::ArchiveMembers, chunk::ChunkReader,
    },
};

/// A source that has begun to come.
pub(super) enum SourceContent {
    /// As text; its notation, where that was searched for already.
    Text(Box<ChunkReader<SourceReader>>, Option<RecognizedFormat>),
    /// As the members of an archive.
    Archive(ArchiveMembers),
}

impl SourceContent {
    pub(super) fn of(opened: OpenedSource) -> Result<Self, SourceError> {
        match opened {
            OpenedSource::Archive(mut members) => {
                let failure = members.failure_at_once();
                failure.map_or(Ok(Self::Archive(members)), Err)
            }
            OpenedSource::Stream(reader) => {
                let path = reader.path().to_path_buf();
                let chunks = ChunkReader::new(reader, CHUNK_BYTES, CHUNK_BYTES_MAX);
                let mut chunks = chunks.of_path(path);
                let failure = chunks.failure_at_once();
                failure.map_or_else(|| Ok(Self::Text(Box::new(chunks), None)), Err)
            }
        }
    }

    /// The same, or an error if it is binary data and `--as` does not name its format.
    pub(super) fn unless_binary(self, forced: ReadingOverrides) -> Result<Self, SourceError> {
        let Self::Text(mut chunks, found) = self else {
            return Ok(self);
        };
        // Far after the beginning there may be text yet.
        let is_binary = forced.format.is_none()
            && formats::is_binary(chunks.beginning())
            && formats::is_binary(chunks.long_beginning());
        if is_binary {
            let kind = SourceErrorKind::NotGames {
                format: "binary data",
                advice: "name the file that has the games as text; `--as pgn` reads this one as PGN nevertheless",
            };
            return Err(SourceError::new(chunks.get_ref().path(), kind));
        }
        Ok(Self::Text(chunks, found))
    }
}

/// A source that waits for its turn.
pub(super) struct PendingSource {
    path: SourcePath,
    /// It may be opened already: a pipe is read once.
    begun: Option<Result<SourceContent, SourceError>>,
    /// It was looked through and has nothing to be stored.
    has_no_record: bool,
}

impl PendingSource {
    pub(super) const fn new(path: SourcePath) -> Self {
        Self {
            path,
            begun: None,
            has_no_record: false,
        }
    }

    /// A source that was opened.
    pub(super) const fn of_content(name: PathBuf, content: SourceContent) -> Self {
        Self {
            path: SourcePath::File(name),
            begun: Some(Ok(content)),
            has_no_record: false,
        }
    }

    /// Opens the source ahead of its turn; whether it can be read, and if `needs_record`, whether
    /// something of it may be stored.
    pub(super) fn open_ahead(
        &mut self,
        forced: ReadingOverrides,
        needs_record: bool,
        stop: &CancellationToken,
    ) -> bool {
        let path = &self.path;
        let begun = (self.begun).get_or_insert_with(|| begin(path, forced, stop));
        let Ok(SourceContent::Text(chunks, known)) = begun else {
            return begun.is_ok();
        };
        let is_asked = needs_record && forced.format.is_none();
        self.has_no_record = is_asked && {
            let found = *known.insert(super::recognise(chunks, path.path()));
            no_record(chunks, found, path, (forced, stop))
        };
        let is_file = chunks.get_ref().size_on_disk().is_some();
        if self.has_no_record && is_file {
            // There may be thousands of them.
            self.begun = None;
        }
        !self.has_no_record
    }

    /// The source, and what was opened of it.
    pub(super) fn into_parts(self) -> (SourcePath, Option<Result<SourceContent, SourceError>>) {
        (self.path, self.begun)
    }

    /// Why nothing of it could be stored.
    pub(super) fn into_failure(self) -> Option<SourceError> {
        if self.has_no_record {
            let path = self.path.path();
            return Some(SourceError::new(path, SourceErrorKind::NoRecord));
        }
        self.begun?.err()
    }
}

/// Opens a source.
pub(super) fn begin(
    path: &SourcePath,
    forced: ReadingOverrides,
    stop: &CancellationToken,
) -> Result<SourceContent, SourceError> {
    SourceContent::of(input::open(path, stop)?)?.unless_binary(forced)
}

/// Whether a text was looked through to its end and has no game, position or problem, and is not
/// blank.
fn no_record(
    chunks: &mut ChunkReader<SourceReader>,
    found: RecognizedFormat,
    path: &SourcePath,
    (forced, stop): (ReadingOverrides, &CancellationToken),
) -> bool {
    if found.is_explained || !found.format.is_games() {
        return false;
    }
    let Some(whole) = chunks.whole() else {
        return false;
    };
    let profile = SourceProfile::new(found.format, forced, (path.path(), whole));
    !is_blank(whole) && !batch::has_games(whole, &profile, stop)
}

/// Whether a text has nothing but blanks, line ends and what stands for the end of a file.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let is_blank = |byte: &u8| matches!(byte, 0 | b'\t'..=b'\r' | 0x1a | b' ');
    text.iter().all(is_blank)
}
