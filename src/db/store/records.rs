//! Records of games that not every game has, in blocks: trees and their texts.

use rusqlite::params;

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    db::index::pages::{RecordBlock, RecordBlockReader},
};

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// The tree of a game.
    Tree,
    /// The texts of a tree.
    Texts,
}

impl RecordKind {
    /// All, in the order of their tables.
    pub const ALL: [Self; 2] = [Self::Tree, Self::Texts];

    const fn insert(self) -> &'static str {
        match self {
            Self::Tree => sql::INSERT_TREES,
            Self::Texts => sql::INSERT_TEXTS,
        }
    }

    const fn block_of(self) -> &'static str {
        match self {
            Self::Tree => sql::TREES_OF,
            Self::Texts => sql::TEXTS_OF,
        }
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

    /// A reader of records.
    pub fn records(&self, kind: RecordKind) -> RecordReader<'_> {
        RecordReader {
            store: self,
            kind,
            block: RecordBlockReader::default(),
        }
    }
}

/// Reads records of single games, keeping the last block at hand.
#[derive(Debug)]
pub struct RecordReader<'s> {
    store: &'s Store,
    kind: RecordKind,
    block: RecordBlockReader,
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
            let read = self.store.one(self.kind.block_of(), [game as i64], |row| {
                let first = number(row, 0)?;
                Ok((first, RecordBlockReader::of(first, row::blob(row, 1)?)))
            })?;
            self.block = match read {
                None => RecordBlockReader::default(),
                Some((_, Some(block))) => block,
                Some((first, None)) => {
                    let what = match self.kind {
                        RecordKind::Tree => "variations and places of comments",
                        RecordKind::Texts => "comments",
                    };
                    return Err(self.store.damaged(format!("{what} from game {first} on")));
                }
            };
        }
        Ok(self.block.get(game))
    }
}
