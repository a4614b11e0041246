//! How a query is answered.

use std::io::{self, Write};

use super::number::{bytes, count};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{STRONG, TerminalInfo};
use crate::database::{AccessPath, QueryPlan};

/// Draws the steps of a plan, the games that each leaves, and how many are found.
pub fn planned(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    planned: &QueryPlan,
    found: u64,
) -> io::Result<()> {
    let mut table = Table::new([
        Column::left("step"),
        Column::left("path"),
        Column::right("read"),
        Column::right("possible"),
        Column::right("certain"),
    ]);
    let mut step =
        |name: &str, path: Option<AccessPath>, read: Option<u64>, games: [Option<u64>; 2]| {
            let [possible, certain] =
                games.map(|games| games.map_or_else(|| "–".to_owned(), count));
            table.row(vec![
                name.into(),
                path.map_or("", AccessPath::name).into(),
                read.map(bytes).unwrap_or_default().into(),
                Cell::styled(possible, STRONG),
                certain.into(),
            ]);
        };
    let all = Some(planned.games);
    step("all games", None, None, [all, all]);
    for part in &planned.steps {
        let games = [part.possible, part.certain];
        step(&part.condition, Some(part.path), part.read_bytes, games);
    }
    if planned.steps.len() > 1 {
        step(
            "together",
            None,
            None,
            [Some(planned.possible), Some(planned.certain)],
        );
    }
    if planned.replayed > 0 {
        let games = [Some(planned.replayed), planned.found_by_replay];
        step("replayed", Some(AccessPath::Replay), None, games);
    }
    step("found", None, None, [Some(found); 2]);
    table.write(out, screen)
}
