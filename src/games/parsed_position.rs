//! A position that was written out, in any notation of its game, or why it is none.

use std::borrow::Cow;

use crate::{
    base::diagnostic::Code,
    games::{
        chess::notation::{fen::Fields, position_text::DiagramText},
        notation::{epd, letters::Language},
    },
};

/// A position as it was written out.
#[derive(Debug, Clone)]
pub struct ParsedPosition<G> {
    /// The position.
    pub at: G,
    /// What was said about it: a search does not ask for the rest.
    pub fields: Fields,
    /// How much the text is like one of this game.
    pub fit: ReadConfidence,
    /// What was repaired, each code once.
    pub codes: Vec<Code>,
    /// What to look at twice and no code says, as sentences.
    pub notes: Vec<String>,
    /// The language of its letters, if they are not English.
    pub language: Option<&'static Language>,
    /// What only some notations say.
    pub aside: ExtraInfo,
}

impl<G> ParsedPosition<G> {
    /// A position with nothing else to say about it.
    pub fn new(at: G, fields: Fields) -> Self {
        Self {
            at,
            fields,
            fit: ReadConfidence::Own,
            codes: Vec::new(),
            notes: Vec::new(),
            language: None,
            aside: ExtraInfo::default(),
        }
    }

    /// Adds what was repaired.
    pub(super) fn note(&mut self, codes: &[Code]) {
        for &code in codes {
            if !self.codes.contains(&code) {
                self.codes.push(code);
            }
        }
    }

    /// The same with another position.
    pub(super) fn map<H>(self, other: impl FnOnce(G) -> H) -> ParsedPosition<H> {
        ParsedPosition {
            at: other(self.at),
            fields: self.fields,
            fit: self.fit,
            codes: self.codes,
            notes: self.notes,
            language: self.language,
            aside: self.aside,
        }
    }
}

/// How much a text is like one of a game, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadConfidence {
    /// It could be anything: only if the game was requested.
    Asked,
    /// Some of it says nothing. Moves that explain all of it are rather meant.
    Loose,
    /// Squares or pieces have other names than in this game, or a smaller board has them
    /// all.
    Foreign,
    /// As this game is written.
    Own,
}

/// What some notations say beyond a FEN.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExtraInfo {
    /// The square that a double step has just passed over, from 0 = a1 by ranks, whether
    /// or not a capture there is legal: for FENs of older customs.
    pub double_step: Option<u8>,
    /// The operations of a line of EPD, while no moves are played from it.
    pub operations: Vec<epd::Operation>,
    /// The language of a diagram, and its stipulation.
    pub diagram: Option<DiagramText>,
}

/// Why a text is no position of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFailure {
    /// What it was understood as and where that broke.
    pub message: String,
    /// What to do about it.
    pub hint: Cow<'static, str>,
    /// How much of it was understood: 0 for nothing, [`Self::BOARD`] and more if only what stands
    /// after the board is wrong.
    pub reached: u32,
}

impl ReadFailure {
    /// Nothing of it was understood.
    pub fn nothing(message: impl Into<String>, hint: impl Into<Cow<'static, str>>) -> Self {
        Self::at(0, message, hint)
    }

    /// This much of it was understood.
    pub fn at(
        reached: u32,
        message: impl Into<String>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
            reached,
        }
    }

    /// The board could be read.
    pub const BOARD: u32 = 100;
}

/// How moves are numbered where a line is shown to the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberStyle {
    /// `1.e4 c5 2.Nf3`.
    Pairs,
    /// `1. 32-28 19-23`, from 1 wherever it begins.
    SpacedPairs,
    /// `f5 d6`: each move counts.
    Single,
}
