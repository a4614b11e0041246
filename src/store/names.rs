//! Dictionaries of names, in memory while an import runs.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// Names and their rows in a table of (id, name); ids begin at 1. Of very many only the
/// first are remembered: another one gets a row whenever it is met.
///
/// A large database has a million names, and most are never requested: they are put one after the
/// other, and found by a table of numbers, without an allocation for each.
#[derive(Debug)]
pub struct NameRows {
    text: String,
    /// Where each name ends in the text, and its id.
    ends: Vec<(usize, u32)>,
    /// The hash of each name and its number from 1, at the first free place from that of its hash
    /// on; a power of two, at most half of them taken.
    places: Vec<(u32, u32)>,
    hasher: FixedState,
    next: u32,
    /// About how many bytes the names take, and may take.
    bytes: usize,
    bytes_max: usize,
}

/// What a name takes in addition to its text, about.
const NAME_BYTES: usize = 40;

impl NameRows {
    /// No names yet; up to `bytes_max` bytes of them are remembered.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            text: String::new(),
            ends: Vec::new(),
            places: vec![(0, 0); 16],
            hasher: FixedState::default(),
            next: 1,
            bytes: 0,
            bytes_max,
        }
    }

    /// The same, for a table whose last row has that number.
    pub(super) const fn behind(mut self, last: u32) -> Self {
        self.next = last.saturating_add(1);
        self
    }

    /// Takes a row of the table.
    pub fn insert(&mut self, id: u32, name: &str) {
        if self.take(id, name) {
            self.place(self.ends.len() - 1);
        }
    }

    /// Takes a row which is found once all are [placed](Self::place_all); whether it is
    /// remembered.
    pub(super) fn take(&mut self, id: u32, name: &str) -> bool {
        self.next = self.next.max(id.saturating_add(1));
        let bytes = self.bytes + name.len() + NAME_BYTES;
        let has_room = bytes <= self.bytes_max;
        if has_room {
            self.bytes = bytes;
            self.text.push_str(name);
            self.ends.push((self.text.len(), id));
        }
        has_room
    }

    /// Makes all names that were taken be found. Places are far from each other in memory, and the
    /// processor waits less for them when nothing else happens in between.
    pub(super) fn place_all(&mut self) {
        let room = (2 * self.ends.len()).next_power_of_two().max(16);
        self.places = vec![(0, 0); room];
        for nth in 0..self.ends.len() {
            self.place(nth);
        }
    }

    /// Makes a name that was taken be found; of equal ones, the later row counts.
    fn place(&mut self, nth: usize) {
        if 2 * (nth + 1) > self.places.len() {
            self.widen();
        }
        let hash = self.hasher.hash_one(self.name(nth)) as u32;
        match self.find(hash, self.name(nth)) {
            (_, Some(earlier)) => self.ends[earlier].1 = self.ends[nth].1,
            (place, None) => self.places[place] = (hash, nth as u32 + 1),
        }
    }

    /// Twice as many places.
    fn widen(&mut self) {
        let wide = vec![(0, 0); 2 * self.places.len()];
        for (hash, nth) in std::mem::replace(&mut self.places, wide) {
            if nth > 0 {
                let mut place = hash as usize % self.places.len();
                while self.places[place].1 > 0 {
                    place = (place + 1) % self.places.len();
                }
                self.places[place] = (hash, nth);
            }
        }
    }

    /// The place of a name, and which it is, if it is there.
    #[inline]
    fn find(&self, hash: u32, name: &str) -> (usize, Option<usize>) {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let (its, nth) = self.places[place];
            let Some(nth) = nth.checked_sub(1).map(|nth| nth as usize) else {
                return (place, None);
            };
            if its == hash && self.name(nth) == name {
                return (place, Some(nth));
            }
            place = (place + 1) & mask;
        }
    }

    fn name(&self, nth: usize) -> &str {
        let from = nth.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.text[from..self.ends[nth].0]
    }

    /// The id of a name, if it is known.
    #[inline]
    pub fn get(&self, name: &str) -> Option<u32> {
        let (_, nth) = self.find(self.hasher.hash_one(name) as u32, name);
        nth.map(|nth| self.ends[nth].1)
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
    fn each_name_has_its_id() {
        let mut names = NameRows::new(1 << 20);
        let name = |nth: u32| format!("{}{nth}", "name".repeat(nth as usize % 3));
        for nth in 0..5000 {
            assert_eq!(names.get(&name(nth)), None);
            assert_eq!(names.add(&name(nth)), nth + 1);
        }
        // A table that has a name twice: the later row counts.
        names.insert(9000, &name(17));
        for nth in 0..5000 {
            let id = if nth == 17 { 9000 } else { nth + 1 };
            assert_eq!(names.get(&name(nth)), Some(id));
        }
        assert_eq!((names.get(""), names.add("")), (None, 9001));
        assert_eq!(names.get(""), Some(9001));
    }

    #[test]
    fn names_that_are_placed_at_once_are_found_like_others() {
        for count in [0, 1, 7, 8, 9, 300] {
            let mut names = NameRows::new(1 << 20);
            for id in 1..=count {
                assert!(names.take(id, &format!("name {id}")));
            }
            // A table that has a name twice: the later row counts.
            assert!(names.take(9000, "name 1"));
            names.place_all();
            let found = |names: &NameRows, id: u32| names.get(&format!("name {id}"));
            for id in 2..=count {
                assert_eq!(found(&names, id), Some(id));
            }
            assert_eq!(found(&names, 1), Some(9000));
            assert_eq!(names.get("another"), None);
            assert_eq!(names.add("another"), 9001);
            assert_eq!(names.get("another"), Some(9001));
        }
        let mut names = NameRows::new(NAME_BYTES + 1);
        assert!(names.take(1, "a"));
        assert!(!names.take(5, "b"));
        names.place_all();
        assert_eq!((names.get("b"), names.add("c")), (None, 6));
    }

    #[test]
    fn of_very_many_the_first_are_remembered() {
        let mut names = NameRows::new(3 * (NAME_BYTES + 1));
        assert_eq!(
            ["a", "b", "c", "d", "d"].map(|name| names.add(name)),
            [1, 2, 3, 4, 5]
        );
        assert_eq!(
            (names.ends.len(), names.get("c"), names.get("d")),
            (3, Some(3), None)
        );
        // Ids of rows that are not remembered are taken all the same.
        let mut names = NameRows::new(NAME_BYTES + 1);
        for (id, name) in [(4, "a"), (9, "b")] {
            names.insert(id, name);
        }
        assert_eq!((names.ends.len(), names.add("c")), (1, 10));
    }
}
