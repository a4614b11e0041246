//! Reads the columns of a segment.

use std::ops::Range;

use super::{Stream, set::GameSet};
use crate::{
    base::varint::{take_bytes, take_varint},
    blocks::bits::BitReader,
    query::pattern::game_summary::GameEvent,
};

/// The owner of the streams of a segment.
pub trait ColumnSource {
    /// Why they cannot be read.
    type Error;

    /// The bytes of a stream from one up to another.
    ///
    /// # Errors
    ///
    /// If they cannot be read or are not there.
    fn bytes(&mut self, stream: Stream, range: Range<usize>) -> Result<Vec<u8>, Self::Error>;

    /// What it says of streams that do not agree with each other.
    fn damaged(&self) -> Self::Error;
}

/// Where a set stands in its stream, and how many games it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StoredSet {
    pub(super) bytes: Range<usize>,
    pub(super) games: usize,
}

/// The columns of the games of a variant in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantColumns {
    /// Its id.
    pub variant: u32,
    /// Those games of the segment that it has, and that can be played.
    pub members: GameSet,
    /// How many these are.
    pub games: usize,
    /// The sets of each piece by its code and the squares on which it stood.
    pub(super) stood: Vec<(u8, Vec<StoredSet>)>,
    pub(super) happened: Vec<(u16, StoredSet)>,
    /// How many different numbers of pieces there are.
    pub(super) rows: usize,
    /// Its part of the counts.
    pub(super) counts: Range<usize>,
    /// The sets of these.
    pub(super) count_sets: Range<usize>,
}

/// Reads the heads of a segment of `segment_games` games; `None` if they are damaged.
pub fn heads(bytes: &[u8], segment_games: usize) -> Option<Vec<VariantColumns>> {
    let mut heads = ColumnHeaders {
        rest: bytes,
        sets: 0,
        counts: 0,
    };
    let variants = heads.number()?;
    let mut all = Vec::new();
    for _ in 0..variants {
        all.push(heads.variant(segment_games)?);
    }
    heads.rest.is_empty().then_some(all)
}

struct ColumnHeaders<'b> {
    rest: &'b [u8],
    /// Bytes of the other streams that were announced.
    sets: usize,
    counts: usize,
}

impl ColumnHeaders<'_> {
    fn number(&mut self) -> Option<usize> {
        usize::try_from(take_varint(&mut self.rest)?).ok()
    }

    fn set(&mut self) -> Option<StoredSet> {
        let length = self.number()?;
        let games = if length == 0 { 0 } else { self.number()? };
        let begin = self.sets;
        self.sets = begin.checked_add(length)?;
        Some(StoredSet {
            bytes: begin..self.sets,
            games,
        })
    }

    fn variant(&mut self, segment_games: usize) -> Option<VariantColumns> {
        let variant = u32::try_from(self.number()?).ok()?;
        let games = self.number()?;
        let mut members = GameSet::none(segment_games);
        members.add_written(take_bytes(&mut self.rest)?)?;
        if members.count() != games {
            return None;
        }
        let mut stood = Vec::new();
        for _ in 0..self.number()? {
            let (&code, rest) = self.rest.split_first()?;
            self.rest = rest;
            let squares = self.number().filter(|squares| *squares <= 128)?;
            let sets = (0..squares).map(|_| self.set());
            stood.push((code, sets.collect::<Option<Vec<_>>>()?));
        }
        let mut happened = Vec::new();
        for _ in 0..self.number()? {
            let key = u16::try_from(self.number()?).ok()?;
            happened.push((key, self.set()?));
        }
        let [rows, counts, sets] = [self.number()?, self.number()?, self.number()?];
        // Each takes a byte at least, whatever is said of their number.
        if rows > counts {
            return None;
        }
        let begin = (self.counts, self.sets);
        self.counts = begin.0.checked_add(counts)?;
        self.sets = begin.1.checked_add(sets)?;
        Some(VariantColumns {
            variant,
            members,
            games,
            stood,
            happened,
            rows,
            counts: begin.0..self.counts,
            count_sets: begin.1..self.sets,
        })
    }
}

/// The numbers of pieces that games of a variant had: of each kind a column, and how long the sets
/// of games are.
#[derive(Debug)]
pub(super) struct CountColumns<'b> {
    /// The kinds, and their columns one after the other.
    kinds: Vec<u8>,
    numbers: Vec<u8>,
    pub(super) rows: usize,
    lengths: &'b [u8],
    sets: Range<usize>,
}

impl CountColumns<'_> {
    /// The columns of some kinds of pieces.
    pub(super) fn of(&self, codes: &[u8]) -> impl Iterator<Item = &[u8]> {
        let columns = self.kinds.iter().enumerate();
        let columns = columns.filter(|(_, kind)| codes.contains(kind));
        columns.map(|(at, _)| &self.numbers[at * self.rows..(at + 1) * self.rows])
    }

    /// Where the sets of some of the numbers of pieces stand; `None` if they are damaged.
    pub(super) fn sets(&self, wanted: &[bool]) -> Option<Vec<Range<usize>>> {
        let (mut lengths, mut at) = (self.lengths, self.sets.start);
        let mut sets = Vec::new();
        for is_wanted in wanted {
            let end = at.checked_add(usize::try_from(take_varint(&mut lengths)?).ok()?)?;
            if *is_wanted {
                sets.push(at..end);
            }
            at = end;
        }
        (at == self.sets.end).then_some(sets)
    }
}

impl VariantColumns {
    /// Whether the traces of its games show all that traces show now.
    pub fn is_detailed(&self) -> bool {
        let detailed = GameEvent::Detailed.key();
        self.happened.iter().any(|(key, _)| *key == detailed)
    }

    /// A set of its games with the numbers that they have in the segment.
    pub fn in_segment(&self, set: GameSet) -> GameSet {
        if self.games == self.members.games() {
            return set;
        }
        set.spread(&self.members)
    }

    /// Reads the numbers of some kinds of pieces; `None` if they are damaged.
    pub(super) fn counts<'b>(&self, mut bytes: &'b [u8], kinds: &[u8]) -> Option<CountColumns<'b>> {
        let asked = self.stood.iter();
        let asked = asked.filter(|(code, _)| kinds.contains(code)).count();
        let mut read = Vec::new();
        let mut numbers = Vec::with_capacity((self.rows * asked).saturating_add(STRIDE));
        for (code, _) in &self.stood {
            let packed = take_bytes(&mut bytes)?;
            if kinds.contains(code) {
                read.push(*code);
                column(packed, self.rows, &mut numbers)?;
            }
        }
        Some(CountColumns {
            kinds: read,
            numbers,
            rows: self.rows,
            lengths: bytes,
            sets: self.count_sets.clone(),
        })
    }
}

/// This many numbers are written at once: most runs are shorter.
const STRIDE: usize = 16;

/// Adds a column of `rows` numbers; `None` if it is damaged.
fn column(bytes: &[u8], rows: usize, numbers: &mut Vec<u8>) -> Option<()> {
    let mut bits = BitReader::new(bytes);
    let width = bits.take(8) as u32;
    let (mut at, end) = (numbers.len(), numbers.len().checked_add(rows)?);
    numbers.resize(end + STRIDE, 0);
    while at < end {
        let (number, run) = bits.take_run(width.min(8));
        let run = usize::try_from(run).ok()?;
        if bits.is_past_end() || run > end - at {
            return None;
        }
        numbers[at..at + STRIDE].copy_from_slice(&[number as u8; STRIDE]);
        if run > STRIDE {
            numbers[at + STRIDE..at + run].fill(number as u8);
        }
        at += run;
    }
    numbers.truncate(end);
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
            #[test]
            fn damaged_columns_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
                for columns in heads(&bytes, 300).unwrap_or_default() {
                    let counts = columns.counts(&bytes, &[16, 48]);
                    let _ = counts.and_then(|counts| counts.sets(&vec![true; counts.rows]));
                }
    let _ = column(&bytes, bytes.len(), &mut vec![7]);
            }
        }
}
