//! Another database is taken in: its games, the names of their sources, and what was found in
//! them.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{
    intake::{GameIntake, TakenGame},
    whole,
};
use crate::{
    base::{
        display_path,
        observe::{Event, Observer},
        range_map::RangeMap,
        record::GameId,
    },
    games::variant,
    import::{
        DuplicateAction, SIZABLE_SEGMENTS_MAX, build_segments, index_tail, limit_segments,
        merge_segments,
    },
    store::{ChangeKind, ChunkGames, DuplicateRun, SourceRow, Store, StoreError},
};

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MergeReport {
    /// Its change; none if there was nothing to take.
    pub change: Option<i64>,
    /// Sources of the other database.
    pub sources: u64,
    /// Games of the other database.
    pub seen: u64,
    /// Games that were stored.
    pub stored: u64,
    /// Games that were stored already.
    pub repeated: u64,
    /// Those of them that were deleted before, and stay so.
    pub deleted: u64,
    /// Stored games that have taken the place of poorer records.
    pub replaced: u64,
}

/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// Takes in the games of another database, all of it or nothing; games that are stored already
/// are treated as in an import.
///
/// # Errors
///
/// [`StoreError`] of either database; then nothing has changed.
pub fn merge(
    store: &Store,
    other: &Store,
    duplicates: DuplicateAction,
    observer: &dyn Observer,
) -> Result<MergeReport, StoreError> {
    let _alone = store.write_alone(observer)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    index_tail(store, threads, observer)?;
    let removed = other.removed()?;
    let last = other.last_game()?;
    let phase = Event::Phase {
        name: "taking games in",
        steps: Some(last),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let mut report = MergeReport::default();
    if last == removed.count() {
        return Ok(report);
    }
    whole::<StoreError>(store, || {
        let mut taking = MergeState::new(store, other, duplicates, &removed)?;
        let first = taking.intake.first;
        taking.all(last, observer)?;
        taking.intake.finish()?;
        let _ = observer.on(Event::Phase {
            name: "indexing",
            steps: None,
        });
        build_segments(store, first..taking.intake.next, threads)?;
        report = taking.finish()?;
        store.settle()
    })?;
    merge_segments(store, threads, observer)?;
    limit_segments(store, SIZABLE_SEGMENTS_MAX, threads, observer)?;
    Ok(report)
}

/// What is known while games are taken in.
struct MergeState<'s> {
    store: &'s Store,
    other: &'s Store,
    removed: &'s RangeMap,
    intake: GameIntake<'s>,
    /// Our numbers of the games of the other database, by theirs.
    ours: Vec<GameId>,
    import: i64,
    change: i64,
    /// Our rows of the sources of the other database.
    sources: HashMap<i64, i64>,
    /// Where parts of sources end whose texts are known: our source, the hash before, the bytes.
    known_ends: HashSet<(i64, u128, u64)>,
    report: MergeReport,
}

impl<'s> MergeState<'s> {
    fn new(
        store: &'s Store,
        other: &'s Store,
        duplicates: DuplicateAction,
        removed: &'s RangeMap,
    ) -> Result<Self, StoreError> {
        let names = variant::ALL.iter().map(|row| (row.id, row.name));
        store.insert_variants(names.chain([(0, "unknown")]))?;
        let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " merge");
        let import = store.insert_import(program)?;
        let what = display_path::path(other.path()).into_owned();
        Ok(Self {
            store,
            other,
            removed,
            intake: GameIntake::new((store, other), duplicates, &RangeMap::default(), false)?,
            ours: vec![0; usize::try_from(other.last_game()?).unwrap_or(0) + 1],
            import,
            change: store.insert_change(ChangeKind::Merge, &what, Some(import), None)?,
            sources: HashMap::new(),
            known_ends: HashSet::new(),
            report: MergeReport::default(),
        })
    }

    /// Takes in all games, part by part of their sources.
    fn all(&mut self, last: GameId, observer: &dyn Observer) -> Result<(), StoreError> {
        let mut parts = self.other.parts_by_game()?;
        parts.retain(|(_, row)| row.games > 0 || row.digest.bytes > 0);
        let undone = self.other.undone_imports()?;
        let mut source_before = None;
        let mut done = 0;
        for (source, part) in &parts {
            if source_before.replace(source.id) != Some(source.id) {
                self.intake.next_source();
            }
            let mut from = self.intake.next;
            let mut own = Vec::new();
            let end = (part.first_game + part.games).min(last + 1);
            for game in part.first_game..end {
                self.other.go_on()?;
                self.store.go_on()?;
                done += 1;
                if done % GAMES_A_STEP == 0 {
                    let steps = GAMES_A_STEP;
                    if observer.on(Event::Steps { steps }).is_break() {
                        return Err(self.store.interrupted());
                    }
                }
                if self.removed.contains(game) {
                    continue;
                }
                self.report.seen += 1;
                let next = self.intake.next;
                self.game(game)?;
                // It may also be a game that the same database has twice.
                if self.intake.next > next {
                    own.push(game);
                }
            }
            let row = self.source(source)?;
            self.file((source.id, row), part, &own, &mut from)?;
        }
        // What sources had again in the other database.
        let sources = self.other.source_rows()?;
        for (source, run) in self.other.repeats_by_source()? {
            let source = sources.iter().find(|row| row.id == source);
            let Some(source) = source.filter(|row| !undone.contains(&row.import)) else {
                continue;
            };
            let row = self.source(source)?;
            for nth in 0..run.games {
                let number = run.number + nth;
                self.note(row, number, run.game + nth)?;
            }
        }
        Ok(())
    }

    /// Files the games of a part of a source that were stored, and notes those that were already.
    fn file(
        &mut self,
        (theirs, row): (i64, i64),
        part: &ChunkGames,
        own: &[GameId],
        from: &mut GameId,
    ) -> Result<(), StoreError> {
        let numbers = self.other.numbers_in_part(theirs, part)?;
        let mut runs: Vec<DuplicateRun> = Vec::new();
        let mut stretches: Vec<(u64, GameId, u64)> = Vec::new();
        let first_game = *from;
        // Games of the part that are not stored with it.
        let mut again = Vec::new();
        for (game, &number) in (part.first_game..).zip(&numbers) {
            let ours = self.ours[game as usize];
            if own.binary_search(&game).is_ok() {
                match stretches.last_mut() {
                    Some((first, _, games)) if *first + *games == number => *games += 1,
                    _ => stretches.push((number, ours, 1)),
                }
                *from = ours + 1;
            } else if ours > 0 {
                again.push(number);
                DuplicateRun::push(&mut runs, number, ours);
            }
        }
        for run in runs {
            self.store.insert_repeated(row, run)?;
        }
        // Of a text that is known all games are known.
        let mut games = part.first_game..part.first_game + part.games;
        let text = &part.digest;
        let begun = (row, text.parent, text.split_bytes);
        if text.bytes > 0
            && (text.split_bytes == 0 || self.known_ends.contains(&begun))
            && games.all(|game| self.ours[game as usize] > 0)
            && self.has_all_again(theirs, part, &mut again)?
            && self.store.source_of_part(text.chain)?.is_none()
        {
            self.known_ends.insert((row, text.parent, text.bytes));
            let whole = ChunkGames {
                first_game: own.first().map_or(self.intake.next, |_| first_game),
                games: own.len() as u64,
                repeated: again.len() as u64,
                ..*part
            };
            return self.store.add_part(row, &whole, true);
        }
        for (first_number, first_game, games) in stretches {
            let stretch = ChunkGames {
                first_number,
                first_game,
                games,
                repeated: 0,
                ..*part
            };
            self.store.add_part(row, &stretch, false)?;
        }
        Ok(())
    }

    /// Whether all games that a part had again are taken in; adds their numbers.
    fn has_all_again(
        &self,
        theirs: i64,
        part: &ChunkGames,
        again: &mut Vec<u64>,
    ) -> Result<bool, StoreError> {
        let end = part.first_number + part.games + part.repeated;
        let runs = (self.other).repeats_between(theirs, part.first_number, Some(end))?;
        for run in runs {
            for nth in 0..run.games {
                if self.removed.contains(run.game + nth) {
                    return Ok(false);
                }
                again.push(run.number + nth);
            }
        }
        Ok(true)
    }

    fn note(&self, row: i64, number: u64, game: GameId) -> Result<(), StoreError> {
        let ours = self.ours.get(game as usize).copied().unwrap_or(0);
        if ours == 0 {
            return Ok(());
        }
        let run = DuplicateRun {
            number,
            games: 1,
            game: ours,
        };
        self.store.insert_repeated(row, run)
    }

    /// Our row of a source.
    fn source(&mut self, source: &SourceRow) -> Result<i64, StoreError> {
        if let Some(&row) = self.sources.get(&source.id) {
            return Ok(row);
        }
        self.report.sources += 1;
        let row = self.store.insert_source(self.import, &source.name)?;
        let evals = self.other.source_evals(source.id)?;
        self.store.put_source_evals(row, evals)?;
        self.sources.insert(source.id, row);
        Ok(row)
    }

    /// Takes in a game, or finds which stored one it is.
    fn game(&mut self, game: GameId) -> Result<(), StoreError> {
        let (salvaged, print) = self.intake.read(game)?;
        let taken = self.intake.take(salvaged, print, false)?;
        match taken {
            TakenGame::Stored(_) => self.report.stored += 1,
            TakenGame::Known(ours) => {
                self.report.repeated += 1;
                self.report.deleted += u64::from(self.intake.is_deleted(ours));
            }
        }
        self.ours[game as usize] = taken.number();
        Ok(())
    }

    /// Notes what was counted.
    fn finish(mut self) -> Result<MergeReport, StoreError> {
        let (store, report) = (self.store, &mut self.report);
        report.replaced = self.intake.replaced.len() as u64;
        for (game, by) in &self.intake.replaced {
            store.remove_for(self.change, *game, *by)?;
        }
        let mut rows: Vec<(i64, i64)> = self.sources.iter().map(|(a, b)| (*a, *b)).collect();
        rows.sort_unstable();
        for (theirs, row) in rows {
            for mut finding in self.other.finding_entries(theirs)? {
                if let Some(game) = finding.game {
                    let ours = self.ours.get(game as usize).copied().unwrap_or(0);
                    finding.game = Some(ours).filter(|&ours| ours > 0);
                    if finding.game.is_none() {
                        continue;
                    }
                }
                store.put_finding(row, &finding)?;
                store.count_diagnostics(self.import, &finding.code, 1)?;
            }
        }
        let counts = [report.seen, report.stored, report.repeated, 0];
        store.update_import(self.import, counts, true)?;
        report.change = Some(self.change);
        Ok(self.report)
    }
}
