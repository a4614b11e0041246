//! Checks what games have in addition to their main lines: the blocks, the trees and their texts.

use std::collections::{BTreeSet, HashMap, hash_map::Entry};

use super::CheckReport;
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    games::{AnyPosition, variation_tree},
    problems::StoredProblem,
    replay,
    store::{LineReader, ProblemText, RecordKind, RecordReader, Store, StoreError, StoreErrorKind},
};

/// Goes through all blocks of records; what is wrong with a game is said once.
pub(super) fn check(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let last = store.last_game()?;
    let steps = Some(2 * last);
    let name = "checking comments and variations";
    if observer.on(Event::Phase { name, steps }).is_break() {
        report.interrupted = true;
        return Ok(());
    }
    let mut trees = TreeComparison {
        store,
        lines: store.lines(),
        starts: HashMap::new(),
        texts: store.records(RecordKind::Texts),
    };
    each_record(
        store,
        RecordKind::Tree,
        observer,
        report,
        |game, tree| match trees.fault(game, tree)? {
            Some(fault) => Ok(Some(format!("game {game}: {fault}"))),
            None => Ok(None),
        },
    )?;
    let mut trees = store.records(RecordKind::Tree);
    each_record(store, RecordKind::Texts, observer, report, |game, _| {
        let has_tree = known(trees.get(game).map(|tree| tree.is_some()))?;
        let fault = format!("game {game}: its comments and words have no places");
        Ok((has_tree == Some(false)).then_some(fault))
    })?;
    problems(store, observer, report)
}

/// Compares the records of problems with their rows.
fn problems(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let mut rows = BTreeSet::new();
    store.for_each_problem(ProblemText::Stipulation, |game, _| {
        rows.insert(game);
    })?;
    each_record(
        store,
        RecordKind::Problem,
        observer,
        report,
        |game, record| {
            rows.remove(&game);
            let Some(filed) = StoredProblem::read(record) else {
                return Ok(Some(format!("game {game}: its problem cannot be read")));
            };
            let agrees = known(store.problem_agrees(game, &filed))?;
            let fault = format!("game {game}: its problem and the row of that differ");
            Ok((agrees == Some(false)).then_some(fault))
        },
    )?;
    let missing = rows
        .iter()
        .map(|game| format!("game {game}: its problem is missing"));
    report.problems.extend(missing.take(PROBLEMS_MAX));
    Ok(())
}

/// At most this many of what is missing are named.
const PROBLEMS_MAX: usize = 20;

/// Damage has been reported, or will be, where the block is gone through.
fn known<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Err(error) if matches!(error.kind, StoreErrorKind::Damaged { .. }) => Ok(None),
        read => read.map(Some),
    }
}

/// Goes through the records of a kind, whose games must be in order; `fault` says what is
/// wrong with one.
fn each_record(
    store: &Store,
    kind: RecordKind,
    observer: &dyn Observer,
    report: &mut CheckReport,
    mut fault: impl FnMut(GameId, &[u8]) -> Result<Option<String>, StoreError>,
) -> Result<(), StoreError> {
    let what = kind.what();
    let last = store.last_game()?;
    let (mut row, mut next) = (0, 1);
    while let Some((first, block)) = store.records_from(kind, row)? {
        store.go_on()?;
        row = first + 1;
        let Some((block, (from, to))) = block.and_then(|block| {
            let games = block.games()?;
            Some((block, games))
        }) else {
            let damage = kind.damage(first);
            // The comparison of the index may have met it.
            if !report.problems.contains(&damage) {
                report.problems.push(damage);
            }
            continue;
        };
        if from < next {
            report
                .problems
                .push(format!("{what} of game {from} are in two blocks"));
        }
        if to > last {
            let problem = format!("{what} of game {to}, but the last game is {last}");
            report.problems.push(problem);
            continue;
        }
        for (game, record) in block.records() {
            report.problems.extend(fault(game, record)?);
        }
        let steps = (to + 1).saturating_sub(next);
        next = next.max(to + 1);
        if observer.on(Event::Steps { steps }).is_break() {
            return Err(store.interrupted());
        }
    }
    Ok(())
}

/// What trees are compared with.
struct TreeComparison<'s> {
    store: &'s Store,
    lines: LineReader<'s>,
    starts: HashMap<u32, Option<AnyPosition>>,
    texts: RecordReader<'s>,
}

impl TreeComparison<'_> {
    /// What is wrong with the tree of a game.
    fn fault(&mut self, game: GameId, tree: &[u8]) -> Result<Option<String>, StoreError> {
        let Some(line) = known(self.lines.get(game))? else {
            return Ok(None);
        };
        let nowhere = AnyPosition::initial();
        let start = match self.starts.entry(line.start) {
            Entry::Occupied(start) => start.into_mut(),
            Entry::Vacant(new) => {
                let start = known(replay::start_position(self.store, line.start))?;
                new.insert(start.flatten())
            }
        };
        let (start, plies) = start
            .as_ref()
            .map_or((&nowhere, &[][..]), |at| (at, line.plies));
        let Some(texts) = known(self.texts.get(game))? else {
            return Ok(None);
        };
        Ok(variation_tree::audit(start, plies, tree, texts.unwrap_or_default()).err())
    }
}
