//! The games of a database by what those that are the same agree in, at hand in memory: some ten
//! bytes a game, and four for its checksum.

use std::{borrow::Cow, collections::HashMap};

use foldhash::fast::FixedState;

use crate::{
    base::{mix, record::GameId, runs::MarkedRuns},
    db::{
        index::sums::Fingerprint,
        store::{Store, StoreError},
    },
};

/// As many games with the same moves are looked at one by one; of more, those alone that are equal
/// in all.
const LOOKED_AT: usize = 64;

/// Games of a list at which lists are made anew, and with which they begin: all of a list are looked
/// through for each game that comes in.
const LIST_GAMES: (usize, usize) = (1024, 256);

/// The games of a database, and those that come in.
#[derive(Debug, Default)]
pub struct KnownGames {
    /// By their moves.
    moves: KeyedGames,
    /// The checksums of all games, by number.
    sums: Vec<u32>,
    /// Games with moves that very many have, by their moves and their checksums.
    equal: HashMap<(u32, u32), Vec<u32>, FixedState>,
    /// Games by how they begin, where parts of games are looked for.
    begun: Option<KeyedGames>,
}

/// Games by keys. Ten million of them are put into lists in a fraction of the time that a table of
/// them takes, which few of those who add some games look into.
#[derive(Debug, Default)]
struct KeyedGames {
    /// Keys and games in order of the games, in a power of two of lists.
    lists: Vec<Vec<(u32, u32)>>,
    games: usize,
    /// The games of keys that very many have, which are in no list.
    crowds: HashMap<u32, Vec<u32>, FixedState>,
}

impl KnownGames {
    /// None so far, of which parts of games are found too.
    pub fn with_parts() -> Self {
        Self {
            begun: Some(KeyedGames::default()),
            ..Self::default()
        }
    }

    /// Adds those of a database, but for some that are not there.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged.
    pub fn of(self, store: &Store, but: &MarkedRuns) -> Result<Self, StoreError> {
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
        but: &MarkedRuns,
    ) -> Result<Self, StoreError> {
        let games = usize::try_from(last).unwrap_or(0);
        self.sums.reserve_exact(games + 1);
        self.moves.make_lists_for(games);
        if let Some(begun) = &mut self.begun {
            begun.make_lists_for(games);
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
        if self.sums.len() <= number as usize {
            self.sums.resize(number as usize + 1, 0);
        }
        self.sums[number as usize] = print.sum;
        if let Some(begun) = &mut self.begun
            && print.beginning > 0
        {
            begun.add(print.beginning, number);
        }
        let crowded = self.moves.add(print.moves, number);
        for (moves, game) in crowded {
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

    /// The games with these moves that are equal in all else, in order.
    pub fn equal(&self, print: Fingerprint) -> Cow<'_, [u32]> {
        if self.moves.crowds.contains_key(&print.moves) {
            let games = self.equal.get(&(print.moves, print.sum));
            return games.map_or(&[][..], Vec::as_slice).into();
        }
        let mut games = self.moves.get(print.moves).into_owned();
        games.retain(|game| self.sums[*game as usize] == print.sum);
        games.into()
    }

    /// Games with these moves, the last of them if they are many.
    pub fn alike(&self, print: Fingerprint) -> Cow<'_, [u32]> {
        let last = |games: &[u32]| games.len().saturating_sub(LOOKED_AT);
        match self.moves.get(print.moves) {
            Cow::Borrowed(games) => games[last(games)..].into(),
            Cow::Owned(mut games) => {
                games.drain(..last(&games));
                games.into()
            }
        }
    }

    /// Games that begin like this one, where they are looked for.
    pub fn begun_alike(&self, print: Fingerprint) -> Vec<GameId> {
        let begun = self.begun.as_ref().filter(|_| print.beginning > 0);
        let games = begun.map(|begun| begun.get(print.beginning));
        let games = games.iter().flat_map(|games| games.iter());
        games.map(|&game| game.into()).collect()
    }

    /// All games with moves that several have: those of one key after the other, in order.
    pub fn repeated(&self) -> Vec<Vec<u32>> {
        self.moves.repeated()
    }
}

impl KeyedGames {
    /// Makes room for so many games.
    fn make_lists_for(&mut self, games: usize) {
        let lists = (games / LIST_GAMES.1).max(1).next_power_of_two();
        let room = games / lists + games / lists / 4;
        let list = || Vec::with_capacity(room);
        let old = std::mem::take(&mut self.lists);
        self.lists.resize_with(lists, list);
        for (key, game) in old.into_iter().flatten() {
            let at = self.list_of(key);
            self.lists[at].push((key, game));
        }
    }

    fn list_of(&self, key: u32) -> usize {
        mix(key.into()) as usize & (self.lists.len() - 1)
    }

    /// Adds a game; what has become crowded, with its keys.
    fn add(&mut self, key: u32, game: u32) -> Vec<(u32, u32)> {
        if !self.crowds.is_empty()
            && let Some(crowd) = self.crowds.get_mut(&key)
        {
            crowd.push(game);
            return vec![(key, game)];
        }
        if self.games >= self.lists.len() * LIST_GAMES.0 || self.lists.is_empty() {
            self.make_lists_for(self.games);
        }
        self.games += 1;
        let at = self.list_of(key);
        let list = &mut self.lists[at];
        list.push((key, game));
        // Keys are as good as random, so that a list is that long only if many games share one.
        if list.len() >= 4 * LIST_GAMES.0 && list.len().is_power_of_two() {
            return self.crowd(at);
        }
        Vec::new()
    }

    /// Takes the games of keys that very many have out of a list.
    fn crowd(&mut self, at: usize) -> Vec<(u32, u32)> {
        let mut list = std::mem::take(&mut self.lists[at]);
        list.sort_unstable();
        let mut crowded = Vec::new();
        for games in list.chunk_by(|one, other| one.0 == other.0) {
            if games.len() > LOOKED_AT {
                let crowd = games.iter().map(|&(_, game)| game).collect();
                self.crowds.insert(games[0].0, crowd);
                crowded.extend_from_slice(games);
            }
        }
        list.retain(|(key, _)| !self.crowds.contains_key(key));
        list.sort_unstable_by_key(|&(_, game)| game);
        self.games -= crowded.len();
        self.lists[at] = list;
        crowded
    }

    /// The games of a key, in order.
    fn get(&self, key: u32) -> Cow<'_, [u32]> {
        if self.lists.is_empty() {
            return Cow::Borrowed(&[]);
        }
        if !self.crowds.is_empty()
            && let Some(crowd) = self.crowds.get(&key)
        {
            return crowd[..].into();
        }
        let list = self.lists[self.list_of(key)].iter();
        let its = list.filter(|(its, _)| *its == key);
        Cow::Owned(its.map(|&(_, game)| game).collect())
    }

    /// All games of keys that several have.
    fn repeated(&self) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = self.crowds.values().cloned().collect();
        for list in &self.lists {
            let mut list = list.clone();
            list.sort_unstable();
            let groups = list.chunk_by(|one, other| one.0 == other.0);
            let groups = groups.filter(|games| games.len() > 1);
            found.extend(groups.map(|games| games.iter().map(|&(_, game)| game).collect()));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_their_moves() {
        let mut known = KnownGames::default();
        let print = |moves: u32, sum: u32| Fingerprint {
            sum,
            moves,
            beginning: 0,
        };
        assert_eq!(*known.alike(print(7, 1)), [] as [u32; 0]);
        for game in 1..=5_000_u32 {
            known.add(game.into(), print(game % 1_000, game % 7));
        }
        let with = |wanted: &dyn Fn(u32) -> bool| -> Vec<u32> {
            (1..=5_000).filter(|&game| wanted(game)).collect()
        };
        let found = |games: Cow<'_, [u32]>| games.into_owned();
        for moves in 0..1_000 {
            assert_eq!(
                found(known.alike(print(moves, 9))),
                with(&|game| game % 1_000 == moves)
            );
            let equal = with(&|game| game % 1_000 == moves && game % 7 == 3);
            assert_eq!(found(known.equal(print(moves, 3))), equal);
        }
        assert_eq!(*known.alike(print(1_000, 0)), [] as [u32; 0]);
        // Games of one key leave the lists, those of others stay.
        for game in 5_001..=25_000 {
            known.add(game, print(5, u32::from(game % 2 == 0)));
        }
        assert!(!known.moves.crowds.is_empty());
        assert_eq!(known.alike(print(5, 0)).len(), LOOKED_AT);
        assert_eq!(known.alike(print(5, 0)).last(), Some(&25_000));
        let equal = found(known.equal(print(5, 1)));
        assert!(equal.is_sorted() && equal.ends_with(&[24_998, 25_000]));
        let odd = (1..=5_000).filter(|game| game % 1_000 == 5 && game % 7 == 1);
        assert_eq!(equal.len(), 10_000 + odd.count());
        let alike = with(&|game| game % 1_000 == 6);
        assert_eq!(found(known.alike(print(6, 0))), alike);
        let mut groups = known.repeated();
        groups.sort_unstable();
        assert_eq!(groups.len(), 1_000);
        assert!(groups.iter().all(|games| games.is_sorted()));
        assert_eq!(groups[6 - 1][..3], [6, 1_006, 2_006]);
    }
}
