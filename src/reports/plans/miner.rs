//! Collects the steps of games, and finds those that are characteristic of them.

use std::collections::HashMap;

use super::{
    step::{PieceRoute, PlanStep, SquareSymmetry},
    tracker::{PieceTracker, StepRules},
};
use crate::{
    base::record::{GameId, Outcome},
    blocks::facts::PackedFacts,
    games::AnyPosition,
    reports::{expectation::ExpectedScores, figures::SideResult},
};

/// Plies that a game needs after the position.
const PLIES_MIN: u32 = 8;

/// A game that was followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct FollowedGame {
    pub(super) id: GameId,
    pub(super) outcome: Outcome,
    /// Score less expected score of White.
    pub(super) residual: Option<f64>,
    /// The lower of both ratings, 0 if one is not known.
    pub(super) lower_rating: u32,
    /// The rows of White and Black.
    pub(super) players: [u32; 2],
    /// Plies that were followed.
    pub(super) plies: u32,
}

/// The games that have a step.
#[derive(Debug, Clone)]
pub(super) struct StepGames {
    pub(super) step: PlanStep,
    /// The games, by their places among all, each with the ply of the step.
    pub(super) games: Vec<(u32, u32)>,
    pub(super) routes: HashMap<PieceRoute, u32>,
    pub(super) breaks: u32,
}

impl StepGames {
    /// The route by which most games did it.
    pub(super) fn route(&self) -> Vec<u8> {
        let most = (self.routes.iter()).max_by_key(|&(&route, &games)| (games, route));
        most.map_or_else(Vec::new, |(route, _)| route.squares())
    }

    /// Whether the pawn attacks an enemy pawn in most games.
    pub(super) const fn is_break(&self) -> bool {
        2 * self.breaks as usize > self.games.len()
    }

    /// The ply at which half of the games have done it.
    pub(super) fn median_ply(&self) -> u32 {
        median(self.games.iter().map(|&(_, ply)| ply))
    }
}

pub(crate) fn median(plies: impl Iterator<Item = u32>) -> u32 {
    let mut plies: Vec<u32> = plies.collect();
    let middle = plies.len() / 2;
    if plies.is_empty() {
        return 0;
    }
    *plies.select_nth_unstable(middle).1
}

/// How many games of a sample do which steps at the same time of the game.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    steps: HashMap<PlanStep, u32>,
    /// The games of the sample.
    pub games: u32,
}

impl Baseline {
    /// Adds a line from a ply on, if it is long enough.
    pub fn add(
        &mut self,
        tracker: &mut PieceTracker,
        start: &AnyPosition,
        plies: &[u8],
        from: u32,
    ) {
        let (steps, seen) = tracker.steps(start, plies, from);
        if seen < PLIES_MIN {
            return;
        }
        self.games += 1;
        for place in steps {
            *self.steps.entry(place.step).or_default() += 1;
        }
    }

    /// The share of games that do a step, as if one half more of a game did.
    pub(super) fn share(&self, step: PlanStep) -> f64 {
        let games = self.steps.get(&step).copied().unwrap_or_default();
        (f64::from(games) + 0.5) / (f64::from(self.games) + 1.0)
    }
}

/// Collects the steps of games after a position.
#[derive(Debug)]
pub struct PlanMiner {
    tracker: PieceTracker,
    expectation: Option<ExpectedScores>,
    numbers: HashMap<PlanStep, u32>,
    pub(super) window: u32,
    pub(super) games: Vec<FollowedGame>,
    pub(super) steps: Vec<StepGames>,
}

impl PlanMiner {
    /// A miner of games by some rules, for a number of plies.
    pub fn new(rules: StepRules, window: u32, expectation: Option<ExpectedScores>) -> Self {
        Self {
            tracker: PieceTracker::new(rules, window),
            expectation,
            numbers: HashMap::new(),
            window,
            games: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// How many games were followed.
    pub const fn games(&self) -> usize {
        self.games.len()
    }

    /// The tracker, for a baseline of the same window.
    pub const fn tracker(&mut self) -> &mut PieceTracker {
        &mut self.tracker
    }

    /// Follows a game from a ply on. It is left out if it has no result, or ends within eight
    /// plies. Its steps and its result are seen under a symmetry of the board. The place of the game
    /// among those that were followed.
    pub fn add(
        &mut self,
        (id, facts): (GameId, &PackedFacts),
        (start, plies, from): (&AnyPosition, &[u8], u32),
        seen: &SquareSymmetry,
    ) -> Option<usize> {
        let is_swapped = seen.swaps_sides;
        let view = SideResult::of(facts, usize::from(is_swapped));
        let half_points = view.half_points?;
        let (steps, followed) = self.tracker.steps(start, plies, from);
        if followed < PLIES_MIN {
            return None;
        }
        let game = self.games.len() as u32;
        for &place in steps {
            let place = place.seen(seen);
            let number = *self.numbers.entry(place.step).or_insert_with(|| {
                self.steps.push(StepGames {
                    step: place.step,
                    games: Vec::new(),
                    routes: HashMap::new(),
                    breaks: 0,
                });
                self.steps.len() as u32 - 1
            });
            let of_step = &mut self.steps[number as usize];
            of_step.games.push((game, place.ply));
            of_step.breaks += u32::from(place.is_break);
            if place.route != PieceRoute::default() {
                *of_step.routes.entry(place.route).or_default() += 1;
            }
        }
        let mut players = [facts.white, facts.black];
        if is_swapped {
            players.swap(0, 1);
        }
        self.games.push(FollowedGame {
            id,
            outcome: [Outcome::Second, Outcome::Draw, Outcome::First][usize::from(half_points)],
            residual: self
                .expectation
                .and_then(|expected| view.residual(&expected)),
            lower_rating: facts.white_elo.min(facts.black_elo),
            players,
            plies: followed,
        });
        Some(game as usize)
    }
}
