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

use std::{
    collections::{BTreeSet, HashSet},
    ops::Range,
};

use foldhash::fast::FixedState;

use super::{
    index::{
        facts::FactColumn as Is,
        name_block::{FiledKey, FiledNames},
    },
    search::{
        IdSet,
        condition::{BlockGames, of_values},
    },
    store::{NameTable, Store, StoreError},
};
use crate::base::{record::GameId, runs::MarkedRuns};
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
    /// The games of players who were wanted, or have to do with those, with the rows of both, in
    /// order; `None` if they were not asked for or are very many.
    played: Option<Vec<PlayedGame>>,
}

/// A game, and the rows of its players.
type PlayedGame = (GameId, [u32; 2]);

/// More games are not kept: they are looked for once more.
const PLAYED_MAX: usize = 1 << 20;

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
        let mut played = wanted.filter(|_| is_player).map(|_| Vec::new());
        let mut clashes = if is_player {
            careers(store, &mut names, &mut played)?
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
            played,
        })
    }

    /// The games in which a player of some rows has one of some sides, White's (0) and Black's, if
    /// they are known.
    fn games_of(&self, rows: &[u32], sides: Range<usize>) -> Option<MarkedRuns> {
        let rows: HashSet<&u32, FixedState> = rows.iter().collect();
        let is_of = |players: &[u32; 2]| players[sides.clone()].iter().any(|id| rows.contains(id));
        let games = self.played.as_ref()?.iter();
        let games = games.filter(|(_, players)| is_of(players));
        Some(MarkedRuns::of_numbers(games.map(|&(game, _)| game)))
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

/// Files the names of players that are not, as soon as they are many; tells how many.
///
/// # Errors
///
/// [`StoreError`] if it cannot be written, or the database is damaged.
pub fn file_names(store: &Store) -> Result<u64, StoreError> {
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

/// Adds up the games of names, and keeps them if somebody asks and they are not very many; those that
/// have played each other although they may be one.
fn careers(
    store: &Store,
    names: &mut [NameEntry],
    played: &mut Option<Vec<PlayedGame>>,
) -> Result<BTreeSet<(usize, usize)>, StoreError> {
    let places = Places::of(names);
    // Names without a common bit are of other families.
    let families: Vec<u64> = names
        .iter()
        .map(|entry| {
            let keys = entry.form.keys();
            keys.iter()
                .fold(0, |bits, key| bits | 1 << (key.family % 64))
        })
        .collect();
    let mut known = IdSet::default();
    for entry in names.iter() {
        known.insert(entry.id);
    }
    let are_known = of_values([Is::White, Is::Black], move |ids| {
        ids.iter().any(|id| known.contains(*id))
    });
    let mut clashes = BTreeSet::new();
    let removed = store.removed()?;
    let mut blocks = store.fact_blocks(1);
    while let Some(first) = blocks.advance()? {
        store.go_on()?;
        let mut left = BlockGames::first(blocks.columns().len());
        blocks.read(are_known.reads())?;
        are_known.sift(blocks.columns(), &mut left);
        if left.is_empty() {
            continue;
        }
        blocks.read(&[Is::Date, Is::Outcome, Is::WhiteElo, Is::BlackElo])?;
        for place in left.iter() {
            let (game, facts) = (first + place as u64, &blocks.columns().row(place));
            if removed.contains(game) {
                continue;
            }
            let players = [facts.white, facts.black];
            if let Some(games) = played {
                games.push((game, players));
            }
            let [white, black] = players.map(|id| places.get(id));
            if let Some(name) = white.filter(|_| white == black) {
                // A game against oneself is one, and neither won nor lost.
                names[name].career.count(facts);
                continue;
            }
            for (name, is_white) in [(white, true), (black, false)] {
                if let Some(name) = name {
                    names[name].career.add(facts, is_white);
                }
            }
            if let (Some(white), Some(black)) = (white, black)
                && families[white] & families[black] != 0
                && names[white].form.fit(&names[black].form).is_some()
            {
                clashes.insert((white.min(black), white.max(black)));
            }
        }
        if played
            .as_ref()
            .is_some_and(|games| games.len() > PLAYED_MAX)
        {
            *played = None;
        }
    }
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
