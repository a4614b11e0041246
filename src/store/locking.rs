//! How several programs use one database at the same time.
//!
//! At rest a database is one plain file with a rollback journal, which any `SQLite` opens,
//! from a read-only folder as well. While a process writes, or reads for long, it has a
//! write-ahead log: then readers and the writer are not in each other's way, and each
//! reader keeps the state with which it began. The last one to close it makes it plain.
//!
//! Writers queue at a lock file beside the database. Only its holder imports, so that
//! what an import knows of the database stays true until its end.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rusqlite::Connection;

use super::{
    Store, StoreError, StoreErrorKind, checksum_vfs, interrupt::Interrupt, logs::companion,
};
use crate::base::observe::{CancellationToken, Event, Observer};

/// How long a reader waits for a process that has locked the file.
pub(super) const QUERY_PATIENCE: Duration = Duration::from_secs(5);
/// How long a writer waits for other programs that write: giving up would lose its work.
const WRITER_PATIENCE: Duration = Duration::from_mins(5);
/// How long one that reads for long waits for short answers to end. Then it goes on
/// without a log, and a writer that comes waits for it.
const LOG_PATIENCE: Duration = Duration::from_millis(100);
/// How long the file is closed to others in order to give it a log: they wait that long.
const LOG_PAUSE: Duration = Duration::from_millis(20);
/// Between two looks at a lock.
const PAUSE: Duration = Duration::from_millis(10);
/// A short answer that takes longer looks whether it is in a writer's way …
const SHORT: Duration = Duration::from_millis(30);
/// … this often.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Instructions of `SQLite` between two looks at the clock or the [`CancellationToken`]: some µs.
const INSTRUCTIONS: i32 = 1000;

/// The lock file of a database.
pub(super) fn lock_path(database: &Path) -> PathBuf {
    companion(database, "-lock")
}

/// Whether a living writer holds, or is about to hold, a lock file.
fn is_held(lock: &Path) -> bool {
    File::open(lock)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Whether the path still names the open file: the process that held it before may have
/// removed it while we were opening it.
fn is_still(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        match (file.metadata(), std::fs::metadata(path)) {
            (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        // An open file cannot be removed there.
        let _ = file;
        path.exists()
    }
}

/// The place at the head of the queue, until it is dropped.
#[derive(Debug)]
pub(super) struct QueueTicket {
    path: PathBuf,
    file: File,
}

impl QueueTicket {
    /// Tries to come to the head; `None` while another process is there. Where there are no
    /// locks (some network file systems) every process is, and the database's own locks remain.
    pub(super) fn take(path: &Path) -> std::io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let path = path.to_path_buf();
        Ok(is_still(&file, &path).then_some(Self { path, file }))
    }

    /// Says in the file who holds it.
    fn sign(&mut self, name: &str) -> std::io::Result<()> {
        self.file.rewind()?;
        self.file.set_len(0)?;
        self.file.write_all(name.as_bytes())
    }
}

impl Drop for QueueTicket {
    fn drop(&mut self) {
        // First, for a process that opens it after the lock has gone must not find it.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// The holder of a lock file, as the file says.
fn holder(lock: &Path) -> String {
    let mut name = String::new();
    let read = File::open(lock).and_then(|file| file.take(200).read_to_string(&mut name));
    match read {
        Ok(1..) => name.trim().to_owned(),
        _ => "another program".to_owned(),
    }
}

/// Whether there is a write-ahead log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LogPresence {
    Taken,
    /// Another process reads without.
    NotYet,
    /// The file system has none.
    Never,
}

/// The right to write, held from the first look at what there is to the last commit.
#[derive(Debug)]
pub struct WriteLock<'s> {
    store: &'s Store,
    _place: Option<QueueTicket>,
}

impl Drop for WriteLock<'_> {
    fn drop(&mut self) {
        self.store.roll_back();
        // Before the place is given up: the next one finds a plain file.
        self.store.make_plain();
        self.store.seen.set(None);
        self.store.waits_for(QUERY_PATIENCE);
    }
}

/// Comes to the head of the queue of the writers of a database; `None` where no lock file can be
/// made, which the database itself will have reasons for.
pub(super) fn queue(
    database: &Path,
    stop: &CancellationToken,
    observer: &dyn Observer,
) -> Result<Option<QueueTicket>, StoreError> {
    let path = lock_path(database);
    loop {
        match QueueTicket::take(&path) {
            Ok(Some(mut place)) => {
                let name = format!("process {}, since {}", std::process::id(), local_time());
                // A holder that cannot be named is waited for all the same.
                let _ = place.sign(&name);
                return Ok(Some(place));
            }
            Ok(None) => {
                let whom = format!(
                    "another program that writes the database ({})",
                    holder(&path)
                );
                wait(database, stop, observer, &whom, true)?;
                std::thread::sleep(PAUSE);
            }
            Err(_) => return Ok(None),
        }
    }
}

/// Reports what is waited for; an error where the user does not want to wait.
fn wait(
    database: &Path,
    stop: &CancellationToken,
    observer: &dyn Observer,
    for_whom: &str,
    has_patience: bool,
) -> Result<(), StoreError> {
    let flow = observer.on(Event::Waiting { for_whom });
    if flow.is_break() || stop.is_cancelled() || observer.stop().is_cancelled() {
        return Err(StoreError::new(database, StoreErrorKind::Interrupted));
    }
    if !has_patience {
        return Err(StoreError::new(database, StoreErrorKind::Busy));
    }
    Ok(())
}

/// Local time, for a user who waits.
fn local_time() -> String {
    let asked = Connection::open_in_memory()
        .and_then(|memory| memory.query_row(super::statements::LOCAL_TIME, [], |row| row.get(0)));
    asked.unwrap_or_default()
}

/// What stops a statement that is under way.
pub(super) struct InterruptHandler {
    ending: Interrupt,
    /// The lock file of a writer to give way to.
    lock: Option<PathBuf>,
    displaced: Arc<AtomicBool>,
    next_look: Instant,
}

impl InterruptHandler {
    /// Watches for the end alone, or for a writer, too.
    pub(super) fn new(
        ending: &Interrupt,
        lock: Option<PathBuf>,
        displaced: &Arc<AtomicBool>,
    ) -> Self {
        Self {
            ending: ending.clone(),
            lock,
            displaced: Arc::clone(displaced),
            next_look: Instant::now() + SHORT,
        }
    }

    /// Looks up whenever `SQLite` has done some work; ends the statement if need be.
    pub(super) fn over(mut self, connection: &mut Connection) -> rusqlite::Result<()> {
        connection.progress_handler(INSTRUCTIONS, Some(move || self.is_over()))
    }

    fn is_over(&mut self) -> bool {
        // A caller that fetches what was found is soon done, and gives way to no other.
        if self.ending.stop.is_cancelled() {
            return self.ending.is_due();
        }
        let Some(lock) = &self.lock else { return false };
        let now = Instant::now();
        if now < self.next_look {
            return false;
        }
        self.next_look = now + LOOK_EVERY;
        let is_held = is_held(lock);
        self.displaced.fetch_or(is_held, Ordering::Relaxed);
        is_held
    }
}

/// Makes a connection wait for locks for `patience_ms` milliseconds, or until the end is requested.
pub(super) fn wait_for_locks(
    connection: &mut Connection,
    ending: &Interrupt,
    patience_ms: &Arc<AtomicU64>,
) -> rusqlite::Result<()> {
    let (ending, patience_ms) = (ending.clone(), Arc::clone(patience_ms));
    let mut since = Instant::now();
    connection.busy_handler(Some(move |times: i32| {
        if times == 0 {
            since = Instant::now();
        }
        let patience = Duration::from_millis(patience_ms.load(Ordering::Relaxed));
        let goes_on = since.elapsed() < patience && !ending.is_due();
        if goes_on {
            std::thread::sleep(PAUSE);
        }
        goes_on
    }))
}

impl Store {
    /// Runs a short query, whose answer is complete before any of it is used:
    /// from one state of the database, and as if no other process was there.
    ///
    /// The query runs again where a writer comes meanwhile and would have to wait.
    ///
    /// # Errors
    ///
    /// As [`Self::open`], and those of the query.
    pub fn ask<T, E: From<StoreError>>(
        path: &Path,
        stop: &CancellationToken,
        mut question: impl FnMut(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let store = Self::open_plainly(path, stop, true)?;
        let answer = question(&store);
        if answer.is_err() && store.displaced.load(Ordering::Relaxed) && !stop.is_cancelled() {
            drop(store);
            return question(&Self::open(path, stop)?);
        }
        answer
    }

    /// Waits until no other import is at work on this database, and keeps the next ones
    /// waiting until the guard is dropped. From now on readers see the last commit and
    /// do not block others.
    ///
    /// # Errors
    ///
    /// [`StoreErrorKind::Interrupted`] if the observer does not want to wait any longer; others
    /// if the database cannot be written.
    pub fn write_alone(&self, observer: &dyn Observer) -> Result<WriteLock<'_>, StoreError> {
        let place = queue(&self.path, self.stop(), observer)?;
        // What waited for its turn may have waited for a restore, or for a writer giving up a new
        // database.
        if checksum_vfs::has_moved(&self.connection) {
            return Err(self.error(StoreErrorKind::Replaced));
        }
        let writing = WriteLock {
            store: self,
            _place: place,
        };
        // Short answers end by themselves, or give way.
        self.waits_for(LOG_PAUSE);
        let since = Instant::now();
        loop {
            // A process that has just closed the database may make it plain until we have
            // read something by way of the log.
            let log = self.take_log()?;
            if log != LogPresence::NotYet {
                self.seen.set(Some(self.number("data_version")?));
                if log == LogPresence::Never || self.has_log() {
                    break;
                }
            }
            if since.elapsed() > LOG_PATIENCE {
                let whom = "a program that reads the database";
                let has_patience = since.elapsed() < WRITER_PATIENCE;
                wait(&self.path, self.stop(), observer, whom, has_patience)?;
            }
            std::thread::sleep(PAUSE);
        }
        self.waits_for(WRITER_PATIENCE);
        Ok(writing)
    }

    /// Sets how long it waits for locks from now on.
    pub(super) fn waits_for(&self, patience: Duration) {
        let ms = patience.as_millis() as u64;
        self.patience_ms.store(ms, Ordering::Relaxed);
    }

    /// Gives the database a write-ahead log, which cannot be had while another process reads
    /// without.
    fn take_log(&self) -> Result<LogPresence, StoreError> {
        let statement = self.connection.prepare(super::statements::TAKE_LOG);
        let taken = statement.and_then(|mut statement| {
            let mut rows = statement.query([])?;
            let mode = match rows.next()? {
                Some(row) => row.get::<_, String>(0)?,
                None => String::new(),
            };
            // It answers before it is done.
            rows.next()?;
            Ok(mode)
        });
        match taken.map_err(|source| self.failed(source)) {
            Ok(mode) if mode == "wal" => Ok(LogPresence::Taken),
            // Where memory cannot be shared, as on some network file systems.
            Ok(_) => Ok(LogPresence::Never),
            Err(error) if matches!(error.kind, StoreErrorKind::Busy) => Ok(LogPresence::NotYet),
            Err(error) => Err(error),
        }
    }

    /// As [`Self::take_log`], for a caller that can do without it.
    pub(super) fn take_log_if_possible(&self) {
        if self.is_read_only() {
            return;
        }
        self.waits_for(LOG_PAUSE);
        let since = Instant::now();
        while matches!(self.take_log(), Ok(LogPresence::NotYet))
            && since.elapsed() < LOG_PATIENCE
            && !self.stop().is_cancelled()
        {
            std::thread::sleep(PAUSE);
        }
        self.waits_for(QUERY_PATIENCE);
    }

    /// Whether the database has a write-ahead log.
    pub(super) fn has_log(&self) -> bool {
        let statement = self
            .connection
            .prepare_cached(super::statements::JOURNAL_MODE);
        let mode = statement.and_then(|mut mode| mode.query_row([], |row| row.get::<_, String>(0)));
        mode.is_ok_and(|mode| mode == "wal")
    }

    /// Makes the database one plain file, if no other process has it open. Errors do not
    /// matter: then another process will, or the next that opens it.
    pub(super) fn make_plain(&self) {
        if !self.is_held_by_another() {
            self.make_plain_alone();
        }
    }

    /// As [`Self::make_plain`], for a writer that is at the head of the queue of writers.
    pub(super) fn make_plain_alone(&self) {
        if self.is_left || self.is_read_only() || !self.has_log() {
            return;
        }
        let pragma = |sql: &str| self.connection.query_row(sql, [], |_| Ok(()));
        self.waits_for(Duration::ZERO);
        let _ = self.pragma("query_only", 0);
        // What takes long is done while others still may read.
        let _ = pragma(super::statements::FOLD_LOG);
        let _ = pragma(super::statements::MAKE_PLAIN);
    }

    /// Whether a writer is at work, and it is not us.
    fn is_held_by_another(&self) -> bool {
        self.seen.get().is_none() && is_held(&lock_path(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::base::observe::NullObserver;

    fn fresh() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db");
        drop(Store::create_or_open(&path, &CancellationToken::default()).expect("a database"));
        (folder, path)
    }

    /// Counts to far more than can be done in a short time.
    const LONG: &str = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n \
        WHERE i < 1000000000) SELECT count(*) FROM n";

    #[test]
    fn a_short_answer_that_is_not_short_gives_way_to_a_writer() {
        let (_folder, path) = fresh();
        let times = Mutex::new(0);
        let stop = CancellationToken::default();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                Store::ask(&path, &stop, |store| {
                    *times.lock().expect("no panic") += 1;
                    store.one(LONG, [], |row| row.get::<_, i64>(0))
                })
            });
            let store =
                Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
            while *times.lock().expect("no panic") == 0 {
                std::thread::sleep(PAUSE);
            }
            let alone = store.write_alone(&NullObserver).expect("its turn");
            store.begin().expect("a transaction");
            store.insert_import("test").expect("a row");
            store.commit().expect("a commit");
            // The query ran again, beside the writer, and nothing stops it but us.
            let since = Instant::now();
            while *times.lock().expect("no panic") == 1 {
                assert!(since.elapsed() < Duration::from_secs(20), "it gives way");
                std::thread::sleep(PAUSE);
            }
            drop(alone);
            stop.cancel();
            let answer = asked.join().expect("no panic");
            let kind = answer.expect_err("asked to stop").kind;
            assert!(matches!(kind, StoreErrorKind::Interrupted));
        });
        assert_eq!(*times.lock().expect("no panic"), 2);
        drop(Store::create_or_open(&path, &CancellationToken::default()).expect("a database"));
        assert_eq!(std::fs::read(&path).expect("a file")[18..20], [1, 1]);
    }

    #[test]
    fn a_program_that_does_not_queue_ends_an_import() {
        let (_folder, path) = fresh();
        let store =
            Store::create_or_open(&path, &CancellationToken::default()).expect("a database");
        let alone = store.write_alone(&NullObserver).expect("its turn");
        store.begin().expect("a transaction");
        store.insert_import("test").expect("a row");
        store.commit().expect("a commit");
        // What we have changed ourselves is no news.
        store.begin().expect("a transaction");
        store.roll_back();
        let other = Connection::open_with_flags_and_vfs(
            &path,
            rusqlite::OpenFlags::default(),
            super::super::file_layer(),
        )
        .expect("a database");
        let insert = "INSERT INTO player (id, name) VALUES (1, 'Nobody')";
        other.execute_batch(insert).expect("a row");
        let kind = store.begin().expect_err("it was changed").kind;
        assert!(matches!(kind, StoreErrorKind::Changed));
        drop((other, alone));
        let alone = store.write_alone(&NullObserver).expect("its turn again");
        store.begin().expect("a transaction");
        drop(alone);
    }

    #[test]
    fn a_lock_that_nobody_holds_is_taken() {
        let (_folder, path) = fresh();
        let lock = lock_path(&path);
        std::fs::write(&lock, "process 1, since long ago").expect("a file");
        assert!(!is_held(&lock));
        let place = QueueTicket::take(&lock)
            .expect("a file")
            .expect("nobody is there");
        assert!(is_held(&lock));
        assert!(QueueTicket::take(&lock).expect("a file").is_none());
        drop(place);
        assert!(!lock.exists());
    }
}
