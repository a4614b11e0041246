//! Counts long lists of games by the sums that are stored of them.

use super::{GamesByMove, LOOK_AFTER, MoveGames, PositionTrees, TreeGameVisitor};
use crate::{
    base::record::GameId,
    blocks::facts::PackedFacts,
    index::{
        popular::Tally,
        top_games::{MoveTopGames, TopGames},
    },
    search::locate::{self, LongList},
    store::{FactReader, SegmentRow, StoreError},
};

/// How many games of a move are looked at for one of a year.
const YEARS_LOOKED_AT: usize = 4096;

/// A game that a list has and that does not count: its number in the segment, the code of the ply
/// with which it goes on, and its facts.
type ExcludedGame = (u32, u16, PackedFacts);

/// A list whose sums describe its games, and what is known of them.
pub(super) struct PrecomputedList {
    list: LongList,
    /// The games of it that do not count, in order.
    out: Vec<ExcludedGame>,
    top_games: Option<TopGames>,
}

impl PrecomputedList {
    /// What its top games say of the move with an index.
    fn top_games_of(&self, at: usize) -> Option<&MoveTopGames> {
        self.top_games.as_ref()?.moves.get(at)
    }
}

impl PositionTrees<'_> {
    /// A list whose sums are added, without games that are counted elsewhere or left out.
    pub(super) fn precomputed(
        &self,
        segment: &SegmentRow,
        list: LongList,
        left_out: &[GameId],
        facts: &mut FactReader<'_>,
    ) -> Result<PrecomputedList, StoreError> {
        let mut games = list.counted_elsewhere.clone();
        let left_out = list.among(self.store, segment, left_out)?;
        games.extend(left_out.iter().map(|found| (found.game, found.next)));
        games.sort_unstable();
        games.dedup();
        let mut out = Vec::new();
        for (game, next) in games {
            out.push((game, next, facts.get(segment.first_game + u64::from(game))?));
        }
        let top_games = locate::top_games(self.store, segment, &list)?;
        Ok(PrecomputedList {
            list,
            out,
            top_games,
        })
    }

    /// The sums of the moves of a list; `None` if they do not show all that is wanted of its games.
    pub(super) fn sums(
        &self,
        segment: &SegmentRow,
        summed: &PrecomputedList,
        shared: &[Vec<u16>; 2],
        facts: &mut FactReader<'_>,
    ) -> Result<Option<Vec<Tally>>, StoreError> {
        let (list, out) = (&summed.list, &summed.out);
        let LongList { state, turn, .. } = list;
        let is_shared = |code| shared[turn & 1].contains(code);
        if self.viewed.is_some()
            || self.counting.side.is_some_and(|side| side != *turn)
            || state.moves.iter().any(is_shared)
        {
            return Ok(None);
        }
        let led = |at| summed.top_games_of(at);
        let counts = |facts: &PackedFacts| !self.counting.only_decided || facts.outcome != 0;
        let (mut all, mut games) = (Vec::new(), None);
        let sums = state.moves.iter().zip(state.sums.iter().flatten());
        for (at, (&code, sum)) in sums.enumerate() {
            let mut tally = if self.counting.only_decided && sum.outcomes[0] > 0 {
                led(at).and_then(|led| led.decided)
            } else {
                Some(*sum)
            };
            let own = out.iter().filter(|(_, played, _)| *played == code);
            let mut years = Vec::new();
            for (.., facts) in own.filter(|(.., facts)| counts(facts)) {
                tally = tally.and_then(|tally| tally.without(facts, *turn));
                years.extend(facts.year().map(u64::from));
            }
            let Some(tally) = tally else {
                return Ok(None);
            };
            all.push(tally);
            let ends = [tally.first_year, tally.last_year];
            let unsure = ends.into_iter().filter(|end| years.contains(end));
            if self.counting.no_years || tally.games == 0 {
                continue;
            }
            for year in unsure {
                if games.is_none() {
                    games = Some(list.read(self.store, segment, u64::MAX)?);
                }
                let own = games.iter().flat_map(|list| &list.games);
                let own = own.filter(|(game, next)| usize::from(*next) == at && !has(out, *game));
                let own = own.map(|(game, _)| segment.first_game + u64::from(*game));
                // In many databases games follow each other by date.
                let ends = own.clone().take(YEARS_LOOKED_AT);
                let mut ends = ends.chain(own.rev().take(YEARS_LOOKED_AT));
                let is_of_year = |game| {
                    let facts = facts.get(game)?;
                    Ok(counts(&facts) && facts.year().map(u64::from) == Some(year))
                };
                if !any_of(&mut ends, is_of_year)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(all))
    }

    /// Shows the games of a list that was counted by its sums.
    pub(super) fn show(
        &self,
        segment: &SegmentRow,
        PrecomputedList {
            list,
            out,
            top_games,
        }: &PrecomputedList,
        shown: &mut TreeGameVisitor<'_>,
    ) -> Result<(), StoreError> {
        let is_enough =
            |top_games: &TopGames, most| top_games.are_enough(most, |game| has(out, game));
        let mut facts = self.store.facts_in(&self.reads);
        let each = match (shown, top_games) {
            (TreeGameVisitor::None, _) => return Ok(()),
            (TreeGameVisitor::Greatest(most, each), Some(top_games))
                if is_enough(top_games, *most) =>
            {
                for &(game, next) in &top_games.games {
                    if let Some(&code) = list.state.moves.get(usize::from(next))
                        && !has(out, game)
                    {
                        let game = segment.first_game + u64::from(game);
                        each(game, &facts.get(game)?, (list.turn, code, 0));
                    }
                }
                return Ok(());
            }
            (TreeGameVisitor::Greatest(_, each) | TreeGameVisitor::All(each), _) => each,
        };
        let state = list.read(self.store, segment, u64::MAX)?;
        for (seen, found) in locate::listed(&state, list.turn, 0).enumerate() {
            if seen % LOOK_AFTER == 0 {
                self.store.go_on()?;
            }
            if !has(out, found.game) {
                let game = segment.first_game + u64::from(found.game);
                each(game, &facts.get(game)?, (list.turn, found.next, 0));
            }
        }
        Ok(())
    }

    /// Finds the games of moves that only one game played, where sums covered it.
    pub(super) fn find_single_games(
        &self,
        summed: &[(&SegmentRow, PrecomputedList)],
        played: &mut GamesByMove,
    ) -> Result<(), StoreError> {
        let mut facts = self.store.facts_in(&self.reads);
        for (segment, PrecomputedList { list, out, .. }) in summed {
            let is_single = |games: &MoveGames| games.tally.games == 1 && games.last.is_none();
            if !played.values().any(is_single) {
                break;
            }
            let turn = list.turn;
            let codes: Vec<u16> = (list.state.moves.iter().copied())
                .filter(|&code| played.get(&(turn, code, 0)).is_some_and(is_single))
                .collect();
            if codes.is_empty() {
                continue;
            }
            let state = list.read(self.store, segment, u64::MAX)?;
            for found in locate::listed(&state, turn, 0) {
                if !codes.contains(&found.next) || has(out, found.game) {
                    continue;
                }
                let game = segment.first_game + u64::from(found.game);
                let counts = !self.counting.only_decided || facts.get(game)?.outcome != 0;
                if let Some(games) = played.get_mut(&(turn, found.next, 0)).filter(|_| counts) {
                    games.last = Some(game);
                }
            }
        }
        Ok(())
    }
}

/// Adds the sums of the moves of a list.
pub(super) fn add_sums(
    segment: &SegmentRow,
    summed: &PrecomputedList,
    sums: Vec<Tally>,
    played: &mut GamesByMove,
) {
    let list = &summed.list;
    for (at, (&code, tally)) in list.state.moves.iter().zip(sums).enumerate() {
        if tally.games == 0 {
            continue;
        }
        let games = played.entry((list.turn, code, 0)).or_default();
        games.tally.merge(&tally);
        if tally.games == 1
            && let Some(game) = summed.top_games_of(at).and_then(|of| of.single)
            && !has(&summed.out, game)
        {
            games.last = Some(segment.first_game + u64::from(game));
        }
    }
}

/// Whether one of some games passes a test that may fail.
fn any_of(
    games: &mut impl Iterator<Item = GameId>,
    mut passes: impl FnMut(GameId) -> Result<bool, StoreError>,
) -> Result<bool, StoreError> {
    for game in games {
        if passes(game)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a game of a segment is among those that do not count, which are in order.
fn has(out: &[ExcludedGame], game: u32) -> bool {
    out.binary_search_by_key(&game, |(own, ..)| *own).is_ok()
}
