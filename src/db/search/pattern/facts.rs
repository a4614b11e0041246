//! The facts that a query needs of games.

use std::sync::Arc;

use super::super::{
    filter::{CompiledFilter, FilterReader, IdSet},
    select::{self, ResultPage, SelectedGame},
};
use crate::query::{
    GameCondition, PositionQuery, Query, QueryExpr,
    pattern::{
        Pattern,
        facts::{self, FactRef},
    },
};
use crate::{
    base::record::GameId,
    db::{
        index::facts::PackedFacts,
        store::{Store, StoreError},
    },
};

/// A fact made ready for tests on games.
pub(in crate::db::search) enum CompiledFact {
    Game(Box<CompiledFilter>),
    /// Of single plies: never tested on the game.
    Move,
}

impl CompiledFact {
    pub(super) fn all(store: &Store, asked: &QueryExpr) -> Result<Vec<Self>, StoreError> {
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

/// The facts that games must have to be found, if a query needs nothing else, and no more of them
/// than a filter can: then games are tested column by column.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub(in crate::db::search) fn necessary_facts(
    store: &Store,
    asked: &QueryExpr,
) -> Result<Option<Vec<CompiledFilter>>, StoreError> {
    let is_choice = |(_, pattern): &(u8, Arc<Pattern>)| pattern.has_choices();
    if !facts::is_of_facts(&asked.expr)
        || asked.boards.is_empty()
        || asked.boards.iter().any(is_choice)
        || asked.like.is_some()
        || asked.in_variations
        || asked.without_columns
    {
        return Ok(None);
    }
    let mut facts = Vec::new();
    for (condition, _) in facts::game_conditions(&asked.expr) {
        if matches!(condition, GameCondition::Position(_)) {
            return Ok(None);
        }
        facts.push(CompiledFilter::of(store, [condition], &asked.names)?);
    }
    let is_told = !facts.iter().any(CompiledFilter::asks_annotations);
    Ok(is_told.then_some(facts))
}

/// The games that reach a position.
pub(in crate::db::search) fn reaching(
    store: &Store,
    position: &PositionQuery,
) -> Result<IdSet, StoreError> {
    let mut games = IdSet::default();
    let query = Query {
        position: Some(position.clone()),
        ..Query::default()
    };
    let mut take = |found: SelectedGame| {
        games.insert(u32::try_from(found.game).unwrap_or(u32::MAX));
        Ok(())
    };
    select::each(store, &query, ResultPage::of(store, &query, &mut take))?.whole(store)?;
    Ok(games)
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
pub(in crate::db::search) fn facts_of_hits(
    store: &Store,
    asked: &QueryExpr,
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
