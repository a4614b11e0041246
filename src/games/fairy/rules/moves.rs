//! Legal moves.

use super::{
    facts::{KnightLeap, Pawns, Reserve},
    piece::{self, ARCHBISHOP, CHANCELLOR, KING, NONE, PAWN, ROLES},
    ply::{FairyPly, FairyPlyKind},
    position::FairyPosition,
};
use crate::games::grid::{Grid, OFF, SQUARES_MAX};

/// Along which direction each leap of a horse begins: a piece next to it on that
/// side blocks it.
const LEGS: [u8; 8] = [0, 2, 2, 4, 4, 6, 6, 0];

type Pieces = [u8; SQUARES_MAX];

fn at(pieces: &Pieces, square: u8) -> u8 {
    pieces.get(usize::from(square)).copied().unwrap_or(NONE)
}

/// Whether a piece leaps from a square, by the leap of a number.
fn leaps(leap: KnightLeap, grid: &Grid, pieces: &Pieces, from: u8, number: usize) -> bool {
    match leap {
        KnightLeap::None => false,
        KnightLeap::Free => true,
        KnightLeap::Hobbled => at(pieces, grid.step(from, LEGS[number & 7])) == NONE,
    }
}

impl FairyPosition {
    /// Whether a piece of `side` attacks a king on `square` of this board.
    fn is_attacked(&self, pieces: &Pieces, square: u8, side: u8) -> bool {
        let (facts, grid) = (self.facts, self.grid());
        let is_theirs = |piece: u8| piece != NONE && piece::side(piece) == side;
        for (number, &from) in grid.leaps(square).iter().enumerate() {
            let found = at(pieces, from);
            if !is_theirs(found) {
                continue;
            }
            let leap = facts.movement(piece::role(found)).leap;
            if leaps(leap, grid, pieces, from, number ^ 4) {
                return true;
            }
        }
        let has_cannons = facts.has_cannons();
        for direction in 0..8 {
            let back = 1 << (direction ^ 4);
            let mut from = grid.step(square, direction);
            let (mut is_near, mut is_behind) = (true, false);
            while from != OFF {
                let found = pieces[usize::from(from)];
                if found != NONE {
                    if is_theirs(found) {
                        let role = piece::role(found);
                        let movement = facts.movement(role);
                        let far = if is_behind {
                            movement.hops
                        } else {
                            movement.slides | movement.faces
                        };
                        let steps = is_near && facts.steps(side, role, from) & back != 0;
                        if far & back != 0 || steps && facts.is_in(movement.zone, side, square) {
                            return true;
                        }
                    }
                    if is_behind || !has_cannons {
                        break;
                    }
                    is_behind = true;
                }
                from = grid.step(from, direction);
                is_near = false;
            }
        }
        false
    }

    /// Whether the king of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.is_in_check(self.turn)
    }

    /// Whether the king of a side (0 White, 1 Black) is attacked.
    pub fn is_in_check(&self, side: u8) -> bool {
        let king = self.kings[usize::from(side & 1)];
        king != OFF && self.is_attacked(&self.pieces, king, side ^ 1)
    }

    /// All legal moves.
    pub fn legal(&self) -> Vec<FairyPly> {
        let mut plies = Vec::with_capacity(64);
        self.legal_into(&mut plies);
        plies
    }

    /// Appends all legal moves.
    pub fn legal_into(&self, plies: &mut Vec<FairyPly>) {
        let check = self.is_check();
        for from in 0..self.grid().squares() {
            if self.is_own(from) {
                self.legal_from(from, check, plies);
            }
        }
        if self.facts.reserve == Reserve::Hand {
            self.drops(check, plies);
        }
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: FairyPly) -> bool {
        let mut plies = Vec::with_capacity(32);
        let check = self.is_check();
        if let FairyPlyKind::Drop(_) = ply.way {
            self.drops(check, &mut plies);
        } else if self.is_own(ply.from) {
            self.legal_from(ply.from, check, &mut plies);
        }
        plies.contains(&ply)
    }

    /// Whether a piece of the side to move stands on a square.
    #[inline]
    pub(super) fn is_own(&self, square: u8) -> bool {
        let piece = self.at(square);
        piece != NONE && piece::side(piece) == self.turn
    }

    /// Appends the legal moves of the piece on a square, which is the mover's.
    fn legal_from(&self, from: u8, check: bool, plies: &mut Vec<FairyPly>) {
        let (facts, grid) = (self.facts, self.grid());
        let role = piece::role(self.at(from));
        if let (PAWN, Pawns::Promoting { .. }) = (role, facts.pawns) {
            self.pawn_moves(from, check, plies);
            return;
        }
        let start = plies.len();
        let movement = facts.movement(role);
        let steps = facts.steps(self.turn, role, from);
        let mut offer = |to: u8| {
            let target = self.at(to);
            if (target == NONE || piece::side(target) != self.turn)
                && facts.is_in(movement.zone, self.turn, to)
                && self.is_safe(from, to, OFF, check)
            {
                plies.push(FairyPly::plain(from, to));
            }
            target == NONE
        };
        let leaping = grid.leaps(from).iter().enumerate();
        for (number, &to) in leaping.filter(|_| movement.leap != KnightLeap::None) {
            if to != OFF && leaps(movement.leap, grid, &self.pieces, from, number) {
                offer(to);
            }
        }
        for direction in 0..8 {
            let way = 1 << direction;
            let mut to = grid.step(from, direction);
            if to == OFF {
                continue;
            }
            if steps & way != 0 {
                offer(to);
            }
            if movement.slides & way != 0 {
                while to != OFF && offer(to) {
                    to = grid.step(to, direction);
                }
            } else if movement.hops & way != 0 {
                while self.at(to) == NONE && to != OFF {
                    offer(to);
                    to = grid.step(to, direction);
                }
                to = grid.step(to, direction);
                while self.at(to) == NONE && to != OFF {
                    to = grid.step(to, direction);
                }
                if to != OFF {
                    offer(to);
                }
            } else if movement.springs & way != 0 && self.at(to) == NONE {
                to = grid.step(to, direction);
                if to != OFF {
                    offer(to);
                }
            }
        }
        if role == KING && !check {
            self.castlings(from, plies);
        }
        self.gatings(from, start, plies);
    }

    fn pawn_moves(&self, from: u8, check: bool, plies: &mut Vec<FairyPly>) {
        let (facts, grid) = (self.facts, self.grid());
        let Pawns::Promoting {
            second,
            promotes_from,
        } = facts.pawns
        else {
            return;
        };
        let (ahead, sides) = if self.turn == 0 {
            (0, [7, 1])
        } else {
            (4, [5, 3])
        };
        let mut push = |to: u8, taken: u8| {
            if !self.is_safe(from, to, taken, check) {
                return;
            }
            let rank = facts.rank_of(self.turn, to);
            if rank >= promotes_from {
                let roles = facts
                    .promotions
                    .iter()
                    .filter(|&&role| self.may_become(role));
                plies.extend(roles.map(|&role| FairyPly {
                    from,
                    to,
                    way: FairyPlyKind::Promotion(role),
                }));
            }
            // Where pawns become what was taken, only the last rank makes them.
            let is_last = rank + 1 == grid.ranks;
            if rank < promotes_from || facts.promotes_up_to.is_some() && !is_last {
                plies.push(FairyPly::plain(from, to));
            }
        };
        let to = grid.step(from, ahead);
        if to != OFF && self.at(to) == NONE {
            push(to, OFF);
            let further = grid.step(to, ahead);
            if second == Some(facts.rank_of(self.turn, from)) && self.at(further) == NONE {
                push(further, OFF);
            }
        }
        for direction in sides {
            let to = grid.step(from, direction);
            if to == OFF {
                continue;
            }
            if self.at(to) != NONE && !self.is_own(to) {
                push(to, OFF);
            } else if to == self.passed {
                push(to, self.passed_pawn(from));
            }
        }
    }

    /// Whether a pawn may become a role.
    fn may_become(&self, role: u8) -> bool {
        let Some(up_to) = self.facts.promotes_up_to else {
            return true;
        };
        let wanted = piece::of(self.turn, role);
        let count: u8 = self
            .pieces
            .iter()
            .map(|&piece| u8::from(piece == wanted))
            .sum();
        count < up_to[usize::from(role) % ROLES]
    }

    /// The square of the pawn that one on `from` takes in passing.
    fn passed_pawn(&self, from: u8) -> u8 {
        let grid = self.grid();
        grid.at(grid.file(self.passed), grid.rank(from))
    }

    /// Whether the mover's king is safe after a piece went `from` → `to` and the
    /// piece on `taken` (another square than `to`, or [`OFF`]) is gone.
    fn is_safe(&self, from: u8, to: u8, taken: u8, check: bool) -> bool {
        let grid = self.grid();
        let king = self.kings[usize::from(self.turn)];
        if king == OFF {
            return true;
        }
        // What stood in no line with the king has hidden nothing from it, and only what
        // comes into one lets a cannon see it.
        let uncovers =
            grid.in_line(king, from) || self.facts.has_cannons() && grid.in_line(king, to);
        if !check && from != king && taken == OFF && !uncovers {
            return true;
        }
        let mut pieces = self.pieces;
        pieces[usize::from(to)] = pieces[usize::from(from)];
        pieces[usize::from(from)] = NONE;
        if taken != OFF {
            pieces[usize::from(taken)] = NONE;
        }
        let king = if from == king { to } else { king };
        !self.is_attacked(&pieces, king, self.turn ^ 1)
    }

    /// Appends the drops: of pawns on no rank where none can stand, and in check only
    /// what parries it.
    fn drops(&self, check: bool, plies: &mut Vec<FairyPly>) {
        let grid = self.grid();
        let king = self.kings[usize::from(self.turn)];
        for to in (0..grid.squares()).filter(|&to| self.at(to) == NONE) {
            if check {
                let mut pieces = self.pieces;
                pieces[usize::from(to)] = piece::of(self.turn, PAWN);
                if self.is_attacked(&pieces, king, self.turn ^ 1) {
                    continue;
                }
            }
            let least = if grid.is_edge_rank(to) {
                PAWN + 1
            } else {
                PAWN
            };
            let held = (least..ROLES as u8).filter(|&role| self.in_reserve(self.turn, role) > 0);
            plies.extend(held.map(|role| FairyPly {
                from: to,
                to,
                way: FairyPlyKind::Drop(role),
            }));
        }
    }

    /// Castling (FIDE Laws 3.8 and Guidelines II.2, with other files): nothing
    /// stands on the ways of king and rook, and the king is attacked on no
    /// square of its way.
    fn castlings(&self, king: u8, plies: &mut Vec<FairyPly>) {
        let between = |a: u8, b: u8| a.min(b)..=a.max(b);
        for rook in self.rooks[usize::from(self.turn)] {
            if rook == OFF {
                continue;
            }
            let (king_to, rook_to) = self.castled(king, rook);
            let is_free = between(king, king_to)
                .chain(between(rook, rook_to))
                .all(|square| square == king || square == rook || self.at(square) == NONE);
            if !is_free {
                continue;
            }
            let mut pieces = self.pieces;
            pieces[usize::from(king)] = NONE;
            let mut is_walk_safe = between(king, king_to)
                .filter(|&square| square != king && square != king_to)
                .all(|square| !self.is_attacked(&pieces, square, self.turn ^ 1));
            pieces[usize::from(rook)] = NONE;
            pieces[usize::from(rook_to)] = self.at(rook);
            is_walk_safe &= !self.is_attacked(&pieces, king_to, self.turn ^ 1);
            if is_walk_safe {
                let (from, to, way) = (king, rook, FairyPlyKind::Castling);
                plies.push(FairyPly { from, to, way });
            }
        }
    }

    /// Doubles the moves from `start` on by those that bring a piece in as well.
    /// What comes in neither parries a check nor covers a pin: the move must be
    /// legal without it.
    fn gatings(&self, from: u8, start: usize, plies: &mut Vec<FairyPly>) {
        let side = usize::from(self.turn);
        if self.gates[side] == 0 || self.facts.rank_of(self.turn, from) != 0 {
            return;
        }
        let is_open = |square: u8| self.gates[side] >> (self.grid().file(square) & 7) & 1 == 1;
        for index in start..plies.len() {
            let ply = plies[index];
            for role in [ARCHBISHOP, CHANCELLOR] {
                if self.in_reserve(self.turn, role) == 0 {
                    continue;
                }
                let mut push = |way| plies.push(FairyPly { way, ..ply });
                if ply.way != FairyPlyKind::Castling {
                    if is_open(from) {
                        push(FairyPlyKind::Gating(role));
                    }
                    continue;
                }
                let (king_to, rook_to) = self.castled(ply.from, ply.to);
                for (square, at_rook) in [(ply.from, false), (ply.to, true)] {
                    if is_open(square) && square != king_to && square != rook_to {
                        push(FairyPlyKind::CastlingGating { role, at_rook });
                    }
                }
            }
        }
    }

    /// Whether a pawn can legally take in passing.
    pub(super) fn can_take_passed(&self) -> bool {
        let grid = self.grid();
        let behind = if self.turn == 0 { [3, 5] } else { [1, 7] };
        let ours = piece::of(self.turn, PAWN);
        self.passed != OFF
            && behind.into_iter().any(|direction| {
                let from = grid.step(self.passed, direction);
                from != OFF
                    && self.at(from) == ours
                    && self.is_safe(from, self.passed, self.passed_pawn(from), true)
            })
    }
}
