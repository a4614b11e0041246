//! Finds the game of a database that a stored game of another one is.

use super::{
    DuplicateIndex, DuplicateProbe, GameMetadata, MatchedRecords, PendingPlies, PrefixMatch,
    hash_annotations, is_same_problem,
};
use crate::{
    base::record::GameId,
    blocks::fingerprint::Fingerprint,
    replay::salvage::SalvagedGame,
    store::{RecordKind, RecordReader, Store, StoreError},
};

/// Searches for games of other databases among those of one.
pub struct DuplicateFinder<'s> {
    store: &'s Store,
    /// The games among which it looks.
    pub same: DuplicateIndex<'s>,
    /// The last of the games that were there before.
    last_before: GameId,
    /// Those of them that records without players of the current source are.
    taken: MatchedRecords,
    records: [RecordReader<'s>; 3],
}

impl<'s> DuplicateFinder<'s> {
    /// Searches among these games of a database; those up to `last_before` were there before.
    pub fn among(store: &'s Store, same: DuplicateIndex<'s>, last_before: GameId) -> Self {
        Self {
            store,
            same,
            last_before,
            taken: MatchedRecords::up_to(last_before),
            records: RecordKind::ALL.map(|kind| store.records(kind)),
        }
    }

    /// Another source begins.
    pub fn next_source(&mut self) {
        self.taken = MatchedRecords::up_to(self.last_before);
    }

    /// Whether no game has the moves of a game with this fingerprint.
    pub fn has_none_like(&mut self, print: Fingerprint) -> bool {
        !self.same.known.has_alike(print)
    }

    /// The game that a game of another database is, if any.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub(crate) fn find(
        &mut self,
        game: &SalvagedGame,
        print: Fingerprint,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<GameId>, StoreError> {
        if self.has_none_like(print) {
            return Ok(None);
        }
        let particulars = particulars_of(game);
        if game.row.plies > 0 && particulars.say_which_game() {
            let asked = asked(game, print, &particulars);
            if let Some(found) = self.same.find(&asked, unwritten)? {
                return Ok(Some(found.game));
            }
        }
        if game.row.plies == 0 || !particulars.say_who_played() {
            return self.find_record(game, print, &particulars, unwritten);
        }
        if particulars.is_undated() {
            for stored in self.same.known.alike(print) {
                if stored <= self.last_before
                    && self.is_equal(stored, game, print, &particulars)?
                    && self.same.has_plies(stored, &game.plies, unwritten)?
                {
                    return Ok(Some(self.same.stand_in(stored).unwrap_or(stored)));
                }
            }
        }
        Ok(None)
    }

    /// A game that a game of another database is the beginning of, or that is the beginning of it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub(crate) fn find_part(
        &mut self,
        game: &SalvagedGame,
        print: Fingerprint,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<PrefixMatch>, StoreError> {
        let particulars = particulars_of(game);
        if game.row.plies == 0 || !particulars.say_who_played() {
            return Ok(None);
        }
        let asked = asked(game, print, &particulars);
        self.same.find_part(&asked, unwritten)
    }

    /// The same of a game that does not say who played, or has no moves: each is one that was
    /// there before, and equal in all.
    fn find_record(
        &mut self,
        game: &SalvagedGame,
        print: Fingerprint,
        particulars: &GameMetadata,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<GameId>, StoreError> {
        let mut look = MatchedRecords::look_for(print);
        while let Some(stored) = self.taken.next(&mut look, &mut self.same.known) {
            if !self.same.has_stand_in(stored)
                && self.is_equal(stored, game, print, particulars)?
                && self.same.has_plies(stored, &game.plies, unwritten)?
            {
                self.taken.take(stored);
                return Ok(Some(stored));
            }
        }
        Ok(None)
    }

    /// Whether a game that was there before is equal to one in all but its moves.
    fn is_equal(
        &mut self,
        stored: GameId,
        game: &SalvagedGame,
        print: Fingerprint,
        particulars: &GameMetadata,
    ) -> Result<bool, StoreError> {
        if self.same.known.sum(stored) == print.sum {
            return Ok(true);
        }
        let [trees, texts, problems] = &mut self.records;
        if let Some((own, _)) = &game.problem {
            let its = problems.get(stored)?;
            return Ok(its.is_some_and(|its| is_same_problem(its, own)));
        }
        let Some(row) = self.store.game(stored)? else {
            return Ok(false);
        };
        let before = self.same.before_edits(stored, &row);
        if !before.is_some_and(|its| its.equal(particulars))
            && !GameMetadata::of(self.store, &row)?.equal(particulars)
        {
            return Ok(false);
        }
        let its = [trees.get(stored)?, texts.get(stored)?].map(Option::unwrap_or_default);
        let own = game.annotations.records();
        Ok(its == own || hash_annotations(its) == hash_annotations(own))
    }
}

/// A game of another database as it is searched for.
fn asked<'a>(
    game: &'a SalvagedGame,
    print: Fingerprint,
    particulars: &'a GameMetadata,
) -> DuplicateProbe<'a> {
    DuplicateProbe {
        print,
        facts: &game.facts,
        plies: &game.plies,
        start: game.start.as_ref().map(|(start, _)| start),
        particulars,
    }
}

/// What a game of another database says of itself; a problem says nothing.
fn particulars_of(game: &SalvagedGame) -> GameMetadata {
    if game.problem.is_some() {
        return GameMetadata::default();
    }
    let names = game.row.names.each_ref().map(Option::as_deref);
    let mut its = GameMetadata::told(names, game.row.round.as_deref(), &game.facts);
    for tag in &game.tags {
        its.tag(&tag.name, &tag.value);
    }
    its
}
