//! The numbers that FIDE has given to players, as games have them in their tags.

use std::collections::{HashMap, HashSet};

use super::{Places, group::NameEntry};
use crate::db::{
    search::tagged::{self, TagPlace},
    store::{Layouts, NameTable, Store, StoreError, TagColumns, TagRows},
};

/// The tags, and whether they are White's.
const TAGS: [(&str, bool); 2] = [("WhiteFideId", true), ("BlackFideId", false)];

/// Smaller numbers are marks for none.
const ID_MIN: u32 = 1000;

/// Adds their numbers to names of players. The rows of games are read only if any have the tags.
pub(super) fn add_ids(store: &Store, names: &mut [NameEntry]) -> Result<(), StoreError> {
    let layouts = layouts(store)?;
    if layouts.is_empty() {
        return Ok(());
    }
    let mut without = Layouts::default();
    store.for_each_name(NameTable::Layout, |id, _| {
        if !layouts.contains_key(&id) {
            without.insert(id);
        }
    })?;
    let rows = TagRows {
        columns: TagColumns::Values,
        passed_over: without,
        unless_round: &[],
    };
    let places = Places::of(names);
    // Names with their numbers, and with the rows of `text` that have them.
    let mut found: HashSet<(usize, u32)> = HashSet::new();
    let mut filed: HashSet<(usize, u32)> = HashSet::new();
    let mut next = 1;
    while let Some((first, block)) = store.facts_from(next)? {
        next = first + block.len().max(1) as u64;
        let take = |game: u64, layout, extra: Option<&str>, _: Option<&str>| {
            let Some(facts) = block.get((game - first) as usize) else {
                return;
            };
            for &(place, is_white) in layouts.get(&layout).into_iter().flatten() {
                let row = if is_white { facts.white } else { facts.black };
                let value = tagged::values(extra.unwrap_or_default()).nth(place);
                let (Some(value), Some(name)) = (value, places.get(row)) else {
                    continue;
                };
                match value.strip_prefix('"') {
                    Some(text) => {
                        let id = id_of(text.trim_end_matches('"'));
                        found.extend(id.map(|id| (name, id)));
                    }
                    None => filed.extend(value.parse().ok().map(|row| (name, row))),
                }
            }
        };
        let of = |layout| match layouts.get(&layout) {
            Some(_) => TagColumns::Values,
            None => TagColumns::Layout,
        };
        store.for_each_tags((first, next - 1), rows, of, take)?;
    }
    let mut known: HashMap<u32, Option<u32>> = HashMap::new();
    for (name, row) in filed {
        let id = if let Some(&id) = known.get(&row) {
            id
        } else {
            let id = store.text(row)?.and_then(|text| id_of(&text));
            *known.entry(row).or_insert(id)
        };
        found.extend(id.map(|id| (name, id)));
    }
    for (name, id) in found {
        names[name].career.add_fide_id(id);
    }
    Ok(())
}

/// Where they are among the further values of games, by their layouts.
fn layouts(store: &Store) -> Result<HashMap<u32, Vec<(usize, bool)>>, StoreError> {
    let mut layouts = HashMap::new();
    store.for_each_name(NameTable::Layout, |id, layout| {
        let places = TAGS.iter().filter_map(|&(name, is_white)| {
            let place = TagPlace::of(name, layout)?;
            Some((*place.extras.first()?, is_white))
        });
        let places: Vec<(usize, bool)> = places.collect();
        if !places.is_empty() {
            layouts.insert(id, places);
        }
    })?;
    Ok(layouts)
}

fn id_of(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&id| id >= ID_MIN)
}
