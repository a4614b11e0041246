//! The one `SQLite` file that holds everything, and the only room that speaks
//! SQL. Statements are in `statements.rs`, the schema in `migrations/`.

mod audit;
mod backup;
mod blocks;
mod changes;
mod columns;
mod edits;
mod ending;
mod error;
mod fact_table;
mod facts;
mod fide_names;
mod findings;
mod module;
mod name_blocks;
mod names;
mod openings;
mod page_sums;
mod places;
mod problems;
mod read;
mod records;
mod removed;
mod repair;
mod repeated;
mod row;
mod rules;
mod sharing;
mod splice;
mod sql;
mod standing;
mod statements;
mod sums;
mod tables;
mod tags;
mod tail;
mod unpack;
mod upgrade;
mod write;

use std::{
    cell::{Cell, OnceCell, RefCell},
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

use crate::{base::observe::Stop, db::index::block_bytes};

pub use blocks::{IndexPart, LineReader, SegmentRow};
use ending::Ending;
use sharing::{QUERY_PATIENCE, Watch};
use standing::AtHand;

pub use changes::{ChangeKind, ChangeRow, InTheWay, RemovalRun};
pub use columns::{ColumnPages, ColumnStretch, FEW_GAMES, VariantGames};
pub use edits::{EditRow, HadRow, TagList, TaggedAs};
pub use ending::Fetching;
pub use error::{StoreError, StoreErrorKind};
pub use fact_table::SharedFacts;
pub use facts::{FactBlocks, FactReader};
pub use findings::FindingRow;
pub use names::Names;
pub use page_sums::layer as file_layer;
pub use places::PlaceReader;
pub use problems::{ProblemRow, ProblemText};
pub use read::{ChunkRow, GameRow, NameTable, SourcePlace, StartRow};
pub use records::{RecordKind, RecordReader};
pub use repeated::RepeatedRun;
pub use rules::NameRule;
pub use sharing::WriteRight;
pub use splice::{BlockRims, FindingEntry, PieceRow, SourceRow};
pub use sql::{Asked, SqlError, SqlStore, SqlValue};
pub use standing::StandingStore;
pub use sums::SumReader;
pub use tables::{
    Field, GameRows, Paths, PositionRow, SqlTable, TableColumn, TableRow, TableSource,
};
pub use tags::{Layouts, TagColumns, TagRows};
pub use write::NewGame;

/// Marks the file as ours in the `SQLite` header: `plyd` in ASCII.
const APPLICATION_ID: i32 = 0x706c_7964;

/// The schema's steps, in order; the file's `user_version` counts those done.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_initial.sql"),
    include_str!("../../../migrations/0002_trees.sql"),
    include_str!("../../../migrations/0003_records.sql"),
    include_str!("../../../migrations/0004_identity.sql"),
    include_str!("../../../migrations/0005_changes.sql"),
    include_str!("../../../migrations/0006_columns.sql"),
    include_str!("../../../migrations/0007_openings.sql"),
    include_str!("../../../migrations/0008_game_list.sql"),
    include_str!("../../../migrations/0009_pages.sql"),
    include_str!("../../../migrations/0010_leaders.sql"),
    include_str!("../../../migrations/0011_names.sql"),
    include_str!("../../../migrations/0012_fide.sql"),
];

/// Bytes of a page of a new file; those of programs before schema 9 have pages of 8,192.
const PAGE_BYTES: u16 = 4096;

/// The first schema whose pages have checksums.
const SUMMED_SCHEMA: u32 = 3;

/// The first schema whose games have whole fingerprints.
const PRINTED_SCHEMA: u32 = 4;

/// The first schema with a log of changes.
const CHANGES_SCHEMA: u32 = 5;

/// The first schema with columns of what games leave behind.
const COLUMNS_SCHEMA: u32 = 6;

/// The first schema in which crowded positions have leaders.
const LEADERS_SCHEMA: u32 = 10;

/// The first schema in which games have their openings.
const OPENINGS_SCHEMA: u32 = 7;

/// The newest schema this program knows.
pub const SCHEMA_VERSION: u32 = MIGRATIONS.len() as u32;

/// Games that a writer keeps back before it commits them at most …
pub const GAMES_A_COMMIT: usize = 50_000;
/// … and for how long.
pub const COMMIT_AFTER: Duration = Duration::from_secs(5);

/// An open database. What others may do with it meanwhile is in `store/sharing.rs`.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    ending: Ending,
    patience_ms: Arc<AtomicU64>,
    /// Whether a short answer was broken off for a writer.
    displaced: Arc<AtomicBool>,
    /// The schema of the file: an older one is read as it stands.
    schema: Cell<u32>,
    /// Whether the file is left as it is: what is read of it may be damaged.
    is_left: bool,
    /// Layouts of tags that were read.
    layouts: RefCell<HashMap<u32, Arc<str>>>,
    /// Where the same is asked again and again.
    at_hand: Option<AtHand>,
    /// The last change by others that a writer knows of, while it writes alone.
    seen: Cell<Option<i64>>,
    /// Bytes of its pages, once they are asked for.
    page_bytes: OnceCell<u16>,
}

impl Drop for Store {
    fn drop(&mut self) {
        self.roll_back();
        self.make_plain();
    }
}

impl Store {
    /// Opens an existing database for answers that may take long, or that are written
    /// while they are read: in the way of nobody who writes, all from one state.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it is missing, foreign, too new or busy.
    pub fn open(path: &Path, stop: &Stop) -> Result<Self, StoreError> {
        Self::open_plainly(path, stop, false)
    }

    /// Opens an existing database; a short answer leaves the file as it is.
    fn open_plainly(path: &Path, stop: &Stop, is_short: bool) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::new(path, StoreErrorKind::Missing));
        }
        // Not read-only: what a killed import has left must be rolled back first.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Self::connect(path, flags, stop)?;
        page_sums::take_empty(&store.connection, false);
        store.look_at_schema()?;
        if !is_short {
            store.take_log_if_possible();
        }
        // One view of the database for all that is asked, and one lock. It begins with the
        // schema, which somebody may have brought up meanwhile.
        store.execute("BEGIN")?;
        let version = store.number("user_version")?;
        if version
            != i64::from(
                store
                    .schema
                    .replace(u32::try_from(version).unwrap_or(u32::MAX)),
            )
        {
            store.fit_statements()?;
        }
        store.pragma("query_only", 1)?;
        // A reader that has no log is in the way of a writer that comes.
        let lock = (is_short && !store.has_log()).then(|| sharing::lock_path(path));
        let watch = Watch::new(&store.ending, lock, &store.displaced);
        watch
            .over(&mut store.connection)
            .map_err(|source| StoreError::sqlite(path, source))?;
        Ok(store)
    }

    /// Opens a database for writing, making it if there is none. Whoever changes it asks
    /// to [`write_alone`](Self::write_alone) first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::open`], and if it cannot be written or its
    /// folder is missing.
    pub fn create_or_open(path: &Path, stop: &Stop) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
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
            page_sums::make_room(&store.connection);
            page_sums::sum_all(&store.connection);
            store.make_schema()?;
        }
        let (found, known) = (store.version()?, SCHEMA_VERSION);
        if found != known {
            return Err(store.error(StoreErrorKind::TooOld { found, known }));
        }
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

    /// A new database that nobody needs if it is not filled to the end: it is written without
    /// a journal, and whoever asked for it makes it durable.
    ///
    /// # Errors
    ///
    /// [`StoreError`] as for [`Self::create_or_open`].
    pub fn create_draft(path: &Path, stop: &Stop) -> Result<Self, StoreError> {
        let store = Self::create_or_open(path, stop)?;
        store.pragma("journal_mode", "OFF")?;
        store.pragma("synchronous", "OFF")?;
        Ok(store)
    }

    fn connect(path: &Path, flags: OpenFlags, stop: &Stop) -> Result<Self, StoreError> {
        let failed = |source| StoreError::sqlite(path, source);
        if path.is_dir() {
            return Err(StoreError::new(path, StoreErrorKind::Folder));
        }
        let mut connection =
            Connection::open_with_flags_and_vfs(path, flags, page_sums::layer()).map_err(failed)?;
        let (ending, patience_ms) = (Ending::new(stop), Arc::default());
        sharing::wait_for_locks(&mut connection, &ending, &patience_ms).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(64);
        // Otherwise each new key of a range would have its statement planned anew,
        // which costs more than the look-up.
        connection
            .set_db_config(
                rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG,
                true,
            )
            .map_err(failed)?;
        let store = Self {
            connection,
            path: path.to_path_buf(),
            ending,
            patience_ms,
            displaced: Arc::default(),
            schema: Cell::new(SCHEMA_VERSION),
            is_left: false,
            layouts: RefCell::default(),
            at_hand: None,
            seen: Cell::new(None),
            page_bytes: OnceCell::new(),
        };
        store.waits_for(QUERY_PATIENCE);
        // Never mapped: a file that somebody cuts meanwhile would end the program, and
        // every page that was ever looked at would count as memory.
        store.pragma("mmap_size", 0)?;
        Ok(store)
    }

    /// The file's schema version; 0 for an empty file.
    fn version(&self) -> Result<u32, StoreError> {
        // At once, for somebody may just be making the schema.
        self.execute("BEGIN")?;
        let numbers =
            ["page_count", "application_id", "user_version"].map(|name| self.number(name));
        self.roll_back();
        let [pages, application, version] = numbers;
        let (pages, application, version) = (pages?, application?, version?);
        if pages == 0 && application == 0 && version == 0 {
            return Ok(0);
        }
        if application != i64::from(APPLICATION_ID) || version <= 0 {
            return Err(self.error(StoreErrorKind::Foreign));
        }
        let found = u32::try_from(version).unwrap_or(u32::MAX);
        if found > SCHEMA_VERSION {
            return Err(self.error(StoreErrorKind::TooNew {
                found,
                known: SCHEMA_VERSION,
            }));
        }
        Ok(found)
    }

    /// Whether comments and variations are in the table of the first schema, as text.
    pub fn keeps_variations_as_text(&self) -> bool {
        self.schema.get() == 1
    }

    /// Whether chess problems are told apart from games, as from the third schema on.
    pub fn has_problems(&self) -> bool {
        self.schema.get() >= 3
    }

    /// Asks for a schema that tells problems apart from games, or a database without problems.
    ///
    /// # Errors
    ///
    /// [`StoreErrorKind::TooOld`], or another [`StoreError`].
    pub fn needs_problems(&self) -> Result<(), StoreError> {
        if self.has_problems() || self.stipulated_after(0, 1)?.is_empty() {
            return Ok(());
        }
        Err(self.too_old())
    }

    /// Says that a question needs what an older schema has not.
    fn too_old(&self) -> StoreError {
        self.error(StoreErrorKind::TooOld {
            found: self.schema.get(),
            known: SCHEMA_VERSION,
        })
    }

    /// Whether it is of a schema in which layouts of tags are names themselves.
    fn has_plain_layouts(&self) -> bool {
        self.schema.get() < 3
    }

    /// Whether it is of a schema in which every game had a segment.
    fn lacks_tail_block(&self) -> bool {
        self.schema.get() < 3
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

    /// Gives an empty file our schema.
    fn make_schema(&self) -> Result<(), StoreError> {
        self.at_once(|| {
            // Somebody else may have done it while we waited.
            if self.number("user_version")? > 0 {
                return Ok(());
            }
            MIGRATIONS.iter().try_for_each(|sql| self.execute(sql))?;
            self.note_opening_table()?;
            self.pragma("application_id", APPLICATION_ID)?;
            self.pragma("user_version", SCHEMA_VERSION)
        })
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its size in bytes, with what is still in the log beside it.
    pub fn bytes(&self) -> u64 {
        let number = |name| {
            let value = self
                .connection
                .pragma_query_value(None, name, |row| row.get(0));
            value.map_or(0, i64::unsigned_abs)
        };
        number("page_count") * number("page_size")
    }

    /// Bytes of its [blocks](crate::db::index::block_bytes).
    pub fn block_bytes(&self) -> usize {
        block_bytes(*self.page_bytes.get_or_init(|| self.page_bytes()))
    }

    /// Bytes of its pages.
    fn page_bytes(&self) -> u16 {
        let asked = self
            .connection
            .pragma_query_value(None, "page_size", |row| row.get(0));
        asked.unwrap_or(PAGE_BYTES)
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

    /// How many rows this connection has written: what was read stays so while it is the same, as far
    /// as it is up to this program.
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
        let _ = self.connection.execute_batch("ROLLBACK");
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn fresh() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::create_or_open(&folder.path().join("fresh.db"), &Stop::default())
            .expect("a database");
        (folder, store)
    }

    #[test]
    fn every_statement_fits_the_schema() {
        let (_folder, store) = fresh();
        // Tables of older schemas that ours has no more.
        for gone in ["annotation (", "sum_block ("] {
            let made = MIGRATIONS.iter().find_map(|step| {
                let (before, behind) = step.split_once(gone)?;
                before.trim_end().ends_with(['E', 'S']).then_some(behind)
            });
            let (columns, _) = made
                .and_then(|made| made.split_once(";\n"))
                .expect("a table");
            let step = format!("CREATE TABLE {gone}{columns}");
            store.execute(&step).expect("a table");
        }
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
            Store::open(folder.path(), &Stop::default()),
            Store::create_or_open(folder.path(), &Stop::default()),
        ] {
            let kind = opened.expect_err("a folder").kind;
            assert!(matches!(kind, StoreErrorKind::Folder));
        }
        let missing = folder.path().join("none");
        match Store::create_or_open(&missing.join("a.db"), &Stop::default()) {
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
        insta::assert_snapshot!(plan(&store, statements::HOT_OF), @"SEARCH hot_block USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
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
