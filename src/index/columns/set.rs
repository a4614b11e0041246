//! Sets of games that are numbered from 0.

use std::ops::Range;

use crate::blocks::bits::{BitReader, BitWriter, rice_shift};

/// A set of games, out of a given number of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSet {
    games: usize,
    words: Vec<u64>,
}

impl GameSet {
    /// Without a game.
    pub fn none(games: usize) -> Self {
        let words = vec![0; games.div_ceil(64)];
        Self { games, words }
    }

    /// With all of them.
    pub fn all(games: usize) -> Self {
        Self::none(games).complement()
    }

    /// How many games there are, in the set or not.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Adds a game.
    #[inline]
    pub fn insert(&mut self, game: usize) {
        self.words[game / 64] |= 1 << (game % 64);
    }

    /// Whether a game is in it.
    #[inline]
    pub fn contains(&self, game: usize) -> bool {
        let word = self.words.get(game / 64);
        word.is_some_and(|word| word >> (game % 64) & 1 == 1)
    }

    /// Whether it has no game.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether it has a game of a range.
    pub fn has_any(&self, range: Range<usize>) -> bool {
        let words = self.words[range.start / 64..range.end.div_ceil(64)].iter();
        let mut words = words.zip(range.start / 64..);
        words.any(|(&word, at)| {
            let first = range.start.saturating_sub(64 * at);
            let end = (range.end - 64 * at).min(64);
            word >> first << first << (64 - end) != 0
        })
    }

    /// Leaves of the games of a range those that pass, and all others.
    pub fn retain(&mut self, range: Range<usize>, mut passes: impl FnMut(usize) -> bool) {
        for at in range.start / 64..range.end.div_ceil(64) {
            let mut rest = self.words[at];
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let game = 64 * at + bit;
                if range.contains(&game) {
                    self.words[at] ^= u64::from(!passes(game)) << bit;
                }
            }
        }
    }

    /// How many are in it.
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Those that are in both.
    pub fn keep(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Those that are in either.
    pub fn add(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Those that are not in it.
    #[must_use]
    pub fn complement(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        if let (Some(last), rest @ 1..) = (self.words.last_mut(), self.games % 64) {
            *last &= (1 << rest) - 1;
        }
        self
    }

    /// The set whose numbers are those of the games of `members` instead: its first game is the
    /// first of them, and so on.
    #[must_use]
    pub fn spread(&self, members: &Self) -> Self {
        let mut all = Self::none(members.games);
        let mut next = 0;
        for (spread, &word) in all.words.iter_mut().zip(&members.words) {
            if word == u64::MAX {
                let (at, shift) = (next / 64, next % 64);
                let low = self.words.get(at).copied().unwrap_or(0) >> shift;
                let high = self.words.get(at + 1).copied().unwrap_or(0);
                // Shifting by all 64 bits is no shift.
                *spread = low | high << 1 << (63 - shift);
                next += 64;
                continue;
            }
            let mut rest = word;
            while rest != 0 {
                let game = rest & rest.wrapping_neg();
                if self.contains(next) {
                    *spread |= game;
                }
                rest ^= game;
                next += 1;
            }
        }
        all
    }

    /// Those of `games` games from one on, numbered from that one.
    #[must_use]
    pub fn part(&self, first: usize, games: usize) -> Self {
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let mut part = Self::none(games);
        for (at, part) in (first / 64..).zip(&mut part.words) {
            // Shifting by all 64 bits is no shift.
            *part = word(at) >> (first % 64) | word(at + 1) << 1 << (63 - first % 64);
        }
        if let (Some(last), rest @ 1..) = (part.words.last_mut(), games % 64) {
            *last &= (1 << rest) - 1;
        }
        part
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * at + bit)
            })
        })
    }

    /// Adds the games of a written set; `None` if it is damaged.
    ///
    /// Of the games that are in it, or of those that are not if these are fewer, it has the
    /// gaps:
    ///
    /// ```text
    /// 1 bit     whether it lists those that are not in it
    /// gamma     how many it lists, and 1
    /// rice(s)   of each, the game less the one before less 1 (the first: the game itself);
    ///           s follows from how many there are
    /// ```
    ///
    /// The empty set has no bytes.
    pub fn add_written(&mut self, bytes: &[u8]) -> Option<()> {
        if bytes.is_empty() {
            return Some(());
        }
        let mut bits = BitReader::new(bytes);
        let lists_others = bits.take(1) == 1;
        let count = bits.take_gamma().checked_sub(1)?;
        let others = (self.games as u64).checked_sub(count)?;
        let shift = shift(others, count);
        let mut next = 0;
        for _ in 0..count {
            let game = bits.take_rice(shift).checked_add(next)?;
            let at = usize::try_from(game)
                .ok()
                .filter(|game| *game < self.games)?;
            if lists_others {
                self.add_run(next as usize, at);
            } else {
                self.insert(at);
            }
            next = game + 1;
        }
        if lists_others {
            self.add_run(next as usize, self.games);
        }
        (!bits.is_past_end()).then_some(())
    }

    /// Adds games that follow each other, up to one that is not added.
    fn add_run(&mut self, from: usize, end: usize) {
        if from >= end {
            return;
        }
        let (first, last) = (from / 64, (end - 1) / 64);
        let from_first = u64::MAX << (from % 64);
        let to_last = u64::MAX >> (63 - (end - 1) % 64);
        if first == last {
            self.words[first] |= from_first & to_last;
            return;
        }
        self.words[first] |= from_first;
        for word in &mut self.words[first + 1..last] {
            *word = u64::MAX;
        }
        self.words[last] |= to_last;
    }
}

/// The shift of the gaps between `count` games among `others` other games.
fn shift(others: u64, count: u64) -> u32 {
    rice_shift(others, count)
}

/// Writes a set of some of `games` games, which come in ascending order; see
/// [`GameSet::add_written`].
pub fn write(games: usize, set: &[u32]) -> Vec<u8> {
    if set.len() <= games / 2 {
        return written(games, set.len(), false, set.iter().copied());
    }
    let mut words = vec![0; games.div_ceil(64)];
    for game in set {
        words[*game as usize / 64] |= 1 << (game % 64);
    }
    write_words(games, &words).0
}

/// The same of a set in which each game has a bit, 64 of them in a word, and how many it has;
/// games after the last word are not in it.
pub fn write_words(games: usize, words: &[u64]) -> (Vec<u8>, usize) {
    let ones =
        |words: &[u64]| -> usize { words.iter().map(|word| word.count_ones() as usize).sum() };
    let count = ones(words);
    let lists_others = count > games / 2;
    let bytes = if lists_others {
        let all = words.iter().map(|word| !word);
        let all = all
            .chain(std::iter::repeat(u64::MAX))
            .take(games.div_ceil(64));
        let others = bits_of(all).take_while(|game| (*game as usize) < games);
        written(games, count, true, others)
    } else {
        written(games, count, false, bits_of(words.iter().copied()))
    };
    (bytes, count)
}

/// The bits that are set.
fn bits_of(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    (0..).step_by(64).zip(words).flat_map(|(first, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros();
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(first + bit)
        })
    })
}

/// Writes a set out of `games` games, which lists those that are in it, or the others.
fn written(
    games: usize,
    count: usize,
    lists_others: bool,
    listed: impl Iterator<Item = u32>,
) -> Vec<u8> {
    if count == 0 {
        return Vec::new();
    }
    let mut bits = BitWriter::default();
    bits.put(u64::from(lists_others), 1);
    let count = if lists_others { games - count } else { count } as u64;
    let shift = shift(games as u64 - count, count);
    bits.put_gamma(count + 1);
    let mut next = 0;
    for game in listed {
        bits.put_rice(u64::from(game - next), shift);
        next = game + 1;
    }
    bits.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sets_come_back(
            games in 1usize..500,
            of in prop::collection::btree_set(0usize..500, 0..500),
            other in prop::collection::btree_set(0usize..500, 0..100),
            (from, len) in (0usize..500, 0usize..500),
        ) {
            let within = |set: BTreeSet<usize>| -> BTreeSet<usize> {
                set.into_iter().filter(|game| *game < games).collect()
            };
            let (of, other) = (within(of), within(other));
            let read = |set: &BTreeSet<usize>| {
                let list: Vec<u32> = set.iter().map(|game| *game as u32).collect();
                let mut read = GameSet::none(games);
                read.add_written(&write(games, &list)).unwrap();
                read
            };
            let (mut one, two) = (read(&of), read(&other));
            let mut words = vec![0; games.div_ceil(64)];
            for game in &of {
                words[game / 64] |= 1 << (game % 64);
            }
            while words.last() == Some(&0) {
                words.pop();
            }
            let list: Vec<u32> = of.iter().map(|game| *game as u32).collect();
            prop_assert_eq!(write_words(games, &words), (write(games, &list), of.len()));
            prop_assert_eq!(one.iter().collect::<BTreeSet<_>>(), of.clone());
            prop_assert_eq!(one.count(), of.len());
            let missing: BTreeSet<usize> = (0..games).filter(|game| !of.contains(game)).collect();
            prop_assert_eq!(one.clone().complement().iter().collect::<BTreeSet<_>>(), missing);
            let mut both = one.clone();
            both.keep(&two);
            prop_assert_eq!(both.iter().collect::<BTreeSet<_>>(), &of & &other);
            let (first, part) = (from.min(games), len.min(games - from.min(games)));
            let within: Vec<usize> = of.range(first..first + part).map(|game| game - first).collect();
            prop_assert_eq!(one.part(first, part).iter().collect::<Vec<_>>(), within);
            let members: Vec<usize> = of.iter().copied().collect();
            let numbers: Vec<u32> = (0..members.len() as u32).filter(|at| at % 3 != 1).collect();
            let mut some = GameSet::none(members.len());
            some.add_written(&write(members.len(), &numbers)).unwrap();
            let spread: Vec<usize> = some.spread(&one).iter().collect();
            let right: Vec<usize> = numbers.iter().map(|at| members[*at as usize]).collect();
            prop_assert_eq!(spread, right);
            one.add(&two);
            prop_assert_eq!(one.iter().collect::<BTreeSet<_>>(), &of | &other);
        }

        #[test]
        fn damaged_sets_do_no_harm(
            games in 0usize..500,
            bytes in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let _ = GameSet::none(games).add_written(&bytes);
        }
    }
}
