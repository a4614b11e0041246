//! Facts of games: of all, block by block and column by column, and of single ones.

use std::ops::Range;

use rusqlite::{ErrorCode, MAIN_DB, blob::Blob};

use super::{
    Store, StoreError,
    blocks::behind,
    fact_table::FactTable,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::facts::{
        self, FactBlock, FactColumn, FactColumns, GAMES_PER_BLOCK, HEAD_BYTES, PackedFacts,
    },
};

impl Store {
    /// Calls `each` with some columns of every game's facts; what the others say means nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn for_each_facts(
        &self,
        columns: &[FactColumn],
        each: impl FnMut(GameId, &PackedFacts),
    ) -> Result<(), StoreError> {
        self.for_each_facts_of(1..GameId::MAX, columns, each)
    }

    /// The same of the games from one up to another.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn for_each_facts_of(
        &self,
        games: Range<GameId>,
        columns: &[FactColumn],
        mut each: impl FnMut(GameId, &PackedFacts),
    ) -> Result<(), StoreError> {
        let mut blocks = self.fact_blocks(self.fact_block_of(games.start)?);
        while let Some(first) = blocks.advance()?
            && first < games.end
        {
            blocks.read(columns)?;
            let block = blocks.columns();
            for (game, place) in (first..).zip(0..block.len()) {
                if games.contains(&game) {
                    each(game, &block.row(place));
                }
            }
        }
        Ok(())
    }

    /// The last game that has facts, 0 for none.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn last_fact(&self) -> Result<GameId, StoreError> {
        let first = self.fact_block_of(i64::MAX as GameId)?;
        let block = self.facts_from(first)?;
        Ok(block.map_or(0, |(first, facts)| first + facts.len() as u64 - 1))
    }

    /// The first block of facts that begins with a game or a later one, and the game
    /// that it begins with; none after the last.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn facts_from(
        &self,
        game: GameId,
    ) -> Result<Option<(GameId, Vec<PackedFacts>)>, StoreError> {
        let Ok(game) = i64::try_from(game) else {
            return Ok(None);
        };
        let block = self.one(sql::FACTS_FROM, [game], |row| {
            Ok((number(row, 0)?, facts::read(row::blob(row, 1)?)))
        })?;
        match block {
            None => Ok(None),
            Some((first, Some(facts))) => Ok(Some((first, facts))),
            Some((first, None)) => {
                Err(self.damaged(format!("facts of game {first} and the following")))
            }
        }
    }

    /// Walks through the blocks of facts that begin with a game or later ones.
    pub fn fact_blocks(&self, from: GameId) -> FactBlocks<'_> {
        FactBlocks {
            store: self,
            bytes: None,
            next: from,
            first: 0,
            columns: FactColumns::default(),
        }
    }

    /// Reads facts of single games.
    pub const fn facts(&self) -> FactReader<'_> {
        FactReader {
            store: self,
            table: None,
            first: 0,
            facts: None,
        }
    }

    /// Reads some columns of the facts of single games; what the others say means nothing.
    pub(crate) fn facts_in(&self, columns: &[FactColumn]) -> FactReader<'_> {
        let table = self.at_hand.as_ref().and_then(|at| at.facts.as_deref());
        FactReader {
            table: table.filter(|_| FactTable::has(columns)),
            ..self.facts()
        }
    }

    /// The first game of the block of facts that has a game, or of the next one.
    pub(super) fn fact_block_of(&self, game: GameId) -> Result<GameId, StoreError> {
        let first = self.one(sql::FACTS_OF, [game as i64], |row| number(row, 0))?;
        Ok(first.unwrap_or(game))
    }
}

/// Whether the user does not want to wait, or the query has to make room for a writer.
fn is_interruption(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

/// Walks through the blocks of facts. A block is longer than a page: of its pages those are read
/// that have what is requested, and those before them.
pub struct FactBlocks<'s> {
    store: &'s Store,
    /// Where the bytes of a block are.
    bytes: Option<Blob<'s>>,
    /// The first game that may begin the next block.
    next: GameId,
    /// The game that begins this one.
    first: GameId,
    columns: FactColumns,
}

impl FactBlocks<'_> {
    /// Goes on to the next block, whose columns are not read yet; the game that it begins with,
    /// `None` after the last.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn advance(&mut self) -> Result<Option<GameId>, StoreError> {
        let Some(bytes) = self.open()? else {
            return Ok(None);
        };
        let (mut head, len) = ([0; HEAD_BYTES], bytes.len());
        let head = &mut head[..HEAD_BYTES.min(len)];
        let read = bytes.read_at_exact(head, 0);
        read.map_err(|source| self.store.failed(source))?;
        if self.columns.take(head, len).is_none() {
            return Err(self.damaged());
        }
        self.next = self.first + self.columns.len().max(1) as u64;
        Ok(Some(self.first))
    }

    /// Goes on to the block that has a game, unless that is this one or one before it; the game that the
    /// block begins with.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn advance_to(&mut self, game: GameId) -> Result<Option<GameId>, StoreError> {
        if self.bytes.is_some() && game < self.next {
            return Ok(Some(self.first));
        }
        // Blocks have as many games where no import ended.
        if game >= self.next + GAMES_PER_BLOCK as u64 || self.bytes.is_none() {
            self.next = self.store.fact_block_of(game)?;
        }
        loop {
            let first = self.advance()?;
            if first.is_none() || game < self.next {
                return Ok(first);
            }
        }
    }

    /// The bytes of the next block.
    fn open(&mut self) -> Result<Option<&Blob<'_>>, StoreError> {
        let Ok(next) = i64::try_from(self.next) else {
            return Ok(None);
        };
        // Blocks follow each other where none is missing.
        let follows = match self.bytes.as_mut().map(|bytes| bytes.reopen(next)) {
            Some(Err(error)) if is_interruption(&error) => return Err(self.store.failed(error)),
            opened => matches!(opened, Some(Ok(()))),
        };
        self.first = self.next;
        if !follows {
            let store = self.store;
            let first = store.one(sql::FIRST_FACTS_FROM, [next], |row| number(row, 0))?;
            let Some(first) = first else {
                return Ok(None);
            };
            self.first = first;
            let open = |row| (store.connection).blob_open(MAIN_DB, "fact_block", "data", row, true);
            self.bytes = match open(first as i64) {
                Ok(bytes) => Some(bytes),
                Err(error) => {
                    // What has no bytes is damage; a statement says more about it.
                    store.one(sql::FACTS_FROM, [next], |row| row::blob(row, 1).map(drop))?;
                    return Err(store.failed(error));
                }
            };
        }
        Ok(self.bytes.as_ref())
    }

    fn damaged(&self) -> StoreError {
        self.store
            .damaged(format!("facts of game {} and the following", self.first))
    }

    /// Reads some columns of the block.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn read(&mut self, wanted: &[FactColumn]) -> Result<(), StoreError> {
        let Some(bytes) = &self.bytes else {
            return Ok(());
        };
        let read = (self.columns).read(wanted, |room, from| bytes.read_at_exact(room, from));
        read.map_err(|source| self.store.failed(source))
    }

    /// The block as far as it was read.
    pub const fn columns(&self) -> &FactColumns {
        &self.columns
    }
}

/// Reads facts of single games, keeping the last block in memory.
#[derive(Debug)]
pub struct FactReader<'s> {
    store: &'s Store,
    table: Option<&'s FactTable>,
    first: GameId,
    facts: Option<FactBlock>,
}

impl FactReader<'_> {
    /// Whether the facts are in memory, so that a single game costs little.
    pub const fn is_in_memory(&self) -> bool {
        self.table.is_some()
    }

    /// A game's facts.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that is not there counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<PackedFacts, StoreError> {
        if let Some(table) = self.table
            && let Some(facts) = table.get(self.store, game)?
        {
            return Ok(facts);
        }
        let held = self.facts.as_ref().map_or(0, FactBlock::len);
        if behind(self.first, game) >= held {
            let block = self.store.one(sql::FACTS_OF, [game as i64], |row| {
                Ok((number(row, 0)?, row::blob(row, 1)?.to_vec()))
            })?;
            if let Some((first, block)) = block {
                (self.first, self.facts) = (first, FactBlock::of(block));
            }
        }
        let block = self.facts.as_ref();
        let facts = block.and_then(|block| block.get(behind(self.first, game)));
        facts.ok_or_else(|| self.store.damaged(format!("facts of game {game}")))
    }
}
