//! Wires sources to the store: many threads read games, one writes them, in
//! the order in which they stand in the sources, so that the result does not
//! depend on the number of threads.

mod batch;
mod empty_sources;
pub mod findings;
mod imported_chunks;
pub(crate) mod intern;
mod line_counter;
mod memory_budget;
mod merge;
mod missing_sources;
mod movetext_language;
mod pending;
mod pipeline;
mod restore;
mod source_profile;
mod start;
#[cfg(test)]
mod stored_tests;
mod writer;

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::{
    base::{
        diagnostic::Code,
        display_path,
        limits::{CHUNK_BYTES, CHUNK_BYTES_MAX},
        observe::{CancellationToken, Observer},
        record::GameId,
    },
    formats,
    games::{notation::letters::Language, variant::Variant},
    identity::{ContainedGame, contained_games},
    import::findings::StoredFinding,
    input::{self, OpenedSource, SourceError, SourceReader, chunk::ChunkReader},
    pgn::parser::eval_view::EvalReading,
    store::{Store, StoreError, StoreErrorKind},
};

pub use crate::formats::{Format, UnknownFormat, named as format_named};
pub use crate::input::DiscoveredSources as Sources;
pub use empty_sources::EmptySources;
pub use merge::{
    SIZABLE_SEGMENTS_MAX, build_segments, index_tail, join_segments, limit_segments, merge_segments,
};
pub use missing_sources::{MissingSource, gone, known_folders, last_import};

use pending::{PendingSource, SourceContent};

/// What stops an import.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// What was named cannot be found, listed or read; nothing was imported.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// None of several sources can be read; nothing was imported.
    #[error("none of the {} sources can be read", .0.len())]
    Unreadable(Vec<SourceError>),
    /// The sources could be opened, and nothing in them is a game, position or problem.
    #[error("{0}")]
    Nothing(Box<EmptySources>),
    /// The end was requested before anything was imported.
    #[error("interrupted")]
    Interrupted,
    /// The database cannot be written; what was committed before is kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ImportError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Source(error) => error.hint(),
            Self::Interrupted => "run the command again to continue",
            Self::Unreadable(_) => "import each of them separately to see why",
            Self::Nothing(found) => found.hint(),
            Self::Store(error) => error.hint(),
        }
    }
}

/// How an import is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Threads that read; `None` is one per core.
    pub threads: Option<usize>,
    /// Number of the variant that all games are read as; `None` leaves it to
    /// their tags and moves.
    pub variant: Option<u8>,
    /// The language in which all games of chess are read; `None` leaves it to
    /// their letters.
    pub language: Option<&'static Language>,
    /// How evaluations in comments are read; what is not known is left to what the games show.
    pub evals: EvalReading,
    /// The notation that all sources are in; `None` leaves it to what they look like
    /// and how they are called.
    pub format: Option<&'static Format>,
    /// Plies after which a segment is closed and committed; `None` is
    /// [`SEGMENT_PLIES_MAX`](crate::index::SEGMENT_PLIES_MAX).
    pub segment_plies_max: Option<usize>,
    /// What becomes of games that are stored already.
    pub duplicates: DuplicateAction,
    /// Deleted games that come again are brought back, by changes of their own.
    pub restore: bool,
    /// It ends before the first game about which there is a warning or an error.
    pub strict: bool,
    /// Games after which what was read is committed, if that does not take longer than some
    /// seconds; `None` is [`GAMES_A_COMMIT`](crate::store::GAMES_A_COMMIT).
    pub commit_games_max: Option<usize>,
    /// Of a database with more games than this, those alone are read that are like others, as long
    /// as that is worth it; [`ALL_KNOWN_MAX`](crate::identity::ALL_KNOWN_MAX) if not given.
    pub known_games_max: Option<GameId>,
    /// Bytes without a game after which a source is not read further;
    /// [`GAMELESS_BYTES_MAX`](crate::base::limits::GAMELESS_BYTES_MAX) if not given.
    pub gameless_bytes_max: Option<u64>,
    /// The text was written from a database: a result that none of its tags says is what is usual
    /// in its game, and was not written by a person.
    pub is_own_text: bool,
}

impl ImportOptions {
    /// What was said of the sources, and is not to be found out.
    fn forced(&self) -> source_profile::ReadingOverrides {
        source_profile::ReadingOverrides {
            format: self.format,
            variant: self.variant.and_then(Variant::by_id),
            language: self.language,
            is_own_text: self.is_own_text,
        }
    }
}

/// What becomes of a game that is the same as one that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DuplicateAction {
    /// It is not stored again; its source is noted.
    #[default]
    Skip,
    /// The better record of it stays: the longer one, then the one with more annotations, then
    /// the one with more tags.
    Best,
    /// It is stored like any other.
    Keep,
}

/// What an import did: `seen = stored + duplicate + rejected`, and `deleted` of the duplicates are
/// not there, but for those that were `restored`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ImportReport {
    /// Sources that were opened.
    pub sources: u64,
    /// Games seen.
    pub seen: u64,
    /// Games stored.
    pub stored: u64,
    /// Games that are in the database already, or were deleted from it.
    pub duplicate: u64,
    /// How many of them stood in sources, or beginnings of sources, that were not read before.
    pub repeated: u64,
    /// The first of these, as many as [`NAMED`].
    pub repeated_named: Vec<DuplicateGame>,
    /// How many of the duplicates were deleted before.
    pub deleted: u64,
    /// The deletions, with their games among those.
    pub deletions: Vec<ReimportedDeletion>,
    /// Deleted games that are there again.
    pub restored: u64,
    /// The changes that have brought them back.
    pub restored_by: Vec<i64>,
    /// Stored games that have taken the place of poorer records of themselves.
    pub replaced: u64,
    /// Games that are only the beginning of another one, or go on from one, and were stored by this
    /// import; not given by an import that keeps all games, or the better ones.
    pub contained: u64,
    /// The first of them, as many as [`NAMED`].
    pub contained_named: Vec<ContainedGame>,
    /// Games that could not be kept in any form.
    pub rejected: u64,
    /// Plies of the stored main lines.
    pub plies: u64,
    /// Positions indexed.
    pub positions: u64,
    /// What each source that could be opened was read as: its name, and that of the
    /// notation.
    pub formats: Vec<(String, &'static str)>,
    /// Sources that could be of another notation nearly as well.
    pub close_calls: Vec<AmbiguousFormat>,
    /// Findings by code.
    #[serde(skip)]
    pub diagnostics: Vec<(Code, u64)>,
    /// Stored games by variant.
    pub variants: Vec<VariantCount>,
    /// Languages other than English in which moves of chess were read.
    pub languages: Vec<DetectedLanguage>,
    /// How the evaluations of sources were read, where their form leaves it open.
    pub evaluations: Vec<EvalsOfSource>,
    /// Stored games that are not played out, in part or at all.
    pub incomplete: u64,
    /// The first of them, as many as [`NAMED`].
    pub incomplete_named: Vec<IncompleteGame>,
    /// Sources whose games mostly have moves, but none that could be played.
    pub unplayed: Vec<UnplayableSource>,
    /// What a strict import has ended at. The game is not stored, nor what follows it.
    pub refused: Option<StoredFinding>,
    /// The observer stopped it before the end.
    pub interrupted: bool,
    /// Size of the database afterwards.
    pub database_bytes: u64,
    /// Sources that were read before, byte for byte.
    pub unchanged_sources: Vec<String>,
    /// Other sources whose games are all in the database already.
    pub sources_repeated: Vec<String>,
    /// Sources that were read to the end and have no game.
    pub sources_empty: Vec<String>,
    /// Files of folders and archives that are no games by name or beginning.
    pub files_skipped: u64,
    /// The first of them, as many as [`NAMED`].
    pub files_skipped_named: Vec<String>,
    /// Sources that were read once and are not there any more.
    pub sources_missing: Vec<MissingSource>,
    /// Sources that could not be read (to the end), and why.
    pub sources_failed: Vec<(String, String)>,
}

impl ImportReport {
    /// Names games with parts of other games, unless the end was requested.
    fn name_contained(
        &mut self,
        store: &Store,
        known_begun: Option<Vec<(u32, u32)>>,
        observer: &dyn Observer,
    ) -> Result<(), StoreError> {
        if self.interrupted || self.stored == 0 {
            return Ok(());
        }
        let from = store.last_game()? + 1 - self.stored;
        match contained_games(store, from, known_begun, observer) {
            Ok(found) => {
                self.contained = found.len() as u64;
                self.contained_named = found.into_iter().take(NAMED).collect();
                Ok(())
            }
            Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Counts a file that was not taken, and names the first of them.
    fn pass_over(&mut self, path: &Path) {
        self.files_skipped += 1;
        if self.files_skipped_named.len() < NAMED {
            self.files_skipped_named
                .push(display_path::path(path).into_owned());
        }
    }
}

/// How the evaluations of a source were read that are written in one form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvalsOfSource {
    /// The source as it was named.
    pub source: String,
    /// Evaluations that were looked at.
    pub values: u32,
    /// `pawns` or `centipawns`.
    pub unit: &'static str,
    /// Whose view they have: `white` or `mover`.
    pub side: &'static str,
    /// How that is known: by `hand`, by the `evidence` of the games, or by usage of the `form`.
    pub by: &'static str,
}

/// A source that another notation explains nearly as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AmbiguousFormat {
    /// The source as it was named.
    pub source: String,
    /// The name of the notation that it was read as.
    pub format: &'static str,
    /// That of the other one.
    pub could_be: &'static str,
}

/// A language in which games were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DetectedLanguage {
    /// Its code.
    pub language: &'static str,
    /// Its English name.
    #[serde(skip)]
    pub name: &'static str,
    /// Games in it.
    pub games: u64,
    /// Sources with such games.
    pub sources: u64,
    /// The first of them, as it was named.
    pub first_source: String,
}

/// A game of a source that is stored already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DuplicateGame {
    /// The source as it was named.
    pub source: String,
    /// 1-based number of the game in it.
    pub number: u64,
    /// The stored game.
    pub game: GameId,
    /// The change that has deleted it, if one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_by: Option<i64>,
}

/// A deletion whose games came again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReimportedDeletion {
    /// Its change.
    pub change: i64,
    /// How many games that came it has deleted.
    pub games: u64,
    /// Whether it still stands and can be undone.
    pub can_be_undone: bool,
}

/// How many games that are incomplete, and files that were not taken, a summary names.
pub const NAMED: usize = 20;

/// A game that is not played out to its end, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IncompleteGame {
    /// The source as it was named.
    pub source: String,
    /// 1-based number of the game in it.
    pub number: u64,
    /// The stable code of what is wrong; empty if there are moves that could not be played and
    /// nothing else.
    pub code: &'static str,
    /// What exactly.
    pub detail: String,
}

/// A source whose games mostly have moves, but none that could be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnplayableSource {
    /// The source as it was named.
    pub source: String,
    /// Such games.
    pub unplayed: u64,
    /// Games that were stored.
    pub games: u64,
}

/// What an import of these paths would read.
///
/// # Errors
///
/// If a path does not exist, or a folder has nothing to read that may not be empty.
pub fn sources(paths: &[PathBuf], may_be_empty: &[PathBuf]) -> Result<Sources, SourceError> {
    let endings = formats::extensions();
    let wanted = input::FileFilter {
        may_be_empty,
        ..wanted(&endings)
    };
    input::find(paths, &wanted)
}

/// Which files of folders and archives are read, by the endings of names that say so.
const fn wanted<'e>(endings: &'e [&'static str]) -> input::FileFilter<'e> {
    input::FileFilter {
        endings,
        begins: |glance| formats::looks_like(glance).is_some(),
        may_be_empty: &[],
    }
}

/// The stored games of a variant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct VariantCount {
    /// Number of the variant in the registry; 0 where it is not known.
    pub variant: u8,
    /// How many games there are.
    pub games: u64,
    /// Of how many of them no tag said so.
    pub inferred: u64,
    /// How many of these fit other variants as well.
    pub ambiguous: u64,
}

/// What an import reads: the first source that can be read is open.
pub struct PreparedImport {
    waiting: Vec<PendingSource>,
    passed_over: Vec<PathBuf>,
    needs_record: bool,
}

/// Opens the first source that has something to be stored, so that no import is begun, and no
/// database made, where there is none. A blank source has nothing and is none the less good: a day
/// without games.
///
/// # Errors
///
/// If no source can be read or has a record, or the end was requested while waiting for one.
pub fn open(
    sources: Sources,
    options: &ImportOptions,
    stop: &CancellationToken,
) -> Result<PreparedImport, ImportError> {
    opened(sources, options, stop, true)
}

/// Opens a stream as the only source, which has that name.
///
/// # Errors
///
/// If it cannot be read or is not games.
pub fn open_stream(
    name: &Path,
    stream: input::format::RawStream,
    options: &ImportOptions,
    stop: &CancellationToken,
) -> Result<PreparedImport, ImportError> {
    let forced = options.forced();
    let opened = input::open_stream(name, stream, None)?;
    let content = SourceContent::of(opened)?.unless_binary(forced)?;
    let mut source = PendingSource::of_content(name.to_path_buf(), content);
    source.open_ahead(forced, true, stop);
    Ok(PreparedImport {
        waiting: vec![source],
        passed_over: Vec::new(),
        needs_record: true,
    })
}

fn opened(
    sources: Sources,
    options: &ImportOptions,
    stop: &CancellationToken,
    needs_record: bool,
) -> Result<PreparedImport, ImportError> {
    let forced = options.forced();
    let mut waiting: Vec<PendingSource> = sources
        .sources
        .into_iter()
        .map(PendingSource::new)
        .collect();
    let can_be_read = waiting
        .iter_mut()
        .any(|source| !stop.is_cancelled() && source.open_ahead(forced, needs_record, stop));
    if stop.is_cancelled() {
        return Err(ImportError::Interrupted);
    }
    if can_be_read || waiting.is_empty() {
        return Ok(PreparedImport {
            waiting,
            passed_over: sources.passed_over,
            needs_record,
        });
    }
    let failures = waiting.into_iter().filter_map(PendingSource::into_failure);
    let mut failures: Vec<SourceError> = failures.collect();
    Err(match (failures.len(), failures.pop()) {
        (1, Some(only)) => only.into(),
        (_, last) => {
            failures.extend(last);
            ImportError::Unreadable(failures)
        }
    })
}

/// Imports files, folders and standard input (`-`) into a database.
///
/// # Errors
///
/// [`ImportError`]. A source that cannot be read to its end is no error of the
/// import, as long as another can be: it is named in the summary, and what was read
/// of it is kept.
pub fn import(
    store: &Store,
    paths: &[PathBuf],
    options: ImportOptions,
    observer: &dyn Observer,
) -> Result<ImportReport, ImportError> {
    // The database already exists, and the summary names sources that have nothing.
    let ready = opened(sources(paths, &[])?, &options, &observer.stop(), false)?;
    import_ready(store, ready, options, observer)
}

/// Imports one text as the source of that name.
///
/// # Errors
///
/// As [`import`].
pub fn import_text(
    store: &Store,
    (name, text): (PathBuf, SourceReader),
    options: ImportOptions,
    observer: &dyn Observer,
) -> Result<ImportReport, ImportError> {
    let ready = PreparedImport {
        waiting: vec![PendingSource::of_content(
            name,
            SourceContent::of(OpenedSource::Stream(text))?,
        )],
        passed_over: Vec::new(),
        needs_record: false,
    };
    import_ready(store, ready, options, observer)
}

/// The notation that a text which begins so is read as, unless the user says otherwise.
pub fn recognised(text: SourceReader, name: &Path) -> &'static Format {
    let mut chunks = ChunkReader::new(text, CHUNK_BYTES, CHUNK_BYTES_MAX);
    recognise(&mut chunks, name).format
}

fn recognise<R: Read>(chunks: &mut ChunkReader<R>, name: &Path) -> formats::RecognizedFormat {
    let found = formats::recognise(chunks.beginning(), name);
    if found.is_certain {
        found
    } else {
        formats::recognise(chunks.long_beginning(), name)
    }
}

/// The same of what was found and [`open()`]ed.
///
/// # Errors
///
/// As [`import`].
pub fn import_ready(
    store: &Store,
    PreparedImport {
        waiting,
        passed_over,
        needs_record,
    }: PreparedImport,
    options: ImportOptions,
    observer: &dyn Observer,
) -> Result<ImportReport, ImportError> {
    let threads = options
        .threads
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
        .max(1);
    let forced = options.forced();
    let _alone = store.write_alone(observer)?;
    let mut writer = writer::Writer::new(store, threads, options, observer)?;
    let result = pipeline::run(waiting, (threads, forced), observer, &mut writer);
    // What a person says is games is taken for that.
    let is_needed = needs_record && options.format.is_none();
    match result {
        Ok(interrupted) => {
            let nothing = writer.nothing_found();
            let mut summary = writer.finish(interrupted)?;
            if let Some(nothing) = nothing.filter(|_| is_needed && !interrupted) {
                return Err(ImportError::Nothing(Box::new(nothing)));
            }
            for path in &passed_over {
                summary.pass_over(path);
            }
            Ok(summary)
        }
        Err(error) => {
            store.roll_back();
            Err(error.into())
        }
    }
}
