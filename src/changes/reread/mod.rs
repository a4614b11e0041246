//! Sources and games that were imported, read again as the user says that they are, so that
//! what was guessed wrong becomes right without a second copy: first into a draft, as any
//! import does it, then from there into the place of what was read before, all at once.

mod duplicates;
mod evaluations;
mod replace;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use serde::Serialize;

use self::{
    duplicates::{RereadDuplicateFinder, RereadMatch},
    replace::GameRange,
};
use crate::{
    base::{
        diagnostic::Code,
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
    /// The first game that stands there now.
    pub first_game: GameId,
    /// How many there are.
    pub games: u64,
    /// How many there were.
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

/// What keeps a source or a game from being read again. The database is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RereadError {
    /// Nothing was imported under that name, or not by that import.
    #[error("{0}: no such source in the database")]
    NoSource(String),
    /// There is no game of that number.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// It is not known any more where it was read.
    #[error("{0}: it is not known which text its games were read from")]
    Unrecorded(String),
    /// The source cannot be read any more.
    #[error("{source_name}: {why}")]
    Gone {
        /// As it was named.
        source_name: String,
        /// Why.
        why: String,
    },
    /// The source is another one by now.
    #[error("{0}: has changed since it was imported")]
    Changed(String),
    /// Some of its games were removed or edited, which would be lost.
    #[error("{what}: change {change} has {done} of it")]
    Touched {
        /// The source or the game.
        what: String,
        /// The change.
        change: i64,
        /// What it did.
        done: &'static str,
    },
    /// Read like that, there is nothing in it.
    #[error("{source_name}: has no games if it is read as {format}")]
    Nothing {
        /// As it was named.
        source_name: String,
        /// The notation.
        format: &'static str,
    },
    /// Read like that, a part of it is what another source is, or two of them are the same.
    #[error("{source_name}: read that way, its games duplicate those of {other}")]
    Twice {
        /// As it was named.
        source_name: String,
        /// The other one: its name and its import.
        other: String,
    },
    /// Read like that, there is another number of games, so that none is the one that is meant.
    #[error(
        "game {game} is one of {before} games of a part of {source_name}, which has {now} if it is read like that"
    )]
    OtherGames {
        /// Which one.
        game: GameId,
        /// As the source was named.
        source_name: String,
        /// Games of the part.
        before: u64,
        /// Games that it has.
        now: u64,
    },
    /// The end was requested.
    #[error("interrupted")]
    Interrupted,
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RereadError {
    /// What to do about it, for a person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSource(_) => {
                "name it as it was imported; `plydex sql 'SELECT * FROM source'` lists the sources"
            }
            Self::NoGame(_) => "the first column of `plydex search` has the numbers of games",
            Self::Unrecorded(_) => "import the file into a new database",
            Self::Gone { .. } => {
                "put the file back where it was; without --as a single game can be read from its \
                 stored text: name it, as in `plydex reread '#17'`"
            }
            Self::Changed(_) => {
                "put the file back as it was; if several imports have read files of that name, \
                 choose one with --import N"
            }
            Self::Touched { .. } => {
                "undo that change first (`plydex undo`), and make it again afterwards"
            }
            Self::Nothing { .. } => "name another format with --as, or leave it out",
            Self::Twice { .. } => {
                "the text was imported twice, read in different ways; to have its games once, \
                 import it into a new database"
            }
            Self::OtherGames { .. } => "read all of the source again",
            Self::Interrupted => "run the command again",
            Self::Store(error) => error.hint(),
        }
    }
}

/// What was read again, in a draft of its own.
struct RereadDraft {
    place: GameRange,
    draft: Store,
    summary: ImportReport,
    report: SourceReread,
    /// Games of the source, by their numbers, that are stored elsewhere.
    repeated: HashMap<u64, RereadMatch>,
}

/// Reads a source or a game again and puts what was read in the place of what was there, in one
/// transaction. `drafts` is an empty folder for what is read until then.
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
            let sources = store.sources_named(name.as_os_str().as_encoded_bytes(), *import)?;
            if sources.is_empty() {
                return Err(RereadError::NoSource(display_path::path(name).into_owned()));
            }
            for (number, source) in sources.into_iter().enumerate() {
                let read = reading.source(source, number, &fresh)?;
                fresh.push(read);
            }
        }
        RereadTarget::Game(game) => fresh.push(reading.game(*game)?),
    }
    if observer.stop().is_cancelled() {
        return Err(RereadError::Interrupted);
    }
    replace::is_new(store, &fresh)?;
    replace::is_untouched(store, &fresh)?;
    let what = match target {
        RereadTarget::Source { .. } => String::new(),
        RereadTarget::Game(game) => format!("game {game}"),
    };
    replace::replace(store, &mut fresh, (threads, &what), observer)?;
    if matches!(target, RereadTarget::Source { .. }) {
        store.begin()?;
        for fresh in &fresh {
            let rows = fresh.draft.source_rows()?;
            let read = rows.last().map(|row| fresh.draft.source_evals(row.id));
            let by_evidence = read.transpose()?.map(|evals| evals.by_evidence);
            evaluations::keep(store, fresh.place.source.id, evals, by_evidence)?;
        }
        store.commit()?;
    }
    // What is replaced by now stays so; the next import comes back to the segments.
    let _ = import::merge_segments(store, threads, observer);
    Ok(RereadReport {
        sources: fresh.into_iter().map(|fresh| fresh.report).collect(),
        evaluations: Vec::new(),
    })
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
    /// Reads a source. What its import has skipped is skipped again.
    fn source(
        &mut self,
        source: SourceRow,
        number: usize,
        others: &[RereadDraft],
    ) -> Result<RereadDraft, RereadError> {
        let rows = self.store.part_rows(source.id)?;
        let name = display_path::bytes(&source.name).into_owned();
        let place =
            GameRange::of_source(source, rows).ok_or(RereadError::Unrecorded(name.clone()))?;
        let path = path_of(&place.source.name);
        let mut options = self.options;
        // Only its beginning shows what a stream is, which others may have read.
        if options.format.is_none() && place.from > 0 {
            options.format = Some(self.recognise(&path, &name)?);
        }
        let skips = options.duplicates != DuplicateAction::Keep;
        options.duplicates = DuplicateAction::Keep;
        let none = HashMap::new();
        let mut fresh = self.read(place, &path, (options, none), number)?;
        if skips {
            let repeats = RereadDuplicateFinder::new(self.store, &fresh.place, others)?;
            let found = repeats.find(&fresh.draft)?;
            if !found.is_empty() {
                let RereadDraft { place, draft, .. } = fresh;
                drop(draft);
                fresh = self.read(place, &path, (options, found), number)?;
            }
        }
        if fresh.report.games + fresh.report.repeated == 0 {
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
        let source = self.store.source_of(game)?;
        let unrecorded = || RereadError::Unrecorded(format!("game {game}"));
        let source = source.ok_or_else(unrecorded)?;
        let rows = self.store.part_rows(source.id)?;
        let name = display_path::bytes(&source.name).into_owned();
        let path = path_of(&source.name);
        let has = |row: &&ChunkGames| (row.first_game..row.first_game + row.games).contains(&game);
        let row = *rows.iter().find(has).ok_or_else(unrecorded)?;
        let numbers = self.store.numbers_in_part(source.id, &row)?;
        let place = GameRange::of_game(source, rows, row, (game, &numbers));
        // It stands where it stands, and so do those around it.
        let mut options = ImportOptions {
            duplicates: DuplicateAction::Keep,
            ..self.options
        };
        let read = match options.format {
            Some(_) => Ok(()),
            None => (self.recognise(&path, &name)).map(|format| options.format = Some(format)),
        };
        let mut fresh = match read
            .and_then(|()| self.read(place.clone(), &path, (options, HashMap::new()), 0))
        {
            Err(why @ (RereadError::Gone { .. } | RereadError::Changed(_)))
                if self.options.format.is_none() =>
            {
                let mut fresh = self.stored_game(&place.of_stored_text(), &path)?;
                fresh.report.stored_text = Some(why.to_string());
                fresh
            }
            read => read?,
        };
        let wanted = fresh.place.games_read;
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

    /// Reads the text of a place into a draft.
    fn read(
        &mut self,
        place: GameRange,
        path: &Path,
        (options, repeated): (ImportOptions, HashMap<u64, RereadMatch>),
        number: usize,
    ) -> Result<RereadDraft, RereadError> {
        let name = display_path::bytes(&place.source.name).into_owned();
        let text = VerifiedReader::new(
            self.open(path, &name)?,
            place.parts.clone(),
            place.known.clone(),
        );
        let has_changed = text.has_changed();
        let text = SourceReader::of_text(path, Box::new(text));
        match self.draft(place, (path, text), (options, repeated), number) {
            Err(RereadError::Gone { .. })
                if has_changed.load(std::sync::atomic::Ordering::Relaxed) =>
            {
                Err(RereadError::Changed(name))
            }
            read => read,
        }
    }

    /// Reads a game as it is stored.
    fn stored_game(&self, place: &GameRange, path: &Path) -> Result<RereadDraft, RereadError> {
        let name = display_path::bytes(&place.source.name).into_owned();
        // Moves that were played are written in the language in which they are read.
        let writing = MoveNotation {
            language: self.options.language.unwrap_or_default(),
            ..MoveNotation::default()
        };
        let record = (GameReader::new(self.store).with_writing(writing)).record(place.first)?;
        let record = record.ok_or(RereadError::NoGame(place.first))?;
        let outcome = record.game.outcome;
        let (text, format) = text_of(&record, None);
        let named = import::format_named(format);
        let options = ImportOptions {
            format: Some(named.map_err(|_| RereadError::Unrecorded(name))?),
            duplicates: DuplicateAction::Keep,
            is_own_text: true,
            ..self.options
        };
        let read = |text: String| {
            let text = std::io::Cursor::new(text.into_bytes());
            let text = SourceReader::of_text(path, Box::new(text));
            self.draft(place.clone(), (path, text), (options, HashMap::new()), 0)
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
        place: GameRange,
        (path, text): (&Path, SourceReader),
        (options, repeated): (ImportOptions, HashMap<u64, RereadMatch>),
        number: usize,
    ) -> Result<RereadDraft, RereadError> {
        let source_name = display_path::bytes(&place.source.name).into_owned();
        let file = self.drafts.join(format!("{number}.db"));
        // What could not be read may have been begun.
        let _ = std::fs::remove_file(&file);
        let draft = Store::create_draft(&file, &self.observer.stop())?;
        let options = ImportOptions {
            strict: false,
            ..options
        };
        let unreadable = |why: String| RereadError::Gone {
            source_name: source_name.clone(),
            why,
        };
        let elsewhere = repeated.iter();
        let elsewhere = elsewhere.map(|(&number, stored)| (number, stored.number()));
        let source = (path.to_path_buf(), text);
        let read = import::import_text(&draft, source, elsewhere.collect(), options, self.observer);
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
        let report = self.report(&place, &draft, &summary)?;
        Ok(RereadDraft {
            place,
            draft,
            summary,
            report,
            repeated,
        })
    }

    /// What is said of what was read.
    fn report(
        &self,
        place: &GameRange,
        draft: &Store,
        summary: &ImportReport,
    ) -> Result<SourceReread, StoreError> {
        let stop = self.observer.stop();
        let (first, games) = place.in_draft(summary.stored);
        let before = condition(self.store, place.first, place.games, &stop)?;
        let now = condition(draft, first, games, &stop)?;
        let format = summary.formats.first().map_or("", |(_, format)| format);
        let languages = summary.languages.iter();
        Ok(SourceReread {
            source: display_path::bytes(&place.source.name).into_owned(),
            game: None,
            stored_text: None,
            format,
            first_game: place.first,
            games,
            games_before: place.games,
            complete: now.complete,
            complete_before: before.complete,
            repeated: summary.repeated,
            rejected: summary.rejected,
            plies: now.plies,
            plies_before: before.plies,
            variants: now.variants,
            languages: languages
                .map(|found| (found.language, found.games))
                .collect(),
        })
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
    first: GameId,
    games: u64,
    stop: &CancellationToken,
) -> Result<GamesProfile, StoreError> {
    let wrong = store.games_with_errors(first, first + games)?;
    let (mut facts, mut whole) = (store.facts(), GameReader::new(store));
    let mut condition = GamesProfile::default();
    let mut variants = [0_u64; 256];
    for game in first..first + games {
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

/// Whether a finding without a game says that something was left out.
fn is_rejection(code: &str) -> bool {
    let rejections = [Code::GameTooLarge, Code::NoPosition, Code::ProblemSyntax];
    rejections
        .iter()
        .any(|rejection| rejection.as_str() == code)
}
