//! Records that do not say who played: they are as many as the source has that lists most.

use super::{again::files, assert_sound, count, done, text};
use crate::support::{root, run};

/// Of records of nobody as many stay as the source has that lists most, whichever brought them.
#[test]
fn records_of_nobody_that_sources_share_are_counted_by_source() {
    let nobody = "[White \"?\"]\n[Black \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let texts = [1, 2, 3].map(|count| nobody.repeat(count));
    let again = format!("\n{}", texts[1]);
    let (_folder, db, files) = files(&[&texts[0], &texts[1], &texts[2], &again]);
    for file in &files[..3] {
        done(&db, &["import", "-q", text(file)]);
    }
    assert_eq!(count(&db, &[]), 3);
    let found = run(&db, &["dedupe", "--yes"]);
    assert_eq!(found.status, Some(1), "{found:?}");
    done(
        &db,
        &["import", "-q", "--duplicates", "keep", text(&files[3])],
    );
    assert_eq!(count(&db, &[]), 5);
    done(&db, &["dedupe", "--yes"]);
    assert_eq!(count(&db, &[]), 3);
    assert_sound(&db);
}

#[test]
fn records_of_nobody_are_found_twice_as_often_as_sources_have_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let nobody = "[White \"NN\"]\n[Black \"NN\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let other = nobody.replace("2. Nf3", "2. Nf3 {best}");
    let problems = root().join("sample-data/problems/lines.problems");
    let problems = std::fs::read_to_string(problems).expect("a file");
    let files = [
        ("a.pgn", nobody.repeat(2)),
        ("b.pgn", format!("\n{}{other}", nobody.repeat(3))),
        ("a.problems", problems.clone()),
        ("b.problems", format!("\n{problems}")),
    ];
    for (name, games) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, games).expect("a file");
        done(&db, &["import", "-q", "--duplicates", "keep", text(&path)]);
    }
    let before = count(&db, &[]);
    done(&db, &["dedupe", "--yes"]);
    // Three that say nothing and one with a comment are left.
    assert_eq!(count(&db, &["moves:\"e4 e5\""]), 4);
    let problems = count(&db, &["has:Stipulation"]);
    let said = done(&db, &["search", "--count", "has:Stipulation"]);
    assert_eq!(said.err, "");
    assert_eq!(count(&db, &[]), 4 + problems);
    assert_eq!(before, 6 + 2 * problems);
    done(&db, &["undo", "5"]);
    assert_eq!(count(&db, &[]), before);
}
