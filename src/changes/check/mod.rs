//! Checks a database: the file itself, and the index against a replay.

mod annotations;
mod tables;

use std::{collections::HashMap, ops::ControlFlow};

use serde::Serialize;

use crate::{
    base::observe::{Event, Observer},
    games::NamedOpening,
    index::{Block, posting::Section},
    replay::{self, OpeningReader, rebuilt_signatures},
    store::{ColumnRange, IndexPart, NameTable, SegmentRow, Store, StoreError, StoreErrorKind},
};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CheckReport {
    /// Games that were replayed and are there.
    pub games: u64,
    /// Games that were replayed and have been removed by changes, which can be taken back.
    pub removed: u64,
    /// Positions that were compared with the index.
    pub positions: u64,
    /// What is wrong, and where.
    pub problems: Vec<String>,
    /// Games of an import that was broken off, which are in no segment yet.
    pub unindexed: u64,
    /// Games that queries replay, for their segment has no columns: a reindex was
    /// broken off.
    pub without_columns: u64,
    /// The observer stopped it before the end.
    pub interrupted: bool,
}

impl CheckReport {
    /// Notes a problem, once.
    fn note(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Takes what was found, or that it could not be searched for because of damage.
    fn take(&mut self, found: Result<Vec<String>, StoreError>) -> Result<(), StoreError> {
        let done = found.map(|problems| problems.into_iter().for_each(|p| self.note(p)));
        self.take_damage(done)
    }

    /// Damage is a problem, and no error.
    fn take_damage(&mut self, done: Result<(), StoreError>) -> Result<(), StoreError> {
        match done {
            Err(StoreError {
                kind: StoreErrorKind::Damaged { what },
                ..
            }) => {
                self.note(what);
                Ok(())
            }
            done => done,
        }
    }
}

/// Checks the file: its pages, its structure, its tables one with the other, every game with
/// its checksum, the index and the facts with what is built again of the games, byte by byte,
/// and the comments and variations of every game.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read at all; damage is reported.
pub fn check(store: &Store, observer: &dyn Observer) -> Result<CheckReport, StoreError> {
    let mut report = CheckReport::default();
    match check_all(store, observer, &mut report) {
        Err(error) if matches!(error.kind, StoreErrorKind::Interrupted) => {
            report.interrupted = true;
        }
        done => done?,
    }
    Ok(report)
}

fn check_all(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let done = tables::pages(store, observer, report);
    report.take_damage(done)?;
    report.take(store.integrity())?;
    tables::tables(store, report)?;
    for part in [compare_all, annotations::check, tables::games] {
        let done = part(store, observer, report);
        report.take_damage(done)?;
        if report.interrupted {
            break;
        }
    }
    Ok(())
}

/// Compares every segment with its games.
fn compare_all(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let segments = match store.index() {
        Err(error) if matches!(error.kind, StoreErrorKind::OtherKeys { .. }) => {
            let hint = error.hint();
            report
                .problems
                .push(format!("{error}: not compared with the games; {hint}"));
            return Ok(());
        }
        segments => segments?,
    };
    let steps = Some(segments.iter().map(|segment| segment.games).sum());
    let mut flow = observer.on(Event::Phase {
        name: "checking",
        steps,
    });
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut next = 1;
    for segment in &segments {
        if flow.is_break() {
            report.interrupted = true;
            return Ok(());
        }
        if segment.first_game < next {
            report
                .problems
                .push(format!("game {} is in two segments", segment.first_game));
        } else if segment.first_game > next {
            report.problems.push(format!(
                "games {next} to {} are in no segment",
                segment.first_game - 1
            ));
        }
        next = segment.first_game + segment.games;
        let done = compare(store, segment, threads, report);
        report.take_damage(done)?;
        flow = observer.on(Event::Steps {
            steps: segment.games,
        });
    }
    let last = store.last_game()?;
    if next != last + 1 {
        report.problems.push(format!(
            "the index ends with game {}, but the last game is {last}",
            next - 1
        ));
    }
    report.interrupted = matches!(flow, ControlFlow::Break(())) && next != last + 1;
    Ok(())
}

fn compare(
    store: &Store,
    segment: &SegmentRow,
    threads: usize,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let games = format!(
        "games {} to {}",
        segment.first_game,
        segment.first_game + segment.games - 1
    );
    facts_agree(store, segment, report)?;
    let end = segment.first_game + segment.games;
    let removed = store.removed()?.count_between(segment.first_game, end);
    if segment.is_tail() {
        report.games += segment.games - removed;
        report.removed += removed;
        report.unindexed = segment.games;
        return signatures_agree(store, segment, threads, report);
    }
    let mut comparison = BlockComparison::default();
    let mut take = |part, block: &Block| comparison.take(store, segment, part, block);
    let range = (segment.first_game, segment.games);
    let of = segment.thresholds;
    let rebuilt = replay::build_segment(store, range, of, threads, &mut take, &mut |_| ())?;
    report.games += segment.games - removed;
    report.removed += removed;
    report.positions += rebuilt.positions;
    if rebuilt.positions != segment.positions {
        report.problems.push(format!(
            "{games}: {} positions recorded, but {} in the games",
            segment.positions, rebuilt.positions
        ));
    }
    let mut parts = Vec::new();
    for section in Section::ALL {
        if rebuilt.layouts[section as usize] == segment.layouts[section as usize] {
            parts.push(IndexPart::Postings(section));
        } else {
            report.problems.push(format!(
                "{games}: the layout of the {section} index differs from the games"
            ));
        }
    }
    parts.push(IndexPart::Popular);
    let has_top_games = store.block_count(segment, IndexPart::TopGames)? > 0;
    if has_top_games {
        parts.push(IndexPart::TopGames);
    }
    for part in parts {
        let stored = store.block_count(segment, part)?;
        comparison.tell(&games, part, stored, report);
    }
    for range in store.column_ranges(segment)? {
        let has_columns = store.columns(&range)?.is_some();
        if !has_columns || !has_top_games {
            report.without_columns += range.games;
        }
        // Columns that say less than those of today are as they were built.
        if store.has_detailed_columns(&range)? {
            columns_agree(store, &range, threads, report)?;
        }
        if !store.has_right_variants(segment, &range)? {
            let (first, last) = (range.first_game, range.first_game + range.games - 1);
            report.problems.push(format!(
                "games {first} to {last}: the variants recorded are not those of the games"
            ));
        }
    }
    Ok(())
}

/// Compares the columns of a range of games with those that are built again.
fn columns_agree(
    store: &Store,
    range: &ColumnRange,
    threads: usize,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let (first, games) = (range.first_game, range.games);
    let mut rebuilt = replay::rebuilt_columns(store, first, games, threads)?;
    rebuilt.sort_unstable_by_key(|page| page.first_key);
    let stored = store.stored_columns(range)?;
    let last = first + games - 1;
    if stored.len() != rebuilt.len() {
        report.problems.push(format!(
            "games {first} to {last}: the columns have {} pages instead of {}",
            stored.len(),
            rebuilt.len()
        ));
    }
    let mut pairs = stored.iter().zip(&rebuilt);
    if let Some((page, _)) = pairs.find(|(stored, rebuilt)| stored != rebuilt) {
        report.problems.push(format!(
            "games {first} to {last}: the columns disagree with the games at page {:x}",
            page.first_key
        ));
    }
    Ok(())
}

/// The blocks of a segment as they are built again, compared with those that are stored.
#[derive(Default)]
struct BlockComparison {
    /// How many blocks each part has, and the key of the first that is not stored as it is.
    parts: Vec<(IndexPart, u64, Option<u64>)>,
}

impl BlockComparison {
    fn take(
        &mut self,
        store: &Store,
        segment: &SegmentRow,
        part: IndexPart,
        block: &Block,
    ) -> Result<(), StoreError> {
        let at = self.parts.iter().position(|(own, ..)| *own == part);
        let at = at.unwrap_or_else(|| {
            self.parts.push((part, 0, None));
            self.parts.len() - 1
        });
        let (_, blocks, wrong) = &mut self.parts[at];
        *blocks += 1;
        if wrong.is_none() {
            let is_stored = store.has_block(segment, part, block)?;
            *wrong = (!is_stored).then_some(block.first_key);
        }
        Ok(())
    }

    fn tell(&self, games: &str, part: IndexPart, stored: u64, report: &mut CheckReport) {
        let of_part = self.parts.iter().find(|(own, ..)| *own == part);
        let (blocks, wrong) = of_part.map_or((0, None), |(_, blocks, wrong)| (*blocks, *wrong));
        if blocks != stored {
            report.problems.push(format!(
                "{games}: the index of {part} has {stored} blocks instead of {blocks}"
            ));
        }
        if let Some(key) = wrong {
            report.problems.push(format!(
                "{games}: index of {part} disagrees with the games at key {key:x}"
            ));
        }
    }
}

/// Compares the signatures of the tail with its games: one that is another hides its game.
fn signatures_agree(
    store: &Store,
    tail: &SegmentRow,
    threads: usize,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let mut rebuilt = (tail.first_game..).zip(rebuilt_signatures(
        store,
        tail.first_game,
        tail.games,
        threads,
    )?);
    let mut wrong = None;
    store.each_signature(tail.first_game, |game, stored| {
        if wrong.is_none() && rebuilt.next() != Some((game, stored)) {
            wrong = Some(game);
        }
    })?;
    let missing = rebuilt.next().map(|(game, _)| game);
    if let Some(game) = wrong.or(missing) {
        report.problems.push(format!(
            "games of a broken-off import: their signatures disagree with them from game {game} on"
        ));
    }
    Ok(())
}

/// Compares the facts that filters use with the rows of the games.
fn facts_agree(
    store: &Store,
    segment: &SegmentRow,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let (first, last) = (segment.first_game, segment.first_game + segment.games - 1);
    let mut packed = store.facts();
    let mut lines = store.lines();
    // Those of another table of names are what that says.
    let mut openings = (store.has_own_openings()?).then(|| OpeningReader::new(store));
    let mut names = HashMap::new();
    if openings.is_some() {
        store.for_each_name(NameTable::Opening, |id, name| {
            names.insert(id, name.to_owned());
        })?;
    }
    let mut next = first;
    let mut result = Ok(());
    store.for_each_row(first, last, |game, row| {
        if result.is_err() {
            return;
        }
        // A damaged table gives its rows in any order.
        if game < next {
            report.problems.push(format!(
                "the row of game {game} stands in the place of game {next}"
            ));
            return;
        }
        if game > next {
            report
                .problems
                .push(format!("games {next} to {} are missing", game - 1));
        }
        next = game + 1;
        result = (|| {
            if packed.get(game)? != *row || lines.get(game)?.start != row.start {
                report
                    .problems
                    .push(format!("game {game}: its row and its packed facts differ"));
            } else if let Some(openings) = &mut openings {
                let played = openings.of(game)?.map(NamedOpening::text);
                let stored = names.get(&row.opening);
                if stored != played.as_ref() {
                    let told = |name: Option<&String>| name.map_or("none", |name| name).to_owned();
                    report.problems.push(format!(
                        "game {game}: its opening is {}, stored is {}",
                        told(played.as_ref()),
                        told(stored)
                    ));
                }
            }
            Ok(())
        })();
    })?;
    if next != last + 1 {
        report
            .problems
            .push(format!("games {next} to {last} are missing"));
    }
    result
}
