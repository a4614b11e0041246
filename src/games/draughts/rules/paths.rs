//! The ways a capture can go, for those who write or read its squares.

use super::{
    DraughtsBoard, DraughtsMove, DraughtsPosition, DraughtsRules, Promotion, Removal,
    generate::{SideView, directions_of},
    grid::{CellSet, EngineGrid, on_grid},
};
use crate::games::{Budget, BudgetExceeded};

/// One way of a capture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CapturePath {
    /// The cell it starts on.
    pub from: u8,
    /// Where it lands after each jump; the last is where it ends. Between jumps
    /// straight on it lands directly behind what it took.
    pub landings: Vec<u8>,
    /// What it takes, in this order.
    pub taken: Vec<u8>,
}

impl CapturePath {
    /// All cells it touches: start, landings, captured pieces and the empty
    /// squares between.
    pub fn touched(&self, board: DraughtsBoard) -> u128 {
        let mut set = 1_u128 << self.from;
        let mut here = self.from;
        for (&landing, &taken) in self.landings.iter().zip(&self.taken) {
            // The piece lies on the line, which gives its direction.
            for direction in 0..8 {
                let mut line = 0;
                let mut cell = here;
                while let Some(next) = board.step(cell, direction) {
                    line |= 1 << next;
                    cell = next;
                    if cell == landing {
                        break;
                    }
                }
                if cell == landing && line >> taken & 1 == 1 {
                    set |= line;
                }
            }
            here = landing;
        }
        set
    }
}

/// Shows each way of a capture, until `stop` says that it has seen enough
/// (`true`); whether it did. Moves that take nothing have one way, their own.
///
/// # Errors
///
/// [`BudgetExceeded`] if there are too many ways to look at them all.
pub fn each_path(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    wanted: &DraughtsMove,
    budget: Budget,
    mut stop: impl FnMut(&CapturePath) -> bool,
) -> Result<bool, BudgetExceeded> {
    on_grid!(
        rules.board,
        walk(position, rules, wanted, budget, &mut stop)
    )
}

/// The first way of a capture, `None` if the move is not one of the position.
///
/// # Errors
///
/// [`BudgetExceeded`] if it was not found in time.
pub fn first_path(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    wanted: &DraughtsMove,
    budget: Budget,
) -> Result<Option<CapturePath>, BudgetExceeded> {
    let mut found = None;
    each_path(position, rules, wanted, budget, |path| {
        found = Some(path.clone());
        true
    })?;
    Ok(found)
}

fn walk<G: EngineGrid>(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    wanted: &DraughtsMove,
    budget: Budget,
    stop: &mut dyn FnMut(&CapturePath) -> bool,
) -> Result<bool, BudgetExceeded> {
    let mut path = CapturePath {
        from: wanted.from,
        ..CapturePath::default()
    };
    if !wanted.is_capture() {
        path.landings.push(wanted.to);
        return Ok(stop(&path));
    }
    let scene = SideView::<G>::new(rules, &position.narrow());
    let king = scene.kings.has(wanted.from);
    let mut walk = CapturePaths {
        scene: &scene,
        wanted,
        was_king: king,
        nodes: budget.0,
        path,
        stop,
    };
    let occupied = scene.occupied & !G::Set::bit(wanted.from);
    walk.go_on(
        wanted.from,
        king,
        0xff,
        G::Set::narrow(wanted.captured),
        occupied,
    )
}

struct CapturePaths<'w, 'r, G: EngineGrid> {
    scene: &'w SideView<'r, G>,
    wanted: &'w DraughtsMove,
    was_king: bool,
    nodes: u32,
    path: CapturePath,
    stop: &'w mut dyn FnMut(&CapturePath) -> bool,
}

impl<G: EngineGrid> CapturePaths<'_, '_, G> {
    fn go_on(
        &mut self,
        cell: u8,
        king: bool,
        allowed: u8,
        left: G::Set,
        occupied: G::Set,
    ) -> Result<bool, BudgetExceeded> {
        self.nodes = self.nodes.checked_sub(1).ok_or(BudgetExceeded)?;
        let scene = self.scene;
        let rules = scene.rules;
        let directions = if king {
            rules.kings_capture.0
        } else {
            rules.men_capture.of_side(scene.turn)
        };
        let flying = king && scene.flying();
        let prey = if king { left } else { left & scene.prey_of_men };
        for direction in directions_of(directions & allowed) {
            let jump = SideView::<G>::jump(rules, flying, direction, cell, prey, occupied);
            let Some((victim, mut landings)) = jump else {
                continue;
            };
            let left = left & !G::Set::bit(victim);
            let mut occupied = occupied;
            if rules.removal == Removal::AtOnce {
                occupied &= !G::Set::bit(victim);
            }
            let mut allowed = 0xff;
            if rules.removal == Removal::After || !rules.may_reverse {
                allowed &= !(1 << (direction ^ 4));
            }
            self.path.taken.push(victim);
            while !landings.is_empty() {
                let landing = G::nearest(direction, landings);
                landings &= !G::Set::bit(landing);
                let on_last_row = scene.last_row.has(landing);
                let crowned = king || on_last_row && rules.promotion == Promotion::Continue;
                self.path.landings.push(landing);
                let stopped = if left.is_empty() {
                    let promotes = !self.was_king && (crowned || on_last_row);
                    landing == self.wanted.to
                        && promotes == self.wanted.promotes
                        && (self.stop)(&self.path)
                } else if on_last_row && !king && rules.promotion == Promotion::Stop {
                    false
                } else {
                    self.go_on(landing, crowned, allowed, left, occupied)?
                };
                self.path.landings.pop();
                if stopped {
                    return Ok(true);
                }
                // Straight on is gone from the nearest landing square only.
                allowed &= !(1 << direction);
            }
            self.path.taken.pop();
        }
        Ok(false)
    }
}
