//! Players with their games one after the other, matches and teams, for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{fit, place, points, sign, tokens, total, value};
use crate::cli::render::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, STRONG, TerminalInfo};
use crate::database::{Crosstable, TableRow};

/// Columns of a name, at most.
const NAME_MAX: usize = 24;

/// Draws a list of players, each with the games: `+12w =3b -7w`. What does not fit one line goes
/// below it.
pub(super) fn players(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: &Crosstable,
) -> io::Result<()> {
    let rows = &table.players;
    let games: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let own = tokens(row, table, screen).into_iter();
            own.map(|(_, text)| text).collect()
        })
        .collect();
    let width = games
        .iter()
        .flatten()
        .map(|token| token.width())
        .max()
        .unwrap_or(0);
    let names = rows
        .iter()
        .map(|row| screen.safe(&row.name).width())
        .max()
        .unwrap_or(0);
    let names = names.min(NAME_MAX);
    let numbers = rows.len().to_string().len().max(3);
    // Numbers are those of the tokens; the place stands beside where it is another.
    let has_places = rows.iter().any(|row| row.place.is_some());
    let mut columns: Vec<(String, Vec<String>)> = vec![(
        "Elo".to_owned(),
        rows.iter()
            .map(|row| {
                row.rating
                    .map_or_else(String::new, |rating| rating.to_string())
            })
            .collect(),
    )];
    columns.push((
        "Pts".to_owned(),
        rows.iter().map(|row| total(row, table, screen)).collect(),
    ));
    if table.is_complete {
        for nth in 0..table.tie_breaks.len() {
            let values = rows.iter().map(|row| value(row.ties[nth].1)).collect();
            columns.push((table.tie_breaks[nth].name().to_owned(), values));
        }
    }
    columns.push((
        "TPR".to_owned(),
        rows.iter()
            .map(|row| {
                row.performance
                    .map_or_else(String::new, |rating| rating.to_string())
            })
            .collect(),
    ));
    columns.retain(|(_, values)| values.iter().any(|value| !value.is_empty()));
    let widths: Vec<usize> = columns
        .iter()
        .map(|(title, values)| {
            values
                .iter()
                .map(|value| value.width())
                .chain([title.width()])
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut head = format!("{:>numbers$} {:names$}", "#", "");
    for ((title, _), width) in columns.iter().zip(&widths) {
        let _ = write!(head, " {title:>width$}");
    }
    writeln!(out, "{}", screen.paint(DIM, head.trim_end()))?;
    let used = head.width();
    let longest = games.iter().map(Vec::len).max().unwrap_or(0);
    let fits_beside = used + 2 + longest * (width + 1) <= screen.columns;
    let indent = if fits_beside { used + 1 } else { numbers + 1 };
    let per_line = (screen.columns.saturating_sub(indent) / (width + 1)).max(1);
    for (nth, row) in rows.iter().enumerate() {
        let number = nth + 1;
        let shown = if has_places {
            place(row)
        } else {
            number.to_string()
        };
        let name = screen.paint(STRONG, &fit(&screen.safe(&row.name), names, screen));
        write!(out, "{shown:>numbers$} {name}")?;
        let mut line = String::new();
        for ((_, values), width) in columns.iter().zip(&widths) {
            let blanks = width - values[nth].width();
            let _ = write!(line, " {:blanks$}{}", "", values[nth]);
        }
        let lines: Vec<String> = games[nth]
            .chunks(per_line)
            .map(|tokens| {
                let padded = tokens
                    .iter()
                    .map(|token| format!(" {token}{:1$}", "", width - token.width()));
                padded.collect::<String>().trim_end().to_owned()
            })
            .collect();
        if fits_beside {
            let _ = write!(line, " {}", lines.first().map_or("", |line| line));
            writeln!(out, "{}", line.trim_end())?;
        } else {
            writeln!(out, "{}", line.trim_end())?;
            for games in lines {
                writeln!(out, "{:indent$}{}", "", screen.paint(DIM, games.trim_end()))?;
            }
        }
    }
    Ok(())
}

/// Draws the matches of a knock-out, round by round.
pub(super) fn matches(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: &Crosstable,
) -> io::Result<()> {
    // By round and pair, the player with the smaller number first.
    let mut all: BTreeMap<(u32, usize, usize), Vec<Option<f64>>> = BTreeMap::new();
    for (nth, row) in (1..).zip(&table.players) {
        for cell in row.cells.iter().filter(|cell| nth < cell.opponent) {
            let key = (cell.round.unwrap_or(u32::MAX), nth, cell.opponent);
            all.entry(key).or_default().push(cell.result);
        }
    }
    let mut list = Table::new([
        Column::right("Round"),
        Column::left("").shrinks_to(12),
        Column::right("Elo"),
        Column::left("").shrinks_to(12),
        Column::right("Elo"),
        Column::right("Score"),
        Column::left("Games"),
    ]);
    let mut before = None;
    for ((round, one, other), games) in all {
        let [mut first, mut second] = [&table.players[one - 1], &table.players[other - 1]];
        let mut own: Vec<Option<f64>> = games;
        let sum = |games: &[Option<f64>]| games.iter().flatten().sum::<f64>();
        let decided = own.iter().flatten().count() as f64 * table.win;
        if sum(&own) * 2.0 < decided {
            std::mem::swap(&mut first, &mut second);
            own = own
                .into_iter()
                .map(|points| points.map(|points| table.win - points))
                .collect();
        }
        let rating = |row: &TableRow| {
            row.rating
                .map_or_else(String::new, |rating| rating.to_string())
        };
        let number = if round == u32::MAX {
            String::new()
        } else {
            round.to_string()
        };
        let signs: String = own
            .iter()
            .map(|points| sign(*points, table.win, screen.unicode))
            .collect();
        let score = format!(
            "{}{}{}",
            points(sum(&own)),
            screen.dash(),
            points(decided - sum(&own))
        );
        list.row(vec![
            if before == Some(round) {
                "".into()
            } else {
                number.into()
            },
            Cell::styled(screen.safe(&first.name), STRONG),
            rating(first).into(),
            screen.safe(&second.name).into(),
            rating(second).into(),
            score.into(),
            signs.into(),
        ]);
        before = Some(round);
    }
    list.write(out, screen)
}

/// Draws the table of the teams.
pub(super) fn teams(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    table: &Crosstable,
) -> io::Result<()> {
    let mut list = Table::new([
        Column::right("#"),
        Column::left("Team").shrinks_to(14),
        Column::right("Matches"),
        Column::right("Won"),
        Column::right("Drawn"),
        Column::right("Lost"),
        Column::right("Points"),
        Column::right("Boards"),
        Column::right("Missing"),
    ]);
    for row in &table.teams {
        list.row(vec![
            place(row).into(),
            Cell::styled(screen.safe(&row.name), STRONG),
            row.games.to_string().into(),
            row.won.to_string().into(),
            row.drawn.to_string().into(),
            row.lost.to_string().into(),
            format!("{}", row.points).into(),
            points(row.board_points.unwrap_or(0.0)).into(),
            if row.missing > 0 {
                row.missing.to_string()
            } else {
                String::new()
            }
            .into(),
        ]);
    }
    list.write(out, screen)
}
