//! Boards for a terminal.
//!
//! Rows have the names of their ranks at the left; where squares have numbers, those of
//! their first and last square at both sides.

use std::fmt::Write as _;

use crate::games::diagram::{
    BoardKind, Diagram, DiagramPiece, DiagramSquare, Highlight, SquareColor,
};

/// Which signs stand for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Letters: upper case White, lower case Black.
    #[default]
    Ascii,
    /// Chess figurines and box-drawing lines.
    Unicode,
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BoardStyle {
    /// Letters or figurines.
    pub glyphs: Glyphs,
    /// Black below.
    pub flipped: bool,
    /// Coloured squares by ANSI sequences; only for terminals. Empty squares then show
    /// their numbers, where they have such.
    pub color: bool,
}

/// Draws a board with its coordinates; every line ends with a newline, none
/// with a blank.
pub fn draw(diagram: &Diagram, style: BoardStyle) -> String {
    let drawing = Drawing {
        diagram: &diagram.seen(style.flipped),
        glyphs: style.glyphs,
    };
    if style.color {
        drawing.colored()
    } else {
        drawing.plain()
    }
}

struct Drawing<'d> {
    /// As it is seen.
    diagram: &'d Diagram,
    glyphs: Glyphs,
}

impl Drawing<'_> {
    /// One of two signs.
    fn either<T>(&self, ascii: T, unicode: T) -> T {
        match self.glyphs {
            Glyphs::Ascii => ascii,
            Glyphs::Unicode => unicode,
        }
    }

    /// Whether signs take two columns of a terminal: those of Chinese do.
    fn is_wide(&self) -> bool {
        self.glyphs == Glyphs::Unicode && self.diagram.ground == BoardKind::Points
    }

    /// What stands left and right of a row.
    fn labels(&self, row: usize) -> [String; 2] {
        if let Some(rank) = self.diagram.ranks.get(row) {
            return [rank.to_string(), String::new()];
        }
        let mut numbers = self.diagram.rows[row].iter().filter_map(|at| at.number);
        let first = numbers.next();
        let ends = [first, numbers.next_back().or(first)];
        ends.map(|number| number.map_or_else(String::new, |number| number.to_string()))
    }

    /// Columns of the longest label.
    fn margin(&self) -> usize {
        let labels = (0..self.diagram.rows.len()).flat_map(|row| self.labels(row));
        labels.map(|label| label.len()).max().unwrap_or_default()
    }

    /// Ends a line with what stands right of a row.
    fn end_row(label: &str, out: &mut String) {
        if !label.is_empty() {
            let _ = write!(out, " {label}");
        }
        out.push('\n');
    }

    /// What is on a square: a piece, or what was taken from it.
    fn piece(&self, place: &DiagramSquare) -> Option<DiagramPiece> {
        let taken = || self.diagram.marks.taken_from(place.square?);
        place.piece.or_else(taken)
    }

    fn plain(&self) -> String {
        let diagram = self.diagram;
        let (wide, margin) = (self.is_wide(), self.margin());
        let columns = diagram.rows.first().map_or(0, Vec::len);
        // Each place with the blank or mark before it, and the one after the last.
        let width = columns * if wide { 3 } else { 2 } + 1;
        let (side, empty, passed) = self.either(('|', '.', '*'), ('│', '·', '•'));
        let line = self.either("-", "─").repeat(width);
        let [above, below] = self.either([["+"; 2]; 2], [["┌", "┐"], ["└", "┘"]]);

        let mut out = format!("{:margin$} {}{line}{}\n", "", above[0], above[1]);
        for (row, places) in diagram.rows.iter().enumerate() {
            let [left, right] = self.labels(row);
            let _ = write!(out, "{left:>margin$} {side}");
            let mut before = Highlight::None;
            for place in places {
                let mark = diagram.marks.of(place.square);
                out.push(between(before, mark));
                let piece = self.piece(place);
                out.push(match (piece, mark) {
                    (Some(piece), _) => self.either(piece.letter, piece.sign()),
                    _ if place.square.is_none() => ' ',
                    (None, Highlight::Passed) => passed,
                    (None, _) => empty,
                });
                if wide && piece.is_none() {
                    out.push(' ');
                }
                before = mark;
            }
            out.push(between(before, Highlight::None));
            out.push(side);
            Self::end_row(&right, &mut out);
            if diagram.has_river_below(row) {
                let _ = writeln!(out, "{:margin$} {side}{}{side}", "", "~".repeat(width));
            }
        }
        let _ = writeln!(out, "{:margin$} {}{line}{}", "", below[0], below[1]);
        let gap = if wide { "  " } else { " " };
        self.end(margin + 3, gap, &mut out);
        out
    }

    /// The names of the files, `indent` blanks before the first and a gap between them.
    fn end(&self, indent: usize, gap: &str, out: &mut String) {
        let files: Vec<String> = self.diagram.files.iter().map(char::to_string).collect();
        if !files.is_empty() {
            let _ = writeln!(out, "{:indent$}{}", "", files.join(gap));
        }
    }

    fn colored(&self) -> String {
        let diagram = self.diagram;
        let margin = self.margin();
        let mut out = String::new();
        for (row, places) in diagram.rows.iter().enumerate() {
            let [left, right] = self.labels(row);
            let _ = write!(out, "{left:>margin$} ");
            for place in places {
                self.colored_place(place, &mut out);
            }
            out.push_str("\x1b[0m");
            Self::end_row(&right, &mut out);
            if diagram.has_river_below(row) {
                let river = "~".repeat(3 * places.len());
                let _ = writeln!(
                    out,
                    "{:margin$} \x1b[48;5;{LIGHT};38;5;{BLACK_MAN}m{river}\x1b[0m",
                    ""
                );
            }
        }
        self.end(margin + 2, "  ", &mut out);
        out
    }

    fn colored_place(&self, place: &DiagramSquare, out: &mut String) {
        let mark = self.diagram.marks.of(place.square);
        let background = background(self.diagram.ground, place.shade, mark);
        let _ = write!(out, "\x1b[48;5;{background}");
        let _ = match (self.piece(place), place.number) {
            (Some(piece), _) => {
                let ink = match piece.side {
                    0 if piece.is_red => RED_MAN,
                    0 => WHITE_MAN,
                    _ => BLACK_MAN,
                };
                // The ink distinguishes the sides, so that the filled signs serve both,
                // for outlines are hard to see: they are ghosts.
                let [ghost, filled] = piece.signs;
                if place.piece.is_none() {
                    let shown = self.either(piece.letter, ghost);
                    write!(out, ";38;5;{ink}m({shown})")
                } else {
                    let shown = self.either(piece.letter, filled);
                    let gap = if self.is_wide() { "" } else { " " };
                    write!(out, ";38;5;{ink};1m {shown}{gap}\x1b[22m")
                }
            }
            (None, _) if mark == Highlight::Passed => {
                let dot = self.either('*', '•');
                write!(out, ";38;5;{BLACK_MAN}m {dot} ")
            }
            (None, Some(number)) => write!(out, ";38;5;{NUMBER}m{number:>2} "),
            (None, None) if self.diagram.ground != BoardKind::Squares => {
                let dot = self.either('.', '·');
                write!(out, ";38;5;{BLACK_MAN}m {dot} ")
            }
            (None, None) => write!(out, "m   "),
        };
    }
}

/// What stands between two squares.
const fn between(left: Highlight, right: Highlight) -> char {
    match (left, right) {
        (Highlight::None | Highlight::Passed, Highlight::None | Highlight::Passed) => ' ',
        (Highlight::None | Highlight::Passed, Highlight::End) => '[',
        (Highlight::None | Highlight::Passed, Highlight::Taken) => '(',
        (Highlight::End, Highlight::None | Highlight::Passed) => ']',
        (Highlight::Taken, Highlight::None | Highlight::Passed) => ')',
        (Highlight::End | Highlight::Taken, Highlight::End | Highlight::Taken) => '|',
    }
}

/// Colours of the 256-colour palette: squares as on a wooden board, or a green cloth.
const LIGHT: u8 = 223;
const LIGHT_MARKED: u8 = 229;
const DARK: u8 = 137;
const DUSK: u8 = 173;
const DARK_MARKED: u8 = 179;
const DARK_PASSED: u8 = 143;
const DARK_TAKEN: u8 = 131;
const CELL: u8 = 29;
const CELL_MARKED: u8 = 36;
/// And of what stands on them: pieces, and numbers on empty squares.
const WHITE_MAN: u8 = 231;
const BLACK_MAN: u8 = 16;
const RED_MAN: u8 = 124;
const NUMBER: u8 = 180;

const fn background(ground: BoardKind, shade: SquareColor, mark: Highlight) -> u8 {
    match (ground, shade, mark) {
        (BoardKind::Cells, _, Highlight::None) => CELL,
        (BoardKind::Cells, ..) => CELL_MARKED,
        (_, SquareColor::Light, Highlight::None) => LIGHT,
        (_, SquareColor::Light, _) => LIGHT_MARKED,
        (_, SquareColor::Dark, Highlight::None) => DARK,
        (_, SquareColor::Dusk, Highlight::None) => DUSK,
        (_, _, Highlight::End) => DARK_MARKED,
        (_, _, Highlight::Passed) => DARK_PASSED,
        (_, _, Highlight::Taken) => DARK_TAKEN,
    }
}

#[cfg(test)]
mod tests {
    use crate::games::chess::basics::{Bitboard, Board, Square};

    use super::*;
    use crate::games::diagram::Highlights;

    fn draw_chess(style: BoardStyle) -> String {
        draw(&Diagram::of_chess(&Board::default()), style)
    }

    #[test]
    fn ascii() {
        let expected = "  +-----------------+
8 | r n b q k b n r |
7 | p p p p p p p p |
6 | . . . . . . . . |
5 | . . . . . . . . |
4 | . . . . . . . . |
3 | . . . . . . . . |
2 | P P P P P P P P |
1 | R N B Q K B N R |
  +-----------------+
    a b c d e f g h
";
        assert_eq!(draw_chess(BoardStyle::default()), expected);
    }

    #[test]
    fn unicode_flipped_with_marked_squares() {
        let expected = "  ┌─────────────────┐
1 │ ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖ │
2 │ ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙ │
3 │ · · · · · · · · │
4 │ · · ·[·]· · · · │
5 │ · · · · · · · · │
6 │ · · · · · · · · │
7 │ ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟ │
8 │ ♜ ♞ ♝ ♚ ♛ ♝[♞|♜]│
  └─────────────────┘
    h g f e d c b a
";
        let highlight = Bitboard::from(Square::E4) | Square::B8 | Square::A8;
        let style = BoardStyle {
            glyphs: Glyphs::Unicode,
            flipped: true,
            ..BoardStyle::default()
        };
        let mut diagram = Diagram::of_chess(&Board::default());
        diagram.marks = Highlights {
            ends: u128::from(u64::from(highlight)),
            ..Highlights::default()
        };
        assert_eq!(draw(&diagram, style), expected);
    }

    #[test]
    fn colours_only_when_asked_and_reset_on_every_line() {
        let style = BoardStyle {
            color: true,
            ..BoardStyle::default()
        };
        let drawn = draw_chess(style);
        assert!(drawn.lines().take(8).all(|line| line.ends_with("\x1b[0m")));
        assert_eq!(drawn.lines().last(), Some("   a  b  c  d  e  f  g  h"));
        assert!(
            drawn.starts_with("8 \x1b[48;5;223;38;5;16;1m r \x1b[22m\x1b[48;5;137;38;5;16;1m n ")
        );
        assert!(!draw_chess(BoardStyle::default()).contains('\x1b'));
    }
}
