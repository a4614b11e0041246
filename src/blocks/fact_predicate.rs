//! What games pass or fail by their facts alone, tested on all games of a block at once.

use crate::{
    base::{range_map::RangeMap, record::GameId},
    blocks::facts::{FactColumn, FactColumns, GAMES_PER_BLOCK, PackedFacts},
};

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// Games of a word that are tested one by one, at most: beyond that it costs less to test all.
const FEW: u32 = 8;

/// Some games of a block, by their places in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockGames([u64; GAMES_PER_BLOCK / BITS]);

impl BlockGames {
    /// The first `count`.
    pub(crate) fn first(count: usize) -> Self {
        let mut places = Self::default();
        for (at, word) in places.0.iter_mut().enumerate() {
            let bits = count.saturating_sub(at * BITS).min(BITS);
            *word = u64::MAX.checked_shr((BITS - bits) as u32).unwrap_or(0);
        }
        places
    }

    /// Those of `count` games from one on that are among some.
    pub(crate) fn among(games: &RangeMap, first: GameId, count: usize) -> Self {
        let mut places = Self::default();
        for range in games.ranges_between(first, first + count as u64) {
            for game in range {
                let place = (game - first) as usize;
                places.0[place / BITS] |= 1 << (place % BITS);
            }
        }
        places
    }

    /// Adds a place.
    pub(crate) const fn insert(&mut self, place: usize) {
        self.0[place / BITS] |= 1 << (place % BITS);
    }

    /// Leaves those that are among others.
    pub(crate) fn keep(&mut self, others: &Self) {
        for (own, other) in self.0.iter_mut().zip(others.0) {
            *own &= other;
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether a place is among them.
    pub(crate) fn contains(&self, place: usize) -> bool {
        let word = self.0.get(place / BITS);
        word.is_some_and(|word| word >> (place % BITS) & 1 == 1)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        let words = self.0.iter();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// All of them in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * BITS + bit)
            })
        })
    }

    /// Leaves those that pass.
    pub(crate) fn retain<E>(
        &mut self,
        mut passes: impl FnMut(usize) -> Result<bool, E>,
    ) -> Result<(), E> {
        for (at, word) in self.0.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                *word ^= u64::from(!passes(at * BITS + bit)?) << bit;
            }
        }
        Ok(())
    }
}

/// What a game passes or fails by some of its facts.
pub(crate) trait FactPredicate {
    /// The columns of facts that it needs.
    fn reads(&self) -> &[FactColumn];

    /// Whether it holds for a game of these facts.
    fn holds(&self, facts: &PackedFacts) -> bool;

    /// Leaves of some games of a block those for which it holds; its columns must have been read.
    fn sift(&self, block: &FactColumns, left: &mut BlockGames);
}

/// A condition on the values of some columns.
struct ColumnPredicate<const N: usize, F> {
    columns: [FactColumn; N],
    holds: F,
}

impl<const N: usize, F: Fn([u32; N]) -> bool> FactPredicate for ColumnPredicate<N, F> {
    fn reads(&self) -> &[FactColumn] {
        &self.columns
    }

    fn holds(&self, facts: &PackedFacts) -> bool {
        (self.holds)(self.columns.map(|column| facts.get(column)))
    }

    fn sift(&self, block: &FactColumns, left: &mut BlockGames) {
        let columns = self.columns.map(|column| block.values(column));
        let holds = |place: usize| u64::from((self.holds)(columns.map(|values| values[place])));
        for (at, word) in left.0.iter_mut().enumerate() {
            let begin = at * BITS;
            if word.count_ones() > FEW {
                // What follows the last game of a block is not among those that are left.
                let held: [u8; BITS] = std::array::from_fn(|bit| holds(begin + bit) as u8);
                *word &= bits_of(&held);
                continue;
            }
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                *word ^= (1 - holds(begin + bit)) << bit;
            }
        }
    }
}

/// A word of the lowest bits of bytes. Compilers test values side by side if the results are bytes.
#[inline]
fn bits_of(bytes: &[u8; BITS]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    let mut word = 0;
    for (at, eight) in eights.iter().enumerate() {
        // Eight bytes that are 0 or 1: their bits come together in the top byte.
        let top = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= top << (8 * at);
    }
    word
}

/// The condition that the values of some columns must fulfil.
pub(crate) fn of_values<const N: usize>(
    columns: [FactColumn; N],
    holds: impl Fn([u32; N]) -> bool + 'static,
) -> Box<dyn FactPredicate> {
    Box::new(ColumnPredicate { columns, holds })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::blocks::facts;

    proptest! {
        #[test]
        fn a_block_is_asked_as_its_games_are_one_by_one(
            dates in prop::collection::vec((0..50_u32, 0..4_u32), 0..=GAMES_PER_BLOCK),
            bounds in (0..60_u32, 0..60_u32),
            outcome in 0..4_u32,
        ) {
            let rows: Vec<PackedFacts> = dates
                .iter()
                .map(|&(date, outcome)| PackedFacts { date, outcome, ..PackedFacts::default() })
                .collect();
            let bytes = facts::write(&rows);
            let mut block = FactColumns::default();
            block.take(&bytes, bytes.len()).unwrap();
            block.read(&FactColumn::ALL, |_, _| Ok::<_, ()>(())).unwrap();
            let conditions = [
                of_values([FactColumn::Date], move |[date]| bounds.0 <= date),
                of_values([FactColumn::Date, FactColumn::Outcome], move |[date, its]| {
                    date <= bounds.1 && its != outcome
                }),
            ];
            let mut left = BlockGames::first(rows.len());
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), (0..rows.len()).collect::<Vec<_>>());
            for condition in &conditions {
                condition.sift(&block, &mut left);
            }
            let holds = |place: &usize| conditions.iter().all(|one| one.holds(&rows[*place]));
            let expected: Vec<usize> = (0..rows.len()).filter(holds).collect();
            prop_assert_eq!(left.count(), expected.len() as u64);
            prop_assert_eq!(left.is_empty(), expected.is_empty());
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), &expected[..]);
            left.retain(|place| Ok::<_, ()>(place % 3 != 0)).unwrap();
            let expected: Vec<usize> = expected.into_iter().filter(|place| place % 3 != 0).collect();
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), expected);
        }
    }
}
