//! The notations of positions besides the FEN of their game.

use crate::games::{
    chess::notation::fen::{EnPassant, Fields},
    notation::{
        epd::{self, Operation},
        letters::Language,
    },
};

/// A notation of positions. Not every game has each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionForm {
    /// The FEN of the game.
    Fen,
    /// X-FEN.
    XFen,
    /// Shredder-FEN.
    Shredder,
    /// A line of EPD.
    Epd,
    /// A diagram with the letters of a language.
    Forsyth(&'static Language),
    /// The string of draughts engines.
    Hub,
}

impl PositionForm {
    /// Whether it has a field for en passant that can be written by several customs.
    pub const fn has_en_passant(self) -> bool {
        matches!(self, Self::Fen | Self::XFen | Self::Shredder)
    }

    /// The family of games that it is for, as [`super::VariantDescription::family`] has it, or the games.
    pub const fn family(self) -> &'static str {
        match self {
            Self::Hub => "draughts",
            Self::XFen | Self::Shredder => "games in which kings castle",
            _ => "chess",
        }
    }
}

/// What was said with a position that the position itself does not keep.
#[derive(Debug, Clone, Default)]
pub struct FormExtras {
    /// The fields that were given.
    pub fields: Fields,
    /// The square that a double step has just passed over, whether or not a capture
    /// there is legal; 0 = a1, by ranks.
    pub double_step: Option<u8>,
    /// The operations of a line of EPD.
    pub operations: Vec<Operation>,
    /// When the en passant square is written.
    pub en_passant: EnPassant,
}

impl FormExtras {
    /// The position of a FEN of any game as a line of EPD.
    pub(super) fn epd(&self, fen: &str) -> String {
        epd::write_fen(fen, self.fields.counters, &self.operations)
    }
}
