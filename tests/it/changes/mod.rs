//! Changes are taken back, in whatever order; nothing is lost by any of them.

mod again;
mod facts;
mod machine;
mod merges;
mod model;
mod records;
mod restored;
mod sources;
mod values;

use std::path::{Path, PathBuf};

use crate::support::{Ran, plydex, root, run};

/// A folder with a database, and the sample games in it.
fn samples() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("games.db");
    done(&db, &["import", text(&root().join("sample-data"))]);
    (folder, db)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

fn done(db: &Path, args: &[&str]) -> Ran {
    let ran = run(db, args);
    assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    ran
}

fn count(db: &Path, args: &[&str]) -> u64 {
    let mut all = vec!["search", "--count"];
    all.extend(args);
    run(db, &all).out.trim().parse().expect("a number")
}

fn assert_sound(db: &Path) {
    done(db, &["check"]);
}

/// All that is seen of the games of a database.
fn seen(db: &Path) -> [String; 4] {
    [
        &["export"][..],
        &["tree"],
        &["search", "--limit", "0"],
        &["sql", "SELECT count(*), sum(plies), (SELECT count(*) FROM tag), (SELECT count(*) FROM comments) FROM game"],
    ]
    .map(|args| done(db, args).out)
}

#[test]
fn deleted_games_are_nowhere_until_they_come_back() {
    let (_folder, db) = samples();
    let before = seen(&db);
    let fischer = count(&db, &["--player", "fischer"]);
    let all = count(&db, &[]);
    let dry = done(&db, &["delete", "--player", "fischer"]);
    assert!(
        dry.out.contains("11 games would be deleted; add --yes"),
        "{dry:?}"
    );
    assert_eq!(seen(&db), before);
    let checked = done(&db, &["check"]);
    assert!(
        checked.out.starts_with(&format!("{all} games and ")),
        "{checked:?}"
    );
    done(&db, &["delete", "--player", "fischer", "--yes"]);
    let checked = done(&db, &["check"]);
    let there = format!("{} games, {fischer} removed games and ", all - fischer);
    assert!(checked.out.starts_with(&there), "{checked:?}");
    assert_eq!(count(&db, &["--player", "fischer"]), 0);
    assert_eq!(count(&db, &[]), all - fischer);
    let sql = done(
        &db,
        &["sql", "SELECT count(*) FROM game", "--format", "csv"],
    );
    assert!(sql.out.contains(&(all - fischer).to_string()), "{sql:?}");
    let shown = run(&db, &["show", "91"]);
    assert!(
        shown.err.contains("game 91 was removed by change 2"),
        "{shown:?}"
    );
    let info = done(&db, &["info"]);
    assert!(info.out.contains("removed"), "{info:?}");
    assert_sound(&db);
    // They do not come back by themselves.
    let own = db.with_file_name("own.pgn");
    std::fs::write(&own, &before[0]).expect("a file");
    let again = done(&db, &["import", text(&own)]);
    assert!(
        again.out.contains("deleted          11  deleted before"),
        "{again:?}"
    );
    assert_eq!(count(&db, &["--player", "fischer"]), 0);
    done(&db, &["undo", "3"]);
    done(&db, &["undo", "2"]);
    assert_eq!(seen(&db), before);
    assert_sound(&db);
    let log = done(&db, &["log"]);
    assert!(
        log.out.contains("--player fischer (undone by 5)"),
        "{log:?}"
    );
    // An empty file is no database, and stays empty.
    let empty = db.with_file_name("empty.db");
    std::fs::write(&empty, "").expect("a file");
    let refused = run(&empty, &["undo", "1"]);
    assert!(
        refused.err.contains("empty: nothing was ever stored in it"),
        "{refused:?}"
    );
    assert_eq!(std::fs::read(&empty).expect("a file"), b"");
    for (args, told) in [
        (["undo", "2"], "change 2 was undone already, by change 5"),
        (["undo", "17"], "there is no change 17"),
    ] {
        let refused = run(&db, &args);
        assert!(refused.err.contains(told), "{refused:?}");
        assert_eq!(refused.status, Some(2));
    }
    let refused = run(&db, &["delete", "--yes"]);
    assert!(
        refused.err.contains("delete needs to know which games"),
        "{refused:?}"
    );
}

/// Drafts that killed runs have left go with the next run that makes some; those of a run that
/// is at work stay.
#[test]
fn drafts_that_were_left_go_with_the_next() {
    let (_folder, db) = samples();
    let drafts = tempfile::tempdir().expect("a folder");
    let copy = db.with_file_name("copy.db.gz");
    let [left, held] = ["plydex-draft-left", "plydex-draft-held"].map(|name| {
        let folder = drafts.path().join(name);
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(folder.join("tags.db"), "a draft").expect("a file");
        let lock = std::fs::File::create(folder.join(".lock")).expect("a file");
        (folder, lock)
    });
    held.1.lock().expect("a lock");
    for args in [
        &["edit", "1", "--tag", "Annotator=x"][..],
        &["undo", "2"],
        &["reread", "classics.pgn"],
        &["backup", text(&copy)],
    ] {
        std::fs::create_dir_all(&left.0).expect("a folder");
        std::fs::write(left.0.join("1.db"), "a draft").expect("a file");
        let mut command = plydex(&db, args);
        command.env("TMPDIR", drafts.path());
        let ran: Ran = command.output().expect("the program runs").into();
        assert!(!left.0.exists(), "{args:?}: {ran:?}");
        assert_eq!(drafts.path().read_dir().expect("a folder").count(), 1);
        assert!(held.0.join("tags.db").exists());
    }
}

#[test]
fn an_import_that_was_undone_can_be_made_again() {
    let (_folder, db) = samples();
    let before = seen(&db);
    done(&db, &["undo", "1"]);
    assert_eq!(count(&db, &[]), 0);
    assert_sound(&db);
    done(&db, &["import", text(&root().join("sample-data"))]);
    let games = |export: &str| export.matches("\n\n").count();
    assert_eq!(games(&seen(&db)[0]), games(&before[0]));
    let refused = run(&db, &["undo", "2"]);
    assert!(
        refused
            .err
            .contains("change 1 cannot be done again: change 3 has read"),
        "{refused:?}"
    );
    done(&db, &["undo", "3"]);
    done(&db, &["undo", "2"]);
    assert_eq!(seen(&db), before);
    assert_sound(&db);
}

#[test]
fn what_another_source_has_stays_when_an_import_is_undone() {
    let (_folder, db) = samples();
    let own = db.with_file_name("own.pgn");
    std::fs::write(&own, &done(&db, &["export", "--player", "fischer"]).out).expect("a file");
    done(&db, &["import", text(&own)]);
    let undone = done(&db, &["undo", "1"]);
    assert!(
        undone
            .out
            .contains("11 games stay, because other sources have them"),
        "{undone:?}"
    );
    assert_eq!(count(&db, &[]), 11);
    assert_eq!(count(&db, &["--player", "fischer"]), 11);
    let shown = done(&db, &["show", "91"]);
    assert!(shown.out.contains("own.pgn, game "), "{shown:?}");
    assert!(!shown.out.contains("Also in"), "{shown:?}");
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 0);
    assert_sound(&db);
}

#[test]
fn tags_are_edited_and_the_game_stays() {
    let (_folder, db) = samples();
    let before = seen(&db);
    let tree = |db: &Path| done(db, &["tree", "e4"]).out;
    let e4 = tree(&db);
    let edits: &[&str] = &[
        "edit",
        "91",
        "--tag",
        "White=Me, Myself",
        "--tag",
        "Round=77",
        "--tag",
        "Annotator=nobody",
        "--tag",
        "date=1999.12.31",
        "--tag",
        "WhiteElo=2345",
        "--remove",
        "Site",
    ];
    let edited = done(&db, edits);
    assert!(
        edited.out.contains("Round: \"77\" instead of"),
        "{edited:?}"
    );
    assert_eq!(
        count(
            &db,
            &[
                "--player",
                "myself",
                "--since",
                "1999-12",
                "--tag",
                "Annotator==nobody"
            ]
        ),
        1
    );
    assert_eq!(count(&db, &["--tag", "Site", "--games", "91"]), 0);
    assert_eq!(tree(&db).lines().count(), e4.lines().count());
    assert_sound(&db);
    let again = done(&db, edits);
    assert!(again.out.contains("has these tags already"), "{again:?}");
    done(&db, &["edit", "91", "--tag", "Round=78"]);
    let refused = run(&db, &["undo", "2"]);
    assert!(
        refused.err.contains("game 91 was edited since"),
        "{refused:?}"
    );
    done(&db, &["undo", "3"]);
    done(&db, &["undo", "2"]);
    assert_eq!(seen(&db), before);
    assert_sound(&db);
    // Results, of chess and of draughts, and all kinds of values.
    for game in ["91", "2", "20"] {
        let before = done(&db, &["show", game, "--format", "json"]).out;
        for value in ["1-0", "0-1", "1/2-1/2", "*"] {
            run(&db, &["edit", game, "--tag", &format!("Result={value}")]);
            // Who is named first has won, which in some draughts is Black.
            let found = count(&db, &["--games", game, "--result", value]);
            assert!(found == 1 || game == "2", "{game} {value}");
        }
        done(
            &db,
            &[
                "edit",
                game,
                "--tag",
                r#"Note=a "b" \ c = ü; {d} "#,
                "--remove",
                "Result",
            ],
        );
        assert_sound(&db);
        loop {
            let log = done(&db, &["log", "--limit", "0", "--format", "json"]).out;
            let log: serde_json::Value = serde_json::from_str(&log).expect("json");
            let standing = log
                .as_array()
                .expect("a list")
                .iter()
                .rev()
                .find(|change| change["kind"] == "edit" && change["can_be_undone"] == true);
            let Some(change) = standing else { break };
            done(&db, &["undo", &change["change"].to_string()]);
        }
        assert_eq!(done(&db, &["show", game, "--format", "json"]).out, before);
    }
    for (args, told) in [
        (
            &["edit", "91", "--tag", "FEN=8/8/8/8/8/8/8/8 w - - 0 1"][..],
            "says how the game is played",
        ),
        (
            &["edit", "91", "--tag", "Variant=atomic"],
            "says how the game is played",
        ),
        (
            &["edit", "91", "--tag", "two words=1"],
            "cannot be the name of a tag",
        ),
        (
            &["edit", "9999", "--tag", "Round=1"],
            "there is no game 9999",
        ),
        (&["edit", "91", "--tag", "Round"], "has no value"),
        (
            &["edit", "91", "--tag", "Round=one\ntwo"],
            "remove line breaks",
        ),
        (
            &["edit", "91", "--tag", "Round=1", "--remove", "round"],
            "changed twice",
        ),
    ] {
        let refused = run(&db, args);
        assert!(refused.err.contains(told), "{refused:?}");
        assert_eq!(refused.status, Some(2), "{refused:?}");
    }
    // What is told of a change can be looked at.
    let long = format!("Note={}\u{1b}[31m", "x".repeat(5_000));
    for ran in [
        done(&db, &["edit", "91", "--tag", &long]),
        done(&db, &["log"]),
    ] {
        assert!(!ran.out.contains('\u{1b}'), "{ran:?}");
    }
    assert!(done(&db, &["log"]).out.len() < 5_000);
    let problem = done(
        &db,
        &[
            "search",
            "--stipulation",
            "#",
            "--limit",
            "1",
            "--format",
            "csv",
        ],
    );
    let game = problem
        .out
        .lines()
        .nth(1)
        .and_then(|line| line.split(',').next())
        .expect("a game");
    let refused = run(&db, &["edit", game, "--tag", "Round=1"]);
    assert!(refused.err.contains("is a chess problem"), "{refused:?}");
}

#[test]
fn the_best_record_of_a_game_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let moves = "1. a3 a6 2. Nh3 Nh6 3. Ng1 Ng8 4. Nh3 Nh6 5. Ng1 Ng8 6. Nh3 Nh6 7. Ng1 Ng8 \
        8. Nh3 Nh6 9. Ng1 Ng8 10. Nh3 Nh6 11. Ng1 Ng8";
    let tags = "[Event \"Open\"]\n[Date \"2001.02.03\"]\n[White \"Aa, A\"]\n[Black \"Bb, B\"]\n";
    let game = |more: &str, moves: &str| format!("{tags}{more}\n{moves} *\n\n");
    let poor = game("", moves);
    let tagged = game("[ECO \"A00\"]\n", moves);
    let annotated = game("", &moves.replace("a6", "a6 {why not}"));
    let longer = game("", &format!("{moves} 12. b3"));
    for (nth, (records, kept)) in [
        ([&poor, &tagged, &annotated], "why not"),
        ([&annotated, &tagged, &poor], "why not"),
        ([&tagged, &poor, &poor], "A00"),
        ([&poor, &longer, &annotated], "12. b3"),
        ([&longer, &poor, &annotated], "12. b3"),
    ]
    .into_iter()
    .enumerate()
    {
        let db = folder.path().join(format!("{nth}.db"));
        let all = folder.path().join(format!("{nth}.db.all"));
        for (at, record) in records.iter().enumerate() {
            let file = folder.path().join(format!("{nth}-{at}.pgn"));
            std::fs::write(&file, "\n".repeat(at) + record).expect("a file");
            done(&db, &["import", "--duplicates", "best", text(&file)]);
            done(&all, &["import", "--duplicates", "keep", text(&file)]);
        }
        let export = done(&db, &["export"]).out;
        assert!(export.contains(kept), "{nth}: {export}");
        assert_eq!(count(&db, &[]), 1, "{nth}");
        assert_sound(&db);
        // Likewise of those that are stored.
        assert_eq!(count(&all, &[]), 3);
        done(&all, &["dedupe", "--parts", "--yes"]);
        assert_eq!(done(&all, &["export"]).out, export, "{nth}");
        let log = done(&all, &["log"]);
        assert!(log.out.contains("dedupe"), "{log:?}");
        let shown = done(&all, &["search", "--format", "csv"]);
        let id = shown
            .out
            .lines()
            .nth(1)
            .and_then(|line| line.split(',').next())
            .expect("a game");
        let shown = done(&all, &["show", id]);
        for at in 0..3 {
            assert!(shown.out.contains(&format!("{nth}-{at}.pgn")), "{shown:?}");
        }
        done(&all, &["undo", "4"]);
        assert_eq!(count(&all, &[]), 3);
        assert_sound(&all);
    }
    // Parts are offered.
    let db = folder.path().join("3.db.all");
    let offered = done(&db, &["dedupe"]);
    assert!(
        offered.out.contains("--parts counts them, too"),
        "{offered:?}"
    );
    // And stay until they are meant.
    done(&db, &["dedupe", "--yes"]);
    assert_eq!(count(&db, &[]), 2);
    assert!(done(&db, &["export"]).out.contains("12. b3"));
}

#[test]
fn optimize_keeps_what_can_be_undone_until_it_is_told_not_to() {
    let (_folder, db) = samples();
    done(&db, &["delete", "--games", "5-60,91", "--yes"]);
    let before = seen(&db);
    done(&db, &["optimize"]);
    assert_eq!(seen(&db), before);
    done(&db, &["undo", "2"]);
    assert_eq!(count(&db, &[]), 138);
    done(&db, &["undo", "3"]);
    let purged = done(&db, &["optimize", "--purge"]);
    assert!(
        purged.out.contains("57 removed games given up"),
        "{purged:?}"
    );
    assert_eq!(seen(&db), before);
    assert_sound(&db);
    let refused = run(&db, &["undo", "4"]);
    assert!(refused.err.contains("given up"), "{refused:?}");
    assert!(!done(&db, &["info"]).out.contains("kept for"));
    let gone = "SELECT id FROM game_row WHERE removed IS NOT NULL LIMIT 1";
    let gone = done(&db, &["sql", gone, "--format", "csv"]).out;
    let shown = run(&db, &["show", gone.lines().nth(1).expect("a game")]);
    assert!(
        shown.err.contains("given up by `plydex optimize --purge`"),
        "{shown:?}"
    );
    assert!(!shown.err.contains("brings it back"), "{shown:?}");
    // Numbers stay.
    done(&db, &["show", "92"]);
    // What was given up is new again.
    let again = done(
        &db,
        &["import", text(&root().join("sample-data/pgn/broken.pgn"))],
    );
    assert!(again.out.contains("already imported"), "{again:?}");
}

#[test]
fn a_reader_sees_one_state_while_changes_are_made() {
    let (_folder, db) = samples();
    let store =
        plydex::store::Store::open(&db, &plydex::base::observe::CancellationToken::default())
            .expect("a database");
    let query = plydex::search::AccessPlan::default();
    let games = || plydex::search::all_games(&store, &query).expect("games");
    let before = games();
    done(&db, &["delete", "--games", "1-50", "--yes"]);
    done(&db, &["edit", "91", "--tag", "Round=9"]);
    assert_eq!(games(), before);
    drop(store);
    assert_eq!(count(&db, &[]), before.len() as u64 - 50);
    let _ = plydex(&db, &["check"]);
}
