//! What was decided by hand about names. The newest decision counts: what older ones say otherwise,
//! by themselves or together, does not.

use std::collections::{BTreeSet, HashMap};

use crate::store::NameRule;

/// Decisions about the names of a table, by their rows.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    /// The sets of names that are one's, by each of them.
    sets: HashMap<u32, BTreeSet<u32>>,
    /// Pairs that are not, the lower row first.
    parted: BTreeSet<(u32, u32)>,
}

impl Decisions {
    /// Those of rules, the oldest first.
    pub fn of(rules: &[NameRule]) -> Self {
        let mut all = Self::default();
        for rule in rules.iter().rev() {
            match (all.are_same(rule.one, rule.other), rule.is_same) {
                (Some(_), _) => {}
                (None, true) => {
                    let mut set = all.set(rule.one);
                    set.append(&mut all.set(rule.other));
                    for &name in &set {
                        all.sets.insert(name, set.clone());
                    }
                }
                (None, false) => {
                    let (one, other) = (rule.one, rule.other);
                    all.parted.insert((one.min(other), one.max(other)));
                }
            }
        }
        all
    }

    /// Whether two names are one's, or all that have one name are; `None` if nothing was decided.
    pub fn are_same(&self, one: u32, other: u32) -> Option<bool> {
        let (set, others) = (self.set(one), self.set(other));
        if set.contains(&other) && (one != other || self.sets.contains_key(&one)) {
            return Some(true);
        }
        let mut pairs = set
            .iter()
            .flat_map(|one| others.iter().map(move |other| (one, other)));
        let is_parted =
            |(&one, &other): (&u32, &u32)| self.parted.contains(&(one.min(other), one.max(other)));
        pairs.any(is_parted).then_some(false)
    }

    /// The pairs of sets of names that share no person: no name of one is one's with the other's.
    pub fn parted(&self) -> impl Iterator<Item = [BTreeSet<u32>; 2]> {
        let pairs = self.parted.iter();
        pairs.map(|&(one, other)| [self.set(one), self.set(other)])
    }

    /// The sets of names that are one's.
    pub fn joined(&self) -> impl Iterator<Item = &BTreeSet<u32>> {
        let sets = self.sets.iter();
        sets.filter_map(|(name, set)| (set.first() == Some(name)).then_some(set))
    }

    fn set(&self, name: u32) -> BTreeSet<u32> {
        let set = self.sets.get(&name).cloned();
        set.unwrap_or_else(|| BTreeSet::from([name]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::NameTable;

    fn decisions(rules: &[(u32, u32, bool)]) -> Decisions {
        let rules: Vec<NameRule> = rules
            .iter()
            .map(|&(one, other, is_same)| NameRule {
                table: NameTable::Player,
                one,
                other,
                is_same,
            })
            .collect();
        Decisions::of(&rules)
    }

    #[test]
    fn decisions_reach_over_names_in_between() {
        let found = decisions(&[(1, 2, true), (3, 2, true), (3, 4, false)]);
        assert_eq!(found.are_same(1, 3), Some(true));
        assert_eq!(found.are_same(4, 1), Some(false));
        assert_eq!(found.are_same(4, 5), None);
        let joined: Vec<_> = found.joined().collect();
        assert_eq!(joined, [&BTreeSet::from([1, 2, 3])]);
    }

    #[test]
    fn a_name_is_one_persons_if_it_was_joined() {
        let found = decisions(&[(1, 1, true), (2, 3, true), (4, 5, false)]);
        let are_same = |name| found.are_same(name, name);
        assert_eq!([1, 2, 3].map(are_same), [Some(true); 3]);
        assert_eq!([4, 5, 6].map(are_same), [None; 3]);
    }

    #[test]
    fn the_newest_decision_counts() {
        let found = decisions(&[(1, 2, true), (2, 1, false)]);
        assert_eq!(found.are_same(1, 2), Some(false));
        let found = decisions(&[(1, 2, false), (1, 2, true)]);
        assert_eq!(found.are_same(2, 1), Some(true));
        // The oldest would join what the newer ones part.
        let found = decisions(&[(1, 3, true), (1, 2, true), (2, 3, false)]);
        assert_eq!(found.are_same(1, 2), Some(true));
        assert_eq!(found.are_same(1, 3), Some(false));
    }
}
