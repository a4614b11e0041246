//! The order of a list, in little memory: a game is eight bytes, gathered in sorted
//! runs that are merged at the end; of a page, no more than it can need; of a list of
//! millions, so many at a time as have room.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::select::Selected;
use crate::{
    base::record::GameId,
    db::{
        query::SortKey,
        store::{FactReader, NameTable, Store, StoreError},
    },
};

/// Keys of a run.
const RUN_KEYS: usize = 1 << 16;

/// Keys that are held at a time.
const KEYS_MAX: usize = 6 << 20;

/// Bytes of names that are ordered at a time.
const NAME_BYTES_MAX: usize = 12 << 20;

/// Names that are ordered at a time.
const NAMES_MAX: usize = 1 << 19;

/// Makes keys of games that order as the games do: the value by which they are
/// ordered in the upper half, then the game, then whether it is in a variation.
pub(super) struct SortKeys<'s> {
    store: &'s Store,
    by: SortKey,
    descending: bool,
    ranks: Vec<u32>,
    facts: FactReader<'s>,
}

impl<'s> SortKeys<'s> {
    pub(super) fn new(store: &'s Store, by: SortKey, descending: bool) -> Result<Self, StoreError> {
        let table = match by {
            SortKey::White | SortKey::Black => Some(NameTable::Player),
            SortKey::Event => Some(NameTable::Event),
            SortKey::Author => Some(NameTable::Author),
            // Their names begin with the codes.
            SortKey::Eco if store.has_openings() => Some(NameTable::Opening),
            _ => None,
        };
        Ok(Self {
            store,
            by,
            descending,
            ranks: match table {
                Some(table) => name_ranks(store, table, NAMES_MAX)?,
                None => Vec::new(),
            },
            facts: store.facts(),
        })
    }

    pub(super) fn key_of(&mut self, found: Selected) -> Result<u64, StoreError> {
        let game = u32::try_from(found.game << 1).map_err(|_| {
            let game = found.game;
            self.store
                .damaged(format!("the game number {game} is too large"))
        })?;
        // Unknown values come last in either direction.
        let value = match self.value(found.game)? {
            None => u32::MAX,
            Some(value) => {
                let value = value.min(u32::MAX - 1);
                if self.descending {
                    u32::MAX - 1 - value
                } else {
                    value
                }
            }
        };
        Ok(u64::from(value) << 32 | u64::from(game) | u64::from(found.in_variation))
    }

    /// The game of a key.
    pub(super) const fn selected(key: u64) -> Selected {
        Selected {
            game: (key as u32 >> 1) as GameId,
            in_variation: key & 1 == 1,
        }
    }

    /// The value by which a game is ordered, if it is known.
    fn value(&mut self, game: GameId) -> Result<Option<u32>, StoreError> {
        if self.by == SortKey::Id {
            return Ok(u32::try_from(game).ok());
        }
        let facts = self.facts.get(game)?;
        let known = |value: u32| Some(value).filter(|&value| value > 0);
        let rank = |id: u32| self.ranks.get(id as usize).copied().and_then(known);
        Ok(match self.by {
            // One rating alone says nothing about the other player, as with
            // `--min-elo`.
            SortKey::Elo => known(facts.white_elo)
                .zip(known(facts.black_elo))
                .map(|(white, black)| white.saturating_add(black)),
            SortKey::Date => known(facts.date),
            SortKey::White => rank(facts.white),
            SortKey::Black => rank(facts.black),
            SortKey::Event => rank(facts.event),
            SortKey::Author => self.store.first_author(game)?.and_then(rank),
            SortKey::Eco if self.store.has_openings() => rank(facts.opening),
            SortKey::Eco => known(facts.eco),
            SortKey::Plies => Some(facts.plies),
            SortKey::Result => Some(facts.outcome),
            SortKey::Id => None,
        })
    }
}

/// Gathers keys and gives the smallest in order.
pub(super) struct Sorter {
    wanted: usize,
    run_keys: usize,
    keys_max: usize,
    /// Smaller ones were given before.
    from: u64,
    /// Those from here on have no room.
    bound: Option<u64>,
    /// Full and sorted, but for the last.
    runs: Vec<Vec<u64>>,
    /// Keys of all runs.
    held: usize,
}

impl Sorter {
    /// Gives `wanted` keys from a smallest one on, if there are as many and room for them.
    pub(super) const fn new(wanted: u64, from: u64) -> Self {
        Self::with_room(wanted, from, RUN_KEYS, KEYS_MAX)
    }

    const fn with_room(wanted: u64, from: u64, run_keys: usize, keys_max: usize) -> Self {
        Self {
            wanted: if wanted > usize::MAX as u64 {
                usize::MAX
            } else {
                wanted as usize
            },
            run_keys,
            keys_max,
            from,
            bound: None,
            runs: Vec::new(),
            held: 0,
        }
    }

    pub(super) fn push(&mut self, key: u64) {
        if key < self.from || self.bound.is_some_and(|bound| key >= bound) {
            return;
        }
        match self.runs.last_mut() {
            Some(run) if run.len() < self.run_keys => run.push(key),
            _ => {
                // Reserved at once: a run that grows would be there twice.
                let mut run = Vec::with_capacity(self.run_keys);
                run.push(key);
                self.runs.push(run);
            }
        }
        self.held += 1;
        if let Some(run) = self.runs.last_mut()
            && run.len() == self.run_keys
        {
            run.sort_unstable();
            // What is behind the page here is behind it for good.
            if self.wanted <= self.run_keys / 2 {
                self.held -= self.run_keys - self.wanted;
                run.truncate(self.wanted);
            }
            if self.held > self.keys_max {
                self.make_room();
            }
        }
    }

    /// Gives up about the upper half.
    fn make_room(&mut self) {
        // So many of each run that the middle of them is near that of all.
        let every = (self.run_keys / 64).max(1);
        let some = self.runs.iter().flat_map(|run| run.iter().step_by(every));
        let mut some: Vec<u64> = some.copied().collect();
        let middle = some.len() / 2;
        let (_, &mut bound, _) = some.select_nth_unstable(middle);
        // One key at least stays, so that the next look begins behind it.
        let least = self.runs.iter().filter_map(|run| run.first()).min();
        let bound = least.map_or(bound, |&least| bound.max(least + 1));
        self.held = 0;
        for run in &mut self.runs {
            run.truncate(run.partition_point(|&key| key < bound));
            run.shrink_to_fit();
            self.held += run.len();
        }
        self.runs.retain(|run| !run.is_empty());
        // All are sorted: what comes goes into a new one.
        self.runs.push(Vec::with_capacity(self.run_keys));
        self.bound = Some(bound);
    }

    /// The keys in order, and the smallest that may be wanted of those that had no room.
    pub(super) fn finish(mut self) -> (impl Iterator<Item = u64>, Option<u64>) {
        if let Some(run) = self.runs.last_mut() {
            run.sort_unstable();
        }
        let mut runs: Vec<_> = self.runs.into_iter().map(Vec::into_iter).collect();
        let firsts = runs.iter_mut().zip(0..);
        let mut heads: BinaryHeap<Reverse<(u64, usize)>> = firsts
            .filter_map(|(run, at)| Some(Reverse((run.next()?, at))))
            .collect();
        let keys = std::iter::from_fn(move || {
            let mut head = heads.peek_mut()?;
            let Reverse((key, run)) = *head;
            match runs[run].next() {
                Some(next) => *head = Reverse((next, run)),
                None => {
                    std::collections::binary_heap::PeekMut::pop(head);
                }
            }
            Some(key)
        });
        (keys, self.bound)
    }
}

/// Names in lower case with their ids.
#[derive(Default)]
struct SortedNames {
    text: String,
    /// Where each begins and ends in the text, and its id.
    names: Vec<(u32, u32, u32)>,
}

impl SortedNames {
    fn push(&mut self, name: &str, id: u32) {
        let from = self.text.len() as u32;
        self.text.push_str(name);
        self.names.push((from, self.text.len() as u32, id));
    }

    fn sort(&mut self) {
        let text = &self.text;
        let name = |&(from, to, _): &(u32, u32, u32)| &text[from as usize..to as usize];
        self.names.sort_unstable_by(|a, b| name(a).cmp(name(b)));
    }

    fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        let names = self.names.iter();
        names.map(|&(from, to, id)| (&self.text[from as usize..to as usize], id))
    }

    /// Keeps about the first half; gives the first name that is left out. None where
    /// all are one name.
    fn halve(&mut self) -> Option<String> {
        self.sort();
        let first = self.iter().next()?.0;
        let middle = self.iter().nth(self.names.len() / 2)?.0;
        let kept = |name: &str| name < middle || name == first;
        let bound = self.iter().find(|(name, _)| !kept(name))?.0.to_owned();
        let mut lower = Self::default();
        for (name, id) in self.iter().take_while(|(name, _)| kept(name)) {
            lower.push(name, id);
        }
        *self = lower;
        Some(bound)
    }
}

/// The place of each id among the names of a table in order, whatever the case, from
/// 1; 0 for empty ones. Never holds many more than so many names: what has no room
/// waits for the next look through the table.
fn name_ranks(store: &Store, table: NameTable, at_a_time: usize) -> Result<Vec<u32>, StoreError> {
    let mut ranks: Vec<u32> = Vec::new();
    let mut rank = 0;
    let mut ranked = String::new();
    loop {
        let mut names = SortedNames::default();
        let mut bound: Option<String> = None;
        let mut last_id = 0;
        store.for_each_name(table, |id, name| {
            last_id = last_id.max(id);
            if ranks.get(id as usize).is_some_and(|&rank| rank > 0) {
                return;
            }
            let name = name.to_lowercase();
            // The empty name is not above that of the beginning.
            if name <= ranked || name == "?" || bound.as_ref().is_some_and(|bound| name >= *bound) {
                return;
            }
            names.push(&name, id);
            if names.names.len() > at_a_time || names.text.len() > NAME_BYTES_MAX {
                bound = names.halve().or(bound.take());
            }
        })?;
        ranks.resize(last_id as usize + 1, 0);
        names.sort();
        for (name, id) in names.iter() {
            if name != ranked {
                rank += 1;
                name.clone_into(&mut ranked);
            }
            ranks[id as usize] = rank;
        }
        if bound.is_none() {
            return Ok(ranks);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::observe::Stop;

    proptest! {
        #[test]
        fn keys_come_in_order(
            keys in prop::collection::vec(any::<u64>(), 0..200),
            wanted in 0_u64..250,
            run_keys in 1_usize..40,
            keys_max in 1_usize..80,
        ) {
            let mut given = Vec::new();
            let (mut from, mut left) = (0, Some(0));
            while let Some(next) = left.filter(|_| given.len() < wanted as usize) {
                prop_assert!(next >= from);
                from = next;
                let mut sorter = Sorter::with_room(wanted - given.len() as u64, from, run_keys, keys_max);
                for &key in &keys {
                    sorter.push(key);
                    prop_assert!(sorter.held <= 2 * (keys_max + run_keys));
                }
                let (found, bound) = sorter.finish();
                given.extend(found.take(wanted as usize - given.len()));
                left = bound;
            }
            let mut sorted = keys;
            sorted.sort_unstable();
            sorted.truncate(wanted as usize);
            prop_assert_eq!(given, sorted);
        }

        #[test]
        fn names_have_their_place_however_few_are_held(
            names in prop::collection::hash_set("[aAbBéÉ?]{0,3}", 1..40),
            at_a_time in 1_usize..10,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("names.db");
            let store = Store::create_or_open(&path, &Stop::default()).unwrap();
            let names: Vec<String> = names.into_iter().collect();
            for (name, id) in names.iter().zip(1..) {
                store.insert_name(NameTable::Player, id, name).unwrap();
            }
            let folded = |name: &String| name.to_lowercase();
            let mut known: Vec<String> = names.iter().map(folded).collect();
            known.retain(|name| !name.is_empty() && name != "?");
            known.sort();
            known.dedup();
            let place = |name| known.iter().position(|other| *other == folded(name));
            let expected: Vec<u32> = names
                .iter()
                .map(|name| place(name).map_or(0, |at| at as u32 + 1))
                .collect();
            let ranks = name_ranks(&store, NameTable::Player, at_a_time).unwrap();
            prop_assert_eq!(&ranks[1..], &expected);
        }
    }
}
