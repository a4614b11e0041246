//! The games of a database by what those that are the same agree in, at hand in memory: eight to
//! sixteen bytes a game, and four for its checksum.

use std::collections::HashMap;

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

/// The games of a database, and those that come in.
#[derive(Debug, Default)]
pub struct KnownGames {
    /// Open addressing: the key of the moves, and the number of a game, 0 where there is none.
    slots: Vec<(u32, u32)>,
    used: usize,
    /// The checksums of all games, by number.
    sums: Vec<u32>,
    /// All games of a key that several have.
    more: HashMap<u32, Alike, FixedState>,
    /// Games by how they begin, where parts of games are looked for.
    begun: Option<HashMap<u32, Vec<u32>, FixedState>>,
}

/// Games whose moves have one key.
#[derive(Debug, Default)]
struct Alike {
    games: Vec<u32>,
    by_sum: HashMap<u32, Vec<u32>, FixedState>,
}

impl KnownGames {
    /// None so far, of which parts of games are found too.
    pub fn with_parts() -> Self {
        Self {
            begun: Some(HashMap::default()),
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
        let mut known = self;
        known.grow(games);
        let mut expected = 1;
        store.for_each_print(|game, print| {
            if game == expected && game <= last {
                if !but.contains(game) {
                    known.add(game, print);
                }
                expected += 1;
            }
        })?;
        match expected - 1 {
            last if last == games as GameId => Ok(known),
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
            begun.entry(print.beginning).or_default().push(number);
        }
        if self.used * 4 >= self.slots.len() * 3 {
            self.grow(self.used * 2);
        }
        let place = self.place(print.moves);
        let first = match self.slots[place] {
            (_, 0) => {
                self.slots[place] = (print.moves, number);
                self.used += 1;
                return;
            }
            (_, first) => first,
        };
        let alike = self.more.entry(print.moves).or_insert_with(|| {
            let mut alike = Alike::default();
            alike.push(first, self.sums[first as usize]);
            alike
        });
        alike.push(number, print.sum);
    }

    /// The checksum of a game.
    pub fn sum(&self, game: GameId) -> u32 {
        let sum = usize::try_from(game)
            .ok()
            .and_then(|game| self.sums.get(game));
        sum.copied().unwrap_or(0)
    }

    /// The games with these moves that are equal in all else, in order.
    pub fn equal(&self, print: Fingerprint) -> &[u32] {
        if let Some(alike) = self.more.get(&print.moves) {
            return alike.by_sum.get(&print.sum).map_or(&[], Vec::as_slice);
        }
        let only = self.only(print.moves);
        let is_equal = |game: &&u32| self.sums[**game as usize] == print.sum;
        only.filter(is_equal).map_or(&[], std::slice::from_ref)
    }

    /// Games with these moves, the last of them if they are many.
    pub fn alike(&self, print: Fingerprint) -> &[u32] {
        if let Some(Alike { games, .. }) = self.more.get(&print.moves) {
            return &games[games.len().saturating_sub(LOOKED_AT)..];
        }
        self.only(print.moves).map_or(&[], std::slice::from_ref)
    }

    /// Games that begin like this one, where they are looked for.
    pub fn begun_alike(&self, print: Fingerprint) -> Vec<GameId> {
        let begun = self.begun.as_ref().filter(|_| print.beginning > 0);
        let games = begun.and_then(|begun| begun.get(&print.beginning));
        let games = games.into_iter().flatten();
        games.map(|&game| game.into()).collect()
    }

    /// All games with moves that several have, those of one key after the other, in order.
    pub fn repeated(&self) -> impl Iterator<Item = &[u32]> {
        self.more.values().map(|alike| &alike.games[..])
    }

    /// All games that begin alike, likewise.
    pub fn begun(&self) -> impl Iterator<Item = &[u32]> {
        let begun = self.begun.iter().flat_map(HashMap::values);
        begun.map(Vec::as_slice).filter(|games| games.len() > 1)
    }

    fn only(&self, moves: u32) -> Option<&u32> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, game) = &self.slots[self.place(moves)];
        (*game > 0).then_some(game)
    }

    /// Where a key stands, or would.
    fn place(&self, moves: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = mix(moves.into()) as usize & mask;
        while self.slots[place].1 > 0 && self.slots[place].0 != moves {
            place = (place + 1) & mask;
        }
        place
    }

    /// Makes room for so many keys.
    fn grow(&mut self, keys: usize) {
        let slots = (keys.max(512) * 4 / 3 + 1).next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); slots]);
        for (moves, game) in old.into_iter().filter(|&(_, game)| game > 0) {
            let place = self.place(moves);
            self.slots[place] = (moves, game);
        }
    }
}

impl Alike {
    fn push(&mut self, game: u32, sum: u32) {
        self.games.push(game);
        self.by_sum.entry(sum).or_default().push(game);
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
        assert_eq!(known.alike(print(7, 1)), &[] as &[u32]);
        for game in 1..=5_000_u32 {
            known.add(game.into(), print(game % 1_000, game % 7));
        }
        let with = |wanted: &dyn Fn(u32) -> bool| -> Vec<u32> {
            (1..=5_000).filter(|&game| wanted(game)).collect()
        };
        for moves in 0..1_000 {
            assert_eq!(
                known.alike(print(moves, 9)),
                with(&|game| game % 1_000 == moves)
            );
            let equal = with(&|game| game % 1_000 == moves && game % 7 == 3);
            assert_eq!(known.equal(print(moves, 3)), equal);
        }
        assert_eq!(known.alike(print(1_000, 0)), &[] as &[u32]);
        for game in 5_001..=6_000 {
            known.add(game, print(5, 0));
        }
        assert_eq!(known.alike(print(5, 0)).len(), LOOKED_AT);
        assert_eq!(known.alike(print(5, 0)).last(), Some(&6_000));
    }
}
