//! Sources, the parts in which they were read, and what was found in them.

use std::collections::HashSet;

use rusqlite::{Row, params};

use super::{Store, StoreError, row::number, statements as sql};
use crate::{
    base::{
        diagnostic::{Code, Severity},
        record::GameId,
    },
    input::verify::ChunkDigest,
};

/// A row of `source`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// Its number.
    pub id: i64,
    /// The import that read it.
    pub import: i64,
    /// Its name, byte for byte.
    pub name: Vec<u8>,
}

/// A row of `source_chunk`: a part of a source, and its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkGames {
    /// The text.
    pub digest: ChunkDigest,
    /// 1 if the stream ended, or broke off, with it; 2 if that is between two games although the
    /// text does not show it.
    pub last: u8,
    /// 1-based number of its first game in the source.
    pub first_number: u64,
    /// That game.
    pub first_game: GameId,
    /// How many games of it are stored with it.
    pub games: u64,
    /// How many of it were stored already.
    pub repeated: u64,
}

/// A stored warning or error about a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingEntry {
    /// The game, if it is about one.
    pub game: Option<GameId>,
    /// The stable code.
    pub code: String,
    /// 0-based offset in the decompressed stream.
    pub offset_bytes: u64,
    /// What exactly; may be empty.
    pub detail: String,
}

fn source_row(row: &Row<'_>) -> rusqlite::Result<SourceRow> {
    Ok(SourceRow {
        id: row.get(0)?,
        import: row.get(1)?,
        name: row.get(2)?,
    })
}

impl Store {
    /// The sources of a name, or those of them that an import has read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn sources_named(
        &self,
        name: &[u8],
        import: Option<u64>,
    ) -> Result<Vec<SourceRow>, StoreError> {
        let values = params![name, import.map(|import| import as i64)];
        self.all(sql::SOURCES_NAMED, values, |row| {
            Ok(SourceRow {
                id: row.get(0)?,
                import: row.get(1)?,
                name: name.to_vec(),
            })
        })
    }

    /// The source in which a game was read.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn source_of(&self, game: GameId) -> Result<Option<SourceRow>, StoreError> {
        self.one(sql::SOURCE_OF_GAME, [game as i64], source_row)
    }

    /// The source that has the part with this hash.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn source_of_part(&self, chain: u128) -> Result<Option<SourceRow>, StoreError> {
        self.one(sql::SOURCE_OF_PIECE, [chain.to_be_bytes()], source_row)
    }

    /// The parts in which a source was read, with their games, by their offsets.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn part_rows(&self, source: i64) -> Result<Vec<ChunkGames>, StoreError> {
        self.all(sql::CHUNKS_OF_SOURCE, [source], |row| {
            Ok(ChunkGames {
                digest: ChunkDigest {
                    offset_bytes: number(row, 0)?,
                    bytes: number(row, 1)?,
                    split_bytes: number(row, 2)?,
                    parent: u128::from_be_bytes(row.get(3)?),
                    chain: u128::from_be_bytes(row.get(4)?),
                },
                last: row.get(5)?,
                first_number: number(row, 6)?,
                first_game: number(row, 7)?,
                games: number(row, 8)?,
                repeated: number(row, 9)?,
            })
        })
    }

    /// All sources.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn source_rows(&self) -> Result<Vec<SourceRow>, StoreError> {
        self.all(sql::SOURCE_ROWS, [], source_row)
    }

    /// All parts of sources, by their games.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn parts_by_game(&self) -> Result<Vec<(SourceRow, ChunkGames)>, StoreError> {
        let mut parts = Vec::new();
        for source in self.source_rows()? {
            let rows = self.part_rows(source.id)?.into_iter();
            parts.extend(rows.map(|row| (source.clone(), row)));
        }
        parts.sort_by_key(|(_, row)| row.first_game);
        Ok(parts)
    }

    /// Adds a part of a source whose games were taken from another database; unless its text is
    /// known of it, it is one that no file has.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn add_part(
        &self,
        source: i64,
        row: &ChunkGames,
        is_known: bool,
    ) -> Result<(), StoreError> {
        if is_known {
            return self.put_part(source, row);
        }
        let [number, first, games] = [row.first_number, row.first_game, row.games];
        let values = params![source, first as i64, games as i64, number as i64];
        self.run(sql::LOST_CHUNK, values).map(drop)
    }

    fn put_part(&self, source: i64, row: &ChunkGames) -> Result<(), StoreError> {
        let part = &row.digest;
        self.run(
            sql::PUT_CHUNK,
            params![
                part.offset_bytes as i64,
                part.bytes as i64,
                part.split_bytes as i64,
                part.parent.to_be_bytes(),
                part.chain.to_be_bytes(),
                row.last,
                row.first_number as i64,
                row.first_game as i64,
                row.games as i64,
                row.repeated as i64,
                source,
            ],
        )
        .map(drop)
    }

    /// The stored findings of a source, in the order in which they were found.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn finding_entries(&self, source: i64) -> Result<Vec<FindingEntry>, StoreError> {
        self.all(sql::ENTRIES_OF_SOURCE, [source], |row| {
            let game: Option<i64> = row.get(0)?;
            Ok(FindingEntry {
                game: game.map(|_| number(row, 0)).transpose()?,
                code: row.get(1)?,
                offset_bytes: number(row, 2)?,
                detail: row.get(3)?,
            })
        })
    }

    /// The games, from one up to another, about which there is an error.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn games_with_errors(
        &self,
        first: GameId,
        end: GameId,
    ) -> Result<HashSet<GameId>, StoreError> {
        let grave = |code: &&Code| code.severity() == Severity::Error;
        let codes: Vec<&str> = (Code::ALL.iter().filter(grave))
            .map(|code| code.as_str())
            .collect();
        let codes = serde_json::Value::from(codes).to_string();
        let values = params![first as i64, end as i64, codes];
        let found = self.all(sql::GAMES_WITH_CODES, values, |row| number(row, 0))?;
        Ok(found.into_iter().collect())
    }

    /// Adds a finding of a source as it was stored elsewhere.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn put_finding(&self, source: i64, finding: &FindingEntry) -> Result<(), StoreError> {
        let game = finding.game.map(|game| game as i64);
        let at = finding.offset_bytes as i64;
        let values = params![source, game, finding.code, at, finding.detail];
        self.run(sql::PUT_FINDING, values).map(drop)
    }
}
