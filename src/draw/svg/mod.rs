//! Boards as SVG: plain shapes of our own, so that a drawing needs no font for the
//! pieces and looks the same everywhere.
//!
//! Squares are 45 units wide, with a margin for coordinates around them.

mod arrows;
mod board;
mod pieces;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

pub use arrows::Arrow;
pub use board::{draw, draw_with};

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Black below.
    pub flipped: bool,
    /// A disc at the edge for the side to move, where it is known: 0 White, 1 Black.
    pub turn: Option<u8>,
    /// Each square that is played on is a group with the attribute `data-square`, its name, for
    /// pages on which squares are clicked.
    pub has_squares: bool,
}

/// Width of a square.
const SQUARE: u32 = 45;
/// Room around the board, for coordinates.
const MARGIN: u32 = 26;

const LIGHT: &str = "#f3e5ca";
const DARK: &str = "#b98d63";
const DUSK: &str = "#c39a72";
const CLOTH: &str = "#4f8f67";
const RED: &str = "#a3221c";
const PAPER: &str = "#fbf6ec";
const EDGE: &str = "#6a4c35";
const WHITE: &str = "#fffdf8";
const BLACK: &str = "#2d2926";

/// A drawing being made.
struct Canvas {
    out: String,
    columns: u32,
    rows: u32,
}

impl Canvas {
    /// Begins a drawing with this many squares; the title is what a screen reader says.
    fn new(columns: u32, rows: u32, title: &str) -> Self {
        let (width, height) = (columns * SQUARE + 2 * MARGIN, rows * SQUARE + 2 * MARGIN);
        let mut out = String::with_capacity(16 * 1024);
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">"
        );
        let _ = writeln!(out, "<title>{}</title>", escape(title));
        let _ = writeln!(
            out,
            "<rect width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"{PAPER}\"/>"
        );
        Self { out, columns, rows }
    }

    /// The upper left corner of a square, column and row from the upper left.
    const fn corner(column: u32, row: u32) -> (u32, u32) {
        (MARGIN + column * SQUARE, MARGIN + row * SQUARE)
    }

    fn square(&mut self, column: u32, row: u32, fill: &str) {
        let (x, y) = Self::corner(column, row);
        let _ = writeln!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
        );
    }

    /// Puts shapes made for a square of their own onto one.
    fn place(&mut self, column: u32, row: u32, shapes: &str) {
        let (x, y) = Self::corner(column, row);
        let _ = writeln!(
            self.out,
            "<g transform=\"translate({x} {y})\" stroke-width=\"1.4\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">{shapes}</g>"
        );
    }

    /// Begins the group of a square: it is hit where nothing is drawn, too.
    fn begin_square(&mut self, column: u32, row: u32, name: &str) {
        let (x, y) = Self::corner(column, row);
        let _ = writeln!(
            self.out,
            "<g data-square=\"{name}\"><rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" \
             height=\"{SQUARE}\" fill=\"none\" pointer-events=\"all\"/>"
        );
    }

    fn end_square(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// The number of an empty square.
    fn number(&mut self, column: u32, row: u32, number: u8) {
        let (x, y) = Self::corner(column, row);
        let _ = writeln!(
            self.out,
            "<text x=\"{}\" y=\"{}\" font-family=\"Verdana, DejaVu Sans, sans-serif\" \
             font-size=\"10\" fill=\"{EDGE}\">{number}</text>",
            x + 3,
            y + 12
        );
    }

    /// The names of columns below and of rows at the left.
    fn coordinates(&mut self, columns: &[String], rows: &[String]) {
        let _ = writeln!(
            self.out,
            "<g font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"13\" \
             fill=\"{EDGE}\" text-anchor=\"middle\">"
        );
        for (column, name) in (0..).zip(columns) {
            let (x, y) = Self::corner(column, self.rows);
            let _ = writeln!(
                self.out,
                "<text x=\"{}\" y=\"{}\">{name}</text>",
                x + SQUARE / 2,
                y + 18
            );
        }
        for (row, name) in (0..).zip(rows) {
            let (_, y) = Self::corner(0, row);
            let _ = writeln!(
                self.out,
                "<text x=\"{}\" y=\"{}\">{name}</text>",
                MARGIN / 2,
                y + SQUARE / 2 + 5
            );
        }
        self.out.push_str("</g>\n");
    }

    /// The frame around the squares, and the disc of the side to move at its right.
    fn finish(mut self, style: Style) -> String {
        let (x, y) = Self::corner(0, 0);
        let (width, height) = (self.columns * SQUARE, self.rows * SQUARE);
        let _ = writeln!(
            self.out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
             stroke=\"{EDGE}\" stroke-width=\"1.5\"/>"
        );
        if let Some(turn) = style.turn {
            let below = (turn == 0) != style.flipped;
            let at = if below {
                y + height - SQUARE / 2
            } else {
                y + SQUARE / 2
            };
            let fill = if turn == 0 { WHITE } else { BLACK };
            let _ = writeln!(
                self.out,
                "<circle cx=\"{}\" cy=\"{at}\" r=\"6\" fill=\"{fill}\" stroke=\"{BLACK}\" \
                 stroke-width=\"1.4\"/>",
                x + width + MARGIN / 2
            );
        }
        self.out.push_str("</svg>\n");
        self.out
    }
}

/// Makes text harmless within SVG.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
