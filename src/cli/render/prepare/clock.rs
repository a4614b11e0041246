//! Games of a player by the clock, and errors by the evaluations in the games.

use std::io::{self, Write};

use super::super::figures::percent;
use super::super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable};
use super::super::number::{count, counted};
use super::super::table::{Column, Table};
use super::super::wrap::wrapped;
use crate::cli::terminal::{DIM, HEADING, TerminalInfo};
use crate::database::{ErrorCounts, ErrorRow, FigureRow, PlayerReport};

/// What a row by the clock is called.
pub(super) fn label(row: &FigureRow) -> Option<&'static str> {
    Some(match (row.by, row.key.as_str()) {
        ("trouble", "none") => "no time trouble",
        ("trouble", "player") => "the player first",
        ("trouble", _) => "the opponent first",
        ("move-20", "less") => "less time at move 20",
        ("move-20", "more") => "more time at move 20",
        ("move-20", _) => "as much at move 20",
        _ => return None,
    })
}

/// What is meant, or why there is nothing.
fn clock_note(report: &PlayerReport) -> Option<String> {
    let clock = &report.clock;
    let games = counted(clock.games, "game has", "games have");
    match (clock.games, clock.classes.is_empty()) {
        (0, _) => None,
        (_, true) => Some(format!("{games} clocks: too few to compare")),
        (_, false) => Some(
            "time trouble: less than a tenth of the base time, at most five minutes, at least \
             ten increments; less or more time: by a tenth of the base time"
                .to_owned(),
        ),
    }
}

fn errors_note(report: &PlayerReport) -> Option<String> {
    let errors = &report.errors;
    let games = counted(errors.games, "game has", "games have");
    match (errors.games, &errors.won_positions) {
        (0, _) => None,
        _ if errors.rows.is_empty() => Some(format!("{games} evaluations: too few to compare")),
        (_, None) => Some(format!("{games} evaluations")),
        (_, Some(won)) => {
            let of = counted(won.games, "won position", "won positions");
            let score = won
                .score
                .map_or_else(String::new, |score| format!(", {}%", percent(score)));
            Some(format!(
                "{games} evaluations; of {of} {} won, {} drawn, {} lost{score}",
                count(won.won),
                count(won.drawn),
                count(won.lost)
            ))
        }
    }
}

fn error_label(row: &ErrorRow) -> String {
    match (row.by, row.key) {
        ("all", _) => "All".to_owned(),
        ("clock", quarter) => format!(" {} % of the time left", quarter.replace("..", "–")),
        (_, phase) => format!(" {phase}"),
    }
}

/// Errors in forty moves, of the player and of the opponents: `1.2 (0.9)`.
fn in_forty(row: &ErrorRow, of: fn(&ErrorCounts) -> u64) -> String {
    let rate = |counts: &ErrorCounts| 40.0 * of(counts) as f64 / counts.moves.max(1) as f64;
    format!(
        "{:.1} ({:.1})",
        rate(&row.own_errors),
        rate(&row.opponent_errors)
    )
}

type ErrorKind = (&'static str, fn(&ErrorCounts) -> u64);

const KINDS: [ErrorKind; 3] = [
    ("Blunders", |counts| counts.blunders),
    ("Mistakes", |counts| counts.mistakes),
    ("Inaccuracies", |counts| counts.inaccuracies),
];

/// Writes them as text.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PlayerReport,
) -> io::Result<()> {
    for class in &report.clock.classes {
        let title = format!("By the clock: {}", class.time);
        writeln!(out, "\n{}", screen.paint(HEADING, &title))?;
        let rows: Vec<&FigureRow> = class.rows.iter().collect();
        super::results(out, screen, "", &rows)?;
    }
    if let Some(text) = clock_note(report) {
        if report.clock.classes.is_empty() {
            writeln!(out)?;
        }
        wrapped(out, screen, "", (&screen.paint(DIM, &text), " "))?;
    }
    if !report.errors.rows.is_empty() {
        let mut columns = vec![
            Column::left("Errors in 40 moves").shrinks_to(20),
            Column::right("Moves"),
        ];
        columns.extend(KINDS.map(|(name, _)| Column::right(name)));
        let mut table = Table::new(columns);
        for row in &report.errors.rows {
            let mut cells = vec![
                screen.safe(&error_label(row)).into_owned().into(),
                count(row.own_errors.moves).into(),
            ];
            cells.extend(KINDS.map(|(_, of)| in_forty(row, of).into()));
            table.row(cells);
        }
        writeln!(out)?;
        table.write(out, screen)?;
    }
    if let Some(text) = errors_note(report) {
        if report.errors.rows.is_empty() {
            writeln!(out)?;
        } else {
            writeln!(out, "{}", screen.paint(DIM, "in brackets: the opponents"))?;
        }
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    Ok(())
}

/// Adds them to a page.
pub(super) fn page(page: &mut HtmlPage, report: &PlayerReport) {
    let notes = [clock_note(report), errors_note(report)];
    if notes.iter().all(Option::is_none) {
        return;
    }
    page.section("Clock and errors");
    for class in &report.clock.classes {
        page.subheading(class.time);
        let rows: Vec<&FigureRow> = class.rows.iter().collect();
        super::tables::results(page, "Games", &rows);
    }
    let [clock, errors] = notes;
    if let Some(text) = clock {
        page.note(&format!("{text}."));
    }
    if !report.errors.rows.is_empty() {
        page.subheading("Errors in 40 moves");
        let mut columns = vec![HtmlColumn::left("Moves"), HtmlColumn::right("")];
        columns.extend(
            KINDS.map(|(name, _)| {
                HtmlColumn::right(name).hint("in brackets those of the opponents")
            }),
        );
        let mut table = HtmlTable::new(columns);
        for row in &report.errors.rows {
            let mut cells: Vec<HtmlCell> = vec![
                error_label(row).trim().to_owned().into(),
                count(row.own_errors.moves).into(),
            ];
            cells.extend(KINDS.map(|(_, of)| in_forty(row, of).into()));
            table.row(cells);
        }
        page.table(&table);
    }
    if let Some(text) = errors {
        page.note(&format!("{text}."));
    }
}
