//! The packed part, block by block: segments, postings, popular positions, moves. `facts.rs` has facts.

use std::ops::Range;

use rusqlite::params;

use super::{
    Store, StoreError, StoreErrorKind,
    row::{self, number},
    schema::THRESHOLDS_SCHEMA,
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::moves::{self, MainLine},
    index::{
        Block, SegmentThresholds,
        columns::set::GameSet,
        merge::BlockLocator,
        popular::{self, PopularState},
        posting::{self, PostingLayout, Section},
        top_games::{self, TopGames},
    },
};

/// A part of the index of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexPart {
    /// Postings of a section, in `posting_block`.
    Postings(Section),
    /// Hot positions, in `hot_block`.
    Popular,
    /// What explorers show of crowded positions, in `column_block`.
    TopGames,
}

impl IndexPart {
    /// How many rows of its table may be those of one segment.
    const fn rows(self) -> i64 {
        match self {
            // Top games stand where a further stream of columns would.
            Self::Postings(_) | Self::TopGames => 1 << 40,
            Self::Popular => 1 << 48,
        }
    }

    /// What deletes blocks between two rows.
    pub(super) const fn deletion(self) -> &'static str {
        match self {
            Self::Postings(_) => sql::DELETE_POSTINGS,
            Self::Popular => sql::DELETE_POPULAR,
            Self::TopGames => sql::DELETE_COLUMNS,
        }
    }

    /// The first and the last possible row of a segment.
    pub(super) const fn rows_of(self, segment: u32) -> [i64; 2] {
        let first = SegmentRow::first_row(segment, self);
        [first, first + self.rows() - 1]
    }
}

impl std::fmt::Display for IndexPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Postings(section) => section.fmt(f),
            Self::Popular => f.write_str("popular positions"),
            Self::TopGames => f.write_str("top games"),
        }
    }
}

/// A row of `segment`: which games it holds and how its blocks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentRow {
    /// Its number.
    pub id: u32,
    /// Its first game.
    pub first_game: GameId,
    /// Its games, which follow each other.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Version of the keys.
    pub key_version: u32,
    /// Layouts of the sections, in the order of [`Section::ALL`].
    pub layouts: [PostingLayout; 3],
    /// What is filed of its positions.
    pub thresholds: SegmentThresholds,
}

impl SegmentRow {
    /// Whether blocks can be read as the row says.
    fn is_possible(&self) -> bool {
        // Numbers of segments and keys share the 63 bits of a row's number.
        let is_layout = |layout: &PostingLayout| {
            layout.key_bits <= 40 && layout.key_rice <= layout.key_bits && layout.game_bits <= 32
        };
        self.id < 1 << 15
            && self.first_game > 0
            && self.games > 0
            && self.layouts.iter().all(is_layout)
    }

    /// The first possible row of a part of a segment's index in its table. A block's row is as far
    /// after it as its first key says; for postings that is the truncated key, for popular positions
    /// its top 48 bits.
    pub(super) const fn first_row(segment: u32, part: IndexPart) -> i64 {
        match part {
            IndexPart::Postings(section) => ((segment as i64) << 44) | ((section as i64) << 40),
            IndexPart::TopGames => (segment as i64) << 44 | 3 << 40,
            IndexPart::Popular => (segment as i64) << 48,
        }
    }
}

impl Store {
    /// The segments in the order of their games.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn segments(&self) -> Result<Vec<SegmentRow>, StoreError> {
        // A file of an older schema that cannot be written has no thresholds.
        let has_thresholds = self.number("user_version")? >= i64::from(THRESHOLDS_SCHEMA);
        let statement = if has_thresholds {
            sql::ALL_SEGMENTS
        } else {
            sql::ALL_SEGMENTS_ONCE
        };
        let segments = self.all(statement, [], |row| {
            let game_bits = row.get(5)?;
            let layout = |at| -> rusqlite::Result<PostingLayout> {
                Ok(PostingLayout {
                    key_bits: row.get(at)?,
                    key_rice: row.get(at + 1)?,
                    game_bits,
                })
            };
            Ok(SegmentRow {
                id: row.get(0)?,
                first_game: number(row, 1)?,
                games: number(row, 2)?,
                positions: number(row, 3)?,
                key_version: row.get(4)?,
                layouts: [layout(6)?, layout(8)?, layout(10)?],
                thresholds: SegmentThresholds {
                    popular_min: number(row, 12)? as usize,
                    replays_max: number(row, 13)? as usize,
                },
            })
        })?;
        match segments.iter().find(|segment| !segment.is_possible()) {
            Some(segment) => Err(self.damaged(format!(
                "table segment has a row {} that describes no segment",
                segment.id
            ))),
            None => Ok(segments),
        }
    }

    /// The segments, to look positions up in them, and the [tail](Self::tail).
    ///
    /// # Errors
    ///
    /// [`StoreErrorKind::OtherKeys`] if they are filed under keys of another version: then
    /// all else can still be queried.
    pub fn index(&self) -> Result<Vec<SegmentRow>, StoreError> {
        self.once(|at_hand| &at_hand.index, || self.find_index())
    }

    fn find_index(&self) -> Result<Vec<SegmentRow>, StoreError> {
        let mut segments = self.segments()?;
        let known = crate::games::key::KEY_VERSION;
        let mut versions = segments.iter().map(|segment| segment.key_version);
        if let Some(found) = versions.find(|&version| version != known) {
            return Err(self.error(StoreErrorKind::OtherKeys { found, known }));
        }
        segments.extend(self.tail(&segments)?);
        Ok(segments)
    }

    /// The games of a key in a section of a segment, numbered from 0 within it.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn all_postings(
        &self,
        segment: &SegmentRow,
        section: Section,
        key: u64,
    ) -> Result<Vec<u32>, StoreError> {
        let all = self.postings(segment, section, key, usize::MAX)?;
        Ok(all.unwrap_or_default())
    }

    /// The same, unless there are more than `most`.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn postings(
        &self,
        segment: &SegmentRow,
        section: Section,
        key: u64,
        most: usize,
    ) -> Result<Option<Vec<u32>>, StoreError> {
        let layout = segment.layouts[section as usize];
        let key = layout.truncate(key);
        let first = SegmentRow::first_row(segment.id, IndexPart::Postings(section));
        let rows = params![first + key as i64, first];
        let found = self.one(sql::POSTINGS_OF, rows, |row| {
            let block = row::blob(row, 1)?;
            Ok(posting::find(
                layout,
                (row.get::<_, i64>(0)? - first) as u64,
                block,
                key,
                most,
            ))
        })?;
        let none = || Some(Some(Vec::new()));
        found.unwrap_or_else(none).ok_or_else(|| {
            self.damaged(format!(
                "postings of segment {}, {section}, key {key:x}",
                segment.id
            ))
        })
    }

    /// The games of a segment that have plies in their variations, numbered from 0 within it.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn games_with_variations(&self, segment: &SegmentRow) -> Result<GameSet, StoreError> {
        let section = Section::Variation;
        let layout = segment.layouts[section as usize];
        let mut games = GameSet::none(segment.games as usize);
        let mut is_read = true;
        let rows = IndexPart::Postings(section).rows_of(segment.id);
        self.each_row(sql::POSTINGS_BETWEEN, rows, |row| {
            let read = posting::each_game(layout, row::blob(row, 1)?, |game| {
                is_read &= u64::from(game) < segment.games;
                if is_read {
                    games.insert(game as usize);
                }
            });
            is_read &= read.is_some();
            Ok(())
        })?;
        if !is_read {
            return Err(self.damaged(format!("postings of segment {}, {section}", segment.id)));
        }
        Ok(games)
    }

    /// The popular position of that board key in a segment, by state; empty if it
    /// is not popular there; with at most this many games of each state.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn popular(
        &self,
        segment: &SegmentRow,
        key: u64,
        games_max: u64,
    ) -> Result<Vec<PopularState>, StoreError> {
        let read = |block: &[u8]| popular::find(block, key, games_max);
        let found = self.popular_block(segment, key, read)?;
        let none = || Some(Vec::new());
        found
            .unwrap_or_else(none)
            .ok_or_else(|| self.bad_popular(segment, key))
    }

    /// What is read of the block that should hold the popular position of a board key, if there is one.
    fn popular_block<T>(
        &self,
        segment: &SegmentRow,
        key: u64,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError> {
        let first = SegmentRow::first_row(segment.id, IndexPart::Popular);
        let rows = params![first + popular::row_key(key) as i64, first];
        self.one(sql::POPULAR_OF, rows, |row| Ok(read(row::blob(row, 1)?)))
    }

    fn bad_popular(&self, segment: &SegmentRow, key: u64) -> StoreError {
        let segment = segment.id;
        self.damaged(format!(
            "popular positions of segment {segment}, key {key:016x}"
        ))
    }

    /// Calls `each` with the games of a popular position in a segment, state by state: with the state,
    /// the game, and the index of its move.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn each_popular_game(
        &self,
        segment: &SegmentRow,
        key: u64,
        each: impl FnMut(u32, u32, u16),
    ) -> Result<(), StoreError> {
        let read = |block: &[u8]| popular::each_game(block, key, each);
        let found = self.popular_block(segment, key, read)?;
        found
            .unwrap_or(Some(()))
            .ok_or_else(|| self.bad_popular(segment, key))
    }

    /// The top games of a popular position, by its board key and state, in a segment.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn top_games(
        &self,
        segment: &SegmentRow,
        key: u64,
        state: u32,
    ) -> Result<Option<TopGames>, StoreError> {
        let first = SegmentRow::first_row(segment.id, IndexPart::TopGames);
        let rows = params![first + top_games::row_key(key) as i64, first];
        let found = self.one(sql::TOP_GAMES_OF, rows, |row| {
            Ok(top_games::find(row::blob(row, 1)?, key, state))
        })?;
        found.unwrap_or(Some(None)).ok_or_else(|| {
            self.damaged(format!(
                "top games of segment {}, key {key:016x}",
                segment.id
            ))
        })
    }

    /// How many blocks a part of a segment's index has.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn block_count(&self, segment: &SegmentRow, part: IndexPart) -> Result<u64, StoreError> {
        let statement = match part {
            IndexPart::Postings(_) => sql::COUNT_POSTINGS,
            IndexPart::Popular => sql::COUNT_POPULAR,
            IndexPart::TopGames => sql::COUNT_COLUMNS,
        };
        let count = self.one(statement, part.rows_of(segment.id), |row| number(row, 0))?;
        Ok(count.unwrap_or(0))
    }

    /// Whether a block of a part of a segment's index is stored as it is here.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn has_block(
        &self,
        segment: &SegmentRow,
        part: IndexPart,
        block: &Block,
    ) -> Result<bool, StoreError> {
        let statement = match part {
            IndexPart::Postings(_) => sql::POSTINGS_AT,
            IndexPart::Popular => sql::POPULAR_AT,
            IndexPart::TopGames => sql::COLUMN_PAGE,
        };
        let row = SegmentRow::first_row(segment.id, part) + block.first_key as i64;
        let is_same = |row: &rusqlite::Row<'_>| Ok(row::blob(row, 0)? == block.bytes);
        Ok(self.one(statement, [row], is_same)?.unwrap_or(false))
    }

    /// A block of the popular positions of a segment, or of their top games.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    ///
    /// # Panics
    ///
    /// If it is a block of another part.
    pub fn block(
        &self,
        segment: &SegmentRow,
        part: IndexPart,
        sought: BlockLocator,
    ) -> Result<Option<Block>, StoreError> {
        let statements = match part {
            IndexPart::Popular => [sql::POPULAR_OF, sql::POPULAR_BETWEEN],
            IndexPart::TopGames => [sql::TOP_GAMES_OF, sql::COLUMNS_BETWEEN],
            IndexPart::Postings(_) => panic!("no blocks of entries"),
        };
        let [first, last] = part.rows_of(segment.id);
        let (statement, rows) = match sought {
            BlockLocator::UpTo(key) => (statements[0], [first + key as i64, first]),
            BlockLocator::Behind(key) => (statements[1], [first + key as i64 + 1, last]),
        };
        self.one(statement, rows, |row| {
            Ok(Block {
                first_key: (row.get::<_, i64>(0)? - first) as u64,
                bytes: row.get(1)?,
            })
        })
    }

    /// The stored blocks of a part of a segment's index, by first key.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn blocks(&self, segment: &SegmentRow, part: IndexPart) -> Result<Vec<Block>, StoreError> {
        let first = SegmentRow::first_row(segment.id, part);
        let statement = match part {
            IndexPart::Postings(_) => sql::POSTINGS_BETWEEN,
            IndexPart::Popular => sql::POPULAR_BETWEEN,
            IndexPart::TopGames => sql::COLUMNS_BETWEEN,
        };
        self.all(statement, params![first, first + part.rows() - 1], |row| {
            let first_key = (row.get::<_, i64>(0)? - first) as u64;
            let bytes = row.get(1)?;
            Ok(Block { first_key, bytes })
        })
    }

    /// Reads main lines of single games.
    pub const fn lines(&self) -> LineReader<'_> {
        LineReader {
            store: self,
            first: 0,
            block: Vec::new(),
            games: Vec::new(),
        }
    }
}

/// The place of a game in a block by the first game there; no block is long enough that it
/// has a game that stands before it.
pub(super) fn behind(first: GameId, game: GameId) -> usize {
    usize::try_from(game.wrapping_sub(first)).unwrap_or(usize::MAX)
}

/// Reads main lines of single games, keeping the last block in memory.
#[derive(Debug)]
pub struct LineReader<'s> {
    store: &'s Store,
    first: GameId,
    block: Vec<u8>,
    /// Start position and place in the block of each game.
    games: Vec<(u32, Range<usize>)>,
}

impl LineReader<'_> {
    /// A game's main line.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that is not there counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<MainLine<'_>, StoreError> {
        if behind(self.first, game) >= self.games.len() {
            self.load(game)?;
        }
        let line = self.games.get(behind(self.first, game));
        let line = line.ok_or_else(|| self.store.damaged(format!("moves of game {game}")))?;
        Ok(MainLine {
            start: line.0,
            plies: &self.block[line.1.clone()],
        })
    }

    fn load(&mut self, game: GameId) -> Result<(), StoreError> {
        self.games.clear();
        let block = &mut self.block;
        let first = self.store.one(sql::MOVES_OF, [game as i64], |row| {
            block.clear();
            block.extend_from_slice(row::blob(row, 1)?);
            number(row, 0)
        })?;
        let is_read = moves::places(block, &mut self.games).is_some();
        match first {
            Some(first) if is_read => self.first = first,
            _ => self.games.clear(),
        }
        Ok(())
    }
}
