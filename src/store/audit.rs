//! What tables must be like, value by value and one with the other, so that a check reports
//! damage that no index shows.

use std::{collections::BTreeMap, fmt::Write as _};

use rusqlite::Connection;

use super::{
    MIGRATIONS, Store, StoreError, checksum_vfs,
    row::{self, number},
    statements as sql,
};
use crate::{
    base::{diagnostic::Code, record::GameId},
    blocks::{facts, fingerprint, moves},
    games::variant::Variant,
};

/// A column as the schema declares it.
struct DeclaredColumn {
    table: String,
    name: String,
    kind: String,
    is_needed: bool,
}

impl DeclaredColumn {
    /// The condition that a value of it fulfils which no import writes.
    fn wrong(&self) -> String {
        let name = sql::quoted(&self.name);
        let kind = self.kind.to_lowercase();
        let mut kinds = format!("'{kind}'");
        if !self.is_needed {
            kinds.push_str(",'null'");
        }
        let own = (&self.table[..], &self.name[..]);
        let more = match own {
            // Names that are no text of UTF-8.
            ("source", "name") => {
                kinds.push_str(",'blob'");
                String::new()
            }
            ("tag_layout", "names") | ("game_row", "extra") => format!(
                " OR CASE WHEN json_valid({name}) THEN json_type({name}) <> 'array' \
                 ELSE {name} IS NOT NULL END"
            ),
            // Hashes.
            ("source_chunk", "parent") => format!(" OR length({name}) <> 16"),
            // After the hash of a text that is forgotten stands its source.
            ("source_chunk", "chain") => format!(" OR length({name}) NOT IN (16, 32)"),
            ("start_position", "board_key") => String::new(),
            ("identity", "number") => format!(" OR {name} = 0"),
            // Segment and key share the bits of their numbers.
            ("posting_block" | "hot_block" | "column_block", "id") => format!(" OR {name} < 0"),
            _ if kind == "integer" => {
                format!(" OR {name} NOT BETWEEN 0 AND {}", row::NUMBER_MAX)
            }
            _ => String::new(),
        };
        format!("typeof({name}) NOT IN ({kinds}){more}")
    }
}

/// How many games a block has, if it can be read.
type GamesIn = fn(&[u8]) -> Option<usize>;

/// The tables, indices and views of a database, and the words that have made them.
pub(super) fn objects(of: &Connection) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut objects = of.prepare(sql::OBJECTS)?;
    let objects = objects.query_map([], |row| {
        let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
        Ok((format!("{kind} {name}"), row.get(2)?))
    })?;
    objects.collect()
}

impl Store {
    /// Values that cannot be where they stand, and rows that refer to none; empty if
    /// there are none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot even look.
    pub fn odd_values(&self) -> Result<Vec<String>, StoreError> {
        let columns = self.all(sql::COLUMNS, [], |row| {
            Ok(DeclaredColumn {
                table: row.get(0)?,
                name: row.get(1)?,
                kind: row.get(2)?,
                is_needed: row.get(3)?,
            })
        })?;
        let mut problems = Vec::new();
        for columns in columns.chunk_by(|a, b| a.table == b.table) {
            let table = &columns[0].table;
            let wrong: Vec<String> = columns.iter().map(DeclaredColumn::wrong).collect();
            let counts = self.one(&sql::count_of_each(table, &wrong), [], |row| {
                (0..columns.len())
                    .map(|at| number(row, at))
                    .collect::<Result<Vec<_>, _>>()
            })?;
            let counts = counts.unwrap_or_default();
            for (column, count) in columns.iter().zip(counts).filter(|(_, count)| *count > 0) {
                let mut told = format!("table {table}: column {} has ", column.name);
                let _ = match count {
                    1 => write!(told, "an impossible value"),
                    count => write!(told, "{count} impossible values"),
                };
                problems.push(told);
            }
        }
        problems.extend(self.all(sql::DANGLING, [], |row| {
            let (table, parent) = (row::text(row, 0)?, row::text(row, 1)?);
            let count = number(row, 2)?;
            Ok(format!(
                "table {table}: refers {count} times to missing rows of {parent}"
            ))
        })?);
        Ok(problems)
    }

    /// Folds the log into the file, so that the file has all pages as they are; whether it has.
    /// What is read from now on is of a later state, if others have written meanwhile.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn has_folded_log(&self) -> Result<bool, StoreError> {
        let has_view = !self.connection.is_autocommit();
        if has_view {
            self.execute("COMMIT")?;
        }
        let folded = self.one(sql::FOLD_LOG, [], |row| {
            let number = |at| row.get::<_, i64>(at);
            Ok(number(0)? == 0 && number(1)? == number(2)?)
        });
        if has_view {
            self.execute("BEGIN")?;
            self.number("user_version")?;
        }
        // A reader that may not write cannot fold it.
        Ok(matches!(folded, Ok(Some(true))))
    }

    /// Those of `pages` pages from `first` on that are not as they were written, and whether there
    /// are pages after these. Pages that are still in a log count as they stand in the file.
    pub fn bad_pages(&self, first: u32, pages: u32) -> (Vec<u32>, bool) {
        checksum_vfs::bad_pages(&self.connection, first, pages)
    }

    /// Tables, indexes and views that are not as our schema makes them.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read; likewise below.
    pub fn odd_schema(&self) -> Result<Vec<String>, StoreError> {
        let failed = |source| self.failed(source);
        let model = Connection::open_in_memory().map_err(failed)?;
        for step in MIGRATIONS {
            model.execute_batch(step.sql).map_err(failed)?;
        }
        let mut stored = objects(&self.connection).map_err(failed)?;
        let mut problems = Vec::new();
        for (name, text) in objects(&model).map_err(failed)? {
            match stored.remove(&name) {
                None => problems.push(format!("{name} is missing")),
                Some(own) if own != text => {
                    problems.push(format!("{name} is not as plydex makes it"));
                }
                Some(_) => {}
            }
        }
        let foreign = stored.into_keys();
        problems.extend(foreign.map(|name| format!("{name} is none of plydex's")));
        Ok(problems)
    }

    /// Rows that nothing refers to, or that do not agree with others.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn odd_rows(&self) -> Result<Vec<String>, StoreError> {
        let mut problems = Vec::new();
        let idle = [
            (sql::IDLE_PLAYERS, "table player: no game has the name of"),
            (sql::IDLE_EVENTS, "table event: no game has the name of"),
            (sql::IDLE_SITES, "table site: no game has the name of"),
            (sql::IDLE_LAYOUTS, "table tag_layout: no game has"),
            (sql::IDLE_TEXTS, "table text: no game has"),
            (sql::IDLE_TAG_NAMES, "table tag_name: no layout has"),
            (sql::IDLE_OPENINGS, "table opening: no game has"),
        ];
        let stray = [
            (sql::ODD_IMPORTS, "table import: the games do not add up in"),
            (sql::STRAY_POSTINGS, "table posting_block: no segment has"),
            (sql::STRAY_POPULAR, "table hot_block: no segment has"),
            (
                sql::STRAY_SIGNATURES,
                "table tail_block: a segment has the games of",
            ),
            (sql::STRAY_COLUMNS, "table column_block: no segment has"),
            (
                sql::STRAY_COLUMN_RANGES,
                "table column_range: no segment has the games of",
            ),
        ];
        let idle = idle.map(|(ids, what)| (sql::count_idle(ids), what));
        let stray = stray.map(|(rows, what)| (rows.to_owned(), what));
        for (statement, what) in idle.into_iter().chain(stray) {
            let found = self.one(&statement, [], |row| {
                Ok((number(row, 0)?, row.get::<_, Option<i64>>(1)?))
            })?;
            match found {
                Some((1, Some(row))) => problems.push(format!("{what} row {row}")),
                Some((rows @ 2.., Some(row))) => {
                    problems.push(format!("{what} {rows} rows, the first of them {row}"));
                }
                _ => {}
            }
        }
        let known = |code: &String| Code::ALL.iter().any(|known| known.as_str() == code);
        let mut codes = self.all(sql::CODES, [], |row| row.get::<_, String>(0))?;
        codes.retain(|code| !known(code));
        problems.extend(
            codes
                .iter()
                .map(|code| format!("table diagnostic: there is no code `{code}`")),
        );
        problems.extend(self.all(sql::UNCOUNTED, [], |row| {
            let (import, code) = (number(row, 0)?, row::text(row, 1)?);
            Ok(format!(
                "table diagnostic_count: import {import} has counted fewer `{code}` than there are"
            ))
        })?);
        self.each_row(sql::VARIANTS, [], |row| {
            let (id, name) = (row.get::<_, u8>(0)?, row::text(row, 1)?);
            let own = Variant::by_id(id).map(|variant| variant.name);
            if own.unwrap_or("unknown") != name {
                problems.push(format!("table variant: row {id} is not `{name}`"));
            }
            Ok(())
        })?;
        Ok(problems)
    }

    /// Games that are in no block of a kind, or in none that was read of a source, and those
    /// that are there twice; `last` is the last one.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn corrupt_blocks(&self, last: GameId) -> Result<Vec<String>, StoreError> {
        let mut problems = Vec::new();
        let stored = self.stored_by_imports()?;
        if stored != last {
            problems.push(format!(
                "table import: {stored} games were stored, but the last game is {last}"
            ));
        }
        let chunks = self.all(sql::CHUNK_GAMES, [], |row| {
            Ok((number(row, 0)?, Some(number(row, 1)?)))
        })?;
        problems.extend(gaps("source_chunk", last, &chunks));
        let counts: [(&str, &str, GamesIn); 3] = [
            ("move_block", sql::ALL_MOVES, |block| {
                moves::games(block).map(|games| games.len())
            }),
            ("fact_block", sql::ALL_FACTS, |block| {
                facts::read(block).map(|games| games.len())
            }),
            ("print_block", sql::ALL_PRINTS, fingerprint::games),
        ];
        for (table, statement, count) in counts {
            let blocks = self.all(statement, [], |row| {
                let games = count(row::blob(row, 1)?);
                Ok((number(row, 0)?, games.map(|games| games as u64)))
            })?;
            problems.extend(gaps(table, last, &blocks));
        }
        Ok(problems)
    }

    /// Games that are there although the log says that they are not, or the other way about.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn odd_removals(&self) -> Result<Vec<String>, StoreError> {
        let odd = self.removed()?.changes_to(&self.removed_by_log()?);
        let told = odd.into_iter().map(|(first, end, change)| {
            let games = match end - first {
                1 => format!("game {first} is"),
                _ => format!("games {first} to {} are", end - 1),
            };
            match change {
                None => format!("table game_row: {games} removed, which no change has done"),
                Some(change) => format!("table game_row: {games} not removed by change {change}"),
            }
        });
        Ok(told.collect())
    }

    /// Calls `each` with every start position: its number, board key and state.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn for_each_start_key(
        &self,
        mut each: impl FnMut(u32, Option<u64>, Option<u32>),
    ) -> Result<(), StoreError> {
        self.each_row(sql::START_KEYS, [], |row| {
            let key: Option<i64> = row.get(1)?;
            each(row.get(0)?, key.map(|key| key as u64), row.get(2)?);
            Ok(())
        })
    }
}

/// Where rows that hold consecutive games do not follow each other from game 1 to the last:
/// each has its first game, and how many it has, if that can be read.
fn gaps(table: &str, last: GameId, rows: &[(GameId, Option<u64>)]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut next = 1;
    for &(first, games) in rows {
        if first > next {
            problems.push(format!(
                "table {table}: games {next} to {} are missing",
                first - 1
            ));
        } else if first < next {
            problems.push(format!("table {table}: game {first} is there twice"));
        }
        next = first;
        match games {
            Some(games) => next += games,
            // The next row says where it should have ended.
            None => problems.push(format!("table {table}: row {first} cannot be read")),
        }
    }
    if next <= last {
        problems.push(format!("table {table}: games {next} to {last} are missing"));
    } else if next > last + 1 {
        problems.push(format!(
            "table {table}: has games after the last one, {last}"
        ));
    }
    problems
}
