//! How often something was played over the years, and how it scored.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    expectation::ExpectedScores,
    figures::{Figures, ScoreRecord, SideResult},
};
use crate::{
    blocks::facts::{FactColumn, PackedFacts},
    store::{Store, StoreError},
};

/// The games of a year.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct YearFigures {
    /// The year.
    pub year: u16,
    /// All games of that year in the database that are played by the same rules.
    pub all_games: u64,
    /// The share of the games among these, 0 to 1.
    pub share: f64,
    /// The games, from the view of the side whose report it is.
    #[serde(flatten)]
    pub results: Figures,
}

/// The years of games in their order, each with the side whose scores count, and how many games
/// have no year.
pub(super) fn years<'f>(
    store: &Store,
    games: impl Iterator<Item = (&'f PackedFacts, usize)>,
    expectation: Option<&ExpectedScores>,
    own_rules: impl Fn(u32) -> bool,
) -> Result<(Vec<YearFigures>, u64), StoreError> {
    let removed = store.removed()?;
    let mut all: BTreeMap<u32, u64> = BTreeMap::new();
    let columns = [FactColumn::Date, FactColumn::Variant];
    store.for_each_facts(&columns, |game, facts| {
        if own_rules(facts.variant) && !removed.contains(game) {
            *all.entry(facts.date / 10_000).or_default() += 1;
        }
    })?;
    let mut records: BTreeMap<u32, ScoreRecord> = BTreeMap::new();
    for (facts, side) in games {
        let record = records.entry(facts.date / 10_000).or_default();
        record.add(&SideResult::of(facts, side), expectation);
    }
    let undated = records.remove(&0).map_or(0, |record| record.games);
    let years = records.into_iter().map(|(year, record)| {
        let all_games = all.get(&year).copied().unwrap_or_default();
        YearFigures {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            all_games,
            share: record.games as f64 / all_games.max(1) as f64,
            results: record.figures(),
        }
    });
    Ok((years.collect(), undated))
}
