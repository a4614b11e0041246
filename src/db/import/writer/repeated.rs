//! Games of sources that are stored already: found, skipped, and noted with their sources.

use std::{collections::HashMap, ops::ControlFlow};

use super::{NAMED, Writer};
use crate::{
    base::{
        diagnostic::{Code, Diagnostic},
        record::GameId,
    },
    db::{
        identity::{self, KnownGames, Particulars},
        import::{
            Duplicates, Repeated,
            batch::{Batch, BatchGame, Span},
        },
        index::sums::Fingerprint,
        store::{LineReader, RepeatedRun, Store, StoreError},
        stored,
    },
    input::chunk::Chunk,
};

/// What an import knows of stored games to tell those that come again.
pub(super) struct Repeats<'s> {
    /// None where all games are stored, again or not.
    known: Option<KnownGames>,
    lines: LineReader<'s>,
    /// The first game of the source at hand that is not stored.
    source_from: GameId,
    /// Of games that say not who played, or have no moves: how many that are equal the source has
    /// had.
    taken: HashMap<Fingerprint, usize>,
    /// Those of the piece at hand.
    runs: Vec<RepeatedRun>,
}

impl<'s> Repeats<'s> {
    pub(super) fn new(store: &'s Store, duplicates: Duplicates) -> Result<Self, StoreError> {
        let known = match duplicates {
            Duplicates::Skip => Some(KnownGames::of(store)?),
            Duplicates::Keep => None,
        };
        Ok(Self {
            known,
            lines: store.lines(),
            source_from: 0,
            taken: HashMap::new(),
            runs: Vec::new(),
        })
    }

    /// A source begins whose first game that is stored has that number.
    pub(super) fn next_source(&mut self, from: GameId) {
        self.source_from = from;
        self.taken.clear();
    }

    /// A game was stored.
    pub(super) fn add(&mut self, game: GameId, print: Fingerprint) {
        if let Some(known) = &mut self.known {
            known.add(game, print);
        }
    }

    /// Notes that a game of the source is a stored one.
    fn note(&mut self, number: u64, game: GameId) {
        match self.runs.last_mut() {
            Some(run) if run.is_followed_by(number, game) => run.games += 1,
            _ => self.runs.push(RepeatedRun {
                number,
                games: 1,
                game,
            }),
        }
    }

    /// Stores what was noted of a source.
    pub(super) fn store(&mut self, store: &Store, source: i64) -> Result<(), StoreError> {
        (self.runs.drain(..)).try_for_each(|run| store.insert_repeated(source, run))
    }
}

impl Writer<'_> {
    /// The stored game that a game is, if any.
    pub(super) fn stored_already(
        &mut self,
        batch: &Batch,
        game: &BatchGame,
    ) -> Result<Option<GameId>, StoreError> {
        let Some(known) = &self.repeats.known else {
            return Ok(None);
        };
        let by = game.variant_by.as_deref();
        let print = by.map_or(game.print, |by| game.print.with_variant_by(by));
        if known.alike(print).is_empty() {
            return Ok(None);
        }
        let (equal, alike) = (known.equal(print).to_vec(), known.alike(print).to_vec());
        let particulars = particulars_of(batch, game);
        if game.facts.plies == 0 || !particulars.say_who_played() {
            // Who lists a position twice, or plays the same moves twice, means two: each is one of
            // those that were there before this source.
            let before = equal.partition_point(|&game| u64::from(game) < self.repeats.source_from);
            let taken = self.repeats.taken.entry(print).or_default();
            let stored = equal[..before].get(*taken).copied();
            *taken += usize::from(stored.is_some());
            return Ok(stored.map(GameId::from));
        }
        let plies = &batch.plies[game.plies.clone()];
        if let Some(&stored) = equal.first()
            && self.has_plies(stored.into(), plies)?
        {
            return Ok(Some(stored.into()));
        }
        let start = (game.start.checked_sub(1)).map(|at| &batch.starts[at].row);
        for stored in alike.into_iter().map(GameId::from) {
            let Some(its) = self.store.game(stored)? else {
                continue;
            };
            let agrees = (u32::from(its.variant), its.plies)
                == (game.facts.variant, game.facts.plies)
                && particulars.agree(&Particulars::of(self.store, &its)?);
            if !agrees || !self.has_plies(stored, plies)? {
                continue;
            }
            let its_start = its
                .start
                .map(|id| self.store.start(id))
                .transpose()?
                .flatten();
            if identity::starts_agree(start, its_start.as_ref()) {
                return Ok(Some(stored));
            }
        }
        Ok(None)
    }

    /// Whether a game has these packed plies, stored or about to be.
    fn has_plies(&mut self, game: GameId, plies: &[u8]) -> Result<bool, StoreError> {
        let gathered = &self.gathered;
        if let Some(at) = game.checked_sub(gathered.first_game)
            && let Some((_, place)) = gathered.lines.get(at as usize)
        {
            return Ok(&gathered.plies[place.clone()] == plies);
        }
        Ok(self.repeats.lines.get(game)?.plies == plies)
    }

    /// Passes over a game that is a stored one, and says so.
    pub(super) fn skip(
        &mut self,
        chunk: &Chunk,
        game: &BatchGame,
        stored: GameId,
        line: u64,
    ) -> ControlFlow<()> {
        let number = self.source.games;
        self.repeats.note(number, stored);
        if self.summary.repeated_named.len() < NAMED {
            self.summary.repeated_named.push(Repeated {
                source: self.source.name.clone(),
                number,
                game: stored,
            });
        }
        let detail = format!("it is game {stored}");
        let finding = Diagnostic::with(Code::RepeatedGame, game.offset.into(), detail);
        self.report(chunk, &finding, Some(stored), line)
    }
}

/// What a game says of itself; a problem says nothing.
fn particulars_of(batch: &Batch, game: &BatchGame) -> Particulars {
    if game.problem.is_some() {
        return Particulars::default();
    }
    let text = |span: &Span| &batch.text[span.clone()];
    let names = [0, 1, 2, 3].map(|name| game.names[name].as_ref().map(text));
    let mut its = Particulars::told(names, game.round.as_ref().map(text), &game.facts);
    let layout = stored::layout_of(text(&game.layout));
    let others = layout.iter().filter_map(|name| name.strip_prefix('+'));
    for (name, value) in others.zip(&batch.extras[game.extras.clone()]) {
        its.tag(name, text(value));
    }
    its
}
