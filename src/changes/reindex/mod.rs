//! Brings what is derived from the games, as an older program has filed it, up to what this program
//! writes.

mod lines;

use std::ops::ControlFlow;

use serde::Serialize;

use crate::{
    base::observe::{Event, Observer},
    games::key::KEY_VERSION,
    import::index_tail,
    people,
    replay::{self, OpeningReader, rebuilt_columns},
    store::{
        GAMES_A_COMMIT, IndexPart, SCHEMA_VERSION, SegmentRow, Store, StoreError, StoreErrorKind,
    },
};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReindexReport {
    /// The schema of the database.
    pub schema: u32,
    /// Games whose comments name lines that were texts, and are plies now.
    pub comment_line_games: u64,
    /// Segments of the index that were built again.
    pub segments: u64,
    /// Games that had no columns until now.
    pub column_games: u64,
    /// Games in segments whose crowded positions had no top games until now.
    pub top_game_games: u64,
    /// Games that have another opening than until now.
    pub opening_games: u64,
    /// Names of players that were not filed until now, or by other rules.
    pub indexed_names: u64,
    /// Bytes of the database before.
    pub bytes_before: u64,
    /// Bytes of it now.
    pub bytes: u64,
    /// It was stopped before the end; the next run goes on from there.
    pub interrupted: bool,
}

impl ReindexReport {
    /// Whether there was nothing to do.
    pub const fn is_nothing(&self) -> bool {
        self.comment_line_games == 0
            && self.segments == 0
            && self.column_games == 0
            && self.top_game_games == 0
            && self.opening_games == 0
            && self.indexed_names == 0
            && self.bytes_before == self.bytes
            && !self.interrupted
    }
}

/// How a database is brought up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReindexOptions {
    /// Games between two commits at most.
    pub games_per_commit: usize,
}

impl Default for ReindexOptions {
    fn default() -> Self {
        Self {
            games_per_commit: GAMES_A_COMMIT,
        }
    }
}

/// From this share of free pages on, a file is written again.
const FREE_PART: f64 = 0.25;

/// Brings a database up. Until the last step of each it can be broken off: the file is read as
/// before, and the next run goes on where this one ended.
///
/// # Errors
///
/// [`StoreError`] if it cannot be written or is damaged; what was committed stays.
pub fn reindex(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
) -> Result<ReindexReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let mut report = ReindexReport {
        schema: SCHEMA_VERSION,
        bytes_before: store.bytes(),
        ..ReindexReport::default()
    };
    let done = bring_up(store, options, observer, &mut report);
    match done {
        Ok(()) => {}
        Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => {
            store.roll_back();
            report.interrupted = true;
        }
        Err(error) => {
            store.roll_back();
            return Err(error);
        }
    }
    report.bytes = store.bytes();
    Ok(report)
}

fn bring_up(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    if !store.has_own_openings()? {
        store.at_once(|| {
            report.opening_games += name_openings(store, observer)?;
            Ok(())
        })?;
    }
    report.indexed_names = file_names(store)?;
    lines::pack(store, options, observer, report)?;
    index_tail(store, threads(), observer)?;
    rebuild_segments(store, observer, report)?;
    add_columns(store, observer, report)?;
    add_top_games(store, observer, report)?;
    if store.free_part()? >= FREE_PART {
        tell(store, observer, "compacting the file", None)?;
        store.vacuum()?;
    }
    Ok(())
}

/// Files the names that are not filed yet. Where there are none, the file stays as it is, to the
/// byte: a transaction that is committed raises its generation.
fn file_names(store: &Store) -> Result<u64, StoreError> {
    store.begin()?;
    let filed = people::file_names(store).inspect_err(|_| store.roll_back())?;
    if filed == 0 {
        store.roll_back();
    } else {
        store.commit()?;
    }
    Ok(filed)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Says what is being done; an error once the end was requested.
fn tell(
    store: &Store,
    observer: &dyn Observer,
    name: &'static str,
    steps: Option<u64>,
) -> Result<(), StoreError> {
    match observer.on(Event::Phase { name, steps }) {
        ControlFlow::Continue(()) => store.go_on(),
        ControlFlow::Break(()) => Err(store.interrupted()),
    }
}

/// Says how much was done; an error once the end was requested.
fn step(store: &Store, observer: &dyn Observer, steps: u64) -> Result<(), StoreError> {
    match observer.on(Event::Steps { steps }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(store.interrupted()),
    }
}

/// Builds a segment again.
fn replace(store: &Store, segment: SegmentRow) -> Result<(), StoreError> {
    store.at_once(|| replay::replace_segments(store, &[segment], threads(), &mut |_| ()))
}

/// Builds the segments again whose keys are of another version.
fn rebuild_segments(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut segments = store.segments()?;
    segments.retain(|segment| segment.key_version != KEY_VERSION);
    if segments.is_empty() {
        return Ok(());
    }
    let steps = segments.iter().map(|segment| segment.games).sum();
    tell(store, observer, "indexing", Some(steps))?;
    store.at_once(|| replay::renew_start_keys(store))?;
    for segment in segments {
        replace(store, segment)?;
        report.segments += 1;
        step(store, observer, segment.games)?;
    }
    Ok(())
}

/// Gives games the openings that they have by this program's table of names.
fn name_openings(store: &Store, observer: &dyn Observer) -> Result<u64, StoreError> {
    let steps = Some(store.last_game()?);
    tell(store, observer, "naming openings", steps)?;
    let mut openings = OpeningReader::new(store);
    let of = |game| {
        store.go_on()?;
        openings.of(game)
    };
    store.name_openings(of, |games| step(store, observer, games))
}

/// Adds the top games of crowded positions to the segments that have none.
fn add_top_games(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut without = Vec::new();
    for segment in store.segments()? {
        if store.block_count(&segment, IndexPart::TopGames)? == 0 {
            without.push((segment, segment.games));
        }
    }
    let name = "indexing crowded positions";
    of_each(
        store,
        observer,
        name,
        without,
        &mut report.top_game_games,
        |segment| {
            let top_games = replay::top_games_of(store, &segment)?;
            store.at_once(|| store.replace_blocks(&segment, IndexPart::TopGames, &top_games))
        },
    )
}

/// Builds columns for the segments that have none, or some that say less than those of today.
fn add_columns(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut without = Vec::new();
    for segment in store.segments()? {
        for range in store.column_ranges(&segment)? {
            if !store.has_detailed_columns(&range)? {
                without.push((range, range.games));
            }
        }
    }
    let name = "building columns";
    of_each(
        store,
        observer,
        name,
        without,
        &mut report.column_games,
        |range| {
            let columns = rebuilt_columns(store, range.first_game, range.games, threads())?;
            store.at_once(|| store.replace_columns(&range, &columns))
        },
    )
}

/// Adds something to each of some parts of the index, which come with their numbers of games.
fn of_each<T>(
    store: &Store,
    observer: &dyn Observer,
    name: &'static str,
    parts: Vec<(T, u64)>,
    done: &mut u64,
    mut add: impl FnMut(T) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    if parts.is_empty() {
        return Ok(());
    }
    let all = parts.iter().map(|(_, games)| games).sum();
    tell(store, observer, name, Some(all))?;
    for (part, games) in parts {
        add(part)?;
        *done += games;
        step(store, observer, games)?;
    }
    Ok(())
}
