//! Postings: for each key of a section, the games of a segment that have it.
//!
//! A block holds a run of keys in ascending order:
//!
//! ```text
//! u16 little endian   number of keys
//! then bits, for each key:
//!   rice(key_rice)    key less the key before it (the first: less the block's first key, so 0)
//!   1                 one game:      game in game_bits bits
//!   0                 several games: gamma(number - 1), shift in 5 bits,
//!                                    rice(shift) of each game less the one before less 1
//! ```
//!
//! Games are numbered from 0 within the segment. A key's list never runs over
//! into another block; a block is closed when it would no longer fit a page.

use super::Block;
use crate::blocks::{
    BLOCK_BYTES,
    bits::{BitReader, BitWriter, gamma_bits, rice_bits, rice_shift},
};

/// What the keys of a section are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Section {
    /// Structure keys of main lines.
    Structures = 0,
    /// Board keys of rare positions in crowded structures, main lines.
    Boards = 1,
    /// Structure keys inside variations.
    Variation = 2,
}

impl Section {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Structures, Self::Boards, Self::Variation];
}

impl std::fmt::Display for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Structures => "structures",
            Self::Boards => "rare positions",
            Self::Variation => "variations",
        })
    }
}

/// The numbers a section's blocks are read with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PostingLayout {
    /// Bits of a key: the top bits of the 64-bit key.
    pub key_bits: u32,
    /// Rice shift of the key gaps.
    pub key_rice: u32,
    /// Bits of a game number.
    pub game_bits: u32,
}

impl PostingLayout {
    /// The layout for that many postings of distinct keys (or a guess) and games.
    pub fn new(postings: usize, keys: usize, games: usize) -> Self {
        // Two keys for every posting there is: then a look-up meets 0.2 games
        // of another key on average (measured), at one bit a key more.
        let key_bits = (postings.max(1).ilog2() + 2).clamp(10, 40);
        let layout = Self {
            key_bits,
            key_rice: 0,
            game_bits: games.max(2).next_power_of_two().ilog2(),
        };
        layout.with_keys(keys)
    }

    /// The same with `keys` distinct keys.
    #[must_use]
    pub fn with_keys(self, keys: usize) -> Self {
        let gap = (1u64 << self.key_bits) / keys.max(1) as u64;
        Self {
            key_rice: rice_shift(gap, 1),
            ..self
        }
    }

    /// The top bits of a 64-bit key that are filed.
    #[inline]
    pub const fn truncate(self, key: u64) -> u64 {
        if self.key_bits == 0 {
            0
        } else {
            key >> (64 - self.key_bits)
        }
    }
}

/// Writes a section's blocks; keys must come in ascending order.
#[derive(Debug)]
pub struct PostingWriter {
    layout: PostingLayout,
    bits: BitWriter,
    keys: u16,
    first_key: u64,
    last_key: u64,
    blocks: Vec<Block>,
}

impl PostingWriter {
    /// A writer of the blocks of a layout.
    pub fn new(layout: PostingLayout) -> Self {
        Self {
            layout,
            bits: BitWriter::default(),
            keys: 0,
            first_key: 0,
            last_key: 0,
            blocks: Vec::new(),
        }
    }

    /// Adds a truncated key with its games, ascending and distinct.
    pub fn push(&mut self, key: u64, games: impl ExactSizeIterator<Item = u32> + Clone) {
        let count = games.len() as u64;
        let last = games.clone().last().unwrap_or(0);
        let shift = rice_shift(u64::from(last) + 1 - count, count);
        let list_bits = if count == 1 {
            u64::from(self.layout.game_bits)
        } else {
            // An upper bound: the quotients cannot sum up to more than the last game.
            gamma_bits(count - 1) + 5 + count * (u64::from(shift) + 1) + (u64::from(last) >> shift)
        };
        let gap = key.wrapping_sub(self.last_key);
        let needed = 1
            + list_bits
            + if self.keys > 0 {
                rice_bits(gap, self.layout.key_rice)
            } else {
                64
            };
        if self.keys > 0
            && (self.bits.len_bits() as u64 + needed > (BLOCK_BYTES as u64 - 2) * 8
                || self.keys == u16::MAX)
        {
            self.close();
        }
        let gap = if self.keys == 0 {
            self.first_key = key;
            0
        } else {
            gap
        };
        self.bits.put_rice(gap, self.layout.key_rice);
        self.last_key = key;
        self.keys += 1;
        if count == 1 {
            self.bits.put(1, 1);
            self.bits.put(u64::from(last), self.layout.game_bits);
            return;
        }
        self.bits.put(0, 1);
        self.bits.put_gamma(count - 1);
        self.bits.put(u64::from(shift), 5);
        let mut next = 0;
        for game in games {
            self.bits.put_rice(u64::from(game - next), shift);
            next = game + 1;
        }
    }

    fn close(&mut self) {
        let bits = std::mem::take(&mut self.bits).finish();
        self.blocks
            .push(Block::of(self.first_key, self.keys, &bits));
        self.keys = 0;
    }

    /// The blocks.
    pub fn finish(mut self) -> Vec<Block> {
        if self.keys > 0 {
            self.close();
        }
        self.blocks
    }
}

/// Finds a truncated key's games in the block that should hold it, unless they are more than
/// `most`: then it is `Some(None)`. An empty list: the key is not there. `None`: block damaged.
pub fn find(
    layout: PostingLayout,
    first_key: u64,
    block: &[u8],
    key: u64,
    most: usize,
) -> Option<Option<Vec<u32>>> {
    let (count, bits) = block.split_first_chunk::<2>()?;
    let mut bits = BitReader::new(bits);
    let mut at = first_key;
    for _ in 0..u16::from_le_bytes(*count) {
        at = at.wrapping_add(bits.take_rice(layout.key_rice));
        if at > key || bits.is_past_end() {
            break;
        }
        let wanted = at == key;
        let mut games = Vec::new();
        if bits.take(1) == 1 {
            games.push(bits.take(layout.game_bits) as u32);
        } else {
            let count = bits.take_gamma().saturating_add(1);
            let shift = bits.take(5) as u32;
            if wanted && count > most as u64 {
                return (!bits.is_past_end()).then_some(None);
            }
            if wanted {
                // Each takes a bit at least, whatever the block says of their number.
                games.reserve(count.min(block.len() as u64 * 8) as usize);
            }
            let mut next = 0u32;
            for _ in 0..count {
                let game = next.wrapping_add(bits.take_rice(shift) as u32);
                next = game.wrapping_add(1);
                if bits.is_past_end() {
                    return None;
                }
                if wanted {
                    games.push(game);
                }
            }
        }
        if wanted {
            return (!bits.is_past_end()).then_some(Some(games));
        }
    }
    (!bits.is_past_end()).then(|| Some(Vec::new()))
}

/// Calls `each` with the games of all keys of a block, one key after the other; `None` if the block is
/// damaged.
pub fn each_game(layout: PostingLayout, block: &[u8], mut each: impl FnMut(u32)) -> Option<()> {
    let (count, bits) = block.split_first_chunk::<2>()?;
    let mut bits = BitReader::new(bits);
    for _ in 0..u16::from_le_bytes(*count) {
        bits.take_rice(layout.key_rice);
        if bits.take(1) == 1 {
            each(bits.take(layout.game_bits) as u32);
        } else {
            let count = bits.take_gamma().saturating_add(1);
            let shift = bits.take(5) as u32;
            let mut next = 0u32;
            for _ in 0..count {
                let game = next.wrapping_add(bits.take_rice(shift) as u32);
                next = game.wrapping_add(1);
                if bits.is_past_end() {
                    return None;
                }
                each(game);
            }
        }
    }
    (!bits.is_past_end()).then_some(())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::base::long_tests::one_in;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256 / one_in(4) as u32))]

        #[test]
        fn every_list_is_found_and_no_other(
            lists in prop::collection::btree_map(
                0u64..1 << 12,
                prop::collection::btree_set(0u32..5000, 1..40),
                0..300,
            ),
            crowd in 0u32..5000,
        ) {
            let mut lists: BTreeMap<u64, BTreeSet<u32>> = lists;
            lists.insert(77, (0..crowd).chain([4999]).collect());
            let postings = lists.values().map(BTreeSet::len).sum();
            let mut layout = PostingLayout::new(postings, lists.len(), 5000);
            layout.key_bits = 12;
            let mut writer = PostingWriter::new(layout);
            for (key, games) in &lists {
                writer.push(*key, games.iter().copied().collect::<Vec<_>>().into_iter());
            }
            let blocks = writer.finish();
            // The keys with a list, their neighbours without, and some far from any.
            let near = lists.keys().flat_map(|&key| key.saturating_sub(1)..=key + 1);
            let asked: BTreeSet<u64> = near.chain((0..1 << 12).step_by(61)).collect();
            for key in asked {
                let found = |most| match blocks.iter().rev().find(|block| block.first_key <= key) {
                    Some(block) => find(layout, block.first_key, &block.bytes, key, most),
                    None => Some(Some(Vec::new())),
                };
                let expected: Vec<u32> = lists.get(&key).map(|games| games.iter().copied().collect()).unwrap_or_default();
                if expected.len() > 1 {
                    prop_assert_eq!(found(expected.len() - 1), Some(None));
                }
                prop_assert_eq!(found(expected.len()), Some(Some(expected)));
            }
            let mut all = Vec::new();
            for block in &blocks {
                prop_assert_eq!(each_game(layout, &block.bytes, |game| all.push(game)), Some(()));
            }
            prop_assert!(all.iter().eq(lists.values().flatten()));
        }

        #[test]
        fn damaged_blocks_do_no_harm(block in prop::collection::vec(any::<u8>(), 0..200), key in 0u64..4096) {
            let layout = PostingLayout { key_bits: 12, key_rice: 3, game_bits: 12 };
            let _ = find(layout, 0, &block, key, 20);
            let _ = each_game(layout, &block, |_| ());
        }
    }
}
