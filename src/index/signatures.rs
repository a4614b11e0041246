//! Games that no segment has yet: of each a *signature* that most positions do not fit, so that
//! a look-up replays few of them.
//!
//! A block holds the signatures of games that follow each other, [`SIGNATURE_BYTES`] each: a
//! bit set of 256, in which each structure of the game, those inside its variations included,
//! has two. A game of 33 structures, as they are usual, fits one structure in twenty that it
//! has not.

use std::ops::Range;

use super::build::Structures;

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 32;

/// Signatures that fill two pages.
pub const GAMES_PER_BLOCK: usize = 254;

/// Which structures a game may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StructureSignature([u8; SIGNATURE_BYTES]);

impl StructureSignature {
    /// That of a game with these structures: the top 32 bits of their keys.
    pub fn of(structures: impl Iterator<Item = u32>) -> Self {
        let mut bits = [0; SIGNATURE_BYTES];
        for key in structures {
            for (byte, bit) in places(key) {
                bits[byte] |= bit;
            }
        }
        Self(bits)
    }

    /// Whether the game may have a structure, by the top 32 bits of its key.
    pub fn may_have(&self, key: u32) -> bool {
        places(key)
            .iter()
            .all(|&(byte, bit)| self.0[byte] & bit != 0)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; SIGNATURE_BYTES] {
        &self.0
    }

    /// The signatures of a block; an incomplete rest is left out.
    pub fn of_block(block: &[u8]) -> impl Iterator<Item = Self> {
        let (signatures, _) = block.as_chunks();
        signatures.iter().copied().map(Self)
    }
}

/// The signatures of some games, numbered from 0, by the structures of their main lines and by
/// the keys inside variations, each with its game, in the order of these.
pub fn signatures(
    structures: &Structures,
    variations: &[(u64, u32)],
    games: Range<usize>,
) -> Vec<StructureSignature> {
    let is_before = |(_, game): &(u64, u32)| (*game as usize) < games.start;
    let variations = &variations[variations.partition_point(is_before)..];
    let mut variations = variations.iter().peekable();
    games
        .map(|game| {
            let own = std::iter::from_fn(|| {
                let (key, _) = variations.next_if(|(_, of)| *of as usize == game)?;
                Some((key >> 32) as u32)
            });
            StructureSignature::of(structures.of(game).iter().copied().chain(own))
        })
        .collect()
}

/// The bits of a structure. Keys are even over their entire length, so that two bytes of them
/// are as good as hashes.
fn places(key: u32) -> [(usize, u8); 2] {
    let [first, second, ..] = key.to_be_bytes();
    [first, second].map(|at| (usize::from(at >> 3), 1 << (at & 7)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::mix;

    #[test]
    fn a_game_fits_its_structures_and_few_others() {
        let keys = |from: u64| (from..from + 33).map(|n| (mix(n) >> 32) as u32);
        let signature = StructureSignature::of(keys(0));
        assert!(keys(0).all(|key| signature.may_have(key)));
        let others = (1000..11_000).filter(|&n| signature.may_have((mix(n) >> 32) as u32));
        let fit = others.count();
        assert!((100..1000).contains(&fit), "{fit} of 10,000");
        assert!(!StructureSignature::default().may_have(0));
        let block = [
            *signature.as_bytes(),
            *StructureSignature::default().as_bytes(),
        ]
        .concat();
        let read: Vec<StructureSignature> = StructureSignature::of_block(&block).collect();
        assert_eq!(read, [signature, StructureSignature::default()]);
    }
}
