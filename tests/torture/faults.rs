//! Files that fail, disks that are full, power that goes: at any operation.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Instant,
};

use fastrand::Rng;
use plydex::{
    base::observe::{CancellationToken, NullObserver},
    changes::{
        self,
        reindex::{self, ReindexOptions, ReindexReport},
    },
    games::{
        notation::letters::ENGLISH,
        position_input::{self, ExpectedVariants},
    },
    import::{DuplicateAction, ImportError, ImportOptions},
    pgn::parser::eval_view::EvalReading,
    query::PositionQuery,
    search::{self, AccessPlan},
    store::{self, Store, StoreError, StoreErrorKind},
};

use super::{
    disk::{Fault, Op, Plan, Plugged},
    support::{Archive, Base, PATIENCE, Sources, all_games, import_with},
};

/// Every fault but the loss of power.
pub(crate) const FAULTS: &[Fault] = &[
    Fault::Error(Op::Open),
    Fault::Error(Op::Read),
    Fault::Error(Op::Write),
    Fault::Error(Op::Sync),
    Fault::Error(Op::Truncate),
    Fault::Error(Op::Delete),
    Fault::Error(Op::Size),
    Fault::Error(Op::Lock),
    Fault::Error(Op::Share),
    Fault::Full,
    Fault::Short,
];

/// An import commits after each file, makes a segment of some, and merges at its end.
pub(crate) const OFTEN: ImportOptions = ImportOptions {
    evals: EvalReading::UNKNOWN,
    format: None,
    threads: Some(1),
    variant: None,
    language: None,
    duplicates: DuplicateAction::Skip,
    segment_plies_max: Some(600),
    commit_games_max: Some(1),
    known_games_max: None,
    gameless_bytes_max: None,
    restore: false,
    is_own_text: false,
    strict: false,
};

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[5, 2, 9, 1, 4, 3])))
}

/// A power cut, or a file that fails, that is not to come yet.
fn any_fault(rng: &mut Rng) -> Plan {
    let fault = if rng.bool() {
        Fault::Cut
    } else {
        FAULTS[rng.usize(0..FAULTS.len())]
    };
    Plan {
        fault,
        at: u64::MAX,
        lasts: rng.bool(),
    }
}

/// What `work` says of a database when the power goes, or a file fails, at an operation that it
/// meets; `copy` is the same database, to count them.
pub(crate) fn under_fault<T: std::fmt::Debug, E: std::fmt::Debug>(
    rng: &mut Rng,
    (copy, db): (&Path, &Path),
    work: impl Fn(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let mut plan = any_fault(rng);
    let disk = Plugged::new(copy.parent().expect("a folder"), rng);
    disk.plan(plan);
    work(copy).expect("nothing is in the way");
    plan.at = rng.u64(1..=disk.met().max(1));
    drop(disk);
    let disk = Plugged::new(db.parent().expect("a folder"), rng);
    disk.plan(plan);
    let since = Instant::now();
    let done = work(db);
    assert!(since.elapsed() < PATIENCE, "{plan:?}: {done:?}");
    if plan.fault == Fault::Cut {
        disk.lose_power();
    } else {
        drop(disk);
    }
    done
}

/// An operation that the fault can meet in an import into a base of so many files.
fn somewhere(rng: &mut Rng, sources: &Sources, fault: Fault, files: usize) -> u64 {
    let base = sources.base(files);
    let disk = Plugged::new(base.path.parent().expect("a folder"), rng);
    let never = Plan {
        fault,
        at: u64::MAX,
        lasts: false,
    };
    disk.plan(never);
    import_with(&base.path, &sources.paths, OFTEN).expect("an import");
    rng.u64(1..=disk.met().max(1))
}

fn assert_in_our_words(error: &ImportError) {
    let told = error.to_string();
    assert!(told.contains("games.db"), "{told}");
    assert!(!error.hint().is_empty(), "{told}");
}

/// The power goes while games are imported. What an import has said to be stored is
/// there, and the rest is as if that import had been killed.
pub(crate) fn power_cut(rng: &mut Rng) {
    let sources = sources();
    let begun = rng.usize(0..sources.paths.len());
    let (base, games) = (sources.base(begun), sources.total(begun));
    let at = somewhere(rng, &sources, Fault::Cut, begun);
    let disk = Plugged::new(base.path.parent().expect("a folder"), rng);
    // Some of the first games only now, so that they are on this disk just so long.
    let files = rng.usize(0..=sources.paths.len());
    let earlier = import_with(&base.path, &sources.paths[..files], OFTEN).expect("an import");
    let games = games.max(earlier.seen as usize);
    disk.plan(Plan {
        fault: Fault::Cut,
        at,
        lasts: false,
    });
    let least = match import_with(&base.path, &sources.paths, OFTEN) {
        Ok(_) => sources.games.len(),
        Err(error) => {
            assert_in_our_words(&error);
            games
        }
    };
    disk.lose_power();
    sources.assert_goes_on(&base.path, least);
}

/// A database, in a folder of its own, as a program may have left it that has other keys and names
/// of openings, and no columns.
fn outdated() -> (tempfile::TempDir, PathBuf) {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        let base = Base::new();
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
        import_with(&base.path, &[games], ImportOptions::default()).expect("an import");
        let flags = rusqlite::OpenFlags::default();
        let layer = store::file_layer();
        let file = rusqlite::Connection::open_with_flags_and_vfs(&base.path, flags, layer);
        let outdate = "UPDATE segment SET key_version = 77; DELETE FROM column_block;
            UPDATE opening SET name = 'A00 Another ' || name; UPDATE opening_table SET hash = 7";
        let file = file.expect("a database");
        file.execute_batch(outdate).expect("an update");
        file.close().expect("a plain file");
        std::fs::read(&base.path).expect("a file")
    });
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    std::fs::write(&db, bytes).expect("a file");
    (folder, db)
}

fn assert_sound(db: &Path) {
    let store = Store::open(db, &CancellationToken::default()).expect("a database");
    let report = changes::check(&store, &NullObserver).expect("a check");
    assert_eq!(report.problems, Vec::<String>::new());
}

fn bring_up(db: &Path) -> Result<ReindexReport, StoreError> {
    let options = ReindexOptions {
        games_per_commit: 7,
    };
    let store = Store::open_to_reindex(db, &CancellationToken::default())?;
    reindex::reindex(&store, options, &NullObserver)
}

/// The power goes, or a file fails, while an outdated database is brought up: its games are as they
/// were, and the next run goes on.
pub(crate) fn reindex_cut(rng: &mut Rng) {
    let mut plan = any_fault(rng);
    let games = |db: &Path| all_games(db).expect("games");
    let before = {
        let (folder, db) = outdated();
        let before = games(&db);
        let disk = Plugged::new(folder.path(), rng);
        disk.plan(plan);
        bring_up(&db).expect("a reindex");
        plan.at = rng.u64(1..=disk.met().max(1));
        drop(disk);
        assert!(games(&db) == before, "what a reindex leaves");
        before
    };
    let (folder, db) = outdated();
    let disk = Plugged::new(folder.path(), rng);
    disk.plan(plan);
    let done = bring_up(&db);
    if plan.fault == Fault::Cut {
        disk.lose_power();
    } else {
        drop(disk);
    }
    if done.is_ok_and(|report| !report.interrupted) && plan.fault == Fault::Cut {
        assert_sound(&db);
    }
    assert!(games(&db) == before, "games of an outdated database");
    bring_up(&db).expect("it goes on");
    assert_sound(&db);
    assert!(games(&db) == before, "games that were brought up");
}

/// An operation on a file fails while games are imported, once or from then on.
pub(crate) fn failing_file(rng: &mut Rng) {
    let sources = sources();
    let fault = FAULTS[rng.usize(0..FAULTS.len())];
    let begun = rng.usize(0..sources.paths.len());
    let (base, games) = (sources.base(begun), sources.total(begun));
    let at = somewhere(rng, &sources, fault, begun);
    let disk = Plugged::new(base.path.parent().expect("a folder"), rng);
    disk.plan(Plan {
        fault,
        at,
        lasts: rng.bool(),
    });
    let least = match import_with(&base.path, &sources.paths, OFTEN) {
        Ok(_) => sources.games.len(),
        Err(error) => {
            assert_in_our_words(&error);
            if fault == Fault::Full {
                let is_full = matches!(&error, ImportError::Store(error) if matches!(error.kind, StoreErrorKind::Full));
                assert!(is_full, "{error}");
            }
            games
        }
    };
    // Whoever finds that a disk fails may well pull the plug.
    if fault == Fault::Error(Op::Sync) && rng.bool() {
        disk.lose_power();
        // What was reported as failed may be there or not; the rest must be.
        sources.assert_goes_on(&base.path, games);
    } else {
        drop(disk);
        sources.assert_goes_on(&base.path, least);
    }
}

/// Asks for a count, a tree, all games and a check.
fn answers(base: &Base, sources: &Sources) -> Result<(u64, u64, usize, u64), StoreError> {
    let store = Store::open(&base.path, &CancellationToken::default())?;
    let position = position_input::read_position("e4 e5", &ExpectedVariants::default())
        .expect("a position")
        .at;
    let position = PositionQuery::of(position);
    let query = AccessPlan {
        position: Some(position.clone()),
        ..AccessPlan::default()
    };
    let found = search::count(&store, &query)?;
    let tree = search::tree(&store, &position, &query.conditions, ENGLISH)?;
    let moves = tree.moves.iter().map(|played| played.score.games).sum();
    let report = changes::check(&store, &NullObserver)?;
    drop(store);
    let games = all_games(&base.path)?.len();
    // A check tells of files that cannot be read as of other problems.
    let checked = if report.problems.is_empty() {
        report.games
    } else {
        sources.games.len() as u64
    };
    Ok((found, moves, games, checked))
}

/// An operation on a file fails while something is asked: an error, or the right answer.
pub(crate) fn failing_answer(rng: &mut Rng) {
    static RIGHT: OnceLock<(u64, u64, usize, u64)> = OnceLock::new();
    let sources = sources();
    let base = sources.base(sources.paths.len());
    let right = RIGHT.get_or_init(|| answers(&base, &sources).expect("answers"));
    let fault = FAULTS[rng.usize(0..FAULTS.len())];
    let disk = Plugged::new(base.path.parent().expect("a folder"), rng);
    let mut plan = Plan {
        fault,
        at: u64::MAX,
        lasts: rng.bool(),
    };
    disk.plan(plan);
    answers(&base, &sources).expect("answers");
    plan.at = rng.u64(1..=disk.met().max(1));
    disk.plan(plan);
    match answers(&base, &sources) {
        Ok(answers) => assert_eq!(answers, *right),
        Err(error) => {
            let told = error.to_string();
            assert!(told.contains("games.db"), "{told}");
        }
    }
    drop(disk);
    sources.assert_goes_on(&base.path, sources.games.len());
}
