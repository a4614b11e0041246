//! The numbers that FIDE has given to players, as games have them in their tags; and namesakes,
//! which nothing else distinguishes.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::{cluster::NameSpelling, stats::PlayerStats};
use crate::{
    base::{id_set::IdSet, record::GameId},
    blocks::facts::FactColumn as Is,
    pgn::tags::person::{FIDE_ID_TAGS, fide_id},
    replay::{TagPlace, tag_values},
    store::{Layouts, NameTable, Store, StoreError, TagColumns, TagRows},
};

/// Games that stand so near each other are read in one go.
const STRETCH_GAP: u64 = 16;

/// The numbers that the games of a database give their players.
#[derive(Debug, Default)]
pub(crate) struct FideIds {
    /// Those of each name, by its row.
    of_row: HashMap<u32, Vec<u32>, FixedState>,
    /// The rows that have several: those of namesakes.
    shared: IdSet,
    /// The games that have a number of White's, and those that have one of Black's.
    told: [IdSet; 2],
    /// The sides, White's (0) or Black's (1) of a game, without the first number of their name.
    others: HashMap<(GameId, usize), u32, FixedState>,
}

impl FideIds {
    /// Those of all players. The rows of games are read only if any have the tags.
    pub(crate) fn read(store: &Store) -> Result<Self, StoreError> {
        Self::read_of(store, None)
    }

    /// Those of the players of some rows, whose games alone are looked at.
    pub(super) fn of(store: &Store, players: &IdSet) -> Result<Self, StoreError> {
        Self::read_of(store, Some(players))
    }

    fn read_of(store: &Store, only: Option<&IdSet>) -> Result<Self, StoreError> {
        let mut found = Self::default();
        if only.is_some_and(IdSet::is_empty) {
            return Ok(found);
        }
        let is_wanted = |row: u32| only.is_none_or(|players| players.contains(row));
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
        let mut texts = TagTexts {
            store,
            known: HashMap::default(),
            failed: None,
        };
        let mut blocks = store.fact_blocks(1);
        while let Some(first) = blocks.advance()? {
            store.go_on()?;
            blocks.read(&[Is::White, Is::Black])?;
            let block = blocks.columns();
            let players = [Is::White, Is::Black].map(|column| block.values(column));
            let has = |place: &usize| players.iter().any(|rows| is_wanted(rows[*place]));
            let games = (0..block.len()).filter(has);
            for stretch in stretches(games.map(|place| first + place as u64)) {
                let take = |game: GameId, layout, extra: Option<&str>, _: Option<&str>| {
                    let place = (game - first) as usize;
                    for &(at, side) in layouts.get(&layout).into_iter().flatten() {
                        let row = players[side][place];
                        let value = tag_values(extra.unwrap_or_default()).nth(at);
                        if let Some(id) = value.and_then(|value| texts.id_of(value))
                            && is_wanted(row)
                        {
                            found.add(row, game, side, id);
                        }
                    }
                };
                let of = |layout| match layouts.get(&layout) {
                    Some(_) => TagColumns::Values,
                    None => TagColumns::Layout,
                };
                store.for_each_tags(stretch, rows, of, take)?;
            }
        }
        texts.failed.map_or(Ok(found), Err)
    }

    fn add(&mut self, row: u32, game: GameId, side: usize, id: u32) {
        // No player has this name.
        if row == 0 {
            return;
        }
        self.told[side].insert(game as u32);
        let known = self.of_row.entry(row).or_default();
        if !known.contains(&id) {
            known.push(id);
        }
        if known[0] != id {
            self.shared.insert(row);
            self.others.insert((game, side), id);
        }
    }

    /// The names that have any, by their rows.
    pub(super) fn by_row(&self) -> Vec<(u32, &[u32])> {
        let rows = self.of_row.iter().map(|(&row, ids)| (row, &ids[..]));
        let mut rows: Vec<(u32, &[u32])> = rows.collect();
        rows.sort_unstable();
        rows
    }

    /// The numbers of a name.
    pub(super) fn of_row(&self, row: u32) -> &[u32] {
        self.of_row.get(&row).map_or(&[], |ids| ids)
    }

    /// The number in a game that says who of several namesakes one of its players is, White (0) or
    /// Black (1). `None` if it does not, or no other player has the name.
    pub(crate) fn of_namesake(&self, row: u32, game: GameId, side: usize) -> Option<u32> {
        if !self.shared.contains(row) {
            return None;
        }
        let other = self.others.get(&(game, side)).copied();
        let is_told = self.told[side].contains(game as u32);
        other.or_else(|| is_told.then(|| self.of_row(row)[0]))
    }

    /// Adds their numbers to names. A name of several is parted: an entry for each of them follows
    /// the others, and its own is left with the games that have no number.
    pub(super) fn part(&self, names: &mut Vec<NameSpelling>) -> AmbiguousFideIds<'_> {
        let mut places = HashMap::default();
        for at in 0..names.len() {
            let entry = &names[at];
            let with = |id: u32| {
                let mut career = PlayerStats::default();
                career.add_fide_id(id);
                NameSpelling {
                    career,
                    ..entry.clone()
                }
            };
            match *self.of_row(entry.id) {
                [] => {}
                [id] => names[at] = with(id),
                ref ids => {
                    let row = entry.id;
                    let parted: Vec<NameSpelling> = ids.iter().map(|&id| with(id)).collect();
                    for (entry, &id) in parted.into_iter().zip(ids) {
                        places.insert((row, id), names.len());
                        names.push(entry);
                    }
                }
            }
        }
        AmbiguousFideIds { ids: self, places }
    }
}

/// The entries of names that several people have.
pub(super) struct AmbiguousFideIds<'i> {
    ids: &'i FideIds,
    /// By the row of the name and the number.
    places: HashMap<(u32, u32), usize, FixedState>,
}

impl AmbiguousFideIds<'_> {
    /// The entry of a player, if his name is several people's and his game says who he is.
    pub(super) fn place(&self, row: u32, game: GameId, side: usize) -> Option<usize> {
        let id = self.ids.of_namesake(row, game, side)?;
        self.places.get(&(row, id)).copied()
    }

    pub(super) fn are_there(&self) -> bool {
        !self.places.is_empty()
    }
}

/// Reads values of tags, which are texts or the rows of such.
struct TagTexts<'s> {
    store: &'s Store,
    /// What the rows have that were seen.
    known: HashMap<u32, Option<u32>, FixedState>,
    failed: Option<StoreError>,
}

impl TagTexts<'_> {
    fn id_of(&mut self, value: &str) -> Option<u32> {
        if let Some(text) = value.strip_prefix('"') {
            return fide_id(text.trim_end_matches('"'));
        }
        let row = value.parse().ok()?;
        if let Some(&id) = self.known.get(&row) {
            return id;
        }
        let text = self.store.text(row).unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            None
        });
        let id = text.and_then(|text| fide_id(&text));
        self.known.insert(row, id);
        id
    }
}

/// Games in order as stretches, from the first to the last of each, with few others among them.
fn stretches(games: impl Iterator<Item = GameId>) -> Vec<(GameId, GameId)> {
    let mut stretches: Vec<(GameId, GameId)> = Vec::new();
    for game in games {
        match stretches.last_mut() {
            Some((_, last)) if game - *last <= STRETCH_GAP => *last = game,
            _ => stretches.push((game, game)),
        }
    }
    stretches
}

/// Where they are among the further values of games, by their layouts, and whose.
fn layouts(store: &Store) -> Result<HashMap<u32, Vec<(usize, usize)>>, StoreError> {
    let mut layouts = HashMap::new();
    store.for_each_name(NameTable::Layout, |id, layout| {
        let places = FIDE_ID_TAGS.iter().zip(0..).filter_map(|(name, side)| {
            let place = TagPlace::of(name, layout)?;
            Some((*place.extras.first()?, side))
        });
        let places: Vec<(usize, usize)> = places.collect();
        if !places.is_empty() {
            layouts.insert(id, places);
        }
    })?;
    Ok(layouts)
}
