//! A repertoire as it stands beside the games of a database.

use std::borrow::Cow;
use std::io::{self, Write};

use super::csv::{self, safe};
use super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ResultBar, ShareBar};
use super::number::{count, counted, share};
use super::table::{Cell, Column, Table};
use crate::cli::commands::repertoire::RepertoireReport;
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{ComparedMove, ComparedPosition, GapKind, RepertoireGap, ScoreSum};

/// Draws two tables: what there is to prepare, and where the games choose otherwise.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &RepertoireReport<'_>,
    limit: usize,
) -> io::Result<()> {
    writeln!(out, "{}: {}", screen.safe(&report.file), about(report))?;
    let others = report.gaps.len().saturating_sub(limit);
    if !report.gaps.is_empty() {
        writeln!(out, "\n{}", screen.paint(HEADING, "To prepare"))?;
        prepare(screen, report, limit).write(out, screen)?;
    }
    if others > 0 {
        writeln!(out, "({} more)", count(others as u64))?;
    }
    let own = rare_choices(report);
    if !own.is_empty() {
        writeln!(out, "\n{}", screen.paint(HEADING, OTHERS))?;
        choices(screen, &own, limit).write(out, screen)?;
    }
    Ok(())
}

/// The heading of positions in which the games choose otherwise.
const OTHERS: &str = "Other moves are played more often than yours";

fn about(report: &RepertoireReport<'_>) -> String {
    let [white, black] = report.choices;
    let positions = counted(report.positions.len() as u64, "position", "positions");
    let side = match report.side {
        Some("white") => "for White",
        Some(_) => "for Black",
        None => "for both sides",
    };
    format!("{positions} {side} (moves a position: White {white:.1}, Black {black:.1})")
}

/// The positions in which the games choose otherwise, those that come up most often first.
fn rare_choices<'r>(report: &RepertoireReport<'r>) -> Vec<&'r ComparedPosition> {
    let mut own: Vec<&ComparedPosition> = (report.positions.iter())
        .filter(|at| at.own == Some(true) && differs(at))
        .collect();
    own.sort_by(|one, other| other.frequency.total_cmp(&one.frequency));
    own
}

/// Whether the games play another move more often than those of the repertoire.
fn differs(at: &ComparedPosition) -> bool {
    let known = |in_file| {
        let mut lines = at.moves.iter().filter(move |line| line.in_file == in_file);
        lines.next().map(|line| line.played.score.games)
    };
    known(true).is_some_and(|own| known(false).is_some_and(|other| other > own))
}

fn score(of: &ScoreSum) -> String {
    of.score.map_or_else(String::new, |score| share(score, 1))
}

fn kind(RepertoireGap { kind, next, .. }: &RepertoireGap) -> String {
    match (kind, next) {
        (GapKind::Missing, _) => "not in the file".to_owned(),
        (GapKind::Unanswered, Some(next)) => format!("no answer; most play {next}"),
        (GapKind::Unanswered, None) => "no answer".to_owned(),
        (GapKind::End, Some(next)) => format!("line ends; most play {next}"),
        (GapKind::End, None) => "line ends".to_owned(),
    }
}

fn prepare(screen: &TerminalInfo, report: &RepertoireReport<'_>, limit: usize) -> Table {
    let mut table = Table::new([
        Column::right("Often"),
        Column::right("Games"),
        Column::left("What"),
        Column::left("Line").wraps(),
    ]);
    for gap in report.gaps.iter().take(limit) {
        table.row(vec![
            share(gap.frequency, 1).into(),
            count(gap.score.games).into(),
            Cell::styled(screen.safe(&kind(gap)), DIM),
            Cell::styled(screen.safe(&gap.line), STRONG),
        ]);
    }
    table
}

fn choices(screen: &TerminalInfo, own: &[&ComparedPosition], limit: usize) -> Table {
    let mut table = Table::new([
        Column::right("Often"),
        Column::left("Yours"),
        Column::right("Games"),
        Column::right("Score"),
        Column::left("Others"),
        Column::right("Games"),
        Column::right("Score"),
        Column::left("Line").wraps(),
    ]);
    for at in own.iter().take(limit) {
        let first = |in_file| at.moves.iter().find(|line| line.in_file == in_file);
        let mut cells = vec![share(at.frequency, 1).into()];
        for line in [first(true), first(false)] {
            let cell = |of: fn(&ComparedMove) -> String| line.map_or_else(String::new, of);
            cells.push(Cell::styled(
                screen.safe(&cell(|line| line.played.san.clone())),
                STRONG,
            ));
            cells.push(cell(|line| count(line.played.score.games)).into());
            cells.push(cell(|line| score(&line.played.score)).into());
        }
        cells.push(Cell::styled(screen.safe(&at.line), DIM));
        table.row(cells);
    }
    table
}

/// The same tables as a page.
pub fn page(report: &RepertoireReport<'_>, limit: usize) -> HtmlPage {
    let mut page = HtmlPage::new(&format!("Repertoire: {}", report.file), &about(report));
    // The side whose points count.
    let is_black = report.side == Some("black");
    let bar = |sum: &ScoreSum| {
        let [won, lost] = if is_black {
            [sum.black_wins, sum.white_wins]
        } else {
            [sum.white_wins, sum.black_wins]
        };
        HtmlCell::Results(ResultBar {
            won,
            drawn: sum.draws,
            lost,
        })
    };
    let often = |frequency| {
        HtmlCell::Share(ShareBar {
            share: frequency,
            label: share(frequency, 1),
        })
    };
    if !report.gaps.is_empty() {
        page.section("To prepare");
        let mut table = HtmlTable::new([
            HtmlColumn::left("Line"),
            HtmlColumn::left("Often").hint("how often you get there"),
            HtmlColumn::right("Games"),
            HtmlColumn::left("Results").minor(),
            HtmlColumn::left("What"),
        ]);
        for gap in report.gaps.iter().take(limit) {
            table.row(vec![
                HtmlCell::Strong(gap.line.clone()),
                often(gap.frequency),
                count(gap.score.games).into(),
                bar(&gap.score),
                HtmlCell::Quiet(kind(gap)),
            ]);
        }
        page.table(&table);
        if let Some(others @ 1..) = report.gaps.len().checked_sub(limit) {
            page.note(&format!("{} more", count(others as u64)));
        }
    }
    let own = rare_choices(report);
    if !own.is_empty() {
        page.section(OTHERS);
        let mut table = HtmlTable::new([
            HtmlColumn::left("Line"),
            HtmlColumn::left("Often").hint("how often you get there"),
            HtmlColumn::left("Yours"),
            HtmlColumn::right("Games"),
            HtmlColumn::right("Score"),
            HtmlColumn::left("Others"),
            HtmlColumn::right("Games"),
            HtmlColumn::right("Score"),
        ]);
        for at in own.iter().take(limit) {
            let mut cells = vec![HtmlCell::Strong(at.line.clone()), often(at.frequency)];
            for in_file in [true, false] {
                let first = at.moves.iter().find(|line| line.in_file == in_file);
                let text = |of: fn(&ComparedMove) -> String| first.map_or_else(String::new, of);
                cells.push(HtmlCell::Strong(text(|line| line.played.san.clone())));
                cells.push(text(|line| count(line.played.score.games)).into());
                cells.push(text(|line| score(&line.played.score)).into());
            }
            table.row(cells);
        }
        page.table(&table);
    }
    page
}

/// The columns of moves.
const COLUMNS: [&str; 12] = [
    "line",
    "fen",
    "own",
    "frequency",
    "san",
    "uci",
    "in_file",
    "games",
    "white_wins",
    "draws",
    "black_wins",
    "score",
];

/// Every move of every position, as comma-separated values.
pub fn csv(out: &mut dyn Write, compared: &[ComparedPosition]) -> Result<(), ::csv::Error> {
    csv::line(out, &COLUMNS)?;
    for at in compared {
        let own = at.own.map_or_else(String::new, |own| own.to_string());
        for ComparedMove {
            in_file, played, ..
        } in &at.moves
        {
            let sum = &played.score;
            let score = sum
                .score
                .map_or_else(String::new, |score| score.to_string());
            let cells: [Cow<'_, str>; 12] = [
                safe(&at.line),
                safe(&at.fen),
                own.as_str().into(),
                at.frequency.to_string().into(),
                safe(&played.san),
                safe(&played.uci),
                in_file.to_string().into(),
                sum.games.to_string().into(),
                sum.white_wins.to_string().into(),
                sum.draws.to_string().into(),
                sum.black_wins.to_string().into(),
                score.into(),
            ];
            csv::line(out, &cells)?;
        }
    }
    Ok(())
}
