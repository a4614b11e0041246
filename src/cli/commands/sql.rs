//! `plydex sql`.

use std::io::Read;

use clap::{Args as ClapArgs, ValueEnum};

use crate::base::cancellable_io;
use crate::cli::CommandContext;
use crate::cli::commands::CommandArgs;
use crate::cli::error::CliError;
use crate::cli::exit::Exit;
use crate::cli::render::number;
use crate::cli::render::rows::RowWriter;

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

/// `sql`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlPlan {
    /// The statement; `None` is what standard input has.
    pub statement: Option<String>,
    /// Of the rows.
    pub format: RowFormat,
}

/// Bytes of a statement that are read at most.
const STATEMENT_BYTES_MAX: u64 = 1 << 20;

pub(crate) fn run(plan: &SqlPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let typed = plan.statement.clone();
    let text = typed.map_or_else(|| from_stdin(context), Ok)?;
    let screen = context.screen;
    let database = context.database();
    let out = if plan.format == RowFormat::Table {
        Box::new(&mut *context.out)
    } else {
        context.data()
    };
    let mut rows = RowWriter::new(out, screen, plan.format);
    let count = database.each_row(&text, &mut rows, RowWriter::name_columns, RowWriter::push)?;
    rows.end()?;
    let note = number::counted(count, "row", "rows");
    context.notes.note(&note);
    Ok(Exit::found(count))
}

fn from_stdin(context: &CommandContext<'_>) -> Result<String, CliError> {
    let mut text = String::new();
    let stdin = cancellable_io::stdin(&context.stop)?;
    let mut stdin = stdin.take(STATEMENT_BYTES_MAX + 1);
    if let Err(error) = stdin.read_to_string(&mut text) {
        if cancellable_io::is_stopped(&error) {
            return Err(error.into());
        }
        return Err(CliError::new("standard input cannot be read")
            .because(&error)
            .hint("write one statement to it, in UTF-8"));
    }
    if text.len() as u64 > STATEMENT_BYTES_MAX {
        return Err(
            CliError::new("the statement on standard input is longer than 1 MiB")
                .hint("redirect one SELECT statement to it, not a file of data"),
        );
    }
    Ok(text)
}

impl CommandArgs for SqlArgs {
    const IS_PAGED: bool = true;
    type Plan = SqlPlan;

    fn plan(self, _: &mut Vec<String>) -> Result<Self::Plan, CliError> {
        Ok(SqlPlan {
            statement: (self.statement != "-").then_some(self.statement),
            format: self.format,
        })
    }

    fn run(plan: &Self::Plan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
        run(plan, context)
    }
}
