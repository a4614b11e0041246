//! The dictionaries of an import: texts and start positions become numbers.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    hash::BuildHasher,
};

use foldhash::fast::FixedState;

use crate::{
    base::limits::DICTIONARY_BYTES_MAX,
    db::{
        index::facts::PackedFacts,
        store::{NameTable, Names, StartRow, Store, StoreError},
    },
    games::{AnyCursor, NamedOpening},
};

/// The tables of [`BatchGame::names`].
pub(in crate::db) const TABLE_OF_NAME: [NameTable; 4] = [
    NameTable::Player,
    NameTable::Player,
    NameTable::Event,
    NameTable::Site,
];

/// Values seen once are remembered by their hash; beyond that many, anew.
const SEEN_ONCE_MAX: usize = 1 << 20;
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

/// Gives numbers to texts and start positions, and stores new ones.
pub(in crate::db) struct Interner<'s> {
    store: &'s Store,
    dictionaries: [Names; 7],
    seen_once: HashSet<u64, FixedState>,
    hasher: FixedState,
    starts: HashMap<StartKey, u32, FixedState>,
    /// About how many bytes they take.
    start_bytes: usize,
    next_start: u32,
    /// The ids of openings by their numbers; 0 is not known yet.
    openings: Vec<u32>,
}

impl<'s> Interner<'s> {
    pub(in crate::db) fn new(store: &'s Store) -> Result<Self, StoreError> {
        let dictionaries = NameTable::DICTIONARIES.map(|table| store.dictionary(table));
        let [players, events, sites, texts, layouts, authors, openings] = dictionaries;
        let dictionaries = [
            players?, events?, sites?, texts?, layouts?, authors?, openings?,
        ];
        let mut interner = Self {
            store,
            dictionaries,
            seen_once: HashSet::default(),
            hasher: FixedState::default(),
            starts: HashMap::default(),
            start_bytes: 0,
            next_start: 1,
            openings: Vec::new(),
        };
        store.for_each_start(|start| {
            let id = start.id;
            interner.remember(key_of(start), id);
        })?;
        Ok(interner)
    }

    /// Keeps the id of a start position at hand, unless there are too many of them.
    fn remember(&mut self, key: StartKey, id: u32) {
        /// What one takes besides its FEN, about.
        const START_BYTES: usize = 80;
        self.next_start = self.next_start.max(id.saturating_add(1));
        let bytes = self.start_bytes + key.3.len() + START_BYTES;
        if bytes <= DICTIONARY_BYTES_MAX {
            self.start_bytes = bytes;
            self.starts.insert(key, id);
        }
    }

    /// The id of a text in a dictionary, adding it if it is new.
    pub(in crate::db) fn text(&mut self, table: NameTable, text: &str) -> Result<u32, StoreError> {
        let dictionary = &mut self.dictionaries[table as usize];
        if let Some(id) = dictionary.get(text) {
            return Ok(id);
        }
        let id = dictionary.add(text);
        self.store.insert_name(table, id, text)?;
        Ok(id)
    }

    /// Gives facts the ids of the names of White, Black, event and site; 0 where there is none.
    pub(in crate::db) fn names(
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

    /// The id of an opening, likewise; 0 for none.
    pub(in crate::db) fn opening(
        &mut self,
        opening: Option<&NamedOpening>,
    ) -> Result<u32, StoreError> {
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
    pub(in crate::db) fn start(
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
    pub(in crate::db) fn extra<'v>(
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
