//! Dictionaries of names, in memory while an import runs.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Names and their rows in a table of (id, name); ids begin at 1. Of very many only the
/// first are remembered: another one gets a row whenever it is met.
#[derive(Debug)]
pub struct Names {
    ids: HashMap<Box<str>, u32, FixedState>,
    next: u32,
    /// About how many bytes the names take, and may take.
    bytes: usize,
    bytes_max: usize,
}

/// What a name takes besides its text, about.
const NAME_BYTES: usize = 64;

impl Names {
    /// No names yet, of which so many bytes are remembered.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            ids: HashMap::with_hasher(FixedState::default()),
            next: 1,
            bytes: 0,
            bytes_max,
        }
    }

    /// Takes a row of the table.
    pub(super) fn insert(&mut self, id: u32, name: &str) {
        self.next = self.next.max(id.saturating_add(1));
        let bytes = self.bytes + name.len() + NAME_BYTES;
        if bytes <= self.bytes_max {
            self.bytes = bytes;
            self.ids.insert(name.into(), id);
        }
    }

    /// The id of a name, if it is known.
    #[inline]
    pub fn get(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }

    /// The id that a new name gets.
    pub fn add(&mut self, name: &str) -> u32 {
        let id = self.next;
        self.insert(id, name);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_very_many_the_first_are_remembered() {
        let mut names = Names::new(3 * (NAME_BYTES + 1));
        assert_eq!(
            ["a", "b", "c", "d", "d"].map(|name| names.add(name)),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(
            (names.ids.len(), names.get("c"), names.get("d")),
            (3, Some(3), None)
        );
        // Ids of rows that are not remembered are taken all the same.
        let mut names = Names::new(NAME_BYTES + 1);
        for (id, name) in [(4, "a"), (9, "b")] {
            names.insert(id, name);
        }
        assert_eq!((names.ids.len(), names.add("c")), (1, 10));
    }
}
