//! The variants: all in a table, or the rules of one in words.

use std::io::{self, Write};

use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::games::variant::{self, Variant};
use crate::games::{AnyPosition, VariantDescription};

/// Draws all variants, one line each, those of a family together.
pub fn list(out: &mut dyn Write, screen: &TerminalInfo) -> io::Result<()> {
    let rows = variant::ALL.iter();
    let all: Vec<(&Variant, VariantDescription)> =
        rows.map(|row| (row, AnyPosition::facts(row))).collect();
    let mut families: Vec<&str> = all.iter().map(|(_, facts)| facts.family).collect();
    families.dedup();
    for family in families {
        let rows = || all.iter().filter(|(_, facts)| facts.family == family);
        let Some((_, first)) = rows().next() else {
            continue;
        };
        writeln!(out, "{}", screen.paint(HEADING, first.family_title))?;
        let mut table = Table::new([
            Column::left("Name"),
            Column::left("Title"),
            Column::right("GameType").drops(1),
            Column::left("Board"),
            Column::left(first.aside.0).drops(2),
            Column::left("Start").shrinks_to(12).drops(0),
        ])
        .indent(2);
        for (row, facts) in rows() {
            table.row(vec![
                Cell::styled(row.name, STRONG),
                row.title.into(),
                facts.game_type.as_str().into(),
                facts.board.as_str().into(),
                facts.aside.1.as_str().into(),
                facts.start.as_str().into(),
            ]);
        }
        table.write(out, screen)?;
        writeln!(out)?;
    }
    let hint = "`plydex variants NAME` explains the rules of one";
    writeln!(out, "{}", screen.paint(DIM, hint))
}

/// Draws the facts of one variant.
pub fn one(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    variant: &'static Variant,
    board: Option<&str>,
) -> io::Result<()> {
    writeln!(out, "{}\n", screen.paint(HEADING, variant.title))?;
    let mut table = Table::new([Column::left(""), Column::left("").wraps()]).indent(2);
    for (name, text) in AnyPosition::facts(variant).words {
        if !text.is_empty() {
            table.row(vec![Cell::styled(name, DIM), text.into()]);
        }
    }
    table.write(out, screen)?;
    if let Some(board) = board {
        write!(out, "\n{board}")?;
    }
    Ok(())
}
