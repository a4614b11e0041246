//! Games that were deleted are counted where they come again, and come back if that is wanted.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{assert_sound, count, done, text};
use crate::support::root;

/// So many games, none like another: some are of a match, one has no players, one is a position.
fn games() -> String {
    let game = |nth: usize| {
        format!(
            "[White \"A, B\"]\n[Black \"C, D\"]\n[Date \"2020.01.02\"]\n[Round \"{nth}\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {{ {nth} }} 1-0\n\n"
        )
    };
    let own = (1..=16).map(game).collect::<String>();
    format!("{own}1. d4 d5 *\n\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n*\n\n")
}

/// A folder with a database and a file, of which 18 games are stored.
fn base() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let [db, file] = ["a.db", "a.pgn"].map(|name| folder.path().join(name));
    std::fs::write(&file, games()).expect("a file");
    done(&db, &["import", text(&file)]);
    assert_eq!(count(&db, &[]), 18);
    (folder, db, file)
}

/// What an import says of the games, as JSON; its numbers add up.
fn imported(db: &Path, args: &[&str]) -> Value {
    let args = [&["import", "--format", "json"], args].concat();
    let summary: Value = serde_json::from_str(&done(db, &args).out).expect("JSON");
    let number = |name: &str| summary[name].as_u64().expect("a number");
    let parts = ["stored", "duplicate", "rejected"].map(number);
    assert_eq!(number("seen"), parts.iter().sum::<u64>(), "{summary}");
    assert!(number("deleted") <= number("duplicate"), "{summary}");
    let by_deletion = summary["deletions"].as_array().expect("a list");
    let games = by_deletion.iter().map(|met| met["games"].as_u64());
    assert_eq!(
        games.sum::<Option<u64>>(),
        Some(number("deleted")),
        "{summary}"
    );
    summary
}

#[test]
fn a_file_whose_games_were_deleted_says_so() {
    let (_folder, db, file) = base();
    done(&db, &["delete", "--games", "1-18", "--yes"]);
    let again = done(&db, &["import", text(&file)]).out;
    for line in [
        "  read             18",
        "  stored            0",
        "  skipped           0  already in the database",
        "  deleted          18  deleted before",
        "deleted before: 18 games by change 2; `plydex undo 2` brings back all that it deleted",
        "hint: import again with --restore-deleted to bring back the games of these sources",
    ] {
        assert!(again.contains(line), "{line}: {again}");
    }
    let summary = imported(&db, &[text(&file)]);
    let met = json!([{ "change": 2, "games": 18, "can_be_undone": true }]);
    assert_eq!(
        (&summary["deleted"], &summary["deletions"]),
        (&json!(18), &met)
    );
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 18);
    // Nothing is said where nothing is deleted.
    let summary = imported(&db, &[text(&file)]);
    assert_eq!(
        (&summary["deleted"], &summary["deletions"]),
        (&json!(0), &json!([]))
    );
    assert_sound(&db);
}

/// However a file comes, known byte for byte, grown, in other words or under another name.
#[test]
fn deleted_games_are_counted_however_they_come() {
    let (_folder, db, file) = base();
    done(&db, &["delete", "--games", "3-5,17,18", "--yes"]);
    done(&db, &["delete", "--games", "9", "--yes"]);
    let other = file.with_file_name("b.pgn");
    let text_of = |before: &str, after: &str| format!("{before}{}{after}", games());
    let new = "[White \"New, One\"]\n[Black \"Q, R\"]\n\n1. c4 *\n\n";
    for (content, stored) in [
        (text_of("", ""), 0),
        (text_of("", new), 1),
        (text_of("\n", ""), 0),
        (games().replace("{ ", "{ another comment "), 0),
    ] {
        std::fs::write(&other, content).expect("a file");
        let summary = imported(&db, &[text(&other)]);
        assert_eq!(summary["stored"], stored, "{summary}");
        assert_eq!(summary["deleted"], 6, "{summary}");
        let met = json!([
            { "change": 2, "games": 5, "can_be_undone": true },
            { "change": 3, "games": 1, "can_be_undone": true },
        ]);
        assert_eq!(summary["deletions"], met);
    }
    for how in ["best", "keep"] {
        let summary = imported(&db, &["--duplicates", how, text(&file)]);
        assert_eq!(summary["deleted"], 6, "{how}: {summary}");
    }
    assert_sound(&db);
}

#[test]
fn games_that_an_import_meets_come_back() {
    let (_folder, db, file) = base();
    done(&db, &["delete", "--games", "1-10", "--yes"]);
    done(&db, &["delete", "--games", "12", "--yes"]);
    let part = file.with_file_name("part.pgn");
    // Games 1 to 4 and 11 to 13.
    let few: String = games()
        .split_inclusive("1-0\n\n")
        .enumerate()
        .filter(|(nth, _)| *nth < 4 || (10..13).contains(nth))
        .map(|(_, game)| game)
        .collect();
    std::fs::write(&part, few).expect("a file");
    let summary = imported(&db, &["--restore-deleted", text(&part)]);
    assert_eq!(
        (&summary["deleted"], &summary["restored"]),
        (&json!(5), &json!(5))
    );
    let there = "SELECT group_concat(id, ' ') FROM game";
    let there = || done(&db, &["sql", there, "--format", "csv"]).out;
    assert!(
        there().contains("1 2 3 4 11 12 13 14 15 16 17 18"),
        "{}",
        there()
    );
    assert_sound(&db);
    // They are deleted again by an undo of what has brought them back.
    let by = summary["restored_by"].as_array().expect("a list").clone();
    assert_eq!(by.len(), 2);
    for change in by.iter().rev() {
        done(&db, &["undo", &change.to_string()]);
    }
    assert!(there().contains("\n11 13 14"), "{}", there());
    assert_sound(&db);
    // A file that is known byte for byte brings all of its games.
    let back = done(&db, &["import", "--restore-deleted", text(&file)]).out;
    assert!(
        back.contains("restored         11  of the deleted"),
        "{back}"
    );
    assert!(back.contains("restored: `plydex undo "), "{back}");
    assert_eq!(count(&db, &[]), 18);
    let summary = imported(&db, &["--restore-deleted", text(&file)]);
    assert_eq!(
        (&summary["deleted"], &summary["restored"]),
        (&json!(0), &json!(0))
    );
    assert_sound(&db);
}

/// A record that stands for others, and was deleted, comes back for any of them.
#[test]
fn what_stands_for_another_record_comes_back() {
    let (_folder, db, file) = base();
    let again = file.with_file_name("again.pgn");
    std::fs::write(&again, format!("\n{}", games())).expect("a file");
    done(&db, &["import", "--duplicates", "keep", text(&again)]);
    done(&db, &["dedupe", "--keep", "last", "--yes"]);
    let kept = count(&db, &[]);
    done(&db, &["delete", "--white", "A, B", "--yes"]);
    let summary = imported(&db, &["--restore-deleted", text(&file)]);
    assert_eq!(
        (&summary["deleted"], &summary["restored"]),
        (&json!(16), &json!(16))
    );
    assert_eq!(count(&db, &[]), kept);
    assert_sound(&db);
}

#[test]
fn what_was_given_up_does_not_come_back() {
    let (_folder, db, file) = base();
    done(&db, &["delete", "--games", "1-2", "--yes"]);
    done(&db, &["optimize", "--purge"]);
    done(&db, &["delete", "--games", "3", "--yes"]);
    let other = file.with_file_name("b.pgn");
    std::fs::write(&other, format!("\n{}", games())).expect("a file");
    let summary = imported(&db, &["--restore-deleted", text(&other)]);
    assert_eq!(summary["restored"], 1, "{summary}");
    assert!(summary["deleted"].as_u64() >= Some(1), "{summary}");
    assert_sound(&db);
}

/// Another file brings back what it has; the sample games are of all kinds.
#[test]
fn all_kinds_of_games_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("a.db");
    let samples = root().join("sample-data");
    done(&db, &["import", text(&samples)]);
    let all = count(&db, &[]);
    let export = done(&db, &["export"]).out;
    done(&db, &["delete", "--games", "1-100000", "--yes"]);
    assert_eq!(count(&db, &[]), 0);
    let summary = imported(&db, &["--restore-deleted", text(&samples)]);
    assert_eq!(summary["restored"], all, "{summary}");
    assert_eq!(done(&db, &["export"]).out, export);
    assert_sound(&db);
}
