//! Tables as tournament reports of FIDE (TRF-16).

use std::fmt::Write as _;

use super::{Crosstable, EventKind, TableCell, standings::is_equal};

/// The report of a table: a line with each player's games, columns as FIDE has them.
pub(super) fn write(table: &Crosstable) -> String {
    let rounds = (table.players.iter())
        .flat_map(|player| &player.cells)
        .filter_map(|cell| cell.round)
        .max()
        .unwrap_or(0);
    let date = |date: &str| date.replace('.', "/");
    let mut out = String::new();
    for (field, value) in [
        ("012", line(&table.event)),
        ("022", line(&table.site)),
        ("042", date(&table.first_date)),
        ("052", date(&table.last_date)),
        ("062", table.players.len().to_string()),
    ] {
        let _ = writeln!(out, "{field} {value}");
    }
    let rated = table
        .players
        .iter()
        .filter(|player| player.rating.is_some())
        .count();
    let _ = writeln!(out, "072 {rated}");
    let kind = match table.kind {
        EventKind::RoundRobin if table.games_each == Some(2) => "Individual: Double Round-Robin",
        EventKind::RoundRobin => "Individual: Round-Robin",
        EventKind::Swiss => "Individual: Swiss-System",
        EventKind::KnockOut => "Individual: Knock-Out",
        EventKind::Match => "Individual: Match",
        EventKind::Simultaneous | EventKind::Unknown => "Individual: Other",
    };
    let _ = writeln!(out, "092 {kind}");
    let _ = writeln!(out, "XXR {rounds}");
    let numbers = start_numbers(table);
    let mut players: Vec<usize> = (0..table.players.len()).collect();
    players.sort_by_key(|&player| numbers[player]);
    for player in players {
        let row = &table.players[player];
        let rating = row
            .rating
            .map_or_else(String::new, |rating| rating.to_string());
        let rank = row.place.map_or(player + 1, |place| place as usize);
        let _ = write!(
            out,
            "001 {:4}      {:<33.33} {rating:>4}     {:11} {:10} {:4.1} {rank:4}",
            numbers[player],
            line(&row.name),
            "",
            "",
            row.points / table.win,
        );
        for round in 1..=rounds {
            let cell = row.cells.iter().find(|cell| cell.round == Some(round));
            out.push_str(&match cell {
                Some(cell) => game(cell, numbers[cell.opponent - 1], table.win),
                None => absence(table),
            });
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

/// A text without line breaks.
fn line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// The numbers of players at the start: by rating, then by name.
fn start_numbers(table: &Crosstable) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.players.len()).collect();
    order.sort_by_key(|&player| {
        let row = &table.players[player];
        (std::cmp::Reverse(row.rating), row.name.clone())
    });
    let mut numbers = vec![0; order.len()];
    for (nth, player) in order.into_iter().enumerate() {
        numbers[player] = nth + 1;
    }
    numbers
}

fn game(cell: &TableCell, opponent: usize, win: f64) -> String {
    let color = match cell.color {
        Some("white") => 'w',
        Some(_) => 'b',
        None => '-',
    };
    let is_win = |points: f64| points * 2.0 > win;
    let is_loss = |points: f64| points * 2.0 < win;
    let result = match (cell.result, cell.is_forfeit) {
        (None, _) => ' ',
        (Some(points), true) if is_win(points) => '+',
        (Some(_), true) => '-',
        (Some(points), false) if is_win(points) => '1',
        (Some(points), false) if is_loss(points) => '0',
        (Some(_), false) => '=',
    };
    format!("  {opponent:4} {color} {result}")
}

/// A round without a game: in a Swiss tournament a bye, as it is assumed.
fn absence(table: &Crosstable) -> String {
    let bye = match table.bye {
        Some(0.0) => 'Z',
        Some(bye) if is_equal(bye * 2.0, table.win) => 'H',
        Some(_) => 'U',
        None => return " ".repeat(10),
    };
    format!("  0000 - {bye}")
}
