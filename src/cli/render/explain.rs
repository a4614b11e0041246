//! How a query is answered.

use std::io::{self, Write};

use super::number::{bytes, count};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{STRONG, TerminalInfo};
use crate::db::search::QueryPlan;

/// Draws the steps of a plan, the games that are left after each, and how many are found.
pub fn planned(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    planned: &QueryPlan,
    found: u64,
) -> io::Result<()> {
    let mut table = Table::new([
        Column::left("step"),
        Column::right("columns read"),
        Column::right("games"),
        Column::left(""),
    ]);
    let mut step = |name: String, read: Option<u64>, games: u64, note: &str| {
        table.row(vec![
            name.into(),
            read.map(bytes).unwrap_or_default().into(),
            Cell::styled(count(games), STRONG),
            note.into(),
        ]);
    };
    step("games".into(), None, planned.games, "");
    for part in &planned.parts {
        let note = if part.possible == part.certain {
            "exact"
        } else {
            "at most"
        };
        step(
            part.text.clone(),
            Some(part.read_bytes),
            part.possible,
            note,
        );
    }
    if planned.parts.len() > 1 {
        step(
            "all parts together".into(),
            None,
            planned.possible,
            "at most",
        );
    }
    let left = planned.certain_matches + planned.scanned;
    if left < planned.possible {
        step("filters".into(), None, left, "");
    }
    step("scanned".into(), None, planned.scanned, "");
    step("found".into(), None, found, "");
    table.write(out, screen)
}
