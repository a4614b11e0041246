//! The facts that filters ask for, in columns: read without touching a row.
//!
//! A block holds some games' facts column by column: for each column its
//! smallest value (varint) and the bits of a value (one byte), then all values
//! less the smallest, in so many bits.

use super::bits::{BitReader, BitWriter};
use crate::base::varint::{put_varint, take_varint};

/// Games a block holds at most.
pub const GAMES_PER_BLOCK: usize = 1024;

/// What filters and statistics ask of a game. Ids are rows of their tables, 0
/// for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PackedFacts {
    /// White's row in `player`.
    pub white: u32,
    /// Black's row in `player`.
    pub black: u32,
    /// Row in `event`.
    pub event: u32,
    /// Row in `site`.
    pub site: u32,
    /// Date as `yyyymmdd`, unknown parts 0.
    pub date: u32,
    /// [`Outcome`](crate::base::record::Outcome) as its code.
    pub outcome: u32,
    /// White's rating, 0 for none.
    pub white_elo: u32,
    /// Black's rating, 0 for none.
    pub black_elo: u32,
    /// ECO code + 1 (`A00` is 1), 0 for none.
    pub eco: u32,
    /// Variant id of the registry.
    pub variant: u32,
    /// Plies of the main line.
    pub plies: u32,
    /// Row in `start_position`, 0 for the usual one of chess.
    pub start: u32,
    /// Row in `opening`.
    pub opening: u32,
}

/// A column of facts, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the field of that name")]
pub enum FactColumn {
    White,
    Black,
    Event,
    Site,
    Date,
    Outcome,
    WhiteElo,
    BlackElo,
    Eco,
    Variant,
    Plies,
    Start,
    Opening,
}

impl FactColumn {
    /// All of them.
    pub const ALL: [Self; COLUMNS] = [
        Self::White,
        Self::Black,
        Self::Event,
        Self::Site,
        Self::Date,
        Self::Outcome,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Eco,
        Self::Variant,
        Self::Plies,
        Self::Start,
        Self::Opening,
    ];
}

/// Number of columns.
pub const COLUMNS: usize = 13;
/// Without openings, which schemas before the seventh have not.
const COLUMNS_BEFORE: usize = 12;
/// What the number of games is raised by where there are openings.
const WITH_OPENINGS: usize = 2 * GAMES_PER_BLOCK;

impl PackedFacts {
    /// The columns in their order.
    const fn columns(&mut self) -> [&mut u32; COLUMNS] {
        [
            &mut self.white,
            &mut self.black,
            &mut self.event,
            &mut self.site,
            &mut self.date,
            &mut self.outcome,
            &mut self.white_elo,
            &mut self.black_elo,
            &mut self.eco,
            &mut self.variant,
            &mut self.plies,
            &mut self.start,
            &mut self.opening,
        ]
    }

    fn to_array(mut self) -> [u32; COLUMNS] {
        self.columns().map(|value| *value)
    }

    fn from_array(values: [u32; COLUMNS]) -> Self {
        let mut facts = Self::default();
        for (column, value) in facts.columns().into_iter().zip(values) {
            *column = value;
        }
        facts
    }

    /// The year, if known.
    pub const fn year(&self) -> Option<u16> {
        let year = self.date / 10_000;
        if year == 0 { None } else { Some(year as u16) }
    }
}

/// Writes a block of any number of games.
pub fn write(facts: &[PackedFacts]) -> Vec<u8> {
    let mut block = Vec::new();
    put_varint((facts.len() + WITH_OPENINGS) as u64, &mut block);
    let rows: Vec<_> = facts.iter().map(|facts| facts.to_array()).collect();
    let mut bits = BitWriter::default();
    for column in 0..COLUMNS {
        let values = || rows.iter().map(|row| row[column]);
        let smallest = values().min().unwrap_or(0);
        let width = values()
            .max()
            .map_or(0, |most| 32 - (most - smallest).leading_zeros());
        put_varint(u64::from(smallest), &mut block);
        block.push(width as u8);
        for value in values() {
            bits.put(u64::from(value - smallest), width);
        }
    }
    block.append(&mut bits.finish());
    block
}

/// A block of which columns are read when they are asked for.
#[derive(Debug, Clone, Default)]
pub struct FactBlock {
    rows: Vec<PackedFacts>,
    /// Of each column its smallest value, the bits of a value, and where its bits begin.
    columns: [(u32, u32, usize); COLUMNS],
    /// The columns that were read, as bits.
    read: u32,
    bits: Vec<u8>,
}

impl FactBlock {
    /// Takes a block, instead of the one before; `None` if it is damaged.
    pub fn take(&mut self, block: &[u8]) -> Option<()> {
        let (count, columns, bits) = head(block)?;
        let mut begin = 0;
        for (own, (smallest, width)) in self.columns.iter_mut().zip(columns) {
            *own = (smallest, width, begin);
            begin += width as usize * count;
        }
        self.read = 0;
        self.rows.resize(count, PackedFacts::default());
        self.bits.clear();
        self.bits.extend_from_slice(bits);
        Some(())
    }

    /// How many games it has.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Reads some columns.
    pub fn read(&mut self, wanted: &[FactColumn]) {
        for &column in wanted {
            if self.read & 1 << column as u32 != 0 {
                continue;
            }
            self.read |= 1 << column as u32;
            let (smallest, width, begin) = self.columns[column as usize];
            let mut bits = BitReader::new(&self.bits);
            bits.skip(begin);
            for row in &mut self.rows {
                *row.columns()[column as usize] = smallest.wrapping_add(bits.take(width) as u32);
            }
        }
    }

    /// The facts of its games; columns that were not read have those of some other block.
    pub fn rows(&self) -> &[PackedFacts] {
        &self.rows
    }
}

/// The games of a block, of each column its smallest value and the bits of a value, and the bits of
/// all.
type BlockHead<'b> = (usize, [(u32, u32); COLUMNS], &'b [u8]);

/// Reads what stands before the values of a block. `None` if it is damaged.
fn head(block: &[u8]) -> Option<BlockHead<'_>> {
    let mut rest = block;
    let written = usize::try_from(take_varint(&mut rest)?).ok()?;
    let (count, present) = match written.checked_sub(WITH_OPENINGS) {
        Some(count) => (count, COLUMNS),
        None => (written, COLUMNS_BEFORE),
    };
    if count > GAMES_PER_BLOCK {
        return None;
    }
    let mut columns = [(0, 0); COLUMNS];
    for column in &mut columns[..present] {
        let smallest = u32::try_from(take_varint(&mut rest)?).ok()?;
        let (&width, tail) = rest.split_first()?;
        rest = tail;
        *column = (smallest, u32::from(width));
    }
    let bits_needed: usize = columns
        .iter()
        .map(|&(_, width)| width as usize * count)
        .sum();
    if columns.iter().any(|&(_, width)| width > 32) || bits_needed.div_ceil(8) != rest.len() {
        return None;
    }
    Some((count, columns, rest))
}

/// Reads a block. `None` if it is damaged.
pub fn read(block: &[u8]) -> Option<Vec<PackedFacts>> {
    let (count, columns, rest) = head(block)?;
    let mut rows = vec![[0; COLUMNS]; count];
    let mut bits = BitReader::new(rest);
    for (column, &(smallest, width)) in columns.iter().enumerate() {
        for row in &mut rows {
            row[column] = smallest.wrapping_add(bits.take(width) as u32);
        }
    }
    Some(rows.into_iter().map(PackedFacts::from_array).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn facts_come_back(rows in prop::collection::vec(prop::array::uniform13(any::<u32>()), 0..50)) {
            let facts: Vec<_> = rows.into_iter().map(PackedFacts::from_array).collect();
            let block = write(&facts);
            let mut by_columns = FactBlock::default();
            by_columns.take(&write(&[PackedFacts { plies: 7, ..PackedFacts::default() }])).unwrap();
            by_columns.read(&FactColumn::ALL);
            by_columns.take(&block).unwrap();
            by_columns.read(&[FactColumn::Date, FactColumn::Plies]);
            by_columns.read(&FactColumn::ALL);
            prop_assert_eq!(by_columns.rows(), &facts[..]);
            prop_assert_eq!(read(&block), Some(facts));
        }

        #[test]
        fn damaged_blocks_are_refused_or_read(block in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(&block);
        }
    }

    /// The bits of so many games were once added up beyond what a number holds.
    #[test]
    fn a_count_beyond_all_measure_is_refused() {
        let block = [128, 128, 128, 128, 128, 128, 128, 31, 0, 15, 0, 32, 0, 32];
        assert_eq!(read(&block), None);
        assert_eq!(read(&[255; 40]), None);
    }
}
