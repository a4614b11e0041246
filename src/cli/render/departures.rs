//! Where games leave a repertoire, as text, as comma-separated values and as a page.

use std::borrow::Cow;
use std::io::{self, Write};

use super::csv::{self, safe};
use super::figures::{self, percent};
use super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ResultBar};
use super::number::{count, counted, date};
use super::table::{Cell, Column, Table};
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{
    DepartureKind, DepartureReport, FigureRow, Figures, GameDeparture, MoveOutside,
};

/// Boards of the worst holes.
const BOARDS: usize = 3;

/// The sides of the repertoire and of the opponent.
fn sides(report: &DepartureReport) -> [&'static str; 2] {
    if report.view == "white" {
        ["White", "Black"]
    } else {
        ["Black", "White"]
    }
}

fn games(report: &DepartureReport) -> u64 {
    report.results.first().map_or(0, |all| all.figures.games)
}

fn about(report: &DepartureReport) -> String {
    let games = counted(games(report), "game", "games");
    format!("{games}; scores are those of {}", sides(report)[0])
}

fn label(row: &FigureRow, [own, opponent]: [&str; 2]) -> String {
    match row.key.as_str() {
        "own" => format!("{own} left"),
        "opponent" => format!("{opponent} left"),
        "file-end" => "File ends".to_owned(),
        "game-end" => "Game ends".to_owned(),
        _ => "All games".to_owned(),
    }
}

/// Who left the file.
fn left_by(kind: DepartureKind, [own, opponent]: [&'static str; 2]) -> &'static str {
    match kind {
        DepartureKind::Own => own,
        DepartureKind::Opponent => opponent,
        DepartureKind::FileEnd => "file ends",
        DepartureKind::GameEnd => "game ends",
    }
}

fn line(text: &str) -> &str {
    if text.is_empty() { "start" } else { text }
}

fn in_file(moves: &[String]) -> String {
    moves.join(", ")
}

fn points(lost: Option<f64>, is_unicode: bool) -> Option<String> {
    let minus = if is_unicode { "−" } else { "-" };
    lost.map(|lost| format!("{lost:.1}").replace('-', minus))
}

/// Draws the results by who left the file, then each list with at most `limit` lines.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    (file, report): (&str, &DepartureReport),
    limit: usize,
) -> io::Result<()> {
    writeln!(out, "{}: {}", screen.safe(file), about(report))?;
    if games(report) == 0 {
        return Ok(());
    }
    let names @ [own, opponent] = sides(report);
    let mut columns = vec![Column::left("").shrinks_to(10)];
    columns.extend(figures::columns());
    let mut table = Table::new(columns);
    for row in &report.results {
        let mut cells = vec![Cell::from(label(row, names))];
        cells.extend(figures::cells(&row.figures, screen));
        table.row(cells);
    }
    writeln!(out)?;
    table.write(out, screen)?;
    let heading = format!("Holes: moves of {opponent} that the file lacks");
    section(out, screen, &heading, (report.holes.len(), limit), || {
        outside(screen, &report.holes, limit, true)
    })?;
    let heading = format!("Moves of {own} that the file lacks");
    section(
        out,
        screen,
        &heading,
        (report.own_moves.len(), limit),
        || outside(screen, &report.own_moves, limit, false),
    )?;
    let heading = "Where games leave the file";
    section(out, screen, heading, (report.leaves.len(), limit), || {
        leaves(screen, report, limit)
    })?;
    let all = usize::try_from(games(report)).unwrap_or(usize::MAX);
    section(out, screen, "Latest games", (all, limit), || {
        latest(screen, report)
    })
}

/// A table below its heading, with how many more lines there are.
fn section(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    heading: &str,
    (lines, limit): (usize, usize),
    table: impl FnOnce() -> Table,
) -> io::Result<()> {
    if lines == 0 {
        return Ok(());
    }
    writeln!(out, "\n{}", screen.paint(HEADING, heading))?;
    table().write(out, screen)?;
    match lines.saturating_sub(limit) {
        0 => Ok(()),
        others => writeln!(out, "({} more)", count(others as u64)),
    }
}

/// Games won, drawn and lost: `+3=1-2`.
fn balance(figures: &Figures, screen: &TerminalInfo) -> String {
    let minus = if screen.unicode { '−' } else { '-' };
    let Figures {
        won, drawn, lost, ..
    } = figures;
    format!("+{won}={drawn}{minus}{lost}")
}

fn outside(screen: &TerminalInfo, moves: &[MoveOutside], limit: usize, is_holes: bool) -> Table {
    let mut columns = vec![
        Column::right("Games"),
        Column::left("Results"),
        Column::right("Score"),
        Column::right("Diff.").drops(1),
    ];
    if is_holes {
        columns.insert(0, Column::right("Points lost"));
    }
    columns.extend([
        Column::left("File").shrinks_to(8),
        Column::left("Line").wraps(),
    ]);
    let mut table = Table::new(columns);
    let dash = || Cell::styled(screen.dash(), DIM);
    let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
    for played in moves.iter().take(limit) {
        let figures = &played.results;
        let mut cells = vec![
            count(figures.games).into(),
            balance(figures, screen).into(),
            text(figures.score.map(percent)),
            text(figures::difference(figures, screen.unicode)),
            Cell::styled(screen.safe(&in_file(&played.in_file)), DIM),
            Cell::styled(screen.safe(&played.line), STRONG),
        ];
        if is_holes {
            cells.insert(0, text(points(played.lost_points, screen.unicode)));
        }
        table.row(cells);
    }
    table
}

fn leaves(screen: &TerminalInfo, report: &DepartureReport, limit: usize) -> Table {
    let [own, opponent] = sides(report);
    let mut table = Table::new([
        Column::right("Games"),
        Column::right(own),
        Column::right(opponent),
        Column::right("Ends"),
        Column::right("Score"),
        Column::right("Diff.").drops(1),
        Column::left("Line").wraps(),
    ]);
    let dash = || Cell::styled(screen.dash(), DIM);
    let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
    for leaf in report.leaves.iter().take(limit) {
        table.row(vec![
            count(leaf.results.games).into(),
            count(leaf.own).into(),
            count(leaf.opponent).into(),
            count(leaf.file_end + leaf.game_end).into(),
            text(leaf.results.score.map(percent)),
            text(figures::difference(&leaf.results, screen.unicode)),
            Cell::styled(screen.safe(line(&leaf.line)), STRONG),
        ]);
    }
    table
}

fn latest(screen: &TerminalInfo, report: &DepartureReport) -> Table {
    let names = sides(report);
    let mut table = Table::new([
        Column::right("Game"),
        Column::left("White").shrinks_to(10),
        Column::left("Black").shrinks_to(10),
        Column::left("Result"),
        Column::left("Date").drops(1),
        Column::left("Left by"),
        Column::left("Move"),
        Column::left("File").shrinks_to(10),
    ]);
    for found in &report.games {
        table.row(vec![
            found.game.id.to_string().into(),
            screen.safe(&found.game.white).into(),
            screen.safe(&found.game.black).into(),
            screen.safe(&found.game.result).into(),
            screen.safe(date(&found.game.date)).into(),
            left_by(found.left_by, names).into(),
            Cell::styled(screen.safe(&numbered(found)), STRONG),
            Cell::styled(screen.safe(&in_file(&found.in_file)), DIM),
        ]);
    }
    table
}

/// The move of a game with its number: `5...a6`.
fn numbered(found: &GameDeparture) -> String {
    let (number, is_second) = found.number;
    let dots = if is_second { "..." } else { "." };
    (found.san.as_deref()).map_or_else(String::new, |san| format!("{number}{dots}{san}"))
}

/// The columns of games.
const COLUMNS: [&str; 10] = [
    "id", "white", "black", "date", "result", "left_by", "ply", "line", "san", "in_file",
];

/// The games as comma-separated values.
pub fn csv(out: &mut dyn Write, games: &[GameDeparture]) -> Result<(), ::csv::Error> {
    csv::line(out, &COLUMNS)?;
    for found in games {
        let file = in_file(&found.in_file);
        let cells: [Cow<'_, str>; COLUMNS.len()] = [
            found.game.id.to_string().into(),
            safe(&found.game.white),
            safe(&found.game.black),
            safe(&found.game.date),
            safe(&found.game.result),
            found.left_by.name().into(),
            found.ply.to_string().into(),
            safe(&found.line),
            safe(found.san.as_deref().unwrap_or_default()),
            safe(&file),
        ];
        csv::line(out, &cells)?;
    }
    Ok(())
}

/// The report as a page.
pub fn page((file, report): (&str, &DepartureReport), limit: usize) -> HtmlPage {
    let names @ [own, opponent] = sides(report);
    let mut page = HtmlPage::new(&format!("Where games leave {file}"), &about(report));
    page.section("Results by who left the file");
    let mut columns = vec![HtmlColumn::left("")];
    columns.extend(figures::html_columns());
    let mut table = HtmlTable::new(columns);
    let scale = figures::scale_of(report.results.iter().map(|row| &row.figures));
    for row in &report.results {
        let mut cells = vec![HtmlCell::from(label(row, names))];
        cells.extend(figures::html_cells(&row.figures, scale));
        table.row(cells);
    }
    page.table(&table);
    if !report.holes.is_empty() {
        page.section(&format!("Holes: moves of {opponent} that the file lacks"));
        page.note("First those that cost most points against what the ratings let expect.");
        boards(&mut page, report);
        page.table(&html_moves(&report.holes, limit, true));
    }
    if !report.own_moves.is_empty() {
        page.section(&format!("Moves of {own} that the file lacks"));
        page.table(&html_moves(&report.own_moves, limit, false));
    }
    page.section("Where games leave the file");
    page.table(&html_leaves(report, limit));
    page.section("Latest games");
    let mut table = HtmlTable::new([
        HtmlColumn::left("White"),
        HtmlColumn::left("Black"),
        HtmlColumn::left("Result"),
        HtmlColumn::left("Date").minor(),
        HtmlColumn::left("Left by"),
        HtmlColumn::left("Move"),
        HtmlColumn::left("File"),
        HtmlColumn::right("Game").minor(),
    ]);
    for found in &report.games {
        table.row(vec![
            found.game.white.as_str().into(),
            found.game.black.as_str().into(),
            found.game.result.as_str().into(),
            date(&found.game.date).into(),
            left_by(found.left_by, names).into(),
            HtmlCell::Strong(numbered(found)),
            HtmlCell::Quiet(in_file(&found.in_file)),
            found.game.id.to_string().into(),
        ]);
    }
    page.table(&table);
    page
}

/// The positions of the holes that cost most.
fn boards(page: &mut HtmlPage, report: &DepartureReport) {
    page.begin_boards();
    for hole in report.holes.iter().take(BOARDS) {
        let style = crate::draw::svg::Style {
            flipped: report.view == "black",
            ..crate::draw::svg::Style::default()
        };
        let games = counted(hole.results.games, "game", "games");
        page.board(
            &hole.at.diagram(),
            style,
            &format!("{}: {games}", hole.line),
        );
    }
    page.end_boards();
}

fn html_moves(moves: &[MoveOutside], limit: usize, is_holes: bool) -> HtmlTable {
    let mut columns = vec![HtmlColumn::left("Line"), HtmlColumn::left("File")];
    if is_holes {
        columns.push(
            HtmlColumn::right("Lost")
                .hint("points below what the ratings let expect, of the games with both ratings"),
        );
    }
    columns.extend(result_columns());
    let mut table = HtmlTable::new(columns);
    for played in moves.iter().take(limit) {
        let mut cells = vec![
            HtmlCell::Strong(played.line.clone()),
            HtmlCell::Quiet(in_file(&played.in_file)),
        ];
        if is_holes {
            let lost = points(played.lost_points, true);
            cells.push(lost.unwrap_or_else(|| "–".to_owned()).into());
        }
        cells.extend(result_cells(&played.results));
        table.row(cells);
    }
    table
}

fn html_leaves(report: &DepartureReport, limit: usize) -> HtmlTable {
    let [own, opponent] = sides(report);
    let mut columns = vec![
        HtmlColumn::left("Line"),
        HtmlColumn::right(own)
            .hint("games that this side leaves here")
            .minor(),
        HtmlColumn::right(opponent)
            .hint("games that this side leaves here")
            .minor(),
        HtmlColumn::right("Ends")
            .hint("games that go on where the file ends, or end here")
            .minor(),
    ];
    columns.extend(result_columns());
    let mut table = HtmlTable::new(columns);
    for leaf in report.leaves.iter().take(limit) {
        let mut cells = vec![
            HtmlCell::Strong(line(&leaf.line).to_owned()),
            count(leaf.own).into(),
            count(leaf.opponent).into(),
            count(leaf.file_end + leaf.game_end).into(),
        ];
        cells.extend(result_cells(&leaf.results));
        table.row(cells);
    }
    table
}

fn result_columns() -> [HtmlColumn; 4] {
    [
        HtmlColumn::right("Games"),
        HtmlColumn::left("Won, drawn, lost").minor(),
        HtmlColumn::right("Score"),
        HtmlColumn::right("Difference").hint("score less expected score, with two standard errors"),
    ]
}

fn result_cells(figures: &Figures) -> [HtmlCell; 4] {
    let dash = || HtmlCell::Quiet("–".to_owned());
    let score = figures
        .score
        .map(|score| HtmlCell::from(format!("{} %", percent(score))));
    [
        count(figures.games).into(),
        HtmlCell::Results(ResultBar {
            won: figures.won,
            drawn: figures.drawn,
            lost: figures.lost,
        }),
        score.unwrap_or_else(dash),
        figures::difference(figures, true).map_or_else(dash, HtmlCell::from),
    ]
}
