//! Rows that queries read: games, names, start positions, sources.

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use rusqlite::params;
use serde::Serialize;

use super::{
    Store, StoreCache, StoreError,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::record::GameId,
    blocks::facts::{self, PackedFacts},
    pgn::tags::eco,
};

/// A row of `game` with its names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameRow {
    /// Names: White, Black, event, site.
    pub names: [Option<String>; 4],
    /// Date as `yyyymmdd`, unknown parts 0.
    pub date: Option<u32>,
    /// Tag `Round`.
    pub round: Option<String>,
    /// Outcome code.
    pub outcome: u8,
    /// Ratings of White and Black.
    pub elos: [Option<u16>; 2],
    /// ECO code.
    pub eco: Option<String>,
    /// Plies of the main line.
    pub plies: u32,
    /// Variant id.
    pub variant: u8,
    /// Start position, if not the usual one.
    pub start: Option<u32>,
    /// JSON array of tag names, with `+` before those of `extra`.
    pub layout: Arc<str>,
    /// JSON array of further values.
    pub extra: Option<String>,
    /// How the variant is known, where no tag names it.
    pub variant_by: Option<String>,
    /// Its opening as it is stored: a code, a blank and a name.
    pub opening: Option<String>,
}

impl GameRow {
    /// What the row itself says; what other tables have is 0.
    pub fn facts(&self) -> PackedFacts {
        let elo = |elo: Option<u16>| elo.map_or(0, u32::from);
        let eco = self.eco.as_deref();
        let eco = eco.and_then(|text| eco::parse(text.as_bytes()));
        PackedFacts {
            date: self.date.unwrap_or(0),
            outcome: self.outcome.into(),
            white_elo: elo(self.elos[0]),
            black_elo: elo(self.elos[1]),
            eco: eco.map_or(0, |code| u32::from(code) + 1),
            variant: self.variant.into(),
            plies: self.plies,
            ..PackedFacts::default()
        }
    }
}

/// A row of `start_position`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartRow {
    /// Its number.
    pub id: u32,
    /// Variant id.
    pub variant: u8,
    /// As written.
    pub fen: String,
    /// As we write it; none if it cannot be played.
    pub canonical: Option<String>,
    /// Corner of square 1, where a game of draughts has its own.
    pub corner: Option<u8>,
    /// What stands on a board that cannot be played from. Look-ups by key leave it out.
    pub diagram: Option<String>,
}

/// A row of `source_chunk`, as far as an import needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChunkRow {
    /// The source that was read.
    pub source: i64,
    /// Hash of the stream up to its end.
    pub chain: u128,
    /// Hash of the stream up to its parent's end.
    pub parent: u128,
    /// Bytes from there to its end.
    pub bytes: u64,
    /// How many of them belong to chunks before it.
    pub split_bytes: u64,
    /// Whether the stream ended, or broke off, with it.
    pub last: bool,
    /// Whether it ends between two games, where the text does not show it.
    pub is_cut: bool,
    /// The number of the first of its games that were stored.
    pub first_game: u64,
    /// How many these are.
    pub stored: u64,
    /// Its games.
    pub games: u64,
    /// What it had that was too large to be kept.
    pub rejected: u64,
}

/// Where a game was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// The source as it was named, as it is shown.
    pub source: String,
    /// Its last part: the name of the file.
    #[serde(skip)]
    pub file: String,
    /// 1-based number of the game in it.
    pub number: u64,
}

/// The tables of names and other texts that filters search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameTable {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
    /// Values of other tags that several games have.
    Text,
    /// Tag layouts: names as a JSON array.
    Layout,
    /// Composers of problems.
    Author,
    /// Openings: a code, a blank and a name.
    Opening,
    /// Start positions as written.
    Start,
}

/// The tables of the four names of a game's row: White, Black, event, site.
pub const TABLE_OF_NAME: [NameTable; 4] = [
    NameTable::Player,
    NameTable::Player,
    NameTable::Event,
    NameTable::Site,
];

impl NameTable {
    /// Those that an import keeps a dictionary for, in the order of declaration.
    pub const DICTIONARIES: [Self; 7] = [
        Self::Player,
        Self::Event,
        Self::Site,
        Self::Text,
        Self::Layout,
        Self::Author,
        Self::Opening,
    ];

    /// What one name is the name of, and what several are.
    pub const fn nouns(self) -> [&'static str; 2] {
        match self {
            Self::Event => ["event", "events"],
            Self::Site => ["site", "sites"],
            Self::Author => ["composer", "composers"],
            _ => ["player", "players"],
        }
    }

    /// What it is called, and the column of its texts.
    pub(super) const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Player => ("player", "name"),
            Self::Event => ("event", "name"),
            Self::Site => ("site", "name"),
            Self::Text => ("text", "value"),
            Self::Layout => ("tag_layout", "names"),
            Self::Author => ("author", "name"),
            Self::Opening => ("opening", "name"),
            Self::Start => ("start_position", "fen"),
        }
    }
}

/// Layouts that are kept in memory.
const LAYOUTS_MAX: usize = 4096;

/// Whether no name of a layout is missing; a name has neither commas nor brackets.
fn has_all_names(layout: &str) -> bool {
    !layout.contains(",null") && !layout.starts_with("[null")
}

/// Numbers that a table of names may leave out, beside as many as it has.
pub(super) const GAPS_MAX: u32 = 1 << 16;

/// Names that are kept in memory at most, some megabytes.
const NAMES_AT_HAND_MAX: usize = 1 << 15;
/// Bytes of such a name at most.
const NAME_AT_HAND_BYTES_MAX: usize = 120;

fn start_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<StartRow> {
    Ok(StartRow {
        id: row.get(0)?,
        variant: row.get(1)?,
        fen: row.get(2)?,
        canonical: row.get(3)?,
        corner: row.get(4)?,
        diagram: row.get(5)?,
    })
}

fn chunk_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ChunkRow> {
    Ok(ChunkRow {
        chain: u128::from_be_bytes(row.get(0)?),
        parent: u128::from_be_bytes(row.get(1)?),
        bytes: number(row, 2)?,
        split_bytes: number(row, 3)?,
        last: row.get(4)?,
        is_cut: row.get::<_, u8>(4)? == 2,
        games: number(row, 5)?,
        first_game: number(row, 6)?,
        stored: number(row, 7)?,
        source: row.get(8)?,
        rejected: 0,
    })
}

impl Store {
    /// The date of a game as its row has it; 0 if nothing is known of it, or of the game.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; likewise below.
    pub fn date_of(&self, game: GameId) -> Result<u32, StoreError> {
        let date = self.one(sql::DATE_OF_GAME, [game as i64], |row| {
            row.get::<_, Option<u32>>(0)
        })?;
        Ok(date.flatten().unwrap_or(0))
    }

    /// A game's row.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        let at_hand = self.at_hand.as_ref();
        let statement = if at_hand.is_some() {
            sql::GAME_NUMBERS_BY_ID
        } else {
            sql::GAME_BY_ID
        };
        let found = self.one(statement, [game as i64], |row| {
            let mut numbers = [None; 5];
            let (mut names, mut opening) = (Default::default(), None);
            if at_hand.is_some() {
                numbers = [
                    row.get(0)?,
                    row.get(1)?,
                    row.get(2)?,
                    row.get(3)?,
                    row.get(16)?,
                ];
            } else {
                names = [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?];
                opening = row.get(16)?;
            }
            let found = GameRow {
                names,
                date: row.get(4)?,
                round: row.get(5)?,
                outcome: row.get(6)?,
                elos: [row.get(7)?, row.get(8)?],
                eco: row.get(9)?,
                plies: row.get(10)?,
                variant: row.get(11)?,
                start: row.get(12)?,
                layout: Arc::default(),
                extra: row.get(14)?,
                variant_by: row.get(15)?,
                opening,
            };
            Ok((found, row.get(13)?, numbers))
        })?;
        let Some((mut row, layout, numbers)) = found else {
            return Ok(None);
        };
        row.layout = self.layout(layout)?;
        if let Some(at_hand) = at_hand {
            let name = |table, number: Option<u32>| {
                let found = number.map(|number| self.name_at_hand(at_hand, table, number));
                Ok(found.transpose()?.flatten())
            };
            let [white, black, event, site, opening] = numbers;
            row.names = [
                name(NameTable::Player, white)?,
                name(NameTable::Player, black)?,
                name(NameTable::Event, event)?,
                name(NameTable::Site, site)?,
            ];
            row.opening = name(NameTable::Opening, opening)?;
        }
        Ok(Some(row))
    }

    /// The name of a number, which is then in memory; `None` if the table has none. Sites, which
    /// be the addresses of single games, and long names are read again.
    fn name_at_hand(
        &self,
        at_hand: &StoreCache,
        table: NameTable,
        number: u32,
    ) -> Result<Option<String>, StoreError> {
        let mut known = at_hand.names.borrow_mut();
        if let Some(name) = known.get(&(table as u8, number)) {
            return Ok(name.as_deref().map(str::to_owned));
        }
        let statement = sql::name_by_id(table.place());
        let name: Option<Box<str>> =
            self.one(&statement, [number], |row| Ok(row::text(row, 0)?.into()))?;
        if known.len() == NAMES_AT_HAND_MAX {
            known.clear();
        }
        let bytes = name.as_deref().map_or(0, str::len);
        if !matches!(table, NameTable::Site) && bytes <= NAME_AT_HAND_BYTES_MAX {
            known.insert((table as u8, number), name.clone());
        }
        Ok(name.map(String::from))
    }

    /// Whether games may have a tag that says at what time of the day they were played.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn may_have_times(&self) -> Result<bool, StoreError> {
        let find = || {
            let found = self.one(sql::ANY_TIME, [], |_| Ok(()))?;
            Ok(found.is_some())
        };
        self.once(|at_hand| &at_hand.may_have_times, find)
    }

    /// The tag names of a layout as a JSON array, with `+` before those whose values no column
    /// has.
    fn layout(&self, id: u32) -> Result<Arc<str>, StoreError> {
        let mut known = self.layouts.borrow_mut();
        if let Some(names) = known.get(&id) {
            return Ok(Arc::clone(names));
        }
        let names = self.one(sql::LAYOUT_BY_ID, [id], |row| {
            Ok(Arc::from(row::text(row, 0)?))
        })?;
        let names: Arc<str> = names
            .filter(|names| has_all_names(names))
            .ok_or_else(|| self.damaged(format!("table tag_layout: row {id}")))?;
        if known.len() == LAYOUTS_MAX {
            known.clear();
        }
        known.insert(id, Arc::clone(&names));
        Ok(names)
    }

    /// Calls `each` with the facts of the games from `first` to `last` as their
    /// rows have them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_row(
        &self,
        first: GameId,
        last: GameId,
        mut each: impl FnMut(GameId, &PackedFacts),
    ) -> Result<(), StoreError> {
        self.each_row(
            sql::PLAIN_GAMES,
            params![first as i64, last as i64],
            |row| {
                let fact = |at| row.get::<_, Option<u32>>(at).map(Option::unwrap_or_default);
                let eco = row::text_or_null(row, 9)?.and_then(|text| eco::parse(text.as_bytes()));
                let facts = PackedFacts {
                    white: fact(1)?,
                    black: fact(2)?,
                    event: fact(3)?,
                    site: fact(4)?,
                    date: fact(5)?,
                    outcome: fact(6)?,
                    white_elo: fact(7)?,
                    black_elo: fact(8)?,
                    eco: eco.map_or(0, |code| u32::from(code) + 1),
                    plies: fact(10)?,
                    variant: fact(11)?,
                    start: fact(12)?,
                    opening: fact(13)?,
                };
                each(number(row, 0)?, &facts);
                Ok(())
            },
        )
    }

    /// A row of `text`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn text(&self, id: u32) -> Result<Option<String>, StoreError> {
        self.one(sql::TEXT_BY_ID, [id], |row| row.get(0))
    }

    /// The number of the last game, 0 if there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn last_game(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::LAST_GAME, [], |row| {
            Ok((number(row, 0)?, number(row, 1)?))
        })?;
        let (last, facts_from) = last.unwrap_or_default();
        // A caller that counts up to it, or makes room for that many, must not do so in vain.
        if last >= facts_from + facts::GAMES_PER_BLOCK as u64 {
            return Err(self.damaged(format!("table game has a row {last} after its last game")));
        }
        Ok(last)
    }

    /// A start position.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn start(&self, id: u32) -> Result<Option<StartRow>, StoreError> {
        self.one(sql::START_BY_ID, [id], start_row)
    }

    /// All start positions.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_start(&self, mut each: impl FnMut(StartRow)) -> Result<(), StoreError> {
        self.each_row(sql::ALL_STARTS, [], |row| {
            each(start_row(row)?);
            Ok(())
        })
    }

    /// The variants of the start positions.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn variants_of_starts(&self) -> Result<BTreeSet<u8>, StoreError> {
        self.once(
            |at_hand| &at_hand.variants_of_starts,
            || {
                let variants = self.all(sql::VARIANTS_OF_STARTS, [], |row| row.get(0))?;
                Ok(variants.into_iter().collect())
            },
        )
    }

    /// The start positions of that board key.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn starts_by_key(&self, key: u64) -> Result<Vec<StartRow>, StoreError> {
        self.all(sql::STARTS_BY_KEY, [key as i64], start_row)
    }

    /// The statement that gives all names of a table.
    pub(super) fn all_names(table: NameTable) -> Cow<'static, str> {
        match table {
            NameTable::Layout => sql::ALL_LAYOUTS.into(),
            _ => sql::all_names(table.place()).into(),
        }
    }

    /// Calls `each` with every row of a table of names.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_name(
        &self,
        table: NameTable,
        mut each: impl FnMut(u32, &str),
    ) -> Result<(), StoreError> {
        let mut rows = 0;
        let is_layout = matches!(table, NameTable::Layout);
        self.each_name(table, |id, name| {
            if is_layout && !has_all_names(name) {
                return Err(rusqlite::Error::InvalidQuery);
            }
            rows += 1;
            // They are numbered without gaps, and tables are as long as the last says.
            if id > 2 * rows + GAPS_MAX {
                return Err(rusqlite::Error::IntegralValueOutOfRange(0, i64::from(id)));
            }
            each(id, name);
            Ok(())
        })
    }

    /// All chunks that were read.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn chunks(&self, too_large: &str) -> Result<Vec<ChunkRow>, StoreError> {
        let mut chunks = self.all(sql::ALL_CHUNKS, [], chunk_row)?;
        // They are searched for only where there are any: findings are many.
        let any: Option<i64> = self.one(sql::ANY_REJECTED, [too_large], |row| row.get(0))?;
        if any.is_some_and(|any| any > 0) {
            let counted = self.all(sql::REJECTED, [too_large], |row| {
                let chain: Option<[u8; 16]> = row.get(0)?;
                Ok((chain.map(u128::from_be_bytes), number(row, 1)?))
            })?;
            let counted: HashMap<Option<u128>, u64> = counted.into_iter().collect();
            for chunk in &mut chunks {
                chunk.rejected = counted.get(&Some(chunk.chain)).copied().unwrap_or(0);
            }
        }
        Ok(chunks)
    }

    /// What was found about a game when it was read: code, offset, detail.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn diagnostics(&self, game: GameId) -> Result<Vec<(String, u64, String)>, StoreError> {
        self.all(sql::DIAGNOSTICS_OF_GAME, [game as i64], |row| {
            let detail: Option<String> = row.get(2)?;
            Ok((row.get(0)?, number(row, 1)?, detail.unwrap_or_default()))
        })
    }

    /// How many players, events, sites and sources of different names there are.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn counts(&self) -> Result<[u64; 4], StoreError> {
        let counts = self.one(sql::COUNTS, [], |row| {
            let [players, events, sites, sources] = [0, 1, 2, 3].map(|at| number(row, at));
            Ok([players?, events?, sites?, sources?])
        })?;
        Ok(counts.unwrap_or_default())
    }

    /// Bytes by table and index, largest first; free pages as `(free)`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut sizes = self.all(sql::SIZES, [], |row| Ok((row.get(0)?, number(row, 1)?)))?;
        let free = self
            .one(sql::FREE_PAGES, [], |row| row.get::<_, i64>(0))?
            .unwrap_or(0);
        if free > 0 {
            let used: u64 = sizes.iter().map(|(_, bytes)| bytes).sum();
            sizes.push(("(free)".to_owned(), self.bytes().saturating_sub(used)));
        }
        Ok(sizes)
    }

    /// What `SQLite` finds wrong with the file itself; empty if nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot even look.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        let mut found = self.all(sql::INTEGRITY, [], |row| row.get::<_, String>(0))?;
        found.retain(|line| line != "ok");
        Ok(found)
    }
}
