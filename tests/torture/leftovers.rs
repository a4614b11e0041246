//! What killed programs leave: the next one that makes something of its kind takes it away, and
//! a database that got nothing is none.

use std::{
    fs,
    path::Path,
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use fastrand::Rng;
use plydex::import::ImportOptions;

use super::{
    signals::send,
    support::{
        Archive, Base, PATIENCE, Sources, import_with, names_beside, plydex, run, text, wait,
    },
};

/// Every command that needs drafts or writes a file, `OUT` being that file and `PGN` a source.
const TASKS: &[&[&str]] = &[
    &["reread", "PGN", "--variant", "atomic"],
    &["edit", "7", "--tag", "Annotator=x"],
    &["undo", "1"],
    &["repertoire", "PGN"],
    &["export", "--force", "--output", "OUT"],
    &["export", "--force", "--output", "OUT.zst"],
    &[
        "tree", "--depth", "5", "--format", "json", "--force", "--output", "OUT",
    ],
    &["backup", "--force", "OUT"],
    &["backup", "--force", "OUT.zst"],
    &["unpack", "--force", "--output", "OUT"],
    &["check", "--repair", "OUT"],
    &[
        "import",
        "PGN",
        "--duplicates",
        "keep",
        "--force",
        "--report",
        "OUT",
    ],
];

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[60, 30])))
}

/// Commands that make temporary files are killed up to three times each.
pub(crate) fn left_by_kill(rng: &mut Rng) {
    let sources = sources();
    let base = Base::new();
    import_with(&base.path, &sources.paths, ImportOptions::default()).expect("an import");
    let (drafts, outputs) = (super::support::scratch(), super::support::scratch());
    let out = outputs.path().join("out");
    let pgn = text(&sources.paths[1]);
    let command = |db: &Path, task: &[&str]| {
        let word = |word: &&str| word.replace("OUT", text(&out)).replace("PGN", pgn);
        let args: Vec<String> = task.iter().map(word).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut command = plydex(db, &args);
        command.env("TMPDIR", drafts.path());
        command
    };
    let names = |folder: &Path| names_beside(&folder.join("out"));
    for _ in 0..rng.u8(2..=4) {
        let task = TASKS[rng.usize(0..TASKS.len())];
        let copy = Base::new();
        fs::copy(&base.path, &copy.path).expect("a copy");
        let since = Instant::now();
        let ran = run(&mut command(&copy.path, task), PATIENCE);
        let time = since.elapsed();
        assert!(matches!(ran.status, Some(0 | 1)), "{task:?}: {ran:?}");
        for _ in 0..rng.u8(1..=3) {
            let _ = fs::remove_file(&out);
            fs::copy(&base.path, &copy.path).expect("a copy");
            let mut child = command(&copy.path, task).spawn().expect("it runs");
            sleep(time.mul_f64(rng.f64()) + Duration::from_millis(1));
            child.kill().expect("a kill");
            child.wait().expect("an end");
            for beside in names_beside(&copy.path) {
                let _ = fs::remove_file(copy.path.with_file_name(beside));
            }
        }
        let _ = fs::remove_file(&out);
    }
    // One that makes drafts, and one that writes there.
    for task in [1, 4] {
        let ran = run(&mut command(&base.path, TASKS[task]), PATIENCE);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    assert_eq!(names(drafts.path()), Vec::<String>::new(), "drafts");
    let mut left = names(outputs.path());
    left.retain(|name| name != "out.zst");
    assert_eq!(left, Vec::<String>::new(), "beside outputs");
}

/// A first import is killed, or asked to end: what is there then is nothing, a database, or a
/// file that is said to be empty; the next import goes on from there.
pub(crate) fn first_import(rng: &mut Rng) {
    let sources = sources();
    let base = sources.base(0);
    let args = [&["import"][..], &sources.args()].concat();
    let copy = Base::new();
    let since = Instant::now();
    assert_eq!(
        run(&mut plydex(&copy.path, &args), PATIENCE).status,
        Some(0)
    );
    let time = since.elapsed();
    for _ in 0..rng.u8(1..=3) {
        let was_there = base.path.exists();
        let mut child = plydex(&base.path, &args).spawn().expect("it runs");
        // Most often while the file is made.
        let part = if rng.bool() { 0.2 } else { 1.0 };
        sleep(time.mul_f64(part * rng.f64()));
        let signal = ["-KILL", "-KILL", "-INT", "-TERM"][rng.usize(0..4)];
        send(signal, &child);
        wait(&mut child, PATIENCE, "an import");
        let ran = run(
            &mut plydex(&base.path, &["info", "--format", "json"]),
            PATIENCE,
        );
        let is_said = |what: &str| ran.status == Some(2) && ran.err.contains(what);
        if base.path.exists() {
            assert!(
                ran.status == Some(0) || is_said("empty: nothing"),
                "{ran:?}"
            );
            let is_blank = ran.status == Some(2) || ran.out.contains("\"games\": 0,");
            let may_be_blank = signal == "-KILL" || was_there;
            assert!(may_be_blank || !is_blank, "{signal}: {ran:?}");
        } else {
            assert!(is_said("no such database"), "{ran:?}");
            assert_eq!(names_beside(&base.path), Vec::<String>::new(), "{signal}");
        }
    }
    sources.assert_goes_on(&base.path, 0);
}
