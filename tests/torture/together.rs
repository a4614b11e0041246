//! Several programs at one database.

use std::{
    fs, io::Read, path::Path, process::Stdio, sync::OnceLock, thread::sleep, time::Duration,
};

use fastrand::Rng;

use super::support::{Archive, PATIENCE, Ran, Sources, plydex, run, sound, text, wait};

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    // More than a pipe and a buffer hold, then some imports that take their time.
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[600, 80, 120, 40, 100])))
}

fn ask(db: &Path, args: &[&str]) -> Ran {
    let ran = run(&mut plydex(db, args), PATIENCE);
    assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    ran
}

fn count(db: &Path, args: &[&str]) -> usize {
    let ran = ask(db, &[args, &["--count"]].concat());
    ran.out.trim().parse().expect("a number")
}

/// Several imports begin at once, some of the same file, while others ask without a
/// pause: all are served, no answer takes games back, and each source is there once.
pub(crate) fn importers(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(1);
    let db = &base.path;
    let mut files: Vec<&Path> = sources.paths[1..].iter().map(AsRef::as_ref).collect();
    files.push(files[rng.usize(0..files.len())]);
    rng.shuffle(&mut files);
    let reports = super::support::scratch();
    let mut children = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let report = reports.path().join(number.to_string());
        let mut command = plydex(db, &["import", text(file), "--format", "json"]);
        command.stdout(fs::File::create(&report).expect("a file"));
        command.stderr(fs::File::create(report.with_extension("err")).expect("a file"));
        children.push((command.spawn().expect("it runs"), report));
        sleep(Duration::from_micros(rng.u64(0..20_000)));
    }
    let (mut all, mut some, mut shown) = (sources.total(1), 0, 0);
    while children
        .iter_mut()
        .any(|(child, _)| child.try_wait().expect("a state").is_none())
    {
        match rng.u8(0..4) {
            0 => {
                let now = count(db, &["search"]);
                assert!(
                    now >= all && now <= sources.games.len(),
                    "{all}, then {now}"
                );
                all = now;
            }
            1 => {
                let now = count(db, &["search", "e4", "e5"]);
                assert!(now >= some, "{some}, then {now}");
                some = now;
            }
            2 => {
                let tree = ask(db, &["tree", "--format", "json"]).out;
                let tree: serde_json::Value = serde_json::from_str(&tree).expect("JSON");
                let now = tree["total"]["games"].as_u64().expect("a number");
                assert!(now >= shown, "{shown}, then {now}");
                shown = now;
            }
            _ => {
                let first = ask(db, &["export", "--limit", "3"]).out;
                assert_eq!(first, sources.games[..3].concat());
            }
        }
    }
    let mut stored = sources.total(1) as u64;
    for (child, report) in &mut children {
        let status = wait(child, PATIENCE, "an import");
        let told = fs::read_to_string(report.with_extension("err")).expect("a file");
        assert!(status.success(), "{status}: {told}");
        let report = fs::read_to_string(report).expect("a file");
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        stored += report["stored"].as_u64().expect("a number");
    }
    assert_eq!(stored, sources.games.len() as u64);
    let mut found = sound(db).expect("a sound database");
    let mut expected = sources.games.to_vec();
    found.sort();
    expected.sort();
    assert!(found == expected, "each game is there once");
    assert_eq!(super::support::names_beside(db), Vec::<String>::new());
}

/// An export is held up by a pipe that nobody reads while imports run to their end; then
/// it goes on with the games that there were when it began.
pub(crate) fn held_export(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(1);
    let db = &base.path;
    let mut export = plydex(db, &["export"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut pipe = export.stdout.take().expect("a pipe");
    let mut out = vec![0; rng.usize(1..2_000)];
    pipe.read_exact(&mut out).expect("games");
    for file in &sources.paths[1..=rng.usize(1..sources.paths.len())] {
        ask(db, &["import", text(file)]);
    }
    let now = count(db, &["search"]);
    assert!(now > sources.total(1), "{now}");
    pipe.read_to_end(&mut out).expect("games");
    let status = wait(&mut export, PATIENCE, "an export");
    assert!(status.success(), "{status}");
    let expected = sources.games[..sources.total(1)].concat();
    assert!(out == expected.as_bytes(), "the games of the beginning");
    drop(pipe);
    sources.assert_goes_on(db, now);
}

/// A backup is made while an import is under way: it is one of the states of the base.
pub(crate) fn backups(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(1);
    let db = &base.path;
    let args = [&["import"][..], &sources.args()].concat();
    let mut import = plydex(db, &args).spawn().expect("it runs");
    let copies = super::support::scratch();
    for number in 0..3 {
        sleep(Duration::from_micros(rng.u64(0..100_000)));
        let copy = copies.path().join(format!("{number}.db"));
        ask(db, &["backup", text(&copy)]);
        sources.assert_beginning(&copy, sources.total(1));
    }
    assert!(wait(&mut import, PATIENCE, "an import").success());
    sources.assert_goes_on(db, sources.games.len());
}
