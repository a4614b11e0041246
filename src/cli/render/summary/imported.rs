//! What an import says of games that are stored already, or were deleted before.

use std::io::{self, Write};

use super::super::number::{count, counted};
use super::{UNCHANGED_SHOWN, source_name};
use crate::cli::terminal::{DIM, TerminalInfo};
use crate::database::ContainedGame;
use crate::database::ImportReport;

/// Says how games that were deleted before come back, or how they are deleted again.
pub(super) fn deleted(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    if summary.deleted == 0 {
        return Ok(());
    }
    writeln!(out)?;
    if summary.restored > 0 {
        for change in &summary.restored_by {
            writeln!(out, "restored: `plydex undo {change}` undoes it")?;
        }
        return Ok(());
    }
    for met in summary.deletions.iter().take(UNCHANGED_SHOWN) {
        let (games, change) = (counted(met.games, "game", "games"), met.change);
        let way_back = if met.can_be_undone {
            format!("`plydex undo {change}` brings back all that it deleted")
        } else {
            "`plydex optimize --purge` has given them up".to_owned()
        };
        writeln!(
            out,
            "deleted before: {games} by change {change}; {way_back}"
        )?;
    }
    let more = summary.deletions.len().saturating_sub(UNCHANGED_SHOWN);
    if more > 0 {
        writeln!(
            out,
            "deleted before: by {} more changes",
            count(more as u64)
        )?;
    }
    if summary.deletions.iter().any(|met| met.can_be_undone) {
        let hint =
            "hint: import again with --restore-deleted to bring back the games of these sources";
        writeln!(out, "{}", screen.paint(DIM, hint))?;
    }
    Ok(())
}

/// Names games that are stored already.
pub(super) fn repeated(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    if summary.repeated > 0 {
        writeln!(out)?;
    }
    for again in summary.repeated_named.iter().take(UNCHANGED_SHOWN) {
        let source = screen.safe(source_name(&again.source));
        let (number, game) = (again.number, again.game);
        let deleted = match again.deleted_by {
            None => String::new(),
            Some(change) => format!(", which change {change} has deleted"),
        };
        writeln!(
            out,
            "stored already: game {number} of {source} is game {game}{deleted}"
        )?;
    }
    match summary.repeated.saturating_sub(UNCHANGED_SHOWN as u64) {
        0 => Ok(()),
        left => writeln!(
            out,
            "stored already: {} more; --report FILE names all, --duplicates keep stores them again",
            count(left)
        ),
    }
}

/// Names games that are only the beginning of others.
pub(super) fn contained(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    if summary.contained == 0 {
        return Ok(());
    }
    writeln!(out)?;
    let named = summary.contained_named.iter().take(UNCHANGED_SHOWN);
    for ContainedGame { game, whole } in named {
        writeln!(
            out,
            "stored twice: game {game} is the beginning of game {whole}"
        )?;
    }
    let more = summary.contained.saturating_sub(UNCHANGED_SHOWN as u64);
    if more > 0 {
        writeln!(
            out,
            "stored twice: {} more beginnings of games",
            count(more)
        )?;
    }
    let hint =
        "hint: `plydex dedupe --parts` lists them, and with --yes keeps the longer games alone";
    writeln!(out, "{}", screen.paint(DIM, hint))
}
