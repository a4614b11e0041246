//! docs/file-format.md has every table, view and column of a database, in order.

use std::collections::BTreeMap;

use rusqlite::{Connection, OpenFlags};

use super::{Document, MEND, markdown, session::Session, writing};

/// Names and columns of tables and views.
type Schema = BTreeMap<String, Vec<String>>;

fn of_database() -> Schema {
    let session = Session::imported();
    let database =
        Connection::open_with_flags(session.path("sample.db"), OpenFlags::SQLITE_OPEN_READ_ONLY)
            .expect("a database");
    let mut tables = database
        .prepare(
            "SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
             WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite_%'
             ORDER BY s.name, c.cid",
        )
        .expect("a query");
    let mut schema = Schema::new();
    let rows = tables
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("rows");
    for row in rows {
        let (table, column): (String, String) = row.expect("a row");
        schema.entry(table).or_default().push(column);
    }
    schema
}

/// What is documented: rows of tables of views and of tables; a name in bold with its
/// columns in parentheses; or with a table of them below.
fn of_document(lines: &[String]) -> (Schema, BTreeMap<String, usize>) {
    let mut schema = Schema::new();
    let mut places = BTreeMap::new();
    let columns = |text: &str| -> Vec<String> {
        let text = markdown::without_asides(text);
        let names = text.split(": ").next().unwrap_or_default();
        markdown::code(names)
            .iter()
            .map(|&name| name.to_owned())
            .collect()
    };
    let tables = markdown::tables(lines);
    for table in &tables {
        if !["view", "table"].contains(&table.columns[0].as_str()) {
            continue;
        }
        for (row, cells) in table.rows.iter().enumerate() {
            for name in markdown::code(&cells[0]) {
                schema.insert(name.to_owned(), columns(&cells[1]));
                places.insert(name.to_owned(), table.line(row));
            }
        }
    }
    for (at, line) in lines.iter().enumerate() {
        let Some((name, rest)) = line
            .strip_prefix("**`")
            .and_then(|line| line.split_once("`**"))
        else {
            continue;
        };
        let inline = rest
            .trim_start()
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'));
        let below = || {
            let table = tables.iter().find(|table| table.lines.start > at)?;
            (table.columns[0] == "column").then(|| {
                table
                    .rows
                    .iter()
                    .flat_map(|cells| columns(&cells[0]))
                    .collect::<Vec<_>>()
            })
        };
        let found = match inline {
            Some((inside, _)) => Some(columns(inside)),
            None if schema.contains_key(name) => None,
            None => below(),
        };
        if let Some(found) = found {
            schema.insert(name.to_owned(), found);
            places.insert(name.to_owned(), at);
        }
    }
    (schema, places)
}

#[test]
fn tables_and_columns_are_documented() {
    let mut document = Document::open("docs/file-format.md");
    let there = of_database();
    let (documented, places) = of_document(&document.lines);
    for (name, columns) in &documented {
        if there.get(name) != Some(columns) {
            let what = match there.get(name) {
                Some(there) => format!("`{name}` has the columns {there:?}, not {columns:?}"),
                None => format!("no table or view `{name}`"),
            };
            document.wrong(places[name], what);
        }
    }
    for (name, columns) in &there {
        if !documented.contains_key(name) {
            document.wrong(
                0,
                format!("nothing about `{name}` with its columns {columns:?}"),
            );
        }
    }
    document.close();
}

/// sample-data/README.md has every file of samples with its number of games.
#[test]
fn samples_are_documented() {
    let rows = Session::imported().query(
        "sample.db",
        "SELECT s.name, sum(c.games + c.repeated) FROM source s JOIN source_chunk c ON c.source = s.id GROUP BY 1",
    );
    let mut there: BTreeMap<&str, &str> = rows
        .iter()
        .filter_map(|row| row.strip_prefix("sample-data/")?.split_once('|'))
        .collect();
    let mut document = Document::open("sample-data/README.md");
    let tables = markdown::tables(&document.lines);
    for (row, cells) in tables[0].rows.iter().enumerate() {
        let (name, line) = (cells[0].trim_matches('`'), tables[0].line(row));
        match there.remove(name) {
            None => document.wrong(line, format!("no file `{name}`")),
            Some(games) if games == cells[1] => {}
            Some(games) if writing() => {
                let mut cells = cells.clone();
                games.clone_into(&mut cells[1]);
                document.replace(line..line + 1, vec![format!("| {} |", cells.join(" | "))]);
            }
            Some(games) => document.wrong(line, format!("`{name}` has {games} games; {MEND}")),
        }
    }
    if !there.is_empty() {
        document.wrong(tables[0].lines.start, format!("nothing about {there:?}"));
    }
    document.close();
}
