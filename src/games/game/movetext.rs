//! How movetext is read: its words, its conventions, and what is said where it is unclear.

use std::{borrow::Cow, fmt::Debug};

use super::GameDisplay;
use crate::{
    base::diagnostic::Code,
    games::{
        language::ExpectedNotation,
        notation::letters::Language,
        parsed_position::ReadFailure,
        text::{GameText, ParseAttempt, ParseBudget, WordReading},
    },
    pgn::parser::Syntax,
};

/// How movetext is read from a position. The position type of each rule book
/// implements it.
pub trait MovetextRules: GameDisplay {
    /// How a text may be meant: a language, the corner of square 1.
    type Convention: Clone + Debug;
    /// What reading one text keeps in mind: its words, what may still be spent, doubts.
    type Context<'a>;
    /// How movetext is cut into words.
    const SYNTAX: Syntax;
    /// Whether, once a word was passed over, a move number that is wrong ends the line
    /// (rule M10).
    const NUMBERS_DECIDE: bool = false;
    /// Whether what a word means may depend on the moves before it.
    const REMEMBERS: bool = false;
    /// Whether movetext may set up another position (PDN 3.0, 4.5). Where it may not, a
    /// set-up is a remark.
    const SETS_UP: bool = false;

    /// Why a word is no legal move here, in words for the user; it reaches 1 if it is a move at
    /// all.
    fn refusal(&self, word: &str, convention: &Self::Convention) -> ReadFailure;

    /// How a text is expected to be meant.
    fn convention(&self, expected: ExpectedNotation) -> Self::Convention;

    /// The convention of a text in a language, whatever else was expected; `None` where
    /// pieces have no letters.
    fn in_language(&self, _: &'static Language) -> Option<Self::Convention> {
        None
    }

    /// The language of a convention; `None` is English, or none at all.
    fn language(_: &Self::Convention) -> Option<&'static Language> {
        None
    }

    /// The start position under a convention, where that makes another one: squares
    /// numbered from another corner.
    fn meant(&self, _: &Self::Convention) -> Option<Self> {
        None
    }

    /// Gets ready to read a text that begins here.
    fn context<'a>(
        &'a self,
        text: GameText<'a>,
        convention: &'a Self::Convention,
        effort: ParseBudget,
    ) -> Self::Context<'a>;

    /// The move of a word that is written as nearly all are. The hot path of reading.
    #[inline]
    fn read_standard_move(&self, _: &mut Self::Context<'_>, _word: &[u8]) -> Option<Self::Move> {
        None
    }

    /// What a word means here. `item` is its place among the items of the text,
    /// `before` the moves of its line so far if the game [remembers](Self::REMEMBERS)
    /// them.
    fn read_word(
        &self,
        context: &mut Self::Context<'_>,
        item: usize,
        before: &[Self::Move],
    ) -> WordReading<Self::Move>;

    /// The moves of a word that stands alone, as an operand of EPD does: each as the game
    /// writes it, with the position after it, and whether the word is written so;
    /// `None` if it is no legal move, or nothing that EPD writes.
    fn read_alone(&self, _word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        None
    }

    /// Whether a word of the main line shows that the text is meant in another way:
    /// called before a word is read thoroughly, and once more if that has failed.
    fn doubt(
        &self,
        _: &mut Self::Context<'_>,
        _item: usize,
        _failed: bool,
    ) -> Option<Self::Convention> {
        None
    }

    /// Other ways to read a text that could not be read as it was expected to be meant.
    fn others(
        &self,
        _: GameText<'_>,
        _: &Self::Convention,
        _: &ParseAttempt<Self::Move>,
    ) -> Vec<Self::Convention> {
        Vec::new()
    }

    /// How good a reading is; `None` is too little to be believed.
    fn rank(
        _: GameText<'_>,
        _: &Self::Convention,
        attempt: &ParseAttempt<Self::Move>,
    ) -> Option<(u32, u32)> {
        Some((u32::from(attempt.odd_words.is_some()), attempt.plies))
    }

    /// The detail of the finding that ends a line before a word, in words for the user; the
    /// line has had that many plies.
    fn explained(
        &self,
        _: &Self::Context<'_>,
        _item: usize,
        _played: u32,
        found: (Code, Cow<'static, str>),
    ) -> Cow<'static, str> {
        found.1
    }

    /// Something to say at the first word of how a text was read: as expected, or in another
    /// way.
    fn note(_: &Self::Convention, _is_expected: bool) -> Option<(Code, &'static str)> {
        None
    }
    /// What is said where several readings of a move fit as well.
    const UNDECIDED: Code = Code::AmbiguousCapture;

    /// How well the last position of the main line agrees with the result.
    fn fits(&self, _: &Self::Context<'_>) -> u32 {
        0
    }

    /// What a move counts where several readings fit as well: the pieces that it takes.
    fn weight(_: Self::Move) -> u32 {
        0
    }
}
