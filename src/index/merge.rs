//! Blocks of popular positions, or of their top games, with entries that were made again: those alone are
//! read and written that come out as others.

use std::collections::BTreeMap;

use super::{
    Block,
    popular::{self, EntryWriter, PopularKeyRange},
    top_games,
};
use crate::blocks::facts::PackedFacts;

/// A block of a part of a segment's index that is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockLocator {
    /// The last one that is filed under this key, or under a smaller one.
    UpTo(u64),
    /// The first one that is filed under more.
    Behind(u64),
}

/// What becomes of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockChange {
    /// It is there, in the place of one that is filed likewise, if there is one.
    Put(Block),
    /// The one that is filed so goes.
    Gone(u64),
}

/// The entry of a popular position and that of its top games, summed up again; none where nothing is
/// summed up. The position has a board key, is not in another block than this one, and `turn` is
/// the side that moves there (0 the first). `facts` are those of a game of the segment, which has
/// `games` games. `None`: the block is damaged.
pub fn summed_again(
    block: &Block,
    (key, turn): (u64, usize),
    (facts, games): (impl Fn(u32) -> PackedFacts, u64),
) -> Option<[Option<Vec<u8>>; 2]> {
    let Some(body) = popular::find_body(&block.bytes, key).ok()? else {
        return Some([None, None]);
    };
    let mut states = popular::read_body(body, u64::MAX)?;
    let mut last = states.iter().filter_map(|state| state.games.last());
    if last.any(|&(game, _)| u64::from(game) >= games) {
        return None;
    }
    let mut has_sums = false;
    for state in states.iter_mut().filter(|state| state.sums.is_some()) {
        state.sums = Some(state.sum_up(&facts, turn));
        has_sums = true;
    }
    Some([
        has_sums.then(|| popular::write_entry(key, &states)),
        top_games::entry(key, &states, &facts, turn),
    ])
}

/// What becomes of blocks some of whose entries, by board key, are others now. They are found by
/// `find`; `writer` makes a writer of such blocks, `any_part` is at any part of the segment.
/// `Ok(None)`: a block is damaged.
///
/// # Errors
///
/// Whatever `find` says.
pub fn repacked<E>(
    entries: &BTreeMap<u64, Vec<u8>>,
    any_part: PopularKeyRange,
    writer: impl Fn() -> EntryWriter,
    mut find: impl FnMut(BlockLocator) -> Result<Option<Block>, E>,
) -> Result<Option<Vec<BlockChange>>, E> {
    let mut changes = Vec::new();
    let mut from = 0;
    while let Some((&key, _)) = entries.range(from..).next() {
        let mut new = writer();
        let Some(mut block) = find(BlockLocator::UpTo(new.row_key(key)))? else {
            return Ok(None);
        };
        // An entry that is the first of its block and shorter now may fit after those before it.
        while is_first_changed(&block, entries)
            && let Some(last) = block.first_key.checked_sub(1)
            && let Some(before) = find(BlockLocator::UpTo(last))?
        {
            block = before;
        }
        let mut part: Option<PopularKeyRange> = None;
        let mut old = Vec::new();
        let mut last = None;
        loop {
            for entry in popular::entries(&block.bytes) {
                let Some(entry) = entry.filter(|entry| last.is_none_or(|last| last < entry.key))
                else {
                    return Ok(None);
                };
                let part = part.get_or_insert_with(|| any_part.at(entry.key));
                if part.ends_before(entry.key) {
                    new.close();
                }
                let again = entries.get(&entry.key);
                new.push(entry.key, again.map_or(entry.bytes, Vec::as_slice));
                last = Some(entry.key);
            }
            let next = find(BlockLocator::Behind(block.first_key))?;
            // A block that ends where it has ended is followed by those that have followed it.
            let is_in_step = new.is_in_step_with(&block);
            old.push(block);
            match next {
                Some(next) if !is_in_step || is_first_changed(&next, entries) => block = next,
                _ => break,
            }
        }
        changes.extend(differences(old, new.finish()));
        let Some(last) = last.filter(|&last| last >= key) else {
            return Ok(None);
        };
        let Some(behind) = last.checked_add(1) else {
            break;
        };
        from = behind;
    }
    Ok(Some(changes))
}

/// Whether the first entry of a block is another one now.
fn is_first_changed(block: &Block, entries: &BTreeMap<u64, Vec<u8>>) -> bool {
    let first = popular::entries(&block.bytes).next().flatten();
    first.is_some_and(|first| entries.contains_key(&first.key))
}

/// What becomes of blocks in whose place are others.
fn differences(old: Vec<Block>, new: Vec<Block>) -> impl Iterator<Item = BlockChange> {
    let is_new = |block: &Block| new.iter().any(|new| new.first_key == block.first_key);
    let gone = old.iter().filter(|block| !is_new(block));
    let gone: Vec<BlockChange> = gone
        .map(|block| BlockChange::Gone(block.first_key))
        .collect();
    let others = new.into_iter().filter(move |block| !old.contains(block));
    gone.into_iter().chain(others.map(BlockChange::Put))
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    const BLOCK_BYTES: usize = 300;

    /// The blocks of entries, cut into parts or not.
    fn written(entries: &BTreeMap<u64, Vec<u8>>, is_cut: bool) -> Vec<Block> {
        let mut writer = EntryWriter::popular(BLOCK_BYTES);
        let mut before = None;
        for (&key, entry) in entries {
            let part = key >> 60;
            if is_cut && before.replace(part).is_some_and(|before| before != part) {
                writer.close();
            }
            writer.push(key, entry);
        }
        writer.finish()
    }

    #[test]
    fn blocks_come_out_as_if_all_were_written() {
        let mut random = Rng::with_seed(11);
        let mut partly_read = 0;
        for round in 0..300 {
            let is_cut = round % 2 == 0;
            let entry_of = |key, random: &mut Rng| {
                let body = vec![random.u8(..); random.usize(1..90)];
                popular::entry(key, &body)
            };
            // Some keys share a row.
            let keys = (0..random.usize(1..400)).map(|_| match random.u8(0..20) {
                0 => 7 << 60 | random.u64(0..4) << 16 | random.u64(0..3),
                _ => random.u64(..),
            });
            let keys: Vec<u64> = keys.collect();
            let mut entries: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
            for &key in &keys {
                entries.insert(key, entry_of(key, &mut random));
            }
            let old = written(&entries, is_cut);
            let mut again = BTreeMap::new();
            for _ in 0..random.usize(0..6) {
                let key = keys[random.usize(0..keys.len())];
                again.insert(key, entry_of(key, &mut random));
            }
            let mut read = 0;
            let find = |sought| {
                read += 1;
                let found = match sought {
                    BlockLocator::UpTo(key) => old.iter().rfind(|block| block.first_key <= key),
                    BlockLocator::Behind(key) => old.iter().find(|block| block.first_key > key),
                };
                Ok::<_, ()>(found.cloned())
            };
            let ends = if is_cut {
                Vec::new()
            } else {
                // One block that is in two parts.
                let both = [1, u64::MAX].map(|key| (key, popular::entry(key, &[1])));
                written(&BTreeMap::from(both), false)
            };
            let part = PopularKeyRange::of(&ends).unwrap();
            let writer = || EntryWriter::popular(BLOCK_BYTES);
            let changes = repacked(&again, part, writer, find).unwrap().unwrap();
            partly_read += usize::from(read < old.len());
            let mut blocks: BTreeMap<u64, Block> = old
                .iter()
                .map(|block| (block.first_key, block.clone()))
                .collect();
            for change in changes {
                match change {
                    BlockChange::Put(block) => blocks.insert(block.first_key, block),
                    BlockChange::Gone(key) => blocks.remove(&key),
                };
            }
            entries.extend(again);
            let blocks: Vec<Block> = blocks.into_values().collect();
            assert!(blocks == written(&entries, is_cut), "round {round}");
        }
        assert!(partly_read > 50, "{partly_read}");
    }
}
