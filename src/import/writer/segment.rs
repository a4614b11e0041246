//! The segment that an import gathers: building, storing and committing it.

use std::{ops::Range, time::Instant};

use super::{Writer, merge};
use crate::{
    base::{observe::Event, record::GameId},
    blocks::{
        facts::{self, PackedFacts},
        fingerprint::{self, Fingerprint},
        moves::MainLine,
        pages::RecordBlockWriter,
    },
    index::{
        SEGMENT_GAMES_MAX, SEGMENT_STRUCTURES_MAX, SEGMENT_VARIATIONS_MAX,
        build::{self, BuildContext, SegmentGames, Structures},
        signatures,
    },
    people,
    replay::usual_starts,
    store::{COMMIT_AFTER, RecordKind, Store, StoreError},
};

/// The games of the segment that is being gathered.
#[derive(Default)]
pub(super) struct SegmentBuilder {
    pub(super) first_game: GameId,
    pub(super) plies: Vec<u8>,
    pub(super) lines: Vec<(u32, Range<usize>)>,
    pub(super) facts: Vec<PackedFacts>,
    pub(super) sums: Vec<Fingerprint>,
    pub(super) structures: Structures,
    pub(super) variations: Vec<(u64, u32)>,
    /// How many of them are committed.
    committed: usize,
    /// The first of the last block of main lines, which may not be full.
    last_block: GameId,
}

impl SegmentBuilder {
    /// Begins with a game.
    pub(super) const fn begin(&mut self, first_game: GameId) {
        self.first_game = first_game;
        self.last_block = first_game;
    }

    /// The packed plies of a game that is gathered.
    pub(super) fn plies_of(&self, game: GameId) -> Option<&[u8]> {
        let at = usize::try_from(game.checked_sub(self.first_game)?).ok()?;
        let (_, place) = self.lines.get(at)?;
        Some(&self.plies[place.clone()])
    }

    fn line(&self, (start, place): &(u32, Range<usize>)) -> MainLine<'_> {
        MainLine {
            start: *start,
            plies: &self.plies[place.clone()],
        }
    }

    /// Stores the main lines, facts and fingerprints that are not, or in blocks that were not full.
    fn store_lines(&mut self, store: &Store) -> Result<(), StoreError> {
        let from = (self.last_block - self.first_game) as usize;
        let lines = self.lines[from..].iter().map(|line| self.line(line));
        let last_block = store.insert_lines(self.last_block, lines)?;
        self.last_block = last_block;
        let from = self.committed / facts::GAMES_PER_BLOCK * facts::GAMES_PER_BLOCK;
        store.insert_facts(self.first_game + from as u64, &self.facts[from..])?;
        let from = self.committed / fingerprint::GAMES_PER_BLOCK * fingerprint::GAMES_PER_BLOCK;
        store.insert_sums(self.first_game + from as u64, &self.sums[from..])
    }

    /// Stores the signatures of the games that are not committed.
    fn store_tail(&self, store: &Store) -> Result<(), StoreError> {
        let from = self.committed / signatures::GAMES_PER_BLOCK * signatures::GAMES_PER_BLOCK;
        let new = from..self.lines.len();
        let signatures = signatures::signatures(&self.structures, &self.variations, new);
        store.insert_tail(self.first_game + from as u64, &signatures)
    }

    /// Whether no further chunk of games is to be added.
    pub(super) fn is_full(&self, plies_max: usize) -> bool {
        self.lines.len() >= SEGMENT_GAMES_MAX - SEGMENT_GAMES_MAX / 16
            || self.plies.len() >= plies_max
            || self.structures.key_count() >= SEGMENT_STRUCTURES_MAX
            || self.variations.len() >= SEGMENT_VARIATIONS_MAX
    }
}

impl Writer<'_> {
    /// The same as [`Self::close_segment`], once it is worth it.
    pub(super) fn close_full_segment(&mut self) -> Result<(), StoreError> {
        if self.gathered.is_full(self.segment_plies_max) {
            self.close_segment()?;
            let most = merge::SIZABLE_SEGMENTS_MAX_AT_WORK;
            merge::limit_segments(self.store, most, self.threads, self.observer)?;
        }
        Ok(())
    }

    /// Builds, stores and commits the segment gathered so far.
    pub(super) fn close_segment(&mut self) -> Result<(), StoreError> {
        if self.gathered.committed > 0 {
            // Building takes its time.
            self.commit_games()?;
            self.begin()?;
        }
        if self.since.is_some() {
            self.write_segment()?;
            people::file_names(self.store)?;
            self.update_import(false)?;
            self.commit()?;
            self.playable = usual_starts();
        }
        Ok(())
    }

    /// Commits the games of a segment that is not full, once they are many, or wait for long:
    /// no more is lost if the program is killed.
    pub(in crate::modules::import) fn commit_in_time(&mut self) -> Result<(), StoreError> {
        let games = self.gathered.lines.len() - self.gathered.committed;
        let is_time =
            |since: Instant| games >= self.commit_games_max || since.elapsed() >= COMMIT_AFTER;
        if self.since.is_some_and(is_time) {
            self.commit_games()?;
        }
        Ok(())
    }

    /// Commits the games that are not, if with `games` to come they would be too many at once.
    pub(super) fn commit_before(&mut self, games: usize) -> Result<(), StoreError> {
        let waiting = self.gathered.lines.len() - self.gathered.committed;
        if waiting > 0 && waiting + games > self.commit_games_max {
            self.commit_games()?;
        }
        Ok(())
    }

    fn commit_games(&mut self) -> Result<(), StoreError> {
        if self.since.is_none() {
            return Ok(());
        }
        let gathered = &mut self.gathered;
        if !gathered.lines.is_empty() {
            gathered.store_lines(self.store)?;
            gathered.store_tail(self.store)?;
            gathered.committed = gathered.lines.len();
            for rows in &mut self.records {
                rows.store_so_far(self.store)?;
            }
            self.repeats.have_stored();
        }
        self.update_import(false)?;
        self.commit()
    }

    /// Builds and stores the segment gathered so far, and begins the next.
    pub(super) fn write_segment(&mut self) -> Result<(), StoreError> {
        let mut gathered = std::mem::take(&mut self.gathered);
        if gathered.lines.is_empty() {
            return Ok(());
        }
        let _ = self.observer.on(Event::Phase {
            name: "indexing",
            steps: None,
        });
        gathered.store_lines(self.store)?;
        for rows in &mut self.records {
            rows.finish(self.store)?;
        }
        self.repeats.have_stored();
        if gathered.committed > 0 {
            // The segment takes the pages.
            self.store.clear_tail()?;
        }
        let lines: Vec<MainLine<'_>> = gathered
            .lines
            .iter()
            .map(|line| gathered.line(line))
            .collect();
        let segment = build::segment(
            &SegmentGames {
                lines: &lines,
                facts: &gathered.facts,
                starts: &self.playable,
                variations: &gathered.variations,
                structures: Some(&gathered.structures),
            },
            BuildContext::steady(self.threads),
        )
        .expect("this build is never cancelled");
        self.summary.positions += segment.positions;
        self.store
            .insert_segment(gathered.first_game, lines.len(), &segment)
    }
}

/// Records on their way into the database.
pub(super) struct RecordRows {
    kind: RecordKind,
    writer: RecordBlockWriter,
    /// From which game on there are blocks that are to be replaced.
    replaced_from: Option<GameId>,
}

impl RecordRows {
    pub(super) fn new(store: &Store, kind: RecordKind) -> Self {
        Self {
            kind,
            writer: store.record_writer(kind),
            replaced_from: None,
        }
    }

    /// Adds the parts of the record of the next game.
    pub(super) fn push(
        &mut self,
        store: &Store,
        game: GameId,
        parts: [&[u8]; 3],
    ) -> Result<(), StoreError> {
        let (kind, old) = (self.kind, &mut self.replaced_from);
        self.writer.push(game, parts, |block| {
            Self::replace(store, kind, old)?;
            store.insert_records(kind, &block)
        })
    }

    /// Stores all, so that games can be committed.
    fn store_so_far(&mut self, store: &Store) -> Result<(), StoreError> {
        let kind = self.kind;
        Self::replace(store, kind, &mut self.replaced_from)?;
        self.replaced_from = self.writer.next_game();
        self.writer
            .so_far(|block| store.insert_records(kind, &block))
    }

    /// Stores all, for the last time.
    fn finish(&mut self, store: &Store) -> Result<(), StoreError> {
        let kind = self.kind;
        Self::replace(store, kind, &mut self.replaced_from)?;
        self.writer
            .finish(|block| store.insert_records(kind, &block))
    }

    /// Takes the blocks away that are to be replaced.
    fn replace(
        store: &Store,
        kind: RecordKind,
        from: &mut Option<GameId>,
    ) -> Result<(), StoreError> {
        match from.take() {
            Some(from) => store.delete_records_from(kind, from),
            None => Ok(()),
        }
    }
}
