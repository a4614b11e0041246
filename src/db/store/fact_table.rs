//! Facts of games in memory, for programs that are asked again and again: the games of a position
//! stand far from each other, and each would cost a page of the file.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Store, StoreError, page_sums};
use crate::{
    base::record::GameId,
    db::index::facts::{FactColumn, FactColumns, PackedFacts},
};

/// The columns that it has.
const COLUMNS: [FactColumn; 5] = [
    FactColumn::Date,
    FactColumn::Outcome,
    FactColumn::WhiteElo,
    FactColumn::BlackElo,
    FactColumn::Variant,
];

/// Bits of the values of each, in the order in which they are packed from the lowest.
const BITS: [u32; 5] = [27, 2, 12, 12, 8];

/// Set where the values of a game have room.
const IS_PACKED: u64 = 1 << 63;

/// Games that are read at once.
const CHUNK: u64 = 1024;

/// What those columns say of a game; `None` where a value is too great.
fn pack(facts: &PackedFacts) -> Option<u64> {
    let values = [
        facts.date,
        facts.outcome,
        facts.white_elo,
        facts.black_elo,
        facts.variant,
    ];
    let (mut packed, mut shift) = (IS_PACKED, 0);
    for (value, bits) in values.into_iter().zip(BITS) {
        if value >> bits != 0 {
            return None;
        }
        packed |= u64::from(value) << shift;
        shift += bits;
    }
    Some(packed)
}

fn unpack(mut packed: u64) -> PackedFacts {
    let [date, outcome, white_elo, black_elo, variant] = BITS.map(|bits| {
        let value = packed & ((1 << bits) - 1);
        packed >>= bits;
        value as u32
    });
    PackedFacts {
        date,
        outcome,
        white_elo,
        black_elo,
        variant,
        ..PackedFacts::default()
    }
}

/// Dates, results, ratings and variants of the games of one state of a database, eight bytes each.
/// They are read when they are first asked for.
#[derive(Debug)]
pub(super) struct FactTable(Box<[OnceLock<Box<[u64]>>]>);

impl FactTable {
    fn of(last: GameId) -> Self {
        let chunks = usize::try_from(last / CHUNK + 1).unwrap_or(0);
        Self((0..chunks).map(|_| OnceLock::new()).collect())
    }

    /// Whether these columns are all that is asked for.
    pub(super) fn has(columns: &[FactColumn]) -> bool {
        columns.iter().all(|column| COLUMNS.contains(column))
    }

    /// A game's facts, of which its columns alone mean something; `None` where they must be read
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
        let packed = rows.get((game % CHUNK) as usize).copied().unwrap_or(0);
        Ok((packed & IS_PACKED != 0).then(|| unpack(packed)))
    }
}

/// The rows of a chunk that begins with a game.
fn read(store: &Store, first: GameId) -> Result<Box<[u64]>, StoreError> {
    let mut rows = vec![0; CHUNK as usize].into_boxed_slice();
    let (mut next, mut block) = (store.fact_block_of(first)?, FactColumns::default());
    while let Some(begin) = store.fact_block_from(next, &mut block)?
        && begin < first + CHUNK
    {
        block.read(&COLUMNS);
        for (game, facts) in (begin..).zip(block.rows()) {
            let place = game
                .checked_sub(first)
                .and_then(|at| usize::try_from(at).ok());
            if let Some(row) = place.and_then(|at| rows.get_mut(at)) {
                *row = pack(facts).unwrap_or(0);
            }
        }
        next = begin + block.len().max(1) as u64;
    }
    Ok(rows)
}

/// A state of a database at rest: what [`page_sums::counter`] says, and which file it is.
type RestingState = ([u8; 8], Option<(u64, u64)>);

/// One table for all who have the same database open in the same state.
#[derive(Debug, Default)]
pub struct SharedFacts(Mutex<Option<(RestingState, Arc<FactTable>)>>);

impl SharedFacts {
    /// The table of the state that a store sees. None while somebody writes, for then the file
    /// does not say which state that is.
    pub(super) fn of(
        &self,
        store: &Store,
        file: Option<(u64, u64)>,
    ) -> Result<Option<Arc<FactTable>>, StoreError> {
        let last = store.last_game()?;
        // Under the lock of the question above nobody changes a file that has no log.
        if store.has_log() {
            return Ok(None);
        }
        let Some(counter) = page_sums::counter(&store.connection) else {
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
        assert_eq!(pack(&facts).map(unpack), Some(facts));
        let nothing = PackedFacts::default();
        assert_eq!(pack(&nothing).map(unpack), Some(nothing));
        for too_great in [
            PackedFacts {
                white_elo: 4_096,
                ..facts
            },
            PackedFacts {
                black_elo: u32::MAX,
                ..facts
            },
            PackedFacts {
                date: 1 << 27,
                ..facts
            },
            PackedFacts {
                variant: 256,
                ..facts
            },
        ] {
            assert_eq!(pack(&too_great), None);
        }
    }
}
