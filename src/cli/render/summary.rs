//! What an import did, in numbers that add up.

mod evaluations;
mod imported;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use super::findings;
use super::number::{bytes, count, counted, duration};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{BAD, DIM, HEADING, TerminalInfo, WARN};
use crate::database::{ImportReport, MissingSource};
use crate::games::variant::Variant;

/// Sources that could not be read and are named; an archive may have any number of them.
const FAILED_SHOWN: usize = 100;

/// Known sources that are named; a folder may hold hundreds.
const UNCHANGED_SHOWN: usize = 5;

/// Draws the summary. `bytes_read` what was
/// read from it.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
    elapsed: Duration,
    bytes_read: u64,
) -> io::Result<()> {
    let sources = counted(summary.sources, "source", "sources");
    let heading = format!(
        "{} stored from {sources}",
        counted(summary.stored, "game", "games")
    );
    let seconds = elapsed.as_secs_f64().max(0.001);
    let time = duration(elapsed);
    let mut speed = format!("in {time}");
    // Rates of a step say nothing.
    if elapsed > Duration::from_millis(100) && summary.seen > 0 {
        speed = format!(
            "in {time}, {} games/s, {}/s",
            count((summary.seen as f64 / seconds) as u64),
            bytes((bytes_read as f64 / seconds) as u64)
        );
    }
    writeln!(
        out,
        "{} {}",
        screen.paint(HEADING, &heading),
        screen.paint(DIM, &speed)
    )?;

    let columns = [Column::left(""), Column::right(""), Column::left("")];
    let mut table = Table::new(columns).indent(2);
    let mut line = |name: &str, number: String, remark: &str| {
        table.row(vec![name.into(), number.into(), Cell::styled(remark, DIM)]);
    };
    line("read", count(summary.seen), "");
    line("stored", count(summary.stored), "");
    let remark = "already in the database";
    // Those that were deleted are not in it.
    line(
        "skipped",
        count(summary.duplicate.saturating_sub(summary.deleted)),
        remark,
    );
    if summary.deleted > 0 {
        line("deleted", count(summary.deleted), "deleted before");
    }
    if summary.restored > 0 {
        let remark = "of the deleted: back under their numbers";
        line("restored", count(summary.restored), remark);
    }
    if summary.replaced > 0 {
        let remark = "of the stored: in the place of poorer records";
        line("replaced", count(summary.replaced), remark);
    }
    line("rejected", count(summary.rejected), "");
    line("", String::new(), "");
    line("plies", count(summary.plies), "");
    line("positions", count(summary.positions), "");
    line("database", bytes(summary.database_bytes), "");
    table.write(out, screen)?;

    formats(out, screen, summary)?;
    close_calls(out, screen, summary)?;
    imported::deleted(out, screen, summary)?;
    imported::repeated(out, screen, summary)?;
    imported::contained(out, screen, summary)?;
    variants(out, screen, summary)?;
    languages(out, screen, summary)?;
    evaluations::write(out, screen, summary)?;
    // Text of another kind is read to its end without complaint.
    let none_found = format!("{} in", screen.paint(WARN, "no game found"));
    some_of(out, screen, &summary.sources_empty, &none_found, "… and in")?;
    let word = "already imported:";
    some_of(out, screen, &summary.unchanged_sources, word, word)?;
    let word = "nothing new in";
    some_of(out, screen, &summary.sources_repeated, word, "… and in")?;
    if !summary.sources_failed.is_empty() {
        writeln!(out)?;
    }
    let failed = screen.paint(BAD, "failed:");
    for (source, why) in summary.sources_failed.iter().take(FAILED_SHOWN) {
        writeln!(out, "{failed} {}", screen.safe(&failure(source, why)))?;
    }
    let left = summary.sources_failed.len().saturating_sub(FAILED_SHOWN);
    if left > 0 {
        writeln!(out, "{failed} {} more", count(left as u64))?;
    }
    gone(out, screen, &summary.sources_missing)?;
    passed_over(out, screen, summary)?;
    diagnostics(out, screen, summary)?;
    incomplete(out, screen, summary)?;
    if let Some(refused) = &summary.refused {
        let heading = "Stopped by --strict";
        writeln!(out, "\n{}", screen.paint(HEADING, heading))?;
        findings::write(out, screen, refused)?;
    }
    unplayed(out, screen, summary)?;
    if summary.interrupted {
        let word = screen.paint(WARN, "interrupted:");
        writeln!(
            out,
            "\n{word} the games read so far are stored; the same command continues from there"
        )?;
    }
    Ok(())
}

/// Names some sources, each after a word, and says how many more there are.
fn some_of(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    sources: &[String],
    word: &str,
    more: &str,
) -> io::Result<()> {
    if !sources.is_empty() {
        writeln!(out)?;
    }
    for source in sources.iter().take(UNCHANGED_SHOWN) {
        writeln!(out, "{word} {}", screen.safe(source_name(source)))?;
    }
    match sources.len().saturating_sub(UNCHANGED_SHOWN) {
        0 => Ok(()),
        left => writeln!(out, "{more} {} more", count(left as u64)),
    }
}

/// Names sources that are not there any more.
fn gone(out: &mut dyn Write, screen: &TerminalInfo, sources: &[MissingSource]) -> io::Result<()> {
    if sources.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for source in sources {
        let (name, games) = (screen.safe(&source.source), source.games);
        if let Some(now) = &source.now {
            let word = screen.paint(WARN, "moved:");
            let games = counted(games, "game", "games");
            writeln!(
                out,
                "{word} {name} to {}, which has its {games}",
                screen.safe(now)
            )?;
        } else {
            let word = screen.paint(WARN, "missing:");
            let games = counted(games, "game stays", "games stay");
            writeln!(out, "{word} {name} ({games})")?;
        }
    }
    if sources.iter().all(|source| source.now.is_some()) {
        return Ok(());
    }
    writeln!(
        out,
        "`plydex delete --from-file NAME` deletes all games of a file, even those in other files"
    )
}

/// A source as people call it.
fn source_name(source: &str) -> &str {
    match source {
        "-" => "standard input",
        named => named,
    }
}

/// What is wrong with a source. Most messages begin with its name themselves;
/// once is enough.
pub fn failure(source: &str, why: &str) -> String {
    let named = why.strip_prefix(source);
    let why = named
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(why);
    format!("{}: {why}", source_name(source))
}

/// Names files of folders that were not taken.
fn passed_over(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    const SHOWN: usize = 3;
    if summary.files_skipped == 0 {
        return Ok(());
    }
    let shown = summary.files_skipped_named.len().min(SHOWN);
    let names = summary.files_skipped_named[..shown].join(", ");
    let more = summary.files_skipped - shown as u64;
    let and_more = if more > 0 {
        format!(" and {} more", count(more))
    } else {
        String::new()
    };
    writeln!(
        out,
        "\nskipped, not recognised as games: {}{and_more}",
        screen.safe(&names)
    )
}

/// Says what the sources were read as, where it was not PGN alone.
fn formats(out: &mut dyn Write, screen: &TerminalInfo, summary: &ImportReport) -> io::Result<()> {
    let mut sources = BTreeMap::<_, u64>::new();
    for (_, format) in &summary.formats {
        *sources.entry(*format).or_default() += 1;
    }
    if sources.keys().all(|&format| format == "pgn") {
        return Ok(());
    }
    let mut sources: Vec<_> = sources.into_iter().collect();
    sources.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
    let told = sources
        .iter()
        .map(|(format, number)| format!("{format} {}", count(*number)));
    let told: Vec<String> = told.collect();
    let heading = screen.paint(HEADING, "Formats");
    writeln!(out, "\n{heading}  {}", told.join(", "))
}

/// Names the sources that could be of another notation.
fn close_calls(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    let calls = &summary.close_calls;
    if !calls.is_empty() {
        writeln!(out)?;
    }
    for call in calls.iter().take(UNCHANGED_SHOWN) {
        let word = screen.paint(WARN, "close call:");
        writeln!(
            out,
            "{word} {} was read as {}, it could be {}: --as {}",
            screen.safe(source_name(&call.source)),
            call.format,
            call.could_be,
            call.could_be
        )?;
    }
    match calls.len().saturating_sub(UNCHANGED_SHOWN) {
        0 => Ok(()),
        left => writeln!(out, "close call: {} more", count(left as u64)),
    }
}

/// Draws the games by variant, where there is more than chess.
fn variants(out: &mut dyn Write, screen: &TerminalInfo, summary: &ImportReport) -> io::Result<()> {
    let mut found = summary.variants.clone();
    if found.iter().all(|found| found.variant == Variant::CHESS) {
        return Ok(());
    }
    found.sort_by_key(|found| (std::cmp::Reverse(found.games), found.variant));
    writeln!(out, "\n{}", screen.paint(HEADING, "Variants"))?;
    let mut table = Table::new([Column::left(""), Column::right(""), Column::left("")]).indent(2);
    for found in found {
        let name = Variant::by_id(found.variant).map_or("unknown", |variant| variant.name);
        let mut remark = match found.inferred {
            0 => String::new(),
            inferred if inferred == found.games => "inferred".to_owned(),
            inferred => format!("{} inferred", count(inferred)),
        };
        match found.ambiguous {
            0 => {}
            all if all == found.games => remark.push_str(", could be another variant"),
            some => {
                remark.push_str(", ");
                remark.push_str(&count(some));
                remark.push_str(" of them could be another variant");
            }
        }
        table.row(vec![
            name.into(),
            count(found.games).into(),
            Cell::styled(remark, DIM),
        ]);
    }
    table.write(out, screen)
}

/// Says which languages moves were written in, where it was not English.
fn languages(out: &mut dyn Write, screen: &TerminalInfo, summary: &ImportReport) -> io::Result<()> {
    if summary.languages.is_empty() {
        return Ok(());
    }
    let mut found = summary.languages.clone();
    found.sort_by_key(|found| std::cmp::Reverse(found.games));
    writeln!(out, "\n{}", screen.paint(HEADING, "Languages of moves"))?;
    let mut table = Table::new([
        Column::left(""),
        Column::right(""),
        Column::left("").shrinks_to(16),
    ])
    .indent(2);
    for language in found {
        let source = match language.sources {
            1 => screen
                .safe(source_name(&language.first_source))
                .into_owned(),
            sources => format!("{} sources", count(sources)),
        };
        table.row(vec![
            language.name.into(),
            counted(language.games, "game", "games").into(),
            Cell::styled(format!("in {source}"), DIM),
        ]);
    }
    table.write(out, screen)
}

/// Names the incomplete games, with what stopped them.
fn incomplete(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    if summary.incomplete == 0 {
        return Ok(());
    }
    let heading = format!("Incomplete games ({})", count(summary.incomplete));
    writeln!(out, "\n{}", screen.paint(HEADING, &heading))?;
    let mut table = Table::new([
        Column::left("Source").shrinks_to(16),
        Column::right("Game"),
        Column::left("Reason").wraps(),
    ])
    .indent(2);
    for game in &summary.incomplete_named {
        let why = match (game.code, screen.safe(&game.detail)) {
            (code, detail) if detail.is_empty() => code.to_owned(),
            ("", detail) => detail.into_owned(),
            (code, detail) => format!("{code}: {detail}"),
        };
        // The end of a path distinguishes files.
        let name = source_name(&game.source);
        let name = name.rsplit('/').next().unwrap_or(name);
        table.row(vec![
            screen.safe(name).into_owned().into(),
            count(game.number).into(),
            why.into(),
        ]);
    }
    table.write(out, screen)?;
    if summary.incomplete > summary.incomplete_named.len() as u64 {
        let hint = "--report FILE lists all of them";
        writeln!(out, "  {}", screen.paint(DIM, hint))?;
    }
    Ok(())
}

/// Warns of sources that seem to be read in a wrong way.
fn unplayed(out: &mut dyn Write, screen: &TerminalInfo, summary: &ImportReport) -> io::Result<()> {
    let sources = &summary.unplayed;
    if sources.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let word = screen.paint(WARN, "warning:");
    for source in sources.iter().take(UNCHANGED_SHOWN) {
        writeln!(
            out,
            "{word} no move could be played in {} of {} of {}",
            count(source.unplayed),
            counted(source.games, "game", "games"),
            screen.safe(source_name(&source.source))
        )?;
    }
    if let Some(more @ 1..) = sources.len().checked_sub(UNCHANGED_SHOWN) {
        writeln!(
            out,
            "{word} nor in most games of {}",
            counted(more as u64, "more source", "more sources")
        )?;
    }
    let hint = "hint: --variant, --language or --as says how to read them";
    writeln!(out, "{}", screen.paint(DIM, hint))
}

/// Draws the findings by code.
fn diagnostics(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    summary: &ImportReport,
) -> io::Result<()> {
    let found = summary.diagnostics.iter();
    let found: Vec<_> = found
        .filter(|&&(_, times)| times > 0)
        .map(|&(code, times)| (code.as_str().to_owned(), times))
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    findings::counts(out, screen, "Findings", &found)
}

#[cfg(test)]
mod tests;
