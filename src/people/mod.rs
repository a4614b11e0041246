//! Which names are the same person's, event's or site's: `docs/people.md` has the rules for people.
//!
//! [`cluster`] judges names by themselves, by what their games say ([`stats`]), and by what was
//! decided by hand; here they are read from a database. Nothing of it is stored but the decisions.

mod candidates;
pub mod cluster;
pub mod decisions;
mod fide;
mod name;
pub mod stats;

#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet, hash_map::Entry},
    ops::Range,
};

use foldhash::fast::FixedState;

use crate::{
    base::{id_set::IdSet, range_map::RangeMap, record::GameId},
    blocks::{
        fact_predicate::{BlockGames, of_values},
        facts::FactColumn as Is,
        name_block::{NameBlockEntries, NameBlockKey},
    },
    store::{NameTable, Store, StoreError},
};
use candidates::RowIndex;
use cluster::{JoinReason, NameGroup, NameSpelling};
use fide::AmbiguousFideIds;

pub(crate) use fide::FideIds;
pub use name::NameForm;

/// Names of a database, grouped.
#[derive(Debug, Clone, Default)]
pub struct NameGroups {
    /// The names.
    pub names: Vec<NameSpelling>,
    /// Whose they are: those with the most games first.
    pub groups: Vec<NameGroup>,
    /// The rows of names that several groups have.
    shared: HashSet<u32>,
    /// Which groups have them, with the numbers of FIDE in their games that show it.
    namesakes: HashMap<(u32, Option<u32>), usize>,
    /// The games of players who were wanted, or have to do with those, in order; `None` if they
    /// were not requested or are very many.
    played: Option<Vec<PlayedGame>>,
}

/// Which names are wanted.
#[derive(Clone, Copy)]
pub struct NameSelection<'w> {
    /// Whether a name is wanted by itself.
    pub name: &'w dyn Fn(&str) -> bool,
    /// Names whose owner has this number of FIDE are wanted, too, whatever they are.
    pub fide_id: Option<u32>,
}

impl NameSelection<'_> {
    fn is_name(&self, name: &str) -> bool {
        (self.name)(name)
    }

    /// Whether a name is wanted whose owner has some numbers of FIDE.
    fn is(&self, name: &str, fide_ids: &[u32]) -> bool {
        self.is_name(name) || self.fide_id.is_some_and(|id| fide_ids.contains(&id))
    }
}

/// A game, and the places of its players among all names; `u32::MAX` for others.
type PlayedGame = (GameId, [u32; 2]);

/// More games are not kept: they are searched for once more.
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
        wanted: Option<NameSelection<'_>>,
    ) -> Result<Self, StoreError> {
        match (table, wanted) {
            (NameTable::Player, Some(wanted)) => {
                let (names, fide_ids) = near_players(store, wanted)?;
                Self::of(store, table, names, &fide_ids, Some(wanted))
            }
            (NameTable::Player, None) => Self::all(store, table, &FideIds::read(store)?),
            _ => {
                let names = all_names(store, table)?;
                Self::of(store, table, names, &FideIds::default(), wanted)
            }
        }
    }

    /// All names of a table, where the numbers of FIDE are known.
    pub(crate) fn all(
        store: &Store,
        table: NameTable,
        fide_ids: &FideIds,
    ) -> Result<Self, StoreError> {
        Self::of(store, table, all_names(store, table)?, fide_ids, None)
    }

    fn of(
        store: &Store,
        table: NameTable,
        mut names: Vec<NameSpelling>,
        fide_ids: &FideIds,
        wanted: Option<NameSelection<'_>>,
    ) -> Result<Self, StoreError> {
        let is_player = table == NameTable::Player;
        let rules = store.name_rules(table)?;
        if let Some(wanted) = wanted {
            names = candidates::with_neighbours(names, &rules, fide_ids, wanted);
        }
        let namesakes = fide_ids.part(&mut names);
        let mut played = wanted.filter(|_| is_player).map(|_| Vec::new());
        let mut clashes = if is_player {
            careers(store, &mut names, &namesakes, &mut played)?
        } else {
            count(store, table, &mut names)?;
            BTreeSet::new()
        };
        forget_idle(&mut names, &mut clashes, &mut played);
        let groups = cluster::group(&names, &clashes, &rules);
        let mut found = Self {
            names,
            groups,
            shared: HashSet::new(),
            namesakes: HashMap::new(),
            played,
        };
        if namesakes.are_there() {
            found.find_shared();
        }
        if let Some(wanted) = wanted {
            let is_wanted = |entry: &NameSpelling| wanted.is(&entry.name, entry.career.fide_ids());
            let names = &found.names;
            let has = |&(name, _): &(usize, JoinReason)| is_wanted(&names[name]);
            found.groups.retain(|group| group.spellings.iter().any(has));
        }
        if namesakes.are_there() {
            found.unite();
        }
        Ok(found)
    }

    /// Notes the names that several groups have.
    fn find_shared(&mut self) {
        let mut group_of: HashMap<u32, usize> = HashMap::new();
        for (nth, group) in self.groups.iter().enumerate() {
            for &(name, _) in &group.spellings {
                let row = self.names[name].id;
                if *group_of.entry(row).or_insert(nth) != nth {
                    self.shared.insert(row);
                }
            }
        }
    }

    /// Makes one spelling of all entries that a group has of one name.
    fn unite(&mut self) {
        let mut places: Vec<u32> = (0..self.names.len() as u32).collect();
        for (nth, group) in self.groups.iter_mut().enumerate() {
            let mut united: Vec<(usize, JoinReason)> = Vec::new();
            let mut of_row: HashMap<u32, usize> = HashMap::new();
            for &(name, joined) in &group.spellings {
                let entry = &self.names[name];
                if self.shared.contains(&entry.id) {
                    let of = (entry.id, entry.career.fide_id());
                    self.namesakes.insert(of, nth);
                }
                match of_row.entry(entry.id) {
                    Entry::Vacant(place) => {
                        place.insert(united.len());
                        united.push((name, joined));
                    }
                    Entry::Occupied(place) => {
                        let (first, how) = &mut united[*place.get()];
                        *how = joined.min(*how);
                        places[name] = *first as u32;
                        let career = entry.career.clone();
                        self.names[*first].career.merge(&career);
                    }
                }
            }
            let games = |name: usize| Reverse(self.names[name].career.games);
            united.sort_by_key(|&(name, _)| (games(name), &self.names[name].name));
            group.spellings = united;
        }
        move_players(&mut self.played, &places);
    }

    /// The games in which one of some groups has one of some sides, White's (0) and Black's, if
    /// they are known.
    pub(crate) fn games_of(&self, groups: &[NameGroup], sides: Range<usize>) -> Option<RangeMap> {
        let names = groups.iter().flat_map(|group| &group.spellings);
        let names: HashSet<u32, FixedState> = names.map(|&(name, _)| name as u32).collect();
        let is_of = |players: &[u32; 2]| players[sides.clone()].iter().any(|at| names.contains(at));
        let games = self.played.as_ref()?.iter();
        let games = games.filter(|(_, players)| is_of(players));
        Some(RangeMap::of_numbers(games.map(|&(game, _)| game)))
    }

    /// The name of a group: its most used spelling.
    pub fn title(&self, group: &NameGroup) -> &str {
        &self.names[group.spellings[0].0].name
    }

    /// The names that several groups have, by their rows and the numbers of FIDE in their games
    /// that show whose they are, if they do; with the group.
    pub(crate) fn namesakes(&self) -> impl Iterator<Item = ((u32, Option<u32>), &NameGroup)> {
        let namesakes = self.namesakes.iter();
        namesakes.map(|(&of, &nth)| (of, &self.groups[nth]))
    }

    /// The name of a group that no other has: with the number that FIDE has given to a player if
    /// another player is called so as well.
    pub fn own_title(&self, group: &NameGroup) -> Cow<'_, str> {
        let entry = &self.names[group.spellings[0].0];
        match group.career.fide_id() {
            Some(id) if self.shared.contains(&entry.id) => {
                format!("{} (FIDE ID {id})", entry.name).into()
            }
            _ => Cow::from(&*entry.name),
        }
    }
}

/// Moves players to the places that those have which they had.
fn move_players(played: &mut Option<Vec<PlayedGame>>, places: &[u32]) {
    let players = played.iter_mut().flatten().flat_map(|(_, players)| players);
    for place in players.filter(|place| **place < u32::MAX) {
        *place = places[*place as usize];
    }
}

/// All names of a table.
fn all_names(store: &Store, table: NameTable) -> Result<Vec<NameSpelling>, StoreError> {
    let entry = match table {
        NameTable::Player => NameSpelling::player,
        _ => NameSpelling::title,
    };
    let mut names = Vec::new();
    store.for_each_name(table, |id, name| names.push(entry(id, name)))?;
    Ok(names)
}

/// The players that are wanted, with all whose names have to do with theirs, and their numbers.
fn near_players(
    store: &Store,
    wanted: NameSelection<'_>,
) -> Result<(Vec<NameSpelling>, FideIds), StoreError> {
    let rules = store.name_rules(NameTable::Player)?;
    let names = candidates::by_filed_keys(store, &filed_names(store)?, &rules, wanted)?;
    let mut numbered = IdSet::default();
    if store.has_any_fide_name()? {
        for entry in &names {
            if !store.fide_ids_of(entry.id)?.is_empty() {
                numbered.insert(entry.id);
            }
        }
    }
    Ok((names, FideIds::of(store, &numbered)?))
}

/// The numbers that games give to names for which they are not filed; empty if there are none.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read.
pub fn odd_fide_ids(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    for (row, ids) in FideIds::read(store)?.by_row() {
        let filed = store.fide_ids_of(row)?;
        let missing = ids.iter().filter(|id| !filed.contains(id));
        problems.extend(
            missing.map(|id| {
                format!("table fide_name: player {row} lacks the FIDE ID {id} of a game")
            }),
        );
    }
    Ok(problems)
}

/// Whether games distinguish several players who have one name by the numbers of FIDE.
///
/// # Errors
///
/// [`StoreError`] if the database cannot be read or is damaged.
pub fn has_namesakes(store: &Store, row: u32) -> Result<bool, StoreError> {
    let mut rows = IdSet::default();
    rows.insert(row);
    Ok(FideIds::of(store, &rows)?.of_row(row).len() > 1)
}

/// The keys that a name is filed by.
fn keys_of(name: &str) -> Vec<NameBlockKey> {
    NameForm::of(name).filed_keys()
}

/// All names of players with the keys that they are filed under.
fn filed_names(store: &Store) -> Result<NameBlockEntries, StoreError> {
    store.filed_names(&keys_of)
}

/// Files the names of players that are not, as soon as they are many; returns how many.
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
fn forget_idle(
    names: &mut Vec<NameSpelling>,
    clashes: &mut BTreeSet<(usize, usize)>,
    played: &mut Option<Vec<PlayedGame>>,
) {
    let mut next = 0;
    let places: Vec<u32> = (names.iter())
        .map(|entry| {
            next += u32::from(entry.career.games > 0);
            next.saturating_sub(1)
        })
        .collect();
    names.retain(|entry| entry.career.games > 0);
    // Players who clash have played.
    let place = |old: usize| places[old] as usize;
    let moved = clashes
        .iter()
        .map(|&(one, other)| (place(one), place(other)));
    *clashes = moved.collect();
    move_players(played, &places);
}

/// Adds up the games of names, and keeps them if they are requested and not very many; those that
/// have played each other although they may be one.
fn careers(
    store: &Store,
    names: &mut [NameSpelling],
    namesakes: &AmbiguousFideIds<'_>,
    played: &mut Option<Vec<PlayedGame>>,
) -> Result<BTreeSet<(usize, usize)>, StoreError> {
    let places = RowIndex::of(names);
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
            let [white, black] = [(facts.white, 0), (facts.black, 1)].map(|(row, side)| {
                let namesake = || namesakes.place(row, game, side);
                places.get(row).map(|place| namesake().unwrap_or(place))
            });
            if let Some(games) = played {
                let place = |name: Option<usize>| name.map_or(u32::MAX, |name| name as u32);
                games.push((game, [place(white), place(black)]));
            }
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
        // Of namesakes nothing else finds the games.
        let are_many = played
            .as_ref()
            .is_some_and(|games| games.len() > PLAYED_MAX);
        if are_many && !namesakes.are_there() {
            *played = None;
        }
    }
    Ok(clashes)
}

/// Adds up the games of events or sites.
fn count(store: &Store, table: NameTable, names: &mut [NameSpelling]) -> Result<(), StoreError> {
    let places = RowIndex::of(names);
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
