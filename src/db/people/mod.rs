//! Which names are the same person's, event's or site's: `docs/people.md` has the rules for people.
//!
//! [`group`] judges names by themselves, by what their games say ([`career`]), and by what was
//! decided by hand; here they are read from a database. Nothing of it is stored but the decisions.

pub mod career;
pub mod decisions;
mod fide;
pub mod group;
mod name;
mod near;
mod typed;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::{
    index::{
        facts::FactColumn as Is,
        name_block::{FiledKey, FiledNames},
    },
    store::{NameTable, Store, StoreError},
};
use group::{Joined, NameEntry, NameGroup};
use near::Places;

pub use name::NameForm;
pub use typed::{NamesTaken, TypedName, spell_out, suggestions};

/// Names of a database, grouped.
#[derive(Debug, Clone, Default)]
pub struct NameGroups {
    /// The names.
    pub names: Vec<NameEntry>,
    /// Whose they are: those with the most games first.
    pub groups: Vec<NameGroup>,
    /// The games of two players who both were wanted, or have to do with those, by their rows.
    meetings: HashMap<(u32, u32), u64, FixedState>,
}

impl NameGroups {
    /// All names of a table of players, events or sites, or those groups alone that have a name
    /// that is wanted.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn read(
        store: &Store,
        table: NameTable,
        wanted: Option<&dyn Fn(&str) -> bool>,
    ) -> Result<Self, StoreError> {
        let is_player = table == NameTable::Player;
        let entry = if is_player {
            NameEntry::player
        } else {
            NameEntry::title
        };
        let rules = store.name_rules(table)?;
        let mut names = Vec::new();
        match wanted {
            // What FIDE has joined need not have any word in common.
            Some(wanted) if is_player && !fide::are_there(store)? => {
                names = near::by_filed_keys(&filed_names(store)?, &rules, wanted);
            }
            _ => store.for_each_name(table, |id, name| names.push(entry(id, name)))?,
        }
        if is_player {
            fide::add_ids(store, &mut names)?;
        }
        if let Some(wanted) = wanted {
            names = near::with_neighbours(names, &rules, wanted);
        }
        let mut meetings = HashMap::default();
        let mut clashes = if is_player {
            careers(store, &mut names, wanted.map(|_| &mut meetings))?
        } else {
            count(store, table, &mut names)?;
            BTreeSet::new()
        };
        forget_idle(&mut names, &mut clashes);
        let mut groups = group::group(&names, &clashes, &rules);
        if let Some(wanted) = wanted {
            let has = |&(name, _): &(usize, Joined)| wanted(&names[name].name);
            groups.retain(|group| group.spellings.iter().any(has));
        }
        Ok(Self {
            names,
            groups,
            meetings,
        })
    }

    /// The games of players of some of these rows, in which each plays with either colour.
    fn games_of(&self, rows: &HashSet<u32>) -> u64 {
        let names = self.names.iter().filter(|entry| rows.contains(&entry.id));
        let both = |(one, other): &(u32, u32)| rows.contains(one) && rows.contains(other);
        let twice = self.meetings.iter().filter(|(players, _)| both(players));
        let all: u64 = names.map(|entry| u64::from(entry.career.games)).sum();
        all - twice.map(|(_, games)| games).sum::<u64>()
    }

    /// The name of a group: its most used spelling.
    pub fn title(&self, group: &NameGroup) -> &str {
        &self.names[group.spellings[0].0].name
    }
}

/// The keys that a name is filed by.
fn keys_of(name: &str) -> Vec<FiledKey> {
    NameForm::of(name).filed_keys()
}

/// All names of players with the keys by which they are filed.
fn filed_names(store: &Store) -> Result<FiledNames, StoreError> {
    store.filed_names(&keys_of)
}

/// Files the names of players that are not, as soon as they are many.
///
/// # Errors
///
/// [`StoreError`] if it cannot be written, or the database is damaged.
pub fn file_names(store: &Store) -> Result<(), StoreError> {
    store.file_names(&keys_of)
}

/// What is wrong with filed names; empty if nothing is.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read.
pub fn odd_filed_names(store: &Store) -> Result<Vec<String>, StoreError> {
    store.odd_name_blocks(&keys_of)
}

/// Leaves out the names that only removed games have.
fn forget_idle(names: &mut Vec<NameEntry>, clashes: &mut BTreeSet<(usize, usize)>) {
    let mut next = 0;
    let places: Vec<usize> = (names.iter())
        .map(|entry| {
            next += usize::from(entry.career.games > 0);
            next.saturating_sub(1)
        })
        .collect();
    names.retain(|entry| entry.career.games > 0);
    // Who clashes has played.
    let moved = clashes
        .iter()
        .map(|(one, other)| (places[*one], places[*other]));
    *clashes = moved.collect();
}

/// Adds up the games of names, and those in which two of them meet, if somebody asks; those that have
/// played each other although they may be one.
fn careers(
    store: &Store,
    names: &mut [NameEntry],
    mut meetings: Option<&mut HashMap<(u32, u32), u64, FixedState>>,
) -> Result<BTreeSet<(usize, usize)>, StoreError> {
    let places = Places::of(names);
    // Names without a common bit are of other families.
    let families: Vec<u64> = names
        .iter()
        .map(|entry| {
            entry
                .form
                .keys()
                .iter()
                .fold(0, |bits, key| bits | 1 << (key.family % 64))
        })
        .collect();
    let mut clashes = BTreeSet::new();
    let removed = store.removed()?;
    let columns = [
        Is::White,
        Is::Black,
        Is::Date,
        Is::Outcome,
        Is::WhiteElo,
        Is::BlackElo,
    ];
    store.for_each_facts(&columns, |game, facts| {
        if removed.contains(game) {
            return;
        }
        let [white, black] = [facts.white, facts.black].map(|id| places.get(id));
        if let Some(name) = white.filter(|_| white == black) {
            // A game against oneself is one, and neither won nor lost.
            names[name].career.count(facts);
            return;
        }
        for (name, is_white) in [(white, true), (black, false)] {
            if let Some(name) = name {
                names[name].career.add(facts, is_white);
            }
        }
        if let (Some(meetings), Some(_), Some(_)) = (&mut meetings, white, black) {
            *meetings.entry((facts.white, facts.black)).or_default() += 1;
        }
        if let (Some(white), Some(black)) = (white, black)
            && families[white] & families[black] != 0
            && names[white].form.fit(&names[black].form).is_some()
        {
            clashes.insert((white.min(black), white.max(black)));
        }
    })?;
    Ok(clashes)
}

/// Adds up the games of events or sites.
fn count(store: &Store, table: NameTable, names: &mut [NameEntry]) -> Result<(), StoreError> {
    let places = Places::of(names);
    let removed = store.removed()?;
    store.for_each_facts(&[Is::Event, Is::Site, Is::Date], |game, facts| {
        if removed.contains(game) {
            return;
        }
        let id = if table == NameTable::Event {
            facts.event
        } else {
            facts.site
        };
        if let Some(place) = places.get(id) {
            names[place].career.count(facts);
        }
    })
}
