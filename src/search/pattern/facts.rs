//! The facts that a query needs of games.

use super::super::{
    filter::{CompiledFilter, FilterReader},
    plan::{AccessPlan, PatternQuery},
    select::{self, ResultPage, SelectedGame},
};
use crate::{
    base::{id_set::IdSet, record::GameId},
    blocks::facts::PackedFacts,
    query::{
        PositionQuery,
        pattern::facts::{self, FactRef},
    },
    store::{Store, StoreError},
};

/// A fact made ready for tests on games.
pub(in crate::modules::search) enum CompiledFact {
    Game(Box<CompiledFilter>),
    /// Of single plies: never tested on the game.
    Move,
}

impl CompiledFact {
    pub(super) fn all(store: &Store, asked: &PatternQuery) -> Result<Vec<Self>, StoreError> {
        let ready = facts::facts(&asked.expr)
            .into_iter()
            .map(|fact| match fact {
                FactRef::Game(condition, _) => {
                    let filter = CompiledFilter::of(store, [condition], &asked.names)?;
                    Ok(Self::Game(Box::new(filter)))
                }
                FactRef::Ply(_) => Ok(Self::Move),
            });
        ready.collect()
    }
}

/// Games that reach a position.
#[derive(Default)]
pub(in crate::modules::search) struct ReachingGames {
    /// All of them.
    pub(in crate::modules::search) games: IdSet,
    /// Those that reach it in variations alone.
    pub(in crate::modules::search) in_variation: IdSet,
}

/// The games that reach a position, or begin in one of some diagrams.
pub(in crate::modules::search) fn reaching(
    store: &Store,
    position: Option<&PositionQuery>,
    diagrams: &[String],
) -> Result<ReachingGames, StoreError> {
    let mut reaching = ReachingGames::default();
    if position.is_none() && diagrams.is_empty() {
        return Ok(reaching);
    }
    let plan = AccessPlan {
        position: position.cloned(),
        diagrams: diagrams.to_vec(),
        ..AccessPlan::default()
    };
    let mut take = |found: SelectedGame| {
        let game = u32::try_from(found.game).unwrap_or(u32::MAX);
        reaching.games.insert(game);
        if found.in_variation {
            reaching.in_variation.insert(game);
        }
        Ok(())
    };
    select::each(store, &plan, ResultPage::of(store, &plan, &mut take))?.whole(store)?;
    Ok(reaching)
}

/// Tests facts of games.
pub(super) enum FactEvaluator<'a> {
    Game(Box<FilterReader<'a>>),
    Move,
}

impl<'a> FactEvaluator<'a> {
    pub(super) fn all(store: &'a Store, ready: &'a [CompiledFact]) -> Vec<Self> {
        let asked = ready.iter().map(|fact| match fact {
            CompiledFact::Game(filter) => Self::Game(Box::new(filter.reader(store))),
            CompiledFact::Move => Self::Move,
        });
        asked.collect()
    }

    fn holds(&mut self, game: GameId, facts: &PackedFacts) -> Result<bool, StoreError> {
        match self {
            Self::Game(filter) => filter.passes_with(game, facts),
            Self::Move => Ok(false),
        }
    }
}

/// The facts of a game, each tested once and only when it matters.
pub(super) struct GameFacts<'f, 'a> {
    asked: &'f mut [FactEvaluator<'a>],
    game: GameId,
    facts: &'f PackedFacts,
    /// What is known, and what it is, as bits.
    known: (u64, u64),
    pub(super) failed: Option<StoreError>,
}

impl<'f, 'a> GameFacts<'f, 'a> {
    pub(super) fn new(
        asked: &'f mut [FactEvaluator<'a>],
        game: GameId,
        facts: &'f PackedFacts,
    ) -> Self {
        Self {
            asked,
            game,
            facts,
            known: (0, 0),
            failed: None,
        }
    }

    pub(super) fn get(&mut self, at: usize) -> bool {
        let bit = 1 << at;
        if self.known.0 & bit == 0 {
            let holds = match self.asked.get_mut(at) {
                Some(fact) => fact.holds(self.game, self.facts),
                None => Ok(false),
            };
            let holds = holds.unwrap_or_else(|error| {
                self.failed = Some(error);
                false
            });
            self.known.0 |= bit;
            self.known.1 |= u64::from(holds) << at;
        }
        self.known.1 & bit != 0
    }

    /// All of them as bits.
    pub(super) fn bits(mut self) -> Result<u64, StoreError> {
        for at in 0..self.asked.len() {
            self.get(at);
        }
        self.failed.map_or(Ok(self.known.1), Err)
    }
}

/// The facts of a query, as far as hits need them: where each is necessary, it is true of all.
pub(in crate::modules::search) fn facts_of_hits(
    store: &Store,
    asked: &PatternQuery,
) -> Result<Vec<CompiledFact>, StoreError> {
    if asked
        .boards
        .iter()
        .any(|(_, pattern)| pattern.has_choices())
    {
        CompiledFact::all(store, asked)
    } else {
        Ok(Vec::new())
    }
}
