//! What is taken back and done again leaves one record of each game, and none that was deleted.

use std::path::{Path, PathBuf};

use super::{assert_sound, count, done, text};
use crate::support::run;

/// A game of eleven moves.
pub(super) const MOVES: &str = "1. a3 a6 2. Nh3 Nh6 3. Ng1 Ng8 4. Nh3 Nh6 5. Ng1 Ng8 6. Nh3 Nh6 7. Ng1 Ng8 \
    8. Nh3 Nh6 9. Ng1 Ng8 10. Nh3 Nh6 11. Ng1 Ng8";

/// A game of one day, with further tags.
pub(super) fn game(more: &str, moves: &str) -> String {
    let tags = "[Event \"Open\"]\n[Date \"2001.02.03\"]\n[White \"Aa, A\"]\n[Black \"Bb, B\"]\n";
    format!("{tags}{more}\n{moves} *\n\n")
}

/// A folder with files of these texts, and where a database goes.
pub(super) fn files(texts: &[&str]) -> (tempfile::TempDir, PathBuf, Vec<PathBuf>) {
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

pub(super) fn import_best(db: &Path, file: &Path) {
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
    let third = game("", &format!("{begun} 11. f3 f6 12. e3"));
    let longer = game("", &format!("{begun} 11. b3 b6 12. d4 d5 13. c4"));
    let begun = game("", begun);
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 3, 0, 4, 2]] {
        let texts = [&begun, &one, &other, &longer, &third].map(String::as_str);
        let (_folder, db, files) = files(&texts);
        for at in order {
            done(&db, &["import", "--duplicates", "keep", text(&files[at])]);
        }
        done(&db, &["dedupe", "--parts", "--yes"]);
        assert_eq!(count(&db, &[]), 3, "{order:?}");
        let left = done(&db, &["export"]).out;
        for end in ["12. c3", "12. e3", "13. c4"] {
            assert!(left.contains(end), "{end} {left}");
        }
        assert_sound(&db);
    }
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
