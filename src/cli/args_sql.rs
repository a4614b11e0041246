//! What was typed for statements and plain tables.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

/// `plydex sql`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Besides the tables and views of the database, there are tables of what is in its
games: comments, nags, variations, moves, clocks, evals and results, each with the columns
game, path and ply, and positions('e4 c5'), the games that reach a position.
docs/commands.md describes them. Only statements that read are run.

Examples:
  plydex sql 'SELECT * FROM game_list LIMIT 5'
  plydex sql 'SELECT ply, text FROM comments(92)'
  plydex sql 'SELECT nag, count(*) FROM nags GROUP BY nag ORDER BY 2 DESC'
  plydex sql \"SELECT result, count(*) FROM positions('e4 c5') JOIN game_list USING (game)
    WHERE NOT in_variation GROUP BY result\"
  plydex sql --format csv - < query.sql"
)]
pub struct SqlArgs {
    /// One SELECT statement, or - for standard input
    #[arg(value_name = "STATEMENT")]
    pub statement: String,
    /// table, json, ndjson or csv
    ///
    /// json is one array of objects, ndjson one object per line.
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: RowFormat,
}

/// Formats of `sql`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RowFormat {
    /// Aligned columns, for reading.
    #[default]
    #[value(alias = "text")]
    Table,
    /// One JSON array of objects.
    Json,
    /// One JSON object per line.
    #[value(alias = "jsonl")]
    Ndjson,
    /// Comma-separated values with a heading line.
    Csv,
}

/// `plydex unpack`.
#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "The file has the tables games, comments, nags, variations, clocks and evals, with the
columns that `plydex sql` gives them. SQLite clients, DuckDB and pandas read it.

Examples:
  plydex unpack --output tables.db
  plydex unpack --moves --force --output tables.db
  plydex unpack --output tables.db.zst    compressed; decompress it before use"
)]
pub struct UnpackArgs {
    /// The new SQLite file; .zst and .gz are compressed, - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Also write the table moves, which is far larger than the others
    #[arg(long)]
    pub moves: bool,
    /// Replace FILE if it exists
    #[arg(long)]
    pub force: bool,
}
