//! The games: what each must be able to do ([`Game`]), the one list of them, and the one
//! reader of their movetext.
//!
//! A game is a position type that implements [`Game`]. Nothing outside this room says
//! which game it is: whoever needs one goes through [`AnyPosition`], once a game and
//! never once a ply.

mod capablanca;
mod chess;
mod chess_variant;
#[cfg(test)]
mod conformance;
mod cursor;
mod draughts;
mod game;
mod line;
mod othello;
mod reader;
mod text;
mod xiangqi;

pub use capablanca::Capablanca;
pub use chess_variant::ChessVariant;
pub use cursor::Stepper;
pub use game::{Fen, Game, MoveStyle, perft};
pub use reader::{Ended, Opening, read};
pub use text::{Effort, Rest, Text, WordReading};

use crate::{
    position::Draughts,
    replay::tongue::Expected,
    rules::{chess::Board, othello::Position as Othello, xiangqi::Position as Xiangqi},
    variant::{Rules, Variant},
};

macro_rules! games {
    ($d:tt $($name:ident: $game:ty = $rules:pat),* $(,)?) => {
        /// A position of any game.
        #[derive(Debug, Clone, PartialEq)]
        pub enum AnyPosition {
            $(#[doc = concat!("Of `", stringify!($game), "`.")] $name($game)),*
        }

        /// A start position of any game, made ready for reading games from it.
        #[derive(Debug, Clone)]
        pub enum AnyOpening {
            $(#[doc = concat!("Of `", stringify!($game), "`.")] $name(Box<Opening<$game>>)),*
        }

        $(impl From<$game> for AnyPosition {
            fn from(at: $game) -> Self {
                Self::$name(at)
            }
        }

        impl From<Opening<$game>> for AnyOpening {
            fn from(opening: Opening<$game>) -> Self {
                Self::$name(Box::new(opening))
            }
        })*

        /// Runs an expression for a position, or an opening, of whichever game.
        macro_rules! with_game {
            ($d any:ident of $d value:expr, $d at:ident => $d body:expr) => {
                match $d value {
                    $($crate::games::$d any::$name($d at) => $d body),*
                }
            };
        }
        #[cfg(test)]
        pub(crate) use with_game;

        impl AnyPosition {
            /// Reads a FEN of a game.
            ///
            /// # Errors
            ///
            /// Why it cannot be read.
            pub fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
                match row.rules {
                    $($rules => <$game>::read_fen(row, text).map(|read| Fen {
                        at: read.at.into(),
                        warnings: read.warnings,
                        has_turn: read.has_turn,
                    }),)*
                    Rules::None => Err(format!("the moves of {} are not known", row.title)),
                }
            }
        }
    };
}

games! { $
    Chess: Board = Rules::Chess,
    ChessVariant: ChessVariant = Rules::Kin(_),
    Capablanca: Capablanca = Rules::Compound(_),
    Xiangqi: Xiangqi = Rules::Xiangqi,
    Othello: Othello = Rules::Othello,
    Draughts: Draughts = Rules::Draughts(_),
}

impl AnyPosition {
    /// The usual start of a game; `None` if its moves are not known, or if the start is
    /// drawn by lot.
    pub fn start(row: &'static Variant) -> Option<Self> {
        if let Rules::Draughts(row) = row.rules {
            return Some(Draughts::start(row).into());
        }
        let read = Self::read_fen(row, row.start_fen?).ok()?;
        Some(read.at)
    }

    /// Made ready for reading games, whose texts are expected to be meant so.
    pub fn opening(self, expected: Expected) -> AnyOpening {
        with_game!(AnyPosition of self, at => Opening::expected(at, expected).into())
    }
}
