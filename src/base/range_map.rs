//! Sets of numbers that mostly follow each other, each with a mark.

use std::{collections::BTreeMap, ops::Range};

/// Numbers from one up to another that have a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeEntry {
    /// The first.
    pub first: u64,
    /// After the last.
    pub end: u64,
    /// What they have in common.
    pub mark: i64,
}

/// Runs in order; they do not overlap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RangeMap(Vec<RangeEntry>);

impl RangeMap {
    /// The numbers of all runs, in any order; one that is in several has the least mark of them.
    pub fn of(runs: impl IntoIterator<Item = RangeEntry>) -> Self {
        let mut turns: Vec<(u64, bool, i64)> = Vec::new();
        for run in runs.into_iter().filter(|run| run.first < run.end) {
            turns.push((run.first, true, run.mark));
            turns.push((run.end, false, run.mark));
        }
        turns.sort_unstable();
        let mut marks: BTreeMap<i64, usize> = BTreeMap::new();
        let (mut joined, mut from) = (Self::default(), 0);
        for (at, begins, mark) in turns {
            if let Some((&least, _)) = marks.first_key_value() {
                joined.push(from, at, least);
            }
            from = at;
            let count = marks.entry(mark).or_default();
            if begins {
                *count += 1;
            } else if *count > 1 {
                *count -= 1;
            } else {
                marks.remove(&mark);
            }
        }
        joined
    }

    /// Numbers that are in order, all with the mark 0.
    pub fn of_numbers(numbers: impl IntoIterator<Item = u64>) -> Self {
        let mut runs = Self::default();
        for number in numbers {
            runs.push(number, number + 1, 0);
        }
        runs
    }

    /// Adds numbers after all others.
    fn push(&mut self, first: u64, end: u64, mark: i64) {
        match self.0.last_mut() {
            _ if first >= end => {}
            Some(last) if last.end == first && last.mark == mark => last.end = end,
            _ => self.0.push(RangeEntry { first, end, mark }),
        }
    }

    /// Whether there are no numbers.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The runs, in order.
    pub fn iter(&self) -> impl Iterator<Item = &RangeEntry> {
        self.0.iter()
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|run| run.end - run.first).sum()
    }

    /// The mark of a number, if it is among them.
    pub fn mark_of(&self, number: u64) -> Option<i64> {
        let at = self.0.partition_point(|run| run.end <= number);
        let run = self.0.get(at).filter(|run| run.first <= number);
        run.map(|run| run.mark)
    }

    /// Whether a number is among them.
    pub fn contains(&self, number: u64) -> bool {
        !self.is_empty() && self.mark_of(number).is_some()
    }

    /// How many of them there are from a number up to another.
    pub fn count_between(&self, first: u64, end: u64) -> u64 {
        let ranges = self.ranges_between(first, end);
        ranges
            .map(|range| range.end.saturating_sub(range.start))
            .sum()
    }

    /// Those of them from a number up to another.
    pub fn between(&self, first: u64, end: u64) -> Vec<u64> {
        self.ranges_between(first, end).flatten().collect()
    }

    /// The same, stretch by stretch.
    pub fn ranges_between(&self, first: u64, end: u64) -> impl Iterator<Item = Range<u64>> {
        let at = self.0.partition_point(|run| run.end <= first);
        let reached = self.0[at..].iter().take_while(move |run| run.first < end);
        reached.map(move |run| run.first.max(first)..run.end.min(end))
    }

    /// Calls `each` with every stretch of numbers over which neither these nor the others change:
    /// its first number, where it ends, and the marks.
    fn walk(&self, others: &Self, mut each: impl FnMut(u64, u64, [Option<i64>; 2])) {
        let ends = |runs: &Self| -> Vec<u64> {
            let pairs = runs.0.iter().flat_map(|run| [run.first, run.end]);
            pairs.collect()
        };
        let mut turns = ends(self);
        turns.extend(ends(others));
        turns.sort_unstable();
        turns.dedup();
        for pair in turns.windows(2) {
            let marks = [self.mark_of(pair[0]), others.mark_of(pair[0])];
            if marks != [None, None] {
                each(pair[0], pair[1], marks);
            }
        }
    }

    /// Those that are not among others.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        let mut left = Self::default();
        self.walk(others, |first, end, marks| {
            if let [Some(mark), None] = marks {
                left.push(first, end, mark);
            }
        });
        left
    }

    /// These, and those of others that are none of these.
    #[must_use]
    pub fn and(&self, others: &Self) -> Self {
        let more = others.without(self);
        Self::of(self.iter().chain(more.iter()).copied())
    }

    /// Those that have another mark than in others, or none there, and the numbers of the others
    /// that are none of these: with the mark that they have in the others.
    pub fn changes_to(&self, others: &Self) -> Vec<(u64, u64, Option<i64>)> {
        let mut changes: Vec<(u64, u64, Option<i64>)> = Vec::new();
        self.walk(others, |first, end, [own, other]| {
            if own != other {
                match changes.last_mut() {
                    Some(last) if last.1 == first && last.2 == other => last.1 = end,
                    _ => changes.push((first, end, other)),
                }
            }
        });
        changes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn runs() -> impl Strategy<Value = Vec<RangeEntry>> {
        let run = (0..40_u64, 0..8_u64, 1..4_i64);
        let run = run.prop_map(|(first, count, mark)| RangeEntry {
            first,
            end: first + count,
            mark,
        });
        proptest::collection::vec(run, 0..12)
    }

    fn plain(runs: &[RangeEntry]) -> BTreeMap<u64, i64> {
        let mut marks = BTreeMap::new();
        for run in runs {
            for number in run.first..run.end {
                let mark = marks.entry(number).or_insert(run.mark);
                *mark = run.mark.min(*mark);
            }
        }
        marks
    }

    proptest! {
        #[test]
        fn they_are_what_a_map_of_numbers_is(one in runs(), other in runs(), from in 0..50_u64, end in 0..50_u64) {
            let (a, b) = (plain(&one), plain(&other));
            let (one, other) = (RangeMap::of(one), RangeMap::of(other));
            prop_assert_eq!(one.count(), a.len() as u64);
            for number in 0..50 {
                prop_assert_eq!(one.mark_of(number), a.get(&number).copied());
                prop_assert_eq!(one.contains(number), a.contains_key(&number));
                let left = a.get(&number).filter(|_| !b.contains_key(&number)).copied();
                prop_assert_eq!(one.without(&other).mark_of(number), left);
                let either = a.get(&number).or(b.get(&number)).copied();
                prop_assert_eq!(one.and(&other).mark_of(number), either);
            }
            let between = a.keys().filter(|&&number| from <= number && number < end).count();
            prop_assert_eq!(one.count_between(from, end), between as u64);
            let mut changed = a;
            for (first, end, mark) in one.changes_to(&other) {
                for number in first..end {
                    prop_assert_ne!(changed.get(&number).copied(), mark);
                    match mark {
                        Some(mark) => changed.insert(number, mark),
                        None => changed.remove(&number),
                    };
                }
            }
            prop_assert_eq!(changed, b);
        }
    }
}
