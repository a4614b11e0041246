//! What is likely to come up of a repertoire against a player.

use std::io::{self, Write};

use super::super::figures::{self, percent};
use super::super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ShareBar};
use super::super::number::{count, counted, share};
use super::super::table::{Cell, Column, Table};
use super::super::wrap::wrapped;
use super::whole;
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{ForecastKind, ForecastLine, PlayerReport, RepertoireForecast};
use crate::draw::svg::Style;

/// Rows of each table in a text, and on a page.
const TEXT_ROWS: usize = 10;
const PAGE_ROWS: usize = 40;

/// Boards on a page.
const BOARDS: usize = 3;

/// Games of the player of which shares say little.
const FEW_GAMES: u64 = 20;

const fn what(kind: ForecastKind) -> &'static str {
    match kind {
        ForecastKind::Missing => "not in the file",
        ForecastKind::Unanswered => "no answer",
        ForecastKind::End => "line ends",
        ForecastKind::Unknown => "never met",
    }
}

/// `18/310`: games of those in which there was the choice.
fn games(line: &ForecastLine) -> String {
    match line.kind {
        ForecastKind::Missing => {
            format!("{}/{}", count(line.results.games), count(line.chances))
        }
        _ => count(line.results.games),
    }
}

/// Lines that come up at all.
fn probable(lines: &[ForecastLine]) -> impl Iterator<Item = &ForecastLine> {
    lines.iter().filter(|line| line.probability > 0.0)
}

/// The moves of the player that texts show as missing.
pub(super) fn missing(forecast: &RepertoireForecast) -> impl Iterator<Item = &ForecastLine> {
    let is_missing = |line: &&ForecastLine| line.kind == ForecastKind::Missing;
    forecast.holes.iter().filter(is_missing).take(PAGE_ROWS)
}

/// What becomes of the repertoire as a whole.
fn summary(forecast: &RepertoireForecast) -> Vec<String> {
    let side = ["White", "Black"][usize::from(forecast.side == "black")];
    let other = ["White", "Black"][usize::from(forecast.side == "white")];
    let games = counted(forecast.games, "game", "games");
    let positions = counted(forecast.positions, "position", "positions");
    let mut texts = vec![format!(
        "{} for {side}, {positions}, by {games} of the player as {other}.",
        forecast.name
    )];
    if forecast.games == 0 {
        return texts;
    }
    let mut parts = vec![
        format!("{} end where you have no move", share(forecast.left, 0)),
        format!("{} come to the end of a line", share(forecast.ended, 0)),
    ];
    if forecast.unknown > 0.0 {
        let unknown = share(forecast.unknown, 0);
        parts.push(format!("{unknown} to where the player has never been"));
    }
    texts.push(format!(
        "Of a hundred games: {}.",
        parts.join(", ").replace('%', "")
    ));
    if forecast.games < FEW_GAMES {
        texts.push("These are few games: take the shares with care.".to_owned());
    }
    let idle = [&forecast.holes, &forecast.ends].into_iter().flatten();
    let idle = idle.filter(|line| line.probability <= 0.0).count() as u64;
    if idle > 0 {
        let lines = counted(idle, "line", "lines");
        texts.push(format!(
            "{lines} of the file cannot come up as the player plays."
        ));
    }
    texts
}

const TITLES: [&str; 2] = ["Study first", "Ends of your lines"];

/// Writes it as text.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PlayerReport,
) -> io::Result<()> {
    let Some(forecast) = &report.repertoire else {
        return Ok(());
    };
    writeln!(out, "\n{}", screen.paint(HEADING, "Your repertoire"))?;
    for text in summary(forecast) {
        wrapped(out, screen, "", (&screen.safe(&text), " "))?;
    }
    for (title, lines) in TITLES.into_iter().zip([&forecast.holes, &forecast.ends]) {
        let all = probable(lines).count();
        if all == 0 {
            continue;
        }
        let mut table = Table::new([
            Column::left(title).wraps(),
            Column::right("Often"),
            Column::right("Games"),
            Column::right("Score"),
            Column::right("Diff.").drops(1),
            Column::right("Last"),
            Column::left(""),
        ]);
        let dash = || Cell::styled(screen.dash(), DIM);
        let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
        for line in probable(lines).take(TEXT_ROWS) {
            let figures = &line.results;
            table.row(vec![
                Cell::styled(screen.safe(&whole(&line.moves)), STRONG),
                share(line.probability, 1).into(),
                games(line).into(),
                text(figures.score.map(|score| format!("{}%", percent(score)))),
                text(figures::difference(figures, screen.unicode)),
                text(line.last_year.map(|year| year.to_string())),
                Cell::styled(what(line.kind), DIM),
            ]);
        }
        writeln!(out)?;
        table.write(out, screen)?;
        if all > TEXT_ROWS {
            let more = count((all - TEXT_ROWS) as u64);
            writeln!(
                out,
                "{}",
                screen.paint(DIM, &format!("{more} more: --format json"))
            )?;
        }
    }
    Ok(())
}

/// Adds it to a page.
pub(super) fn page(page: &mut HtmlPage, report: &PlayerReport) {
    let Some(forecast) = &report.repertoire else {
        return;
    };
    page.section("Your repertoire");
    for text in summary(forecast) {
        page.paragraph(&text);
    }
    let style = Style {
        flipped: forecast.side == "black",
        ..Style::default()
    };
    page.begin_boards();
    for line in probable(&forecast.holes).take(BOARDS) {
        let often = share(line.probability, 1);
        let caption = format!("{}: {often}", whole(&line.moves));
        page.board(&line.at.diagram(), style, &caption);
    }
    page.end_boards();
    for (title, lines) in TITLES.into_iter().zip([&forecast.holes, &forecast.ends]) {
        let shown: Vec<&ForecastLine> = probable(lines).take(PAGE_ROWS).collect();
        if shown.is_empty() {
            continue;
        }
        page.subheading(title);
        let scale = figures::scale_of(shown.iter().map(|line| &line.results));
        let mut columns = vec![
            HtmlColumn::left("Line"),
            HtmlColumn::left("Often")
                .hint("the player plays as before, you each of your moves equally often"),
            HtmlColumn::left(""),
            HtmlColumn::right("Last"),
        ];
        columns.extend(
            figures::html_columns()
                .into_iter()
                .take(super::tables::FIGURES),
        );
        columns[4] = HtmlColumn::right("Games").hint("of those in which the player had the choice");
        let mut table = HtmlTable::new(columns);
        for line in &shown {
            let last = line.last_year.map(|year| year.to_string());
            let mut row = vec![
                HtmlCell::Strong(whole(&line.moves)),
                HtmlCell::Share(ShareBar {
                    share: line.probability,
                    label: share(line.probability, 1),
                }),
                HtmlCell::Quiet(what(line.kind).to_owned()),
                last.unwrap_or_default().into(),
            ];
            let figures = figures::html_cells(&line.results, scale).into_iter();
            row.extend(figures.take(super::tables::FIGURES));
            row[4] = games(line).into();
            table.row(row);
        }
        page.table(&table);
        let all = probable(lines).count();
        if all > shown.len() {
            let more = count((all - shown.len()) as u64);
            page.note(&format!("{more} more: plydex prepare --format json."));
        }
    }
}
