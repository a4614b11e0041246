//! Games of sources that were deleted before: counted by the deletions, and brought back if that is
//! wanted.

use std::collections::{BTreeMap, HashMap};

use super::Writer;
use crate::{
    base::{
        range_map::{RangeEntry, RangeMap},
        record::GameId,
    },
    import::ReimportedDeletion,
    import::restore::restore,
    store::{ChunkGames, Store, StoreError},
};

/// The deleted games of a database, and those of them that come again.
pub(super) struct DeletedGames {
    /// With the changes that have deleted them.
    all: RangeMap,
    /// Removed games for which a deleted one stands, in order, and that one.
    stand_ins: Vec<(GameId, GameId)>,
    /// Those that came again, some of them twice.
    met: Vec<RangeEntry>,
    /// Parts of sources that were requested, by their chains.
    parts: HashMap<u128, (i64, ChunkGames)>,
}

impl DeletedGames {
    /// Those of a database, with the games that stand for removed ones.
    pub(super) fn of(all: RangeMap, stand_ins: &[(GameId, GameId)]) -> Self {
        let stand_ins = stand_ins.iter().copied();
        let stand_ins = stand_ins.filter(|&(_, by)| all.contains(by)).collect();
        Self {
            all,
            stand_ins,
            met: Vec::new(),
            parts: HashMap::new(),
        }
    }

    /// The change that has deleted a stored game.
    pub(super) fn deleted_by(&self, game: GameId) -> Option<i64> {
        self.all.mark_of(game)
    }

    /// Notes that these games come again, from one up to another.
    pub(super) fn meet(&mut self, first: GameId, end: GameId) {
        for games in self.all.ranges_between(first, end) {
            let mark = self.all.mark_of(games.start).unwrap_or_default();
            note(&mut self.met, games.start, games.end, mark);
        }
        let from = self.stand_ins.partition_point(|&(game, _)| game < first);
        let within = self.stand_ins[from..].iter();
        for &(game, by) in within.take_while(|&&(game, _)| game < end) {
            if !self.all.contains(game)
                && let Some(mark) = self.all.mark_of(by)
            {
                note(&mut self.met, by, by + 1, mark);
            }
        }
    }

    /// Notes the games of a part of a source that was read before.
    fn meet_part(&mut self, store: &Store, chain: u128) -> Result<(), StoreError> {
        if !self.parts.contains_key(&chain)
            && let Some(source) = store.source_of_part(chain)?
        {
            let rows = store.part_rows(source.id)?.into_iter();
            (self.parts).extend(rows.map(|row| (row.digest.chain, (source.id, row))));
        }
        let Some(&(source, row)) = self.parts.get(&chain) else {
            return Ok(());
        };
        self.meet(row.first_game, row.first_game + row.games);
        let end = row.first_number + row.games + row.repeated;
        for run in store.repeats_between(source, row.first_number, Some(end))? {
            self.meet(run.game, run.game + run.games);
        }
        Ok(())
    }

    /// How many came again of each deletion.
    fn met_by_change(&self) -> BTreeMap<i64, u64> {
        let mut met = BTreeMap::new();
        for run in &self.met {
            *met.entry(run.mark).or_default() += run.end - run.first;
        }
        met
    }
}

/// Adds games after others.
fn note(runs: &mut Vec<RangeEntry>, first: GameId, end: GameId, mark: i64) {
    match runs.last_mut() {
        Some(last) if last.end == first && last.mark == mark => last.end = end,
        _ => runs.push(RangeEntry { first, end, mark }),
    }
}

impl Writer<'_> {
    /// Notes the deleted games of a chunk that was read before.
    pub(super) fn meet_known(&mut self, chain: u128) -> Result<(), StoreError> {
        if self.repeats.deleted.all.is_empty() {
            return Ok(());
        }
        let mut parts: Vec<u128> = self.repeats.parts_up_to(&[chain]).into_iter().collect();
        parts.sort_unstable();
        let store = self.store;
        parts
            .into_iter()
            .try_for_each(|part| self.repeats.deleted.meet_part(store, part))
    }

    /// Sums up the deleted games that came again, and brings them back if that is wanted.
    pub(super) fn sum_up_deleted(&mut self) -> Result<(), StoreError> {
        let deleted = &self.repeats.deleted;
        let met = deleted.met_by_change();
        if met.is_empty() {
            return Ok(());
        }
        self.summary.deleted = met.values().sum();
        if self.restores {
            let games = RangeMap::of(deleted.met.iter().copied());
            let restored = restore(self.store, &games)?;
            self.summary.restored = restored.returned;
            self.summary.restored_by = restored.changes;
        }
        let rows = self.store.changes()?;
        let deletions = met.into_iter().map(|(change, games)| {
            let row = rows.iter().find(|row| row.id == change);
            ReimportedDeletion {
                change,
                games,
                can_be_undone: row.is_some_and(|row| row.is_done && !row.is_final),
            }
        });
        self.summary.deletions = deletions.collect();
        Ok(())
    }
}
