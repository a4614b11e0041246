//! Checksums of whole games, as an import has them: whatever is stored of a game, and in
//! whatever way, what is read of it must have the same.
//!
//! A block holds those of consecutive games, four bytes each.

use twox_hash::XxHash3_64;

use super::facts::PackedFacts;
use crate::base::varint::{put_bytes, put_varint};

/// Games that a block holds at most; they fill a page.
pub const GAMES_PER_BLOCK: usize = 2_032;

/// Bytes of a checksum.
const SUM_BYTES: usize = 4;

/// What is summed of a game besides its tags.
#[derive(Debug, Clone, Copy)]
pub struct SummedGame<'g> {
    /// Its facts; of them those that are no rows of tables.
    pub facts: &'g PackedFacts,
    /// Where it begins, if not at the usual start of chess.
    pub start: Option<SummedStart<'g>>,
    /// Its packed main line.
    pub plies: &'g [u8],
    /// Its records, by kind; empty where there are none.
    pub records: [&'g [u8]; 3],
}

/// A start position.
#[derive(Debug, Clone, Copy)]
pub struct SummedStart<'g> {
    /// Number of the variant.
    pub variant: u8,
    /// As written.
    pub fen: &'g str,
    /// As we write it; none if it cannot be played.
    pub canonical: Option<&'g str>,
    /// Corner of square 1, where a game of draughts has its own.
    pub corner: Option<u8>,
}

/// Sums games up, one after the other.
#[derive(Debug, Default)]
pub struct GameSummer {
    bytes: Vec<u8>,
}

impl GameSummer {
    /// Adds a tag pair: its name as in the layout, with its spelling behind a `|` where that
    /// is another one, and its value.
    pub fn tag(&mut self, name: &str, value: &str) {
        put_bytes(name.as_bytes(), &mut self.bytes);
        put_bytes(value.as_bytes(), &mut self.bytes);
    }

    /// Forgets the tags that were added.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The checksum of the game whose tags were added, all of them in order; the next game is
    /// begun. How its variant is known comes in by [`with_variant_by`].
    pub fn sum(&mut self, game: &SummedGame<'_>) -> u32 {
        let out = &mut self.bytes;
        put_bytes(&[], out);
        let facts = game.facts;
        for number in [
            facts.date,
            facts.outcome,
            facts.white_elo,
            facts.black_elo,
            facts.eco,
            facts.variant,
            facts.plies,
        ] {
            put_varint(number.into(), out);
        }
        match &game.start {
            None => put_varint(0, out),
            Some(start) => {
                put_varint(1, out);
                put_varint(start.variant.into(), out);
                put_varint(start.corner.map_or(0, |corner| u64::from(corner) + 1), out);
                put_bytes(start.fen.as_bytes(), out);
                put_bytes(start.canonical.unwrap_or_default().as_bytes(), out);
            }
        }
        put_bytes(game.plies, out);
        for (kind, record) in (1..).zip(game.records) {
            if !record.is_empty() {
                put_varint(kind, out);
                put_bytes(record, out);
            }
        }
        let sum = XxHash3_64::oneshot(out);
        out.clear();
        sum as u32
    }
}

/// The checksum of a game whose tags do not tell the variant.
pub fn with_variant_by(sum: u32, variant_by: &str) -> u32 {
    sum ^ XxHash3_64::oneshot(variant_by.as_bytes()) as u32
}

/// The bytes of a block.
pub fn write(sums: &[u32]) -> Vec<u8> {
    sums.iter().flat_map(|sum| sum.to_le_bytes()).collect()
}

/// The checksum at a place of a block.
pub fn at(block: &[u8], place: usize) -> Option<u32> {
    let from = place.checked_mul(SUM_BYTES)?;
    let bytes = block.get(from..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// How many games a block has; none if it is cut.
pub const fn games(block: &[u8]) -> Option<usize> {
    if block.len().is_multiple_of(SUM_BYTES) {
        Some(block.len() / SUM_BYTES)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_block_fits_a_page() {
        let block = write(&[7; GAMES_PER_BLOCK]);
        assert!(block.len() <= super::super::BLOCK_BYTES);
        assert!(block.len() + 64 > super::super::BLOCK_BYTES);
        assert_eq!(games(&block), Some(GAMES_PER_BLOCK));
        assert_eq!(at(&block, GAMES_PER_BLOCK - 1), Some(7));
        assert_eq!(at(&block, GAMES_PER_BLOCK), None);
    }

    #[test]
    fn whatever_differs_differs_in_the_sum() {
        let facts = PackedFacts::default();
        let start = SummedStart {
            variant: 1,
            fen: "8/8",
            canonical: None,
            corner: None,
        };
        let game = SummedGame {
            facts: &facts,
            start: None,
            plies: &[1, 2],
            records: [&[]; 3],
        };
        let mut summer = GameSummer::default();
        let mut sum = |tags: &[(&str, &str)], game: SummedGame<'_>| {
            for (name, value) in tags {
                summer.tag(name, value);
            }
            summer.sum(&game)
        };
        let plain = &[("White", "A"), ("Black", "B")][..];
        let later = PackedFacts { plies: 3, ..facts };
        let mut sums = vec![
            sum(plain, game),
            sum(&plain[..1], game),
            sum(&[("WhiteA", ""), ("Black", "B")], game),
            sum(
                plain,
                SummedGame {
                    plies: &[1],
                    ..game
                },
            ),
            sum(
                plain,
                SummedGame {
                    facts: &later,
                    ..game
                },
            ),
            sum(
                plain,
                SummedGame {
                    start: Some(start),
                    ..game
                },
            ),
            sum(
                plain,
                SummedGame {
                    records: [&[1], &[], &[]],
                    ..game
                },
            ),
            sum(
                plain,
                SummedGame {
                    records: [&[], &[1], &[]],
                    ..game
                },
            ),
        ];
        assert_eq!(sum(plain, game), sums[0], "the next game is begun");
        sums.push(with_variant_by(sums[0], "forced"));
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), 9);
    }
}
