//! A report on a player, as text.

mod clock;
mod endings;
mod forecast;
mod lines;
mod page;
mod statements;
mod tables;

use std::fmt::Write as _;
use std::io::{self, Write};

pub use page::page;
pub use statements::{statements, statements_page, write_statements};

use super::figures::{self, percent};
use super::number::{count, counted, share};

use super::report::numbered;
use super::table::{Cell, Column, Table};
use super::wrap::wrapped;
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{FigureRow, PlayerOpening, PlayerReport, RareLine, SingleGame, Trend};

/// Years in a text.
const YEARS: usize = 10;

/// A column title of a side's lines.
const AS_SIDE: [&str; 2] = ["As White", "As Black"];

/// The sides of the player, the first one first.
fn sides(report: &PlayerReport) -> [usize; 2] {
    if report.first_color == "white" {
        [0, 1]
    } else {
        [1, 0]
    }
}

const COLORS: [&str; 2] = ["white", "black"];

/// What a row of results is called.
fn label(row: &FigureRow) -> String {
    if let Some(label) = clock::label(row) {
        return label.to_owned();
    }
    match (row.by, row.key.as_str()) {
        ("all", _) => "All".to_owned(),
        ("color", "white") => " White".to_owned(),
        ("color", _) => " Black".to_owned(),
        // The month will do.
        ("since", date) => format!("{} on", date.get(..7).unwrap_or(date)),
        ("time", "unknown") => " not known".to_owned(),
        ("time", class) => format!(" {class}"),
        (_, "unknown") => "no date".to_owned(),
        (_, key) => key.replace("..", "–"),
    }
}

/// The heading: `Carlsen,M (2 spellings)  2001–2025  top 2882  3,687 games`.
fn heading(report: &PlayerReport, dash: &str) -> Vec<String> {
    let player = &report.player;
    let mut parts = vec![player.name.clone()];
    if player.spellings.len() > 1 {
        let _ = write!(parts[0], " ({} spellings)", player.spellings.len());
    }
    match player.years {
        Some((first, last)) if first < last => parts.push(format!("{first}{dash}{last}")),
        Some((year, _)) => parts.push(year.to_string()),
        None => {}
    }
    if let Some(top) = player.top_rating {
        parts.push(format!("top {top}"));
    }
    let games = report.results.first().map_or(0, |all| all.figures.games);
    parts.push(counted(games, "game", "games"));
    if let Some(advantage) = report.white_advantage {
        parts.push(format!("White's edge: {advantage:.0}"));
    }
    parts
}

/// What is left out, and what to know before one trusts the report.
fn remarks(report: &PlayerReport) -> Vec<String> {
    let mut remarks = Vec::new();
    let player = &report.player;
    if player.spellings.len() > 1 {
        let names: Vec<String> = (player.spellings.iter())
            .map(|one| format!("{} {}", one.name, count(one.games)))
            .collect();
        remarks.push(format!("Spellings: {}.", names.join("; ")));
    }
    if !player.others.is_empty() {
        let names: Vec<String> = (player.others.iter().take(5))
            .map(|one| format!("{} {}", one.name, count(one.games)))
            .collect();
        let more = if player.others.len() > 5 { " …" } else { "" };
        remarks.push(format!(
            "Not counted, other players: {}{more}.",
            names.join("; ")
        ));
    }
    let out = &report.left_out;
    let mut left = Vec::new();
    if out.no_result > 0 {
        left.push(format!(
            "{} without a result",
            counted(out.no_result, "game", "games")
        ));
    }
    if out.variants > 0 {
        left.push(format!(
            "{} of other variants",
            counted(out.variants, "game", "games")
        ));
    }
    if out.set_ups > 0 {
        let games = counted(out.set_ups, "game", "games");
        left.push(format!("{games} from other start positions (in no line)"));
    }
    if out.ratings > 0 {
        let ratings = counted(out.ratings, "rating", "ratings");
        left.push(format!("{ratings} that cannot be right"));
    }
    if !left.is_empty() {
        remarks.push(format!("Left out: {}.", left.join(", ")));
    }
    let has = |class: &str| {
        let mut rows = report.results.iter();
        rows.any(|row| row.by == "time" && row.key.ends_with(class))
    };
    if report.white_advantage.is_none() {
        remarks.push("Expected scores are computed for chess alone.".to_owned());
    } else if has("bullet") || has("blindfold") {
        remarks.push(
            "Nothing is expected of bullet and blindfold games: the ratings are of other games."
                .to_owned(),
        );
    }
    let all = report.results.first().map(|all| &all.figures);
    if let Some(far) = all.map(|all| all.far_apart).filter(|&far| far > 0) {
        let games = counted(far, "game has", "games have");
        remarks.push(format!(
            "{games} ratings 300 or more apart, of which too much is expected."
        ));
    }
    remarks.extend(
        report
            .warnings
            .iter()
            .map(|text| format!("Warning: {text}.")),
    );
    remarks
}

/// Writes a report as text.
pub fn write(out: &mut dyn Write, screen: &TerminalInfo, report: &PlayerReport) -> io::Result<()> {
    let parts = heading(report, screen.dash()).join("  ");
    writeln!(out, "{}", screen.paint(HEADING, &screen.safe(&parts)))?;
    let rows = |by: &'static [&'static str]| {
        let rows = report.results.iter().filter(|row| by.contains(&row.by));
        rows.collect::<Vec<&FigureRow>>()
    };
    results(out, screen, "", &rows(&["all", "color", "since", "time"]))?;
    for text in remarks(report) {
        let text = if screen.unicode {
            text
        } else {
            text.replace('…', "...")
        };
        wrapped(out, screen, "", (&screen.safe(&text), " "))?;
    }
    games(out, screen, ("Games", &report.few_games))?;
    for side in sides(report) {
        write_lines(out, screen, (report, side))?;
    }
    if let Some(why) = report.lines_why {
        writeln!(out, "\n{}", screen.paint(DIM, &format!("No lines: {why}.")))?;
    }
    forecast::write(out, screen, report)?;
    changes(out, screen, report)?;
    for (title, lines) in [
        ("Pet lines", &report.changes.pet_lines),
        ("Surprises", &report.changes.surprises),
    ] {
        rare(out, screen, title, lines)?;
    }
    openings(out, screen, report)?;
    endings::write(out, screen, report)?;
    clock::write(out, screen, report)?;
    results(out, screen, "Opponents", &rows(&["opponents"]))?;
    let years = rows(&["year"]);
    let shown = years.len().saturating_sub(YEARS);
    results(out, screen, "Years", &years[shown..])?;
    if shown > 0 {
        let text = format!(
            "{} before: --format json",
            counted(shown as u64, "year", "years")
        );
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    models(out, screen, report)?;
    if let Some(against) = &report.against {
        writeln!(
            out,
            "\n{}",
            screen.paint(HEADING, &screen.safe(&format!("Against {}", against.name)))
        )?;
        if against.games.is_empty() {
            return writeln!(out, "no games");
        }
        let rows: Vec<&FigureRow> = against.results.iter().collect();
        results(out, screen, "", &rows)?;
        games(out, screen, ("Last games", &against.games))?;
    }
    Ok(())
}

fn results(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    title: &'static str,
    rows: &[&FigureRow],
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut columns = vec![Column::left(title).shrinks_to(10)];
    columns.extend(figures::columns());
    let mut table = Table::new(columns);
    for row in rows {
        let mut cells = vec![Cell::from(label(row))];
        cells.extend(figures::cells(&row.figures, screen));
        table.row(cells);
    }
    if !title.is_empty() {
        writeln!(out)?;
    }
    table.write(out, screen)
}

/// All moves of a line.
fn whole(moves: &[String]) -> String {
    numbered(moves, 1, false)
}

/// ▲ or ▼, with a blank.
fn arrow(sign: Option<&str>, is_unicode: bool) -> &'static str {
    match (sign, is_unicode) {
        (Some("up"), true) => "▲ ",
        (Some(_), true) => "▼ ",
        (Some("up"), false) => "up ",
        (Some(_), false) => "down ",
        (None, _) => "",
    }
}

/// The share of late.
fn recent(trend: &Trend, is_unicode: bool) -> String {
    if trend.recent_chances == 0 {
        return String::new();
    }
    let now = trend.recent as f64 / trend.recent_chances as f64;
    format!("{}{}", arrow(trend.sign, is_unicode), share(now, 0))
}

fn write_lines(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    (report, side): (&PlayerReport, usize),
) -> io::Result<()> {
    let rows = lines::rows(report, side);
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left(AS_SIDE[side]).wraps(),
        Column::right("Games"),
        Column::right("Share"),
        Column::right("Lately"),
        Column::right("Score"),
        Column::right("Diff."),
        Column::right("Last"),
        Column::left("").shrinks_to(10).drops(0),
    ]);
    for row in rows {
        let (line, figures) = (row.first, &row.first.results);
        let dash = || Cell::styled(screen.dash(), DIM);
        let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
        table.row(vec![
            Cell::styled(screen.safe(&row.text(" ")), STRONG),
            count(figures.games).into(),
            share(line.share, 0).into(),
            recent(&line.trend, screen.unicode).into(),
            text(figures.score.map(|score| format!("{}%", percent(score)))),
            text(figures::difference(figures, screen.unicode)),
            text(line.last_year.map(|year| year.to_string())),
            Cell::styled(screen.safe(row.opening()), DIM),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)
}

fn changes(out: &mut dyn Write, screen: &TerminalInfo, report: &PlayerReport) -> io::Result<()> {
    if report.changes.tested == 0 {
        return Ok(());
    }
    let tested = counted(report.changes.tested, "choice", "choices");
    if report.changes.changes.is_empty() {
        let text = format!("{tested} compared with the games before: none has changed");
        return writeln!(out, "\n{}", screen.paint(DIM, &text));
    }
    let mut table = Table::new([
        Column::left("New and gone").shrinks_to(30),
        Column::left("As"),
        Column::right("Lately"),
        Column::right("Before"),
    ]);
    for change in &report.changes.changes {
        let trend = &change.trend;
        let of = |taken: u64, chances: u64| format!("{}/{}", count(taken), count(chances));
        let text = format!(
            "{}{}",
            arrow(trend.sign, screen.unicode),
            whole(&change.moves)
        );
        table.row(vec![
            screen.safe(&text).into_owned().into(),
            change.color.into(),
            of(trend.recent, trend.recent_chances).into(),
            of(trend.before, trend.before_chances).into(),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)?;
    let text = format!("of {tested} tested; one mark in ten may be false");
    writeln!(out, "{}", screen.paint(DIM, &text))
}

fn rare(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    title: &'static str,
    lines: &[RareLine],
) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left(title).shrinks_to(30),
        Column::left("As"),
        Column::right("Games"),
        Column::right("Share"),
        Column::right("Others"),
        Column::right("Last"),
    ]);
    for line in lines {
        let last = line.last_year.map(|year| year.to_string());
        table.row(vec![
            screen.safe(&whole(&line.moves)).into_owned().into(),
            line.color.into(),
            count(line.games).into(),
            share(line.games as f64 / line.chances as f64, 0).into(),
            share(line.class_games as f64 / line.class_chances as f64, 1).into(),
            last.unwrap_or_default().into(),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)
}

/// `22 openings as Black: none differs from expectation`.
fn openings_text(report: &PlayerReport, side: usize) -> Option<String> {
    let tested = |opening: &&PlayerOpening| opening.p.is_some() && opening.color == COLORS[side];
    let all: Vec<&PlayerOpening> = report.openings.iter().filter(tested).collect();
    if all.is_empty() {
        return None;
    }
    let number = counted(all.len() as u64, "opening", "openings");
    let of = format!("{number} {}", AS_SIDE[side].replacen("As", "as", 1));
    let marked = all
        .iter()
        .filter(|opening| opening.marked.is_some())
        .count();
    Some(match marked {
        0 => format!("{of}: none differs from expectation"),
        1 => format!("{of}: one differs from expectation"),
        _ => format!("{of}: {marked} differ from expectation"),
    })
}

fn openings(out: &mut dyn Write, screen: &TerminalInfo, report: &PlayerReport) -> io::Result<()> {
    let sides = sides(report);
    if sides
        .iter()
        .any(|&side| openings_text(report, side).is_some())
    {
        writeln!(out)?;
    }
    for side in sides {
        let Some(text) = openings_text(report, side) else {
            continue;
        };
        writeln!(out, "{text}")?;
        let own = report
            .openings
            .iter()
            .filter(|opening| opening.color == COLORS[side]);
        for opening in own.filter(|opening| opening.marked.is_some()) {
            let diff = figures::difference(&opening.results, screen.unicode).unwrap_or_default();
            let games = counted(opening.results.games, "game", "games");
            let arrow = arrow(opening.marked, screen.unicode);
            let text = format!(" {arrow}{}: {games}, {diff}", opening.name);
            writeln!(out, "{}", screen.safe(&text))?;
        }
    }
    Ok(())
}

fn models(out: &mut dyn Write, screen: &TerminalInfo, report: &PlayerReport) -> io::Result<()> {
    for side in sides(report) {
        let own = report
            .models
            .iter()
            .filter(|model| model.color == COLORS[side]);
        let mut table = Table::new([
            Column::left(["Lost as White", "Lost as Black"][side]).shrinks_to(20),
            Column::right("Game"),
            Column::right("Opp."),
            Column::left("Line").wraps(),
        ]);
        let mut rows = 0;
        for model in own {
            table.row(vec![
                screen
                    .safe(&super::plans::model(&model.game, screen.dash()))
                    .into_owned()
                    .into(),
                model.game.id.to_string().into(),
                model
                    .opponent_rating
                    .map_or_else(String::new, |elo| elo.to_string())
                    .into(),
                screen.safe(&whole(&model.line)).into_owned().into(),
            ]);
            rows += 1;
        }
        if rows > 0 {
            writeln!(out)?;
            table.write(out, screen)?;
        }
    }
    Ok(())
}

fn games(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    (title, games): (&'static str, &[SingleGame]),
) -> io::Result<()> {
    if games.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left(title),
        Column::left("White").shrinks_to(12),
        Column::left("Black").shrinks_to(12),
        Column::left("Result"),
        Column::left("Date"),
    ]);
    for game in games {
        table.row(vec![
            game.id.to_string().into(),
            screen.safe(&game.white).into_owned().into(),
            screen.safe(&game.black).into_owned().into(),
            game.result.as_str().into(),
            super::number::date(&game.date).into(),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)
}
