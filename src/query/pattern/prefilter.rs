//! Which positions a query may be true of, determined by sums that follow the moves: others are
//! passed by without a look.
//!
//! A condition on numbers of pieces is a sum of weights, one for each piece on each square, that
//! must not be negative. Eight such sums lie side by side in a word. A move changes the word
//! by the weights of what it lifts and puts down, whatever the number of squares in the query.

use super::{StepGap, move_test::MoveTest, ply_set::SequenceStep, program::PlyTest};
use crate::games::view::{ANY, EMPTY, MoveDelta, stands_for};

/// Sums in a word.
const LANES: usize = 8;
/// The most conditions that are distinguished; looking at positions is quicker than more.
const GROUPS_MAX: usize = 8;
/// What a lane holds if its sum is 0.
const ZERO: u64 = 128;

/// The positions at which some conditions may hold.
#[derive(Debug, Clone)]
pub(super) struct PositionFilter {
    /// What a piece adds to the sums, by its code and its square, 0 to 63.
    weights: Box<[[u64; 64]; 64]>,
    /// The sums of an empty board.
    empty: u64,
    /// One condition, and others if there are more.
    first: SumGroup,
    others: Vec<SumGroup>,
    /// Whether one of them asks for the move that led to a position.
    pub(super) asks_of_last: bool,
}

/// What must be so where a condition holds.
#[derive(Debug, Clone)]
struct SumGroup {
    /// The highest bits of the sums that must not be negative.
    lanes: u64,
    /// The move that leaves the position.
    next: MoveMask,
    /// The move that led to it.
    last: MoveMask,
    /// From which ply to which.
    plies: (u32, u32),
}

/// What is asked of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MoveMask {
    /// The pieces that move, by code, as bits; [`EMPTY`] where nothing does.
    pieces: u64,
    /// One of these is taken; 0 asks nothing.
    taken: u64,
    /// Something goes to one of these squares; all ask nothing.
    to: u64,
}

impl MoveMask {
    const ANY: Self = Self {
        pieces: u64::MAX,
        taken: 0,
        to: u64::MAX,
    };

    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "where it ends cannot be known beforehand"
    )]
    const fn may_fit(&self, moving: MoveDelta) -> bool {
        (self.pieces >> (moving.piece & 63) & 1 == 1)
            & ((self.taken == 0) | (self.taken & moving.taken != 0))
            & ((self.to == u64::MAX) | (self.to & moving.to as u64 != 0))
    }

    const fn ask(&mut self, asked: &MoveTest) {
        self.pieces &= asked.pieces;
        self.to &= asked.to as u64;
        if self.taken == 0 {
            self.taken = asked.taken;
        }
    }

    /// A piece moves, so it belongs to the side whose move it is.
    fn ask_side(&mut self, side: usize) {
        if self.pieces & 1 << EMPTY == 0 {
            let own = (0..64).filter(|piece| stands_for(ANY[side & 1], *piece));
            self.pieces &= own.fold(0, |pieces, piece| pieces | 1 << piece);
        }
    }
}

/// A sum of pieces on squares and a number, which must not be negative.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LinearSum {
    /// Pieces by codes, the squares on which they count, and what each adds.
    parts: Vec<(Vec<u8>, u64, i8)>,
    plus: i32,
}

impl PositionFilter {
    /// The positions for these conditions on a board; `None` if they may hold everywhere, or
    /// the board has other squares than the first 64.
    pub(super) fn of(nodes: &[PlyTest], board: u128) -> Option<Self> {
        let nodes = || nodes.iter().flat_map(PlyTest::alternatives);
        if board != u128::from(u64::MAX) || nodes().count() > GROUPS_MAX {
            return None;
        }
        let mut lanes: Vec<LinearSum> = Vec::new();
        let groups = nodes().map(|node| SumGroup::of(node, &mut lanes));
        let mut others = groups.collect::<Option<Vec<_>>>()?;
        let asks_of_last = others.iter().any(|group| group.last != MoveMask::ANY);
        let first = others.pop()?;
        let mut wanted = Self {
            asks_of_last,
            weights: vec![[0; 64]; 64].into_boxed_slice().try_into().ok()?,
            empty: 0,
            first,
            others,
        };
        for (at, lane) in lanes.iter().enumerate() {
            wanted.add(lane, 8 * at);
        }
        Some(wanted)
    }

    fn add(&mut self, lane: &LinearSum, shift: usize) {
        let start = i64::from(lane.plus).wrapping_add_unsigned(ZERO) as u64;
        self.empty = self.empty.wrapping_add(start << shift);
        for (codes, on, each) in &lane.parts {
            // A piece that is one of them in two ways counts once.
            let pieces =
                (0..64u8).filter(|piece| codes.iter().any(|code| stands_for(*code, *piece)));
            for piece in pieces {
                let squares = (0..64).filter(|square| on >> square & 1 == 1);
                for square in squares {
                    let weight = &mut self.weights[usize::from(piece)][square];
                    *weight = weight.wrapping_add((i64::from(*each) as u64) << shift);
                }
            }
        }
    }

    /// The sums of an empty board.
    pub(super) const fn empty(&self) -> u64 {
        self.empty
    }

    /// What a piece on a square adds to the sums.
    #[inline]
    pub(super) const fn weight(&self, code: u8, square: u8) -> u64 {
        self.weights[(code & 63) as usize][(square & 63) as usize]
    }

    /// Whether there are sums at all.
    pub(super) fn has_sums(&self) -> bool {
        self.empty != 0
    }

    /// Whether some condition may hold, by the sums of a position, its ply, the move that leaves it,
    /// and the one that led to it if [that is asked](Self::asks_of_last).
    #[inline]
    pub(super) fn may_hold(
        &self,
        sums: u64,
        ply: u32,
        moving: MoveDelta,
        last: &MoveDelta,
    ) -> bool {
        let may_hold = |group: &SumGroup| {
            group.may_hold(sums, ply, moving) && (!self.asks_of_last || group.last.may_fit(*last))
        };
        may_hold(&self.first) || self.others.iter().any(may_hold)
    }
}

impl SumGroup {
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "where it ends cannot be known beforehand"
    )]
    const fn may_hold(&self, sums: u64, ply: u32, moving: MoveDelta) -> bool {
        (sums & self.lanes == self.lanes)
            & self.next.may_fit(moving)
            & (self.plies.0 <= ply)
            & (ply <= self.plies.1)
    }

    /// What must be so for a condition; `None` if nothing is known.
    fn of(node: &PlyTest, lanes: &mut Vec<LinearSum>) -> Option<Self> {
        let mut group = Self {
            lanes: 0,
            next: MoveMask::ANY,
            last: MoveMask::ANY,
            plies: (0, u32::MAX),
        };
        let own = Vec::new();
        let single = std::slice::from_ref(node);
        let tests = match node {
            PlyTest::All(tests) => tests,
            PlyTest::Any(_) | PlyTest::Not(_) => &own,
            _ => single,
        };
        // Pieces on each of some squares, and none on others, are one sum.
        let mut exact = LinearSum {
            parts: Vec::new(),
            plus: 0,
        };
        let mut others = Vec::new();
        for test in tests {
            group.ask(test, &mut exact, &mut others);
        }
        if !exact.parts.is_empty() {
            others.insert(0, exact);
        }
        for lane in others.into_iter().filter(LinearSum::is_narrow) {
            let at = lanes.iter().position(|known| *known == lane);
            let at = at.unwrap_or(lanes.len());
            if at == lanes.len() && at < LANES {
                lanes.push(lane);
            }
            if at < LANES {
                group.lanes |= ZERO << (8 * at);
            }
        }
        for test in tests {
            if let PlyTest::Turn(side) = test {
                group.next.ask_side(*side);
                group.last.ask_side(*side ^ 1);
            }
        }
        let asks_of_moves = [group.next, group.last] != [MoveMask::ANY; 2];
        let asks = group.lanes != 0 || asks_of_moves || group.plies != (0, u32::MAX);
        asks.then_some(group)
    }

    fn ask(&mut self, test: &PlyTest, exact: &mut LinearSum, others: &mut Vec<LinearSum>) {
        match test {
            PlyTest::Pieces {
                codes,
                on,
                least,
                most,
                is_all,
            } => {
                let squares = *on as u64;
                let (codes, negate, empty) = if codes[..] == [EMPTY] {
                    (ANY.to_vec(), -1, squares.count_ones() as i32)
                } else if codes.contains(&EMPTY) {
                    return;
                } else {
                    (codes.clone(), 1, 0)
                };
                let (least, most) = (i64::from(*least), i64::from(*most));
                let mut at_least = |each: i8, plus: i64, is_exact: bool| {
                    let part = (codes.clone(), squares, each);
                    let plus = i32::try_from(plus).unwrap_or(i32::MAX);
                    if is_exact {
                        exact.parts.push(part);
                        exact.plus += plus;
                    } else {
                        others.push(LinearSum {
                            parts: vec![part],
                            plus,
                        });
                    }
                };
                let empty = i64::from(empty);
                if least > 0 {
                    at_least(negate, empty - least, *is_all);
                }
                if most < i64::from(squares.count_ones()) {
                    at_least(-negate, most - empty, most == 0);
                }
            }
            PlyTest::Balance {
                codes: [one, other],
                on,
                least,
                most,
            } => {
                let lane = |each: i8, plus: i32| LinearSum {
                    parts: vec![
                        (one.clone(), *on as u64, each),
                        (other.clone(), *on as u64, -each),
                    ],
                    plus,
                };
                let is_of_pieces = !one.contains(&EMPTY) && !other.contains(&EMPTY);
                if is_of_pieces && *least > i32::MIN && *most < i32::MAX {
                    others.extend([lane(1, -least), lane(-1, *most)]);
                }
            }
            PlyTest::Attack(asked) => {
                if let Some((bound, least)) = asked.needed() {
                    let each = bound.into_iter();
                    others.push(LinearSum {
                        parts: each.map(|(code, from)| (vec![code], from, 1)).collect(),
                        plus: 0_i32.saturating_sub_unsigned(least),
                    });
                }
            }
            PlyTest::Move(asked) => self.next.ask(asked),
            PlyTest::Last(asked) => self.last.ask(asked),
            PlyTest::Mate | PlyTest::Stalemate | PlyTest::End => self.next.pieces &= 1 << EMPTY,
            PlyTest::Ply(from, to) => {
                self.plies = (self.plies.0.max(*from), self.plies.1.min(*to));
            }
            _ => {}
        }
    }
}

impl LinearSum {
    /// Whether its sums, of whatever pieces, fit the seven bits on either side of zero: on each
    /// square is one piece at most.
    fn is_narrow(&self) -> bool {
        let parts = || self.parts.iter();
        let of = |(codes, _, _): &(Vec<u8>, u64, i8), piece: u8| {
            codes.iter().any(|code| stands_for(*code, piece))
        };
        let pieces: Vec<u8> = (0..64)
            .filter(|piece| parts().any(|part| of(part, *piece)))
            .collect();
        let (mut least, mut most) = (self.plus, self.plus);
        for square in 0..64 {
            let sums = pieces.iter().map(|piece| -> i32 {
                let parts = parts().filter(|part| part.1 >> square & 1 == 1 && of(part, *piece));
                parts.map(|(_, _, each)| i32::from(*each)).sum()
            });
            let (low, high) = sums.fold((0, 0), |(low, high), sum| (sum.min(low), sum.max(high)));
            (least, most) = (least.saturating_add(low), most.saturating_add(high));
        }
        least >= -128 && most < 128
    }
}

/// The most conditions that are distinguished.
const TOLD_MAX: usize = 8;

/// A chain of moves that follow each other at once, each determined by what moves and what it
/// takes: no position needs to be looked at to find it.
#[derive(Debug, Clone)]
pub(super) struct MoveSequence {
    /// Which conditions hold as far as the piece decides, and what it takes, by code.
    by_piece: [u8; 64],
    by_taken: [u8; 64],
    /// At which places of the chain moves fit that take nothing, by the piece.
    quiet: Box<[u64; 64]>,
    /// At which places of the chain moves fit, by the conditions that hold.
    places: Box<[u64; 1 << TOLD_MAX]>,
    last: u64,
}

impl MoveSequence {
    /// The only chain of a query, if it is of this kind.
    pub(super) fn of(chains: &[Vec<SequenceStep>], nodes: &[PlyTest]) -> Option<Self> {
        let [steps] = chains else {
            return None;
        };
        let follow = |step: &SequenceStep| step.times == 1 && step.link == StepGap::Within(1);
        let is_one_by_one = steps.split_first()?.1.iter().all(follow) && steps[0].times == 1;
        if !is_one_by_one || steps.len() > 64 || nodes.len() > TOLD_MAX {
            return None;
        }
        let mut chain = Self {
            by_piece: [0; 64],
            by_taken: [0; 64],
            quiet: Box::new([0; 64]),
            places: Box::new([0; 1 << TOLD_MAX]),
            last: 1 << (steps.len() - 1),
        };
        for (at, node) in nodes.iter().enumerate() {
            let (pieces, taken) = told(node)?;
            for code in 0..64 {
                chain.by_piece[code] |= ((pieces >> code & 1) as u8) << at;
                chain.by_taken[code] |= ((taken >> code & 1) as u8) << at;
            }
        }
        for (held, places) in chain.places.iter_mut().enumerate() {
            for (at, step) in steps.iter().enumerate() {
                let fits = step.any.iter().any(|node| held >> node & 1 == 1);
                *places |= u64::from(fits) << at;
            }
        }
        for (code, places) in (0..64).zip(chain.quiet.iter_mut()) {
            *places = chain.places[usize::from(chain.by_piece[code] & chain.by_taken[0])];
        }
        Some(chain)
    }

    /// How far the chain has come with another move, from how far it had come, as bits.
    #[inline]
    pub(super) fn go_on(&self, before: u64, moving: MoveDelta) -> u64 {
        let piece = usize::from(moving.piece & 63);
        let places = if moving.taken == 1 << EMPTY {
            self.quiet[piece]
        } else {
            let taken = moving.taken.trailing_zeros() as usize & 63;
            let held = self.by_piece[piece] & self.by_taken[taken];
            self.places[usize::from(held)]
        };
        (before << 1 | 1) & places
    }

    /// Whether that is all of it.
    #[inline]
    pub(super) const fn is_done(&self, come: u64) -> bool {
        come & self.last != 0
    }
}

/// The pieces that may move and those that may be taken, nothing taken being [`EMPTY`], if a
/// condition asks nothing else.
fn told(node: &PlyTest) -> Option<(u64, u64)> {
    let tests = match node {
        PlyTest::All(tests) => tests,
        single => std::slice::from_ref(single),
    };
    let (mut pieces, mut taken, mut has_move) = (!1, u64::MAX, false);
    for test in tests {
        match test {
            PlyTest::Turn(side) => {
                let own = (0..64).filter(|piece| stands_for(ANY[*side & 1], *piece));
                pieces &= own.fold(0, |pieces, piece| pieces | 1 << piece);
            }
            PlyTest::Move(asked) => {
                let mut plain = MoveTest {
                    pieces: asked.pieces,
                    taken: asked.taken,
                    ..MoveTest::ANY
                };
                // One piece at most is taken at a time.
                if asked.jumps == (1, u32::MAX) {
                    plain.jumps = asked.jumps;
                    taken &= !1;
                }
                if **asked != plain {
                    return None;
                }
                pieces &= asked.pieces;
                if asked.taken != 0 {
                    taken &= asked.taken;
                }
                has_move = true;
            }
            _ => return None,
        }
    }
    has_move.then_some((pieces, taken))
}
