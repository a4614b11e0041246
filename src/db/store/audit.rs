//! What single values must be like, so that a check tells of damage that no index shows.

use std::fmt::Write as _;

use super::{
    Store, StoreError,
    row::{self, number},
    statements as sql,
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
            ("tag_layout", "names") | ("game", "extra") => format!(
                " OR CASE WHEN json_valid({name}) THEN json_type({name}) <> 'array' \
                 ELSE {name} IS NOT NULL END"
            ),
            // Hashes.
            ("source_chunk", "chain" | "parent") => format!(" OR length({name}) <> 16"),
            ("start_position", "board_key") => String::new(),
            // Segment and key share the bits of their numbers.
            ("posting_block" | "hot_block", "id") => format!(" OR {name} < 0"),
            _ if kind == "integer" => {
                format!(" OR {name} NOT BETWEEN 0 AND {}", row::NUMBER_MAX)
            }
            _ => String::new(),
        };
        format!("typeof({name}) NOT IN ({kinds}){more}")
    }
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
}
