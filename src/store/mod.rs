//! The one `SQLite` file that holds everything, and the only module that speaks
//! SQL. Statements are in `statements.rs`, the schema in `migrations/`.

mod audit;
mod backup;
mod blocks;
mod cached;
mod changes;
mod checksum_vfs;
mod columns;
mod duplicate_runs;
mod edits;
mod error;
mod evaluations;
mod export_tables;
mod fact_table;
mod facts;
mod fide_names;
mod findings;
mod identity;
mod interrupt;
mod locking;
mod logs;
mod name_blocks;
mod name_decisions;
mod names;
mod new_file;
mod openings;
mod path;
mod places;
mod problems;
mod range_variants;
mod read;
mod records;
mod removed;
mod repair;
mod replace_games;
mod rereads;
mod restore;
mod row;
mod row_plan;
mod schema;
mod source_parts;
mod sql;
mod statements;
mod sums;
mod tables;
mod tags;
mod tail;
mod vacuum;
mod vtab;
mod write;

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
    },
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use crate::base::observe::CancellationToken;

pub use blocks::{IndexPart, LineReader, SegmentRow};
use cached::StoreCache;
use interrupt::Interrupt;
use locking::{InterruptHandler, QUERY_PATIENCE};
use schema::MIGRATIONS;

pub use cached::{CachedStore, is_same_file};
pub use changes::{ChangeKind, ChangeRow, RemovedRange, UndoConflict};
pub use checksum_vfs::layer as file_layer;
pub use columns::{ColumnPages, ColumnRange};
pub use duplicate_runs::DuplicateRun;
pub use edits::{EditRow, PreviousRow, TagList, TagValues};
pub use error::{StoreError, StoreErrorKind};
pub use evaluations::EvalReadings;
pub use fact_table::SharedFacts;
pub use facts::{FactBlocks, FactReader};
pub use findings::FindingRow;
pub use interrupt::NoInterruptGuard;
pub use locking::WriteLock;
pub use logs::set_logs_aside;
pub use name_decisions::NameRule;
pub use names::NameRows;
pub use new_file::NewFile;
pub use places::PlaceReader;
pub use problems::{ProblemRow, ProblemText};
pub use range_variants::{FEW_GAMES, VariantGames};
pub use read::{ChunkRow, GameRow, NameTable, SourcePlace, StartRow, TABLE_OF_NAME};
pub use records::{RecordKind, RecordReader};
pub use replace_games::BlockEdges;
pub use restore::ReplacementLock;
pub use schema::SCHEMA_VERSION;
pub use source_parts::{ChunkGames, FindingEntry, SourceRow};
pub use sql::{PreparedSql, SqlConnection, SqlError, SqlValue};
pub use sums::SumReader;
pub use tables::{
    GameRows, LateColumn, LateTexts, LinePaths, PlyRange, PositionRow, RowField, RowPlace,
    SqlTable, TableColumn, TableRows, TableSource,
};
pub use tags::{Layouts, TagColumns, TagRows};
pub use write::NewGame;

/// Bytes of a page.
const PAGE_BYTES: u16 = 4096;

/// Games that a writer keeps back before it commits them at most …
pub const GAMES_A_COMMIT: usize = 50_000;
/// … and for how long.
pub const COMMIT_AFTER: Duration = Duration::from_secs(5);

/// An open database. What others may do with it meanwhile is in `store/locking.rs`.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    ending: Interrupt,
    patience_ms: Arc<AtomicU64>,
    /// Whether a short answer was broken off for a writer.
    displaced: Arc<AtomicBool>,
    /// Whether the file is left as it is: what is read of it may be damaged.
    is_left: bool,
    /// Layouts of tags that were read.
    layouts: RefCell<HashMap<u32, Arc<str>>>,
    /// Where the same is queried again and again.
    at_hand: Option<StoreCache>,
    /// The last change by others that a writer knows of, while it writes alone.
    seen: Cell<Option<i64>>,
    /// Logs that did not belong to it.
    logs_aside: Vec<PathBuf>,
}

impl Drop for Store {
    fn drop(&mut self) {
        self.roll_back();
        self.make_plain();
    }
}

impl Store {
    /// Opens an existing database for answers that may take long, or that are written
    /// while they are read: without blocking any writer, all from one state.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is missing, foreign, too new or busy.
    pub fn open(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        Self::open_plainly(path, stop, false)
    }

    /// Opens an existing database that no program writes meanwhile, and leaves the file as it is,
    /// to the byte.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_unchanged(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        Self::open_plainly(path, stop, true)
    }

    /// Opens an existing database; a short answer leaves the file as it is.
    fn open_plainly(
        path: &Path,
        stop: &CancellationToken,
        is_short: bool,
    ) -> Result<Self, StoreError> {
        // Not read-only: what a killed import has left must be rolled back first.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Self::connect(path, flags, stop)?;
        checksum_vfs::take_empty(&store.connection, false);
        store.look_at_schema()?;
        if !is_short {
            store.take_log_if_possible();
        }
        // One view of the database for all that is queried, and one lock. It begins with the first
        // thing that is read.
        store.execute("BEGIN")?;
        store.number("user_version")?;
        store.pragma("query_only", 1)?;
        // A reader that has no log is in the way of a writer that comes.
        let lock = (is_short && !store.has_log()).then(|| locking::lock_path(path));
        let watch = InterruptHandler::new(&store.ending, lock, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// Opens a database for writing, making it if there is none. A program that changes it has
    /// to [`write_alone`](Self::write_alone) first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::open`], and if it cannot be written or its
    /// folder is missing.
    pub fn create_or_open(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        Self::create_or_open_as(path, None, stop)
    }

    /// As [`Self::create_or_open`]; a database that is made gets this number, not a random one, so
    /// that two of equal content are equal byte for byte.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::create_or_open`].
    pub fn create_numbered(
        path: &Path,
        number: u64,
        stop: &CancellationToken,
    ) -> Result<Self, StoreError> {
        Self::create_or_open_as(path, Some(number), stop)
    }

    fn create_or_open_as(
        path: &Path,
        number: Option<u64>,
        stop: &CancellationToken,
    ) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        path::file_name(path)?;
        // SQLite has one message for all that it cannot open. A bare name has
        // the empty parent, which is the current folder.
        if let Some(folder) = path.parent()
            && !folder.as_os_str().is_empty()
            && !folder.exists()
        {
            return Err(StoreError::new(folder, StoreErrorKind::NoFolder));
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push("-journal");
        let probe = Path::new(&beside).symlink_metadata();
        if probe.is_err_and(|error| error.kind() == io::ErrorKind::InvalidFilename) {
            return Err(StoreError::new(path, StoreErrorKind::LongName));
        }
        let store = Self::connect(path, flags, stop)?;
        if store.is_read_only() {
            return Err(StoreError::new(path, StoreErrorKind::ReadOnly));
        }
        if store.version()? == 0 {
            store.pragma("page_size", PAGE_BYTES)?;
            store.pragma("encoding", "UTF-8")?;
            let number = number.map_or_else(|| store.random_number(), Ok)?;
            checksum_vfs::make_room(&store.connection);
            checksum_vfs::sum_all(&store.connection, number);
            store.make_schema(MIGRATIONS, number)?;
        }
        store.look_at_schema()?;
        // Games of other keys would be in an index of their own.
        store.index()?;
        // Imports touch pages in order; a moderate cache keeps the memory bounded.
        store.pragma("cache_size", -65_536)?;
        store.pragma("temp_store", "MEMORY")?;
        // References are made by one writer that knows them all; checking each
        // would cost more than inserting it.
        store.pragma("foreign_keys", 0)?;
        Ok(store)
    }

    /// Opens a database to [reindex](crate::changes::reindex) it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::open`], and if it cannot be written.
    pub fn open_to_reindex(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::new(path, StoreErrorKind::Missing));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Self::connect(path, flags, stop)?;
        if store.is_read_only() {
            return Err(StoreError::new(path, StoreErrorKind::ReadOnly));
        }
        store.look_at_schema()?;
        store.pragma("cache_size", -65_536)?;
        store.pragma("foreign_keys", 0)?;
        // A file that is written again takes long.
        let watch = InterruptHandler::new(&store.ending, None, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// A new database that is of no use if it is not filled to the end: it is written without
    /// a journal, and the caller that requested it makes it durable.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::create_or_open`].
    pub fn create_draft(path: &Path, stop: &CancellationToken) -> Result<Self, StoreError> {
        let store = Self::create_or_open(path, stop)?;
        store.pragma("journal_mode", "OFF")?;
        store.pragma("synchronous", "OFF")?;
        Ok(store)
    }

    fn connect(
        path: &Path,
        flags: OpenFlags,
        stop: &CancellationToken,
    ) -> Result<Self, StoreError> {
        let failed = |source| StoreError::sqlite(path, source);
        let name = path::file_name(path)?;
        if !flags.contains(OpenFlags::SQLITE_OPEN_CREATE) && !path.exists() {
            return Err(StoreError::new(path, StoreErrorKind::Missing));
        }
        let mut connection =
            Connection::open_with_flags_and_vfs(name, flags, checksum_vfs::layer())
                .map_err(failed)?;
        let (ending, patience_ms) = (Interrupt::new(stop), Arc::default());
        locking::wait_for_locks(&mut connection, &ending, &patience_ms).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(64);
        // Otherwise each new key of a range would have its statement planned again,
        // which costs more than the look-up.
        connection
            .set_db_config(
                rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG,
                true,
            )
            .map_err(failed)?;
        let mut store = Self {
            connection,
            path: path.to_path_buf(),
            ending,
            patience_ms,
            displaced: Arc::default(),
            is_left: false,
            layouts: RefCell::default(),
            at_hand: None,
            seen: Cell::new(None),
            logs_aside: Vec::new(),
        };
        store.waits_for(QUERY_PATIENCE);
        store.set_logs_aside()?;
        // Never mapped: a file that another process cuts meanwhile would end the program, and
        // every page that was ever looked at would count as memory.
        store.pragma("mmap_size", 0)?;
        Ok(store)
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        let done = self.connection.execute_batch(sql);
        done.map_err(|source| self.failed(source))
    }

    /// A number that `SQLite` keeps about the file.
    fn number(&self, pragma: &str) -> Result<i64, StoreError> {
        self.connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .map_err(|source| self.failed(source))
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes, with what is still in the log beside it.
    pub fn bytes(&self) -> u64 {
        let pages = self.number("page_count").map_or(0, i64::unsigned_abs);
        pages * u64::from(PAGE_BYTES)
    }

    fn pragma(&self, name: &str, value: impl rusqlite::ToSql) -> Result<(), StoreError> {
        self.connection
            .pragma_update(None, name, value)
            .map_err(|source| self.failed(source))
    }

    /// Goes through much that is not looked at again with a small cache of pages: fresh memory for
    /// each page that is read once costs more than reading it.
    fn in_passing<T>(&self, go: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        let usual: i64 = self
            .connection
            .pragma_query_value(None, "cache_size", |row| row.get(0))
            .map_err(|source| self.failed(source))?;
        self.pragma("cache_size", -1024)?;
        let gone = go();
        let restored = self.pragma("cache_size", usual);
        gone.and_then(|gone| restored.map(|()| gone))
    }

    /// How many rows this connection has written: what was read stays so while it is the same, as
    /// far as it is up to this program.
    fn rows_written(&self) -> u64 {
        self.connection.total_changes()
    }

    fn is_read_only(&self) -> bool {
        let is_read_only = self.connection.is_readonly(rusqlite::MAIN_DB);
        is_read_only.unwrap_or(false)
    }

    /// Begins a transaction for writing.
    ///
    /// # Errors
    ///
    /// [`StoreError`], busy among others; [`StoreErrorKind::Changed`] where a program that does not
    /// queue wrote something since [`write_alone`](Self::write_alone).
    pub fn begin(&self) -> Result<(), StoreError> {
        self.begin_plainly()?;
        // First of all, so that a journal that is left of it says which state it restores.
        self.run(statements::RAISE_GENERATION, [])
            .map(drop)
            .inspect_err(|_| self.roll_back())
    }

    /// Begins a transaction that does not raise the generation.
    fn begin_plainly(&self) -> Result<(), StoreError> {
        self.execute("BEGIN IMMEDIATE")?;
        if let Some(seen) = self.seen.get()
            && self.number("data_version")? != seen
        {
            self.roll_back();
            return Err(self.error(StoreErrorKind::Changed));
        }
        Ok(())
    }

    /// Writes what belongs together: all of it or nothing.
    ///
    /// # Errors
    ///
    /// As [`Self::begin`], and those of the work.
    pub fn at_once<T>(
        &self,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.begin()?;
        let done = work().inspect_err(|_| self.roll_back())?;
        self.commit()?;
        Ok(done)
    }

    /// Commits it.
    ///
    /// # Errors
    ///
    /// [`StoreError`]; then nothing of the transaction is kept.
    pub fn commit(&self) -> Result<(), StoreError> {
        self.connection.execute_batch("COMMIT").map_err(|source| {
            self.roll_back();
            self.failed(source)
        })
    }

    /// Gives the transaction up. Errors do not matter: then there is none.
    pub fn roll_back(&self) {
        let statement = self.connection.prepare_cached("ROLLBACK");
        let _ = statement.and_then(|mut statement| statement.execute([]));
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn fresh() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::create_or_open(
            &folder.path().join("fresh.db"),
            &CancellationToken::default(),
        )
        .expect("a database");
        (folder, store)
    }

    #[test]
    fn every_statement_fits_the_schema() {
        let (_folder, store) = fresh();
        // All constants of the file, as they are written there.
        let source = include_str!("statements.rs").replace("\\\n", "");
        let constants = source.split("const ").skip(1);
        let statements: Vec<String> = constants
            .filter_map(|constant| {
                let literal = constant.split_once('"')?.1.split_once("\";")?.0;
                let words: Vec<&str> = literal.split_whitespace().collect();
                Some(words.join(" ").replace("\\\"", "\""))
            })
            .collect();
        assert_eq!(
            statements.len(),
            source.matches("pub(super) const ").count()
        );
        assert!(statements.iter().any(|sql| sql == statements::COLUMNS));
        for sql in &statements {
            store
                .connection
                .prepare(sql)
                .unwrap_or_else(|error| panic!("{sql}\n{error}"));
        }
    }

    #[test]
    fn folders_are_told_from_databases() {
        let folder = tempfile::tempdir().expect("a folder");
        for opened in [
            Store::open(folder.path(), &CancellationToken::default()),
            Store::create_or_open(folder.path(), &CancellationToken::default()),
        ] {
            let kind = opened.expect_err("a folder").kind;
            assert!(matches!(kind, StoreErrorKind::Folder));
        }
        let missing = folder.path().join("none");
        match Store::create_or_open(&missing.join("a.db"), &CancellationToken::default()) {
            Err(error) => {
                assert!(matches!(error.kind, StoreErrorKind::NoFolder), "{error}");
                assert_eq!(error.path, missing);
            }
            other => panic!("{other:?}"),
        }
    }

    /// How `SQLite` goes about a statement: losing an index shows here.
    fn plan(store: &Store, sql: &str) -> String {
        let mut statement = store
            .connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
            .expect("a statement");
        let parameters = statement.parameter_count();
        let mut rows = statement
            .query(rusqlite::params_from_iter(vec![1; parameters]))
            .expect("a plan");
        let mut plan = String::new();
        while let Some(row) = rows.next().expect("a row") {
            let step: String = row.get(3).expect("a step");
            let _ = writeln!(plan, "{step}");
        }
        plan
    }

    #[test]
    fn look_ups_search_and_never_scan() {
        let (_folder, store) = fresh();
        insta::assert_snapshot!(plan(&store, statements::POSTINGS_OF), @"SEARCH posting_block USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
        insta::assert_snapshot!(plan(&store, statements::POPULAR_OF), @"SEARCH hot_block USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
        insta::assert_snapshot!(plan(&store, statements::MOVES_OF), @"SEARCH move_block USING INTEGER PRIMARY KEY (rowid<?)");
        insta::assert_snapshot!(plan(&store, statements::FACTS_OF), @"SEARCH fact_block USING INTEGER PRIMARY KEY (rowid<?)");
        insta::assert_snapshot!(plan(&store, statements::GAME_BY_ID), @r"
        SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
        SEARCH w USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        SEARCH b USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        SEARCH s USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        SEARCH o USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
        ");
        insta::assert_snapshot!(plan(&store, statements::TREES_OF), @"SEARCH tree_block USING INTEGER PRIMARY KEY (rowid<?)");
        insta::assert_snapshot!(plan(&store, statements::PLACE_OF_GAME), @r"
        SEARCH c USING INDEX source_chunk_by_game (first_game<?)
        SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
        ");
    }
}
