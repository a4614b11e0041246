//! The facts that filters need, in columns: read without touching a row.
//!
//! A block holds some games' facts column by column: for each column its
//! smallest value (varint) and the bits of a value (one byte), then all values
//! less the smallest, in that many bits.

use super::bits::{self, BitReader, BitWriter};
use crate::base::varint::{put_varint, take_varint};

/// Games a block holds at most.
pub const GAMES_PER_BLOCK: usize = 1024;

/// What filters and statistics need of a game. Ids are rows of their tables, 0
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

    /// The value of a column.
    pub const fn get(&self, column: FactColumn) -> u32 {
        match column {
            FactColumn::White => self.white,
            FactColumn::Black => self.black,
            FactColumn::Event => self.event,
            FactColumn::Site => self.site,
            FactColumn::Date => self.date,
            FactColumn::Outcome => self.outcome,
            FactColumn::WhiteElo => self.white_elo,
            FactColumn::BlackElo => self.black_elo,
            FactColumn::Eco => self.eco,
            FactColumn::Variant => self.variant,
            FactColumn::Plies => self.plies,
            FactColumn::Start => self.start,
            FactColumn::Opening => self.opening,
        }
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
    put_varint(facts.len() as u64, &mut block);
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
        Self::of_head(block, block.len())
    }

    /// The same of the first bytes of a block that has `len` of them.
    fn of_head(head: &[u8], len: usize) -> Option<Self> {
        let mut rest = head;
        let games = usize::try_from(take_varint(&mut rest)?).ok()?;
        if games > GAMES_PER_BLOCK {
            return None;
        }
        let mut shape = [(0, 0); COLUMNS];
        for column in &mut shape {
            let smallest = u32::try_from(take_varint(&mut rest)?).ok()?;
            let (&width, tail) = rest.split_first()?;
            rest = tail;
            *column = (smallest, u32::from(width));
        }
        let begin = head.len() - rest.len();
        let bits_needed: usize = shape.iter().map(|&(_, width)| width as usize * games).sum();
        let is_whole = len.checked_sub(begin) == Some(bits_needed.div_ceil(8));
        if shape.iter().any(|&(_, width)| width > 32) || !is_whole {
            return None;
        }
        Some(Self {
            games,
            shape,
            begin,
        })
    }

    /// The bit of the block where a column begins.
    fn start_of(&self, column: usize) -> usize {
        let before = self.shape[..column].iter();
        let bits: usize = before.map(|&(_, width)| width as usize * self.games).sum();
        8 * self.begin + bits
    }
}

/// Bytes of a block that say what its columns are like, at most: a number takes ten.
pub const HEAD_BYTES: usize = 10 + COLUMNS * 11;

/// The values of a column, with some room after them: columns that lie a power of two apart would
/// drive each other out of the processor's cache.
type ColumnValues = [u32; GAMES_PER_BLOCK + 16];

/// A block whose columns are read when they are requested, each by itself.
#[derive(Debug, Clone)]
pub struct FactColumns {
    /// The block as far as it was taken.
    bytes: Vec<u8>,
    columns: Columns,
    /// The columns that were read, as bits.
    read: u32,
    values: Box<[ColumnValues; COLUMNS]>,
}

impl Default for FactColumns {
    fn default() -> Self {
        let values = vec![[0; GAMES_PER_BLOCK + 16]; COLUMNS].into_boxed_slice();
        Self {
            bytes: Vec::new(),
            columns: Columns::default(),
            read: 0,
            values: values.try_into().expect("as many columns"),
        }
    }
}

impl FactColumns {
    /// Takes a block, instead of the one before, by its first [`HEAD_BYTES`] bytes, or all if they
    /// are fewer, and by how many it has; `None` if it is damaged.
    pub fn take(&mut self, head: &[u8], len: usize) -> Option<()> {
        self.columns = Columns::default();
        self.read = 0;
        self.columns = Columns::of_head(head, len)?;
        self.bytes.clear();
        self.bytes.extend_from_slice(head);
        Some(())
    }

    /// How many games it has.
    pub const fn len(&self) -> usize {
        self.columns.games
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.columns.games == 0
    }

    /// Reads some columns. Bytes of the block that are needed and not yet taken are requested from
    /// `fill`: those from a place on, as many as it is given room for.
    ///
    /// # Errors
    ///
    /// That of `fill`; then no column was read.
    pub fn read<E>(
        &mut self,
        wanted: &[FactColumn],
        fill: impl FnOnce(&mut [u8], usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let is_new = |&column: &usize| self.read & 1 << column == 0;
        let new = wanted.iter().map(|&column| column as usize).filter(is_new);
        let Some(last) = new.max() else {
            return Ok(());
        };
        let (taken, end) = (
            self.bytes.len(),
            self.columns.start_of(last + 1).div_ceil(8),
        );
        if end > taken {
            self.bytes.resize(end, 0);
            if let Err(error) = fill(&mut self.bytes[taken..], taken) {
                self.bytes.truncate(taken);
                return Err(error);
            }
        }
        for column in wanted.iter().map(|&column| column as usize) {
            if self.read & 1 << column == 0 {
                self.read |= 1 << column;
                let (smallest, width) = self.columns.shape[column];
                let (start, games) = (self.columns.start_of(column), self.columns.games);
                let values = &mut self.values[column][..games];
                bits::unpack(&self.bytes, start, width, smallest, values);
            }
        }
        Ok(())
    }

    /// The values of a column that was read; what follows those of the block's games means
    /// nothing.
    pub const fn values(&self, column: FactColumn) -> &[u32; GAMES_PER_BLOCK + 16] {
        &self.values[column as usize]
    }

    /// The facts of a game by its place in the block; what columns say that were not read means
    /// nothing.
    ///
    /// # Panics
    ///
    /// If no block has room for a game there.
    // A caller that uses some fields alone reads only their columns, if the compiler sees both.
    #[inline]
    pub fn row(&self, place: usize) -> PackedFacts {
        let value = |column: FactColumn| self.values[column as usize][place];
        PackedFacts {
            white: value(FactColumn::White),
            black: value(FactColumn::Black),
            event: value(FactColumn::Event),
            site: value(FactColumn::Site),
            date: value(FactColumn::Date),
            outcome: value(FactColumn::Outcome),
            white_elo: value(FactColumn::WhiteElo),
            black_elo: value(FactColumn::BlackElo),
            eco: value(FactColumn::Eco),
            variant: value(FactColumn::Variant),
            plies: value(FactColumn::Plies),
            start: value(FactColumn::Start),
            opening: value(FactColumn::Opening),
        }
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

/// A block whose games are read singly.
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
            let before = write(&[PackedFacts { plies: 7, ..PackedFacts::default() }]);
            for (block, facts) in [(&before, &[][..]), (&block, &facts)] {
                by_columns.take(&block[..HEAD_BYTES.min(block.len())], block.len()).unwrap();
                let fill = |bytes: &mut [u8], from: usize| {
                    bytes.copy_from_slice(&block[from..from + bytes.len()]);
                    Ok::<_, ()>(())
                };
                by_columns.read(&[FactColumn::Date, FactColumn::Black], fill).unwrap();
                for (place, facts) in facts.iter().enumerate() {
                    prop_assert_eq!(by_columns.values(FactColumn::Date)[place], facts.date);
                }
                by_columns.read(&FactColumn::ALL, fill).unwrap();
                for (place, facts) in facts.iter().enumerate() {
                    prop_assert_eq!(by_columns.row(place), *facts);
                    for (column, value) in FactColumn::ALL.into_iter().zip(facts.to_array()) {
                        prop_assert_eq!(facts.get(column), value);
                    }
                }
            }
            prop_assert_eq!(read(&block), Some(facts));
        }

        #[test]
        fn damaged_blocks_are_refused_or_read(block in prop::collection::vec(any::<u8>(), 0..60)) {
            let head = &block[..HEAD_BYTES.min(block.len())];
            let taken = FactColumns::default().take(head, block.len());
            prop_assert_eq!(read(&block).is_some(), taken.is_some());
            prop_assert_eq!(read(&block).is_some(), FactBlock::of(block).is_some());
        }
    }

    /// The bits of a huge number of games were once added up beyond what a number holds.
    #[test]
    fn a_count_beyond_all_measure_is_refused() {
        let block = [128, 128, 128, 128, 128, 128, 128, 31, 0, 15, 0, 32, 0, 32];
        assert_eq!(read(&block), None);
        assert_eq!(read(&[255; 40]), None);
    }
}
