//! Sources and games that were imported, read again as the user says that they are, so that
//! what was guessed wrong becomes right without a second copy: first into a draft, as any
//! import does it, then from there into the database, as one change that can be undone.

mod error;
mod evaluations;
mod place;
mod replace;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::whole;
use place::SourceText;
use replace::ReplaceOptions;

use crate::{
    base::{
        display_path,
        observe::{CancellationToken, Observer},
        record::{GameId, GameRecord, MovetextItem, Outcome},
    },
    games::variant,
    import::{
        self, DuplicateAction, Format, ImportError, ImportOptions, ImportReport, findings::path_of,
    },
    input::{
        SourceError, SourceReader,
        verify::{SourceLocator, VerifiedReader},
    },
    pgn::writer as pgn,
    search::{GameReader, MoveNotation, StoredGame},
    store::{ChunkGames, SourceRow, Store, StoreError},
};

pub use error::RereadError;
pub use evaluations::{EvalChange, EvalOverride, set_evaluations};

/// What is to be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RereadTarget {
    /// A source, by its name; of several that were called so, those that one import has read.
    Source {
        /// As it was named.
        name: PathBuf,
        /// The number of the import; `None` is all.
        import: Option<u64>,
    },
    /// A game.
    Game(GameId),
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RereadReport {
    /// The number of the change; none if nothing has changed.
    pub change: Option<i64>,
    /// Each source that was read, in the order in which they were imported.
    pub sources: Vec<SourceReread>,
    /// How evaluations are read from now on, if no more was requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<EvalChange>,
}

/// What became of a source, or of a game of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SourceReread {
    /// The source as it was named.
    pub source: String,
    /// The game that was read, by its number; `None` is all of the source.
    pub game: Option<GameId>,
    /// Why its text was taken from the database, if it was.
    pub stored_text: Option<String>,
    /// The notation that it was read as.
    pub format: &'static str,
    /// The first game that reads otherwise than before, and was stored under a new number.
    pub first_game: Option<GameId>,
    /// The last of them: their numbers follow each other.
    pub last_game: Option<GameId>,
    /// How many games it has.
    pub games: u64,
    /// How many of them read as before, and have their numbers still.
    pub unchanged: u64,
    /// How many games it had.
    pub games_before: u64,
    /// How many of them are played out to their ends.
    pub complete: u64,
    /// How many of those before were.
    pub complete_before: u64,
    /// Games of it that were stored already and have not been stored again.
    pub repeated: u64,
    /// What could not be kept in any form.
    pub rejected: u64,
    /// Plies of the main lines.
    pub plies: u64,
    /// Plies of those before.
    pub plies_before: u64,
    /// Games by variant, most of them first.
    pub variants: Vec<(String, u64)>,
    /// Games of a source by the language of their moves, where that is not English.
    pub languages: Vec<(&'static str, u64)>,
}

/// What was read again, in a draft of its own.
struct RereadDraft {
    text: SourceText,
    draft: Store,
    summary: ImportReport,
    report: SourceReread,
}

/// Reads a source or a game again, and stores what was read in the place of what was there, as one
/// change. `drafts` is an empty folder for what is read until then.
///
/// # Errors
///
/// [`RereadError`]; then nothing has changed.
pub fn reread(
    store: &Store,
    target: &RereadTarget,
    (options, evals): (ImportOptions, EvalOverride),
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<RereadReport, RereadError> {
    let _alone = store.write_alone(observer)?;
    let threads = (options.threads)
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1);
    import::index_tail(store, threads, observer)?;
    let mut reading = SourceRereader {
        store,
        options,
        drafts,
        observer,
        finder: SourceLocator::new(&observer.stop()),
    };
    let mut fresh = Vec::new();
    match target {
        RereadTarget::Source { name, import } => {
            for (number, text) in texts_of(store, name, *import)?.into_iter().enumerate() {
                place::is_untouched(store, &text)?;
                fresh.push(reading.source(text, number)?);
            }
        }
        RereadTarget::Game(game) => fresh.push(reading.game(*game)?),
    }
    if observer.stop().is_cancelled() {
        return Err(RereadError::Interrupted);
    }
    place::is_new(store, &fresh)?;
    let how = ReplaceOptions {
        duplicates: options.duplicates,
        evals,
        threads,
        what: &match target {
            RereadTarget::Source { .. } => String::new(),
            RereadTarget::Game(game) => format!("game {game}"),
        },
    };
    let mut change = None;
    whole::<StoreError>(store, || {
        change = replace::replace(store, &mut fresh, how, observer)?;
        Ok(())
    })?;
    // What is replaced by now stays so; the next import comes back to the segments.
    let _ = import::merge_segments(store, threads, observer);
    Ok(RereadReport {
        change,
        sources: fresh.into_iter().map(|fresh| fresh.report).collect(),
        evaluations: Vec::new(),
    })
}

/// The sources of a name, those of all imports or of one; not those that were read again since, nor
/// those of imports that were undone where there are others.
fn sources_of(
    store: &Store,
    name: &Path,
    import: Option<u64>,
) -> Result<Vec<SourceRow>, RereadError> {
    let mut sources = store.sources_named(name.as_os_str().as_encoded_bytes(), import)?;
    let replaced = store.replaced_sources()?;
    sources.retain(|source| !replaced.contains_key(&source.id));
    let undone = store.undone_imports()?;
    let stands = |source: &SourceRow| !undone.contains(&source.import);
    if sources.iter().any(stands) {
        sources.retain(stands);
    }
    if sources.is_empty() {
        return Err(RereadError::NoSource(display_path::path(name).into_owned()));
    }
    Ok(sources)
}

/// The texts of these sources. A source that has one game of another, read by itself, has none.
fn texts_of(
    store: &Store,
    name: &Path,
    import: Option<u64>,
) -> Result<Vec<SourceText>, RereadError> {
    let mut texts = Vec::new();
    let sources = sources_of(store, name, import)?;
    for source in &sources {
        texts.extend(SourceText::of_source(store, source.clone())?);
    }
    if !texts.is_empty() {
        return Ok(texts);
    }
    let source_name = display_path::path(name).into_owned();
    for source in &sources {
        let runs = store.repeats_between(source.id, 1, None)?;
        let games = runs.iter().flat_map(|run| run.game..run.game + run.games);
        for game in games {
            let other = store.source_of(game)?;
            if let Some(other) = other.filter(|other| other.name != source.name) {
                return Err(RereadError::Copy {
                    source_name,
                    other: display_path::bytes(&other.name).into_owned(),
                });
            }
        }
    }
    Err(RereadError::Unrecorded(source_name))
}

/// Reads again what is in a database.
struct SourceRereader<'a> {
    store: &'a Store,
    options: ImportOptions,
    drafts: &'a Path,
    observer: &'a dyn Observer,
    finder: SourceLocator,
}

impl SourceRereader<'_> {
    /// Reads a source.
    fn source(&mut self, text: SourceText, number: usize) -> Result<RereadDraft, RereadError> {
        let name = text.name();
        let path = path_of(&text.source.name);
        let mut options = self.options;
        // Only its beginning shows what a stream is, which others may have read.
        if options.format.is_none() && text.from > 0 {
            options.format = Some(self.recognise(&path, &name)?);
        }
        let fresh = self.read(text, &path, options, number)?;
        if fresh.summary.stored == 0 {
            return Err(RereadError::Nothing {
                source_name: name,
                format: fresh.report.format,
            });
        }
        Ok(fresh)
    }

    /// Reads a game, from its source or, if that is gone, from what is stored of it.
    fn game(&mut self, game: GameId) -> Result<RereadDraft, RereadError> {
        if game == 0 || game > self.store.last_game()? {
            return Err(RereadError::NoGame(game));
        }
        let text = self.text_of_game(game)?;
        place::is_untouched(self.store, &text)?;
        let name = text.name();
        let path = path_of(&text.source.name);
        let mut options = self.options;
        let read = match options.format {
            Some(_) => Ok(()),
            None => (self.recognise(&path, &name)).map(|format| options.format = Some(format)),
        };
        let mut fresh = match read.and_then(|()| self.read(text.clone(), &path, options, 0)) {
            Err(why @ (RereadError::Gone { .. } | RereadError::Changed(_)))
                if self.options.format.is_none() =>
            {
                let mut fresh = self.stored_game(&text.of_stored_text(), game, &path)?;
                fresh.report.stored_text = Some(why.to_string());
                fresh
            }
            read => read?,
        };
        let wanted = fresh.text.games_read;
        if fresh.summary.stored != wanted {
            return Err(RereadError::OtherGames {
                game,
                source_name: name,
                before: wanted,
                now: fresh.summary.stored,
            });
        }
        fresh.report.game = Some(game);
        // They are of all games that were read with it.
        fresh.report.languages.clear();
        Ok(fresh)
    }

    /// The part of a source from which a game was read; of one that was read again by itself, as
    /// the game that it was before.
    fn text_of_game(&self, game: GameId) -> Result<SourceText, RereadError> {
        let store = self.store;
        let mut places = store.place_reader();
        let (mut origins, mut at) = (vec![game], 0);
        while let Some(&origin) = origins.get(at) {
            at += 1;
            if let Some(source) = store.source_of(origin)? {
                let rows = store.part_rows(source.id)?;
                let has = |row: &&ChunkGames| {
                    row.digest.bytes > 0
                        && (row.first_game..row.first_game + row.games).contains(&origin)
                };
                if let Some(&row) = rows.iter().find(has) {
                    return Ok(SourceText::of_game(
                        store,
                        (source, rows, row),
                        (game, origin),
                    )?);
                }
            }
            for before in places.removed_for(origin)? {
                if !origins.contains(&before) {
                    origins.push(before);
                }
            }
        }
        Err(RereadError::Unrecorded(format!("game {game}")))
    }

    /// As which notation a source is read, by its beginning.
    fn recognise(&mut self, path: &Path, name: &str) -> Result<&'static Format, RereadError> {
        let text = self.open(path, name)?;
        Ok(import::recognised(text, path))
    }

    /// Opens a source.
    fn open(&mut self, path: &Path, name: &str) -> Result<SourceReader, RereadError> {
        let gone = |why: String| RereadError::Gone {
            source_name: name.to_owned(),
            why,
        };
        if path.as_os_str() == "-" {
            return Err(gone("standard input cannot be read again".to_owned()));
        }
        (self.finder.open(path)).map_err(|error: SourceError| gone(error.kind.to_string()))
    }

    /// Reads a text into a draft.
    fn read(
        &mut self,
        text: SourceText,
        path: &Path,
        options: ImportOptions,
        number: usize,
    ) -> Result<RereadDraft, RereadError> {
        let name = text.name();
        let opened = self.open(path, &name)?;
        let read = VerifiedReader::new(opened, text.parts.clone(), text.known.clone());
        let has_changed = read.has_changed();
        let read = SourceReader::of_text(path, Box::new(read));
        match self.draft(text, (path, read), options, number) {
            Err(RereadError::Gone { .. })
                if has_changed.load(std::sync::atomic::Ordering::Relaxed) =>
            {
                Err(RereadError::Changed(name))
            }
            read => read,
        }
    }

    /// Reads a game as it is stored.
    fn stored_game(
        &self,
        place: &SourceText,
        game: GameId,
        path: &Path,
    ) -> Result<RereadDraft, RereadError> {
        let name = place.name();
        // Moves that were played are written in the language in which they are read.
        let writing = MoveNotation {
            language: self.options.language.unwrap_or_default(),
            ..MoveNotation::default()
        };
        let record = (GameReader::new(self.store).with_writing(writing)).record(game)?;
        let record = record.ok_or(RereadError::NoGame(game))?;
        let outcome = record.game.outcome;
        let (text, format) = text_of(&record, None);
        let named = import::format_named(format);
        let options = ImportOptions {
            format: Some(named.map_err(|_| RereadError::Unrecorded(name))?),
            is_own_text: true,
            ..self.options
        };
        let read = |text: String| {
            let text = std::io::Cursor::new(text.into_bytes());
            let text = SourceReader::of_text(path, Box::new(text));
            self.draft(place.clone(), (path, text), options, 0)
        };
        let fresh = read(text)?;
        let now = GameReader::new(&fresh.draft)
            .header(1)?
            .map(|header| header.result);
        let is_lost = now.as_deref() == Some(Outcome::Unknown.as_pgn());
        // Not every game understands how another writes who has won.
        if outcome == Outcome::Unknown || !is_lost {
            return Ok(fresh);
        }
        drop(fresh);
        read(text_of(&record, Some(outcome)).0)
    }

    /// Imports a text into a draft.
    fn draft(
        &self,
        text: SourceText,
        (path, read): (&Path, SourceReader),
        options: ImportOptions,
        number: usize,
    ) -> Result<RereadDraft, RereadError> {
        let source_name = text.name();
        let file = self.drafts.join(format!("{number}.db"));
        // What could not be read may have been begun.
        let _ = std::fs::remove_file(&file);
        let draft = Store::create_draft(&file, &self.observer.stop())?;
        let options = ImportOptions {
            strict: false,
            // All of it is read, whatever of it is stored.
            duplicates: DuplicateAction::Keep,
            ..options
        };
        let unreadable = |why: String| RereadError::Gone {
            source_name: source_name.clone(),
            why,
        };
        let source = (path.to_path_buf(), read);
        let read = import::import_text(&draft, source, options, self.observer);
        let summary = read.map_err(|error| match error {
            ImportError::Store(error) => RereadError::Store(error),
            ImportError::Interrupted => RereadError::Interrupted,
            other => unreadable(other.to_string()),
        })?;
        if summary.interrupted {
            return Err(RereadError::Interrupted);
        }
        if let Some((_, why)) = summary.sources_failed.first() {
            return Err(unreadable(why.clone()));
        }
        let report = self.report(&text, &draft, &summary)?;
        Ok(RereadDraft {
            text,
            draft,
            summary,
            report,
        })
    }

    /// What is said of what was read; what becomes of the games is not known yet.
    fn report(
        &self,
        text: &SourceText,
        draft: &Store,
        summary: &ImportReport,
    ) -> Result<SourceReread, StoreError> {
        let stop = self.observer.stop();
        let removed = self.store.removed()?;
        let there = text
            .games
            .iter()
            .filter(|(_, game)| !removed.contains(*game));
        let there: Vec<GameId> = there.map(|&(_, game)| game).collect();
        let games = text.in_draft(draft)?.into_iter();
        let games: Vec<GameId> = games.map(|(_, game)| game).collect();
        let before = condition(self.store, &there, &stop)?;
        let format = summary.formats.first().map_or("", |(_, format)| format);
        let languages = summary.languages.iter();
        let mut report = SourceReread {
            source: text.name(),
            format,
            games_before: there.len() as u64,
            complete_before: before.complete,
            rejected: summary.rejected,
            plies_before: before.plies,
            languages: languages
                .map(|found| (found.language, found.games))
                .collect(),
            ..SourceReread::default()
        };
        report.describe(draft, &games, &stop)?;
        Ok(report)
    }
}

impl SourceReread {
    /// Says what the games of a draft are like that the source has.
    fn describe(
        &mut self,
        draft: &Store,
        games: &[GameId],
        stop: &CancellationToken,
    ) -> Result<(), StoreError> {
        let now = condition(draft, games, stop)?;
        self.games = games.len() as u64;
        (self.complete, self.plies, self.variants) = (now.complete, now.plies, now.variants);
        Ok(())
    }
}

/// What some games of a database are like.
#[derive(Default)]
struct GamesProfile {
    complete: u64,
    plies: u64,
    variants: Vec<(String, u64)>,
}

/// Looks at some games: complete are those about which there is no error and all of whose moves
/// could be played.
fn condition(
    store: &Store,
    games: &[GameId],
    stop: &CancellationToken,
) -> Result<GamesProfile, StoreError> {
    let first = games.iter().min().copied().unwrap_or(0);
    let end = games.iter().max().map_or(0, |last| last + 1);
    let wrong = store.games_with_errors(first, end)?;
    let (mut facts, mut whole) = (store.facts(), GameReader::new(store));
    let mut condition = GamesProfile::default();
    let mut variants = [0_u64; 256];
    for &game in games {
        if stop.is_cancelled() {
            return Err(store.interrupted());
        }
        let facts = facts.get(game)?;
        condition.plies += u64::from(facts.plies);
        variants[facts.variant as usize & 255] += 1;
        if wrong.contains(&game) {
            continue;
        }
        let is_unplayed = |item: &MovetextItem| matches!(item, MovetextItem::Rest(_));
        let unplayed = |game: GameRecord| game.items.iter().any(is_unplayed);
        if facts.plies > 0 || !whole.game(game)?.is_some_and(unplayed) {
            condition.complete += 1;
        }
    }
    condition.variants = variant::counts_by_name(&variants);
    Ok(condition)
}

/// The text of a game as it is stored, without what an export adds to say what it was taken for,
/// and its format; if that is requested, with a result that every game understands.
fn text_of(record: &StoredGame, outcome: Option<Outcome>) -> (String, &str) {
    let problem = record.problem.as_ref();
    if let Some(source) = problem.and_then(|filed| filed.source.as_ref()) {
        return (source.text.clone(), &source.format);
    }
    let mut game = record.game.clone();
    game.pdn.tags.clear();
    if let Some(outcome) = outcome {
        outcome.as_pgn().clone_into(&mut game.pdn.result);
    }
    let mut text = String::new();
    pgn::write(&game, &mut text);
    (text, "pgn")
}
