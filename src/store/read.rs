//! What queries read.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Store, StoreError, statements as sql};
use crate::{
    index::{
        facts::{self, Facts},
        hot::{self, HotState},
        moves::{self, MainLine},
        posting::{self, Layout, Section},
    },
    record::GameId,
    tags::eco,
};

/// A row of `segment`: which games it holds and how its blocks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentRow {
    /// Its number.
    pub id: u32,
    /// Its first game.
    pub first_game: GameId,
    /// Its games, which follow each other.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// Version of the keys.
    pub key_version: u32,
    /// Layouts of the sections, in the order of [`Section::ALL`].
    pub layouts: [Layout; 3],
}

impl SegmentRow {
    /// The row of `posting_block` for a block of that first truncated key.
    pub(super) const fn posting_id(segment: u32, section: Section, key: u64) -> i64 {
        ((segment as i64) << 44) | ((section as i64) << 40) | key as i64
    }

    /// The row of `hot_block` for a block of that first key (its top 48 bits).
    pub(super) const fn hot_id(segment: u32, key: u64) -> i64 {
        ((segment as i64) << 48) | key as i64
    }

    /// First and last possible row of the segment in `posting_block`.
    pub(super) const fn posting_ids(segment: u32) -> [i64; 2] {
        [(segment as i64) << 44, ((segment as i64 + 1) << 44) - 1]
    }

    /// First and last possible row of the segment in `hot_block`.
    pub(super) const fn hot_ids(segment: u32) -> [i64; 2] {
        [(segment as i64) << 48, ((segment as i64 + 1) << 48) - 1]
    }
}

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
    /// JSON array of tag names.
    pub layout: String,
    /// JSON array of further values.
    pub extra: Option<String>,
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
}

/// A row of `source_chunk`, as far as an import asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkRow {
    /// Hash of the stream up to its end.
    pub chain: u128,
    /// Bytes hashed on top of the parent.
    pub bytes: u64,
    /// 1-based number of its first game in the source.
    pub first_number: u64,
    /// Id of that game.
    pub first_game: GameId,
    /// Its games.
    pub games: u64,
}

/// Where a game was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The source as it was named.
    pub source: String,
    /// 1-based number of the game in it.
    pub number: u64,
}

/// The tables of names that filters search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameTable {
    /// Players.
    Player,
    /// Events.
    Event,
    /// Sites.
    Site,
}

fn start_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<StartRow> {
    Ok(StartRow {
        id: row.get(0)?,
        variant: row.get(1)?,
        fen: row.get(2)?,
        canonical: row.get(3)?,
    })
}

fn chunk_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ChunkRow> {
    Ok(ChunkRow {
        chain: u128::from_be_bytes(row.get(0)?),
        bytes: row.get::<_, i64>(1)? as u64,
        first_number: row.get::<_, i64>(2)? as u64,
        first_game: row.get::<_, i64>(3)? as u64,
        games: row.get::<_, i64>(4)? as u64,
    })
}

impl Store {
    fn one<T>(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.connection
            .prepare_cached(statement)
            .and_then(|mut statement| statement.query_row(values, read).optional())
            .map_err(|source| self.failed(source))
    }

    fn all<T>(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = |connection: &Connection| -> rusqlite::Result<Vec<T>> {
            let mut statement = connection.prepare_cached(statement)?;
            statement.query_map(values, read)?.collect()
        };
        rows(&self.connection).map_err(|source| self.failed(source))
    }

    /// The segments in the order of their games.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn segments(&self) -> Result<Vec<SegmentRow>, StoreError> {
        self.all(sql::ALL_SEGMENTS, [], |row| {
            let game_bits = row.get(5)?;
            let layout = |at| -> rusqlite::Result<Layout> {
                Ok(Layout {
                    key_bits: row.get(at)?,
                    key_rice: row.get(at + 1)?,
                    game_bits,
                })
            };
            Ok(SegmentRow {
                id: row.get(0)?,
                first_game: row.get::<_, i64>(1)? as u64,
                games: row.get::<_, i64>(2)? as u64,
                positions: row.get::<_, i64>(3)? as u64,
                key_version: row.get(4)?,
                layouts: [layout(6)?, layout(8)?, layout(10)?],
            })
        })
    }

    /// The games of a key in a section of a segment, numbered from 0 within it.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn postings(
        &self,
        segment: &SegmentRow,
        section: Section,
        key: u64,
    ) -> Result<Vec<u32>, StoreError> {
        let layout = segment.layouts[section as usize];
        let key = layout.truncate(key);
        let id = SegmentRow::posting_id(segment.id, section, key);
        let first = SegmentRow::posting_id(segment.id, section, 0);
        let found = self.one(sql::POSTINGS_OF, params![id, first], |row| {
            let block = row.get_ref(1)?.as_blob()?;
            Ok(posting::find(
                layout,
                (row.get::<_, i64>(0)? - first) as u64,
                block,
                key,
            ))
        })?;
        found.unwrap_or_else(|| Some(Vec::new())).ok_or_else(|| {
            self.damaged(format!(
                "postings of segment {}, {section}, key {key:x}",
                segment.id
            ))
        })
    }

    /// The hot position of that board key in a segment, by state; empty if it
    /// is not hot there; with at most so many games of each state.
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn hot(
        &self,
        segment: &SegmentRow,
        key: u64,
        games_max: u64,
    ) -> Result<Vec<HotState>, StoreError> {
        let id = SegmentRow::hot_id(segment.id, key >> 16);
        let first = SegmentRow::hot_id(segment.id, 0);
        let found = self.one(sql::HOT_OF, params![id, first], |row| {
            Ok(hot::find(row.get_ref(0)?.as_blob()?, key, games_max))
        })?;
        found.unwrap_or_else(|| Some(Vec::new())).ok_or_else(|| {
            self.damaged(format!(
                "hot positions of segment {}, key {key:016x}",
                segment.id
            ))
        })
    }

    /// The stored blocks of a segment: postings of a section by first key, or
    /// hot blocks (`None`) by theirs.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn blocks(
        &self,
        segment: &SegmentRow,
        section: Option<Section>,
    ) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let read = |first: i64| {
            move |row: &rusqlite::Row<'_>| Ok(((row.get::<_, i64>(0)? - first) as u64, row.get(1)?))
        };
        match section {
            Some(section) => {
                let first = SegmentRow::posting_id(segment.id, section, 0);
                self.all(
                    sql::POSTINGS_BETWEEN,
                    params![first, first + (1 << 40) - 1],
                    read(first),
                )
            }
            None => {
                let [first, last] = SegmentRow::hot_ids(segment.id);
                self.all(sql::HOT_BETWEEN, params![first, last], read(first))
            }
        }
    }

    /// A game's row.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn game(&self, game: GameId) -> Result<Option<GameRow>, StoreError> {
        self.one(sql::GAME_BY_ID, [game as i64], |row| {
            Ok(GameRow {
                names: [row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?],
                date: row.get(4)?,
                round: row.get(5)?,
                outcome: row.get(6)?,
                elos: [row.get(7)?, row.get(8)?],
                eco: row.get(9)?,
                plies: row.get(10)?,
                variant: row.get(11)?,
                start: row.get(12)?,
                layout: row.get(13)?,
                extra: row.get(14)?,
            })
        })
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
        mut each: impl FnMut(GameId, &Facts),
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(sql::PLAIN_GAMES)?;
            let mut rows = statement.query(params![first as i64, last as i64])?;
            while let Some(row) = rows.next()? {
                let number = |at| row.get::<_, Option<u32>>(at).map(Option::unwrap_or_default);
                let eco = match row.get_ref(9)? {
                    rusqlite::types::ValueRef::Text(text) => {
                        eco::parse(text).map_or(0, |code| u32::from(code) + 1)
                    }
                    _ => 0,
                };
                let facts = Facts {
                    white: number(1)?,
                    black: number(2)?,
                    event: number(3)?,
                    site: number(4)?,
                    date: number(5)?,
                    outcome: number(6)?,
                    white_elo: number(7)?,
                    black_elo: number(8)?,
                    eco,
                    plies: number(10)?,
                    variant: number(11)?,
                    start: number(12)?,
                };
                each(row.get::<_, i64>(0)? as u64, &facts);
            }
            Ok(())
        };
        read().map_err(|source| self.failed(source))
    }

    /// A game's annotations as JSON, if it has any.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn annotation(&self, game: GameId) -> Result<Option<String>, StoreError> {
        self.one(sql::ANNOTATION_BY_GAME, [game as i64], |row| row.get(0))
    }

    /// Calls `each` with the annotations of the annotated games from `first` to `last`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_annotation(
        &self,
        first: GameId,
        last: GameId,
        mut each: impl FnMut(GameId, &str),
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(sql::ANNOTATIONS_BETWEEN)?;
            let mut rows = statement.query(params![first as i64, last as i64])?;
            while let Some(row) = rows.next()? {
                each(row.get::<_, i64>(0)? as u64, row.get_ref(1)?.as_str()?);
            }
            Ok(())
        };
        read().map_err(|source| self.failed(source))
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
        let last = self.one(sql::LAST_GAME, [], |row| row.get::<_, Option<i64>>(0))?;
        Ok(last.flatten().unwrap_or(0) as u64)
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
    pub fn starts(&self) -> Result<Vec<StartRow>, StoreError> {
        self.all(sql::ALL_STARTS, [], start_row)
    }

    /// The start positions of that board key.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn starts_by_key(&self, key: u64) -> Result<Vec<StartRow>, StoreError> {
        self.all(sql::STARTS_BY_KEY, [key as i64], start_row)
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
        let statement = match table {
            NameTable::Player => sql::ALL_PLAYERS,
            NameTable::Event => sql::ALL_EVENTS,
            NameTable::Site => sql::ALL_SITES,
        };
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(statement)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                each(row.get(0)?, row.get_ref(1)?.as_str()?);
            }
            Ok(())
        };
        read().map_err(|source| self.failed(source))
    }

    /// Calls `each` with every game's facts from `first` on, which must begin a block
    /// (1 always does).
    ///
    /// # Errors
    ///
    /// [`StoreError`], damage among others.
    pub fn for_each_facts(
        &self,
        first: GameId,
        mut each: impl FnMut(GameId, &Facts),
    ) -> Result<(), StoreError> {
        let mut damaged = None;
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(sql::FACTS_FROM)?;
            let mut rows = statement.query([first as i64])?;
            while let Some(row) = rows.next()? {
                let first = row.get::<_, i64>(0)? as u64;
                match facts::read(row.get_ref(1)?.as_blob()?) {
                    Some(facts) => (first..)
                        .zip(&facts)
                        .for_each(|(game, facts)| each(game, facts)),
                    None => damaged = Some(first),
                }
            }
            Ok(())
        };
        read().map_err(|source| self.failed(source))?;
        match damaged {
            Some(first) => Err(self.damaged(format!("facts of game {first} and the following"))),
            None => Ok(()),
        }
    }

    /// Reads facts of single games.
    pub const fn facts(&self) -> FactReader<'_> {
        FactReader {
            store: self,
            first: 0,
            facts: Vec::new(),
        }
    }

    /// Reads main lines of single games.
    pub const fn lines(&self) -> LineReader<'_> {
        LineReader {
            store: self,
            first: 0,
            block: Vec::new(),
            games: Vec::new(),
        }
    }

    /// All chunks that were read, each with the hash of the stream up to its beginning.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn chunks(&self) -> Result<Vec<(u128, ChunkRow)>, StoreError> {
        self.all(sql::ALL_CHUNKS, [], |row| {
            Ok((u128::from_be_bytes(row.get(5)?), chunk_row(row)?))
        })
    }

    /// Where a game was read.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn place(&self, game: GameId) -> Result<Option<SourcePlace>, StoreError> {
        self.one(sql::PLACE_OF_GAME, [game as i64], |row| {
            Ok(SourcePlace {
                source: row.get(0)?,
                number: row.get::<_, i64>(1)? as u64,
            })
        })
    }

    /// What was found about a game when it was read: code, offset, detail.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn diagnostics(&self, game: GameId) -> Result<Vec<(String, u64, String)>, StoreError> {
        self.all(sql::DIAGNOSTICS_OF_GAME, [game as i64], |row| {
            let detail: Option<String> = row.get(2)?;
            Ok((
                row.get(0)?,
                row.get::<_, i64>(1)? as u64,
                detail.unwrap_or_default(),
            ))
        })
    }

    /// How many players, events, sites, sources, annotated games and set-up
    /// start positions there are.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn counts(&self) -> Result<[u64; 6], StoreError> {
        let counts = self.one(sql::COUNTS, [], |row| {
            let mut counts = [0; 6];
            for (i, count) in counts.iter_mut().enumerate() {
                *count = row.get::<_, i64>(i)? as u64;
            }
            Ok(counts)
        })?;
        Ok(counts.unwrap_or_default())
    }

    /// Bytes by table and index, largest first; free pages as `(free)`.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn sizes(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut sizes = self.all(sql::SIZES, [], |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)? as u64))
        })?;
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

/// Reads facts of single games, keeping the last block at hand.
#[derive(Debug)]
pub struct FactReader<'s> {
    store: &'s Store,
    first: GameId,
    facts: Vec<Facts>,
}

impl FactReader<'_> {
    /// A game's facts.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that is not there counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<Facts, StoreError> {
        if game < self.first || game - self.first >= self.facts.len() as u64 {
            let block = self.store.one(sql::FACTS_OF, [game as i64], |row| {
                Ok((
                    row.get::<_, i64>(0)? as u64,
                    facts::read(row.get_ref(1)?.as_blob()?),
                ))
            })?;
            if let Some((first, Some(facts))) = block {
                (self.first, self.facts) = (first, facts);
            }
        }
        let at = usize::try_from(game.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        self.facts
            .get(at)
            .copied()
            .ok_or_else(|| self.store.damaged(format!("facts of game {game}")))
    }
}

/// Reads main lines of single games, keeping the last block at hand.
#[derive(Debug)]
pub struct LineReader<'s> {
    store: &'s Store,
    first: GameId,
    block: Vec<u8>,
    /// Start position and place in the block of each game.
    games: Vec<(u32, std::ops::Range<usize>)>,
}

impl LineReader<'_> {
    /// A game's main line.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; a game that is not there counts as damage.
    pub fn get(&mut self, game: GameId) -> Result<MainLine<'_>, StoreError> {
        if game < self.first || game - self.first >= self.games.len() as u64 {
            self.load(game)?;
        }
        let at = usize::try_from(game.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        match self.games.get(at) {
            Some((start, place)) => Ok(MainLine {
                start: *start,
                plies: &self.block[place.clone()],
            }),
            None => Err(self.store.damaged(format!("moves of game {game}"))),
        }
    }

    fn load(&mut self, game: GameId) -> Result<(), StoreError> {
        self.games.clear();
        let (block, games) = (&mut self.block, &mut self.games);
        let first = self.store.one(sql::MOVES_OF, [game as i64], |row| {
            block.clear();
            block.extend_from_slice(row.get_ref(1)?.as_blob()?);
            Ok(row.get::<_, i64>(0)? as u64)
        })?;
        if let (Some(first), Some(lines)) = (first, moves::games(block)) {
            self.first = first;
            let mut end = block.len() - lines.iter().map(|line| line.plies.len()).sum::<usize>();
            games.extend(lines.iter().map(|line| {
                let from = end;
                end += line.plies.len();
                (line.start, from..end)
            }));
        }
        Ok(())
    }
}
