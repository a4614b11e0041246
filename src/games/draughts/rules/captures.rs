//! Captures: a search over jumps, kept to the best under the rules' priority.

use std::collections::HashMap;

use super::{
    Landing, Priority, Promotion, Removal,
    generate::{EngineMove, JumpSquares, SideView, directions_of, each_direction},
    grid::{CellSet, EngineGrid},
};
use crate::games::BudgetExceeded;

/// From this many jumps on, what was seen is remembered. Ordinary positions
/// need a handful, and remembering costs more than looking again.
const FORGETFUL_NODES: u32 = 2_000;

/// A point of a capture from which it can go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct CapturePoint<S> {
    captured: S,
    cell: u8,
    /// Directions in which it may go on.
    directions: u8,
    king: bool,
    /// Of the captured pieces, in the order of their capture, which were kings;
    /// kept where the priority asks for it.
    order: u32,
}

/// What was seen: by the cell of the beginning and the point, whether the capture
/// could go on.
type VisitedCaptures<S> = HashMap<(u8, CapturePoint<S>), bool, foldhash::fast::FixedState>;

/// The search of the captures of one position.
pub(crate) struct CaptureSearch<'s, 'r, G: EngineGrid> {
    scene: &'s SideView<'r, G>,
    /// Jumps still allowed.
    nodes: u32,
    seen: Option<VisitedCaptures<G::Set>>,
    from: u8,
    from_king: bool,
    occupied: G::Set,
    best: u64,
    start: usize,
    out: &'s mut Vec<EngineMove<G::Set>>,
}

/// Adds all captures, nothing if there are none; with `keep`, one for each path
/// instead of one for each set of captured pieces. `jumps` and `kings` are what
/// the scene says of men's first jumps and capturing kings. At most `budget` jumps are
/// looked at; `Err` leaves `out` as it was.
pub(crate) fn captures<G: EngineGrid>(
    scene: &SideView<'_, G>,
    jumps: &JumpSquares<G::Set>,
    kings: G::Set,
    keep: bool,
    budget: u32,
    out: &mut Vec<EngineMove<G::Set>>,
) -> Result<(), BudgetExceeded> {
    if (scene.men & jumps.any | kings).is_empty() {
        return Ok(());
    }
    let start = out.len();
    let mut hunt = CaptureSearch {
        scene,
        nodes: if keep {
            budget
        } else {
            budget.min(FORGETFUL_NODES)
        },
        seen: None,
        from: 0,
        from_king: false,
        occupied: scene.occupied,
        best: 0,
        start,
        out,
    };
    let mut result = hunt.all(jumps, kings);
    if result.is_err() && !keep && budget > FORGETFUL_NODES {
        hunt.seen = Some(HashMap::default());
        hunt.nodes = budget;
        hunt.best = 0;
        hunt.out.truncate(start);
        result = hunt.all(jumps, kings);
    }
    if result.is_err() {
        out.truncate(start);
        return result;
    }
    if !keep && out.len() > start + 1 {
        unique(out, start);
    }
    Ok(())
}

/// Leaves one of each: paths that differ only in their order are one move.
fn unique<S: CellSet>(out: &mut Vec<EngineMove<S>>, start: usize) {
    const FEW: usize = 24;
    // Paths that part and meet again jump two pieces at least.
    if out[start..].iter().all(|step| step.captured.count() < 2) {
        return;
    }
    if out.len() - start <= FEW {
        let mut kept = start;
        for index in start..out.len() {
            let step = out[index];
            if !out[start..kept].contains(&step) {
                out[kept] = step;
                kept += 1;
            }
        }
        out.truncate(kept);
    } else {
        let mut tail = out.split_off(start);
        tail.sort_unstable();
        tail.dedup();
        out.append(&mut tail);
    }
}

impl<G: EngineGrid> CaptureSearch<'_, '_, G> {
    fn all(&mut self, jumps: &JumpSquares<G::Set>, kings: G::Set) -> Result<(), BudgetExceeded> {
        let scene = self.scene;
        let mut kings = kings;
        while !kings.is_empty() {
            let point = self.begin(kings.lowest(), true);
            kings = kings.without_lowest();
            self.go_on(point, scene.foes, self.occupied)?;
        }
        if (scene.men & jumps.any).is_empty() {
            return Ok(());
        }
        let crowned_on_the_way = scene.rules.promotion == Promotion::Continue;
        each_direction!(scene.rules.men_capture.of_side(scene.turn), D => {
            let mut men = scene.men & jumps.by_direction[D];
            while !men.is_empty() {
                let from = men.lowest();
                men = men.without_lowest();
                let point = self.begin(from, false);
                let victim = G::after(D, G::Set::bit(from));
                let landing = G::after(D, victim);
                let crowned = !(landing & scene.last_row).is_empty();
                if (landing & jumps.any).is_empty() && !(crowned && crowned_on_the_way) {
                    let order = u32::from(!(victim & scene.foe_kings).is_empty());
                    self.end(landing.lowest(), victim, crowned, order);
                } else {
                    self.land(&point, D, victim, landing, scene.prey_of_men, self.occupied)?;
                }
            }
        });
        Ok(())
    }

    #[inline]
    fn begin(&mut self, from: u8, king: bool) -> CapturePoint<G::Set> {
        self.from = from;
        self.from_king = king;
        // The square it leaves is empty from the first jump on.
        self.occupied = self.scene.occupied & !G::Set::bit(from);
        CapturePoint {
            captured: G::Set::EMPTY,
            cell: from,
            directions: self.directions(king),
            king,
            order: 0,
        }
    }

    #[inline]
    fn directions(&self, king: bool) -> u8 {
        if king {
            self.scene.rules.kings_capture.0
        } else {
            self.scene.rules.men_capture.of_side(self.scene.turn)
        }
    }

    /// Takes a capture on from a point; whether that was possible.
    fn go_on(
        &mut self,
        point: CapturePoint<G::Set>,
        prey: G::Set,
        occupied: G::Set,
    ) -> Result<bool, BudgetExceeded> {
        if self.nodes == 0 {
            return Err(BudgetExceeded);
        }
        self.nodes -= 1;
        if let Some(seen) = &self.seen
            && let Some(&known) = seen.get(&(self.from, point))
        {
            return Ok(known);
        }
        let mut could = false;
        if point.king && self.scene.flying() {
            for direction in directions_of(point.directions) {
                let jump = SideView::<G>::jump(
                    self.scene.rules,
                    true,
                    direction,
                    point.cell,
                    prey,
                    occupied,
                );
                if let Some((victim, landings)) = jump {
                    could = true;
                    let victim = G::Set::bit(victim);
                    self.land(&point, direction, victim, landings, prey, occupied)?;
                }
            }
        } else {
            // Most captures of most games go through here: shifts, no tables.
            let here = G::Set::bit(point.cell);
            let empty = G::Set::narrow(G::CELLS) & !occupied;
            each_direction!(point.directions, D => {
                let victim = G::after(D, here) & prey;
                let landing = G::after(D, victim) & empty;
                if !landing.is_empty() {
                    could = true;
                    self.land(&point, D, victim, landing, prey, occupied)?;
                }
            });
        }
        if let Some(seen) = &mut self.seen {
            seen.insert((self.from, point), could);
        }
        Ok(could)
    }

    /// Tries every landing square of a jump. Only if the capture can go on from
    /// none of them may it end there (every code of rules: a capture must be
    /// completed).
    #[inline]
    fn land(
        &mut self,
        point: &CapturePoint<G::Set>,
        direction: usize,
        victim: G::Set,
        mut landings: G::Set,
        prey: G::Set,
        occupied: G::Set,
    ) -> Result<(), BudgetExceeded> {
        let rules = self.scene.rules;
        let victim_is_king = !(self.scene.foe_kings & victim).is_empty();
        let captured = point.captured | victim;
        let mut prey = prey & !victim;
        let occupied = match rules.removal {
            Removal::After => occupied,
            Removal::AtOnce => occupied & !victim,
        };
        let order = match rules.priority {
            Priority::Italian => point.order << 1 | u32::from(victim_is_king),
            _ => 0,
        };
        let nearest = G::nearest(direction, landings);
        let landings_all = landings;

        let mut king = point.king;
        if !king && self.scene.last_row.has(nearest) {
            match rules.promotion {
                Promotion::Pass => {}
                Promotion::Stop => {
                    self.end(nearest, captured, true, order);
                    return Ok(());
                }
                Promotion::Continue => {
                    king = true;
                    prey = self.scene.foes & !captured;
                }
            }
        }
        let mut directions = self.directions(king);
        // With removal at the end, what was just jumped bars the way back.
        if rules.removal == Removal::After || !rules.may_reverse {
            directions &= !(1 << (direction ^ 4));
        }

        // The way straight on leads from all landing squares to the same next
        // piece: it is followed from the nearest only, and counts for all.
        let mut could = false;
        let mut first = true;
        while !landings.is_empty() {
            let cell = if first {
                nearest
            } else {
                G::nearest(direction, landings)
            };
            landings &= !G::Set::bit(cell);
            let next = CapturePoint {
                captured,
                cell,
                directions: if first {
                    directions
                } else {
                    directions & !(1 << direction)
                },
                king,
                order,
            };
            could |= self.go_on(next, prey, occupied)?;
            first = false;
        }
        if could {
            return Ok(());
        }
        let only_nearest = rules.landing == Landing::BehindLastKing && victim_is_king;
        let mut ends = if only_nearest {
            G::Set::bit(nearest)
        } else {
            landings_all
        };
        while !ends.is_empty() {
            let cell = ends.lowest();
            ends = ends.without_lowest();
            let promotes = !self.from_king && (king || self.scene.last_row.has(cell));
            self.end(cell, captured, promotes, order);
        }
        Ok(())
    }

    /// A capture that is complete: kept if none is to be preferred.
    #[inline]
    fn end(&mut self, to: u8, captured: G::Set, promotes: bool, order: u32) {
        let rank = self.rank(captured, order);
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.out.truncate(self.start);
        }
        self.out.push(EngineMove {
            from: self.from,
            to,
            promotes,
            captured,
        });
    }

    /// What the rules compare: the greatest must be chosen.
    #[inline]
    fn rank(&self, captured: G::Set, order: u32) -> u64 {
        let count = u64::from(captured.count());
        let kings = || u64::from((captured & self.scene.foe_kings).count());
        let with_king = u64::from(self.from_king);
        match self.scene.rules.priority {
            Priority::Free => 0,
            Priority::Most => count,
            Priority::MostThenKings => count << 8 | kings(),
            Priority::Italian => count << 48 | with_king << 40 | kings() << 32 | u64::from(order),
            Priority::Value { man, king } => {
                let kings = kings();
                ((count - kings) * u64::from(man) + kings * u64::from(king)) << 1 | with_king
            }
            Priority::WithKing => with_king,
        }
    }
}
