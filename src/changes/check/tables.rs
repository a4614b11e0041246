//! Checks the pages, the tables one with the other, and each game with its checksum.

use super::CheckReport;
use crate::{
    base::{
        observe::{Event, Observer},
        record::GameId,
    },
    games::AnyCursor,
    people,
    replay::{self, FullGameReader},
    store::{Store, StoreError, StoreErrorKind},
};

/// Pages between two looks at the observer: some megabytes.
const PAGES_A_STEP: u32 = 1024;
/// Pages that are named.
const PAGES_NAMED: usize = 100;
/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// Compares every page with its checksum, free pages among them.
pub(super) fn pages(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    // Others may keep the log from being folded. All pages that are in use are read later on
    // all the same.
    if !store.has_folded_log()? {
        return Ok(());
    }
    let mut bad = Vec::new();
    let mut next = 1;
    loop {
        let (found, has_more) = store.bad_pages(next, PAGES_A_STEP);
        bad.extend(found);
        if !has_more {
            break;
        }
        store.go_on()?;
        if observer.stop().is_cancelled() {
            return Err(store.interrupted());
        }
        next += PAGES_A_STEP;
    }
    for page in bad.iter().take(PAGES_NAMED) {
        report.note(format!("page {page} is not as plydex wrote it"));
    }
    if let Some(more @ 1..) = bad.len().checked_sub(PAGES_NAMED) {
        report.note(format!("{more} more pages are not as plydex wrote them"));
    }
    Ok(())
}

/// Compares rows with those that they must agree with.
pub(super) fn tables(store: &Store, report: &mut CheckReport) -> Result<(), StoreError> {
    report.take(store.odd_schema())?;
    report.take(store.odd_values())?;
    report.take(store.odd_rows())?;
    report.take(store.odd_removals())?;
    report.take(people::odd_filed_names(store))?;
    report.take(people::odd_fide_ids(store))?;
    report.take(
        store
            .last_game()
            .and_then(|last| store.corrupt_blocks(last)),
    )?;
    report.take(odd_starts(store))
}

/// Start positions whose keys are not those of their boards.
fn odd_starts(store: &Store) -> Result<Vec<String>, StoreError> {
    // Keys of other versions are reported as such, and are never looked up.
    if store.index().is_err() {
        return Ok(Vec::new());
    }
    let mut starts = Vec::new();
    store.for_each_start_key(|id, key, state| starts.push((id, key, state)))?;
    let mut problems = Vec::new();
    for (id, key, state) in starts {
        let at = replay::start_position(store, id)?;
        let at = at.as_ref().map(AnyCursor::new);
        if (key, state) != at.map(|at| (at.board_key(), at.state_bits())).unzip() {
            problems.push(format!(
                "table start_position: row {id} has not the key of its board"
            ));
        }
    }
    Ok(problems)
}

/// Neighbours with the same fault are reported at once.
struct ErrorRun {
    first: GameId,
    last: GameId,
    what: String,
}

impl ErrorRun {
    fn tell(self, report: &mut CheckReport) {
        let Self { first, last, what } = self;
        // What is wrong with a game is said once.
        let its_own = format!("game {first}: ");
        if first == last
            && report
                .problems
                .iter()
                .any(|told| told.starts_with(&its_own))
        {
            return;
        }
        report.note(if first == last {
            format!("game {first}: {what}")
        } else {
            format!("games {first} to {last}: {what}")
        });
    }
}

/// Reads every complete game and compares it with its checksum.
pub(super) fn games(
    store: &Store,
    observer: &dyn Observer,
    report: &mut CheckReport,
) -> Result<(), StoreError> {
    let last = store.last_game()?;
    let phase = Event::Phase {
        name: "comparing games with their checksums",
        steps: Some(last),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let mut games = FullGameReader::new(store);
    let mut run: Option<ErrorRun> = None;
    for game in 1..=last {
        let what = match games.compared(game) {
            Ok((_, false)) => "not as it was stored".to_owned(),
            Ok(_) => String::new(),
            Err(StoreError {
                kind: StoreErrorKind::Damaged { what },
                ..
            }) => what,
            Err(error) => return Err(error),
        };
        match &mut run {
            Some(run) if run.what == what => run.last = game,
            _ => {
                if let Some(run) = run.take() {
                    run.tell(report);
                }
                run = (!what.is_empty()).then_some(ErrorRun {
                    first: game,
                    last: game,
                    what,
                });
            }
        }
        if game.is_multiple_of(GAMES_A_STEP) {
            store.go_on()?;
            let steps = GAMES_A_STEP;
            if observer.on(Event::Steps { steps }).is_break() {
                return Err(store.interrupted());
            }
        }
    }
    if let Some(run) = run {
        run.tell(report);
    }
    Ok(())
}
