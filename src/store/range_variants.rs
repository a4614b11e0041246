//! The variants of ranges of games, so that a look-up need not read the heads of all columns.

use std::{collections::BTreeMap, sync::Arc};

use rusqlite::params;

use super::{
    ColumnRange, SegmentRow, Store, StoreError,
    row::{self, number},
    schema::THRESHOLDS_SCHEMA,
    statements as sql,
};
use crate::{
    base::{
        record::GameId,
        varint::{put_varint, take_varint},
    },
    index::columns::VariantColumns,
};

/// This many games are few enough to look at each whatever the query.
pub const FEW_GAMES: usize = 32;

/// A variant by its id, and its games in a segment if they are few.
pub type VariantGames = (u32, Option<Vec<GameId>>);

/// The same of a range: how many games of it a variant has, and which if they are few, counted from 0
/// within the range.
type RangeVariant = (u32, u64, Vec<u64>);

/// Packs the variants of a range: of each its id, the number of its games, and these games if they are
/// at most [`FEW_GAMES`], all as varints.
fn packed(variants: &[RangeVariant]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (variant, games, few) in variants {
        put_varint(u64::from(*variant), &mut bytes);
        put_varint(*games, &mut bytes);
        for game in few {
            put_varint(*game, &mut bytes);
        }
    }
    bytes
}

/// The variants of a range of `games` games; `None` if the bytes are damaged.
fn unpacked(mut bytes: &[u8], games: u64) -> Option<Vec<RangeVariant>> {
    let mut variants = Vec::new();
    while !bytes.is_empty() {
        let variant = u32::try_from(take_varint(&mut bytes)?).ok()?;
        let count = take_varint(&mut bytes)?;
        let few = if count > FEW_GAMES as u64 { 0 } else { count };
        let few: Option<Vec<u64>> = (0..few).map(|_| take_varint(&mut bytes)).collect();
        let few = few?;
        if count > games || few.iter().any(|game| *game >= games) {
            return None;
        }
        variants.push((variant, count, few));
    }
    Some(variants)
}

/// What columns show of the variants of a range.
fn variants_in(columns: &[VariantColumns]) -> Vec<RangeVariant> {
    let of = |columns: &VariantColumns| {
        let few = if columns.games > FEW_GAMES {
            Vec::new()
        } else {
            columns.members.iter().map(|game| game as u64).collect()
        };
        (columns.variant, columns.games as u64, few)
    };
    columns.iter().map(of).collect()
}

impl Store {
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
        let found = self.found_variants(segment)?;
        if let Some(at_hand) = at_hand {
            let mut all = at_hand.variants_of.borrow_mut();
            all.insert(segment.id, Option::clone(&found));
        }
        Ok(found)
    }

    fn found_variants(
        &self,
        segment: &SegmentRow,
    ) -> Result<Option<Arc<[VariantGames]>>, StoreError> {
        let stored = self.stored_variants(segment)?;
        let mut found = BTreeMap::new();
        for range in self.column_ranges(segment)? {
            let variants = match stored.get(&range.first_game) {
                Some(bytes) => unpacked(bytes, range.games).ok_or_else(|| {
                    let first = range.first_game;
                    self.damaged(format!("the variants of the games from {first} on"))
                })?,
                None => match self.columns(&range)? {
                    Some(columns) => variants_in(&columns),
                    None => return Ok(None),
                },
            };
            for (variant, games, own) in variants {
                let few: &mut Option<Vec<GameId>> =
                    found.entry(variant).or_insert(Some(Vec::new()));
                match few {
                    Some(few) if few.len() as u64 + games <= FEW_GAMES as u64 => {
                        few.extend(own.iter().map(|game| range.first_game + game));
                    }
                    _ => *few = None,
                }
            }
        }
        Ok(Some(found.into_iter().collect()))
    }

    /// The packed variants of the ranges of a segment that have some, by their first games.
    fn stored_variants(
        &self,
        segment: &SegmentRow,
    ) -> Result<BTreeMap<GameId, Vec<u8>>, StoreError> {
        let mut stored = BTreeMap::new();
        // A file of an older schema that cannot be written has none.
        if self.number("user_version")? >= i64::from(THRESHOLDS_SCHEMA) {
            let end = segment.first_game + segment.games;
            let games = [segment.first_game as i64, end as i64];
            self.each_row(sql::RANGE_VARIANTS, games, |row| {
                stored.insert(number(row, 0)?, row::blob(row, 1)?.to_vec());
                Ok(())
            })?;
        }
        Ok(stored)
    }

    /// Stores the variants of those ranges of a segment that have none: an older program built them.
    ///
    /// # Errors
    ///
    /// As [`Self::variants_of`].
    pub fn note_missing_variants(&self, segment: &SegmentRow) -> Result<(), StoreError> {
        let stored = self.stored_variants(segment)?;
        for range in self.column_ranges(segment)? {
            if !stored.contains_key(&range.first_game) {
                self.note_variants(&range)?;
            }
        }
        Ok(())
    }

    /// Stores the variants of a range as its columns show them.
    pub(super) fn note_variants(&self, range: &ColumnRange) -> Result<(), StoreError> {
        let variants = self
            .columns(range)?
            .map(|columns| packed(&variants_in(&columns)));
        let row = params![range.first_game as i64, variants];
        self.run(sql::NOTE_RANGE_VARIANTS, row).map(drop)
    }

    /// Whether the stored variants of a range are those that its columns show.
    ///
    /// # Errors
    ///
    /// As [`Self::variants_of`].
    pub fn has_right_variants(
        &self,
        segment: &SegmentRow,
        range: &ColumnRange,
    ) -> Result<bool, StoreError> {
        let stored = self.stored_variants(segment)?;
        let Some(stored) = stored.get(&range.first_game) else {
            return Ok(true);
        };
        let columns = self.columns(range)?;
        Ok(columns.is_some_and(|columns| packed(&variants_in(&columns)) == *stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_come_back_and_damage_is_seen() {
        let variants = vec![(1, 500_000, Vec::new()), (20, 2, vec![3, 499_999])];
        let bytes = packed(&variants);
        assert_eq!(unpacked(&bytes, 500_002), Some(variants));
        assert_eq!(unpacked(&bytes, 499_999), None);
        assert_eq!(unpacked(&bytes[..bytes.len() - 1], 500_002), None);
        assert_eq!(unpacked(&[], 7), Some(Vec::new()));
    }
}
