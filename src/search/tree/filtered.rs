//! Counts those games of long lists that pass a filter, a block of facts at a time.

use std::mem;

use super::{GamesByMove, MoveGames, PositionTrees, TreeGameVisitor};
use crate::{
    base::record::GameId,
    blocks::{
        fact_predicate::BlockGames,
        facts::{GAMES_PER_BLOCK, PackedFacts},
    },
    search::{filter::FilterReader, locate::LongList},
    store::{FactBlocks, FactReader, SegmentRow, StoreError},
};

/// From how many games of a block on its facts are tested column by column …
const BLOCK_GAMES_MIN: usize = 12;
/// … and where facts are in memory, so that single games cost less.
const BLOCK_GAMES_MIN_IN_MEMORY: usize = 400;

/// The long lists of a segment, to which a filter applies.
pub(super) struct FilteredLists<'t, 'a> {
    trees: &'t PositionTrees<'a>,
    segment: &'t SegmentRow,
    reader: FilterReader<'t>,
    facts: FactReader<'t>,
    blocks: FactBlocks<'t>,
    block_games_min: usize,
}

/// Games of a list that are next to each other, ascending, each with the index of its move.
#[derive(Default)]
struct ListStretch {
    end: GameId,
    games: Vec<(GameId, u16)>,
}

/// What the games of a list that pass have played.
struct ListCount<'l, 'v, 'e> {
    list: &'l LongList,
    moves: Vec<MoveGames>,
    shown: &'v mut TreeGameVisitor<'e>,
}

impl<'t, 'a> FilteredLists<'t, 'a> {
    pub(super) fn new(trees: &'t PositionTrees<'a>, segment: &'t SegmentRow) -> Self {
        let store = trees.store;
        let facts = store.facts_in(&trees.reads);
        Self {
            trees,
            segment,
            reader: trees.filter.reader(store),
            block_games_min: if facts.is_in_memory() {
                BLOCK_GAMES_MIN_IN_MEMORY
            } else {
                BLOCK_GAMES_MIN
            },
            facts,
            blocks: store.fact_blocks(segment.first_game),
        }
    }

    /// Counts the games of a list whose moves are all told apart by their codes, and shows them.
    pub(super) fn count(
        &mut self,
        list: &LongList,
        played: &mut GamesByMove,
        shown: &mut TreeGameVisitor<'_>,
    ) -> Result<(), StoreError> {
        let (store, segment) = (self.trees.store, self.segment);
        // Each list begins with the first games again.
        self.blocks = store.fact_blocks(segment.first_game);
        let mut count = ListCount {
            list,
            moves: vec![MoveGames::default(); list.state.moves.len()],
            shown,
        };
        let mut stretch = ListStretch::default();
        let mut failed = None;
        list.each(store, segment, |game, at| {
            let game = segment.first_game + u64::from(game);
            if game >= stretch.end && failed.is_none() {
                failed = self.add(&mut stretch, &mut count).err();
                stretch.end = game + GAMES_PER_BLOCK as u64;
            }
            stretch.games.push((game, at));
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        self.add(&mut stretch, &mut count)?;
        for (&code, games) in list.state.moves.iter().zip(count.moves) {
            if games.tally.games > 0 {
                let all = played.entry((list.turn, code, 0)).or_default();
                all.tally.merge(&games.tally);
                all.last = games.last.or(all.last);
            }
        }
        Ok(())
    }

    /// Adds the games of a stretch that pass.
    fn add(
        &mut self,
        stretch: &mut ListStretch,
        count: &mut ListCount<'_, '_, '_>,
    ) -> Result<(), StoreError> {
        let trees = self.trees;
        trees.store.go_on()?;
        let games = mem::take(&mut stretch.games);
        if games.len() < self.block_games_min {
            for &(game, at) in &games {
                let facts = self.facts.get(game)?;
                if self.reader.passes_with(game, &facts)? {
                    count.add(trees, (game, at), &facts);
                }
            }
        } else {
            let mut rest = &games[..];
            while let Some(&(game, _)) = rest.first() {
                let Some(first) = self.blocks.advance_to(game)? else {
                    return Err(trees.store.damaged(format!("facts of game {game}")));
                };
                rest = self.add_of_block(first, rest, count)?;
            }
        }
        stretch.games = games;
        stretch.games.clear();
        Ok(())
    }

    /// Adds those games that pass of the block that was reached, which begins with a game; the games
    /// behind it.
    fn add_of_block<'g>(
        &mut self,
        first: GameId,
        games: &'g [(GameId, u16)],
        count: &mut ListCount<'_, '_, '_>,
    ) -> Result<&'g [(GameId, u16)], StoreError> {
        let (trees, blocks) = (self.trees, &mut self.blocks);
        let end = first + blocks.columns().len() as u64;
        let (own, behind) = games.split_at(games.partition_point(|(game, _)| *game < end));
        let mut left = BlockGames::default();
        for (game, _) in own {
            left.insert((game - first) as usize);
        }
        left.keep(&trees.filter.leave(first, blocks)?);
        self.reader.leave(first, blocks, &mut left)?;
        if !left.is_empty() {
            blocks.read(&trees.reads)?;
            let asks_annotations = trees.filter.asks_annotations();
            for &(game, at) in own {
                let place = (game - first) as usize;
                if left.contains(place)
                    && (!asks_annotations || self.reader.passes_annotations(game)?)
                {
                    count.add(trees, (game, at), &blocks.columns().row(place));
                }
            }
        }
        Ok(behind)
    }
}

impl ListCount<'_, '_, '_> {
    /// Adds a game that passes.
    #[inline]
    fn add(&mut self, trees: &PositionTrees<'_>, (game, at): (GameId, u16), facts: &PackedFacts) {
        let counting = trees.counting;
        if counting.only_decided && facts.outcome == 0 {
            return;
        }
        let seen = trees.viewed.map(|viewed| viewed.seen(facts));
        let facts = seen.as_ref().unwrap_or(facts);
        let turn = self.list.turn;
        let (at, code) = (usize::from(at), self.list.state.moves[usize::from(at)]);
        self.moves[at]
            .tally
            .add(facts, counting.side.unwrap_or(turn));
        self.moves[at].last = Some(game);
        if let TreeGameVisitor::Greatest(_, each) | TreeGameVisitor::All(each) = &mut *self.shown {
            each(game, facts, (turn, code, 0));
        }
    }
}
