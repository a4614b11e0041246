//! Where a game of draughts begins, and how its squares are named.

use std::cmp::Reverse;

use crate::{
    games::{
        self, GameText,
        draughts::{
            Draughts,
            notation::{
                fen as draughts_fen,
                fen::{DraughtsFenError, FenNote, SquareNames},
                moves::square::Numbering,
            },
            rows::DraughtsVariant,
        },
    },
    pgn::tags::game_type::GameType,
};

/// No such square.
const OFF: u8 = 0xff;

/// From which corner a text names its squares, seen by White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// Square 1 is in this corner.
    OfNumbers(u8),
    /// A1 is in this corner.
    OfLetters(u8),
}

impl Corner {
    /// The corner that a tag says, where the variant usually has another; `None` for a tag of
    /// another board.
    pub fn declared(variant: &DraughtsVariant, tag: Option<GameType>) -> Option<Self> {
        let tag = tag?;
        let mut rows = DraughtsVariant::by_game_type(tag.number);
        rows.find(|row| row.rules.board == variant.rules.board)?;
        let seen = tag.corner?;
        // As the side sees it that begins.
        let corner = match tag.first.unwrap_or(variant.rules.first) {
            0 => seen,
            _ => 3 - seen,
        };
        let usual = variant.numbering();
        let (said, usual) = if tag.letters? {
            (
                Self::OfLetters(corner),
                Self::OfLetters(usual.letter_corner()),
            )
        } else {
            (
                Self::OfNumbers(corner),
                Self::OfNumbers(usual.number_corner()),
            )
        };
        (said != usual).then_some(said)
    }
}

/// A start position made ready for reading games from it.
#[derive(Debug, Clone)]
pub struct DraughtsStart {
    /// The position, as its squares are meant.
    pub at: Draughts,
    /// The position as it was written: its squares depend on the numbering.
    fen: Option<Box<str>>,
    /// How the position as it was written names squares.
    names: Option<SquareNames>,
    /// What the tags say of its squares, if that is not usual in the variant.
    declared: Option<Corner>,
    numbering: Numbering,
    squares: SquareIndex,
    /// Whether it is only right if the entire game is legal: in the usual squares a part is.
    needs_whole: bool,
}

impl DraughtsStart {
    /// A position that is known, as usual starts and stored ones are.
    pub fn new(at: Draughts) -> Self {
        Self::named(at, at.numbering())
    }

    fn named(at: Draughts, numbering: Numbering) -> Self {
        Self {
            at,
            fen: None,
            names: None,
            declared: None,
            numbering,
            squares: SquareIndex::new(numbering),
            needs_whole: false,
        }
    }

    /// The position of a FEN, with what was odd about it. A FEN that gives only the side to move is
    /// the position `start` with that side to move. Squares in letters that the board does not have
    /// where `a1` usually is are named from the corner that is declared.
    ///
    /// # Errors
    ///
    /// [`DraughtsFenError`] if it cannot be read.
    pub fn from_fen(
        start: Draughts,
        fen: &str,
        declared: Option<Corner>,
    ) -> Result<(Self, Vec<FenNote>), DraughtsFenError> {
        let usual = start.numbering();
        let (opening, notes) = match (Self::read(start, usual, fen), declared) {
            (Err(error), Some(Corner::OfLetters(corner))) => {
                let turned = usual.with_letter_corner(corner);
                Self::read(start, turned, fen).map_err(|_| error)?
            }
            (read, _) => read?,
        };
        Ok((opening.declaring(declared), notes))
    }

    /// The position of a FEN whose letters are no squares with `a1` in its usual corner, where no
    /// tag gives the corner: from the corner that lets the moves after it go farthest or, where
    /// none is legal, no man stands where it would have become a king. `None` where several fit as
    /// well.
    pub fn of_text(start: Draughts, fen: &str, text: GameText<'_>) -> Option<Self> {
        let usual = start.numbering();
        let corners = (0..4).filter(|corner| *corner != usual.letter_corner());
        let read = corners.filter_map(|corner| {
            let (read, notes) = Self::read(start, usual.with_letter_corner(corner), fen).ok()?;
            let is_named = read.names == Some(SquareNames::Letters);
            let tried = games::attempt(&games::StartContext::from(read.clone()), text);
            let is_whole = tried.plies > 0 && tried.odd_words.is_some();
            let is_crowned = !notes.contains(&FenNote::Uncrowned);
            is_named.then_some(((is_whole, tried.plies, is_crowned), read))
        });
        let mut read: Vec<_> = read.collect();
        read.sort_by_key(|(fit, _)| Reverse(*fit));
        match &read[..] {
            [(best, opening), rest @ ..] if rest.first().is_none_or(|(fit, _)| fit < best) => {
                Some(opening.clone())
            }
            _ => None,
        }
    }

    /// The same with what the tags say of its squares.
    pub(crate) fn declaring(self, declared: Option<Corner>) -> Self {
        Self { declared, ..self }
    }

    fn read(
        start: Draughts,
        numbering: Numbering,
        fen: &str,
    ) -> Result<(Self, Vec<FenNote>), DraughtsFenError> {
        let read = draughts_fen::parse(fen, numbering)?;
        let mut at = Draughts {
            corner: Some(read.number_corner),
            ..start
        };
        if read.turn_only {
            at.position.set_turn(read.position.turn());
        } else {
            at.position = read.position;
        }
        let numbering = numbering.with_number_corner(read.number_corner);
        let opening = Self {
            fen: Some(fen.into()),
            names: (!read.turn_only).then_some(read.names),
            ..Self::named(at, numbering)
        };
        Ok((opening, read.notes))
    }

    /// The same with squares named from another corner; `None` if the FEN cannot be read
    /// so.
    pub fn named_from(&self, corner: Corner) -> Option<Self> {
        let start = Draughts::start(self.at.variant);
        let (numbers, numbering) = match corner {
            Corner::OfNumbers(corner) => (Some(corner), self.numbering.with_number_corner(corner)),
            Corner::OfLetters(corner) => {
                (self.at.corner, self.numbering.with_letter_corner(corner))
            }
        };
        let at = match &self.fen {
            None => self.at,
            Some(fen) => Self::read(start, numbering, fen).ok()?.0.at,
        };
        // A FEN of letters is read alike from every corner of numbers.
        let at = Draughts {
            corner: numbers,
            ..at
        };
        Some(Self {
            fen: self.fen.clone(),
            names: self.names,
            declared: self.declared,
            ..Self::named(at, numbering)
        })
    }

    /// How squares are named.
    pub const fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The corner from which squares are named that are written in letters, or in numbers.
    pub(crate) const fn corner(&self, letters: bool) -> Corner {
        if letters {
            Corner::OfLetters(self.numbering.letter_corner())
        } else {
            Corner::OfNumbers(self.numbering.number_corner())
        }
    }

    /// Whether its squares are named as the tags say, which is not usual in the variant.
    pub(crate) fn is_as_declared(&self) -> bool {
        match self.declared {
            Some(declared @ Corner::OfLetters(_)) => self.corner(true) == declared,
            Some(declared @ Corner::OfNumbers(_)) => self.corner(false) == declared,
            None => false,
        }
    }

    /// Whether the tags say that the squares of its FEN are named from another corner.
    pub(crate) fn is_against_tags(&self) -> bool {
        let named = match self.declared {
            Some(Corner::OfLetters(_)) => SquareNames::Letters,
            Some(Corner::OfNumbers(_)) => SquareNames::Numbers,
            None => return false,
        };
        self.names == Some(named) && !self.is_as_declared()
    }

    /// The same, which is only right if the entire game is legal, or in any case.
    pub(crate) fn needing_whole(self, needs_whole: bool) -> Self {
        Self {
            needs_whole,
            ..self
        }
    }

    /// Whether it is only right if the entire game is legal.
    pub(crate) const fn needs_whole(&self) -> bool {
        self.needs_whole
    }

    /// Whether it is the standard start position, from which openings are drawn.
    pub(crate) fn is_usual(&self) -> bool {
        self.fen.is_none() && self.at == Draughts::start(self.at.variant)
    }

    pub(crate) const fn squares(&self) -> &SquareIndex {
        &self.squares
    }
}

/// The cells of all names of squares, for the words that nearly all moves are.
#[derive(Debug, Clone)]
pub(crate) struct SquareIndex {
    numbers: [u8; 100],
    /// By file, then rank from 0.
    names: [[u8; 10]; 12],
}

impl SquareIndex {
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
