//! A report on a player, as a page.

use super::super::figures::{self, percent};
use super::super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ShareBar};
use super::super::number::{count, date, share};
use super::tables::{FIGURES, results};
use super::{AS_SIDE, COLORS, heading, openings_text, recent, remarks, sides, whole};
use crate::database::{FigureRow, PlayerLine, PlayerReport, RareLine, SingleGame};
use crate::draw::svg::Style;

/// Boards of the lines that are likeliest.
const BOARDS: usize = 3;

/// The report as a page.
pub fn page(report: &PlayerReport) -> HtmlPage {
    let parts = heading(report, "–");
    let mut page = HtmlPage::new(
        &format!("Preparation: {}", report.player.name),
        &parts[1..].join(" · "),
    );
    let all = report.results.first().map(|row| &row.figures);
    let text = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    page.key_figures(&[
        ("Games", text(all.map(|all| count(all.games)))),
        (
            "Score",
            text(
                all.and_then(|all| all.score)
                    .map(|score| format!("{} %", percent(score))),
            ),
        ),
        (
            "Against the ratings",
            text(all.and_then(|all| figures::difference(all, true))),
        ),
        (
            "Top rating",
            text(report.player.top_rating.map(|top| top.to_string())),
        ),
    ]);
    for remark in remarks(report) {
        page.note(&remark);
    }
    games(&mut page, "Games", &report.few_games);
    for side in sides(report) {
        lines(&mut page, report, side);
    }
    if let Some(why) = report.lines_why {
        page.note(&format!("No lines: {why}."));
    }
    super::forecast::page(&mut page, report);
    changes(&mut page, report);
    rare(&mut page, "Pet lines", &report.changes.pet_lines);
    rare(&mut page, "Surprises", &report.changes.surprises);
    openings(&mut page, report);
    super::endings::page(&mut page, report);
    super::clock::page(&mut page, report);
    page.section("Results");
    let rows = |by: &[&str]| {
        let rows = report.results.iter().filter(|row| by.contains(&row.by));
        rows.collect::<Vec<&FigureRow>>()
    };
    results(
        &mut page,
        "Games",
        &rows(&["all", "color", "since", "time"]),
    );
    results(&mut page, "Opponents", &rows(&["opponents"]));
    results(&mut page, "Year", &rows(&["year"]));
    models(&mut page, report);
    if let Some(against) = &report.against {
        page.section(&format!("Against {}", against.name));
        results(
            &mut page,
            "Games",
            &against.results.iter().collect::<Vec<_>>(),
        );
        games(&mut page, "Last games", &against.games);
    }
    page
}

fn lines(page: &mut HtmlPage, report: &PlayerReport, side: usize) {
    let own: Vec<&PlayerLine> = (report.lines.iter())
        .filter(|line| line.color == COLORS[side])
        .collect();
    if own.is_empty() {
        return;
    }
    page.section(&format!("Lines {}", AS_SIDE[side].replacen("As", "as", 1)));
    // Of each way through the opening the deepest line; the first ones are the likeliest.
    let mut deepest: Vec<&PlayerLine> = (own.iter().copied())
        .filter(|line| {
            let goes_on = |other: &&PlayerLine| {
                other.moves.len() > line.moves.len() && other.moves.starts_with(&line.moves)
            };
            !own.iter().any(goes_on)
        })
        .collect();
    deepest.sort_by_key(|line| std::cmp::Reverse(line.results.games));
    page.begin_boards();
    for line in deepest.iter().take(BOARDS) {
        // The reader sees the board from the other side than the player.
        let style = Style {
            flipped: side == 0,
            ..Style::default()
        };
        let games = count(line.results.games);
        page.board(
            &line.at.diagram(),
            style,
            &format!("{}: {games} games", whole(&line.moves)),
        );
    }
    page.end_boards();
    let scale = figures::scale_of(own.iter().map(|line| &line.results));
    let mut columns = vec![HtmlColumn::left("Line"), HtmlColumn::left("Share")];
    columns.extend(figures::html_columns().into_iter().take(FIGURES));
    columns.push(HtmlColumn::right("Lately").hint("▲▼: more than chance"));
    columns.push(HtmlColumn::right("Last").minor());
    columns.push(HtmlColumn::left("Opening").minor());
    let mut table = HtmlTable::new(columns);
    for shown in super::lines::rows(report, side) {
        let line = shown.first;
        let mut row = vec![
            HtmlCell::Strong(shown.text("\u{a0}")),
            HtmlCell::Share(ShareBar {
                share: line.share,
                label: share(line.share, 0),
            }),
        ];
        row.extend(
            figures::html_cells(&line.results, scale)
                .into_iter()
                .take(FIGURES),
        );
        row.push(recent(&line.trend, true).into());
        row.push(
            line.last_year
                .map_or_else(String::new, |year| year.to_string())
                .into(),
        );
        row.push(HtmlCell::Quiet(shown.opening().to_owned()));
        table.row(row);
    }
    page.table(&table);
}

fn changes(page: &mut HtmlPage, report: &PlayerReport) {
    if report.changes.tested == 0 {
        return;
    }
    page.section("New and gone");
    if report.changes.changes.is_empty() {
        page.note(&format!(
            "{} choices: none has changed.",
            report.changes.tested
        ));
        return;
    }
    let mut table = HtmlTable::new([
        HtmlColumn::left("Line"),
        HtmlColumn::left("As"),
        HtmlColumn::right("Lately").hint("games of those in which there was the choice"),
        HtmlColumn::right("Before"),
    ]);
    for change in &report.changes.changes {
        let trend = &change.trend;
        let arrow = super::arrow(trend.sign, true);
        table.row(vec![
            HtmlCell::Strong(format!("{arrow}{}", whole(&change.moves))),
            change.color.into(),
            format!("{} of {}", count(trend.recent), count(trend.recent_chances)).into(),
            format!("{} of {}", count(trend.before), count(trend.before_chances)).into(),
        ]);
    }
    page.table(&table);
    page.note("Fisher's exact test; one mark in ten may be false.");
}

fn rare(page: &mut HtmlPage, title: &str, lines: &[RareLine]) {
    if lines.is_empty() {
        return;
    }
    page.section(title);
    let mut table = HtmlTable::new([
        HtmlColumn::left("Line"),
        HtmlColumn::left("As"),
        HtmlColumn::right("Games"),
        HtmlColumn::left("Share"),
        HtmlColumn::right("Others").hint("share among players of like strength"),
        HtmlColumn::right("Last"),
    ]);
    for line in lines {
        let own = line.games as f64 / line.chances as f64;
        table.row(vec![
            HtmlCell::Strong(whole(&line.moves)),
            line.color.into(),
            count(line.games).into(),
            HtmlCell::Share(ShareBar {
                share: own,
                label: share(own, 0),
            }),
            share(line.class_games as f64 / line.class_chances as f64, 1).into(),
            line.last_year
                .map_or_else(String::new, |year| year.to_string())
                .into(),
        ]);
    }
    page.table(&table);
}

fn openings(page: &mut HtmlPage, report: &PlayerReport) {
    if report.openings.is_empty() {
        return;
    }
    page.section("Openings");
    for side in sides(report) {
        if let Some(text) = openings_text(report, side) {
            page.paragraph(&format!("{text}."));
        }
        let own = || {
            report
                .openings
                .iter()
                .filter(|opening| opening.color == COLORS[side])
        };
        let scale = figures::scale_of(own().map(|opening| &opening.results));
        let mut columns = vec![HtmlColumn::left(AS_SIDE[side]), HtmlColumn::left("Share")];
        columns.extend(figures::html_columns().into_iter().take(FIGURES));
        let mut table = HtmlTable::new(columns);
        for opening in own().filter(|opening| opening.p.is_some()) {
            let arrow = super::arrow(opening.marked, true);
            let mut row = vec![
                format!("{arrow}{}", opening.name).into(),
                HtmlCell::Share(ShareBar {
                    share: opening.share,
                    label: share(opening.share, 1),
                }),
            ];
            row.extend(
                figures::html_cells(&opening.results, scale)
                    .into_iter()
                    .take(FIGURES),
            );
            table.row(row);
        }
        if own().any(|opening| opening.p.is_some()) {
            page.table(&table);
        }
    }
}

fn models(page: &mut HtmlPage, report: &PlayerReport) {
    if report.models.is_empty() {
        return;
    }
    page.section("Model games against the player");
    let mut table = HtmlTable::new([
        HtmlColumn::left("Lost as"),
        HtmlColumn::right("Game"),
        HtmlColumn::left("White"),
        HtmlColumn::left("Black"),
        HtmlColumn::left("Date").minor(),
        HtmlColumn::left("Line"),
    ]);
    for model in &report.models {
        let game = &model.game;
        table.row(vec![
            model.color.into(),
            game.id.to_string().into(),
            game.white.as_str().into(),
            game.black.as_str().into(),
            date(&game.date).into(),
            whole(&model.line).into(),
        ]);
    }
    page.table(&table);
}

fn games(page: &mut HtmlPage, title: &str, games: &[SingleGame]) {
    if games.is_empty() {
        return;
    }
    page.subheading(title);
    let mut table = HtmlTable::new([
        HtmlColumn::right("Game"),
        HtmlColumn::left("White"),
        HtmlColumn::left("Black"),
        HtmlColumn::left("Result"),
        HtmlColumn::left("Date"),
    ]);
    for game in games {
        table.row(vec![
            game.id.to_string().into(),
            game.white.as_str().into(),
            game.black.as_str().into(),
            game.result.as_str().into(),
            date(&game.date).into(),
        ]);
    }
    page.table(&table);
}
