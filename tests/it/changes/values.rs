//! Tags are edited to values that they can have, or by force.

use std::path::Path;

use super::{assert_sound, done, samples, text};
use crate::support::run;

fn result(db: &Path, game: &str) -> String {
    let shown = done(db, &["show", game, "--format", "json"]).out;
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    shown["result"].as_str().expect("a result").to_owned()
}

#[test]
fn what_is_no_value_of_its_tag_is_refused() {
    let (_folder, db) = samples();
    let before = done(&db, &["show", "91", "--format", "json"]).out;
    for (edit, expected) in [
        (
            "Result=win",
            "[Result] cannot be `win`: expected a result: 1-0, 0-1, 1/2-1/2 or *",
        ),
        ("Result=2-0", "[Result] cannot be `2-0`"),
        (
            "Date=foo",
            "[Date] cannot be `foo`: expected a date, such as 2024.05.31",
        ),
        ("UTCDate=2024.13.01", "[UTCDate] cannot be `2024.13.01`"),
        (
            "whiteelo=abc",
            "[WhiteElo] cannot be `abc`: expected a rating from 1 to 5000, such as 2750",
        ),
        ("BlackRating=none", "[BlackRating]"),
        (
            "ECO=Sicilian",
            "expected an ECO code from A00 to E99, such as B90",
        ),
        ("TimeControl=fast", "expected a time control in seconds"),
        ("PlyCount=many", "expected a number, such as 62"),
        ("WhiteFideId=x", "expected the number of a player at FIDE"),
        ("UTCTime=25:61", "expected a time of day, such as 18:30:00"),
    ] {
        // No tag is changed if one cannot be.
        let refused = run(&db, &["edit", "91", "--tag", "Annotator=x", "--tag", edit]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.err.contains(expected), "{refused:?}");
        assert!(refused.err.contains("--force"), "{refused:?}");
        assert_eq!(done(&db, &["show", "91", "--format", "json"]).out, before);
        let forced = done(&db, &["edit", "91", "--force", "--tag", edit]);
        let (_, value) = edit.split_once('=').expect("a value");
        assert!(
            forced.out.contains(&format!("\"{value}\" instead of")),
            "{forced:?}"
        );
        // What is there already is no edit.
        done(&db, &["edit", "91", "--tag", edit]);
        assert_sound(&db);
        let log = done(&db, &["log", "--limit", "1", "--format", "json"]).out;
        let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
        done(&db, &["undo", &log[0]["change"].to_string()]);
        assert_eq!(done(&db, &["show", "91", "--format", "json"]).out, before);
    }
    for edit in [
        "Date=????.??.??",
        "WhiteElo=-",
        "Round=final",
        "Result=White wins",
        "EventDate=2024.05",
    ] {
        done(&db, &["edit", "91", "--tag", edit]);
    }
}

/// A tag that says no result leaves the game as it ended: that stands behind its moves.
#[test]
fn a_game_keeps_its_result_where_the_tag_tells_none() {
    let (_folder, db) = samples();
    done(&db, &["edit", "91", "--tag", "Result=1-0"]);
    for edit in [
        &["--tag", "Result=2-0", "--force"][..],
        &["--tag", "Result=win", "--force"],
        &["--remove", "Result"],
    ] {
        done(&db, &[&["edit", "91"], edit].concat());
        assert_eq!(result(&db, "91"), "1-0", "{edit:?}");
        assert_sound(&db);
    }
    done(&db, &["edit", "91", "--tag", "Result=*"]);
    assert_eq!(result(&db, "91"), "*");
    done(&db, &["edit", "91", "--tag", "Result=Black won"]);
    assert_eq!(result(&db, "91"), "0-1");
}

/// Whatever an edit makes of a result, an import of the game makes of it: of chess, of draughts in which
/// White's points stand first, Black's, and where the last position says who has won.
#[test]
fn results_mean_what_an_import_makes_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("games.pdn");
    // International draughts, English draughts, and one that White has won by its last position.
    std::fs::write(
        &source,
        "[Event \"a\"]\n[GameType \"20\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n\n\
         [Event \"b\"]\n[GameType \"21\"]\n[Result \"*\"]\n\n1. 11-15 23-19 *\n\n\
         [Event \"c\"]\n[GameType \"20\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"W:W28:B23\"]\n\n1. 28x19 *\n\n\
         [Event \"d\"]\n[GameType \"21\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"B:W19:B15\"]\n\n1. 15x24 *\n\n",
    )
    .expect("a file");
    let chess = folder.path().join("games.pgn");
    std::fs::write(&chess, "[Event \"e\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n").expect("a file");
    let values = [
        "2-0", "0-2", "1-1", "1-0", "0-1", "1/2-1/2", "12-8", "0-0", "*", "win", "38-26",
    ];
    for value in values {
        let edited = folder.path().join("edited.db");
        let imported = folder.path().join("imported.db");
        for db in [&edited, &imported] {
            let _ = std::fs::remove_file(db);
        }
        done(&edited, &["import", text(&source), text(&chess)]);
        for game in ["1", "2", "3", "4", "5"] {
            // It may say so already, in its way.
            done(
                &edited,
                &["edit", game, "--force", "--tag", &format!("Result={value}")],
            );
        }
        for file in [&source, &chess] {
            let written = std::fs::read_to_string(file).expect("a file");
            let written = written.replace("[Result \"*\"]", &format!("[Result \"{value}\"]"));
            let other = file.with_file_name(format!(
                "other.{}",
                file.extension().expect("one").display()
            ));
            std::fs::write(&other, written).expect("a file");
            done(&imported, &["import", text(&other)]);
        }
        for game in ["1", "2", "3", "4", "5"] {
            assert_eq!(
                result(&edited, game),
                result(&imported, game),
                "{game}: {value}"
            );
        }
        assert_sound(&edited);
        let refused = run(&edited, &["edit", "1", "--tag", "Result=victory"]);
        assert!(refused.err.contains("such as 2-0, 1-1, 0-2"), "{refused:?}");
    }
}
