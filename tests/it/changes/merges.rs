//! Other databases are taken in, with where their games came from, and without what is there already.

use std::collections::BTreeSet;
use std::path::Path;

use super::{
    again::{MOVES, files, game},
    assert_sound, count, done, samples, seen, text,
};
use crate::support::{root, run};

#[test]
fn databases_are_merged_with_where_games_came_from() {
    let (folder, db) = samples();
    let other = folder.path().join("other.db");
    let own = folder.path().join("more.pgn");
    std::fs::write(
        &own,
        "[White \"Zz\"]\n[Black \"Yy\"]\n\n1. e4 {hello} e5 *\n",
    )
    .expect("a file");
    done(
        &other,
        &["import", text(&own), text(&root().join("sample-data/pgn"))],
    );
    let merged = done(&db, &["merge", text(&other)]);
    assert!(
        merged.out.starts_with("1 game stored from 5 sources"),
        "{merged:?}"
    );
    let shown = done(&db, &["show", "139"]);
    assert!(shown.out.contains("more.pgn, game 1"), "{shown:?}");
    assert_sound(&db);
    // The text is known by now.
    let again = done(&db, &["import", text(&own)]);
    assert!(again.out.contains("already imported:"), "{again:?}");
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 138);
    assert_sound(&db);
    // Into an empty one: the same games.
    let copy = folder.path().join("copy.db");
    done(&copy, &["merge", text(&db)]);
    assert_eq!(seen(&copy)[..3], seen(&db)[..3]);
    let findings = |db: &Path| {
        let all = [
            "diagnostics",
            "--import",
            "all",
            "--limit",
            "0",
            "--format",
            "csv",
        ];
        // The numbers of imports, and what is still in files that were read before.
        let out = done(db, &all).out;
        let told = out
            .lines()
            .map(|line| line.split(',').take(6).collect::<Vec<_>>().join(","));
        // What was found by an import that was undone stays on record.
        told.collect::<BTreeSet<String>>()
    };
    assert_eq!(findings(&copy), findings(&db));
    assert_sound(&copy);
    let refused = run(&db, &["merge", text(&db)]);
    assert!(
        refused.err.contains("is the database itself"),
        "{refused:?}"
    );
    let link = folder.path().join("link.db");
    std::fs::hard_link(&db, &link).expect("a link");
    let refused = run(&db, &["merge", text(&link)]);
    assert!(
        refused.err.contains("is the database itself"),
        "{refused:?}"
    );
    let refused = run(&db, &["merge", text(&own)]);
    assert!(refused.err.contains("not a plydex database"), "{refused:?}");
}

/// Positions that another database has twice are two there, however far apart they stand.
#[test]
fn as_many_positions_are_merged_as_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let [db, other, list] =
        ["games.db", "other.db", "list.fen"].map(|name| folder.path().join(name));
    let mut lines: Vec<String> = (1..=50_100)
        .map(|number| format!("8/8/4k3/8/8/4K3/4P3/8 w - - 0 {number}"))
        .collect();
    lines.push(lines[0].clone());
    std::fs::write(&list, lines.join("\n")).expect("a file");
    done(&other, &["import", "--duplicates", "keep", text(&list)]);
    done(&db, &["merge", text(&other)]);
    assert_eq!(count(&db, &[]), lines.len() as u64);
    let again = done(&db, &["merge", text(&other)]);
    assert!(
        again.out.contains("50,101 of 50,101 were stored already"),
        "{again:?}"
    );
}

#[test]
fn a_merge_of_a_part_of_a_file_is_undone_whatever_was_read_since() {
    let one = ["1. e4", "1. d4", "1. c4"]
        .map(|moves| game("", moves))
        .concat();
    let two = ["1. b3", "1. g3"].map(|moves| game("", moves)).concat();
    let (folder, db, files) = files(&[&one, &two]);
    let other = folder.path().join("other.db");
    done(&other, &["import", "-q", text(&files[0])]);
    done(&other, &["delete", "--games", "1", "--yes"]);
    done(&db, &["merge", text(&other)]);
    done(&db, &["import", "-q", text(&files[1])]);
    done(&db, &["undo", "1"]);
    assert_eq!(count(&db, &[]), 2);
    assert_sound(&db);
}

#[test]
fn a_merge_treats_beginnings_of_games_as_an_import_does() {
    let whole = game("", MOVES);
    let begun = game("", MOVES.split(" 11.").next().expect("a part"));
    let edited = game(
        "[Round \"3\"]\n",
        MOVES.split(" 11.").next().expect("a part"),
    );
    for (first, second, is_edited, left) in [
        (&begun, &whole, false, 1),
        (&whole, &begun, false, 1),
        (&begun, &whole, true, 2),
        (&edited, &whole, false, 1),
    ] {
        let (folder, db, files) = files(&[first, second]);
        let other = folder.path().join("other.db");
        done(&db, &["import", text(&files[0])]);
        if is_edited {
            done(&db, &["edit", "1", "--tag", "Annotator=me"]);
        }
        done(&other, &["import", text(&files[1])]);
        done(&db, &["merge", "--duplicates", "best", text(&other)]);
        assert_eq!(count(&db, &[]), left);
        let ends = done(&db, &["export"]).out;
        assert!(ends.contains("11. Ng1"), "{ends}");
        assert_sound(&db);
        let merged = done(&db, &["log"]).out.matches('\n').count() - 1;
        done(&db, &["undo", &merged.to_string()]);
        assert_eq!(count(&db, &[]), 1);
        assert_sound(&db);
    }
}

/// What `dedupe` has removed for a better record is not there again because a merge brings it.
#[test]
fn a_merge_knows_removed_records_again() {
    let begun = game("", MOVES.split(" 11.").next().expect("a part"));
    let (folder, db, files) = files(&[&game("", MOVES), &begun]);
    for file in &files {
        done(&db, &["import", "--duplicates", "keep", text(file)]);
    }
    done(&db, &["dedupe", "--parts", "--yes"]);
    assert_eq!(count(&db, &[]), 1);
    let other = folder.path().join("other.db");
    done(&other, &["import", text(&files[1])]);
    done(&db, &["merge", text(&other)]);
    assert_eq!(count(&db, &[]), 1);
    assert_sound(&db);
    // Without the `dedupe` both are there, each with its sources.
    done(&db, &["undo", "3"]);
    assert_eq!(count(&db, &[]), 2);
    assert_sound(&db);
}

#[test]
fn a_merge_says_what_was_deleted_before() {
    let (folder, db, files) = files(&[&game("", MOVES)]);
    let other = folder.path().join("other.db");
    for db in [&db, &other] {
        done(db, &["import", text(&files[0])]);
    }
    done(&db, &["delete", "--games", "1", "--yes"]);
    let merged = done(&db, &["merge", text(&other)]).out;
    let told = "1 of 1 were stored already\n1 of them was deleted before\n";
    assert!(merged.contains(told), "{merged}");
    assert_eq!(count(&db, &[]), 0);
}

/// A database may have a game twice itself.
#[test]
fn doubles_within_a_database_are_merged_once() {
    let of_round = |round: u32, moves: &str| game(&format!("[Round \"{round}\"]\n"), moves);
    let commented = MOVES.replace("a6", "a6 {why not}");
    let games = [
        of_round(1, MOVES),
        of_round(2, MOVES),
        of_round(2, &commented),
    ];
    let (folder, db, files) = files(&[&(games.concat() + &of_round(3, MOVES))]);
    let other = folder.path().join("other.db");
    done(&other, &["import", "--duplicates", "keep", text(&files[0])]);
    assert_eq!(count(&other, &[]), 4);
    done(&db, &["merge", text(&other)]);
    assert_eq!(count(&db, &[]), 3);
    assert_sound(&db);
    done(&db, &["undo", "1"]);
    done(&db, &["import", text(&files[0])]);
    done(&db, &["delete", "--games", "6", "--yes"]);
    assert_eq!(count(&db, &[]), 2);
    done(&db, &["undo", "4"]);
    assert_eq!(count(&db, &[]), 3);
    assert_sound(&db);
}

#[test]
fn a_file_with_repeated_games_is_known_after_a_merge() {
    let one = |round: u32| game(&format!("[Round \"{round}\"]\n"), MOVES);
    let rounds = [1, 1, 2, 3, 2, 4, 5, 5].map(one).concat();
    // A wrong result is found in the last one.
    let warned = one(6)
        .replace("\n\n1.", "\n[Result \"1-0\"]\n\n1.")
        .replace(" *", " 0-1");
    let (folder, db, files) = files(&[&(rounds + &warned), &one(3)]);
    let other = folder.path().join("other.db");
    done(&other, &["import", text(&files[0])]);
    let found = |db: &Path| done(db, &["diagnostics", "--import", "all"]);
    let before = found(&other);
    done(&db, &["merge", text(&other)]);
    let after = found(&db);
    let shown = |out: &str| out.split("Findings of").next().map(str::to_owned);
    assert_eq!(shown(&after.out), shown(&before.out));
    assert!(!after.err.contains("has changed"), "{after:?}");
    let again = done(&db, &["import", text(&files[0])]).out;
    let skips_all = |out: &str| {
        out.lines()
            .any(|line| line.trim().starts_with("skipped") && line.contains(" 9 "))
    };
    assert!(skips_all(&again), "{again}");
    let placed = |db: &Path| done(db, &["show", "3"]).out;
    assert_eq!(placed(&db), placed(&other));
    assert_sound(&db);
    // Also where one of its games came otherwise before.
    let db = folder.path().join("third.db");
    done(&db, &["import", text(&files[1])]);
    done(&db, &["merge", text(&other)]);
    let again = done(&db, &["import", text(&files[0])]).out;
    assert!(skips_all(&again), "{again}");
    assert_sound(&db);
}
