//! Pipes that are left, or waited for.

use std::io::{Read as _, Write as _};

use super::*;

#[test]
fn a_pipe_is_left_when_the_end_is_asked_for() {
    let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
    let stop = CancellationToken::default();
    let mut reader = CancellableIo::new(reader.into(), &stop).expect("a pipe");
    let mut writer = CancellableIo::new(writer.into(), &stop).expect("a pipe");
    let asked = stop.clone();
    let asker = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(150));
        asked.cancel();
    });
    // No reader takes it out, so it is full at some time.
    let full = writer
        .write_all(&vec![0; 1 << 20])
        .expect_err("nobody reads");
    assert!(is_stopped(&full), "{full}");
    asker.join().expect("an end");
    let unread = reader.read(&mut [0; 8]).expect_err("asked to stop");
    assert!(is_stopped(&unread), "{unread}");
}

#[test]
fn what_nobody_has_to_wait_for_is_written_to_the_end() {
    let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
    let stop = CancellationToken::default();
    stop.cancel();
    let mut writer = CancellableIo::new(writer.into(), &stop).expect("a pipe");
    writer.write_all(b"1. e4 *").expect("there is room");
    drop(writer);
    let mut text = String::new();
    let mut reader = std::fs::File::from(reader);
    reader.read_to_string(&mut text).expect("it is written");
    assert_eq!(text, "1. e4 *");
}

#[test]
fn a_pipe_without_a_reader_is_waited_for_or_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fifo");
    let mode = rustix::fs::Mode::from(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
    let asked = CancellationToken::default();
    asked.cancel();
    let left = CancellableIo::append(&path, &asked).expect_err("nobody reads");
    assert!(is_stopped(&left), "{left}");
    let pipe = path.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe));
    let mut writer = CancellableIo::append(&path, &CancellationToken::default()).expect("a reader");
    writer.write_all(b"1. e4 *").expect("it is read");
    drop(writer);
    let text = reader.join().expect("an end").expect("it is written");
    assert_eq!(text, "1. e4 *");
}

#[test]
fn a_pipe_without_a_writer_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fifo");
    let mode = rustix::fs::Mode::from(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).expect("a pipe");
    let mut reader =
        CancellableIo::open(&path, &CancellationToken::default()).expect("it opens at once");
    let writer = std::thread::spawn(move || std::fs::write(path, "1. e4 *"));
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("it is written");
    writer.join().expect("an end").expect("it is read");
    assert_eq!(text, "1. e4 *");
}
