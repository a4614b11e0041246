//! `plydex unpack`.

use super::CommandContext;
use super::backup;
use super::error::CliError;
use super::exit::Exit;
use super::plan::UnpackPlan;
use super::progress::Progress;
use crate::db::search::GameTables;
use crate::db::store::SqlTable;

pub(crate) fn run(plan: &UnpackPlan, context: &mut CommandContext<'_>) -> Result<Exit, CliError> {
    backup::write(
        &plan.target,
        context,
        backup::open,
        |store, file, context| {
            let tables = SqlTable::ALL;
            let tables: Vec<SqlTable> = (tables.into_iter())
                .filter(|table| plan.moves || *table != SqlTable::Moves)
                // The table of games has them.
                .filter(|table| *table != SqlTable::Results)
                .collect();
            let source = GameTables::new(store)?;
            let progress = Progress::new(&context.notes, &context.stop, None);
            let done = store.unpack(file, &source, &tables, &progress);
            progress.clear();
            Ok(done?.is_continue())
        },
    )
}
