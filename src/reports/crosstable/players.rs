//! The players of an event: which names are the same player's.

use std::collections::{HashMap, HashSet};

use super::event::EventGame;
use crate::{
    people::{NameGroups, NameSelection},
    pgn::tags::person::PlayerName,
    store::{NameTable, Store, StoreError},
};

/// Whether a name says who played: `White`, `?` and `NN` do not.
pub(super) fn is_name(name: &str) -> bool {
    PlayerName::read(name).is_known()
}

/// The players of an event: which names are the same player's.
pub(super) struct Players {
    /// Numbers by rows.
    pub by_row: HashMap<u32, usize>,
    pub names: Vec<String>,
}

impl Players {
    pub(super) fn read(
        store: &Store,
        games: &[&EventGame],
        exact_names: bool,
    ) -> Result<Self, StoreError> {
        let mut written: HashMap<u32, (&str, u32)> = HashMap::new();
        for game in games {
            for (row, name) in game.players.iter().zip(&game.row.names) {
                let name = name.as_deref().unwrap_or_default();
                written.entry(*row).or_insert((name, 0)).1 += 1;
            }
        }
        let mut groups: Vec<Vec<u32>> = Vec::new();
        if !exact_names {
            let names: HashSet<&str> = written.values().map(|(name, _)| *name).collect();
            let wanted = NameSelection {
                name: &|name| names.contains(name),
                fide_id: None,
            };
            let found = NameGroups::read(store, NameTable::Player, Some(wanted))?;
            groups.extend(found.groups.iter().map(|group| {
                let rows = group
                    .spellings
                    .iter()
                    .map(|&(name, _)| found.names[name].id);
                rows.filter(|row| written.contains_key(row)).collect()
            }));
        }
        // A name that several people have is not joined with those of any.
        let mut groups_of: HashMap<u32, usize> = HashMap::new();
        for row in groups.iter().flatten() {
            *groups_of.entry(*row).or_default() += 1;
        }
        let mut players = Self {
            by_row: HashMap::new(),
            names: Vec::new(),
        };
        for mut group in groups {
            group.retain(|row| groups_of[row] == 1);
            if group.len() > 1 && may_be_one(&group, games) {
                let name = group
                    .iter()
                    .max_by_key(|row| (written[row].1, u32::MAX - **row));
                players.add(&group, name.map_or("", |row| written[row].0));
            }
        }
        let mut others: Vec<u32> = written.keys().copied().collect();
        others.sort_unstable();
        for row in others {
            if !players.by_row.contains_key(&row) {
                players.add(&[row], written[&row].0);
            }
        }
        Ok(players)
    }

    fn add(&mut self, rows: &[u32], name: &str) {
        for row in rows {
            self.by_row.insert(*row, self.names.len());
        }
        self.names.push(name.to_owned());
    }
}

/// Whether spellings can be one player's: they never met, and never played in the same round.
fn may_be_one(rows: &[u32], games: &[&EventGame]) -> bool {
    let mut seen = HashMap::new();
    games.iter().all(|game| {
        let own = game.players.map(|row| rows.contains(&row));
        let Some(side) = own.iter().position(|&own| own) else {
            return true;
        };
        let row = game.players[side];
        let is_free = game
            .round
            .as_ref()
            .is_none_or(|round| *seen.entry(round).or_insert(row) == row);
        own != [true, true] && is_free
    })
}
