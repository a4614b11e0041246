//! A crosstable as a page.

use super::{about, is_matrix, place, points, sign, tokens, total, value};
use crate::cli::render::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable, ResultBar};
use crate::cli::terminal::TerminalInfo;
use crate::database::{Crosstable, EventKind, TableCell, TableRow};

/// The page of a table.
pub fn page(table: &Crosstable) -> HtmlPage {
    let mut page = HtmlPage::new(&table.event, &about(table).join(" · "));
    for note in &table.notes {
        if table.is_complete {
            page.note(note);
        } else {
            page.warning(note);
        }
    }
    if !table.teams.is_empty() {
        page.section("Teams");
        page.table(&teams(table));
    }
    page.section(match table.kind {
        EventKind::Match => "Match",
        EventKind::RoundRobin => "Crosstable",
        EventKind::KnockOut => "Matches",
        EventKind::Swiss if table.is_complete => "Standings",
        _ => "Players",
    });
    page.table(&players(table));
    let names: Vec<&str> = table.tie_breaks.iter().map(|one| one.name()).collect();
    if table.is_complete && !names.is_empty() {
        page.note(&format!(
            "Tie-breaks of the FIDE Handbook, C.07, in this order: {}. TPR is the performance rating.",
            names.join(", ")
        ));
    }
    page
}

/// What is shown where the pointer is on a game.
fn hint(cell: &TableCell, table: &Crosstable) -> String {
    let mut parts = Vec::new();
    parts.extend(cell.round.map(|round| format!("round {round}")));
    parts.extend(cell.color.map(|color| format!("with {}", capital(color))));
    parts.push(format!("against {}", table.players[cell.opponent - 1].name));
    if cell.is_forfeit {
        parts.push("without play".to_owned());
    }
    parts.push(format!("game {}", cell.game));
    parts.join(", ")
}

fn capital(color: &str) -> &'static str {
    if color == "white" { "White" } else { "Black" }
}

fn players(table: &Crosstable) -> HtmlTable {
    let screen = TerminalInfo::plain(80);
    let rows = &table.players;
    let is_matrix = is_matrix(table);
    let has_missing = rows.iter().any(|row| row.missing > 0);
    let has_places = rows.iter().any(|row| row.place.is_some());
    let rounds = rows
        .iter()
        .map(|row| tokens(row, table, &screen).len())
        .max();
    let games = if is_matrix {
        rows.len()
    } else {
        rounds.unwrap_or(0)
    };
    let mut columns = vec![
        HtmlColumn::right("#"),
        HtmlColumn::left("Player"),
        HtmlColumn::right("Elo").minor(),
        HtmlColumn::right("Points"),
    ];
    if has_missing {
        columns.push(HtmlColumn::right("Missing").minor());
    }
    columns.extend((1..=games).map(|number| HtmlColumn::left(number.to_string())));
    if table.is_complete {
        let names = table.tie_breaks.iter().map(|one| one.name());
        columns.extend(names.map(HtmlColumn::right));
    }
    columns.push(HtmlColumn::right("TPR").hint("performance rating"));
    columns.push(HtmlColumn::left("Won, drawn, lost").minor());
    let mut html = HtmlTable::new(columns).dense();
    for (nth, row) in rows.iter().enumerate() {
        let number =
            |rating: Option<i32>| rating.map_or_else(String::new, |rating| rating.to_string());
        let mut cells = vec![
            if has_places {
                place(row)
            } else {
                (nth + 1).to_string()
            }
            .into(),
            HtmlCell::Strong(row.name.clone()),
            number(row.rating.map(i32::from)).into(),
            HtmlCell::Strong(total(row, table, &screen)),
        ];
        if has_missing {
            cells.push(
                if row.missing > 0 {
                    row.missing.to_string()
                } else {
                    String::new()
                }
                .into(),
            );
        }
        let before = cells.len();
        if is_matrix {
            cells.extend((0..games).map(|other| against(row, (nth, other), table)));
        } else {
            let own = tokens(row, table, &screen)
                .into_iter()
                .map(|(cell, text)| match cell {
                    Some(cell) => HtmlCell::hint(text, hint(cell, table)),
                    None => HtmlCell::Quiet("·".to_owned()),
                });
            cells.extend(own);
        }
        cells.resize(before + games, HtmlCell::from(""));
        if table.is_complete {
            cells.extend(row.ties.iter().map(|&(_, of)| HtmlCell::from(value(of))));
        }
        cells.push(number(row.performance).into());
        cells.push(HtmlCell::Results(ResultBar {
            won: row.won.into(),
            drawn: row.drawn.into(),
            lost: row.lost.into(),
        }));
        html.row(cells);
    }
    html
}

/// The games of a player against another one.
fn against(row: &TableRow, (own, other): (usize, usize), table: &Crosstable) -> HtmlCell {
    if own == other {
        return HtmlCell::Blank;
    }
    let met: Vec<&TableCell> = row
        .cells
        .iter()
        .filter(|cell| cell.opponent == other + 1)
        .collect();
    let signs: String = met
        .iter()
        .map(|cell| sign(cell.result, table.win, true))
        .collect();
    let missing = (table.games_each.unwrap_or(1) as usize).saturating_sub(met.len());
    if met.is_empty() {
        return HtmlCell::Quiet("·".repeat(missing));
    }
    let hints: Vec<String> = met.iter().map(|cell| hint(cell, table)).collect();
    HtmlCell::hint(format!("{signs}{}", "·".repeat(missing)), hints.join("; "))
}

fn teams(table: &Crosstable) -> HtmlTable {
    let mut html = HtmlTable::new([
        HtmlColumn::right("#"),
        HtmlColumn::left("Team"),
        HtmlColumn::right("Matches"),
        HtmlColumn::left("Won, drawn, lost").minor(),
        HtmlColumn::right("Points").hint("2 for a match that is won, 1 for a draw"),
        HtmlColumn::right("Board points"),
    ]);
    for row in &table.teams {
        html.row(vec![
            place(row).into(),
            HtmlCell::Strong(row.name.clone()),
            row.games.to_string().into(),
            HtmlCell::Results(ResultBar {
                won: row.won.into(),
                drawn: row.drawn.into(),
                lost: row.lost.into(),
            }),
            HtmlCell::Strong(format!("{}", row.points)),
            points(row.board_points.unwrap_or(0.0)).into(),
        ]);
    }
    html
}
