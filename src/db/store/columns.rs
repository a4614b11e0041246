//! Columns of segments, page by page.

use std::ops::Range;

use rusqlite::params;

use super::{COLUMNS_SCHEMA, IndexPart, SegmentRow, Store, StoreError, row, statements as sql};
use crate::db::index::{
    SEGMENT_GAMES_MAX,
    columns::{self, ColumnSource, Stream, VariantColumns, page_key},
};

impl Store {
    /// Whether the file has columns.
    pub const fn has_columns(&self) -> bool {
        self.schema().get() >= COLUMNS_SCHEMA
    }

    /// The columns of a segment, by variant; `None` if it has none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn columns(&self, segment: &SegmentRow) -> Result<Option<Vec<VariantColumns>>, StoreError> {
        if segment.is_tail() || !self.has_columns() {
            return Ok(None);
        }
        let first = SegmentRow::first_row(segment.id, IndexPart::Columns);
        let range = params![first, first + page_key(Stream::Counts, 0) as i64 - 1];
        let mut bytes = Vec::new();
        self.each_row(sql::COLUMNS_BETWEEN, range, |row| {
            bytes.extend_from_slice(row::blob(row, 1)?);
            Ok(())
        })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let games = usize::try_from(segment.games).ok();
        let games = games.filter(|games| *games <= SEGMENT_GAMES_MAX);
        let heads = games.and_then(|games| columns::heads(&bytes, games));
        heads.map(Some).ok_or_else(|| self.bad_columns(segment.id))
    }

    /// The variants of those games of a segment that can be played; `None` if it has no columns.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn variants_of(&self, segment: &SegmentRow) -> Result<Option<Vec<u32>>, StoreError> {
        let at_hand = self.at_hand.as_ref();
        let known =
            at_hand.and_then(|at_hand| at_hand.variants_of.borrow().get(&segment.id).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let columns = self.columns(segment)?;
        let found = columns.map(|columns| columns.iter().map(|of| of.variant).collect());
        if let Some(at_hand) = at_hand {
            let mut all = at_hand.variants_of.borrow_mut();
            all.insert(segment.id, Option::clone(&found));
        }
        Ok(found)
    }

    /// The streams of the columns of a segment.
    pub const fn column_pages(&self, segment: &SegmentRow) -> ColumnPages<'_> {
        ColumnPages {
            store: self,
            segment: segment.id,
            key: u64::MAX,
            page: Vec::new(),
            read: 0,
        }
    }

    fn bad_columns(&self, segment: u32) -> StoreError {
        self.damaged(format!("columns of segment {segment}"))
    }
}

/// The streams of the columns of a segment; the last page that was read is at hand.
#[derive(Debug)]
pub struct ColumnPages<'s> {
    store: &'s Store,
    segment: u32,
    key: u64,
    page: Vec<u8>,
    /// Bytes that were asked for.
    pub read: usize,
}

impl ColumnPages<'_> {
    fn load(&mut self, key: u64) -> Result<(), StoreError> {
        if self.key == key {
            return Ok(());
        }
        let row = SegmentRow::first_row(self.segment, IndexPart::Columns) + key as i64;
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
        let page_bytes = self.store.block_bytes();
        let mut at = range.start;
        while at < range.end {
            let page = at / page_bytes;
            self.load(page_key(stream, page))?;
            let end = range.end.min((page + 1) * page_bytes);
            let within = at - page * page_bytes..end - page * page_bytes;
            let found = self.page.get(within).ok_or_else(|| self.damaged())?;
            bytes.extend_from_slice(found);
            at = end;
        }
        Ok(bytes)
    }

    fn damaged(&self) -> StoreError {
        self.store.bad_columns(self.segment)
    }
}
