//! A database that is queried again and again for as long as a program runs.
//!
//! Between two queries nothing is locked, so that no writer has to wait; each
//! query is answered from one state of the database, the newest one.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    SegmentRow, SharedFacts, Store, StoreError, VariantGames,
    fact_table::FactTable,
    locking::{self, InterruptHandler},
    statements,
};
use crate::base::{observe::CancellationToken, range_map::RangeMap};

/// Pages of the database that are kept between queries, in KiB: of a large database more, because the
/// inner pages of its tables would fill a small cache.
fn cache_kib(database_bytes: u64) -> i64 {
    (database_bytes / 1024 / 128).clamp(12 * 1024, 32 * 1024) as i64
}

/// Names by the places of their tables and their numbers; `None` where there is none.
type NameCache = HashMap<(u8, u32), Option<Box<str>>>;

/// What is looked up once, for it is the same as long as the database is.
#[derive(Debug, Default)]
pub(super) struct StoreCache {
    pub(super) index: OnceCell<Vec<SegmentRow>>,
    pub(super) removed: OnceCell<RangeMap>,
    pub(super) facts: Option<Arc<FactTable>>,
    pub(super) variants_of_starts: OnceCell<BTreeSet<u8>>,
    pub(super) may_have_times: OnceCell<bool>,
    pub(super) names: RefCell<NameCache>,
    /// The variants of segments, where these have columns.
    pub(super) variants_of: RefCell<HashMap<u32, Option<Arc<[VariantGames]>>>>,
}

/// Which file a path names, where that can be determined.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<(u64, u64)> {
    path.exists().then_some((0, 0))
}

/// Whether two paths name one file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let (one, other) = (one.canonicalize(), other.canonicalize());
    match (one, other) {
        (Ok(one), Ok(other)) => {
            // A file may have two names.
            one == other || cfg!(unix) && identity(&one) == identity(&other)
        }
        _ => false,
    }
}

/// An open database between two queries.
#[derive(Debug)]
struct OpenStore {
    store: Store,
    /// Shows whether others have changed it.
    version: i64,
    file: Option<(u64, u64)>,
}

/// A database for short queries, one after the other.
#[derive(Debug)]
pub struct CachedStore {
    path: PathBuf,
    stop: CancellationToken,
    facts: Arc<SharedFacts>,
    standing: Option<OpenStore>,
}

impl CachedStore {
    /// Nothing is opened yet. Whatever is under way gives up when the end is requested. All who
    /// share facts query the same database.
    pub fn new(path: &Path, stop: &CancellationToken, facts: &Arc<SharedFacts>) -> Self {
        Self {
            path: path.to_path_buf(),
            stop: stop.clone(),
            facts: Arc::clone(facts),
            standing: None,
        }
    }

    /// Begins a view of the newest state; says whether that is another one than the last
    /// query had.
    fn begin(&mut self) -> Result<bool, StoreError> {
        let file = identity(&self.path);
        // What fails of one that stands is for a fresh look to say: the file may be another by now.
        let standing = (self.standing.take()).filter(|standing| {
            standing.file == file && standing.store.begins_as(standing.version).unwrap_or(false)
        });
        if let Some(mut standing) = standing {
            let store = &mut standing.store;
            let lock = (!store.has_log()).then(|| locking::lock_path(&self.path));
            let watch = InterruptHandler::new(&store.ending, lock, &store.displaced);
            watch
                .over(&mut store.connection)
                .map_err(|source| StoreError::sqlite(&self.path, source))?;
            self.standing = Some(standing);
            return Ok(false);
        }
        let mut store = Store::open_plainly(&self.path, &self.stop, true)?;
        let bytes = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        store.pragma("cache_size", -cache_kib(bytes))?;
        store.at_hand = Some(StoreCache {
            facts: self.facts.of(&store, file)?,
            ..StoreCache::default()
        });
        let version = store.number("data_version")?;
        self.standing = Some(OpenStore {
            store,
            version,
            file,
        });
        Ok(true)
    }

    /// Runs a short query, whose answer is complete before any of it is used. The query
    /// is given whether the database is another one than the last query saw.
    ///
    /// # Errors
    ///
    /// As [`Store::ask`].
    pub fn ask<T, E: From<StoreError>>(
        &mut self,
        mut question: impl FnMut(&Store, bool) -> Result<T, E>,
    ) -> Result<T, E> {
        let is_new = self.begin()?;
        let Some(OpenStore { store, .. }) = &self.standing else {
            return Err(StoreError::new(&self.path, super::StoreErrorKind::Missing).into());
        };
        let answer = question(store, is_new);
        let was_displaced = store
            .displaced
            .swap(false, std::sync::atomic::Ordering::Relaxed);
        store.roll_back();
        if answer.is_err() {
            // Whatever was wrong, the next query begins with a fresh look.
            self.standing = None;
            if was_displaced && !self.stop.is_cancelled() {
                return question(&Store::open(&self.path, &self.stop)?, true);
            }
        }
        answer
    }

    /// Lets go of a database that another process has written meanwhile, so that it becomes one
    /// plain file again. For the time between queries.
    pub fn rest(&mut self) {
        let has_log = |standing: &OpenStore| standing.store.has_log();
        if self.standing.as_ref().is_some_and(has_log) {
            self.standing = None;
        }
    }
}

impl Store {
    /// What is cached, or is looked up and then cached.
    pub(super) fn once<T: Clone>(
        &self,
        place: impl Fn(&StoreCache) -> &OnceCell<T>,
        find: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(place) = self.at_hand.as_ref().map(place) else {
            return find();
        };
        if let Some(known) = place.get() {
            return Ok(known.clone());
        }
        let found = find()?;
        Ok(place.get_or_init(|| found).clone())
    }

    /// Begins a view of the newest state; whether that is the one of a version of the data.
    ///
    /// A short query takes less time than `SQLite` needs to parse these statements: they are kept.
    fn begins_as(&self, version: i64) -> Result<bool, StoreError> {
        let begins = || {
            let connection = &self.connection;
            connection.prepare_cached("BEGIN")?.execute([])?;
            let mut newest = connection.prepare_cached(statements::DATA_VERSION)?;
            newest.query_row([], |row| row.get::<_, i64>(0))
        };
        let newest = begins().map_err(|source| self.failed(source))?;
        Ok(newest == version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::observe::NullObserver, store::StoreErrorKind};

    fn imports(store: &Store) -> Result<i64, StoreError> {
        Ok(store.number("data_version")?.min(0) + i64::from(store.last_game()? > 0))
    }

    #[test]
    fn what_others_write_is_seen_and_nobody_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        drop(Store::create_or_open(&path, &CancellationToken::default()).expect("a database"));
        let mut asked = CachedStore::new(&path, &CancellationToken::default(), &Arc::default());
        let mut news = || asked.ask(|store, is_new| imports(store).map(|_| is_new));
        assert!(news().expect("an answer"));
        assert!(!news().expect("an answer"));
        let writer =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        let alone = writer
            .write_alone(&NullObserver)
            .expect("nobody is in its way");
        writer.begin().expect("a transaction");
        writer.insert_import("test").expect("a row");
        writer.commit().expect("a commit");
        assert!(news().expect("an answer"));
        assert!(!news().expect("an answer"));
        drop(alone);
        drop(writer);
        asked.rest();
        // One plain file is left.
        assert_eq!(std::fs::read(&path).expect("a file")[18..20], [1, 1]);
        assert!(!folder.path().join("games.db-wal").exists());
    }

    #[test]
    fn a_file_that_is_whole_again_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        drop(Store::create_or_open(&path, &CancellationToken::default()).expect("a database"));
        let mut asked = CachedStore::new(&path, &CancellationToken::default(), &Arc::default());
        let mut ask = || asked.ask(|store, _| imports(store));
        assert_eq!(ask().ok(), Some(0));
        let whole = std::fs::read(&path).expect("a file");
        // In its place, as a copy writes it.
        std::fs::write(&path, &whole[..whole.len() / 3]).expect("room");
        for _ in 0..3 {
            let kind = ask().expect_err("it is cut off").kind;
            assert!(matches!(kind, StoreErrorKind::Damaged { .. }), "{kind:?}");
        }
        std::fs::write(&path, &whole).expect("room");
        assert_eq!(ask().ok(), Some(0));
    }

    #[test]
    fn facts_are_shared_by_those_who_see_the_same_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        drop(Store::create_or_open(&path, &CancellationToken::default()).expect("a database"));
        let shared = Arc::default();
        let [mut one, mut other] =
            [(), ()].map(|()| CachedStore::new(&path, &CancellationToken::default(), &shared));
        let table = |standing: &mut CachedStore| {
            let asked = standing.ask(|store, _| {
                let facts = store.at_hand.as_ref().and_then(|at| at.facts.clone());
                Ok::<_, StoreError>(facts)
            });
            asked.expect("an answer")
        };
        let (first, second) = (table(&mut one), table(&mut other));
        let first = first.expect("nobody writes");
        assert!(second.is_some_and(|second| Arc::ptr_eq(&first, &second)));
        {
            let writer =
                Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
            let _alone = writer
                .write_alone(&NullObserver)
                .expect("nobody is in its way");
            writer.begin().expect("a transaction");
            writer.insert_import("test").expect("a row");
            writer.commit().expect("a commit");
            // The file does not say yet which state it is in.
            assert!(table(&mut one).is_none());
        }
        one.rest();
        let (first_again, second) = (table(&mut one), table(&mut other));
        let first_again = first_again.expect("nobody writes");
        assert!(!Arc::ptr_eq(&first, &first_again));
        assert!(second.is_some_and(|second| Arc::ptr_eq(&first_again, &second)));
    }
}
