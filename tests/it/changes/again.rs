//! What is taken back and done again leaves one record of each game, and none that was deleted.

use std::path::{Path, PathBuf};

use super::{assert_sound, count, done, text};
use crate::support::run;

const MOVES: &str = "1. a3 a6 2. Nh3 Nh6 3. Ng1 Ng8 4. Nh3 Nh6 5. Ng1 Ng8 6. Nh3 Nh6 7. Ng1 Ng8 \
    8. Nh3 Nh6 9. Ng1 Ng8 10. Nh3 Nh6 11. Ng1 Ng8";

/// A game of one day, with further tags.
fn game(more: &str, moves: &str) -> String {
    let tags = "[Event \"Open\"]\n[Date \"2001.02.03\"]\n[White \"Aa, A\"]\n[Black \"Bb, B\"]\n";
    format!("{tags}{more}\n{moves} *\n\n")
}

/// A folder with files of these texts, and where a database goes.
fn files(texts: &[&str]) -> (tempfile::TempDir, PathBuf, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = texts.iter().enumerate().map(|(nth, games)| {
        let file = folder.path().join(format!("{nth}.pgn"));
        std::fs::write(&file, games).expect("a file");
        file
    });
    let files = files.collect();
    let db = folder.path().join("games.db");
    (folder, db, files)
}

fn import_best(db: &Path, file: &Path) {
    done(db, &["import", "--duplicates", "best", text(file)]);
}

#[test]
fn a_better_record_that_stays_stays_in_the_place_of_the_poorer_one() {
    let plain = game("", MOVES);
    let commented = game("", &MOVES.replace("a6", "a6 {why not}"));
    let tagged = game("[ECO \"A00\"]\n", MOVES);
    let begun = game("", MOVES.split(" 11.").next().expect("a part"));
    for texts in [
        [&plain, &commented, &tagged],
        [&begun, &commented, &plain],
        [&begun, &plain, &commented],
    ] {
        let (_folder, db, files) = files(&texts.map(String::as_str));
        for file in &files {
            import_best(&db, file);
        }
        assert_eq!(count(&db, &[]), 1);
        let shown = done(&db, &["export"]).out;
        done(&db, &["undo", "2"]);
        assert_eq!(done(&db, &["export"]).out, shown);
        assert_sound(&db);
        let id = done(&db, &["sql", "SELECT id FROM game", "--format", "csv"]).out;
        let id = id.lines().nth(1).expect("a game").to_owned();
        let sources = done(&db, &["show", &id]).out;
        assert!(
            sources.contains("0.pgn") && sources.contains("2.pgn"),
            "{sources}"
        );
        assert!(!sources.contains("1.pgn"), "{sources}");
        // The poorer one is back once nothing has the better one.
        done(&db, &["undo", "3"]);
        assert_eq!(
            done(&db, &["export"]).out,
            done(&db, &["export", "--games", "1"]).out
        );
        assert_sound(&db);
        for undo in ["5", "4"] {
            done(&db, &["undo", undo]);
        }
        assert_eq!(done(&db, &["export"]).out, shown);
        assert_sound(&db);
    }
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

/// The better record that a file has twice stands for the poorer one once.
#[test]
fn a_longer_game_that_comes_twice_is_stored_once() {
    let begun = game("", MOVES.split(" 11.").next().expect("a part"));
    let commented = game("", &MOVES.replace("a6", "a6 {why not}"));
    let longer = [&game("", MOVES)[..], &commented, &game("", MOVES)].concat();
    let (folder, db, files) = files(&[&begun, &longer]);
    import_best(&db, &files[0]);
    import_best(&db, &files[1]);
    assert_eq!(count(&db, &[]), 1);
    assert_sound(&db);
    let [one, other] = ["one.db", "other.db"].map(|name| folder.path().join(name));
    import_best(&one, &files[0]);
    done(&other, &["import", "--duplicates", "keep", text(&files[1])]);
    done(&one, &["merge", "--duplicates", "best", text(&other)]);
    assert_eq!(count(&one, &[]), 1);
    assert_sound(&one);
}

/// A part of a game is compared with the longest record of it, whichever stands first.
#[test]
fn of_several_records_the_longest_tells_which_is_the_better_one() {
    let moves = format!("{MOVES} 12. Nh3 Nh6 13. Ng1");
    let [short, middle] =
        [" 11.", " 12."].map(|at| game("", moves.split(at).next().expect("a part")));
    let whole = game("", &moves);
    let (_folder, db, files) = files(&[&short, &whole, &middle]);
    for file in &files[..2] {
        done(&db, &["import", "--duplicates", "keep", text(file)]);
    }
    import_best(&db, &files[2]);
    assert_eq!(count(&db, &[]), 2);
    assert!(!done(&db, &["export"]).out.contains("Ng8 *"));
    assert_sound(&db);
}

/// Two games that go on from one beginning in different ways are two, whatever was stored first.
#[test]
fn games_that_share_a_beginning_are_no_parts_of_each_other() {
    let begun = MOVES.split(" 11.").next().expect("a part");
    let one = game("", &format!("{begun} 11. b3 b6"));
    let other = game("", &format!("{begun} 11. b4 b5 12. c3"));
    let longer = game("", &format!("{begun} 11. b3 b6 12. d4 d5 13. c4"));
    let begun = game("", begun);
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
        let texts = [&begun, &one, &other, &longer].map(String::as_str);
        let (_folder, db, files) = files(&texts);
        for at in order {
            done(&db, &["import", "--duplicates", "keep", text(&files[at])]);
        }
        done(&db, &["dedupe", "--parts", "--yes"]);
        assert_eq!(count(&db, &[]), 2, "{order:?}");
        let left = done(&db, &["export"]).out;
        assert!(left.contains("12. c3") && left.contains("13. c4"), "{left}");
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

#[test]
fn a_deleted_game_does_not_come_back_with_an_undo() {
    let other = game("[Round \"2\"]\n", MOVES);
    let (_folder, db, files) = files(&[&(game("[Round \"1\"]\n", MOVES) + &other)]);
    done(&db, &["import", text(&files[0])]);
    done(&db, &["undo", "1"]);
    done(&db, &["undo", "2"]);
    done(&db, &["delete", "--games", "1", "--yes"]);
    // The import does not stand, by the older of two undos.
    done(&db, &["undo", "3"]);
    let again = done(&db, &["import", text(&files[0])]);
    assert!(again.out.contains("deleted"), "{again:?}");
    assert_eq!(
        done(&db, &["export"]).out.matches("[Round \"1\"]").count(),
        0
    );
    assert_eq!(count(&db, &[]), 1);
    assert_sound(&db);
    // Nor does the poorer record of a game whose better one was deleted.
    let plain = game("", MOVES);
    let commented = game("", &MOVES.replace("a6", "a6 {why not}"));
    let (_folder, db, files) = self::files(&[&plain, &commented]);
    import_best(&db, &files[0]);
    import_best(&db, &files[1]);
    done(&db, &["delete", "--player", "aa", "--yes"]);
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 0);
    assert_sound(&db);
    done(&db, &["undo", "3"]);
    assert_eq!(count(&db, &[]), 1);
}

/// A deletion that was undone is not made again where a better record has come meanwhile, nor an
/// import that brought it where the game was deleted.
#[test]
fn a_deletion_and_a_better_record_do_not_stand_together() {
    let plain = game("", MOVES);
    let commented = game("", &MOVES.replace("a6", "a6 {why not}"));
    let (_folder, db, files) = files(&[&plain, &commented]);
    done(&db, &["import", text(&files[0])]);
    done(&db, &["delete", "--games", "1", "--yes"]);
    done(&db, &["undo", "2"]);
    import_best(&db, &files[1]);
    let refused = run(&db, &["undo", "3"]);
    let told = "change 2 cannot be done again: change 4 has stored game 1 since, as game 2";
    assert!(refused.err.contains(told), "{refused:?}");
    assert_eq!(count(&db, &[]), 1);
    done(&db, &["undo", "4"]);
    done(&db, &["undo", "3"]);
    assert_eq!(count(&db, &[]), 0);
    let refused = run(&db, &["undo", "5"]);
    let told = "change 4 cannot be done again: change 2 has deleted game 1 since";
    assert!(refused.err.contains(told), "{refused:?}");
    assert_eq!(count(&db, &[]), 0);
    assert_sound(&db);
}

#[test]
fn an_import_is_not_made_again_where_its_games_came_otherwise() {
    let games = game("[Round \"1\"]\n", MOVES) + &game("[Round \"2\"]\n", MOVES);
    let copy = games.replace('\n', "\r\n");
    let (folder, db, files) = files(&[&games, &copy]);
    let other = folder.path().join("other.db");
    done(&other, &["import", text(&files[0])]);
    for first in [["import", text(&files[0])], ["merge", text(&other)]] {
        let db = folder.path().join(format!("{}.db", first[0]));
        done(&db, &first);
        done(&db, &["undo", "1"]);
        done(&db, &["import", text(&files[1])]);
        let refused = run(&db, &["undo", "2"]);
        let told = "change 1 cannot be done again: change 3 has stored game 1 since, as game 3";
        assert!(refused.err.contains(told), "{refused:?}");
        assert!(
            refused.err.contains("undo that change first"),
            "{refused:?}"
        );
        assert_eq!(count(&db, &[]), 2);
        assert_sound(&db);
        done(&db, &["undo", "3"]);
        done(&db, &["undo", "2"]);
        assert_eq!(count(&db, &[]), 2);
        let refused = run(&db, &["undo", "4"]);
        assert!(
            refused.err.contains("change 1 has stored game 3"),
            "{refused:?}"
        );
        assert_sound(&db);
    }
    // What was kept twice on purpose is there twice again.
    done(&db, &["import", text(&files[0])]);
    done(&db, &["import", "--duplicates", "keep", text(&files[1])]);
    done(&db, &["undo", "1"]);
    done(&db, &["undo", "3"]);
    assert_eq!(count(&db, &[]), 4);
    assert_sound(&db);
}
