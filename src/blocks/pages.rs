//! Records of games, as many to a block as fill pages once they are compressed, or as have
//! some size before.
//!
//! ```text
//! u32 little endian   checksum: XXH3 of the number of the first game (u64, little endian) and
//!                     all that follows
//! u8                  2: the body follows; 3: it follows as a frame of zstd
//! varint              bytes of the body
//! body:
//!   varint            number of games
//!   for each game:
//!     varint          its number less that of the one before; of the first, 0
//!     varint × 3      bytes of the three parts of its record
//!   the third parts of all records, then the first, then the second
//! ```
//!
//! A block stands under the number of its first game. Games without a record are left out. A
//! record that fills a page alone makes a block alone, however large. A record is its parts
//! one after the other. What is alike stands together this way, which makes the texts of
//! lichess' games smaller by a tenth, of engines' games by one part in thirty.

use std::ops::Range;

use twox_hash::xxhash3_128::Hasher;
use zstd::bulk::Compressor;

use crate::base::{
    limits::RECORD_BYTES_MAX,
    record::GameId,
    varint::{put_varint, take_varint},
};

/// Level 9 takes a third more time of an import of games with engine comments for one part in
/// two hundred, level 3 saves a third and takes one part in fifteen more room.
const LEVEL: i32 = 6;
const PLAIN: u8 = 2;
const COMPRESSED: u8 = 3;
/// The order of the parts in a block: words teach the compressor more than numbers do.
const ORDER: [usize; 3] = [2, 0, 1];

const CHECKSUM_BYTES: usize = 4;

fn checksum(first_game: GameId, bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let mut hasher = Hasher::new();
    hasher.write(&first_game.to_le_bytes());
    hasher.write(bytes);
    (hasher.finish_128() as u32).to_le_bytes()
}

/// A finished block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordBlock {
    /// Its first game.
    pub first_game: GameId,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl RecordBlock {
    /// The same block under the number of another game; all other games follow it as before;
    /// `None` if it is damaged.
    pub fn moved(mut bytes: Vec<u8>, from: GameId, to: GameId) -> Option<Self> {
        let (sum, rest) = bytes.split_first_chunk_mut()?;
        if *sum != checksum(from, rest) {
            return None;
        }
        *sum = checksum(to, rest);
        Some(Self {
            first_game: to,
            bytes,
        })
    }
}

/// How much goes into a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockFill {
    /// What has this many bytes once it is compressed, as fill pages of the database. Which games
    /// these are takes two to three trials.
    Page(usize),
    /// Records of half a mebibyte, compressed once. What `SQLite` has too little room for in a
    /// page goes to pages of its own; the last of them is half full: one part in thirty, as much
    /// as the neighbours save that records have in a block of sixteen pages. Trials to fill the
    /// last page took half of the time of the compressor, a tenth of an import of engines' games.
    Records,
}

/// Bytes of records that make a block of [`BlockFill::Records`].
const RECORDS_BYTES: usize = 512 << 10;

/// Gathers records into blocks.
pub struct RecordBlockWriter {
    fill: BlockFill,
    compressor: Compressor<'static>,
    parts: [Vec<u8>; 3],
    /// Each game, and where the parts of its record end.
    games: Vec<(GameId, [usize; 3])>,
    /// Bytes of records with which it is worth to look whether they fill a page.
    enough: usize,
    /// The block of this many of the first games, which did not fill a page.
    tried: Option<(usize, RecordBlock)>,
}

impl std::fmt::Debug for RecordBlockWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games = self.games.len();
        f.debug_struct("RecordBlockWriter")
            .field("games", &games)
            .finish_non_exhaustive()
    }
}

impl RecordBlockWriter {
    /// A writer of blocks that are filled so.
    ///
    /// # Panics
    ///
    /// If there is no memory for the compressor.
    pub fn new(fill: BlockFill) -> Self {
        Self {
            fill,
            compressor: Compressor::new(LEVEL).expect("a level that zstd has"),
            parts: Default::default(),
            games: Vec::new(),
            enough: match fill {
                BlockFill::Page(page) => 2 * page,
                BlockFill::Records => RECORDS_BYTES,
            },
            tried: None,
        }
    }

    /// Adds the record, in three parts, of a game with a higher number than those before; of
    /// an empty one nothing is kept. Blocks that are full are given to `each`.
    pub fn push<E>(
        &mut self,
        game: GameId,
        parts: [&[u8]; 3],
        mut each: impl FnMut(RecordBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        if parts.iter().all(|part| part.is_empty()) {
            return Ok(());
        }
        if self.is_past_a_page(parts.iter().map(|part| part.len()).sum()) {
            let block = self.block_of(self.games.len());
            each(self.fitting(block))?;
        }
        for (all, part) in self.parts.iter_mut().zip(parts) {
            all.extend_from_slice(part);
        }
        self.games.push((game, self.parts.each_ref().map(Vec::len)));
        while self.bytes() >= self.enough {
            let block = self.block_of(self.games.len());
            let bytes = block.bytes.len();
            if let BlockFill::Page(page) = self.fill
                && bytes < page - page / 16
            {
                // The rest of the page at the same rate, and a bit less: too many is dearer.
                self.enough = (self.bytes() * page / bytes).max(self.bytes() + 1);
                self.tried = Some((self.games.len(), block));
                return Ok(());
            }
            each(self.fitting(block))?;
        }
        Ok(())
    }

    /// Bytes of the current records.
    fn bytes(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Whether another record of `bytes` bytes would not go into the page with those so far, as
    /// far as their block shows: compressing takes most of the time, so it is not tried.
    fn is_past_a_page(&self, bytes: usize) -> bool {
        let tried = (self.tried.as_ref()).filter(|(games, _)| *games == self.games.len());
        let (Some((_, block)), BlockFill::Page(page)) = (tried, self.fill) else {
            return false;
        };
        let records = self.bytes();
        block.bytes.len() * (records + bytes) / records > page + page / 8
    }

    /// The last block, if there is one.
    pub fn finish<E>(
        &mut self,
        mut each: impl FnMut(RecordBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        while !self.games.is_empty() {
            let block = self.block_of(self.games.len());
            each(self.fitting(block))?;
        }
        Ok(())
    }

    /// The blocks of what no block has yet, which stays: games may follow.
    pub fn so_far<E>(&self, each: impl FnMut(RecordBlock) -> Result<(), E>) -> Result<(), E> {
        let copy = Self {
            parts: self.parts.clone(),
            games: self.games.clone(),
            ..Self::new(self.fill)
        };
        { copy }.finish(each)
    }

    /// The first game that no block has yet.
    pub fn next_game(&self) -> Option<GameId> {
        self.games.first().map(|(game, _)| *game)
    }

    /// Takes as many games off the front as fit a page; `all` is the block of all of them.
    fn fitting(&mut self, all: RecordBlock) -> RecordBlock {
        let mut block = all;
        let mut games = self.games.len();
        while let BlockFill::Page(page) = self.fill
            && block.bytes.len() > page
            && games > 1
        {
            let all: usize = self.games[games - 1].1.iter().sum();
            let aim = all * (page - page / 64) / block.bytes.len();
            let is_in = |(_, ends): &(GameId, [usize; 3])| ends.iter().sum::<usize>() <= aim;
            games = self.games.partition_point(is_in).clamp(1, games - 1);
            block = self.block_of(games);
        }
        let taken = self.games[games - 1].1;
        self.games.drain(..games);
        for (at, &taken) in taken.iter().enumerate() {
            self.parts[at].drain(..taken);
            self.games
                .iter_mut()
                .for_each(|(_, ends)| ends[at] -= taken);
        }
        if let BlockFill::Page(page) = self.fill {
            self.enough = taken.iter().sum::<usize>().max(page);
        }
        self.tried = None;
        block
    }

    /// The block of the first `games` games.
    fn block_of(&mut self, games: usize) -> RecordBlock {
        if let Some((_, block)) = self.tried.take_if(|(tried, _)| *tried == games) {
            return block;
        }
        let games = &self.games[..games];
        let first_game = games[0].0;
        let mut body = Vec::with_capacity(self.bytes() + 8 * games.len());
        put_varint(games.len() as u64, &mut body);
        let (mut before, mut from) = (first_game, [0; 3]);
        for &(game, ends) in games {
            put_varint(game - before, &mut body);
            for (end, from) in ends.iter().zip(from) {
                put_varint((end - from) as u64, &mut body);
            }
            (before, from) = (game, ends);
        }
        for at in ORDER {
            body.extend_from_slice(&self.parts[at][..from[at]]);
        }
        let compressed = self.compressor.compress(&body).ok();
        let compressed = compressed.filter(|frame| frame.len() < body.len());
        let mut bytes = vec![0; CHECKSUM_BYTES];
        let is_plain = compressed.is_none();
        bytes.push(if is_plain { PLAIN } else { COMPRESSED });
        put_varint(body.len() as u64, &mut bytes);
        bytes.extend_from_slice(compressed.as_deref().unwrap_or(&body));
        let checksum = checksum(first_game, &bytes[CHECKSUM_BYTES..]);
        bytes[..CHECKSUM_BYTES].copy_from_slice(&checksum);
        RecordBlock { first_game, bytes }
    }
}

/// A block, inflated.
#[derive(Debug, Default)]
pub struct RecordBlockReader {
    body: Vec<u8>,
    games: Vec<(GameId, Range<usize>)>,
}

impl RecordBlockReader {
    /// Takes a block apart; `None` if it is damaged.
    pub fn of(first_game: GameId, bytes: &[u8]) -> Option<Self> {
        let (sum, mut bytes) = bytes.split_first_chunk()?;
        if *sum != checksum(first_game, bytes) {
            return None;
        }
        let (&coding, rest) = bytes.split_first()?;
        bytes = rest;
        let length = usize::try_from(take_varint(&mut bytes)?).ok()?;
        let inflated = match coding {
            PLAIN => bytes.to_vec(),
            COMPRESSED if length <= RECORD_BYTES_MAX => {
                zstd::bulk::decompress(bytes, length).ok()?
            }
            _ => return None,
        };
        if inflated.len() != length {
            return None;
        }
        let mut rest = &inflated[..];
        let count = take_varint(&mut rest)?;
        let mut games = Vec::with_capacity(count.min(length as u64) as usize);
        // The lengths of the parts, while `rest` comes to where they begin.
        let mut parts = Vec::with_capacity(games.capacity());
        let mut game = first_game;
        for at in 0..count {
            let further = take_varint(&mut rest)?;
            if (further == 0) != (at == 0) {
                return None;
            }
            game = game.checked_add(further)?;
            games.push((game, 0..0));
            let mut bytes = || usize::try_from(take_varint(&mut rest)?).ok();
            parts.push([bytes()?, bytes()?, bytes()?]);
        }
        let mut streams = [&[][..]; 3];
        for at in ORDER {
            let all = |sum: usize, of: &[usize; 3]| sum.checked_add(of[at]);
            let end = parts.iter().try_fold(0, all)?;
            (streams[at], rest) = rest.split_at_checked(end)?;
        }
        let mut body = Vec::with_capacity(length);
        for (lengths, (_, place)) in parts.iter().zip(&mut games) {
            let from = body.len();
            for (stream, &bytes) in streams.iter_mut().zip(lengths) {
                body.extend_from_slice(stream.split_off(..bytes)?);
            }
            *place = from..body.len();
        }
        rest.is_empty().then_some(Self { body, games })
    }

    /// The record of a game.
    pub fn get(&self, game: GameId) -> Option<&[u8]> {
        let at = self.games.binary_search_by_key(&game, |(game, _)| *game);
        Some(&self.body[self.games[at.ok()?].1.clone()])
    }

    /// The games and their records, in order.
    pub fn records(&self) -> impl Iterator<Item = (GameId, &[u8])> {
        let record = |(game, place): &(GameId, Range<usize>)| (*game, &self.body[place.clone()]);
        self.games.iter().map(record)
    }

    /// The first and the last game; `None` before a block was read.
    pub fn games(&self) -> Option<(GameId, GameId)> {
        Some((self.games.first()?.0, self.games.last()?.0))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::blocks::BLOCK_BYTES;

    fn blocks(fill: BlockFill, records: &[(GameId, Vec<u8>)]) -> Vec<RecordBlock> {
        let mut writer = RecordBlockWriter::new(fill);
        let mut blocks = Vec::new();
        let mut each = |block| {
            blocks.push(block);
            Ok::<_, Infallible>(())
        };
        for (game, record) in records {
            let (front, rest) = record.split_at(record.len() / 3);
            let (middle, back) = rest.split_at(rest.len() / 2);
            let Ok(()) = writer.push(*game, [front, middle, back], &mut each);
        }
        let Ok(()) = writer.finish(&mut each);
        blocks
    }

    fn records(seed: u64) -> Vec<(GameId, Vec<u8>)> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut game = 1;
        let mut record = || {
            game += 1 + random.u64(0..3) * random.u64(0..3);
            let length = match random.u32(0..200) {
                0 => 30_000,
                1..20 => 1,
                _ => random.usize(1..600),
            };
            // Half of it is compressible.
            let bytes = (0..length).map(|at| if at % 2 == 0 { 7 } else { random.u8(..) });
            (game, bytes.collect())
        };
        (0..3000).map(|_| record()).collect()
    }

    #[test]
    fn records_come_back_and_blocks_fill_their_pages() {
        for seed in 0..4 {
            let records = records(seed);
            let mut below = 0;
            let (pages, large) = (
                blocks(BlockFill::Page(BLOCK_BYTES), &records),
                blocks(BlockFill::Records, &records),
            );
            for block in &pages {
                let read = RecordBlockReader::of(block.first_game, &block.bytes).expect("sound");
                let is_alone = read.records().count() == 1;
                assert!(block.bytes.len() <= BLOCK_BYTES || is_alone);
                below += usize::from(block.bytes.len() < BLOCK_BYTES * 7 / 8);
            }
            assert!(below * 4 < pages.len(), "{below} of {}", pages.len());
            let last = large.last().expect("records");
            for block in &large {
                let read = RecordBlockReader::of(block.first_game, &block.bytes).expect("sound");
                let bytes: usize = read.records().map(|(_, record)| record.len()).sum();
                assert!((RECORDS_BYTES..RECORDS_BYTES + 30_000).contains(&bytes) || block == last);
            }
            for blocks in [pages, large] {
                let mut found = Vec::new();
                for block in &blocks {
                    let read =
                        RecordBlockReader::of(block.first_game, &block.bytes).expect("sound");
                    for (game, record) in read.records() {
                        assert_eq!(read.get(game), Some(record));
                        found.push((game, record.to_vec()));
                    }
                    assert_eq!(read.get(block.first_game + 100_000), None);
                }
                assert_eq!(found, records);
            }
        }
    }

    #[test]
    fn an_empty_record_is_not_kept() {
        let mut writer = RecordBlockWriter::new(BlockFill::Page(BLOCK_BYTES));
        let Ok(()) = writer.push(1, [&[]; 3], |_| Ok::<_, Infallible>(()));
        assert_eq!(writer.next_game(), None);
    }

    #[test]
    fn every_flipped_bit_of_a_block_is_seen() {
        let records: Vec<_> = (1..40)
            .map(|game| (game, vec![game as u8 % 5; 30]))
            .collect();
        let block = &blocks(BlockFill::Page(BLOCK_BYTES), &records)[0];
        for bit in 0..8 * block.bytes.len() {
            let mut bytes = block.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let read = RecordBlockReader::of(block.first_game, &bytes);
            assert!(read.is_none(), "bit {bit}");
        }
    }
}
