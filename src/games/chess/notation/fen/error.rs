//! Why a FEN was refused.

use crate::games::chess::basics::{Color, Square};

use crate::games::Refusal;

/// Why a FEN is no position. The message names the field, the offending text
/// and what is allowed; [`FenError::word`] is the stable short form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is no text at all. Give at least the placement field.
    #[error("the FEN is empty; at least the piece placement is needed")]
    Empty,
    /// The placement has not eight ranks.
    #[error("the FEN has {found} ranks; a board has 8, separated by `/`")]
    RankCount {
        /// Ranks found.
        found: usize,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error(
        "rank {rank} of the FEN has `{found}`; allowed are KQRBNP, kqrbnp and the digits 1 to 8"
    )]
    BadChar {
        /// Board rank, 1 to 8 from White's side.
        rank: u8,
        /// The offending character.
        found: char,
    },
    /// A rank does not fill eight squares.
    #[error("rank {rank} of the FEN, `{text}`, has {found} squares; it must have 8")]
    RankWidth {
        /// Board rank, 1 to 8 from White's side.
        rank: u8,
        /// Squares found.
        found: usize,
        /// The rank as written.
        text: String,
    },
    /// A pocket, which only variants with drops have.
    #[error("the FEN has a pocket, `{text}`; only variants with drops have one")]
    Pocket {
        /// The pocket as written.
        text: String,
    },
    /// The side to move is unreadable.
    #[error("the side to move (second field of the FEN) is `{text}`; allowed are w and b")]
    Turn {
        /// The field as written.
        text: String,
    },
    /// The castling field has a character that is no right.
    #[error(
        "the castling rights (third field of the FEN) are `{text}`; allowed are KQkq, the letters A-H and a-h of rook files, or -"
    )]
    Castling {
        /// The field as written.
        text: String,
    },
    /// The en passant field is no square.
    #[error(
        "the en passant square (fourth field of the FEN) is `{text}`; allowed is a square such as e3, or -"
    )]
    Ep {
        /// The field as written.
        text: String,
    },
    /// The halfmove clock is no number.
    #[error("the halfmove clock (fifth field of the FEN) is `{text}`; allowed is a number from 0")]
    Halfmove {
        /// The field as written.
        text: String,
    },
    /// The move number is no number.
    #[error("the move number (sixth field of the FEN) is `{text}`; allowed is a number from 1")]
    Fullmove {
        /// The field as written.
        text: String,
    },
    /// Something follows the sixth field that is no EPD operation.
    #[error(
        "`{text}` follows the sixth field of the FEN; only EPD operations (`id \"…\";`) are allowed there"
    )]
    ExtraFields {
        /// The rest as written.
        text: String,
    },
    /// A side has no king, or more than one.
    #[error("White has {white} kings and Black {black}; each side must have exactly one")]
    Kings {
        /// White kings on the board.
        white: usize,
        /// Black kings on the board.
        black: usize,
    },
    /// A pawn stands on the first or last rank.
    #[error("a pawn stands on {square}; no pawn can stand on the first or last rank")]
    PawnBackrank {
        /// The first such square, from a1.
        square: Square,
    },
    /// The side that has just moved is in check.
    #[error("the {} king is in check, but the other side is to move", color_word(*.side))]
    OppositeCheck {
        /// The side in check.
        side: Color,
    },
    /// So many men can move that no move list holds them; no composed or
    /// played position comes near.
    #[error("the position has more moves than can be handled ({moves_max} at most)")]
    TooManyMoves {
        /// The bound, in moves of one side.
        moves_max: usize,
    },
}

impl FenError {
    /// The stable word for what went wrong, for tables and tests.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::RankCount { .. } => "rank-count",
            Self::BadChar { .. } => "bad-char",
            Self::RankWidth { .. } => "rank-width",
            Self::Pocket { .. } => "pocket-not-allowed",
            Self::Turn { .. } => "turn",
            Self::Castling { .. } => "castling",
            Self::Ep { .. } => "ep",
            Self::Halfmove { .. } => "halfmove",
            Self::Fullmove { .. } => "fullmove",
            Self::ExtraFields { .. } => "extra-fields",
            Self::Kings { .. } => "kings",
            Self::PawnBackrank { .. } => "pawn-backrank",
            Self::OppositeCheck { .. } => "opposite-check",
            Self::TooManyMoves { .. } => "too-many-moves",
        }
    }
}

impl FenError {
    /// How much of the text was read: 0 nothing, 1 it has ranks, then a little more with
    /// each rank from the top, [`Refusal::BOARD`] if the board was.
    pub(crate) fn reached(&self) -> u32 {
        match self {
            Self::Empty => 0,
            Self::RankCount { found } => u32::from(*found > 2),
            Self::Pocket { .. } => 1,
            Self::BadChar { rank, .. } | Self::RankWidth { rank, .. } => {
                12_u32.saturating_sub(u32::from(*rank))
            }
            _ => Refusal::BOARD,
        }
    }
}

/// `white` or `black`.
pub(crate) const fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
