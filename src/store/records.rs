//! Records of games that not every game has, in blocks: trees and their texts, problems.

use std::ops::Range;

use rusqlite::params;

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::{
        BLOCK_BYTES,
        pages::{BlockFill, RecordBlock, RecordBlockReader, RecordBlockWriter},
    },
    games::variation_tree,
};

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// The tree of a game.
    Tree,
    /// The texts of a tree.
    Texts,
    /// A chess problem with the text of its record.
    Problem,
}

impl Store {
    /// A writer of blocks of records. Searches look at trees alone, here and there, so that
    /// their blocks are small.
    pub fn record_writer(&self, kind: RecordKind) -> RecordBlockWriter {
        RecordBlockWriter::new(match kind {
            RecordKind::Tree => BlockFill::Page(BLOCK_BYTES),
            RecordKind::Texts | RecordKind::Problem => BlockFill::Records,
        })
    }
}

impl RecordKind {
    /// All, in the order of their tables.
    pub const ALL: [Self; 3] = [Self::Tree, Self::Texts, Self::Problem];

    /// The records of a game, each in the parts that blocks keep apart.
    pub fn parted([tree, texts, problem]: [&[u8]; 3]) -> [[&[u8]; 3]; 3] {
        let [tree, texts] = variation_tree::parts(tree, texts);
        [tree, texts, [problem, &[], &[]]]
    }

    /// The table of its blocks.
    pub(super) const fn table(self) -> &'static str {
        match self {
            Self::Tree => "tree_block",
            Self::Texts => "text_block",
            Self::Problem => "problem_block",
        }
    }

    const fn insert(self) -> &'static str {
        match self {
            Self::Tree => sql::INSERT_TREES,
            Self::Texts => sql::INSERT_TEXTS,
            Self::Problem => sql::INSERT_PROBLEMS,
        }
    }

    const fn delete(self) -> &'static str {
        match self {
            Self::Tree => sql::DELETE_TREES,
            Self::Texts => sql::DELETE_TEXTS,
            Self::Problem => sql::DELETE_PROBLEMS,
        }
    }

    const fn block_of(self) -> &'static str {
        match self {
            Self::Tree => sql::TREES_OF,
            Self::Texts => sql::TEXTS_OF,
            Self::Problem => sql::PROBLEMS_OF,
        }
    }

    const fn block_from(self) -> &'static str {
        match self {
            Self::Tree => sql::TREES_FROM,
            Self::Texts => sql::TEXTS_FROM,
            Self::Problem => sql::PROBLEMS_FROM,
        }
    }

    /// What its records are, for a person.
    pub const fn what(self) -> &'static str {
        match self {
            Self::Tree => "variations and places of comments",
            Self::Texts => "comments",
            Self::Problem => "problems",
        }
    }

    /// Says that a block cannot be read, by its first game.
    pub fn damage(self, first_game: GameId) -> String {
        format!("{} from game {first_game} on", self.what())
    }
}

impl Store {
    /// Adds a block of records.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn insert_records(&self, kind: RecordKind, block: &RecordBlock) -> Result<(), StoreError> {
        let values = params![block.first_game as i64, block.bytes];
        self.run(kind.insert(), values).map(drop)
    }

    /// Takes away the blocks that begin with a game or a later one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn delete_records_from(&self, kind: RecordKind, game: GameId) -> Result<(), StoreError> {
        self.run(kind.delete(), [game as i64]).map(drop)
    }

    /// Takes away the blocks that begin with a game, or with a later one before another.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn delete_records(&self, kind: RecordKind, games: Range<GameId>) -> Result<(), StoreError> {
        let values = params![games.start as i64, games.end as i64];
        let statement = sql::delete_between(kind.table(), "first_game");
        self.run(&statement, values).map(drop)
    }

    /// The first block of records whose row has that number or a higher one: the number of
    /// its first game, and the block if it is not damaged. None after the last.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn records_from(
        &self,
        kind: RecordKind,
        row: GameId,
    ) -> Result<Option<(GameId, Option<RecordBlockReader>)>, StoreError> {
        self.one(kind.block_from(), [row as i64], |row| {
            let first = number(row, 0)?;
            Ok((first, RecordBlockReader::of(first, row::blob(row, 1)?)))
        })
    }

    /// A reader of records.
    pub fn records(&self, kind: RecordKind) -> RecordReader<'_> {
        RecordReader {
            store: self,
            kind,
            block: RecordBlockReader::default(),
            gap: RecordGap::default(),
        }
    }
}

/// Reads records of single games, keeping the last block in memory.
#[derive(Debug)]
pub struct RecordReader<'s> {
    store: &'s Store,
    kind: RecordKind,
    block: RecordBlockReader,
    gap: RecordGap,
}

/// Games without records: most collections have long stretches of them, in which no block is read
/// for each.
#[derive(Debug, Default)]
struct RecordGap {
    games: Range<GameId>,
    /// What this program had written into the database when that was so.
    written: u64,
}

impl RecordReader<'_> {
    /// The record of a game, if it has one.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn get(&mut self, game: GameId) -> Result<Option<&[u8]>, StoreError> {
        let is_at_hand = |(first, last)| (first..=last).contains(&game);
        if !self.block.games().is_some_and(is_at_hand) {
            let written = self.store.rows_written();
            if self.gap.games.contains(&game) && self.gap.written == written {
                return Ok(None);
            }
            let read = self.store.one(self.kind.block_of(), [game as i64], |row| {
                let first = number(row, 0)?;
                Ok((first, RecordBlockReader::of(first, row::blob(row, 1)?)))
            })?;
            self.block = match read {
                None => RecordBlockReader::default(),
                Some((_, Some(block))) => block,
                Some((first, None)) => return Err(self.store.damaged(self.kind.damage(first))),
            };
            if !self.block.games().is_some_and(is_at_hand) {
                let next = [game.saturating_add(1) as i64];
                let next = (self.store).one(self.kind.block_from(), next, |row| number(row, 0))?;
                let end = match next {
                    Some(next) => Some(next),
                    // Others may add games with records after it.
                    None => (self.store).one(sql::LAST_GAME, [], |row| number(row, 0))?,
                };
                let games = game..end.unwrap_or(game);
                self.gap = RecordGap { games, written };
            }
        }
        Ok(self.block.get(game))
    }
}
