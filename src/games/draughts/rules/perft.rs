//! Counting the positions that can be reached: the test of any rules.

use super::{
    DraughtsPosition, DraughtsRules,
    captures::captures,
    generate::{EngineMove, SideView, each_direction},
    grid::{CellSet, EngineGrid, on_grid},
    position::DraughtsState,
};
use crate::games::{Budget, BudgetExceeded, Counting};

/// Leaves of the tree of all legal moves of this depth; the last moves are
/// counted, not played. Goals other than being without a move are not considered.
///
/// # Errors
///
/// [`BudgetExceeded`] if the captures of any one position are too many.
pub fn perft(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    depth: u32,
    counting: Counting,
    budget: Budget,
) -> Result<u64, BudgetExceeded> {
    on_grid!(
        rules.board,
        count_from(position, rules, depth, counting, budget)
    )
}

fn count_from<G: EngineGrid>(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    depth: u32,
    counting: Counting,
    budget: Budget,
) -> Result<u64, BudgetExceeded> {
    if depth == 0 {
        return Ok(1);
    }
    let mut counter = PerftCounter::<G> {
        rules,
        keep: counting == Counting::Keep,
        budget: budget.0,
        steps: Vec::with_capacity(256),
    };
    counter.count(&position.narrow(), depth)
}

struct PerftCounter<'r, G: EngineGrid> {
    rules: &'r DraughtsRules,
    keep: bool,
    budget: u32,
    /// The moves of all positions on the way, one after the other.
    steps: Vec<EngineMove<G::Set>>,
}

impl<G: EngineGrid> PerftCounter<'_, G> {
    fn count(&mut self, state: &DraughtsState<G::Set>, depth: u32) -> Result<u64, BudgetExceeded> {
        let scene = SideView::<G>::new(self.rules, state);
        let start = self.steps.len();
        let (jumps, kings) = (scene.jumps_of_men(), scene.capturing_kings());
        if (scene.men & jumps.any | kings).is_empty() {
            if depth == 1 {
                return Ok(scene.count_quiet());
            }
            if scene.kings.is_empty() {
                return self.count_steps_of_men(&scene, state, depth);
            }
            scene.quiet(&mut self.steps);
        } else {
            if depth == 1
                && kings.is_empty()
                && let Some(count) = scene.count_single_jumps(&jumps)
            {
                return Ok(count);
            }
            captures(
                &scene,
                &jumps,
                kings,
                self.keep,
                self.budget,
                &mut self.steps,
            )?;
        }
        let end = self.steps.len();
        if depth == 1 {
            self.steps.truncate(start);
            return Ok((end - start) as u64);
        }
        let mut count = 0;
        for index in start..end {
            let step = self.steps[index];
            let next = state.play(step.from, step.to, step.promotes, step.captured);
            count += self.count(&next, depth - 1)?;
        }
        self.steps.truncate(start);
        Ok(count)
    }

    /// Men's steps played straight off their bits, without a list: by far the most
    /// moves of all.
    #[inline]
    fn count_steps_of_men(
        &mut self,
        scene: &SideView<'_, G>,
        state: &DraughtsState<G::Set>,
        depth: u32,
    ) -> Result<u64, BudgetExceeded> {
        let mut count = 0;
        each_direction!(self.rules.men_move.of_side(scene.turn), D => {
            let mut movers = scene.men & G::before(D, scene.empty);
            while !movers.is_empty() {
                let from = movers.lowest();
                movers = movers.without_lowest();
                let to = (from as i8 + G::STEP[D]) as u8;
                let next = state.play(from, to, scene.last_row.has(to), G::Set::EMPTY);
                count += if depth == 2 {
                    self.count_leaves(&next)?
                } else {
                    self.count(&next, depth - 1)?
                };
            }
        });
        Ok(count)
    }

    /// The moves of a position, as [`Self::count`] has them for depth 1.
    #[inline]
    fn count_leaves(&mut self, state: &DraughtsState<G::Set>) -> Result<u64, BudgetExceeded> {
        let scene = SideView::<G>::new(self.rules, state);
        if scene.kings.is_empty() {
            // Most positions have no capture: seen without keeping where they begin.
            if !scene.can_men_jump() {
                return Ok(scene.count_quiet());
            }
            if let Some(count) = scene.count_single_jumps(&scene.jumps_of_men()) {
                return Ok(count);
            }
        }
        self.count(state, 1)
    }
}
