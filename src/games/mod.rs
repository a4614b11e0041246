//! The games: what each must be able to do ([`BoardGame`]), the one list of them, and the one
//! reader of their movetext.
//!
//! A game is a position type that implements [`BoardGame`]. Nothing outside this module says which game
//! it is: other code goes through [`AnyPosition`], once a game and never once a ply.

mod any;
mod any_cursor;
mod ascii_board;
pub mod ballot;
pub(crate) mod board_shape;
mod book;
pub(crate) mod branch;
mod budget;
pub(crate) mod buffers;
pub mod chess;
pub mod chess_variant;
pub mod cited_lines;
mod cursor;
pub mod diagram;
pub mod draughts;
pub mod export;
mod facts;
pub mod fairy;
mod game;
pub mod grid;
pub mod key;
pub mod language;
mod legal_moves;
mod line;
pub mod notation;
pub mod opening_names;
pub mod othello;
pub mod outcome;
mod parsed_position;
mod position_form;
pub mod position_input;
pub mod raw_text;
mod reader;
pub mod registry;
pub(crate) mod running_text;
pub mod symmetry;
#[cfg(test)]
mod tests;
pub mod text;
pub mod variant;
pub mod variation;
pub mod variation_tree;
pub mod view;

pub use any::NextMove;
pub use ascii_board::{AsciiBoard, AsciiPosition};
pub use book::BookMove;
pub use budget::{Budget, BudgetExceeded};
pub use chess_variant::ChessVariant;
pub use cursor::{Cursor, Placement, Stepper};
pub use facts::VariantDescription;
pub use fairy::Fairy;
pub use game::{
    BoardGame, CASTLING, EN_PASSANT, FromFen, FromText, GameCodec, GameDisplay, GameKeys,
    GameNotation, GamePosition, MoveStyle, MovetextRules, StateMask, SymmetryError,
};
pub use legal_moves::{Counting, ListStyle, ListedMove, divide, perft};
pub use opening_names::{NamedOpening, OpeningNames};
pub use outcome::{GameEnd, ResultOrder, Results};
pub use parsed_position::{ExtraInfo, NumberStyle, ParsedPosition, ReadConfidence, ReadFailure};
pub use position_form::{FormExtras, PositionForm};
pub use reader::{ReadOutcome, StartContext, attempt, read, read_without_alternatives};
pub use text::{GameText, ParseAttempt, ParseBudget, WordReading, WordRemainder};

/// The game of a record that does not name it, where the moves determine it
/// ([`VariantDetection::Guessed`](variant::VariantDetection)).
pub mod guess {
    pub use crate::games::draughts::replay::infer::{
        GameVariant, INFERRED, OF_SOME_KIND, OR, SourceVariant, VariantInference, declared,
    };
}

use crate::{
    base::record::{GameFormat, PdnFacts},
    games::{
        ballot::Ballot,
        buffers::Reading,
        chess::rules::ChessBoard,
        chess_variant::ChessVariantKind,
        draughts::{Draughts, rows::DraughtsVariant},
        export::StoredGameInfo,
        fairy::rows::FairyVariant,
        language::ExpectedNotation,
        othello::rules::OthelloPosition as Othello,
        symmetry::Symmetry,
        variant::{Variant, VariantDetection},
    },
    pgn::parser::Syntax,
};

macro_rules! games {
    ($d:tt $($(#[$attr:meta])* $name:ident: $game:ty $(= $facts:ty)?),* $(,)?) => {
        /// Which rules play the games of a variant, and the facts that they use.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Rules {
            $($(#[$attr])* #[doc = concat!("Those of `", stringify!($game), "`.")] $name $(($facts))?,)*
            /// None yet: tags and text only.
            None,
        }

        /// A position of any game.
        #[derive(Debug, Clone, PartialEq)]
        pub enum AnyPosition {
            $($(#[$attr])* #[doc = concat!("Of `", stringify!($game), "`.")] $name($game)),*
        }

        /// A start position of any game, made ready for reading games from it.
        #[derive(Debug, Clone)]
        pub enum AnyStart {
            $($(#[$attr])* #[doc = concat!("Of `", stringify!($game), "`.")] $name(Box<StartContext<$game>>)),*
        }

        /// A place in a packed line of any game.
        #[derive(Debug, Clone)]
        pub enum AnyCursor {
            $($(#[$attr])* #[doc = concat!("Of `", stringify!($game), "`.")] $name(Box<<$game as BoardGame>::Cursor>)),*
        }

        impl AnyCursor {
            /// Stands at a position.
            pub fn new(at: &AnyPosition) -> Self {
                match at {
                    $($(#[$attr])* AnyPosition::$name(at) => Self::$name(Box::new(at.cursor())),)*
                }
            }
        }

        impl AnyCursor {
            /// Whether the same pieces stand on the same squares of the same board, whichever side
            /// is to move.
            pub fn has_pieces_of(&self, other: &Self) -> bool {
                match (self, other) {
                    $($(#[$attr])* (Self::$name(own), Self::$name(other)) => own.has_pieces_of(other),)*
                    _ => {
                        with_game!(AnyCursor of self, at => at.placement())
                            == with_game!(AnyCursor of other, at => at.placement())
                    }
                }
            }
        }

        $($(#[$attr])* impl From<$game> for AnyPosition {
            fn from(at: $game) -> Self {
                Self::$name(at)
            }
        }

        $(#[$attr])* impl From<<$game as BoardGame>::Cursor> for AnyCursor {
            fn from(at: <$game as BoardGame>::Cursor) -> Self {
                Self::$name(Box::new(at))
            }
        }

        $(#[$attr])* impl From<StartContext<$game>> for AnyStart {
            fn from(opening: StartContext<$game>) -> Self {
                Self::$name(Box::new(opening))
            }
        })*

        /// The row that a name stands for ([`GameNotation::row_named`]).
        pub(crate) fn named(text: &str) -> Option<&'static Variant> {
            let mut found = None;
            $($(#[$attr])* { found = found.or_else(|| <$game as GameNotation>::row_named(text)); })*
            found
        }

        /// The row of a number of `GameType` ([`GameNotation::by_game_type`]).
        pub(crate) fn by_game_type(number: u8) -> Option<&'static Variant> {
            let mut found = None;
            $($(#[$attr])* { found = found.or_else(|| <$game as GameNotation>::by_game_type(number)); })*
            found
        }

        /// Runs an expression with the type of a row's game; another where the moves of
        /// its game are not known.
        macro_rules! with_row {
            ($d row:expr, $d game_type:ident => $d body:expr, $d other:expr) => {
                match $d row.rules {
                    $($(#[$attr])* Rules::$name { .. } => {
                        type $d game_type = $game;
                        $d body
                    })*
                    Rules::None => $d other,
                }
            };
        }

        /// Runs an expression for a position, or an opening, of whichever game.
        macro_rules! with_game {
            ($d any:ident of $d value:expr, $d at:ident => $d body:expr) => {
                match $d value {
                    $($(#[$attr])* $crate::games::$d any::$name($d at) => $d body,)*
                }
            };
        }
        pub(crate) use with_game;
    };
}

games! { $
    Chess: ChessBoard,
    ChessVariant: ChessVariant = ChessVariantKind,
    Fairy: Fairy = &'static FairyVariant,
    Othello: Othello,
    Draughts: Draughts = &'static DraughtsVariant,
    #[cfg(test)]
    TicTacToe: tests::tic_tac_toe::TicTacToe,
}

fn not_known(row: &Variant) -> String {
    format!("the moves of {} are not known", row.title)
}

impl Variant {
    /// How a record becomes known to be of this game; `None` if its moves are not known.
    pub const fn tier(&self) -> Option<VariantDetection> {
        with_row!(self, G => Some(G::TIER), None)
    }

    /// The syntax of its movetext, where its name decides on that against what the words
    /// look like.
    pub const fn decided_syntax(&self) -> Option<Syntax> {
        match with_row!(self, G => Some((G::NAME_DECIDES, G::SYNTAX)), None) {
            Some((true, syntax)) => Some(syntax),
            _ => None,
        }
    }

    /// The tag that names who has the first move, where that is not `White`.
    pub fn first_player(&self) -> Option<&'static str> {
        with_row!(self, G => G::first_player(self), None)
    }
}

impl AnyPosition {
    /// Reads a FEN of a game.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub fn read_fen(row: &'static Variant, text: &str) -> Result<ParsedPosition<Self>, String> {
        with_row!(
            row,
            G => G::read_fen(row, text).map(|read| read.map(Self::from)),
            Err(not_known(row))
        )
    }

    /// Reads a position of a game that was written out.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, and how much of it was understood.
    pub fn read_written(
        row: &'static Variant,
        text: &str,
    ) -> Result<ParsedPosition<Self>, ReadFailure> {
        with_row!(
            row,
            G => G::read_written(row, text).map(|read| read.map(Self::from)),
            Err(ReadFailure::nothing(not_known(row), ""))
        )
    }

    /// Reads a drawn board as one of a game ([`GameNotation::read_drawing`]).
    pub fn read_drawing(row: &'static Variant, drawing: &AsciiBoard) -> Option<AsciiPosition> {
        with_row!(row, G => G::read_drawing(row, drawing), None)
    }

    /// Reads the FEN of a start position as databases hold it ([`GameNotation::read_stored`]);
    /// `None` if the moves of the game are not known.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub fn read_stored(
        row: &'static Variant,
        text: &str,
        corner: Option<u8>,
    ) -> Result<Option<Self>, String> {
        with_row!(row, G => G::read_stored(row, text, corner).map(|at| Some(at.into())), Ok(None))
    }

    /// The standard start position of a game; `None` if its moves are not known, or if the start is
    /// drawn by lot.
    pub fn start(row: &'static Variant) -> Option<Self> {
        with_row!(row, G => <G as GameNotation>::start(row).map(Self::from), None)
    }

    /// Whether pieces have letters in movetext, so that languages matter.
    pub fn has_letters(&self) -> bool {
        with_row!(self.variant(), G => G::HAS_LETTERS, false)
    }

    /// Whether a way of looking at its board exchanges the colours.
    pub fn swaps_sides(&self, symmetry: Symmetry) -> bool {
        with_row!(self.variant(), G => G::swaps_sides(symmetry), symmetry.swaps_colours())
    }

    /// [`GameKeys::state_mask`].
    pub fn state_mask(&self, asked: StateMask) -> u32 {
        with_row!(self.variant(), G => G::state_mask(asked), 0)
    }

    /// [`GamePosition::OBSTACLE`].
    pub fn obstacle(&self) -> SymmetryError {
        with_row!(self.variant(), G => G::OBSTACLE, SymmetryError::Rules)
    }

    /// [`GameNotation::HAS_EN_PASSANT`].
    pub fn has_en_passant(&self) -> bool {
        with_row!(self.variant(), G => G::HAS_EN_PASSANT, false)
    }

    /// [`GameNotation::HAS_FORMS`].
    pub fn has_forms(&self) -> bool {
        with_row!(self.variant(), G => G::HAS_FORMS, false)
    }

    /// [`GamePosition::HAS_WAYS`].
    pub fn has_ways(&self) -> bool {
        with_row!(self.variant(), G => G::HAS_WAYS, false)
    }

    /// What there is to say of a row of the registry.
    pub fn facts(row: &'static Variant) -> VariantDescription {
        with_row!(row, G => G::facts(row), VariantDescription::of(row))
    }
}

/// What an export writes of a game beside its tags and moves ([`GameNotation::export`]).
pub fn export(row: &'static Variant, game: &StoredGameInfo<'_>) -> PdnFacts {
    let untold = || PdnFacts {
        tags: game.named_variant(row).into_iter().collect(),
        ..PdnFacts::default()
    };
    with_row!(row, G => G::export(row, game), untold())
}

/// The names of the openings of a game ([`GameNotation::opening_names`]).
pub fn opening_names(row: &'static Variant) -> Option<&'static OpeningNames> {
    with_row!(row, G => G::opening_names(row), None)
}

/// The format that a game is written in.
pub const fn script(row: &Variant) -> GameFormat {
    match with_row!(row, G => G::SYNTAX, Syntax::Pgn) {
        Syntax::Pgn => GameFormat::Pgn,
        Syntax::Pdn => GameFormat::Pdn,
    }
}

/// The openings of a game that are drawn by ballot, by number.
pub fn ballots(row: &'static Variant) -> Vec<Ballot> {
    with_row!(row, G => G::ballots(row), Vec::new())
}

/// Whether men become kings in a game ([`GamePosition::CROWNS`]).
pub const fn crowns(row: &Variant) -> bool {
    with_row!(row, G => G::CROWNS, false)
}

/// Whether pieces move as those of chess do ([`GamePosition::MOVES_AS_CHESS`]).
pub const fn moves_as_chess(row: &Variant) -> bool {
    with_row!(row, G => G::MOVES_AS_CHESS, false)
}

/// Whether what takes can leave the board with what it takes ([`GamePosition::CAPTURES_EXPLODE`]).
pub const fn captures_explode(row: &Variant) -> bool {
    with_row!(row, G => G::CAPTURES_EXPLODE, false)
}

/// Whether a side (0 the first) has a king in all positions ([`GamePosition::always_has_king`]).
pub fn always_has_king(row: &Variant, side: usize) -> bool {
    with_row!(row, G => G::always_has_king(row, side), false)
}

/// What became of a game that was read.
#[derive(Debug)]
pub struct GameReadOutcome {
    /// The start position, if it is another than was given: the squares of the text are
    /// numbered otherwise.
    pub start: Option<AnyPosition>,
    /// Who has won, if the last position proves it.
    pub winner: Option<usize>,
    /// Whose points a result names first; `None` if results are those of PGN.
    pub result_order: Option<ResultOrder>,
    /// The last name that its opening has.
    pub opening: Option<&'static NamedOpening>,
}

impl AnyStart {
    /// [`BoardGame::start_of_fen`].
    ///
    /// # Errors
    ///
    /// Why the FEN cannot be read.
    pub fn read_fen(row: &'static Variant, fen: &str, expected: ExpectedNotation) -> FromFen<Self> {
        with_row!(row, G => {
            <G as BoardGame>::start_of_fen(row, fen, expected).map(|(at, odd)| (Self::from(at), odd))
        }, Err(not_known(row)))
    }

    /// [`BoardGame::start_of_text`]: what the moves of a text say of its FEN.
    pub fn of_text(
        row: &'static Variant,
        fen: &str,
        text: GameText<'_>,
        expected: ExpectedNotation,
    ) -> FromText<Self> {
        with_row!(row, G => {
            let read = <G as BoardGame>::start_of_text(row, fen, text, expected);
            read.map(|(opening, findings)| (Self::from(opening), findings))
        }, None)
    }

    /// The position.
    pub fn at(&self) -> AnyPosition {
        with_game!(AnyStart of self, opening => Clone::clone(&opening.at).into())
    }

    /// Reads a game: the one dispatch of an import, once a game.
    pub fn read(&self, text: GameText<'_>, out: &mut Reading) -> GameReadOutcome {
        with_game!(AnyStart of self, opening => {
            let mark = out.mark();
            let ended = read(opening, text, out);
            let start = ended.other.and_then(|other| opening.at.meant(&other));
            let at = start.as_ref().unwrap_or(&opening.at);
            out.write_texts(at, mark);
            GameReadOutcome {
                opening: at.last_named(out.plies_from(mark), Some(out.structures_from(mark))),
                start: start.map(AnyPosition::from),
                winner: GamePosition::winner(&ended.last),
                result_order: ended.last.result_order(),
            }
        })
    }
}
