//! Legal moves at the border of the module.

use super::{
    DraughtsPosition, DraughtsRules,
    captures::captures,
    generate::{EngineMove, SideView},
    grid::{CellSet, EngineGrid, on_grid},
};
use crate::games::{Budget, BudgetExceeded};

/// One move: where from, where to and what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DraughtsMove {
    /// The cell it starts on.
    pub from: u8,
    /// The cell it ends on; a capture may end where it began.
    pub to: u8,
    /// Whether it makes a man a king. Distinguished from a move that is equal otherwise: where men
    /// are crowned in passing, the path decides.
    pub promotes: bool,
    /// The cells of what it takes.
    pub captured: u128,
}

impl DraughtsMove {
    /// Whether it takes anything.
    #[inline]
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    fn from_step<S: CellSet>(step: &EngineMove<S>) -> Self {
        Self {
            from: step.from,
            to: step.to,
            promotes: step.promotes,
            captured: step.captured.wide(),
        }
    }
}

/// The legal moves; empty if there are none. The order is the same each time.
///
/// The goal of the game is not considered: a breakthrough position with a king on
/// the board has moves here and a [`winner`](DraughtsPosition::winner).
///
/// # Errors
///
/// [`BudgetExceeded`] instead of an incomplete list.
pub fn moves(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    budget: Budget,
) -> Result<Vec<DraughtsMove>, BudgetExceeded> {
    let mut out = Vec::new();
    on_grid!(
        rules.board,
        collect(position, rules, None, budget, &mut out)
    )?;
    Ok(out)
}

/// Adds the legal moves between two cells: what a written move needs, without
/// looking at quiet moves of other pieces.
///
/// # Errors
///
/// [`BudgetExceeded`], nothing added.
pub fn moves_between(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    from: u8,
    to: u8,
    budget: Budget,
    out: &mut Vec<DraughtsMove>,
) -> Result<(), BudgetExceeded> {
    let ends = Some((from, to));
    on_grid!(rules.board, collect(position, rules, ends, budget, out))
}

fn collect<G: EngineGrid>(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    ends: Option<(u8, u8)>,
    budget: Budget,
    out: &mut Vec<DraughtsMove>,
) -> Result<(), BudgetExceeded> {
    let mut steps = Vec::with_capacity(32);
    let mut scene = SideView::<G>::new(rules, &position.narrow());
    let (jumps, kings) = (scene.jumps_of_men(), scene.capturing_kings());
    // Captures are to be compared with all others, whatever is wanted.
    captures(&scene, &jumps, kings, false, budget.0, &mut steps)?;
    if steps.is_empty() {
        if let Some((from, _)) = ends {
            let only = G::Set::bit(from);
            scene.men &= only;
            scene.kings &= only;
        }
        scene.quiet(&mut steps);
    }
    let is_asked =
        |step: &&EngineMove<G::Set>| ends.is_none_or(|ends| ends == (step.from, step.to));
    out.extend(steps.iter().filter(is_asked).map(DraughtsMove::from_step));
    Ok(())
}

/// Whether the side to move has a legal move; needs no budget.
pub(super) fn can_move(position: &DraughtsPosition, rules: &DraughtsRules) -> bool {
    fn can<G: EngineGrid>(position: &DraughtsPosition, rules: &DraughtsRules) -> bool {
        let scene = SideView::<G>::new(rules, &position.narrow());
        scene.count_quiet() != 0 || must_capture_in(&scene)
    }
    on_grid!(rules.board, can(position, rules))
}

/// Whether the side to move can capture and so must; needs no budget.
pub fn must_capture(position: &DraughtsPosition, rules: &DraughtsRules) -> bool {
    fn must<G: EngineGrid>(position: &DraughtsPosition, rules: &DraughtsRules) -> bool {
        must_capture_in(&SideView::<G>::new(rules, &position.narrow()))
    }
    on_grid!(rules.board, must(position, rules))
}

fn must_capture_in<G: EngineGrid>(scene: &SideView<'_, G>) -> bool {
    !(scene.men & scene.jumps_of_men().any).is_empty() || !scene.capturing_kings().is_empty()
}
