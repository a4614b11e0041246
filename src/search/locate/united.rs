//! Long lists of games of one target in a segment, united without reading more of them than is needed:
//! of the states and sides to move of a popular position, and of games that are filed elsewhere.
//!
//! Nearly always one list has nearly all games. A game that is in several lists, or in a list and
//! among the candidates, shows by replay where it reaches the target first. It counts there alone.

use std::slice;

use super::{
    ReachingGame, Replays, SearchTarget,
    index_lookup::{TargetPostings, gathered, listed, lone, matches, matches_among},
};
use crate::{
    base::record::GameId,
    index::{
        SUMMED_GAMES_MIN,
        columns::set::GameSet,
        popular::PopularState,
        top_games::{TOP_GAMES_MIN, TopGames},
    },
    store::{SegmentRow, Store, StoreError},
};

/// To replay a game costs as much as to go through so many of a list.
const REPLAY_COST: u64 = 1024;

/// A list of which only a part was read.
pub(in crate::modules::search) struct LongList {
    /// The list.
    pub(in crate::modules::search) state: PopularState,
    /// The side to move.
    pub(in crate::modules::search) turn: usize,
    /// Games that reach the target in another way before, in order, each with the move that it has in
    /// the list.
    pub(in crate::modules::search) counted_elsewhere: Vec<(u32, u16)>,
    /// What is in this list.
    target: SearchTarget,
}

impl LongList {
    fn new(target: &SearchTarget, state: PopularState, turn: usize) -> Self {
        let boards = target.boards.iter().filter(|(_, own)| *own == turn);
        let target = SearchTarget {
            boards: boards.copied().collect(),
            state_mask: u32::MAX,
            state: state.state,
            ..target.clone()
        };
        Self {
            state,
            turn,
            counted_elsewhere: Vec::new(),
            target,
        }
    }

    /// Its board key.
    pub(in crate::modules::search) fn key(&self) -> u64 {
        self.target.boards[0].0
    }

    /// Whether a game of it reaches the target in another way before.
    fn is_counted_elsewhere(&self, game: u32) -> bool {
        let games = &self.counted_elsewhere;
        games.binary_search_by_key(&game, |(own, _)| *own).is_ok()
    }

    const fn is_read(&self) -> bool {
        self.state.games.len() as u64 == self.state.count
    }

    /// The same list with at most `games_max` games.
    pub(in crate::modules::search) fn read(
        &self,
        store: &Store,
        segment: &SegmentRow,
        games_max: u64,
    ) -> Result<PopularState, StoreError> {
        let states = store.popular(segment, self.key(), games_max)?;
        let own = states
            .into_iter()
            .find(|state| state.state == self.state.state);
        // It was there when its head was read.
        Ok(own.unwrap_or_else(|| self.state.clone()))
    }

    /// Calls `each` with all games of the list that are counted here, in order, and the index of their
    /// move.
    pub(in crate::modules::search) fn each(
        &self,
        store: &Store,
        segment: &SegmentRow,
        mut each: impl FnMut(u32, u16),
    ) -> Result<(), StoreError> {
        store.each_popular_game(segment, self.key(), |state, game, at| {
            if state == self.state.state && !self.is_counted_elsewhere(game) {
                each(game, at);
            }
        })
    }

    /// Those of some games of a segment, in order, that are in the list.
    pub(in crate::modules::search) fn among(
        &self,
        store: &Store,
        segment: &SegmentRow,
        games: &[GameId],
    ) -> Result<Vec<ReachingGame>, StoreError> {
        matches_among(store, segment, slice::from_ref(&self.target), games)
    }
}

/// The games of a segment that reach a target.
pub(in crate::modules::search) struct UnitedLists {
    /// Lists of which only a part was read, and the one list if there is nothing else.
    pub(in crate::modules::search) lists: Vec<LongList>,
    /// All other games, in order.
    pub(in crate::modules::search) games: Vec<ReachingGame>,
}

impl UnitedLists {
    /// Of what is filed of a target, with at most `games_max` games of each list; all that is filed,
    /// if that is all its games.
    fn of(
        store: &Store,
        segment: &SegmentRow,
        target: &SearchTarget,
        filed: TargetPostings,
        games_max: u64,
    ) -> Result<Result<Self, TargetPostings>, StoreError> {
        let is_alone = filed.lists.len() == 1 && filed.candidates.is_empty();
        let is_read = |state: &PopularState| state.games.len() as u64 == state.count;
        if !is_alone && filed.lists.iter().all(|(state, _)| is_read(state)) {
            return Ok(Err(filed));
        }
        let (mut lists, mut games) = (Vec::new(), Vec::new());
        for (state, turn) in filed.lists {
            if is_alone || !is_read(&state) {
                lists.push(LongList::new(target, state, turn));
            } else {
                games.extend(listed(&state, turn, 0));
            }
        }
        let mut united = Self { lists, games };
        if !is_alone {
            united.separate(store, segment, target, filed.candidates)?;
            for list in &mut united.lists {
                // As many games are left as were asked for.
                let elsewhere = list.counted_elsewhere.len() as u64;
                if elsewhere > 0 {
                    list.state = list.read(store, segment, games_max.saturating_add(elsewhere))?;
                }
            }
        }
        Ok(Ok(united))
    }

    /// Leaves each game where it reaches the target first, and adds the candidates that reach it.
    fn separate(
        &mut self,
        store: &Store,
        segment: &SegmentRow,
        target: &SearchTarget,
        candidates: Vec<u32>,
    ) -> Result<(), StoreError> {
        let mut unsure = candidates;
        let longest = self.lists.iter().map(|list| list.state.count).max();
        let few = longest.unwrap_or(0) / REPLAY_COST;
        if self.lists.len() == 1 && (self.games.len() + unsure.len()) as u64 <= few {
            unsure.extend(self.games.iter().map(|found| found.game));
        } else {
            let mut seen = GameSet::none(segment.games as usize);
            for key in target.keys() {
                store.each_popular_game(segment, key, |state, game, _| {
                    if !target.fits_state(state) {
                    } else if seen.contains(game as usize) {
                        unsure.push(game);
                    } else if u64::from(game) < segment.games {
                        seen.insert(game as usize);
                    }
                })?;
            }
        }
        unsure.sort_unstable();
        unsure.dedup();
        let is_sure = |found: &ReachingGame| unsure.binary_search(&found.game).is_err();
        self.games.retain(is_sure);
        let mut replays = Replays::new(store);
        for game in unsure {
            let id = segment.first_game + u64::from(game);
            let Some((first, _)) = replays.visit(id, false, slice::from_ref(target))? else {
                continue;
            };
            let mut is_listed = false;
            for list in &mut self.lists {
                if list.target.is_at(&first.at) {
                    is_listed = true;
                    continue;
                }
                let own = slice::from_ref(&list.target);
                let in_list = replays.find(segment, game, false, own)?;
                let in_list = in_list.map(|found| (found.game, found.next));
                list.counted_elsewhere.extend(in_list);
            }
            if !is_listed {
                self.games.push(ReachingGame::of(game, &first));
            }
        }
        self.games.sort_by_key(|found| found.game);
        Ok(())
    }

    /// Whether sums describe all of its lists.
    fn has_sums(&self) -> bool {
        self.lists.iter().all(|list| list.state.sums.is_some())
    }

    /// Whether all games of its lists were read.
    fn is_read(&self) -> bool {
        self.lists.iter().all(LongList::is_read)
    }

    /// How many games they are.
    pub(in crate::modules::search) fn count(&self) -> u64 {
        let of_list = |list: &LongList| {
            list.state
                .count
                .saturating_sub(list.counted_elsewhere.len() as u64)
        };
        self.lists.iter().map(of_list).sum::<u64>() + self.games.len() as u64
    }

    /// The games in order, as far as all lists were read.
    pub(in crate::modules::search) fn in_order(&self) -> Vec<ReachingGame> {
        let unread = self.lists.iter().filter(|list| !list.is_read());
        let ends = unread.map(|list| list.state.games.last().map_or(0, |(game, _)| game + 1));
        let end = ends.min().unwrap_or(u32::MAX);
        let mut found: Vec<ReachingGame> = (self.games.iter().copied())
            .filter(|found| found.game < end)
            .collect();
        for list in &self.lists {
            let own = listed(&list.state, list.turn, 0);
            found.extend(own.filter(|own| own.game < end && !list.is_counted_elsewhere(own.game)));
        }
        found.sort_by_key(|found| found.game);
        found
    }
}

/// The games of a segment that reach a target which is searched for alone, with at most `games_max`
/// games of each list, or as many as have no sums; `None` if that is all of several lists.
pub(in crate::modules::search) fn united(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
    games_max: u64,
) -> Result<Option<UnitedLists>, StoreError> {
    let Some(target) = lone(targets, segment) else {
        return Ok(None);
    };
    let games_max = games_max.max(SUMMED_GAMES_MIN as u64);
    let filed = TargetPostings::of(store, segment, target, games_max)?;
    Ok(UnitedLists::of(store, segment, target, filed, games_max)?.ok())
}

/// How the games of a segment that reach a target are given.
pub(in crate::modules::search) enum TargetGames {
    /// Lists whose sums describe their games, and games that are in none. Not all games of the lists
    /// are read.
    Summed(UnitedLists),
    /// Game by game, in order.
    Games(Vec<ReachingGame>),
}

/// The games of a segment that reach one of the targets, by sums if there are some.
pub(in crate::modules::search) fn reaching(
    store: &Store,
    segment: &SegmentRow,
    targets: &[SearchTarget],
) -> Result<TargetGames, StoreError> {
    let Some(target) = lone(targets, segment) else {
        return matches(store, segment, targets).map(TargetGames::Games);
    };
    // Lists without sums are not longer.
    let games_max = SUMMED_GAMES_MIN as u64;
    let filed = TargetPostings::of(store, segment, target, games_max)?;
    Ok(
        match UnitedLists::of(store, segment, target, filed, games_max)? {
            Ok(united) if united.has_sums() => TargetGames::Summed(united),
            Ok(united) if united.is_read() => TargetGames::Games(united.in_order()),
            Ok(_) => TargetGames::Games(matches(store, segment, targets)?),
            Err(filed) => TargetGames::Games(gathered(store, segment, targets, vec![filed])?),
        },
    )
}

/// What is kept of a long list of a segment: its top games.
pub(in crate::modules::search) fn top_games(
    store: &Store,
    segment: &SegmentRow,
    list: &LongList,
) -> Result<Option<TopGames>, StoreError> {
    if list.state.count < TOP_GAMES_MIN as u64 {
        return Ok(None);
    }
    let top_games = store.top_games(segment, list.key(), list.state.state)?;
    Ok(top_games.filter(|top_games| top_games.moves.len() == list.state.moves.len()))
}
