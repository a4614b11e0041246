//! Restores that are killed, and copies that are put over databases whose import was killed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use fastrand::Rng;

use super::{
    kills::importer,
    support::{Archive, Base, PATIENCE, Sources, names_beside, plydex, sound, text, wait},
};

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[30, 10, 40, 5, 20])))
}

/// The games of a database, which must be the first so many.
fn assert_first(sources: &Sources, db: &Path, files: &[usize], when: &str) -> usize {
    let found = sound(db).unwrap_or_else(|error| panic!("{when}: {error}"));
    let is_wanted = |files: &&usize| found == sources.games[..sources.total(**files)];
    let which = files.iter().find(is_wanted);
    *which.unwrap_or_else(|| panic!("{when}: {} games", found.len()))
}

/// An import is killed, and a copy of the database from another time, or a backup, is put over it
/// by hand: the games are those of the copy, and the log is kept.
pub(crate) fn foreign_log(rng: &mut Rng) {
    let sources = sources();
    let count = sources.paths.len();
    let (begun, copied) = (rng.usize(1..count), rng.usize(1..=count));
    let base = sources.base(begun);
    for _ in 0..rng.u8(1..=2) {
        let mut child = importer(&sources, &base.path, rng.bool())
            .spawn()
            .expect("it runs");
        sleep(Duration::from_millis(rng.u64(0..60)));
        child.kill().expect("a kill");
        child.wait().expect("an end");
    }
    let has_log = |ending: &str| {
        let mut name = base.path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    let logs: Vec<Vec<u8>> = ["-wal", "-journal"]
        .into_iter()
        .filter_map(|ending| fs::read(has_log(ending)).ok())
        .filter(|log| !log.is_empty())
        .collect();
    let copy = sources.base(copied);
    fs::copy(&copy.path, &base.path).expect("a copy");
    assert_first(&sources, &base.path, &[copied], "copied over");
    // A log that would have changed the file is beside it under another name.
    let mut names = names_beside(&base.path);
    // The next program that writes takes away the lock file of the killed one.
    names.retain(|name| name != "games.db-lock");
    assert!(names.len() <= logs.len(), "{names:?}");
    for name in names {
        assert!(name.contains(".aside-1"), "{name}");
        let kept = fs::read(base.path.with_file_name(&name)).expect("a log");
        assert!(logs.contains(&kept), "{name}");
    }
    // And the import goes on from there.
    for aside in names_beside(&base.path) {
        fs::remove_file(base.path.with_file_name(aside)).expect("removed");
    }
    sources.assert_goes_on(&base.path, sources.total(copied));
}

/// `plydex restore` is killed at any moment, over a database whose import may have been killed:
/// the database is one of the two, and what was replaced is kept.
pub(crate) fn restore_kill(rng: &mut Rng) {
    let sources = sources();
    let count = sources.paths.len();
    let (here, there) = (rng.usize(1..=count), rng.usize(1..=count));
    let (base, backup) = (sources.base(here), sources.base(there));
    let temporary = Base::new();
    let restore = |db: &Path| {
        let mut command = plydex(db, &["restore", text(&backup.path)]);
        command.env("TMPDIR", temporary.path.parent().expect("a folder"));
        command
    };
    let other = sources.base(here);
    let since = Instant::now();
    let mut child = restore(&other.path).spawn().expect("it runs");
    assert!(wait(&mut child, PATIENCE, "a restore").success());
    let time = since.elapsed();
    assert_first(&sources, &other.path, &[there], "restored");
    for _ in 0..rng.u8(1..=3) {
        let mut child = restore(&base.path).spawn().expect("it runs");
        sleep(time.mul_f64(rng.f64()));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        if rng.bool() {
            assert_first(&sources, &base.path, &[here, there], "killed");
        }
    }
    let mut child = restore(&base.path).spawn().expect("it runs");
    assert!(wait(&mut child, PATIENCE, "a restore").success());
    assert_first(&sources, &base.path, &[there], "restored at last");
    // What was replaced opens, and is one of the two.
    let mut replaced = 0;
    for name in names_beside(&base.path) {
        let is_log = name.ends_with("-wal") || name.ends_with("-journal");
        if name.contains(".replaced-") && !is_log {
            let path = base.path.with_file_name(&name);
            assert_first(&sources, &path, &[here, there], &name);
            replaced += 1;
        }
    }
    assert!(replaced > 0);
}
