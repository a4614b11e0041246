//! What is counted of games follows their tags, and undone changes leave nothing behind.

use std::{fmt::Write as _, fs, path::Path};

use super::{assert_sound, done, seen, text};
use crate::support::run;

/// Games enough for positions that are summed up in the index.
const GAMES: usize = 300;

/// A file of games that differ in their rounds, results and ratings.
fn file(folder: &Path) -> std::path::PathBuf {
    let mut games = String::new();
    for nth in 0..GAMES {
        let result = ["1-0", "0-1", "1/2-1/2"][nth % 3];
        let moves = [
            "1. d4 d5 2. c4 e6",
            "1. Nf3 d5 2. d4 Nf6",
            "1. d4 Nf6 2. c4 g6",
        ][nth % 7 % 3];
        let _ = write!(
            games,
            "[White \"White, {nth}\"]\n[Black \"Black, {nth}\"]\n[Date \"{}.01.02\"]\n[Round \"{nth}\"]\n\
             [Result \"{result}\"]\n[WhiteElo \"{}\"]\n\n{moves} {result}\n\n",
            1950 + nth % 50,
            2000 + nth,
        );
    }
    let file = folder.join("games.pgn");
    fs::write(&file, games).expect("a file");
    file
}

/// The tree of a database, and that of one that its export was imported into.
fn trees(db: &Path) -> [String; 2] {
    let folder = db.parent().expect("a folder");
    let (fresh, export) = (folder.join("fresh.db"), folder.join("export.pgn"));
    let _ = (fs::remove_file(&fresh), fs::remove_file(&export));
    done(db, &["export", "--output", text(&export)]);
    done(&fresh, &["import", text(&export)]);
    [db, &fresh].map(|db| done(db, &["tree", "--format", "json"]).out)
}

#[test]
fn what_was_edited_counts_in_positions_that_are_summed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    done(&db, &["import", text(&file(folder.path()))]);
    let before = seen(&db);
    let [first, _] = trees(&db);
    let edits: [&[&str]; 4] = [
        &["--tag", "Result=*"],
        &["--tag", "WhiteElo=2999", "--tag", "BlackElo=1000"],
        &["--tag", "Date=1800.01.01"],
        &["--tag", "Result=0-1", "--remove", "WhiteElo"],
    ];
    for edit in edits {
        let args = [&["edit", "1"], edit].concat();
        done(&db, &args);
        let [own, fresh] = trees(&db);
        assert_eq!(own, fresh, "{edit:?}");
        assert_ne!(own, first, "{edit:?}");
        assert_sound(&db);
    }
    for change in (2..2 + edits.len()).rev() {
        done(&db, &["undo", &change.to_string()]);
    }
    assert_eq!(seen(&db), before);
    assert_sound(&db);
}

/// Names, texts and layouts that no game has any more go with the edit that took the last one.
#[test]
fn an_edit_leaves_nothing_that_no_game_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, file) = (folder.path().join("games.db"), folder.path().join("a.pgn"));
    let game = |nth: u32| {
        let tags = format!(
            "[White \"Aa{nth}\"]\n[Black \"Bb\"]\n[Site \"Here\"]\n[Annotator \"Twice said\"]"
        );
        format!("{tags}\n[Round \"{nth}\"]\n\n1. e4 e5 2. Nf3 *\n\n")
    };
    fs::write(&file, game(1) + &game(2)).expect("a file");
    done(&db, &["import", text(&file)]);
    let rows = || {
        let tables = ["player", "site", "text", "tag_layout", "tag_name"];
        tables.map(|table| {
            let ask = format!("SELECT count(*) FROM {table}");
            let found = crate::support::sqlite(&db).query_row(&ask, [], |row| row.get(0));
            found.expect("a number")
        })
    };
    let before: [u32; 5] = rows();
    for (game, edit) in [
        ("1", ["--remove", "Annotator"]),
        ("2", ["--remove", "Annotator"]),
        ("2", ["--tag", "White=Aa1"]),
        ("2", ["--tag", "Black=Cc"]),
        ("1", ["--tag", "Site=There"]),
        ("1", ["--tag", "Opening=Some"]),
    ] {
        done(&db, &[&["edit", game][..], &edit].concat());
        assert_sound(&db);
    }
    let [players, sites, texts, ..] = rows();
    assert_eq!([players, sites], [3, 2]);
    assert!(texts < before[2], "{texts} texts");
    for change in (2..8).rev() {
        done(&db, &["undo", &change.to_string()]);
    }
    assert_sound(&db);
    // A value that came back stands with its game.
    let [players, sites, _, layouts, names] = rows();
    assert_eq!([players, sites, 1, layouts, names], before);
}

#[test]
fn an_undo_that_another_one_has_made_void_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    done(&db, &["import", text(&file(folder.path()))]);
    // Change 5 has 3 stand again, which 6 takes back another time.
    for change in ["1", "2", "3", "4", "3"] {
        done(&db, &["undo", change]);
    }
    let count = || run(&db, &["search", "--count"]).out;
    let gone = count();
    let refused = run(&db, &["undo", "5"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused
            .err
            .contains("change 3 was undone already, by change 6"),
        "{refused:?}"
    );
    assert_eq!(count(), gone);
    done(&db, &["undo", "6"]);
    assert_eq!(count().trim(), GAMES.to_string());
}

#[test]
fn what_was_skipped_for_an_edit_is_read_again_once_that_is_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    done(&db, &["import", text(&file(folder.path()))]);
    let edit = [
        "edit",
        "1",
        "--tag",
        "White=Else, Someone",
        "--tag",
        "Date=1900.01.01",
    ];
    done(&db, &edit);
    let export = folder.path().join("edited.pgn");
    done(
        &db,
        &["export", "--games", "1-2", "--output", text(&export)],
    );
    let stored = || {
        let told = done(&db, &["import", text(&export), "--format", "json"]).out;
        let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
        told["stored"].clone()
    };
    assert_eq!(stored(), 0);
    done(&db, &["undo", "2"]);
    assert_eq!(stored(), 1, "the game that nobody has any more");
    assert_eq!(stored(), 0);
    let found = done(&db, &["search", "--player", "someone", "--count"]);
    assert_eq!(found.out.trim(), "1");
    assert_sound(&db);
}

#[test]
fn names_of_removed_games_are_in_no_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let [db, other] = ["games.db", "other.db"].map(|name| folder.path().join(name));
    let file = file(folder.path());
    done(&db, &["import", text(&file)]);
    let people = || done(&db, &["players", "--format", "json", "--limit", "0"]).out;
    let before = people();
    let renamed = fs::read_to_string(&file)
        .expect("a text")
        .replace("White, ", "Weiss, ");
    fs::write(&file, renamed).expect("a file");
    done(&other, &["import", text(&file)]);
    done(&db, &["merge", text(&other)]);
    assert_ne!(people(), before);
    done(&db, &["undo", "2"]);
    assert_eq!(people(), before);
}
