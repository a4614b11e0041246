//! Several programs at one database, pagers that nobody reads on, and signals wherever
//! a command waits.

#![cfg(unix)]

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    faults::{GAMES, archive, assert_whole, closed, text},
    support::{Ran, plydex, run},
};

/// What nobody should have to wait for, with much room for a busy machine.
const SOON: Duration = Duration::from_secs(4);

/// A command whose output is a pipe that nobody reads.
fn paged(db: &Path, args: &[&str]) -> Child {
    let mut command = plydex(db, args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    child.spawn().expect("the program runs")
}

/// Games that are more than a pipe holds, as a database.
fn large() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let (folder, db) = closed();
    let more = folder.path().join("more.pgn");
    std::fs::write(&more, archive(8)).expect("a file");
    let second = folder.path().join("second.pgn");
    let pgn = archive(9).replace("[GameId \"", "[GameId \"second-");
    std::fs::write(&second, pgn).expect("a file");
    let ran = run(&db, &["import", text(&more)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db, second)
}

/// The number of games that a command counts.
fn count(db: &Path) -> u64 {
    let ran = run(db, &["search", "--count"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    ran.out.trim().parse().expect("a number")
}

/// Asserts that nothing stands beside the database, and that it is a plain file, as any
/// `SQLite` reads it from a read-only folder.
fn assert_plain(db: &Path) {
    for ending in ["-wal", "-shm", "-journal", "-lock"] {
        let beside = PathBuf::from(format!("{}{ending}", text(db)));
        assert!(!beside.exists(), "{} is left", beside.display());
    }
    // The versions of the format in the header: 1 is a rollback journal, 2 a log.
    let bytes = std::fs::read(db).expect("a database");
    assert_eq!(bytes[18..20], [1, 1]);
}

#[test]
fn a_pager_and_an_import_are_not_in_each_others_way() {
    let (_folder, db, second) = large();
    let stored = count(&db);
    let whole = run(&db, &["export"]).out;
    let mut pager = paged(&db, &["export"]);
    let mut began = [0; 1000];
    let out = pager.stdout.as_mut().expect("a pipe");
    out.read_exact(&mut began).expect("the first games");

    let since = Instant::now();
    let ran = run(&db, &["import", text(&second)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let now = count(&db);
    assert!(now > stored);
    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());

    // What the pager shows is the state with which it began.
    let read = pager.wait_with_output().expect("an end");
    let all = [&began[..], &read.stdout].concat();
    assert_eq!(String::from_utf8_lossy(&all), whole);
    assert_plain(&db);
}

#[test]
fn an_import_that_waits_for_its_input_is_in_nobodys_way() {
    let (_folder, db, _) = large();
    let stored = count(&db);
    let mut import = plydex(&db, &["import", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let pgn = archive(9).replace("[GameId \"", "[GameId \"second-");
    let input = import.stdin.as_mut().expect("a pipe");
    input.write_all(pgn.as_bytes()).expect("it reads");
    let since = Instant::now();
    for args in [
        &["search", "e4"][..],
        &["search", "--player", "capablanca"],
        &["tree"],
        &["show", "7"],
        &["export", "--limit", "3"],
        &["info"],
    ] {
        assert_eq!(run(&db, args).status, Some(0), "{args:?}");
    }
    assert_eq!(count(&db), stored);
    assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    drop(import.stdin.take());
    assert_eq!(import.wait().expect("an end").code(), Some(0));
    assert_eq!(count(&db), stored + 9 * GAMES);
    assert_plain(&db);
}

#[test]
fn importers_queue_and_say_whom_they_wait_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let importers: Vec<Child> = (0..6)
        .map(|number| {
            let path = folder.path().join(format!("{number}.pgn"));
            // Names that are new to the base, the same ones in several files.
            let pgn = archive(6)
                .replace("[GameId \"", &format!("[GameId \"{number}-"))
                .replace("[White \"", &format!("[White \"{} ", number / 2));
            std::fs::write(&path, pgn).expect("a file");
            paged(&db, &["import", text(&path)])
        })
        .collect();
    let ran: Vec<Ran> = importers
        .into_iter()
        .map(|child| child.wait_with_output().expect("an end").into())
        .collect();
    for ran in &ran {
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert!(
        ran.iter().any(|ran| ran
            .err
            .contains("waiting for another program that writes the database (process ")),
        "{ran:?}"
    );
    assert_eq!(count(&db), 6 * 6 * GAMES);
    assert_eq!(run(&db, &["check"]).status, Some(0));
    let names = rusqlite::Connection::open(&db).expect("a database");
    let doubled: i64 = names
        .query_row(
            "SELECT count(*) - count(DISTINCT name) FROM player",
            [],
            |row| row.get(0),
        )
        .expect("a number");
    assert_eq!(doubled, 0, "names are known to who comes next");
    drop(names);
    assert_plain(&db);
}

/// A lock file that nobody holds any more is no reason to wait.
#[test]
fn what_a_killed_import_leaves_is_cleared_away() {
    let (folder, db, second) = large();
    let mut import = plydex(&db, &["import", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let input = import.stdin.as_mut().expect("a pipe");
    // It queues once it knows what comes, by the first 64 KiB.
    let begun = "1. e4 *\n\n".repeat(10_000);
    input.write_all(begun.as_bytes()).expect("it reads");
    let lock = folder.path().join("games.db-lock");
    let since = Instant::now();
    while !lock.exists() {
        assert!(since.elapsed() < SOON, "it locks the database");
        std::thread::sleep(Duration::from_millis(5));
    }
    import.kill().expect("a kill");
    import.wait().expect("an end");
    assert!(lock.exists());
    let stored = count(&db);
    let ran = run(&db, &["import", text(&second)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(count(&db) > stored);
    assert_plain(&db);
}

/// Sends a signal to a command that waits; asserts that it ends soon and in good order.
fn assert_hears(mut child: Child, signal: &str, what: &str) -> Ran {
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(300) {
        let over = child.try_wait().expect("a child");
        assert_eq!(over, None, "{what}: it waits");
        std::thread::sleep(Duration::from_millis(20));
    }
    let since = Instant::now();
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    while child.try_wait().expect("a child").is_none() {
        assert!(since.elapsed() < SOON, "{what}: {signal} is not heard");
        std::thread::sleep(Duration::from_millis(10));
    }
    let ran: Ran = child.wait_with_output().expect("an end").into();
    assert_eq!(ran.status, Some(2), "{what}: {ran:?}");
    assert!(
        ran.err.contains("interrupted") || ran.out.contains("interrupted"),
        "{ran:?}"
    );
    ran
}

#[test]
fn a_signal_is_heard_wherever_a_command_waits() {
    let (folder, db, second) = large();
    let stored = count(&db);
    let known = archive(8);
    for signal in ["INT", "TERM", "HUP"] {
        // For the reader of its output.
        for args in [
            &["export"][..],
            &["search", "--limit", "0", "--format", "json"],
            &["search", "--limit", "0", "--format", "pgn"],
        ] {
            assert_hears(paged(&db, args), signal, &format!("{args:?} into a pipe"));
        }
        // For standard input, on which nothing or no game comes.
        for begun in ["", "no game, only words\n", "[Event \"?\"]\n[Site"] {
            let mut import = plydex(&db, &["import", "-"]);
            import.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut import = import.stderr(Stdio::piped()).spawn().expect("it runs");
            let mut input = import.stdin.take().expect("a pipe");
            input.write_all(begun.as_bytes()).expect("it reads");
            assert_hears(import, signal, "standard input");
            drop(input);
        }
        // For a named pipe that nobody writes to.
        let fifo = folder.path().join(format!("{signal}.fifo"));
        let made = Command::new("mkfifo").arg(&fifo).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert_hears(paged(&db, &["import", text(&fifo)]), signal, "a named pipe");
        // For another import, and for a program that does not queue.
        let mut first = plydex(&db, &["import", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program runs");
        // It queues once something comes: here what is in the database already.
        let input = first.stdin.as_mut().expect("a pipe");
        input.write_all(known.as_bytes()).expect("it reads");
        let lock = folder.path().join("games.db-lock");
        let since = Instant::now();
        while !lock.exists() {
            assert!(since.elapsed() < SOON, "it locks the database");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_hears(paged(&db, &["import", text(&second)]), signal, "the queue");
        drop(first.stdin.take());
        assert_eq!(first.wait().expect("an end").code(), Some(0));
        let other = rusqlite::Connection::open(&db).expect("a database");
        other.execute_batch("BEGIN EXCLUSIVE").expect("a lock");
        assert_hears(paged(&db, &["import", text(&second)]), signal, "a lock");
        assert_hears(paged(&db, &["search", "e4"]), signal, "a lock");
        drop(other);
    }
    assert_eq!(count(&db), stored);
    assert_eq!(run(&db, &["check"]).status, Some(0));
    assert_plain(&db);
}

/// Counting for hours leaves nothing to be put in order: a signal just ends it.
#[test]
fn a_count_without_end_is_ended() {
    use std::os::unix::process::ExitStatusExt;
    for args in [
        &["perft", "--depth", "12"][..],
        &["perft", "--depth", "20", "--variant", "frisian"],
    ] {
        let mut child = plydex(Path::new("none.db"), args).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(200));
        let sent = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()));
        let since = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            assert!(since.elapsed() < SOON, "{args:?}: it is not heard");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(child.wait().expect("an end").signal(), Some(15), "{args:?}");
    }
}

/// Whoever started the program wants a closed terminal to be ignored.
#[test]
fn nohup_is_obeyed() {
    let (_folder, db) = closed();
    let import = plydex(&db, &["import", "-"]);
    let mut command = Command::new("nohup");
    command.arg(import.get_program()).args(import.get_args());
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.stderr(Stdio::piped()).spawn().expect("nohup runs");
    std::thread::sleep(Duration::from_millis(300));
    let sent = Command::new("kill")
        .args(["-HUP", &child.id().to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().expect("a child"), None);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"1. e4 e5 *\n").expect("it reads");
    drop(input);
    let ran: Ran = child.wait_with_output().expect("an end").into();
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(count(&db), GAMES + 1);
}

/// A file that may grow no further is an error, not the end of the program.
#[test]
fn a_limit_on_files_is_an_error() {
    let (_folder, db, second) = large();
    let stored = count(&db);
    // In blocks of 512 bytes or of 1024: less than the file has now.
    let blocks = std::fs::metadata(&db).expect("a file").len() / 2048;
    let program = plydex(&db, &["import", text(&second)]);
    let ran: Ran = Command::new("bash")
        .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(program.get_program())
        .args(program.get_args())
        .output()
        .expect("a shell")
        .into();
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.err.contains("games.db"), "{ran:?}");
    // All of it was committed, or nothing; and it goes on from there.
    assert!(
        [stored, stored + 9 * GAMES].contains(&count(&db)),
        "{ran:?}"
    );
    assert_eq!(run(&db, &["check"]).status, Some(0));
    assert_eq!(run(&db, &["import", text(&second)]).status, Some(0));
    assert_eq!(count(&db), stored + 9 * GAMES);
    assert_plain(&db);
}

#[test]
fn a_new_base_is_whole_after_two_imports_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("all.pgn");
    std::fs::write(&path, archive(4)).expect("a file");
    // The same file: one of them finds that it is known.
    let both = [0, 1].map(|_| paged(&db, &["import", text(&path)]));
    for child in both {
        let ran: Ran = child.wait_with_output().expect("an end").into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_whole(&db, 4 * GAMES);
}
