//! What is said of games as they are written: findings, incomplete games, languages,
//! evaluations.

use std::ops::ControlFlow;

use super::{DetectedLanguage, EvalsOfSource, IncompleteGame, NAMED, Writer};
use crate::{
    base::{
        diagnostic::{Diagnostic, LocatedDiagnostic},
        observe::Event,
        record::GameId,
    },
    games::notation::letters::Language,
    input::chunk::Chunk,
    pgn::parser::eval_view::SourceEvals,
    store::StoreError,
};

impl Writer<'_> {
    /// Counts a game that could not be played completely; of `unplayed` moves none.
    pub(super) fn note_incomplete(&mut self, finding: Option<&Diagnostic>, unplayed: u32) {
        self.summary.incomplete += 1;
        if self.summary.incomplete_named.len() < NAMED {
            let mut detail = finding.map_or("", |finding| &finding.detail).to_owned();
            if unplayed > 0 {
                let gap = if detail.is_empty() { "" } else { "; " };
                detail = format!("0 of {unplayed} plies{gap}{detail}");
            }
            self.summary.incomplete_named.push(IncompleteGame {
                source: self.source.name.clone(),
                number: self.source.games,
                code: finding.map_or("", |finding| finding.code.as_str()),
                detail,
            });
        }
    }

    /// Counts a finding and reports it to the observer.
    pub(super) fn report(
        &mut self,
        chunk: &Chunk,
        finding: &Diagnostic,
        game: Option<GameId>,
        line: u64,
    ) -> ControlFlow<()> {
        *self.counts.entry(finding.code).or_default() += 1;
        self.observer.on(Event::Diagnostic(&LocatedDiagnostic {
            code: finding.code.as_str(),
            severity: finding.code.severity().as_str(),
            source: self.source.name.clone(),
            member: None,
            game_number: game.map(|_| self.source.games),
            game,
            offset_bytes: chunk.source_offset(finding.offset_bytes as usize),
            line: Some(line),
            message: finding.code.message(),
            detail: finding.detail.clone().into_owned(),
        }))
    }

    /// Counts a game whose moves are not in English.
    pub(super) fn note_language(&mut self, language: &'static Language) {
        let (last, found) = self.languages.entry(language.code).or_insert_with(|| {
            let found = DetectedLanguage {
                language: language.code,
                name: language.name,
                games: 0,
                sources: 0,
                first_source: self.source.name.clone(),
            };
            (0, found)
        });
        found.games += 1;
        // Sources are numbered from 1 as they are opened.
        if *last != self.summary.sources {
            *last = self.summary.sources;
            found.sources += 1;
        }
    }

    /// Keeps how the evaluations of the source are read, and names it if their form is ambiguous.
    pub(super) fn note_evals(&mut self) -> Result<(), StoreError> {
        let by_hand = self.evals_by_hand;
        let evals = SourceEvals {
            by_hand,
            by_evidence: self.source.evals.reading(),
        };
        let known = SourceEvals::default();
        if let Some(row) = self.source.row.filter(|_| evals != known) {
            self.begin()?;
            self.store.put_source_evals(row, evals)?;
        }
        for found in self.source.evals.found(by_hand) {
            self.summary.evaluations.push(EvalsOfSource {
                source: self.source.name.clone(),
                values: found.values,
                unit: found.unit.name(),
                side: found.side.name(),
                by: match (by_hand.is_empty(), found.is_shown) {
                    (false, _) => "hand",
                    (true, true) => "evidence",
                    (true, false) => "form",
                },
            });
        }
        Ok(())
    }
}
