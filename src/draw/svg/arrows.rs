//! Arrows over a board: where pieces go.

use std::fmt::Write as _;

use super::{Canvas, SQUARE};
use crate::games::diagram::Diagram;

/// The way of a piece, or a square that something happens on.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrow {
    /// The squares, by the numbers that the game has for them; a single one gets a ring.
    pub squares: Vec<u8>,
    /// How wide it is drawn, from 0 to 1.
    pub weight: f64,
    /// The class of the drawing, for a style sheet.
    pub class: &'static str,
    /// The colour without a style sheet.
    pub colour: &'static str,
}

/// The least width of a line, and what the weight adds to it.
const WIDTH: [f64; 2] = [3.0, 7.0];

impl Arrow {
    /// Draws it; squares that the board does not have are left out.
    pub(super) fn draw(&self, canvas: &mut Canvas, diagram: &Diagram) {
        let centre = |square: u8| {
            let rows = (0..).zip(&diagram.rows);
            let mut places = rows.flat_map(|(row, places)| {
                (0..)
                    .zip(places)
                    .map(move |(column, at)| (column, row, at.square))
            });
            let (column, row, _) = places.find(|(.., at)| *at == Some(square))?;
            let (x, y) = Canvas::corner(column, row);
            Some([x, y].map(|at| f64::from(at) + f64::from(SQUARE) / 2.0))
        };
        let points: Vec<[f64; 2]> = self.squares.iter().filter_map(|at| centre(*at)).collect();
        let width = WIDTH[0] + WIDTH[1] * self.weight.clamp(0.0, 1.0);
        let (class, colour) = (self.class, self.colour);
        let [.., from, to] = points[..] else {
            if let [[x, y]] = points[..] {
                let _ = writeln!(
                    canvas.out,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"19\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"{width:.1}\" opacity=\"0.75\"/>"
                );
            }
            return;
        };
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let length = x.hypot(y).max(1.0);
        let (x, y) = (x / length, y / length);
        let head = 9.0 + width;
        let neck = [to[0] - x * head, to[1] - y * head];
        let mut path = String::new();
        for (at, point) in points[..points.len() - 1].iter().chain([&neck]).enumerate() {
            let letter = if at == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", point[0], point[1]);
        }
        let half = head * 0.6;
        let _ = writeln!(
            canvas.out,
            "<g class=\"{class}\" opacity=\"0.75\" stroke-linejoin=\"round\"><path d=\"{path}\" \
             fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\"/><path \
             d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{colour}\"/></g>",
            to[0],
            to[1],
            neck[0] - y * half,
            neck[1] + x * half,
            neck[0] + y * half,
            neck[1] - x * half,
        );
    }
}
