//! Captures of positions that have too many to compare: the first that fits.

use super::{
    DraughtsMove, DraughtsPosition, DraughtsRules, Promotion, Removal,
    generate::{SideView, directions_of},
    grid::{CellSet, EngineGrid, on_grid},
};
use crate::games::Budget;

/// A capture that begins and ends on the first and the last of the cells and
/// takes `taken` where that is known: one that lands on just those between, or
/// else the first one found that lands on them all and whose end allows no
/// further jump. Whether another has to be preferred is not looked at. For
/// positions whose captures exceed every budget.
pub fn any_capture(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    cells: &[u8],
    taken: Option<u128>,
    budget: Budget,
) -> Option<DraughtsMove> {
    on_grid!(rules.board, search(position, rules, cells, taken, budget.0))
}

fn search<G: EngineGrid>(
    position: &DraughtsPosition,
    rules: &DraughtsRules,
    cells: &[u8],
    taken: Option<u128>,
    budget: u32,
) -> Option<DraughtsMove> {
    let (&from, rest) = cells.split_first()?;
    let (&to, between) = rest.split_last()?;
    let scene = SideView::<G>::new(rules, &position.narrow());
    let king = scene.kings.has(from);
    if !king && !scene.men.has(from) {
        return None;
    }
    let prey = taken.map_or(scene.foes, |taken| scene.foes & G::Set::narrow(taken));
    let occupied = scene.occupied & !G::Set::bit(from);
    let search = |way: Option<&[u8]>| {
        let mut search = PathSearch {
            scene: &scene,
            to,
            between: between.iter().fold(0, |set, &cell| set | 1_u128 << cell),
            way,
            all: taken.is_some(),
            nodes: budget,
        };
        search.go_on(from, king, 0xff, prey, occupied, (0, 0))
    };
    let exact = (!between.is_empty()).then(|| search(Some(rest))).flatten();
    let (left, crowned) = exact.or_else(|| search(None))?;
    Some(DraughtsMove {
        from,
        to,
        promotes: !king && crowned,
        captured: (prey & !left).wide(),
    })
}

struct PathSearch<'s, 'r, G: EngineGrid> {
    scene: &'s SideView<'r, G>,
    to: u8,
    /// Where it has to land on the way.
    between: u128,
    /// Where it lands after each jump, if that is known.
    way: Option<&'s [u8]>,
    /// Whether all prey has to be taken.
    all: bool,
    nodes: u32,
}

impl<G: EngineGrid> PathSearch<'_, '_, G> {
    /// What is left of the prey, and whether the piece is a king, where a
    /// capture that fits ends.
    fn go_on(
        &mut self,
        cell: u8,
        king: bool,
        allowed: u8,
        prey: G::Set,
        occupied: G::Set,
        (landed, jumps): (u128, usize),
    ) -> Option<(G::Set, bool)> {
        self.nodes = self.nodes.checked_sub(1)?;
        let scene = self.scene;
        let rules = scene.rules;
        let flying = king && scene.flying();
        let directions = if king {
            rules.kings_capture.0
        } else {
            rules.men_capture.of_side(scene.turn)
        };
        let mine = if king { prey } else { prey & scene.prey_of_men };
        let mut could = false;
        for direction in directions_of(directions & allowed) {
            let jump = SideView::<G>::jump(rules, flying, direction, cell, mine, occupied);
            let Some((victim, mut landings)) = jump else {
                continue;
            };
            could = true;
            let prey = prey & !G::Set::bit(victim);
            let mut occupied = occupied;
            if rules.removal == Removal::AtOnce {
                occupied &= !G::Set::bit(victim);
            }
            let mut allowed = 0xff;
            if rules.removal == Removal::After || !rules.may_reverse {
                allowed &= !(1 << (direction ^ 4));
            }
            while !landings.is_empty() {
                let landing = G::nearest(direction, landings);
                landings &= !G::Set::bit(landing);
                let crowned =
                    king || scene.last_row.has(landing) && rules.promotion == Promotion::Continue;
                let landed = (landed | 1 << landing, jumps + 1);
                let leads_on = |way: &[u8]| way.get(jumps) == Some(&landing);
                if self.way.is_none_or(leads_on) {
                    let found = self.go_on(landing, crowned, allowed, prey, occupied, landed);
                    if found.is_some() || self.nodes == 0 {
                        return found;
                    }
                }
                // Straight on is gone from the nearest landing square only; a way
                // that is known may name any.
                if self.way.is_none() {
                    allowed &= !(1 << direction);
                }
            }
        }
        let fits = !could
            && jumps > 0
            && self.way.is_none_or(|way| way.len() == jumps)
            && cell == self.to
            && self.between & !landed == 0
            && (!self.all || prey.is_empty());
        fits.then(|| (prey, king || scene.last_row.has(cell)))
    }
}
