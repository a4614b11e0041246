//! How a player scores in openings, against what the ratings let expect.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{games::PlayerGame, results};
use crate::{
    games::opening_names,
    reports::{
        expectation::ExpectedScores,
        figures::{DIFF_MIN, Figures},
        position::{Trend, mark_trends},
        significance::discoveries,
    },
    store::{NameTable, Store, StoreError},
};

/// One opening in ten that is marked may be false.
const FALSE_RATE: f64 = 0.10;

/// An opening of a player, without its variations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerOpening {
    /// The player's side.
    pub color: &'static str,
    /// What it is called.
    pub name: String,
    /// The share of the player's games with that side, 0 to 1.
    pub share: f64,
    /// The games.
    #[serde(flatten)]
    pub results: Figures,
    /// How probable a difference from the expected score is by chance; `None` of fewer than 20 games.
    pub p: Option<f64>,
    /// `up` or `down` if the difference is more than chance among all openings of the side.
    pub marked: Option<&'static str>,
    /// How often it was played lately and before.
    pub trend: Trend,
}

/// The openings of both sides, most games first.
pub(super) fn read(
    store: &Store,
    games: &[PlayerGame],
    expectation: Option<&ExpectedScores>,
) -> Result<Vec<PlayerOpening>, StoreError> {
    let mut families: BTreeMap<u32, String> = BTreeMap::new();
    for game in games.iter().filter(|game| game.facts.opening > 0) {
        families.entry(game.facts.opening).or_default();
    }
    store.for_each_name(NameTable::Opening, |id, text| {
        if let Some(family) = families.get_mut(&id) {
            let (_, name) = opening_names::parted(text);
            name.split([':', ','])
                .next()
                .unwrap_or(name)
                .clone_into(family);
        }
    })?;
    families.retain(|_, family| !family.is_empty());
    let mut all = Vec::new();
    for (side, color) in ["white", "black"].into_iter().enumerate() {
        let mut named: BTreeMap<&str, Vec<&PlayerGame>> = BTreeMap::new();
        let mut chances = [0, 0];
        let of_side = games.iter().filter(|game| game.side == side);
        for game in of_side {
            if let Some(family) = families.get(&game.facts.opening) {
                named.entry(family).or_default().push(game);
                chances[usize::from(game.is_recent)] += u64::from(is_dated(game));
            }
        }
        let total: usize = named.values().map(Vec::len).sum();
        let mut own: Vec<PlayerOpening> = (named.into_iter())
            .map(|(name, games)| {
                let record = results::record(games.iter().copied(), expectation);
                let diff = record.residuals.mean();
                let count = |is_recent: bool| {
                    let of_time =
                        |game: &&&PlayerGame| game.is_recent == is_recent && is_dated(game);
                    games.iter().filter(of_time).count() as u64
                };
                PlayerOpening {
                    color,
                    name: name.to_owned(),
                    share: games.len() as f64 / total as f64,
                    p: (diff.filter(|_| record.residuals.games >= DIFF_MIN))
                        .map(|diff| diff.probability()),
                    results: record.figures(),
                    marked: None,
                    trend: Trend::of((count(true), chances[1]), (count(false), chances[0])),
                }
            })
            .collect();
        own.sort_by_key(|opening| std::cmp::Reverse(opening.results.games));
        mark(&mut own);
        mark_trends(own.iter_mut().map(|opening| &mut opening.trend));
        all.append(&mut own);
    }
    Ok(all)
}

const fn is_dated(game: &PlayerGame) -> bool {
    game.facts.date > 0
}

fn mark(openings: &mut [PlayerOpening]) {
    let tested: Vec<f64> = openings.iter().filter_map(|opening| opening.p).collect();
    let found = discoveries(&tested, FALSE_RATE);
    let tested = openings.iter_mut().filter(|opening| opening.p.is_some());
    for (opening, is_found) in tested.zip(found) {
        let is_above = opening.results.diff.is_some_and(|diff| diff > 0.0);
        opening.marked = is_found.then_some(if is_above { "up" } else { "down" });
    }
}
