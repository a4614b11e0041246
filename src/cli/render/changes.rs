//! Changes to a database, and what became of them.

use std::io::{self, Write};

use super::number::{count, counted};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, Screen};
use crate::db::changes::{ChangeEntry, DeleteReport, EditReport, UndoReport};
use crate::db::store::ChangeKind;

/// Draws the log, the oldest change first.
pub fn log(out: &mut dyn Write, screen: &Screen, changes: &[ChangeEntry]) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "nothing was changed yet");
    }
    let mut table = Table::new([
        Column::right("Change"),
        Column::left("When (UTC)").drops(0),
        Column::left("What"),
        Column::right("Games"),
        Column::left("").wraps(),
    ]);
    for change in changes {
        let undone = change.undone_by.map(|by| format!("undone by {by}"));
        let told = match (change.kind, change.undoes) {
            (ChangeKind::Undo, Some(undone)) => format!("of change {undone}"),
            _ => change.what.clone(),
        };
        let told = match &undone {
            Some(undone) if told.is_empty() => format!("({undone})"),
            Some(undone) => format!("{told} ({undone})"),
            None => told,
        };
        let told = screen.safe(&told).into_owned();
        let games = match change.kind {
            ChangeKind::Undo | ChangeKind::Names => String::new(),
            _ => count(change.games),
        };
        let when = change.at.replace('T', " ");
        let when = when.get(..16).unwrap_or(&when).to_owned();
        let cell = |text: String| match &undone {
            Some(_) => Cell::styled(text, DIM),
            None => text.into(),
        };
        table.row(vec![
            change.change.to_string().into(),
            Cell::styled(when, DIM),
            cell(change.kind.word().to_owned()),
            cell(games),
            cell(told),
        ]);
    }
    table.write(out, screen)
}

/// How a change is taken back.
fn way_back(out: &mut dyn Write, change: i64) -> io::Result<()> {
    writeln!(out, "`plydex undo {change}` takes it back")
}

/// Says what an undo did.
pub fn undo(out: &mut dyn Write, report: &UndoReport) -> io::Result<()> {
    let games = |number: u64| counted(number, "game", "games");
    let mut told = Vec::new();
    for (number, what) in [
        (report.removed, "removed"),
        (report.returned, "back"),
        (report.edited, "with the tags of before"),
    ] {
        if number > 0 {
            told.push(format!("{} {what}", games(number)));
        }
    }
    if report.stayed > 0 {
        let (stay, sources) = match report.stayed {
            1 => ("stays", "for another source has it, too"),
            _ => ("stay", "for other sources have them, too"),
        };
        told.push(format!("{} {stay}, {sources}", games(report.stayed)));
    }
    let told = match told.is_empty() {
        true => "no game is affected".to_owned(),
        false => told.join("; "),
    };
    let (undone, kind) = (report.undone, report.kind.word());
    writeln!(out, "change {undone} ({kind}) is undone: {told}")?;
    way_back(out, report.change)
}

/// Says what a deletion would do.
pub fn would_delete(out: &mut dyn Write, total: u64, shown: u64) -> io::Result<()> {
    if total == 0 {
        return writeln!(out, "no game is found, so none would be deleted");
    }
    if total > shown {
        writeln!(out, "… and {} more", count(total - shown))?;
    }
    let games = counted(total, "game", "games");
    writeln!(out, "{games} would be deleted; add --yes to do it")
}

/// Says what a deletion did.
pub fn deleted(out: &mut dyn Write, report: &DeleteReport) -> io::Result<()> {
    let Some(change) = report.change else {
        return writeln!(out, "no game is found, so none was deleted");
    };
    writeln!(out, "{} deleted", counted(report.removed, "game", "games"))?;
    way_back(out, change)
}

/// Says what an edit did.
pub fn edited(out: &mut dyn Write, report: &EditReport) -> io::Result<()> {
    let Some(change) = report.change else {
        return writeln!(out, "game {} has these tags already", report.game);
    };
    let value = |value: &Option<String>| match value {
        Some(value) => format!("\"{value}\""),
        None => "no tag".to_owned(),
    };
    for (name, before, now) in &report.tags {
        writeln!(out, "{name}: {} instead of {}", value(now), value(before))?;
    }
    way_back(out, change)
}
