//! The dictionaries of an import: texts and start positions become numbers.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    hash::BuildHasher,
};

use foldhash::fast::FixedState;

use crate::{
    base::limits::DICTIONARY_BYTES_MAX,
    blocks::facts::PackedFacts,
    games::{AnyCursor, NamedOpening},
    store::{NameRows, NameTable, StartRow, Store, StoreError, TABLE_OF_NAME},
};

/// Of a database with more players, an import reads the names alone that its games have: all of ten
/// million games take a third as long as adding five thousand to them.
const ALL_PLAYERS_MAX: u32 = 50_000;
/// At most this many scans of the names of all players; then all are kept.
const LOOKS_MAX: u32 = 3;
/// Bits of a hash that exclude most names.
const GLANCE_BITS: u32 = 18;

/// Values seen once are remembered by their hash; beyond that many, it starts again.
const SEEN_ONCE_MAX: usize = 1 << 20;
/// This many players are remembered with their numbers; then it starts again.
const FIDE_IDS_MAX: usize = 1 << 20;
/// Shorter values are not worth a row of their own.
const TEXT_BYTES_MIN: usize = 3;

/// Variant, corner of square 1, whether it can be played, and FEN as written with what
/// stands on the board: the same tags may stand over games that are played and over others
/// that are not, and letters of draughts be named from several corners.
type StartKey = (u8, Option<u8>, bool, String);

fn key_of(start: StartRow) -> StartKey {
    let mut text = start.fen;
    let canonical = start.canonical.as_deref().filter(|own| *own != text);
    if let Some(canonical) = canonical {
        text = format!("{text}\r{canonical}");
    }
    if let Some(diagram) = &start.diagram {
        text.push('\n');
        text.push_str(diagram);
    }
    (start.variant, start.corner, start.canonical.is_some(), text)
}

/// Names of players; only those that were requested were read.
#[derive(Default)]
struct PartialNameTable {
    /// The hashes of those.
    asked: HashSet<u64, FixedState>,
    /// How often all were looked at.
    looks: u32,
}

/// Gives numbers to texts and start positions, and stores new ones.
pub(crate) struct Interner<'s> {
    store: &'s Store,
    dictionaries: [NameRows; 7],
    /// The players whose names were not read, unless they were requested.
    unread: Option<PartialNameTable>,
    seen_once: HashSet<u64, FixedState>,
    hasher: FixedState,
    starts: HashMap<StartKey, u32, FixedState>,
    /// About how many bytes they take.
    start_bytes: usize,
    next_start: u32,
    /// The ids of openings by their numbers; 0 is not known yet.
    openings: Vec<u32>,
    /// Players with the numbers that FIDE has given to them, as far as they are remembered.
    fide_ids: HashSet<(u32, u32), FixedState>,
}

impl<'s> Interner<'s> {
    pub(crate) fn new(store: &'s Store) -> Result<Self, StoreError> {
        Self::keeping(store, ALL_PLAYERS_MAX)
    }

    /// Of a database with more players than some, those alone are read that are
    /// [requested](Self::ask_players).
    fn keeping(store: &'s Store, all_max: u32) -> Result<Self, StoreError> {
        let last = store.last_player()?;
        let unread = (last > all_max).then(PartialNameTable::default);
        let dictionaries = NameTable::DICTIONARIES.map(|table| match table {
            NameTable::Player if unread.is_some() => Ok(store.dictionary_behind(last)),
            table => store.dictionary(table),
        });
        let [players, events, sites, texts, layouts, authors, openings] = dictionaries;
        let dictionaries = [
            players?, events?, sites?, texts?, layouts?, authors?, openings?,
        ];
        let mut interner = Self {
            store,
            dictionaries,
            unread,
            seen_once: HashSet::default(),
            hasher: FixedState::default(),
            starts: HashMap::default(),
            start_bytes: 0,
            next_start: 1,
            openings: Vec::new(),
            fide_ids: HashSet::default(),
        };
        store.for_each_start(|start| {
            let id = start.id;
            interner.remember(key_of(start), id);
        })?;
        Ok(interner)
    }

    /// Keeps the id of a start position in memory, unless there are too many of them.
    fn remember(&mut self, key: StartKey, id: u32) {
        /// What one takes in addition to its FEN, about.
        const START_BYTES: usize = 80;
        self.next_start = self.next_start.max(id.saturating_add(1));
        let bytes = self.start_bytes + key.3.len() + START_BYTES;
        if bytes <= DICTIONARY_BYTES_MAX {
            self.start_bytes = bytes;
            self.starts.insert(key, id);
        }
    }

    /// Whether players must be [requested](Self::ask_players).
    pub(crate) const fn is_partly_read(&self) -> bool {
        self.unread.is_some()
    }

    /// Reads the players of these names; best of many at once.
    pub(crate) fn ask_players<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<(), StoreError> {
        let Some(unread) = &mut self.unread else {
            return Ok(());
        };
        let mut wanted: HashSet<u64, FixedState> = HashSet::default();
        let mut glance = vec![0_u64; 1 << (GLANCE_BITS - 6)];
        for name in names {
            let hash = self.hasher.hash_one(name);
            if unread.asked.insert(hash) {
                let at = (hash >> (u64::BITS - GLANCE_BITS)) as usize;
                glance[at / 64] |= 1 << (at % 64);
                wanted.insert(hash);
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        if unread.looks == LOOKS_MAX {
            return self.read_players();
        }
        unread.looks += 1;
        let players = &mut self.dictionaries[NameTable::Player as usize];
        let hasher = &self.hasher;
        self.store.for_each_name(NameTable::Player, |id, name| {
            let hash = hasher.hash_one(name);
            let at = (hash >> (u64::BITS - GLANCE_BITS)) as usize;
            if glance[at / 64] >> (at % 64) & 1 == 1 && wanted.contains(&hash) {
                players.insert(id, name);
            }
        })
    }

    /// Reads all players, after all.
    fn read_players(&mut self) -> Result<(), StoreError> {
        self.unread = None;
        self.dictionaries[NameTable::Player as usize] = self.store.dictionary(NameTable::Player)?;
        Ok(())
    }

    /// The id of a text in a dictionary, adding it if it is new.
    pub(crate) fn text(&mut self, table: NameTable, text: &str) -> Result<u32, StoreError> {
        let dictionary = &mut self.dictionaries[table as usize];
        if let Some(id) = dictionary.get(text) {
            return Ok(id);
        }
        if table == NameTable::Player
            && let Some(unread) = &self.unread
            && !unread.asked.contains(&self.hasher.hash_one(text))
        {
            self.read_players()?;
            return self.text(table, text);
        }
        let dictionary = &mut self.dictionaries[table as usize];
        let id = dictionary.add(text);
        self.store.insert_name(table, id, text)?;
        Ok(id)
    }

    /// Gives facts the ids of the names of White, Black, event and site; 0 where there is none.
    pub(crate) fn names(
        &mut self,
        names: [Option<&str>; 4],
        facts: &mut PackedFacts,
    ) -> Result<(), StoreError> {
        let columns = [
            &mut facts.white,
            &mut facts.black,
            &mut facts.event,
            &mut facts.site,
        ];
        for ((column, name), table) in columns.into_iter().zip(names).zip(TABLE_OF_NAME) {
            *column = name.map_or(Ok(0), |name| self.text(table, name))?;
        }
        Ok(())
    }

    /// Files the numbers that FIDE has given to White and Black, 0 for none, under their names.
    pub(crate) fn fide_ids(
        &mut self,
        facts: &PackedFacts,
        fide_ids: [u32; 2],
    ) -> Result<(), StoreError> {
        for (player, id) in [facts.white, facts.black].into_iter().zip(fide_ids) {
            if player == 0 || id == 0 {
                continue;
            }
            if self.fide_ids.len() >= FIDE_IDS_MAX {
                self.fide_ids.clear();
            }
            if self.fide_ids.insert((player, id)) {
                self.store.insert_fide_name(player, id)?;
            }
        }
        Ok(())
    }

    /// The id of an opening, likewise; 0 for none.
    pub(crate) fn opening(&mut self, opening: Option<&NamedOpening>) -> Result<u32, StoreError> {
        let Some(opening) = opening else {
            return Ok(0);
        };
        let at = usize::from(opening.number);
        if self.openings.len() <= at {
            self.openings.resize(at + 1, 0);
        }
        if self.openings[at] == 0 {
            self.openings[at] = self.text(NameTable::Opening, &opening.text())?;
        }
        Ok(self.openings[at])
    }

    /// The id of a start position, adding it if it is new.
    pub(crate) fn start(
        &mut self,
        row: &StartRow,
        cursor: Option<&AnyCursor>,
    ) -> Result<u32, StoreError> {
        let key = key_of(row.clone());
        if let Some(&id) = self.starts.get(&key) {
            return Ok(id);
        }
        let id = self.next_start;
        let key_and_state = cursor.map(|at| (at.board_key(), at.state_bits()));
        self.store.insert_start(id, row, key_and_state)?;
        self.remember(key, id);
        Ok(id)
    }

    /// The values without a column as JSON: a text, or the number of a row of
    /// `text` for what occurs again and again.
    pub(crate) fn extra<'v>(
        &mut self,
        values: impl Iterator<Item = &'v str>,
    ) -> Result<Option<String>, StoreError> {
        let mut json = String::new();
        for value in values {
            json.push(if json.is_empty() { '[' } else { ',' });
            // Writing to memory cannot fail.
            let _ = match self.repeated(value)? {
                Some(id) => write!(json, "{id}"),
                None => write!(json, "{}", serde_json::Value::from(value)),
            };
        }
        if json.is_empty() {
            return Ok(None);
        }
        json.push(']');
        Ok(Some(json))
    }

    /// The row of a value that was seen before.
    fn repeated(&mut self, value: &str) -> Result<Option<u32>, StoreError> {
        if let Some(id) = self.dictionaries[NameTable::Text as usize].get(value) {
            return Ok(Some(id));
        }
        if value.len() < TEXT_BYTES_MIN {
            return Ok(None);
        }
        if self.seen_once.len() >= SEEN_ONCE_MAX {
            self.seen_once.clear();
        }
        if self.seen_once.insert(self.hasher.hash_one(value)) {
            return Ok(None);
        }
        self.text(NameTable::Text, value).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::observe::CancellationToken;

    #[test]
    fn players_have_their_numbers_whether_all_are_read_or_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("names.db");
        let store =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        store.begin().expect("a transaction");
        let name = |nth: u32| format!("Player {nth}");
        let mut all = Interner::new(&store).expect("names");
        for nth in 1..=100 {
            assert_eq!(
                all.text(NameTable::Player, &name(nth)).expect("a number"),
                nth
            );
        }
        let mut few = Interner::keeping(&store, 99).expect("names");
        assert!(few.is_partly_read());
        let number = |few: &mut Interner<'_>, nth: u32| {
            few.text(NameTable::Player, &name(nth)).expect("a number")
        };
        // Of those that are requested, some are stored and some new.
        let asked = [3, 70, 101, 3, 102].map(name);
        few.ask_players(asked.iter().map(String::as_str))
            .expect("names");
        for (nth, id) in [(70, 70), (102, 101), (3, 3), (101, 102), (102, 101)] {
            assert_eq!(number(&mut few, nth), id);
        }
        for nth in 110..110 + LOOKS_MAX {
            assert!(few.is_partly_read());
            few.ask_players(std::iter::once(&name(nth)[..]))
                .expect("names");
        }
        assert!(!few.is_partly_read());
        assert_eq!((number(&mut few, 50), number(&mut few, 102)), (50, 101));
        // One that was not requested is found all the same.
        let mut few = Interner::keeping(&store, 99).expect("names");
        assert_eq!(number(&mut few, 60), 60);
        assert!(!few.is_partly_read());
    }
}
