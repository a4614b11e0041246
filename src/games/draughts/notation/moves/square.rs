//! Names of squares: numbers from any corner, letters and digits.

use std::{borrow::Cow, fmt::Write as _};

use crate::games::draughts::{rows::DraughtsVariant, rules::DraughtsBoard};

/// Bottom left, seen by White.
pub const BOTTOM_LEFT: u8 = 0;
/// Top left, seen by White.
pub const TOP_LEFT: u8 = 2;

/// How the squares of a board are named. Both ways are always read; files mix
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Numbering {
    board: DraughtsBoard,
    letters: bool,
    /// Corner of square 1 and of A1, as White sees the board of the rules,
    /// which is the mirror of an inverted one.
    number_corner: u8,
    letter_corner: u8,
    inverted: bool,
}

impl Numbering {
    /// The numbering of a `GameType` (PDN 3.0: the corner is as the side sees it
    /// that moves first, and numbers run horizontally).
    ///
    /// Where the tag asks for letters, numbers are taken to run from the top
    /// left (what lidraughts and the archives do); where it asks for numbers,
    /// A1 is taken to be White's left corner.
    pub const fn of(variant: &DraughtsVariant) -> Self {
        let tag = &variant.tag;
        let corner = if variant.rules.first == 0 {
            tag.corner & 3
        } else {
            3 - (tag.corner & 3)
        };
        let (number, letter) = if tag.letters {
            (TOP_LEFT, corner)
        } else {
            (corner, BOTTOM_LEFT)
        };
        Self {
            board: variant.rules.board,
            letters: tag.letters,
            number_corner: number ^ tag.inverted as u8,
            letter_corner: letter ^ tag.inverted as u8,
            inverted: tag.inverted,
        }
    }

    /// The same with numbers from another corner (as White sees the real board),
    /// for files whose tag says the wrong one.
    pub const fn with_number_corner(mut self, corner: u8) -> Self {
        self.number_corner = corner & 3 ^ self.inverted as u8;
        self
    }

    /// The same with A1 in another corner (as White sees the real board).
    pub const fn with_letter_corner(mut self, corner: u8) -> Self {
        self.letter_corner = corner & 3 ^ self.inverted as u8;
        self
    }

    /// The corner of square 1, as White sees the real board.
    pub const fn number_corner(self) -> u8 {
        self.number_corner ^ self.inverted as u8
    }

    /// The corner of A1, likewise.
    pub const fn letter_corner(self) -> u8 {
        self.letter_corner ^ self.inverted as u8
    }

    /// The same, written with letters or with numbers.
    pub const fn with_letters(mut self, letters: bool) -> Self {
        self.letters = letters;
        self
    }

    /// Whether squares are written with letters.
    pub const fn letters(self) -> bool {
        self.letters
    }

    /// Whether the real board is the mirror of that of the rules, its bottom left
    /// corner not being played.
    pub const fn inverted(self) -> bool {
        self.inverted
    }

    /// The board.
    pub const fn board(self) -> DraughtsBoard {
        self.board
    }

    /// The number of a cell, from 1.
    pub const fn number(self, cell: u8) -> u8 {
        self.number_from(self.number_corner, cell)
    }

    const fn number_from(self, corner: u8, cell: u8) -> u8 {
        let board = self.board;
        let (per_row, index) = (board.per_row(), board.index(cell));
        let (row, place) = (index / per_row, index % per_row);
        match corner {
            0 => (board.height() - 1 - row) * per_row + place + 1,
            1 => board.square_count() - index,
            2 => index + 1,
            _ => row * per_row + per_row - place,
        }
    }

    /// The cell of a number from 1; `None` past the board.
    pub const fn cell_of_number(self, number: u8) -> Option<u8> {
        self.cell_from(self.number_corner, number)
    }

    const fn cell_from(self, corner: u8, number: u8) -> Option<u8> {
        let board = self.board;
        if number == 0 || number > board.square_count() {
            return None;
        }
        let per_row = board.per_row();
        let (row, place) = ((number - 1) / per_row, (number - 1) % per_row);
        board.cell_at(match corner {
            0 => (board.height() - 1 - row) * per_row + place,
            1 => board.square_count() - number,
            2 => number - 1,
            _ => row * per_row + per_row - 1 - place,
        })
    }

    /// The cell of the real board's square of this place in the order of
    /// reading, from 0: the order of Hub and DXP strings.
    pub const fn cell_in_reading_order(self, place: u8) -> Option<u8> {
        if place >= self.board.square_count() {
            return None;
        }
        self.cell_from(TOP_LEFT ^ self.inverted as u8, place + 1)
    }

    /// File (from 0, for `a`) and rank (from 1) of a cell.
    pub const fn file_and_rank(self, cell: u8) -> (u8, u8) {
        let board = self.board;
        let (row, column) = (board.row(cell), board.column(cell));
        let file = if self.letter_corner & 1 == 0 {
            column
        } else {
            board.width() - 1 - column
        };
        let rank = if self.letter_corner & 2 == 0 {
            board.height() - row
        } else {
            row + 1
        };
        (file, rank)
    }

    /// The cell of a file (from 0, for `a`) and rank (from 1); `None` where
    /// nothing is played.
    pub const fn cell_of_file_and_rank(self, file: u8, rank: u8) -> Option<u8> {
        let board = self.board;
        if file >= board.width() || rank == 0 || rank > board.height() {
            return None;
        }
        let column = if self.letter_corner & 1 == 0 {
            file
        } else {
            board.width() - 1 - file
        };
        let row = if self.letter_corner & 2 == 0 {
            board.height() - rank
        } else {
            rank - 1
        };
        board.cell(row, column)
    }

    /// Appends the name of a cell.
    pub fn write(self, cell: u8, out: &mut String) {
        if self.letters {
            let (file, rank) = self.file_and_rank(cell);
            out.push(char::from(b'a' + file));
            let _ = write!(out, "{rank}");
        } else {
            let _ = write!(out, "{}", self.number(cell));
        }
    }

    /// The name of a cell.
    pub fn name(self, cell: u8) -> String {
        let mut name = String::new();
        self.write(cell, &mut name);
        name
    }

    /// Where a cell comes when squares are listed in ascending order.
    pub(crate) const fn place(self, cell: u8) -> u8 {
        if self.letters {
            self.number_from(self.letter_corner, cell)
        } else {
            self.number(cell)
        }
    }
}

/// A text with Latin letters for files where Cyrillic letters before a digit look or sound like
/// them: Russian records have `с3` and `ц3` for `c3`. A move that begins with a number has no
/// files: in `32х23` the letter is a cross.
pub fn in_latin(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.starts_with(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(text);
    }
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let is_file = chars.peek().is_some_and(char::is_ascii_digit);
        out.push(if is_file { latin_file(c) } else { c });
    }
    Cow::Owned(out)
}

/// The Latin letter of a file that is written in Cyrillic; every other character as it
/// is.
const fn latin_file(c: char) -> char {
    match c {
        'а' | 'А' => 'a',
        'б' | 'Б' | 'в' | 'В' => 'b',
        'с' | 'С' | 'ц' | 'Ц' => 'c',
        'д' | 'Д' => 'd',
        'е' | 'Е' => 'e',
        'ф' | 'Ф' => 'f',
        'г' | 'Г' | 'ж' | 'Ж' => 'g',
        'н' | 'Н' | 'х' | 'Х' => 'h',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cyrillic_files_are_latin_ones() {
        for (text, latin) in [
            ("с3-d4", "c3-d4"),
            ("Ц3:Е5", "c3:e5"),
            ("г3хх4", "g3хh4"),
            ("32х23", "32х23"),
            ("а1", "a1"),
        ] {
            assert_eq!(in_latin(text), latin);
        }
    }
    use crate::games::draughts::{rows::ALL, rules::board::cells_of};

    #[test]
    fn every_name_leads_back_to_its_cell_from_every_corner() {
        for variant in ALL {
            let board = variant.rules.board;
            let usual = variant.numbering();
            for corner in 0..4 {
                let numbering = usual.with_number_corner(corner);
                assert_eq!(numbering.number_corner(), corner);
                for cell in cells_of(board.cells()) {
                    let number = numbering.number(cell);
                    assert_eq!(numbering.cell_of_number(number), Some(cell));
                    let (file, rank) = numbering.file_and_rank(cell);
                    assert_eq!(numbering.cell_of_file_and_rank(file, rank), Some(cell));
                }
                assert_eq!(numbering.cell_of_number(0), None);
                assert_eq!(numbering.cell_of_number(board.square_count() + 1), None);
            }
        }
    }

    /// Square 1 and 2 on the real board, column from White's left, row from the top.
    #[test]
    fn the_first_squares_are_where_pdn_has_them() {
        let expected = [
            ("international", (1, 0), (3, 0)),
            ("english", (1, 0), (3, 0)),
            ("pool", (1, 0), (3, 0)),
            ("italian", (0, 0), (2, 0)),
            ("spanish", (7, 7), (5, 7)),
            ("portuguese", (7, 7), (5, 7)),
            ("thai", (6, 7), (4, 7)),
            ("canadian", (1, 0), (3, 0)),
            ("frisian", (1, 0), (3, 0)),
        ];
        for (name, first, second) in expected {
            let variant = crate::games::draughts::rows::DraughtsVariant::by_name(name).unwrap();
            let board = variant.rules.board;
            let numbering = variant.numbering();
            for (number, (column, row)) in [(1, first), (2, second)] {
                let cell = numbering.cell_of_number(number).unwrap();
                let real = if variant.tag.inverted {
                    board.width() - 1 - board.column(cell)
                } else {
                    board.column(cell)
                };
                assert_eq!((real, board.row(cell)), (column, row), "{name} {number}");
            }
        }
    }
}
