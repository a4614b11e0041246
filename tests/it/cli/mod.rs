//! The program from end to end, on the sample data.

mod languages;
mod mistakes;
mod rules;
mod snapshots;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
    sync::LazyLock,
};

use rusqlite::{Connection, types::Value as Cell};
use serde_json::Value;

use crate::support::{Base, Ran, plydex, root, run};

/// Games in the sample data.
const GAMES: usize = 138;

/// One database of the sample data, made once and only read.
static SAMPLE: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("sample.db");
    let ran = run(&db, &["import", sample_data().to_str().expect("UTF-8")]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    (folder, db)
});

fn sample_data() -> PathBuf {
    root().join("sample-data")
}

/// The database of the sample data.
pub(super) fn db() -> &'static Path {
    &SAMPLE.1
}

/// Runs a command that must find something.
pub(super) fn ok(args: &[&str]) -> String {
    let ran = run(db(), args);
    assert_eq!(ran.status, Some(0), "{args:?}: {ran:?}");
    ran.out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&ok(args)).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

#[test]
fn exit_statuses_are_those_of_grep() {
    let out = db().with_file_name("out.pgn");
    let out = out.to_str().expect("UTF-8");
    let cases: &[(i32, &[&str])] = &[
        (0, &["search", "e4"]),
        (1, &["search", "h4", "h5", "Rh3"]),
        (1, &["search", "--white", "nobody of that name"]),
        (
            1,
            &[
                "search",
                "--white",
                "nobody of that name",
                "--format",
                "json",
            ],
        ),
        (0, &["search", "--count"]),
        (1, &["search", "h4", "h5", "Rh3", "--count"]),
        (2, &["search", "e5"]),
        (2, &["search", "--result", "3-0"]),
        (2, &["search", "--sort", "beauty"]),
        (2, &["search", "--format", "xml"]),
        (2, &["search", "--min-elo", "2000", "--max-elo", "1000"]),
        (0, &["tree"]),
        (1, &["tree", "h4", "h5", "Rh3"]),
        (2, &["tree", "Ke3"]),
        (0, &["show", "1"]),
        (1, &["show", "4711"]),
        (2, &["show", "0"]),
        (2, &["show", "one"]),
        (0, &["export", "--limit", "1"]),
        (1, &["export", "h4", "h5", "Rh3"]),
        (0, &["export", "--output", out]),
        (2, &["export", "--output", "/nowhere/at/all.pgn"]),
        (0, &["info"]),
        (0, &["check"]),
        (0, &["perft", "--depth", "2"]),
        (2, &["perft", "not a position", "--depth", "2"]),
        (2, &["perft"]),
        (2, &["frobnicate"]),
        (2, &[]),
        (0, &["--help"]),
        (0, &["--version"]),
    ];
    let mut wrong = Vec::new();
    for (status, args) in cases {
        let ran = run(db(), args);
        if ran.status != Some(*status) {
            wrong.push(format!("{args:?}: expected {status}: {ran:?}"));
        }
        if *status == 2 && (!ran.out.is_empty() || ran.err.is_empty()) {
            wrong.push(format!("{args:?}: trouble goes to standard error: {ran:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_format_tells_the_same() {
    for query in [
        &["search", "e4", "e5"][..],
        &["search", "--white", "fischer"],
        &["search"],
    ] {
        let with = |format| [query, &["--limit", "0", "--format", format]].concat();
        let count: usize = ok(&[query, &["--count"]].concat())
            .trim()
            .parse()
            .expect("a number");
        let whole = json(&with("json"));
        let hits = whole["hits"].as_array().expect("a list");
        assert_eq!(
            (whole["total"].as_u64(), hits.len()),
            (Some(count as u64), count)
        );

        let lines = ok(&with("ndjson"));
        let lines: Vec<Value> = lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(&lines, hits);

        let table = ok(&with("csv"));
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let names = reader.headers().expect("headings").clone();
        let rows: Vec<csv::StringRecord> =
            reader.records().collect::<Result<_, _>>().expect("rows");
        assert_eq!(rows.len(), count);
        for (row, hit) in rows.iter().zip(hits) {
            for (name, cell) in names.iter().zip(row) {
                let value = match name.strip_prefix("opening_") {
                    Some(part) => &hit["opening"][part],
                    None => &hit[name],
                };
                let text = match value {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    Value::Array(names) => {
                        let names = names.iter().filter_map(Value::as_str);
                        names.collect::<Vec<_>>().join(" & ")
                    }
                    other => other.to_string(),
                };
                // What a spreadsheet would take for a formula.
                let cell = match cell.strip_prefix('\'') {
                    Some(rest) if rest.starts_with(['=', '+', '-', '@']) => rest,
                    _ => cell,
                };
                assert_eq!(cell, text, "{name}");
            }
        }

        let games = Base::of(ok(&with("pgn")).as_bytes()).games();
        assert_eq!(games.len(), count);
        for (game, hit) in games.iter().zip(hits) {
            assert_eq!(game.header.white, hit["white"].as_str().expect("a name"));
            assert_eq!(
                u64::from(game.header.plies),
                hit["plies"].as_u64().expect("plies")
            );
        }
        let export: Vec<&str> = ["export"].iter().chain(&query[1..]).copied().collect();
        assert_eq!(ok(&export), ok(&with("pgn")));
    }
}

#[test]
fn pages_make_up_the_whole() {
    for query in [
        &["search", "e4"][..],
        &["search", "e4", "--sort", "date:desc"],
        &["search", "--sort", "white"],
        &["search", "--sort", "eco:desc"],
        &["search", "--sort", "result"],
    ] {
        let whole = json(&[query, &["--limit", "0", "--format", "json"]].concat());
        let whole = whole["hits"].as_array().expect("a list");
        for limit in [1, 7, 50] {
            let mut pages = Vec::new();
            for offset in (0..whole.len()).step_by(limit) {
                let (limit, offset) = (limit.to_string(), offset.to_string());
                let page: &[&str] = &["--limit", &limit, "--offset", &offset, "--format", "json"];
                let page = json(&[query, page].concat());
                assert_eq!(page["total"].as_u64(), Some(whole.len() as u64));
                pages.extend(page["hits"].as_array().expect("a list").clone());
            }
            assert_eq!(&pages, whole, "{query:?} by {limit}");
            if limit == 7 && query.len() < 3 {
                break;
            }
        }
    }
}

#[test]
fn json_has_the_documented_fields() {
    let fields = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let documented = std::fs::read_to_string(root().join("docs/json.md")).expect("docs");
    let search = json(&["search", "e4", "--limit", "1", "--format", "json"]);
    let show = json(&["show", "1", "--ply", "3", "--format", "json"]);
    let tree = json(&["tree", "--format", "json"]);
    let objects = [
        &search,
        &search["hits"][0],
        &show,
        &show["position"],
        &tree,
        &tree["moves"][0],
        &json(&["info", "--format", "json"]),
        &json(&["check", "--format", "json"]),
        &json(&["perft", "--depth", "1", "--divide", "--format", "json"]),
    ]
    .map(fields);
    for name in objects.iter().flatten() {
        let told = documented.contains(&format!("`{name}`"))
            || documented.contains(&format!("\"{name}\""));
        assert!(told, "docs/json.md does not tell of {name}");
    }
    assert_eq!(show["position"]["ply"], 3);
    assert_eq!(json(&["info", "--format", "json"])["games"], GAMES);
}

#[test]
fn elo_sorts_games_with_both_ratings_and_puts_the_others_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let (db, pgn) = (folder.path().join("a.db"), folder.path().join("a.pgn"));
    let mut text = String::new();
    for (white, black) in [
        ("2800", "?"),
        ("2000", "2100"),
        ("?", "?"),
        ("2300", "2200"),
    ] {
        writeln!(
            text,
            "[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n1. e4 *\n"
        )
        .expect("memory");
    }
    std::fs::write(&pgn, text).expect("a file");
    let ran = run(&db, &["import", pgn.to_str().expect("UTF-8")]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    for (key, order) in [("elo", [2, 4, 1, 3]), ("elo:desc", [4, 2, 1, 3])] {
        let ran = run(&db, &["search", "--sort", key, "--format", "json"]);
        let found: Value = serde_json::from_str(&ran.out).expect("JSON");
        let hits = found["hits"].as_array().expect("hits");
        let games: Vec<_> = hits.iter().filter_map(|hit| hit["id"].as_u64()).collect();
        assert_eq!(games, order, "{key}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = plydex(db(), &["export"]).spawn().expect("the program runs");
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().expect("an end").into();
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn nothing_is_coloured_in_a_pipe_or_when_told_so() {
    for args in [
        &["search", "e4"][..],
        &["tree"],
        &["show", "1", "--ply", "2"],
        &["info"],
    ] {
        assert!(!ok(args).contains('\u{1b}'), "{args:?}");
        let forced = ok(&[args, &["--color", "always"]].concat());
        assert!(forced.contains('\u{1b}'), "{args:?}");
        let obeyed = plydex(db(), args).env("NO_COLOR", "1").output();
        let obeyed: Ran = obeyed.expect("the program runs").into();
        assert!(!obeyed.out.contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn control_characters_of_tags_reach_no_screen() {
    let base = Base::of(
        "[White \"Mal\u{1b}[31mory\u{7}\"]\n[Event \"a\u{202e}b\"]\n\n1. e4 {\u{1b}]0;x\u{7}} *\n"
            .as_bytes(),
    );
    let db = base.store.path();
    for args in [&["search"][..], &["search", "e4"], &["show", "1"]] {
        let ran = run(db, args);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let bad = |c: char| matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}');
        assert!(!ran.out.contains(bad), "{args:?}: {ran:?}");
    }
    let kept = run(db, &["search", "--format", "json"]).out;
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(kept["hits"][0]["white"], "Mal\u{1b}[31mory\u{7}");
}

#[test]
fn the_database_is_named_by_option_variable_or_folder() {
    let by_variable = std::process::Command::new(env!("CARGO_BIN_EXE_plydex"))
        .args(["search", "--count"])
        .env("PLYDEX_DB", db())
        .output()
        .expect("the program runs");
    assert_eq!(Ran::from(by_variable).out.trim(), GAMES.to_string());
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(db(), folder.path().join("plydex.db")).expect("a copy");
    let by_folder = std::process::Command::new(env!("CARGO_BIN_EXE_plydex"))
        .args(["search", "--count"])
        .env_remove("PLYDEX_DB")
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert_eq!(Ran::from(by_folder).out.trim(), GAMES.to_string());
}

#[test]
fn quiet_leaves_data_alone() {
    let ran = run(db(), &["search", "e4", "-q"]);
    assert_eq!(ran.err, "");
    assert!(!ran.out.is_empty());
}

#[test]
fn findings_are_reported_as_the_summary_counts_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.ndjson");
    let (db, data) = (folder.path().join("games.db"), sample_data());
    let [report_name, data] = [&report, &data].map(|path| path.to_str().expect("UTF-8"));
    let args = ["import", data, "--report", report_name, "--format", "json"];
    let ran = run(&db, &args);
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for line in std::fs::read_to_string(&report).expect("a report").lines() {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        *counted
            .entry(finding["code"].as_str().expect("a code").to_owned())
            .or_default() += 1;
    }
    let summed: BTreeMap<String, u64> = summary["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| {
            (
                row["code"].as_str().expect("a code").to_owned(),
                row["count"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(counted, summed);
}

/// Every row of every table, but for the times of the imports.
fn dump(db: &Path) -> BTreeMap<String, Vec<Vec<Cell>>> {
    let connection = Connection::open(db).expect("a database");
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .expect("a statement");
    let names: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .expect("names")
        .collect::<Result<_, _>>()
        .expect("names");
    let rows_of = |name: &String| {
        let what = match &name[..] {
            "import" => "id, seen, stored, duplicate, rejected",
            // Its number is random.
            "identity" => "id",
            "change" => "id, kind, what, import, undoes, is_done, is_final",
            _ => "*",
        };
        let mut rows = connection
            .prepare(&format!("SELECT {what} FROM {name}"))
            .expect("a statement");
        let columns = rows.column_count();
        rows.query_map([], |row| (0..columns).map(|at| row.get(at)).collect())
            .expect("rows")
            .collect::<Result<Vec<Vec<Cell>>, _>>()
            .expect("rows")
    };
    names
        .iter()
        .map(|name| (name.clone(), rows_of(name)))
        .collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    // More than one chunk, with deviant files among them.
    let big = folder.path().join("big.pgn");
    std::fs::write(&big, crate::faults::archive(60)).expect("a file");
    let cases = root().join("tests/vectors/pgn_cases");
    let paths = [sample_data(), big, cases];
    let dumps = ["1", "2", "7"].map(|threads| {
        let db = folder.path().join(format!("{threads}.db"));
        let mut args = vec!["import", "--threads", threads];
        args.extend(paths.iter().map(|path| path.to_str().expect("UTF-8")));
        let mut command = plydex(&db, &args);
        let status = command
            .stdout(Stdio::null())
            .status()
            .expect("the program runs");
        assert!(status.success());
        dump(&db)
    });
    for other in &dumps[1..] {
        for (table, rows) in &dumps[0] {
            assert_eq!(rows.len(), other[table].len(), "{table}");
            assert!(
                *rows == other[table],
                "{table} depends on the number of threads"
            );
        }
    }
}
