//! The games of a player that a report counts, and those that it leaves out.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::speed;
use crate::{
    base::record::GameId,
    blocks::facts::PackedFacts,
    games::variant::Variant,
    reports::{expectation::ExpectedScores, figures::SideResult},
    search::MatchedPlayer,
    store::{Store, StoreError},
};

/// A rating that differs more from the median of its year is taken for an error.
const RATING_ERROR: u16 = 300;

/// A game of the player.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayerGame {
    pub(super) id: GameId,
    pub(super) facts: PackedFacts,
    /// 0 White, 1 Black.
    pub(super) side: usize,
    pub(super) view: SideResult,
    /// The time class; empty if it is not known.
    pub(super) speed: &'static str,
    pub(super) is_recent: bool,
}

impl PlayerGame {
    /// What is expected of the game: nothing if its ratings are of other games.
    pub(super) fn expected<'e>(
        &self,
        expectation: Option<&'e ExpectedScores>,
    ) -> Option<&'e ExpectedScores> {
        expectation.filter(|_| !speed::NOT_EXPECTED.contains(&self.speed))
    }

    /// Whether the player lost it.
    pub(super) const fn lost(&self) -> bool {
        matches!(self.view.half_points, Some(0))
    }

    /// The year; 0 if it is not known.
    pub(super) const fn year(&self) -> u32 {
        self.facts.date / 10_000
    }
}

/// What a report leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct GamesLeftOut {
    /// Games without a result, which count as games and in no score.
    pub no_result: u64,
    /// Games of other variants, which are not in the report.
    pub variants: u64,
    /// Games from other start positions, which are in the results and in no line.
    pub set_ups: u64,
    /// Ratings of the player that differ from the median of their year by more than 300, which are
    /// not used.
    pub ratings: u64,
}

/// The games of a player, all of one variant.
#[derive(Debug)]
pub(super) struct PlayerGames {
    pub(super) all: Vec<PlayerGame>,
    pub(super) variant: &'static Variant,
    pub(super) left_out: GamesLeftOut,
    /// The first day that is recent, packed; 0 if no game has a date.
    pub(super) since: u32,
    /// The median of the player's ratings, and the highest.
    pub(super) ratings: Option<(u16, u16)>,
}

/// The day 24 months before the last one.
const RECENT_YEARS: u32 = 2 * 10_000;

impl PlayerGames {
    /// Reads the facts of games, which are in order. Without a day from which games are recent, that
    /// is 24 months before the last one.
    pub(super) fn read(
        store: &Store,
        player: &MatchedPlayer,
        ids: &[GameId],
        since: Option<u32>,
    ) -> Result<Self, StoreError> {
        let mut facts = store.facts();
        let mut all = Vec::with_capacity(ids.len());
        for &id in ids {
            let facts = facts.get(id)?;
            let side = player.side(id, &facts);
            all.push(PlayerGame {
                id,
                facts,
                side,
                view: SideResult::of(&facts, side),
                speed: "",
                is_recent: false,
            });
        }
        let mut left_out = GamesLeftOut::default();
        let variant = most_played(&all);
        let before = all.len();
        all.retain(|game| game.facts.variant == u32::from(variant.id));
        left_out.variants = (before - all.len()) as u64;
        let without = all.iter().filter(|game| game.view.half_points.is_none());
        left_out.no_result = without.count() as u64;
        let last = all.iter().map(|game| game.facts.date).max().unwrap_or(0);
        let since = since.unwrap_or_else(|| last.saturating_sub(RECENT_YEARS));
        for game in &mut all {
            game.is_recent = game.facts.date >= since.max(1);
        }
        left_out.ratings = forget_errors(&mut all);
        let events: Vec<(GameId, u32)> = (all.iter())
            .map(|game| (game.id, game.facts.event))
            .collect();
        for (game, class) in all.iter_mut().zip(speed::read(store, &events)?) {
            game.speed = class;
        }
        let mut ratings: Vec<u16> = all.iter().filter_map(|game| game.view.rating).collect();
        ratings.sort_unstable();
        let ratings = ratings.get(ratings.len() / 2).zip(ratings.last());
        Ok(Self {
            variant,
            left_out,
            since,
            ratings: ratings.map(|(&median, &top)| (median, top)),
            all,
        })
    }

    /// The first and the last year.
    pub(super) fn years(&self) -> Option<(u32, u32)> {
        let years = || {
            self.all
                .iter()
                .map(PlayerGame::year)
                .filter(|&year| year > 0)
        };
        years().min().zip(years().max())
    }
}

/// The variant of most games.
fn most_played(games: &[PlayerGame]) -> &'static Variant {
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for game in games {
        *counts.entry(game.facts.variant).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(id, games)| (games, u32::MAX - id));
    let row = most.and_then(|(id, _)| Variant::by_id(u8::try_from(id).ok()?));
    row.or_else(|| Variant::by_name("chess"))
        .unwrap_or(&crate::games::variant::ALL[0])
}

/// Takes ratings away that cannot be the player's; returns how many.
fn forget_errors(games: &mut [PlayerGame]) -> u64 {
    let mut by_year: HashMap<u32, Vec<u16>> = HashMap::new();
    for game in &*games {
        if let Some(rating) = game.view.rating {
            by_year.entry(game.year()).or_default().push(rating);
        }
    }
    // Undated games are of many years.
    by_year.remove(&0);
    let medians: HashMap<u32, u16> = (by_year.into_iter())
        .map(|(year, mut ratings)| {
            ratings.sort_unstable();
            (year, ratings[ratings.len() / 2])
        })
        .collect();
    let mut errors = 0;
    for game in games {
        let median = medians.get(&game.year());
        if let (Some(rating), Some(&median)) = (game.view.rating, median)
            && rating.abs_diff(median) > RATING_ERROR
        {
            game.view.rating = None;
            errors += 1;
        }
    }
    errors
}
