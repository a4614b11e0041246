//! Where a game of draughts begins, and how its squares are named.

use crate::games::draughts::{
    notation::{
        fen as draughts_fen,
        fen::{DraughtsFenError, FenNote},
        moves::square::Numbering,
    },
    rows::DraughtsVariant,
    rules::Position,
};

/// No such square.
const OFF: u8 = 0xff;

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct DraughtsOpening {
    variant: &'static DraughtsVariant,
    id: u8,
    numbering: Numbering,
    position: Position,
    /// The position as it was written: its squares depend on the numbering.
    fen: Option<Box<str>>,
    squares: Squares,
}

impl DraughtsOpening {
    /// The usual start of a variant; `id` is its number in the registry.
    pub fn new(variant: &'static DraughtsVariant, id: u8, numbering: Numbering) -> Self {
        Self {
            variant,
            id,
            numbering,
            position: Position::start(&variant.rules),
            fen: None,
            squares: Squares::new(numbering),
        }
    }

    /// The position of a FEN, with what was odd about it. A FEN that tells the
    /// side to move only is the usual start with that side to move.
    ///
    /// # Errors
    ///
    /// [`DraughtsFenError`] if it cannot be read.
    pub fn from_fen(
        variant: &'static DraughtsVariant,
        id: u8,
        numbering: Numbering,
        fen: &str,
    ) -> Result<(Self, Vec<FenNote>), DraughtsFenError> {
        let read = draughts_fen::parse(fen, numbering)?;
        let mut opening = Self::new(
            variant,
            id,
            numbering.with_number_corner(read.number_corner),
        );
        if read.turn_only {
            opening.position.set_turn(read.position.turn());
        } else {
            opening.position = read.position;
        }
        opening.fen = Some(fen.into());
        Ok((opening, read.notes))
    }

    /// A position that is known, as stored ones are: no other corner will be
    /// tried for its squares.
    pub fn from_position(
        variant: &'static DraughtsVariant,
        id: u8,
        numbering: Numbering,
        position: Position,
    ) -> Self {
        Self {
            position,
            ..Self::new(variant, id, numbering)
        }
    }

    /// The same with numbers from another corner; `None` if the FEN cannot be
    /// read so.
    pub fn with_number_corner(&self, corner: u8) -> Option<Self> {
        let numbering = self.numbering.with_number_corner(corner);
        match &self.fen {
            None => Some(Self {
                numbering,
                squares: Squares::new(numbering),
                ..self.clone()
            }),
            Some(fen) => {
                let (mut other, _) = Self::from_fen(self.variant, self.id, numbering, fen).ok()?;
                // A FEN of letters is read alike from every corner.
                other.numbering = numbering;
                other.squares = Squares::new(numbering);
                Some(other)
            }
        }
    }

    /// The variant.
    pub const fn variant(&self) -> &'static DraughtsVariant {
        self.variant
    }

    /// The number of the variant in the registry.
    pub const fn id(&self) -> u8 {
        self.id
    }

    /// How squares are named.
    pub const fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// A replay from here.
    pub fn replay(&self) -> super::DraughtsReplay {
        super::DraughtsReplay::new(self.id, &self.variant.rules, self.position)
    }

    /// Whether it is the usual start, from which openings are drawn.
    pub(crate) fn is_usual(&self) -> bool {
        self.fen.is_none() && self.position == Position::start(&self.variant.rules)
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
