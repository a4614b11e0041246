//! What a command works with is never an output, whatever it is called.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::writers;
use crate::{
    faults::{archive, assert_trouble, closed, text},
    support::{one_in, plydex, run},
};

/// What stands behind the name of a database in those of files that belong to it.
const COMPANIONS: &[&str] = &["", "-journal", "-wal", "-shm", "-lock", ".queries"];

fn behind(db: &Path, ending: &str) -> PathBuf {
    let mut name = db.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The commands that write a file are those that may be told to replace one: none is missing in
/// the tests.
#[test]
fn every_command_that_replaces_files_is_among_the_writers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, db) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
    let writers = writers(&pgn, &pgn);
    let help = run(&db, &["--help"]).out;
    let mut commands: Vec<&str> = help
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"export"), "{help}");
    // `edit --force` replaces no file; `man` names a folder, see below.
    commands.retain(|command| {
        let help = run(&db, &[command, "--help"]).out;
        let mut meanings = help.split("--force").skip(1).map(str::trim_start);
        *command != "man" && meanings.any(|meaning| meaning.starts_with("Replace"))
    });
    commands.sort_unstable();
    let mut tested: Vec<&str> = writers.iter().map(|args| args[0]).collect();
    tested.sort_unstable();
    assert_eq!(commands, tested);
}

#[test]
fn manual_pages_are_replaced_by_force_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pages, db) = (folder.path().join("pages"), folder.path().join("a.db"));
    fs::create_dir(&pages).expect("a folder");
    let args = ["man", "--output", text(&pages)];
    assert!(run(&db, &args).err.contains("pages written to"));
    let page = pages.join("plydex-search.1");
    let written = fs::read_to_string(&page).expect("a page");
    assert!(written.contains("in\\-variations"), "{written}");
    fs::write(&page, "mine").expect("a file");
    fs::remove_file(pages.join("plydex.1")).expect("a page");
    assert_trouble(&run(&db, &args), &["already exists", "--force"]);
    assert_eq!(fs::read_to_string(&page).ok().as_deref(), Some("mine"));
    assert!(!pages.join("plydex.1").exists(), "all are written or none");
    let forced = run(&db, &[&args[..], &["--force"]].concat());
    assert!(forced.err.contains("pages written to"), "{}", forced.err);
    assert_eq!(fs::read_to_string(&page).ok(), Some(written));
}

/// The ways to call a file, with links in a folder of their own.
fn spellings(file: &Path, folder: &Path) -> Vec<PathBuf> {
    let name = file.file_name().expect("a name");
    let below = file.with_file_name("below");
    fs::create_dir_all(&below).expect("a folder");
    let mut found = vec![file.to_owned(), below.join("..").join(name)];
    let link = |name: &str, target: &Path| {
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link).expect("a link");
        link
    };
    found.push(link("link", file));
    found.push(link("link-of-link", Path::new("link")));
    if file.exists() {
        let hard = folder.join("hard");
        let _ = fs::remove_file(&hard);
        // Not to a link.
        let file = fs::canonicalize(file).expect("a file");
        fs::hard_link(file, &hard).expect("a link");
        found.push(hard);
    } else {
        // So it would be called where capitals are small letters.
        let capitals = name.to_str().expect("UTF-8").to_uppercase();
        found.push(file.with_file_name(capitals));
    }
    found
}

#[test]
fn what_belongs_to_a_database_is_never_an_output() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    let before = fs::read(&db).expect("a database");
    let linked = folder.path().join("linked.db");
    std::os::unix::fs::symlink("games.db", &linked).expect("a link");
    let other = tempfile::tempdir_in(folder.path()).expect("a folder");
    for (named, ending) in [&db, &linked]
        .into_iter()
        .flat_map(|named| COMPANIONS.iter().map(move |ending| (named, ending)))
    {
        let file = behind(named, ending);
        // Journals of a database that is whole would be taken for its own.
        let states: &[bool] = match *ending {
            "" => &[true],
            ".queries" => &[false, true],
            _ => &[false],
        };
        for &is_there in states {
            if is_there && !ending.is_empty() {
                fs::write(&file, "iqp = Pd4\n").expect("a file");
            }
            for (nth, out) in spellings(&file, other.path()).into_iter().enumerate() {
                let writers = writers(&pgn, &out).into_iter();
                for mut args in writers.skip(nth % one_in(3)).step_by(one_in(3)) {
                    for force in [false, true] {
                        if force {
                            args.push("--force");
                        }
                        let ran = run(named, &args);
                        assert_trouble(&ran, &[text(&out), "database", "hint:"]);
                    }
                }
                let repair = ["check", "--repair", text(&out)];
                assert_trouble(&run(named, &repair), &[text(&out), "hint:"]);
            }
            assert_eq!(file.exists(), is_there, "{}", file.display());
            if is_there && !ending.is_empty() {
                assert_eq!(fs::read(&file).expect("a file"), b"iqp = Pd4\n");
                fs::remove_file(&file).expect("a file");
            }
            assert_eq!(fs::read(&db).expect("a database"), before);
        }
    }
}

#[test]
fn saved_questions_are_read_and_never_written() {
    let (folder, db) = closed();
    let saved = behind(&db, ".queries");
    fs::write(&saved, "iqp = Pd4 Pc/e=0 pd=0\n").expect("a file");
    let out = folder.path().join("out");
    for args in [
        &["export", "@iqp", "--force", "--output"][..],
        &[
            "tree", "--where", "@iqp", "--format", "json", "--force", "--output",
        ],
    ] {
        let ran = run(&db, &[args, &[text(&saved)]].concat());
        assert_trouble(&ran, &["games.db.queries: belongs to the database"]);
        let ran = run(&db, &[args, &[text(&out)]].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    let read = fs::read_to_string(&saved).expect("a file");
    assert_eq!(read, "iqp = Pd4 Pc/e=0 pd=0\n");
}

/// A file that the program was started with has a name by its number, too.
#[test]
#[cfg(target_os = "linux")]
fn a_database_that_is_open_already_is_no_output() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    let before = fs::read(&db).expect("a database");
    for out in ["/dev/stdin", "/proc/self/fd/0", "-", "/dev/stdout"] {
        for args in writers(&pgn, Path::new(out)) {
            let file = || {
                let mut options = fs::File::options();
                options.read(true).append(true);
                options.open(&db).expect("a database")
            };
            let mut command = plydex(&db, &args);
            if out.ends_with('-') || out.ends_with("stdout") {
                command.stdout(file());
            } else {
                command.stdin(file());
            }
            let ran = command.output().expect("the program runs").into();
            assert_trouble(&ran, &["is the database itself"]);
            assert_eq!(fs::read(&db).expect("a database"), before, "{args:?}");
        }
    }
}

#[test]
fn a_member_of_a_folder_that_is_read_is_no_output() {
    let (folder, db) = closed();
    let games = folder.path().join("games");
    fs::create_dir(&games).expect("a folder");
    let pgn = games.join("a.pgn");
    fs::write(&pgn, archive(1)).expect("a file");
    let other = tempfile::tempdir().expect("a folder");
    for out in spellings(&pgn, other.path()) {
        let args = ["import", text(&games), "--force", "--report", text(&out)];
        assert_trouble(&run(&db, &args), &["is an input of this command"]);
    }
    assert_eq!(fs::read_to_string(&pgn).expect("a file"), archive(1));
}
