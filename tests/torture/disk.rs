//! What a disk may do to those who write on it: fail, run full, lose its power.
//!
//! While a [`Disk`] is plugged in, the files of its folder go through it (`vfs.rs`). The
//! folder holds what the system would give to a reader; the disk remembers apart from it
//! what is safe, and every change since. When the power goes, the files become what is
//! safe and any choice of the changes after it, in parts as small as a sector.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use fastrand::Rng;

/// Bytes that are written whole or not at all.
const SECTOR_BYTES: usize = 512;

/// What is asked of files, as far as it can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Open,
    Read,
    Write,
    Sync,
    Truncate,
    Delete,
    Size,
    Lock,
    Share,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An operation fails.
    Error(Op),
    /// There is no room for what is written.
    Full,
    /// Half of what is written arrives.
    Short,
    /// The power goes.
    Cut,
}

/// When it goes wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) fault: Fault,
    /// The operation, counted from 1 among those that the fault can meet.
    pub(crate) at: u64,
    /// From then on always, not once.
    pub(crate) lasts: bool,
}

/// What becomes of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Go,
    Fail,
    Full,
    Half,
    /// The power goes while it is done: it may be on the disk later, or in part.
    Lost,
}

impl Fault {
    fn meets(self, op: Op) -> bool {
        match self {
            Self::Error(wanted) => op == wanted,
            Self::Full | Self::Short => op == Op::Write,
            Self::Cut => matches!(op, Op::Write | Op::Sync | Op::Truncate | Op::Delete),
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self::Error(_) => Verdict::Fail,
            Self::Full => Verdict::Full,
            Self::Short => Verdict::Half,
            Self::Cut => Verdict::Lost,
        }
    }
}

/// A change of a file that is not safe yet, with its place among all changes.
enum Change {
    Write(u64, usize, Vec<u8>),
    Truncate(u64, usize),
}

/// The content of a file, whatever its name.
#[derive(Default)]
struct Content {
    safe: Vec<u8>,
    changes: Vec<Change>,
    synced: bool,
}

/// Which of the changes that are not safe survive a loss of power.
#[derive(Clone, Copy)]
enum Kept {
    None,
    All,
    /// Those before a moment.
    Until(u64),
    /// Some of them.
    Some,
    /// Some of their sectors.
    Sectors,
}

impl Kept {
    fn any(rng: &mut Rng, now: u64) -> Self {
        match rng.u8(0..6) {
            0 => Self::None,
            1 => Self::All,
            2 => Self::Until(rng.u64(0..=now)),
            3 => Self::Some,
            _ => Self::Sectors,
        }
    }

    fn keeps(self, at: u64, rng: &mut Rng) -> bool {
        match self {
            Self::None => false,
            Self::All | Self::Sectors => true,
            Self::Until(end) => at < end,
            Self::Some => rng.bool(),
        }
    }
}

impl Content {
    /// What the disk may hold after a loss of power.
    fn after(&self, kept: Kept, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.safe.clone();
        for change in &self.changes {
            match change {
                Change::Truncate(at, len) if kept.keeps(*at, rng) => bytes.resize(*len, 0),
                Change::Write(at, from, written) if kept.keeps(*at, rng) => {
                    let mut done = 0;
                    while done < written.len() {
                        let sector = (from + done) / SECTOR_BYTES;
                        let end = written.len().min((sector + 1) * SECTOR_BYTES - from);
                        if !matches!(kept, Kept::Sectors) || rng.bool() {
                            if bytes.len() < from + end {
                                bytes.resize(from + end, 0);
                            }
                            bytes[from + done..from + end].copy_from_slice(&written[done..end]);
                        }
                        done = end;
                    }
                }
                _ => {}
            }
        }
        bytes
    }
}

/// What a name stands for from a moment on: a content, or nothing.
type Entry = (u64, Option<usize>);

struct State {
    rng: Rng,
    plan: Option<Plan>,
    /// Operations that the plan's fault could have met.
    met: u64,
    is_off: bool,
    /// Counts changes.
    now: u64,
    contents: Vec<Content>,
    /// For each name what it stands for, of which the first is safe.
    names: BTreeMap<PathBuf, Vec<Entry>>,
}

/// A folder whose files can come to harm.
pub(crate) struct Disk {
    folder: PathBuf,
    state: Mutex<State>,
}

static PLUGGED_IN: Mutex<Vec<Arc<Disk>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The disk that a file is on, if it is on one.
pub(crate) fn of(path: &Path) -> Option<Arc<Disk>> {
    let folder = path.parent()?;
    let disks = lock(&PLUGGED_IN);
    disks.iter().find(|disk| disk.folder == folder).cloned()
}

/// A disk while it is plugged in.
pub(crate) struct Plugged(Arc<Disk>);

impl Plugged {
    /// Puts a folder on a disk. What is in it is safe.
    pub(crate) fn new(folder: &Path, rng: &mut Rng) -> Self {
        super::vfs::install();
        let mut state = State {
            rng: rng.fork(),
            plan: None,
            met: 0,
            is_off: false,
            now: 0,
            contents: Vec::new(),
            names: BTreeMap::new(),
        };
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            state.contents.push(Content {
                safe: fs::read(&path).expect("a file"),
                changes: Vec::new(),
                synced: true,
            });
            let content = state.contents.len() - 1;
            state.names.insert(path, vec![(0, Some(content))]);
        }
        let disk = Arc::new(Disk {
            folder: folder.to_path_buf(),
            state: Mutex::new(state),
        });
        lock(&PLUGGED_IN).push(Arc::clone(&disk));
        Self(disk)
    }

    /// Says what goes wrong, and begins to count.
    pub(crate) fn plan(&self, plan: Plan) {
        let mut state = lock(&self.0.state);
        state.plan = Some(plan);
        state.met = 0;
    }

    /// How many operations the fault could have met.
    pub(crate) fn met(&self) -> u64 {
        lock(&self.0.state).met
    }

    /// Makes of the files what is left of them when the power goes now; nobody may have
    /// them open.
    pub(crate) fn lose_power(self) {
        let mut state = lock(&self.0.state);
        let State {
            rng,
            contents,
            names,
            now,
            ..
        } = &mut *state;
        let kept = Kept::any(rng, *now);
        for entry in fs::read_dir(&self.0.folder).expect("a folder") {
            fs::remove_file(entry.expect("an entry").path()).expect("a file goes");
        }
        for (path, entries) in names {
            // Entries are done in order, those of one name at least.
            let last = match kept {
                Kept::None => 0,
                Kept::All => entries.len() - 1,
                Kept::Until(end) => entries.partition_point(|&(at, _)| at < end).max(1) - 1,
                Kept::Some | Kept::Sectors => rng.usize(0..entries.len()),
            };
            if let (_, Some(content)) = entries[last] {
                let bytes = contents[content].after(kept, rng);
                fs::write(path, bytes).expect("a file");
            }
        }
    }
}

impl Drop for Plugged {
    fn drop(&mut self) {
        lock(&PLUGGED_IN).retain(|disk| !Arc::ptr_eq(disk, &self.0));
    }
}

impl Disk {
    /// Whether an operation may go on, and how.
    pub(crate) fn ask(&self, op: Op) -> Verdict {
        let mut state = lock(&self.state);
        if state.is_off {
            return Verdict::Fail;
        }
        let Some(plan) = state.plan else {
            return Verdict::Go;
        };
        if !plan.fault.meets(op) {
            return Verdict::Go;
        }
        state.met += 1;
        if state.met != plan.at && !(plan.lasts && state.met > plan.at) {
            return Verdict::Go;
        }
        state.is_off = plan.fault == Fault::Cut;
        plan.fault.verdict()
    }

    /// A file was opened, or made: the number of its content.
    pub(crate) fn opened(&self, path: &Path) -> usize {
        let mut state = lock(&self.state);
        let known = state.names.get(path).and_then(|entries| entries.last());
        if let Some(&(_, Some(content))) = known {
            return content;
        }
        state.contents.push(Content::default());
        let content = state.contents.len() - 1;
        state.name(path, Some(content));
        content
    }

    pub(crate) fn wrote(&self, content: usize, at: usize, bytes: &[u8]) {
        let mut state = lock(&self.state);
        let change = Change::Write(state.tick(), at, bytes.to_vec());
        state.contents[content].changes.push(change);
    }

    pub(crate) fn truncated(&self, content: usize, len: usize) {
        let mut state = lock(&self.state);
        let change = Change::Truncate(state.tick(), len);
        state.contents[content].changes.push(change);
    }

    /// A file's content is safe now. So is its name, as file systems with a journal have
    /// it; and where SQLite syncs the folder with a new journal, all names.
    pub(crate) fn synced(&self, path: &Path, content: usize) {
        let mut state = lock(&self.state);
        let State {
            rng,
            contents,
            names,
            ..
        } = &mut *state;
        let file = &mut contents[content];
        file.safe = file.after(Kept::All, rng);
        file.changes.clear();
        let syncs_folder = path.as_os_str().to_string_lossy().contains("db-");
        if !std::mem::replace(&mut file.synced, true) {
            for (name, entries) in names.iter_mut() {
                if syncs_folder || name == path {
                    entries.drain(..entries.len() - 1);
                }
            }
        }
    }

    /// A sync has failed: the changes before it are on the disk or not, and no later sync
    /// brings back those that are not.
    pub(crate) fn sync_failed(&self, content: usize) {
        let mut state = lock(&self.state);
        let State {
            rng,
            contents,
            is_off,
            ..
        } = &mut *state;
        if *is_off {
            return;
        }
        let file = &mut contents[content];
        file.safe = file.after(Kept::Sectors, rng);
        file.changes.clear();
    }

    pub(crate) fn deleted(&self, path: &Path, folder_synced: bool) {
        let mut state = lock(&self.state);
        state.name(path, None);
        if folder_synced {
            for entries in state.names.values_mut() {
                entries.drain(..entries.len() - 1);
            }
        }
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn name(&mut self, path: &Path, content: Option<usize>) {
        let now = self.tick();
        let entries = self.names.entry(path.to_path_buf());
        entries
            .or_insert_with(|| vec![(0, None)])
            .push((now, content));
    }
}

/// Were the disk kind, the tortures would prove nothing: a database that does not wait for
/// it is lost now and then, one that does is not.
#[test]
fn power_that_goes_is_felt() {
    let lost = |synchronous: &str| -> usize {
        let mut lost = 0;
        for seed in 0..60 {
            let mut rng = Rng::with_seed(seed);
            let folder = super::support::scratch();
            let path = folder.path().join("any.db");
            let disk = Plugged::new(folder.path(), &mut rng);
            let db = rusqlite::Connection::open(&path).expect("a database");
            db.pragma_update(None, "synchronous", synchronous)
                .expect("a pragma");
            db.execute_batch("CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t (b)")
                .expect("a table");
            let insert = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 50) \
                          INSERT INTO t (b) SELECT randomblob(300) FROM n";
            db.execute_batch(insert).expect("rows");
            disk.plan(Plan {
                fault: Fault::Cut,
                at: rng.u64(1..60),
                lasts: false,
            });
            while db.execute_batch(insert).is_ok() {}
            drop(db);
            disk.lose_power();
            let rows = rusqlite::Connection::open(&path).and_then(|db| {
                let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
                let rows: i64 = db.query_row("SELECT count(*) FROM t", [], |row| row.get(0))?;
                Ok((sound, rows))
            });
            let is_sound =
                rows.is_ok_and(|(sound, rows)| sound == "ok" && rows >= 50 && rows % 50 == 0);
            lost += usize::from(!is_sound);
        }
        lost
    };
    assert_eq!(lost("EXTRA"), 0);
    assert!(lost("OFF") > 5, "{} of 60 lost", lost("OFF"));
}
