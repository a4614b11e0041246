//! Legal moves at the border of the room.

use super::{
    Position, Rules,
    captures::captures,
    generate::{EngineMove, Scene},
    grid::{Bits, EngineGrid, on_grid},
};
use crate::games::{Budget, BudgetExceeded};

/// One move: where from, where to and what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The cell it starts on.
    pub from: u8,
    /// The cell it ends on; a capture may end where it began.
    pub to: u8,
    /// Whether a man becomes a king by it. Told apart from a move that is equal
    /// otherwise: where men are crowned in passing, the path decides.
    pub promotes: bool,
    /// The cells of what it takes.
    pub captured: u128,
}

impl Move {
    /// Whether it takes anything.
    #[inline]
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    fn from_step<S: Bits>(step: &EngineMove<S>) -> Self {
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
/// The goal of the game is not asked: a breakthrough position with a king on
/// the board has moves here and a [`winner`](Position::winner).
///
/// # Errors
///
/// [`BudgetExceeded`] instead of an incomplete list.
pub fn moves(
    position: &Position,
    rules: &Rules,
    budget: Budget,
) -> Result<Vec<Move>, BudgetExceeded> {
    let mut out = Vec::new();
    moves_into(position, rules, budget, &mut out)?;
    Ok(out)
}

/// As [`moves`], into a vector that is emptied first.
///
/// # Errors
///
/// [`BudgetExceeded`], the vector left empty.
pub fn moves_into(
    position: &Position,
    rules: &Rules,
    budget: Budget,
    out: &mut Vec<Move>,
) -> Result<(), BudgetExceeded> {
    out.clear();
    on_grid!(rules.board, collect(position, rules, budget, out))
}

fn collect<G: EngineGrid>(
    position: &Position,
    rules: &Rules,
    budget: Budget,
    out: &mut Vec<Move>,
) -> Result<(), BudgetExceeded> {
    let mut steps = Vec::with_capacity(32);
    let scene = Scene::<G>::new(rules, &position.narrow());
    let (jumps, kings) = (scene.jumps_of_men(), scene.capturing_kings());
    captures(&scene, &jumps, kings, false, budget.0, &mut steps)?;
    if steps.is_empty() {
        scene.quiet(&mut steps);
    }
    out.extend(steps.iter().map(Move::from_step));
    Ok(())
}

/// Adds the legal moves between two cells: what a written move needs, without
/// looking at quiet moves of other pieces.
///
/// # Errors
///
/// [`BudgetExceeded`], nothing added.
pub fn moves_between(
    position: &Position,
    rules: &Rules,
    from: u8,
    to: u8,
    budget: Budget,
    out: &mut Vec<Move>,
) -> Result<(), BudgetExceeded> {
    on_grid!(
        rules.board,
        collect_between(position, rules, from, to, budget, out)
    )
}

fn collect_between<G: EngineGrid>(
    position: &Position,
    rules: &Rules,
    from: u8,
    to: u8,
    budget: Budget,
    out: &mut Vec<Move>,
) -> Result<(), BudgetExceeded> {
    let mut scene = Scene::<G>::new(rules, &position.narrow());
    let (jumps, kings) = (scene.jumps_of_men(), scene.capturing_kings());
    let mut steps = Vec::with_capacity(20);
    // Captures are to be compared with all others.
    if (scene.men & jumps.any | kings).is_empty() {
        let only = G::Set::bit(from);
        scene.men &= only;
        scene.kings &= only;
        scene.quiet(&mut steps);
    } else {
        captures(&scene, &jumps, kings, false, budget.0, &mut steps)?;
    }
    out.extend(
        steps
            .iter()
            .filter(|step| step.from == from && step.to == to)
            .map(Move::from_step),
    );
    Ok(())
}

/// Whether a move is one of the position's.
///
/// # Errors
///
/// [`BudgetExceeded`] if that cannot be told.
pub fn legal(
    position: &Position,
    rules: &Rules,
    budget: Budget,
    wanted: &Move,
) -> Result<bool, BudgetExceeded> {
    Ok(moves(position, rules, budget)?.contains(wanted))
}

/// Whether the side to move has a legal move; needs no budget.
pub fn can_move(position: &Position, rules: &Rules) -> bool {
    fn can<G: EngineGrid>(position: &Position, rules: &Rules) -> bool {
        let scene = Scene::<G>::new(rules, &position.narrow());
        scene.count_quiet() != 0 || must_capture_in(&scene)
    }
    on_grid!(rules.board, can(position, rules))
}

/// Whether the side to move can capture and so must; needs no budget.
pub fn must_capture(position: &Position, rules: &Rules) -> bool {
    fn must<G: EngineGrid>(position: &Position, rules: &Rules) -> bool {
        must_capture_in(&Scene::<G>::new(rules, &position.narrow()))
    }
    on_grid!(rules.board, must(position, rules))
}

fn must_capture_in<G: EngineGrid>(scene: &Scene<'_, G>) -> bool {
    !(scene.men & scene.jumps_of_men().any).is_empty() || !scene.capturing_kings().is_empty()
}
