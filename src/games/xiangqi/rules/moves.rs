//! Legal moves.

use super::{
    key::is_across,
    man::{self, ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, NONE, SOLDIER},
    pack::Ply,
    position::{Position, is_palace},
};
use crate::games::grid::{NINE, OFF, SQUARES_MAX};

/// Along which direction each leap of a horse begins: a man next to it on that
/// side blocks it.
const LEGS: [u8; 8] = [0, 2, 2, 4, 4, 6, 6, 0];

type Men = [u8; SQUARES_MAX];

fn at(men: &Men, square: u8) -> u8 {
    men.get(usize::from(square)).copied().unwrap_or(NONE)
}

/// The direction in which soldiers of a side go.
const fn ahead(side: u8) -> u8 {
    if side == 0 { 0 } else { 4 }
}

/// Whether a general on `square` could be taken by men of `side`, its face to
/// face on an open file included.
fn is_attacked(men: &Men, square: u8, side: u8) -> bool {
    for (leap, &from) in NINE.leaps(square).iter().enumerate() {
        if from != OFF && at(men, from) == man::of(side, HORSE) {
            let leg = NINE.step(from, LEGS[leap ^ 4]);
            if at(men, leg) == NONE {
                return true;
            }
        }
    }
    for direction in [0, 2, 4, 6] {
        let mut from = NINE.step(square, direction);
        let is_near = at(men, from) == man::of(side, SOLDIER);
        if is_near && (direction ^ 4 == ahead(side) || direction & 2 != 0 && is_across(side, from))
        {
            return true;
        }
        let mut screens = 0;
        while from != OFF && screens < 2 {
            let found = at(men, from);
            if found != NONE {
                let role = man::role(found);
                let attacks = match screens {
                    0 => role == CHARIOT || role == GENERAL && direction & 2 == 0,
                    _ => role == CANNON,
                };
                if attacks && man::side(found) == side {
                    return true;
                }
                screens += 1;
            }
            from = NINE.step(from, direction);
        }
    }
    false
}

impl Position {
    /// Whether the general of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.is_in_check(self.turn)
    }

    /// Whether the general of a side (0 Red, 1 Black) is attacked.
    pub fn is_in_check(&self, side: u8) -> bool {
        let general = self.generals[usize::from(side & 1)];
        general != OFF && is_attacked(&self.men, general, side ^ 1)
    }

    /// All legal moves.
    pub fn legal(&self) -> Vec<Ply> {
        let mut plies = Vec::with_capacity(64);
        self.legal_into(&mut plies);
        plies
    }

    /// Appends all legal moves.
    pub fn legal_into(&self, plies: &mut Vec<Ply>) {
        for (from, &man) in (0..).zip(&self.men) {
            if man != NONE && man::side(man) == self.turn {
                self.legal_from(from, plies);
            }
        }
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: Ply) -> bool {
        let man = self.at(ply.from);
        if man == NONE || man::side(man) != self.turn {
            return false;
        }
        let mut plies = Vec::with_capacity(20);
        self.legal_from(ply.from, &mut plies);
        plies.contains(&ply)
    }

    /// Appends the legal moves of the man on a square, which is the mover's.
    fn legal_from(&self, from: u8, plies: &mut Vec<Ply>) {
        let side = self.turn;
        let mut push = |to: u8| {
            let target = at(&self.men, to);
            if to != OFF && (target == NONE || man::side(target) != side) && self.is_safe(from, to)
            {
                plies.push(Ply { from, to });
            }
        };
        let steps = NINE.steps(from);
        match man::role(self.at(from)) {
            GENERAL => {
                for to in [steps[0], steps[2], steps[4], steps[6]] {
                    if to != OFF && is_palace(side, to) {
                        push(to);
                    }
                }
            }
            ADVISOR => {
                for to in [steps[1], steps[3], steps[5], steps[7]] {
                    if to != OFF && is_palace(side, to) {
                        push(to);
                    }
                }
            }
            ELEPHANT => {
                for direction in [1, 3, 5, 7] {
                    let eye = steps[usize::from(direction)];
                    let to = NINE.step(eye, direction);
                    if at(&self.men, eye) == NONE && to != OFF && !is_across(side, to) {
                        push(to);
                    }
                }
            }
            HORSE => {
                for (leap, &to) in NINE.leaps(from).iter().enumerate() {
                    if at(&self.men, NINE.step(from, LEGS[leap])) == NONE {
                        push(to);
                    }
                }
            }
            SOLDIER => {
                push(steps[usize::from(ahead(side))]);
                if is_across(side, from) {
                    push(steps[2]);
                    push(steps[6]);
                }
            }
            role => {
                for direction in [0, 2, 4, 6] {
                    self.slide(from, direction, role == CANNON, &mut push);
                }
            }
        }
    }

    /// Where a chariot or a cannon goes in a direction.
    fn slide(&self, from: u8, direction: u8, is_cannon: bool, push: &mut impl FnMut(u8)) {
        let mut to = NINE.step(from, direction);
        while to != OFF && at(&self.men, to) == NONE {
            push(to);
            to = NINE.step(to, direction);
        }
        if is_cannon && to != OFF {
            to = NINE.step(to, direction);
            while to != OFF && at(&self.men, to) == NONE {
                to = NINE.step(to, direction);
            }
        }
        push(to);
    }

    /// Whether the mover's general is safe after a move.
    fn is_safe(&self, from: u8, to: u8) -> bool {
        let general = self.generals[usize::from(self.turn)];
        if general == OFF {
            return true;
        }
        let mut men = self.men;
        men[usize::from(to)] = men[usize::from(from)];
        men[usize::from(from)] = NONE;
        let general = if from == general { to } else { general };
        !is_attacked(&men, general, self.turn ^ 1)
    }
}

/// Leaves of the tree of all legal moves of this depth; the last moves are
/// counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let plies = position.legal();
    if depth == 1 {
        return plies.len() as u64;
    }
    let after = |&ply: &Ply| {
        let mut next = *position;
        next.play(ply);
        perft(&next, depth - 1)
    };
    plies.iter().map(after).sum()
}
