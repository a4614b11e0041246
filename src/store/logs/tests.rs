//! Kills, copies and restores in every order, compared with what must be there then.

use fastrand::Rng;
use tempfile::TempDir;

use super::*;
use crate::base::observe::NullObserver;

const ENDINGS: [&str; 3] = ["", "-journal", "-wal"];
/// Rows of a transaction; each takes a good part of a page.
const ROWS: u64 = 9;

/// A database in a folder, and how many transactions it must have.
struct World {
    folder: TempDir,
    committed: u64,
    /// Databases in the middle of nothing, with the transactions that they have.
    backups: Vec<(PathBuf, u64)>,
    /// Whether a copy was put over the file since it was last opened.
    is_restored: bool,
    store: Option<Store>,
}

impl World {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            committed: 0,
            backups: Vec::new(),
            is_restored: false,
            store: None,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("games.db")
    }

    /// Opens it to write, with a write-ahead log or without.
    fn open(&mut self, has_log: bool) -> &Store {
        if self.store.is_none() {
            let store =
                Store::create_or_open(&self.path(), &CancellationToken::default()).expect("opened");
            self.compare(&store);
            if has_log {
                store.take_log_if_possible();
            }
            self.store = Some(store);
        }
        self.store.as_ref().expect("opened")
    }

    fn write(&mut self, is_long: bool) {
        let committed = self.committed;
        let store = self.store.as_ref().expect("opened");
        // Pages go to the file before the end of the transaction.
        store.pragma("cache_size", 5).expect("a cache");
        store.begin().expect("a transaction");
        for row in 1..=ROWS * if is_long { 3 } else { 1 } {
            let id = committed * ROWS + row;
            let name = format!("{committed:-<1500}");
            store
                .connection
                .execute(
                    "INSERT INTO player (id, name) VALUES (?1, ?2)",
                    (id.cast_signed(), name),
                )
                .expect("a row");
        }
    }

    /// Looks what is there.
    fn compare(&mut self, store: &Store) {
        let rows: i64 = store
            .connection
            .query_row("SELECT count(*) FROM player", [], |row| row.get(0))
            .expect("rows");
        assert_eq!(rows.unsigned_abs(), self.committed * ROWS);
        let sound: String = store
            .connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("a check");
        assert_eq!(sound, "ok");
        if !self.is_restored {
            assert_eq!(store.logs_aside(), &[] as &[PathBuf]);
        }
        self.is_restored = false;
    }

    /// What a program leaves that is killed now.
    fn kill(&mut self) {
        let folder = tempfile::tempdir().expect("a folder");
        for ending in ENDINGS {
            let from = companion(&self.path(), ending);
            if from.exists() {
                fs::copy(&from, companion(&folder.path().join("games.db"), ending)).expect("kept");
            }
        }
        let backups = std::mem::take(&mut self.backups);
        for (path, committed) in backups {
            let to = folder.path().join(path.file_name().expect("a name"));
            fs::copy(path, &to).expect("kept");
            self.backups.push((to, committed));
        }
        self.store = None;
        self.folder = folder;
    }

    fn back_up(&mut self, is_ours: bool) {
        let name = format!("backup{}", self.backups.len());
        let to = self.folder.path().join(name);
        if is_ours {
            let store = Store::open(&self.path(), &CancellationToken::default()).expect("opened");
            let _ = store.back_up(&to, &NullObserver).expect("a backup");
        } else {
            self.store = None;
            fs::copy(self.path(), &to).expect("a copy");
        }
        self.backups.push((to, self.committed));
    }

    fn restore(&mut self, which: usize) {
        let (path, committed) = &self.backups[which];
        fs::copy(path, self.path()).expect("restored");
        self.committed = *committed;
        self.is_restored = true;
    }
}

fn one(seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::new();
    world.open(rng.bool());
    for _ in 0..rng.usize(5..25) {
        match rng.u8(0..12) {
            0..=4 => {
                world.open(rng.bool());
                world.write(false);
                world.store.as_ref().expect("open").commit().expect("kept");
                world.committed += 1;
            }
            5 => {
                let store = world.open(rng.bool());
                let _ =
                    store
                        .connection
                        .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            }
            6 | 7 => {
                world.open(rng.bool());
                if rng.bool() {
                    world.write(rng.bool());
                }
                world.kill();
                if rng.bool() && !world.backups.is_empty() {
                    world.restore(rng.usize(0..world.backups.len()));
                }
            }
            8 => world.store = None,
            9 => {
                let is_ours = rng.bool();
                world.open(rng.bool());
                if !is_ours || world.store.as_ref().is_some_and(Store::has_log) {
                    world.back_up(is_ours);
                }
            }
            10 if !world.backups.is_empty() => {
                world.store = None;
                world.restore(rng.usize(0..world.backups.len()));
            }
            _ => {
                world.store = None;
                let store =
                    Store::open(&world.path(), &CancellationToken::default()).expect("opened");
                world.compare(&store);
            }
        }
    }
}

#[test]
fn whatever_is_killed_copied_and_restored_the_state_is_the_one_meant() {
    let seeds = std::env::var("PLYDEX_LOG_SEEDS").ok();
    let seeds = seeds.and_then(|text| text.parse().ok()).unwrap_or(40);
    for seed in 0..seeds {
        let tried = std::panic::catch_unwind(|| one(seed));
        assert!(tried.is_ok(), "seed {seed}");
    }
}

/// A database of `before` transactions whose writer was killed, after `after` more.
fn killed(has_log: bool, before: u64, after: u64) -> World {
    let mut world = World::new();
    world.open(has_log);
    for _ in 0..before {
        world.write(false);
        world.store.as_ref().expect("open").commit().expect("kept");
        world.committed += 1;
    }
    world.back_up(false);
    world.open(has_log);
    for _ in 0..after {
        world.write(false);
        world.store.as_ref().expect("open").commit().expect("kept");
        world.committed += 1;
    }
    world.write(true);
    world.kill();
    world
}

#[test]
fn a_backup_that_is_copied_over_a_killed_import_is_not_written_into() {
    for has_log in [true, false] {
        let mut world = killed(has_log, 2, 3);
        let backup = fs::read(&world.backups[0].0).expect("a backup");
        let ending = if has_log { "-wal" } else { "-journal" };
        let log = fs::read(companion(&world.path(), ending)).expect("a log");
        world.restore(0);
        let store = Store::open(&world.path(), &CancellationToken::default()).expect("opened");
        let aside = companion(&world.path(), &format!("{ending}.aside-1"));
        assert_eq!(store.logs_aside(), [aside.canonicalize().expect("a file")]);
        assert!(fs::read(&aside).expect("the log") == log);
        world.compare(&store);
        drop(store);
        assert_eq!(
            fs::read(world.path()).expect("the file").len(),
            backup.len(),
        );
        // Another one is moved aside under another name.
        fs::write(companion(&world.path(), ending), &log).expect("a log");
        let moved = set_logs_aside(&world.path(), &CancellationToken::default());
        assert!(
            moved[0].ends_with(format!("games.db{ending}.aside-2")),
            "{moved:?}"
        );
    }
}

#[test]
fn a_log_of_another_database_is_not_taken() {
    for has_log in [true, false] {
        let (one, mut other) = (killed(has_log, 1, 2), killed(has_log, 1, 2));
        let ending = if has_log { "-wal" } else { "-journal" };
        let log = companion(&one.path(), ending);
        fs::copy(log, companion(&other.path(), ending)).expect("a log");
        let store = Store::open(&other.path(), &CancellationToken::default()).expect("opened");
        assert_eq!(store.logs_aside().len(), 1);
        if has_log {
            other.committed = 1;
            other.is_restored = true;
            other.compare(&store);
        }
    }
}

#[test]
fn a_log_that_was_folded_into_the_file_is_removed() {
    for is_packed in [false, true] {
        remove_folded_log(is_packed);
    }
}

fn remove_folded_log(is_packed: bool) {
    let mut world = killed(true, 1, 2);
    world.open(true);
    world.write(false);
    let store = world.store.as_ref().expect("open");
    store.commit().expect("kept");
    world.committed += 1;
    if is_packed {
        let packed = store.connection.execute_batch("VACUUM");
        packed.expect("a file without free pages");
    }
    let log = companion(&world.path(), "-wal");
    let bytes = fs::read(&log).expect("a log");
    // Folds the log.
    world.store = None;
    assert!(!log.exists());
    fs::write(&log, &bytes).expect("a log that could not be removed");
    let store = Store::open(&world.path(), &CancellationToken::default()).expect("opened");
    world.compare(&store);
    drop(store);
    assert!(!log.exists());
    // After one more transaction it is older than the file, and nothing says why it is there.
    world.open(false);
    world.write(false);
    world.store.as_ref().expect("open").commit().expect("kept");
    world.committed += 1;
    world.store = None;
    fs::write(&log, &bytes).expect("an old log");
    let store = Store::open(&world.path(), &CancellationToken::default()).expect("opened");
    assert_eq!(store.logs_aside().len(), 1);
    world.is_restored = true;
    world.compare(&store);
}

#[test]
fn a_log_mends_a_second_page_that_was_written_in_part() {
    let mut world = killed(true, 1, 2);
    let mut file = fs::read(world.path()).expect("a file");
    // The row is as long as a generation of one byte more makes it, and begins a byte earlier.
    let start = PAGE + 8;
    let at = u16::from_be_bytes([file[start], file[start + 1]]) - 1;
    file[start..start + 2].copy_from_slice(&at.to_be_bytes());
    fs::write(world.path(), &file).expect("half a page");
    let store = Store::open(&world.path(), &CancellationToken::default()).expect("opened");
    world.compare(&store);
}

#[test]
fn a_log_without_its_database_is_kept() {
    let world = killed(true, 1, 2);
    fs::remove_file(world.path()).expect("removed");
    let log = fs::read(companion(&world.path(), "-wal")).expect("a log");
    let store =
        Store::create_or_open(&world.path(), &CancellationToken::default()).expect("a new one");
    let aside = &store.logs_aside()[0];
    assert!(fs::read(aside).expect("the log") == log);
    assert_eq!(store.last_game().expect("a number"), 0);
}

#[test]
fn logs_that_are_cut_or_damaged_are_read_as_far_as_sqlite_reads_them() {
    let world = killed(true, 1, 3);
    let path = companion(&world.path(), "-wal");
    let log = fs::read(&path).expect("a log");
    let whole = LogSpan::read(&path).expect("read");
    let (first, last) = whole.ends.expect("transactions");
    assert_eq!(last.generation, first.generation + 2);
    for cut in [0, 20, 32, 100, 5000, log.len() - 1] {
        fs::write(&path, &log[..cut]).expect("cut");
        let span = LogSpan::read(&path).expect("read");
        assert!(
            span.ends
                .is_none_or(|(_, end)| end.generation <= last.generation)
        );
        assert_eq!(span.has_commits, span.ends.is_some(), "{cut}");
    }
    let mut turned = log.clone();
    turned[32 + 24 + 7] ^= 1;
    fs::write(&path, &turned).expect("damaged");
    assert_eq!(LogSpan::read(&path).expect("read"), LogSpan::default());
}
