//! The list of what both sides do after a position, and the mining of it.

use serde::Serialize;

use super::{
    figures::{StepFigures, StepResult, with},
    groups::{self, GamePlan, PlanLimits},
    miner::{Baseline, PlanMiner, StepGames},
    text::SquareLabels,
};
use crate::search::SingleGame;

/// Steps of a side in a list.
const LISTED: usize = 40;

/// What a side does.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct SidePlans {
    /// What nearly all games do.
    pub setup: Vec<StepFigures>,
    /// Other steps, most characteristic first.
    pub steps: Vec<StepFigures>,
    /// Steps that go together, most characteristic first.
    pub plans: Vec<GamePlan>,
}

/// What both sides do after a position.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct PlanList {
    /// Plies that games are followed.
    pub window: u32,
    /// The games that were followed: with a result, and eight plies or more.
    pub games: u64,
    /// One of how many games was followed: 1 is every game.
    pub every: u64,
    /// The games of the sample that they are compared with.
    pub compared_with: u32,
    /// White and Black.
    pub white: SidePlans,
    /// Likewise.
    pub black: SidePlans,
    /// Exchanges of like pieces.
    pub exchanges: Vec<StepFigures>,
}

impl PlanList {
    /// The model games of all plans.
    pub fn models(&mut self) -> impl Iterator<Item = &mut SingleGame> {
        let plans = self.white.plans.iter_mut().chain(&mut self.black.plans);
        plans.flat_map(|plan| &mut plan.models)
    }
}

/// Ranks what a miner has collected, against a sample of other games.
pub fn mine(
    miner: &PlanMiner,
    baseline: &Baseline,
    names: &SquareLabels,
    (limits, view): (&PlanLimits, usize),
) -> PlanList {
    let mut list = PlanList {
        window: miner.window,
        games: miner.games.len() as u64,
        every: 1,
        compared_with: baseline.games,
        ..PlanList::default()
    };
    let enough = (limits.share_min * miner.games.len() as f64).max(limits.games_min as f64);
    let figured = |of: &StepGames, view: usize| {
        let share = of.games.len() as f64 / miner.games.len() as f64;
        let lift = share / baseline.share(of.step);
        let route = of.route();
        let text = names.step(of.step, &route, of.is_break());
        StepFigures {
            side: of
                .step
                .side
                .map(|side| ["white", "black"][usize::from(side & 1)]),
            kind: of.step.kind.name(),
            text,
            square: of.step.kind.square().map(|at| names.square(at).to_owned()),
            route: route
                .iter()
                .map(|at| names.square(*at).to_owned())
                .collect(),
            squares: route,
            target: of.step.kind.square(),
            is_break: of.is_break(),
            games: of.games.len() as u64,
            share,
            lift,
            rank: share * lift.log2().max(0.0),
            result: miner.result(&with(miner, of), of.median_ply(), view),
            from_ply: of.median_ply(),
            step: of.step,
        }
    };
    let frequent = || {
        miner
            .steps
            .iter()
            .filter(|of| of.games.len() as f64 >= enough)
    };
    for side in 0..2 {
        let own = frequent().filter(|of| of.step.side == Some(side as u8));
        let mut steps: Vec<StepFigures> = own
            .map(|of| figured(of, side))
            .filter(|step| step.share > limits.setup || step.lift >= limits.lift_min)
            .collect();
        sort(&mut steps);
        let is_setup = |step: &StepFigures| step.share > limits.setup;
        let mut setup: Vec<StepFigures> = steps
            .iter()
            .filter(|step| is_setup(step))
            .cloned()
            .collect();
        setup.sort_by_key(|step| step.from_ply);
        for step in &mut setup {
            step.result = StepResult::default();
        }
        steps.retain(|step| !is_setup(step));
        steps.truncate(LISTED);
        StepResult::mark(steps.iter_mut().map(|step| &mut step.result));
        let mut plans = groups::plans(miner, &steps, (limits, side));
        StepResult::mark(plans.iter_mut().map(|plan| &mut plan.result));
        let own = if side == 0 {
            &mut list.white
        } else {
            &mut list.black
        };
        *own = SidePlans {
            setup,
            steps,
            plans,
        };
    }
    let neutral = frequent().filter(|of| of.step.side.is_none());
    list.exchanges = neutral.map(|of| figured(of, view)).collect();
    list.exchanges
        .sort_by(|one, other| other.games.cmp(&one.games).then(one.text.cmp(&other.text)));
    StepResult::mark(list.exchanges.iter_mut().map(|step| &mut step.result));
    list
}

fn sort(steps: &mut [StepFigures]) {
    steps.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.step.cmp(&other.step))
    });
}
