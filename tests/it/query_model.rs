//! One model of a query: an option finds what the condition of its name finds, and what a query is
//! printed as finds the same.

use std::path::{Path, PathBuf};

use plydex::query::{
    GameCondition, Query,
    game_conditions::{ConditionDefinition, GAME_CONDITIONS},
    pattern::{Expr, parser},
};

use crate::serve::client::{Server, encoded};
use crate::support::{root, run, vector};

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
    for ConditionDefinition { name, examples, .. } in GAME_CONDITIONS {
        for value in *examples {
            let text = format!("{name}:\"{value}\"");
            let of_text = count(&db, &[&text]);
            found += usize::from(of_text.trim() != "0");
            // A tag that is there has an option of another form.
            let option = match *name {
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
    for ConditionDefinition { name, examples, .. } in GAME_CONDITIONS {
        for value in *examples {
            let parameter = format!("{name}={}", encoded(value));
            let text = format!("where={}", encoded(&format!("{name}:\"{value}\"")));
            assert_eq!(total(parameter), total(text), "{name}={value}");
        }
    }
}

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

/// Questions of players, as queries: each is read, printed and read again, and finds the same games.
/// A query is printed as a text that is the same query, with its settings.
#[test]
fn queries_are_printed_as_they_are_read() {
    for text in [
        "Pd4 q and player:karpov",
        "in:variations and (Pd4 or mate)",
        "similar:\"8/8/8/4k3/8/8/4P3/4K3 w - -\" and elo:2200..",
        "fen:\"8/8/8/4k3/8/8/4P3/4K3 w\" and in:variations and not result:1-0",
        "player:tal or moves:\"e4 c5\"",
        // What the fuzzer found: values that need quotes.
        "move:\"Nf[||\" and won:fischer",
        "last:\"a b\"",
        "Nb1 then P=N~1b",
        "PN=n:p:d",
        "PN=B:h",
        "Bdark=nlight",
        "Pa-d=pad+0",
        "loss:90 loss:9",
        "kb:=0 and Kb=0",
        "kb:=1.. and Plight=2",
        "not (clock:..5 clock:9.. nag:1) or eval:1.. eval:..0",
    ] {
        let query: Query = text.parse().expect(text);
        let printed = query.to_string();
        let again: Query = printed.parse().expect(&printed);
        assert_eq!(again.to_string(), printed, "{text}");
        assert_eq!(again.expr, query.expr, "{text}");
        assert_eq!(again.scope, query.scope, "{text}");
        assert_eq!(again.like, query.like, "{text}");
    }
    assert!(Query::default().is_everything());
    assert!(Query::default().to_string().parse::<Query>().is_ok());
    // Letters before a label are those of one row of pieces.
    assert!("openN~1b1".parse::<Query>().is_err());
    assert!("Pd4 and ".parse::<Query>().is_err());
    // An empty square is no piece of a row.
    assert!(".ABN=>0".parse::<Query>().is_err());
    // A comma before the first area; reading it never ended.
    assert!("hanging:,a".parse::<Query>().is_err());
    // Whatever parts words is white space.
    let [spaced, plain] = ["Pd4\u{b}q\u{a0}and\u{2003}mate", "Pd4 q and mate"];
    assert_eq!(
        spaced.parse::<Query>().map(|query| query.expr),
        plain.parse().map(|query: Query| query.expr)
    );
    assert!("N=\u{b}diff".parse::<Query>().is_err());
}

#[test]
fn questions_in_plain_words_are_queries() {
    let (_folder, db) = samples();
    let text = vector("plain_questions.tsv");
    let mut asked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (question, query) = line.split_once('\t').expect("a question and a query");
        let expr = parser::parse(query).unwrap_or_else(|error| panic!("{question}: {error:?}"));
        let printed = expr.to_string();
        assert_eq!(parser::parse(&printed).as_ref(), Ok(&expr), "{printed}");
        let found = count(&db, &["--where", query]);
        assert_eq!(count(&db, &["--where", &printed]), found, "{printed}");
        asked += 1;
    }
    assert_eq!(asked, 20);
}
