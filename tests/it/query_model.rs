//! One model of a query: an option finds what the condition of its name finds, and what a query is
//! printed as finds the same.

use std::path::{Path, PathBuf};

use plydex::query::{
    GameCondition,
    pattern::{Expr, parser},
    words,
};

use crate::serve::client::{Server, encoded};
use crate::support::{root, run};

/// Values for the conditions on games, each with a few texts of one meaning or of another.
const VALUES: [(&str, &[&str]); 38] = [
    ("player", &["fischer", "Spassky, Boris"]),
    ("white", &["fischer", "lasker"]),
    ("black", &["spassky", "capablanca"]),
    ("won", &["fischer", "lasker"]),
    ("lost", &["spassky"]),
    ("event", &["world", "championship"]),
    ("site", &["london", "reykjavik"]),
    ("result", &["1-0", "0-1,1/2-1/2", "white", "*"]),
    (
        "date",
        &[
            "1972",
            "1900..1950",
            "1900-1950",
            "1972-07..",
            "..1950",
            ">=1950",
            "1972.7.11",
        ],
    ),
    ("month", &["7", "6..8", "1,12"]),
    ("elo", &["2000..", "2000-2700", "..2800"]),
    ("welo", &["2000..", ">2000"]),
    ("belo", &["2000..", "<2800"]),
    ("melo", &["2000.."]),
    ("diff", &["0..100", "50.."]),
    ("eco", &["C", "B2..B9", "D0-D9", "A00,E99"]),
    ("opening", &["sicilian", "ruy lopez"]),
    ("plies", &["40", "20..80", "..60", "60..", "10,20..30"]),
    ("variant", &["chess", "chess,chess960", "russian"]),
    ("time", &["classical", "blitz,unknown"]),
    ("mode", &["rated", "casual"]),
    ("clock", &["..30", "10..100"]),
    ("eval", &["2..", "..-2", "-0.3..0.3"]),
    ("loss", &["1.."]),
    ("spent", &["1..", "..3"]),
    ("nag", &["??,2", "1"]),
    ("comment", &["the", "mate"]),
    ("annotator", &["a"]),
    ("round", &["1", "6"]),
    ("games", &["1..3", "2,5", "..4"]),
    ("file", &["pgn", "pdn"]),
    ("start", &["startpos"]),
    ("composer", &["plydex"]),
    ("stipulation", &["#2", "h#"]),
    ("source", &["samples"]),
    ("condition", &["circe"]),
    ("keyword", &["task"]),
    ("has", &["Annotator", "WhiteElo"]),
];

fn samples() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("samples.db");
    let samples = root().join("sample-data");
    let ran = run(&db, &["import", samples.to_str().expect("a path")]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
}

/// How many games are found, or that nothing is.
fn count(db: &Path, args: &[&str]) -> String {
    let ran = run(db, &[&["search", "--count"], args].concat());
    assert!(matches!(ran.status, Some(0 | 1)), "{args:?}: {ran:?}");
    ran.out
}

#[test]
fn options_find_what_their_conditions_find() {
    let (_folder, db) = samples();
    let mut found = 0;
    for (name, values) in VALUES {
        for value in values {
            let text = format!("{name}:\"{value}\"");
            let of_text = count(&db, &[&text]);
            found += usize::from(of_text.trim() != "0");
            // A tag that is there has an option of another form.
            let option = match name {
                "has" => format!("--tag={value}"),
                _ => format!("--{name}={value}"),
            };
            assert_eq!(count(&db, &[&option]), of_text, "{option}");
            assert_eq!(count(&db, &["--where", &text]), of_text, "{text}");
            let printed = parser::parse(&text).expect("a query").to_string();
            assert_eq!(count(&db, &[&printed]), of_text, "{text}: {printed}");
        }
    }
    assert!(found > 40, "{found}");
}

/// Parameters of addresses are the same conditions.
#[test]
fn parameters_find_what_their_conditions_find() {
    let (_folder, db) = samples();
    let server = Server::start(&db, &[]);
    let total =
        |query: String| server.json(&format!("/v1/search?limit=1&{query}"))["total"].clone();
    for (name, values) in VALUES.iter().filter(|(name, _)| *name != "has") {
        for value in *values {
            let parameter = format!("{name}={}", encoded(value));
            let text = format!("where={}", encoded(&format!("{name}:\"{value}\"")));
            assert_eq!(total(parameter), total(text), "{name}={value}");
        }
    }
}

/// A condition without a value here would not be compared.
#[test]
fn every_condition_has_values_here() {
    let of_position = ["fen", "moves"];
    for name in words::GAME_CONDITIONS {
        let is_here = VALUES.iter().any(|(own, _)| *own == name);
        assert!(is_here || of_position.contains(&name), "{name}");
    }
}

/// Options that are repeated are one list, or several conditions.
#[test]
fn options_are_joined_as_their_conditions_are() {
    let (_folder, db) = samples();
    for (options, text) in [
        (&["--result=1-0", "--result=0-1"][..], "result:1-0,0-1"),
        (
            &["--opening=sicilian", "--opening=ruy lopez"],
            "opening:\"sicilian | ruy lopez\"",
        ),
        (
            &["--player=fischer", "--player=spassky"],
            "player:fischer player:spassky",
        ),
        (&["--since=1900", "--until=1950"], "date:1900..1950"),
        (&["--min-elo=2000", "--max-elo=2700"], "elo:2000..2700"),
        (&["--eco=C", "--eco=B"], "eco:B,C"),
        (&["--tag=Round=1"], "tag.Round:1"),
        (&["--tag=Round==1"], "tag.Round:=1"),
        (&["--clock=..100", "--loss=0.."], "clock:..100 loss:0.."),
        (&["e4 e5", "--plies=..60"], "moves:\"e4 e5\" and plies:..60"),
    ] {
        assert_eq!(count(&db, options), count(&db, &[text]), "{options:?}");
    }
}

/// Free words are run, and what they were read as is said.
#[test]
fn free_words_are_run_and_their_reading_is_said() {
    let (_folder, db) = samples();
    for (words, read_as) in [
        ("Fischer 1972", "player:Fischer and date:1972"),
        ("Fischer, Robert", "player:\"Fischer, Robert\""),
        ("1-0", "result:1-0"),
        ("sicilian", "opening:sicilian"),
        (
            "e4 e5 and player:fischer",
            "moves:\"e4 e5\" and player:fischer",
        ),
    ] {
        let ran = run(&db, &["search", "--count", words]);
        assert!(
            ran.err.contains(&format!("read as: {read_as}")),
            "{words}: {ran:?}"
        );
        assert_eq!(ran.out, count(&db, &[read_as]), "{words}");
    }
}

/// The conditions of a program are those of a text.
#[test]
fn conditions_can_be_built() {
    let built = Expr::And(vec![
        Expr::Game(GameCondition::player("karpov"), 0..0),
        Expr::Not(Box::new(Expr::Game(
            GameCondition::elo(2600, u32::MAX),
            0..0,
        ))),
    ]);
    assert_eq!(built.to_string(), "player:karpov and not elo:2600..");
    assert_eq!("player:karpov and not elo:2600..".parse(), Ok(built));
}
