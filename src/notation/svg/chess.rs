//! The board of chess.

use shakmaty::{Board, File, Rank, Square};

use super::{Canvas, DARK, LIGHT, Style, men};
use crate::notation::{forsyth, letters::ENGLISH};

/// Draws a board of chess.
///
/// ```
/// use plydex::notation::svg;
///
/// let drawing = svg::chess(&shakmaty::Board::default(), svg::Style::default());
/// assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
/// ```
pub fn chess(board: &Board, style: Style) -> String {
    let mut canvas = Canvas::new(8, 8, &forsyth::write(board, ENGLISH), style);
    let at = |column: u32, row: u32| {
        let (file, rank) = if style.flipped {
            (7 - column, row)
        } else {
            (column, 7 - row)
        };
        Square::from_coords(File::new(file), Rank::new(rank))
    };
    for row in 0..8 {
        for column in 0..8 {
            let square = at(column, row);
            let fill = if square.is_light() { LIGHT } else { DARK };
            canvas.square(column, row, fill);
        }
    }
    for row in 0..8 {
        for column in 0..8 {
            if let Some(piece) = board.piece_at(at(column, row)) {
                canvas.place(column, row, &men::chess(piece));
            }
        }
    }
    if style.coordinates {
        let files: Vec<String> = (0..8)
            .map(|column| at(column, 0).file().to_string())
            .collect();
        let ranks: Vec<String> = (0..8).map(|row| at(0, row).rank().to_string()).collect();
        canvas.coordinates(&files, &ranks);
    }
    canvas.finish(style)
}
