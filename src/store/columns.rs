//! Columns of segments, stretch by stretch and page by page.

use std::ops::Range;

use rusqlite::params;

use super::{
    SegmentRow, Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::BLOCK_BYTES,
    index::{
        Block, SEGMENT_GAMES_MAX,
        columns::{self, ColumnSource, Stream, VariantColumns, page_key, stretch_key},
    },
};

impl Store {
    /// The columns of a stretch, by variant; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn columns(
        &self,
        stretch: &ColumnRange,
    ) -> Result<Option<Vec<VariantColumns>>, StoreError> {
        if stretch.place.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.each_row(
            sql::COLUMNS_BETWEEN,
            stretch.rows_of(Stream::Heads),
            |row| {
                bytes.extend_from_slice(row::blob(row, 1)?);
                Ok(())
            },
        )?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let heads = columns::heads(&bytes, stretch.games as usize);
        heads
            .map(Some)
            .ok_or_else(|| self.bad_columns(stretch.first_game))
    }

    /// Whether a stretch has columns that show all that columns show today.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn has_detailed_columns(&self, stretch: &ColumnRange) -> Result<bool, StoreError> {
        let columns = self.columns(stretch)?;
        Ok(columns.is_some_and(|columns| columns.iter().all(VariantColumns::is_detailed)))
    }

    /// The games of a segment, as they have columns.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn column_ranges(&self, segment: &SegmentRow) -> Result<Vec<ColumnRange>, StoreError> {
        let (first, end) = (segment.first_game, segment.first_game + segment.games);
        if segment.is_tail() {
            return Ok(vec![ColumnRange {
                place: None,
                first_game: first,
                games: segment.games,
            }]);
        }
        // A file of an older schema that cannot be written has no such table.
        if !self.has_table("column_range")? {
            let most = SEGMENT_GAMES_MAX as u64;
            let ranges = (0..segment.games.div_ceil(most)).map(|stretch| ColumnRange {
                place: Some((segment.id, stretch)),
                first_game: first + stretch * most,
                games: (segment.games - stretch * most).min(most),
            });
            return Ok(ranges.collect());
        }
        let games = [first as i64, end as i64];
        let ranges = self.all(sql::COLUMN_RANGES, games, |row| {
            Ok(ColumnRange {
                place: Some((row.get(2)?, number(row, 3)?)),
                first_game: number(row, 0)?,
                games: number(row, 1)?,
            })
        })?;
        let mut next = first;
        for range in &ranges {
            let is_possible = range.place < Some((1 << 15, 0))
                && range.first_game == next
                && range.games <= end - next;
            if !is_possible {
                break;
            }
            next += range.games;
        }
        if next == end {
            Ok(ranges)
        } else {
            Err(self.damaged(format!(
                "table column_range has not the games from {next} on"
            )))
        }
    }

    /// Adds the columns of `games` games from one on.
    ///
    /// # Errors
    ///
    /// As [`Self::column_ranges`].
    pub fn insert_columns(
        &self,
        first_game: GameId,
        games: u64,
        columns: &[Block],
    ) -> Result<(), StoreError> {
        let free = self.one(sql::FREE_COLUMN_NUMBER, [], |row| row.get(0))?;
        let free: u32 = free.unwrap_or(0);
        let row = params![first_game as i64, games as i64, free];
        self.run(sql::INSERT_COLUMN_RANGE, row)?;
        let range = ColumnRange {
            place: Some((free, 0)),
            first_game,
            games,
        };
        self.insert_pages(&range, columns)?;
        self.note_variants(&range)
    }

    fn insert_pages(&self, range: &ColumnRange, columns: &[Block]) -> Result<(), StoreError> {
        let first = range.first_row();
        columns.iter().try_for_each(|page| {
            let row = first + page.first_key as i64;
            self.run(sql::INSERT_COLUMNS, params![row, page.bytes])
                .map(drop)
        })
    }

    /// Gives a range of games these columns; those that it has go.
    ///
    /// # Errors
    ///
    /// As [`Self::column_ranges`].
    pub fn replace_columns(
        &self,
        range: &ColumnRange,
        columns: &[Block],
    ) -> Result<(), StoreError> {
        self.delete_pages(range)?;
        self.insert_pages(range, columns)?;
        self.note_variants(range)
    }

    /// Deletes the columns of a range of games.
    ///
    /// # Errors
    ///
    /// As [`Self::column_ranges`].
    pub fn delete_columns(&self, range: &ColumnRange) -> Result<(), StoreError> {
        self.delete_pages(range)?;
        let first = range.first_game as i64;
        self.run(sql::DELETE_COLUMN_RANGE, [first]).map(drop)
    }

    fn delete_pages(&self, range: &ColumnRange) -> Result<(), StoreError> {
        for stream in Stream::ALL {
            self.run(sql::DELETE_COLUMNS, range.rows_of(stream))?;
        }
        Ok(())
    }

    /// The stored pages of the columns of a range of games.
    ///
    /// # Errors
    ///
    /// As [`Self::column_ranges`].
    pub fn stored_columns(&self, range: &ColumnRange) -> Result<Vec<Block>, StoreError> {
        let first = range.first_row();
        let mut pages = Vec::new();
        for stream in Stream::ALL {
            let found = self.all(sql::COLUMNS_BETWEEN, range.rows_of(stream), |row| {
                let first_key = (row.get::<_, i64>(0)? - first) as u64;
                let bytes = row.get(1)?;
                Ok(Block { first_key, bytes })
            })?;
            pages.extend(found);
        }
        Ok(pages)
    }

    /// The streams of the columns of a range of games.
    pub const fn column_pages(&self, range: &ColumnRange) -> ColumnPages<'_> {
        ColumnPages {
            store: self,
            first_game: range.first_game,
            first_row: range.first_row(),
            key: u64::MAX,
            page: Vec::new(),
            read: 0,
        }
    }

    fn bad_columns(&self, first_game: GameId) -> StoreError {
        self.damaged(format!("columns of the games from {first_game} on"))
    }
}

/// Games that have columns of their own: those that an import has indexed at once, or several such
/// that were merged since.
#[derive(Debug, Clone, Copy)]
pub struct ColumnRange {
    /// Under which number, and which stretch of it, its pages stand; none for the tail.
    place: Option<(u32, u64)>,
    /// The first of them.
    pub first_game: GameId,
    /// How many they are.
    pub games: u64,
}

impl ColumnRange {
    const fn first_row(&self) -> i64 {
        match self.place {
            Some((number, stretch)) => ((number as i64) << 44) + stretch_key(stretch) as i64,
            None => i64::MIN,
        }
    }

    /// The first and the last possible row of a stream.
    const fn rows_of(&self, stream: Stream) -> [i64; 2] {
        let first = self.first_row() + page_key(stream, 0) as i64;
        [first, first + stretch_key(1) as i64 - 1]
    }
}

/// The streams of the columns of a stretch; the last page that was read is in memory.
#[derive(Debug)]
pub struct ColumnPages<'s> {
    store: &'s Store,
    first_game: GameId,
    first_row: i64,
    key: u64,
    page: Vec<u8>,
    /// Bytes that were requested.
    pub read: usize,
}

impl ColumnPages<'_> {
    fn load(&mut self, key: u64) -> Result<(), StoreError> {
        if self.key == key {
            return Ok(());
        }
        let row = self.first_row + key as i64;
        let page = &mut self.page;
        page.clear();
        let found = self.store.one(sql::COLUMN_PAGE, [row], |row| {
            page.extend_from_slice(row::blob(row, 0)?);
            Ok(())
        })?;
        self.key = if found.is_some() { key } else { u64::MAX };
        Ok(())
    }
}

impl ColumnSource for ColumnPages<'_> {
    type Error = StoreError;

    fn bytes(&mut self, stream: Stream, range: Range<usize>) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::with_capacity(range.len());
        self.read += range.len();
        let mut at = range.start;
        while at < range.end {
            let page = at / BLOCK_BYTES;
            self.load(page_key(stream, page))?;
            let end = range.end.min((page + 1) * BLOCK_BYTES);
            let within = at - page * BLOCK_BYTES..end - page * BLOCK_BYTES;
            let found = self.page.get(within).ok_or_else(|| self.damaged())?;
            bytes.extend_from_slice(found);
            at = end;
        }
        Ok(bytes)
    }

    fn damaged(&self) -> StoreError {
        self.store.bad_columns(self.first_game)
    }
}
