//! Brings a database of an older schema, or of older keys, up to what this program writes.

use std::{collections::HashMap, convert::Infallible, time::Instant};

use serde::Serialize;

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    db::{
        index::pages::{RecordBlock, RecordBlockWriter},
        store::{RecordKind, SCHEMA_VERSION, Store, StoreError, StoreErrorKind},
        stored::{self, AnnotationReader, Annotations, rebuilt_segment},
    },
    games::{AnyPosition, key::KEY_VERSION},
};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReindexReport {
    /// The schema before.
    pub schema_before: u32,
    /// The schema now.
    pub schema: u32,
    /// Games whose comments and variations were written anew.
    pub annotated_games: u64,
    /// Segments of the index that were built anew.
    pub segments: u64,
    /// Bytes of the database before.
    pub bytes_before: u64,
    /// Bytes of it now.
    pub bytes: u64,
    /// It was stopped before the end; the next run goes on from there.
    pub interrupted: bool,
}

/// Games between two commits at most, and how long one takes.
const GAMES_A_COMMIT: usize = 50_000;
const SECONDS_A_COMMIT: u64 = 5;
/// Games that are asked for at once.
const GAMES_A_LIST: u32 = 1000;
/// From which part on that nothing is in a file is written anew.
const FREE_PART: f64 = 0.25;

/// Brings a database up. Until the last step of each it can be broken off: the file is read as
/// before, and the next run goes on where this one ended.
///
/// # Errors
///
/// [`StoreError`] if it cannot be written or is damaged; what was committed stays.
pub fn reindex(store: &Store, observer: &dyn Observer) -> Result<ReindexReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let mut report = ReindexReport {
        schema_before: store.schema().get(),
        bytes_before: store.bytes(),
        ..ReindexReport::default()
    };
    let done = bring_up(store, observer, &mut report);
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
    report.schema = store.schema().get();
    report.bytes = store.bytes();
    Ok(report)
}

fn bring_up(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    if store.schema().get() < SCHEMA_VERSION {
        pack_annotations(store, observer, report)?;
        store.finish_schema()?;
    }
    rebuild_segments(store, observer, report)?;
    if store.free_part()? >= FREE_PART {
        tell(store, observer, "writing the file anew", None)?;
        store.vacuum()?;
    }
    Ok(())
}

/// Says what is being done; an error once the end was asked for.
fn tell(
    store: &Store,
    observer: &dyn Observer,
    name: &'static str,
    steps: Option<u64>,
) -> Result<(), StoreError> {
    match observer.on(Event::Phase { name, steps }) {
        std::ops::ControlFlow::Continue(()) => store.go_on(),
        std::ops::ControlFlow::Break(()) => Err(store.interrupted()),
    }
}

/// Packs what the first schema keeps as text, and compares each game with what was there.
fn pack_annotations(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    store.begin()?;
    store.add_tables()?;
    store.commit()?;
    let mut last = store.last_tree()?;
    let left = store.count_annotated_after(last)?;
    tell(
        store,
        observer,
        "packing comments and variations",
        Some(left),
    )?;
    let mut starts: HashMap<u32, Option<AnyPosition>> = HashMap::new();
    loop {
        let since = Instant::now();
        let mut writers: [RecordBlockWriter; 2] = Default::default();
        let mut blocks: Vec<(RecordKind, RecordBlock)> = Vec::new();
        let mut count = 0;
        let mut lines = store.lines();
        let mut annotations = AnnotationReader::new(store);
        'commit: loop {
            let games = store.annotated_after(last, GAMES_A_LIST)?;
            if games.is_empty() {
                break;
            }
            for game in games {
                store.go_on()?;
                let line = lines.get(game)?;
                if !starts.contains_key(&line.start) {
                    starts.insert(line.start, stored::start_position(store, line.start)?);
                }
                let nowhere = AnyPosition::initial();
                let known = starts.get(&line.start).and_then(Option::as_ref);
                let (start, plies) = known.map_or((&nowhere, &[][..]), |at| (at, line.plies));
                let read = annotations.get(game, start, plies)?;
                let read = read.unwrap_or_default();
                push(game, &read, &mut writers, &mut blocks);
                last = game;
                count += 1;
                let is_long = since.elapsed().as_secs() >= SECONDS_A_COMMIT;
                if count == GAMES_A_COMMIT || is_long {
                    break 'commit;
                }
            }
        }
        if count == 0 {
            return Ok(());
        }
        for (kind, writer) in RecordKind::ALL.into_iter().zip(&mut writers) {
            let Ok(()) = writer.finish(|block| {
                blocks.push((kind, block));
                Ok::<_, Infallible>(())
            });
        }
        store.begin()?;
        for (kind, block) in &blocks {
            store.insert_records(*kind, block)?;
        }
        store.commit()?;
        report.annotated_games += count as u64;
        let steps = count as u64;
        if observer.on(Event::Steps { steps }).is_break() {
            return Err(store.interrupted());
        }
    }
}

fn push(
    game: GameId,
    annotations: &Annotations<'_>,
    writers: &mut [RecordBlockWriter; 2],
    blocks: &mut Vec<(RecordKind, RecordBlock)>,
) {
    let records = annotations.records();
    for ((kind, writer), record) in RecordKind::ALL.into_iter().zip(writers).zip(records) {
        if !record.is_empty() {
            let Ok(()) = writer.push(game, record, |block| {
                blocks.push((kind, block));
                Ok::<_, Infallible>(())
            });
        }
    }
}

/// Builds the segments anew whose keys are of another version.
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
    store.begin()?;
    stored::renew_start_keys(store)?;
    store.commit()?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for segment in segments {
        let rebuilt = rebuilt_segment(store, segment.first_game, segment.games, threads)?;
        store.begin()?;
        store.delete_segment(segment.id)?;
        store.insert_segment(segment.first_game, segment.games as usize, &rebuilt)?;
        store.commit()?;
        report.segments += 1;
        let steps = segment.games;
        if observer.on(Event::Steps { steps }).is_break() {
            return Err(store.interrupted());
        }
    }
    Ok(())
}
