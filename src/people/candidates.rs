//! The names that have to do with some: what these are joined to does not depend on any others.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::{NameSelection, cluster::NameSpelling, fide::FideIds};
use crate::{
    blocks::name_block::{NameBlockEntries, NameBlockKey},
    pgn::tags::person::NameKey,
    store::{NameRule, Store, StoreError},
};

/// The players that are wanted, all that have to do with them, and some that have not: found by the
/// keys of filed names, and the numbers of FIDE, without a look at the other names.
pub(super) fn by_filed_keys(
    store: &Store,
    names: &NameBlockEntries,
    rules: &[NameRule],
    wanted: NameSelection<'_>,
) -> Result<Vec<NameSpelling>, StoreError> {
    let has_numbers = store.has_any_fide_name()?;
    let families = FamilyIndex::of(names);
    let mut near = vec![false; names.len()];
    let mut reached = KeyFrontier::default();
    let mut open: Vec<usize> = (0..names.len())
        .filter(|&nth| wanted.is_name(names.name(nth)))
        .collect();
    if let Some(id) = wanted.fide_id.filter(|_| has_numbers) {
        let players = store.players_of_fide_id(id)?;
        open.extend(players.iter().filter_map(|&row| names.place_of(row)));
    }
    let mut numbers: HashSet<u32, FixedState> = HashSet::default();
    loop {
        while let Some(nth) = open.pop() {
            if std::mem::replace(&mut near[nth], true) {
                continue;
            }
            if has_numbers {
                for id in store.fide_ids_of(names.id(nth))? {
                    if numbers.insert(id) {
                        let players = store.players_of_fide_id(id)?;
                        open.extend(players.iter().filter_map(|&row| names.place_of(row)));
                    }
                }
            }
            if !reached.add(names.keys(nth)) {
                continue;
            }
            // What is new to its families may reach others of them.
            for key in names.keys(nth) {
                let others = families
                    .names(key.family())
                    .iter()
                    .map(|&other| other as usize);
                let others = others.filter(|&other| !near[other]);
                let has = |other: &usize| names.keys(*other).iter().any(|&key| reached.has(key));
                open.extend(others.filter(has));
            }
        }
        for rule in rules {
            let places = [rule.one, rule.other].map(|id| names.place_of(id));
            if let [Some(one), Some(other)] = places
                && near[one] != near[other]
            {
                open.push(if near[one] { other } else { one });
            }
        }
        if open.is_empty() {
            break;
        }
    }
    let near = (0..names.len()).filter(|&nth| near[nth]);
    let near = near.map(|nth| NameSpelling::player(names.id(nth), names.name(nth)));
    Ok(near.collect())
}

/// Names by the families of their keys, as these are filed.
struct FamilyIndex {
    /// Where the names of each family end.
    ends: Vec<u32>,
    places: Vec<u32>,
}

impl FamilyIndex {
    fn of(names: &NameBlockEntries) -> Self {
        let families = |nth: usize| names.keys(nth).iter().map(|key| usize::from(key.family()));
        let mut ends = vec![0; 1 << 16];
        for family in (0..names.len()).flat_map(families) {
            ends[family] += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            // Where they begin; each name that is placed moves it on.
            all += std::mem::replace(end, all);
        }
        let mut places = vec![0; all as usize];
        for nth in 0..names.len() {
            for family in families(nth) {
                places[ends[family] as usize] = nth as u32;
                ends[family] += 1;
            }
        }
        Self { ends, places }
    }

    /// The places of the names of a family.
    fn names(&self, family: u16) -> &[u32] {
        let family = usize::from(family);
        let from = family.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[from as usize..self.ends[family] as usize]
    }
}

/// Keys of names, and their families.
struct KeyFrontier {
    /// By family and initial.
    keys: Vec<u64>,
    families: Vec<u64>,
    /// Those of bare names.
    bare: Vec<u64>,
}

impl Default for KeyFrontier {
    fn default() -> Self {
        Self {
            keys: vec![0; 1 << (16 + 7 - 6)],
            families: vec![0; 1 << (16 - 6)],
            bare: vec![0; 1 << (16 - 6)],
        }
    }
}

impl KeyFrontier {
    const fn place(key: NameBlockKey) -> usize {
        (key.family() as usize) << 7 | key.initial() as usize
    }

    /// Adds the keys of a name; whether one is new.
    fn add(&mut self, keys: &[NameBlockKey]) -> bool {
        let mut is_new = false;
        let mut set = |bits: &mut [u64], at: usize| {
            let bit = 1 << (at % 64);
            is_new |= bits[at / 64] & bit == 0;
            bits[at / 64] |= bit;
        };
        for &key in keys {
            let family = usize::from(key.family());
            set(&mut self.keys, Self::place(key));
            set(&mut self.families, family);
            if key.is_bare() {
                set(&mut self.bare, family);
            }
        }
        is_new
    }

    /// Whether a name with a key may have to do with one of these.
    fn has(&self, key: NameBlockKey) -> bool {
        let is_in = |bits: &[u64], at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
        let family = usize::from(key.family());
        // The families fit into the processor's nearest cache, and hardly any name is of one of
        // them. Of a bare name the family is enough, on whichever side it is.
        is_in(&self.families, family)
            && (key.is_bare() || is_in(&self.bare, family) || is_in(&self.keys, Self::place(key)))
    }
}

/// The names that are wanted, and all that have to do with them: what these are joined to does not
/// depend on any others.
pub(super) fn with_neighbours(
    mut names: Vec<NameSpelling>,
    rules: &[NameRule],
    fide_ids: &FideIds,
    wanted: NameSelection<'_>,
) -> Vec<NameSpelling> {
    let mut near = NameNeighbourhood {
        next: (0..names.len()).collect(),
    };
    let mut by_key: HashMap<NameKey, usize, FixedState> = HashMap::default();
    let mut bare: HashMap<u64, usize, FixedState> = HashMap::default();
    for (place, entry) in names.iter().enumerate() {
        for key in entry.form.keys() {
            near.join(place, *by_key.entry(key).or_insert(place));
            if entry.form.is_bare() {
                near.join(place, *bare.entry(key.family).or_insert(place));
            }
        }
    }
    for (key, &place) in &by_key {
        if let Some(&family) = bare.get(&key.family) {
            near.join(place, family);
        }
    }
    let mut by_id: HashMap<u32, usize> = HashMap::new();
    for (place, entry) in names.iter().enumerate() {
        for &id in fide_ids.of_row(entry.id) {
            near.join(place, *by_id.entry(id).or_insert(place));
        }
    }
    let places = RowIndex::of(&names);
    for rule in rules {
        if let (Some(one), Some(other)) = (places.get(rule.one), places.get(rule.other)) {
            near.join(one, other);
        }
    }
    let roots: HashSet<usize> = (names.iter().enumerate())
        .filter(|(_, entry)| wanted.is(&entry.name, fide_ids.of_row(entry.id)))
        .map(|(place, _)| near.root(place))
        .collect();
    let mut place = 0;
    names.retain(|_| {
        place += 1;
        roots.contains(&near.root(place - 1))
    });
    names
}

/// Sets of names that have to do with each other.
struct NameNeighbourhood {
    next: Vec<usize>,
}

impl NameNeighbourhood {
    fn root(&mut self, mut place: usize) -> usize {
        while self.next[place] != place {
            self.next[place] = self.next[self.next[place]];
            place = self.next[place];
        }
        place
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.next[one.max(other)] = one.min(other);
    }
}

/// The places of names by their rows.
pub(super) struct RowIndex(Vec<u32>);

impl RowIndex {
    pub(super) fn of(names: &[NameSpelling]) -> Self {
        let last = names.iter().map(|entry| entry.id).max().unwrap_or(0);
        let mut places = vec![u32::MAX; last as usize + 1];
        for (entry, place) in names.iter().zip(0..) {
            // Namesakes with the number of one stand after all others.
            let of_row = &mut places[entry.id as usize];
            *of_row = place.min(*of_row);
        }
        Self(places)
    }

    pub(super) fn get(&self, id: u32) -> Option<usize> {
        let place = *self.0.get(id as usize)?;
        (place < u32::MAX).then_some(place as usize)
    }
}
