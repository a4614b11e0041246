//! Boards of draughts, of every size and numbering.

use std::fmt::Write as _;

use super::{Canvas, DARK, DARK_OTHER, EDGE, LIGHT, Style, men};
use crate::games::draughts::{
    notation::{board as draughts_board, fen as draughts_fen, moves::square::Numbering},
    rules::Position,
};

/// Draws a position of draughts as the real board stands, with the names that its
/// squares have in this numbering: letters at the edge, or a number on each square.
pub fn draughts(position: &Position, numbering: Numbering, style: Style) -> String {
    let rows = draughts_board::rows(numbering, style.flipped);
    let columns = rows.first().map_or(0, Vec::len);
    let title = draughts_fen::write(position, numbering);
    let mut canvas = Canvas::new(columns as u32, rows.len() as u32, &title, style);
    let full = numbering.board().is_full();
    for (row, cells) in (0..).zip(&rows) {
        for (column, &cell) in (0..).zip(cells) {
            let fill = match cell {
                None => LIGHT,
                // On a board of which all squares are played two shades let the eye
                // follow rows and columns.
                Some(_) if full && (row + column) % 2 == 1 => DARK_OTHER,
                Some(_) => DARK,
            };
            canvas.square(column, row, fill);
            let Some(cell) = cell else { continue };
            if let Some(piece) = position.at(cell) {
                canvas.place(column, row, &men::disc(piece));
            } else if style.coordinates && !numbering.letters() {
                let (x, y) = canvas.corner(column, row);
                let _ = writeln!(
                    canvas.out,
                    "<text x=\"{}\" y=\"{}\" font-family=\"Verdana, DejaVu Sans, sans-serif\" \
                     font-size=\"10\" fill=\"{EDGE}\">{}</text>",
                    x + 3,
                    y + 12,
                    numbering.number(cell)
                );
            }
        }
    }
    if style.coordinates && numbering.letters() {
        let letters = rows
            .first()
            .and_then(|row| draughts_board::files(numbering, row));
        let letters: Vec<String> = letters.into_iter().flatten().map(String::from).collect();
        let ranks: Vec<String> = rows
            .iter()
            .filter_map(|cells| cells.iter().find_map(|&cell| cell))
            .map(|cell| numbering.file_and_rank(cell).1.to_string())
            .collect();
        canvas.coordinates(&letters, &ranks);
    }
    canvas.finish(style)
}
