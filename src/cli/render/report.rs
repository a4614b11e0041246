//! A report on a position, as text and as a page.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::figures::{self, interval, percent};
use super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ShareBar};
use super::number::{count, counted, share};
use super::plans;
use super::table::{Cell, Column, Table};
use super::wrap::wrapped;
use crate::cli::terminal::{DIM, HEADING, STRONG, TerminalInfo};
use crate::database::{MoveFigures, MoveOrder, NoveltyOfYear, PlayerShare, PositionReport};
use crate::draw::board::{self, BoardStyle};
use crate::draw::svg::Style;

/// Next moves in a text.
const MOVES: usize = 10;

const SIDES: [&str; 2] = ["White", "Black"];

/// The side whose scores a report has.
fn viewer(report: &PositionReport) -> &'static str {
    SIDES[usize::from(report.view == "black")]
}

/// The moves with numbers: `1.e4 c5 2.Nf3`.
pub(super) fn numbered(moves: &[String], first: u32, is_second: bool) -> String {
    let mut text = String::new();
    for (at, san) in moves.iter().enumerate() {
        let ply = at as u32 + u32::from(is_second);
        if !text.is_empty() {
            text.push(' ');
        }
        if ply.is_multiple_of(2) {
            let _ = write!(text, "{}.", first + ply / 2);
        } else if at == 0 {
            let _ = write!(text, "{first}...");
        }
        text.push_str(san);
    }
    text
}

fn title(report: &PositionReport) -> String {
    match &report.opening {
        Some(opening) => format!("{}  {}", opening.eco, opening.name),
        None => "Position".to_owned(),
    }
}

fn span(report: &PositionReport, dash: &str) -> String {
    let (first, last) = (report.years.first(), report.years.last());
    match (first, last) {
        (Some(first), Some(last)) if first.year != last.year => {
            format!(", {}{dash}{}", first.year, last.year)
        }
        (Some(only), _) => format!(", {}", only.year),
        _ => String::new(),
    }
}

/// Writes a report as text.
pub fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PositionReport,
) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        screen.paint(HEADING, &screen.safe(&title(report)))
    )?;
    let moves = numbered(&report.moves, 1, false);
    if !moves.is_empty() {
        wrapped(out, screen, "", (&screen.safe(&moves), " "))?;
    }
    writeln!(out, "{}", screen.paint(DIM, &report.fen))?;
    if report.results.games == 0 {
        return Ok(());
    }
    let style = BoardStyle {
        flipped: report.view == "black",
        ..screen.board_style(crate::cli::args::output::BoardStyleArgs::default())
    };
    writeln!(
        out,
        "\n{}",
        board::draw(&report.at.diagram(), style).trim_end()
    )?;
    let games = counted(report.results.games, "game", "games");
    let span = span(report, screen.dash());
    writeln!(out, "\n{games}{span}")?;
    let figures = plans::summary(&report.results, screen);
    if !figures.is_empty() {
        writeln!(out, "{} scored {figures}", viewer(report))?;
    }
    if let Some(advantage) = report
        .white_advantage
        .filter(|_| report.results.expected.is_some())
    {
        let text =
            format!("Expected scores count {advantage:.0} rating points for White's first move.");
        writeln!(out, "{}", screen.paint(DIM, &text))?;
    }
    for (name, players) in SIDES
        .into_iter()
        .zip([&report.white_players, &report.black_players])
    {
        if !players.is_empty() {
            let list = players_text(players);
            wrapped(
                out,
                screen,
                &format!("As {name}: "),
                (&screen.safe(&list), ", "),
            )?;
        }
    }
    moves_table(out, screen, report)?;
    match (&report.plans, report.plans_why) {
        (Some(found), _) => plans::write(out, screen, found, SIDES)?,
        (None, Some(why)) => {
            writeln!(out, "\n{}", screen.paint(DIM, &format!("No plans: {why}.")))?;
        }
        (None, None) => {}
    }
    plans::write_reached(out, screen, "Structures", &report.structures)?;
    plans::write_reached(out, screen, "Endings", &report.endings)?;
    orders(out, screen, &report.orders)?;
    novelties(out, screen, report.novelties.as_deref())?;
    let models = [
        ("White won", &report.white_models[..]),
        ("Black won", &report.black_models),
    ];
    plans::write_models(out, screen, &models)?;
    plans::write_years(out, screen, (&report.years, report.undated))
}

fn players_text(players: &[PlayerShare]) -> String {
    // The blank within a name is kept on one line with it.
    let names = players.iter().map(|player| {
        let name = player.name.split(',').next().unwrap_or(&player.name);
        format!("{name} {}", count(player.games))
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The number before the next move.
fn number(report: &PositionReport) -> String {
    let (number, is_second) = report.number;
    format!("{number}{}", if is_second { "..." } else { "." })
}

fn trend(played: &MoveFigures, screen_is_unicode: bool) -> String {
    let trend = &played.trend;
    if trend.recent_chances == 0 {
        return String::new();
    }
    let sign = match (trend.sign, screen_is_unicode) {
        (Some("up"), true) => "▲ ",
        (Some(_), true) => "▼ ",
        (Some("up"), false) => "up ",
        (Some(_), false) => "down ",
        (None, _) => "",
    };
    let now = 100.0 * trend.recent as f64 / trend.recent_chances as f64;
    format!("{sign}{now:.0}%")
}

fn moves_table(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PositionReport,
) -> io::Result<()> {
    if report.next.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("Next move"),
        Column::right("Games"),
        Column::right("Share"),
        Column::right("Score"),
        Column::right("95 %").drops(2),
        Column::right("Exp.").drops(1),
        Column::right("Diff."),
        Column::right("2 years"),
        Column::left("").shrinks_to(10).drops(0),
    ]);
    let dash = || Cell::styled(screen.dash(), DIM);
    let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
    for played in report.next.iter().take(MOVES) {
        let figures = &played.results;
        let opening = played
            .opening
            .as_ref()
            .map_or("", |opening| opening.name.as_str());
        table.row(vec![
            Cell::styled(format!("{}{}", number(report), played.san), STRONG),
            count(figures.games).into(),
            share(played.share, 0).into(),
            text(figures.score.map(|score| format!("{}%", percent(score)))),
            text(interval(figures, screen.dash())),
            text(figures.expected.map(percent)),
            text(figures::difference(figures, screen.unicode)),
            trend(played, screen.unicode).into(),
            Cell::styled(screen.safe(opening), DIM),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)?;
    let mut left = Vec::new();
    if report.next.len() > MOVES {
        let others = &report.next[MOVES..];
        let games: u64 = others.iter().map(|played| played.results.games).sum();
        let moves = counted(others.len() as u64, "other move", "other moves");
        left.push(format!("{moves} in {}", counted(games, "game", "games")));
    }
    if report.ends_here > 0 {
        left.push(format!(
            "{} end here",
            counted(report.ends_here, "game", "games")
        ));
    }
    if !left.is_empty() {
        writeln!(out, "{}", screen.paint(DIM, &left.join(", ")))?;
    }
    Ok(())
}

/// An order of moves from where it leaves the first one.
fn order_text(order: &MoveOrder, is_first: bool) -> String {
    let common = if is_first { 0 } else { order.common as usize };
    let (first, is_second) = (common as u32 / 2 + 1, !common.is_multiple_of(2));
    let rest = numbered(
        &order.moves[common.min(order.moves.len())..],
        first,
        is_second,
    );
    if common == 0 {
        rest
    } else {
        format!("… {rest}")
    }
}

fn orders(out: &mut dyn Write, screen: &TerminalInfo, orders: &[MoveOrder]) -> io::Result<()> {
    if orders.is_empty() || orders[0].plies == 0 {
        return Ok(());
    }
    let mut table = Table::new([
        Column::right("Games"),
        Column::right("Share"),
        Column::left("Moves that lead here").wraps(),
    ]);
    for (at, order) in orders.iter().enumerate() {
        let text = order_text(order, at == 0);
        let text = if screen.unicode {
            text
        } else {
            text.replace('…', "...")
        };
        table.row(vec![
            count(order.games).into(),
            share(order.share, 0).into(),
            screen.safe(&text).into_owned().into(),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)
}

fn novelty_move(new: &NoveltyOfYear) -> String {
    let dots = if new.side == "black" { "..." } else { "." };
    format!("{}{dots}{}", new.number, new.san)
}

fn novelties(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    found: Option<&[NoveltyOfYear]>,
) -> io::Result<()> {
    let Some(found) = found else {
        let text = "New moves are not listed: there are more than 50,000 games.";
        return writeln!(out, "\n{}", screen.paint(DIM, text));
    };
    if found.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        Column::left("Year"),
        Column::left("New move"),
        Column::right("Followed"),
        Column::right("Score"),
        Column::left("First game").shrinks_to(16),
    ]);
    for new in found {
        let score = new
            .followed
            .score
            .map(|score| format!("{}%", percent(score)));
        let game = plans::model(&new.game, screen.dash());
        table.row(vec![
            new.year.to_string().into(),
            Cell::styled(novelty_move(new), STRONG),
            count(new.followed.games).into(),
            score.map_or_else(|| Cell::styled(screen.dash(), DIM), Cell::from),
            screen.safe(&game).into_owned().into(),
        ]);
    }
    writeln!(out)?;
    table.write(out, screen)
}

/// The report as a page.
pub fn page(report: &PositionReport) -> HtmlPage {
    let games = counted(report.results.games, "game", "games");
    let mut about = numbered(&report.moves, 1, false);
    if !about.is_empty() {
        about.push_str(" · ");
    }
    about += &games;
    about += &span(report, "–");
    let mut page = HtmlPage::new(&title(report), &about);
    let diagram = report.at.diagram();
    let is_flipped = report.view == "black";
    let style = Style {
        flipped: is_flipped,
        turn: Some(u8::from(is_flipped)),
        ..Style::default()
    };
    page.begin_boards();
    page.board(&diagram, style, &report.fen);
    page.end_boards();
    let score = report
        .results
        .score
        .map_or_else(|| "–".to_owned(), |score| format!("{} %", percent(score)));
    let difference = figures::difference(&report.results, true).unwrap_or_else(|| "–".to_owned());
    let mut key = vec![
        ("Games", count(report.results.games)),
        (
            if is_flipped {
                "Score of Black"
            } else {
                "Score of White"
            },
            score,
        ),
        ("Against the ratings", difference),
    ];
    if let Some(advantage) = report.white_advantage {
        key.push(("White's advantage", format!("{advantage:.0} points")));
    }
    page.key_figures(&key);
    page.section("Next moves");
    page.table(&html_moves(report));
    page.section("Who plays it");
    for (name, players) in SIDES
        .into_iter()
        .zip([&report.white_players, &report.black_players])
    {
        let mut table = HtmlTable::new([
            HtmlColumn::left(format!("As {name}")),
            HtmlColumn::right("Games"),
            HtmlColumn::right("Score"),
            HtmlColumn::right("Last year"),
        ]);
        for player in players {
            let score = player.score.map(|score| format!("{} %", percent(score)));
            table.row(vec![
                player.name.as_str().into(),
                count(player.games).into(),
                score.unwrap_or_else(|| "–".to_owned()).into(),
                player
                    .last_year
                    .map_or_else(String::new, |year| year.to_string())
                    .into(),
            ]);
        }
        page.table(&table);
    }
    match (&report.plans, report.plans_why) {
        (Some(found), _) => plans::page(&mut page, found, Some((&diagram, is_flipped)), SIDES),
        (None, Some(why)) => page.note(&format!("No plans: {why}.")),
        (None, None) => {}
    }
    plans::page_reached(&mut page, "Structures", &report.structures);
    plans::page_reached(&mut page, "Endings", &report.endings);
    html_orders(&mut page, &report.orders);
    html_novelties(&mut page, report.novelties.as_deref());
    let models = [
        ("White", &report.white_models[..]),
        ("Black", &report.black_models),
    ];
    plans::page_models(&mut page, &models);
    plans::page_years(&mut page, &report.years);
    page
}

/// The figures of a move on a page: up to the difference as a drawing.
const HTML_FIGURES: usize = 7;

fn html_moves(report: &PositionReport) -> HtmlTable {
    let scale = figures::scale_of(report.next.iter().map(|played| &played.results));
    let mut columns = vec![HtmlColumn::left("Move"), HtmlColumn::left("Share")];
    columns.extend(figures::html_columns().into_iter().take(HTML_FIGURES));
    columns.push(HtmlColumn::right("Last 2 years").minor());
    columns.push(HtmlColumn::left("Opening").minor());
    let mut table = HtmlTable::new(columns);
    for played in &report.next {
        let label = share(played.share, 1);
        let mut row = vec![
            HtmlCell::Strong(format!("{}{}", number(report), played.san)),
            HtmlCell::Share(ShareBar {
                share: played.share,
                label,
            }),
        ];
        row.extend(
            figures::html_cells(&played.results, scale)
                .into_iter()
                .take(HTML_FIGURES),
        );
        row.push(trend(played, true).into());
        let opening = played
            .opening
            .as_ref()
            .map_or("", |opening| opening.name.as_str());
        row.push(HtmlCell::Quiet(opening.to_owned()));
        table.row(row);
    }
    table
}

fn html_orders(page: &mut HtmlPage, orders: &[MoveOrder]) {
    if orders.is_empty() || orders[0].plies == 0 {
        return;
    }
    page.section("Moves that lead here");
    let mut table = HtmlTable::new([
        HtmlColumn::right("Games"),
        HtmlColumn::right("Share"),
        HtmlColumn::left("Moves"),
    ]);
    for (at, order) in orders.iter().enumerate() {
        table.row(vec![
            count(order.games).into(),
            share(order.share, 1).into(),
            order_text(order, at == 0).into(),
        ]);
    }
    page.table(&table);
}

fn html_novelties(page: &mut HtmlPage, found: Option<&[NoveltyOfYear]>) {
    let Some(found) = found.filter(|found| !found.is_empty()) else {
        return;
    };
    page.section("New moves that others have followed");
    let mut table = HtmlTable::new([
        HtmlColumn::left("Year"),
        HtmlColumn::left("Move"),
        HtmlColumn::right("Followed by"),
        HtmlColumn::right("Score"),
        HtmlColumn::left("First game"),
    ]);
    for new in found {
        let score = new
            .followed
            .score
            .map(|score| format!("{} %", percent(score)));
        table.row(vec![
            new.year.to_string().into(),
            HtmlCell::Strong(novelty_move(new)),
            count(new.followed.games).into(),
            score.unwrap_or_else(|| "–".to_owned()).into(),
            format!("{} (#{})", plans::model(&new.game, "–"), new.game.id).into(),
        ]);
    }
    page.table(&table);
}
