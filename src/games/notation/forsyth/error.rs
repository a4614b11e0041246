//! Why a diagram was refused.

use crate::games::chess::basics::Square;

/// Why a text is no diagram in any language, or not in the requested one.
/// [`ForsythError::word`] is the stable short form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForsythError {
    /// There is no text.
    #[error("the diagram is empty")]
    Empty,
    /// A character that is no piece in this language.
    #[error("`{found}` is not a piece letter of any language that fits the rest")]
    BadChar {
        /// The character.
        found: char,
    },
    /// Not eight ranks.
    #[error("the diagram has {found} ranks; a board has 8, separated by `/`")]
    RankCount {
        /// Ranks found.
        found: usize,
    },
    /// A rank does not fill eight squares.
    #[error("rank {rank} of the diagram, `{text}`, has {found} squares; it must have 8")]
    RankWidth {
        /// Board rank, 1 to 8 from White's side.
        rank: u8,
        /// Squares found.
        found: usize,
        /// The rank as written.
        text: String,
    },
    /// A diagram without slashes that does not fill the board.
    #[error("the diagram has {found} squares; a board has 64")]
    SquareCount {
        /// Squares found.
        found: usize,
    },
    /// A side has no king, or more than one.
    #[error("White has {white} kings and Black {black}; each side must have exactly one")]
    Kings {
        /// White kings.
        white: usize,
        /// Black kings.
        black: usize,
    },
    /// A pawn stands where none can.
    #[error("a pawn stands on {square}; no pawn can stand on the first or last rank")]
    PawnBackrank {
        /// The first such square, from a1.
        square: Square,
    },
    /// Both sides are in check, as with kings side by side.
    #[error("both kings are in check")]
    BothInCheck,
}

impl ForsythError {
    /// The stable word for what went wrong, for tables and tests; that of a FEN
    /// where it is the same.
    pub const fn word(&self) -> &'static str {
        self.stage_and_word().1
    }

    /// How far the reading came: what fails late was nearly right.
    pub(super) const fn stage(&self) -> u8 {
        self.stage_and_word().0
    }

    const fn stage_and_word(&self) -> (u8, &'static str) {
        match self {
            Self::Empty => (0, "empty"),
            Self::BadChar { .. } => (1, "bad-char"),
            Self::RankCount { .. } => (2, "rank-count"),
            Self::RankWidth { .. } | Self::SquareCount { .. } => (3, "rank-width"),
            Self::Kings { .. } => (4, "kings"),
            Self::PawnBackrank { .. } => (5, "pawn-backrank"),
            Self::BothInCheck => (6, "both-in-check"),
        }
    }
}
