//! Crosstables: for a terminal, as comma-separated values, and as a page.

mod csv;
mod lists;
mod matrix;
mod page;

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

pub use csv::csv;
pub use page::page;

use super::number::{self, counted};
use super::table::{Cell, Column, Table};
use super::wrap::wrapped;
use crate::cli::terminal::{DIM, HEADING, TerminalInfo};
use crate::database::{Crosstable, EventKind, EventSummary, TableCell, TableRow};

/// Players of a table that shows each against each, at most.
const MATRIX_MAX: usize = 16;

/// Rounds that have places of their own, at most: tags may have any number.
const ROUNDS_MAX: u32 = 60;

/// What kind of event it was, in words.
pub fn kind(kind: EventKind, games_each: Option<u32>) -> String {
    match (kind, games_each) {
        (EventKind::Match, _) => "match".to_owned(),
        (EventKind::RoundRobin, None | Some(1)) => "round robin".to_owned(),
        (EventKind::RoundRobin, Some(2)) => "double round robin".to_owned(),
        (EventKind::RoundRobin, Some(games)) => format!("round robin, {games} games each"),
        (EventKind::KnockOut, _) => "knock-out".to_owned(),
        (EventKind::Simultaneous, _) => "simultaneous display".to_owned(),
        (EventKind::Swiss, _) => "Swiss".to_owned(),
        (EventKind::Unknown, _) => "kind not known".to_owned(),
    }
}

/// What a table is of: place, days, kind, players, games, rounds.
fn about(table: &Crosstable) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let site = number::known(&table.site);
    if !site.is_empty() && site != table.event {
        parts.push(site.to_owned());
    }
    parts.extend(Some(days(&table.first_date, &table.last_date)).filter(|days| !days.is_empty()));
    parts.push(kind(table.kind, table.games_each));
    if !table.teams.is_empty() {
        parts.push(counted(table.teams.len() as u64, "team", "teams"));
    }
    parts.push(counted(table.players.len() as u64, "player", "players"));
    let games = table.games - table.no_result;
    parts.push(match table.expected_games {
        Some(expected) if table.kind == EventKind::Swiss && games < expected => format!(
            "{} of about {} games",
            number::count(games),
            number::count(expected)
        ),
        Some(expected) => format!(
            "{} of {}",
            number::count(games),
            counted(expected, "game", "games")
        ),
        None => counted(table.games, "game", "games"),
    });
    match (table.until_round, table.rounds) {
        (Some(until), Some(rounds)) => parts.push(format!("after round {until} of {rounds}")),
        (None, Some(rounds)) if table.kind != EventKind::Match => {
            parts.push(counted(u64::from(rounds), "round", "rounds"));
        }
        _ => {}
    }
    parts
}

/// The days of an event: `2013.03.15–2013.04.01`, or one.
fn days(first: &str, last: &str) -> String {
    let (first, last) = (number::date(first), number::date(last));
    if first == last || last.is_empty() {
        first.to_owned()
    } else {
        format!("{first}–{last}")
    }
}

/// Points as they are printed: with a half where there are halves.
fn points(value: f64) -> String {
    format!("{value:.1}")
}

/// The points of a player, with what is missing: `≥7.0/12`.
fn total(row: &TableRow, table: &Crosstable, screen: &TerminalInfo) -> String {
    let own = if table.is_by_written_points {
        format!("{}", row.points)
    } else {
        points(row.points)
    };
    if table.is_complete {
        return own;
    }
    let least = match (row.missing > 0, screen.unicode) {
        (false, _) => "",
        (true, true) => "≥",
        (true, false) => ">=",
    };
    format!("{least}{own}/{}", row.games)
}

/// A place: `3`, shared `3=`, or a dash if it is not decided.
fn place(row: &TableRow) -> String {
    match row.place {
        None => "-".to_owned(),
        Some(place) if row.is_shared => format!("{place}="),
        Some(place) => place.to_string(),
    }
}

/// A value of a tie-break without zeros that say nothing.
fn value(value: Option<f64>) -> String {
    let Some(value) = value else {
        return String::new();
    };
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Points of a game as one sign, if they are those of a win, a draw or a loss; `screen` decides how
/// half a point looks.
fn sign(points: Option<f64>, win: f64, is_unicode: bool) -> String {
    match points {
        None => "*".to_owned(),
        Some(points) if win > 2.0 || !is_usual(points, win) => format!("{points}"),
        Some(points) if points >= win => "1".to_owned(),
        Some(points) if points > 0.0 => if is_unicode { "½" } else { "=" }.to_owned(),
        Some(_) => "0".to_owned(),
    }
}

fn is_usual(points: f64, win: f64) -> bool {
    [0.0, win / 2.0, win].contains(&points)
}

/// Fills a text with blanks to a width, or cuts it.
fn fit(text: &str, width: usize, screen: &TerminalInfo) -> String {
    if text.width() <= width {
        return format!("{text}{:1$}", "", width - text.width());
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + 2 > width {
            break;
        }
        cut.push(c);
    }
    let cut = format!("{}{}", cut.trim_end(), screen.ellipsis());
    format!("{cut}{:1$}", "", width.saturating_sub(cut.width()))
}

/// Whether a table shows each against each.
fn is_matrix(table: &Crosstable) -> bool {
    let cells = table.games_each.unwrap_or(1) as usize * table.players.len();
    table.kind == EventKind::RoundRobin
        && table.players.len() <= MATRIX_MAX
        && cells <= 40
        && table.win <= 2.0
        && !table.is_by_written_points
}

/// Draws a table.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, table: &Crosstable) -> io::Result<()> {
    let mut heading = screen.safe(&table.event).into_owned();
    let mut below = String::new();
    for part in about(table) {
        let part = screen.safe(&part).into_owned();
        if !below.is_empty() {
            below.push_str(", ");
        }
        below.push_str(&part);
    }
    if heading.width() + below.width() + 3 <= screen.columns {
        heading = screen.paint(HEADING, &heading);
        writeln!(out, "{heading}   {below}")?;
    } else {
        writeln!(out, "{}", screen.paint(HEADING, &heading))?;
        wrapped(out, screen, "", (&below, " "))?;
    }
    if !table.teams.is_empty() {
        writeln!(out)?;
        lists::teams(out, screen, table)?;
    }
    if !table.players.is_empty() {
        writeln!(out)?;
    }
    match table.kind {
        _ if table.players.is_empty() => {}
        EventKind::Match => matrix::of_match(out, screen, table)?,
        EventKind::KnockOut => lists::matches(out, screen, table)?,
        _ if is_matrix(table) => matrix::write(out, screen, table)?,
        _ => lists::players(out, screen, table)?,
    }
    if !table.notes.is_empty() {
        writeln!(out)?;
    }
    for note in &table.notes {
        wrapped(out, screen, "", (note, " "))?;
    }
    Ok(())
}

/// Draws the list of the events that have a name.
pub fn write_events(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    events: &[EventSummary],
) -> io::Result<()> {
    let mut table = Table::new([
        Column::right("Games"),
        Column::left("Event").shrinks_to(14),
        Column::left("Site").shrinks_to(8).drops(1),
        Column::left("Dates").drops(0),
        Column::left("Kind").shrinks_to(8),
        Column::right("Players").drops(2),
        Column::left("Select by"),
    ]);
    for event in events {
        table.row(vec![
            number::count(event.games).into(),
            screen.safe(&event.event).into(),
            screen.safe(number::known(&event.site)).into(),
            screen.safe(&short_days(event)).into(),
            kind(event.kind, event.games_each).into(),
            number::count(event.players).into(),
            Cell::styled(screen.safe(&options(event)), DIM),
        ]);
    }
    table.write(out, screen)
}

/// The days of an event, without what both have in common.
fn short_days(event: &EventSummary) -> String {
    let (first, last) = (
        number::date(&event.first_date),
        number::date(&event.last_date),
    );
    match (first.split_once('.'), last.split_once('.')) {
        (Some((year, _)), Some((other, rest))) if year == other && first != last => {
            format!("{first}–{rest}")
        }
        _ => days(&event.first_date, &event.last_date),
    }
}

/// The options that select an event, as a shell reads them.
pub fn options(event: &EventSummary) -> String {
    let quoted = event.options.iter().map(|option| {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.,/".contains(c);
        if option.chars().all(is_plain) {
            option.clone()
        } else {
            format!("'{}'", option.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A game in a list: `+12w`, `=3b`, `-7w`; without play `+12`.
fn token(cell: &TableCell, table: &Crosstable, screen: &TerminalInfo) -> String {
    let sign = match cell.result {
        None => "*".to_owned(),
        Some(points) if table.is_by_written_points => format!("{points}:"),
        Some(points) if points * 2.0 > table.win => "+".to_owned(),
        Some(points) if points * 2.0 < table.win => {
            if screen.unicode { "−" } else { "-" }.to_owned()
        }
        Some(_) => "=".to_owned(),
    };
    let color = match (cell.color, cell.is_forfeit) {
        (_, true) => "f",
        (Some("white"), _) => "w",
        (Some(_), _) => "b",
        (None, _) => "",
    };
    format!("{sign}{}{color}", cell.opponent)
}

/// The games of a player by rounds, each with its text; a round without a game has a dot.
fn tokens<'t>(
    row: &'t TableRow,
    table: &Crosstable,
    screen: &TerminalInfo,
) -> Vec<(Option<&'t TableCell>, String)> {
    let game = |cell: &'t TableCell| (Some(cell), token(cell, table, screen));
    let in_rounds = table
        .players
        .iter()
        .flat_map(|row| &row.cells)
        .all(|cell| cell.round.is_some());
    let Some(rounds) = table
        .until_round
        .or(table.rounds)
        .filter(|&rounds| in_rounds && rounds <= ROUNDS_MAX)
    else {
        return row.cells.iter().map(game).collect();
    };
    let mut tokens = Vec::new();
    for round in 1..=rounds {
        let mut own = row
            .cells
            .iter()
            .filter(|cell| cell.round == Some(round))
            .peekable();
        if own.peek().is_none() {
            tokens.push((None, ".".to_owned()));
        }
        tokens.extend(own.map(game));
    }
    tokens
}
