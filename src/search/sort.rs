//! The order of a list, in little memory: a game is eight bytes, or sixteen with several keys. They
//! are gathered in sorted runs that are merged at the end; of a page, no more than it can need; of
//! a list of millions, as many at a time as have room.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    iter,
    ops::Range,
    panic::resume_unwind,
    thread::{self, ScopedJoinHandle},
};

use super::{locate::Replays, plan::AccessPlan, select::SelectedGame};
use crate::{
    base::record::GameId,
    blocks::facts::PackedFacts,
    games::AnyPosition,
    query::{SortKey, pattern::similarity::ModelBoard},
    store::{FactReader, NameTable, Store, StoreError},
};

/// Games whose keys are made at once.
pub(super) const BATCH_GAMES: usize = 1 << 12;

/// Keys of a run.
const RUN_KEYS: usize = 1 << 16;

/// Bytes of keys that are held at a time.
const KEYS_BYTES_MAX: usize = 48 << 20;

/// Bytes of names that are ordered at a time.
const NAME_BYTES_MAX: usize = 12 << 20;

/// The value of positions that are the same.
const LIKENESS: u32 = 1 << 30;

/// Names that are ordered at a time.
const NAMES_MAX: usize = 1 << 19;

/// A key that orders as the games do: the values above that order them, then the game,
/// then whether it is in a variation.
pub(super) trait GameKey: Copy + Ord {
    /// None is smaller.
    const LEAST: Self;
    /// Of some values, the most important first, and what is below them.
    fn of(values: impl Iterator<Item = u32>, below: u32) -> Self;
    /// What is below the values.
    fn below(self) -> u32;
    /// The next one.
    fn next(self) -> Self;
}

macro_rules! game_key {
    ($($number:ty),*) => {$(
        impl GameKey for $number {
            const LEAST: Self = 0;

            fn of(values: impl Iterator<Item = u32>, below: u32) -> Self {
                values.fold(0, |key, value| key << 32 | Self::from(value)) << 32 | Self::from(below)
            }

            fn below(self) -> u32 {
                self as u32
            }

            fn next(self) -> Self {
                self + 1
            }
        }
    )*};
}
// One value fits the first, three the second.
game_key!(u64, u128);

/// Makes keys of games.
pub(super) struct SortKeys<'s> {
    store: &'s Store,
    by: Vec<GameOrder>,
    /// What games are compared to, if they are.
    model: Option<ModelBoard>,
    replays: Replays<'s>,
    facts: FactReader<'s>,
}

/// What games are ordered by.
struct GameOrder {
    by: SortKey,
    descending: bool,
    /// The places of names by their ids.
    ranks: Vec<u32>,
}

impl<'s> SortKeys<'s> {
    pub(super) fn new(store: &'s Store, plan: &AccessPlan) -> Result<Self, StoreError> {
        let first = (plan.page.sort, plan.page.descending);
        let mut all = Vec::new();
        for &(by, descending) in std::iter::once(&first).chain(&plan.page.then) {
            let table = match by {
                SortKey::White | SortKey::Black => Some(NameTable::Player),
                SortKey::Event => Some(NameTable::Event),
                SortKey::Author => Some(NameTable::Author),
                // Their names begin with the codes.
                SortKey::Eco => Some(NameTable::Opening),
                _ => None,
            };
            all.push(GameOrder {
                by,
                descending,
                ranks: match table {
                    Some(table) => name_ranks(store, table, NAMES_MAX)?,
                    None => Vec::new(),
                },
            });
        }
        Ok(Self {
            store,
            by: all,
            model: plan.like.as_ref().map(ModelBoard::of),
            replays: Replays::new(store),
            facts: store.facts(),
        })
    }

    /// The keys of some games.
    pub(super) fn keys_of<K: GameKey>(
        &mut self,
        found: &[SelectedGame],
    ) -> Result<Vec<K>, StoreError> {
        let alike = self.likenesses(found)?;
        let alike = alike.into_iter().chain(iter::repeat(None));
        let games = found.iter().zip(alike);
        games
            .map(|(found, alike)| self.key_of(*found, alike))
            .collect()
    }

    /// How near games come to what they are compared to, if they are, on all threads; `None` for
    /// those that cannot be played.
    fn likenesses(&mut self, found: &[SelectedGame]) -> Result<Vec<Option<u32>>, StoreError> {
        let Some(model) = &self.model else {
            return Ok(Vec::new());
        };
        let mut bytes = Vec::new();
        let mut lines = Vec::with_capacity(found.len());
        for found in found {
            let line = self.replays.game(found.game)?;
            lines.push(line.map(|(start, _, plies)| {
                let from = bytes.len();
                bytes.extend_from_slice(plies);
                (start.clone(), from..bytes.len())
            }));
        }
        let of_line = |line: &Option<(AnyPosition, Range<usize>)>| {
            let (start, plies) = line.as_ref()?;
            let (_, likeness) = model.most_alike(start, &bytes[plies.clone()]);
            Some((f64::from(LIKENESS) * likeness.share()) as u32)
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let share = lines.len().div_ceil(threads).max(1);
        Ok(thread::scope(|scope| {
            let parts = lines.chunks(share);
            let parts = parts.map(|part| scope.spawn(|| part.iter().map(of_line).collect()));
            let parts: Vec<ScopedJoinHandle<'_, Vec<_>>> = parts.collect();
            let joined = parts.into_iter().map(ScopedJoinHandle::join);
            joined
                .flat_map(|part| part.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        }))
    }

    /// The key of a game that comes so near.
    fn key_of<K: GameKey>(
        &mut self,
        found: SelectedGame,
        alike: Option<u32>,
    ) -> Result<K, StoreError> {
        let game = u32::try_from(found.game << 1).map_err(|_| {
            let game = found.game;
            self.store
                .damaged(format!("the game number {game} is too large"))
        })?;
        let facts = self.facts.get(found.game)?;
        let mut values = Vec::new();
        for by in &self.by {
            let value = match by.by {
                SortKey::Likeness => alike,
                _ => by.value(self.store, found.game, &facts)?,
            };
            // Unknown values come last in either direction.
            values.push(match value {
                None => u32::MAX,
                Some(value) => {
                    let value = value.min(u32::MAX - 1);
                    if by.descending {
                        u32::MAX - 1 - value
                    } else {
                        value
                    }
                }
            });
        }
        Ok(K::of(
            values.into_iter(),
            game | u32::from(found.in_variation),
        ))
    }

    /// The game of a key.
    pub(super) fn selected(key: impl GameKey) -> SelectedGame {
        SelectedGame {
            game: (key.below() >> 1) as GameId,
            in_variation: key.below() & 1 == 1,
        }
    }
}

impl GameOrder {
    /// The value that a game is ordered by, if it is known.
    fn value(
        &self,
        store: &Store,
        game: GameId,
        facts: &PackedFacts,
    ) -> Result<Option<u32>, StoreError> {
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
            SortKey::Author => store.first_author(game)?.and_then(rank),
            SortKey::Eco => rank(facts.opening),
            SortKey::Plies => Some(facts.plies),
            SortKey::Result => Some(facts.outcome),
            SortKey::Id => u32::try_from(game).ok(),
            SortKey::Likeness => None,
        })
    }
}

/// Gathers keys and gives the smallest in order.
pub(super) struct Sorter<K> {
    wanted: usize,
    run_keys: usize,
    keys_max: usize,
    /// Smaller ones were given before.
    from: K,
    /// Those from here on have no room.
    bound: Option<K>,
    /// Full and sorted, but for the last.
    runs: Vec<Vec<K>>,
    /// Keys of all runs.
    held: usize,
}

impl<K: GameKey> Sorter<K> {
    /// Gives `wanted` keys from a smallest one on, if there are as many and room for them.
    pub(super) fn new(wanted: u64, from: K) -> Self {
        // As many bytes, whatever is in a key.
        let keys_max = KEYS_BYTES_MAX / size_of::<K>();
        Self::with_room(wanted, from, RUN_KEYS, keys_max)
    }

    fn with_room(wanted: u64, from: K, run_keys: usize, keys_max: usize) -> Self {
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

    pub(super) fn push(&mut self, key: K) {
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
            // What is after the page here is after it for good.
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
        // Enough of each run that the middle of them is near that of all.
        let every = (self.run_keys / 64).max(1);
        let some = self.runs.iter().flat_map(|run| run.iter().step_by(every));
        let mut some: Vec<K> = some.copied().collect();
        let middle = some.len() / 2;
        let (_, &mut bound, _) = some.select_nth_unstable(middle);
        // One key at least stays, so that the next look begins after it.
        let least = self.runs.iter().filter_map(|run| run.first()).min();
        let bound = least.map_or(bound, |&least| bound.max(least.next()));
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
    pub(super) fn finish(mut self) -> (impl Iterator<Item = K>, Option<K>) {
        if let Some(run) = self.runs.last_mut() {
            run.sort_unstable();
        }
        let mut runs: Vec<_> = self.runs.into_iter().map(Vec::into_iter).collect();
        let firsts = runs.iter_mut().zip(0..);
        let mut heads: BinaryHeap<Reverse<(K, usize)>> = firsts
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
/// 1; 0 for empty ones. Never holds many more than `at_a_time` names: what has no room
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
    use crate::base::{long_tests::one_in, observe::CancellationToken};

    proptest! {
        #[test]
        fn keys_come_in_order(
            keys in prop::collection::vec(any::<u64>(), 0..200),
            wanted in 0_u64..250,
            run_keys in 1_usize..40,
            keys_max in 1_usize..80,
        ) {
            let mut given = Vec::new();
            let (mut from, mut left) = (0_u64, Some(0));
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
    }

    proptest! {
        // Each makes a database.
        #![proptest_config(ProptestConfig::with_cases(256 / one_in(8) as u32))]

        #[test]
        fn names_have_their_place_however_few_are_held(
            names in prop::collection::hash_set("[aAbBéÉ?]{0,3}", 1..40),
            at_a_time in 1_usize..10,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("names.db");
            let store = Store::create_or_open(&path, &CancellationToken::default()).unwrap();
            let names: Vec<String> = names.into_iter().collect();
            // Each name by itself would wait for the disk.
            let inserted = store.at_once(|| {
                let mut rows = names.iter().zip(1..);
                rows.try_for_each(|(name, id)| store.insert_name(NameTable::Player, id, name))
            });
            inserted.unwrap();
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
