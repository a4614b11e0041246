//! Games that take the place of others: what stands under their numbers, and where they were
//! read.

use std::collections::HashSet;

use rusqlite::{Row, params};

use super::{
    RecordKind, Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::{
        diagnostic::{Code, Severity},
        record::GameId,
    },
    blocks::{facts::PackedFacts, fingerprint::Fingerprint, moves::MainLine, pages::RecordBlock},
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

/// Tables whose rows have the number of a game, with that column. The table of games is the
/// last, for others refer to it.
const NUMBERED: [(&str, &str); 4] = [
    ("problem_part", "problem"),
    ("problem_author", "problem"),
    ("problem", "game"),
    ("game_row", "id"),
];

/// Tables of blocks in which the games of a block are counted on from its first.
const COUNTED_ON: [&str; 3] = ["move_block", "fact_block", "print_block"];

/// The records of a game by the kind, as they are in blocks.
type GameRecords = [Vec<u8>; 3];

/// What blocks have of games that stand beside those that go.
#[derive(Debug, Default)]
struct BlockEdge {
    first: GameId,
    lines: Vec<(u32, Vec<u8>)>,
    facts: Vec<PackedFacts>,
    sums: Vec<Fingerprint>,
}

/// What blocks have of the games before some games, and after them.
#[derive(Debug, Default)]
pub struct BlockEdges {
    counted: Vec<(usize, BlockEdge)>,
    records: [Vec<(GameId, GameRecords)>; 3],
    end: GameId,
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

    /// Sets again in which parts a source was read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written.
    pub fn put_parts(&self, source: i64, rows: &[ChunkGames]) -> Result<(), StoreError> {
        self.run(sql::DELETE_CHUNKS, [source])?;
        rows.iter().try_for_each(|row| self.put_part(source, row))
    }

    /// The stored findings of a source by code: how many, and how many that are about no game;
    /// or those about one game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn findings_of(
        &self,
        source: i64,
        game: Option<GameId>,
    ) -> Result<Vec<(String, u64, u64)>, StoreError> {
        let values = params![source, game.map(|game| game as i64)];
        self.all(sql::FINDINGS_OF_SOURCE, values, |row| {
            Ok((row.get(0)?, number(row, 1)?, number(row, 2)?))
        })
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

    /// Takes the stored findings of a source away, or those about one game of it, and out of
    /// the counts of its import.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forget_findings(
        &self,
        source: &SourceRow,
        game: Option<GameId>,
    ) -> Result<(), StoreError> {
        for (code, count, _) in self.findings_of(source.id, game)? {
            self.run(
                sql::TAKE_FROM_COUNT,
                params![source.import, code, count as i64],
            )?;
        }
        self.run(sql::DROP_EMPTY_COUNTS, [source.import])?;
        let values = params![source.id, game.map(|game| game as i64)];
        self.run(sql::DELETE_FINDINGS, values).map(drop)
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

    /// What an import has counted: seen, stored, duplicate, rejected; and whether it was
    /// finished.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn import_counts(&self, import: i64) -> Result<([u64; 4], bool), StoreError> {
        let found = self.one(sql::COUNTS_OF_IMPORT, [import], |row| {
            let counts = [0, 1, 2, 3].map(|at| number(row, at));
            let [seen, stored, duplicate, rejected] = counts;
            Ok(([seen?, stored?, duplicate?, rejected?], row.get(4)?))
        })?;
        found.ok_or_else(|| self.damaged(format!("table import: row {import} is missing")))
    }

    /// Gives a source to another import, which has read it again, and takes what it had out of
    /// the counts of the one before: games stored, games that were stored already, and rejected.
    /// That one goes where nothing is left of it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn give_source(
        &self,
        source: &SourceRow,
        import: i64,
        had: [u64; 3],
    ) -> Result<(), StoreError> {
        let [stored, repeated, rejected] = had.map(|count| count as i64);
        let values = params![source.import, stored, repeated, rejected];
        self.run(sql::TAKE_FROM_IMPORT, values)?;
        self.run(sql::GIVE_SOURCE, params![source.id, import])?;
        self.run(sql::DROP_COUNTS_OF_IDLE, [source.import])?;
        self.run(sql::DROP_IDLE_IMPORT, [source.import])?;
        self.run(sql::FORGET_IDLE_IMPORT, [source.import]).map(drop)
    }

    /// Takes games away, from one up to another, and gives those after them other numbers, so
    /// that there is room for `games` in their place. What blocks had of their neighbours is to
    /// be [put back](Self::insert_edge_blocks) once they are there.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; the transaction is then to be given up.
    pub fn make_room(
        &self,
        first: GameId,
        end: GameId,
        games: u64,
    ) -> Result<BlockEdges, StoreError> {
        let by = (first + games) as i64 - end as i64;
        let mut rims = BlockEdges {
            end: first + games,
            ..BlockEdges::default()
        };
        let last = self.last_game()?;
        self.take_counted(&mut rims, (first, end), last)?;
        self.take_records(&mut rims, (first, end))?;
        for (table, column) in NUMBERED {
            self.run(
                &sql::delete_between(table, column),
                params![first as i64, end as i64],
            )?;
        }
        if by == 0 {
            return Ok(rims);
        }
        self.forget_repeats_of(first, end)?;
        let shift = |table: &str, column: &str| -> Result<(), StoreError> {
            let [away, back] = sql::shift_from(table, column);
            self.run(&away, params![end as i64, by])?;
            self.run(&back, []).map(drop)
        };
        let first_games = COUNTED_ON.into_iter().chain(["segment", "source_chunk"]);
        let numbered = NUMBERED.into_iter().chain([
            ("diagnostic", "game"),
            ("repeated_game", "game"),
            ("removal", "first"),
            ("removal", "kept"),
            ("edit", "game"),
        ]);
        for (table, column) in first_games
            .map(|table| (table, "first_game"))
            .chain(numbered)
        {
            self.go_on()?;
            shift(table, column)?;
        }
        for kind in RecordKind::ALL {
            self.shift_records(kind, end, by)?;
        }
        for rim in rims.counted.iter_mut().map(|(_, rim)| rim) {
            if rim.first >= end {
                rim.first = (rim.first as i64 + by) as GameId;
            }
        }
        for (game, _) in rims.records.iter_mut().flatten() {
            if *game >= end {
                *game = (*game as i64 + by) as GameId;
            }
        }
        Ok(rims)
    }

    /// Takes away the blocks that have some games, and keeps what they have of others.
    fn take_counted(
        &self,
        rims: &mut BlockEdges,
        (first, end): (GameId, GameId),
        last: GameId,
    ) -> Result<(), StoreError> {
        for (at, table) in COUNTED_ON.into_iter().enumerate() {
            let (from, to) = self.blocks_over(table, first, end)?;
            let to = to.unwrap_or(last + 1);
            let (mut lines, mut facts, mut sums) = (self.lines(), self.facts(), self.sums());
            for (from, to) in [(from.unwrap_or(first), first), (end, to)] {
                let mut rim = BlockEdge {
                    first: from,
                    ..BlockEdge::default()
                };
                for game in from..to {
                    match at {
                        0 => {
                            let line = lines.get(game)?;
                            rim.lines.push((line.start, line.plies.to_vec()));
                        }
                        1 => rim.facts.push(facts.get(game)?),
                        _ => rim.sums.push(sums.get(game)?),
                    }
                }
                if from < to {
                    rims.counted.push((at, rim));
                }
            }
            let from = from.unwrap_or(first);
            let range = params![from as i64, to as i64];
            self.run(&sql::delete_between(table, "first_game"), range)?;
        }
        Ok(())
    }

    /// The same of records, which not every game has.
    fn take_records(
        &self,
        rims: &mut BlockEdges,
        (first, end): (GameId, GameId),
    ) -> Result<(), StoreError> {
        let mut readers = RecordKind::ALL.map(|kind| self.records(kind));
        let mut ranges = Vec::new();
        for kind in RecordKind::ALL {
            let (from, to) = self.blocks_over(kind.table(), first, end)?;
            let range = from.unwrap_or(first)..to.unwrap_or(GameId::MAX >> 1);
            let mut row = range.start;
            while let Some((block_first, block)) = self.records_from(kind, row)? {
                if !range.contains(&block_first) {
                    break;
                }
                row = block_first + 1;
                let damaged = || self.damaged(kind.damage(block_first));
                let games: Vec<GameId> = (block.ok_or_else(damaged)?.records())
                    .map(|(game, _)| game)
                    .filter(|game| !(first..end).contains(game))
                    .collect();
                for game in games {
                    let mut records: GameRecords = Default::default();
                    for (record, reader) in records.iter_mut().zip(&mut readers) {
                        *record = reader.get(game)?.unwrap_or_default().to_vec();
                    }
                    rims.records[kind as usize].push((game, records));
                }
            }
            ranges.push((kind, range));
        }
        for (kind, range) in ranges {
            let range = params![range.start as i64, range.end as i64];
            self.run(&sql::delete_between(kind.table(), "first_game"), range)?;
        }
        Ok(())
    }

    /// The first game of the block that has a game, and that of the first block that begins with
    /// another game or after it.
    fn blocks_over(
        &self,
        table: &str,
        first: GameId,
        end: GameId,
    ) -> Result<(Option<GameId>, Option<GameId>), StoreError> {
        let values = params![first as i64, end as i64];
        let found = self.one(&sql::blocks_over(table), values, |row| {
            let game = |at| {
                let game: Option<i64> = row.get(at)?;
                game.map(|_| number(row, at)).transpose()
            };
            Ok((game(0)?, game(1)?))
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Gives the blocks of records from a game on other numbers, which their checksums have.
    fn shift_records(&self, kind: RecordKind, from: GameId, by: i64) -> Result<(), StoreError> {
        let table = kind.table();
        let statement = sql::blocks_from(table, by > 0);
        let firsts = self.all(&statement, [from as i64], |row| number(row, 0))?;
        for first in firsts {
            self.go_on()?;
            let bytes = self.one(&sql::block_at(table), [first as i64], |row| {
                Ok(row::blob(row, 0)?.to_vec())
            })?;
            let to = (first as i64 + by) as GameId;
            let moved = RecordBlock::moved(bytes.unwrap_or_default(), first, to);
            let moved = moved.ok_or_else(|| self.damaged(kind.damage(first)))?;
            let values = params![first as i64, to as i64, moved.bytes];
            self.run(&sql::move_block(table), values)?;
        }
        Ok(())
    }

    /// Puts back what blocks had of games beside those that went.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_edge_blocks(&self, rims: &BlockEdges) -> Result<(), StoreError> {
        for (at, rim) in &rims.counted {
            match at {
                0 => {
                    let lines = rim.lines.iter().map(|(start, plies)| MainLine {
                        start: *start,
                        plies,
                    });
                    self.insert_lines(rim.first, lines)?;
                }
                1 => self.insert_facts(rim.first, &rim.facts)?,
                _ => self.insert_sums(rim.first, &rim.sums)?,
            }
        }
        for (kind, games) in RecordKind::ALL.into_iter().zip(&rims.records) {
            let (before, behind) =
                games.split_at(games.partition_point(|(game, _)| *game < rims.end));
            for games in [before, behind] {
                let mut writer = self.record_writer(kind);
                for (game, records) in games {
                    let records = records.each_ref().map(Vec::as_slice);
                    let parts = RecordKind::parted(records)[kind as usize];
                    writer.push(*game, parts, |block| self.insert_records(kind, &block))?;
                }
                writer.finish(|block| self.insert_records(kind, &block))?;
            }
        }
        Ok(())
    }

    /// Takes away what no game has any more: names, texts, start positions.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forget_idle(&self) -> Result<(), StoreError> {
        self.delete_idle_names()?;
        self.delete_idle("start_position", sql::IDLE_STARTS)
    }
}
