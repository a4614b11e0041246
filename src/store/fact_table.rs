//! Facts of games in memory, for programs that query again and again: the games of a position
//! stand far from each other, and each would cost a page of the file.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Store, StoreError, checksum_vfs};
use crate::{
    base::record::GameId,
    blocks::facts::{FactColumn, PackedFacts},
};

/// The columns that it has.
const COLUMNS: [FactColumn; 5] = [
    FactColumn::Date,
    FactColumn::Outcome,
    FactColumn::WhiteElo,
    FactColumn::BlackElo,
    FactColumn::Variant,
];

/// The greatest values of each: those of a game that has greater ones are read in their block.
const GREATEST: [u32; 5] = [9999 * YEAR + YEAR - 1, 3, 4095, 4095, 255];

/// Games that are read at once.
const CHUNK: u64 = 1024;

/// A year in days of months that all have 32, month 0 and day 0 for what is not known.
const YEAR: u32 = 13 * 32;

/// The values of a game, the date as a number of days; `None` where one is too great.
fn values_of(facts: &PackedFacts) -> Option<[u32; 5]> {
    let (year, month, day) = (
        facts.date / 10_000,
        facts.date / 100 % 100,
        facts.date % 100,
    );
    let is_date = year < 10_000 && month < 13 && day < 32;
    let values = [
        if is_date {
            year * YEAR + month * 32 + day
        } else {
            u32::MAX
        },
        facts.outcome,
        facts.white_elo,
        facts.black_elo,
        facts.variant,
    ];
    let mut pairs = values.iter().zip(GREATEST);
    pairs.all(|(value, most)| *value <= most).then_some(values)
}

/// What the values say.
fn facts_of([days, outcome, white_elo, black_elo, variant]: [u32; 5]) -> PackedFacts {
    PackedFacts {
        date: days / YEAR * 10_000 + days % YEAR / 32 * 100 + days % 32,
        outcome,
        white_elo,
        black_elo,
        variant,
        ..PackedFacts::default()
    }
}

/// The values of games that follow each other, those of a game side by side, each by how much it is
/// above the least of its column, in as many bits as the greatest of them needs.
#[derive(Debug)]
struct PackedRows {
    least: [u32; 5],
    bits: [u32; 5],
    /// Bits of a game: one that shows that it is there, and its values. They are 63 at most.
    width: u32,
    words: Box<[u64]>,
}

impl PackedRows {
    fn of(rows: &[Option<[u32; 5]>]) -> Self {
        let mut least = [0; 5];
        let mut bits = [0; 5];
        for column in 0..5 {
            let values = || rows.iter().flatten().map(|values| values[column]);
            least[column] = values().min().unwrap_or(0);
            let range = values().max().unwrap_or(0) - least[column];
            bits[column] = u32::BITS - range.leading_zeros();
        }
        let width = 1 + bits.iter().sum::<u32>() as usize;
        let mut words = vec![0_u64; (rows.len() * width).div_ceil(64) + 1];
        for (row, values) in rows.iter().enumerate() {
            let Some(values) = values else {
                continue;
            };
            let (mut all, mut shift) = (1_u64, 1);
            for ((value, least), bits) in values.iter().zip(least).zip(bits) {
                all |= u64::from(value - least) << shift;
                shift += bits;
            }
            let (word, shift) = (row * width / 64, row * width % 64);
            let both = u128::from(all) << shift;
            words[word] |= both as u64;
            words[word + 1] |= (both >> 64) as u64;
        }
        Self {
            least,
            bits,
            width: width as u32,
            words: words.into_boxed_slice(),
        }
    }

    fn get(&self, row: usize) -> Option<[u32; 5]> {
        let at = row * self.width as usize;
        let words = self.words.get(at / 64..at / 64 + 2)?;
        let both = u128::from(words[0]) | u128::from(words[1]) << 64;
        let mut all = (both >> (at % 64)) as u64;
        if all & 1 == 0 {
            return None;
        }
        all >>= 1;
        let mut values = self.least;
        for (value, bits) in values.iter_mut().zip(self.bits) {
            *value += (all & ((1 << bits) - 1)) as u32;
            all >>= bits;
        }
        Some(values)
    }
}

/// Dates, results, ratings and variants of the games of one state of a database, five or six bytes
/// each. They are read when they are first requested.
#[derive(Debug)]
pub(super) struct FactTable(Box<[OnceLock<PackedRows>]>);

impl FactTable {
    fn of(last: GameId) -> Self {
        let chunks = usize::try_from(last / CHUNK + 1).unwrap_or(0);
        Self((0..chunks).map(|_| OnceLock::new()).collect())
    }

    /// Whether these columns are all that is requested.
    pub(super) fn has(columns: &[FactColumn]) -> bool {
        columns.iter().all(|column| COLUMNS.contains(column))
    }

    /// A game's facts; only its columns mean something. `None` where they must be read
    /// in their block.
    pub(super) fn get(
        &self,
        store: &Store,
        game: GameId,
    ) -> Result<Option<PackedFacts>, StoreError> {
        let chunk = usize::try_from(game / CHUNK).ok();
        let Some(chunk) = chunk.and_then(|chunk| self.0.get(chunk)) else {
            return Ok(None);
        };
        let rows = if let Some(rows) = chunk.get() {
            rows
        } else {
            let rows = read(store, game / CHUNK * CHUNK)?;
            chunk.get_or_init(|| rows)
        };
        Ok(rows.get((game % CHUNK) as usize).map(facts_of))
    }
}

/// The rows of a chunk that begins with a game.
fn read(store: &Store, first: GameId) -> Result<PackedRows, StoreError> {
    let mut rows = vec![None; CHUNK as usize];
    let mut blocks = store.fact_blocks(store.fact_block_of(first)?);
    while let Some(begin) = blocks.advance()?
        && begin < first + CHUNK
    {
        blocks.read(&COLUMNS)?;
        let block = blocks.columns();
        for (game, place) in (begin..).zip(0..block.len()) {
            let row = game
                .checked_sub(first)
                .and_then(|at| usize::try_from(at).ok());
            if let Some(row) = row.and_then(|at| rows.get_mut(at)) {
                *row = values_of(&block.row(place));
            }
        }
    }
    Ok(PackedRows::of(&rows))
}

/// A state of a database at rest: what [`checksum_vfs::counter`] says, and which file it is.
type DatabaseVersion = ([u8; 8], Option<(u64, u64)>);

/// One table for all stores that have the same database open in the same state.
#[derive(Debug, Default)]
pub struct SharedFacts(Mutex<Option<(DatabaseVersion, Arc<FactTable>)>>);

impl SharedFacts {
    /// The table of the state that a store sees. None while a process writes, for then the file
    /// does not say which state that is.
    pub(super) fn of(
        &self,
        store: &Store,
        file: Option<(u64, u64)>,
    ) -> Result<Option<Arc<FactTable>>, StoreError> {
        let last = store.last_game()?;
        // Under the lock of the query above no process changes a file that has no log.
        if store.has_log() {
            return Ok(None);
        }
        let Some(counter) = checksum_vfs::counter(&store.connection) else {
            return Ok(None);
        };
        let state = (counter, file);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, table)) = known.as_ref()
            && *of == state
        {
            return Ok(Some(Arc::clone(table)));
        }
        let table = Arc::new(FactTable::of(last));
        *known = Some((state, Arc::clone(&table)));
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_room_comes_back_and_nothing_else() {
        let facts = PackedFacts {
            date: 99_991_231,
            outcome: 3,
            white_elo: 4_095,
            black_elo: 1,
            variant: 50,
            ..PackedFacts::default()
        };
        let nothing = PackedFacts::default();
        let too_great = [
            PackedFacts {
                white_elo: 4_096,
                ..facts
            },
            PackedFacts {
                black_elo: u32::MAX,
                ..facts
            },
            PackedFacts {
                date: 20_001_301,
                ..facts
            },
            PackedFacts {
                date: u32::MAX,
                ..facts
            },
            PackedFacts {
                variant: 256,
                ..facts
            },
        ];
        let usual = |day: u32| PackedFacts {
            date: 20_240_200 + day,
            outcome: day % 4,
            white_elo: 2_000 + day,
            black_elo: 1_900 - day,
            variant: 1,
            ..facts
        };
        let alike: Vec<PackedFacts> = (0..32).map(usual).collect();
        for rows in [
            &[facts, nothing][..],
            &too_great,
            &alike,
            &[&alike[..], &[nothing], &too_great, &[facts]].concat(),
        ] {
            let values: Vec<_> = rows.iter().map(values_of).collect();
            let packed = PackedRows::of(&values);
            for (row, facts) in rows.iter().enumerate() {
                let found = packed.get(row).map(facts_of);
                assert_eq!(
                    found,
                    Some(*facts).filter(|facts| !too_great.contains(facts))
                );
            }
            assert_eq!(packed.get(rows.len() + 64), None);
        }
        let values: Vec<_> = alike.iter().map(values_of).collect();
        assert_eq!(PackedRows::of(&values).width, 1 + 5 + 2 + 5 + 5);
    }
}
