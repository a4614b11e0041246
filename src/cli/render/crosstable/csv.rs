//! Crosstables as comma-separated values.

use std::io::Write;

use crate::cli::render::csv::{line, safe};
use crate::database::{Crosstable, TableCell};

fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Writes the players of a table, a line each.
pub fn csv(out: &mut dyn Write, table: &Crosstable) -> Result<(), ::csv::Error> {
    let mut titles: Vec<String> = [
        "number",
        "place",
        "is_shared",
        "name",
        "team",
        "rating",
        "points",
        "games",
        "won",
        "drawn",
        "lost",
        "missing",
        "performance",
    ]
    .map(str::to_owned)
    .to_vec();
    titles.extend(table.tie_breaks.iter().map(|one| one.name().to_owned()));
    titles.push("results".to_owned());
    line(out, &titles)?;
    for (number, row) in (1..).zip(&table.players) {
        let number: u32 = number;
        let mut cells: Vec<String> = vec![
            number.to_string(),
            text(row.place),
            row.is_shared.to_string(),
            safe(&row.name).into_owned(),
            safe(row.team.as_deref().unwrap_or_default()).into_owned(),
            text(row.rating),
            row.points.to_string(),
            row.games.to_string(),
            row.won.to_string(),
            row.drawn.to_string(),
            row.lost.to_string(),
            row.missing.to_string(),
            text(row.performance),
        ];
        cells.extend(row.ties.iter().map(|&(_, value)| text(value)));
        let games = row.cells.iter().map(|cell| game(cell, table));
        cells.push(games.collect::<Vec<_>>().join(" "));
        line(out, &cells)?;
    }
    Ok(())
}

/// A game as `12w+`: the opponent's number, the colour, `f` for a forfeit, and the result. A sign
/// at the beginning would be a formula for spreadsheets.
fn game(cell: &TableCell, table: &Crosstable) -> String {
    let color = match (cell.is_forfeit, cell.color) {
        (true, _) => "f",
        (false, Some("white")) => "w",
        (false, Some(_)) => "b",
        (false, None) => "",
    };
    let result = match cell.result {
        None => "*".to_owned(),
        Some(points) if table.is_by_written_points => format!(":{points}"),
        Some(points) if points * 2.0 > table.win => "+".to_owned(),
        Some(points) if points * 2.0 < table.win => "-".to_owned(),
        Some(_) => "=".to_owned(),
    };
    format!("{}{color}{result}", cell.opponent)
}
