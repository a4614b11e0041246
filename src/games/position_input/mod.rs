//! Positions as people type them, of any game: every row of the registry tries every
//! notation it has, and what explains the text best is taken.
//!
//! Nothing here knows a game. Each is queried for what a text can mean
//! ([`GameNotation::read_written`](crate::games::GameNotation::read_written), and its moves by the one reader);
//! `Evidence` (in `evidence`) says which of the answers is meant.

mod ascii_board;
mod error;
mod evidence;
mod line;
mod numbers;
#[cfg(test)]
mod tests;

use std::fmt;

pub use error::PositionError;
pub use numbers::{StrayNumber, fact_meant};

use crate::{
    base::diagnostic::Code,
    games::{
        AnyPosition, Budget, ExtraInfo, NamedOpening, chess::notation::fen::Fields,
        variant::Variant,
    },
};

/// What is known beside the text.
#[derive(Debug, Clone, Default)]
pub struct ExpectedVariants {
    /// The games that are requested; none: any.
    pub rows: Vec<&'static Variant>,
}

/// A position as it was typed.
#[derive(Debug, Clone)]
pub struct TypedPosition {
    /// The position after the moves, if any.
    pub at: AnyPosition,
    /// The row as which it was read: that of [`at`](Self::at), but for rows that share
    /// their positions with another, as Chess960 does.
    pub row: &'static Variant,
    /// What was said about it: a search does not ask for the rest. A line of moves says
    /// all but the counters.
    pub fields: Fields,
    /// What to look at twice, each once.
    pub warnings: Vec<Warning>,
    /// The moves that were played, as the game writes them.
    pub moves: Vec<String>,
    /// The position before them.
    pub start: AnyPosition,
    /// What only some notations say.
    pub aside: ExtraInfo,
    /// A number among the moves that is not that of one.
    pub stray: Option<StrayNumber>,
}

/// What to look at twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// What was repaired.
    Repaired(Code),
    /// A sentence about the notation.
    Said(String),
    /// The text fits another game as well, with other pieces or another side to move.
    OrElse {
        /// The game that was taken.
        taken: &'static Variant,
        /// The other.
        other: &'static Variant,
    },
}

impl Warning {
    /// Whether it is no news to the user who typed the position.
    pub const fn is_usual(&self) -> bool {
        matches!(
            self,
            Self::Repaired(
                Code::EpNotCapturable
                    | Code::MissingFields
                    | Code::Spaces
                    | Code::Chess960Rights
                    | Code::CastlingSpelling
                    | Code::UciPrefix
                    | Code::Quotes
                    | Code::MoveSpelling
                    | Code::EpdSpelling
                    | Code::EpdOperand
                    // Reported with the languages that are meant.
                    | Code::AmbiguousDiagram
            )
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repaired(code) => write!(f, "{} ({})", code.message(), code.as_str()),
            Self::Said(text) => f.write_str(text),
            Self::OrElse { taken, other } => write!(
                f,
                "read as {}; {} fits as well: name one with --variant",
                taken.name, other.name
            ),
        }
    }
}

impl TypedPosition {
    /// What the position is called. What was not said about it does not matter.
    pub fn named_opening(&self) -> Option<&'static NamedOpening> {
        let named = self.at.named_opening();
        let is_bare = !self.fields.castling && self.moves.is_empty();
        named.or_else(|| self.at.named_board().filter(|_| is_bare))
    }

    /// The last position from the start on that has a name, and after how many moves it stands.
    pub fn last_named(&self) -> Option<(&'static NamedOpening, usize)> {
        self.at.opening_names()?;
        let behind = self.positions();
        let positions = std::iter::once(&self.start).chain(&behind);
        let named = positions
            .zip(0..)
            .filter_map(|(at, plies)| Some((at.named_opening()?, plies)));
        named.last()
    }

    /// The positions after each move.
    fn positions(&self) -> Vec<AnyPosition> {
        let mut at = self.start.clone();
        let mut behind = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let legal = at.moves(Budget::default()).unwrap_or_default();
            let m = legal.into_iter().find(|m| m.names[0] == *text);
            let Some(m) = m.or_else(|| at.null_move(text)) else {
                break;
            };
            at = m.behind;
            behind.push(at.clone());
        }
        behind
    }
}

/// Reads a position as people type it: what each game writes for one (FEN and whatever
/// else it has), `startpos`, moves from the start, or one of the first two with moves after it
/// (`… moves e4 e5`).
///
/// # Errors
///
/// [`PositionError`]: what is wrong with the reading that came furthest.
pub fn read_position(text: &str, hint: &ExpectedVariants) -> Result<TypedPosition, PositionError> {
    evidence::best(text, hint)
}

/// The same of a query: a number among the moves that is not theirs is a condition as well
/// (`e4 e5 1972`), which must not be ignored. Files have all kinds of numbers.
///
/// # Errors
///
/// [`PositionError`], also for such a number.
pub fn requested_position(
    text: &str,
    hint: &ExpectedVariants,
) -> Result<TypedPosition, PositionError> {
    read_position(text, hint).and_then(numbers::checked)
}
