//! The names of players, packed, with what shows which of them can be one person's: a search
//! for a name reads these, and not a row for each.
//!
//! ```text
//! u8                version of the keys
//! varint            bytes of the body
//! body, as a frame of zstd:
//!   varint          number of rows
//!   for each row:
//!     varint        0: there is no such row; otherwise 1 more than the bytes of its name
//!     varint        number of its keys
//!   the keys of all rows, three bytes each, then their names
//! ```
//!
//! A block stands under the number of its first row, and has [`NAMES_PER_BLOCK`] rows that follow
//! each other.

use std::ops::Range;

use crate::base::varint::{put_varint, take_varint};

/// Rows of a block; the triggers of the table `player` count with it.
pub const NAMES_PER_BLOCK: u32 = 1024;

/// The version of the rules for keys. What changes the keys of any name takes a new number here:
/// then the keys of older blocks are made again from the names.
pub const NAME_KEY_VERSION: u8 = 3;

/// A body has no more bytes: names are parts of tags, whose length is bounded.
const BODY_BYTES_MAX: u64 = 1 << 28;

/// As [`pages`](super::pages) has it.
const LEVEL: i32 = 6;

/// What may be the family name of a name, and how the given names begin: names that can be one
/// person's have a key in common, or one of them is [bare](Self::is_bare) and they have the family
/// name of a key in common. Other names may have the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameBlockKey([u8; 3]);

/// The bit of a name that is a family name alone.
const BARE: u8 = 0x80;

impl NameBlockKey {
    /// Of a hash of a family name, and of the first letter of the given names, 0 for none.
    pub const fn new(family: u64, initial: u8, is_bare: bool) -> Self {
        let [low, high] = (family as u16).to_le_bytes();
        Self([low, high, initial & !BARE | if is_bare { BARE } else { 0 }])
    }

    /// Sixteen bits of the hash of the family name.
    pub const fn family(self) -> u16 {
        u16::from_le_bytes([self.0[0], self.0[1]])
    }

    /// The first letter of the given names; 0 for none.
    pub const fn initial(self) -> u8 {
        self.0[2] & !BARE
    }

    /// Whether the name is a family name alone.
    pub const fn is_bare(self) -> bool {
        self.0[2] & BARE > 0
    }
}

/// Names with their rows and keys, one after the other: without an allocation for each.
#[derive(Debug, Default)]
pub struct NameBlockEntries {
    text: String,
    keys: Vec<NameBlockKey>,
    /// The row of each, and where its name and its keys end.
    rows: Vec<(u32, u32, u32)>,
}

impl NameBlockEntries {
    /// How many there are.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.text.clear();
        self.keys.clear();
        self.rows.clear();
    }

    /// Makes keys of the names from a place on, which have none.
    pub fn make_keys(&mut self, from: usize, keys_of: &dyn Fn(&str) -> Vec<NameBlockKey>) {
        for nth in from..self.len() {
            let keys = keys_of(self.name(nth));
            self.keys.extend(keys);
            self.rows[nth].2 = self.keys.len() as u32;
        }
    }

    /// Adds a name.
    pub fn push(&mut self, id: u32, name: &str, keys: impl IntoIterator<Item = NameBlockKey>) {
        self.text.push_str(name);
        self.keys.extend(keys);
        let [text, keys] = [self.text.len(), self.keys.len()].map(|end| end as u32);
        self.rows.push((id, text, keys));
    }

    /// Where a name and its keys stand.
    fn place(&self, nth: usize) -> (Range<usize>, Range<usize>) {
        let before = nth
            .checked_sub(1)
            .map_or((0, 0, 0), |before| self.rows[before]);
        let (_, text, keys) = self.rows[nth];
        let range = |from: u32, end: u32| from as usize..end as usize;
        (range(before.1, text), range(before.2, keys))
    }

    /// A name by its place, from 0.
    ///
    /// # Panics
    ///
    /// If there are not that many; likewise [`id`](Self::id) and [`keys`](Self::keys).
    pub fn name(&self, nth: usize) -> &str {
        &self.text[self.place(nth).0]
    }

    /// Its row.
    pub fn id(&self, nth: usize) -> u32 {
        self.rows[nth].0
    }

    /// The place of the name of a row; they are in order.
    pub fn place_of(&self, id: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&id, |&(id, ..)| id).ok()
    }

    /// Its keys.
    pub fn keys(&self, nth: usize) -> &[NameBlockKey] {
        &self.keys[self.place(nth).1]
    }

    /// A block of those from a row on, [`NAMES_PER_BLOCK`] rows; all of them are here, in order.
    ///
    /// # Panics
    ///
    /// Never: what is compressed has room.
    pub fn block(&self, first: u32) -> Vec<u8> {
        let (mut body, mut keys, mut text) = (Vec::new(), Vec::new(), Vec::new());
        put_varint(NAMES_PER_BLOCK.into(), &mut body);
        let mut nth = self.rows.partition_point(|&(id, ..)| id < first);
        for id in first..first.saturating_add(NAMES_PER_BLOCK) {
            if self.rows.get(nth).is_none_or(|row| row.0 != id) {
                put_varint(0, &mut body);
                put_varint(0, &mut body);
                continue;
            }
            let name = self.name(nth).as_bytes();
            put_varint(name.len() as u64 + 1, &mut body);
            put_varint(self.keys(nth).len() as u64, &mut body);
            text.extend_from_slice(name);
            keys.extend(self.keys(nth).iter().flat_map(|key| key.0));
            nth += 1;
        }
        body.append(&mut keys);
        body.append(&mut text);
        let mut block = vec![NAME_KEY_VERSION];
        put_varint(body.len() as u64, &mut block);
        block.append(&mut zstd::bulk::compress(&body, LEVEL).expect("room"));
        block
    }

    /// Adds the names of a block that begins with a row, and says which rows it has and whether
    /// their keys can be used; keys of other rules are left out. `None` if it is damaged.
    pub fn take(&mut self, first: u32, block: &[u8]) -> Option<(Range<u32>, bool)> {
        let (&version, mut rest) = block.split_first()?;
        let length = take_varint(&mut rest).filter(|&length| length <= BODY_BYTES_MAX)?;
        let body = zstd::bulk::decompress(rest, usize::try_from(length).ok()?).ok()?;
        let mut rest = &body[..];
        let rows = u32::try_from(take_varint(&mut rest)?).ok()?;
        let end = first.checked_add(rows)?;
        let has_keys = version == NAME_KEY_VERSION;
        let (mut text_end, mut key_end) = (self.text.len(), self.keys.len());
        let (from, mut keys_in) = (text_end, 0);
        let known = self.rows.len();
        for id in first..end {
            let (bytes, keys) = (take_varint(&mut rest)?, take_varint(&mut rest)?);
            let Some(bytes) = bytes.checked_sub(1) else {
                continue;
            };
            text_end = text_end.checked_add(usize::try_from(bytes).ok()?)?;
            let keys = usize::try_from(keys).ok()?;
            keys_in = keys.checked_add(keys_in)?;
            key_end += if has_keys { keys } else { 0 };
            self.rows.push((
                id,
                u32::try_from(text_end).ok()?,
                u32::try_from(key_end).ok()?,
            ));
        }
        let (keys, text) = rest.split_at_checked(keys_in.checked_mul(3)?)?;
        let text = std::str::from_utf8(text).ok()?;
        if text.len() != text_end - from {
            return None;
        }
        self.text.push_str(text);
        let is_whole = |&(_, end, _): &(u32, u32, u32)| self.text.is_char_boundary(end as usize);
        if !self.rows[known..].iter().all(is_whole) {
            return None;
        }
        if has_keys {
            let keys = keys.as_chunks().0;
            self.keys
                .extend(keys.iter().map(|&bytes| NameBlockKey(bytes)));
        }
        Some((first..end, has_keys))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key() -> impl Strategy<Value = NameBlockKey> {
        (any::<u64>(), 0..128_u8, any::<bool>())
            .prop_map(|(family, initial, is_bare)| NameBlockKey::new(family, initial, is_bare))
    }

    proptest! {
        #[test]
        fn names_come_back(rows in prop::collection::btree_map(
            5..5 + NAMES_PER_BLOCK, ("\\PC{0,9}", prop::collection::vec(key(), 0..4)), 0..40)
        ) {
            let mut names = NameBlockEntries::default();
            names.push(1, "of an earlier block", [NameBlockKey::new(7, b'a', true)]);
            for (id, (name, keys)) in &rows {
                names.push(*id, name, keys.iter().copied());
            }
            let block = names.block(5);
            let mut read = NameBlockEntries::default();
            read.push(1, "", []);
            prop_assert_eq!(read.take(5, &block), Some((5..5 + NAMES_PER_BLOCK, true)));
            prop_assert_eq!(read.len(), 1 + rows.len());
            for (nth, (id, (name, keys))) in (1..).zip(&rows) {
                prop_assert_eq!((read.id(nth), read.name(nth), read.keys(nth)), (*id, &name[..], &keys[..]));
            }
            // Keys of other rules belong to no name.
            let mut older = block;
            older[0] += 1;
            let mut read = NameBlockEntries::default();
            prop_assert_eq!(read.take(5, &older), Some((5..5 + NAMES_PER_BLOCK, false)));
            for (nth, (name, _)) in rows.values().enumerate() {
                prop_assert_eq!((read.name(nth), read.keys(nth)), (&name[..], &[][..]));
            }
        }

        #[test]
        fn damaged_blocks_are_refused_or_read(
            body in prop::collection::vec(0..6_u8, 0..60), version in 0..3_u8
        ) {
            let mut block = vec![version];
            put_varint(body.len() as u64, &mut block);
            block.append(&mut zstd::bulk::compress(&body, LEVEL).unwrap());
            let mut names = NameBlockEntries::default();
            if names.take(1, &block).is_some() {
                for nth in 0..names.len() {
                    prop_assert!(names.name(nth).len() + names.keys(nth).len() < 60);
                }
            }
        }
    }
}
