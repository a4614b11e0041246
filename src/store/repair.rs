//! What a repair reads from a damaged database, and does with a new one beyond what an import
//! does.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{Connection, MAIN_DB, OpenFlags, params, params_from_iter, types::Value};

use super::{
    NameTable, PAGE_BYTES, Store, StoreError, StoreErrorKind,
    audit::objects,
    checksum_vfs, evaluations,
    locking::InterruptHandler,
    rereads,
    row::number,
    schema::{APPLICATION_ID, MIGRATIONS, Migration},
    statements as sql,
};
use crate::base::{observe::CancellationToken, record::GameId};

/// Tables of where games came from, those that others refer to first.
const PROVENANCE: [&str; 12] = [
    "import",
    "source",
    evaluations::TABLE,
    "source_chunk",
    "diagnostic",
    "diagnostic_count",
    "repeated_game",
    "change",
    rereads::TABLE,
    "removal",
    "edit",
    "name_rule",
];

/// Tables that a step of the schema after the first has made, by its place.
const LATER_TABLES: [(&str, usize); 2] = [(evaluations::TABLE, 1), (rereads::TABLE, 2)];

/// Tables that have a row wherever there is a game; the last, where one has an opening.
const TABLES_OF_GAMES: [&str; 7] = [
    "game_row",
    "tag_layout",
    "fact_block",
    "move_block",
    "print_block",
    "variant",
    "opening",
];

/// The pages below a page of a tree of `SQLite` whose header stands at an offset; none of a leaf
/// (section 1.6 of its file format).
fn children(page: &[u8], at: usize) -> Vec<u32> {
    const INTERIOR_TABLE: u8 = 5;
    let short = |at: usize| {
        page.get(at..)?
            .first_chunk()
            .copied()
            .map(u16::from_be_bytes)
    };
    let long = |at: usize| {
        page.get(at..)?
            .first_chunk()
            .copied()
            .map(u32::from_be_bytes)
    };
    if page.get(at) != Some(&INTERIOR_TABLE) {
        return Vec::new();
    }
    let cells = usize::from(short(at + 3).unwrap_or(0));
    let cell = |nth: usize| long(usize::from(short(at + 12 + 2 * nth)?));
    (0..cells).filter_map(cell).chain(long(at + 8)).collect()
}

/// The name of a source that is not known any more.
const LOST: &str = "(lost by damage)";

impl Store {
    /// Opens a database to read what is left of it: pages are read as they are.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is missing or nothing can be read of it.
    pub fn open_to_repair(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        // A first page that is as it was written says truly that it is too old.
        let mut plain = Self::connect(path, flags, stop)?;
        plain.is_left = true;
        if let Err(error) = plain.version()
            && matches!(error.kind, StoreErrorKind::TooOld { .. })
        {
            return Err(error);
        }
        drop(plain);
        let connect = || {
            let store = Self::connect(path, flags, stop)?;
            checksum_vfs::skip_checksums(&store.connection);
            // Otherwise a file that has lost its end is refused.
            store.pragma("writable_schema", 1)?;
            Ok(store)
        };
        let mut store: Self = connect()?;
        let looked = match store.version() {
            Ok(0) => Err(store.error(StoreErrorKind::Foreign)),
            looked => looked,
        };
        // The bytes that say what it is may be the damaged ones, or the entire page may, or another
        // one of those that say where the tables are.
        let (bad, _) = checksum_vfs::bad_pages(&store.connection, 1, 1);
        let is_told = store.lists_all_tables().unwrap_or(false);
        // Where its own list of tables is intact, others may stand in other places.
        let is_damaged = !is_told && (looked.is_err() || !bad.is_empty());
        let legible = store.legible();
        if !is_told || legible < TABLES_OF_GAMES.len() {
            let lent = connect()?;
            let pages =
                Self::pages_of_schema(store.steps_taken()).map_err(|source| lent.failed(source))?;
            checksum_vfs::replacement_pages(&lent.connection, pages);
            let least = if is_damaged {
                legible.max(1)
            } else {
                (legible + 1).min(TABLES_OF_GAMES.len())
            };
            if lent.legible() >= least && lent.is_in_its_place() {
                store = lent;
            } else if let (Err(error), false) = (looked, is_told)
                && !store.has_games_table()
            {
                return Err(error);
            }
        }
        store.is_left = true;
        store.pragma("query_only", 1)?;
        store.execute("BEGIN")?;
        let watch = InterruptHandler::new(&store.ending, None, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// Whether the database lists all tables, indices and views of our schema, word for word.
    fn lists_all_tables(&self) -> rusqlite::Result<bool> {
        let own = objects(&self.connection)?;
        let made = Connection::open_in_memory()?;
        for step in self.steps_taken() {
            made.execute_batch(step.sql)?;
        }
        let all = objects(&made)?;
        Ok(all.iter().all(|(name, words)| own.get(name) == Some(words)))
    }

    /// The steps of the schema that the database has taken, as far as its header says; else all.
    fn steps_taken(&self) -> &'static [Migration] {
        let version = self.number("user_version").unwrap_or_default();
        let taken = MIGRATIONS
            .iter()
            .position(|step| i64::from(step.version) == version);
        taken.map_or(MIGRATIONS, |last| &MIGRATIONS[..=last])
    }

    /// The pages of a database of these steps that was just made which say where its tables are.
    fn pages_of_schema(steps: &[Migration]) -> rusqlite::Result<BTreeMap<u32, Vec<u8>>> {
        let mut made = Connection::open_in_memory()?;
        made.pragma_update(None, "page_size", PAGE_BYTES)?;
        checksum_vfs::make_room(&made);
        steps
            .iter()
            .try_for_each(|step| made.execute_batch(step.sql))?;
        made.pragma_update(None, "application_id", APPLICATION_ID)?;
        let version = steps.last().map(|step| step.version);
        made.pragma_update(None, "user_version", version)?;
        let file = made.serialize(MAIN_DB)?;
        let mut pages = BTreeMap::new();
        let mut open = vec![1];
        while let Some(number) = open.pop() {
            let from = (number as usize - 1) * usize::from(PAGE_BYTES);
            let Some(page) = file.get(from..from + usize::from(PAGE_BYTES)) else {
                continue;
            };
            open.extend(children(page, if number == 1 { 100 } else { 0 }));
            pages.insert(number, page.to_vec());
        }
        Ok(pages)
    }

    /// How many of the tables of games can be read, as far as their first rows show.
    fn legible(&self) -> usize {
        let is_legible = |table: &&&str| {
            let first = self.one(&sql::first_row(table), [], |row| row.get::<_, Value>(0));
            matches!(first, Ok(Some(_)))
        };
        TABLES_OF_GAMES.iter().filter(is_legible).count()
    }

    /// Whether the table of variants, as far as it can be read, has what it always begins with: in
    /// a file that was written again tables stand in other places than in a new one.
    fn is_in_its_place(&self) -> bool {
        let first = self.one(sql::FIRST_VARIANT, [], |row| row.get::<_, String>(0));
        !matches!(first, Ok(name) if name.as_deref() != Some("unknown"))
    }

    /// Whether its schema can be read and has our games.
    fn has_games_table(&self) -> bool {
        let tables = self.one(sql::ANY_GAME_TABLE, [], |row| row.get::<_, i64>(0));
        matches!(tables, Ok(Some(1..)))
    }

    /// The last game, as the table of games alone says.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; likewise below.
    pub fn last_row(&self) -> Result<GameId, StoreError> {
        let last = self.one(sql::LAST_ROW, [], |row| number(row, 0))?;
        Ok(last.unwrap_or(0))
    }

    /// A name of a table.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn name(&self, table: NameTable, id: u32) -> Result<Option<String>, StoreError> {
        self.one(&sql::name_by_id(table.place()), [id], |row| row.get(0))
    }

    /// Copies what can be read of the tables that say where games came from, and makes up for
    /// what cannot; the tables that have lost rows.
    ///
    /// # Errors
    ///
    /// [`StoreError`] of the new database; or if the end was requested.
    pub fn copy_provenance(
        &self,
        to: &Self,
        program: &str,
        last: GameId,
    ) -> Result<Vec<&'static str>, StoreError> {
        let mut cut = Vec::new();
        for table in PROVENANCE {
            let steps = self.steps_taken();
            let is_later = |&(its, nth): &(&str, usize)| its == table && nth >= steps.len();
            if LATER_TABLES.iter().any(is_later) {
                continue;
            }
            let [forwards, backwards] = [false, true];
            if !self.copy_rows(to, table, forwards)? {
                cut.push(table);
                self.copy_rows(to, table, backwards)?;
            }
        }
        for statement in [
            sql::DROP_SOURCES,
            sql::DROP_CHUNKS,
            sql::DROP_DIAGNOSTICS,
            sql::DROP_COUNTS,
            sql::DROP_REMOVALS,
            sql::DROP_EDITS,
            sql::DROP_RULES,
            sql::DROP_EVALS,
            sql::DROP_REREADS,
            sql::DROP_REPEATS,
            sql::COUNT_DIAGNOSTICS_AGAIN,
            sql::FORGET_LOST_IMPORTS,
        ] {
            to.run(statement, [])?;
        }
        to.run(sql::DROP_CHUNKS_BEHIND, [last as i64])?;
        to.count_stored_up_to(last)?;
        to.file_without_source(program, last)?;
        to.settle()?;
        Ok(cut)
    }

    /// How many games imports have stored, as they say.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn stored_by_imports(&self) -> Result<u64, StoreError> {
        Ok(self
            .one(sql::STORED_GAMES, [], |row| number(row, 0))?
            .unwrap_or(0))
    }

    /// Takes games after the last one from the imports that have stored them.
    fn count_stored_up_to(&self, last: GameId) -> Result<(), StoreError> {
        let mut behind = self.stored_by_imports()?.saturating_sub(last);
        let imports = self.all(sql::IMPORTS_FROM_LAST, [], |row| {
            Ok((row.get::<_, i64>(0)?, number(row, 1)?))
        })?;
        for (import, stored) in imports {
            let lost = stored.min(behind);
            if lost == 0 {
                break;
            }
            behind -= lost;
            self.run(sql::TAKE_STORED, params![import, lost as i64])?;
        }
        Ok(())
    }

    /// Files games without a known source under one that is lost.
    fn file_without_source(&self, program: &str, last: GameId) -> Result<(), StoreError> {
        let chunks = self.all(sql::CHUNK_GAMES, [], |row| {
            Ok((number(row, 0)?, number(row, 1)?))
        })?;
        let missing = last.saturating_sub(self.stored_by_imports()?);
        let mut gaps = Vec::new();
        let mut next = 1;
        for (first, games) in chunks.into_iter().chain([(last + 1, 0)]) {
            if first > next {
                gaps.push((next, first - next));
            }
            next = next.max(first + games);
        }
        if missing > 0 || !gaps.is_empty() {
            let import = self.insert_import(program)?;
            self.update_import(import, [missing, missing, 0, 0], true)?;
            self.run(sql::LOST_SOURCE, params![import, LOST])?;
            let source = self.connection.last_insert_rowid();
            for (first, games) in gaps {
                self.run(
                    sql::LOST_CHUNK,
                    params![source, first as i64, games as i64, 1],
                )?;
            }
        }
        Ok(())
    }

    /// Copies the rows of a table up to the first that cannot be read; whether all were.
    fn copy_rows(&self, to: &Self, table: &str, backwards: bool) -> Result<bool, StoreError> {
        let mut failed = None;
        let read = self.each_row(&sql::all_rows(table, backwards), [], |row| {
            let columns: Vec<String> = row.as_ref().column_names().map(str::to_owned).collect();
            let values: Vec<Value> = (0..columns.len())
                .map(|at| row.get(at))
                .collect::<Result<_, _>>()?;
            if failed.is_none() {
                let insert = sql::insert_missing_row(table, &columns);
                failed = to.run(&insert, params_from_iter(values)).err();
            }
            Ok(())
        });
        // A value that no column takes is damage of the old file as well.
        let is_damage = |error: &StoreError| matches!(error.kind, StoreErrorKind::Damaged { .. });
        match (read, failed) {
            (Err(error), _) | (_, Some(error)) if !is_damage(&error) => Err(error),
            (read, failed) => Ok(read.is_ok() && failed.is_none()),
        }
    }
}
