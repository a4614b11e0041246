//! What commands ask of the library where that takes more than one call.

mod typed;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::diagnostic::Code;
use crate::base::display_path;
use crate::base::observe::{CancellationToken, Observer};
use crate::base::record::{GameId, GameRecord, MovetextItem};
use crate::db::changes::{
    self, DedupeReport, DeleteReport, EditError, EditReport, MergeReport, OptimizeReport, TagEdit,
    UndoError, UndoReport,
};
use crate::db::import;
use crate::db::index::facts::FactColumn as Is;
use crate::db::reindex::{self, ReindexReport};
use crate::db::reread::{self, RereadError, RereadReport, RereadTarget};
use crate::db::search::{self, BoardAt, CheckReport, GameReader};
use crate::db::store::{
    NewFile, SCHEMA_VERSION, SourcePlace, SqlError, Store, StoreError, StoreErrorKind,
};
use crate::draw::board::{self, BoardStyle};
use crate::formats::composition::Composition;
use crate::games::AnyPosition;
use crate::games::ballot::{self, Ballot};
use crate::games::diagram::Diagram;
use crate::games::notation::epd;
use crate::games::variant::{self, Variant};
use crate::games::variation_tree::PlyRef;
use crate::pgn::parser::eval_view::SourceEvals;
use crate::pgn::tags::date::PgnDate;
use crate::query::Query;

use super::error::CliError;
use super::output::ProtectedFiles;
use super::plan_reread::RereadPlan;
use super::resolve::{ResolvedQuery, resolve};

pub use crate::db::changes::{DedupeOptions, DedupePolicy};
pub use crate::db::import::DuplicateAction;
pub use crate::db::import::Format as SourceFormat;
pub use crate::db::import::ImportOptions;
pub use crate::db::import::ImportReport as ImportSummary;
pub use typed::read_typed;

/// What is in a database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Info {
    /// The file.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Version of its schema.
    pub schema_version: u32,
    /// Games.
    pub games: u64,
    /// Games that were removed and can be brought back.
    pub removed: u64,
    /// Plies of all main lines.
    pub plies: u64,
    /// Positions in the index.
    pub positions: u64,
    /// Different players.
    pub players: u64,
    /// Different events.
    pub events: u64,
    /// Different sites.
    pub sites: u64,
    /// Imported sources.
    pub sources: u64,
    /// Segments of the position index.
    pub segments: u64,
    /// Earliest known date, as `yyyy-mm-dd` or the known beginning of it.
    pub first_date: Option<String>,
    /// Latest known date, likewise.
    pub last_date: Option<String>,
    /// Bytes by part of the database.
    pub parts: Vec<(String, u64)>,
    /// Games by variant.
    pub variants: Vec<(String, u64)>,
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        if matches!(error.kind, StoreErrorKind::Interrupted) {
            return Self::interrupted();
        }
        Self::from_error(&error).hint(error.hint()).of_store()
    }
}

impl From<SqlError> for CliError {
    fn from(error: SqlError) -> Self {
        match error {
            SqlError::Store(error) => error.into(),
            SqlError::Statement { .. } => Self::from_error(&error).hint(error.hint()),
        }
    }
}

impl From<import::ImportError> for CliError {
    fn from(error: import::ImportError) -> Self {
        match error {
            import::ImportError::Store(error) => error.into(),
            import::ImportError::Interrupted => Self::interrupted(),
            import::ImportError::Unreadable(ref failures) => {
                let shown = failures.iter().take(import::NAMED);
                let told = Self::from_error(&error).hint(error.hint());
                shown.fold(told, |told, why| told.because(why))
            }
            import::ImportError::Source(_) | import::ImportError::Nothing(_) => {
                Self::from_error(&error).hint(error.hint())
            }
        }
    }
}

impl From<UndoError> for CliError {
    fn from(error: UndoError) -> Self {
        match error {
            UndoError::Store(error) | UndoError::Edit(EditError::Store(error)) => error.into(),
            other => Self::from_error(&other).hint(other.hint()),
        }
    }
}

impl From<EditError> for CliError {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Store(error) => error.into(),
            other => Self::from_error(&other).hint(other.hint()),
        }
    }
}

impl From<RereadError> for CliError {
    fn from(error: RereadError) -> Self {
        match error {
            RereadError::Store(error) => error.into(),
            RereadError::Interrupted => Self::interrupted(),
            other => Self::from_error(&other).hint(other.hint()),
        }
    }
}

/// What an import of these paths reads: called first, for a mistyped path must not leave anything
/// behind.
pub fn sources(paths: &[PathBuf], may_be_empty: &[PathBuf]) -> Result<import::Sources, CliError> {
    Ok(import::sources(paths, may_be_empty).map_err(import::ImportError::from)?)
}

/// Writes to a database, which is made if there is none: of one that was made and got no game,
/// because the work failed or ended early, nothing is left.
fn into_database<T>(
    db: &Path,
    ended_early: impl FnOnce(&T) -> bool,
    work: impl FnOnce() -> Result<T, CliError>,
) -> Result<T, CliError> {
    let new = NewFile::make(db);
    let done = work();
    if done.as_ref().map_or(true, ended_early)
        && let Some(new) = new
    {
        new.discard();
    }
    done
}

/// Imports sources, and looks which files below some folders are gone.
pub fn import(
    db: &Path,
    sources: import::Sources,
    options: ImportOptions,
    folders: &[PathBuf],
    observer: &dyn Observer,
) -> Result<ImportSummary, CliError> {
    // First, for what cannot be read must not leave an empty database behind.
    let stop = observer.stop();
    let ready = import::open(sources, &options, &stop)?;
    let ended_early = |summary: &ImportSummary| summary.interrupted || summary.refused.is_some();
    into_database(db, ended_early, || {
        let store = Store::create_or_open(db, &stop)?;
        let before = import::last_import(&store)?;
        let mut summary = import::import_ready(&store, ready, options, observer)?;
        summary.sources_missing = import::gone(&store, folders, before)?;
        Ok(summary)
    })
}

/// Where a game was read, and what was found wanting there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Provenance {
    /// The source as it was named; none if it is not on record.
    pub source: Option<String>,
    /// 1-based number of the game in it.
    pub number: Option<u64>,
    /// Sources that had it again.
    pub repeats: Vec<SourcePlace>,
    /// Warnings and errors, in the order of the text.
    pub findings: Vec<Finding>,
    /// How the evaluations of the source are read.
    #[serde(skip)]
    pub evals: SourceEvals,
}

/// A stored warning or error about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its code word.
    pub code: String,
    /// What it means; empty for a code of another version.
    pub message: &'static str,
    /// 0-based byte offset in the decompressed source.
    pub offset_bytes: u64,
    /// What exactly.
    pub detail: String,
}

/// Where a game was read.
pub fn provenance(store: &Store, game: GameId) -> Result<Provenance, CliError> {
    let mut places = store.places(game)?.into_iter();
    let first = places.next();
    let (source, number) = first.map(|place| (place.source, place.number)).unzip();
    let findings = store
        .diagnostics(game)?
        .into_iter()
        .map(|(code, offset_bytes, detail)| Finding {
            message: Code::named(&code).map_or("", Code::message),
            code,
            offset_bytes,
            detail,
        });
    Ok(Provenance {
        source,
        number,
        repeats: places.collect(),
        findings: findings.collect(),
        evals: store.eval_readings()?.of_game(game),
    })
}

/// The diagram of a problem, drawn.
pub fn draw_problem(problem: &Composition, style: BoardStyle) -> String {
    let Some(board) = problem.diagram.board() else {
        return problem.diagram.draw();
    };
    board::draw(&Diagram::of_chess(&board), style)
}

/// A game's start position as a line of EPD, with the operations that it came
/// with; `None` of a game whose start is not known.
pub fn epd_line(game: &GameRecord) -> Option<String> {
    let usual = || Some(AnyPosition::start(Variant::by_name(&game.header.variant)?)?.fen());
    let fen = game.header.start_fen.clone().or_else(usual)?;
    Some(epd::from_tags(&fen, &game.tags))
}

/// The position at a place of a game; `None` is its last indexed ply.
/// An error where the game has not the place or cannot be replayed.
pub fn board_at(
    games: &mut GameReader<'_>,
    game: GameId,
    place: Option<&PlyRef>,
) -> Result<BoardAt, CliError> {
    match games.board_at(game, place)? {
        Some(at) => Ok(at),
        None => Err(match games.header(game)? {
            Some(_) if place.is_some_and(|place| !place.line.is_main()) => {
                let place = place.map(PlyRef::to_string).unwrap_or_default();
                CliError::new(format!("game {game} has no ply {place}"))
                    .hint("`plydex search POSITION --in-variations` shows the plies of variations that it finds")
            }
            Some(header) if place.is_some_and(|place| place.ply > header.plies) => {
                CliError::new(format!("game {game} has only {} plies", header.plies))
                    .hint(format!("give --ply a number from 0 to {}", header.plies))
            }
            _ => CliError::new(format!("game {game} cannot be replayed"))
                .hint("its variant is not supported or its start position cannot be read; `plydex show` without a board prints its text"),
        }),
    }
}

/// What is in the database.
pub fn info(store: &Store) -> Result<Info, CliError> {
    let segments = store.segments()?;
    let [players, events, sites, sources] = store.counts()?;
    let mut info = Info {
        path: display_path::path(store.path()).into_owned(),
        bytes: store.bytes(),
        schema_version: SCHEMA_VERSION,
        positions: segments.iter().map(|segment| segment.positions).sum(),
        segments: segments.len() as u64,
        players,
        events,
        sites,
        sources,
        parts: store.sizes()?,
        ..Info::default()
    };
    let (mut first, mut last) = (u32::MAX, 0);
    let mut variants = [0u64; 256];
    let removed = store.removed()?;
    info.removed = removed.without(&store.purged()?).count();
    store.for_each_facts(&[Is::Plies, Is::Variant, Is::Date], |game, facts| {
        if removed.contains(game) {
            return;
        }
        info.games += 1;
        info.plies += u64::from(facts.plies);
        variants[facts.variant as usize & 255] += 1;
        if facts.date > 0 {
            first = first.min(facts.date);
            last = last.max(facts.date);
        }
    })?;
    let text = |packed| Some(PgnDate::from_packed(packed).iso_prefix());
    if last > 0 {
        (info.first_date, info.last_date) = (text(first), text(last));
    }
    info.variants = variant::counts_by_name(&variants);
    Ok(info)
}

/// Checks the database. One too damaged to be opened has a problem, too.
pub fn check(
    db: &Path,
    stop: &CancellationToken,
    observer: &dyn Observer,
) -> Result<CheckReport, CliError> {
    match Store::open(db, stop).and_then(|store| search::check(&store, observer)) {
        Err(damage) if matches!(damage.kind, StoreErrorKind::Damaged { .. }) => Ok(CheckReport {
            problems: vec![damage.to_string()],
            ..CheckReport::default()
        }),
        checked => Ok(checked?),
    }
}

/// Rebuilds what an older plydex has indexed.
pub fn reindex(
    db: &Path,
    stop: &CancellationToken,
    observer: &dyn Observer,
) -> Result<ReindexReport, CliError> {
    let store = Store::open_to_reindex(db, stop)?;
    Ok(reindex::reindex(
        &store,
        reindex::ReindexOptions::default(),
        observer,
    )?)
}

/// Opens an existing database, to change it.
fn to_change(db: &Path, stop: &CancellationToken) -> Result<Store, CliError> {
    // To be read it has to be there; an empty file would become one.
    Store::ask(db, stop, |_| Ok::<_, StoreError>(()))?;
    Ok(Store::create_or_open(db, stop)?)
}

/// Takes a change back; with an empty folder for what is read until then, as below.
pub fn undo(
    db: &Path,
    change: i64,
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<UndoReport, CliError> {
    let store = to_change(db, &observer.stop())?;
    Ok(changes::undo(&store, change, drafts, observer)?)
}

/// Deletes the games of a query; with what else there is to say of it.
pub(crate) fn delete(
    db: &Path,
    query: &Query,
    what: &str,
    observer: &dyn Observer,
) -> Result<(DeleteReport, ResolvedQuery), CliError> {
    let store = to_change(db, &observer.stop())?;
    let ready = resolve(&store, query)?;
    let report = changes::delete(&store, &ready.plan, what, observer)?;
    Ok((report, ready))
}

/// Changes tags of a game, to values that are none of them only if that is forced.
pub fn edit(
    db: &Path,
    game: GameId,
    edits: (&[TagEdit], bool),
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<EditReport, CliError> {
    let store = to_change(db, &observer.stop())?;
    Ok(changes::edit(&store, game, edits, drafts, observer)?)
}

/// Finds games that are stored twice, and removes all but one record of each if that is wanted;
/// `what` is how it was requested.
pub fn dedupe(
    db: &Path,
    options: DedupeOptions,
    what: Option<&str>,
    observer: &dyn Observer,
) -> Result<DedupeReport, CliError> {
    let stop = observer.stop();
    Ok(match what {
        None => changes::same_games(&Store::open(db, &stop)?, options, observer)?,
        Some(what) => changes::dedupe(&to_change(db, &stop)?, options, what, observer)?,
    })
}

/// Takes in another database.
pub fn merge(
    db: &Path,
    other: &Path,
    duplicates: DuplicateAction,
    observer: &dyn Observer,
) -> Result<MergeReport, CliError> {
    let stop = observer.stop();
    let taken = Store::open(other, &stop)?;
    if ProtectedFiles::database(db).has(other) {
        let error = format!("{} is the database itself", display_path::path(other));
        return Err(CliError::new(error).hint("name another database, or another one with --db"));
    }
    into_database(
        db,
        |_| false,
        || {
            let store = Store::create_or_open(db, &stop)?;
            Ok(changes::merge(&store, &taken, duplicates, observer)?)
        },
    )
}

/// Makes the file small.
pub fn optimize(
    db: &Path,
    purge: bool,
    observer: &dyn Observer,
) -> Result<OptimizeReport, CliError> {
    let store = to_change(db, &observer.stop())?;
    Ok(changes::optimize(&store, purge, observer)?)
}

/// Reads a source or a game again.
pub fn reread(
    db: &Path,
    plan: &RereadPlan,
    drafts: &Path,
    observer: &dyn Observer,
) -> Result<RereadReport, CliError> {
    let store = to_change(db, &observer.stop())?;
    match &plan.target {
        RereadTarget::Source { name, import } if !plan.reads_again => Ok(RereadReport {
            evaluations: reread::set_evaluations(&store, (name, *import), plan.evals, observer)?,
            ..RereadReport::default()
        }),
        target => {
            let how = (plan.options, plan.evals);
            Ok(reread::reread(&store, target, how, drafts, observer)?)
        }
    }
}

/// The ballot that a game begins with.
pub fn ballot_of(game: &GameRecord) -> Option<Ballot> {
    if game.header.start_fen.is_some() {
        return None;
    }
    let moves = game.items.iter().filter_map(|item| match item {
        MovetextItem::Move(text) => Some(text.as_str()),
        _ => None,
    });
    ballot::of_moves(Variant::by_name(&game.header.variant)?, moves)
}
