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

/// Where the columns of a block are.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    games: usize,
    /// The smallest value of each and the bits of what is added to it.
    shape: [(u32, u32); COLUMNS],
    /// Where their bits begin.
    begin: usize,
}

impl Columns {
    /// Of a block; `None` if it is damaged.
    fn of(block: &[u8]) -> Option<Self> {
        let mut rest = block;
        let written = usize::try_from(take_varint(&mut rest)?).ok()?;
        let (games, present) = match written.checked_sub(WITH_OPENINGS) {
            Some(games) => (games, COLUMNS),
            None => (written, COLUMNS_BEFORE),
        };
        if games > GAMES_PER_BLOCK {
            return None;
        }
        let mut shape = [(0, 0); COLUMNS];
        for column in &mut shape[..present] {
            let smallest = u32::try_from(take_varint(&mut rest)?).ok()?;
            let (&width, tail) = rest.split_first()?;
            rest = tail;
            *column = (smallest, u32::from(width));
        }
        let bits_needed: usize = shape.iter().map(|&(_, width)| width as usize * games).sum();
        if shape.iter().any(|&(_, width)| width > 32) || bits_needed.div_ceil(8) != rest.len() {
            return None;
        }
        Some(Self {
            games,
            shape,
            begin: block.len() - rest.len(),
        })
    }
}

/// A block of which columns are read when they are asked for.
#[derive(Debug, Clone, Default)]
pub struct FactColumns {
    bytes: Vec<u8>,
    columns: Columns,
    /// The columns that were read, as bits.
    read: u32,
    rows: Vec<PackedFacts>,
}

impl FactColumns {
    /// Takes a block, instead of the one before; `None` if it is damaged.
    pub fn take(&mut self, block: &[u8]) -> Option<()> {
        self.columns = Columns::of(block)?;
        self.read = 0;
        self.rows.resize(self.columns.games, PackedFacts::default());
        self.bytes.clear();
        self.bytes.extend_from_slice(block);
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
            let at = column as usize;
            let Columns {
                games,
                shape,
                begin,
            } = self.columns;
            let before: usize = shape[..at]
                .iter()
                .map(|&(_, width)| width as usize * games)
                .sum();
            let (smallest, width) = shape[at];
            let mut bits = BitReader::at(&self.bytes, 8 * begin + before);
            let mut value = || smallest.wrapping_add(bits.take(width) as u32);
            // A loop for each: which field it is costs more than the value, if asked row by row.
            let rows = self.rows.iter_mut();
            match column {
                FactColumn::White => rows.for_each(|row| row.white = value()),
                FactColumn::Black => rows.for_each(|row| row.black = value()),
                FactColumn::Event => rows.for_each(|row| row.event = value()),
                FactColumn::Site => rows.for_each(|row| row.site = value()),
                FactColumn::Date => rows.for_each(|row| row.date = value()),
                FactColumn::Outcome => rows.for_each(|row| row.outcome = value()),
                FactColumn::WhiteElo => rows.for_each(|row| row.white_elo = value()),
                FactColumn::BlackElo => rows.for_each(|row| row.black_elo = value()),
                FactColumn::Eco => rows.for_each(|row| row.eco = value()),
                FactColumn::Variant => rows.for_each(|row| row.variant = value()),
                FactColumn::Plies => rows.for_each(|row| row.plies = value()),
                FactColumn::Start => rows.for_each(|row| row.start = value()),
                FactColumn::Opening => rows.for_each(|row| row.opening = value()),
            }
        }
    }

    /// The facts of its games; columns that were not read have those of some other block.
    pub fn rows(&self) -> &[PackedFacts] {
        &self.rows
    }
}

/// Reads a block. `None` if it is damaged.
pub fn read(block: &[u8]) -> Option<Vec<PackedFacts>> {
    let columns = Columns::of(block)?;
    let mut rows = vec![[0; COLUMNS]; columns.games];
    let mut bits = BitReader::new(&block[columns.begin..]);
    for (column, &(smallest, width)) in columns.shape.iter().enumerate() {
        for row in &mut rows {
            row[column] = smallest.wrapping_add(bits.take(width) as u32);
        }
    }
    Some(rows.into_iter().map(PackedFacts::from_array).collect())
}

/// A block of which single games are read.
#[derive(Debug, Default)]
pub struct FactBlock {
    bytes: Vec<u8>,
    columns: Columns,
}

impl FactBlock {
    /// Takes a block in. `None` if it is damaged.
    pub fn of(bytes: Vec<u8>) -> Option<Self> {
        let columns = Columns::of(&bytes)?;
        Some(Self { bytes, columns })
    }

    /// Games in the block.
    pub const fn len(&self) -> usize {
        self.columns.games
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.columns.games == 0
    }

    /// The facts of a game by its place in the block, from 0.
    pub fn get(&self, place: usize) -> Option<PackedFacts> {
        if place >= self.columns.games {
            return None;
        }
        let mut values = [0; COLUMNS];
        let mut begin = self.columns.begin * 8;
        for (value, &(smallest, width)) in values.iter_mut().zip(&self.columns.shape) {
            let mut bits = BitReader::at(&self.bytes, begin + place * width as usize);
            *value = smallest.wrapping_add(bits.take(width) as u32);
            begin += width as usize * self.columns.games;
        }
        Some(PackedFacts::from_array(values))
    }
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
            let single = FactBlock::of(block.clone()).expect("a block");
            prop_assert_eq!(single.len(), facts.len());
            for (place, facts) in facts.iter().enumerate() {
                prop_assert_eq!(single.get(place), Some(*facts));
            }
            prop_assert_eq!(single.get(facts.len()), None);
            let mut by_columns = FactColumns::default();
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
            prop_assert_eq!(read(&block).is_some(), FactBlock::of(block).is_some());
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
