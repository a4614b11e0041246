//! Each against each, and the games of a match, for a terminal.

use std::fmt::Write as _;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{fit, place, points, sign, total, value};
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{Crosstable, TableRow};

/// Columns of the name of a player, at least.
const NAME_MIN: usize = 12;

/// Columns of the name of a player of a match, at most.
const MATCH_NAME: usize = 24;

/// A column to the right of the results.
struct Extra {
    title: String,
    values: Vec<String>,
}

impl Extra {
    fn width(&self) -> usize {
        let values = self.values.iter().map(|value| value.width());
        values.chain([self.title.width()]).max().unwrap_or(0)
    }
}

/// Draws the table of a round robin.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: &Crosstable,
) -> io::Result<()> {
    let rows = &table.players;
    let games = table.games_each.unwrap_or(1) as usize;
    let results: Vec<String> = rows
        .iter()
        .map(|row| results(row, table, games, screen))
        .collect();
    let gap = usize::from(games > 1 || rows.len() <= 16);
    let head: Vec<String> = (1..=rows.len())
        .map(|place| format!("{:<games$}", place % 10))
        .collect();
    let head = head.join(&" ".repeat(gap));
    let width_of = |values: &mut dyn Iterator<Item = usize>| values.max().unwrap_or(0);
    let ratings = rows.iter().any(|row| row.rating.is_some());
    let mut extras = vec![Extra {
        title: "Pts".to_owned(),
        values: rows.iter().map(|row| total(row, table, screen)).collect(),
    }];
    if table.is_complete {
        for nth in 0..table.tie_breaks.len() {
            extras.push(Extra {
                title: table.tie_breaks[nth].name().to_owned(),
                values: rows.iter().map(|row| value(row.ties[nth].1)).collect(),
            });
        }
    }
    if rows.iter().any(|row| row.missing > 0) {
        extras.push(Extra {
            title: "Missing".to_owned(),
            values: rows
                .iter()
                .map(|row| {
                    if row.missing > 0 {
                        row.missing.to_string()
                    } else {
                        String::new()
                    }
                })
                .collect(),
        });
    }
    if ratings {
        extras.push(Extra {
            title: "TPR".to_owned(),
            values: rows
                .iter()
                .map(|row| {
                    row.performance
                        .map_or_else(String::new, |rating| rating.to_string())
                })
                .collect(),
        });
    }
    // Columns of nothing go; then the last tie-breaks, until the names have room.
    extras.retain(|extra| extra.values.iter().any(|value| !value.is_empty()));
    let longest = width_of(&mut rows.iter().map(|row| screen.safe(&row.name).width()));
    let fixed = 4 + if ratings { 5 } else { 0 } + 2 + results.first().map_or(0, |row| row.width());
    let names = loop {
        let used: usize = extras.iter().map(|extra| 1 + extra.width()).sum();
        let room = screen.columns.saturating_sub(fixed + used);
        let spare = extras
            .iter()
            .rposition(|extra| !matches!(&extra.title[..], "Pts" | "TPR" | "Missing"));
        match spare {
            Some(at) if room < NAME_MIN.max(longest.min(16)) => drop(extras.remove(at)),
            _ => break room.clamp(NAME_MIN.min(longest), longest),
        }
    };
    let mut line = format!("  # {:names$}", "");
    if ratings {
        line.push_str("  Elo");
    }
    let _ = write!(line, "  {head}");
    for extra in &extras {
        let _ = write!(line, " {:>1$}", extra.title, extra.width());
    }
    writeln!(out, "{}", screen.paint(DIM, line.trim_end()))?;
    for (nth, row) in rows.iter().enumerate() {
        let name = fit(&screen.safe(&row.name), names, screen);
        write!(out, "{:>3} {}", place(row), screen.paint(STRONG, &name))?;
        if ratings {
            let rating = row
                .rating
                .map_or_else(String::new, |rating| rating.to_string());
            write!(out, " {rating:>4}")?;
        }
        let mut line = format!("  {}", results[nth]);
        for extra in &extras {
            let value = &extra.values[nth];
            let blanks = extra.width() - value.width();
            let _ = write!(line, " {:blanks$}{value}", "");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The results of a player against all others, in their order.
fn results(row: &TableRow, table: &Crosstable, games: usize, screen: &TerminalInfo) -> String {
    let own = table
        .players
        .iter()
        .position(|other| std::ptr::eq(other, row));
    let cells = (0..table.players.len()).map(|other| {
        if own == Some(other) {
            return "*".repeat(games);
        }
        let met = row.cells.iter().filter(|cell| cell.opponent == other + 1);
        let signs = met.map(|cell| match (cell.is_forfeit, cell.result) {
            (true, Some(points)) if points > 0.0 => "+".to_owned(),
            (true, Some(_)) => "-".to_owned(),
            _ => sign(cell.result, table.win, screen.unicode),
        });
        let mut text: String = signs.collect();
        let missing = games.saturating_sub(text.width());
        text.push_str(&".".repeat(missing));
        text
    });
    cells.collect::<Vec<_>>().join(" ")
}

/// Draws the games of a match, with the score after each.
pub(super) fn of_match(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: &Crosstable,
) -> io::Result<()> {
    let [one, other] = &table.players[..] else {
        return Ok(());
    };
    let names = [one, other].map(|row| screen.safe(&row.name).into_owned());
    let width = names
        .iter()
        .map(|name| name.width())
        .max()
        .unwrap_or(0)
        .min(MATCH_NAME);
    let mut sum = 0.0;
    let ratings = [one, other].map(|row| {
        row.rating
            .map_or_else(String::new, |rating| format!(" {rating:>4}"))
    });
    let beside = if ratings.iter().all(String::is_empty) {
        0
    } else {
        5
    };
    // Two digits and a half, and the points of all games at the end.
    let cell_width = if one.points.max(other.points) < 10.0 {
        4
    } else {
        5
    };
    let room = screen.columns.saturating_sub(width + beside + 10);
    let per_line = (room / cell_width).max(1);
    let blocks = one.cells.len().div_ceil(per_line);
    for block in 0..blocks {
        let from = block * per_line;
        let to = one.cells.len().min(from + per_line);
        let mut lines = [String::new(), String::new(), String::new(), String::new()];
        for nth in from..to {
            let cell = &one.cells[nth];
            let number = cell.round.map_or(nth + 1, |round| round as usize);
            let theirs = cell.result.map(|points| table.win - points);
            sum += cell.result.unwrap_or(0.0);
            let texts = [
                number.to_string(),
                sign(cell.result, table.win, screen.unicode),
                sign(theirs, table.win, screen.unicode),
                points(sum),
            ];
            for (line, text) in lines.iter_mut().zip(texts) {
                let blanks = cell_width.saturating_sub(text.width());
                let _ = write!(line, "{:blanks$}{text}", "");
            }
        }
        let [numbers, first, second, sums] = lines;
        let end = |row: &TableRow| {
            if block + 1 == blocks {
                format!("  {}", total(row, table, screen))
            } else {
                String::new()
            }
        };
        writeln!(
            out,
            "{:1$}{2}",
            "",
            width + beside,
            screen.paint(DIM, &numbers)
        )?;
        for (nth, (row, line)) in [(one, first), (other, second)].into_iter().enumerate() {
            let name = screen.paint(STRONG, &fit(&names[nth], width, screen));
            writeln!(out, "{name}{:beside$}{line}{}", ratings[nth], end(row))?;
        }
        writeln!(
            out,
            "{:1$}{2}",
            "",
            width + beside,
            screen.paint(DIM, &sums)
        )?;
    }
    Ok(())
}
