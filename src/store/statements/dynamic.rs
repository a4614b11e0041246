//! Statements that are made of names of tables and columns.

/// Something of the first row of a table.
pub(in crate::modules::store) fn first_row(table: &str) -> String {
    format!("SELECT * FROM {table} LIMIT 1")
}

/// The rows of a table by its first column, forwards or backwards.
pub(in crate::modules::store) fn all_rows(table: &str, backwards: bool) -> String {
    let order = if backwards { "DESC" } else { "ASC" };
    format!("SELECT * FROM {table} ORDER BY 1 {order}")
}

/// The first game of the block that has a game, if any begins early enough, and the first of the
/// blocks that begin with another game or after it.
pub(in crate::modules::store) fn blocks_over(table: &str) -> String {
    format!(
        "SELECT (SELECT max(first_game) FROM {table} WHERE first_game <= ?1), \
         (SELECT min(first_game) FROM {table} WHERE first_game >= ?2)"
    )
}

/// Takes the rows of a range of games away.
pub(in crate::modules::store) fn delete_between(table: &str, column: &str) -> String {
    format!("DELETE FROM {table} WHERE {column} >= ?1 AND {column} < ?2")
}

/// How many numbers of a table are left out.
pub(in crate::modules::store) fn gaps_of(table: &str) -> String {
    format!("SELECT coalesce(max(id), 0) - count(*) FROM {table}")
}

/// A new row of a table with these columns, unless it is there.
pub(in crate::modules::store) fn insert_missing_row(table: &str, columns: &[String]) -> String {
    let values = vec!["?"; columns.len()].join(", ");
    let columns = columns.join(", ");
    format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({values})")
}

/// The name of a row.
pub(in crate::modules::store) fn name_by_id((table, column): (&str, &str)) -> String {
    format!("SELECT {column} FROM {table} WHERE id = ?1")
}

/// The view of games with the results as they were written, which are those of the view but for
/// some variants.
pub(in crate::modules::store) fn list_with_results(variants: &[&str]) -> String {
    let names: Vec<String> = variants.iter().map(|name| format!("'{name}'")).collect();
    format!(
        "CREATE TEMP VIEW game_list AS SELECT m.*, CAST(CASE WHEN m.variant IN ({}) \
         THEN (SELECT r.result_written FROM results r WHERE r.game = m.game) \
         ELSE m.result END AS TEXT) AS result_written FROM main.game_list m",
        names.join(", ")
    )
}

/// A new table, its columns with their types.
pub(in crate::modules::store) fn create_table(table: &str, columns: &[(&str, &str)]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|(name, kind)| format!("{name} {kind}"))
        .collect();
    format!("CREATE TABLE {table} ({})", columns.join(", "))
}

/// A new row of a table.
pub(in crate::modules::store) fn insert_row(table: &str, columns: usize) -> String {
    format!(
        "INSERT INTO {table} VALUES ({})",
        vec!["?"; columns].join(", ")
    )
}

/// An index of a table by its games.
pub(in crate::modules::store) fn index_by_game(table: &str) -> String {
    format!("CREATE INDEX {table}_by_game ON {table} (game)")
}

/// The names of a table, by their numbers.
pub(in crate::modules::store) fn all_names((table, column): (&str, &str)) -> String {
    format!("SELECT id, {column} FROM {table}")
}

/// A new name of a table.
pub(in crate::modules::store) fn insert_name((table, column): (&str, &str)) -> String {
    format!("INSERT INTO {table} (id, {column}) VALUES (?1, ?2)")
}

/// How many rows are idle, and the first of them.
pub(in crate::modules::store) fn count_idle(idle: &str) -> String {
    format!("SELECT count(*), min(id) FROM ({idle})")
}

/// Takes the idle rows after all others of a table away.
pub(in crate::modules::store) fn delete_last_idle(table: &str, idle: &str) -> String {
    format!(
        "DELETE FROM {table} WHERE id > \
         (SELECT coalesce(max(id), 0) FROM (SELECT id FROM {table} EXCEPT SELECT id FROM ({idle})))"
    )
}

/// Takes the first idle rows of a table away, up to a number.
pub(in crate::modules::store) fn delete_idle(table: &str, idle: &str) -> String {
    format!("DELETE FROM {table} WHERE id IN (SELECT id FROM ({idle}) LIMIT ?1)")
}

/// Takes a row of one of these tables away, unless some games have it.
pub(in crate::modules::store) fn delete_unless_had(table: &str) -> String {
    let had = match table {
        "player" => "?1 IN (white, black)",
        "start_position" => "start = ?1",
        "tag_layout" => "layout = ?1",
        "text" => {
            "instr(extra, ?1) AND ?1 IN (SELECT j.value FROM \
             json_each(iif(json_valid(extra), extra, '[]')) j WHERE j.type = 'integer')"
        }
        // A column is named as they are.
        table => &format!("{table} = ?1"),
    };
    format!("DELETE FROM {table} WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM game_row WHERE {had})")
}

/// How many rows of a table fulfil each of some conditions.
pub(in crate::modules::store) fn count_of_each(table: &str, conditions: &[String]) -> String {
    let counts: Vec<String> = conditions
        .iter()
        .map(|condition| format!("count(*) FILTER (WHERE {condition})"))
        .collect();
    format!("SELECT {} FROM {}", counts.join(", "), quoted(table))
}

/// What games have of their tags whose `Round` holds one of some texts, or whose layouts are not
/// those that a number has bits of: it has none of any (0) or one of all, unless they differ.
pub(in crate::modules::store) fn tags_between(
    columns: &str,
    texts: usize,
    are_told_apart: bool,
) -> String {
    let holds = |text: usize| format!("instr(round, ?{}) OR ", text + 4);
    let holds: String = (0..texts).map(holds).collect();
    let layouts = ["?3 = 0", "(?3 >> layout) & 1 = 0"][usize::from(are_told_apart)];
    format!(
        "SELECT id, layout{columns} FROM game_row WHERE id >= ?1 AND id <= ?2 AND ({holds}{layouts}) ORDER BY id"
    )
}

/// A name as a statement takes it.
pub(in crate::modules::store) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
