//! Columns of segments, stretch by stretch and page by page.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use rusqlite::params;

use super::{IndexPart, SegmentRow, Store, StoreError, row, statements as sql};
use crate::{
    base::record::GameId,
    blocks::BLOCK_BYTES,
    index::{
        SEGMENT_GAMES_MAX,
        columns::{self, ColumnSource, Stream, VariantColumns, page_key, stretch_key},
    },
};

/// This many games are few enough to look at each whatever the query.
pub const FEW_GAMES: usize = 32;

/// A variant by its id, and its games in a segment if they are few.
pub type VariantGames = (u32, Option<Vec<GameId>>);

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
        if stretch.is_tail {
            return Ok(None);
        }
        let first = stretch.first_row();
        let range = params![first, first + stretch_key(1) as i64 - 1];
        let mut bytes = Vec::new();
        self.each_row(sql::COLUMNS_BETWEEN, range, |row| {
            bytes.extend_from_slice(row::blob(row, 1)?);
            Ok(())
        })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let heads = columns::heads(&bytes, stretch.games as usize);
        heads
            .map(Some)
            .ok_or_else(|| self.bad_columns(stretch.segment))
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

    /// The variants of those games of a segment that can be played, each with its games where
    /// these are few; `None` if it has no columns.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn variants_of(
        &self,
        segment: &SegmentRow,
    ) -> Result<Option<Arc<[VariantGames]>>, StoreError> {
        let at_hand = self.at_hand.as_ref();
        let known =
            at_hand.and_then(|at_hand| at_hand.variants_of.borrow().get(&segment.id).cloned());
        if let Some(known) = known {
            return Ok(known);
        }
        let mut found = Some(BTreeMap::new());
        for stretch in segment.stretches() {
            let columns = self.columns(&stretch)?;
            found = found.zip(columns).map(|(mut found, columns)| {
                for of in columns {
                    let few: &mut Option<Vec<GameId>> =
                        found.entry(of.variant).or_insert(Some(Vec::new()));
                    let own = of
                        .members
                        .iter()
                        .map(|game| stretch.first_game + game as u64);
                    match few {
                        Some(few) if few.len() + of.games <= FEW_GAMES => few.extend(own),
                        _ => *few = None,
                    }
                }
                found
            });
        }
        let found: Option<Arc<[VariantGames]>> = found.map(|found| found.into_iter().collect());
        if let Some(at_hand) = at_hand {
            let mut all = at_hand.variants_of.borrow_mut();
            all.insert(segment.id, Option::clone(&found));
        }
        Ok(found)
    }

    /// The streams of the columns of a stretch.
    pub const fn column_pages(&self, stretch: &ColumnRange) -> ColumnPages<'_> {
        ColumnPages {
            store: self,
            segment: stretch.segment,
            first_row: stretch.first_row(),
            key: u64::MAX,
            page: Vec::new(),
            read: 0,
        }
    }

    fn bad_columns(&self, segment: u32) -> StoreError {
        self.damaged(format!("columns of segment {segment}"))
    }
}

/// Games of a segment that have columns of their own: all, or a part of them that is as large as
/// others have at most.
#[derive(Debug, Clone, Copy)]
pub struct ColumnRange {
    pub(super) segment: u32,
    pub(super) nth: u64,
    is_tail: bool,
    /// The first of them.
    pub first_game: GameId,
    /// How many they are.
    pub games: u64,
}

impl ColumnRange {
    pub(super) const fn first_row(&self) -> i64 {
        SegmentRow::first_row(self.segment, IndexPart::Columns) + stretch_key(self.nth) as i64
    }
}

impl SegmentRow {
    /// Its games, as they have columns.
    pub fn stretches(&self) -> impl Iterator<Item = ColumnRange> {
        let most = SEGMENT_GAMES_MAX as u64;
        (0..self.games.div_ceil(most)).map(move |nth| ColumnRange {
            segment: self.id,
            nth,
            is_tail: self.is_tail(),
            first_game: self.first_game + nth * most,
            games: (self.games - nth * most).min(most),
        })
    }
}

/// The streams of the columns of a stretch; the last page that was read is in memory.
#[derive(Debug)]
pub struct ColumnPages<'s> {
    store: &'s Store,
    segment: u32,
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
        self.store.bad_columns(self.segment)
    }
}
