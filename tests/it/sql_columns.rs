//! Whatever a statement asks of the tables of what is in games, their values are the same: each
//! column alone, with each other and in conditions, and conditions as SQLite filters.

use plydex::{Database, SqlValue, import::ImportOptions};
use rusqlite::{Connection, params_from_iter, types::Value};

use crate::support::{Base, one_in, root};

const TABLES: [&str; 7] = [
    "comments",
    "nags",
    "variations",
    "moves",
    "clocks",
    "evals",
    "results",
];

/// Games with variations in variations, with a pass in check, and words instead of variations.
const NESTED: &str = r#"[White "A"]

{before} 1. e4 {[%clk 1:30:05.5] [%eval 0.31,18] best} e5 $1 (1... c5 $6 2. Nf3 {open} (2. c3 d5
(2... Nf6 {[%emt 0:00:07]} 3. e5)) 2... d6) (1... e6) 2. Nf3 ; to the end
2... Nc6 $14 {[%eval #-3]} 3. Bb5 a6 1-0

[White "B"]

1. d4 d5 {quiet} 2. c4 (2. Nf3 Nf6 3. -- g6) (2. nothing that is read) 2... e6 1/2-1/2

[White "C"]

1. e4 e5 2. Ke2 Qg5 3. Ke1 Qxd2+ 4. -- Qxe1 *

[White "D"]
[FEN "8/P6k/8/8/8/8/8/R3K2R w KQ - 0 1"]

1. a8=N (1. O-O-O Kg7 2. a8=Q) 1... Kg7 2. O-O *
"#;

/// The tables as a statement sees them, and the same in a plain database.
struct Tables {
    _base: Base,
    database: Database,
    plain: Connection,
}

type Row = Vec<SqlValue>;

impl Tables {
    fn new(sources: &[&str]) -> Self {
        let base = Base::new();
        let nested = base.folder().join("nested.pgn");
        std::fs::write(&nested, NESTED).expect("a file");
        let sources = sources.iter().map(|source| root().join(source));
        let sources: Vec<_> = std::iter::once(nested).chain(sources).collect();
        base.import(&sources, ImportOptions::default());
        let database = Database::open(base.store.path()).expect("a database");
        let plain = Connection::open_in_memory().expect("a database");
        let tables = Self {
            _base: base,
            database,
            plain,
        };
        for table in TABLES {
            let types = format!("SELECT name || ' ' || type FROM pragma_table_info('{table}')");
            let columns: Vec<String> = tables.texts(&types);
            let create = format!("CREATE TABLE {table} ({})", columns.join(", "));
            tables.plain.execute_batch(&create).expect("a table");
            for row in tables.rows(&format!("SELECT rowid, * FROM {table}")) {
                let names = tables.columns(table).join(", ");
                let marks = vec!["?"; row.len()].join(", ");
                let insert = format!("INSERT INTO {table} (rowid, {names}) VALUES ({marks})");
                let values = row.into_iter().map(|value| match value {
                    SqlValue::Null => Value::Null,
                    SqlValue::Integer(number) => Value::Integer(number),
                    SqlValue::Real(number) => Value::Real(number),
                    SqlValue::Text(text) => Value::Text(text),
                    SqlValue::Bytes(bytes) => Value::Blob(bytes),
                });
                let inserted = tables.plain.execute(&insert, params_from_iter(values));
                assert_eq!(inserted, Ok(1), "each row has a number of its own");
            }
        }
        tables
    }

    fn rows(&self, statement: &str) -> Vec<Row> {
        let answer = self.database.sql(statement);
        answer
            .unwrap_or_else(|error| panic!("{statement}: {error}"))
            .rows
    }

    fn texts(&self, statement: &str) -> Vec<String> {
        let rows = self.rows(statement).into_iter();
        let texts = rows.map(|mut row| match row.swap_remove(0) {
            SqlValue::Text(text) => text,
            other => panic!("{statement}: {other:?}"),
        });
        texts.collect()
    }

    /// The columns that a table declares.
    fn columns(&self, table: &str) -> Vec<String> {
        self.texts(&format!("SELECT name FROM pragma_table_info('{table}')"))
    }

    fn plain_rows(&self, statement: &str) -> Vec<Row> {
        let mut statement = self.plain.prepare(statement).expect(statement);
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let values = (0..columns).map(|column| row.get(column));
            let values = values.map(|value| {
                Ok(match value? {
                    Value::Null => SqlValue::Null,
                    Value::Integer(number) => SqlValue::Integer(number),
                    Value::Real(number) => SqlValue::Real(number),
                    Value::Text(text) => SqlValue::Text(text),
                    Value::Blob(bytes) => SqlValue::Bytes(bytes),
                })
            });
            values.collect()
        });
        rows.expect("rows").map(|row| row.expect("a row")).collect()
    }

    /// Compares the answer to a statement with that of the plain tables, in any order.
    fn compare(&self, statement: &str) {
        let sorted = |rows: Vec<Row>| {
            let mut rows: Vec<_> = rows.iter().map(|row| format!("{row:?}")).collect();
            rows.sort();
            rows
        };
        let (found, expected) = (self.rows(statement), self.plain_rows(statement));
        assert_eq!(sorted(found), sorted(expected), "{statement}");
    }

    /// The same in the order of the answer, which must be that of the rows.
    fn compare_in_order(&self, statement: &str) {
        let (found, expected) = (self.rows(statement), self.plain_rows(statement));
        assert_eq!(found, expected, "{statement}");
        let plan = self.rows(&format!("EXPLAIN QUERY PLAN {statement}"));
        assert!(
            !format!("{plan:?}").contains("B-TREE"),
            "{statement}: {plan:?}"
        );
    }
}

#[test]
fn each_column_has_the_same_values_alone_and_with_others() {
    let tables = Tables::new(&["sample-data/variants", "sample-data/pdn"]);
    for table in TABLES {
        let columns = tables.columns(table);
        let all = tables.rows(&format!("SELECT * FROM {table}"));
        assert!(all.len() > 1, "{table}");
        for (a, first) in columns.iter().enumerate() {
            let alone = tables.rows(&format!("SELECT {first} FROM {table}"));
            let expected: Vec<Row> = all.iter().map(|row| vec![row[a].clone()]).collect();
            assert!(alone == expected, "{first} of {table}");
            for (b, second) in columns.iter().enumerate() {
                let pair = tables.rows(&format!("SELECT {first}, {second} FROM {table}"));
                let both = |row: &Row| vec![row[a].clone(), row[b].clone()];
                let expected: Vec<Row> = all.iter().map(both).collect();
                assert!(pair == expected, "{first} and {second} of {table}");
            }
            // Read by a condition alone, and in few games.
            let arms = [0, all.len() / 3, all.len() - 1].map(|at| {
                let literal = match &all[at][a] {
                    SqlValue::Null => "NULL".to_owned(),
                    SqlValue::Integer(number) => number.to_string(),
                    SqlValue::Real(number) => format!("{number:?}"),
                    SqlValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
                    SqlValue::Bytes(_) => panic!("bytes in {table}"),
                };
                format!("FROM {table} WHERE {first} IS {literal}")
            });
            let counts = arms.each_ref().map(|arm| format!("SELECT count(*) {arm}"));
            tables.compare(&counts.join(" UNION ALL "));
            let few = arms.map(|arm| format!("SELECT rowid, * {arm} AND game % 3 = 1"));
            tables.compare(&few.join(" UNION ALL "));
        }
    }
}

#[test]
fn conditions_give_what_sqlite_filters() {
    let tables = Tables::new(&["sample-data/variants"]);
    let values = [
        "1",
        "2",
        "4",
        "0",
        "-1",
        "1.5",
        "2.0",
        "'2'",
        "' 2.0 '",
        "'x'",
        "x'02'",
        "NULL",
        "1e300",
        "-1e300",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "-9223372036854775808",
    ];
    for table in ["moves", "comments"] {
        for column in ["game", "ply"] {
            for value in values.into_iter().step_by(one_in(2)) {
                let operators = ["=", "<", "<=", ">", ">=", "<>", "IS"];
                let arms = operators.map(|operator| {
                    format!("SELECT rowid, * FROM {table} WHERE {column} {operator} {value}")
                });
                tables.compare(&arms.join(" UNION ALL "));
                // A value that is known only when the statement runs.
                let arms = operators.map(|operator| {
                    format!(
                        "SELECT t.rowid, t.* FROM v, {table} t WHERE {column} {operator} v.value"
                    )
                });
                let late = format!("WITH v(value) AS MATERIALIZED (VALUES ({value}))");
                tables.compare(&format!("{late} {}", arms.join(" UNION ALL ")));
            }
        }
    }
    for table in TABLES {
        for condition in [
            "game = 1 AND ply = 2",
            "game = 2 AND ply > 2 AND ply <= 4",
            "game BETWEEN 2 AND 4 AND ply < 3",
            "game = 1 AND game = 2",
            "ply = 2 AND ply = 3",
            "ply > 1 AND ply > 2 AND ply > 3 AND ply < 9 AND ply < 8 AND ply < 7 AND game > 0 \
             AND game > 1 AND game < 4",
            "game IN (4, 1, 4) AND ply IN (3, 1, 9)",
            "ply IN (2, NULL)",
            "game IN (SELECT game FROM nags)",
            "ply IN (SELECT ply FROM nags)",
            "game = 1 OR ply = 2",
            "(game = 1 AND ply > 1) OR (game < 3 AND ply = 2)",
            "path = '' AND ply = 3",
            "path <> '' AND game = 1",
            "path = '2.1' AND ply >= 3",
        ] {
            tables.compare(&format!("SELECT rowid, * FROM {table} WHERE {condition}"));
            let counts = format!("SELECT game, count(*), max(ply) FROM {table} WHERE {condition}");
            tables.compare(&format!("{counts} GROUP BY game"));
            let order =
                format!("SELECT game, ply FROM {table} WHERE {condition} ORDER BY game, ply");
            let (found, expected) = (tables.rows(&order), tables.plain_rows(&order));
            assert_eq!(found, expected, "{order}");
        }
        for condition in ["1", "game > 1", "ply < 4 AND ply > 1", "game = 1"] {
            let statement =
                format!("SELECT game, ply FROM {table} WHERE {condition} ORDER BY game, ply");
            tables.compare_in_order(&statement);
            tables.compare_in_order(&format!("{statement} LIMIT 3 OFFSET 2"));
        }
        tables.compare_in_order(&format!(
            "SELECT ply FROM {table} WHERE game = 1 ORDER BY ply"
        ));
        tables.compare_in_order(&format!("SELECT DISTINCT game FROM {table} ORDER BY game"));
        let all = format!("SELECT rowid, * FROM {table}");
        tables.compare(&format!("SELECT * FROM ({all} ORDER BY game, ply)"));
        tables.compare(&format!(
            "SELECT ply, count(*), min(path) FROM {table} GROUP BY ply"
        ));
    }
    for statement in [
        "SELECT c.rowid, m.* FROM comments c JOIN moves m USING (game, path, ply)",
        "SELECT n.rowid, m.uci FROM nags n JOIN moves m ON m.game = n.game AND m.ply > n.ply",
        "SELECT r.game, m.move FROM results r JOIN moves m ON m.game = r.game AND m.ply = r.ply",
        "SELECT v.text, m.move, m.uci FROM variations v JOIN moves m USING (game, path)",
        "SELECT a.rowid, b.move FROM moves a JOIN moves b ON b.game = a.game AND b.ply = a.ply + 1 \
         WHERE a.game < 4",
        "SELECT a.rowid, (SELECT count(*) FROM moves b WHERE b.game = a.game AND b.ply < a.ply) \
         FROM moves a WHERE a.ply IN (1, 4)",
        "SELECT uci, count(*), min(move), max(move) FROM moves WHERE ply <= 2 GROUP BY uci",
        "SELECT move FROM moves WHERE uci LIKE '%q' OR move LIKE '%+' OR uci = '0000'",
    ] {
        tables.compare(statement);
    }
}
