//! The segment that an import gathers: building, storing and committing it.

use std::ops::Range;

use super::Writer;
use crate::{
    base::{observe::Event, record::GameId},
    db::{
        index::{
            SEGMENT_GAMES_MAX, SEGMENT_STRUCTURES_MAX, SEGMENT_VARIATIONS_MAX,
            build::{self, Crew, SegmentGames, Structures},
            facts::PackedFacts,
            moves::MainLine,
        },
        store::{RecordKind, StoreError},
        stored::usual_starts,
    },
};

/// The games of the segment that is being gathered.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) first_game: GameId,
    pub(super) plies: Vec<u8>,
    pub(super) lines: Vec<(u32, Range<usize>)>,
    pub(super) facts: Vec<PackedFacts>,
    pub(super) sums: Vec<u32>,
    pub(super) structures: Structures,
    pub(super) variations: Vec<(u64, u32)>,
}

impl Gathered {
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
        }
        Ok(())
    }

    /// Builds, stores and commits the segment gathered so far.
    pub(super) fn close_segment(&mut self) -> Result<(), StoreError> {
        if self.in_transaction {
            self.write_segment()?;
            self.update_import(false)?;
            self.commit()?;
            self.playable = usual_starts();
        }
        Ok(())
    }

    /// Builds and stores the segment gathered so far, and begins the next.
    pub(super) fn write_segment(&mut self) -> Result<(), StoreError> {
        let gathered = std::mem::take(&mut self.gathered);
        self.gathered.first_game = self.next_game;
        if gathered.lines.is_empty() {
            return Ok(());
        }
        let _ = self.observer.on(Event::Phase {
            name: "indexing",
            steps: None,
        });
        let lines: Vec<MainLine<'_>> = gathered
            .lines
            .iter()
            .map(|(start, place)| MainLine {
                start: *start,
                plies: &gathered.plies[place.clone()],
            })
            .collect();
        self.store
            .insert_lines(gathered.first_game, &lines, &gathered.facts)?;
        self.store
            .insert_sums(gathered.first_game, &gathered.sums)?;
        for (kind, writer) in RecordKind::ALL.into_iter().zip(&mut self.records) {
            let store = self.store;
            writer.finish(|block| store.insert_records(kind, &block))?;
        }
        let segment = build::segment(
            &SegmentGames {
                lines: &lines,
                facts: &gathered.facts,
                starts: &self.playable,
                variations: &gathered.variations,
                structures: Some(&gathered.structures),
            },
            Crew::steady(self.threads),
        )
        .expect("nobody stops this crew");
        self.summary.positions += segment.positions;
        self.store
            .insert_segment(gathered.first_game, lines.len(), &segment)
    }
}
