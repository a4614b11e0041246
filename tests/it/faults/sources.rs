//! Sources that are cut, grown, packed, or here already.

use serde_json::Value;

use super::{GAMES, archive, assert_trouble, assert_whole, text};
use crate::support::{plydex, run};

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
    assert_trouble(&ran, &[]);
    let line = format!(
        "failed: {}: is a SQLite database, not a file of games",
        text(&db)
    );
    assert!(ran.out.replace('\n', " ").contains(&line), "{ran:?}");
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
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!((ran.out + &ran.err).contains("noise.pgn.zst"));
    assert_eq!(run(&db, &["check"]).status, Some(0));
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
    let games: Vec<usize> = whole.match_indices("[Number ").map(|(at, _)| at).collect();
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

#[test]
fn games_that_occur_twice_in_a_file_are_both_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let path = folder.path().join("twice.pgn");
    std::fs::write(&path, "[White \"A\"]\n\n1. e4 *\n\n".repeat(5)).expect("a file");
    assert_eq!(import(&db, &path)["stored"], 5);
}

/// A mistyped path left an empty database, in which later searches found nothing.
#[test]
fn a_path_that_is_missing_leaves_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let missing = folder.path().join("missing.pgn");
    let ran = run(&db, &["import", missing.to_str().expect("a path")]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("missing.pgn"), "{}", ran.err);
    assert!(!db.exists());
}
