//! Boards for a terminal.

use std::fmt::Write as _;

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Square};

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
    /// Squares that stand out, such as those of the last move. Without colour
    /// they are in brackets.
    pub highlight: Bitboard,
}

/// Draws a board with its coordinates; every line ends with a newline, none
/// with a blank.
pub fn draw(board: &Board, style: BoardStyle) -> String {
    if style.color {
        colored(board, style)
    } else {
        plain(board, style)
    }
}

fn order<T>(items: [T; 8], reversed: bool) -> [T; 8] {
    let mut items = items;
    if reversed {
        items.reverse();
    }
    items
}

/// The lines around a board drawn without colour.
pub(super) struct Frame {
    /// The whole line above, without what stands before it.
    pub(super) top: String,
    /// The whole line below.
    pub(super) bottom: String,
    /// Left and right of a row.
    pub(super) side: char,
    /// An empty square.
    pub(super) empty: char,
}

impl Frame {
    /// Around `width` squares, each with the blank or mark before it, and the
    /// one behind the last.
    pub(super) fn new(width: usize, glyphs: Glyphs) -> Self {
        let (line, side, empty, corners) = match glyphs {
            Glyphs::Unicode => ("─", '│', '·', ["┌", "┐", "└", "┘"]),
            Glyphs::Ascii => ("-", '|', '.', ["+"; 4]),
        };
        let line = line.repeat(2 * width + 1);
        Self {
            top: format!("{}{line}{}", corners[0], corners[1]),
            bottom: format!("{}{line}{}", corners[2], corners[3]),
            side,
            empty,
        }
    }
}

fn plain(board: &Board, style: BoardStyle) -> String {
    let frame = Frame::new(8, style.glyphs);
    let (side, empty) = (frame.side, frame.empty);
    let files = order(File::ALL, style.flipped);

    let mut out = format!("  {}\n", frame.top);
    for rank in order(Rank::ALL, !style.flipped) {
        out.push(rank.char());
        out.push(' ');
        out.push(side);
        let mut marked_before = false;
        for file in files {
            let square = Square::from_coords(file, rank);
            let marked = style.highlight.contains(square);
            out.push(match (marked_before, marked) {
                (false, false) => ' ',
                (false, true) => '[',
                (true, false) => ']',
                (true, true) => '|',
            });
            out.push(
                board
                    .piece_at(square)
                    .map_or(empty, |piece| glyph(piece, style.glyphs)),
            );
            marked_before = marked;
        }
        out.push(if marked_before { ']' } else { ' ' });
        out.push(side);
        out.push('\n');
    }
    let _ = write!(out, "  {}\n   ", frame.bottom);
    for file in files {
        out.push(' ');
        out.push(file.char());
    }
    out.push('\n');
    out
}

const fn glyph(piece: Piece, glyphs: Glyphs) -> char {
    match glyphs {
        Glyphs::Ascii => piece.char(),
        Glyphs::Unicode => piece.unicode_char(),
    }
}

/// Colours of the 256-colour palette: squares as on a wooden board.
pub(super) const LIGHT: u8 = 223;
pub(super) const DARK: u8 = 137;
const LIGHT_MARKED: u8 = 229;
pub(super) const DARK_MARKED: u8 = 179;
pub(super) const WHITE_MAN: u8 = 231;
pub(super) const BLACK_MAN: u8 = 16;

fn colored(board: &Board, style: BoardStyle) -> String {
    let files = order(File::ALL, style.flipped);
    let mut out = String::new();
    for rank in order(Rank::ALL, !style.flipped) {
        out.push(rank.char());
        out.push(' ');
        for file in files {
            let square = Square::from_coords(file, rank);
            let marked = style.highlight.contains(square);
            let background = match (square.is_light(), marked) {
                (true, false) => LIGHT,
                (false, false) => DARK,
                (true, true) => LIGHT_MARKED,
                (false, true) => DARK_MARKED,
            };
            match board.piece_at(square) {
                None => {
                    let _ = write!(out, "\x1b[48;5;{background}m   ");
                }
                Some(piece) => {
                    let ink = if piece.color == Color::White {
                        WHITE_MAN
                    } else {
                        BLACK_MAN
                    };
                    // The filled figurines serve both sides: the ink tells
                    // them apart, and outlines would be hard to see.
                    let shown = match style.glyphs {
                        Glyphs::Ascii => piece.char(),
                        Glyphs::Unicode => piece.role.of(Color::Black).unicode_char(),
                    };
                    let _ = write!(out, "\x1b[48;5;{background};38;5;{ink};1m {shown} \x1b[22m");
                }
            }
        }
        out.push_str("\x1b[0m\n");
    }
    out.push(' ');
    for file in files {
        out.push_str("  ");
        out.push(file.char());
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(draw(&Board::default(), BoardStyle::default()), expected);
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
            highlight,
            ..BoardStyle::default()
        };
        assert_eq!(draw(&Board::default(), style), expected);
    }

    #[test]
    fn colours_only_when_asked_and_reset_on_every_line() {
        let style = BoardStyle {
            color: true,
            ..BoardStyle::default()
        };
        let drawn = draw(&Board::default(), style);
        assert!(drawn.lines().take(8).all(|line| line.ends_with("\x1b[0m")));
        assert_eq!(drawn.lines().last(), Some("   a  b  c  d  e  f  g  h"));
        assert!(
            drawn.starts_with("8 \x1b[48;5;223;38;5;16;1m r \x1b[22m\x1b[48;5;137;38;5;16;1m n ")
        );
        assert!(!draw(&Board::default(), BoardStyle::default()).contains('\x1b'));
    }
}
