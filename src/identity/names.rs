//! What was decided by hand about names of players, for those who compare games.

use std::collections::{HashMap, HashSet};

use super::told_text;
use crate::{
    people::decisions::Decisions,
    store::{NameTable, Store, StoreError},
};

/// Says which names of players are one person's where the user has decided it.
#[derive(Debug, Clone, Default)]
pub struct NameMatcher {
    decisions: Decisions,
    /// The names that were decided about, and their rows.
    rows: HashMap<String, u32>,
}

impl NameMatcher {
    /// That of a database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let rules = store.name_rules(NameTable::Player)?;
        let mut rows = HashMap::new();
        if !rules.is_empty() {
            let named: HashSet<u32> = rules
                .iter()
                .flat_map(|rule| [rule.one, rule.other])
                .collect();
            store.for_each_name(NameTable::Player, |id, name| {
                if named.contains(&id) {
                    rows.insert(told_text(name), id);
                }
            })?;
        }
        Ok(Self {
            decisions: Decisions::of(&rules),
            rows,
        })
    }

    /// Whether two names are one person's; `None` where nothing was decided.
    pub fn are_same(&self, one: &str, other: &str) -> Option<bool> {
        let (one, other) = (self.rows.get(one)?, self.rows.get(other)?);
        self.decisions.are_same(*one, *other)
    }
}
