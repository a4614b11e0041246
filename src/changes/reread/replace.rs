//! Stores what was read again, as a change of its own: what reads as before keeps its number, all
//! else is new, and stands for what it was before.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{EvalOverride, RereadDraft, evaluations};
use crate::{
    base::{
        observe::{Event, Observer},
        range_map::RangeMap,
        record::GameId,
    },
    blocks::fingerprint::Fingerprint,
    changes::intake::{GameIntake, TakenGame},
    games::variant,
    identity::{DuplicateFinder, DuplicateIndex, FingerprintIndex, NameMatcher},
    import::{DuplicateAction, build_segments},
    replay::salvage::Salvage,
    store::{ChangeKind, ChunkGames, DuplicateRun, FindingEntry, RemovedRange, Store, StoreError},
};

/// How what was read is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReplaceOptions<'a> {
    /// What becomes of games that are stored already.
    pub(super) duplicates: DuplicateAction,
    /// What was said of evaluations.
    pub(super) evals: EvalOverride,
    /// Threads that build the index.
    pub(super) threads: usize,
    /// As the change was requested.
    pub(super) what: &'a str,
}

/// Games between two looks at the observer.
const GAMES_A_STEP: u64 = 256;

/// The games of a draft that are stored games which read as before, by their numbers.
type UnchangedGames = HashMap<u64, GameId>;

/// Which games of a draft read as those which they replace.
fn unchanged(store: &Store, fresh: &RereadDraft) -> Result<UnchangedGames, StoreError> {
    let removed = store.removed()?;
    let mut before: HashMap<Fingerprint, VecDeque<(u64, GameId)>> = HashMap::new();
    let mut prints = store.sums();
    for &(number, game) in &fresh.text.games {
        if !removed.contains(game) {
            let own = before.entry(prints.get(game)?).or_default();
            own.push_back((number, game));
        }
    }
    let mut found = UnchangedGames::new();
    let mut prints = fresh.draft.sums();
    let games = fresh.text.in_draft(&fresh.draft)?;
    // Those with the same number first.
    for is_placed in [true, false] {
        for &(number, game) in &games {
            if found.contains_key(&number) {
                continue;
            }
            let Some(own) = before.get_mut(&prints.get(game)?) else {
                continue;
            };
            let at = if is_placed {
                own.iter().position(|(its, _)| *its == number)
            } else {
                (!own.is_empty()).then_some(0)
            };
            found.extend(
                at.and_then(|at| own.remove(at))
                    .map(|(_, game)| (number, game)),
            );
        }
    }
    Ok(found)
}

/// Puts what was read in the place of what was there, within a transaction; the change, or `None`
/// where the one game that was read is as it was.
///
/// # Errors
///
/// [`StoreError`]; the transaction is then to be given up.
pub(super) fn replace(
    store: &Store,
    fresh: &mut [RereadDraft],
    options: ReplaceOptions<'_>,
    observer: &dyn Observer,
) -> Result<Option<i64>, StoreError> {
    let mut games = 0;
    for RereadDraft { text, draft, .. } in &*fresh {
        games += text.in_draft(draft)?.len() as u64;
    }
    let phase = Event::Phase {
        name: "replacing games",
        steps: Some(games),
    };
    if observer.on(phase).is_break() {
        return Err(store.interrupted());
    }
    let same: Vec<UnchangedGames> = (fresh.iter())
        .map(|fresh| unchanged(store, fresh))
        .collect::<Result<_, _>>()?;
    for (fresh, same) in fresh.iter_mut().zip(&same) {
        fresh.report.unchanged = same.len() as u64;
    }
    if let ([one], [same]) = (&*fresh, &same[..])
        && one.text.only.is_some()
        && !same.is_empty()
    {
        return Ok(None);
    }
    let names = variant::ALL.iter().map(|row| (row.id, row.name));
    store.insert_variants(names.chain([(0, "unknown")]))?;
    let program = concat!("plydex ", env!("CARGO_PKG_VERSION"), " reread");
    let import = store.insert_import(program)?;
    let change = store.insert_change(ChangeKind::Reread, options.what, Some(import), None)?;
    let mut successors = Vec::new();
    for RereadDraft { text, .. } in &*fresh {
        let source = store.insert_source(import, &text.source.name)?;
        if text.only.is_none() {
            store.insert_reread(change, text.source.id, source)?;
        }
        successors.push(source);
    }
    store.set_replaced_texts_known(change, false)?;
    let stays: HashSet<GameId> = same
        .iter()
        .flat_map(|same| same.values().copied())
        .collect();
    let leaving = (fresh.iter()).flat_map(|fresh| fresh.text.games.iter().map(|(_, game)| *game));
    let mut leaving: Vec<GameId> = leaving.filter(|game| !stays.contains(game)).collect();
    leaving.sort_unstable();
    let leaving = RangeMap::of_numbers(leaving);
    let mut counts = [0; 4];
    let mut replaced = Vec::new();
    for ((fresh, same), source) in fresh.iter_mut().zip(&same).zip(successors) {
        let mut successor = Successor {
            store,
            fresh,
            same,
            source,
            import,
            taken: HashMap::new(),
            stored: Vec::new(),
            poorer: Vec::new(),
        };
        successor.take(&leaving, options, observer)?;
        successor.file()?;
        successor.note_findings()?;
        let given = successor.evals(options.evals);
        evaluations::keep(store, source, given)?;
        replaced.extend(successor.replaced());
        replaced.append(&mut successor.poorer);
        for (all, own) in counts.iter_mut().zip(successor.counts()) {
            *all += own;
        }
    }
    replaced.sort_unstable();
    replaced.dedup_by_key(|(game, _)| *game);
    let removed = store.removed()?;
    replaced.retain(|(game, _)| !removed.contains(*game));
    let replaced = replaced.into_iter().map(|(game, by)| (game, Some(by)));
    store.insert_removals(change, &RemovedRange::of(replaced))?;
    store.update_import(import, counts, true)?;
    store.settle()?;
    Ok(Some(change))
}

/// The source that has what was read again.
struct Successor<'a> {
    store: &'a Store,
    fresh: &'a mut RereadDraft,
    same: &'a UnchangedGames,
    /// Its row.
    source: i64,
    import: i64,
    /// What the games of the draft are here, by their numbers in the text.
    taken: HashMap<u64, TakenGame>,
    /// Those that were stored, by their numbers there, in order.
    stored: Vec<(u64, GameId)>,
    /// Poorer records of other sources, and those that stand for them.
    poorer: Vec<(GameId, GameId)>,
}

impl Successor<'_> {
    /// Stores the games that read otherwise than before.
    fn take(
        &mut self,
        leaving: &RangeMap,
        options: ReplaceOptions<'_>,
        observer: &dyn Observer,
    ) -> Result<(), StoreError> {
        let (store, text, draft) = (self.store, &self.fresh.text, &self.fresh.draft);
        let games = text.in_draft(draft)?;
        let rows = text.rows.iter();
        let before: u64 = rows.map(|row| row.games + row.repeated).sum();
        // Only where they are as many do their numbers say which of them is which.
        let are_as_many = text.only.is_some() || before == games.len() as u64;
        let mut known = HashSet::new();
        if are_as_many && text.only.is_none() {
            let runs = store.repeats_between(text.source.id, text.numbers_before + 1, None)?;
            let numbers = runs
                .iter()
                .flat_map(|run| run.number..run.number + run.games);
            known.extend(numbers.map(|number| number - text.numbers_before));
            for (number, _) in &text.games {
                known.remove(number);
            }
        }
        let duplicates = match text.only {
            // It stands where it stands.
            Some(_) => DuplicateAction::Keep,
            None => options.duplicates,
        };
        let kept = match duplicates {
            DuplicateAction::Keep => HashSet::new(),
            _ if are_as_many => stored_again(store, &text.games)?,
            _ => HashSet::new(),
        };
        let with_parts = !known.is_empty();
        let mut intake = GameIntake::new((store, draft), duplicates, leaving, with_parts)?;
        for (nth, &(number, game)) in games.iter().enumerate() {
            if (nth as u64 + 1).is_multiple_of(GAMES_A_STEP) {
                let steps = GAMES_A_STEP;
                if observer.on(Event::Steps { steps }).is_break() {
                    return Err(store.interrupted());
                }
            }
            if let Some(&same) = self.same.get(&number) {
                self.taken.insert(number, TakenGame::Known(same));
                continue;
            }
            let (game, print) = intake.read(game)?;
            let taken = if kept.contains(&number) {
                intake.store_game(game, print).map(TakenGame::Stored)?
            } else {
                intake.take(game, print, known.contains(&number))?
            };
            if let TakenGame::Stored(game) = taken {
                self.stored.push((number, game));
            }
            self.taken.insert(number, taken);
        }
        intake.finish()?;
        self.poorer = std::mem::take(&mut intake.replaced);
        let report = &mut self.fresh.report;
        if intake.next > intake.first {
            report.first_game = Some(intake.first);
            report.last_game = Some(intake.next - 1);
        }
        let (same, taken) = (self.same, &self.taken);
        let is_own = |number: &u64| {
            same.contains_key(number) || matches!(taken.get(number), Some(TakenGame::Stored(_)))
        };
        let own = games.iter().filter(|(number, _)| is_own(number));
        let own: Vec<GameId> = own.map(|&(_, game)| game).collect();
        report.repeated = (games.len() - own.len()) as u64;
        if report.repeated > 0 {
            report.describe(draft, &own, &observer.stop())?;
        }
        build_segments(store, intake.first..intake.next, options.threads)
    }

    /// Files its parts, and which of their games were stored already.
    fn file(&self) -> Result<(), StoreError> {
        let (store, text) = (self.store, &self.fresh.text);
        if text.only.is_some() {
            for &(number, first_game) in &self.stored {
                let part = ChunkGames {
                    first_number: number + text.numbers_before,
                    first_game,
                    games: 1,
                    repeated: 0,
                    ..text.rows[0]
                };
                store.add_part(self.source, &part, false)?;
            }
            return Ok(());
        }
        let mut parts = Vec::new();
        let mut next = self.fresh.report.first_game.unwrap_or(1);
        for row in self.fresh.draft.part_rows(1)? {
            let before = |end: u64| self.stored.partition_point(|&(number, _)| number < end);
            let own = before(row.first_number)..before(row.first_number + row.games);
            let own = &self.stored[own];
            let first_game = own.first().map_or(next, |&(_, game)| game);
            next = first_game + own.len() as u64;
            let is_shared = store.source_of_part(row.digest.chain)?.is_some();
            let (part, is_known) = text.in_stream(&row, is_shared);
            let part = ChunkGames {
                first_game,
                games: own.len() as u64,
                repeated: row.games - own.len() as u64,
                ..part
            };
            parts.push((part, is_known));
        }
        let before: Vec<ChunkGames> = text.rows_before(&parts).collect();
        for (part, is_known) in &parts {
            if *is_known {
                store.add_part(self.source, part, true)?;
                continue;
            }
            // Its games alone are remembered.
            let from = self
                .stored
                .partition_point(|&(_, game)| game < part.first_game);
            let own = &self.stored[from..from + part.games as usize];
            for stretch in own.chunk_by(|one, next| one.0 + 1 == next.0) {
                let stretch = ChunkGames {
                    first_number: stretch[0].0 + text.numbers_before,
                    first_game: stretch[0].1,
                    games: stretch.len() as u64,
                    ..*part
                };
                store.add_part(self.source, &stretch, false)?;
            }
        }
        for part in &before {
            store.add_part(self.source, part, true)?;
        }
        let mut again: Vec<(u64, GameId)> = (self.taken.iter())
            .filter_map(|(number, taken)| match taken {
                TakenGame::Stored(_) => None,
                TakenGame::Known(game) => Some((number + text.numbers_before, *game)),
            })
            .collect();
        again.sort_unstable();
        // Of the text before this one, which another source has.
        let mut runs = store.repeats_between(text.source.id, 1, Some(text.numbers_before + 1))?;
        for (number, game) in again {
            DuplicateRun::push(&mut runs, number, game);
        }
        runs.into_iter()
            .try_for_each(|run| store.insert_repeated(self.source, run))
    }

    /// Stores what was found in its games.
    fn note_findings(&self) -> Result<(), StoreError> {
        let RereadDraft {
            text,
            draft,
            summary,
            report,
            ..
        } = &*self.fresh;
        let numbers = text.in_draft(draft)?.into_iter();
        let numbers: HashMap<GameId, u64> = numbers.map(|(number, game)| (game, number)).collect();
        // Of games that are stored elsewhere nothing is said.
        let is_own = |number: &u64, taken: &TakenGame| {
            matches!(taken, TakenGame::Stored(_)) || self.same.contains_key(number)
        };
        for entry in draft.finding_entries(1)? {
            let game = entry.game.map(|game| {
                let number = numbers.get(&game)?;
                let taken = self.taken.get(number)?;
                is_own(number, taken).then_some(taken.number())
            });
            let game = match game {
                Some(None) => continue,
                None if text.only.is_some() => continue,
                None => None,
                Some(game) => game,
            };
            let own = FindingEntry {
                game,
                offset_bytes: match report.stored_text {
                    None => entry.offset_bytes + text.from,
                    // Where it stood in the source is not known.
                    Some(_) => text.from,
                },
                ..entry
            };
            self.store.put_finding(self.source, &own)?;
            if text.only.is_some() {
                self.store.count_diagnostics(self.import, &own.code, 1)?;
            }
        }
        let counted = summary.diagnostics.iter();
        for (code, count) in counted.filter(|_| text.only.is_none()) {
            self.store
                .count_diagnostics(self.import, code.as_str(), *count)?;
        }
        Ok(())
    }

    /// How its evaluations are read: as was said of the source before, and as its games show.
    fn evals(&self, given: EvalOverride) -> evaluations::GivenEvals<'_> {
        let text = &self.fresh.text;
        evaluations::GivenEvals {
            before: text.source.id,
            draft: text.only.is_none().then_some(&self.fresh.draft),
            given,
        }
    }

    /// The games that it replaces, with those that stand for them.
    fn replaced(&self) -> Vec<(GameId, GameId)> {
        let text = &self.fresh.text;
        let rows = text.rows.iter();
        let before: u64 = rows.map(|row| row.games + row.repeated).sum();
        if text.only.is_none() && before != self.taken.len() as u64 {
            return Vec::new();
        }
        let stays: HashSet<GameId> = self.same.values().copied().collect();
        let games = text.games.iter().filter(|(_, game)| !stays.contains(game));
        let by = |number: &u64| self.taken.get(number).map(|taken| taken.number());
        games
            .filter_map(|(number, game)| Some((*game, by(number)?)))
            .collect()
    }

    /// Games seen, stored, stored already, and records without a game.
    fn counts(&self) -> [u64; 4] {
        let rejected = match self.fresh.text.only {
            Some(_) => 0,
            None => self.fresh.summary.rejected,
        };
        let (all, stored) = (self.taken.len() as u64, self.stored.len() as u64);
        [all + rejected, stored, all - stored, rejected]
    }
}

/// The numbers of games of a source that were stored although they were stored already: the user
/// has asked for that.
fn stored_again(store: &Store, games: &[(u64, GameId)]) -> Result<HashSet<u64>, StoreError> {
    let Some(first) = games.iter().map(|&(_, game)| game).min() else {
        return Ok(HashSet::new());
    };
    let removed = store.removed()?;
    let mut own: Vec<GameId> = games.iter().map(|&(_, game)| game).collect();
    own.sort_unstable();
    let own = RangeMap::of_numbers(own);
    let known = FingerprintIndex::default().of_first(store, first - 1, &removed.and(&own))?;
    let same = DuplicateIndex::among(store, known, NameMatcher::of(store)?).as_they_came()?;
    // Of records that do not say who played, a source has as many as it lists.
    let mut finder = DuplicateFinder::among(store, same, first - 1);
    let (mut prints, mut salvage) = (store.sums(), Salvage::new(store));
    let mut in_order: Vec<(u64, GameId)> = games.to_vec();
    in_order.sort_unstable_by_key(|&(_, game)| game);
    let mut again = HashSet::new();
    for (number, game) in in_order {
        store.go_on()?;
        if removed.contains(game) {
            continue;
        }
        let print = prints.get(game)?;
        if !finder.has_none_like(print)
            && finder
                .find(&salvage.game(game)?, print, &|_| None)?
                .is_some()
        {
            again.insert(number);
        }
        finder.same.known.add(game, print);
    }
    Ok(again)
}
