//! Which games are not there, as the log of changes and the sources show.
//!
//! Four facts determine whether a game is there: no change that stands has removed it; a source
//! that an import which stands has read has it, the one that brought it, or one that had it again,
//! and no reread that stands has replaced that source; and it is no poorer record that an import
//! which was undone has replaced by one that is there all the same, for another source has that,
//! too. `game_row.removed` is what they come to.

use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::params;

use super::{ChangeKind, Store, StoreError, changes::marked, statements as sql};
use crate::base::{
    range_map::{RangeEntry, RangeMap},
    record::GameId,
    work,
};

/// Games that were removed, and the game that stands for the first of them, and so on.
type GameReplacement = (RangeEntry, Option<GameId>);

/// What is known of where games come from, as runs of games: the marks are changes.
#[derive(Debug, Default)]
struct GameOrigins {
    /// Games of imports that were undone, with the changes that did it.
    orphaned: Vec<RangeEntry>,
    /// Games that sources have which stand.
    held: Vec<RangeEntry>,
}

impl Store {
    /// The games that were deleted, with the changes that did it: they are not stored again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn deleted(&self) -> Result<RangeMap, StoreError> {
        let changes = self.changes()?.into_iter();
        let deletions = changes.filter(|change| change.kind == ChangeKind::Delete);
        let deletions: HashSet<i64> = deletions.map(|change| change.id).collect();
        if deletions.is_empty() {
            return Ok(RangeMap::default());
        }
        // An earlier change may also have taken them away; then they have its mark.
        let standing = self.all(sql::REMOVALS_DONE, [], replaced)?;
        let standing = standing.into_iter().map(|(run, _)| run);
        let removed = self.removed()?;
        let deleted = standing.chain(removed.iter().copied());
        Ok(RangeMap::of(
            deleted.filter(|run| deletions.contains(&run.mark)),
        ))
    }

    /// Which games are not to be there, with the changes that have removed them, as the log and
    /// the sources say.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn removed_by_log(&self) -> Result<RangeMap, StoreError> {
        let removed = self.all(sql::REMOVALS_DONE, [], replaced)?;
        let mut origins = GameOrigins {
            orphaned: self.all(sql::ORPHANED_GAMES, [], marked)?,
            held: Vec::new(),
        };
        let successors = self.replaced_sources()?;
        if !successors.is_empty() {
            let reread = self.all(sql::ORPHANED_BY_REREAD, [], marked)?;
            origins.orphaned.extend(reread);
        }
        if !origins.orphaned.is_empty() {
            origins.held = self.all(sql::REPEATS_HELD, [], marked)?;
            origins
                .held
                .retain(|run| !successors.contains_key(&run.mark));
        }
        let standing = removed.iter().filter_map(|&(run, kept)| Some((run, kept?)));
        let standing: Vec<(RangeEntry, GameId)> = standing.collect();
        let orphans = origins.without_sources(&standing);
        // What has removed a game counts for more than having no source: one may have it again.
        let removed = RangeMap::of(removed.into_iter().map(|(run, _)| run));
        let gone = removed.and(&orphans);
        let undone = self.all(sql::REPLACED_BY_UNDONE, [], replaced)?;
        let undone: Vec<(RangeEntry, GameId)> = (undone.into_iter())
            .filter_map(|(run, kept)| Some((run, kept?)))
            .collect();
        if undone.is_empty() {
            return Ok(gone);
        }
        let successors = GameReplacements::of(self, &gone, standing, &undone)?;
        let (mut poorer, mut known) = (Vec::new(), HashMap::new());
        for (run, kept) in undone {
            for (game, kept) in (run.first..run.end).zip(kept..) {
                let mark = match successors.fate(kept, game, &mut known) {
                    GameState::There => run.mark,
                    GameState::Deleted(change) => change,
                    GameState::Gone => continue,
                };
                poorer.push(RangeEntry {
                    first: game,
                    end: game + 1,
                    mark,
                });
            }
        }
        Ok(removed.and(&RangeMap::of(poorer)).and(&orphans))
    }

    /// The removed games that are stored again when they come: neither were they deleted, nor does
    /// another one [stand](Self::stand_ins) for them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forgotten(
        &self,
        deleted: &RangeMap,
        stand_ins: &[(GameId, GameId)],
    ) -> Result<RangeMap, StoreError> {
        let replaced = stand_ins.iter().map(|&(game, _)| RangeEntry {
            first: game,
            end: game + 1,
            mark: 0,
        });
        let removed = self.removed()?.without(deleted);
        Ok(removed.without(&RangeMap::of(replaced)))
    }

    /// Removed games for which another one stands that is there, or was deleted, and that one, in
    /// order: a source that has such a record has the other one. What a game read as before a reread
    /// is another game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn stand_ins(&self) -> Result<Vec<(GameId, GameId)>, StoreError> {
        let mut next: Vec<(GameId, GameId)> = Vec::new();
        for (run, kept) in self.all(sql::STAND_INS, [], replaced)? {
            let kept = kept.into_iter().flat_map(|kept| kept..);
            next.extend((run.first..run.end).zip(kept));
        }
        next.sort_unstable();
        next.dedup_by_key(|(game, _)| *game);
        let (removed, deleted) = (self.removed()?, self.deleted()?);
        let last = last_of_each(&next);
        let all = next.iter().map(|&(game, _)| game).zip(last);
        let is_known = |game: GameId| !removed.contains(game) || deleted.contains(game);
        let all = all.filter(|&(game, last)| removed.contains(game) && is_known(last));
        Ok(all.collect())
    }

    /// Makes the rows of games agree with the log: takes games away, and brings them back.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn settle(&self) -> Result<(), StoreError> {
        let (now, wanted) = (self.removed()?, self.removed_by_log()?);
        for (first, end, change) in now.changes_to(&wanted) {
            self.go_on()?;
            self.run(sql::SET_REMOVED, params![first as i64, end as i64, change])?;
        }
        Ok(())
    }
}

/// Of games, in order, for which others stand: the last that stands for each, one after the other.
fn last_of_each(next: &[(GameId, GameId)]) -> Vec<GameId> {
    let mut last: Vec<Option<GameId>> = vec![None; next.len()];
    let place_of = |game: GameId| next.binary_search_by_key(&game, |(game, _)| *game).ok();
    for at in 0..next.len() {
        let (mut way, mut here) = (Vec::new(), Some(at));
        let end = loop {
            work::done(1);
            match here {
                Some(at) => {
                    if let Some(end) = last[at] {
                        break end;
                    }
                    way.push(at);
                    // Until the way is known, a circle ends where it begins.
                    last[at] = Some(next[at].0);
                    here = place_of(next[at].1);
                }
                None => break way.last().map_or(next[at].0, |&at| next[at].1),
            }
        };
        for at in way {
            last[at] = Some(end);
        }
    }
    last.into_iter()
        .zip(next)
        .map(|(last, (game, _))| last.unwrap_or(*game))
        .collect()
}

/// Removed games from a row: the first, how many, the change, and the game that stands for it.
fn replaced(row: &rusqlite::Row<'_>) -> rusqlite::Result<GameReplacement> {
    let kept: Option<i64> = row.get(3)?;
    Ok((marked(row)?, kept.map(i64::unsigned_abs)))
}

/// What has become of a game; of several the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GameState {
    /// It is there, or one that stands for it.
    There,
    /// That change has deleted it, or one that stands for it.
    Deleted(i64),
    /// Neither.
    Gone,
}

/// Which games stand for others, in the end.
struct GameReplacements<'a> {
    /// Games that are not there.
    gone: &'a RangeMap,
    /// Those that were deleted.
    deleted: RangeMap,
    /// Games that were replaced, by changes that stand or by imports that were undone, in order;
    /// and how many the longest run has of them.
    replaced: Vec<(RangeEntry, GameId)>,
    longest: u64,
}

impl<'a> GameReplacements<'a> {
    fn of(
        store: &Store,
        gone: &'a RangeMap,
        mut replaced: Vec<(RangeEntry, GameId)>,
        undone: &[(RangeEntry, GameId)],
    ) -> Result<Self, StoreError> {
        let deleted = store.all(sql::DELETIONS_DONE, [ChangeKind::Delete.word()], marked)?;
        replaced.extend_from_slice(undone);
        replaced.sort_unstable_by_key(|(run, kept)| (run.first, run.end, *kept, run.mark));
        let lengths = replaced.iter().map(|(run, _)| run.end - run.first);
        Ok(Self {
            gone,
            deleted: RangeMap::of(deleted),
            longest: lengths.max().unwrap_or(0),
            replaced,
        })
    }

    /// The games that stand for a game.
    fn of_game(&self, game: GameId) -> Vec<GameId> {
        let from = game.saturating_sub(self.longest);
        let at = (self.replaced).partition_point(|(run, _)| run.first <= from);
        let near = self.replaced[at..].iter();
        let near = near.take_while(|(run, _)| run.first <= game);
        let reaching = near.filter(|(run, _)| game < run.end);
        reaching
            .map(|(run, kept)| kept + (game - run.first))
            .collect()
    }

    /// What has become of a game, and of those that stand for it; not of `but`, for which it stands
    /// itself. What becomes of each is `known` from then on: games may stand for each other one
    /// after the other, very many of them.
    fn fate(&self, game: GameId, but: GameId, known: &mut HashMap<GameId, GameState>) -> GameState {
        let mut seen: HashMap<GameId, Option<GameState>> = HashMap::from([(but, None)]);
        let mut is_circle = false;
        let mut way = vec![(game, self.of_game(game), GameState::Gone)];
        seen.insert(game, None);
        loop {
            work::done(1);
            let Some((game, next, fate)) = way.last_mut() else {
                return GameState::Gone;
            };
            if let Some(next) = next.pop() {
                match (known.get(&next), seen.get(&next)) {
                    (Some(&its), _) | (None, Some(&Some(its))) => *fate = its.min(*fate),
                    (None, Some(None)) => is_circle = true,
                    (None, None) => {
                        seen.insert(next, None);
                        way.push((next, self.of_game(next), GameState::Gone));
                    }
                }
                continue;
            }
            let fate = match (*fate, self.deleted.mark_of(*game)) {
                (GameState::Gone, Some(change)) => GameState::Deleted(change),
                (GameState::Gone, None) if !self.gone.contains(*game) => GameState::There,
                (fate, _) => fate,
            };
            seen.insert(*game, Some(fate));
            way.pop();
            if let Some((.., others)) = way.last_mut() {
                *others = fate.min(*others);
                continue;
            }
            // In a circle it depends on where it was entered.
            if !is_circle {
                let settled = seen.into_iter();
                known.extend(settled.filter_map(|(game, fate)| Some((game, fate?))));
            }
            return fate;
        }
    }
}

impl GameOrigins {
    /// The games that no source has which stands. A game that stands for others is had by the
    /// sources of these, too.
    fn without_sources(self, standing: &[(RangeEntry, GameId)]) -> RangeMap {
        if self.orphaned.is_empty() {
            return RangeMap::default();
        }
        let orphaned = RangeMap::of(self.orphaned);
        let left = orphaned.without(&RangeMap::of(self.held));
        // Each that comes back may bring back the one that stands for it.
        let pairs = standing.iter();
        let pairs = pairs.flat_map(|&(run, kept)| (run.first..run.end).zip(kept..));
        let mut pairs: Vec<(GameId, GameId)> =
            pairs.filter(|&(_, kept)| left.contains(kept)).collect();
        pairs.sort_unstable();
        let mut back = BTreeSet::new();
        let held = pairs.iter().filter(|&&(game, _)| !left.contains(game));
        let mut waiting: Vec<GameId> = held.map(|&(_, kept)| kept).collect();
        while let Some(game) = waiting.pop() {
            work::done(1);
            if back.insert(game) {
                let from = pairs.partition_point(|&(its, _)| its < game);
                let own = pairs[from..].iter().take_while(|&&(its, _)| its == game);
                waiting.extend(own.map(|&(_, kept)| kept));
            }
        }
        left.without(&RangeMap::of_numbers(back))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The last game on the way from one; none if it leads into a circle.
    fn last_of(next: &[(GameId, GameId)], game: GameId) -> Option<GameId> {
        let next_of = |game: &GameId| {
            let pair = next.iter().find(|(its, _)| its == game);
            pair.map(|&(_, kept)| kept)
        };
        let mut way = std::iter::successors(Some(game), next_of).take(next.len() + 2);
        (way.clone().count() < next.len() + 2)
            .then(|| way.by_ref().last())
            .flatten()
    }

    proptest! {
        #[test]
        fn the_last_of_each_is_where_its_way_ends(pairs in proptest::collection::btree_map(0..30_u64, 0..30_u64, 0..30)) {
            let next: Vec<(GameId, GameId)> = pairs.into_iter().collect();
            let last = last_of_each(&next);
            prop_assert_eq!(last.len(), next.len());
            for (&(game, _), last) in next.iter().zip(last) {
                match last_of(&next, game) {
                    Some(end) => prop_assert_eq!(last, end),
                    // It stays within the circle.
                    None => prop_assert!(next.iter().any(|&(its, _)| its == last)),
                }
            }
        }

        #[test]
        fn fates_do_not_depend_on_what_is_known(
            pairs in proptest::collection::vec((0..20_u64, 1..10_u64), 0..30),
            gone in proptest::collection::btree_set(0..30_u64, 0..30),
            deleted in proptest::collection::btree_set(0..30_u64, 0..10),
        ) {
            // Those that stand for others have greater numbers.
            let replaced = pairs.into_iter().map(|(game, more)| {
                (RangeEntry { first: game, end: game + 1, mark: 1 }, game + more)
            });
            let mut replaced: Vec<(RangeEntry, GameId)> = replaced.collect();
            replaced.sort_unstable_by_key(|(run, kept)| (run.first, *kept));
            let gone = RangeMap::of_numbers(gone);
            let deleted = RangeMap::of_numbers(deleted);
            let successors = GameReplacements { gone: &gone, deleted, replaced, longest: 1 };
            let mut known = HashMap::new();
            for game in 0..30 {
                let alone = successors.fate(game, 99, &mut HashMap::new());
                prop_assert_eq!(successors.fate(game, 99, &mut known), alone);
                let next = successors.of_game(game).into_iter();
                let fates = next.map(|next| successors.fate(next, game, &mut HashMap::new()));
                let own = match (fates.min().unwrap_or(GameState::Gone), successors.deleted.mark_of(game)) {
                    (GameState::Gone, Some(change)) => GameState::Deleted(change),
                    (GameState::Gone, None) if !gone.contains(game) => GameState::There,
                    (fate, _) => fate,
                };
                prop_assert_eq!(own, alone);
            }
        }

        #[test]
        fn what_a_source_has_brings_back_what_stands_for_it(
            orphaned in proptest::collection::btree_set(0..20_u64, 0..20),
            held in proptest::collection::btree_set(0..20_u64, 0..20),
            pairs in proptest::collection::vec((0..20_u64, 0..20_u64), 0..30),
        ) {
            let runs = |games: &BTreeSet<u64>| -> Vec<RangeEntry> {
                RangeMap::of_numbers(games.iter().copied()).iter().copied().collect()
            };
            let standing: Vec<(RangeEntry, GameId)> = (pairs.iter())
                .map(|&(game, kept)| (RangeEntry { first: game, end: game + 1, mark: 0 }, kept))
                .collect();
            let origins = GameOrigins { orphaned: runs(&orphaned), held: runs(&held) };
            let left = origins.without_sources(&standing);
            let mut wanted: BTreeSet<u64> = orphaned.difference(&held).copied().collect();
            while let Some(back) = pairs.iter().find(|(game, kept)| !wanted.contains(game) && wanted.contains(kept)) {
                wanted.remove(&back.1);
            }
            let left: BTreeSet<u64> = left.iter().flat_map(|run| run.first..run.end).collect();
            prop_assert_eq!(left, wanted);
        }
    }
}
