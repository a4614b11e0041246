//! Where games left what had been played before them.

use std::borrow::Cow;
use std::io::{self, Write};

use super::csv::{self, CsvColumn, safe};
use super::number::{count, date};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{Novelty, Tree};

/// Moves of earlier games that are named.
const NAMED: usize = 3;

/// Draws a table, a line a game.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, list: &[Novelty]) -> io::Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::right("Game"),
        Column::left("White").shrinks_to(12),
        Column::left("Black").shrinks_to(12),
        Column::left("Result").drops(0),
        Column::left("Date"),
        Column::left("New"),
        Column::right("Before"),
        Column::left("Played before").shrinks_to(16),
    ]);
    for found in list {
        let header = &found.header;
        let known = found.known.as_ref();
        let known_games = known.map_or_else(String::new, |tree| count(tree.total.games));
        table.row(vec![
            header.id.to_string().into(),
            screen.safe(&header.white).into(),
            screen.safe(&header.black).into(),
            screen.safe(&header.result_written).into(),
            screen.safe(date(&header.date)).into(),
            Cell::styled(screen.safe(&new_move(found)), STRONG),
            known_games.into(),
            Cell::styled(screen.safe(&known.map_or_else(String::new, played)), DIM),
        ]);
    }
    table.write(out, screen)
}

/// The new move with its number.
fn new_move(found: &Novelty) -> String {
    let (number, is_second) = found.number;
    match (&found.new_move, found.new_ply) {
        (Some(new), _) => format!("{number}{} {new}", if is_second { "..." } else { "." }),
        (None, Some(_)) => "(the start)".to_owned(),
        (None, None) => "(none)".to_owned(),
    }
}

/// What earlier games played, those most often played first.
fn played(known: &Tree) -> String {
    let mut names: Vec<String> = (known.moves.iter().take(NAMED))
        .map(|line| format!("{} {}", line.san, count(line.score.games)))
        .collect();
    let others = known.moves.len().saturating_sub(NAMED);
    if others > 0 {
        names.push(format!("{others} more"));
    }
    if names.is_empty() {
        return "(game ends)".to_owned();
    }
    names.join(", ")
}

fn of<T: ToString>(value: Option<T>) -> Cow<'static, str> {
    value
        .map_or_else(String::new, |value| value.to_string())
        .into()
}

/// The columns.
const COLUMNS: [CsvColumn<Novelty>; 12] = [
    ("id", |found| found.header.id.to_string().into()),
    ("white", |found| safe(&found.header.white)),
    ("black", |found| safe(&found.header.black)),
    ("event", |found| safe(&found.header.event)),
    ("date", |found| safe(&found.header.date)),
    ("result", |found| safe(&found.header.result)),
    ("by_date", |found| found.by_date.to_string().into()),
    ("new_ply", |found| of(found.new_ply)),
    ("new_move", |found| {
        safe(found.new_move.as_deref().unwrap_or_default())
    }),
    ("fen", |found| {
        safe(found.fen.as_deref().unwrap_or_default())
    }),
    ("known_games", |found| {
        of(found.known.as_ref().map(|tree| tree.total.games))
    }),
    ("known_moves", |found| {
        found.known.as_ref().map_or_else(String::new, played).into()
    }),
];

/// The same as comma-separated values.
pub fn csv(out: &mut dyn Write, list: &[Novelty]) -> Result<(), ::csv::Error> {
    csv::line(out, &COLUMNS.map(|(name, _)| name))?;
    for found in list {
        csv::line(out, &COLUMNS.map(|(_, of)| of(found)))?;
    }
    Ok(())
}
