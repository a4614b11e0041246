//! `plydex sql`.

use std::io::Read;

use super::CommandContext;
use super::args_sql::RowFormat;
use super::error::CliError;
use super::exit::Exit;
use super::plan::SqlPlan;
use super::render::number;
use super::render::rows::RowWriter;
use crate::base::cancellable_io;
use crate::db::search::GameTables;
use crate::db::store::SqlConnection;

/// Bytes of a statement that are read at most.
const STATEMENT_BYTES_MAX: u64 = 1 << 20;

pub(crate) fn run(plan: &SqlPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    let typed = plan.statement.clone();
    let text = typed.map_or_else(|| from_stdin(context), Ok)?;
    let sql = SqlConnection::open_with_limits(&context.db, &context.stop)?;
    let asked = sql.prepare(&text)?;
    let tables = GameTables::new(sql.store())?;
    let (screen, names) = (context.screen, asked.columns());
    let out = if plan.format == RowFormat::Table {
        Box::new(&mut *context.out)
    } else {
        context.data()
    };
    let mut rows = RowWriter::new(out, screen, plan.format, names);
    let count = asked.each_row(&tables, &mut |values| rows.push(values))?;
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
