//! Dictionaries of names, in memory while an import runs.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Names and their rows in a table of (id, name); ids begin at 1.
#[derive(Debug)]
pub struct Names {
    ids: HashMap<Box<str>, u32, FixedState>,
    next: u32,
}

impl Names {
    pub(super) fn new(rows: impl Iterator<Item = (u32, Box<str>)>) -> Self {
        let mut names = Self {
            ids: HashMap::with_hasher(FixedState::default()),
            next: 1,
        };
        for (id, name) in rows {
            names.next = names.next.max(id.saturating_add(1));
            names.ids.insert(name, id);
        }
        names
    }

    /// The id of a name, if it is known.
    #[inline]
    pub fn get(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    /// The id that a new name gets.
    pub fn add(&mut self, name: &str) -> u32 {
        let id = self.next;
        self.next += 1;
        self.ids.insert(name.into(), id);
        id
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}
