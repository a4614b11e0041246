//! When a game cannot fulfil a query any more: pieces that it asks for have gone, and nothing
//! becomes one of them.

use super::{
    bounds::{pieces_of, spread},
    move_test::MoveTest,
    ply_set::SequenceStep,
    program::PlyTest,
};
use crate::games::view::{EMPTY, both_sides};

/// Pieces, and how many of them must be on the board: their codes as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MaterialRequirement {
    pieces: u64,
    least: u32,
}

/// What must be on the board where the only chain of a query ends, or, of moves that follow each
/// other at once, where it begins: all of one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequiredMaterial {
    any: Vec<Vec<MaterialRequirement>>,
    /// The pieces of all of them.
    pieces: u64,
}

impl RequiredMaterial {
    /// Those of a query; `None` where it may be fulfilled without any.
    pub(super) fn of(chains: &[Vec<SequenceStep>], nodes: &[PlyTest]) -> Option<Self> {
        let [steps] = chains else {
            return None;
        };
        let any: Vec<Vec<MaterialRequirement>> = (steps.last()?.any.iter())
            .flat_map(|node| nodes[*node].alternatives())
            .map(needs_of)
            .collect();
        Self::any_of(any)
    }

    /// Those of moves that follow each other at once, by sides that move in turn: as long as none of
    /// them has been made, all pieces that make one or are taken by one are on the board.
    pub(super) fn of_moves(steps: &[SequenceStep], nodes: &[PlyTest]) -> Option<Self> {
        let of_step = |(at, step): (usize, &SequenceStep), first: usize| match step.any[..] {
            [node] => needs_of_side(&nodes[node], first ^ at & 1),
            _ => Vec::new(),
        };
        let of = |first| {
            let steps = steps.iter().enumerate();
            let mut needs: Vec<MaterialRequirement> =
                steps.flat_map(|step| of_step(step, first)).collect();
            needs.sort_unstable_by_key(|need| (need.pieces, need.least));
            needs.dedup();
            needs
        };
        Self::any_of(vec![of(0), of(1)])
    }

    fn any_of(any: Vec<Vec<MaterialRequirement>>) -> Option<Self> {
        let all = any.iter().flatten();
        let pieces = all.fold(0, |pieces, need| pieces | need.pieces);
        (any.iter().all(|needs| !needs.is_empty())).then_some(Self { any, pieces })
    }

    /// Whether it matters how many there are of a piece, by its code.
    #[inline]
    pub(super) const fn counts(&self, piece: u8) -> bool {
        self.pieces >> (piece & 63) & 1 == 1
    }

    /// Whether there are enough of each.
    pub(super) fn are_there(&self, counts: &[u8; 64]) -> bool {
        let is_met = |need: &MaterialRequirement| {
            let (mut pieces, mut sum) = (need.pieces, 0);
            while pieces != 0 && sum < need.least {
                sum += u32::from(counts[pieces.trailing_zeros() as usize & 63]);
                pieces &= pieces - 1;
            }
            sum >= need.least
        };
        self.any.iter().any(|needs| needs.iter().all(is_met))
    }
}

/// What a condition needs, pawns and kings aside: these are nearly always on the board.
fn needs_of(test: &PlyTest) -> Vec<MaterialRequirement> {
    let common = both_sides('P') | both_sides('K');
    let need = |pieces: u64, least: u32| {
        (pieces & common == 0 && pieces != 0)
            .then_some(MaterialRequirement { pieces, least })
            .into_iter()
            .collect()
    };
    match test {
        PlyTest::All(tests) => tests.iter().flat_map(needs_of).collect(),
        PlyTest::Pieces { codes, least, .. } if *least > 0 && !codes.contains(&EMPTY) => {
            let pieces = spread(codes)
                .iter()
                .fold(0, |pieces, code| pieces | 1 << code);
            need(pieces, *least)
        }
        PlyTest::Move(asked) => {
            let mut needs: Vec<MaterialRequirement> = need(asked.pieces & !1, 1);
            needs.extend(need(asked.taken, 1));
            needs
        }
        _ => Vec::new(),
    }
}

/// The same of a condition that holds while a side is to move: its pieces move, and those of the other
/// side are taken.
fn needs_of_side(test: &PlyTest, side: usize) -> Vec<MaterialRequirement> {
    let tests = match test {
        PlyTest::All(tests) => tests,
        single => std::slice::from_ref(single),
    };
    let of_test = |test: &PlyTest| match test {
        // It never holds then, which needs what no side has.
        PlyTest::Turn(own) if own & 1 != side => vec![MaterialRequirement {
            pieces: 0,
            least: 1,
        }],
        PlyTest::Move(asked) => {
            let mut own = MoveTest {
                pieces: asked.pieces & pieces_of(side),
                ..(**asked).clone()
            };
            own.taken &= pieces_of(side ^ 1);
            needs_of(&PlyTest::Move(Box::new(own)))
        }
        other => needs_of(other),
    };
    tests.iter().flat_map(of_test).collect()
}
