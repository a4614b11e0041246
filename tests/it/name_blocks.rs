//! Names of players are found in blocks as they are row by row, whatever happens to the rows.

use std::{fmt::Write as _, path::Path};

use crate::support::{run, sqlite};

/// Games of so many pairs of players from a number on, each of another name.
fn games(from: u32, pairs: u32) -> String {
    let mut text = String::new();
    for pair in from..from + pairs {
        let _ = writeln!(
            text,
            "[White \"Family{pair}, Given\"]\n[Black \"Other{pair}, Ann\"]\n[Date \"2001.01.01\"]\n\n\
             1. e4 e5 1-0\n"
        );
    }
    text
}

fn done(db: &Path, args: &[&str]) -> String {
    let ran = run(db, args);
    assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    ran.out
}

fn import(db: &Path, name: &str, text: &str) {
    let file = db.with_file_name(name);
    std::fs::write(&file, text).expect("a file");
    done(db, &["import", "-q", file.to_str().expect("UTF-8")]);
}

/// What is said of some names, with blocks and without.
fn said(db: &Path) -> Vec<String> {
    let asked = [
        "Carlsen",
        "carlsen, m",
        "family12",
        "Muller",
        "Other1023",
        "Given",
        "Family150",
        "Family2",
        "nobody",
    ];
    let mut said = Vec::new();
    for name in asked {
        said.push(run(db, &["players", name, "--format", "json"]).out);
        let found = run(db, &["search", "--player", name, "--limit", "0"]);
        said.push(found.out + &found.err);
    }
    said.push(done(db, &["players", "--limit", "0"]));
    said
}

fn blocks(db: &Path) -> u32 {
    let count = sqlite(db).query_row("SELECT count(*) FROM name_block", [], |row| row.get(0));
    count.expect("a count")
}

/// The same is said without any blocks, and they are sound.
fn assert_like_rows(db: &Path) {
    done(db, &["check"]);
    let with = said(db);
    let other = db.with_file_name("rows.db");
    std::fs::copy(db, &other).expect("a copy");
    sqlite(&other)
        .execute("DELETE FROM name_block", [])
        .expect("rows");
    assert_eq!(blocks(&other), 0);
    assert_eq!(said(&other), with);
}

#[test]
fn names_in_blocks_are_found_as_row_by_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    // Spellings of one person in the first block, in the last one, and behind it.
    let first = "[White \"Carlsen, Magnus\"]\n[Black \"Müller, K\"]\n[Date \"2001.01.02\"]\n\n1. d4 d5 1-0\n\n";
    let last =
        "[White \"Carlsen\"]\n[Black \"Mueller, Karl\"]\n[Date \"2001.01.03\"]\n\n1. c4 c5 1-0\n\n";
    let behind = "[White \"M. Carlsen\"]\n[Black \"Muller, Karl\"]\n[Date \"2001.01.04\"]\n\n1. f4 f5 1-0\n\n";
    import(
        &db,
        "first.pgn",
        &format!("{first}{}{last}", games(0, 1_020)),
    );
    assert_eq!(blocks(&db), 1);
    import(&db, "behind.pgn", &(games(2_000, 10) + behind));
    assert_eq!(blocks(&db), 2);
    let carlsen = done(&db, &["search", "--player", "carlsen", "--count"]);
    assert!(carlsen.starts_with('3'), "{carlsen}");
    assert_like_rows(&db);
    // Decisions by hand reach over blocks.
    done(
        &db,
        &["players", "--same", "Family150, Given", "Other2003, Ann"],
    );
    assert_like_rows(&db);
    // A row that changes takes the blocks from there on away, the next import brings them back.
    let open = sqlite(&db);
    open.execute(
        "UPDATE player SET name = 'Carlsen, Mia' WHERE name = 'M. Carlsen'",
        [],
    )
    .expect("a change");
    assert_eq!(blocks(&db), 2);
    open.execute(
        "UPDATE player SET name = 'Family2, Gwen' WHERE name = 'Family1000, Given'",
        [],
    )
    .expect("a change");
    drop(open);
    assert_eq!(blocks(&db), 1);
    let found = done(&db, &["search", "--player", "family2, gwen", "--count"]);
    assert!(found.starts_with('1'), "{found}");
    import(&db, "more.pgn", &games(3_000, 1));
    assert_eq!(blocks(&db), 2);
    assert!(done(&db, &["search", "--player", "gwen", "--count"]).starts_with('1'));
}

#[test]
fn blocks_of_other_rules_are_written_anew_and_wrong_ones_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    import(&db, "first.pgn", &games(0, 1_100));
    let open = sqlite(&db);
    let version = |open: &rusqlite::Connection| -> Vec<u8> {
        let first = "SELECT substr(data, 1, 1) FROM name_block ORDER BY first_player";
        let mut first = open.prepare(first).expect("a statement");
        let rows = first
            .query_map([], |row| row.get::<_, Vec<u8>>(0))
            .expect("rows");
        rows.map(|row| row.expect("a byte")[0]).collect()
    };
    let own = version(&open);
    assert_eq!(own.len(), 2);
    drop(open);
    let file_by_other_rules = || {
        let change = "UPDATE name_block SET data = CAST(x'FF' || substr(data, 2) AS BLOB) \
             WHERE first_player > 1";
        assert_eq!(sqlite(&db).execute(change, []).expect("a change"), 1);
    };
    file_by_other_rules();
    assert_like_rows(&db);
    import(&db, "more.pgn", &games(3_000, 1));
    assert_eq!(version(&sqlite(&db)), own);
    file_by_other_rules();
    let told = done(&db, &["reindex"]);
    assert!(told.starts_with("names of 1,024 players filed"), "{told}");
    assert_eq!(version(&sqlite(&db)), own);
    let told = done(&db, &["reindex"]);
    assert!(told.contains("up to date already"), "{told}");
    // Blocks that have others' names.
    sqlite(&db)
        .execute_batch(
            "UPDATE name_block SET data = (SELECT data FROM name_block WHERE first_player > 1) \
             WHERE first_player = 1",
        )
        .expect("a change");
    let told = run(&db, &["check"]);
    assert_ne!(told.status, Some(0));
    assert!(
        told.out
            .contains("table name_block: row 1 is not as the names of players are"),
        "{told:?}"
    );
}

/// Numbers of FIDE are filed by what imports, edits and rebuilds a database; what is missing is told.
#[test]
fn fide_ids_are_filed() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let text = "[White \"Polgar, Zsuzsa\"]\n[Black \"Aa, A\"]\n[whitefideid \" 700070\"]\n[Date \"1990.01.01\"]\n\n\
                1. e4 e5 1-0\n\n\
                [White \"Bb, B\"]\n[Black \"Truong, Susan\"]\n[WhiteFideId \"0\"]\n[Date \"2000.01.01\"]\n\n\
                1. d4 d5 1-0\n";
    import(&db, "first.pgn", text);
    let found = |db: &Path| done(db, &["search", "--player", "zsuzsa", "--count"]);
    assert_eq!(found(&db), "1\n");
    done(&db, &["edit", "2", "--tag", "BlackFideId=700070"]);
    assert_eq!(found(&db), "2\n");
    // A copy of what can be read.
    let repaired = folder.path().join("repaired.db");
    let copied = ["check", "--repair", repaired.to_str().expect("UTF-8")];
    done(&db, &copied);
    assert_eq!(found(&repaired), "2\n");
    sqlite(&db)
        .execute_batch("DELETE FROM fide_name WHERE player = 1")
        .expect("a change");
    let told = run(&db, &["check"]);
    assert_ne!(told.status, Some(0));
    let lacks = "table fide_name: player 1 lacks the FIDE ID 700070 of a game";
    assert!(told.out.contains(lacks), "{told:?}");
}
