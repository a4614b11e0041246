//! Sources and games that are read again while the power goes, a file fails or the program is
//! killed: the database is as before or as afterwards, and nothing between.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use fastrand::Rng;
use plydex::{
    base::observe::{CancellationToken, NullObserver},
    changes::reread::{self, EvalOverride, RereadError, RereadReport, RereadTarget},
    games::variant::Variant,
    import::{ImportOptions, format_named},
    store::Store,
};

use super::{
    faults::{OFTEN, under_fault},
    support::{
        Base, PATIENCE, games, import_with, names_beside, plydex, scratch, sound, text, wait,
    },
};

/// A way in which a source is read, as options and as arguments.
type Way = (ImportOptions, &'static [&'static str]);

fn ways() -> [Way; 4] {
    let variant = |name| ImportOptions {
        variant: Some(Variant::by_name(name).expect("a variant").id),
        ..OFTEN
    };
    let format = |name| ImportOptions {
        format: Some(format_named(name).expect("a format")),
        ..OFTEN
    };
    [
        (OFTEN, &[]),
        (variant("atomic"), &["--variant", "atomic"]),
        (variant("antichess"), &["--variant", "antichess"]),
        // There is no game in it.
        (format("epd"), &["--as", "epd"]),
    ]
}

/// A database with three sources, the second of which was read in some way, and how that is
/// read again.
struct Case {
    folder: tempfile::TempDir,
    base: Base,
    target: RereadTarget,
    name: String,
    way: Way,
    /// All games before and afterwards.
    before: Vec<String>,
    after: Vec<String>,
}

impl Case {
    fn new(rng: &mut Rng) -> Self {
        let (folder, base, ways) = (scratch(), Base::new(), ways());
        let wrong = rng.usize(0..ways.len());
        let way = ways[rng.usize(0..ways.len() - 1)];
        let mut first = 0;
        let mut middle = (0, 0);
        for (at, name) in ["a.pgn", "m.pgn", "z.pgn"].into_iter().enumerate() {
            let count = rng.usize(1..12);
            let path = folder.path().join(name);
            fs::write(&path, games(first, count)).expect("a file");
            let options = if at == 1 { ways[wrong].0 } else { OFTEN };
            let summary = import_with(&base.path, &[path], options).expect("an import");
            first += count;
            if at == 1 {
                middle = (first - count, summary.stored as usize);
            }
        }
        let path = folder.path().join("m.pgn");
        let (mut name, mut target) = (
            text(&path).to_owned(),
            RereadTarget::Source {
                name: path.clone(),
                import: None,
            },
        );
        if middle.1 > 0 && rng.bool() {
            let game = (middle.0 + rng.usize(1..=middle.1)) as u64;
            (name, target) = (format!("#{game}"), RereadTarget::Game(game));
            if rng.bool() {
                fs::remove_file(path).expect("a file");
            }
        }
        let mut case = Self {
            before: sound(&base.path).expect("games"),
            after: Vec::new(),
            folder,
            base,
            target,
            name,
            way,
        };
        let copy = case.copy();
        case.read(&copy.path).expect("a reread");
        case.after = sound(&copy.path).expect("games");
        case
    }

    fn copy(&self) -> Base {
        let copy = Base::new();
        fs::copy(&self.base.path, &copy.path).expect("a copy");
        copy
    }

    fn read(&self, db: &Path) -> Result<RereadReport, RereadError> {
        let drafts = scratch();
        let store = Store::create_or_open(db, &CancellationToken::default())?;
        reread::reread(
            &store,
            &self.target,
            (self.way.0, EvalOverride::default()),
            drafts.path(),
            &NullObserver,
        )
    }

    /// Asserts that the database is as before, or as afterwards; whether it is the latter.
    fn assert_whole(&self, db: &Path) -> bool {
        let found = sound(db).expect("a database");
        let is_after = found == self.after;
        assert!(
            is_after || found == self.before,
            "{} {:?}: {} games, {} before, {} afterwards",
            self.name,
            self.way.1,
            found.len(),
            self.before.len(),
            self.after.len()
        );
        is_after
    }

    /// Asserts that it is read again to the end, and nothing is left over.
    fn assert_goes_on(&self, db: &Path) {
        // A game that was read again has another number.
        let reads = !self.assert_whole(db) || matches!(self.target, RereadTarget::Source { .. });
        if reads {
            self.read(db).expect("a reread");
        }
        assert!(self.assert_whole(db), "{} {:?}", self.name, self.way.1);
        let mut names = names_beside(db);
        // The next program that writes takes away the lock file of a killed one.
        names.retain(|name| reads || name != "games.db-lock");
        assert_eq!(names, Vec::<String>::new(), "left over");
    }
}

/// The power goes, or a file fails, while something is read again.
pub(crate) fn reread_cut(rng: &mut Rng) {
    let case = Case::new(rng);
    let counted = case.copy();
    let db = &case.base.path;
    let read = under_fault(rng, (&counted.path, db), |db| case.read(db));
    let is_after = case.assert_whole(db);
    match read {
        Ok(_) => assert!(is_after, "it said that it was done"),
        Err(error) => assert!(error.to_string().contains("games.db"), "{error}"),
    }
    case.assert_goes_on(db);
}

/// The program is killed while it reads something again, up to three times, and its drafts may
/// find no room.
pub(crate) fn reread_kill(rng: &mut Rng) {
    let case = Case::new(rng);
    let args = [&["reread", &case.name][..], case.way.1].concat();
    let db: &PathBuf = &case.base.path;
    let drafts = case.folder.path().join("drafts");
    fs::create_dir(&drafts).expect("a folder");
    let run = |db: &Path| {
        let mut command = plydex(db, &args);
        command.env("TMPDIR", &drafts);
        command
    };
    let copy = case.copy();
    let since = Instant::now();
    let mut child = run(&copy.path).spawn().expect("it runs");
    assert!(wait(&mut child, PATIENCE, "a reread").success());
    let time = since.elapsed();
    assert!(case.assert_whole(&copy.path));
    assert_eq!(
        fs::read_dir(&drafts).expect("a folder").count(),
        0,
        "drafts"
    );
    for _ in 0..rng.u8(1..=3) {
        let mut child = run(db).spawn().expect("it runs");
        sleep(time.mul_f64(rng.f64()) + Duration::from_millis(1));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        if rng.bool() {
            case.assert_whole(db);
        }
    }
    let mut command = run(db);
    command.env("TMPDIR", case.folder.path().join("nowhere"));
    let mut child = command.spawn().expect("it runs");
    assert!(!wait(&mut child, PATIENCE, "a reread").success());
    case.assert_goes_on(db);
}
