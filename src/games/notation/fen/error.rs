//! Why a FEN was refused.

use crate::games::{ReadFailure, notation::clip};

/// Why a FEN is no position. The message names the field, the offending text and what is
/// allowed; [`FenError::word`] is the stable short form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is no text at all. Give at least the placement field.
    #[error("the FEN is empty; at least the piece placement is needed")]
    Empty,
    /// The placement has not as many ranks as the board.
    #[error("the FEN has {found} ranks; a board has {expected}, separated by `/`")]
    RankCount {
        /// Ranks found.
        found: usize,
        /// Ranks of the board.
        expected: u8,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error(
        "rank {rank} of the FEN has `{found}`; allowed are {}, {} and the {} 1 to {files}",
        .letters.replace('-', ""),
        .letters.replace('-', "").to_lowercase(),
        if *.files < 10 { "digits" } else { "numbers" }
    )]
    BadChar {
        /// Board rank, from 1 at White's side.
        rank: u8,
        /// The offending character.
        found: char,
        /// The letters of the pieces of the first side; a dash says nothing.
        letters: &'static str,
        /// Files of the board.
        files: u8,
    },
    /// A rank does not fill the board.
    #[error("rank {rank} of the FEN, `{text}`, has {found} squares; it must have {expected}")]
    RankWidth {
        /// Board rank, from 1 at White's side.
        rank: u8,
        /// Squares found.
        found: usize,
        /// Files of the board.
        expected: u8,
        /// The rank as written.
        text: String,
    },
    /// A pocket where the game has none, or with pieces that are never in one.
    #[error(
        "the FEN has a pocket, `{text}`, that this game does not have; only variants with drops \
         have one"
    )]
    Pocket {
        /// The pocket as written.
        text: String,
    },
    /// A field that cannot be read.
    #[error("the {} `{text}`; allowed {}", .field.name, .field.allowed)]
    Field {
        /// Which one.
        field: &'static FenField,
        /// The field as written.
        text: String,
    },
    /// Something follows the sixth field that is no EPD operation.
    #[error(
        "`{text}` follows the sixth field of the FEN; only EPD operations (`id \"…\";`) \
         are allowed there"
    )]
    ExtraFields {
        /// The rest as written.
        text: String,
    },
    /// The pieces cannot stand so.
    #[error("{text}")]
    Impossible {
        /// The stable word.
        word: &'static str,
        /// What is wrong, in words.
        text: String,
    },
}

/// A field of a FEN after the placement.
#[derive(Debug, PartialEq, Eq)]
pub struct FenField {
    /// The stable word for one that cannot be read.
    pub word: &'static str,
    /// Its name and its verb.
    pub name: &'static str,
    /// The verb and what may stand there.
    pub allowed: &'static str,
}

/// The side to move of White and Black.
pub(crate) const TURN: FenField = FenField {
    word: "turn",
    name: "side to move (second field of the FEN) is",
    allowed: "are w and b",
};
/// The en passant square.
pub(crate) const EN_PASSANT: FenField = FenField {
    word: "ep",
    name: "en passant square (fourth field of the FEN) is",
    allowed: "is a square such as e3, or -",
};
/// The halfmove clock.
pub(crate) const HALFMOVE: FenField = FenField {
    word: "halfmove",
    name: "halfmove clock (fifth field of the FEN) is",
    allowed: "is a number from 0",
};
/// The number of the move.
pub(crate) const FULLMOVE: FenField = FenField {
    word: "fullmove",
    name: "move number (sixth field of the FEN) is",
    allowed: "is a number from 1",
};

impl FenError {
    /// The stable word for what went wrong, for tables and tests.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::RankCount { .. } => "rank-count",
            Self::BadChar { .. } => "bad-char",
            Self::RankWidth { .. } => "rank-width",
            Self::Pocket { .. } => "pocket-not-allowed",
            Self::Field { field, .. } => field.word,
            Self::ExtraFields { .. } => "extra-fields",
            Self::Impossible { word, .. } => word,
        }
    }

    /// How much of the text was read: 0 nothing, 1 it has ranks, then a little more with
    /// each rank from the top, [`ReadFailure::BOARD`] if the board was.
    pub(crate) fn reached(&self) -> u32 {
        match self {
            Self::Empty => 0,
            Self::RankCount { found, .. } => u32::from(*found > 2),
            Self::Pocket { .. } => 1,
            Self::BadChar { rank, .. } | Self::RankWidth { rank, .. } => {
                12_u32.saturating_sub(u32::from(*rank))
            }
            Self::Field { .. } | Self::ExtraFields { .. } | Self::Impossible { .. } => {
                ReadFailure::BOARD
            }
        }
    }

    /// A field that cannot be read.
    pub(crate) fn field(field: &'static FenField, text: &str) -> Self {
        let text = clip(text);
        Self::Field { field, text }
    }

    /// Pieces that cannot stand so.
    pub(crate) fn impossible(word: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Impossible { word, text }
    }

    /// Each side must have one king, but they have these numbers.
    pub(crate) fn kings(white: usize, black: usize) -> Self {
        let text =
            format!("White has {white} kings and Black {black}; each side must have exactly one");
        Self::impossible("kings", text)
    }

    /// Whether the pieces or the side to move are such as no position has.
    pub(crate) fn is_of_pieces(&self) -> bool {
        matches!(self.word(), "kings" | "pawn-backrank" | "opposite-check")
    }
}
