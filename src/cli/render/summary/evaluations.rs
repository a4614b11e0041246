//! How evaluations were read whose form does not show their unit or whose view they have.

use std::io::{self, Write};

use super::source_name;
use crate::cli::render::number::counted;
use crate::cli::render::reread::eval_side;
use crate::cli::render::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, HEADING, TerminalInfo};
use crate::database::ImportReport;

/// The most sources whose readings of evaluations are listed.
const SHOWN: usize = 5;

/// Says how those of each source were read.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    if summary.evaluations.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.paint(HEADING, "Evaluations"))?;
    let mut table = Table::new([
        Column::left("").shrinks_to(16),
        Column::left(""),
        Column::left(""),
    ])
    .indent(2);
    let mut found: Vec<_> = summary.evaluations.iter().collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.values));
    for found in found.iter().take(SHOWN) {
        let by = match found.by {
            "hand" => "as you said",
            "evidence" => "as the games show",
            _ => "as is usual for this form",
        };
        let how = format!("in {}, as {}", found.unit, eval_side(found.side));
        table.row(vec![
            screen.safe(source_name(&found.source)).into_owned().into(),
            how.into(),
            Cell::styled(by, DIM),
        ]);
    }
    table.write(out, screen)?;
    match found.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  … and of {}",
            counted(more as u64, "other", "others")
        ),
    }
}
