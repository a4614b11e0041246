//! Changes to a database, and what became of them.

use std::io::{self, Write};

use super::hits::outcome;
use super::number::{bytes, count, counted, date, known};
use super::table::{Cell, Column, Table};
use crate::base::record::{GameHeader, GameId};
use crate::cli::error::CliError;
use crate::cli::terminal::{DIM, TerminalInfo};
use crate::database::{
    ChangeEntry, ChangeKind, DedupeReport, DeleteReport, DuplicateGroup, EditReport, MergeReport,
    MoveNotation, OptimizeReport, Snapshot, UndoReport,
};

/// Characters that are shown of what was requested.
const DESCRIPTION_CHARS_MAX: usize = 400;

/// Draws the log, the oldest change first.
pub fn log(out: &mut dyn Write, screen: &TerminalInfo, changes: &[ChangeEntry]) -> io::Result<()> {
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
        let description = match (change.kind, change.undoes) {
            (ChangeKind::Undo, Some(undone)) => format!("of change {undone}"),
            _ => change.description.clone(),
        };
        let description = match &undone {
            Some(undone) if description.is_empty() => format!("({undone})"),
            Some(undone) => format!("{description} ({undone})"),
            None => description,
        };
        let mut description = screen.safe(&description).into_owned();
        // The value of a tag, or a list of games, may be long.
        if let Some((end, _)) = description.char_indices().nth(DESCRIPTION_CHARS_MAX) {
            description.truncate(end);
            description.push_str(screen.ellipsis());
        }
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
            cell(description),
        ]);
    }
    table.write(out, screen)
}

/// How to undo a change.
fn undo_hint(out: &mut dyn Write, change: i64) -> io::Result<()> {
    writeln!(out, "`plydex undo {change}` undoes it")
}

/// Says what an undo did.
pub fn undo(out: &mut dyn Write, report: &UndoReport) -> io::Result<()> {
    let games = |number: u64| counted(number, "game", "games");
    let mut description = Vec::new();
    for (number, what) in [
        (report.removed, "removed"),
        (report.restored, "restored"),
        (report.edited, "with their previous tags"),
    ] {
        if number > 0 {
            description.push(format!("{} {what}", games(number)));
        }
    }
    if report.kept > 0 {
        let (stay, sources) = match report.kept {
            1 => ("stays", "because another source has it"),
            _ => ("stay", "because other sources have them"),
        };
        description.push(format!("{} {stay}, {sources}", games(report.kept)));
    }
    let description = if description.is_empty() {
        "no game changed".to_owned()
    } else {
        description.join("; ")
    };
    let (undone, kind) = (report.undone, report.kind.word());
    writeln!(out, "undid change {undone} ({kind}): {description}")?;
    undo_hint(out, report.change)
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
    undo_hint(out, change)
}

/// Says what an edit did.
pub fn edited(out: &mut dyn Write, screen: &TerminalInfo, report: &EditReport) -> io::Result<()> {
    let Some(change) = report.change else {
        return writeln!(out, "game {} has these tags already", report.game);
    };
    let value = |value: &Option<String>| match value {
        Some(value) => format!("\"{}\"", screen.safe(value)),
        None => "no tag".to_owned(),
    };
    for (name, before, now) in &report.tags {
        writeln!(out, "{name}: {} instead of {}", value(now), value(before))?;
    }
    undo_hint(out, change)
}

/// The games of groups, each with the file that it was read from.
pub type GroupGames = std::collections::HashMap<GameId, (GameHeader, String)>;

/// What is shown of the games of groups.
pub fn headers(snapshot: &Snapshot<'_>, groups: &[DuplicateGroup]) -> Result<GroupGames, CliError> {
    let mut games = snapshot.reader(MoveNotation::default());
    let mut headers = GroupGames::new();
    for group in groups {
        for &game in group.others.iter().chain([&group.kept]) {
            if let Some(header) = games.header(game)? {
                let file = snapshot
                    .place(game)?
                    .map_or(String::new(), |place| place.file);
                headers.insert(game, (header, file));
            }
        }
    }
    Ok(headers)
}

/// Draws groups of games that are the same, the one that stays first.
pub fn groups(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    groups: &[DuplicateGroup],
    headers: &GroupGames,
) -> io::Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left(""),
        Column::right("Game"),
        Column::left("White").shrinks_to(12),
        Column::left("Black").shrinks_to(12),
        Column::left("Result"),
        Column::left("Date"),
        Column::left("Event").shrinks_to(8).drops(0),
        Column::right("Plies"),
        Column::left("File").shrinks_to(8).drops(1),
    ]);
    for group in groups {
        let kept = [("keeps", group.kept)].into_iter();
        let others = group.others.iter().map(|&game| ("", game));
        for (word, game) in kept.chain(others) {
            let Some((header, file)) = headers.get(&game) else {
                continue;
            };
            let cell = |text: &str| -> Cell {
                let text = screen.safe(text).into_owned();
                match word {
                    "" => Cell::styled(text, DIM),
                    _ => text.into(),
                }
            };
            table.row(vec![
                word.into(),
                cell(&game.to_string()),
                cell(known(&header.white)),
                cell(known(&header.black)),
                cell(&outcome(screen, &header.result, &header.result_written)),
                cell(date(&header.date)),
                cell(known(&header.event)),
                cell(&header.plies.to_string()),
                cell(file),
            ]);
        }
    }
    table.write(out, screen)
}

/// Says how many games are the same, and what became of them.
pub fn deduped(out: &mut dyn Write, report: &DedupeReport, shown: usize) -> io::Result<()> {
    let groups = report.groups.len();
    if let Some(more @ 1..) = groups.checked_sub(shown) {
        writeln!(out, "… and {} more groups", count(more as u64))?;
    }
    if groups == 0 {
        let games = counted(report.games, "game", "games");
        writeln!(out, "no game is stored twice among {games}")?;
    } else {
        let games = counted(groups as u64, "game is", "games are");
        let records = counted(report.removed, "record", "records");
        match report.change {
            None => writeln!(
                out,
                "{games} stored more than once: {records} would be removed; add --yes to do it"
            )?,
            Some(_) => writeln!(out, "{games} stored once now: {records} removed")?,
        }
    }
    if report.parts > 0 {
        let parts = counted(report.parts, "game is", "games are");
        writeln!(
            out,
            "{parts} stored with fewer moves besides; --parts counts them, too"
        )?;
    }
    report
        .change
        .map_or(Ok(()), |change| undo_hint(out, change))
}

/// Says what a merge did.
pub fn merged(out: &mut dyn Write, report: &MergeReport) -> io::Result<()> {
    let sources = counted(report.sources, "source", "sources");
    let stored = counted(report.stored, "game", "games");
    let again = count(report.repeated);
    writeln!(
        out,
        "{stored} stored from {sources}, {again} of {} were stored already",
        count(report.seen)
    )?;
    if report.deleted > 0 {
        let deleted = counted(report.deleted, "of them was", "of them were");
        writeln!(out, "{deleted} deleted before")?;
    }
    if report.replaced > 0 {
        let replaced = counted(report.replaced, "game has", "games have");
        writeln!(out, "{replaced} taken the place of poorer records")?;
    }
    report
        .change
        .map_or(Ok(()), |change| undo_hint(out, change))
}

/// Says what became of the file.
pub fn optimized(out: &mut dyn Write, report: &OptimizeReport) -> io::Result<()> {
    writeln!(
        out,
        "{}, {} before; {}, {} before",
        bytes(report.bytes),
        bytes(report.bytes_before),
        counted(report.segments, "segment", "segments"),
        count(report.segments_before)
    )?;
    if report.purged > 0 {
        let games = counted(report.purged, "removed game", "removed games");
        let changes = counted(report.ended, "change", "changes");
        writeln!(out, "{games} given up; {changes} cannot be undone any more")?;
    }
    Ok(())
}
