//! Fingerprints of games as they are stored, compared with those of the import.

use super::{Annotations, tags};
use crate::{
    base::record::GameId,
    blocks::fingerprint::{Fingerprint, FingerprintBuilder, GameContent, StartContent},
    store::{GameRow, LineReader, RecordKind, RecordReader, Store, StoreError, SumReader},
};

/// Sums stored games up.
#[derive(Debug)]
pub struct StoredSums<'s> {
    store: &'s Store,
    summer: FingerprintBuilder,
    sums: SumReader<'s>,
    problems: RecordReader<'s>,
}

impl<'s> StoredSums<'s> {
    /// Of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            summer: FingerprintBuilder::default(),
            sums: store.sums(),
            problems: store.records(RecordKind::Problem),
        }
    }

    /// The fingerprint of a game that is all in memory: row, packed main line, records by kind.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn of(
        &mut self,
        row: &GameRow,
        plies: &[u8],
        records: [&[u8]; 3],
    ) -> Result<Fingerprint, StoreError> {
        let Self { store, summer, .. } = self;
        summer.clear();
        tags::each_tag(store, row, |name, value| summer.tag(name, &value))?;
        let start = match row.start {
            None => None,
            Some(id) => Some(
                store
                    .start(id)?
                    .ok_or_else(|| store.damaged(format!("start position {id} is missing")))?,
            ),
        };
        let print = summer.sum(&GameContent {
            facts: &row.facts(),
            start: start.as_ref().map(|start| StartContent {
                variant: start.variant,
                fen: &start.fen,
                canonical: start.canonical.as_deref(),
                corner: start.corner,
            }),
            plies,
            records,
        });
        let by = row.variant_by.as_deref();
        Ok(by.map_or(print, |by| print.with_variant_by(by)))
    }

    /// Compares a game with the fingerprint that the import has made of it.
    ///
    /// # Errors
    ///
    /// [`StoreError`]: damaged, where they differ.
    pub fn compare(
        &mut self,
        game: GameId,
        row: &GameRow,
        plies: &[u8],
        annotations: Option<&Annotations<'_>>,
    ) -> Result<(), StoreError> {
        let expected = self.sums.get(game)?;
        let [tree, texts] = annotations.map_or([&[][..]; 2], Annotations::records);
        // Problems, and no games else, have no tags.
        let problem = match &*row.layout {
            "[]" => self.problems.get(game)?.map(<[u8]>::to_vec),
            _ => None,
        };
        let records = [tree, texts, problem.as_deref().unwrap_or_default()];
        if self.of(row, plies, records)? == expected {
            return Ok(());
        }
        Err(self.store.damaged(format!(
            "game {game} is not as it was stored (its checksum differs)"
        )))
    }
}

/// Reads complete games for their fingerprints alone.
#[derive(Debug)]
pub struct FullGameReader<'s> {
    store: &'s Store,
    sums: StoredSums<'s>,
    lines: LineReader<'s>,
    records: [RecordReader<'s>; 3],
}

impl<'s> FullGameReader<'s> {
    /// Of a database.
    pub fn new(store: &'s Store) -> Self {
        Self {
            store,
            sums: StoredSums::new(store),
            lines: store.lines(),
            records: RecordKind::ALL.map(|kind| store.records(kind)),
        }
    }

    /// The fingerprint of a game as it stands.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn sum(&mut self, game: GameId) -> Result<Fingerprint, StoreError> {
        self.sum_with(game, None)
    }

    /// The fingerprint that a game has with other texts of its tree.
    ///
    /// # Errors
    ///
    /// As [`Self::sum`].
    pub fn sum_with(
        &mut self,
        game: GameId,
        other: Option<&[u8]>,
    ) -> Result<Fingerprint, StoreError> {
        let row = self.store.game(game)?;
        let row = row.ok_or_else(|| self.store.damaged(format!("game {game} is missing")))?;
        let line = self.lines.get(game)?;
        let [trees, texts, problems] = &mut self.records;
        let texts = match other {
            None => texts.get(game)?,
            texts => texts,
        };
        let records = [trees.get(game)?, texts, problems.get(game)?];
        let records = records.map(Option::unwrap_or_default);
        self.sums.of(&row, line.plies, records)
    }

    /// The fingerprint of a game as it stands, and whether the import has made the same of it.
    ///
    /// # Errors
    ///
    /// As [`Self::sum`].
    pub fn compared(&mut self, game: GameId) -> Result<(Fingerprint, bool), StoreError> {
        let stored = self.sums.sums.get(game)?;
        let found = self.sum(game)?;
        Ok((found, stored == found))
    }
}
