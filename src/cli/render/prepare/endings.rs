//! Endings and structures that a player treats better or worse than the rest.

use std::io::{self, Write};

use super::super::figures::{self, percent};
use super::super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable};
use super::super::number::{count, counted};
use super::super::table::{Cell, Column, Table};
use super::super::wrap::wrapped;
use super::arrow;
use crate::cli::terminal::{DIM, TerminalInfo};
use crate::database::{PlayerEnding, PlayerEndings, PlayerReport};

/// Both lists, each with its title and what one of it is called, and several.
fn lists(report: &PlayerReport) -> [(&'static str, [&'static str; 2], &PlayerEndings); 2] {
    [
        (
            "Endings",
            ["kind of endings", "kinds of endings"],
            &report.endings,
        ),
        (
            "Structures",
            ["structure", "structures"],
            &report.structures,
        ),
    ]
}

fn title(kind: &PlayerEnding) -> String {
    match kind.whose {
        Some("player") => format!("own {}", kind.title),
        Some(_) => format!("against {}", kind.title),
        None => kind.title.clone(),
    }
}

/// The player's own mean: `+4.7±0.6`.
fn own(list: &PlayerEndings, is_unicode: bool) -> Option<String> {
    Some(figures::plus_minus(list.diff?, list.diff_2se?, is_unicode))
}

/// What the table is about, or why there is none.
fn summary(list: &PlayerEndings, names: [&str; 2], is_unicode: bool) -> Option<String> {
    let own = own(list, is_unicode).filter(|_| list.tested > 0)?;
    let tested = counted(list.tested, names[0], names[1]);
    let marked = list.kinds.iter().filter(|kind| kind.marked.is_some());
    let by = match list.usual_games {
        Some(games) => format!(
            "expected by {} between others with the same pieces and pawns",
            counted(games, "game", "games")
        ),
        None => "expected by the ratings".to_owned(),
    };
    Some(match marked.count() {
        0 => format!("{tested}: none differs from the player's own mean of {own}"),
        _ => format!("of {tested}, against the player's own mean of {own}; {by}"),
    })
}

/// Writes them as text.
pub(super) fn write(
    out: &mut dyn Write,
    screen: &TerminalInfo,
    report: &PlayerReport,
) -> io::Result<()> {
    for (name, names, list) in lists(report) {
        let Some(text) = summary(list, names, screen.unicode) else {
            continue;
        };
        writeln!(out)?;
        let mut table = Table::new([
            Column::left(name).shrinks_to(20),
            Column::right("Games"),
            Column::right("Won"),
            Column::right("Drawn"),
            Column::right("Lost"),
            Column::right("Score"),
            Column::right("Exp."),
            Column::right("Diff."),
        ]);
        let mut rows = 0;
        for kind in list.kinds.iter().filter(|kind| kind.marked.is_some()) {
            let figures = &kind.results;
            let dash = || Cell::styled(screen.dash(), DIM);
            let text = |text: Option<String>| text.map_or_else(dash, Cell::from);
            let arrow = arrow(kind.marked, screen.unicode);
            table.row(vec![
                format!("{arrow}{}", title(kind)).into(),
                count(figures.games).into(),
                count(figures.won).into(),
                count(figures.drawn).into(),
                count(figures.lost).into(),
                text(figures.score.map(percent)),
                text(figures.expected.map(percent)),
                text(figures::difference(figures, screen.unicode)),
            ]);
            rows += 1;
        }
        if rows > 0 {
            table.write(out, screen)?;
        }
        wrapped(out, screen, "", (&screen.safe(&text), " "))?;
    }
    Ok(())
}

/// Adds them to a page.
pub(super) fn page(page: &mut HtmlPage, report: &PlayerReport) {
    for (name, names, list) in lists(report) {
        let Some(text) = summary(list, names, true) else {
            continue;
        };
        page.section(name);
        page.paragraph(&format!("{text}."));
        let shown: Vec<&PlayerEnding> = (list.kinds.iter())
            .filter(|kind| kind.p.is_some())
            .collect();
        let scale = figures::scale_of(shown.iter().map(|kind| &kind.results));
        let mut columns = vec![HtmlColumn::left(name)];
        columns.extend(
            figures::html_columns()
                .into_iter()
                .take(super::tables::FIGURES),
        );
        let mut table = HtmlTable::new(columns);
        for kind in shown {
            let text = format!("{}{}", arrow(kind.marked, true), title(kind));
            let mut row = vec![match kind.marked {
                Some(_) => HtmlCell::Strong(text),
                None => text.into(),
            }];
            let cells = figures::html_cells(&kind.results, scale).into_iter();
            row.extend(cells.take(super::tables::FIGURES));
            table.row(row);
        }
        page.table(&table);
    }
}
