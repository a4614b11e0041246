//! When a game cannot fulfil a question any more: men that it asks for have gone, and nothing
//! becomes one of them.

use super::{
    bounds::spread,
    program::PlyTest,
    sight::{EMPTY, both_sides},
    times::ChainStep,
};

/// Men of which so many must be on the board: their codes as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Need {
    men: u64,
    least: u32,
}

/// What must be on the board where the only chain of a question ends: all of one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NeededMen {
    any: Vec<Vec<Need>>,
    /// The men of all of them.
    men: u64,
}

impl NeededMen {
    /// Those of a question; `None` where it may be fulfilled without any.
    pub(super) fn of(chains: &[Vec<ChainStep>], nodes: &[PlyTest]) -> Option<Self> {
        let [steps] = chains else {
            return None;
        };
        let any: Vec<Vec<Need>> = (steps.last()?.any.iter())
            .map(|node| needs_of(&nodes[*node]))
            .collect();
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
        let is_met = |need: &Need| {
            let men = (0..64).filter(|man| need.men >> man & 1 == 1);
            men.map(|man| u32::from(counts[man])).sum::<u32>() >= need.least
        };
        self.any.iter().any(|needs| needs.iter().all(is_met))
    }
}

/// What a condition needs, pawns and kings aside: these are there nearly always.
fn needs_of(test: &PlyTest) -> Vec<Need> {
    let common = both_sides('P') | both_sides('K');
    let need = |men: u64, least: u32| {
        (men & common == 0 && men != 0)
            .then_some(Need { men, least })
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
            let mut needs: Vec<Need> = need(asked.men & !1, 1);
            needs.extend(need(asked.taken, 1));
            needs
        }
        _ => Vec::new(),
    }
}
