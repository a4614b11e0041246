//! Files that grow, come again, are copied and renamed, and changes of what was read of them.

use std::path::Path;

use super::{
    again::{files, game},
    assert_sound, count, done, samples, text,
};
use crate::support::{root, run};

#[test]
fn a_file_that_was_read_on_is_undone_from_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let file = folder.path().join("grows.pgn");
    let game = |name: &str| format!("[White \"{name}\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    std::fs::write(&file, [game("Aa"), game("Bb")].concat()).expect("a file");
    done(&db, &["import", text(&file)]);
    let all = [game("Aa"), game("Bb"), game("Cc")].concat();
    std::fs::write(&file, all).expect("a file");
    done(&db, &["import", text(&file)]);
    let refused = run(&db, &["undo", "1"]);
    assert!(refused.err.contains("change 2 has read"), "{refused:?}");
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 2);
    done(&db, &["undo", "1"]);
    assert_eq!(count(&db, &[]), 0);
    done(&db, &["import", text(&file)]);
    assert_eq!(count(&db, &[]), 3);
    assert_sound(&db);
}

#[test]
fn a_file_of_the_same_length_is_not_in_the_way_of_an_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let game = |white: &str, opening: &str| {
        format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. {opening} e5 2. Nf3 *\n\n")
    };
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        done(&db, &["import", "-q", self::text(&path)]);
    };
    write("grown.pgn", &game("Aa", "e4"));
    write("grown.pgn", &(game("Aa", "e4") + &game("Cc", "d4")));
    write("other.pgn", &game("Dd", "c4"));
    // What the log says can be undone can.
    let log = done(&db, &["log", "--format", "json"]).out;
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    let can: Vec<_> = (0..3)
        .map(|at| log[at]["can_be_undone"].as_bool())
        .collect();
    assert_eq!(can, [Some(false), Some(true), Some(true)], "{log}");
    let refused = run(&db, &["undo", "1"]);
    assert!(refused.err.contains("has read"), "{refused:?}");
    done(&db, &["undo", "3"]);
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 1);
}

#[test]
fn a_copy_of_a_file_that_has_grown_has_all_of_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    let write = |name: &str, names: &[&str]| {
        let path = folder.path().join(name);
        let games: String = names.iter().map(|name| game(name)).collect();
        std::fs::write(&path, games).expect("a file");
        done(&db, &["import", "-q", text(&path)]);
    };
    write("grown.pgn", &["Aa", "Bb"]);
    write("other.pgn", &["Ccc", "Dd"]);
    write("grown.pgn", &["Aa", "Bb", "Ee"]);
    write("copy.pgn", &["Aa", "Bb", "Ee"]);
    for change in ["3", "1"] {
        done(&db, &["undo", change]);
    }
    assert_eq!(count(&db, &[]), 5);
    for change in ["2", "4"] {
        done(&db, &["undo", change]);
    }
    assert_eq!(count(&db, &[]), 0);
}

#[test]
fn folders_are_kept_in_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, games) = (folder.path().join("games.db"), folder.path().join("games"));
    std::fs::create_dir(&games).expect("a folder");
    let write = |name: &str, white: &str| {
        let text = format!("[White \"{white}\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n");
        std::fs::write(games.join(name), text).expect("a file");
    };
    write("a.pgn", "Aa");
    write("b.pgn", "Bb");
    done(&db, &["import", "--list-missing", text(&games)]);
    std::fs::remove_file(games.join("a.pgn")).expect("no file");
    write("c.pgn", "Cc");
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    assert!(synced.out.contains("a.pgn (1 game stays)"), "{synced:?}");
    assert!(synced.out.contains("1 game stored"), "{synced:?}");
    done(&db, &["delete", "--from-file", "a.pgn", "--yes"]);
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    assert!(!synced.out.contains("missing:"), "{synced:?}");
    assert_eq!(count(&db, &[]), 2);
    // One that has another name now is not gone, and is named once.
    std::fs::rename(games.join("b.pgn"), games.join("d.pgn")).expect("a file");
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    let moved = format!("moved: {} to ", games.join("b.pgn").display());
    assert!(synced.out.contains(&moved), "{synced:?}");
    assert!(
        synced.out.contains("d.pgn, which has its 1 game"),
        "{synced:?}"
    );
    assert!(!synced.out.contains("missing:"), "{synced:?}");
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    assert!(!synced.out.contains("moved:"), "{synced:?}");
    // A copy beside it brings nothing; the same games in other bytes neither.
    std::fs::copy(games.join("d.pgn"), games.join("e.pgn")).expect("a file");
    let others = std::fs::read_to_string(games.join("c.pgn")).expect("a file");
    std::fs::write(games.join("f.pgn"), others.replace(" *", "\n*")).expect("a file");
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    assert!(synced.out.contains("already imported"), "{synced:?}");
    let known = format!("nothing new in {}", games.join("f.pgn").display());
    assert!(synced.out.contains(&known), "{synced:?}");
    assert_eq!(count(&db, &[]), 2);
    std::fs::rename(games.join("d.pgn"), games.join("b.pgn")).expect("a file");
    let refused = run(
        &db,
        &["import", "--list-missing", text(&games.join("b.pgn"))],
    );
    assert!(refused.err.contains("is no folder"), "{refused:?}");
    // So are all of a folder that has become empty; but one that never had any is a mistake.
    let refused = run(
        &folder.path().join("new.db"),
        &["import", "--list-missing", text(&games)],
    );
    assert_eq!(refused.status, Some(0), "{refused:?}");
    for file in std::fs::read_dir(&games).expect("a folder") {
        std::fs::remove_file(file.expect("a file").path()).expect("no file");
    }
    let synced = done(&db, &["import", "--list-missing", text(&games)]);
    assert_eq!(synced.out.matches("missing: ").count(), 2, "{synced:?}");
    assert_eq!(count(&db, &[]), 2);
    // So is one that was renamed with its folder, under its last name alone.
    let sync = |folder: &Path| done(&db, &["import", "--list-missing", text(folder)]).out;
    write("g.pgn", "Gg");
    sync(&games);
    let moved = folder.path().join("moved");
    std::fs::rename(&games, &moved).expect("a folder");
    sync(&moved);
    std::fs::rename(moved.join("g.pgn"), moved.join("h.pgn")).expect("a file");
    assert!(sync(&moved).contains("h.pgn, which has its 1 game"));
    std::fs::remove_file(moved.join("h.pgn")).expect("no file");
    let synced = sync(&moved);
    assert_eq!(synced.matches("missing: ").count(), 1, "{synced}");
    assert!(synced.contains("h.pgn (1 game stays)"), "{synced}");
    std::fs::rename(&moved, &games).expect("a folder");
    // One of which nothing was ever read is a mistake.
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    let refused = run(&db, &["import", "--list-missing", text(&empty)]);
    assert_ne!(refused.status, Some(0), "{refused:?}");
    let new = folder.path().join("none.db");
    let refused = run(&new, &["import", "--list-missing", text(&games)]);
    assert_ne!(refused.status, Some(0), "{refused:?}");
    assert!(!new.exists());
}

#[test]
fn a_source_that_was_changed_is_not_reread() {
    let (_folder, db) = samples();
    let file = root().join("sample-data/pgn/classics.pgn");
    for (args, told) in [
        (
            &["delete", "--games", "91", "--yes"][..],
            "has removed games of it",
        ),
        (
            &["edit", "92", "--tag", "Round=9"],
            "has edited games of it",
        ),
    ] {
        done(&db, args);
        let refused = run(&db, &["reread", text(&file)]);
        assert!(refused.err.contains(told), "{refused:?}");
        let log = done(&db, &["log", "--format", "json", "--limit", "1"]).out;
        let log: serde_json::Value = serde_json::from_str(&log).expect("json");
        done(&db, &["undo", &log[0]["change"].to_string()]);
    }
    done(&db, &["reread", text(&file)]);
    let log = done(&db, &["log"]);
    assert!(log.out.contains("reread"), "{log:?}");
    assert_sound(&db);
}

/// A file that goes on from another one has the games of both, also once it was read again.
#[test]
fn a_file_that_goes_on_from_another_has_its_games() {
    let games = ["e4", "d4", "c4", "b3"].map(|opening| game("", &format!("1. {opening}")));
    let (_folder, db, files) = files(&[&games[..3].concat(), &games.concat()]);
    for file in &files {
        done(&db, &["import", "-q", text(file)]);
    }
    let of = |nth: usize| {
        count(
            &db,
            &[
                "--from-file",
                text(Path::new(files[nth].file_name().expect("a name"))),
            ],
        )
    };
    assert_eq!([of(0), of(1)], [3, 4]);
    done(&db, &["reread", text(&files[1]), "--as", "pgn"]);
    assert_eq!([of(0), of(1)], [3, 4]);
    let shown = done(&db, &["show", "1"]).out;
    assert!(shown.contains("1.pgn, game 1"), "{shown}");
    assert_sound(&db);
}
