//! Finds the stored game that a game is.

use std::collections::HashMap;

use super::{FingerprintIndex, GameMetadata, NameMatcher, TELLING_PLIES, starts_agree};
use crate::{
    base::{record::GameId, work},
    blocks::{facts::PackedFacts, fingerprint::Fingerprint},
    store::{GameRow, LineReader, StartRow, Store, StoreError, TagValues},
};

/// For this many games, what they and others say together is kept in memory.
const LEARNED_MAX: usize = 1 << 16;
/// For this many others, what they say.
const SEEN_MAX: usize = 1 << 12;

/// A game that is searched for among others.
#[derive(Debug, Clone, Copy)]
pub struct DuplicateProbe<'a> {
    /// Its fingerprint.
    pub print: Fingerprint,
    /// Its facts; those count that are no rows of tables.
    pub facts: &'a PackedFacts,
    /// Its packed plies.
    pub plies: &'a [u8],
    /// Where it begins, if not in the standard start position of chess.
    pub start: Option<&'a StartRow>,
    /// What it says of itself.
    pub particulars: &'a GameMetadata,
}

/// The plies of games that cannot be read from the database yet.
pub type PendingPlies<'a> = &'a dyn Fn(GameId) -> Option<&'a [u8]>;

/// A stored game that is the beginning of another one, or goes on from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrefixMatch {
    /// The stored game.
    pub game: GameId,
    /// Whether it is the shorter one.
    pub is_shorter: bool,
}

/// A stored game that a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateMatch {
    /// The stored game.
    pub game: GameId,
    /// Whether the game that was searched for [says more](GameMetadata::tell_more) about which it
    /// is than all records of it before.
    pub is_reported_better: bool,
}

impl DuplicateMatch {
    const fn known_as_well(game: GameId) -> Self {
        Self {
            game,
            is_reported_better: false,
        }
    }
}

/// The games of a database; others are searched for among them.
pub struct DuplicateIndex<'s> {
    store: &'s Store,
    /// Their fingerprints.
    pub known: FingerprintIndex,
    /// Games that were replaced since, and those that stand for them.
    replaced: HashMap<GameId, GameId>,
    /// Games that were removed, and those that stand for them, in order.
    stand_ins: Vec<(GameId, GameId)>,
    lines: LineReader<'s>,
    judge: NameMatcher,
    /// What games said of themselves before they were edited.
    edited: HashMap<GameId, TagValues>,
    /// Games that were looked at.
    seen: HashMap<GameId, ComparedGame>,
    /// How many of them have learned from others.
    learned: usize,
}

/// A game that others were compared with.
struct ComparedGame {
    plies: u32,
    variant: u8,
    /// The row of its start position.
    start: Option<u32>,
    /// What it, and those that are the same, say of themselves together.
    its: GameMetadata,
    /// What it said of itself before it was edited.
    as_it_came: Option<GameMetadata>,
    has_learned: bool,
}

impl ComparedGame {
    fn is_one(&self, is_one: impl Fn(&GameMetadata) -> bool) -> bool {
        is_one(&self.its) || self.as_it_came.as_ref().is_some_and(is_one)
    }
}

impl<'s> DuplicateIndex<'s> {
    /// These games of a database, with what was decided about names.
    pub fn among(store: &'s Store, known: FingerprintIndex, judge: NameMatcher) -> Self {
        Self {
            store,
            judge,
            known,
            replaced: HashMap::new(),
            stand_ins: Vec::new(),
            lines: store.lines(),
            edited: HashMap::new(),
            seen: HashMap::new(),
            learned: 0,
        }
    }

    /// Takes games that were edited for those, too, that they were as they came from their sources.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn as_they_came(mut self) -> Result<Self, StoreError> {
        self.edited = self.store.told_before_edits()?;
        Ok(self)
    }

    /// Takes removed games, in order, for those that stand for them.
    #[must_use]
    pub fn with_stand_ins(self, stand_ins: Vec<(GameId, GameId)>) -> Self {
        Self { stand_ins, ..self }
    }

    /// The game that stands for a removed one.
    pub fn stand_in(&mut self, game: GameId) -> Option<GameId> {
        let at = self.stand_in_at(game)?;
        let stand_in = &mut self.stand_ins[at].1;
        // Numbers grow with each that stands for another; the next look begins at the last.
        while let Some(&later) = self.replaced.get(stand_in) {
            work::done(1);
            *stand_in = later;
        }
        Some(*stand_in)
    }

    /// Whether another game stands for a removed one.
    pub fn has_stand_in(&self, game: GameId) -> bool {
        self.stand_in_at(game).is_some()
    }

    fn stand_in_at(&self, game: GameId) -> Option<usize> {
        let games = &self.stand_ins;
        games.binary_search_by_key(&game, |(game, _)| *game).ok()
    }

    /// Whether a game was corrected by hand; no better record of it has these corrections.
    pub fn is_edited(&self, game: GameId) -> bool {
        self.edited.contains_key(&game)
    }

    /// What a game said of itself before it was edited.
    pub fn before_edits(&self, game: GameId, row: &GameRow) -> Option<GameMetadata> {
        let told = self.edited.get(&game)?;
        Some(GameMetadata::before_edits(row, told))
    }

    /// The game that is the same as a game that says who played; where it was removed, the one that
    /// stands for it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn find(
        &mut self,
        asked: &DuplicateProbe<'_>,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<DuplicateMatch>, StoreError> {
        let found = self.find_record(asked, unwritten)?;
        Ok(found.map(|found| {
            self.stand_in(found.game)
                .map_or(found, DuplicateMatch::known_as_well)
        }))
    }

    fn find_record(
        &mut self,
        asked: &DuplicateProbe<'_>,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<DuplicateMatch>, StoreError> {
        let mut equal = self.known.next_equal(asked.print, 0);
        while let Some(stored) = equal.filter(|game| self.replaced.contains_key(game)) {
            equal = self.known.next_equal(asked.print, stored + 1);
        }
        if let Some(stored) = equal
            && self.has_plies(stored, asked.plies, unwritten)?
        {
            return Ok(Some(DuplicateMatch::known_as_well(stored)));
        }
        for stored in self.known.alike(asked.print) {
            if self.replaced.contains_key(&stored)
                || !self.can_be(stored, asked, |plies| plies == asked.facts.plies)?
            {
                continue;
            }
            let judge = &self.judge;
            let agreed = |its: &GameMetadata| asked.particulars.agree(its, judge);
            if !self.seen[&stored].is_one(agreed)
                || !self.has_plies(stored, asked.plies, unwritten)?
                || !self.allows_stand_in(stored, asked)?
            {
                continue;
            }
            let judge = &self.judge;
            let mut is_reported_better = false;
            if let Some(seen) = self.seen.get_mut(&stored)
                && asked.particulars.agree(&seen.its, judge)
            {
                is_reported_better = asked.particulars.tell_more(&seen.its);
                seen.its.learn(asked.particulars);
                self.learned += usize::from(!seen.has_learned);
                seen.has_learned = true;
            }
            return Ok(Some(DuplicateMatch {
                game: stored,
                is_reported_better,
            }));
        }
        Ok(None)
    }

    /// Whether what stands for a removed record does not contradict a game that agrees with it: a
    /// record without a round that gave way to one of round 5 is none of round 7.
    fn allows_stand_in(
        &mut self,
        stored: GameId,
        asked: &DuplicateProbe<'_>,
    ) -> Result<bool, StoreError> {
        let Some(stand_in) = self.stand_in(stored) else {
            return Ok(true);
        };
        if !self.can_be(stand_in, asked, |_| true)? {
            return Ok(true);
        }
        let (judge, seen) = (&self.judge, &self.seen[&stand_in]);
        Ok(seen.is_one(|its| !asked.particulars.contradict(its, judge)))
    }

    /// A game that a game is the beginning of, or that is the beginning of it: the longest of them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn find_part(
        &mut self,
        asked: &DuplicateProbe<'_>,
        unwritten: PendingPlies<'_>,
    ) -> Result<Option<PrefixMatch>, StoreError> {
        let mut longest: Option<(u32, PrefixMatch)> = None;
        for stored in self.known.begun_alike(asked.print) {
            let is_told = |plies: u32| plies.min(asked.facts.plies) >= TELLING_PLIES;
            work::done(1);
            let is_gone = self.replaced.contains_key(&stored) || self.has_stand_in(stored);
            if is_gone || !self.can_be(stored, asked, is_told)? {
                continue;
            }
            let judge = &self.judge;
            let agreed = |its: &GameMetadata| asked.particulars.agree_in_part(its, judge);
            if !self.seen[&stored].is_one(agreed) {
                continue;
            }
            let plies = match unwritten(stored) {
                Some(plies) => plies,
                None => self.lines.get(stored)?.plies,
            };
            let is_shorter = plies.len() < asked.plies.len();
            let is_part = if is_shorter {
                asked.plies.starts_with(plies)
            } else {
                plies.starts_with(asked.plies) && plies.len() > asked.plies.len()
            };
            let plies = self.seen[&stored].plies;
            if is_part && longest.is_none_or(|(most, _)| plies > most) {
                let game = stored;
                longest = Some((plies, PrefixMatch { game, is_shorter }));
            }
        }
        Ok(longest.map(|(_, part)| part))
    }

    /// Forgets what games say together with others: those that come are no longer compared with
    /// them.
    pub fn part(&mut self) {
        self.forget();
    }

    fn forget(&mut self) {
        self.seen.clear();
        self.learned = 0;
    }

    /// Another game, which has this fingerprint and `plies` plies, stands for a game from now on,
    /// and is identified by what both say.
    pub fn replace(&mut self, game: GameId, (by, print, plies): (GameId, Fingerprint, u32)) {
        self.replaced.insert(game, by);
        self.known.forget_begun(print, game);
        if let Some(seen) = self.seen.remove(&game) {
            self.seen.insert(by, ComparedGame { plies, ..seen });
        }
    }

    /// Whether a game has as many plies as it must have, and the variant and the start position of
    /// the one that is searched for; then it is among those that were seen.
    fn can_be(
        &mut self,
        game: GameId,
        asked: &DuplicateProbe<'_>,
        has_plies: impl Fn(u32) -> bool,
    ) -> Result<bool, StoreError> {
        if !self.seen.contains_key(&game) {
            let Some(row) = self.store.game(game)? else {
                return Ok(false);
            };
            self.make_room();
            let seen = ComparedGame {
                plies: row.plies,
                variant: row.variant,
                start: row.start,
                its: GameMetadata::of(self.store, &row)?,
                as_it_came: self.before_edits(game, &row),
                has_learned: false,
            };
            self.seen.insert(game, seen);
        }
        let seen = &self.seen[&game];
        if !has_plies(seen.plies) || u32::from(seen.variant) != asked.facts.variant {
            return Ok(false);
        }
        let its_start = seen.start.map(|id| self.store.start(id)).transpose()?;
        Ok(starts_agree(asked.start, its_start.flatten().as_ref()))
    }

    /// Forgets games that were seen, once they are many.
    fn make_room(&mut self) {
        if self.learned >= LEARNED_MAX {
            self.forget();
        } else if self.seen.len() - self.learned >= SEEN_MAX {
            self.seen.retain(|_, seen| seen.has_learned);
        }
    }

    /// Whether a game has these packed plies.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn has_plies(
        &mut self,
        game: GameId,
        plies: &[u8],
        unwritten: PendingPlies<'_>,
    ) -> Result<bool, StoreError> {
        match unwritten(game) {
            Some(own) => Ok(own == plies),
            None => Ok(self.lines.get(game)?.plies == plies),
        }
    }
}

/// How much a record of a game has: the longer game is the better one, then the one with more
/// annotations, then the one with more tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completeness {
    /// Plies of the main line.
    pub plies: u32,
    /// Bytes of its comments, glyphs and variations.
    pub annotation_bytes: usize,
    /// Tags.
    pub tags: usize,
}

impl Completeness {
    /// Whether another record of the same moves has more annotations, or more tags.
    pub const fn has_less_than(self, other: Self) -> bool {
        self.annotation_bytes < other.annotation_bytes || self.tags < other.tags
    }
}
