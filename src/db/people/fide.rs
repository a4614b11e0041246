//! The numbers that FIDE has given to players, as games have them in their tags; and namesakes,
//! whom nothing but these tells apart.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{career::Career, group::NameEntry};
use crate::{
    base::record::GameId,
    db::{
        search::{
            IdSet,
            tagged::{self, TagPlace},
        },
        store::{Layouts, NameTable, Store, StoreError, TagColumns, TagRows},
    },
};

/// The tags, and whether they are White's.
const TAGS: [(&str, bool); 2] = [("WhiteFideId", true), ("BlackFideId", false)];

/// Smaller numbers are marks for none.
const ID_MIN: u32 = 1000;

/// A number that FIDE may have given.
pub(super) fn id_of(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&id| id >= ID_MIN)
}

/// The numbers that the games of a database give their players.
#[derive(Debug, Default)]
pub(crate) struct FideIds {
    /// Those of each name, by its row.
    of_row: HashMap<u32, Vec<u32>, FixedState>,
    /// The rows that have several: those of namesakes.
    shared: IdSet,
    /// The games that have a number of White's, and those that have one of Black's.
    told: [IdSet; 2],
    /// The sides, of a game White's if true, that have not the first number of their name.
    others: HashMap<(GameId, bool), u32, FixedState>,
}

impl FideIds {
    /// Reads them. The rows of games are read only if any have the tags.
    pub(crate) fn read(store: &Store) -> Result<Self, StoreError> {
        let mut found = Self::default();
        let layouts = layouts(store)?;
        if layouts.is_empty() {
            return Ok(found);
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
        let mut texts = Texts {
            store,
            known: HashMap::default(),
            failed: None,
        };
        let mut next = 1;
        while let Some((first, block)) = store.facts_from(next)? {
            next = first + block.len().max(1) as u64;
            let take = |game: GameId, layout, extra: Option<&str>, _: Option<&str>| {
                let Some(facts) = block.get((game - first) as usize) else {
                    return;
                };
                for &(place, is_white) in layouts.get(&layout).into_iter().flatten() {
                    let row = if is_white { facts.white } else { facts.black };
                    let value = tagged::values(extra.unwrap_or_default()).nth(place);
                    if let Some(id) = value.and_then(|value| texts.id_of(value)) {
                        found.add(row, game, is_white, id);
                    }
                }
            };
            let of = |layout| match layouts.get(&layout) {
                Some(_) => TagColumns::Values,
                None => TagColumns::Layout,
            };
            store.for_each_tags((first, next - 1), rows, of, take)?;
        }
        texts.failed.map_or(Ok(found), Err)
    }

    fn add(&mut self, row: u32, game: GameId, is_white: bool, id: u32) {
        self.told[usize::from(!is_white)].insert(game as u32);
        let known = self.of_row.entry(row).or_default();
        if !known.contains(&id) {
            known.push(id);
        }
        if known[0] != id {
            self.shared.insert(row);
            self.others.insert((game, is_white), id);
        }
    }

    /// Whether no game has any.
    pub(super) fn are_none(&self) -> bool {
        self.of_row.is_empty()
    }

    /// The numbers of a name.
    pub(super) fn of_row(&self, row: u32) -> &[u32] {
        self.of_row.get(&row).map_or(&[], |ids| ids)
    }

    /// The number by which a game tells who of several namesakes one of its players is. `None` if it
    /// does not, or nobody else has the name.
    pub(crate) fn of_namesake(&self, row: u32, game: GameId, is_white: bool) -> Option<u32> {
        if !self.shared.contains(row) {
            return None;
        }
        let other = self.others.get(&(game, is_white)).copied();
        let is_told = self.told[usize::from(!is_white)].contains(game as u32);
        other.or_else(|| is_told.then(|| self.of_row(row)[0]))
    }

    /// Adds their numbers to names. A name of several is parted: an entry for each of them follows
    /// the others, and its own is left with the games that have no number.
    pub(super) fn part(&self, names: &mut Vec<NameEntry>) -> Namesakes<'_> {
        let mut places = HashMap::default();
        for at in 0..names.len() {
            let entry = &names[at];
            let with = |id: u32| {
                let mut career = Career::default();
                career.add_fide_id(id);
                NameEntry {
                    career,
                    ..entry.clone()
                }
            };
            match *self.of_row(entry.id) {
                [] => {}
                [id] => names[at] = with(id),
                ref ids => {
                    let row = entry.id;
                    let parted: Vec<NameEntry> = ids.iter().map(|&id| with(id)).collect();
                    for (entry, &id) in parted.into_iter().zip(ids) {
                        places.insert((row, id), names.len());
                        names.push(entry);
                    }
                }
            }
        }
        Namesakes { ids: self, places }
    }
}

/// The entries of names that several people have.
pub(super) struct Namesakes<'i> {
    ids: &'i FideIds,
    /// By the row of the name and the number.
    places: HashMap<(u32, u32), usize, FixedState>,
}

impl Namesakes<'_> {
    /// The entry of a player, if his name is several people's and his game tells who he is.
    pub(super) fn place(&self, row: u32, game: GameId, is_white: bool) -> Option<usize> {
        let id = self.ids.of_namesake(row, game, is_white)?;
        self.places.get(&(row, id)).copied()
    }

    pub(super) fn are_there(&self) -> bool {
        !self.places.is_empty()
    }
}

/// Reads values of tags, which are texts or the rows of such.
struct Texts<'s> {
    store: &'s Store,
    /// What the rows have that were seen.
    known: HashMap<u32, Option<u32>, FixedState>,
    failed: Option<StoreError>,
}

impl Texts<'_> {
    fn id_of(&mut self, value: &str) -> Option<u32> {
        if let Some(text) = value.strip_prefix('"') {
            return id_of(text.trim_end_matches('"'));
        }
        let row = value.parse().ok()?;
        if let Some(&id) = self.known.get(&row) {
            return id;
        }
        let text = self.store.text(row).unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            None
        });
        let id = text.and_then(|text| id_of(&text));
        self.known.insert(row, id);
        id
    }
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
