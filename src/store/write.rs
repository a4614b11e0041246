//! What an import writes.

use std::collections::{HashMap, HashSet};

use rusqlite::params;

use super::{
    IndexPart, NameRows, NameTable, SegmentRow, StartRow, Store, StoreError, row::count_work,
    statements as sql,
};
use crate::{
    base::{diagnostic::Diagnostic, limits::DICTIONARY_BYTES_MAX, record::GameId},
    blocks::{
        facts::{self, PackedFacts},
        moves::{MainLine, MoveBlockWriter},
    },
    index::{
        Block, SegmentThresholds,
        build::Segment,
        merge::BlockChange,
        posting::{PostingLayout, Section},
    },
    input::chunk::Chunk,
};

/// A row of `game`, with its facts.
#[derive(Debug, Clone, Copy)]
pub struct NewGame<'a> {
    /// Its number.
    pub id: GameId,
    /// What the columns hold as numbers; 0 is stored as null where it means none.
    pub facts: PackedFacts,
    /// Tag `Round`.
    pub round: Option<&'a str>,
    /// Tag `ECO` as written, if it is a code.
    pub eco: Option<&'a str>,
    /// Row of `tag_layout`.
    pub layout: u32,
    /// JSON array of the values that no column gives back.
    pub extra: Option<&'a str>,
    /// How the variant is known, where no tag names it.
    pub variant_by: Option<&'a str>,
}

/// 0 is null.
const fn some(number: u32) -> Option<u32> {
    if number == 0 { None } else { Some(number) }
}

impl Store {
    pub(super) fn run(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
    ) -> Result<usize, StoreError> {
        self.connection
            .prepare_cached(statement)
            .and_then(|mut statement| {
                let changed = statement.execute(values);
                count_work(&statement);
                changed
            })
            .map_err(|source| self.failed(source))
    }

    /// A dictionary, as far as it is remembered.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read.
    pub fn dictionary(&self, table: NameTable) -> Result<NameRows, StoreError> {
        let mut names = NameRows::new(DICTIONARY_BYTES_MAX);
        self.each_name(table, |id, name| {
            names.take(id, name);
            Ok(())
        })?;
        names.place_all();
        Ok(names)
    }

    /// An empty dictionary of a table whose last row has that number.
    pub fn dictionary_behind(&self, last: u32) -> NameRows {
        NameRows::new(DICTIONARY_BYTES_MAX).behind(last)
    }

    /// Adds a word to one of the [dictionaries](NameTable::DICTIONARIES).
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written; likewise below.
    pub fn insert_name(&self, table: NameTable, id: u32, name: &str) -> Result<(), StoreError> {
        if let NameTable::Layout = table {
            self.run(sql::INSERT_TAG_NAMES, [name])?;
            return self.run(sql::INSERT_LAYOUT, params![id, name]).map(drop);
        }
        let statement = sql::insert_name(table.place());
        self.run(&statement, params![id, name]).map(drop)
    }

    /// Adds the variants of the registry that are not there yet.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_variants<'a>(
        &self,
        variants: impl Iterator<Item = (u8, &'a str)>,
    ) -> Result<(), StoreError> {
        for (id, name) in variants {
            self.run(sql::INSERT_VARIANT, params![id, name])?;
        }
        Ok(())
    }

    /// Adds a start position under a number, with its board key and state where it can be
    /// played.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_start(
        &self,
        id: u32,
        start: &StartRow,
        key_and_state: Option<(u64, u32)>,
    ) -> Result<(), StoreError> {
        let (key, state) = key_and_state.unzip();
        let (variant, fen, key) = (start.variant, &start.fen, key.map(|key| key as i64));
        // Written once where it is spelled as we spell it.
        let canonical = start.canonical.as_ref().filter(|own| *own != fen);
        let diagram = &start.diagram;
        let values = params![
            id,
            variant,
            fen,
            canonical,
            key,
            state,
            start.corner,
            diagram
        ];
        self.run(sql::INSERT_START, values).map(drop)
    }

    /// Gives a start position another key and state.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn update_start_key(&self, id: u32, key: u64, state: u32) -> Result<(), StoreError> {
        self.run(sql::UPDATE_START, params![id, key as i64, state])
            .map(drop)
    }

    /// Adds a game; its line, facts and records are in blocks.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_game(&self, game: &NewGame<'_>) -> Result<(), StoreError> {
        let facts = &game.facts;
        self.run(
            sql::INSERT_GAME,
            params![
                game.id as i64,
                some(facts.white),
                some(facts.black),
                some(facts.event),
                some(facts.site),
                some(facts.date),
                game.round,
                facts.outcome,
                some(facts.white_elo),
                some(facts.black_elo),
                game.eco,
                facts.plies,
                facts.variant,
                some(facts.start),
                game.layout,
                game.extra,
                game.variant_by,
                some(facts.opening),
            ],
        )?;
        Ok(())
    }

    /// Begins an import; the number of its row.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_import(&self, program: &str) -> Result<i64, StoreError> {
        self.run(sql::INSERT_IMPORT, [program])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Brings an import's row up to date: seen, stored, duplicate, rejected.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn update_import(
        &self,
        import: i64,
        games: [u64; 4],
        finished: bool,
    ) -> Result<(), StoreError> {
        let [seen, stored, duplicate, rejected] = games.map(|number| number as i64);
        self.run(
            sql::UPDATE_IMPORT,
            params![import, seen, stored, duplicate, rejected, finished],
        )
        .map(drop)
    }

    /// Adds a source; the number of its row. A name that is not UTF-8 is kept byte for
    /// byte.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_source(&self, import: i64, name: &[u8]) -> Result<i64, StoreError> {
        match std::str::from_utf8(name) {
            Ok(name) => self.run(sql::INSERT_SOURCE, params![import, name])?,
            Err(_) => self.run(sql::INSERT_SOURCE, params![import, name])?,
        };
        Ok(self.connection.last_insert_rowid())
    }

    /// Adds a chunk that was read from a source: the number of its first game there, from 1, and
    /// how many of its games were stored already; the id of its first game that was not, and how
    /// many those are.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_chunk(
        &self,
        chunk: &Chunk,
        source: i64,
        (first_number, repeated): (u64, u64),
        first_game: GameId,
        games: u64,
    ) -> Result<(), StoreError> {
        self.run(
            sql::INSERT_CHUNK,
            params![
                chunk.chain.to_be_bytes(),
                chunk.parent.to_be_bytes(),
                source,
                chunk.offset_bytes as i64,
                chunk.chained_bytes() as i64,
                chunk.split_bytes as i64,
                u8::from(chunk.last) + u8::from(chunk.last && chunk.is_cut),
                first_number as i64,
                first_game as i64,
                games as i64,
                repeated as i64,
            ],
        )
        .map(drop)
    }

    /// Adds a finding of a source, at an offset of its decompressed stream, and about a game
    /// if that was stored.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_diagnostic(
        &self,
        source: i64,
        game: Option<GameId>,
        offset_bytes: u64,
        finding: &Diagnostic,
    ) -> Result<(), StoreError> {
        let detail = Some(&finding.detail).filter(|detail| !detail.is_empty());
        let (game, offset_bytes) = (game.map(|game| game as i64), offset_bytes as i64);
        let code = finding.code.as_str();
        let values = params![source, game, code, offset_bytes, detail];
        self.run(sql::INSERT_DIAGNOSTIC, values).map(drop)
    }

    /// Adds to an import's count of a code.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn count_diagnostics(&self, import: i64, code: &str, count: u64) -> Result<(), StoreError> {
        self.run(
            sql::INSERT_DIAGNOSTIC_COUNT,
            params![import, code, count as i64],
        )
        .map(drop)
    }

    /// Adds main lines of games that follow each other, the first at the beginning of a block;
    /// the first game of the last block, which may not be full and is replaced by one that
    /// begins with the same game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_lines<'a>(
        &self,
        first_game: GameId,
        lines: impl Iterator<Item = MainLine<'a>>,
    ) -> Result<GameId, StoreError> {
        let mut writer = MoveBlockWriter::default();
        let mut first = first_game;
        for (game, line) in (first_game..).zip(lines) {
            if let Some(block) = writer.push(line) {
                self.run(sql::INSERT_MOVES, params![first as i64, block])?;
                first = game;
            }
        }
        if let Some(block) = writer.finish() {
            self.run(sql::INSERT_MOVES, params![first as i64, block])?;
        }
        Ok(first)
    }

    /// The same with facts, whose blocks begin every [`GAMES_PER_BLOCK`](facts::GAMES_PER_BLOCK)
    /// games.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_facts(
        &self,
        first_game: GameId,
        facts: &[PackedFacts],
    ) -> Result<(), StoreError> {
        for (block, first) in facts
            .chunks(facts::GAMES_PER_BLOCK)
            .zip((first_game..).step_by(facts::GAMES_PER_BLOCK))
        {
            self.run(
                sql::INSERT_FACTS,
                params![first as i64, facts::write(block)],
            )?;
        }
        Ok(())
    }

    /// Adds a built segment of the games from `first_game` on.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_segment(
        &self,
        first_game: GameId,
        games: usize,
        segment: &Segment,
    ) -> Result<(), StoreError> {
        let id = self.free_segment()?;
        for (section, (_, blocks)) in Section::ALL.into_iter().zip(&segment.sections) {
            self.insert_blocks(id, IndexPart::Postings(section), blocks)?;
        }
        self.insert_blocks(id, IndexPart::Popular, &segment.popular)?;
        self.insert_blocks(id, IndexPart::TopGames, &segment.top_games)?;
        self.insert_columns(first_game, games as u64, &segment.columns)?;
        let games = (first_game, games as u64);
        let (positions, layouts) = (segment.positions, segment.layouts());
        self.insert_segment_row(id, games, positions, (layouts, SegmentThresholds::SMALL))
    }

    /// A number that no segment has.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn free_segment(&self) -> Result<u32, StoreError> {
        let taken: Vec<u32> = self.segments()?.iter().map(|segment| segment.id).collect();
        let mut ids = 0..=taken.len() as u32;
        Ok(ids.find(|id| !taken.contains(id)).unwrap_or(0))
    }

    /// Adds a segment of a number of games from one on; its blocks are there.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_segment_row(
        &self,
        id: u32,
        (first_game, games): (GameId, u64),
        positions: u64,
        ([coarse, fine, variation], thresholds): ([PostingLayout; 3], SegmentThresholds),
    ) -> Result<(), StoreError> {
        self.run(
            sql::INSERT_SEGMENT,
            params![
                id,
                first_game as i64,
                games as i64,
                positions as i64,
                crate::games::key::KEY_VERSION,
                coarse.game_bits,
                coarse.key_bits,
                coarse.key_rice,
                fine.key_bits,
                fine.key_rice,
                variation.key_bits,
                variation.key_rice,
                thresholds.popular_min as i64,
                thresholds.replays_max as i64,
            ],
        )
        .map(drop)
    }

    /// Replaces the blocks of a part of a segment's index by others; what is the same stays.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn replace_blocks(
        &self,
        segment: &SegmentRow,
        part: IndexPart,
        blocks: &[Block],
    ) -> Result<(), StoreError> {
        let new: HashMap<u64, &Block> = blocks
            .iter()
            .map(|block| (block.first_key, block))
            .collect();
        let mut same = HashSet::new();
        for old in self.blocks(segment, part)? {
            if new.get(&old.first_key) == Some(&&old) {
                same.insert(old.first_key);
            } else {
                let row = SegmentRow::first_row(segment.id, part) + old.first_key as i64;
                self.run(part.deletion(), [row, row])?;
            }
        }
        let mut changed = blocks
            .iter()
            .filter(|block| !same.contains(&block.first_key));
        changed.try_for_each(|block| self.insert_block(segment.id, part, block))
    }

    /// Changes blocks of a part of a segment's index.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn change_blocks(
        &self,
        segment: u32,
        part: IndexPart,
        changes: &[BlockChange],
    ) -> Result<(), StoreError> {
        for change in changes {
            let (BlockChange::Gone(key) | BlockChange::Put(Block { first_key: key, .. })) = change;
            let row = SegmentRow::first_row(segment, part) + *key as i64;
            self.run(part.deletion(), [row, row])?;
            if let BlockChange::Put(block) = change {
                self.insert_block(segment, part, block)?;
            }
        }
        Ok(())
    }

    fn insert_blocks(
        &self,
        segment: u32,
        part: IndexPart,
        blocks: &[Block],
    ) -> Result<(), StoreError> {
        blocks
            .iter()
            .try_for_each(|block| self.insert_block(segment, part, block))
    }

    /// Adds a block of a part of a segment's index.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_block(
        &self,
        segment: u32,
        part: IndexPart,
        block: &Block,
    ) -> Result<(), StoreError> {
        let statement = match part {
            IndexPart::Postings(_) => sql::INSERT_POSTINGS,
            IndexPart::Popular => sql::INSERT_POPULAR,
            IndexPart::TopGames => sql::INSERT_COLUMNS,
        };
        let row = SegmentRow::first_row(segment, part) + block.first_key as i64;
        self.run(statement, params![row, block.bytes]).map(drop)
    }

    /// Takes a segment out of the index; its games and their columns stay.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn delete_segment(&self, id: u32) -> Result<(), StoreError> {
        for (statement, part) in [
            (
                sql::DELETE_POSTINGS,
                IndexPart::Postings(Section::Structures),
            ),
            (sql::DELETE_POPULAR, IndexPart::Popular),
        ] {
            let first = |id| SegmentRow::first_row(id, part);
            self.run(statement, params![first(id), first(id + 1) - 1])?;
        }
        self.run(sql::DELETE_COLUMNS, IndexPart::TopGames.rows_of(id))?;
        self.run(sql::DELETE_SEGMENT, [id]).map(drop)
    }
}
