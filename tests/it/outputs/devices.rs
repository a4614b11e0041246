//! Standard output, pipes and devices: written, never replaced.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{names, read, writers};
use crate::{
    faults::{assert_trouble, closed, text},
    support::{plydex, run},
};

fn pipe(folder: &Path) -> PathBuf {
    let path = folder.join("pipe");
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo").success());
    path
}

#[test]
fn a_dash_is_standard_output() {
    let (folder, db) = closed();
    let plain = run(&db, &["export"]).out;
    let drawn = run(&db, &["board", "e4", "--svg", "-"]).out;
    assert!(drawn.starts_with("<svg"), "{drawn}");
    let pgn = folder.path().join("deviant.pgn");
    std::fs::write(&pgn, "1. Ke5 *\n").expect("a file");
    for out in ["-", "/dev/stdout"] {
        let ran = plydex(&db, &["export", "--output", out])
            .current_dir(folder.path())
            .output();
        assert_eq!(ran.expect("the program runs").stdout, plain.as_bytes());
        assert_eq!(run(&db, &["board", "e4", "--svg", out]).out, drawn);
        let new = folder.path().join("new.db");
        let ran = run(&new, &["import", text(&pgn), "--report", out]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let finding: serde_json::Value = serde_json::from_str(&ran.out).expect("one finding");
        assert_eq!(finding["severity"], "error");
        assert!(ran.err.contains("1 game stored"), "{ran:?}");
        std::fs::remove_file(&new).expect("a database");
    }
    assert_eq!(
        names(folder.path()),
        ["deviant.pgn", "games.db", "games.pgn"]
    );
    // Where standard output is a file, nothing of it is lost.
    let whole = folder.path().join("whole.pgn");
    std::fs::write(&whole, "; a collection\n").expect("a file");
    let file = std::fs::File::options().append(true).open(&whole);
    let mut export = plydex(&db, &["export", "--output", "/dev/stdout"]);
    let ran = export.stdout(file.expect("a file")).status();
    assert!(ran.expect("the program runs").success());
    assert_eq!(read(&whole), format!("; a collection\n{plain}"));
}

#[test]
fn devices_are_written_and_stay() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    let link = folder.path().join("nowhere");
    std::os::unix::fs::symlink("/dev/null", &link).expect("a link");
    for null in [Path::new("/dev/null"), &link] {
        for args in writers(&pgn, null) {
            let ran = run(&db, &args);
            assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
        }
    }
    let facts = std::fs::metadata("/dev/null").expect("a device");
    assert!(!facts.is_file());
    assert!(link.is_symlink());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_named() {
    let (folder, db) = closed();
    let pgn = folder.path().join("deviant.pgn");
    std::fs::write(&pgn, "1. Ke5 *\n").expect("a file");
    for args in writers(&pgn, Path::new("/dev/full")) {
        let ran = run(&db, &args);
        assert_trouble(&ran, &["/dev/full: cannot be written", "No space left"]);
    }
}

#[test]
fn a_pipe_is_written_and_stays() {
    use std::os::unix::fs::FileTypeExt;
    let (folder, db) = closed();
    let pipe = pipe(folder.path());
    let plain = run(&db, &["export"]).out;
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .spawn()
        .expect("cat");
    let ran = run(&db, &["export", "--output", text(&pipe)]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let seen = reader.wait_with_output().expect("cat ends");
    assert_eq!(seen.stdout, plain.as_bytes());
    let facts = std::fs::symlink_metadata(&pipe).expect("a pipe");
    assert!(facts.file_type().is_fifo());
    // A source is no output, even if reading it does not end it.
    let args = ["import", text(&pipe), "--report", text(&pipe)];
    assert_trouble(&run(&db, &args), &["is an input of this command"]);
}

/// Nobody reads: a first signal ends the wait.
#[test]
fn waiting_for_a_reader_of_a_pipe_can_be_ended() {
    let (folder, db) = closed();
    let pipe = pipe(folder.path());
    let args = ["export", "--output", text(&pipe)];
    let mut waiting = plydex(&db, &args).spawn().expect("the program runs");
    std::thread::sleep(Duration::from_millis(300));
    assert!(waiting.try_wait().expect("a child").is_none(), "it waits");
    let pid = waiting.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.expect("kill").success());
    let status = waiting.wait().expect("an end");
    assert!(!status.success());
}
