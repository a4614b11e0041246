//! Plans: what the sides do after a position, found by following every piece through many games.
//!
//! A *step* is something that a game does once or not at all: a knight that stops on a square, a
//! pawn that is pushed, an exchange. `tracker` finds the steps of one game, `miner` collects
//! those of many, `figures` ranks them by how much more often they are played than in other games
//! at the same ply, and `groups` joins those that go together to plans.

mod figures;
mod groups;
mod list;
mod miner;
mod step;
mod text;
mod tracker;

pub use figures::{StepFigures, StepResult};
pub use groups::{GamePlan, PlanLimits};
pub use list::{PlanList, SidePlans, mine};
pub(crate) use miner::median;
pub use miner::{Baseline, PlanMiner};
pub use step::{PieceRoute, PlanStep, SquareSymmetry, StepKind, StepPlace};
pub use text::SquareLabels;
pub use tracker::{PieceTracker, StepRules};

#[cfg(test)]
mod tests;
