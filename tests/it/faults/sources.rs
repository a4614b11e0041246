//! Sources that are cut, grown, packed, or here already.

use serde_json::Value;

use super::{GAMES, archive, assert_trouble, assert_whole, closed, text};
use crate::support::{Ran, plydex, run, skip, sqlite};

/// Runs an import and gives its summary.
fn import(db: &std::path::Path, path: &std::path::Path) -> Value {
    let ran = run(db, &["import", text(path), "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    let number = |name: &str| summary[name].as_u64().expect("a number");
    assert_eq!(
        number("seen"),
        number("stored") + number("duplicate") + number("rejected")
    );
    summary
}

#[test]
fn a_cut_archive_gives_the_games_before_the_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let cut = folder.path().join("cut.pgn.zst");
    let whole = zstd::encode_all(archive(60).as_bytes(), 1).expect("packed");
    std::fs::write(&cut, &whole[..whole.len() * 3 / 4]).expect("a file");
    let ran = run(&db, &["import", text(&cut), "--format", "json"]);
    assert_trouble(&ran, &[]);
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    let failed = summary["sources_failed"][0]["source"].as_str();
    assert!(
        failed.is_some_and(|name| name.contains("cut.pgn.zst")),
        "{summary}"
    );
    let stored = summary["stored"].as_u64().expect("a number");
    assert!(stored > 0, "{summary}");
    let shown = run(&db, &["import", text(&cut)]);
    assert!((shown.out + &shown.err).contains("cut.pgn.zst"));
    assert_eq!(run(&db, &["check"]).status, Some(0));
}

#[test]
fn a_database_is_no_source() {
    let (folder, db) = super::closed();
    let other = folder.path().join("other.db");
    let ran = run(&other, &["import", text(&db)]);
    assert_trouble(
        &ran,
        &["games.db: not a file of games (detected: plydex database)"],
    );
    assert!(!other.exists());
}

#[test]
fn bytes_that_are_no_archive_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("noise.pgn.zst");
    let mut bytes = zstd::encode_all(archive(1).as_bytes(), 1).expect("packed");
    for byte in &mut bytes[20..] {
        *byte = byte.wrapping_mul(31).wrapping_add(7);
    }
    std::fs::write(&path, &bytes).expect("a file");
    let ran = run(&db, &["import", text(&path)]);
    assert_trouble(&ran, &["noise.pgn.zst"]);
}

#[test]
fn a_missing_source_is_named_and_nothing_is_imported() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let here = folder.path().join("here.pgn");
    std::fs::write(&here, archive(1)).expect("a file");
    let gone = folder.path().join("gone.pgn");
    let ran = run(&db, &["import", text(&here), text(&gone)]);
    assert_trouble(&ran, &["gone.pgn"]);
    let ran = run(&db, &["search", "--count"]);
    assert_ne!(ran.out.trim(), GAMES.to_string(), "{ran:?}");
}

#[test]
fn what_is_here_already_is_recognised_in_every_wrapping() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let plain = folder.path().join("games.pgn");
    std::fs::write(&plain, archive(3)).expect("a file");
    assert_eq!(import(&db, &plain)["stored"], GAMES * 3);
    let before = run(&db, &["export"]).out;
    let packed = folder.path().join("games.pgn.zst");
    let bytes = zstd::encode_all(archive(3).as_bytes(), 1).expect("packed");
    std::fs::write(&packed, bytes).expect("a file");
    for path in [&plain, &packed] {
        let summary = import(&db, path);
        assert_eq!(
            (&summary["stored"], &summary["duplicate"]),
            (&0.into(), &(GAMES * 3).into())
        );
        let unchanged = summary["unchanged_sources"].as_array().expect("a list");
        assert_eq!(unchanged.len(), 1, "{summary}");
    }
    let input = std::fs::File::open(&plain).expect("a file");
    let piped = plydex(&db, &["import", "-", "--format", "json"])
        .stdin(input)
        .output()
        .expect("the program runs");
    let summary: Value = serde_json::from_slice(&piped.stdout).expect("JSON");
    assert_eq!(summary["stored"], 0, "{summary}");
    assert_eq!(run(&db, &["export"]).out, before);
    assert_whole(&db, GAMES * 3);
}

#[test]
fn a_grown_file_gives_its_new_games_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let whole = archive(40);
    let games: Vec<usize> = whole.match_indices("[GameId ").map(|(at, _)| at).collect();
    for (first, second) in [(1, 2), (1, games.len()), (100, 1_000), (1_500, games.len())] {
        let db = folder.path().join(format!("{first}-{second}.db"));
        for (upto, new) in [(first, first), (second, second - first)] {
            let end = games.get(upto).copied().unwrap_or(whole.len());
            std::fs::write(&path, &whole[..end]).expect("a file");
            let summary = import(&db, &path);
            assert_eq!(summary["stored"], new, "{first}, {second}: {summary}");
        }
        assert_whole(&db, second as u64);
    }
}

/// The row of the games of the second took the place of that of the first. What both have is
/// stored once, and each knows its place in either.
#[test]
fn files_that_differ_in_their_last_games_are_both_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let game = |number: u64| format!("[GameId \"{number}\"]\n\n1. e4 *\n\n");
    let mut paths = Vec::new();
    for last in [7, 8] {
        let path = folder.path().join(format!("{last}.pgn"));
        let games = [game(1), game(2), game(last)].concat();
        std::fs::write(&path, games).expect("a file");
        paths.push(path);
    }
    for path in paths.iter().chain(&paths) {
        let ran = run(&db, &["import", text(path)]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    for (number, file) in [
        (1, "7.pgn, game 1\nAlso in "),
        (1, "8.pgn, game 1"),
        (3, "7.pgn, game 3"),
        (4, "8.pgn, game 3"),
    ] {
        let ran = run(&db, &["show", &format!("{number}")]);
        assert!(ran.out.contains(file), "{ran:?}");
    }
    let check = || run(&db, &["check"]);
    assert!(check().out.starts_with("4 games"), "{:?}", check());
    assert_eq!(check().status, Some(0));
    let delete = "DELETE FROM source_chunk WHERE first_game = 1";
    sqlite(&db).execute_batch(delete).expect("a deletion");
    let told = check();
    assert!(told.out.contains("games 1 to 2 are missing"), "{told:?}");
}

#[test]
fn games_that_occur_twice_in_a_file_are_both_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("twice.pgn");
    std::fs::write(&path, "[White \"A\"]\n\n1. e4 *\n\n".repeat(5)).expect("a file");
    assert_eq!(import(&db, &path)["stored"], 5);
}

/// What cannot be read left an empty database, in which later searches found nothing.
#[test]
fn what_cannot_be_read_leaves_no_database_and_counts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("x.zip"), b"PK\x03\x04..........................").expect("a file");
    std::fs::write(path("y.pgn.zst"), b"[Event \"not packed\"]\n").expect("a file");
    std::fs::create_dir(path("empty")).expect("a folder");
    for names in [
        &["missing.pgn"][..],
        &["x.zip"],
        &["y.pgn.zst"],
        &["empty"],
        &["x.zip", "y.pgn.zst"],
        &["x.zip", "missing.pgn"],
    ] {
        let paths: Vec<_> = names.iter().map(|name| path(name)).collect();
        let mut args = vec!["import"];
        args.extend(paths.iter().map(|path| text(path)));
        for format in ["text", "json"] {
            args.extend(["--format", format]);
            let ran = run(&db, &args);
            args.truncate(1 + names.len());
            assert_trouble(&ran, &["error: ", "hint: "]);
            let named = names.last().expect("a name");
            assert!(ran.err.contains(named), "{ran:?}");
            assert_eq!(ran.out, "", "{ran:?}");
            assert!(!db.exists(), "{names:?}");
        }
    }
    // Nor does standard input make one.
    let zip = std::fs::File::open(path("x.zip")).expect("a file");
    let ran = plydex(&db, &["import", "-"]).stdin(zip).output();
    let ran: Ran = ran.expect("the program runs").into();
    assert_trouble(&ran, &["-: compressed file ends too early"]);
    assert!(!db.exists());
    // One that can be read is enough, wherever it stands; the others are named.
    let good = path("good.pgn");
    std::fs::write(&good, archive(1)).expect("a file");
    let ran = run(
        &db,
        &[
            "import",
            text(&path("x.zip")),
            text(&good),
            text(&path("y.pgn.zst")),
        ],
    );
    assert_eq!(ran.status, Some(2), "{ran:?}");
    for word in ["x.zip", "y.pgn.zst", "stored"] {
        assert!(ran.out.contains(word), "{word}: {ran:?}");
    }
    assert_whole(&db, GAMES);
}

/// A file that nobody may read (but those who may read everything).
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_leaves_no_database() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("secret.pgn");
    std::fs::write(&path, archive(1)).expect("a file");
    let none = std::fs::Permissions::from_mode(0o0);
    std::fs::set_permissions(&path, none).expect("permissions");
    if std::fs::File::open(&path).is_ok() {
        skip(
            "a_file_that_may_not_be_read",
            "this user may read everything",
        );
        return;
    }
    let ran = run(&db, &["import", text(&path)]);
    assert_trouble(&ran, &["secret.pgn: cannot open", "check who may read it"]);
    assert!(!db.exists());
}

/// A name of bytes that are no UTF-8 is kept and shown byte by byte.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_are_kept() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let report = folder.path().join("report.ndjson");
    let names = [&b"\xff.epd"[..], b"\xfe.epd"].map(std::ffi::OsStr::from_bytes);
    for (name, side) in names.iter().zip(["w", "b"]) {
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 {side} - -\nno position\n");
        std::fs::write(folder.path().join(name), line).expect("a file");
        let mut command = plydex(
            &db,
            &[
                "import",
                "--format",
                "json",
                "--force",
                "--report",
                text(&report),
            ],
        );
        let ran = command.arg(folder.path().join(name)).output();
        let ran: Ran = ran.expect("the program runs").into();
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let shown = if side == "w" {
            r"\\xff.epd"
        } else {
            r"\\xfe.epd"
        };
        assert!(ran.out.contains(shown), "{ran:?}");
        let findings = std::fs::read_to_string(&report).expect("a report");
        assert!(findings.contains(shown), "{findings}");
    }
    let missing = folder.path().join(std::ffi::OsStr::from_bytes(b"\xfd.pgn"));
    let ran = plydex(&db, &["import"]).arg(missing).output();
    let ran: Ran = ran.expect("the program runs").into();
    assert_trouble(&ran, &[r"\xfd.pgn: no such file"]);
    for (game, shown) in [("1", r"\xff.epd"), ("2", r"\xfe.epd")] {
        let told = run(&db, &["show", game]).out;
        assert!(told.contains(shown), "{told}");
        let found = run(&db, &["show", game, "--format", "json"]).out;
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let source = found["provenance"]["source"].as_str().expect("a source");
        assert!(source.ends_with(shown), "{source}");
    }
    let list = run(&db, &["search"]).out;
    assert!(list.contains(r"\xff.epd #1"), "{list}");
    let connection = rusqlite::Connection::open(&db).expect("a database");
    let stored: Vec<u8> = connection
        .query_row("SELECT name FROM source WHERE id = 1", [], |row| row.get(0))
        .expect("a name that is bytes");
    assert!(stored.ends_with(b"/\xff.epd"));
    assert_eq!(run(&db, &["check"]).status, Some(0));
}

/// The file beside a database has a longer name.
#[test]
#[cfg(unix)]
fn a_name_without_room_for_a_journal_is_refused() {
    let (folder, db) = closed();
    let pgn = db.with_extension("pgn");
    for letters in [248, 252, 300] {
        let long = folder.path().join("d".repeat(letters));
        let ran = run(&long, &["import", text(&pgn)]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.err.contains("its name is too long"), "{ran:?}");
        assert!(!long.exists(), "{letters}");
    }
    let ran = run(
        &folder.path().join("d".repeat(240)),
        &["import", text(&pgn)],
    );
    assert_eq!(ran.status, Some(0), "{ran:?}");
}
