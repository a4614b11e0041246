//! Boards for a terminal.

use std::fmt::Write as _;

use super::diagram::{Diagram, Ground, Man, Sort};

/// Which signs stand for the men.
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
    /// Coloured squares by ANSI sequences; only for terminals.
    pub color: bool,
    /// Squares that stand out, such as those of the last move: bits by the numbers
    /// that the board's game has for them. Without colour they are in brackets.
    pub highlight: u128,
}

/// Draws a board with its coordinates; every line ends with a newline, none
/// with a blank.
pub fn draw(diagram: &Diagram, style: BoardStyle) -> String {
    if style.color {
        colored(diagram, style)
    } else {
        plain(diagram, style)
    }
}

/// The lines around a board drawn without colour.
pub(crate) struct Frame {
    /// The whole line above, without what stands before it.
    pub(crate) top: String,
    /// The whole line below.
    pub(crate) bottom: String,
    /// Left and right of a row.
    pub(crate) side: char,
    /// An empty square.
    pub(crate) empty: char,
}

impl Frame {
    /// Around `width` squares, each with the blank or mark before it, and the
    /// one behind the last.
    pub(crate) fn new(width: usize, glyphs: Glyphs) -> Self {
        Self::of_columns(2 * width + 1, glyphs)
    }

    fn of_columns(columns: usize, glyphs: Glyphs) -> Self {
        let (line, side, empty, corners) = match glyphs {
            Glyphs::Unicode => ("─", '│', '·', ["┌", "┐", "└", "┘"]),
            Glyphs::Ascii => ("-", '|', '.', ["+"; 4]),
        };
        let line = line.repeat(columns);
        Self {
            top: format!("{}{line}{}", corners[0], corners[1]),
            bottom: format!("{}{line}{}", corners[2], corners[3]),
            side,
            empty,
        }
    }
}

/// Whether signs take two columns of a terminal: those of Chinese do.
fn is_wide(diagram: &Diagram, glyphs: Glyphs) -> bool {
    glyphs == Glyphs::Unicode && diagram.ground == Ground::Points
}

/// Columns of the numbers at the left.
const fn margin(diagram: &Diagram) -> usize {
    if diagram.ranks < 10 { 1 } else { 2 }
}

const fn letter_of(file: u8) -> char {
    (b'a' + file) as char
}

fn plain(diagram: &Diagram, style: BoardStyle) -> String {
    let wide = is_wide(diagram, style.glyphs);
    let (columns, margin) = (diagram.columns(style.flipped), margin(diagram));
    let width = columns.len() * if wide { 3 } else { 2 } + 1;
    let frame = Frame::of_columns(width, style.glyphs);
    let (side, empty) = (frame.side, frame.empty);

    let mut out = format!("{:margin$} {}\n", "", frame.top);
    for rank in diagram.rows(style.flipped) {
        let _ = write!(out, "{:>margin$} {side}", rank + 1);
        let mut marked_before = false;
        for &file in &columns {
            let square = rank * diagram.files + file;
            let marked = style.highlight >> square & 1 == 1;
            out.push(match (marked_before, marked) {
                (false, false) => ' ',
                (false, true) => '[',
                (true, false) => ']',
                (true, true) => '|',
            });
            match diagram.at(square) {
                Some(man) => out.push(glyph(man, style.glyphs)),
                None if wide => {
                    out.push(empty);
                    out.push(' ');
                }
                None => out.push(empty),
            }
            marked_before = marked;
        }
        out.push(if marked_before { ']' } else { ' ' });
        out.push(side);
        out.push('\n');
        if diagram.has_river_below(rank, style.flipped) {
            let _ = writeln!(out, "{:margin$} {side}{}{side}", "", "~".repeat(width));
        }
    }
    let _ = write!(out, "{:margin$} {}\n{:margin$}  ", "", frame.bottom, "");
    let mut files = String::new();
    for &file in &columns {
        files.push(' ');
        files.push(letter_of(file));
        if wide {
            files.push(' ');
        }
    }
    out.push_str(files.trim_end());
    out.push('\n');
    out
}

const fn glyph(man: Man, glyphs: Glyphs) -> char {
    match glyphs {
        Glyphs::Ascii => man.letter(),
        Glyphs::Unicode => man.figure(),
    }
}

/// Colours of the 256-colour palette: squares as on a wooden board.
pub(crate) const LIGHT: u8 = 223;
pub(crate) const DARK: u8 = 137;
const LIGHT_MARKED: u8 = 229;
pub(crate) const DARK_MARKED: u8 = 179;
pub(crate) const WHITE_MAN: u8 = 231;
pub(crate) const BLACK_MAN: u8 = 16;

const CELL: u8 = 29;
const CELL_MARKED: u8 = 36;
const RED_MAN: u8 = 124;

fn colored(diagram: &Diagram, style: BoardStyle) -> String {
    let wide = is_wide(diagram, style.glyphs);
    let (columns, margin) = (diagram.columns(style.flipped), margin(diagram));
    let mut out = String::new();
    for rank in diagram.rows(style.flipped) {
        let _ = write!(out, "{:>margin$} ", rank + 1);
        for &file in &columns {
            let square = rank * diagram.files + file;
            let marked = style.highlight >> square & 1 == 1;
            let is_light = diagram.ground == Ground::Points || (file + rank) % 2 == 1;
            let background = match (diagram.ground, is_light, marked) {
                (Ground::Cells, _, false) => CELL,
                (Ground::Cells, _, true) => CELL_MARKED,
                (_, true, false) => LIGHT,
                (_, false, false) => DARK,
                (_, true, true) => LIGHT_MARKED,
                (_, false, true) => DARK_MARKED,
            };
            match diagram.at(square) {
                None if diagram.ground != Ground::Chequered => {
                    let dot = if style.glyphs == Glyphs::Ascii {
                        '.'
                    } else {
                        '·'
                    };
                    let _ = write!(out, "\x1b[48;5;{background};38;5;{BLACK_MAN}m {dot} ");
                }
                None => {
                    let _ = write!(out, "\x1b[48;5;{background}m   ");
                }
                Some(man) => {
                    let ink = match (man.side, man.sort) {
                        (0, Sort::Xiangqi(..)) => RED_MAN,
                        (0, _) => WHITE_MAN,
                        _ => BLACK_MAN,
                    };
                    let shown = match style.glyphs {
                        Glyphs::Ascii => man.letter(),
                        Glyphs::Unicode => man.filled(),
                    };
                    let gap = if wide { "" } else { " " };
                    let _ = write!(
                        out,
                        "\x1b[48;5;{background};38;5;{ink};1m {shown}{gap}\x1b[22m"
                    );
                }
            }
        }
        out.push_str("\x1b[0m\n");
        if diagram.has_river_below(rank, style.flipped) {
            let river = "~".repeat(3 * columns.len());
            let _ = writeln!(
                out,
                "{:margin$} \x1b[48;5;{LIGHT};38;5;{BLACK_MAN}m{river}\x1b[0m",
                ""
            );
        }
    }
    let _ = write!(out, "{:margin$}", "");
    for &file in &columns {
        out.push_str("  ");
        out.push(letter_of(file));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Board, Square};

    use super::*;

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
            highlight: u128::from(u64::from(highlight)),
            ..BoardStyle::default()
        };
        assert_eq!(draw_chess(style), expected);
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
