//! Figures on a page, as all of its tables show them.

use super::super::figures;
use super::super::html::{HtmlCell, HtmlColumn, HtmlPage, HtmlTable};
use super::label;
use crate::database::FigureRow;

/// The figures of a line on a page: up to the difference as a drawing.
pub(super) const FIGURES: usize = 7;

/// Adds rows of figures.
pub(super) fn results(page: &mut HtmlPage, title: &str, rows: &[&FigureRow]) {
    if rows.is_empty() {
        return;
    }
    let scale = figures::scale_of(rows.iter().map(|row| &row.figures));
    let mut columns = vec![HtmlColumn::left(title)];
    columns.extend(figures::html_columns());
    let mut table = HtmlTable::new(columns);
    for row in rows {
        let mut cells = vec![HtmlCell::from(label(row).trim().to_owned())];
        cells.extend(figures::html_cells(&row.figures, scale));
        table.row(cells);
    }
    page.table(&table);
}
