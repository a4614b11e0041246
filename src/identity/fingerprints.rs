//! The games of a database by what those that are the same agree in, kept in memory: some ten
//! bytes a game, and four for its checksum. Of a large database to which little is added, only
//! those are read that are requested.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::key_table::{KeyBitmap, KeyTable};
use crate::{
    base::{range_map::RangeMap, record::GameId, work},
    blocks::fingerprint::Fingerprint,
    store::{Store, StoreError},
};

/// As many games with the same moves are looked at one by one; of more, those alone that are equal
/// in all.
pub const LOOKED_AT: usize = 64;

/// Of a database with more games, an import reads those alone that are like others: a look at the
/// fingerprints of all takes a third of the time that it takes to keep them.
pub const ALL_KNOWN_MAX: GameId = 100_000;
/// At most this many scans; then all are read.
const SCANS_MAX: u32 = 3;
/// Bits that [`KeyBitmap`] have for the games that are searched for in a database.
const SOUGHT_BITS: u32 = 20;

/// The games of a database, and those that come in.
#[derive(Debug, Default)]
pub struct FingerprintIndex {
    /// By their moves.
    moves: KeyTable,
    /// The checksums of all games, by number.
    sums: Vec<u32>,
    /// Games with moves that very many have, by their moves and their checksums.
    equal: HashMap<(u32, u32), Vec<u32>, FixedState>,
    /// Games by how they begin, where parts of games are searched for.
    begun: Option<KeyTable>,
    /// Those of a database that were not read, unless they are like others.
    unread: Option<PartialFingerprintIndex>,
}

/// Games of a database; only those that are like others were read.
#[derive(Debug)]
struct PartialFingerprintIndex {
    /// The last of them.
    last: GameId,
    /// Some that are not there.
    but: RangeMap,
    /// How often all fingerprints were looked at.
    scans: u32,
    /// The moves and the beginnings that were requested.
    asked: [HashSet<u32, FixedState>; 2],
    /// Games that have come since.
    added: Vec<(GameId, Fingerprint)>,
    /// Whether games by how they begin are wanted where all are read.
    has_parts: bool,
}

/// Some keys.
struct KeySet {
    keys: HashSet<u32, FixedState>,
    glance: KeyBitmap,
}

impl KeySet {
    fn new(keys: HashSet<u32, FixedState>) -> Self {
        let mut glance = KeyBitmap::new(SOUGHT_BITS);
        for key in &keys {
            glance.add(*key);
        }
        Self { keys, glance }
    }

    #[inline]
    fn contain(&self, key: u32) -> bool {
        self.glance.may_have(key) && self.keys.contains(&key)
    }
}

impl FingerprintIndex {
    /// None so far; parts of games are found too.
    pub fn with_parts() -> Self {
        Self {
            begun: Some(KeyTable::default()),
            ..Self::default()
        }
    }

    /// None so far, and few to come, with numbers up to one.
    #[must_use]
    pub fn few_up_to(mut self, last: GameId) -> Self {
        // Pages of zeros that are never written take no memory.
        self.sums = vec![0; usize::try_from(last).unwrap_or(0) + 1];
        self
    }

    /// Adds those of a database, but for some that are not there; of one with more games than
    /// `all_max`, those alone that are [requested](Self::read_alike), with those that begin alike.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn as_asked(
        mut self,
        store: &Store,
        but: RangeMap,
        all_max: GameId,
    ) -> Result<Self, StoreError> {
        let last = store.last_game()?;
        if last <= all_max || store.last_sum()? != last {
            return self.of(store, &but);
        }
        self = self.few_up_to(last);
        self.unread = Some(PartialFingerprintIndex {
            last,
            but,
            scans: 0,
            asked: Default::default(),
            added: Vec::new(),
            has_parts: self.begun.is_some(),
        });
        self.begun.get_or_insert_default();
        Ok(self)
    }

    /// Whether games must be [requested](Self::read_alike).
    pub const fn is_partly_read(&self) -> bool {
        self.unread.is_some()
    }

    /// Reads the games that have the moves or the beginning of games with these fingerprints.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn read_alike(
        &mut self,
        store: &Store,
        prints: impl Iterator<Item = Fingerprint>,
    ) -> Result<(), StoreError> {
        let Some(unread) = &mut self.unread else {
            return Ok(());
        };
        let mut sought: [HashSet<u32, FixedState>; 2] = Default::default();
        for print in prints {
            for (at, key) in [(0, print.moves), (1, print.beginning)] {
                if (at == 0 || key > 0) && unread.asked[at].insert(key) {
                    sought[at].insert(key);
                }
            }
        }
        if sought.iter().all(HashSet::is_empty) {
            return Ok(());
        }
        if unread.scans == SCANS_MAX {
            return self.read_all(store);
        }
        unread.scans += 1;
        let [moves, begun] = sought;
        let (moves, begun) = (KeySet::new(moves), KeySet::new(begun));
        let mut found = Vec::new();
        store.for_each_print(|game, print| {
            let told = (moves.contain(print.moves), begun.contain(print.beginning));
            if told != (false, false) {
                found.push((game, print, told));
            }
        })?;
        for (game, print, (has_moves, has_beginning)) in found {
            if game > unread.last || unread.but.contains(game) {
                continue;
            }
            let number = u32::try_from(game).unwrap_or(0);
            if has_moves {
                self.sums[number as usize] = print.sum;
                if self.moves.add(print.moves, number) {
                    let key = (print.moves, print.sum);
                    self.equal.entry(key).or_default().push(number);
                }
            }
            if has_beginning && let Some(begun) = &mut self.begun {
                begun.add(print.beginning, number);
            }
        }
        Ok(())
    }

    /// Reads all games, after all.
    fn read_all(&mut self, store: &Store) -> Result<(), StoreError> {
        let Some(unread) = self.unread.take() else {
            return Ok(());
        };
        let none = if unread.has_parts {
            Self::with_parts()
        } else {
            Self::default()
        };
        *self = none.of_first(store, unread.last, &unread.but)?;
        for (game, print) in unread.added {
            self.add(game, print);
        }
        Ok(())
    }

    /// The games that begin like those that were [requested](Self::read_alike), with their
    /// beginnings; `None` if all games were read.
    pub fn candidates_by_beginning(&self) -> Option<Vec<(u32, u32)>> {
        self.unread.as_ref()?;
        self.begun.as_ref().map(KeyTable::all)
    }

    /// Adds those of a database, but for some that are not there.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn of(self, store: &Store, but: &RangeMap) -> Result<Self, StoreError> {
        self.of_first(store, store.last_game()?, but)
    }

    /// The same of those up to a game.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn of_first(
        mut self,
        store: &Store,
        last: GameId,
        but: &RangeMap,
    ) -> Result<Self, StoreError> {
        let games = usize::try_from(last).unwrap_or(0);
        self.sums.reserve_exact(games + 1);
        self.moves.reserve(games);
        if let Some(begun) = &mut self.begun {
            begun.reserve(games);
        }
        let mut expected = 1;
        store.for_each_print(|game, print| {
            if game == expected && game <= last {
                if !but.contains(game) {
                    self.add(game, print);
                }
                expected += 1;
            }
        })?;
        match expected - 1 {
            last if last == games as GameId => Ok(self),
            _ => Err(store.damaged(format!("fingerprint of game {expected}"))),
        }
    }

    /// Adds a game whose number is greater than those before with its moves.
    ///
    /// # Panics
    ///
    /// If there are four thousand million games.
    pub fn add(&mut self, game: GameId, print: Fingerprint) {
        let number = u32::try_from(game).expect("fewer games than that");
        if let Some(unread) = &mut self.unread {
            unread.added.push((game, print));
        }
        if self.sums.len() <= number as usize {
            self.sums.resize(number as usize + 1, 0);
        }
        self.sums[number as usize] = print.sum;
        if let Some(begun) = &mut self.begun
            && print.beginning > 0
        {
            begun.add(print.beginning, number);
        }
        if self.moves.add(print.moves, number) {
            let key = (print.moves, print.sum);
            self.equal.entry(key).or_default().push(number);
        }
    }

    /// Puts the games with some moves in order, if that is worth while.
    fn look(&mut self, moves: u32) {
        for (moves, game) in self.moves.look(moves) {
            let key = (moves, self.sums[game as usize]);
            self.equal.entry(key).or_default().push(game);
        }
    }

    /// The checksum of a game.
    pub fn sum(&self, game: GameId) -> u32 {
        let sum = usize::try_from(game)
            .ok()
            .and_then(|game| self.sums.get(game));
        sum.copied().unwrap_or(0)
    }

    /// The first game from a number on that has these moves and is equal in all else: however many
    /// there are, not all of them are looked at.
    pub fn next_equal(&mut self, print: Fingerprint, from: GameId) -> Option<GameId> {
        work::done(1);
        self.look(print.moves);
        if self.moves.crowds.contains_key(&print.moves) {
            let games = self.equal.get(&(print.moves, print.sum))?;
            let at = games.partition_point(|&game| GameId::from(game) < from);
            return games.get(at).copied().map(GameId::from);
        }
        let games = self.moves.get(print.moves, usize::MAX).into_iter();
        let equal = games.filter(|&game| self.sums[game as usize] == print.sum);
        equal.map(GameId::from).find(|&game| game >= from)
    }

    /// Games with these moves, the last of them if they are many, in order.
    pub fn alike(&mut self, print: Fingerprint) -> Vec<GameId> {
        self.look(print.moves);
        let games = self.moves.get(print.moves, LOOKED_AT);
        games.into_iter().map(GameId::from).collect()
    }

    /// Whether any game has these moves.
    pub fn has_alike(&mut self, print: Fingerprint) -> bool {
        self.look(print.moves);
        self.moves.has(print.moves)
    }

    /// Games that begin like this one, where they are searched for.
    pub fn begun_alike(&mut self, print: Fingerprint) -> Vec<GameId> {
        let Some(begun) = self.begun.as_mut().filter(|_| print.beginning > 0) else {
            return Vec::new();
        };
        begun.look(print.beginning);
        let games = begun.get(print.beginning, usize::MAX);
        games.into_iter().map(GameId::from).collect()
    }

    /// A game is not found any more as one that begins like this one.
    pub fn forget_begun(&mut self, print: Fingerprint, game: GameId) {
        if let Some(begun) = &mut self.begun
            && let Ok(number) = u32::try_from(game)
        {
            begun.remove(print.beginning, number);
        }
    }

    /// All games with moves that several have: those of one key after the other, in order.
    pub fn repeated(&self) -> Vec<Vec<u32>> {
        self.moves.repeated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All games that are equal, one by one.
    fn equal_games(known: &mut FingerprintIndex, print: Fingerprint) -> Vec<GameId> {
        let mut next = |from| known.next_equal(print, from);
        let first = next(0);
        std::iter::successors(first, |&game| next(game + 1)).collect()
    }

    #[test]
    fn games_are_found_by_their_moves() {
        let mut known = FingerprintIndex::default();
        let print = |moves: u32, sum: u32| Fingerprint {
            sum,
            moves,
            ..Fingerprint::default()
        };
        assert_eq!(known.alike(print(7, 1)), [0; 0]);
        assert!(!known.has_alike(print(7, 1)));
        // Lists of a few games each are looked into before they are in order, and afterwards.
        let (games, keys) = (300_000, 100_000);
        for game in 1..=games {
            known.add(game.into(), print(game % keys, game % 7));
        }
        let with = |moves: u32| -> Vec<GameId> {
            let numbers = (0..=games / keys).map(|nth| moves + nth * keys);
            let numbers = numbers.filter(|game| (1..=games).contains(game));
            numbers.map(GameId::from).collect()
        };
        for _ in 0..20 {
            for moves in (0..keys).step_by(4_001) {
                let alike = with(moves);
                assert_eq!(known.alike(print(moves, 9)), alike);
                let equal = alike.into_iter().filter(|game| game % 7 == 3);
                assert_eq!(
                    equal_games(&mut known, print(moves, 3)),
                    equal.collect::<Vec<_>>()
                );
            }
        }
        assert!(known.moves.lists.iter().any(|list| list.ordered > 0));
        assert_eq!(known.alike(print(keys, 0)), [0; 0]);
        // Games of one key leave the lists, those of others stay.
        for game in games + 1..=games + 20_000 {
            known.add(game.into(), print(5, game % 2));
            if game % 100 == 0 {
                assert_eq!(known.alike(print(5, 0)).last(), Some(&game.into()));
            }
        }
        assert!(known.moves.crowds.contains_key(&5));
        assert_eq!(known.alike(print(5, 0)).len(), LOOKED_AT);
        assert!(known.has_alike(print(5, 0)) && !known.has_alike(print(keys, 0)));
        let equal = equal_games(&mut known, print(5, 1));
        let own: Vec<GameId> = with(5).into_iter().filter(|game| game % 7 == 1).collect();
        assert!(equal.is_sorted() && equal.starts_with(&own));
        assert_eq!(equal.len(), 10_000 + own.len());
        // What was taken away is not found, and all else is.
        let mut begun = KeyTable::default();
        let mut left = Vec::new();
        for game in 0..2_000 {
            begun.add(game % 3, game);
            begun.look(game % 3);
            if game % 5 > 0 {
                begun.remove(game % 3, game);
                begun.remove((game + 1) % 3, game);
            } else if game % 3 == 1 {
                left.push(game);
            }
        }
        assert_eq!(begun.get(1, usize::MAX), left);
        let mut groups = known.repeated();
        assert!(groups.iter().all(|games| games.is_sorted()));
        groups.sort_unstable();
        assert_eq!(groups.len(), keys as usize);
        let sixth: Vec<GameId> = groups[6 - 1].iter().map(|&game| game.into()).collect();
        assert_eq!(sixth, with(6));
    }
}
