//! How often steps are played, how characteristic they are, and how they score.

use serde::Serialize;

use super::{
    miner::{PlanMiner, StepGames},
    step::PlanStep,
};
use crate::{
    base::record::Outcome,
    index::columns::set::GameSet,
    reports::{
        figures::{Difference, Residuals, ScoreRecord},
        significance::discoveries,
    },
};

/// The share of false discoveries among marked differences.
const FALSE_RATE: f64 = 0.10;

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
    pub step: PlanStep,
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
                if let Some(residual) = residual {
                    record.residuals.add(residual);
                }
            } else if let Some(residual) = residual.filter(|_| game.plies >= ply) {
                others.add(residual);
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
