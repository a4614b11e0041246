//! Which games of a stretch may pass a filter, by what costs the least to look up.

use super::CompiledFilter;
use crate::{
    base::{range_map::RangeMap, record::GameId},
    blocks::fact_predicate::BlockGames,
    index::columns::set::GameSet,
    store::{FactBlocks, Store, StoreError},
};

/// Finds out which games may pass a filter by their numbers, their names and their facts, one stretch
/// after the other in their order.
pub(in crate::modules::search) struct GameSieve<'a> {
    filter: &'a CompiledFilter,
    blocks: FactBlocks<'a>,
    /// The block of facts that was reached, and which of its games pass, once that is known.
    block: Option<SieveBlock>,
}

/// A block of facts.
struct SieveBlock {
    first: GameId,
    end: GameId,
    passing: Option<BlockGames>,
}

impl CompiledFilter {
    /// A sieve for the games of a database.
    pub(in crate::modules::search) fn sieve<'a>(&'a self, store: &'a Store) -> GameSieve<'a> {
        GameSieve {
            filter: self,
            blocks: store.fact_blocks(1),
            block: None,
        }
    }

    /// Whether games are ruled out by their numbers alone.
    fn limits_numbers(&self) -> bool {
        !self.known.is_empty() || !self.listed.is_empty() || !self.numbered.is_empty()
    }
}

impl GameSieve<'_> {
    /// Which of the games from one on may pass, numbered from 0; `None` if nothing rules any out.
    pub(in crate::modules::search) fn leave(
        &mut self,
        first: GameId,
        games: usize,
    ) -> Result<Option<GameSet>, StoreError> {
        let filter = self.filter;
        if filter.takes_none {
            return Ok(Some(GameSet::none(games)));
        }
        if !filter.limits_numbers() && filter.conditions.is_empty() {
            return Ok(None);
        }
        let mut left = GameSet::all(games);
        let known = filter.known.iter().map(|known| &*known.games);
        for numbers in filter.numbered.iter().chain(known) {
            left.keep(&among(numbers, first, games));
        }
        for listed in &filter.listed {
            left.retain(0..games, |game| listed.contains_game(first + game as u64));
        }
        if !filter.conditions.is_empty() {
            self.sift(first, &mut left)?;
        }
        Ok(Some(left))
    }

    /// Leaves those of the games from one on whose facts pass.
    fn sift(&mut self, first: GameId, left: &mut GameSet) -> Result<(), StoreError> {
        let end = first + left.games() as u64;
        loop {
            if self.block.as_ref().is_none_or(|block| block.end <= first) {
                let Some(begin) = self.blocks.advance()? else {
                    return Ok(());
                };
                self.block = Some(SieveBlock {
                    first: begin,
                    end: begin + self.blocks.columns().len() as u64,
                    passing: None,
                });
            }
            let Some(block) = &mut self.block else {
                return Ok(());
            };
            if block.first >= end {
                return Ok(());
            }
            let (from, to) = (block.first.max(first), block.end.min(end));
            let (begin, places) = (block.first, (from - first) as usize..(to - first) as usize);
            if block.passing.is_none() && left.has_any(places.clone()) {
                block.passing = Some(self.filter.leave(begin, &mut self.blocks)?);
            }
            if let Some(passing) = &block.passing {
                left.retain(places, |game| {
                    passing.contains((first + game as u64 - begin) as usize)
                });
            }
            if block.end >= end {
                return Ok(());
            }
            self.block = None;
        }
    }
}

/// Those of some games from one on, numbered from 0, that are among others.
fn among(numbers: &RangeMap, first: GameId, games: usize) -> GameSet {
    let mut set = GameSet::none(games);
    for range in numbers.ranges_between(first, first + games as u64) {
        for game in range {
            set.insert((game - first) as usize);
        }
    }
    set
}
