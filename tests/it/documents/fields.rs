//! docs/json.md has every field of the output, its type, and no other field.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Document, markdown, session::Session};
use crate::{crosstables, prepare_games};

/// Sections of docs/json.md, and commands that show all their fields.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "search",
        &[
            "search e4 --limit 3",
            "search e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 --in-variations",
            "search e4 e5 Nc3 a6 --in-variations",
            "search 8/8/8/8/8/5K2/R7/7k --shift --turn",
            "search rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w --flip --limit 3",
            "search --limit 0",
            "search --player fischer --limit 1",
            "search 22-18 --limit 1",
            "search move:Bxh7",
            "search --explain move:Bxh7 kg8",
            "search e4 --player fischer --group-by white",
            "search e4 --group-by year --limit 2",
            "search e4 --group-by opening,result --limit 2",
            "search similar:startpos variant:chess --limit 2",
        ],
    ),
    (
        "tree",
        &[
            "tree",
            "tree --min-elo 1",
            "tree --variant othello",
            "tree --white fischer",
            "tree 22-18",
            "tree --depth 9 --min-games 1",
        ],
    ),
    (
        "novelty",
        &["novelty --player fischer", "novelty --limit 0"],
    ),
    (
        "report",
        &[
            "report",
            "report e4 --since 1900",
            "report 22-18",
            "report d3 --variant othello",
        ],
    ),
    (
        "structure",
        &[
            "structure french",
            "structure e4 e5",
            "structure RvR",
            "structure Pd4,e5 pd5,e6",
            "structure M31 m20 --variant frisian,international,breakthrough,frysk,antidraughts",
        ],
    ),
    (
        "crosstable",
        &[
            "crosstable Kettle Cup",
            "crosstable World Championship",
            "crosstable League of teams",
            "crosstable Reed Open --assume-bye 1/2",
            "crosstable Reed Open --round 2",
        ],
    ),
    (
        "prepare",
        &[
            "prepare fischer --against spassky --explain",
            "prepare Quill, Q",
            "prepare Tal, Mikhail",
            "prepare Anna Amber --you black",
            "prepare fischer --repertoire sample-data/pgn/classics.pgn --you white",
            "prepare Tempo, T",
            "prepare Opponent, O",
        ],
    ),
    (
        "repertoire",
        &[
            "repertoire sample-data/pgn/classics.pgn",
            "repertoire sample-data/pgn/setup.pgn --side black",
            "repertoire transposed.pgn --side white",
        ],
    ),
    (
        "repertoire --by-game",
        &[
            "repertoire sample-data/pgn/classics.pgn --by-game --side white",
            "repertoire transposed.pgn --by-game --side white",
            "repertoire transposed.pgn --by-game --side white --player fischer",
        ],
    ),
    (
        "show",
        &[
            "show 1 --ply 3",
            "show 41",
            "show 56",
            "show 58",
            "show 59",
            "show 2",
            "show 91 --ply 0",
            "show 115",
            "show 116",
            "show 117",
            "show 139",
            "show 139 --ply 3.1/4",
            "show 139 --format tree",
            "show 2 --format tree",
        ],
    ),
    (
        "import",
        &[
            "import sample-data deutsch.pgn refused.pgn unread.pgn close.txt parts.pgn bots.pgn",
            "import --strict unread.pgn wrong.pgn",
            "import --list-missing synced",
            "import --restore-deleted erased.pgn",
        ],
    ),
    (
        "players, events, sites",
        &["players --limit 0", "events --limit 3"],
    ),
    (
        "diagnostics",
        &["diagnostics --import all", "diagnostics --import 1"],
    ),
    ("info", &["info"]),
    ("check", &["check", "check --repair repaired.db"]),
    (
        "reread",
        &[
            "reread 1",
            "reread sample-data/pdn/kinds.pdn --variant international",
            "reread sample-data/pdn/kinds.pdn",
            "reread --eval-side white sample-data/pdn/kinds.pdn",
        ],
    ),
    ("reindex", &["reindex"]),
    (
        "perft",
        &[
            "perft --depth 1 --divide",
            "perft --variant thai --depth 1 --divide",
        ],
    ),
    (
        "moves",
        &["moves e4", "moves 32-28 19-23", "moves f3 e5 g4 Qh4"],
    ),
    ("eco", &["eco e4 c5", "eco e4 c5 a3 a6 h3 h6", "eco B90"]),
    (
        "convert",
        &[
            "convert e4",
            "convert 8/8/8/8/8/5K2/T7/7k",
            "convert 32-28",
            "convert (8/8/8/8/8/5K2/R7/7k) (2+1) #2",
        ],
    ),
    ("variants", &["variants", "variants frisian"]),
    ("merge", &["merge --duplicates keep other.db"]),
    ("dedupe", &["dedupe --yes"]),
    ("edit", &["edit 92 --tag Round=9"]),
    (
        "delete",
        &[
            "delete --games 1",
            "delete 22-18",
            "delete --player fischer",
            "delete --games 93 --yes",
        ],
    ),
    ("log, undo", &["undo 3", "log"]),
    ("optimize", &["optimize"]),
];

/// A game with what no sample has: ratings, an unknown word, and a comment to the end of a line.
const RATED: &str = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n\n\
                     1. e4 {a} e5 zzz ; b\n2. Nf3 $1 ({c} 2. Nc3 a6) Nc6 {[%clk 0:05:00] [%eval 0.3,18]} \
                     3. Bc4 {[%emt 0:00:03] [%egt 0:00:07] [%eval #-3]} d6 {[%mct 17:10:42]} \
                     4. d3 {[%timestamp 12] [%csl Gd5] [%cal Gf3e5]} a6 {mt=1500, tl=90000} 1-0\n";

/// Names that fit each other, and an ID.
const NAMED: &str = "[White \"Meyer, Paul\"]\n[WhiteFideId \"4600001\"]\n[WhiteElo \"2400\"]\n[Date \"2001.01.01\"]\n\n1. e3 *\n\n\
                     [White \"Meyer, Peter\"]\n[Date \"2001.01.01\"]\n\n1. d3 *\n\n\
                     [White \"Meyer,P\"]\n[Date \"2001.01.01\"]\n\n1. c3 *\n";

/// A game in another language than English.
const GERMAN: &str = "[White \"A\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lxc6 dxc6 1-0\n";

/// Matches of teams, and a game that was forfeited.
const LEAGUE: &str = "[Event \"League of teams\"]\n[White \"A\"]\n[Black \"B\"]\n[Round \"1.1\"]\n\
                      [WhiteTeam \"C\"]\n[BlackTeam \"D\"]\n\n1. e4 e5 1-0\n\n\
                      [Event \"League of teams\"]\n[White \"E\"]\n[Black \"F\"]\n[Round \"1.2\"]\n\
                      [WhiteTeam \"D\"]\n[BlackTeam \"C\"]\n[Termination \"forfeit\"]\n\n1-0\n";

/// A player with all figures: rated opponents, another first move of late, with which all games
/// are won, and others who do not play it.
fn quill() -> String {
    let game = |white: &str, (date, moves, result): (&str, &str, &str)| {
        format!(
            "[White \"{white}\"]\n[Black \"Rook, R\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\
             [WhiteElo \"2000\"]\n[BlackElo \"2000\"]\n\n{moves} {result}\n\n"
        )
    };
    let before = game("Quill, Q", ("2005.01.01", "1. e4 e5", "0-1")).repeat(30);
    let late = game("Quill, Q", ("2010.01.01", "1. b3 e5", "1-0")).repeat(25);
    let others = game("Knight, K", ("2010.01.01", "1. d4 d5", "1/2-1/2")).repeat(60);
    before + &late + &others
}

/// Lines that games come to in another order.
const TRANSPOSED: &str = "[White \"A\"]\n\n1. e4 Nc6 2. Nf3 e5 *\n\n\
                          [White \"B\"]\n\n1. e4 e5 2. Nf3 d6 *\n";

/// A game, and its first moves.
fn parts() -> String {
    let game = |moves: usize| {
        let knights = "Nf3 Nf6 Ng1 Ng8 ".repeat(moves);
        format!("[White \"A\"]\n[Black \"B\"]\n[Date \"2001.01.01\"]\n\n{knights}*\n\n")
    };
    game(6) + &game(7)
}

/// A game whose evaluations may have either side's view.
const EVALUATED: &str = "1. e4 {[%eval 31,19]} e5 *\n";

/// A text of which half is EPD, and the other half is not.
const CLOSE_CALL: &str =
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4;\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,two\n";

/// Objects whose names are data.
const MAPS: &[&str] = &["formats", "ties", "sql"];

/// The type of a value, as the document names it.
const fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Notes the types of all fields in a value.
fn gather(value: &Value, found: &mut BTreeMap<String, BTreeSet<&'static str>>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| gather(value, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                found
                    .entry(name.clone())
                    .or_default()
                    .insert(type_of(value));
                if !MAPS.contains(&name.as_str()) {
                    gather(value, found);
                }
            }
        }
        _ => {}
    }
}

/// The names in quotes within the code of a text: fields of an object that has no table.
fn quoted(text: &str) -> Vec<String> {
    let code = markdown::code(text).join(" ");
    code.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn fields_are_documented() {
    let (session, empty) = (Session::imported(), Session::empty());
    std::fs::write(session.path("rated.pgn"), RATED).expect("a file");
    std::fs::write(empty.path("deutsch.pgn"), GERMAN).expect("a file");
    std::fs::write(empty.path("refused.pgn"), "BZh91AY&SY").expect("a file");
    std::fs::write(
        empty.path("unread.pgn"),
        "[White \"A\"]\n\n1. q9w9 w7e3 *\n",
    )
    .expect("a file");
    std::fs::write(empty.path("close.txt"), CLOSE_CALL).expect("a file");
    std::fs::write(empty.path("bots.pgn"), EVALUATED).expect("a file");
    std::fs::write(empty.path("parts.pgn"), parts()).expect("a file");
    std::fs::write(empty.path("wrong.pgn"), "[White \"B\"]\n\n1. e5 *\n").expect("a file");
    std::fs::write(session.path("named.pgn"), NAMED).expect("a file");
    std::fs::write(session.path("transposed.pgn"), TRANSPOSED).expect("a file");
    std::fs::write(session.path("league.pgn"), LEAGUE).expect("a file");
    std::fs::write(session.path("timed.pgn"), prepare_games::timed()).expect("a file");
    std::fs::write(session.path("quill.pgn"), quill()).expect("a file");
    std::fs::write(session.path("reed.pgn"), crosstables::open()).expect("a file");
    let printed = session
        .run("plydex import rated.pgn named.pgn league.pgn reed.pgn quill.pgn timed.pgn --duplicates keep");
    assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    let printed = session.run("plydex --db other.db import rated.pgn");
    assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    // A source that is gone when its findings are shown.
    std::fs::write(session.path("gone.pgn"), "[White \"C\"]\n\n1. e5 *\n").expect("a file");
    let printed = session.run("plydex import gone.pgn");
    assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    std::fs::remove_file(session.path("gone.pgn")).expect("it was there");
    // A folder of which a file was renamed.
    std::fs::create_dir(empty.path("synced")).expect("a folder");
    std::fs::write(empty.path("synced/old.pgn"), "[White \"D\"]\n\n1. g4 *\n").expect("a file");
    let printed = empty.run("plydex import synced");
    assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    // A game that was deleted.
    std::fs::write(empty.path("erased.pgn"), "[White \"E\"]\n\n1. h4 *\n").expect("a file");
    for command in ["import erased.pgn", "delete --games 2 --yes"] {
        let printed = empty.run(&format!("plydex {command}"));
        assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    }
    std::fs::rename(empty.path("synced/old.pgn"), empty.path("synced/new.pgn")).expect("a file");
    let mut document = Document::open("docs/json.md");
    for (section, commands) in SECTIONS {
        let lines = markdown::section(&document.lines, section);
        let mut documented: BTreeMap<String, (usize, Option<String>)> = BTreeMap::new();
        // Names that stand in quotes may be of an object anywhere in the answer.
        for line in lines.clone() {
            for name in quoted(&document.lines[line]) {
                documented.insert(name, (line, None));
            }
        }
        for table in markdown::tables(&document.lines) {
            let is_here = lines.contains(&table.lines.start);
            // The lines of a report have a test of their own.
            if !is_here || !table.columns[0].starts_with("field") || table.is_below("Findings") {
                continue;
            }
            for (row, cells) in table.rows.iter().enumerate() {
                for name in markdown::code(&cells[0]) {
                    documented.insert(name.to_owned(), (table.line(row), Some(cells[1].clone())));
                }
            }
        }
        let mut found = BTreeMap::new();
        for command in *commands {
            let session = if *section == "import" {
                &empty
            } else {
                &session
            };
            gather(&session.json(command), &mut found);
        }
        compare(&mut document, section, &documented, &found);
    }
    document.close();
}

fn compare(
    document: &mut Document,
    section: &str,
    documented: &BTreeMap<String, (usize, Option<String>)>,
    found: &BTreeMap<String, BTreeSet<&'static str>>,
) {
    for (name, (line, types)) in documented {
        let Some(there) = found.get(name) else {
            document.wrong(*line, format!("no output of `{section}` has `{name}`"));
            continue;
        };
        let Some(types) = types else { continue };
        for kind in there {
            if !types
                .split(|c: char| !c.is_alphabetic())
                .any(|word| word == *kind)
            {
                document.wrong(*line, format!("`{name}` is {kind} at times, not {types}"));
            }
        }
        for word in ["text", "number", "bool", "array", "object"] {
            if types.split(' ').next() == Some(word) && !there.contains(word) {
                document.wrong(*line, format!("`{name}` is never {word} in the samples"));
            }
        }
    }
    for name in found.keys() {
        if !documented.contains_key(name) {
            document.wrong(
                0,
                format!("`{section}` has a field `{name}`, of which nothing is said"),
            );
        }
    }
}

#[test]
fn findings_of_a_report_are_documented() {
    let session = Session::empty();
    let printed = session.run("plydex import sample-data --report findings.ndjson");
    assert_eq!(printed.status, Some(0), "{:?}", printed.lines);
    let report = std::fs::read_to_string(session.path("findings.ndjson")).expect("a report");
    let mut found = BTreeMap::new();
    for line in report.lines() {
        gather(&serde_json::from_str(line).expect("JSON"), &mut found);
    }
    let mut document = Document::open("docs/json.md");
    let mut documented = BTreeMap::new();
    for table in markdown::tables(&document.lines) {
        if table.is_below("Findings") {
            for (row, cells) in table.rows.iter().enumerate() {
                for name in markdown::code(&cells[0]) {
                    documented.insert(name.to_owned(), (table.line(row), Some(cells[1].clone())));
                }
            }
        }
    }
    compare(&mut document, "import --report", &documented, &found);
    document.close();
}

/// The columns of CSV are fields of JSON.
#[test]
fn columns_of_csv_are_documented() {
    let session = Session::imported();
    let mut document = Document::open("docs/json.md");
    for (section, command) in [
        ("search", "plydex search e4"),
        ("tree", "plydex tree e4"),
        ("novelty", "plydex novelty"),
        ("crosstable", "plydex crosstable Kettle Cup"),
        (
            "repertoire",
            "plydex repertoire sample-data/pgn/classics.pgn",
        ),
        (
            "repertoire --by-game",
            "plydex repertoire sample-data/pgn/classics.pgn --by-game --side white",
        ),
        ("players, events, sites", "plydex players"),
        ("players, events, sites", "plydex players --spellings"),
    ] {
        let lines = markdown::section(&document.lines, section);
        let text = document.lines[lines.clone()].join("\n");
        let csv = session.run(&format!("{command} --format csv")).lines;
        for name in csv[0].split(',') {
            if !text.contains(&format!("`{name}`")) && !text.contains(&format!("\"{name}\"")) {
                document.wrong(
                    lines.start,
                    format!("the CSV of `{section}` has a column `{name}`"),
                );
            }
        }
    }
    document.close();
}
