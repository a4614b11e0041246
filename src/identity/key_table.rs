//! Games by keys, for very many games, few of which are requested.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::fingerprints::LOOKED_AT;
use crate::base::{mix, work};

/// Lists of games; each is put in order once it was searched `LOOKS_MAX` times, and again when
/// `UNORDERED_MAX` games have come.
const LISTS: usize = 1024;
const LOOKS_MAX: u32 = 16;
const UNORDERED_MAX: usize = 256;

/// Bits that [`KeyBitmap`] have for the games of all lists: half a megabyte.
const LISTED_BITS: u32 = 22;

/// A bit for the lower bits of each of some keys: most keys that are not among them are passed over
/// without a look at them.
#[derive(Debug, Default)]
pub(super) struct KeyBitmap {
    /// As many as there are to be, or none as long as there are no keys.
    words: Vec<u64>,
}

impl KeyBitmap {
    /// For keys; this many bits of them count.
    pub(super) fn new(bits: u32) -> Self {
        Self {
            words: vec![0; 1 << (bits - u64::BITS.ilog2())],
        }
    }

    /// Adds a key.
    #[inline]
    pub(super) fn add(&mut self, key: u32) {
        let word = key as usize / 64 % self.words.len();
        self.words[word] |= 1 << (key % 64);
    }

    /// Whether a key may be among them.
    #[inline]
    pub(super) fn may_have(&self, key: u32) -> bool {
        let word = (key as usize / 64).checked_rem(self.words.len());
        word.is_some_and(|word| self.words[word] >> (key % 64) & 1 == 1)
    }
}

/// Games by keys. Ten million of them are put into lists in a fraction of the time that a table of
/// them takes, and an import that adds some thousands of games looks into a list a few times.
#[derive(Debug, Default)]
pub(super) struct KeyTable {
    /// As many as there are to be, or none as long as there are no games.
    pub(super) lists: Vec<KeyList>,
    /// Of all games that were added.
    glance: KeyBitmap,
    /// The games of keys that very many have, which are in no list.
    pub(super) crowds: HashMap<u32, Vec<u32>, FixedState>,
}

/// Some keys with their games.
#[derive(Debug, Default)]
pub(super) struct KeyList {
    /// In the order of the games, but for the first ones.
    games: Vec<(u32, u32)>,
    /// How many of them are in order of their keys.
    pub(super) ordered: usize,
    /// How often it was looked into before that.
    looks: u32,
}

impl KeyTable {
    /// Makes lists, with nothing in them.
    fn begin(&mut self) {
        self.lists.resize_with(LISTS, KeyList::default);
        self.glance = KeyBitmap::new(LISTED_BITS);
    }

    /// Makes room for `games` games.
    pub(super) fn reserve(&mut self, games: usize) {
        self.begin();
        let room = games / LISTS + games / LISTS / 16;
        for list in &mut self.lists {
            list.games.reserve_exact(room);
        }
    }

    /// In which list a key is.
    fn list_of(key: u32) -> usize {
        mix(key.into()) as usize % LISTS
    }

    /// Adds a game; whether it has joined a crowd.
    pub(super) fn add(&mut self, key: u32, game: u32) -> bool {
        if !self.crowds.is_empty()
            && let Some(crowd) = self.crowds.get_mut(&key)
        {
            crowd.push(game);
            return true;
        }
        if self.lists.is_empty() {
            self.begin();
        }
        self.glance.add(key);
        self.lists[Self::list_of(key)].games.push((key, game));
        false
    }

    /// Takes a game away, if it has that key.
    pub(super) fn remove(&mut self, key: u32, game: u32) {
        if let Some(crowd) = self.crowds.get_mut(&key) {
            if let Ok(at) = crowd.binary_search(&game) {
                crowd.remove(at);
            }
            return;
        }
        let Some(list) = self.lists.get_mut(Self::list_of(key)) else {
            return;
        };
        let (ordered, others) = list.games.split_at(list.ordered);
        if let Ok(at) = ordered.binary_search(&(key, game)) {
            list.games.remove(at);
            list.ordered -= 1;
        } else if let Some(at) = others.iter().rposition(|&its| its == (key, game)) {
            list.games.remove(list.ordered + at);
        }
    }

    /// Puts the list of a key in order, if that is worth while; what has become crowded.
    pub(super) fn look(&mut self, key: u32) -> Vec<(u32, u32)> {
        if !self.glance.may_have(key) {
            return Vec::new();
        }
        let Some(list) = self.lists.get_mut(Self::list_of(key)) else {
            return Vec::new();
        };
        list.looks = list.looks.saturating_add(1);
        if list.looks < LOOKS_MAX || list.games.len() - list.ordered <= UNORDERED_MAX {
            return Vec::new();
        }
        list.games.sort_unstable();
        let mut crowded = Vec::new();
        for games in list.games.chunk_by(|one, other| one.0 == other.0) {
            if games.len() > LOOKED_AT {
                let crowd = games.iter().map(|&(_, game)| game).collect();
                self.crowds.insert(games[0].0, crowd);
                crowded.extend_from_slice(games);
            }
        }
        if !crowded.is_empty() {
            list.games.retain(|(key, _)| !self.crowds.contains_key(key));
        }
        list.ordered = list.games.len();
        crowded
    }

    /// The games of a key, in order, or the last `most` of them.
    pub(super) fn get(&self, key: u32, most: usize) -> Vec<u32> {
        if !self.glance.may_have(key) {
            return Vec::new();
        }
        if let Some(crowd) = self.crowd(key) {
            let games = &crowd[crowd.len().saturating_sub(most)..];
            work::done(games.len());
            return games.to_vec();
        }
        let mut games: Vec<u32> = self.listed(key).collect();
        work::done(games.len());
        games.drain(..games.len().saturating_sub(most));
        games
    }

    /// Whether a key has any games.
    pub(super) fn has(&self, key: u32) -> bool {
        self.glance.may_have(key)
            && (self.crowd(key).is_some() || self.listed(key).next().is_some())
    }

    fn crowd(&self, key: u32) -> Option<&Vec<u32>> {
        if self.crowds.is_empty() {
            return None;
        }
        self.crowds.get(&key)
    }

    /// The games of a key that is no crowd's, in order.
    fn listed(&self, key: u32) -> impl Iterator<Item = u32> {
        let list = self.lists.get(Self::list_of(key));
        let (ordered, others) =
            list.map_or((&[][..], &[][..]), |list| list.games.split_at(list.ordered));
        let from = ordered.partition_point(|&(its, _)| its < key);
        let first = ordered[from..]
            .iter()
            .take_while(move |&&(its, _)| its == key);
        let further = others.iter().filter(move |&&(its, _)| its == key);
        first.chain(further).map(|&(_, game)| game)
    }

    /// All games with their keys.
    pub(super) fn all(&self) -> Vec<(u32, u32)> {
        let crowds = self.crowds.iter();
        let crowds = crowds.flat_map(|(&key, games)| games.iter().map(move |&game| (key, game)));
        let listed = self.lists.iter().flat_map(|list| &list.games).copied();
        listed.chain(crowds).collect()
    }

    /// All games of keys that several have.
    pub(super) fn repeated(&self) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = self.crowds.values().cloned().collect();
        for list in &self.lists {
            let mut games = list.games.clone();
            games.sort_unstable();
            let groups = games.chunk_by(|one, other| one.0 == other.0);
            let groups = groups.filter(|games| games.len() > 1);
            found.extend(groups.map(|games| games.iter().map(|&(_, game)| game).collect()));
        }
        found
    }
}
