//! Stored findings, shown where they stand: the database remembers what was found at which byte
//! of which source, and the sources, where they still exist, have the text.

use std::{collections::HashSet, ops::ControlFlow, path::PathBuf};

use serde::Serialize;

use crate::{
    base::{
        diagnostic::{Code, Severity},
        display_path,
        observe::CancellationToken,
        record::GameId,
    },
    input::{
        SourceReader,
        verify::{ChunkDigest, SourceLocator, SourceVerifier, TextExcerpt},
    },
    store::{FindingRow, Store, StoreError},
};

/// Which findings are requested.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FindingQuery {
    /// The number of an import; `None` is all that were not undone.
    pub import: Option<u64>,
    /// Any of these codes; all if there are none.
    pub codes: Vec<Code>,
    /// Any of these severities; all if there are none.
    pub severities: Vec<Severity>,
    /// What the name of the source has in it, whether in small letters or capitals.
    pub source: Option<String>,
    /// How many are given at most; all are counted.
    pub limit: Option<u64>,
}

impl FindingQuery {
    fn wants_code(&self, word: &str) -> bool {
        let code = Code::named(word);
        let is_any = |wanted: &[Severity], code: Code| wanted.contains(&code.severity());
        (self.codes.is_empty() || code.is_some_and(|code| self.codes.contains(&code)))
            && (self.severities.is_empty()
                || code.is_some_and(|code| is_any(&self.severities, code)))
    }

    fn wants_source(&self, name: &str) -> bool {
        let Some(part) = &self.source else {
            return true;
        };
        name.to_lowercase().contains(&part.to_lowercase())
    }
}

/// A stored finding, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct StoredFinding {
    /// The stable code.
    pub code: String,
    /// `note`, `warning` or `error`; empty for a code of another version.
    pub severity: &'static str,
    /// The source as it was named.
    pub source: String,
    /// 1-based number of the game in the source.
    pub game_number: Option<u64>,
    /// Number of the game in the database.
    pub game: Option<GameId>,
    /// 0-based byte offset in the decompressed source.
    pub offset_bytes: u64,
    /// 1-based line, if the source can still be read.
    pub line: Option<u64>,
    /// 1-based character of the line, likewise.
    pub column: Option<u64>,
    /// What the code means; empty for one of another version.
    pub message: &'static str,
    /// What exactly; may be empty.
    pub detail: String,
    /// The number of the import.
    pub import: u64,
    /// The line, or the part of a long one around the place.
    pub text: Option<String>,
    /// The word at the place: from where to where in `text`.
    #[serde(skip)]
    pub word: std::ops::Range<usize>,
}

/// A source whose text is not shown, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostSource {
    /// As it was named.
    pub source: String,
    /// Why: it is gone, or has changed since.
    pub reason: String,
}

/// What there is in addition to the findings that were given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FindingTotals {
    /// Stored findings that were requested, also beyond the limit.
    pub total: u64,
    /// How often the imports found what, by code, notes included: these are counted, but not
    /// stored one by one. Of all sources.
    pub counts: Vec<(String, u64)>,
    /// Sources whose text is not shown.
    pub lost: Vec<LostSource>,
    /// Whether they are those of an import that was undone.
    pub is_undone: bool,
}

/// Hands the findings that are requested to `take`, in the order in which they were found. Each
/// source is read once, from its beginning to the last place that is shown.
///
/// # Errors
///
/// [`StoreError`], and those of `take`. A source that cannot be read is none.
pub fn each_finding<E: From<StoreError>>(
    store: &Store,
    asked: &FindingQuery,
    stop: &CancellationToken,
    take: &mut dyn FnMut(StoredFinding) -> Result<(), E>,
) -> Result<FindingTotals, E> {
    let mut texts = FindingTexts::new(store, stop);
    let mut total = 0;
    let mut one = |row: &FindingRow<'_>| -> Result<(), E> {
        let source = display_path::bytes(row.name);
        if !asked.wants_code(row.code) || !asked.wants_source(&source) {
            return Ok(());
        }
        total += 1;
        if asked.limit.is_some_and(|limit| total > limit) {
            return Ok(());
        }
        let code = Code::named(row.code);
        let place = texts.place(row)?;
        let game_number = row.game.map(|game| store.place(game)).transpose()?;
        let (line, column) = place.as_ref().map(|at| (at.line, at.column)).unzip();
        let (text, word) = place.map(|at| (at.text, at.word)).unzip();
        take(StoredFinding {
            code: row.code.to_owned(),
            severity: code.map_or("", |code| code.severity().as_str()),
            source: source.into_owned(),
            game_number: game_number.flatten().map(|place| place.number),
            game: row.game,
            offset_bytes: row.offset_bytes,
            line,
            column,
            message: code.map_or("", Code::message),
            detail: row.detail.to_owned(),
            import: row.import,
            text,
            word: word.unwrap_or_default(),
        })
    };
    store.for_each_finding(asked.import, |row| match one(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    })?;
    let mut counts = store.finding_counts(asked.import)?;
    counts.retain(|(code, _)| asked.wants_code(code));
    let undone = match asked.import {
        Some(_) => store.undone_imports()?,
        None => HashSet::new(),
    };
    let import = asked.import.map(|import| import as i64);
    Ok(FindingTotals {
        is_undone: import.is_some_and(|import| undone.contains(&import)),
        total,
        counts,
        lost: texts.lost,
    })
}

/// The texts of sources, one source after the other.
struct FindingTexts<'s> {
    store: &'s Store,
    finder: SourceLocator,
    /// Row of the current source, and the parts that are known of it.
    source: Option<i64>,
    parts: Vec<ChunkDigest>,
    stream: Option<SourceVerifier<SourceReader>>,
    lost: Vec<LostSource>,
}

impl<'s> FindingTexts<'s> {
    fn new(store: &'s Store, stop: &CancellationToken) -> Self {
        Self {
            store,
            finder: SourceLocator::new(stop),
            source: None,
            parts: Vec::new(),
            stream: None,
            lost: Vec::new(),
        }
    }

    /// Where a finding stands, if its source is still there and the same.
    fn place(&mut self, row: &FindingRow<'_>) -> Result<Option<TextExcerpt>, StoreError> {
        if self.source != Some(row.source) {
            self.source = Some(row.source);
            // Two streams at a time would be open otherwise.
            self.stream = None;
            self.parts = self.store.parts_of(row.source)?;
            match self.open(row.name) {
                Ok(stream) => self.stream = Some(stream),
                Err(why) => self.lose(row.name, why),
            }
        }
        let Some(stream) = &mut self.stream else {
            return Ok(None);
        };
        let is_before = |part: &&ChunkDigest| part.offset_bytes <= row.offset_bytes;
        let Some(part) = self.parts.iter().rfind(is_before) else {
            return Ok(None);
        };
        match stream.place(part, &self.parts, row.offset_bytes) {
            Ok(Some(place)) => return Ok(Some(place)),
            Ok(None) => self.lose(row.name, "has changed since it was imported".to_owned()),
            Err(error) => {
                self.stream = None;
                self.lose(row.name, error.to_string());
            }
        }
        Ok(None)
    }

    fn open(&mut self, name: &[u8]) -> Result<SourceVerifier<SourceReader>, String> {
        if name == b"-" {
            return Err("cannot be read again".to_owned());
        }
        match self.finder.open(&path_of(name)) {
            Ok(stream) => Ok(SourceVerifier::new(stream)),
            Err(error) => Err(error.kind.to_string()),
        }
    }

    /// Remembers once why the text of a source is not shown.
    fn lose(&mut self, name: &[u8], why: String) {
        let source = display_path::bytes(name).into_owned();
        let is_known = self.lost.last().is_some_and(|lost| lost.source == source);
        if !is_known {
            self.lost.push(LostSource {
                source,
                reason: why,
            });
        }
    }
}

/// The path that a source was named by.
#[cfg(unix)]
pub(crate) fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(name).into()
}

/// The path that a source was named by, as far as it is a text.
#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> PathBuf {
    display_path::bytes(name).into_owned().into()
}
