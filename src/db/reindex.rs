//! Brings a database of an older schema, or of older keys, up to what this program writes.

mod lines;
mod problems;

use std::{
    collections::{HashMap, hash_map::Entry},
    convert::Infallible,
    ops::ControlFlow,
    time::Instant,
};

use serde::Serialize;

use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    db::{
        import::index_tail,
        index::{
            Block,
            pages::{RecordBlock, RecordBlockWriter},
            posting::Section,
        },
        people,
        store::{
            COMMIT_AFTER, GAMES_A_COMMIT, IndexPart, RecordKind, SCHEMA_VERSION, SegmentRow, Store,
            StoreError, StoreErrorKind,
        },
        stored::{self, Annotations, OpeningReader, WholeGames, rebuilt_columns},
    },
    games::{AnyPosition, key::KEY_VERSION, tree::GameTree},
};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ReindexReport {
    /// The schema before.
    pub schema_before: u32,
    /// The schema now.
    pub schema: u32,
    /// Games whose comments and variations were packed.
    pub annotated_games: u64,
    /// Those of them whose variations are kept as they stand.
    pub kept_as_text: u64,
    /// Chess problems that were games until now.
    pub problems: u64,
    /// Games whose comments name lines that were texts, and are plies now.
    pub lined_games: u64,
    /// Segments of the index that were built anew.
    pub segments: u64,
    /// Games that had no columns until now.
    pub column_games: u64,
    /// Games in segments whose crowded positions had no leaders until now.
    pub led_games: u64,
    /// Games that have another opening than until now.
    pub named_games: u64,
    /// Names of players that were not filed until now, or by other rules.
    pub filed_names: u64,
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
        self.schema_before == self.schema
            && self.annotated_games == 0
            && self.problems == 0
            && self.lined_games == 0
            && self.segments == 0
            && self.column_games == 0
            && self.led_games == 0
            && self.named_games == 0
            && self.filed_names == 0
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
pub fn reindex(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
) -> Result<ReindexReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    // Whoever was waited for may have done it.
    store.look_at_schema()?;
    let mut report = ReindexReport {
        schema_before: store.schema().get(),
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
    report.schema = store.schema().get();
    report.bytes = store.bytes();
    Ok(report)
}

fn bring_up(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    if store.schema().get() < SCHEMA_VERSION {
        store.at_once(|| store.add_tables())?;
        if store.keeps_variations_as_text() {
            let texts = pack_annotations(store, options, observer, report)?;
            store.finish_schema(2, &texts, || Ok(()))?;
        }
        let has_problems = store.has_problems();
        if !has_problems {
            problems::file(store, options, observer, report)?;
        }
        take_fingerprints(store, options, observer)?;
        tell(store, observer, "writing the file again", None)?;
        store.add_page_sums()?;
        store.finish_schema(SCHEMA_VERSION, &[], || {
            if !has_problems {
                problems::separate(store)?;
                // Beginnings that several files share were filed under the last of them only.
                let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " reindex");
                store.file_without_source(program, "(not recorded)", store.last_game()?)?;
            }
            if !store.has_own_openings()? {
                report.named_games = name_openings(store, observer)?;
            }
            people::file_fide_ids(store)
        })?;
    }
    if !store.has_own_openings()? {
        store.at_once(|| {
            report.named_games += name_openings(store, observer)?;
            Ok(())
        })?;
    }
    report.filed_names = store.at_once(|| people::file_names(store))?;
    lines::pack(store, options, observer, report)?;
    index_tail(store, threads(), observer)?;
    rebuild_segments(store, observer, report)?;
    add_columns(store, observer, report)?;
    add_leaders(store, observer, report)?;
    if store.free_part()? >= FREE_PART {
        tell(store, observer, "compacting the file", None)?;
        store.vacuum()?;
    }
    Ok(())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Says what is being done; an error once the end was asked for.
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

/// Says how much was done; an error once the end was asked for.
fn step(store: &Store, observer: &dyn Observer, steps: u64) -> Result<(), StoreError> {
    match observer.on(Event::Steps { steps }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(store.interrupted()),
    }
}

/// Packs what the first schema keeps as text, game by game, each compared with what was
/// there; the segments that are to be built again, as some variations are kept as text.
fn pack_annotations(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<Vec<u32>, StoreError> {
    let mut last = store.last_tree()?;
    let left = store.last_game()?.saturating_sub(last);
    let phase = "packing comments and variations";
    tell(store, observer, phase, Some(left))?;
    let mut starts: HashMap<u32, Option<AnyPosition>> = HashMap::new();
    let nowhere = AnyPosition::initial();
    loop {
        let (since, before) = (Instant::now(), last);
        let mut writers = RecordKind::ALL.map(|kind| store.record_writer(kind));
        let mut blocks: Vec<(RecordKind, RecordBlock)> = Vec::new();
        let mut count = 0;
        let mut lines = store.lines();
        'commit: loop {
            let games = store.annotated_after(last, GAMES_A_LIST)?;
            if games.is_empty() {
                break;
            }
            for game in games {
                store.go_on()?;
                let line = lines.get(game)?;
                let known = match starts.entry(line.start) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(stored::start_position(store, line.start)?),
                };
                let (start, plies) = known
                    .as_ref()
                    .map_or((&nowhere, &[][..]), |at| (at, line.plies));
                if let Some(packed) = stored::packed(store, game, start, plies)? {
                    report.kept_as_text += u64::from(packed.is_text);
                    push(game, &packed.annotations, &mut writers, &mut blocks);
                }
                last = game;
                count += 1;
                let is_long = since.elapsed() >= COMMIT_AFTER;
                if count == options.games_per_commit || is_long {
                    break 'commit;
                }
            }
        }
        if count == 0 {
            let texts = segments_with(store, |tree| tree.has_variations_as_text())?;
            refile_variations(store, &texts, observer, report)?;
            return Ok(texts);
        }
        for (kind, writer) in RecordKind::ALL.into_iter().zip(&mut writers) {
            let Ok(()) = writer.finish(|block| {
                blocks.push((kind, block));
                Ok::<_, Infallible>(())
            });
        }
        store.at_once(|| {
            let mut blocks = blocks.iter();
            blocks.try_for_each(|(kind, block)| store.insert_records(*kind, block))
        })?;
        report.annotated_games += count as u64;
        step(store, observer, last - before)?;
    }
}

fn push(
    game: GameId,
    annotations: &Annotations<'_>,
    writers: &mut [RecordBlockWriter; 3],
    blocks: &mut Vec<(RecordKind, RecordBlock)>,
) {
    let [tree, texts] = annotations.records();
    let records = RecordKind::parted([tree, texts, &[]]);
    for ((kind, writer), parts) in RecordKind::ALL.into_iter().zip(writers).zip(records) {
        let Ok(()) = writer.push(game, parts, |block| {
            blocks.push((kind, block));
            Ok::<_, Infallible>(())
        });
    }
}

/// Gives games the fingerprints that they would have from an import; those that have checksums
/// are compared with them.
fn take_fingerprints(
    store: &Store,
    options: ReindexOptions,
    observer: &dyn Observer,
) -> Result<(), StoreError> {
    let (mut next, last) = (store.last_sum()? + 1, store.last_game()?);
    let phase = "taking fingerprints of games";
    tell(
        store,
        observer,
        phase,
        Some((last + 1).saturating_sub(next)),
    )?;
    let mut games = WholeGames::new(store);
    let at_once = options.games_per_commit.max(1) as u64;
    while next <= last {
        let end = last.min(next + at_once - 1);
        let mut prints = Vec::new();
        for game in next..=end {
            store.go_on()?;
            let (print, agrees) = games.compared(game)?;
            if !agrees {
                return Err(store.damaged(format!("game {game} is not as it was stored")));
            }
            prints.push(print);
        }
        store.at_once(|| store.insert_sums(next, &prints))?;
        step(store, observer, end + 1 - next)?;
        next = end + 1;
    }
    Ok(())
}

/// The segments with games whose trees fulfil something, those packed before an interruption
/// among them. Of variations that are kept as text the index has positions, where none is
/// found any more.
fn segments_with(
    store: &Store,
    fulfils: impl Fn(GameTree<'_>) -> bool,
) -> Result<Vec<u32>, StoreError> {
    let segments = store.segments()?;
    let mut found = Vec::new();
    let mut row = 0;
    while let Some((first, block)) = store.records_from(RecordKind::Tree, row)? {
        store.go_on()?;
        row = first + 1;
        let block = block.ok_or_else(|| store.damaged(RecordKind::Tree.damage(first)))?;
        for (game, tree) in block.records() {
            if GameTree::of(tree).is_some_and(&fulfils) {
                let at = segments.partition_point(|segment| segment.first_game <= game);
                found.extend(at.checked_sub(1).map(|at| segments[at].id));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Builds the segments again whose variations were read better now than when they were filed
/// (`---` was no move once), while the schema is the older one; but for some segments that
/// are built again later on.
fn refile_variations(
    store: &Store,
    later: &[u32],
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let with_variations = segments_with(store, |tree| tree.has_plies())?;
    let mut segments = store.segments()?;
    segments.retain(|segment| {
        segment.key_version == KEY_VERSION
            && with_variations.contains(&segment.id)
            && !later.contains(&segment.id)
    });
    let steps = segments.iter().map(|segment| segment.games).sum();
    tell(store, observer, "comparing the index", Some(steps))?;
    for segment in segments {
        let of_variations = IndexPart::Postings(Section::Variation);
        let (mut blocks, mut is_same) = (0, true);
        let mut compare = |part, block: &Block| {
            if part == of_variations {
                blocks += 1;
                is_same = is_same && store.has_block(&segment, part, block)?;
            }
            Ok(())
        };
        let games = (segment.first_game, segment.games);
        stored::build_segment(store, games, threads(), &mut compare, &mut |_| ())?;
        if !is_same || store.block_count(&segment, of_variations)? != blocks {
            replace(store, segment)?;
            report.segments += 1;
        }
        step(store, observer, segment.games)?;
    }
    Ok(())
}

/// Builds a segment again.
fn replace(store: &Store, segment: SegmentRow) -> Result<(), StoreError> {
    store.at_once(|| stored::replace_segments(store, &[segment], threads(), &mut |_| ()))
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
    store.at_once(|| stored::renew_start_keys(store))?;
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

/// Tells the leaders of crowded positions for the segments that have none.
fn add_leaders(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut without = Vec::new();
    for segment in store.segments()? {
        if store.block_count(&segment, IndexPart::Leaders)? == 0 {
            without.push((segment, segment.games));
        }
    }
    let name = "indexing crowded positions";
    of_each(
        store,
        observer,
        name,
        without,
        &mut report.led_games,
        |segment| {
            let leaders = stored::leaders_of(store, &segment)?;
            store.at_once(|| store.replace_blocks(&segment, IndexPart::Leaders, &leaders))
        },
    )
}

/// Builds columns for the segments that have none, or some that tell less than those of today.
fn add_columns(
    store: &Store,
    observer: &dyn Observer,
    report: &mut ReindexReport,
) -> Result<(), StoreError> {
    let mut without = Vec::new();
    for stretch in store.segments()?.iter().flat_map(SegmentRow::stretches) {
        if !store.has_detailed_columns(&stretch)? {
            without.push((stretch, stretch.games));
        }
    }
    let name = "building columns";
    of_each(
        store,
        observer,
        name,
        without,
        &mut report.column_games,
        |stretch| {
            let columns = rebuilt_columns(store, stretch.first_game, stretch.games, threads())?;
            store.at_once(|| store.replace_columns(&stretch, columns))
        },
    )
}

/// Adds something to each of some parts of the index, which have so many games, and counts these.
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
