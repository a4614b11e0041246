//! Packed main lines in blocks of as many games as fill pages.
//!
//! ```text
//! varint              number of games
//! for each game:
//!   varint            2 × bytes of its plies + 1 if a start follows
//!   varint            number of its start position (only if said so)
//! then the plies of all games, one after the other
//! ```

use std::ops::Range;

use super::BLOCK_BYTES;
use crate::base::varint::{put_varint, take_varint};

/// The main line of a game as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MainLine<'b> {
    /// Number of its start position; 0 is the usual one of chess.
    pub start: u32,
    /// Its packed plies.
    pub plies: &'b [u8],
}

/// Gathers games into a block.
#[derive(Debug, Default)]
pub struct MoveBlockWriter {
    head: Vec<u8>,
    plies: Vec<u8>,
    games: u64,
}

impl MoveBlockWriter {
    /// Adds a game. If it does not fit any more, the block so far is returned
    /// and the game begins the next.
    pub fn push(&mut self, game: MainLine<'_>) -> Option<Vec<u8>> {
        let full = self.head.len() + self.plies.len() + game.plies.len() + 12 > BLOCK_BYTES;
        let block = if full { self.finish() } else { None };
        put_varint(
            (game.plies.len() as u64) << 1 | u64::from(game.start != 0),
            &mut self.head,
        );
        if game.start != 0 {
            put_varint(u64::from(game.start), &mut self.head);
        }
        self.plies.extend_from_slice(game.plies);
        self.games += 1;
        block
    }

    /// The block so far, if there is a game in it.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        if self.games == 0 {
            return None;
        }
        let mut block = Vec::with_capacity(self.head.len() + self.plies.len() + 3);
        put_varint(self.games, &mut block);
        block.append(&mut self.head);
        block.append(&mut self.plies);
        self.games = 0;
        Some(block)
    }
}

/// Puts the start positions of a block's games in order, and where their plies are, into
/// `places`, whatever was there. `None` if the block is damaged.
pub fn places(block: &[u8], places: &mut Vec<(u32, Range<usize>)>) -> Option<()> {
    places.clear();
    let mut rest = block;
    let mut end = 0_usize;
    for _ in 0..take_varint(&mut rest)? {
        let head = take_varint(&mut rest)?;
        let start = if head & 1 == 1 {
            u32::try_from(take_varint(&mut rest)?).ok()?
        } else {
            0
        };
        let begin = end;
        end = begin.checked_add(usize::try_from(head >> 1).ok()?)?;
        places.push((start, begin..end));
    }
    if end > rest.len() {
        return None;
    }
    // Known only now is where the first begin.
    let heads = block.len() - rest.len();
    for (_, place) in &mut *places {
        *place = place.start + heads..place.end + heads;
    }
    Some(())
}

/// The games of a block in order. `None` if the block is damaged.
pub fn games(block: &[u8]) -> Option<Vec<MainLine<'_>>> {
    let mut all = Vec::new();
    places(block, &mut all)?;
    let line = |(start, place)| MainLine {
        start,
        plies: &block[place],
    };
    Some(all.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_give_back_their_games() {
        let lines: Vec<(u32, Vec<u8>)> = (0..500u32)
            .map(|i| {
                (
                    if i % 7 == 0 { i } else { 0 },
                    vec![i as u8; (i as usize * 37) % 300],
                )
            })
            .chain([(3, vec![9; 3 * BLOCK_BYTES])])
            .collect();
        let mut writer = MoveBlockWriter::default();
        let mut blocks = Vec::new();
        for (start, plies) in &lines {
            blocks.extend(writer.push(MainLine {
                start: *start,
                plies,
            }));
        }
        blocks.extend(writer.finish());
        assert!(
            blocks
                .iter()
                .rev()
                .skip(1)
                .all(|block| block.len() <= BLOCK_BYTES)
        );
        let read: Vec<_> = blocks
            .iter()
            .flat_map(|block| games(block).expect("a sound block"))
            .map(|game| (game.start, game.plies.to_vec()))
            .collect();
        assert_eq!(read, lines);
        assert_eq!(games(&blocks[0][..20]), None);
    }
}
