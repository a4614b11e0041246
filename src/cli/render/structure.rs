//! A report on a pawn structure or an ending, as text and as a page.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::figures;
use super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ShareBar};
use super::number::{counted, share};
use super::plans;
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, HEADING, TerminalInfo};
use crate::database::{Figures, StructureReport};
use crate::draw::board;
use crate::draw::svg::Style;

/// The two sides of a report: the one that has the structure is drawn as White.
const SIDES: [&str; 2] = ["the side that has it", "the other side"];

/// The figures of an opening on a page: up to the difference as a drawing.
const HTML_FIGURES: usize = 7;

fn title(report: &StructureReport) -> String {
    match &report.squares {
        None => report.title.clone(),
        Some([own, other]) => format!("{} against {}", own.join(" "), other.join(" ")),
    }
}

fn plies_text(report: &StructureReport) -> String {
    let searched = counted(report.searched, "game", "games");
    format!("for {} plies or more, in {searched} searched", report.plies)
}

/// Writes a report as text.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &StructureReport,
) -> io::Result<()> {
    let name = title(report);
    writeln!(out, "{}", screen.paint(HEADING, &screen.safe(&name)))?;
    writeln!(out, "{}", screen.paint(DIM, &plies_text(report)))?;
    if let Some(diagram) = &report.diagram {
        let style = screen.board_style(crate::cli::args::output::BoardStyleArgs::default());
        writeln!(out, "\n{}", board::draw(diagram, style).trim_end())?;
    }
    if report.results.games == 0 {
        return Ok(());
    }
    let mut columns = vec![Column::left("").shrinks_to(10)];
    columns.extend(figures::columns());
    let mut table = Table::new(columns);
    for (name, figures) in rows(report) {
        let mut row = vec![Cell::from(name)];
        row.extend(figures::cells(figures, screen));
        table.row(row);
    }
    writeln!(out)?;
    table.write(out, screen)?;
    writeln!(out, "{}", screen.paint(DIM, &remarks(report)))?;
    if !report.openings.is_empty() {
        let mut columns = vec![Column::left("From").shrinks_to(20), Column::right("Share")];
        columns.extend(
            figures::columns().into_iter().filter(|column| {
                !matches!(column.title, "Won" | "Drawn" | "Lost" | "Perf." | "Opp.")
            }),
        );
        let mut table = Table::new(columns);
        for opening in &report.openings {
            let cells = figures::cells(&opening.results, screen);
            let kept = [0, 4, 5, 6, 7].map(|at: usize| cells[at].clone());
            let mut row = vec![
                screen.safe(&opening.name).into_owned().into(),
                share(opening.share, 0).into(),
            ];
            row.extend(kept);
            table.row(row);
        }
        writeln!(out)?;
        table.write(out, screen)?;
    }
    if let Some(found) = &report.plans {
        plans::write(out, screen, found, SIDES)?;
    }
    plans::write_reached(out, screen, "Endings", &report.endings)?;
    let models = [("Won", &report.models[..]), ("Lost", &report.other_models)];
    plans::write_models(out, screen, &models)?;
    plans::write_years(out, screen, (&report.years, report.undated))
}

/// What the lines of figures are about.
fn rows(report: &StructureReport) -> Vec<(String, &Figures)> {
    let mut rows = vec![("All games".to_owned(), &report.results)];
    for row in &report.by_color {
        let name = if row.key == "white" {
            "As White"
        } else {
            "As Black"
        };
        rows.push((name.to_owned(), &row.figures));
    }
    for row in &report.pawn_differences {
        let name = match row.pawns {
            2.. => "2+ pawns up".to_owned(),
            1 => "1 pawn up".to_owned(),
            0 => "even pawns".to_owned(),
            -1 => "1 pawn down".to_owned(),
            ..-1 => "2+ down".to_owned(),
        };
        rows.push((name, &row.results));
    }
    rows
}

fn remarks(report: &StructureReport) -> String {
    let mut text = format!("Half of the games have it by ply {}.", report.from_ply);
    if report.mirrored > 0 {
        let games = counted(report.mirrored, "game", "games");
        let _ = write!(text, " Left and right are exchanged in {games}.");
    }
    text
}

/// The report as a page.
pub fn page(report: &StructureReport) -> HtmlPage {
    let games = counted(report.results.games, "game", "games");
    let mut page = HtmlPage::new(&title(report), &format!("{games}, {}", plies_text(report)));
    if let Some(diagram) = &report.diagram {
        page.begin_boards();
        page.board(
            diagram,
            Style::default(),
            "White has the structure; in the games either side does",
        );
        page.end_boards();
    }
    page.section("Results of the side that has it");
    let all = rows(report);
    let scale = figures::scale_of(all.iter().map(|(_, figures)| *figures));
    let mut columns = vec![HtmlColumn::left("")];
    columns.extend(figures::html_columns());
    let mut table = HtmlTable::new(columns);
    for (name, figures) in all {
        let mut row = vec![HtmlCell::Strong(name)];
        row.extend(figures::html_cells(figures, scale));
        table.row(row);
    }
    page.table(&table);
    page.note(&remarks(report));
    if !report.openings.is_empty() {
        page.section("Openings it came from");
        let scale = figures::scale_of(report.openings.iter().map(|opening| &opening.results));
        let mut columns = vec![HtmlColumn::left("Opening"), HtmlColumn::left("Share")];
        columns.extend(figures::html_columns().into_iter().take(HTML_FIGURES));
        let mut table = HtmlTable::new(columns);
        for opening in &report.openings {
            let label = share(opening.share, 1);
            let mut row = vec![
                HtmlCell::Strong(opening.name.clone()),
                HtmlCell::Share(ShareBar {
                    share: opening.share,
                    label,
                }),
            ];
            row.extend(
                figures::html_cells(&opening.results, scale)
                    .into_iter()
                    .take(HTML_FIGURES),
            );
            table.row(row);
        }
        page.table(&table);
    }
    if let Some(found) = &report.plans {
        let board = report.diagram.as_ref().map(|diagram| (diagram, false));
        plans::page(&mut page, found, board, SIDES);
    }
    plans::page_reached(&mut page, "Endings", &report.endings);
    let models = [
        ("the side that has it", &report.models[..]),
        ("the other side", &report.other_models),
    ];
    plans::page_models(&mut page, &models);
    plans::page_years(&mut page, &report.years);
    page
}
