//! Games of another database are taken in: stored under new numbers, or found to be stored.

use std::collections::HashMap;

use super::repair::copy::GameCopier;
use crate::{
    base::{range_map::RangeMap, record::GameId},
    blocks::fingerprint::Fingerprint,
    identity::{
        Completeness, CompletenessReader, DuplicateFinder, DuplicateIndex, FingerprintIndex,
        NameMatcher, PrefixMatch,
    },
    import::DuplicateAction,
    replay::{
        self,
        salvage::{Salvage, SalvagedGame},
    },
    store::{Store, StoreError},
};

/// Takes games in, within a transaction.
pub(super) struct GameIntake<'s> {
    store: &'s Store,
    other: &'s Store,
    duplicates: DuplicateAction,
    /// Our games that were deleted, which are not stored again.
    deleted: RangeMap,
    finder: DuplicateFinder<'s>,
    copied: GameCopier<'s>,
    salvage: Salvage<'s>,
    /// The number of the first game that is stored.
    pub(super) first: GameId,
    /// That of the next one.
    pub(super) next: GameId,
    /// The plies of games that are not in blocks yet.
    waiting: HashMap<GameId, Vec<u8>>,
    /// Stored games, and those that stand for them.
    pub(super) replaced: Vec<(GameId, GameId)>,
}

/// What a game of the other database is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakenGame {
    /// It was stored under this number.
    Stored(GameId),
    /// It is this stored game.
    Known(GameId),
}

impl TakenGame {
    /// The number that it has here.
    pub(super) const fn number(self) -> GameId {
        match self {
            Self::Stored(game) | Self::Known(game) => game,
        }
    }
}

impl<'s> GameIntake<'s> {
    /// Takes games of another database in. `leaving` are games of ours that they are not compared
    /// with; `with_parts` is whether some may be skipped for being the beginning of others.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if a database cannot be read or is damaged; likewise below.
    pub(super) fn new(
        (store, other): (&'s Store, &'s Store),
        duplicates: DuplicateAction,
        leaving: &RangeMap,
        with_parts: bool,
    ) -> Result<Self, StoreError> {
        let deleted = store.deleted()?;
        let mut stand_ins = store.stand_ins()?;
        // What such a game stands for comes back in another form.
        stand_ins.retain(|&(_, kept)| !leaving.contains(kept));
        let not_there = store.forgotten(&deleted, &stand_ins)?.and(leaving);
        let known = match duplicates {
            DuplicateAction::Keep => FingerprintIndex::default(),
            DuplicateAction::Skip if !with_parts => {
                FingerprintIndex::default().of(store, &not_there)?
            }
            DuplicateAction::Skip | DuplicateAction::Best => {
                FingerprintIndex::with_parts().of(store, &not_there)?
            }
        };
        let same = DuplicateIndex::among(store, known, NameMatcher::of(store)?);
        let same = same.with_stand_ins(stand_ins).as_they_came()?;
        let last = store.last_game()?;
        Ok(Self {
            store,
            other,
            duplicates,
            deleted,
            finder: DuplicateFinder::among(store, same, last),
            copied: GameCopier::new(store)?,
            salvage: Salvage::new(other),
            first: last + 1,
            next: last + 1,
            waiting: HashMap::new(),
            replaced: Vec::new(),
        })
    }

    /// Another source begins.
    pub(super) fn next_source(&mut self) {
        self.finder.next_source();
    }

    /// Whether one of our games was deleted.
    pub(super) fn is_deleted(&self, game: GameId) -> bool {
        self.deleted.contains(game)
    }

    /// A game of the other database, and its fingerprint.
    ///
    /// # Errors
    ///
    /// [`StoreError`], and damage of the game.
    pub(super) fn read(&mut self, game: GameId) -> Result<(SalvagedGame, Fingerprint), StoreError> {
        let salvaged = self.salvage.game(game)?;
        if let Some(what) = salvaged.damage.first() {
            return Err(self.other.damaged(format!("game {game}: {what}")));
        }
        let print = self.copied.print(&salvaged);
        Ok((salvaged, print))
    }

    /// Stores a game, unless it is stored already.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub(super) fn take(
        &mut self,
        game: SalvagedGame,
        print: Fingerprint,
        is_part_skipped: bool,
    ) -> Result<TakenGame, StoreError> {
        let stored = match self.duplicates {
            DuplicateAction::Keep => None,
            DuplicateAction::Skip | DuplicateAction::Best => {
                self.find_stored_duplicate(&game, print, is_part_skipped)?
            }
        };
        if let Some((ours, is_poorer)) = stored {
            if !is_poorer {
                return Ok(TakenGame::Known(ours));
            }
            let plies = game.row.plies;
            self.finder.same.replace(ours, (self.next, print, plies));
            self.replaced.push((ours, self.next));
        }
        self.store_game(game, print).map(TakenGame::Stored)
    }

    /// Stores a game; its number.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub(super) fn store_game(
        &mut self,
        game: SalvagedGame,
        print: Fingerprint,
    ) -> Result<GameId, StoreError> {
        let ours = self.next;
        self.next += 1;
        self.copied.game(ours, &game)?;
        self.finder.same.known.add(ours, print);
        self.waiting.insert(ours, game.plies);
        if self.copied.is_full() {
            self.copied.write_blocks()?;
            self.waiting.clear();
        }
        Ok(ours)
    }

    /// Writes what waits for its blocks.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub(super) fn finish(&mut self) -> Result<(), StoreError> {
        self.copied.write_blocks().map(drop)
    }

    /// The stored game that a game is, and whether that is the poorer record.
    fn find_stored_duplicate(
        &mut self,
        game: &SalvagedGame,
        print: Fingerprint,
        is_part_skipped: bool,
    ) -> Result<Option<(GameId, bool)>, StoreError> {
        let waiting = &self.waiting;
        let unwritten = |game| waiting.get(&game).map(Vec::as_slice);
        let is_best = self.duplicates == DuplicateAction::Best;
        let Some(stored) = self.finder.find(game, print, &unwritten)? else {
            if !is_best && !is_part_skipped {
                return Ok(None);
            }
            let part = self.finder.find_part(game, print, &unwritten)?;
            return Ok(part.and_then(|PrefixMatch { game, is_shorter }| {
                let may_go = is_shorter && !self.deleted.contains(game);
                // Neither the further moves nor what was corrected is given up.
                let stay_both = may_go && (!is_best || self.finder.same.is_edited(game));
                (!stay_both).then_some((game, may_go))
            }));
        };
        let stays = self.deleted.contains(stored)
            || self.finder.same.is_edited(stored)
            || waiting.contains_key(&stored);
        if !is_best || stays {
            return Ok(Some((stored, false)));
        }
        let [tree, texts] = game.annotations.records();
        let own = Completeness {
            plies: game.row.plies,
            annotation_bytes: tree.len() + texts.len(),
            tags: replay::layout_of(&game.row.layout).len(),
        };
        let its = CompletenessReader::new(self.store).of(stored)?;
        Ok(Some((stored, own > its)))
    }
}
