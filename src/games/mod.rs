//! The games: what each must be able to do ([`Game`]), the one list of them, and the one
//! reader of their movetext.
//!
//! A game is a position type that implements [`Game`]. Nothing outside this room says
//! which game it is: whoever needs one goes through [`AnyPosition`], once a game and
//! never once a ply.

pub mod ballot;
pub(crate) mod branch;
mod bridge;
mod budget;
pub mod capablanca;
pub mod chess;
pub mod chess_variant;
#[cfg(test)]
mod conformance;
mod cursor;
pub mod draughts;
pub mod export;
mod facts;
mod game;
pub mod grid;
pub mod keep;
pub mod language;
mod line;
mod listed;
pub mod othello;
mod outcome;
mod position_form;
mod reader;
pub(crate) mod reading;
pub mod registry;
pub mod symmetry;
pub mod text;
pub mod variant;
mod variation;
mod written;
pub mod xiangqi;

pub use budget::{Budget, BudgetExceeded};
pub use capablanca::Capablanca;
pub use chess_variant::ChessVariant;
pub use cursor::{Cursor, Placement, Stepper};
pub use facts::Facts;
pub use game::{Asked, CASTLING, EN_PASSANT, Fen, FromFen, Game, MoveStyle, Obstacle};
pub use listed::{Counting, ListStyle, ListedMove, divide, perft};
pub use outcome::{Outcome, ResultOrder, Results};
pub use position_form::{Besides, PositionForm};
pub use reader::{Ended, Opening, attempt, read, read_straight};
pub use text::{Attempt, Effort, Rest, Text, WordReading};
pub use variation::{InVariation, variation_in, variation_positions};
pub use written::{Aside, Fit, Refusal, Score, Written};

/// Which game a record is of that does not say so, where moves tell it
/// ([`Tier::Guessed`](variant::Tier)).
pub mod guess {
    pub use super::draughts::replay::infer::{Inferred, OF_SOME_KIND, Poll, Verdict, declared};
}

use crate::{
    games::{
        ballot::Ballot,
        chess::rules::Board,
        draughts::Draughts,
        export::Stored,
        language::Expected,
        othello::rules::Position as Othello,
        reading::Reading,
        symmetry::{Moved, Symmetry},
        variant::{Rules, Tier, Variant},
        xiangqi::rules::Position as Xiangqi,
    },
    key::Structure,
    notation::{diagram::Diagram, epd, letters::ENGLISH},
    parse::Syntax,
    record::{MoveForm, PdnFacts, Script},
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

        impl From<<$game as Game>::Cursor> for AnyCursor {
            fn from(at: <$game as Game>::Cursor) -> Self {
                Self::$name(Box::new(at))
            }
        }

        impl From<Opening<$game>> for AnyOpening {
            fn from(opening: Opening<$game>) -> Self {
                Self::$name(Box::new(opening))
            }
        })*

        /// Runs an expression with the type of a row's game; another where the moves of
        /// its game are not known.
        macro_rules! with_row {
            ($d row:expr, $d game_type:ident => $d body:expr, $d other:expr) => {
                match $d row.rules {
                    $($rules => {
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
                    $($crate::games::$d any::$name($d at) => $d body),*
                }
            };
        }
        pub(crate) use with_game;
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

fn not_known(row: &Variant) -> String {
    format!("the moves of {} are not known", row.title)
}

impl Variant {
    /// How a record becomes known to be of this game; `None` if its moves are not known.
    pub const fn tier(&self) -> Option<Tier> {
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
        with_row!(self, G => Some(G::FIRST_PLAYER), None).flatten()
    }
}

/// A legal move of any game.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// Its name in the notation of the game, and for programs.
    pub names: [String; 2],
    /// The position behind it.
    pub behind: AnyPosition,
}

impl AnyPosition {
    /// Reads a FEN of a game.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub fn read_fen(row: &'static Variant, text: &str) -> Result<Fen<Self>, String> {
        with_row!(row, G => G::read_fen(row, text).map(|read| Fen {
            at: read.at.into(),
            warnings: read.warnings,
            has_turn: read.has_turn,
        }), Err(not_known(row)))
    }

    /// Reads a position of a game that somebody wrote out.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, and how much of it was understood.
    pub fn read_written(row: &'static Variant, text: &str) -> Result<Written<Self>, Refusal> {
        with_row!(
            row,
            G => G::read_written(row, text).map(|read| read.map(Self::from)),
            Err(Refusal::nothing(not_known(row), ""))
        )
    }

    /// Reads the FEN of a start position as databases hold it ([`Game::read_stored`]);
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

    /// The usual start of chess.
    pub fn initial() -> Self {
        Board::initial().into()
    }

    /// [`Game::transformed`].
    pub fn transformed(&self, symmetry: Symmetry) -> Option<Self> {
        with_game!(AnyPosition of self, at => Game::transformed(at, symmetry).map(Self::from))
    }

    /// Whether a way of looking at its board exchanges the colours.
    pub fn swaps_sides(&self, symmetry: Symmetry) -> bool {
        with_game!(AnyPosition of self, at => swaps_sides(at, symmetry))
    }

    /// [`Game::can_shift`].
    pub fn can_shift(&self) -> bool {
        with_game!(AnyPosition of self, at => at.can_shift())
    }

    /// [`Game::can_turn`].
    pub fn can_turn(&self) -> bool {
        with_game!(AnyPosition of self, at => at.can_turn())
    }

    /// [`Game::shifts`].
    pub fn shifts(&self) -> Vec<(Moved, Self)> {
        with_game!(AnyPosition of self, at => of_any(at.shifts()))
    }

    /// [`Game::turnings`].
    pub fn turnings(&self) -> Vec<(Moved, Self)> {
        with_game!(AnyPosition of self, at => of_any(at.turnings()))
    }

    /// [`Game::without_rights`].
    #[must_use]
    pub fn without_rights(&self, castling: bool, en_passant: bool) -> Self {
        with_game!(AnyPosition of self, at => at.without_rights(castling, en_passant).into())
    }

    /// [`Game::state_mask`].
    pub fn state_mask(&self, asked: Asked) -> u32 {
        with_game!(AnyPosition of self, at => state_mask(at, asked))
    }

    /// Whether what makes the position tells its variant among those that share their
    /// positions.
    pub fn tells_variant(&self) -> bool {
        self.state_mask(Asked {
            castling: false,
            en_passant: false,
            variant: true,
        }) != 0
    }

    /// [`Game::OBSTACLE`].
    pub fn obstacle(&self) -> Obstacle {
        with_game!(AnyPosition of self, at => obstacle(at))
    }

    /// The legal moves.
    ///
    /// # Errors
    ///
    /// [`BudgetExceeded`] if there are too many to look at.
    pub fn moves(&self, budget: Budget) -> Result<Vec<Next>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => moves_of(at, budget))
    }

    /// Whose points a result names first; `None` if results are those of PGN.
    pub fn result_order(&self) -> Option<ResultOrder> {
        with_game!(AnyPosition of self, at => at.result_order())
    }

    /// What there is to tell of a row of the registry.
    pub fn facts(row: &'static Variant) -> Facts {
        with_row!(row, G => G::facts(row), Facts::of(row))
    }

    /// [`Game::write_as`].
    pub fn write_as(&self, form: PositionForm, besides: &Besides) -> Option<String> {
        with_game!(AnyPosition of self, at => at.write_as(form, besides))
    }

    /// [`Game::HAS_EN_PASSANT`].
    pub fn has_en_passant(&self) -> bool {
        with_game!(AnyPosition of self, at => has_en_passant(at))
    }

    /// [`Game::diagram`].
    pub fn diagram(&self) -> Diagram {
        with_game!(AnyPosition of self, at => at.diagram())
    }

    /// [`Game::diagram_in`].
    pub fn diagram_in(&self, form: MoveForm) -> Diagram {
        with_game!(AnyPosition of self, at => at.diagram_in(form))
    }

    /// [`Game::fen_in`].
    pub fn fen_in(&self, form: MoveForm) -> String {
        with_game!(AnyPosition of self, at => at.fen_in(form))
    }

    /// What the side to move is called.
    pub fn side_to_move(&self) -> &'static str {
        with_game!(AnyPosition of self, at => side_to_move(at))
    }

    /// [`Game::outcome`].
    pub fn outcome(&self) -> Option<Outcome> {
        with_game!(AnyPosition of self, at => Game::outcome(at))
    }

    /// [`Game::HAS_FORMS`].
    pub fn has_forms(&self) -> bool {
        with_game!(AnyPosition of self, at => has_forms(at))
    }

    /// [`Game::list`].
    ///
    /// # Errors
    ///
    /// As [`Game::legal`].
    pub fn list(&self, style: ListStyle) -> Result<Vec<ListedMove>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => at.list(style))
    }

    /// [`Game::HAS_WAYS`].
    pub fn has_ways(&self) -> bool {
        with_game!(AnyPosition of self, at => has_ways(at))
    }

    /// [`Game::perft`].
    ///
    /// # Errors
    ///
    /// As [`Game::legal`].
    pub fn perft(
        &self,
        depth: u32,
        counting: Counting,
        budget: Budget,
    ) -> Result<u64, BudgetExceeded> {
        with_game!(AnyPosition of self, at => Game::perft(at, depth, counting, budget))
    }

    /// [`divide`].
    ///
    /// # Errors
    ///
    /// As [`Game::legal`].
    pub fn divide(
        &self,
        depth: u32,
        counting: Counting,
        budget: Budget,
    ) -> Result<Vec<(ListedMove, u64)>, BudgetExceeded> {
        with_game!(AnyPosition of self, at => divide(at, depth, counting, budget))
    }

    /// Made ready for reading games, whose texts are expected to be meant so.
    pub fn opening(self, expected: Expected) -> AnyOpening {
        with_game!(AnyPosition of self, at => Opening::expected(at, expected).into())
    }
}

/// What an export writes of a game beside its tags and moves ([`Game::export`]).
pub fn export(row: &'static Variant, game: &Stored<'_>) -> PdnFacts {
    let untold = || PdnFacts {
        tags: game.named_variant(row).into_iter().collect(),
        ..PdnFacts::default()
    };
    with_row!(row, G => G::export(row, game), untold())
}

/// In which format a game is written.
pub const fn script(row: &Variant) -> Script {
    match with_row!(row, G => G::SYNTAX, Syntax::Pgn) {
        Syntax::Pgn => Script::Pgn,
        Syntax::Pdn => Script::Pdn,
    }
}

/// The openings of a game that are drawn by ballot, by number.
pub fn ballots(row: &'static Variant) -> Vec<Ballot> {
    with_row!(row, G => G::ballots(row), Vec::new())
}

/// Whether men become kings in a game ([`Game::CROWNS`]).
pub const fn crowns(row: &Variant) -> bool {
    with_row!(row, G => G::CROWNS, false)
}

impl epd::Reader for AnyPosition {
    fn read(&self, word: &str) -> Option<(Vec<(String, Self)>, bool)> {
        with_game!(AnyPosition of self, at => {
            let (moves, is_usual) = at.read_alone(word)?;
            let any = |(name, at)| (name, Self::from(at));
            Some((moves.into_iter().map(any).collect(), is_usual))
        })
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

fn moves_of<G: Game>(at: &G, budget: Budget) -> Result<Vec<Next>, BudgetExceeded>
where
    AnyPosition: From<G>,
{
    let mut legal = Vec::new();
    at.legal(budget, &mut legal)?;
    let next = |m: G::Move| {
        let mut behind = at.clone();
        behind.play(m);
        Next {
            names: [MoveStyle::Usual, MoveStyle::Squares].map(|style| at.write(m, style, ENGLISH)),
            behind: behind.into(),
        }
    };
    Ok(legal.into_iter().map(next).collect())
}

fn of_any<G: Game>(all: Vec<(Moved, G)>) -> Vec<(Moved, AnyPosition)>
where
    AnyPosition: From<G>,
{
    let any = |(moved, at)| (moved, AnyPosition::from(at));
    all.into_iter().map(any).collect()
}

fn swaps_sides<G: Game>(_: &G, symmetry: Symmetry) -> bool {
    G::swaps_sides(symmetry)
}

fn state_mask<G: Game>(_: &G, asked: Asked) -> u32 {
    G::state_mask(asked)
}

const fn obstacle<G: Game>(_: &G) -> Obstacle {
    G::OBSTACLE
}

fn detail<C: Cursor>(_: &C, m: <C::Game as Game>::Move) -> u128 {
    C::Game::detail(m)
}

const fn has_letters<G: Game>(_: &G) -> bool {
    G::HAS_LETTERS
}

const fn has_en_passant<G: Game>(_: &G) -> bool {
    G::HAS_EN_PASSANT
}

const fn has_forms<G: Game>(_: &G) -> bool {
    G::HAS_FORMS
}

const fn has_ways<G: Game>(_: &G) -> bool {
    G::HAS_WAYS
}

fn side_to_move<G: Game>(at: &G) -> &'static str {
    G::SIDES[at.turn() & 1]
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
    /// [`Game::opening`].
    ///
    /// # Errors
    ///
    /// Why the FEN cannot be read.
    pub fn read_fen(row: &'static Variant, fen: &str, expected: Expected) -> FromFen<Self> {
        with_row!(row, G => {
            <G as Game>::opening(row, fen, expected).map(|(at, odd)| (Self::from(at), odd))
        }, Err(not_known(row)))
    }

    /// The position.
    pub fn at(&self) -> AnyPosition {
        with_game!(AnyOpening of self, opening => Clone::clone(&opening.at).into())
    }

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
