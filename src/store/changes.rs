//! The log of changes, and what each has done to which games.
//!
//! `removed.rs` determines by it which games are there.

use std::collections::{HashMap, HashSet};

use rusqlite::{Row, params};

use super::{
    Store, StoreError,
    duplicate_runs::RUN_MAX,
    row::{self, number},
    statements as sql,
};
use crate::base::{
    display_path,
    range_map::{RangeEntry, RangeMap},
    record::GameId,
};

/// What kind of change was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// Sources were read.
    Import,
    /// Sources were read again in another way.
    Reread,
    /// Another database was taken in.
    Merge,
    /// Games were deleted.
    Delete,
    /// Games that are the same as others were removed.
    Dedupe,
    /// Tags were changed.
    Edit,
    /// Names were said to be of one or of two.
    Names,
    /// Removed games were given up.
    Purge,
    /// Another change was taken back.
    Undo,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Import,
        Self::Reread,
        Self::Merge,
        Self::Delete,
        Self::Dedupe,
        Self::Edit,
        Self::Names,
        Self::Purge,
        Self::Undo,
    ];

    /// The word for it in the table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Reread => "reread",
            Self::Merge => "merge",
            Self::Delete => "delete",
            Self::Dedupe => "dedupe",
            Self::Edit => "edit",
            Self::Names => "names",
            Self::Purge => "purge",
            Self::Undo => "undo",
        }
    }
}

/// A row of `change`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRow {
    /// Its number.
    pub id: i64,
    /// When it began, in UTC, as `yyyy-mm-ddThh:mm:ssZ`.
    pub at: String,
    /// What it was.
    pub kind: ChangeKind,
    /// As it was requested.
    pub what: String,
    /// The import that belongs to it.
    pub import: Option<i64>,
    /// The change that it took back.
    pub undoes: Option<i64>,
    /// Whether it stands.
    pub is_done: bool,
    /// Whether what it took away is not there any more.
    pub is_final: bool,
}

/// Games that follow each other and were removed by one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovedRange {
    /// The first.
    pub first: GameId,
    /// How many they are.
    pub games: u64,
    /// The game that stands for the first, and so on; `None`: none does.
    pub kept: Option<GameId>,
}

impl RemovedRange {
    /// Puts games, in order, with those that stand for them into as few runs as there are.
    pub fn of(games: impl IntoIterator<Item = (GameId, Option<GameId>)>) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for (game, kept) in games {
            match runs.last_mut() {
                Some(run)
                    if run.games < RUN_MAX
                        && run.first + run.games == game
                        && run.kept.map(|first| first + run.games) == kept =>
                {
                    run.games += 1;
                }
                _ => runs.push(Self {
                    first: game,
                    games: 1,
                    kept,
                }),
            }
        }
        runs
    }
}

/// Why a change cannot be taken back, or done again, as things stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoConflict {
    /// The change that has built on it.
    pub change: i64,
    /// The source that is in both.
    pub source: String,
}

fn change_row(row: &Row<'_>) -> rusqlite::Result<ChangeRow> {
    let word = row::text(row, 2)?;
    let known = ChangeKind::ALL.into_iter().find(|kind| kind.word() == word);
    let unknown =
        || rusqlite::Error::InvalidColumnType(2, word.into(), rusqlite::types::Type::Text);
    Ok(ChangeRow {
        id: row.get(0)?,
        at: row.get(1)?,
        kind: known.ok_or_else(unknown)?,
        what: row.get(3)?,
        import: row.get(4)?,
        undoes: row.get(5)?,
        is_done: row.get(6)?,
        is_final: row.get(7)?,
    })
}

/// Games from a row: the first, how many, and a mark.
pub(super) fn marked(row: &Row<'_>) -> rusqlite::Result<RangeEntry> {
    let first = number(row, 0)?;
    Ok(RangeEntry {
        first,
        end: first + number(row, 1)?,
        mark: row.get(2)?,
    })
}

impl Store {
    /// The changes, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read or is damaged; likewise below.
    pub fn changes(&self) -> Result<Vec<ChangeRow>, StoreError> {
        self.all(sql::ALL_CHANGES, [], change_row)
    }

    /// Notes a change that begins; its number.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be written; likewise below.
    pub fn insert_change(
        &self,
        kind: ChangeKind,
        what: &str,
        import: Option<i64>,
        undoes: Option<i64>,
    ) -> Result<i64, StoreError> {
        let values = params![kind.word(), what, import, undoes];
        self.run(sql::INSERT_CHANGE, values)?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Says that a change stands, or not.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn set_done(&self, change: i64, is_done: bool) -> Result<(), StoreError> {
        self.run(sql::SET_DONE, params![change, is_done]).map(drop)
    }

    /// Notes the games that a change removes.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn insert_removals(&self, change: i64, runs: &[RemovedRange]) -> Result<(), StoreError> {
        for run in runs {
            let kept = run.kept.map(|game| game as i64);
            let values = params![change, run.first as i64, run.games as i64, kept];
            self.run(sql::INSERT_REMOVAL, values)?;
        }
        Ok(())
    }

    /// Removes a game for which another one stands, by a change that is under way.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn remove_for(&self, change: i64, game: GameId, kept: GameId) -> Result<(), StoreError> {
        let run = RemovedRange {
            first: game,
            games: 1,
            kept: Some(kept),
        };
        self.insert_removals(change, &[run])?;
        let values = params![game as i64, game as i64 + 1, change];
        self.run(sql::SET_REMOVED, values).map(drop)
    }

    /// The games that a change has removed.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn removals(&self, change: i64) -> Result<Vec<RemovedRange>, StoreError> {
        self.all(sql::REMOVALS_OF, [change], |row| {
            let kept: Option<i64> = row.get(2)?;
            Ok(RemovedRange {
                first: number(row, 0)?,
                games: number(row, 1)?,
                kept: kept.map(i64::unsigned_abs),
            })
        })
    }

    /// The change that an import belongs to, if that was undone.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn undoing(&self, import: i64) -> Result<Option<i64>, StoreError> {
        self.one(sql::UNDONE_IMPORT, [import], |row| row.get(0))
    }

    /// The imports that were undone.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn undone_imports(&self) -> Result<HashSet<i64>, StoreError> {
        let undone = self.changes()?.into_iter().filter(|change| !change.is_done);
        Ok(undone.filter_map(|change| change.import).collect())
    }

    /// The games that are not there any more, with the changes that have removed them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn removed(&self) -> Result<RangeMap, StoreError> {
        self.once(|at_hand| &at_hand.removed, || self.find_removed())
    }

    fn find_removed(&self) -> Result<RangeMap, StoreError> {
        let mut runs: Vec<RangeEntry> = Vec::new();
        self.each_row(sql::ALL_REMOVED, [], |row| {
            let (game, mark) = (number(row, 0)?, row.get(1)?);
            match runs.last_mut() {
                Some(run) if run.end == game && run.mark == mark => run.end += 1,
                _ => runs.push(RangeEntry {
                    first: game,
                    end: game + 1,
                    mark,
                }),
            }
            Ok(())
        })?;
        Ok(RangeMap::of(runs))
    }

    /// The games of an import, and those that its sources had again.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn games_of_import(&self, import: i64) -> Result<(RangeMap, u64), StoreError> {
        let own = self.all(sql::GAMES_OF_IMPORT, [import], marked)?;
        let again = self.one(sql::REPEATS_OF_IMPORT, [import], |row| number(row, 0))?;
        Ok((RangeMap::of(own), again.unwrap_or(0)))
    }

    /// The names of the sources of an import, as people read them.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn sources_of_import(&self, import: i64) -> Result<Vec<String>, StoreError> {
        self.all(sql::SOURCES_OF_IMPORT, [import], |row| {
            Ok(display_path::bytes(row::text_or_blob(row, 0)?).into_owned())
        })
    }

    /// The games that sources have whose names, as people read them, fit: those that they brought,
    /// and those that they had again.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn games_of_sources(&self, fits: impl Fn(&str) -> bool) -> Result<RangeMap, StoreError> {
        let mut sources = HashSet::new();
        self.each_row(sql::ALL_SOURCES, [], |row| {
            if fits(&display_path::bytes(row::text_or_blob(row, 1)?)) {
                sources.insert(row.get::<_, i64>(0)?);
            }
            Ok(())
        })?;
        let mut runs = self.all(sql::GAMES_BY_SOURCE, [], marked)?;
        runs.extend(self.all(sql::REPEATS_BY_SOURCE, [], marked)?);
        runs.retain(|run| sources.contains(&run.mark));
        Ok(RangeMap::of(runs))
    }

    /// The games that were given up.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn purged(&self) -> Result<RangeMap, StoreError> {
        let purged = self.all(sql::PURGED_GAMES, [ChangeKind::Purge.word()], marked)?;
        Ok(RangeMap::of(purged))
    }

    /// Says that no change of before can be undone any more; how many could.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn end_changes(&self) -> Result<u64, StoreError> {
        Ok(self.run(sql::END_ALL_CHANGES, [])? as u64)
    }

    /// What is in the way of forgetting which texts an import has read, if anything is: a source
    /// that another one has gone on reading.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn goes_on_from(&self, import: i64) -> Result<Option<UndoConflict>, StoreError> {
        match ChunkHashes::of(self)?.that_goes_on_from(import) {
            None => Ok(None),
            Some(part) => self.one(sql::CHANGE_OF_SOURCE, [part.source], in_the_way),
        }
    }

    /// Those of some imports whose texts other sources have gone on reading.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn read_on(&self, imports: &[i64]) -> Result<HashSet<i64>, StoreError> {
        let parts = ChunkHashes::of(self)?;
        let is_read_on = |import: &i64| parts.that_goes_on_from(*import).is_some();
        Ok(imports.iter().copied().filter(is_read_on).collect())
    }

    /// Forgets which texts an import has read, so that they are read again when they come again;
    /// or remembers it.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn set_texts_known(&self, import: i64, is_known: bool) -> Result<(), StoreError> {
        let statement = if is_known {
            sql::REMEMBER_TEXTS
        } else {
            sql::FORGET_TEXTS
        };
        self.run(statement, [import]).map(drop)
    }

    /// Forgets the texts of sources that were read after a change and had a game again, so that
    /// they are read once more: what was the same game then need not be it now.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn forget_texts_repeating(&self, game: GameId, since: i64) -> Result<(), StoreError> {
        self.run(sql::FORGET_TEXTS_REPEATING, params![since, game as i64])
            .map(drop)
    }

    /// What is in the way of remembering them: a source that has been read from the same text
    /// since.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn read_since(&self, import: i64) -> Result<Option<UndoConflict>, StoreError> {
        self.one(sql::READ_SINCE, [import], in_the_way)
    }
}

/// A part of a source by the hashes of the texts that end with it and before it.
struct ChunkHash {
    chain: [u8; 16],
    parent: [u8; 16],
    /// Where it ends and begins after the text before it.
    bytes: u64,
    split: u64,
    import: i64,
    source: i64,
    name: Vec<u8>,
}

/// The parts of texts that are known.
struct ChunkHashes {
    all: Vec<ChunkHash>,
    /// Those of each import.
    of_import: HashMap<i64, Vec<usize>>,
    /// Those that follow a text, by its hash; by where they begin after it, and where they end.
    behind: HashMap<[u8; 16], Vec<usize>>,
    begins: HashMap<TextAnchor, Vec<usize>>,
    ends: HashMap<TextAnchor, Vec<usize>>,
}

/// The hash of a text, and the number of bytes after it.
type TextAnchor = ([u8; 16], u64);

impl ChunkHashes {
    fn of(store: &Store) -> Result<Self, StoreError> {
        let mut all = store.all(sql::PIECES_OF_ALL, [], |row| {
            Ok(ChunkHash {
                chain: row.get(0)?,
                parent: row.get(1)?,
                bytes: number(row, 2)?,
                split: number(row, 3)?,
                import: row.get(4)?,
                source: row.get(5)?,
                name: row.get(6)?,
            })
        })?;
        // Of a source that another database had only in part no text is known.
        all.retain(|part| part.bytes > 0);
        let mut parts = Self {
            all,
            of_import: HashMap::new(),
            behind: HashMap::new(),
            begins: HashMap::new(),
            ends: HashMap::new(),
        };
        for (at, part) in parts.all.iter().enumerate() {
            let place = |bytes| (part.parent, bytes);
            parts.of_import.entry(part.import).or_default().push(at);
            parts.behind.entry(part.parent).or_default().push(at);
            parts.begins.entry(place(part.split)).or_default().push(at);
            parts.ends.entry(place(part.bytes)).or_default().push(at);
        }
        Ok(parts)
    }

    fn at(&self, places: Option<&Vec<usize>>) -> impl Iterator<Item = &ChunkHash> + Clone {
        let places = places.map(Vec::as_slice).unwrap_or_default();
        places.iter().map(|&at| &self.all[at])
    }

    /// A part of another import that goes on where one of an import ends.
    fn that_goes_on_from(&self, import: i64) -> Option<&ChunkHash> {
        let own = self.at(self.of_import.get(&import));
        own.clone().find_map(|own| {
            let behind = self.at(self.behind.get(&own.chain));
            let within = self.at(self.begins.get(&(own.parent, own.bytes)));
            let within = within.filter(|other| self.is_from(other, import));
            behind.chain(within).find(|other| other.import != import)
        })
    }

    /// Whether the text before a part which begins within one is that of an import: it was read by
    /// its own source, or else by an earlier one of its name, or else by any earlier one.
    fn is_from(&self, part: &ChunkHash, import: i64) -> bool {
        let before = self.at(self.ends.get(&(part.parent, part.split)));
        let before = before.filter(|before| before.source <= part.source);
        let rank = |before: &ChunkHash| (before.source == part.source, before.name == part.name);
        let best = before.clone().map(rank).max();
        let mut best_ones = before.filter(|before| Some(rank(before)) == best);
        best_ones.any(|before| before.import == import)
    }
}

pub(super) fn in_the_way(row: &Row<'_>) -> rusqlite::Result<UndoConflict> {
    Ok(UndoConflict {
        change: row.get(0)?,
        source: display_path::bytes(row::text_or_blob(row, 1)?).into_owned(),
    })
}
