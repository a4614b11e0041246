//! The games: what each must be able to do ([`Game`]), the one list of them, and the one
//! reader of their movetext.
//!
//! A game is a position type that implements [`Game`]. Nothing outside this room says
//! which game it is: whoever needs one goes through [`AnyPosition`], once a game and
//! never once a ply.

pub(crate) mod branch;
mod bridge;
pub mod capablanca;
pub mod chess;
pub mod chess_variant;
#[cfg(test)]
mod conformance;
mod cursor;
pub mod draughts;
mod game;
pub mod grid;
pub mod keep;
pub mod language;
mod line;
mod line_move;
pub mod othello;
mod reader;
pub(crate) mod reading;
pub mod registry;
pub mod replay;
mod text;
pub mod variant;
mod variation;
mod written;
pub mod xiangqi;

pub use capablanca::Capablanca;
pub use chess_variant::ChessVariant;
pub use cursor::{Cursor, Placement, Stepper};
pub use draughts::rules::Budget;
pub use game::{Fen, Game, MoveStyle, perft};
pub use line_move::LineMove;
pub use reader::{Ended, Opening, attempt, read, read_straight};
pub use text::{Attempt, Effort, Rest, Text, WordReading};
pub use variation::{InVariation, variation_in, variation_positions};
pub use written::{Aside, Fit, Refusal, Score, Written};

use crate::{
    games::{
        chess::rules::Board,
        draughts::rows::ResultOrder,
        language::Expected,
        othello::rules::Position as Othello,
        reading::Reading,
        variant::{Rules, Variant},
        xiangqi::rules::Position as Xiangqi,
    },
    key::Structure,
    position::Draughts,
    record::MoveForm,
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

        /// A place in a packed line of any game.
        #[derive(Debug, Clone)]
        pub enum AnyCursor {
            $(#[doc = concat!("Of `", stringify!($game), "`.")] $name(Box<<$game as Game>::Cursor>)),*
        }

        impl AnyCursor {
            /// Stands at a position.
            pub fn new(at: &AnyPosition) -> Self {
                match at {
                    $(AnyPosition::$name(at) => Self::$name(Box::new(at.cursor()))),*
                }
            }
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

            /// Reads a position of a game that somebody wrote out.
            ///
            /// # Errors
            ///
            /// Why it cannot be read, and how much of it was understood.
            pub fn read_written(
                row: &'static Variant,
                text: &str,
            ) -> Result<Written<Self>, Refusal> {
                match row.rules {
                    $($rules => <$game>::read_written(row, text).map(|read| read.map(Self::from)),)*
                    Rules::None => Err(Refusal::nothing(format!("the moves of {} are not known", row.title), "")),
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

    /// What stands where and in hand.
    pub fn placement(&self) -> Placement {
        with_game!(AnyPosition of self, at => at.placement())
    }

    /// The row of the registry.
    pub fn variant(&self) -> &'static Variant {
        with_game!(AnyPosition of self, at => at.variant())
    }

    /// The side to move: 0 White, 1 Black.
    pub fn turn(&self) -> usize {
        with_game!(AnyPosition of self, at => Game::turn(at))
    }

    /// The number of the next move, and whether it is of the side that moves second in
    /// the usual start.
    pub fn number(&self) -> (u32, bool) {
        with_game!(AnyPosition of self, at => Game::number(at))
    }

    /// Who has won, if the position proves it and records do not always say so.
    pub fn winner(&self) -> Option<usize> {
        with_game!(AnyPosition of self, at => Game::winner(at))
    }

    /// The corner of square 1, where it is not that of the game's usual one.
    pub fn corner(&self) -> Option<u8> {
        with_game!(AnyPosition of self, at => at.corner())
    }

    /// Numbers the squares from a corner, where squares have numbers.
    pub fn set_corner(&mut self, corner: Option<u8>) {
        with_game!(AnyPosition of self, at => at.set_corner(corner));
    }

    /// Whether pieces have letters in movetext, so that languages matter.
    pub fn has_letters(&self) -> bool {
        with_game!(AnyPosition of self, at => has_letters(at))
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        with_game!(AnyPosition of self, at => Game::fen(at))
    }

    /// Made ready for reading games, whose texts are expected to be meant so.
    pub fn opening(self, expected: Expected) -> AnyOpening {
        with_game!(AnyPosition of self, at => Opening::expected(at, expected).into())
    }
}

impl AnyCursor {
    /// The usual start of chess.
    pub fn initial() -> Self {
        Self::Chess(Box::new(chess::replay::Replay::initial()))
    }

    /// The position; `None` for one that cannot be.
    pub fn position(&self) -> Option<AnyPosition> {
        with_game!(AnyCursor of self, at => at.position().map(AnyPosition::from))
    }

    /// Plies played so far.
    pub fn ply(&self) -> u32 {
        with_game!(AnyCursor of self, at => at.ply())
    }

    /// [`Cursor::structure`].
    #[inline]
    pub fn structure(&self) -> Structure {
        with_game!(AnyCursor of self, at => at.structure())
    }

    /// [`Cursor::board_key`].
    #[inline]
    pub fn board_key(&self) -> u64 {
        with_game!(AnyCursor of self, at => at.board_key())
    }

    /// [`Cursor::other_side_key`].
    pub fn other_side_key(&self) -> u64 {
        with_game!(AnyCursor of self, at => at.other_side_key())
    }

    /// [`Cursor::state_bits`].
    pub fn state_bits(&self) -> u32 {
        with_game!(AnyCursor of self, at => at.state_bits())
    }

    /// The side to move: 0 White, 1 Black.
    pub fn turn(&self) -> usize {
        with_game!(AnyCursor of self, at => at.turn())
    }

    /// Whether the same men stand on the same squares of the same board, whoever is to
    /// move.
    pub fn has_men_of(&self, other: &Self) -> bool {
        // Nearly all are: no list has to be made of their men.
        if let (Self::Chess(own), Self::Chess(other)) = (self, other) {
            return own.men() == other.men();
        }
        with_game!(AnyCursor of self, at => at.placement())
            == with_game!(AnyCursor of other, at => at.placement())
    }

    /// [`Cursor::peek`].
    #[inline]
    pub fn peek(&mut self, bytes: &mut &[u8]) -> Option<u16> {
        with_game!(AnyCursor of self, at => Cursor::peek(&mut **at, bytes))
    }

    /// [`Cursor::play`].
    #[inline]
    pub fn play(&mut self, code: u16) {
        with_game!(AnyCursor of self, at => Cursor::play(&mut **at, code));
    }

    /// Whether a structure that was left can come back.
    pub fn may_go_back(&self) -> bool {
        with_game!(AnyCursor of self, at => recurs(&**at))
    }

    /// Whether pieces have letters in movetext, so that languages matter.
    pub fn has_letters(&self) -> bool {
        with_game!(AnyCursor of self, at => spells(&**at))
    }

    /// What the code of the ply that was taken off last does not tell of it.
    pub fn detail(&self) -> u128 {
        with_game!(AnyCursor of self, at => at.pending().map_or(0, |m| detail(&**at, m)))
    }

    /// The name of the ply that was taken off last, whose code is told; squares are
    /// numbered from a corner. `None` in a position that cannot be.
    pub fn next_name(&self, code: u16, form: MoveForm, corner: Option<u8>) -> Option<String> {
        with_game!(AnyCursor of self, cursor => {
            let mut at = cursor.position()?;
            at.set_corner(corner);
            Some(at.next_name(code, cursor.pending(), form))
        })
    }
}

fn detail<C: Cursor>(_: &C, m: <C::Game as Game>::Move) -> u128 {
    C::Game::detail(m)
}

const fn has_letters<G: Game>(_: &G) -> bool {
    G::HAS_LETTERS
}

const fn spells<C: Cursor>(_: &C) -> bool {
    <C::Game as Game>::HAS_LETTERS
}

const fn recurs<C: Cursor>(_: &C) -> bool {
    <C::Game as Game>::STRUCTURE_RECURS
}

/// What became of a game that was read.
#[derive(Debug)]
pub struct Finished {
    /// The start position, if it is another than was given: the squares of the text are
    /// numbered otherwise.
    pub start: Option<AnyPosition>,
    /// Who has won, if the last position proves it.
    pub winner: Option<usize>,
    /// Whose points a result names first; `None` if results are those of PGN.
    pub result_order: Option<ResultOrder>,
}

impl AnyOpening {
    /// Reads a game: the one dispatch of an import, once a game.
    pub fn read(&self, text: Text<'_>, out: &mut Reading) -> Finished {
        with_game!(AnyOpening of self, opening => {
            let ended = read(opening, text, out);
            let start = ended.other.and_then(|other| opening.at.meant(&other));
            Finished {
                start: start.map(AnyPosition::from),
                winner: Game::winner(&ended.last),
                result_order: ended.last.result_order(),
            }
        })
    }
}
