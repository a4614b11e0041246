//! Imports that are killed, stopped, or run out of room.

use std::{
    io::Write,
    ops::ControlFlow,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread::sleep,
    time::{Duration, Instant},
};

use super::{GAMES, archive, assert_trouble, assert_whole, closed, run_bound, text};
use {
    crate::support::{Base, Ran, plydex, run, skip},
    plydex::{
        base::observe::{CancellationToken, Event, Observer},
        import::{self, DuplicateAction, ImportOptions},
        store::Store,
    },
};

/// Copies of the sample in a longer archive.
const COPIES: usize = 40;

/// An import that has taken in half of its standard input and waits for more.
fn half_way(db: &Path, pgn: &str) -> Child {
    let mut child = plydex(db, &["import", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let half = &pgn.as_bytes()[..pgn.len() / 2];
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(half).expect("it reads");
    input.flush().expect("it reads");
    sleep(Duration::from_millis(300));
    child
}

fn assert_runs_again(folder: &Path, db: &Path, pgn: &str) {
    let path = folder.join("all.pgn");
    std::fs::write(&path, pgn).expect("a file");
    let ran = run(db, &["import", text(&path)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_whole(db, GAMES * COPIES as u64);
}

#[test]
fn a_killed_import_leaves_a_sound_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let pgn = archive(COPIES);
    for _ in 0..2 {
        let mut child = half_way(&db, &pgn);
        child.kill().expect("a kill");
        child.wait().expect("an end");
        let ran = run(&db, &["check"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_runs_again(folder.path(), &db, &pgn);
}

#[test]
fn ctrl_c_keeps_what_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let pgn = archive(COPIES);
    let mut child = half_way(&db, &pgn);
    let signal = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(signal.success());
    // It looks up between chunks of its input: give it some, but no end.
    let more = archive(1);
    let mut input = child.stdin.take().expect("a pipe");
    let since = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(
            since.elapsed() < Duration::from_secs(20),
            "Ctrl-C is not heard"
        );
        let _ = input.write_all(more.as_bytes());
        sleep(Duration::from_millis(2));
    }
    let ran: Ran = child.wait_with_output().expect("an end").into();
    assert_eq!(ran.status, Some(2), "{ran:?}");
    let is_stored = !ran.out.starts_with("0 games stored");
    assert_eq!(db.exists(), is_stored, "{ran:?}");
    if is_stored {
        let checked = run(&db, &["check"]);
        assert_eq!(checked.status, Some(0), "{checked:?}");
    }
    assert_runs_again(folder.path(), &db, &pgn);
}

/// Stops after some games.
struct StopAfter(AtomicU64);

impl Observer for StopAfter {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::GamesHandled { games } = event {
            let left = self.0.load(Ordering::SeqCst);
            self.0.store(left.saturating_sub(games), Ordering::SeqCst);
        }
        if self.0.load(Ordering::SeqCst) == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Each stop keeps what was committed, and the next run goes on from there.
#[test]
fn an_import_that_is_stopped_again_and_again_ends() {
    let base = Base::new();
    let path = base.folder().join("all.pgn");
    std::fs::write(&path, archive(COPIES)).expect("a file");
    let options = ImportOptions {
        threads: Some(2),
        segment_plies_max: Some(5_000),
        ..ImportOptions::default()
    };
    let paths = [path];
    let mut runs = 0;
    loop {
        // Games that are here already are handled as well: each run gets further.
        let stop = StopAfter(AtomicU64::new(400 * (runs + 1)));
        let summary = import::import(&base.store, &paths, options, &stop).expect("an import");
        assert_eq!(
            summary.seen,
            summary.stored + summary.duplicate + summary.rejected
        );
        base.assert_sound();
        runs += 1;
        if !summary.interrupted {
            break;
        }
        assert!(runs < 20, "it goes on from where it was");
    }
    let numbers: Vec<String> = base
        .games()
        .iter()
        .filter_map(|game| game.tags.iter().find(|(name, _)| name == "GameId"))
        .map(|(_, number)| number.clone())
        .collect();
    let expected: Vec<String> = (1..=GAMES * COPIES as u64).map(|n| n.to_string()).collect();
    assert_eq!(numbers, expected);
}

/// Asks for the end once segments are being merged, and lets the run go on.
struct StopInMerge(CancellationToken);

impl Observer for StopInMerge {
    fn on(&self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Phase {
            name: "merging", ..
        } = event
        {
            self.0.cancel();
        }
        ControlFlow::Continue(())
    }

    fn stop(&self) -> CancellationToken {
        self.0.clone()
    }
}

/// A merge is given up where it stands; the next import comes back to it.
#[test]
fn a_merge_that_is_stopped_leaves_the_index_as_it_was() {
    let base = Base::new();
    let path = base.folder().join("all.pgn");
    std::fs::write(&path, archive(COPIES)).expect("a file");
    let options = ImportOptions {
        threads: Some(2),
        segment_plies_max: Some(5_000),
        ..ImportOptions::default()
    };
    let stop = CancellationToken::default();
    let store = Store::create_or_open(base.store.path(), &stop).expect("the database opens");
    let paths = [path];
    import::import(&store, &paths, options, &StopInMerge(stop)).expect("an import");
    drop(store);
    let segments = || base.store.segments().expect("segments").len();
    assert_eq!(segments(), 2);
    assert_eq!(base.games().len(), GAMES as usize * COPIES);
    base.assert_sound();

    let more = base.folder().join("more.pgn");
    std::fs::write(&more, archive(COPIES).replace("GameId", "Another")).expect("a file");
    let options = ImportOptions {
        duplicates: DuplicateAction::Keep,
        ..ImportOptions::default()
    };
    base.import(&[more], options);
    assert_eq!(segments(), 1);
    base.assert_sound();
}

/// The last game of a source is filed apart from those before it, for it may be cut; a
/// stop between them must not keep these alone, which the next run would not recognise.
#[test]
fn a_source_that_is_stopped_before_its_last_game_is_stored_once() {
    let base = Base::new();
    let path = base.folder().join("all.pgn");
    std::fs::write(&path, archive(1)).expect("a file");
    let stop = StopAfter(AtomicU64::new(1));
    let paths = [path];
    import::import(&base.store, &paths, ImportOptions::default(), &stop).expect("an import");
    base.import(&paths, ImportOptions::default());
    assert_eq!(base.games().len() as u64, GAMES);
    base.assert_sound();
}

/// Limits the size of files, which is how a full disk looks to a program.
#[test]
fn a_file_that_cannot_grow_keeps_what_it_had() {
    let (folder, db) = closed();
    let more = folder.path().join("more.pgn");
    std::fs::write(&more, archive(COPIES)).expect("a file");
    let blocks = std::fs::metadata(&db).expect("a file").len() / 512 + 100;
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""
        ))
        .arg(env!("CARGO_BIN_EXE_plydex"))
        .args(["import", text(&more), "--db", text(&db)])
        .output()
        .expect("the program runs");
    assert_trouble(&output.into(), &["games.db"]);
    assert_whole(&db, GAMES);
}

#[test]
fn a_full_disk_is_named_and_keeps_what_it_had() {
    const TEST: &str = "a_full_disk_is_named_and_keeps_what_it_had";
    let (folder, db) = closed();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=700k", "tmpfs", text(&disk)])
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return skip(TEST, "a small disk cannot be mounted here");
    }
    let result = std::panic::catch_unwind(|| {
        let small = disk.join("games.db");
        std::fs::copy(&db, &small).expect("room for a copy");
        let more = folder.path().join("more.pgn");
        std::fs::write(&more, archive(COPIES)).expect("a file");
        assert_trouble(
            &run(&small, &["import", text(&more)]),
            &["games.db", "full", "hint:"],
        );
        assert_whole(&small, GAMES);
    });
    let _ = Command::new("umount").arg(&disk).status();
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

/// A database that may not be written can be read, and an import says why not.
#[test]
fn a_read_only_database_is_read_and_not_written() {
    const TEST: &str = "a_read_only_database_is_read_and_not_written";
    use std::os::unix::fs::PermissionsExt;
    let (folder, db) = closed();
    let more = folder.path().join("more.pgn");
    std::fs::write(&more, "1. d4 d5 *\n").expect("a file");
    let mode = |path: &Path, mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, rights).expect("rights");
    };
    mode(&db, 0o444);
    mode(folder.path(), 0o555);
    let found = run_bound(&db, &["search", "e4", "--count"]);
    let imported = run_bound(&db, &["import", text(&more)]);
    mode(folder.path(), 0o755);
    let (Some(found), Some(imported)) = (found, imported) else {
        return skip(TEST, "rights do not bind this user");
    };
    assert_eq!(found.status, Some(0), "{found:?}");
    assert_trouble(&imported, &["games.db", "read-only", "hint:"]);
    assert_whole(&db, GAMES);
}
