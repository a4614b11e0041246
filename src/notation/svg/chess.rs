//! The boards of chess and its kin.

use std::fmt::Write as _;

use super::{CLOTH, Canvas, DARK, EDGE, LIGHT, SQUARE, Style, men};
use crate::notation::diagram::{Diagram, Ground};

/// Draws a board.
///
/// ```
/// use plydex::notation::{diagram::Diagram, svg};
///
/// let diagram = Diagram::of_chess(&shakmaty::Board::default());
/// let drawing = svg::draw(&diagram, svg::Style::default());
/// assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
/// ```
pub fn draw(diagram: &Diagram, style: Style) -> String {
    let (columns, rows) = (diagram.columns(style.flipped), diagram.rows(style.flipped));
    let size = (columns.len() as u32, rows.len() as u32);
    let mut canvas = Canvas::new(size.0, size.1, &diagram.title, style);
    for (row, &rank) in (0..).zip(&rows) {
        for (column, &file) in (0..).zip(&columns) {
            let fill = match diagram.ground {
                Ground::Chequered if (file + rank) % 2 == 0 => DARK,
                Ground::Chequered | Ground::Points => LIGHT,
                Ground::Cells => CLOTH,
            };
            canvas.square(column, row, fill);
        }
    }
    match diagram.ground {
        Ground::Chequered => {}
        Ground::Points => points(&mut canvas),
        Ground::Cells => cells(&mut canvas, size),
    }
    for (row, &rank) in (0..).zip(&rows) {
        for (column, &file) in (0..).zip(&columns) {
            if let Some(man) = diagram.at(rank * diagram.files + file) {
                canvas.place(column, row, &men::man(man));
            }
        }
    }
    if style.coordinates {
        let files: Vec<String> = columns
            .iter()
            .map(|&file| char::from(b'a' + file).to_string())
            .collect();
        let ranks: Vec<String> = rows.iter().map(|rank| (rank + 1).to_string()).collect();
        canvas.coordinates(&files, &ranks);
    }
    canvas.finish(style)
}

/// Writes lines as one path.
fn lines(canvas: &mut Canvas, ends: &[[u32; 4]]) {
    let mut path = String::new();
    for [from_x, from_y, to_x, to_y] in ends {
        let _ = write!(path, "M{from_x} {from_y}L{to_x} {to_y}");
    }
    let _ = writeln!(
        canvas.out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{EDGE}\"/>"
    );
}

/// The lines of xiangqi: ranks, files with the river between them, two palaces.
fn points(canvas: &mut Canvas) {
    let at = |column, row| {
        let (x, y) = canvas.corner(column, row);
        (x + SQUARE / 2, y + SQUARE / 2)
    };
    let line = |from: (u32, u32), to: (u32, u32)| {
        let ((from_x, from_y), (to_x, to_y)) = (at(from.0, from.1), at(to.0, to.1));
        [from_x, from_y, to_x, to_y]
    };
    let mut ends: Vec<[u32; 4]> = (0..10).map(|row| line((0, row), (8, row))).collect();
    for column in 0..9 {
        if matches!(column, 0 | 8) {
            ends.push(line((column, 0), (column, 9)));
        } else {
            ends.push(line((column, 0), (column, 4)));
            ends.push(line((column, 5), (column, 9)));
        }
    }
    for top in [0, 7] {
        ends.push(line((3, top), (5, top + 2)));
        ends.push(line((5, top), (3, top + 2)));
    }
    lines(canvas, &ends);
}

/// The lines between cells of one colour.
fn cells(canvas: &mut Canvas, (columns, rows): (u32, u32)) {
    let line = |from: (u32, u32), to: (u32, u32)| {
        let ((from_x, from_y), (to_x, to_y)) =
            (canvas.corner(from.0, from.1), canvas.corner(to.0, to.1));
        [from_x, from_y, to_x, to_y]
    };
    let across = (1..rows).map(|row| line((0, row), (columns, row)));
    let along = (1..columns).map(|column| line((column, 0), (column, rows)));
    let ends: Vec<[u32; 4]> = across.chain(along).collect();
    lines(canvas, &ends);
}
