//! Fingerprints of complete games, as an import has them: whatever is stored of a game, and in
//! whatever way, what is read of it must have the same.
//!
//! A block holds those of consecutive games, eleven bytes each: three numbers, of four, four and
//! three bytes, the lowest byte of each first.

use twox_hash::XxHash3_64;

use super::facts::PackedFacts;
use crate::{
    base::varint::{put_bytes, put_varint},
    games::variation_tree::{self, Annotation, VariationTree},
    problems::StoredProblem,
};

/// Games that a block holds at most.
pub const GAMES_PER_BLOCK: usize = 740;

/// Bytes of a fingerprint.
const PRINT_BYTES: usize = 11;
/// Bytes of packed plies that the beginning of a game has: as many plies at most, since none
/// takes less than one.
pub const BEGINNING_BYTES: usize = 20;
/// Bits of what distinguishes beginnings.
pub const BEGINNING_BITS: u32 = 24;

/// What distinguishes games at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Fingerprint {
    /// The checksum of all that is stored of a game.
    pub sum: u32,
    /// Of the variant, the start position and all moves, unplayable ones by their words; of a
    /// problem with what identifies it. Games that are the same agree in it, but others may, too.
    pub moves: u32,
    /// Likewise of the variant, the start position, the first [`BEGINNING_BYTES`] of the packed
    /// plies and the date: a game and its own beginning agree in it. 0 where the date is not known
    /// to the day, the game is shorter, or some of its text could not be played. 24 bits.
    pub beginning: u32,
}

/// What is summed of a game in addition to its tags.
#[derive(Debug, Clone, Copy)]
pub struct GameContent<'g> {
    /// Its facts; of them those that are no rows of tables.
    pub facts: &'g PackedFacts,
    /// Where it begins, if not in the standard start position of chess.
    pub start: Option<StartContent<'g>>,
    /// Its packed main line.
    pub plies: &'g [u8],
    /// Its records, by kind; empty where there are none.
    pub records: [&'g [u8]; 3],
}

/// A start position.
#[derive(Debug, Clone, Copy)]
pub struct StartContent<'g> {
    /// Number of the variant.
    pub variant: u8,
    /// As written.
    pub fen: &'g str,
    /// As we write it; none if it cannot be played.
    pub canonical: Option<&'g str>,
    /// Corner of square 1, where a game of draughts has its own.
    pub corner: Option<u8>,
}

impl StartContent<'_> {
    /// Adds what identifies the position: neither how it was spelled nor what move it was.
    fn identify(&self, out: &mut Vec<u8>) {
        let position = without_counters(self.canonical.unwrap_or(self.fen));
        if self.canonical.is_some_and(|_| position == USUAL) {
            return;
        }
        put_bytes(position.as_bytes(), out);
        put_varint(self.corner.map_or(0, |corner| u64::from(corner) + 1), out);
    }
}

/// A FEN without what counts moves at its end.
pub fn without_counters(mut fen: &str) -> &str {
    while let Some((rest, last)) = fen.rsplit_once(' ')
        && last.bytes().all(|byte| byte.is_ascii_digit())
    {
        fen = rest;
    }
    fen
}

/// The standard start position of chess without counters.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Sums games up, one after the other.
#[derive(Debug, Default)]
pub struct FingerprintBuilder {
    bytes: Vec<u8>,
    moves: Vec<u8>,
}

impl FingerprintBuilder {
    /// Adds a tag pair: its name as in the layout, with its spelling after a `|` where that
    /// is another one, and its value.
    pub fn tag(&mut self, name: &str, value: &str) {
        put_bytes(name.as_bytes(), &mut self.bytes);
        put_bytes(value.as_bytes(), &mut self.bytes);
    }

    /// Forgets the tags that were added.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The fingerprint of the game whose tags were added, all of them in order; the next game is
    /// begun. How its variant is known comes in by [`Fingerprint::with_variant_by`].
    pub fn sum(&mut self, game: &GameContent<'_>) -> Fingerprint {
        Fingerprint {
            sum: self.sum_all(game),
            ..self.moves(game)
        }
    }

    /// What of the fingerprint the moves alone determine.
    fn moves(&mut self, game: &GameContent<'_>) -> Fingerprint {
        let out = &mut self.moves;
        out.clear();
        put_varint(game.facts.variant.into(), out);
        if let Some(start) = &game.start {
            start.identify(out);
        }
        put_varint(0, out);
        let from = out.len();
        out.extend_from_slice(game.plies);
        let [tree, texts, problem] = game.records;
        // What could not be played stands at the end, in the text alone.
        let has_rest = VariationTree::of(tree)
            .is_some_and(|tree| tree.marks().last() == Some(Annotation::Rest));
        if has_rest {
            put_varint(1, out);
            let words = variation_tree::rest_words(tree, texts);
            put_bytes(words.as_ref().map_or(texts, String::as_bytes), out);
        }
        if !problem.is_empty() {
            put_varint(2, out);
            let told = StoredProblem::told(problem);
            put_bytes(told.as_deref().unwrap_or(problem), out);
        }
        let moves = XxHash3_64::oneshot(out) as u32;
        let date = game.facts.date;
        let is_told = !has_rest && problem.is_empty() && !date.is_multiple_of(100);
        let beginning = if is_told && game.plies.len() >= BEGINNING_BYTES {
            out.truncate(from + BEGINNING_BYTES);
            put_varint(date.into(), out);
            ((XxHash3_64::oneshot(out) >> (64 - BEGINNING_BITS)) as u32).max(1)
        } else {
            0
        };
        Fingerprint {
            sum: 0,
            moves,
            beginning,
        }
    }

    /// The checksum.
    fn sum_all(&mut self, game: &GameContent<'_>) -> u32 {
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

impl Fingerprint {
    /// That of the game if its tags do not name the variant.
    #[must_use]
    pub fn with_variant_by(self, variant_by: &str) -> Self {
        let sum = self.sum ^ XxHash3_64::oneshot(variant_by.as_bytes()) as u32;
        Self { sum, ..self }
    }
}

/// The bytes of a block.
pub fn write(prints: &[Fingerprint]) -> Vec<u8> {
    let mut block = Vec::with_capacity(prints.len() * PRINT_BYTES);
    for print in prints {
        block.extend_from_slice(&print.sum.to_le_bytes());
        block.extend_from_slice(&print.moves.to_le_bytes());
        block.extend_from_slice(&print.beginning.to_le_bytes()[..3]);
    }
    block
}

/// The fingerprint at a place of a block.
pub fn at(block: &[u8], place: usize) -> Option<Fingerprint> {
    let from = place.checked_mul(PRINT_BYTES)?;
    block.get(from..)?.first_chunk().map(read)
}

/// All fingerprints of a block, in order.
pub fn all(block: &[u8]) -> impl Iterator<Item = Fingerprint> {
    block.as_chunks().0.iter().map(read)
}

fn read(bytes: &[u8; PRINT_BYTES]) -> Fingerprint {
    let [s0, s1, s2, s3, m0, m1, m2, m3, b0, b1, b2] = *bytes;
    Fingerprint {
        sum: u32::from_le_bytes([s0, s1, s2, s3]),
        moves: u32::from_le_bytes([m0, m1, m2, m3]),
        beginning: u32::from_le_bytes([b0, b1, b2, 0]),
    }
}

/// How many games a block has; none if it is cut.
pub const fn games(block: &[u8]) -> Option<usize> {
    if block.len().is_multiple_of(PRINT_BYTES) {
        Some(block.len() / PRINT_BYTES)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{super::BLOCK_BYTES, *};

    #[test]
    fn a_full_block_fits_a_page() {
        let print = Fingerprint {
            sum: 7,
            moves: u32::MAX,
            beginning: 1 << 23,
        };
        let block = write(&[print; GAMES_PER_BLOCK]);
        assert!(block.len() <= BLOCK_BYTES);
        assert_eq!(games(&block), Some(GAMES_PER_BLOCK));
        assert_eq!(at(&block, GAMES_PER_BLOCK - 1), Some(print));
        assert_eq!(at(&block, GAMES_PER_BLOCK), None);
    }

    #[test]
    fn whatever_differs_differs_in_the_sum() {
        let facts = PackedFacts::default();
        let start = StartContent {
            variant: 1,
            fen: "8/8",
            canonical: None,
            corner: None,
        };
        let game = GameContent {
            facts: &facts,
            start: None,
            plies: &[1, 2],
            records: [&[]; 3],
        };
        let mut summer = FingerprintBuilder::default();
        let mut sum = |tags: &[(&str, &str)], game: GameContent<'_>| {
            for (name, value) in tags {
                summer.tag(name, value);
            }
            summer.sum(&game).sum
        };
        let plain = &[("White", "A"), ("Black", "B")][..];
        let later = PackedFacts { plies: 3, ..facts };
        let mut sums = vec![
            sum(plain, game),
            sum(&plain[..1], game),
            sum(&[("WhiteA", ""), ("Black", "B")], game),
            sum(
                plain,
                GameContent {
                    plies: &[1],
                    ..game
                },
            ),
            sum(
                plain,
                GameContent {
                    facts: &later,
                    ..game
                },
            ),
            sum(
                plain,
                GameContent {
                    start: Some(start),
                    ..game
                },
            ),
            sum(
                plain,
                GameContent {
                    records: [&[1], &[], &[]],
                    ..game
                },
            ),
            sum(
                plain,
                GameContent {
                    records: [&[], &[1], &[]],
                    ..game
                },
            ),
        ];
        assert_eq!(sum(plain, game), sums[0], "the next game is begun");
        let first = Fingerprint {
            sum: sums[0],
            ..Fingerprint::default()
        };
        sums.push(first.with_variant_by("forced").sum);
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), 9);
    }
}
