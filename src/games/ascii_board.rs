//! A board drawn in a text, before it is known which game it belongs to.

use super::{
    AnyPosition, ReadConfidence,
    variant::{ALL, Variant},
};

/// The signs of a drawn board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AsciiBoard {
    /// What stands on each square, rank by rank from the top: a blank where nothing is drawn.
    pub ranks: Vec<Vec<char>>,
    /// The numbers to the left and to the right of each rank.
    pub numbers: Vec<[Option<u32>; 2]>,
    /// Whether the letters of the files go from the last to the first; `None` without letters.
    pub is_reversed: Option<bool>,
}

/// A drawn board as a position of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsciiPosition {
    /// Its FEN, with no side to move.
    pub fen: String,
    /// How much the drawing is like one of this game.
    pub fit: ReadConfidence,
}

/// Signs of an empty square.
const EMPTY: &str = " .-_+:·•⭘□■▢⬜⬛";

impl AsciiBoard {
    /// Whether nothing stands on a square that has a sign.
    pub fn is_empty(sign: char) -> bool {
        EMPTY.contains(sign)
    }

    /// The same seen from the other side.
    #[must_use]
    pub(in crate::modules::games) fn turned(&self) -> Self {
        let back = |rank: &Vec<char>| rank.iter().rev().copied().collect();
        let numbers = self.numbers.iter().rev();
        Self {
            ranks: self.ranks.iter().rev().map(back).collect(),
            numbers: numbers.map(|&[left, right]| [right, left]).collect(),
            is_reversed: self.is_reversed.map(|is_reversed| !is_reversed),
        }
    }

    /// Whether the numbers beside the ranks, if there are any, are these.
    pub(in crate::modules::games) fn has_numbers(
        &self,
        wanted: impl Fn(usize) -> [u32; 2],
    ) -> bool {
        let mut ranks = self.numbers.iter().enumerate();
        ranks.all(|(rank, found)| {
            let mut sides = found.iter().zip(wanted(rank));
            sides.all(|(found, wanted)| found.is_none_or(|found| found == wanted))
        })
    }

    /// Whether it has numbers beside its ranks.
    pub(in crate::modules::games) fn is_numbered(&self) -> bool {
        self.numbers.iter().flatten().any(Option::is_some)
    }

    /// The games that it can be of with its position in each, the likeliest first.
    pub fn readings(&self) -> Vec<(&'static Variant, AsciiPosition)> {
        let read = |row| Some((row, AnyPosition::read_drawing(row, self)?));
        let mut found: Vec<(&Variant, AsciiPosition)> = ALL.iter().filter_map(read).collect();
        found.sort_by_key(|(row, read)| {
            (
                std::cmp::Reverse(read.fit),
                row.guess.tier,
                row.guess.by_position,
            )
        });
        found
    }
}
