//! The tail: games that are committed and in no segment yet, because an import is under way or
//! was broken off. Look-ups replay those whose signatures fit.

use rusqlite::params;

use super::{
    SegmentRow, Store, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    games::key::KEY_VERSION,
    index::{
        SegmentThresholds,
        signatures::{GAMES_PER_BLOCK, SIGNATURE_BYTES, StructureSignature},
    },
};

impl SegmentRow {
    /// Whether it stands for the tail, which has games and no index.
    pub const fn is_tail(&self) -> bool {
        self.id == u32::MAX
    }
}

impl Store {
    /// The games after those of some segments, if there are any, as a segment that
    /// [is none](SegmentRow::is_tail).
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn tail(&self, segments: &[SegmentRow]) -> Result<Option<SegmentRow>, StoreError> {
        let last = segments.last();
        let first_game = last.map_or(1, |segment| segment.first_game + segment.games);
        let games = (self.last_game()? + 1).saturating_sub(first_game);
        Ok((games > 0).then(|| SegmentRow {
            id: u32::MAX,
            first_game,
            games,
            positions: 0,
            key_version: KEY_VERSION,
            layouts: Default::default(),
            thresholds: SegmentThresholds::SMALL,
        }))
    }

    /// The games of the tail, numbered from 0 within it, that may have one of some structures,
    /// by the top 32 bits of their keys. Games without a signature may have any.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn tail_games(&self, tail: &SegmentRow, keys: &[u32]) -> Result<Vec<u32>, StoreError> {
        let last = tail.first_game + tail.games;
        let mut found = Vec::new();
        let mut next = tail.first_game;
        let mut take = |from: GameId, to: GameId| {
            found.extend((from..to).map(|game| (game - tail.first_game) as u32));
        };
        self.each_signature(tail.first_game, |game, signature| {
            if !(next..last).contains(&game) {
                return;
            }
            take(next, game);
            if keys.iter().any(|&key| signature.may_have(key)) {
                take(game, game + 1);
            }
            next = game + 1;
        })?;
        take(next, last);
        Ok(found)
    }

    /// Calls `each` with the signatures of the tail from a game on.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn each_signature(
        &self,
        first: GameId,
        mut each: impl FnMut(GameId, StructureSignature),
    ) -> Result<(), StoreError> {
        self.each_row(sql::TAIL_FROM, [first as i64], |row| {
            let first = number(row, 0)?;
            for (game, signature) in (first..).zip(StructureSignature::of_block(row::blob(row, 1)?))
            {
                each(game, signature);
            }
            Ok(())
        })
    }

    /// Adds or replaces the signatures of games of the tail that follow each other, the first
    /// at the beginning of a block.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written; likewise below.
    pub fn insert_tail(
        &self,
        first_game: GameId,
        signatures: &[StructureSignature],
    ) -> Result<(), StoreError> {
        for (block, first) in signatures
            .chunks(GAMES_PER_BLOCK)
            .zip((first_game..).step_by(GAMES_PER_BLOCK))
        {
            let mut bytes = Vec::with_capacity(block.len() * SIGNATURE_BYTES);
            for signature in block {
                bytes.extend_from_slice(signature.as_bytes());
            }
            self.run(sql::INSERT_TAIL, params![first as i64, bytes])?;
        }
        Ok(())
    }

    /// Takes all signatures away: a segment has the games now.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn clear_tail(&self) -> Result<(), StoreError> {
        self.run(sql::CLEAR_TAIL, []).map(drop)
    }
}
