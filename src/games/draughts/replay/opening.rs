//! Where a game of draughts begins, and how its squares are named.

use crate::games::draughts::{
    Draughts,
    notation::{
        fen as draughts_fen,
        fen::{DraughtsFenError, FenNote},
        moves::square::Numbering,
    },
};

/// No such square.
const OFF: u8 = 0xff;

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct DraughtsOpening {
    /// The position, as its squares are meant.
    pub at: Draughts,
    /// The position as it was written: its squares depend on the numbering.
    fen: Option<Box<str>>,
    squares: Squares,
}

impl DraughtsOpening {
    /// A position that is known, as usual starts and stored ones are.
    pub fn new(at: Draughts) -> Self {
        Self {
            at,
            fen: None,
            squares: Squares::new(at.numbering()),
        }
    }

    /// The position of a FEN, with what was odd about it. A FEN that tells the
    /// side to move only is the position `start` with that side to move.
    ///
    /// # Errors
    ///
    /// [`DraughtsFenError`] if it cannot be read.
    pub fn from_fen(start: Draughts, fen: &str) -> Result<(Self, Vec<FenNote>), DraughtsFenError> {
        let read = draughts_fen::parse(fen, start.numbering())?;
        let mut at = Draughts {
            corner: Some(read.number_corner),
            ..start
        };
        if read.turn_only {
            at.position.set_turn(read.position.turn());
        } else {
            at.position = read.position;
        }
        let mut opening = Self::new(at);
        opening.fen = Some(fen.into());
        Ok((opening, read.notes))
    }

    /// The same with numbers from another corner; `None` if the FEN cannot be
    /// read so.
    pub fn with_number_corner(&self, corner: u8) -> Option<Self> {
        let corner = Some(corner);
        let Some(fen) = &self.fen else {
            return Some(Self::new(Draughts { corner, ..self.at }));
        };
        let start = Draughts {
            corner,
            ..Draughts::start(self.at.variant)
        };
        let (read, _) = Self::from_fen(start, fen).ok()?;
        // A FEN of letters is read alike from every corner.
        let at = Draughts { corner, ..read.at };
        Some(Self {
            fen: read.fen,
            ..Self::new(at)
        })
    }

    /// How squares are named.
    pub const fn numbering(&self) -> Numbering {
        self.at.numbering()
    }

    /// Whether it is the usual start, from which openings are drawn.
    pub(crate) fn is_usual(&self) -> bool {
        self.fen.is_none() && self.at == Draughts::start(self.at.variant)
    }

    pub(crate) const fn squares(&self) -> &Squares {
        &self.squares
    }
}

/// The cells of all names of squares, for the words that nearly all moves are.
#[derive(Debug, Clone)]
pub(crate) struct Squares {
    numbers: [u8; 100],
    /// By file, then rank from 0.
    names: [[u8; 10]; 12],
}

impl Squares {
    pub(crate) fn new(numbering: Numbering) -> Self {
        let mut squares = Self {
            numbers: [OFF; 100],
            names: [[OFF; 10]; 12],
        };
        for (number, cell) in squares.numbers.iter_mut().enumerate() {
            *cell = numbering.cell_of_number(number as u8).unwrap_or(OFF);
        }
        // Ranks of two digits are left to the thorough reading.
        if numbering.board().height() < 10 {
            for (file, names) in squares.names.iter_mut().enumerate() {
                for (rank, cell) in names.iter_mut().enumerate() {
                    *cell = numbering
                        .cell_of_file_and_rank(file as u8, rank as u8)
                        .unwrap_or(OFF);
                }
            }
        }
        squares
    }

    /// From and to of a word that is nothing but two squares with a sign between.
    #[inline]
    pub(crate) fn quick_move(&self, word: &[u8]) -> Option<(u8, u8)> {
        let (from, rest) = self.square(word)?;
        let [b'-' | b'x' | b':', rest @ ..] = rest else {
            return None;
        };
        let (to, rest) = self.square(rest)?;
        rest.is_empty().then_some((from, to))
    }

    #[inline]
    fn square<'w>(&self, word: &'w [u8]) -> Option<(u8, &'w [u8])> {
        let digit = |byte: u8| usize::from(byte - b'0');
        let (cell, rest) = match word {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9', rest @ ..] => {
                (self.numbers[digit(*tens) * 10 + digit(*ones)], rest)
            }
            [ones @ b'0'..=b'9', rest @ ..] => (self.numbers[digit(*ones)], rest),
            [file @ b'a'..=b'l', rank @ b'0'..=b'9', rest @ ..] => {
                (self.names[usize::from(file - b'a')][digit(*rank)], rest)
            }
            _ => return None,
        };
        (cell != OFF).then_some((cell, rest))
    }
}
