//! Moves without capture, and whether there are captures at all.

use super::{
    Directions, DraughtsRules, Landing, Priority, Promotion, Reach,
    grid::{CellSet, EngineGrid},
    position::DraughtsState,
};

/// A move in the engine's own width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EngineMove<S> {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotes: bool,
    pub(crate) captured: S,
}

/// The cells from which a man of the side to move could jump, whether one is
/// there or not, by direction and in any.
///
/// A man that has jumped can go on just if it has landed on such a cell: neither
/// the cell it left nor that of the captured piece is at the distance of a jump
/// in another direction, so the first jump changes nothing for the second.
pub(crate) struct JumpSquares<S> {
    pub(crate) by_direction: [S; 8],
    pub(crate) any: S,
}

/// A position as the side to move sees it, under its rules.
pub(crate) struct SideView<'r, G: EngineGrid> {
    pub(crate) rules: &'r DraughtsRules,
    pub(crate) men: G::Set,
    pub(crate) kings: G::Set,
    pub(crate) foes: G::Set,
    pub(crate) foe_kings: G::Set,
    /// What men may take.
    pub(crate) prey_of_men: G::Set,
    pub(crate) occupied: G::Set,
    pub(crate) empty: G::Set,
    pub(crate) last_row: G::Set,
    pub(crate) turn: u8,
}

/// Runs a block once for each direction of a set, the direction a constant in
/// each: then steps are shifts by constants.
macro_rules! each_direction {
    ($directions:expr, $direction:ident => $block:block) => {
        each_direction!(@ $directions, $direction, $block, 0 1 2 3 4 5 6 7)
    };
    (@ $directions:expr, $direction:ident, $block:block, $($number:literal)*) => {{
        let directions: u8 = $directions;
        $(if directions & (1 << $number) != 0 {
            const $direction: usize = $number;
            $block
        })*
    }};
}

pub(crate) use each_direction;

/// The numbers of the bits of a set of directions.
#[inline]
pub(crate) fn directions_of(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let direction = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (direction < 8).then_some(direction)
    })
}

impl<'r, G: EngineGrid> SideView<'r, G> {
    #[inline]
    pub(crate) fn new(rules: &'r DraughtsRules, state: &DraughtsState<G::Set>) -> Self {
        let DraughtsState {
            men,
            kings,
            foe_men,
            foe_kings,
            turn,
        } = *state;
        let foes = foe_men | foe_kings;
        let occupied = men | kings | foes;
        Self {
            rules,
            men,
            kings,
            foes,
            foe_kings,
            prey_of_men: if rules.men_take_kings { foes } else { foe_men },
            occupied,
            empty: G::Set::narrow(G::CELLS) & !occupied,
            last_row: G::Set::narrow(G::LAST_ROW[usize::from(turn & 1)]),
            turn,
        }
    }

    /// Where men's jumps begin.
    #[inline]
    pub(crate) fn jumps_of_men(&self) -> JumpSquares<G::Set> {
        let mut jumps = JumpSquares {
            by_direction: [G::Set::EMPTY; 8],
            any: G::Set::EMPTY,
        };
        each_direction!(self.rules.men_capture.of_side(self.turn), D => {
            let before = G::before(D, self.prey_of_men & G::before(D, self.empty));
            jumps.by_direction[D] = before;
            jumps.any |= before;
        });
        jumps
    }

    /// Whether any man can jump.
    #[inline]
    pub(crate) fn can_men_jump(&self) -> bool {
        let directions = self.rules.men_capture.of_side(self.turn);
        let mut any = G::Set::EMPTY;
        if directions == Directions::DIAGONAL.0 {
            // The most frequent set, without asking for each direction.
            each_direction!(Directions::DIAGONAL.0, D => {
                any |= G::before(D, self.prey_of_men & G::before(D, self.empty));
            });
        } else {
            each_direction!(directions, D => {
                any |= G::before(D, self.prey_of_men & G::before(D, self.empty));
            });
        }
        !(self.men & any).is_empty()
    }

    /// The number of captures if each is one jump of a man, and none to be
    /// preferred; `None` if that takes a search to know.
    #[inline]
    pub(crate) fn count_single_jumps(&self, jumps: &JumpSquares<G::Set>) -> Option<u64> {
        let ranked_by_prey = !matches!(self.rules.priority, Priority::Free | Priority::Most);
        if ranked_by_prey && !self.foe_kings.is_empty() {
            return None;
        }
        let mut going_on = jumps.any;
        if self.rules.promotion == Promotion::Continue {
            going_on |= self.last_row;
        }
        let mut count = 0;
        each_direction!(self.rules.men_capture.of_side(self.turn), D => {
            let movers = self.men & jumps.by_direction[D];
            if !(G::after(D, G::after(D, movers)) & going_on).is_empty() {
                return None;
            }
            count += movers.count();
        });
        Some(u64::from(count))
    }

    /// What a piece on `cell` can jump in a direction, and where it can land.
    #[inline]
    pub(crate) fn jump(
        rules: &DraughtsRules,
        flying: bool,
        direction: usize,
        cell: u8,
        prey: G::Set,
        occupied: G::Set,
    ) -> Option<(u8, G::Set)> {
        let ray = G::ray(direction, cell);
        let ahead = if flying { ray & occupied } else { ray };
        if ahead.is_empty() {
            return None;
        }
        let victim = G::nearest(direction, ahead);
        if !prey.has(victim) {
            return None;
        }
        let behind = G::ray(direction, victim);
        if behind.is_empty() {
            return None;
        }
        let next = G::nearest(direction, behind);
        if occupied.has(next) {
            return None;
        }
        if !flying || rules.landing == Landing::Behind {
            return Some((victim, G::Set::bit(next)));
        }
        Some((victim, Self::up_to_blocker(direction, behind, occupied)))
    }

    /// The part of a ray before the first piece on it.
    #[inline]
    fn up_to_blocker(direction: usize, ray: G::Set, occupied: G::Set) -> G::Set {
        let blockers = ray & occupied;
        if blockers.is_empty() {
            return ray;
        }
        let blocker = G::nearest(direction, blockers);
        ray & !G::ray(direction, blocker) & !G::Set::bit(blocker)
    }

    /// Whether kings fly.
    #[inline]
    pub(crate) fn flying(&self) -> bool {
        self.rules.reach == Reach::Flying
    }

    /// The kings that can capture.
    #[inline]
    pub(crate) fn capturing_kings(&self) -> G::Set {
        let mut capturing = G::Set::EMPTY;
        if self.kings.is_empty() {
            return capturing;
        }
        let directions = self.rules.kings_capture.0;
        if !self.flying() {
            each_direction!(directions, D => {
                capturing |= self.kings & G::before(D, self.foes & G::before(D, self.empty));
            });
            return capturing;
        }
        let mut kings = self.kings;
        while !kings.is_empty() {
            let cell = kings.lowest();
            kings = kings.without_lowest();
            let jumps = |direction| {
                Self::jump(self.rules, true, direction, cell, self.foes, self.occupied).is_some()
            };
            if directions_of(directions).any(jumps) {
                capturing |= G::Set::bit(cell);
            }
        }
        capturing
    }

    /// Where a flying king can go without capture.
    #[inline]
    fn king_targets(&self, cell: u8) -> G::Set {
        let mut targets = G::Set::EMPTY;
        for direction in directions_of(self.rules.kings_move.0) {
            targets |= Self::up_to_blocker(direction, G::ray(direction, cell), self.occupied);
        }
        targets
    }

    /// Adds all moves without capture.
    pub(crate) fn quiet(&self, out: &mut Vec<EngineMove<G::Set>>) {
        each_direction!(self.rules.men_move.of_side(self.turn), D => {
            self.steps(D, self.men, true, out);
        });
        if self.kings.is_empty() {
            return;
        }
        if !self.flying() {
            each_direction!(self.rules.kings_move.0, D => {
                self.steps(D, self.kings, false, out);
            });
            return;
        }
        let mut kings = self.kings;
        while !kings.is_empty() {
            let from = kings.lowest();
            kings = kings.without_lowest();
            let mut targets = self.king_targets(from);
            while !targets.is_empty() {
                out.push(EngineMove {
                    from,
                    to: targets.lowest(),
                    promotes: false,
                    captured: G::Set::EMPTY,
                });
                targets = targets.without_lowest();
            }
        }
    }

    #[allow(clippy::inline_always)] // the direction is a constant of each call
    #[inline(always)]
    fn steps(&self, direction: usize, set: G::Set, men: bool, out: &mut Vec<EngineMove<G::Set>>) {
        let mut movers = set & G::before(direction, self.empty);
        while !movers.is_empty() {
            let from = movers.lowest();
            movers = movers.without_lowest();
            let to = (from as i8 + G::STEP[direction]) as u8;
            out.push(EngineMove {
                from,
                to,
                promotes: men && self.last_row.has(to),
                captured: G::Set::EMPTY,
            });
        }
    }

    /// Number of moves without capture.
    #[inline]
    pub(crate) fn count_quiet(&self) -> u64 {
        let mut count = 0;
        each_direction!(self.rules.men_move.of_side(self.turn), D => {
            count += (self.men & G::before(D, self.empty)).count();
        });
        if self.kings.is_empty() {
            return u64::from(count);
        }
        if self.flying() {
            let mut kings = self.kings;
            while !kings.is_empty() {
                count += self.king_targets(kings.lowest()).count();
                kings = kings.without_lowest();
            }
        } else {
            each_direction!(self.rules.kings_move.0, D => {
                count += (self.kings & G::before(D, self.empty)).count();
            });
        }
        u64::from(count)
    }
}
