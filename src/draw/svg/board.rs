//! The boards, of every size and ground.

use std::fmt::Write as _;

use super::{Arrow, CLOTH, Canvas, DARK, DUSK, EDGE, LIGHT, SQUARE, Style, pieces};
use crate::games::diagram::{BoardKind, Diagram, SquareColor};

/// Draws a board with the names that its squares have: letters at the edge, or a
/// number on each square.
///
/// ```
/// use plydex::{draw::svg, games::diagram::Diagram};
///
/// let diagram = Diagram::of_chess(&shakmaty::Board::default());
/// let drawing = svg::draw(&diagram, svg::Style::default());
/// assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"));
/// ```
pub fn draw(diagram: &Diagram, style: Style) -> String {
    draw_with(diagram, style, &[])
}

/// Draws a board with arrows over it.
pub fn draw_with(diagram: &Diagram, style: Style, arrows: &[Arrow]) -> String {
    let diagram = &*diagram.seen(style.flipped);
    let columns = diagram.rows.first().map_or(0, Vec::len) as u32;
    let rows = diagram.rows.len() as u32;
    let mut canvas = Canvas::new(columns, rows, &diagram.title);
    let places = || {
        let rows = (0..).zip(&diagram.rows);
        rows.flat_map(|(row, places)| (0..).zip(places).map(move |(column, at)| (column, row, at)))
    };
    for (column, row, place) in places() {
        let fill = match (diagram.ground, place.shade) {
            (BoardKind::Cells, _) => CLOTH,
            (_, SquareColor::Light) => LIGHT,
            (_, SquareColor::Dark) => DARK,
            (_, SquareColor::Dusk) => DUSK,
        };
        canvas.square(column, row, fill);
    }
    match diagram.ground {
        BoardKind::Squares => {}
        BoardKind::Points => points(&mut canvas, (columns, rows)),
        BoardKind::Cells => cells(&mut canvas, (columns, rows)),
    }
    for (column, row, place) in places() {
        let name = diagram.square_name(row as usize, column as usize);
        let name = name.filter(|_| style.has_squares);
        if let Some(name) = &name {
            canvas.begin_square(column, row, name);
        }
        match (place.piece, place.number) {
            (Some(piece), _) => canvas.place(column, row, &pieces::piece(piece)),
            (None, Some(number)) => canvas.number(column, row, number),
            _ => {}
        }
        if name.is_some() {
            canvas.end_square();
        }
    }
    for arrow in arrows {
        arrow.draw(&mut canvas, diagram);
    }
    if !diagram.files.is_empty() {
        let files: Vec<String> = diagram.files.iter().map(char::to_string).collect();
        let ranks: Vec<String> = diagram.ranks.iter().map(u8::to_string).collect();
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

/// The lines between points: ranks, files with the river between the halves where these
/// meet, and a palace of nine points in the middle of each edge.
fn points(canvas: &mut Canvas, (columns, rows): (u32, u32)) {
    let at = |column, row| {
        let (x, y) = Canvas::corner(column, row);
        (x + SQUARE / 2, y + SQUARE / 2)
    };
    let line = |from: (u32, u32), to: (u32, u32)| {
        let ((from_x, from_y), (to_x, to_y)) = (at(from.0, from.1), at(to.0, to.1));
        [from_x, from_y, to_x, to_y]
    };
    let (right, bottom, bank) = (columns - 1, rows - 1, rows / 2);
    let mut ends: Vec<[u32; 4]> = (0..rows).map(|row| line((0, row), (right, row))).collect();
    for column in 0..columns {
        if column == 0 || column == right || rows % 2 == 1 {
            ends.push(line((column, 0), (column, bottom)));
        } else {
            ends.push(line((column, 0), (column, bank - 1)));
            ends.push(line((column, bank), (column, bottom)));
        }
    }
    let (west, east) = (columns / 2 - 1, columns / 2 + 1);
    for top in [0, bottom - 2] {
        ends.push(line((west, top), (east, top + 2)));
        ends.push(line((east, top), (west, top + 2)));
    }
    lines(canvas, &ends);
}

/// The lines between cells of one colour.
fn cells(canvas: &mut Canvas, (columns, rows): (u32, u32)) {
    let line = |from: (u32, u32), to: (u32, u32)| {
        let ((from_x, from_y), (to_x, to_y)) =
            (Canvas::corner(from.0, from.1), Canvas::corner(to.0, to.1));
        [from_x, from_y, to_x, to_y]
    };
    let across = (1..rows).map(|row| line((0, row), (columns, row)));
    let along = (1..columns).map(|column| line((column, 0), (column, rows)));
    let ends: Vec<[u32; 4]> = across.chain(along).collect();
    lines(canvas, &ends);
}
