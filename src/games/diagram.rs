//! A board with its pieces as something to draw, whatever the game: for terminals
//! ([`crate::draw::board`]) and as SVG ([`crate::draw::svg`]).

use std::borrow::Cow;

use crate::games::chess::basics::{Board, Role, Square};

use crate::games::notation::{forsyth, letters::ENGLISH};

/// A board with its pieces, as it is seen from White's side.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// What the drawing says to a reader who cannot see it.
    pub title: String,
    /// What the pieces stand on.
    pub ground: BoardKind,
    /// The names of the files from left to right; none where squares have numbers.
    pub files: Vec<char>,
    /// The names of the ranks from top to bottom, likewise.
    pub ranks: Vec<u8>,
    /// The places from top to bottom, from left to right.
    pub rows: Vec<Vec<DiagramSquare>>,
    /// What stands out.
    pub marks: Highlights,
}

/// What pieces stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardKind {
    /// Squares with shades of their own.
    Squares,
    /// Where the lines cross, with a river between the halves of an even number of ranks.
    Points,
    /// Squares of one colour, whose rows are counted from the top.
    Cells,
}

/// The shade of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SquareColor {
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// Nearly as dark: every second square of a board that has one colour, to let the
    /// eye follow rows and columns.
    Dusk,
}

/// A place of a board.
#[derive(Debug, Clone, Copy)]
pub struct DiagramSquare {
    /// The number that its game has for it, which marks use; `None` where nothing is
    /// played.
    pub square: Option<u8>,
    /// Its shade.
    pub shade: SquareColor,
    /// Its usual number, on boards with numbered squares.
    pub number: Option<u8>,
    /// What stands there.
    pub piece: Option<DiagramPiece>,
}

/// A piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiagramPiece {
    /// 0 White or Red, 1 Black.
    pub side: u8,
    /// Whether it is painted red.
    pub is_red: bool,
    /// Its letter, that of its side.
    pub letter: char,
    /// Its sign as an outline and filled; the same where fonts have no two.
    pub signs: [char; 2],
    /// Its shape.
    pub shape: PieceGlyph,
}

/// How a piece is drawn where no font is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceGlyph {
    /// A piece of chess.
    Piece(Role),
    /// A knight beside another piece, with the moves of both.
    WithKnight(Role),
    /// A disc with a letter.
    Lettered(char),
    /// A disc.
    Disc,
    /// Two discs, and a crown upon them.
    Crowned,
}

/// What stands out on a board: a move, as a rule the one just played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Highlights {
    /// Where the move begins and ends, bits by the numbers that the game has for its
    /// squares; in brackets where there is no colour.
    pub ends: u128,
    /// The empty squares between, which it touches; a bold dot each.
    pub passed: u128,
    /// What it takes, as it stood; in parentheses where its square is empty now.
    pub taken: Vec<(u8, DiagramPiece)>,
}

impl Highlights {
    /// Those of a move between two squares.
    pub fn ends(from: u8, to: u8) -> Self {
        Self {
            ends: 1 << from | 1 << to,
            ..Self::default()
        }
    }

    /// How a square is marked.
    pub(crate) fn of(&self, square: Option<u8>) -> Highlight {
        let Some(square) = square else {
            return Highlight::None;
        };
        if self.ends >> square & 1 == 1 {
            Highlight::End
        } else if self.taken_from(square).is_some() {
            Highlight::Taken
        } else if self.passed >> square & 1 == 1 {
            Highlight::Passed
        } else {
            Highlight::None
        }
    }

    /// What was taken from a square.
    pub(crate) fn taken_from(&self, square: u8) -> Option<DiagramPiece> {
        let taken = self.taken.iter().find(|(from, _)| *from == square);
        taken.map(|(_, piece)| *piece)
    }
}

/// How a square is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Highlight {
    None,
    End,
    Passed,
    Taken,
}

impl DiagramPiece {
    const fn new(letter: char, signs: [char; 2], shape: PieceGlyph, side: u8) -> Self {
        Self {
            side,
            is_red: false,
            letter,
            signs,
            shape,
        }
    }

    /// A piece of chess.
    pub const fn piece(role: Role, side: u8) -> Self {
        let signs = [
            ['♙', '♟'],
            ['♘', '♞'],
            ['♗', '♝'],
            ['♖', '♜'],
            ['♕', '♛'],
            ['♔', '♚'],
        ][role as usize - 1];
        let letter = cased(role.upper_char(), side);
        Self::new(letter, signs, PieceGlyph::Piece(role), side)
    }

    /// A piece that moves as a knight and as another. Fonts have no sign for it, so it is
    /// a letter.
    pub const fn with_knight(role: Role, letter: char, side: u8) -> Self {
        let letter = cased(letter, side);
        Self::new(letter, [letter; 2], PieceGlyph::WithKnight(role), side)
    }

    /// A disc with a letter, whose sides are red and black and have signs of their own.
    pub const fn lettered(letter: char, sign: char, side: u8) -> Self {
        Self {
            is_red: side == 0,
            ..Self::new(
                cased(letter, side),
                [sign; 2],
                PieceGlyph::Lettered(letter),
                side,
            )
        }
    }

    /// A disc that letters show as this one.
    pub const fn disc(letter: char, side: u8) -> Self {
        Self::new(letter, ['○', '●'], PieceGlyph::Disc, side)
    }

    /// A crowned disc. Crowns have one column and are in nearly every font, which the
    /// signs that Unicode has for them are not.
    pub const fn crowned(letter: char, side: u8) -> Self {
        Self::new(letter, ['♔', '♚'], PieceGlyph::Crowned, side)
    }

    /// Its sign where that distinguishes the sides.
    pub const fn sign(self) -> char {
        self.signs[(self.side & 1) as usize]
    }
}

/// A capital letter for the first side, a small one for the second.
const fn cased(capital: char, side: u8) -> char {
    if side == 0 {
        capital
    } else {
        capital.to_ascii_lowercase()
    }
}

impl Diagram {
    /// A board whose squares are counted along its files, rank by rank, from the corner
    /// with the names a and 1.
    pub fn of_grid(
        (files, ranks): (u8, u8),
        ground: BoardKind,
        title: String,
        piece: impl Fn(u8) -> Option<DiagramPiece>,
    ) -> Self {
        let place = |rank: u8, file: u8| {
            let square = rank * files + file;
            let is_dark = ground == BoardKind::Squares && (file + rank).is_multiple_of(2);
            DiagramSquare {
                square: Some(square),
                shade: if is_dark {
                    SquareColor::Dark
                } else {
                    SquareColor::Light
                },
                number: None,
                piece: piece(square),
            }
        };
        let mut order: Vec<u8> = (0..ranks).collect();
        if ground != BoardKind::Cells {
            order.reverse();
        }
        let row = |&rank: &u8| (0..files).map(|file| place(rank, file)).collect();
        Self {
            title,
            ground,
            files: (0..files).map(|file| char::from(b'a' + file)).collect(),
            ranks: order.iter().map(|rank| rank + 1).collect(),
            rows: order.iter().map(row).collect(),
            marks: Highlights::default(),
        }
    }

    /// A board of chess.
    pub fn of_chess(board: &Board) -> Self {
        let title = forsyth::write(board, ENGLISH);
        Self::of_grid((8, 8), BoardKind::Squares, title, |square| {
            let piece = board.piece_at(Square::new(u32::from(square)))?;
            let side = u8::from(piece.color.is_black());
            Some(DiagramPiece::piece(piece.role, side))
        })
    }

    /// How many pieces there are.
    pub fn count(&self) -> usize {
        let places = self.rows.iter().flatten();
        places.filter(|place| place.piece.is_some()).count()
    }

    /// What a place is called, by its row and column from the upper left: its number, or file
    /// and rank; `None` where nothing is played.
    pub fn square_name(&self, row: usize, column: usize) -> Option<String> {
        let place = self.rows.get(row)?.get(column)?;
        place.square?;
        match place.number {
            Some(number) => Some(number.to_string()),
            None => Some(format!(
                "{}{}",
                self.files.get(column)?,
                self.ranks.get(row)?
            )),
        }
    }

    /// The board as it is seen, from Black's side where it is flipped.
    pub(crate) fn seen(&self, flipped: bool) -> Cow<'_, Self> {
        if !flipped {
            return Cow::Borrowed(self);
        }
        let mut seen = self.clone();
        seen.files.reverse();
        seen.ranks.reverse();
        seen.rows.reverse();
        for row in &mut seen.rows {
            row.reverse();
        }
        Cow::Owned(seen)
    }

    /// Whether a river follows below a row, counted from 0 at the top.
    pub(crate) fn has_river_below(&self, row: usize) -> bool {
        self.ground == BoardKind::Points && 2 * (row + 1) == self.rows.len()
    }
}
