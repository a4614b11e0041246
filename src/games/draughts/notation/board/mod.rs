//! Draughts boards for a terminal, in the manner of the chess boards.
//!
//! Men are discs and kings crowns (`○ ♔`, `● ♚`), for these have one column and
//! are in nearly every font, which the discs that Unicode has for draughts are
//! not; a ring within a ring would tell kings from men, but not black from white.
//! In ASCII they are `w W`, `b B`. Rows have the ranks of variants with letters at
//! their left, and the numbers of their first and last square otherwise.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::moves::square::Numbering;
use crate::games::Budget;
use crate::games::draughts::rules::{Move, Piece, Position, Rules, WHITE, first_path};
use crate::notation::board::{BLACK_MAN, DARK, DARK_MARKED, Frame, Glyphs, LIGHT, WHITE_MAN};

/// What stands out on a board: a move, as a rule the one just played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// Where the move begins and ends; in brackets.
    pub ends: u128,
    /// The empty squares between, which it touches; a bold dot each.
    pub passed: u128,
    /// What it takes, as it stood; in parentheses where its square is empty now.
    pub taken: Position,
}

impl Marks {
    /// The marks of a move that is legal in this position. Of several ways that
    /// a capture can go, the first is marked; none if they are too many.
    pub fn of(before: &Position, rules: &Rules, played: &Move) -> Self {
        let ends = 1_u128 << played.from | 1 << played.to;
        let mut marks = Self {
            ends,
            ..Self::default()
        };
        for (cell, piece) in before.iter() {
            if played.captured >> cell & 1 == 1 {
                marks.taken.put(cell, piece);
            }
        }
        if played.is_capture()
            && let Ok(Some(path)) = first_path(before, rules, played, Budget::default())
        {
            marks.passed = path.touched(rules.board) & !ends & !played.captured;
        }
        marks
    }
}

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Letters or discs and crowns.
    pub glyphs: Glyphs,
    /// Black below.
    pub flipped: bool,
    /// Coloured squares by ANSI sequences; only for terminals. Empty squares
    /// then show their numbers, where the numbering has numbers.
    pub color: bool,
    /// What stands out.
    pub marks: Marks,
}

/// Draws a position with the names of its squares as the numbering has them, and
/// as the real board stands: the mirror of that of the rules where it is
/// inverted. Every line ends with a newline, none with a blank.
///
/// ```
/// use plydex::games::draughts::notation::{board::{draw, Style}, moves::square::Numbering};
/// use plydex::{games::draughts::rules::Position, games::draughts::rows::DraughtsVariant};
///
/// let thai = DraughtsVariant::by_name("thai").unwrap();
/// let numbering = Numbering::of(&thai.tag, thai.rules.board);
/// let drawn = draw(&Position::start(&thai.rules), numbering, Style::default());
/// assert_eq!(drawn.lines().nth(1), Some("32 |   b   b   b   b | 29"));
/// ```
pub fn draw(position: &Position, numbering: Numbering, style: Style) -> String {
    let drawing = Drawing {
        position,
        numbering,
        style,
    };
    if style.color {
        drawing.colored()
    } else {
        drawing.plain()
    }
}

/// What a square is marked as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    End,
    Passed,
    Taken,
}

/// The cells of each row as they are seen, from the top, `None` for squares
/// that are not played.
pub(crate) fn rows(numbering: Numbering, flipped: bool) -> Vec<Vec<Option<u8>>> {
    let board = numbering.board();
    let mut rows: Vec<Vec<Option<u8>>> = (0..board.height())
        .map(|row| {
            let mut cells: Vec<_> = (0..board.width())
                .map(|column| board.cell(row, column))
                .collect();
            if numbering.inverted() != flipped {
                cells.reverse();
            }
            cells
        })
        .collect();
    if flipped {
        rows.reverse();
    }
    rows
}

/// The letters of the columns, for those who play with letters.
pub(crate) fn files(numbering: Numbering, row: &[Option<u8>]) -> Option<Vec<char>> {
    if !numbering.letters() {
        return None;
    }
    // Every second square of a row is none: its letter lies between those
    // of its neighbours, whichever way they run.
    let file = |cell: u8| numbering.file_and_rank(cell).0;
    let width = numbering.board().width();
    let (place, cell) = row
        .iter()
        .enumerate()
        .find_map(|(place, &cell)| Some((place as u8, cell?)))?;
    let rising = file(cell) == place;
    Some(
        (0..width)
            .map(|place| if rising { place } else { width - 1 - place })
            .map(|file| char::from(b'a' + file))
            .collect(),
    )
}

struct Drawing<'p> {
    position: &'p Position,
    numbering: Numbering,
    style: Style,
}

impl Drawing<'_> {
    fn rows(&self) -> Vec<Vec<Option<u8>>> {
        rows(self.numbering, self.style.flipped)
    }

    /// What stands left and right of a row.
    fn labels(&self, row: &[Option<u8>]) -> [String; 2] {
        let first = row.iter().find_map(|&cell| cell).unwrap_or_default();
        if self.numbering.letters() {
            return [
                self.numbering.file_and_rank(first).1.to_string(),
                String::new(),
            ];
        }
        let last = row.iter().rev().find_map(|&cell| cell).unwrap_or_default();
        [first, last].map(|cell| self.numbering.number(cell).to_string())
    }

    /// Columns of the longest label.
    fn label_width(&self) -> usize {
        let board = self.numbering.board();
        let most = if self.numbering.letters() {
            board.height()
        } else {
            board.square_count()
        };
        most.to_string().len()
    }

    const fn mark(&self, cell: u8) -> Mark {
        let marks = &self.style.marks;
        if marks.ends >> cell & 1 == 1 {
            Mark::End
        } else if marks.taken.occupied() >> cell & 1 == 1 {
            Mark::Taken
        } else if marks.passed >> cell & 1 == 1 {
            Mark::Passed
        } else {
            Mark::None
        }
    }

    /// What is on a square: a piece, or what was taken from it.
    fn piece(&self, cell: u8) -> Option<Piece> {
        let taken = || self.style.marks.taken.at(cell);
        self.position.at(cell).or_else(taken)
    }

    fn plain(&self) -> String {
        let glyphs = self.style.glyphs;
        let rows = self.rows();
        let frame = Frame::new(usize::from(self.numbering.board().width()), glyphs);
        let passed = if glyphs == Glyphs::Unicode {
            '•'
        } else {
            '*'
        };
        let width = self.label_width();
        let mut out = format!("{:width$} {}\n", "", frame.top);
        for row in &rows {
            let [left, right] = self.labels(row);
            let _ = write!(out, "{left:>width$} {}", frame.side);
            let mut before = Mark::None;
            for cell in row {
                let mark = cell.map_or(Mark::None, |cell| self.mark(cell));
                out.push(between(before, mark));
                out.push(match cell {
                    None => ' ',
                    &Some(cell) => match self.piece(cell) {
                        Some(piece) => glyph(piece, glyphs),
                        None if mark == Mark::Passed => passed,
                        None => frame.empty,
                    },
                });
                before = mark;
            }
            out.push(between(before, Mark::None));
            out.push(frame.side);
            if !right.is_empty() {
                let _ = write!(out, " {right}");
            }
            out.push('\n');
        }
        let _ = writeln!(out, "{:width$} {}", "", frame.bottom);
        if let Some(files) = files(self.numbering, &rows[0]) {
            let _ = write!(out, "{:width$}  ", "");
            for file in files {
                let _ = write!(out, " {file}");
            }
            out.push('\n');
        }
        out
    }

    fn colored(&self) -> String {
        let rows = self.rows();
        let width = self.label_width();
        let mut out = String::new();
        for (number, row) in rows.iter().enumerate() {
            let [left, right] = self.labels(row);
            let _ = write!(out, "{left:>width$} ");
            for (place, &cell) in row.iter().enumerate() {
                match cell {
                    None => {
                        let _ = write!(out, "\x1b[48;5;{LIGHT}m   ");
                    }
                    Some(cell) => self.colored_square(cell, (number + place) % 2 == 1, &mut out),
                }
            }
            out.push_str("\x1b[0m");
            if !right.is_empty() {
                let _ = write!(out, " {right}");
            }
            out.push('\n');
        }
        if let Some(files) = files(self.numbering, &rows[0]) {
            let _ = write!(out, "{:1$}", "", width - 1);
            for file in files {
                let _ = write!(out, "  {file}");
            }
            out.push('\n');
        }
        out
    }

    fn colored_square(&self, cell: u8, odd: bool, out: &mut String) {
        let mark = self.mark(cell);
        let background = match mark {
            Mark::End => DARK_MARKED,
            Mark::Passed => DARK_PASSED,
            Mark::Taken => DARK_TAKEN,
            // A board of which all squares are played has one colour; two shades
            // let the eye follow rows and columns.
            Mark::None if self.numbering.board().is_full() && odd => DARK_OTHER,
            Mark::None => DARK,
        };
        let _ = write!(out, "\x1b[48;5;{background}");
        let unicode = self.style.glyphs == Glyphs::Unicode;
        let _ = match self.piece(cell) {
            Some(piece) => {
                let ink = if piece.side == WHITE {
                    WHITE_MAN
                } else {
                    BLACK_MAN
                };
                let gone = self.position.at(cell).is_none();
                // The ink tells the sides apart, so that the filled glyphs serve
                // both, and outlines are ghosts.
                let side = u8::from(!gone);
                let shown = if unicode {
                    glyph(Piece { side, ..piece }, Glyphs::Unicode)
                } else {
                    glyph(piece, Glyphs::Ascii)
                };
                if gone {
                    write!(out, ";38;5;{ink}m({shown})")
                } else {
                    write!(out, ";38;5;{ink};1m {shown} \x1b[22m")
                }
            }
            None if mark == Mark::Passed => {
                let dot = if unicode { '•' } else { '*' };
                write!(out, ";38;5;{BLACK_MAN}m {dot} ")
            }
            None if self.numbering.letters() => write!(out, "m   "),
            None => {
                let number = self.numbering.number(cell);
                write!(out, ";38;5;{NUMBER}m{number:>2} ")
            }
        };
    }
}

/// Further colours: the squares that a capture passes and those of what it takes,
/// every second square of a full board, numbers on empty squares.
const DARK_PASSED: u8 = 143;
const DARK_TAKEN: u8 = 131;
const DARK_OTHER: u8 = 173;
const NUMBER: u8 = 180;

const fn glyph(piece: Piece, glyphs: Glyphs) -> char {
    let signs = match glyphs {
        Glyphs::Ascii => ['w', 'W', 'b', 'B'],
        Glyphs::Unicode => ['○', '♔', '●', '♚'],
    };
    signs[(piece.side & 1) as usize * 2 + piece.king as usize]
}

/// What stands between two squares.
const fn between(left: Mark, right: Mark) -> char {
    match (left, right) {
        (Mark::None | Mark::Passed, Mark::None | Mark::Passed) => ' ',
        (Mark::None | Mark::Passed, Mark::End) => '[',
        (Mark::None | Mark::Passed, Mark::Taken) => '(',
        (Mark::End, Mark::None | Mark::Passed) => ']',
        (Mark::Taken, Mark::None | Mark::Passed) => ')',
        (Mark::End | Mark::Taken, Mark::End | Mark::Taken) => '|',
    }
}
