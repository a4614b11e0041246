//! Why a text is no position of draughts, and what to write instead.

use crate::games::draughts::{notation::fen::FenError, rows::DraughtsVariant, rules::Board};

/// Why a text is no position. The message says what it was understood as and
/// where that broke; [`DraughtsTextError::hint`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DraughtsTextError {
    /// Nothing was typed.
    #[error("no position was given")]
    Empty,
    /// `startpos` alone, which every variant has another of.
    #[error("the start position of which kind of draughts?")]
    VariantNeeded,
    /// Read as a FEN, but it is none.
    #[error("read as a draughts FEN: {error}")]
    Fen {
        /// What is wrong.
        error: FenError,
        /// The variant that was named.
        variant: Option<&'static str>,
    },
    /// Read as a FEN that names who moves and nothing else.
    #[error("read as a draughts FEN: it names no squares")]
    NoSquares,
    /// Read as moves, one of which is none or cannot be played.
    #[error("move {number} {what}; {after}")]
    Move {
        /// The number as in a score: `3` for the third move of the side that
        /// begins, `3...` for the other's.
        number: String,
        /// Where the line stood: "after 1. 32-28 19-23", "in the position given".
        after: String,
        /// What is wrong: "`32-27` cannot be played: White must capture (28x19)".
        what: String,
        /// Moves that were played before.
        plies: usize,
        /// Whether the word is a move at all.
        is_move: bool,
    },
}

impl DraughtsTextError {
    pub(in crate::games::draughts) fn fen(
        error: FenError,
        named: Option<&'static DraughtsVariant>,
    ) -> Self {
        Self::Fen {
            error,
            variant: named.map(|variant| variant.name),
        }
    }

    /// How far a line of moves came.
    pub(super) const fn plies(&self) -> usize {
        match self {
            Self::Move { plies, is_move, .. } => *plies * 2 + *is_move as usize,
            _ => 0,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::VariantNeeded => "name it with --variant, such as --variant english".to_owned(),
            Self::Empty | Self::NoSquares | Self::Move { is_move: false, .. } => {
                "give a draughts FEN (`W:W28,31,K40:B5,12`), moves (`32-28 19-23`, `c3-d4 f6-g5`) \
                 or `startpos` with --variant"
                    .to_owned()
            }
            Self::Move { .. } => {
                "moves are read as `32-28`, `28x19`, `a3b4` or with every square of a capture, \
                 `11x18x25`; if the game is another one, name it with --variant"
                    .to_owned()
            }
            Self::Fen {
                error: FenError::NoSuchSquare(_),
                variant: Some(name),
            } => DraughtsVariant::by_name(name).map_or_else(
                || SHAPE.to_owned(),
                |variant| format!("{name} is played on {}", squares(variant.rules.board)),
            ),
            Self::Fen {
                error: FenError::Twice(_),
                ..
            } => "name each square once; `K` before it makes the piece a king".to_owned(),
            Self::Fen { .. } => SHAPE.to_owned(),
        }
    }
}

const SHAPE: &str = "a draughts FEN is: who moves, White's squares, Black's squares, with `:` \
                     between: `W:W28,31-35,K40:B5,K14`";

/// The squares of a board in words.
fn squares(board: Board) -> String {
    let last = char::from(b'a' + board.width() - 1);
    format!(
        "{}x{}: squares 1 to {}, or a1 to {last}{}",
        board.width(),
        board.height(),
        board.square_count(),
        board.height(),
    )
}
