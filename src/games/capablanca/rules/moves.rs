//! Legal moves.

use super::{
    man::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN},
    ply::{Ply, Way},
    position::{Outcome, Position, SQUARES_MAX},
};
use crate::games::grid::{Grid, OFF};

/// Whether a man of `side` attacks `square` on this board.
fn is_attacked(grid: &Grid, men: &[u8; SQUARES_MAX], square: u8, side: u8) -> bool {
    let at = |square: u8| men.get(usize::from(square)).copied().unwrap_or(NONE);
    let is_theirs = |man: u8| man != NONE && man::side(man) == side;
    for &from in grid.leaps(square) {
        let found = at(from);
        if is_theirs(found) && man::is_leaper(man::role(found)) {
            return true;
        }
    }
    // Pawns attack from behind, as their side sees it.
    let behind = if side == 0 { [3, 5] } else { [7, 1] };
    for direction in 0..8 {
        let mut from = grid.step(square, direction);
        let mut is_near = true;
        while from != OFF {
            let found = at(from);
            if found != NONE {
                let role = man::role(found);
                let slides = if direction & 1 == 0 {
                    man::is_straight(role)
                } else {
                    man::is_diagonal(role)
                };
                let reaches = slides
                    || is_near && (role == KING || role == PAWN && behind.contains(&direction));
                if is_theirs(found) && reaches {
                    return true;
                }
                break;
            }
            from = grid.step(from, direction);
            is_near = false;
        }
    }
    false
}

impl Position {
    /// Whether the king of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.is_in_check(self.turn)
    }

    /// Whether the king of a side (0 White, 1 Black) is attacked.
    pub fn is_in_check(&self, side: u8) -> bool {
        let king = self.kings[usize::from(side & 1)];
        king != OFF && is_attacked(self.grid(), &self.men, king, side ^ 1)
    }

    /// All legal moves.
    pub fn legal(&self) -> Vec<Ply> {
        let mut plies = Vec::with_capacity(64);
        self.legal_into(&mut plies);
        plies
    }

    /// Appends all legal moves.
    pub fn legal_into(&self, plies: &mut Vec<Ply>) {
        let check = self.is_check();
        for from in 0..self.grid().squares() {
            let man = self.men[usize::from(from)];
            if man != NONE && man::side(man) == self.turn {
                self.legal_from(from, check, plies);
            }
        }
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: Ply) -> bool {
        let man = self.at(ply.from);
        if man == NONE || man::side(man) != self.turn {
            return false;
        }
        let mut plies = Vec::with_capacity(32);
        self.legal_from(ply.from, self.is_check(), &mut plies);
        plies.contains(&ply)
    }

    /// Appends the legal moves of the man on a square, which is the mover's.
    fn legal_from(&self, from: u8, check: bool, plies: &mut Vec<Ply>) {
        let grid = self.grid();
        let role = man::role(self.men[usize::from(from)]);
        let start = plies.len();
        if role == PAWN {
            self.pawn_moves(from, check, plies);
            return;
        }
        let mut offer = |to: u8| {
            let target = self.men[usize::from(to)];
            if (target == NONE || man::side(target) != self.turn)
                && self.is_safe(from, to, OFF, check)
            {
                plies.push(Ply::plain(from, to));
            }
            target == NONE
        };
        if man::is_leaper(role) {
            for &to in grid.leaps(from) {
                if to != OFF {
                    offer(to);
                }
            }
        }
        for direction in 0..8 {
            let slides = if direction & 1 == 0 {
                man::is_straight(role)
            } else {
                man::is_diagonal(role)
            };
            let mut to = grid.step(from, direction);
            if slides {
                while to != OFF && offer(to) {
                    to = grid.step(to, direction);
                }
            } else if role == KING && to != OFF {
                offer(to);
            }
        }
        if role == KING && !check {
            self.castlings(from, plies);
        }
        self.gatings(from, start, plies);
    }

    fn pawn_moves(&self, from: u8, check: bool, plies: &mut Vec<Ply>) {
        let grid = self.grid();
        let (ahead, sides, second, last) = if self.turn == 0 {
            (0, [7, 1], 1, grid.ranks - 1)
        } else {
            (4, [5, 3], grid.ranks - 2, 0)
        };
        let mut push = |to: u8, taken: u8| {
            if !self.is_safe(from, to, taken, check) {
                return;
            }
            if grid.rank(to) == last {
                plies.extend(self.facts.promotions.iter().map(|&role| Ply {
                    from,
                    to,
                    way: Way::Promotion(role),
                }));
            } else {
                plies.push(Ply::plain(from, to));
            }
        };
        let to = grid.step(from, ahead);
        if to != OFF && self.men[usize::from(to)] == NONE {
            push(to, OFF);
            let further = grid.step(to, ahead);
            if grid.rank(from) == second && self.men[usize::from(further)] == NONE {
                push(further, OFF);
            }
        }
        for direction in sides {
            let to = grid.step(from, direction);
            if to == OFF {
                continue;
            }
            let target = self.men[usize::from(to)];
            if target != NONE && man::side(target) != self.turn {
                push(to, OFF);
            } else if to == self.passed {
                push(to, grid.at(grid.file(to), grid.rank(from)));
            }
        }
    }

    /// Whether the mover's king is safe after a man went `from` → `to` and the
    /// man on `taken` (another square than `to`, or [`OFF`]) is gone.
    fn is_safe(&self, from: u8, to: u8, taken: u8, check: bool) -> bool {
        let grid = self.grid();
        let king = self.kings[usize::from(self.turn)];
        if king == OFF {
            return true;
        }
        if !check && from != king && taken == OFF && !grid.in_line(king, from) {
            return true;
        }
        let mut men = self.men;
        men[usize::from(to)] = men[usize::from(from)];
        men[usize::from(from)] = NONE;
        if taken != OFF {
            men[usize::from(taken)] = NONE;
        }
        let king = if from == king { to } else { king };
        !is_attacked(grid, &men, king, self.turn ^ 1)
    }

    /// Castling (FIDE Laws 3.8 and Guidelines II.2, with other files): nothing
    /// stands on the ways of king and rook, and the king is attacked on no
    /// square of its way.
    fn castlings(&self, king: u8, plies: &mut Vec<Ply>) {
        let grid = self.grid();
        let between = |a: u8, b: u8| a.min(b)..=a.max(b);
        for rook in self.rooks[usize::from(self.turn)] {
            if rook == OFF {
                continue;
            }
            let (king_to, rook_to) = self.castled(king, rook);
            let is_free = between(king, king_to)
                .chain(between(rook, rook_to))
                .all(|square| {
                    square == king || square == rook || self.men[usize::from(square)] == NONE
                });
            if !is_free {
                continue;
            }
            let mut men = self.men;
            men[usize::from(king)] = NONE;
            let mut is_walk_safe = between(king, king_to)
                .filter(|&square| square != king && square != king_to)
                .all(|square| !is_attacked(grid, &men, square, self.turn ^ 1));
            men[usize::from(rook)] = NONE;
            men[usize::from(rook_to)] = self.men[usize::from(rook)];
            is_walk_safe &= !is_attacked(grid, &men, king_to, self.turn ^ 1);
            if is_walk_safe {
                let (from, to, way) = (king, rook, Way::Castling);
                plies.push(Ply { from, to, way });
            }
        }
    }

    /// Doubles the moves from `start` on by those that bring a man in as well.
    /// What comes in neither parries a check nor covers a pin: the move must be
    /// legal without it.
    fn gatings(&self, from: u8, start: usize, plies: &mut Vec<Ply>) {
        let side = usize::from(self.turn);
        let grid = self.grid();
        if self.gates[side] == 0 || grid.rank(from) != self.first_rank(self.turn) {
            return;
        }
        let is_open = |square: u8| self.gates[side] >> (grid.file(square) & 7) & 1 == 1;
        for index in start..plies.len() {
            let ply = plies[index];
            for role in [ARCHBISHOP, CHANCELLOR] {
                if !self.has_in_reserve(self.turn, role) {
                    continue;
                }
                let mut push = |way| plies.push(Ply { way, ..ply });
                if ply.way != Way::Castling {
                    if is_open(from) {
                        push(Way::Gating(role));
                    }
                    continue;
                }
                let (king_to, rook_to) = self.castled(ply.from, ply.to);
                for (square, at_rook) in [(ply.from, false), (ply.to, true)] {
                    if is_open(square) && square != king_to && square != rook_to {
                        push(Way::CastlingGating { role, at_rook });
                    }
                }
            }
        }
    }

    /// Whether a pawn can legally take in passing.
    pub(super) fn can_take_passed(&self) -> bool {
        let grid = self.grid();
        let behind = if self.turn == 0 { [3, 5] } else { [1, 7] };
        let ours = man::of(self.turn, PAWN);
        self.passed != OFF
            && behind.into_iter().any(|direction| {
                let from = grid.step(self.passed, direction);
                from != OFF && self.men[usize::from(from)] == ours && {
                    let taken = grid.at(grid.file(self.passed), grid.rank(from));
                    self.is_safe(from, self.passed, taken, true)
                }
            })
    }

    /// How the game has ended, if the side to move has no legal move.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.legal().is_empty() {
            return None;
        }
        Some(if self.is_check() {
            Outcome::Won(self.turn ^ 1)
        } else {
            Outcome::Draw
        })
    }
}
