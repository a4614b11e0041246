//! Databases in which any value of any column is what no import writes: a named error
//! or a problem of `check`, never a panic, a loop without end or room for nothing.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
};

use {
    crate::support::{Base, one_in, sqlite},
    plydex::{
        base::observe::{CancellationToken, NullObserver},
        cli::error::CliError,
        database::{
            AccessPlan, CheckReport, Database, Error, GameConditions, ImportOptions, MoveNotation,
            TreeDepth,
        },
        games::position_input::{self, ExpectedVariants},
        import,
        query::{
            GameCondition, NameField, Page, PositionQuery, PositionText, SortKey, TagQuery,
            TreeOrder,
        },
        store::Store,
    },
};

/// Games with all that fills a column: names, ratings, a set-up, variations, findings,
/// repeated values, draughts, a record without a name.
const GAMES: &str = r#"[Event "A"]
[Site "S"]
[Date "2020.01.02"]
[Round "1"]
[White "W"]
[Black "B"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]
[ECO "B20"]
[Opening "Sicilian"]

1. e4 c5 (1... e5 2. Nf3) 2. Nf3 { x } d6 $1 1-0

[Event "A"]
[Opening "Sicilian"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 Kd7 2. Qh5 *

[Event "D"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 *
"#;

/// With something in every column.
const PROBLEMS: &str = "---
algebraic: {white: [Kf3, Ra2, Nd4], black: [Kh1]}
authors: [Anna]
source: {name: S, volume: 1, issue: 2, problemid: 3, date: 2026}
title: T
award: A
stipulation: '#2'
intended-solutions: 1
options: [SetPlay]
conditions: [Circe]
keywords: [Echo]
twins: {b: Move a2 a3}
---
algebraic: {white: [Kf3, Ra2], black: [Kh1]}
authors: [Anna, Ben]
stipulation: '#2'
solution: 1.Kg3! Kg1 2.Ra1#
";

fn database(folder: &Path) -> std::path::PathBuf {
    let db = folder.join("hostile.db");
    let (games, lines) = (folder.join("games.pgn"), folder.join("lines.epd"));
    // Enough of a kind for a position to have a list of its own.
    let more = "1. e4 c5 *\n\n".repeat(plydex::index::SegmentThresholds::SMALL.popular_min);
    std::fs::write(&games, format!("{GAMES}\n{more}")).expect("a file");
    std::fs::write(&lines, "4k3/8/8/8/8/8/4P3/4K3 b - -\n").expect("a file");
    let store = Store::create_or_open(&db, &CancellationToken::default()).expect("a database");
    let problems = folder.join("problems.olv");
    std::fs::write(&problems, PROBLEMS).expect("a file");
    let paths = [games, lines, problems];
    import::import(&store, &paths, ImportOptions::default(), &NullObserver).expect("an import");
    drop(store);
    // Whoever writes a hostile file is bound by no schema.
    let connection = sqlite(&db);
    connection
        .execute_batch(
            "PRAGMA writable_schema = 1;
             UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table';",
        )
        .expect("another schema");
    db
}

/// Every column of every table.
fn columns(db: &Path) -> Vec<(String, String)> {
    let connection = sqlite(db);
    let mut statement = connection
        .prepare(
            "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
             WHERE t.type = 'table'",
        )
        .expect("a statement");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let columns: Result<Vec<_>, _> = rows.expect("rows").collect();
    columns.expect("columns")
}

/// Asks everything; what is said in errors, and what the check found.
fn ask_everything(db: &Path, pgn: Option<&Path>) -> (Vec<String>, CheckReport) {
    let mut said = Vec::new();
    let mut note = |result: Result<(), String>| said.extend(result.err());
    let told = |error: Error| CliError::from(error).to_string();
    let database = Database::at(db);
    let checked = database.check();
    let report = checked.as_ref().cloned().unwrap_or_default();
    note(checked.map(drop).map_err(told));
    match database.snapshot() {
        Err(error) => note(Err(told(error))),
        Ok(snapshot) => {
            note(snapshot.info().map(drop).map_err(told));
            let position = position_input::read_position("e4 c5", &ExpectedVariants::default())
                .expect("a position")
                .at;
            let position = PositionQuery {
                in_variations: true,
                ..PositionQuery::of(position)
            };
            let tag = |name: &str| TagQuery {
                name: name.to_owned(),
                text: "i".to_owned(),
                is_whole: false,
            };
            let filters = [
                GameConditions::default(),
                GameConditions::of([
                    GameCondition::white("w"),
                    GameCondition::Name(NameField::Event, "a".to_owned()),
                ]),
                GameConditions::of(["Opening", "Site"].map(|name| GameCondition::Tag(tag(name)))),
                GameConditions::of([GameCondition::Start(PositionText::of(position.clone()))]),
            ];
            for (at, filter) in filters.into_iter().enumerate() {
                let keys = [SortKey::Id, SortKey::White, SortKey::Date, SortKey::Event];
                for position in [None, Some(position.clone())] {
                    let query = AccessPlan {
                        position,
                        conditions: filter.clone(),
                        page: Page {
                            sort: keys[at],
                            ..Page::default()
                        },
                        ..AccessPlan::default()
                    };
                    let found = snapshot.search(&query, MoveNotation::default());
                    note(found.map(drop).map_err(told));
                }
            }
            let language = MoveNotation::default().language;
            let depth = TreeDepth {
                plies: 1,
                order: TreeOrder::default(),
                percent_min: 0,
            };
            let asked = (&position, &GameConditions::default(), None);
            let tree = snapshot.deep_tree(asked, depth, language, &NullObserver);
            note(tree.map(drop).map_err(told));
            let query = AccessPlan::default();
            let exported = snapshot.each_game(&query, MoveNotation::default(), &mut |_, record| {
                plydex::pgn::writer::write(&record?.game, &mut String::new());
                Ok::<_, Error>(())
            });
            note(exported.map(drop).map_err(told));
            let mut games = snapshot.reader(MoveNotation::default());
            for id in (1..=5).chain([1 << 62]) {
                note(games.game(id).map(drop).map_err(|error| error.to_string()));
                note(snapshot.provenance(id).map(drop).map_err(told));
                let board = games.board_at(id, None);
                note(board.map(drop).map_err(|error| error.to_string()));
            }
        }
    }
    let Some(pgn) = pgn else {
        return (said, report);
    };
    let options = ImportOptions {
        threads: Some(1),
        ..ImportOptions::default()
    };
    note(database.import([pgn], &options).map(drop).map_err(told));
    (said, report)
}

#[test]
fn any_value_in_any_column_is_an_error_in_our_words() {
    let base = Base::new();
    let folder = base.folder();
    let db = database(folder);
    let whole = std::fs::read(&db).expect("a file");
    let more = folder.join("more.pgn");
    std::fs::write(&more, "[White \"N\"]\n\n1. d4 *\n").expect("a file");
    let (said, report) = ask_everything(&db, Some(&more));
    assert_eq!(said, Vec::<String>::new());
    let schema = |problem: &&String| !problem.ends_with(" is not as plydex makes it");
    assert_eq!(report.problems.iter().find(schema), None);
    let mut wrong = Vec::new();
    for (nth, (table, column)) in columns(&db).into_iter().enumerate() {
        let values = [
            "-1",
            "9223372036854775807",
            "4294967295",
            "'x'",
            "x'ff'",
            "NULL",
        ];
        let others = one_in(3);
        for value in values.into_iter().skip(nth % others).step_by(others) {
            std::fs::write(&db, &whole).expect("a file");
            let connection = sqlite(&db);
            let sql = format!(
                "UPDATE \"{table}\" SET \"{column}\" = {value} \
                 WHERE \"{column}\" IS (SELECT \"{column}\" FROM \"{table}\" LIMIT 1)"
            );
            connection
                .pragma_update(None, "foreign_keys", false)
                .expect("a pragma");
            // Numbers of rows are numbers whoever writes them, and each is there once; and some
            // tables are empty.
            if !matches!(connection.execute(&sql, []), Ok(1..)) {
                continue;
            }
            drop(connection);
            let case = format!("{table}.{column} = {value}");
            // Imports go on from numbers; what they read besides is asked for by all.
            let more = value.ends_with(char::is_numeric).then_some(more.as_path());
            let asked = catch_unwind(AssertUnwindSafe(|| ask_everything(&db, more)));
            let Ok((said, report)) = asked else {
                wrong.push(format!("{case}: panics"));
                continue;
            };
            // Words that are not ours, and errors that say nothing of damage.
            let foreign = [
                "column type",
                "at index",
                "SQLite",
                "rror code",
                "constraint",
            ];
            for text in said.iter().chain(&report.problems) {
                if foreign.iter().any(|word| text.contains(word)) {
                    wrong.push(format!("{case}: {text}"));
                }
            }
            let may_be = match (&table[..], &column[..], value) {
                // Texts may say anything, but for those that are lists.
                (_, "names" | "extra", _) => false,
                (
                    _,
                    "name" | "round" | "variant_by" | "fen" | "canonical" | "code" | "detail"
                    | "value" | "diagram",
                    _,
                )
                | ("import", "started_at" | "finished_at" | "program", _) => {
                    value != "x'ff'" || table == "source"
                }
                ("start_position", "board_key" | "state", _)
                | (
                    "import" | "diagnostic" | "diagnostic_count" | "source_chunk",
                    _,
                    "4294967295",
                )
                | ("source" | "variant" | "text", "id", "4294967295") => true,
                _ => value == "NULL",
            };
            if report.problems.is_empty() && said.is_empty() && !may_be {
                wrong.push(format!("{case}: nobody notices"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
