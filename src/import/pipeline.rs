//! One thread takes chunks off the sources, some read their games, and the
//! calling thread hands them to the writer in order.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::{
    batch::{self, Batch},
    imported_chunks::ImportedChunks,
    memory_budget::MemoryBudget,
    pending::{self, PendingSource, SourceContent},
    source_profile::{ReadingOverrides, SourceProfile},
    writer::Writer,
};
use crate::{
    base::{
        limits::{ARCHIVE_DEPTH_MAX, BATCHES_BYTES_MAX, CHUNK_BYTES, CHUNKS_UNDER_WAY_MAX},
        observe::{CancellationToken, Event, Observer},
    },
    formats::{self, RecognizedFormat},
    input::{
        self, SourceError, SourceErrorKind, SourcePath, SourceReader,
        archive::ArchiveMembers,
        chunk::{Chunk, ChunkReader},
        verify::line_ends,
    },
    store::{COMMIT_AFTER, StoreError},
};

/// A writer that looks ahead waits for as many steps as there can be, but no longer than this for
/// the next one: it may be held back until others are written.
const LOOK_AHEAD_FOR: Duration = Duration::from_millis(100);

/// Slots of a chunk of the usual size, so that many small files can be under way in its place.
const SLOTS_A_CHUNK: usize = 8;

/// What the writer is given, in order.
pub(super) enum WriterMessage {
    /// A source begins.
    Open {
        /// Which one.
        source: SourcePath,
        /// The notation it is read as; none if it cannot be read.
        found: Option<RecognizedFormat>,
    },
    /// The parts of a chunk of new games. They are stored together or not at all: what
    /// stands before a last game is recognised by it alone.
    Games {
        /// The parts.
        parts: Vec<ChunkPart>,
        /// Bytes that are held for their games.
        held: usize,
    },
    /// A member of an archive is no games.
    PassedOver(PathBuf),
    /// A chunk that was read before, or its beginning: its chain, and its bytes.
    Known(u128, u64),
    /// The source is at its end, or cannot be read further.
    Close(Result<(), SourceError>),
}

/// A part of a chunk that was read.
pub(super) struct ChunkPart {
    /// The part.
    pub(super) chunk: Chunk,
    /// Its games.
    pub(super) batch: Batch,
    /// Lines of the source before it.
    pub(super) lines_before: u64,
}

/// A chunk on its way to be read: its parts, each with the lines before it.
struct ChunkTask {
    number: u64,
    parts: Vec<(Chunk, u64)>,
    profile: Arc<SourceProfile>,
}

/// Runs the import; whether the observer stopped it.
pub(super) fn run(
    sources: Vec<PendingSource>,
    (threads, forced): (usize, ReadingOverrides),
    observer: &dyn Observer,
    writer: &mut Writer<'_>,
) -> Result<bool, StoreError> {
    let stop = AtomicBool::new(false);
    let given_up = &AtomicU64::new(0);
    let known = ImportedChunks::new(writer.known_chunks());
    // What is under way is bounded, and with it the memory: by slots, of which
    // each step takes as many as it is worth; and what was made of the steps by
    // the memory budget.
    let chunks = (threads * 2 + 2).min(CHUNKS_UNDER_WAY_MAX);
    let (slots, threads) = (chunks * SLOTS_A_CHUNK, threads.min(chunks));
    let gate = &MemoryBudget::new(BATCHES_BYTES_MAX);
    let (free, take) = bounded::<()>(slots);
    for _ in 0..slots {
        let _ = free.send(());
    }
    let (jobs, work) = unbounded::<ChunkTask>();
    let (results, steps) = unbounded::<(u64, WriterMessage)>();
    let asked = &observer.stop();
    let stop = &stop;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (work, results) = (work.clone(), results.clone());
            scope.spawn(move || read_games(&work, &results, gate, (stop, asked)));
        }
        drop(work);
        scope.spawn(move || {
            let mut feed = ChunkQueue {
                known,
                jobs,
                results,
                take,
                slots,
                stop,
                observer,
                number: 0,
                lines: 0,
                told: 0,
                forced,
                given_up,
                opened: 0,
                endings: formats::extensions(),
            };
            for source in sources {
                if feed.source(source).is_break() {
                    break;
                }
            }
        });
        // `free` is dropped when writing ends, whatever the reason: then the
        // feeding thread finds no slot any more and ends, too.
        let flags = (stop, asked, given_up);
        write_in_order(&steps, (&free, slots, gate), flags, writer)
    })
}

/// Lets the others end when the thread that reads a chunk panics: they wait for it.
struct PanicGuard<'r> {
    number: u64,
    results: &'r Sender<(u64, WriterMessage)>,
    stop: &'r AtomicBool,
}

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stop.store(true, Ordering::Relaxed);
            let (parts, held) = (Vec::new(), 0);
            let _ = self
                .results
                .send((self.number, WriterMessage::Games { parts, held }));
        }
    }
}

fn read_games(
    work: &Receiver<ChunkTask>,
    results: &Sender<(u64, WriterMessage)>,
    gate: &MemoryBudget,
    (broken, stop): (&AtomicBool, &CancellationToken),
) {
    for job in work {
        let number = job.number;
        let _promised = PanicGuard {
            number,
            results,
            stop: broken,
        };
        let mut held = 0;
        let read = |(chunk, lines_before)| {
            let mut of_part = 0;
            let batch = batch::read_chunk(&chunk, &job.profile, stop, &mut |bytes| {
                if bytes > of_part {
                    gate.grow(job.number, bytes - of_part);
                    held += bytes - of_part;
                    of_part = bytes;
                }
            });
            ChunkPart {
                chunk,
                batch,
                lines_before,
            }
        };
        let parts = job.parts.into_iter().map(read).collect();
        let step = WriterMessage::Games { parts, held };
        if results.send((job.number, step)).is_err() {
            return;
        }
    }
}

fn write_in_order(
    steps: &Receiver<(u64, WriterMessage)>,
    (free, slots, gate): (&Sender<()>, usize, &MemoryBudget),
    (stop, asked, given_up): (&AtomicBool, &CancellationToken, &AtomicU64),
    writer: &mut Writer<'_>,
) -> Result<bool, StoreError> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut result = Ok(());
    let mut has_more = true;
    while has_more {
        let looks_ahead = result.is_ok() && writer.looks_ahead();
        let patience = if looks_ahead {
            LOOK_AHEAD_FOR
        } else {
            COMMIT_AFTER
        };
        match steps.recv_timeout(patience) {
            Ok((number, step)) => {
                waiting.insert(number, step);
                let taken: usize = waiting.values().map(|step| taken_by(step, slots)).sum();
                if looks_ahead && taken + SLOTS_A_CHUNK <= slots {
                    continue;
                }
            }
            // The program that writes to a pipe may pause.
            Err(RecvTimeoutError::Timeout) => {
                result = result.and_then(|()| writer.commit_in_time());
            }
            Err(RecvTimeoutError::Disconnected) => has_more = false,
        }
        if looks_ahead {
            result = result.and_then(|()| writer.look_ahead(waiting.values()));
        }
        while let Some(step) = waiting.remove(&next) {
            let taken = taken_by(&step, slots);
            let held = match &step {
                WriterMessage::Games { held, .. } => *held,
                _ => 0,
            };
            // What was read since the end was requested may be half a game.
            if asked.is_cancelled() {
                stop.store(true, Ordering::Relaxed);
            }
            // After an error or a stop the threads are only let run out.
            if result.is_ok() && !stop.load(Ordering::Relaxed) {
                match writer.step(step) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => stop.store(true, Ordering::Relaxed),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        result = Err(error);
                    }
                }
            }
            given_up.store(writer.given_up(), Ordering::Relaxed);
            gate.written(next, held);
            next += 1;
            for _ in 0..taken {
                let _ = free.try_send(());
            }
        }
    }
    result.map(|()| stop.load(Ordering::Relaxed))
}

/// The slots that a step takes.
fn taken_by(step: &WriterMessage, slots: usize) -> usize {
    match step {
        WriterMessage::Games { parts, .. } => worth(parts.iter().map(|part| &part.chunk), slots),
        _ => 1,
    }
}

/// The slots that a chunk takes, by its parts: those of its size; a very large one is read
/// alone.
fn worth<'c>(parts: impl Iterator<Item = &'c Chunk>, slots: usize) -> usize {
    let bytes: usize = parts.map(|part| part.bytes.len()).sum();
    match bytes / (2 * CHUNK_BYTES) {
        large @ 0..2 => {
            let of_chunks = (1 + large) * SLOTS_A_CHUNK;
            let of_bytes = bytes / (CHUNK_BYTES / SLOTS_A_CHUNK);
            of_bytes.clamp(1, of_chunks.min(slots))
        }
        _ => slots,
    }
}

/// Takes chunks off the sources and numbers the steps.
struct ChunkQueue<'a> {
    known: ImportedChunks,
    jobs: Sender<ChunkTask>,
    results: Sender<(u64, WriterMessage)>,
    take: Receiver<()>,
    slots: usize,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
    number: u64,
    /// Lines of the current source before the next chunk.
    lines: u64,
    /// Bytes of the current source that the observer knows of.
    told: u64,
    /// What all games are read as.
    forced: ReadingOverrides,
    /// The last source, counted from 1, that the writer has given up, and the current one.
    given_up: &'a AtomicU64,
    opened: u64,
    /// Endings of the names of files with games.
    endings: Vec<&'static str>,
}

impl ChunkQueue<'_> {
    /// Waits for free slots and gives the step's number; breaks at a stop.
    fn slot(&mut self, slots: usize) -> ControlFlow<(), u64> {
        for _ in 0..slots {
            if self.take.recv().is_err() || self.stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
        }
        self.number += 1;
        ControlFlow::Continue(self.number - 1)
    }

    fn tell(&mut self, step: WriterMessage) -> ControlFlow<()> {
        self.opened += u64::from(matches!(step, WriterMessage::Open { .. }));
        let number = self.slot(1)?;
        match self.results.send((number, step)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn event(&self, event: Event<'_>) -> ControlFlow<()> {
        self.observer
            .on(event)
            .map_break(|()| self.stop.store(true, Ordering::Relaxed))
    }

    fn source(&mut self, source: PendingSource) -> ControlFlow<()> {
        let (path, begun) = source.into_parts();
        self.told = 0;
        let begun =
            begun.unwrap_or_else(|| pending::begin(&path, self.forced, &self.observer.stop()));
        let bytes = match &begun {
            Ok(SourceContent::Text(chunks, _)) => chunks.get_ref().size_on_disk(),
            Ok(SourceContent::Archive(members)) => members.size_on_disk(),
            Err(_) => None,
        };
        if begun.is_ok() {
            let name = &path.to_string();
            self.event(Event::SourceOpened { name, bytes })?;
        }
        match begun {
            Ok(SourceContent::Text(chunks, known)) => self.text(path, *chunks, known),
            Ok(SourceContent::Archive(members)) => {
                if !self.archive(members, 1)? {
                    self.close(path, Ok(()))?;
                }
                ControlFlow::Continue(())
            }
            Err(error) => self.close(path, Err(error)),
        }
    }

    /// Reads the members of an archive that is `depth` archives deep; whether there were any
    /// to be read.
    fn archive(&mut self, mut members: ArchiveMembers, depth: usize) -> ControlFlow<(), bool> {
        let mut has_any = false;
        for member in members.by_ref() {
            let begun = member.and_then(|member| {
                let path = member.path.clone();
                let begun = SourceContent::of(input::open_member(member)?)?;
                Ok((path, begun.unless_binary(self.forced)?))
            });
            has_any |= match begun {
                Ok((path, SourceContent::Text(mut chunks, known))) => {
                    let wanted = super::wanted(&self.endings);
                    let is_wanted = wanted.has_member(&path, chunks.beginning());
                    if is_wanted {
                        self.text(SourcePath::File(path), *chunks, known)?;
                    } else {
                        drop(chunks);
                        self.tell(WriterMessage::PassedOver(path))?;
                    }
                    is_wanted
                }
                Ok((_, SourceContent::Archive(inner))) if depth < ARCHIVE_DEPTH_MAX => {
                    self.archive(inner, depth + 1)?
                }
                Ok((path, SourceContent::Archive(_))) => {
                    let error = SourceError::new(&path, SourceErrorKind::Nested);
                    self.close(SourcePath::File(path), Err(error))?;
                    true
                }
                // A picture among the games, say; under the name of games it is said.
                Err(error)
                    if matches!(error.kind, SourceErrorKind::NoContent)
                        || matches!(error.kind, SourceErrorKind::NotGames { .. })
                            && !super::wanted(&self.endings).has_member(&error.path, b"") =>
                {
                    self.tell(WriterMessage::PassedOver(error.path))?;
                    false
                }
                Err(error) => {
                    self.close(SourcePath::File(error.path.clone()), Err(error))?;
                    true
                }
            };
        }
        self.bytes_read(members.compressed_bytes_read())?;
        ControlFlow::Continue(has_any)
    }

    /// Reports a source without text.
    fn close(&mut self, source: SourcePath, why: Result<(), SourceError>) -> ControlFlow<()> {
        let found = None;
        self.tell(WriterMessage::Open { source, found })?;
        self.tell(WriterMessage::Close(why))
    }

    fn text(
        &mut self,
        source: SourcePath,
        mut chunks: ChunkReader<SourceReader>,
        known: Option<RecognizedFormat>,
    ) -> ControlFlow<()> {
        self.lines = 0;
        let path = source.path();
        let found = match self.forced.format {
            Some(format) => RecognizedFormat {
                format,
                rival: None,
                is_certain: true,
                is_explained: true,
            },
            None => known.unwrap_or_else(|| super::recognise(&mut chunks, path)),
        };
        let format = found.format;
        let profile = SourceProfile::new(format, self.forced, (path, chunks.beginning()));
        self.tell(WriterMessage::Open {
            source,
            found: Some(found),
        })?;
        let chunks = chunks.of_records(format.records, format.seed(&profile.hints));
        let result = self.chunks(chunks, profile)?;
        self.tell(WriterMessage::Close(result))
    }

    /// Reports the bytes that were taken from the disk so far.
    fn bytes_read(&mut self, read: u64) -> ControlFlow<()> {
        let bytes = read.saturating_sub(self.told);
        self.told = self.told.max(read);
        self.event(Event::BytesRead { bytes })
    }

    fn chunks(
        &mut self,
        mut chunks: ChunkReader<SourceReader>,
        profile: SourceProfile,
    ) -> ControlFlow<(), Result<(), SourceError>> {
        // A chunk waits until it is known whether the stream goes on after it.
        let mut waiting: Option<Chunk> = None;
        let mut known = Some(profile);
        let mut profile: Option<Arc<SourceProfile>> = None;
        loop {
            // The writer says why.
            if self.given_up.load(Ordering::Relaxed) == self.opened {
                return ControlFlow::Continue(Ok(()));
            }
            let next = chunks.next_chunk();
            self.bytes_read(chunks.get_ref().compressed_bytes_read())?;
            if let Some(chunk) = waiting.take() {
                let at_end = !matches!(next, Ok(Some(_)));
                if chunk.skipped.is_some() {
                    self.skipped(chunk, at_end)?;
                } else if at_end && self.known.has(&chunk) {
                    // Nothing of it is read, so that nothing need be known of it.
                    let bytes = chunk.bytes.len() as u64;
                    self.tell(WriterMessage::Known(chunk.chain, bytes))?;
                } else {
                    if let Some(mut known) = known.take() {
                        known.look_at(&chunk);
                        profile = Some(Arc::new(known));
                    }
                    if let Some(profile) = &profile {
                        self.chunk(chunk, profile, at_end)?;
                    }
                }
            }
            match next {
                Ok(Some(chunk)) => waiting = Some(chunk),
                Ok(None) => return ControlFlow::Continue(Ok(())),
                Err(error) => return ControlFlow::Continue(Err(error)),
            }
        }
    }

    /// Reports a chunk that was passed over.
    fn skipped(&mut self, chunk: Chunk, at_end: bool) -> ControlFlow<()> {
        let lines_before = self.lines;
        let skipped = chunk.skipped.unwrap_or_default();
        self.lines += skipped.line_ends();
        let bytes = skipped.bytes;
        let (known, parts) = self.known.cut(chunk, at_end);
        if let Some(chain) = known {
            self.tell(WriterMessage::Known(chain, bytes))?;
        }
        let part = |chunk| ChunkPart {
            chunk,
            batch: Batch::of_skipped(skipped),
            lines_before,
        };
        let parts = parts.into_iter().map(part).collect();
        self.tell(WriterMessage::Games { parts, held: 0 })
    }

    fn chunk(
        &mut self,
        chunk: Chunk,
        profile: &Arc<SourceProfile>,
        at_end: bool,
    ) -> ControlFlow<()> {
        let (lines, bytes) = (self.lines + line_ends(&chunk.bytes), chunk.bytes.len());
        let (known, parts) = self.known.cut(chunk, at_end);
        if let Some(chain) = known {
            let new: usize = parts.iter().map(|part| part.bytes.len()).sum();
            self.tell(WriterMessage::Known(chain, (bytes - new) as u64))?;
        }
        // Counted from the end, where the lines are known; mostly one part is the entire chunk.
        let ends: Vec<u64> = (parts.iter())
            .map(|part| match part.bytes.len() {
                whole if whole == bytes => lines - self.lines,
                _ => line_ends(&part.bytes),
            })
            .collect();
        let mut before = lines - ends.iter().sum::<u64>();
        let number = self.slot(worth(parts.iter(), self.slots))?;
        let with_lines = |(part, ends): (Chunk, u64)| {
            let lines_before = before;
            before += ends;
            (part, lines_before)
        };
        let job = ChunkTask {
            number,
            parts: parts.into_iter().zip(ends).map(with_lines).collect(),
            profile: Arc::clone(profile),
        };
        if self.jobs.send(job).is_err() {
            return ControlFlow::Break(());
        }
        self.lines = lines;
        ControlFlow::Continue(())
    }
}
