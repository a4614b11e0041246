//! Records of games, as many to a block as fill a page once they are compressed.
//!
//! ```text
//! u32 little endian   checksum: XXH3 of the number of the first game (u64, little endian) and
//!                     all that follows
//! u8                  0: the body follows; 1: it follows as a frame of zstd
//! varint              bytes of the body
//! body:
//!   varint            number of games
//!   for each game:
//!     varint          its number less that of the one before; of the first, 0
//!     varint          bytes of its record, then these
//! ```
//!
//! A block stands under the number of its first game. Games without a record are left out. A
//! record that fills a page alone makes a block alone, however large.

use std::ops::Range;

use twox_hash::xxhash3_128::Hasher;
use zstd::bulk::Compressor;

use crate::base::{
    limits::RECORD_BYTES_MAX,
    record::GameId,
    varint::{put_bytes, put_varint, take_bytes, take_varint},
};

/// Level 9 takes a third more time of an import of games with engine comments for one part in
/// two hundred, level 3 saves a third and takes one part in fifteen more room.
const LEVEL: i32 = 6;
const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;

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

/// Gathers records into blocks.
pub struct RecordBlockWriter {
    block_bytes: usize,
    compressor: Compressor<'static>,
    records: Vec<u8>,
    /// Each game, and where its record ends.
    games: Vec<(GameId, usize)>,
    /// Bytes of records with which it is worth to look whether they fill a page.
    enough: usize,
    /// The block of so many of the first games, which did not fill a page.
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
    /// Blocks are to have at most so many bytes, and not much fewer.
    ///
    /// # Panics
    ///
    /// If there is no memory for the compressor.
    pub fn new(block_bytes: usize) -> Self {
        Self {
            block_bytes,
            compressor: Compressor::new(LEVEL).expect("a level that zstd has"),
            records: Vec::new(),
            games: Vec::new(),
            enough: 2 * block_bytes,
            tried: None,
        }
    }

    /// Adds the record of a game with a higher number than those before. Blocks that are full
    /// are given to `each`.
    pub fn push<E>(
        &mut self,
        game: GameId,
        record: &[u8],
        mut each: impl FnMut(RecordBlock) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.is_past_a_page(record.len()) {
            let block = self.block_of(self.games.len());
            each(self.fitting(block))?;
        }
        self.records.extend_from_slice(record);
        self.games.push((game, self.records.len()));
        while self.records.len() >= self.enough {
            let block = self.block_of(self.games.len());
            let bytes = block.bytes.len();
            if bytes < self.block_bytes - self.block_bytes / 16 {
                // The rest of the page at the same rate, and a bit less: too many is dearer.
                self.enough =
                    (self.records.len() * self.block_bytes / bytes).max(self.records.len() + 1);
                self.tried = Some((self.games.len(), block));
                return Ok(());
            }
            each(self.fitting(block))?;
        }
        Ok(())
    }

    /// Whether another record of so many bytes would not go into the page with those so far, as
    /// far as their block tells: compressing takes most of the time, so it is not tried.
    fn is_past_a_page(&self, bytes: usize) -> bool {
        let Some((_, block)) =
            (self.tried.as_ref()).filter(|(games, _)| *games == self.games.len())
        else {
            return false;
        };
        let records = self.records.len();
        block.bytes.len() * (records + bytes) / records > self.block_bytes + self.block_bytes / 8
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
            records: self.records.clone(),
            games: self.games.clone(),
            ..Self::new(self.block_bytes)
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
        while block.bytes.len() > self.block_bytes && games > 1 {
            let end = self.games[games - 1].1;
            let aim = end * (self.block_bytes - self.block_bytes / 64) / block.bytes.len();
            let fewer = self.games.partition_point(|(_, end)| *end <= aim);
            games = fewer.clamp(1, games - 1);
            block = self.block_of(games);
        }
        let taken = self.games[games - 1].1;
        self.records.drain(..taken);
        self.games.drain(..games);
        for (_, end) in &mut self.games {
            *end -= taken;
        }
        self.enough = taken.max(self.block_bytes);
        self.tried = None;
        block
    }

    /// The block of so many of the first games.
    fn block_of(&mut self, games: usize) -> RecordBlock {
        if let Some((_, block)) = self.tried.take_if(|(tried, _)| *tried == games) {
            return block;
        }
        let games = &self.games[..games];
        let first_game = games[0].0;
        let mut body = Vec::with_capacity(self.records.len() + 4 * games.len());
        put_varint(games.len() as u64, &mut body);
        let (mut before, mut from) = (first_game, 0);
        for &(game, end) in games {
            put_varint(game - before, &mut body);
            put_bytes(&self.records[from..end], &mut body);
            (before, from) = (game, end);
        }
        let compressed = self.compressor.compress(&body).ok();
        let compressed = compressed.filter(|frame| frame.len() < body.len());
        let mut bytes = vec![0; CHECKSUM_BYTES];
        bytes.push(if compressed.is_some() {
            COMPRESSED
        } else {
            PLAIN
        });
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
        let body = match coding {
            PLAIN => bytes.to_vec(),
            COMPRESSED if length <= RECORD_BYTES_MAX => {
                zstd::bulk::decompress(bytes, length).ok()?
            }
            _ => return None,
        };
        if body.len() != length {
            return None;
        }
        let mut rest = &body[..];
        let count = take_varint(&mut rest)?;
        let mut games = Vec::with_capacity(count.min(body.len() as u64) as usize);
        let mut game = first_game;
        for at in 0..count {
            let further = take_varint(&mut rest)?;
            if (further == 0) != (at == 0) {
                return None;
            }
            game = game.checked_add(further)?;
            let record = take_bytes(&mut rest)?.len();
            let end = body.len() - rest.len();
            games.push((game, end - record..end));
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
    use crate::db::index::BLOCK_BYTES;

    fn blocks(records: &[(GameId, Vec<u8>)]) -> Vec<RecordBlock> {
        let mut writer = RecordBlockWriter::new(BLOCK_BYTES);
        let mut blocks = Vec::new();
        let mut each = |block| {
            blocks.push(block);
            Ok::<_, Infallible>(())
        };
        for (game, record) in records {
            let Ok(()) = writer.push(*game, record, &mut each);
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
                1..20 => 0,
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
            let blocks = blocks(&records);
            let mut found = Vec::new();
            let mut below = 0;
            for block in &blocks {
                let read = RecordBlockReader::of(block.first_game, &block.bytes).expect("sound");
                let is_alone = read.records().count() == 1;
                assert!(block.bytes.len() <= BLOCK_BYTES || is_alone);
                below += usize::from(block.bytes.len() < BLOCK_BYTES * 7 / 8);
                for (game, record) in read.records() {
                    assert_eq!(read.get(game), Some(record));
                    found.push((game, record.to_vec()));
                }
                assert_eq!(read.get(block.first_game + 100_000), None);
            }
            assert_eq!(found, records);
            assert!(below * 4 < blocks.len(), "{below} of {}", blocks.len());
        }
    }

    #[test]
    fn every_flipped_bit_of_a_block_is_seen() {
        let records: Vec<_> = (1..40)
            .map(|game| (game, vec![game as u8 % 5; 30]))
            .collect();
        let block = &blocks(&records)[0];
        for bit in 0..8 * block.bytes.len() {
            let mut bytes = block.bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let read = RecordBlockReader::of(block.first_game, &bytes);
            assert!(read.is_none(), "bit {bit}");
        }
    }
}
