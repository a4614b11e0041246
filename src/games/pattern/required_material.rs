//! When a game cannot fulfil a question any more: men that it asks for have gone, and nothing
//! becomes one of them.

use super::{
    bounds::{men_of, spread},
    ply_set::SequenceStep,
    program::{MoveTest, PlyTest},
    view::{EMPTY, both_sides},
};

/// Men of which so many must be on the board: their codes as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MaterialRequirement {
    men: u64,
    least: u32,
}

/// What must be on the board where the only chain of a question ends, or, of moves that follow each
/// other at once, where it begins: all of one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequiredMaterial {
    any: Vec<Vec<MaterialRequirement>>,
    /// The men of all of them.
    men: u64,
}

impl RequiredMaterial {
    /// Those of a question; `None` where it may be fulfilled without any.
    pub(super) fn of(chains: &[Vec<SequenceStep>], nodes: &[PlyTest]) -> Option<Self> {
        let [steps] = chains else {
            return None;
        };
        let any: Vec<Vec<MaterialRequirement>> = (steps.last()?.any.iter())
            .map(|node| needs_of(&nodes[*node]))
            .collect();
        Self::any_of(any)
    }

    /// Those of moves that follow each other at once, by sides that move in turn: as long as none of
    /// them has been made, all that make or suffer one are there.
    pub(super) fn of_moves(steps: &[SequenceStep], nodes: &[PlyTest]) -> Option<Self> {
        let of_step = |(at, step): (usize, &SequenceStep), first: usize| match step.any[..] {
            [node] => needs_of_side(&nodes[node], first ^ at & 1),
            _ => Vec::new(),
        };
        let of = |first| {
            let steps = steps.iter().enumerate();
            let mut needs: Vec<MaterialRequirement> =
                steps.flat_map(|step| of_step(step, first)).collect();
            needs.sort_unstable_by_key(|need| (need.men, need.least));
            needs.dedup();
            needs
        };
        Self::any_of(vec![of(0), of(1)])
    }

    fn any_of(any: Vec<Vec<MaterialRequirement>>) -> Option<Self> {
        let all = any.iter().flatten();
        let men = all.fold(0, |men, need| men | need.men);
        (any.iter().all(|needs| !needs.is_empty())).then_some(Self { any, men })
    }

    /// Whether it matters how many there are of a man, by its code.
    #[inline]
    pub(super) const fn counts(&self, man: u8) -> bool {
        self.men >> (man & 63) & 1 == 1
    }

    /// Whether there are enough of each.
    pub(super) fn are_there(&self, counts: &[u8; 64]) -> bool {
        let is_met = |need: &MaterialRequirement| {
            let (mut men, mut sum) = (need.men, 0);
            while men != 0 && sum < need.least {
                sum += u32::from(counts[men.trailing_zeros() as usize & 63]);
                men &= men - 1;
            }
            sum >= need.least
        };
        self.any.iter().any(|needs| needs.iter().all(is_met))
    }
}

/// What a condition needs, pawns and kings aside: these are there nearly always.
fn needs_of(test: &PlyTest) -> Vec<MaterialRequirement> {
    let common = both_sides('P') | both_sides('K');
    let need = |men: u64, least: u32| {
        (men & common == 0 && men != 0)
            .then_some(MaterialRequirement { men, least })
            .into_iter()
            .collect()
    };
    match test {
        PlyTest::All(tests) => tests.iter().flat_map(needs_of).collect(),
        PlyTest::Men { codes, least, .. } if *least > 0 && !codes.contains(&EMPTY) => {
            let men = spread(codes).iter().fold(0, |men, code| men | 1 << code);
            need(men, *least)
        }
        PlyTest::Move(asked) => {
            let mut needs: Vec<MaterialRequirement> = need(asked.men & !1, 1);
            needs.extend(need(asked.taken, 1));
            needs
        }
        _ => Vec::new(),
    }
}

/// The same of a condition that holds while a side is to move: its men move, and those of the other
/// side are taken.
fn needs_of_side(test: &PlyTest, side: usize) -> Vec<MaterialRequirement> {
    let tests = match test {
        PlyTest::All(tests) => tests,
        single => std::slice::from_ref(single),
    };
    let of_test = |test: &PlyTest| match test {
        // It never holds then, which needs what nobody has.
        PlyTest::Turn(own) if own & 1 != side => vec![MaterialRequirement { men: 0, least: 1 }],
        PlyTest::Move(asked) => {
            let mut own = MoveTest {
                men: asked.men & men_of(side),
                ..(**asked).clone()
            };
            own.taken &= men_of(side ^ 1);
            needs_of(&PlyTest::Move(Box::new(own)))
        }
        other => needs_of(other),
    };
    tests.iter().flat_map(of_test).collect()
}
