//! Imports that are killed, again and again, at any moment.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

use fastrand::Rng;
use plydex::import::ImportOptions;

use super::support::{Archive, PATIENCE, Sources, import_with, plydex, wait};

/// Tell the process that is killed what it shall do.
const DATABASE: &str = "PLYDEX_TORTURE_DATABASE";
const FOLDER: &str = "PLYDEX_TORTURE_FOLDER";

fn sources() -> Sources {
    static ARCHIVE: OnceLock<Archive> = OnceLock::new();
    Sources::new(ARCHIVE.get_or_init(|| Archive::of(&[40, 10, 60, 5, 30, 20, 3])))
}

/// The program itself, which commits once and merges; or this one, which commits after
/// each file.
pub(crate) fn importer(sources: &Sources, db: &Path, is_program: bool) -> Command {
    if is_program {
        return plydex(db, &[&["import"][..], &sources.args()].concat());
    }
    let mut command = Command::new(env::current_exe().expect("a path"));
    command
        .args(["--exact", "kills::import_often", "--ignored"])
        .env(DATABASE, db)
        .env(FOLDER, sources.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
#[ignore = "this is the process that is killed"]
fn import_often() {
    let (Some(db), Some(folder)) = (env::var_os(DATABASE), env::var_os(FOLDER)) else {
        return;
    };
    let options = ImportOptions {
        segment_plies_max: Some(600),
        commit_games_max: Some(1),
        ..ImportOptions::default()
    };
    let db = PathBuf::from(db);
    import_with(&db, &[PathBuf::from(folder)], options).expect("an import");
}

/// How long an import takes that nobody kills.
fn undisturbed(sources: &Sources, is_program: bool) -> Duration {
    static TIMES: [OnceLock<Duration>; 2] = [OnceLock::new(), OnceLock::new()];
    *TIMES[usize::from(is_program)].get_or_init(|| {
        let base = sources.base(0);
        let since = Instant::now();
        let mut child = importer(sources, &base.path, is_program)
            .spawn()
            .expect("it runs");
        let status = wait(&mut child, PATIENCE, "an import");
        assert!(status.success(), "{status}");
        since.elapsed()
    })
}

/// An import is killed up to three times, sometimes with a look at what is there.
pub(crate) fn kill(rng: &mut Rng) {
    let sources = sources();
    let begun = rng.usize(0..sources.paths.len());
    let base = sources.base(begun);
    let mut least = sources.total(begun);
    for _ in 0..rng.u8(1..=3) {
        let is_program = rng.bool();
        let time = undisturbed(&sources, is_program);
        let mut child = importer(&sources, &base.path, is_program)
            .spawn()
            .expect("it runs");
        sleep(time.mul_f64(rng.f64()));
        child.kill().expect("a kill");
        child.wait().expect("an end");
        if rng.bool() {
            least = sources.assert_beginning(&base.path, least);
        }
    }
    sources.assert_goes_on(&base.path, least);
}
