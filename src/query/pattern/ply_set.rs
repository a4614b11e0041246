//! The plies of a game at which something holds, as bits, and steps that follow each other.

use super::StepGap;

/// A set of plies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlySet(Vec<u64>);

impl PlySet {
    /// Makes it empty.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a ply.
    #[inline]
    pub fn insert(&mut self, ply: u32) {
        let at = ply as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (ply % 64);
    }

    /// Whether a ply is one of them.
    #[inline]
    pub fn has(&self, ply: u32) -> bool {
        let word = self.0.get(ply as usize / 64);
        word.is_some_and(|word| word >> (ply % 64) & 1 == 1)
    }

    /// Only those before a ply.
    #[must_use]
    pub fn before_ply(&self, ply: u32) -> Self {
        let mut all = Self::default();
        self.iter()
            .take_while(|own| *own < ply)
            .for_each(|own| all.insert(own));
        all
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The plies in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip(0..).flat_map(|(&word, at)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * at + bit)
            })
        })
    }

    /// The last one.
    fn last(&self) -> Option<u32> {
        let (at, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(64 * at as u32 + 63 - word.leading_zeros())
    }

    /// Each that much earlier; those that would be before the start are left out.
    fn earlier(&self, by: u64) -> Self {
        let Ok(words) = usize::try_from(by / 64) else {
            return Self::default();
        };
        let bits = by % 64;
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let moved = (words..self.0.len().max(words)).map(|at| {
            if bits == 0 {
                word(at)
            } else {
                word(at) >> bits | word(at + 1) << (64 - bits)
            }
        });
        Self(moved.collect())
    }

    fn keep(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    /// Adds those of another set.
    pub fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// The plies from which on it holds that many times, in steps.
    fn lasting(&self, times: u32, step: u32) -> Self {
        let mut all = self.clone();
        let mut covered = 1;
        while covered < times && !all.is_empty() {
            let more = covered.min(times - covered);
            let later = all.earlier(u64::from(more) * u64::from(step));
            all.keep(&later);
            covered += more;
        }
        all
    }

    /// The plies after which one of these follows.
    fn before(&self, link: StepGap) -> Self {
        match link {
            StepGap::Then => {
                let Some(last) = self.last() else {
                    return Self::default();
                };
                let mut all = Self(vec![u64::MAX; last as usize / 64 + 1]);
                if let Some(word) = all.0.last_mut() {
                    *word = (1 << (last % 64)) - 1;
                }
                all
            }
            StepGap::Within(plies) => {
                let mut any = self.earlier(1);
                let mut covered = 1;
                while covered < plies && !any.is_empty() {
                    let more = covered.min(plies - covered);
                    let earlier = any.earlier(more.into());
                    any.add(&earlier);
                    covered += more;
                }
                any
            }
        }
    }
}

/// A step: the sets, one of which must hold, and how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceStep {
    /// Numbers of sets.
    pub any: Vec<usize>,
    /// How often, from 1.
    pub times: u32,
    /// The plies between.
    pub step: u32,
    /// How it follows the one before; of no meaning for the first.
    pub link: StepGap,
}

/// The plies at which a chain of steps begins.
pub fn begins(chain: &[SequenceStep], sets: &[PlySet]) -> PlySet {
    let mut next: Option<(PlySet, StepGap)> = None;
    for step in chain.iter().rev() {
        let mut starts = PlySet::default();
        for &set in &step.any {
            starts.add(&sets[set].lasting(step.times, step.step));
        }
        if let Some((following, link)) = next {
            let lasts = u64::from(step.times - 1) * u64::from(step.step);
            starts.keep(&following.before(link).earlier(lasts));
        }
        if starts.is_empty() {
            return PlySet::default();
        }
        next = Some((starts, step.link));
    }
    next.map(|(starts, _)| starts).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every start is tried, as the definition has it.
    fn slowly(chain: &[SequenceStep], sets: &[Vec<u32>], first: Option<u32>) -> Vec<u32> {
        let Some((step, rest)) = chain.split_first() else {
            return Vec::new();
        };
        let holds = |set: &usize, at: u32| sets[*set].contains(&at);
        let starts = (0..300u32).filter(|&start| {
            let is_reached = match (first, step.link) {
                (None, _) => true,
                (Some(before), StepGap::Then) => start > before,
                (Some(before), StepGap::Within(plies)) => start > before && start <= before + plies,
            };
            let end = start + (step.times - 1) * step.step;
            let lasts =
                |set: &usize| (0..step.times).all(|nth| holds(set, start + nth * step.step));
            is_reached
                && step.any.iter().any(lasts)
                && (rest.is_empty() || !slowly(rest, sets, Some(end)).is_empty())
        });
        starts.collect()
    }

    proptest! {
        #[test]
        fn chains_begin_where_the_definition_says(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..200, 0..25), 3),
            chain in prop::collection::vec(
                (prop::collection::vec(0usize..3, 1..3), 1u32..4, 1u32..4, 0u32..80),
                1..4,
            ),
        ) {
            let chain: Vec<SequenceStep> = chain
                .into_iter()
                .map(|(any, times, step, link)| SequenceStep {
                    any,
                    times,
                    step,
                    link: match link {
                        0..=3 => StepGap::Then,
                        plies => StepGap::Within(plies - 3),
                    },
                })
                .collect();
            let slow: Vec<Vec<u32>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
            let mut quick = vec![PlySet::default(); 3];
            for (quick, set) in quick.iter_mut().zip(&slow) {
                for &ply in set {
                    quick.insert(ply);
                }
            }
            let found: Vec<u32> = begins(&chain, &quick).iter().collect();
            prop_assert_eq!(found, slowly(&chain, &slow, None));
        }
    }
}
