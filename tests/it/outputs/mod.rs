//! What is written into files: whole or not at all, and never over what is there.

mod backup;
mod devices;
mod protected;

use std::io::Write as _;
use std::{
    io::Read as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    faults::{GAMES, archive, assert_trouble, closed, run_bound, text},
    support::{plydex, run},
};

/// A letter that nobody wants to lose.
const LETTER: &str = "Dear Anna,\n";

/// What stands in a folder, but for the lock of the database, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("UTF-8"))
        .filter(|name| !name.ends_with("-lock"))
        .collect();
    names.sort();
    names
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

/// Every command that writes a file, asked to write this one.
fn writers<'a>(pgn: &'a Path, out: &'a Path) -> [Vec<&'a str>; 12] {
    let out = text(out);
    [
        vec!["export", "--output", out],
        vec!["tree", "--depth", "4", "--format", "json", "--output", out],
        vec!["import", text(pgn), "--report", out],
        vec!["board", "e4", "--svg", out],
        vec!["backup", out],
        vec!["unpack", "--output", out],
        vec!["report", "--html", out],
        vec!["structure", "french", "--html", out],
        vec!["crosstable", "Niksic", "--html", out],
        vec!["prepare", "Fischer", "--html", out],
        vec!["novelty", "--annotate", "--output", out],
        vec!["repertoire", text(pgn), "--side", "white", "--html", out],
    ]
}

#[test]
fn the_database_is_never_an_output_whatever_it_is_called() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    std::fs::create_dir(folder.path().join("below")).expect("a folder");
    let spelled = folder.path().join("below/../games.db");
    let [link, hard, journal] =
        ["link.db", "hard.db", "games.db-journal"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("games.db", &link).expect("a link");
    std::fs::hard_link(&db, &hard).expect("a link");
    let before = std::fs::read(&db).expect("a database");
    for out in [&db, &spelled, &link, &hard, &journal] {
        for mut args in writers(&pgn, out) {
            for force in [false, true] {
                if force {
                    args.push("--force");
                }
                assert_trouble(&run(&db, &args), &[text(out), "database", "hint: name"]);
                assert_eq!(std::fs::read(&db).expect("a database"), before, "{args:?}");
            }
        }
    }
    // Whatever the database itself is called.
    for named in [&spelled, &link, &hard] {
        let args = ["export", "--force", "--output", text(&db)];
        assert_trouble(&run(named, &args), &["is the database itself"]);
    }
    assert_eq!(std::fs::read(&db).expect("a database"), before);
}

#[test]
fn a_database_that_is_not_there_yet_is_none_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    let db = folder.path().join("new.db");
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink("new.db", &link).expect("a link");
    for (named, out) in [(&db, &db), (&link, &db), (&db, &link)] {
        let ran = run(named, &["import", text(&pgn), "--report", text(out)]);
        assert_trouble(&ran, &["is the database itself"]);
    }
    let out = folder.path().join("new.db-wal");
    let ran = run(&db, &["import", text(&pgn), "--report", text(&out)]);
    assert_trouble(&ran, &["belongs to the database"]);
    assert_eq!(names(folder.path()), ["games.pgn", "link.db"]);
}

#[test]
fn an_input_is_never_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, games) = (folder.path().join("a.db"), folder.path().join("games"));
    std::fs::create_dir(&games).expect("a folder");
    let pgn = games.join("a.pgn");
    std::fs::write(&pgn, archive(1)).expect("a file");
    let hard = folder.path().join("hard.pgn");
    std::fs::hard_link(&pgn, &hard).expect("a link");
    for source in [&games, &pgn, &games.join("../games/a.pgn")] {
        for report in [&pgn, &hard] {
            let args = ["import", text(source), "--force", "--report", text(report)];
            assert_trouble(&run(&db, &args), &["is an input of this command"]);
        }
    }
    let mut from_stdin = plydex(&db, &["import", "-", "--force", "--report", text(&pgn)]);
    from_stdin.stdin(std::fs::File::open(&pgn).expect("a file"));
    let ran = from_stdin.output().expect("the program runs").into();
    assert_trouble(&ran, &["is an input of this command"]);
    assert_eq!(read(&pgn), archive(1));
    assert!(!db.exists(), "nothing was begun");
}

#[test]
fn a_file_is_replaced_only_when_that_is_said() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    let out = folder.path().join("letter.txt");
    for mut args in writers(&pgn, &out) {
        std::fs::write(&out, LETTER).expect("a file");
        assert_trouble(&run(&db, &args), &["letter.txt: already exists", "--force"]);
        assert_eq!(read(&out), LETTER);
        args.push("--force");
        let ran = run(&db, &args);
        assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
        assert_ne!(std::fs::read(&out).expect("a file"), LETTER.as_bytes());
    }
    assert_eq!(
        names(folder.path()),
        ["games.db", "games.pgn", "letter.txt"]
    );
}

#[test]
fn an_export_of_nothing_leaves_what_was_there() {
    let (folder, db) = closed();
    let out = folder.path().join("old.pgn");
    std::fs::write(&out, LETTER).expect("a file");
    let args = ["export", "--force", "--output", text(&out)];
    let mistyped = folder.path().join("gmaes.db");
    assert_trouble(&run(&mistyped, &args), &["gmaes.db: no such database"]);
    let foreign = folder.path().join("games.pgn");
    assert_trouble(&run(&foreign, &args), &["not a plydex database"]);
    let ran = run(&db, &[&args[..], &["--white", "nobody"]].concat());
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("nothing was written to"), "{ran:?}");
    assert_eq!(read(&out), LETTER);
    let new = folder.path().join("new.pgn");
    let args = ["export", "--white", "nobody", "--output", text(&new)];
    assert_eq!(run(&db, &args).status, Some(1));
    assert_eq!(names(folder.path()), ["games.db", "games.pgn", "old.pgn"]);
}

#[test]
fn a_report_without_findings_is_written_and_one_of_a_failed_import_is_not() {
    let (folder, db) = closed();
    let [pgn, out] = ["games.pgn", "report.ndjson"].map(|name| folder.path().join(name));
    std::fs::write(&out, LETTER).expect("a file");
    let args = ["import", text(&pgn), "--force", "--report", text(&out)];
    assert_trouble(&run(&pgn, &args[..]), &["games.pgn"]);
    let letter = folder.path().join("letter.txt");
    std::fs::write(&letter, LETTER).expect("a file");
    assert_trouble(&run(&letter, &args), &["not a plydex database"]);
    assert_eq!(read(&out), LETTER);
    assert_eq!(run(&db, &args).status, Some(0));
    assert_eq!(read(&out), "");
}

#[test]
fn links_are_followed_and_stay() {
    let (folder, db) = closed();
    let [out, link, dangling] =
        ["old.pgn", "link.pgn", "dangling.pgn"].map(|name| folder.path().join(name));
    std::fs::create_dir(folder.path().join("below")).expect("a folder");
    std::fs::write(&out, LETTER).expect("a file");
    std::os::unix::fs::symlink("below/../old.pgn", &link).expect("a link");
    std::os::unix::fs::symlink("below/new.pgn", &dangling).expect("a link");
    let export = |out: &Path, force: &[&str]| {
        run(
            &db,
            &[&["export", "--output", text(out)][..], force].concat(),
        )
    };
    assert_trouble(&export(&link, &[]), &["link.pgn: already exists"]);
    assert_eq!(export(&link, &["--force"]).status, Some(0));
    assert_eq!(export(&dangling, &[]).status, Some(0));
    for link in [&link, &dangling] {
        let facts = std::fs::symlink_metadata(link).expect("a link");
        assert!(facts.is_symlink());
    }
    assert!(read(&out).contains("[Event "));
    assert_eq!(read(&out), read(&folder.path().join("below/new.pgn")));
    let round = folder.path().join("round.pgn");
    std::os::unix::fs::symlink("round.pgn", &round).expect("a link");
    assert_trouble(
        &export(&round, &["--force"]),
        &["round.pgn", "symbolic link to itself"],
    );
}

#[test]
fn rights_are_those_of_the_old_file_or_the_usual_ones() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, db) = closed();
    let [out, new, usual] = ["old.pgn", "new.pgn", "usual"].map(|name| folder.path().join(name));
    let mode = |path: &Path| {
        let facts = std::fs::metadata(path).expect("a file");
        facts.permissions().mode() & 0o7777
    };
    for rights in [0o600, 0o664, 0o444] {
        std::fs::write(&out, LETTER).expect("a file");
        std::fs::set_permissions(&out, PermissionsExt::from_mode(rights)).expect("rights");
        let ran = run(&db, &["export", "--force", "--output", text(&out)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(mode(&out), rights);
        std::fs::remove_file(&out).expect("a file");
    }
    std::fs::write(&usual, "").expect("a file");
    assert_eq!(
        run(&db, &["export", "--output", text(&new)]).status,
        Some(0)
    );
    assert_eq!(mode(&new), mode(&usual));
}

#[test]
fn what_is_compressed_by_its_name_is_read_again() {
    let (folder, db) = closed();
    let plain = run(&db, &["export"]).out;
    let unpack = |path: &Path| -> String {
        let file = std::fs::File::open(path).expect("a file");
        let mut text = String::new();
        if path.extension().is_some_and(|ending| ending == "gz") {
            flate2::read::GzDecoder::new(file).read_to_string(&mut text)
        } else {
            zstd::Decoder::new(file)
                .expect("zstd")
                .read_to_string(&mut text)
        }
        .expect("compressed text");
        text
    };
    for name in ["a.pgn.zst", "a.pgn.zstd", "a.PGN.gz"] {
        let out = folder.path().join(name);
        let ran = run(&db, &["export", "--output", text(&out)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(unpack(&out), plain);
        let again = folder.path().join(format!("{name}.db"));
        let ran = run(&again, &["import", text(&out)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert_eq!(run(&again, &["export"]).out, plain);
        assert_eq!(
            run(&again, &["search", "--count"]).out.trim(),
            GAMES.to_string()
        );
    }
    for name in ["a.pgn.bz2", "a.pgn.XZ", "a.7z", "a.zip"] {
        let out = folder.path().join(name);
        let ran = run(&db, &["export", "--output", text(&out)]);
        assert_trouble(&ran, &[name, "is not supported", ".zst (zstd) or .gz"]);
        assert!(!out.exists());
    }
}

#[test]
fn what_cannot_be_written_is_named_with_its_reason() {
    let (folder, db) = closed();
    let pgn = folder.path().join("games.pgn");
    let cases: &[(PathBuf, &str)] = &[
        (folder.path().into(), "is a folder"),
        (folder.path().join("gone/a.pgn"), "does not exist"),
        (folder.path().join("gone/"), "does not name a file"),
        (folder.path().join("games.pgn/a"), "cannot be written"),
    ];
    for (out, why) in cases {
        for args in writers(&pgn, out) {
            assert_trouble(&run(&db, &args), &[why, "hint:"]);
        }
    }
    assert_eq!(names(folder.path()), ["games.db", "games.pgn"]);
}

/// Limits the size of files, which is how a full disk looks to a program.
#[test]
fn a_full_disk_leaves_the_old_file_and_no_other() {
    let (folder, db) = closed();
    let pgn = folder.path().join("deviant");
    std::fs::write(&pgn, "1. Ke5 *\n\n".repeat(2000)).expect("a file");
    let out = folder.path().join("old");
    for mut args in writers(&pgn, &out) {
        if matches!(args[0], "import" | "repertoire") {
            // Their databases would not find room either.
            continue;
        }
        std::fs::write(&out, LETTER).expect("a file");
        args.push("--force");
        let mut limited = Command::new("sh");
        limited
            .arg("-c")
            .arg("trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"")
            .arg(env!("CARGO_BIN_EXE_plydex"))
            .args(&args)
            .args(["--db", text(&db)]);
        assert_trouble(
            &limited.output().expect("the program runs").into(),
            &["hint:"],
        );
        assert_eq!(read(&out), LETTER);
    }
    assert_eq!(
        names(folder.path()),
        ["deviant", "games.db", "games.pgn", "old"]
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_said_to_be_so() {
    use std::os::unix::fs::PermissionsExt;
    const TEST: &str = "a_folder_that_cannot_be_written_is_said_to_be_so";
    let (folder, db) = closed();
    let shut = folder.path().join("shut");
    std::fs::create_dir(&shut).expect("a folder");
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("rights");
    };
    mode(&shut, 0o555);
    mode(&db, 0o444);
    mode(folder.path(), 0o755);
    let out = shut.join("a.pgn");
    let Some(ran) = run_bound(&db, &["export", "--output", text(&out)]) else {
        return crate::support::skip(TEST, "rights do not bind this user");
    };
    assert_trouble(
        &ran,
        &[
            "a.pgn: cannot be written",
            "ermission denied",
            "permissions",
        ],
    );
}

/// Asked to end, an import puts the report of what it has read into its place; killed,
/// it leaves the old one.
#[test]
fn the_report_of_an_import_that_ends_early_is_whole_or_the_old_one() {
    for (signal, is_replaced) in [("-INT", true), ("-KILL", false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let db = folder.path().join("games.db");
        let report = folder.path().join("report.ndjson");
        std::fs::write(&report, LETTER).expect("a file");
        let args = ["import", "-", "--force", "--report", text(&report)];
        let mut waiting = plydex(&db, &args)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let is_unfinished = |name: &String| name.starts_with(".report.ndjson.plydex-");
        // What comes is known to be games, and is not all yet.
        let mut input = waiting.stdin.take().expect("a pipe");
        input.write_all(archive(4).as_bytes()).expect("it reads");
        let lock = folder.path().join("games.db-lock");
        let since = Instant::now();
        while !lock.exists() || !names(folder.path()).iter().any(is_unfinished) {
            assert!(since.elapsed() < Duration::from_mins(1), "it never began");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = waiting.id().to_string();
        let killed = Command::new("kill").args([signal, &pid]).status();
        assert!(killed.expect("kill").success());
        assert!(!waiting.wait().expect("an end").success());
        assert_eq!(read(&report) != LETTER, is_replaced, "{signal}");
        let left = names(folder.path());
        assert_eq!(left.iter().any(is_unfinished), !is_replaced, "{left:?}");
        // The next one that writes there takes it away.
        let board = folder.path().join("board.svg");
        let ran = run(&db, &["board", "e4", "--svg", text(&board)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let left = names(folder.path());
        assert!(!left.iter().any(is_unfinished), "{left:?}");
    }
}

/// What a killed run left is no source, wherever it lies.
#[test]
fn unfinished_files_are_no_sources() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, games) = (folder.path().join("a.db"), folder.path().join("games"));
    std::fs::create_dir(&games).expect("a folder");
    std::fs::write(games.join("a.pgn"), archive(1)).expect("a file");
    let left = games.join(".a.pgn.plydex-a1b2c3.tmp");
    std::fs::write(left, archive(1)).expect("a file");
    let report = games.join("report.pgn");
    let args = ["import", text(&games), "--report", text(&report)];
    let ran = run(&db, &[&args[..], &["--format", "json"]].concat());
    let summary: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(summary["sources"], 1, "{summary}");
    assert_eq!(summary["files_skipped"], 0, "{summary}");
    assert!(report.exists());
}
