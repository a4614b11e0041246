//! Joins steps that the same games do to plans.

use serde::Serialize;

use super::{
    figures::{self, StepFigures, StepResult},
    miner::{PlanMiner, StepGames, median},
    step::StepKind,
};
use crate::{
    base::record::{GameId, Outcome},
    index::columns::set::GameSet,
    search::SingleGame,
};

/// Which steps are shown, and which are joined to plans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanLimits {
    /// The share of a step that is shown, and its games, at least.
    pub share_min: f64,
    /// Likewise.
    pub games_min: u64,
    /// How many times as often as in other games a step is played, at least.
    pub lift_min: f64,
    /// Steps with a greater share are the set-up, and in no plan.
    pub setup: f64,
    /// Plans of a side.
    pub plans: usize,
}

impl Default for PlanLimits {
    fn default() -> Self {
        Self {
            share_min: 0.03,
            games_min: 8,
            lift_min: 1.4,
            setup: 0.70,
            plans: 6,
        }
    }
}

/// The share of a step of a plan, and that of a plan, at least.
const STEP_SHARE: f64 = 0.04;
const PLAN_SHARE: f64 = 0.02;

/// The correlation of the first two steps of a plan, and of each further one with all others.
const PAIR_CORRELATION: f64 = 0.18;
const JOIN_CORRELATION: f64 = 0.10;

const STEPS_MAX: usize = 5;

/// The share of its steps that a game with a plan has, in tenths.
const STEP_TENTHS: usize = 6;

/// The model games of a plan.
const MODELS: usize = 2;

/// Steps that the same games do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GamePlan {
    /// The steps, in the order in which they are usually done.
    pub steps: Vec<StepFigures>,
    /// The games that do three in five of them or more, and two at least.
    pub games: u64,
    /// Their share of all games that were followed, 0 to 1.
    pub share: f64,
    /// What the list is sorted by.
    pub rank: f64,
    /// How these games went, from the view of the side.
    #[serde(flatten)]
    pub result: StepResult,
    /// The ply after the position by which half of these games have done so.
    pub from_ply: u32,
    /// Games that the side has won, those with the most steps first, then those whose weaker player
    /// has the highest rating; against different players.
    pub models: Vec<SingleGame>,
}

/// The plans of a side (0 White, 1 Black), of its steps in the order of their ranks.
pub(super) fn plans(
    miner: &PlanMiner,
    steps: &[StepFigures],
    (limits, side): (&PlanLimits, usize),
) -> Vec<GamePlan> {
    let is_part = |step: &&StepFigures| step.share >= STEP_SHARE && step.lift >= limits.lift_min;
    let steps: Vec<&StepFigures> = steps.iter().filter(is_part).collect();
    let games_of = |step: &StepFigures| miner.steps.iter().find(|of| of.step == step.step);
    let all: Vec<&StepGames> = steps.iter().filter_map(|step| games_of(step)).collect();
    let sets: Vec<GameSet> = all.iter().map(|of| figures::with(miner, of)).collect();
    let mut plans: Vec<GamePlan> = joined(&sets, miner.games.len(), limits)
        .into_iter()
        .filter_map(|group| plan(miner, (&steps, &all), group, side))
        .collect();
    plans.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.steps[0].step.cmp(&other.steps[0].step))
    });
    plans.truncate(limits.plans);
    plans
}

/// Groups of sets of games that have much in common: pairs in the order of their correlation, to
/// which others are joined.
fn joined(sets: &[GameSet], games: usize, limits: &PlanLimits) -> Vec<Vec<usize>> {
    let total = games as f64;
    let counts: Vec<f64> = sets.iter().map(|set| set.count() as f64).collect();
    let enough = (PLAN_SHARE * total).max(limits.games_min as f64);
    let mut correlations = vec![vec![f64::MIN; sets.len()]; sets.len()];
    let mut pairs = Vec::new();
    for one in 0..sets.len() {
        for other in one + 1..sets.len() {
            let mut both = sets[one].clone();
            both.keep(&sets[other]);
            let both = both.count() as f64;
            if both < enough {
                continue;
            }
            let [a, b] = [counts[one], counts[other]];
            let spread = a * b * (total - a).max(1.0) * (total - b).max(1.0);
            let correlation = (both * total - a * b) / spread.sqrt();
            correlations[one][other] = correlation;
            correlations[other][one] = correlation;
            pairs.push((correlation, one, other));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![None; sets.len()];
    for (correlation, one, other) in pairs {
        if correlation < PAIR_CORRELATION {
            break;
        }
        let (joins, new) = match (group_of[one], group_of[other]) {
            (None, None) => {
                (group_of[one], group_of[other]) = (Some(groups.len()), Some(groups.len()));
                groups.push(vec![one, other]);
                continue;
            }
            (Some(group), None) => (group, other),
            (None, Some(group)) => (group, one),
            (Some(_), Some(_)) => continue,
        };
        let group: &mut Vec<usize> = &mut groups[joins];
        let fits = |own: &usize| correlations[*own][new] >= JOIN_CORRELATION;
        if group.len() < STEPS_MAX && group.iter().all(fits) {
            group.push(new);
            group_of[new] = Some(joins);
        }
    }
    groups
}

/// The steps of a group in order, with the games that do enough of them.
fn plan(
    miner: &PlanMiner,
    (steps, all): (&[&StepFigures], &[&StepGames]),
    mut group: Vec<usize>,
    side: usize,
) -> Option<GamePlan> {
    group.sort_by_key(|&at| (steps[at].from_ply, steps[at].step));
    // Pushes on a file come in the order of their ranks.
    let is_push = |at: &usize| matches!(steps[*at].step.kind, StepKind::Push { .. });
    let places: Vec<usize> = (0..group.len()).filter(|at| is_push(&group[*at])).collect();
    let mut pushes: Vec<usize> = places.iter().map(|at| group[*at]).collect();
    pushes.sort_by_key(|&at| {
        let square = steps[at].step.kind.square().unwrap_or_default();
        let rank = if side == 0 {
            square >> 3
        } else {
            7 - (square >> 3)
        };
        (square & 7, rank)
    });
    places
        .into_iter()
        .zip(pushes)
        .for_each(|(place, at)| group[place] = at);

    let needed = (group.len() * STEP_TENTHS).div_ceil(10).max(2);
    // The plies of the steps of each game.
    let mut done: Vec<Vec<u32>> = vec![Vec::new(); miner.games.len()];
    for &at in &group {
        for &(game, ply) in &all[at].games {
            done[game as usize].push(ply);
        }
    }
    let mut set = GameSet::none(miner.games.len());
    let mut plies = Vec::new();
    for (game, done) in done.iter_mut().enumerate() {
        if done.len() >= needed {
            set.insert(game);
            done.sort_unstable();
            plies.push(done[needed - 1]);
        }
    }
    let total = miner.games.len() as f64;
    if (plies.len() as f64) < (PLAN_SHARE * total).max(PlanLimits::default().games_min as f64) {
        return None;
    }
    let from_ply = median(plies.iter().copied());
    let share = plies.len() as f64 / total;
    Some(GamePlan {
        games: plies.len() as u64,
        share,
        rank: share * group.iter().map(|&at| steps[at].rank).sum::<f64>(),
        result: miner.result(&set, from_ply, side),
        from_ply,
        models: models(miner, &set, &done, side),
        steps: group.into_iter().map(|at| steps[at].clone()).collect(),
    })
}

/// Model games, of which only the numbers are known yet.
fn models(miner: &PlanMiner, set: &GameSet, done: &[Vec<u32>], side: usize) -> Vec<SingleGame> {
    let won = [Outcome::First, Outcome::Second][side & 1];
    let mut games: Vec<usize> = set
        .iter()
        .filter(|at| miner.games[*at].outcome == won)
        .collect();
    games.sort_by_key(|&at| {
        let game = &miner.games[at];
        (
            std::cmp::Reverse((done[at].len(), game.lower_rating)),
            game.id,
        )
    });
    let mut models: Vec<(GameId, u32)> = Vec::new();
    for at in games {
        let game = &miner.games[at];
        let loser = game.players[(side & 1) ^ 1];
        if models.iter().all(|&(_, other)| other != loser) {
            models.push((game.id, loser));
        }
        if models.len() == MODELS {
            break;
        }
    }
    let of = |(id, _)| SingleGame {
        id,
        ..SingleGame::default()
    };
    models.into_iter().map(of).collect()
}
