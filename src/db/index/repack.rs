//! Blocks of hot positions, or of their leaders, with entries that were made again: those alone are
//! read and written that come out as others.

use std::collections::BTreeMap;

use super::{
    Block,
    facts::PackedFacts,
    hot::{self, EntryWriter, KeyPart},
    leaders,
};

/// A block of a part of a segment's index that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockSought {
    /// The last one that is filed under so much, or under less.
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

/// The entry of a hot position and that of its leaders, summed up again; none where nothing is
/// summed up. The position has a board key, is not in another block than this one, and `turn` is the
/// side that moves there (0 the first). `facts` are those of a game of the segment, which has so
/// many. `None`: the block is damaged.
pub fn summed_again(
    block: &Block,
    (key, turn): (u64, usize),
    (facts, games): (impl Fn(u32) -> PackedFacts, u64),
) -> Option<[Option<Vec<u8>>; 2]> {
    let Some(body) = hot::find_body(&block.bytes, key).ok()? else {
        return Some([None, None]);
    };
    let mut states = hot::read_body(body, u64::MAX)?;
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
        has_sums.then(|| hot::write_entry(key, &states)),
        leaders::entry(key, &states, &facts, turn),
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
    any_part: KeyPart,
    writer: impl Fn() -> EntryWriter,
    mut find: impl FnMut(BlockSought) -> Result<Option<Block>, E>,
) -> Result<Option<Vec<BlockChange>>, E> {
    let mut changes = Vec::new();
    let mut from = 0;
    while let Some((&key, _)) = entries.range(from..).next() {
        let mut new = writer();
        let Some(mut block) = find(BlockSought::UpTo(new.row_key(key)))? else {
            return Ok(None);
        };
        // An entry that is the first of its block and shorter now may fit behind those before it.
        while is_first_changed(&block, entries)
            && let Some(last) = block.first_key.checked_sub(1)
            && let Some(before) = find(BlockSought::UpTo(last))?
        {
            block = before;
        }
        let mut part: Option<KeyPart> = None;
        let mut old = Vec::new();
        let mut last = None;
        loop {
            for entry in hot::entries(&block.bytes) {
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
            let next = find(BlockSought::Behind(block.first_key))?;
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
    let first = hot::entries(&block.bytes).next().flatten();
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
