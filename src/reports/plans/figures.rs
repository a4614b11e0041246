//! How often steps are played, how characteristic they are, and how they score.

use serde::Serialize;

use super::{
    groups::{self, GamePlan, PlanLimits},
    miner::{Baseline, PlanMiner, StepGames},
    step::Step,
    text::SquareNames,
};
use crate::{
    base::record::Outcome,
    index::columns::set::GameSet,
    reports::{
        figures::{Difference, Residuals, ScoreRecord},
        significance::discoveries,
    },
    search::SingleGame,
};

/// The share of false discoveries among marked differences.
const FALSE_RATE: f64 = 0.10;

/// Steps of a side in a list.
const LISTED: usize = 40;

/// A step, and how it was played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepFigures {
    /// Whose step it is: `white` or `black`; `None` of an exchange of like pieces.
    pub side: Option<&'static str>,
    /// `piece`, `push`, `pawn-capture`, `castling`, `rook-file`, `rook-lift`, `seventh-rank`,
    /// `exchange`, `crowning`.
    pub kind: &'static str,
    /// The step in words, such as `Nd2-f1-g3` or `f5!`.
    pub text: String,
    /// The square at which it ends.
    pub square: Option<String>,
    /// The squares over which most games do it, both ends included.
    pub route: Vec<String>,
    /// The numbers of these squares on the board.
    #[serde(skip)]
    pub squares: Vec<u8>,
    /// The number of the square at which it ends.
    #[serde(skip)]
    pub target: Option<u8>,
    /// Whether the pawn then attacks an enemy pawn in most games.
    pub is_break: bool,
    /// Games that do it.
    pub games: u64,
    /// Their share of all games that were followed, 0 to 1.
    pub share: f64,
    /// That share by the share in other games at the same ply.
    pub lift: f64,
    /// What the list is sorted by: share times the binary logarithm of `lift`.
    pub rank: f64,
    /// How these games went, from the view of the side; of an exchange from that of the side to
    /// move.
    #[serde(flatten)]
    pub result: StepResult,
    /// The ply after the position by which half of these games have done it.
    pub from_ply: u32,
    /// The step.
    #[serde(skip)]
    pub step: Step,
}

/// How the games of a step or a plan went.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Default)]
pub struct StepResult {
    /// Points per game, 0 to 1.
    pub score: Option<f64>,
    /// The lower end of the 95 % interval of the score.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The mean of score less expected score, less that mean of the other games that were still
    /// undecided at that ply.
    pub diff: Option<f64>,
    /// Two standard errors of `diff`.
    pub diff_2se: Option<f64>,
    /// `up` or `down` if `diff` is more than chance among all steps of the side.
    pub marked: Option<&'static str>,
    #[serde(skip)]
    probability: Option<f64>,
}

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
    names: &SquareNames,
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
        setup
            .iter_mut()
            .for_each(|step| step.result = StepResult::default());
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

/// The games of a step.
pub(super) fn with(miner: &PlanMiner, of: &StepGames) -> GameSet {
    let mut set = GameSet::none(miner.games.len());
    for &(game, _) in &of.games {
        set.insert(game as usize);
    }
    set
}

impl PlanMiner {
    /// How some of the followed games went for a side, and how much better than the others that
    /// lasted to a ply.
    pub fn result(&self, set: &GameSet, ply: u32, side: usize) -> StepResult {
        let mut record = ScoreRecord::default();
        let mut others = Residuals::default();
        for (at, game) in self.games.iter().enumerate() {
            let residual = game
                .residual
                .map(|of_white| if side == 0 { of_white } else { -of_white });
            if set.contains(at) {
                record.games += 1;
                match (game.outcome, side) {
                    (Outcome::First, 0) | (Outcome::Second, 1) => record.won += 1,
                    (Outcome::Draw, _) => record.drawn += 1,
                    _ => record.lost += 1,
                }
                residual
                    .into_iter()
                    .for_each(|residual| record.residuals.add(residual));
            } else if game.plies >= ply {
                residual
                    .into_iter()
                    .for_each(|residual| others.add(residual));
            }
        }
        let figures = record.figures();
        let is_enough =
            |residuals: &Residuals| residuals.games >= crate::reports::figures::DIFF_MIN;
        let diff = record.residuals.minus(&others);
        let diff = diff.filter(|_| is_enough(&record.residuals) && is_enough(&others));
        StepResult {
            score: figures.score,
            low: figures.low,
            high: figures.high,
            diff: diff.map(|diff| diff.value),
            diff_2se: diff.map(|diff| 2.0 * diff.error),
            marked: None,
            probability: diff.as_ref().map(Difference::probability),
        }
    }
}

impl StepResult {
    /// Marks those differences of several that are more than chance.
    pub fn mark<'r>(results: impl Iterator<Item = &'r mut Self>) {
        let mut tested: Vec<(&mut Self, f64)> = results
            .filter_map(|result| {
                let probability = result.probability?;
                Some((result, probability))
            })
            .collect();
        let probabilities: Vec<f64> = tested.iter().map(|(_, probability)| *probability).collect();
        let found = discoveries(&probabilities, FALSE_RATE);
        for ((result, _), is_found) in tested.iter_mut().zip(found) {
            let is_up = result.diff.is_some_and(|diff| diff > 0.0);
            result.marked = is_found.then_some(if is_up { "up" } else { "down" });
        }
    }
}
